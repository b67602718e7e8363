"""An assignment of two notebooks: each is graded over the one before it, and for what is there."""

import json
import shutil

import pytest

from tests.conftest import TOY, copy_of_toy
from tests.grading.classroom import cell, folder_of, release_of
from tito.build import build
from tito.grading.grade import grade_module
from tito.grading.report import GRADED, NOT_GRADED, PARTLY

MOST = TOY / "most.py"
ANSWERS = {
    "more": ("quadruple", "def quadruple(x):\n    return 4 * x\n"),
    "most": ("octuple", "def octuple(x):\n    return quadruple(x) + quadruple(x)\n"),
}
# A right answer to the first notebook that spoils all it can for the second.
SPOILS = """
import os, pathlib, resource, subprocess
subprocess.Popen(["setsid", "sh", "-c", "trap '' 1 2 15; while :; do sleep 1; done"])
for harm in (
    lambda: open("/proc/1/mem", "r+b"),
    lambda: os.kill(1, 9),
    lambda: resource.prlimit(1, resource.RLIMIT_AS, (1, 1)),
    lambda: open("/tmp/full", "wb").write(bytes(10**8)),
    lambda: pathlib.Path("sitecustomize.py").write_text("raise SystemExit"),
):
    try:
        harm()
    except OSError:
        pass
"""
ENDS = "import os\nos._exit(0)\n"


@pytest.fixture(scope="module")
def rows(built_toy, tmp_path_factory):
    """A second notebook that stands on `more`, a class that handed in both, one, half of one."""
    course = copy_of_toy(built_toy, tmp_path_factory.mktemp("two") / "course")
    shutil.copy(MOST, course.source / "02_more/most.py")
    build(course, course.modules())
    whole = {}
    for name, (solution, source) in ANSWERS.items():
        nb = release_of(course, "02_more", name)
        cell(nb, solution)["source"] = source
        whole[name] = json.dumps(nb)
    handed_in = {
        "both": whole,
        "one": {"more": whole["more"]},
        "half": {**whole, "most": whole["most"][:300]},
        "none": {name: text[:300] for name, text in whole.items()},
        "spoils": {**whole, "more": _before(whole["more"], SPOILS)},
        "ends": {**whole, "more": _before(whole["more"], ENDS)},
    }
    for student, files in handed_in.items():
        for name, content in files.items():
            path = folder_of(course, student, "02_more") / f"{name}.ipynb"
            path.write_text(content, encoding="utf-8")
    return {row.student: row for row in grade_module(course, course.module("02"))}


def _before(text: str, source: str) -> str:
    """The answers to `more`, with other code before them."""
    nb = json.loads(text)
    answer = cell(nb, "quadruple")
    answer["source"] = source + answer["source"]
    return json.dumps(nb)


def test_a_notebook_stands_on_the_one_before_it(rows):
    assert (rows["both"].status, rows["both"].score, rows["both"].max_score) == (GRADED, 20, 20)


@pytest.mark.parametrize(
    ("student", "says"), [("one", "most.ipynb is not there"), ("half", "most.ipynb ends in the")]
)
def test_what_is_there_is_graded_and_the_rest_says_why(rows, student, says):
    row = rows[student]
    assert (row.status, row.score, row.max_score) == (PARTLY, 10, 20)
    assert [(name, says in reason) for name, reason in row.reasons] == [("test-octuple", True)]


def test_nothing_readable_is_not_graded(rows):
    row = rows["none"]
    assert (row.status, row.score) == (NOT_GRADED, None)
    assert "more.ipynb ends in the middle" in row.note
    assert "most.ipynb ends in the middle" in row.note


def test_a_notebook_spoils_nothing_for_the_next(rows):
    assert (rows["spoils"].status, rows["spoils"].score) == (GRADED, 20)


def test_a_notebook_that_ends_python_costs_its_own_points_alone(rows):
    row = rows["ends"]
    assert (row.status, row.score) == (GRADED, 10)
    assert [name for name, _ in row.reasons] == ["test-quadruple"]
    assert "an earlier cell stopped the notebook" in row.reasons[0][1]
