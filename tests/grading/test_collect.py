"""What is found in submitted/, without running anything."""

import datetime
import json
import zipfile
from pathlib import Path

import pytest

from tests.grading.classroom import answered, code, folder_of, hand_in, release_of
from tito.grading.collect import collect, is_student_id, seen_students, unpack_zips
from tito.grading.reference import load_references

MADE = "2026-11-30T10:00:00+00:00"


def collected(course, student: str):
    module = course.module("01")
    return collect(course, module, load_references(course, module), student)


def zip_of(path: Path, members: dict[str, str], **manifest) -> Path:
    """A zip as `tito submit` makes it, with some things changed."""
    manifest = {"student": "ann", "module": "01_toy", "made": MADE, "tool": "0.1.0", **manifest}
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {"submission.json": json.dumps(manifest), **members}.items():
            archive.writestr(name, text)
    return path


def unpacked(course):
    return unpack_zips(course, course.module("01"))


def test_zip_of_tito_submit_is_unpacked_once(toy):
    text = json.dumps(release_of(toy))
    zip_of(toy.root / "submitted" / "01_toy-ann.zip", {"01_toy/toy.ipynb": text})
    assert unpacked(toy).problems == {}
    assert seen_students(toy) == ["ann"]
    submission = collected(toy, "ann")
    assert submission.notebooks["toy"] == json.loads(text)
    assert submission.timestamp == datetime.datetime(2026, 11, 30, 10)
    mended = hand_in(toy, "ann", answered(release_of(toy)))
    before = mended.read_bytes()
    unpacked(toy)
    assert mended.read_bytes() == before


def test_newer_zip_replaces_an_older_one(toy):
    home = toy.root / "submitted"
    zip_of(home / "a.zip", {"01_toy/toy.ipynb": json.dumps(release_of(toy))})
    unpacked(toy)
    new = answered(release_of(toy))
    zip_of(home / "b.zip", {"01_toy/toy.ipynb": json.dumps(new)}, made="2026-12-02T10:00:00Z")
    notes = {"ann": "replaced by the newer b.zip; the former is in .replaced/"}
    assert unpacked(toy).notes == notes
    kept = home / ".replaced/ann/01_toy/1/toy.ipynb"
    assert json.loads(kept.read_text(encoding="utf-8")) == release_of(toy)
    assert seen_students(toy) == ["ann"]
    assert collected(toy, "ann").notebooks["toy"] == new


def test_folder_made_by_hand_is_not_overwritten_by_a_zip(toy):
    path = hand_in(toy, "ann", release_of(toy))
    before = path.read_bytes()
    zip_of(toy.root / "submitted" / "a.zip", {"01_toy/toy.ipynb": "{}"})
    assert "was not unpacked" in unpacked(toy).notes["ann"]
    assert path.read_bytes() == before


def test_zip_of_another_module_waits_for_its_own_grading(toy):
    text = json.dumps(release_of(toy, "02_more", "more"))
    zip_of(toy.root / "submitted" / "x.zip", {"02_more/more.ipynb": text}, module="02_more")
    assert (unpacked(toy).problems, seen_students(toy)) == ({}, [])


@pytest.mark.parametrize(
    ("members", "manifest", "reason"),
    [
        ({"../evil.ipynb": "x"}, {}, "outside its folder"),
        ({"01_toy/../../evil.ipynb": "x"}, {}, "outside its folder"),
        ({"/etc/evil.ipynb": "x"}, {}, "outside its folder"),
        ({"01_toy/evil.py": "x"}, {}, "never writes"),
        ({"02_more/toy.ipynb": "x"}, {}, "never writes"),
        ({}, {}, "holds no notebook"),
        ({"01_toy/toy.ipynb": "x"}, {"student": "../root"}, "no valid student id"),
        ({"01_toy/toy.ipynb": "x"}, {"student": ".."}, "no valid student id"),
        ({"01_toy/toy.ipynb": "x"}, {"student": ["ann"]}, "unreadable submission.json"),
        ({"01_toy/toy.ipynb": "x"}, {"module": "../x"}, "names no module"),
        ({"submission.json": "[]", "01_toy/toy.ipynb": "x"}, {}, "unreadable submission.json"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_hostile_zip_is_a_row_and_writes_nothing(toy, members, manifest, reason):
    zip_of(toy.root / "submitted" / "bad.zip", members, **manifest)
    assert reason in unpacked(toy).problems["bad.zip"]
    assert seen_students(toy) == []
    assert not list(toy.root.parent.rglob("evil*"))


def test_zip_that_cannot_be_unpacked_stops_nobody(toy):
    zip_of(toy.root / "submitted" / "a.zip", {"01_toy/toy.ipynb": "{}"})
    (toy.root / "submitted" / "ann").write_text("a file where the folder should be", "utf-8")
    assert "a.zip" in unpacked(toy).problems


def test_zip_in_the_students_folder_is_unpacked_when_it_is_theirs(toy):
    text = json.dumps(release_of(toy))
    zip_of(folder_of(toy, "ann") / "01_toy-ann.zip", {"01_toy/toy.ipynb": text})
    zip_of(folder_of(toy, "bob") / "01_toy-ann.zip", {"01_toy/toy.ipynb": text})
    assert collected(toy, "ann").problem is None
    assert "is ann's 01_toy" in collected(toy, "bob").problem


def test_renamed_notebook_in_a_subfolder_is_recognised(toy):
    path = folder_of(toy, "ann") / "my work" / "final.ipynb"
    path.parent.mkdir()
    path.write_text(json.dumps(release_of(toy)), encoding="utf-8")
    submission = collected(toy, "ann")
    assert submission.notes == ("final.ipynb was graded as toy.ipynb",)
    assert "toy" in submission.notebooks


def test_two_candidates_are_not_guessed_between(toy):
    for name in ("toy (1).ipynb", "toy (2).ipynb"):
        hand_in(toy, "ann", release_of(toy), name=name)
    assert "could both be toy.ipynb" in collected(toy, "ann").problem


def test_checkpoints_are_not_looked_at(toy):
    folder = folder_of(toy, "ann") / ".ipynb_checkpoints"
    folder.mkdir()
    (folder / "toy-checkpoint.ipynb").write_text(json.dumps(release_of(toy)), encoding="utf-8")
    assert collected(toy, "ann").problem == "the folder is empty: ask for toy.ipynb"


def test_other_files_are_named(toy):
    (folder_of(toy, "ann") / "toy.py").write_text("x", encoding="utf-8")
    assert collected(toy, "ann").problem == "only toy.py was handed in: ask for toy.ipynb"


def test_notebook_without_any_exercise_is_refused(toy):
    hand_in(toy, "ann", {"cells": [code("x = 1")], "nbformat": 4, "nbformat_minor": 5})
    assert "none of this lesson's exercises" in collected(toy, "ann").problem


def test_unreadable_timestamp_is_told_and_not_late(toy):
    hand_in(toy, "ann", release_of(toy))
    (folder_of(toy, "ann") / "timestamp.txt").write_bytes(b"\xffyesterday")
    submission = collected(toy, "ann")
    assert submission.timestamp is None
    assert submission.notes == ("timestamp.txt cannot be read: not counted as late",)


@pytest.mark.parametrize(
    "student", ["..", ".", "", "a/b", "a\\b", ".git", "a\nb", "[x]", "a*", "a ", "x" * 200]
)
def test_ids_that_are_no_folder_names_are_refused(student):
    assert not is_student_id(student)


@pytest.mark.parametrize("student", ["ann", "Zoë Müller", "a b", "{0}", "a;rm", "李"])
def test_odd_but_plain_names_are_ids(student):
    assert is_student_id(student)


def test_enrolled_id_that_leads_elsewhere_is_not_followed(toy):
    assert "cannot be a student id" in collected(toy, "../../etc").problem
