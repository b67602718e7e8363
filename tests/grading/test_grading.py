"""Grading again, by hand, in part and after trouble; mostly with a stand-in for the kernel."""

import datetime
import json
import shutil

import nbformat
import pytest
from nbformat.v4 import new_output
from nbgrader.api import Gradebook

from tests.grading.classroom import answered, cell, changed, folder_of, hand_in, release_of
from tito.errors import TitoError
from tito.grading import gradebook
from tito.grading.grade import grade_module
from tito.grading.grades import current_rows
from tito.grading.report import GRADED, MISSING, NOT_GRADED, load_rows
from tito.notebook import grade_id, is_graded


@pytest.fixture
def no_kernel(monkeypatch):
    """Every graded cell passes at once, unless a cell says `fails NAME`."""

    def execute(text: str, *_, **__) -> str:
        nb = nbformat.reads(text, as_version=4)
        for each in nb.cells:
            if is_graded(each) and f"fails {grade_id(each)}" in text:
                each.outputs = [new_output("error", ename="E", evalue="no", traceback=[])]
        return nbformat.writes(nb)

    monkeypatch.setattr("tito.grading.attempt.execute", execute)
    monkeypatch.setattr("tito.grading.sandbox.problem", lambda: None)


def failing(course, name: str) -> dict:
    return answered(release_of(course), double=f"# fails {name}\ndef double(x): ...")


def graded(course, *students: str):
    rows = grade_module(course, course.module("01"), students or None)
    return {row.student: row for row in rows}


def test_regrading_replaces_points_and_files(toy, no_kernel):
    hand_in(toy, "ann", failing(toy, "test-double"))
    assert graded(toy)["ann"].score == 6
    hand_in(toy, "ann", answered(release_of(toy)))
    assert graded(toy)["ann"].score == 10
    made = toy.root / "autograded" / "ann" / "01_toy" / "toy.ipynb"
    assert "fails" not in made.read_text(encoding="utf-8")
    assert [row.score for row in load_rows(toy, toy.module("01"))] == [10]


def test_points_given_by_hand_survive_and_show(toy, no_kernel):
    hand_in(toy, "ann", failing(toy, "test-double"))
    graded(toy)
    with Gradebook(gradebook.db_url(toy), "tinytorch") as book:
        book.find_grade("test-double", "toy", "01_toy", "ann").manual_score = 3
        book.db.commit()
    assert [row.score for row in current_rows(toy, toy.module("01"))] == [9]
    assert graded(toy)["ann"].score == 9


def test_one_student_alone_leaves_the_other_rows(toy, no_kernel):
    for student in ("ann", "bob"):
        hand_in(toy, student, answered(release_of(toy)))
    graded(toy)
    hand_in(toy, "bob", failing(toy, "test-area"))
    assert graded(toy, "bob").keys() == {"bob"}
    assert {r.student: r.score for r in load_rows(toy, toy.module("01"))} == {"ann": 10, "bob": 4}


def test_unknown_student_is_one_clear_line(toy, no_kernel):
    with pytest.raises(TitoError, match="no student 'nobody'"):
        graded(toy, "nobody")


def test_corrupt_resubmission_takes_the_earlier_grade_back_and_says_so(toy, no_kernel):
    path = hand_in(toy, "ann", answered(release_of(toy)))
    graded(toy)
    path.write_text("{", encoding="utf-8")
    for _ in range(2):  # a second run says the same
        row = graded(toy)["ann"]
        assert (row.status, row.score) == (NOT_GRADED, None)
        assert "the earlier grade was 10/10; it was taken back" in row.notes
        assert gradebook.graded_points(toy, toy.module("01"), "ann") is None
    hand_in(toy, "ann", answered(release_of(toy)))
    assert graded(toy)["ann"].notes == ()


def test_a_submission_that_was_cleared_away_keeps_its_grade_and_says_so(toy, no_kernel):
    hand_in(toy, "ann", answered(release_of(toy)))
    graded(toy)
    folder_of(toy, "ann", "02_more")
    shutil.rmtree(folder_of(toy, "ann"))
    row = graded(toy)["ann"]
    assert (row.status, row.score) == (MISSING, None)
    assert "the gradebook keeps the grade of an earlier submission" in row.notes


def test_a_crash_of_the_grader_is_one_row(toy, no_kernel, monkeypatch):
    from tito.grading import attempt

    for student in ("ann", "bob", "cyd"):
        hand_in(toy, student, answered(release_of(toy)))
    repair = attempt.repair

    def fragile(raw, reference):
        if raw["cells"][0]["source"] == "crash":
            raise ZeroDivisionError("oh")
        return repair(raw, reference)

    monkeypatch.setattr(attempt, "repair", fragile)
    crash = changed(release_of(toy), lambda nb: nb["cells"][0].update(source="crash"))
    hand_in(toy, "bob", crash)
    rows = graded(toy)
    assert [rows[s].status for s in ("ann", "bob", "cyd")] == [GRADED, NOT_GRADED, GRADED]
    assert "the grader failed (ZeroDivisionError: oh)" in rows["bob"].note
    assert "ZeroDivisionError" in (toy.root / ".grading" / "errors.log").read_text("utf-8")


def test_points_that_nbgrader_reads_otherwise_are_not_recorded(toy, no_kernel, monkeypatch):
    hand_in(toy, "ann", failing(toy, "test-double"))
    monkeypatch.setattr("tito.grading.attempt.judge", lambda *_: [])
    monkeypatch.setattr("tito.grading.attempt.write_verdicts", lambda *_: None)
    row = graded(toy)["ann"]
    assert "nbgrader read other scores" in row.note
    assert gradebook.graded_points(toy, toy.module("01"), "ann") is None


@pytest.mark.parametrize("student", ["Zoë Müller", "{0}{x}", "a b", "-rf", "'; --", "%s"])
def test_odd_student_names_are_graded_in_their_own_folder(toy, no_kernel, student):
    hand_in(toy, student, answered(release_of(toy)))
    hand_in(toy, "a", failing(toy, "test-area"))
    assert {s: row.score for s, row in graded(toy).items()} == {student: 10, "a": 4}
    assert {p.name for p in (toy.root / "autograded").iterdir()} == {student, "a"}


def test_changed_points_are_registered_again(toy, no_kernel):
    hand_in(toy, "ann", answered(release_of(toy)))
    graded(toy)
    for home in (toy.notebooks, toy.release):
        path = home / "01_toy" / "toy.ipynb"
        nb = json.loads(path.read_text(encoding="utf-8"))
        cell(nb, "test-area")["metadata"]["nbgrader"]["points"] = 16
        path.write_text(json.dumps(nb), encoding="utf-8")
    row = graded(toy)["ann"]
    assert (row.score, row.max_score) == (20, 20)


def test_other_exercises_after_grading_are_refused(toy, no_kernel):
    hand_in(toy, "ann", answered(release_of(toy)))
    graded(toy)
    for home in (toy.notebooks, toy.release):
        path = home / "01_toy" / "toy.ipynb"
        nb = json.loads(path.read_text(encoding="utf-8"))
        nb["cells"] = [c for c in nb["cells"] if c["id"] not in ("area", "test-area")]
        path.write_text(json.dumps(nb), encoding="utf-8")
    with pytest.raises(TitoError, match="nbgrader db assignment remove 01_toy"):
        graded(toy)


def test_late_is_what_came_after_the_due_date_and_the_extension(toy, no_kernel):
    gradebook.set_due(toy, toy.module("01"), datetime.datetime(2026, 12, 1, 12))
    times = {"in-time": "12:00:00", "late": "12:00:01", "extended": "12:30:00"}
    for student, time in times.items():
        hand_in(toy, student, answered(release_of(toy)))
        stamp = folder_of(toy, student) / "timestamp.txt"
        stamp.write_text(f"2026-12-01 {time} UTC", encoding="utf-8")
    graded(toy)
    with Gradebook(gradebook.db_url(toy), "tinytorch") as book:
        book.grant_extension("01_toy", "extended", hours=1)
    folder_of(toy, "no-time").joinpath("toy.ipynb").write_text("{", encoding="utf-8")
    rows = graded(toy)
    assert {student for student, row in rows.items() if row.is_late} == {"late"}
    assert rows["late"].score == 10


def test_not_built_module_is_one_clear_line(toy):
    (toy.notebooks / "01_toy" / "toy.ipynb").unlink()
    with pytest.raises(TitoError, match="run `tito release 01`"):
        graded(toy)


def test_seen_student_without_this_module_is_missing(toy, no_kernel):
    folder_of(toy, "ann", "02_more")
    assert graded(toy)["ann"].status == MISSING


def test_release_is_never_touched_by_grading(toy, no_kernel):
    before = {p: p.read_bytes() for home in (toy.release, toy.notebooks) for p in home.rglob("*.*")}
    hand_in(toy, "ann", answered(release_of(toy)))
    graded(toy)
    after = {p: p.read_bytes() for home in (toy.release, toy.notebooks) for p in home.rglob("*.*")}
    assert after == before


def test_reference_that_fails_its_own_test_stops_the_grading(toy):
    path = toy.notebooks / "01_toy" / "toy.ipynb"
    nb = json.loads(path.read_text(encoding="utf-8"))
    cell(nb, "double")["source"] = "def double(x):\n    return x"
    path.write_text(json.dumps(nb), encoding="utf-8")
    hand_in(toy, "ann", answered(release_of(toy)))
    with pytest.raises(TitoError, match=r"reference notebooks/01_toy/toy.ipynb fails test-double"):
        graded(toy)
    assert gradebook.graded_points(toy, toy.module("01"), "ann") is None


def test_later_module_runs_over_the_reference_and_cannot_import_its_answer(toy):
    module = toy.module("02")
    blank = release_of(toy, "02_more", "more")
    right = changed(
        blank,
        lambda nb: cell(nb, "quadruple").update(
            source="def quadruple(x):\n    return double(x) + double(x)"
        ),
    )
    thief = changed(
        blank,
        lambda nb: cell(nb, "quadruple").update(source="from tinytorch.core.more import quadruple"),
    )
    for student, nb in {"right": right, "thief": thief}.items():
        path = folder_of(toy, student, "02_more") / "more.ipynb"
        path.write_text(json.dumps(nb), encoding="utf-8")
    rows = {row.student: row for row in grade_module(toy, module)}
    assert (rows["right"].score, rows["thief"].score) == (10, 0)
    assert "core.more is what this notebook builds: write it here" in rows["thief"].note
