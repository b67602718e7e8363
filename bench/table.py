"""The outcomes as one table."""

import os
import platform
from collections.abc import Collection
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich.table import Table

from bench import THREADS
from bench.timing import OURS, Outcome

RIVALS = ("NumPy", "torch", "autograd", "gensim")


def figure(outcome: Outcome, name: str) -> str:
    """How long it took, or how many tokens a second."""
    seconds, tokens = outcome.median(name), outcome.bench.tokens
    return f"{tokens / seconds:,.0f} tokens/s" if tokens else f"{1000 * seconds:.3g} ms"


def beside(outcome: Outcome, rival: str) -> str:
    """A rival's figure, and our time over its time: median and range over the rounds."""
    if rival not in outcome.seconds:
        return "-"
    middle, low, high = outcome.ratio(rival)
    return f"{figure(outcome, rival)}\n{middle:.2f}x ({low:.2f}-{high:.2f})"


def verdicts(outcome: Outcome) -> str:
    """Each target and whether it is met, a line each."""
    lines = []
    for rival, limit in outcome.bench.targets.items():
        verdict = "met" if outcome.is_met(rival) else "not met"
        verdict = verdict if rival in outcome.seconds else "not measured"
        if rival in outcome.seconds and rival not in RIVALS:  # it has no column of its own
            verdict += f", {outcome.ratio(rival)[0]:.2f}x"
        lines.append(f"<= {limit}x {rival}: {verdict}")
    return "\n".join(lines)


def cpu() -> str:
    """The processor's name, where the system tells it."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def installed(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"no {name}"


def caption(rounds: int, missing: Collection[str]) -> str:
    """How the numbers came about."""
    libraries = ", ".join(installed(name) for name in ("numpy", "torch", "autograd", "gensim"))
    lines = [
        f"Medians of {rounds} interleaved rounds; in brackets, the range of the rounds.",
        f"{THREADS} threads of {os.cpu_count()} on {cpu()}.",
        f"Python {platform.python_version()}, {libraries}.",
    ]
    if missing:
        lines.append(f"- : {' and '.join(sorted(missing))} not installed; `make compare` does it.")
    return "\n".join(lines)


def table(outcomes: list[Outcome], rounds: int, missing: Collection[str]) -> Table:
    """A row a bench: our figure, each rival's with our ratio to it, the targets."""
    made = Table(caption=caption(rounds, missing), caption_justify="left", show_lines=True)
    for heading in ("", OURS, *RIVALS, "target"):
        made.add_column(heading)
    for outcome in outcomes:
        done = len(outcome.seconds[OURS])
        name = outcome.bench.name + (f" ({done} rounds)" if done < rounds else "")
        cells = [beside(outcome, rival) for rival in RIVALS]
        made.add_row(name, figure(outcome, OURS), *cells, verdicts(outcome))
    return made
