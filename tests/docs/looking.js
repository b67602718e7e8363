// Opens each job of /-/jobs.json in a frame of its width, asks axe, and hands in what was found.
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const TABBABLE = "a[href], button, input, summary, [tabindex='0']";

const opened = (frame, url) =>
  new Promise((resolve) => {
    frame.onload = () => resolve(frame.contentWindow);
    frame.src = url;
  });

const withAxe = (doc) =>
  new Promise((resolve) => {
    const script = doc.createElement("script");
    script.src = "/-/axe.min.js";
    script.onload = resolve;
    doc.head.append(script);
  });

const shown = (element) => element.checkVisibility({ visibilityProperty: true });

// What the keyboard reaches first, and what it reaches without showing that it is there.
function keyboard(win) {
  const stops = [...win.document.querySelectorAll(TABBABLE)].filter(shown);
  const unseen = stops.filter((stop) => {
    stop.focus({ preventScroll: true });
    const style = win.getComputedStyle(stop);
    return stop.matches(":focus") && style.outlineStyle === "none" && style.boxShadow === "none";
  });
  return { first: stops[0]?.outerHTML, unseen: unseen.map((stop) => stop.outerHTML) };
}

async function look(frame, job) {
  frame.style.width = `${job.width}px`;
  const win = await opened(frame, `/${job.page}`);
  const doc = win.document;
  doc.documentElement.dataset.theme = job.theme;
  await withAxe(doc);
  const answer = await win.axe.run(doc, { runOnly: RULES, resultTypes: ["violations"] });
  const violations = answer.violations.flatMap((rule) =>
    rule.nodes.map((node) => ({ rule: rule.id, help: rule.help, html: node.html, why: node.failureSummary })),
  );
  const width = doc.documentElement.scrollWidth;
  return { ...job, violations, overflow: width > job.width ? width : 0, ...keyboard(win) };
}

(async () => {
  const found = [];
  const frame = document.querySelector("iframe");
  for (const job of await (await fetch("/-/jobs.json")).json()) {
    try {
      found.push(await look(frame, job));
    } catch (error) {
      found.push({ ...job, error: String(error) });
    }
  }
  await fetch("/-/found", { method: "POST", body: JSON.stringify(found) });
})();
