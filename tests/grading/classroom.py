"""Building submissions of the toy lesson for the grading tests."""

import copy
import json
from collections.abc import Callable
from pathlib import Path

from tito.course import Course

Notebook = dict
DOUBLE = "#| export\ndef double(x):\n    return x + x\n"
AREA = "#| export\ndef area(r):\n    return math.pi * r**2\n"


def release_of(course: Course, folder: str = "01_toy", name: str = "toy") -> Notebook:
    return json.loads((course.release / folder / f"{name}.ipynb").read_text(encoding="utf-8"))


def answered(blank: Notebook, double: str = DOUBLE, area: str = AREA) -> Notebook:
    """The toy lesson with these answers."""
    nb = copy.deepcopy(blank)
    cell(nb, "double")["source"] = double
    cell(nb, "area")["source"] = area
    return nb


def cell(nb: Notebook, name: str) -> dict:
    return next(c for c in nb["cells"] if c["id"] == name)


def changed(nb: Notebook, change: Callable[[Notebook], None]) -> Notebook:
    """A copy of `nb` after `change(copy)`."""
    nb = copy.deepcopy(nb)
    change(nb)
    return nb


def code(source: str, **fields) -> dict:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": f"x{abs(hash(source)) % 10**8}",
        "metadata": {},
        "outputs": [],
        "source": source,
        **fields,
    }


def folder_of(course: Course, student: str, module: str = "01_toy") -> Path:
    folder = course.root / "submitted" / student / module
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def hand_in(course: Course, student: str, nb: Notebook, name: str = "toy.ipynb") -> Path:
    path = folder_of(course, student) / name
    path.write_text(json.dumps(nb), encoding="utf-8")
    return path
