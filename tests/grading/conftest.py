"""One class of many kinds of submissions, graded once for all the tests that look at it."""

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from tests.conftest import copy_of_toy
from tests.grading.classroom import (
    AREA,
    DOUBLE,
    answered,
    cell,
    changed,
    code,
    folder_of,
    hand_in,
    release_of,
)
from tito.course import Course
from tito.grading import gradebook
from tito.grading.autograde import ensure_assignment
from tito.grading.grade import grade_module
from tito.grading.reference import load_references
from tito.grading.report import Row

FORGED_MIME = """
import IPython.display
def double(x):
    value = {"name": "double", "shape": [5], "kind": "float", "values": ["1.0"] * 5,
             "rtol": "1e9", "atol": "inf"}
    IPython.display.display({"application/vnd.tinytorch.observation+json": value}, raw=True)
    return x + x
"""
OVERWRITTEN_OBSERVE = """
import __main__
def double(x):
    __main__.observe = lambda *args, **kwargs: None
    return x + x
"""
REPLAYED = """
import numpy as np
np.allclose = lambda *args, **kwargs: True
def double(x):
    return 6 if isinstance(x, int) else 2 * np.random.default_rng(0).standard_normal(5)
"""
WRONG_WHERE_NOBODY_ASSERTS = """
def area(r):
    return math.pi if r == 1 else math.pi * r
"""
NOISY = """
import sys, warnings
def double(x):
    print("doubling", x)
    print("to stderr", file=sys.stderr)
    warnings.warn("careful")
    return x + x
"""


@dataclass(frozen=True)
class GradedClass:
    course: Course
    rows: dict[str, Row]


@pytest.fixture(scope="session")
def registered_toy(built_toy: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The toy course with a gradebook: nbgrader takes seconds to make one."""
    course = copy_of_toy(built_toy, tmp_path_factory.mktemp("registered") / "course")
    for module in course.modules():
        ensure_assignment(course, module, load_references(course, module))
    return course


@pytest.fixture
def toy(registered_toy: Course, tmp_path: Path) -> Course:
    """A copy of the registered toy course for one test alone."""
    return copy_of_toy(registered_toy, tmp_path / "course")


@pytest.fixture(scope="session")
def graded_class(registered_toy: Course, tmp_path_factory: pytest.TempPathFactory) -> GradedClass:
    course = copy_of_toy(registered_toy, tmp_path_factory.mktemp("class") / "course")
    module = course.module("01")
    with Gradebook(gradebook.db_url(course), "tinytorch") as book:
        book.add_student("absent")
    blank = release_of(course)
    right = answered(blank)
    _hand_in_answers(course, blank, right)
    _hand_in_damaged(course, right)
    _hand_in_unreadable(course, right)
    return GradedClass(course, {row.student: row for row in grade_module(course, module)})


def _hand_in_answers(course: Course, blank: dict, right: dict) -> None:
    hand_in(course, "honest", right)
    hand_in(
        course,
        "alternative",
        answered(blank, "double = lambda x: x * 2", "from math import pi\narea = lambda r: pi*r*r"),
    )
    hand_in(course, "blank", blank)
    hand_in(course, "partial", answered(blank, area=cell(blank, "area")["source"]))
    hand_in(course, "wrong", answered(blank, DOUBLE.replace("x + x", "x + 2"), AREA))
    hand_in(course, "unasserted", answered(blank, area=WRONG_WHERE_NOBODY_ASSERTS))
    hand_in(course, "syntax", answered(blank, double="def double(x)\n    return"))
    hand_in(course, "noisy", answered(blank, double=NOISY))
    hand_in(course, "forged-mime", answered(blank, double=FORGED_MIME))
    hand_in(course, "no-observe", answered(blank, double=OVERWRITTEN_OBSERVE))
    hand_in(course, "replayed", answered(blank, double=REPLAYED))
    hand_in(course, "killer", answered(blank, area="import os\ndef area(r):\n    os._exit(1)\n"))


def _hand_in_damaged(course: Course, right: dict) -> None:
    def set_source(name: str, source: str):
        return lambda nb: cell(nb, name).update(source=source)

    def strip(nb: dict) -> None:
        for number, each in enumerate(nb["cells"]):
            each["metadata"], each["id"] = {}, f"colab{number}"

    wrong = changed(right, set_source("double", "def double(x):\n    return 5\n"))
    hand_in(course, "edited-test", changed(wrong, set_source("test-double", "print('passed')")))
    hand_in(
        course,
        "deleted-test",
        changed(wrong, lambda nb: nb["cells"].remove(cell(nb, "test-double"))),
    )
    hand_in(course, "stripped", changed(right, strip))
    hand_in(
        course,
        "hundred-points",
        changed(wrong, lambda nb: cell(nb, "test-area")["metadata"]["nbgrader"].update(points=100)),
    )
    hand_in(
        course,
        "old-schema",
        changed(
            right,
            lambda nb: [
                c["metadata"]["nbgrader"].update(schema_version=2)
                for c in nb["cells"]
                if "nbgrader" in c["metadata"]
            ],
        ),
    )
    hand_in(
        course,
        "markdown-test",
        changed(wrong, lambda nb: cell(nb, "test-double").update(cell_type="markdown")),
    )
    hand_in(
        course,
        "duplicates",
        changed(
            right,
            lambda nb: nb["cells"].extend(
                [{**cell(nb, "test-double"), "id": "y"}, {**cell(nb, "double"), "id": "z"}]
            ),
        ),
    )
    hand_in(course, "renamed", right, name="toy (1) of me.ipynb")


def _hand_in_unreadable(course: Course, right: dict) -> None:
    text = json.dumps(right)
    for student, data in {
        "not-utf8": b"\xff\xfe\x00junk",
        "not-json": b"<html>please log in</html>",
        "no-notebook": b'{"a": 1}',
        "truncated": text[: len(text) // 2].encode(),
    }.items():
        (folder_of(course, student) / "toy.ipynb").write_bytes(data)
    folder_of(course, "empty-folder")
    with zipfile.ZipFile(folder_of(course, "zipped") / "homework.zip", "w") as archive:
        archive.writestr("toy.ipynb", text)
    hand_in(course, "other-lesson", release_of(course, "02_more", "more"))
    hand_in(course, "=cmd|'calc'!A0", {"cells": [code("1")], "nbformat": 4})
    (course.root / "submitted" / "broken.zip").write_bytes(b"PK no zip")
