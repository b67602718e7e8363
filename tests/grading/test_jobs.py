"""Grading again runs only what changed, after a kill too; `--jobs` runs several at a time."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.conftest import REPOSITORY
from tests.grading.classroom import answered, folder_of, hand_in, release_of
from tests.grading.trial import needs_sandbox
from tito.cli import app
from tito.grading import gradebook
from tito.grading.files import contents, digest
from tito.grading.grade import Options, grade_module
from tito.grading.report import load_rows
from tito.nbgrader_bridge import load_config

CLASS = [f"s{number:02}" for number in range(8)]
# The real command on the course in the working directory; each run leaves a file in ran/.
GRADE = """
import pathlib, time, uuid
from tito.grading import attempt, sandbox

ran = pathlib.Path.cwd() / "ran"  # nbgrader goes elsewhere as it records

def execute(text, *_, **__):
    who = text.split("who: ")[1][:3] if "who: " in text else "reference"
    time.sleep(SECONDS if who != "reference" else 0)
    (ran / f"{who} {uuid.uuid4()}").touch()
    return text

attempt.execute = execute
sandbox.problem = lambda: None
from tito.cli import main
main()
"""


def signed(course, student: str) -> dict:
    """The toy lesson's answers, with the student's name in them."""
    return answered(
        release_of(course), double=f"# who: {student}\ndef double(x):\n    return 2 * x"
    )


@pytest.fixture
def ran(monkeypatch) -> list[str]:
    """Who was run, in a grader whose kernel is a stand-in that passes every test."""
    names = []

    def execute(text: str, *_, **__) -> str:
        names.append(text.split("who: ")[1][:3] if "who: " in text else "reference")
        return text

    monkeypatch.setattr("tito.grading.attempt.execute", execute)
    monkeypatch.setattr("tito.grading.sandbox.problem", lambda: None)
    return names


def graded(course, **options):
    return grade_module(course, course.module("01"), options=Options(**options))


@pytest.fixture
def graded_pair(toy, ran):
    """Two students who are graded already; nobody has been run since."""
    for student in CLASS[:2]:
        hand_in(toy, student, signed(toy, student))
    rows = graded(toy)
    assert sorted(ran) == ["reference", *CLASS[:2]]
    ran.clear()
    return toy, rows


def test_nothing_runs_again_when_nothing_changed(graded_pair, ran):
    course, rows = graded_pair
    assert graded(course) == rows
    assert ran == []


def test_force_runs_everybody_again(graded_pair, ran):
    course, rows = graded_pair
    assert graded(course, force=True) == rows
    assert sorted(ran) == ["reference", *CLASS[:2]]


def answer_otherwise(course):
    hand_in(course, "s00", signed(course, "s00") | {"metadata": {"more": 1}})


def hand_in_later(course):
    (folder_of(course, "s00") / "timestamp.txt").write_text("2026-03-01 10:00:00 UTC", "utf-8")


def extend(course):
    with gradebook.open_gradebook(course) as book:
        book.update_or_create_assignment("01_toy", duedate=datetime(2026, 1, 1))
        for student in CLASS[1:2]:
            book.grant_extension("01_toy", student, days=400)


def touch_result(course):
    made = course.root / "autograded" / "s00" / "01_toy" / "toy.ipynb"
    made.chmod(0o644)
    made.write_text("{}", encoding="utf-8")


def drop_grade(course):
    gradebook.forget(course, course.module("01"), "s00")


def drop_ledger(course):
    (course.root / ".grading" / "done" / "01_toy" / "s00.json").write_text("[", encoding="utf-8")


def change_lesson(course):
    for home in (course.notebooks, course.release):
        path = home / "01_toy" / "toy.ipynb"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("the unit circle", "a unit circle"), encoding="utf-8")


def change_limits(course):
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("c.Limits.cell_seconds = 31\n")
    load_config.cache_clear()


def change_lateness(course):
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("c.PenaltyPerDay.percent_a_day = 10\n")
    load_config.cache_clear()


@pytest.mark.parametrize(
    ("change", "again"),
    [
        *((change, ["s00"]) for change in (answer_otherwise, hand_in_later, touch_result)),
        *((change, ["s00"]) for change in (drop_grade, drop_ledger)),
        *((change, CLASS[:2]) for change in (extend, change_lesson, change_limits)),
        (change_lateness, CLASS[:2]),
    ],
)
def test_what_changed_is_graded_again_and_nothing_else(graded_pair, ran, change, again):
    course, _ = graded_pair
    change(course)
    graded(course)
    assert sorted(ran) == ["reference", *again]
    ran.clear()
    graded(course)
    assert ran == [], "and once is enough"


def test_who_handed_in_nothing_costs_no_run(graded_pair, ran):
    course, _ = graded_pair
    folder_of(course, "new", "02_more")
    assert [row.status for row in graded(course)] == ["missing", "graded", "graded"]
    assert ran == []


def test_the_command_says_what_it_left_alone(graded_pair, monkeypatch):
    course, _ = graded_pair
    monkeypatch.chdir(course.root)
    result = CliRunner().invoke(app, ["grade", "01", "--jobs", "2"], catch_exceptions=False)
    assert "2 unchanged since they were graded: not run again" in result.output


@pytest.mark.parametrize("jobs", [1, 3])
def test_as_many_jobs_at_a_time_as_asked_for(toy, ran, monkeypatch, jobs):
    running, most, lock = 0, 0, threading.Lock()

    def execute(text: str, *_, **__) -> str:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.05)
        with lock:
            running -= 1
        return text

    monkeypatch.setattr("tito.grading.attempt.execute", execute)
    for student in CLASS[:6]:
        hand_in(toy, student, signed(toy, student))
    rows = graded(toy, jobs=jobs)
    assert [row.student for row in rows] == CLASS[:6], "the rows come in order all the same"
    assert most == jobs


def test_a_digest_sees_names_and_contents_but_nothing_compiled(tmp_path):
    def now() -> str:
        return digest(contents(tmp_path))

    seen = [now()]
    for name, text in [("a.py", "1"), ("a.py", "2"), ("b.py", "2")]:
        (tmp_path / name).write_text(text, encoding="utf-8")
        seen.append(now())
    assert len(set(seen)) == len(seen)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").touch()
    assert now() == seen[-1]


def start_grading(course, source: str, *arguments: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", source, "grade", "01", *arguments],
        cwd=course.root,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "TMPDIR": str(course.root.parent)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def wait_for(condition, process: subprocess.Popen, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, "the grading ended too early"
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_killed_run_is_taken_up_where_it_was(toy):
    for student in CLASS:
        hand_in(toy, student, signed(toy, student))
    module = toy.module("01")
    (toy.root / "ran").mkdir()
    first = start_grading(toy, GRADE.replace("SECONDS", "0.5"), "--jobs", "2")
    wait_for(lambda: len(load_rows(toy, module)) >= 3, first)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    kept = {path.stem for path in (toy.root / ".grading" / "done" / "01_toy").glob("*.json")}
    assert 2 <= len(kept) < len(CLASS)
    again = start_grading(toy, GRADE.replace("SECONDS", "0"))
    assert again.wait(timeout=300) == 0
    ran = Counter(path.name.split()[0] for path in (toy.root / "ran").iterdir())
    assert {student: ran[student] for student in kept} == dict.fromkeys(kept, 1)
    assert set(CLASS) <= ran.keys()
    assert {row.student: row.score for row in load_rows(toy, module)} == dict.fromkeys(CLASS, 10)
    scores = gradebook.all_scores(toy, module)
    assert {student: score.net for student, score in scores.items()} == dict.fromkeys(CLASS, 10)


@needs_sandbox
def test_a_killed_run_leaves_no_submission_running(toy):
    hand_in(toy, "endless", answered(release_of(toy), double="while True: pass"))
    source = "from tito.cli import main; main()"
    grading = start_grading(toy, source)

    def sandboxes() -> list[str]:
        return [line for line in map(_command, Path("/proc").glob("[0-9]*")) if _is_ours(line)]

    def _is_ours(line: str) -> bool:
        return "ipykernel_launcher" in line and str(toy.root.parent) in line

    wait_for(sandboxes, grading)
    os.kill(grading.pid, signal.SIGKILL)
    grading.wait()
    end = time.monotonic() + 30
    while sandboxes():
        assert time.monotonic() < end, sandboxes()
        time.sleep(0.1)


def _command(process: Path) -> str:
    try:
        return (process / "cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""
