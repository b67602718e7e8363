"""From the outputs of a run to points and reasons, and to outputs that nbgrader reads the same."""

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from nbgrader.utils import determine_grade

from tito.grading.verdict import judge, write_verdicts


def judged(*outputs, before=()):
    """The verdict over one graded cell with these outputs, and the cell afterwards."""
    marks = {"grade": True, "solution": False, "points": 4, "schema_version": 3}
    solution = {"grade_id": "double", "solution": True, "grade": False}
    nb = new_notebook(
        cells=[
            new_code_cell("x", outputs=list(before), metadata={"nbgrader": solution}),
            new_code_cell(
                "y", outputs=list(outputs), metadata={"nbgrader": {"grade_id": "t", **marks}}
            ),
        ]
    )
    verdicts = judge(nb, {"t": []}, {"t": []})
    write_verdicts(nb, verdicts)
    return verdicts[0], nb.cells[1]


def error(kind: str, message: str):
    return new_output("error", ename=kind, evalue=message, traceback=[])


@pytest.mark.parametrize(
    "outputs",
    [
        [],
        [new_output("stream", name="stderr", text="careful")],
        [new_output("execute_result", data={"text/plain": "0.5"}, execution_count=1)],
        [new_output("execute_result", data={}, execution_count=1)],
        [new_output("execute_result", data={"text/plain": "1e9"}, execution_count=1)],
    ],
)
def test_a_cell_that_passed_has_full_points_for_nbgrader_too(outputs):
    verdict, cell = judged(*outputs)
    assert (verdict.score, verdict.reason) == (4, None)
    assert determine_grade(cell) == (4, 4)


@pytest.mark.parametrize(
    ("kind", "message", "reason"),
    [
        ("AssertionError", "did you\nadd 2?", "did you add 2?"),
        ("AssertionError", "", "AssertionError"),
        ("AssertionError", "\x1b[0m", "failed without a message"),
        ("NotRun", "", "failed without a message"),
        ("NotImplementedError", "to fill", "blank: still to fill"),
        ("Dishonest", "the notebook replaced numpy.abs", "the notebook replaced numpy.abs"),
        ("ValueError", "no", "ValueError: no"),
        ("CellTimeoutError", "it took 30 s", "it took 30 s"),
    ],
)
def test_an_error_costs_the_points_whatever_it_says(kind, message, reason):
    verdict, cell = judged(error(kind, message))
    assert (verdict.score, verdict.reason) == (0, reason)
    assert determine_grade(cell) == (0, 4)


def test_a_missing_name_is_explained_by_the_cell_that_failed():
    verdict, _ = judged(
        error("NameError", "name 'double' is not defined"),
        before=[error("SyntaxError", "invalid syntax (123456.py, line 3)")],
    )
    assert verdict.reason == (
        "the cell double failed before its test: SyntaxError: invalid syntax (line 3)"
    )


def test_differing_observations_become_an_error():
    nb = new_notebook(
        cells=[
            new_code_cell("y", metadata={"nbgrader": {"grade_id": "t", "grade": True, "points": 4}})
        ]
    )
    verdicts = judge(nb, {"t": [None]}, {"t": []})
    write_verdicts(nb, verdicts)
    assert verdicts[0].score == 0
    assert determine_grade(nb.cells[0]) == (0, 4)
