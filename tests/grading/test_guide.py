"""The instructor's guide: its commands run, in order, on a course of its module alone."""

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

pytestmark = pytest.mark.slow

GUIDE = REPOSITORY / "docs" / "instructor.md"
FOLDERS = ("source", "notebooks", "release", "tinytorch", "tito", "tests")
FILES = (
    *("settings.ini", "nbgrader_config.py", "Makefile", "pyproject.toml", "requirements.lock"),
    "LICENSE",
)
BLOCK = re.compile(r"^```(?:sh|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def script() -> str:
    """Every block of commands of the guide, in order."""
    return "\n".join(BLOCK.findall(GUIDE.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A course of module 01 in which the guide was followed, and what the commands said."""
    course = tmp_path_factory.mktemp("guide") / "course"
    later_modules = shutil.ignore_patterns("0[2-9]_*", "[1-9][0-9]_*", "__pycache__")
    for name in FOLDERS:
        shutil.copytree(REPOSITORY / name, course / name, ignore=later_modules)
    for name in FILES:
        shutil.copy2(REPOSITORY / name, course / name)
    (course / ".venv").mkdir()
    (course / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    (course / ".venv" / ".ready").touch()  # `make` does not install what is there
    done = subprocess.run(
        ["bash", "-euc", script()],
        cwd=course,
        env={**os.environ, "PYTHONPATH": str(course)},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return course, done.stdout


def scores(path: Path, student: str) -> dict[str, float | None]:
    """The score of each student in a CSV, None where it is empty."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = {line[student]: line["score"] for line in csv.DictReader(file)}
    return {name: float(score) if score else None for name, score in lines.items()}


def test_the_guide_has_commands_for_every_step():
    said = script()
    for command in ("make", "student-edition", "release", "grade", "feedback", "grades", "export"):
        assert re.search(rf"\b{command}\b", said), f"the guide never runs {command}"


def test_both_exports_have_the_scores_and_no_zero_for_the_others(played):
    course, _ = played
    ours, theirs = course / "grades.csv", course / "nbgrader.csv"
    assert scores(ours, "student") == {"ada": 100, "bob": 0, "cyd": None, "dan": None}
    assert scores(theirs, "student_id") == {"ada": 100, "bob": 0, "dan": None}


def test_the_pages_are_there(played):
    course, _ = played
    for student in ("ada", "bob", "cyd"):
        names = {page.name for page in (course / "feedback" / student / "01_tensor").iterdir()}
        assert names == {"arrays.html", "functions.html", "tensor.html"}
    assert "test-broadcast-shape" in (course / "class.html").read_text(encoding="utf-8")
    assert (course / "dist" / "tinytorch-student.zip").is_file()


def test_who_was_late_and_got_an_extension_is_no_longer_late(played):
    _, said = played
    assert "graded 2, after repair 0, in part 0, not graded 1, missing 1, late 1" in said
    assert said.rstrip().endswith("graded 1, after repair 0, in part 0, not graded 0, missing 0")
