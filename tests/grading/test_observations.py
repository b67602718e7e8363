"""What `observe` sends, what the grader reads out of it, and how it compares."""

import math

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tito.grading.challenge import MIME, Observation, prepare, take_out
from tito.grading.compare import compare
from tito.grading.in_kernel import challenge_and_observe


def sent(value, **tolerances) -> dict:
    """The message that `observe("x", value)` publishes."""
    published = []
    challenge_and_observe([0, 0], published.append)[1]("x", value, **tolerances)
    return published[0]


def graded_cell(*messages):
    outputs = [new_output("display_data", data={MIME: message}) for message in messages]
    marks = {"grade_id": "t", "grade": True, "points": 1}
    return new_code_cell("test()", outputs=outputs, metadata={"nbgrader": marks})


def read(*messages) -> list[Observation | None]:
    return take_out(new_notebook(cells=[graded_cell(*messages)]))["t"]


@pytest.mark.parametrize(
    "value",
    [
        3,
        -(2**80),
        2.5,
        math.inf,
        math.nan,
        True,
        "text\nof two lines",
        np.float32(0.1),
        np.int64(5),
        np.arange(6).reshape(2, 3),
        np.array([1.5, np.nan, -np.inf]),
        np.array([[True, False]]),
        np.array(["a", "b"]),
        np.zeros((0, 3)),
        np.longdouble(0.5),
        np.float16(2),
    ],
)
def test_values_travel_as_text_and_back(value):
    observation = read(sent(value))[0]
    expected = value if isinstance(value, int) else np.asarray(value)
    assert observation.shape == np.shape(value)
    assert compare([observation], [observation]) is None
    if not isinstance(value, int):
        back = np.array(observation.values).reshape(observation.shape)
        np.testing.assert_array_equal(back.astype(expected.dtype), expected)


@pytest.mark.parametrize("value", [None, [1, 2], {"a": 1}, object(), 1j, np.array([None]), b"x"])
def test_other_types_are_refused(value):
    with pytest.raises(TypeError, match="observe"):
        sent(value)


def test_too_many_values_are_refused():
    with pytest.raises(TypeError, match="at most 10000"):
        sent(np.zeros(10_001))


def message(**changes) -> dict:
    return {**sent(np.array([1.0, 2.0])), **changes}


@pytest.mark.parametrize(
    "forged",
    [
        None,
        [],
        "text",
        {},
        {"name": "x"},
        message(name=3),
        message(shape=[3]),
        message(shape=[-1, -2]),
        message(shape=[True, 2]),
        message(shape="ab"),
        message(shape=[1] * 40 + [2]),
        message(kind="object"),
        message(kind=["float"]),
        message(values=[1.0, 2.0]),
        message(values=["1.0", "__import__('os')"]),
        message(values=["1" * 100_000, "2"]),
        message(kind="int", values=["9" * 9_000, "2"]),
        message(rtol="much"),
        message(shape=[10_000, 10_000, 10_000]),
    ],
)
def test_any_other_json_is_no_observation(forged):
    assert read(forged) == [None]


def test_take_out_leaves_the_notebook_as_it_was():
    nb = new_notebook(cells=[graded_cell()])
    before = [cell.source for cell in nb.cells]
    prepared = prepare(nb, 7)
    assert [cell.source for cell in nb.cells] == before
    assert len(prepared.cells) == 2
    assert "challenge_and_observe([7, 0], show_observation)" in prepared.cells[0].source
    take_out(prepared)
    assert [cell.source for cell in prepared.cells] == before


def test_observations_outside_graded_cells_count_for_nothing():
    plain = new_code_cell("1", outputs=[new_output("display_data", data={MIME: message()})])
    nb = new_notebook(cells=[plain, graded_cell()])
    assert take_out(nb) == {"t": []}
    assert plain.outputs == []


def test_challenge_is_fresh_in_every_cell_and_the_same_for_the_same_seed():
    draws = [challenge_and_observe([seed, n], print)[0].random() for seed in (1, 2) for n in (0, 1)]
    assert len(set(draws)) == 4
    assert draws[0] == challenge_and_observe([1, 0], print)[0].random()


def seen(value, **tolerances) -> list[Observation | None]:
    return read(sent(value, **tolerances))


@pytest.mark.parametrize(
    ("reference", "student"),
    [
        (1.0, 1.0 + 1e-7),
        (np.array([1.0, np.nan, np.inf]), np.array([1.0, np.nan, np.inf])),
        (6, 6.0),
        (np.array([1.0, 2.0]), np.array([1, 2])),
        (np.float32(0.1), 0.1),
        ("float32", "float32"),
        (10**400, 10**400),
    ],
)
def test_same_values_agree(reference, student):
    assert compare(seen(reference), seen(student)) is None


@pytest.mark.parametrize(
    ("reference", "student", "reason"),
    [
        (6.0, 5.0, "the value of `x` differs from the reference's (expected 6.0, got 5.0)"),
        (np.array([1.0, 6.0]), np.array([1.0, 5.0]), "(expected 6.0, got 5.0 at index 1)"),
        (np.eye(2), np.ones((2, 2)), "(expected 0.0, got 1.0 at index (0, 1))"),
        (1.0, math.nan, "expected 1.0, got nan"),
        (math.inf, 1e308, "expected inf"),
        (1.0, math.inf, "got inf"),
        (10**12, 10**12 + 1, "expected 1000000000000, got 1000000000001"),
        (1.0, 10**400, "expected 1.0"),
        (np.zeros(2), np.zeros((1, 2)), "(expected (2,), got (1, 2))"),
        (1.0, "1.0", "of kind float, not str"),
        (True, 1, "of kind bool, not int"),
        ("float32", "float64", "expected 'float32', got 'float64'"),
    ],
)
def test_other_values_do_not(reference, student, reason):
    assert reason in compare(seen(reference), seen(student))


def test_the_references_tolerance_decides():
    assert compare(seen(1.0, rtol=0.1), seen(1.05)) is None
    assert compare(seen(1.0), seen(1.05, rtol=1e9, atol=math.inf))


def test_missing_extra_renamed_and_reordered_observations_fail():
    one, two = seen(1.0), seen(2.0)
    assert "was not observed" in compare(one + two, one)
    assert "2 values were observed where the reference has 1" in compare(one, one + two)
    assert compare(one + two, two + one)
    other = read({**sent(1.0), "name": "y"})
    assert "`y` was observed where `x` was expected" in compare(one, other)
    assert "could not be read" in compare(one, [None])
    assert compare(one, [*one, None])
