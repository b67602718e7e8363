"""Not graded is never a zero: in the gradebook, in nbgrader's own export, in feedback."""

import datetime
import json
import subprocess
import sys

import pytest
from nbgrader.api import Gradebook, MissingEntry

from tests.grading.classroom import folder_of
from tests.grading.recorded import exported, read_export, record_full_marks
from tito.grading import gradebook
from tito.grading.feedback import write_feedback
from tito.grading.report import MISSING, NOT_GRADED, Row, save_rows
from tito.grading.withdraw import withdraw


@pytest.fixture
def graded(toy):
    """Ann has 10 points, Bob's file could not be read, Cyd is enrolled."""
    with Gradebook(gradebook.db_url(toy), "tinytorch") as book:
        for student in ("bob", "cyd"):
            book.add_student(student)
    record_full_marks(toy, "ann", datetime.datetime(2026, 12, 1, 12))
    folder_of(toy, "bob")
    why = "toy.ipynb ends in the middle: save the notebook and hand it in again"
    rows = [Row("bob", "01_toy", NOT_GRADED, notes=(why,)), Row("cyd", "01_toy", MISSING)]
    save_rows(toy, toy.module("01"), rows, replace_all=False)
    return toy


def test_nbgraders_export_has_no_score_where_nobody_graded(graded):
    command = [sys.executable, "-m", "nbgrader", "export", "--to", "theirs.csv"]
    subprocess.run(command, cwd=graded.root, check=True, capture_output=True)
    lines = read_export(graded.root / "theirs.csv")
    seen = {name: (line["score"], line["status"]) for name, line in lines.items()}
    assert seen == {"ann": ("10.0", "graded"), "bob": ("", "not graded"), "cyd": ("", "missing")}
    assert lines["ann"]["max_score"] == lines["bob"]["max_score"] == "10.0"


def test_nbgraders_own_options_still_choose(graded):
    assert exported(graded, student=["ann"]).keys() == {"ann"}
    assert exported(graded, assignment=["02_more"]) == {}


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # of nbgrader's own queries
def test_an_empty_submission_of_the_gradebook_is_no_zero(graded):
    with Gradebook(gradebook.db_url(graded), "tinytorch") as book:
        book.add_submission("01_toy", "cyd")
    assert gradebook.graded_points(graded, graded.module("01"), "cyd") is None
    assert exported(graded)["cyd"]["score"] == ""


def test_a_grade_is_taken_back_and_nothing_is_lost(graded):
    module = graded.module("01")
    with Gradebook(gradebook.db_url(graded), "tinytorch") as book:
        book.find_grade("test-area", "toy", "01_toy", "ann").manual_score = 5
        book.find_comment("area", "toy", "01_toy", "ann").manual_comment = "well done"
        book.grant_extension("01_toy", "ann", days=1)
    note = withdraw(graded, module, "ann")
    assert note == (
        "the earlier grade of what was handed in on 2026-12-01 12:00 UTC was 9/10; "
        "it was taken back"
    )
    assert gradebook.graded_points(graded, module, "ann") is None
    with Gradebook(gradebook.db_url(graded), "tinytorch") as book:
        assert book.find_submission("01_toy", "ann").extension == datetime.timedelta(days=1)
    kept = graded.root / ".grading" / "withdrawn" / "ann" / "01_toy"
    grade = json.loads((kept / "grade.json").read_text(encoding="utf-8"))
    assert ["toy", "test-area", 6, 5] in grade["grades"]
    assert grade["comments"] == [["toy", "area", "well done"]]
    assert (kept / "autograded" / "toy.ipynb").is_file()
    assert not (graded.root / "autograded" / "ann" / "01_toy").exists()
    assert withdraw(graded, module, "ann") == note, "a second run says the same"


def test_without_an_earlier_grade_there_is_nothing_to_say(graded):
    assert withdraw(graded, graded.module("01"), "bob") is None
    with (
        Gradebook(gradebook.db_url(graded), "tinytorch") as book,
        pytest.raises(MissingEntry),
    ):
        book.find_submission("01_toy", "bob")


def test_who_was_not_graded_reads_why_in_the_feedback(graded):
    pages = write_feedback(graded, graded.module("01"))
    assert [page.name for page in pages] == ["toy.html", "not_graded.html"]
    text = pages[1].read_text(encoding="utf-8")
    assert "toy.ipynb ends in the middle: save the notebook and hand it in again" in text
    assert "This is no zero" in text


def test_feedback_of_an_earlier_grading_goes(graded):
    old = graded.root / "feedback" / "ann" / "01_toy" / "old.html"
    old.parent.mkdir(parents=True)
    old.write_text("old", encoding="utf-8")
    write_feedback(graded, graded.module("01"), ["ann"])
    assert [path.name for path in old.parent.iterdir()] == ["toy.html"]
