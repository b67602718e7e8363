"""A student's notebook beside the released one."""

from copy import deepcopy

import pytest

from tito.grading.reference import released_reference
from tito.student.whole import changed_exports, gaps


@pytest.fixture(scope="module")
def released(built_toy):
    return released_reference(built_toy, built_toy.lessons()[0])


@pytest.fixture
def mine(released):
    return deepcopy(released.release)


def ids(nb) -> list[str]:
    return [cell.id for cell in nb.cells]


def cell(nb, name):
    return nb.cells[ids(nb).index(name)]


def test_a_notebook_as_released_is_whole(mine, released):
    assert gaps(mine, released) == []
    assert changed_exports(mine, released) == []


def test_a_filled_blank_and_own_cells_stay(mine, released):
    cell(mine, "double").source = "def double(x): return x + x"
    own = deepcopy(cell(mine, "1"))
    own.id = "my-own"
    mine.cells.insert(5, own)
    assert gaps(mine, released) == []


def test_a_deleted_test_is_a_gap(mine, released):
    del mine.cells[ids(mine).index("test-double")]
    assert gaps(mine, released) == ["the test cell `test-double` is gone"]


def test_an_empty_notebook_lacks_every_named_cell(mine, released):
    mine.cells = []
    assert len(gaps(mine, released)) == 6


def test_a_cell_without_its_metadata_is_known_by_its_id(mine, released):
    for each in mine.cells:
        each.metadata = {}
    assert gaps(mine, released) == []


def test_cells_without_any_mark_are_known_by_what_they_say(mine, released):
    cell(mine, "double").source = "def double(x): return x + x"
    del mine.cells[ids(mine).index("test-area")]
    for number, each in enumerate(mine.cells):
        each.metadata, each.id = {}, f"colab{number}"
    assert gaps(mine, released) == ["the test cell `test-area` is gone"]
    assert changed_exports(mine, released) == []


def test_the_start_cell_is_no_gap(mine, released):
    del mine.cells[ids(mine).index("start")]
    assert gaps(mine, released) == []


def test_a_split_or_lost_solution_cell_cannot_be_handed_in(mine, released):
    mine.cells.insert(5, deepcopy(cell(mine, "double")))
    del mine.cells[ids(mine).index("area")]
    assert gaps(mine, released) == [
        "the solution cell `double` is there 2 times (keep one)",
        "the solution cell `area` is gone",
    ]


def test_what_goes_into_the_package_must_be_as_released(mine, released):
    cell(mine, "imports").source += "\nimport os"
    cell(mine, "2").source = "#| default_exp core.other"
    assert changed_exports(mine, released) == ["#| default_exp core.toy", "imports"]
