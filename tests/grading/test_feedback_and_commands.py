"""Feedback pages and the instructor's commands."""

from dataclasses import replace

import pytest
from typer.testing import CliRunner

from tests.conftest import copy_of_toy
from tests.grading.classroom import answered, hand_in, release_of
from tito.cli import app
from tito.errors import TitoError
from tito.grading.feedback import graded_students, write_feedback
from tito.grading.hide import HIDDEN_LINE
from tito.grading.report import load_rows, save_rows


@pytest.fixture(scope="module")
def played(built_toy, tmp_path_factory):
    """A course where `tito` released and graded one submission, and the output of both."""
    course = copy_of_toy(built_toy, tmp_path_factory.mktemp("played") / "course")
    nb = answered(release_of(course), double="def double(x):\n    return 6")
    hand_in(course, "{bold}ann", nb)
    said = [run(course, "release", "01", "--due", "2026-12-01 23:59"), run(course, "grade", "1")]
    return course, said


def run(course, *arguments: str) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course.root)
        result = CliRunner().invoke(app, [*arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_release_says_when_it_is_due_and_what_to_hand_out(played):
    _, (released, _) = played
    assert "due 2026-12-01 23:59" in released
    assert "release/01_toy/" in released


def test_grade_shows_the_row_its_reason_and_a_summary(played):
    _, (_, graded) = played
    assert "{bold}ann" in graded, "a student's name is text, not markup"
    assert "6/10" in graded
    assert "graded 1, after repair 0, in part 0, not graded 0, missing 0" in graded


def test_grades_go_to_a_table_and_a_file(played, tmp_path):
    course, _ = played
    assert "6/10" in run(course, "grades")
    run(course, "grades", "01", "--csv", str(tmp_path / "g.csv"))
    lines = (tmp_path / "g.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "student,module,status,late,late_penalty,score,max_score,note"
    assert lines[1].startswith("{bold}ann,01_toy,graded,,0,6,10,test-double: ")


def test_grades_go_to_a_page(played, tmp_path):
    course, _ = played
    run(course, "grades", "--html", str(tmp_path / "class.html"))
    text = (tmp_path / "class.html").read_text(encoding="utf-8")
    assert "{bold}ann" in text
    assert "6/10" in text


def test_feedback_shows_the_reason_and_no_hidden_test(played):
    course, _ = played
    assert "1 pages" in run(course, "feedback", "01")
    page = course.root / "feedback" / "{bold}ann" / "01_toy" / "toy.html"
    text = page.read_text(encoding="utf-8")
    assert "double works on arrays too" in text
    assert "HIDDEN" not in text
    assert "standard_normal" not in text


def test_feedback_strikes_a_hidden_line_out_of_the_reason(played):
    course, _ = played
    module = course.module("01")
    (row,) = load_rows(course, module)
    stolen = 'ValueError: observe("double", double(x))'  # as raised by an answer that read it
    save_rows(course, module, [replace(row, reasons=(("test-double", stolen),))], replace_all=True)
    (page,) = write_feedback(course, module)
    text = page.read_text(encoding="utf-8")
    assert "observe" not in text
    assert HIDDEN_LINE in text
    save_rows(course, module, [row], replace_all=True)


def test_feedback_of_somebody_ungraded_is_refused(played):
    course, _ = played
    with pytest.raises(TitoError, match="nobody has no graded 01_toy"):
        write_feedback(course, course.module("01"), ["nobody"])


def test_graded_students_of_a_module_never_graded(toy):
    assert graded_students(toy, toy.module("02")) == []


@pytest.mark.parametrize("due", ["tomorrow", "2026-13-01 10:00", "2026-12-01"])
def test_unreadable_due_date_is_one_clear_line(toy, monkeypatch, due):
    monkeypatch.chdir(toy.root)
    result = CliRunner().invoke(app, ["release", "01", "--due", due])
    assert "write it as" in str(result.exception)


@pytest.mark.parametrize("command", ["release", "grade", "feedback"])
def test_instructors_commands_are_refused_in_a_students_folder(toy, monkeypatch, command):
    (toy.root / "source").rename(toy.root / "elsewhere")
    monkeypatch.chdir(toy.root)
    result = CliRunner().invoke(app, [command, "01"])
    assert isinstance(result.exception, TitoError)
    assert "course's repository" in str(result.exception)


def test_grades_before_any_grading_says_what_to_do(toy, monkeypatch):
    monkeypatch.chdir(toy.root)
    assert "run `tito grade" in str(CliRunner().invoke(app, ["grades"]).exception)


@pytest.mark.parametrize("command", ["release", "grade", "feedback", "grades"])
def test_help_has_an_example(command):
    assert f"tito {command}" in CliRunner().invoke(app, [command, "--help"]).output
