"""`tito test`: what a student sees of their notebook."""

import nbformat
import pytest

from tests.student.conftest import change
from tito.notebook import read_notebook, write_notebook
from tito.student.testing import _export_for_the_next


@pytest.fixture
def notebook(student, tito):
    tito("module", "start", "01", "--no-open")
    return student.notebooks / "01_toy/toy.ipynb"


def test_of_a_blank_notebook_nothing_passes(tito, notebook):
    seen = tito("test", "01")
    assert seen.status == 1
    assert "0 of 2 exercises done, 0 of 10 points. Left: test-double, test-area." in seen.out
    assert seen.out.count("blank") == 2
    assert "Mend this first" not in seen.out


def test_each_kind_of_trouble_is_named(tito, notebook, fill):
    fill("01", "double")
    change(notebook, "return 2 * x", "return [x]")
    change(notebook, 'assert double(3) == 6, "', 'assert True, "')
    change(notebook, "# YOUR CODE HERE", "return (r")
    nb = read_notebook(notebook)
    nb.cells.insert(1, nbformat.v4.new_code_cell("1 / 0"))
    write_notebook(nb, notebook)
    before = notebook.read_bytes()

    seen = tito("test", "--module", "toy")

    assert seen.status == 1
    assert "test-double was edited: the original was run" in seen.out
    assert "double(3) is 6: did you add 2?" in seen.out
    assert "cell 2 (`1 / 0`): ZeroDivisionError: division by zero" in seen.out
    assert "cell `area`: SyntaxError: '(' was never closed (line 4 of the cell)" in seen.out
    assert seen.out.index("cell `area`") < seen.out.index("test-double   ")
    assert "0 of 2 exercises done" in seen.out
    assert notebook.read_bytes() == before


def test_all_right_gives_all_points(tito, notebook, fill, student):
    fill("01")
    seen = tito("test", "1", folder=notebook.parent)
    assert seen.status == 0
    assert "2 of 2 exercises done, 10 of 10 points.\nNext: tito module complete 01" in seen.out
    assert "complete 01" in tito("module", "status").out


def test_a_missing_earlier_module_is_named_with_the_way_out(tito, fill):
    fill("02")
    seen = tito("test", "02")
    assert seen.status == 1
    assert "No module named 'tinytorch.core.toy'" in seen.out
    assert "Not in your package yet: 01_toy." in seen.out
    assert "`tito module catch-up 02`" in seen.out


@pytest.mark.parametrize("command", [("test",), ("submit",), ("module", "complete")])
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"cells": [', "not a notebook (JSON:"),
        (b"\xff\xfe\x00", "not a text file"),
        (b"[]", "no list of cells"),
        (b"", "not a notebook (JSON:"),
    ],
)
def test_a_broken_notebook_gets_one_line_and_stays_as_it_is(
    tito, notebook, command, content, reason
):
    notebook.write_bytes(content)
    seen = tito(*command, "01")
    assert seen.status == 1
    assert reason in seen.error
    assert "tito module reset 01" in seen.error
    assert notebook.read_bytes() == content
    assert "unreadable" in tito("module", "status").out


def test_a_module_that_was_not_started_says_how_to_start(tito):
    seen = tito("test", "01")
    assert seen.status == 1
    assert "You have no notebooks/01_toy/toy.ipynb: `tito module start 01`." in seen.error


@pytest.mark.parametrize("words", [(), ("01", "--module", "toy")])
def test_one_module_has_to_be_named(tito, words):
    assert "Name one module" in tito("test", *words).error


def test_the_next_notebook_finds_the_one_before_in_the_index(toy, tmp_path):
    """Rules that module 05 attaches work only when `import tinytorch` imports them."""
    lesson = toy.lessons()[0]
    _export_for_the_next(toy, toy.root / lesson.notebook, tmp_path)
    index = (tmp_path / "tinytorch/__init__.py").read_text(encoding="utf-8")
    assert f"from .{lesson.target} import *" in index
