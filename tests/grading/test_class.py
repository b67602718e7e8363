"""What each kind of submission gets: status, exact points, the reason in words."""

import csv

import pytest
from nbgrader.api import Gradebook, MissingEntry

from tests.grading.conftest import GradedClass
from tito.grading import gradebook
from tito.grading.report import GRADED, MISSING, NOT_GRADED, REPAIRED, write_csv

FULL, NONE = 10, 0
SCORES = [
    ("honest", GRADED, FULL),
    ("alternative", GRADED, FULL),
    ("blank", GRADED, NONE),
    ("partial", GRADED, 4),
    ("wrong", GRADED, 6),
    ("unasserted", GRADED, 4),
    ("syntax", GRADED, 6),
    ("noisy", GRADED, FULL),
    ("forged-mime", GRADED, FULL),
    ("no-observe", GRADED, 6),
    ("replayed", GRADED, NONE),
    ("killer", GRADED, 4),
    ("edited-test", REPAIRED, 6),
    ("deleted-test", REPAIRED, 6),
    ("stripped", REPAIRED, FULL),
    ("hundred-points", REPAIRED, 6),
    ("old-schema", REPAIRED, FULL),
    ("markdown-test", REPAIRED, 6),
    ("duplicates", REPAIRED, FULL),
    ("renamed", GRADED, FULL),
]
NOTES = [
    ("not-utf8", "not UTF-8"),
    ("not-json", "not JSON"),
    ("no-notebook", "no notebook"),
    ("truncated", "ends in the middle"),
    ("empty-folder", "the folder is empty: ask for toy.ipynb"),
    ("zipped", "was not made by `tito submit`"),
    ("other-lesson", "none of this lesson's exercises"),
    ("broken.zip", "no readable zip"),
]
REASONS = [
    ("blank", "test-double", "blank: still to fill"),
    ("partial", "test-area", "blank: still to fill"),
    ("wrong", "test-double", "double(3) is 6: did you add 2?"),
    ("syntax", "test-double", "the cell double failed before its test: SyntaxError: expected ':'"),
    ("unasserted", "test-area", "the value of `area` differs from the reference's (expected"),
    ("no-observe", "test-double", "the notebook replaced the tests' observe"),
    ("replayed", "test-double", "the notebook replaced numpy.allclose"),
    ("replayed", "test-area", "the notebook replaced numpy.allclose"),
    ("killer", "test-area", "the cell ended Python (exit or os._exit?)"),
]
REPAIRS = [
    ("edited-test", "test-double was edited: the original was run"),
    ("deleted-test", "test-double was missing: put back"),
    ("stripped", "nbgrader's marks on start, setup, imports and 4 more were changed: restored"),
    ("hundred-points", "nbgrader's marks on test-area were changed: restored"),
    ("markdown-test", "test-double was a markdown cell: made code again"),
    ("duplicates", "test-double was there twice: the copy was dropped"),
    ("duplicates", "double was there twice: both answers were run, in their order"),
    ("renamed", "toy (1) of me.ipynb was graded as toy.ipynb"),
]


@pytest.mark.parametrize(("student", "status", "score"), SCORES)
def test_submission_gets_exactly_its_points(graded_class, student, status, score):
    row = graded_class.rows[student]
    assert (row.status, row.score, row.max_score) == (status, score, FULL), row.note
    assert sum(earned for _, earned, _ in row.points) == score
    assert {name for name, earned, _ in row.points if earned == 0} == {n for n, _ in row.reasons}


@pytest.mark.parametrize(("student", "exercise", "reason"), REASONS)
def test_every_lost_point_has_its_reason(graded_class, student, exercise, reason):
    assert reason in dict(graded_class.rows[student].reasons)[exercise]


@pytest.mark.parametrize(("student", "note"), REPAIRS)
def test_repairs_are_told(graded_class, student, note):
    assert note in graded_class.rows[student].notes


@pytest.mark.parametrize(("student", "note"), NOTES)
def test_unreadable_submission_is_not_graded_and_says_why(graded_class, student, note):
    row = graded_class.rows[student]
    assert (row.status, row.score) == (NOT_GRADED, None)
    assert note in row.note


def test_nobody_is_left_out(graded_class):
    seen = {p.name for p in (graded_class.course.root / "submitted").iterdir()}
    assert set(graded_class.rows) == seen | {"absent"}


def test_enrolled_student_without_a_submission_is_missing(graded_class):
    row = graded_class.rows["absent"]
    assert (row.status, row.score) == (MISSING, None)


def test_gradebook_holds_the_rows_points(graded_class: GradedClass):
    with Gradebook(gradebook.db_url(graded_class.course), "tinytorch") as book:
        for student, row in graded_class.rows.items():
            if row.is_graded:
                assert book.find_submission("01_toy", student).score == row.score
            else:
                with pytest.raises(MissingEntry):
                    book.find_submission("01_toy", student)


def test_autograded_notebook_hides_the_machinery(graded_class):
    for student in ("honest", "forged-mime", "noisy"):
        path = graded_class.course.root / "autograded" / student / "01_toy" / "toy.ipynb"
        text = path.read_text(encoding="utf-8")
        assert "challenge_and_observe" not in text
        assert '"application/vnd.tinytorch.observation+json": {' not in text


def test_csv_is_empty_where_nothing_was_graded_and_holds_no_formula(graded_class, tmp_path):
    write_csv(list(graded_class.rows.values()), tmp_path / "grades.csv")
    with (tmp_path / "grades.csv").open(encoding="utf-8", newline="") as file:
        lines = {line["student"]: line for line in csv.DictReader(file)}
    assert len(lines) == len(graded_class.rows)
    assert lines["blank"]["score"] == "0"
    assert lines["truncated"]["score"] == lines["absent"]["score"] == ""
    assert "'=cmd|'calc'!A0" in lines
    assert not any(value.startswith("=") for line in lines.values() for value in line.values())
