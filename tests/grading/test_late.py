"""Late penalties: what they cost, and that everything that shows a score agrees."""

import datetime

import pytest
from nbgrader.api import Gradebook

from tests.grading.recorded import exported, record_full_marks
from tito.grading import gradebook
from tito.grading.feedback import write_feedback
from tito.grading.grades import current_rows
from tito.grading.late import PenaltyPerDay
from tito.grading.report import write_csv
from tito.nbgrader_bridge import load_config

DAY = 24 * 60 * 60


@pytest.mark.parametrize(
    ("percent", "most", "days", "penalty"),
    [
        (0, 100, 5, None),
        (10, 100, 1 / DAY, 1),
        (10, 100, 1, 1),
        (10, 100, 1 + 1 / DAY, 2),
        (10, 50, 9, 5),
        (30, 100, 9, 10),
        (10, 400, 99, 10),
        (-5, 100, 1, None),
    ],
)
def test_each_day_begun_costs_its_share_of_the_earned_points(percent, most, days, penalty):
    plugin = PenaltyPerDay(percent_a_day=percent, most_percent=most)
    assert plugin.late_submission_penalty("ann", 10.0, days * DAY) == penalty


def test_the_course_takes_nothing_off_by_default(toy):
    config = load_config(toy.root)
    assert config.AssignLatePenalties.plugin_class is PenaltyPerDay
    plugin = PenaltyPerDay(config=config)
    assert plugin.late_submission_penalty("ann", 10.0, 3 * DAY) is None


IN_TIME = datetime.datetime(2026, 12, 1, 12)
TWO_DAYS_LATE = datetime.datetime(2026, 12, 3, 11)


@pytest.fixture
def late_class(toy):
    """Ann in time, Bob in the second day after it, at 10 % a day; and their rows."""
    path = toy.root / "nbgrader_config.py"
    text = path.read_text(encoding="utf-8")
    assert "percent_a_day = 0\n" in text
    path.write_text(text.replace("percent_a_day = 0\n", "percent_a_day = 10\n"), "utf-8")
    gradebook.set_due(toy, toy.module("01"), IN_TIME)
    times = {"ann": IN_TIME, "bob": TWO_DAYS_LATE}
    return toy, {student: record_full_marks(toy, student, time) for student, time in times.items()}


def test_a_late_score_is_the_same_wherever_it_is_shown(late_class, tmp_path):
    toy, rows = late_class
    assert {name: row.score for name, row in rows.items()} == {"ann": 10, "bob": 8}
    now = {row.student: row for row in current_rows(toy, toy.module("01"))}
    assert (now["bob"].score, now["bob"].penalty) == (8, 2)
    assert now["bob"].words == "graded, late: -2"
    write_csv(list(now.values()), tmp_path / "grades.csv")
    lines = (tmp_path / "grades.csv").read_text(encoding="utf-8").splitlines()
    assert lines[1:] == ["ann,01_toy,graded,,0,10,10,", "bob,01_toy,graded,late,2,8,10,"]

    with Gradebook(gradebook.db_url(toy), "tinytorch") as book:  # what formgrader reads
        assert book.find_submission("01_toy", "bob").late_submission_penalty == 2

    bob = exported(toy)["bob"]
    assert (bob["raw_score"], bob["late_submission_penalty"], bob["score"]) == (
        "10.0",
        "2.0",
        "8.0",
    )

    (page,) = write_feedback(toy, toy.module("01"), ["bob"])
    text = page.read_text(encoding="utf-8")
    assert "8 of 10 points" in text
    assert "Handed in late: 2 points were taken off." in text


def test_an_extension_takes_the_penalty_back(late_class):
    toy, _ = late_class
    with Gradebook(gradebook.db_url(toy), "tinytorch") as book:
        book.grant_extension("01_toy", "bob", days=2)
    row = record_full_marks(toy, "bob", TWO_DAYS_LATE)
    assert (row.score, row.is_late) == (10, False)
