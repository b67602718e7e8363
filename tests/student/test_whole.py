"""A student's notebook beside the released one."""

from copy import deepcopy

import pytest

from tito.notebook import read_notebook
from tito.student.whole import changed_exports, gaps, restore_locked


@pytest.fixture(scope="module")
def released(built_toy):
    return read_notebook(built_toy.release / "01_toy/toy.ipynb")


@pytest.fixture
def mine(released):
    return deepcopy(released)


def ids(nb) -> list[str]:
    return [cell.id for cell in nb.cells]


def cell(nb, name):
    return nb.cells[ids(nb).index(name)]


def test_a_notebook_as_released_is_whole(mine, released):
    assert restore_locked(mine, released) == (released, [])
    assert gaps(mine, released) == []
    assert changed_exports(mine, released) == []


def test_a_filled_blank_and_own_cells_stay(mine, released):
    cell(mine, "double").source = "def double(x): return x + x"
    own = deepcopy(cell(mine, "1"))
    own.id = "my-own"
    mine.cells.insert(5, own)
    assert restore_locked(mine, released) == (mine, [])
    assert gaps(mine, released) == []


def test_spaces_at_the_end_are_no_edit(mine, released):
    cell(mine, "test-double").source += "  \n\n"
    assert restore_locked(mine, released)[1] == []


def test_an_edited_test_is_restored_and_the_copy_is_left_alone(mine, released):
    cell(mine, "test-double").source = "pass"
    cell(mine, "test-double").metadata.nbgrader.points = 100
    restored, notes = restore_locked(mine, released)
    assert restored == released
    assert notes == ["your copy of test-double differs from the release: the original was run."]
    assert cell(mine, "test-double").source == "pass"


def test_a_deleted_test_comes_back_behind_the_cell_it_followed(mine, released):
    del mine.cells[ids(mine).index("test-double")]
    restored, notes = restore_locked(mine, released)
    assert ids(restored) == ids(released)
    assert notes == ["test-double is missing from your copy: the original was run."]
    assert gaps(mine, released) == ["the test cell `test-double` is gone"]


def test_tests_come_back_to_an_empty_notebook(mine, released):
    mine.cells = []
    restored, _ = restore_locked(mine, released)
    assert ids(restored) == ["setup", "imports", "test-double", "test-area"]
    assert len(gaps(mine, released)) == 6


def test_a_doubled_test_is_run_once(mine, released):
    mine.cells.append(deepcopy(cell(mine, "test-double")))
    mine.cells[-1].id = "other"
    restored, notes = restore_locked(mine, released)
    assert restored == released
    assert notes == ["test-double is in your copy 2 times: it was run once."]


def test_a_test_turned_into_text_is_code_again(mine, released):
    cell(mine, "test-area").cell_type = "markdown"
    restored, notes = restore_locked(mine, released)
    assert cell(restored, "test-area").cell_type == "code"
    assert len(notes) == 1


def test_a_cell_without_its_metadata_is_known_by_its_id(mine, released):
    for each in mine.cells:
        each.metadata = {}
    assert gaps(mine, released) == []
    assert restore_locked(mine, released)[0].cells[5] == released.cells[5]


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
