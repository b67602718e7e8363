"""`tito module complete`: the student's code becomes their package, or nothing changes."""

import json
import os
import subprocess
import sys

import nbformat
import pytest

from tests.student.conftest import change
from tito.course import Course
from tito.notebook import read_notebook, write_notebook


def run_python(course: Course, code: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(course.root)}
    command = [sys.executable, "-P", "-c", code]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout


def package(course: Course) -> dict[str, bytes]:
    return {
        path.relative_to(course.package).as_posix(): path.read_bytes()
        for path in course.package.rglob("*.py")
    }


def test_the_way_from_start_to_the_next_module(tito, student, fill):
    fill("01")
    seen = tito("module", "complete", "01")
    assert seen.status == 0
    assert "Your code is in tinytorch/core/toy.py, and `import tinytorch` works." in seen.out
    assert run_python(student, "import tinytorch; print(tinytorch.double(21))") == "42\n"
    assert "core.more" not in (student.package / "__init__.py").read_text(encoding="utf-8")
    assert "01_toy    complete" in tito("module", "status").out

    fill("02")
    assert tito("test", "02").status == 0
    assert tito("module", "complete", "02").status == 0
    assert run_python(student, "from tinytorch import quadruple; print(quadruple(3))") == "12\n"
    index = (student.package / "__init__.py").read_text(encoding="utf-8")
    assert index.index("core.toy") < index.index("core.more")

    change(student.notebooks / "01_toy/toy.ipynb", "return 2 * x", "return x * 2")
    assert "complete, changed since   tito module complete 01" in tito("module", "status").out


def test_a_blank_or_a_failure_leaves_the_package_alone(tito, student, fill):
    before = package(student)
    fill("01", "double")
    seen = tito("module", "complete", "01")
    assert seen.status == 1
    assert "test-area     0/6      blank" in seen.out
    assert "01_toy is not complete: the package was left as it was. Go on with" in seen.error
    assert package(student) == before


def test_a_package_that_would_not_import_is_put_back(tito, student, fill):
    fill("01")
    path = student.notebooks / "01_toy/toy.ipynb"
    nb = read_notebook(path)
    code = "#| export\nif __name__ != '__main__':\n    raise OSError('only in a notebook')"
    nb.cells.append(nbformat.v4.new_code_cell(code))
    write_notebook(nb, path)
    before = package(student)
    seen = tito("module", "complete", "01")
    assert seen.status == 1
    assert "`import tinytorch` fails with this module in it" in seen.error
    assert "only in a notebook" in seen.error
    assert package(student) == before
    assert "complete" not in tito("module", "status").out.replace("module complete", "")


def test_an_edited_cell_of_the_package_is_refused_before_anything_runs(tito, student, fill):
    fill("01")
    change(student.notebooks / "01_toy/toy.ipynb", "import math", "import math as m")
    seen = tito("module", "complete", "01")
    assert seen.status == 1
    assert "the package needs the given cell `imports`" in seen.error
    assert "release/01_toy/toy.ipynb" in seen.error
    assert "exercises" not in seen.out


@pytest.fixture
def pair(student, built_toy):
    """A third module of two notebooks, `first` and `second`, solved, in the student's folder."""
    solved = [built_toy.notebooks / "01_toy/toy.ipynb", built_toy.notebooks / "02_more/more.ipynb"]
    for folder in (student.release / "03_pair", student.notebooks / "03_pair"):
        folder.mkdir(parents=True)
        for name, path in zip(("first", "second"), solved, strict=True):
            text = path.read_text(encoding="utf-8").replace("core.toy", "core.first")
            (folder / f"{name}.ipynb").write_text(
                text.replace("core.more", "core.second"), encoding="utf-8"
            )
    return student.notebooks / "03_pair"


def test_a_later_notebook_of_a_module_builds_on_an_earlier_one(tito, student, pair):
    """Both are tested together before either is in the package."""
    seen = tito("test", "03")
    assert seen.status == 0, seen.out
    assert "3 of 3 exercises done, 20 of 20 points." in seen.out
    assert not (student.package / "core/first.py").exists()
    assert [path.name for path in student.root.glob(".tito-*")] == []
    assert tito("module", "complete", "03").status == 0
    assert run_python(student, "from tinytorch import quadruple; print(quadruple(1))") == "4\n"
    state = json.loads((student.root / ".tinytorch.json").read_text(encoding="utf-8"))
    assert state["modules"]["03_pair"]["done"] == 3


def test_the_first_notebook_goes_into_the_package_before_the_second_is_done(tito, student, pair):
    """Else nobody could work on the second in JupyterLab: it imports the first."""
    change(pair / "second.ipynb", "return double(double(x))", "raise NotImplementedError")
    seen = tito("module", "complete", "03")
    assert seen.status == 1
    assert "Your code is in tinytorch/core/first.py" in seen.out
    assert "03_pair is not complete. Go on with notebooks/03_pair/second.ipynb." in seen.error
    assert run_python(student, "import tinytorch; print(tinytorch.double(1))") == "2\n"
    assert "complete  " not in tito("module", "status").out
    assert not (student.package / "core/second.py").exists()
    assert "Ready: notebooks/03_pair/second.ipynb" in tito("module", "start", "03", "--no-open").out
