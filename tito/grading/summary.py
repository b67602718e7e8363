"""What a class did with an assignment: numbers over its rows, and the page that shows them."""

import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from statistics import mean, median

from tito.grading.page import render
from tito.grading.plots import histogram, shares
from tito.grading.report import Row
from tito.grading.report import summary as counts_of

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True)
class TestSummary:
    """How a class did in one test. `share` is the part of its points that was earned, 0 to 1.

    `message` is the commonest reason of those who lost points, as one of them got it; `same` is how
    many got it, up to the numbers in it.
    """

    name: str
    possible: float
    full: int
    partly: int
    none: int
    share: float
    message: str
    same: int

    @property
    def lost(self) -> int:
        return self.partly + self.none


@dataclass(frozen=True)
class ClassSummary:
    """One assignment. `tests` come hardest first; `scores` are those of the graded rows."""

    module: str
    rows: list[Row]
    tests: list[TestSummary]
    scores: list[float]
    max_score: float

    @property
    def counts(self) -> str:
        return counts_of(self.rows)

    @property
    def middle(self) -> str:
        """Mean and median of the scores, in words."""
        if not self.scores:
            return "Nobody is graded yet."
        return (
            f"Mean {mean(self.scores):.1f}, median {median(self.scores):.1f} "
            f"of {self.max_score:g} points, over {len(self.scores)} graded."
        )


def summarise(rows: list[Row]) -> list[ClassSummary]:
    """One summary for each module in `rows`, in the order of the modules."""
    modules = sorted({row.module for row in rows})
    return [_of_module(name, [row for row in rows if row.module == name]) for name in modules]


def _of_module(module: str, rows: list[Row]) -> ClassSummary:
    graded = [row for row in rows if row.is_graded]
    names = dict.fromkeys(name for row in graded for name, _, _ in row.points)
    tests = [_of_test(name, graded) for name in names]
    return ClassSummary(
        module=module,
        rows=rows,
        tests=sorted(tests, key=lambda test: test.share),
        scores=[row.score for row in graded],
        max_score=max((row.max_score for row in graded), default=0.0),
    )


def _of_test(name: str, graded: list[Row]) -> TestSummary:
    points = [(earned, most) for row in graded for test, earned, most in row.points if test == name]
    full = sum(earned >= most for earned, most in points)
    none = sum(earned <= 0 < most for earned, most in points)
    total = sum(most for _, most in points)
    reasons = [reason for row in graded for test, reason in row.reasons if test == name]
    message, same = commonest(reasons)
    return TestSummary(
        name=name,
        possible=max(most for _, most in points),
        full=full,
        partly=len(points) - full - none,
        none=none,
        share=sum(earned for earned, _ in points) / total if total else 1.0,
        message=message,
        same=same,
    )


def commonest(reasons: list[str]) -> tuple[str, int]:
    """The reason that most share, numbers aside, as the first of them had it; and how many."""
    if not reasons:
        return "", 0
    kinds = Counter(_NUMBER.sub("#", reason) for reason in reasons)
    kind, same = kinds.most_common(1)[0]
    return next(reason for reason in reasons if _NUMBER.sub("#", reason) == kind), same


def summary_page(rows: list[Row], now: datetime) -> str:
    """The HTML page over all modules in `rows`; `now` is the date that it bears."""
    summaries = summarise(rows)
    return render(
        "summary.html.j2",
        made=f"{now:%Y-%m-%d %H:%M}",
        modules=[(summary, _figures(summary)) for summary in summaries],
    )


def _figures(summary: ClassSummary) -> list[tuple[str, str]]:
    """Title and PNG of each figure; none before anybody is graded."""
    if not summary.scores:
        return []
    parts = {
        "all points": [test.full for test in summary.tests],
        "a part": [test.partly for test in summary.tests],
        "none": [test.none for test in summary.tests],
    }
    names = [test.name for test in summary.tests]
    return [
        ("Who has all, a part or none of a test's points", shares(names, parts)),
        ("Points", histogram(summary.scores, summary.max_score)),
    ]
