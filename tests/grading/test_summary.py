"""The class summary: numbers over rows, and a page that is escaped and needs nothing else."""

import base64
import re
from datetime import datetime

import pytest

from tito.grading.report import GRADED, MISSING, NOT_GRADED, Row
from tito.grading.summary import commonest, summarise, summary_page

NOW = datetime(2026, 12, 1, 12, 30)


def row(student: str, double: float, area: float, *reasons: tuple[str, str], **more) -> Row:
    points = (("test-double", double, 4), ("test-area", area, 6))
    score = double + area
    return Row(
        student, "01_toy", GRADED, score=score, max_score=10, points=points, reasons=reasons, **more
    )


ROWS = [
    row("ann", 4, 6),
    row("bob", 4, 3, ("test-area", "got 3.5")),
    row("cyd", 4, 0, ("test-area", "got 4.25e-3"), notes=("a note",)),
    row("dan", 0, 0, ("test-area", "blank"), ("test-double", "<script>alert(1)</script>")),
    Row("eve", "01_toy", NOT_GRADED, notes=("toy.ipynb ends in the middle",)),
    Row("fay", "01_toy", MISSING),
]


def test_tests_come_hardest_first_with_who_earned_what():
    (summary,) = summarise(ROWS)
    seen = [(t.name, t.full, t.partly, t.none, t.share) for t in summary.tests]
    assert seen == [("test-area", 1, 1, 2, 9 / 24), ("test-double", 3, 0, 1, 12 / 16)]


def test_who_was_not_graded_is_no_zero_in_the_mean():
    (summary,) = summarise(ROWS)
    assert summary.scores == [10, 7, 4, 0]
    assert summary.middle == "Mean 5.2, median 5.5 of 10 points, over 4 graded."


@pytest.mark.parametrize(
    ("reasons", "expected"),
    [
        ([], ("", 0)),
        (["blank", "got 3.5", "got -4e-3"], ("got 3.5", 2)),
        (["got x", "blank", "blank"], ("blank", 2)),
    ],
)
def test_messages_that_differ_in_their_numbers_are_one(reasons, expected):
    assert commonest(reasons) == expected


def test_each_module_has_its_own_part():
    other = Row("ann", "02_more", MISSING)
    assert [summary.module for summary in summarise([other, *ROWS])] == ["01_toy", "02_more"]


def test_the_page_shows_tests_students_and_reasons():
    page = summary_page(ROWS, NOW)
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "The class, 2026-12-01 12:30" in text
    assert "test-area 6 38 % 1 1 2 got 3.5 (2 of 3)" in text
    assert "cyd 4/10 graded test-area: got 4.25e-3 a note" in text
    assert "eve not graded toy.ipynb ends in the middle" in text


def test_the_page_has_no_script_and_loads_nothing():
    page = summary_page(ROWS, NOW)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert not re.search(r"(?:src|href)=\"(?!data:image/png;base64,)", page)


def test_its_plots_are_png():
    pictures = re.findall(r"data:image/png;base64,([\w+/=]+)", summary_page(ROWS, NOW))
    assert len(pictures) == 2
    assert all(base64.b64decode(p).startswith(b"\x89PNG") for p in pictures)


def test_a_class_that_nobody_graded_has_a_page_without_plots():
    page = summary_page([row for row in ROWS if not row.is_graded], NOW)
    assert "Nobody is graded yet." in page
    assert "<img" not in page


def test_all_points_zero_and_points_of_zero_are_survived():
    nothing = Row("ann", "01_toy", GRADED, score=0, max_score=0, points=(("test-x", 0, 0),))
    assert "100 %" in summary_page([nothing], NOW)
