// Names and places for screen readers that the theme leaves out; test_site.py asks axe for each.
document.addEventListener("DOMContentLoaded", () => {
  for (const summary of document.querySelectorAll("nav summary")) {
    const page = summary.closest("li").querySelector("a");
    summary.setAttribute("aria-label", `Pages of ${page.textContent.trim()}`);
  }
  // These have their names in sight; another one would be read out in its place.
  for (const named of document.querySelectorAll(
    'summary[aria-label="Toggle hidden content"], .search-button-field[aria-label]',
  )) {
    named.removeAttribute("aria-label");
  }
  const sidebar = document.querySelector(".bd-sidebar-primary");
  sidebar?.setAttribute("role", "region");
  sidebar?.setAttribute("aria-label", "Course");
  // The corner of a table heads nothing.
  for (const corner of document.querySelectorAll("th")) {
    if (!corner.textContent.trim()) corner.replaceWith(document.createElement("td"));
  }
});
