"""Repair of one notebook, without running it."""

import copy

import pytest

from tests.grading.classroom import answered, cell, changed, code, release_of
from tito.grading.reference import load_references
from tito.grading.repair import repair
from tito.notebook import dump_notebook, grade_id


@pytest.fixture(scope="module")
def reference(built_toy):
    return load_references(built_toy, built_toy.module("01"))[0]


@pytest.fixture(scope="module")
def right(built_toy):
    return answered(release_of(built_toy))


def ids(notebook) -> list[str]:
    return [c.id for c in notebook.cells]


def sources(notebook) -> dict[str, str]:
    return {grade_id(c): c.source for c in notebook.cells if grade_id(c)}


def test_a_whole_submission_needs_no_repair(reference, right):
    repaired = repair(right, reference)
    assert repaired.notes == ()
    assert ids(repaired.notebook) == ids(reference.solved)
    assert "### BEGIN HIDDEN TESTS" in sources(repaired.notebook)["test-double"]
    assert sources(repaired.notebook)["double"] == cell(right, "double")["source"]


def test_trailing_whitespace_is_no_edit(reference, right):
    nb = changed(right, lambda nb: cell(nb, "setup").update(source=_padded(nb, "setup")))
    assert repair(nb, reference).notes == ()


def _padded(nb: dict, name: str) -> str:
    lines = "".join(cell(nb, name)["source"]).splitlines()
    return "\n".join(f"{line}  " for line in lines) + "\n\n"


def test_source_may_be_a_list_of_lines(reference, right):
    nb = copy.deepcopy(right)
    for each in nb["cells"]:
        each["source"] = "".join(each["source"]).splitlines(keepends=True)
    repaired = repair(nb, reference)
    assert repaired.notes == ()
    assert sources(repaired.notebook)["double"] == cell(right, "double")["source"]


def test_own_cells_stay_behind_the_cell_they_followed(reference, right):
    nb = copy.deepcopy(right)
    nb["cells"].insert(0, code("first = 1"))
    place = nb["cells"].index(cell(nb, "double"))
    nb["cells"].insert(place + 1, code("double(4)"))
    repaired = repair(nb, reference)
    texts = [c.source for c in repaired.notebook.cells]
    assert texts[0] == "first = 1"
    assert texts[texts.index(cell(right, "double")["source"]) + 1] == "double(4)"
    assert repaired.notes == ()


def test_own_graded_cell_becomes_a_plain_one(reference, right):
    marks = {**cell(right, "test-area")["metadata"]["nbgrader"], "grade_id": "bonus"}
    nb = changed(right, lambda nb: nb["cells"].append(code("1", metadata={"nbgrader": marks})))
    repaired = repair(nb, reference)
    assert not repaired.notebook.cells[-1].metadata
    assert repaired.notes == ("bonus is no test of this lesson: it gives no points",)


def test_cells_return_to_the_lessons_order(reference, right):
    repaired = repair(changed(right, lambda nb: nb["cells"].reverse()), reference)
    assert ids(repaired.notebook) == ids(reference.solved)
    assert repaired.notes == ("cells were out of order: the lesson's order was run",)


def test_missing_solution_becomes_the_releases_blank(reference, right):
    nb = changed(right, lambda nb: nb["cells"].remove(cell(nb, "double")))
    repaired = repair(nb, reference)
    assert "raise NotImplementedError" in sources(repaired.notebook)["double"]
    assert repaired.notes == ("double was missing: the blank was run",)


def test_copied_blank_does_not_override_the_answer(reference, right, built_toy):
    blank = cell(release_of(built_toy), "double")
    marked = changed(right, lambda nb: nb["cells"].append({**blank, "id": "copy"}))
    bare = changed(right, lambda nb: nb["cells"].append(code("".join(blank["source"]))))
    for nb in (marked, bare):
        repaired = repair(nb, reference)
        assert ids(repaired.notebook) == ids(reference.solved)
        assert sources(repaired.notebook)["double"] == cell(right, "double")["source"]


def test_answer_before_its_copied_blank_is_found_in_any_order(reference, right, built_toy):
    nb = copy.deepcopy(right)
    place = nb["cells"].index(cell(nb, "double"))
    nb["cells"].insert(place, {**cell(release_of(built_toy), "double"), "id": "copy"})
    assert sources(repair(nb, reference).notebook)["double"] == cell(right, "double")["source"]


def test_renamed_grade_ids_are_known_by_cell_id(reference, right):
    def rename(nb: dict) -> None:
        for each in nb["cells"]:
            if "nbgrader" in each["metadata"]:
                each["metadata"]["nbgrader"]["grade_id"] += "-mine"

    repaired = repair(changed(right, rename), reference)
    assert sources(repaired.notebook).keys() == sources(reference.solved).keys()
    assert len(repaired.notes) == 1


def test_without_any_mark_an_edited_answer_is_known_by_its_definition(reference, right):
    nb = copy.deepcopy(right)
    for number, each in enumerate(nb["cells"]):
        each.update(metadata={}, id=f"new{number}")
    cell(nb, "new4")["source"] = "# my very own\ndef double(value):\n    return value * 2.0"
    assert sources(repair(nb, reference).notebook)["double"].startswith("# my very own")


def test_flipped_flags_and_junk_metadata_are_restored(reference, right):
    junk = [None, 7, "text", [], {"grade": "yes"}, {"grade_id": 5}, {"points": float("nan")}]
    for meta in junk:
        nb = changed(right, lambda nb, m=meta: cell(nb, "test-area").update(metadata=m))
        with_marks = changed(
            right, lambda nb, m=meta: cell(nb, "test-area")["metadata"].update(nbgrader=m)
        )
        for broken in (nb, with_marks):
            repaired = repair(broken, reference)
            by_id = {c.id: c for c in repaired.notebook.cells}
            assert by_id["test-area"].metadata == reference.release.cells[-1].metadata
            assert repaired.notes == ("nbgrader's marks on test-area were changed: restored",)


@pytest.mark.parametrize(
    "item",
    [
        None,
        3,
        "text",
        [],
        {},
        {"cell_type": "code"},
        {"cell_type": "heading", "source": "x"},
        {"cell_type": "code", "source": 5, "outputs": "none", "id": 7},
        {"cell_type": "code", "source": ["a", None, 1]},
        {"cell_type": "markdown", "source": "x", "attachments": 3, "metadata": {"1": [{}]}},
        {"cell_type": "code", "source": "'\ud800'"},
    ],
)
def test_any_junk_among_the_cells_is_survived(reference, right, item):
    nb = changed(right, lambda nb: nb["cells"].insert(3, item))
    repaired = repair(nb, reference)
    assert sources(repaired.notebook)["double"] == cell(right, "double")["source"]
    dump_notebook(repaired.notebook).encode("utf-8")


def test_ten_thousand_cells(reference, right):
    nb = changed(
        right, lambda nb: nb["cells"].extend(code(f"def double(x): {n}") for n in range(10_000))
    )
    repaired = repair(nb, reference)
    assert len(repaired.notebook.cells) == len(right["cells"]) + 10_000
