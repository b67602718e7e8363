"""The observations of a submission against those of the reference, run under the same seed."""

import math
from collections.abc import Sequence

from tito.grading.challenge import Observation
from tito.grading.text import one_line

NUMBERS = ("int", "float")


def compare(reference: Sequence[Observation], student: Sequence[Observation | None]) -> str | None:
    """None when every observation agrees, else one line that says what differs first.

    The tolerances are the reference's; the student's process could have sent any.
    """
    for expected, got in zip(reference, student, strict=False):
        if got is None:
            return f"an observation could not be read where `{expected.name}` was expected"
        if reason := _difference(expected, got):
            return reason
    if len(student) < len(reference):
        missing = reference[len(student)].name
        return f"the value of `{missing}` was not observed: the test did not run to its end"
    if len(student) > len(reference):
        return f"{len(student)} values were observed where the reference has {len(reference)}"
    return None


def _difference(expected: Observation, got: Observation) -> str | None:
    name = expected.name
    if got.name != name:
        return f"`{one_line(got.name, 60)}` was observed where `{name}` was expected"
    if got.shape != expected.shape:
        return (
            f"the shape of `{name}` differs from the reference's "
            f"(expected {expected.shape}, got {got.shape})"
        )
    kinds = expected.kind, got.kind
    if got.kind != expected.kind and not all(kind in NUMBERS for kind in kinds):
        return f"`{name}` should be of kind {expected.kind}, not {got.kind}"
    for place, (right, value) in enumerate(zip(expected.values, got.values, strict=True)):
        if not _agree(right, value, kinds, expected.rtol, expected.atol):
            return (
                f"the value of `{name}` differs from the reference's "
                f"(expected {_short(right)}, got {_short(value)}{_where(place, expected.shape)})"
            )
    return None


def _agree(right, value, kinds: tuple[str, str], rtol: float, atol: float) -> bool:
    if "float" not in kinds or right == value:
        return right == value  # text, bools and integers are exact; inf equals inf
    try:
        if math.isnan(right) or math.isnan(value):
            return math.isnan(right) and math.isnan(value)
        return math.isfinite(right) and abs(value - right) <= atol + rtol * abs(right)
    except OverflowError:  # an integer past the largest float
        return False


def _short(value) -> str:
    if isinstance(value, float):
        return repr(float(f"{value:.8g}"))
    return one_line(repr(value) if isinstance(value, str) else str(value), 60)


def _where(place: int, shape: tuple[int, ...]) -> str:
    """` at index (1, 2)` of an array, nothing for a single value."""
    if not shape:
        return ""
    index = []
    for size in reversed(shape):
        place, remainder = divmod(place, size)
        index.append(remainder)
    return f" at index {index[0] if len(shape) == 1 else tuple(reversed(index))}"
