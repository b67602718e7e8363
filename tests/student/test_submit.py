"""`tito submit`: the file to hand in is whole, and the grader reads it."""

import io
import json
import zipfile
from datetime import datetime

import pytest

from tests.conftest import copy_of_toy
from tests.grading.colab import after, all_at_once
from tests.grading.trial import needs_sandbox
from tests.student.conftest import change
from tito.grading.grade import grade_module
from tito.grading.handin import read_submission
from tito.notebook import read_notebook, write_notebook
from tito.student import handin


@pytest.fixture
def notebook(student, tito):
    tito("module", "start", "01", "--no-open")
    return student.notebooks / "01_toy/toy.ipynb"


def test_the_file_holds_the_notebooks_and_who_made_it(tito, student, notebook):
    seen = tito("submit", "01", "--student", "ann@example.org", "--no-test")
    assert seen.status == 0
    assert "Hand in submit/01_toy-ann@example.org.zip (as ann@example.org)." in seen.out
    path = student.root / "submit/01_toy-ann@example.org.zip"
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == ["01_toy/toy.ipynb", "submission.json"]
        facts = json.loads(archive.read("submission.json"))
    assert (facts["student"], facts["module"]) == ("ann@example.org", "01_toy")
    assert facts["tool"] == student.settings["version"]
    assert datetime.fromisoformat(facts["made"]).utcoffset().total_seconds() == 0
    read = read_submission(path)
    assert (read.student, read.module) == ("ann@example.org", "01_toy")
    assert read.notebooks == {"toy.ipynb": notebook.read_bytes()}


def test_it_says_what_the_visible_tests_give(tito, fill):
    fill("01", "double")
    seen = tito("submit", "01", "--student", "ann")
    assert seen.status == 0
    assert "The tests you can see: 1 of 2 exercises done, 4 of 10 points." in seen.out


def test_the_id_is_asked_once_and_then_known(tito, student, notebook, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("ann\n"))
    assert tito("submit", "01", "--no-test").status == 0
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert tito("submit", "01", "--no-test").status == 0
    assert [path.name for path in (student.root / "submit").iterdir()] == ["01_toy-ann.zip"]


def test_where_nobody_can_answer_it_says_how_to_do_without(tito, notebook, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    seen = tito("submit", "01", "--no-test")
    assert seen.status == 1
    assert "--student ID" in seen.err


@pytest.mark.parametrize("name", ["../x", ".ann", "a b", "", " ", "a" * 65, "ann/../bob", "ä"])
def test_an_id_that_is_no_folder_name_is_refused(name):
    with pytest.raises(handin.TitoError, match="cannot be a student id"):
        handin.check_student(name)


def test_a_notebook_without_a_test_cell_is_refused(tito, student, notebook):
    nb = read_notebook(notebook)
    nb.cells = [cell for cell in nb.cells if cell.id != "test-area"]
    write_notebook(nb, notebook)
    seen = tito("submit", "01", "--student", "ann")
    assert seen.status == 1
    assert "is not whole: the test cell `test-area` is gone." in seen.error
    assert not (student.root / "submit").exists()


def test_an_edited_test_can_be_handed_in_and_is_no_gap(tito, notebook):
    change(notebook, "assert double(3) == 6", "assert double(3)")
    assert tito("submit", "01", "--student", "ann", "--no-test").status == 0


def test_a_huge_notebook_is_refused(tito, notebook, monkeypatch):
    monkeypatch.setattr(handin, "MAX_NOTEBOOK_BYTES", 1000)
    assert "clear its outputs" in tito("submit", "01", "--student", "ann").error


@pytest.fixture
def from_colab(student, fill):
    """A notebook with one exercise done, as it comes back from Colab."""
    fill("01", "double")
    path = student.notebooks / "01_toy/toy.ipynb"
    nb = after(all_at_once, json.loads(path.read_text(encoding="utf-8")))
    path.write_text(json.dumps(nb), encoding="utf-8")


def test_a_notebook_from_colab_is_handed_in_and_it_says_what_is_repaired(tito, from_colab):
    seen = tito("submit", "01", "--student", "ann")
    assert seen.status == 0
    assert "note: nbgrader's marks on start, setup, imports and 4 more were changed" in seen.out
    assert "1 of 2 exercises done, 4 of 10 points." in seen.out


@pytest.mark.slow
@needs_sandbox
def test_what_was_handed_in_from_colab_is_graded(tito, student, from_colab, built_toy, tmp_path):
    tito("submit", "01", "--student", "ann", "--no-test")
    course = copy_of_toy(built_toy, tmp_path / "course")
    (course.root / "submitted").mkdir()
    handed_in = student.root / "submit/01_toy-ann.zip"
    handed_in.rename(course.root / "submitted" / handed_in.name)
    [row] = grade_module(course, course.module("01"))
    assert (row.student, row.score, row.max_score) == ("ann", 4.0, 10.0)
    assert row.notes == (
        "nbgrader's marks on start, setup, imports and 4 more were changed: restored",
    )


def test_an_answer_of_a_notebook_from_colab_goes_into_the_package(tito, student, fill):
    fill("01")
    path = student.notebooks / "01_toy/toy.ipynb"
    nb = after(all_at_once, json.loads(path.read_text(encoding="utf-8")))
    path.write_text(json.dumps(nb), encoding="utf-8")
    assert tito("module", "complete", "01").status == 0
    assert "return 2 * x" in (student.package / "core/toy.py").read_text(encoding="utf-8")
