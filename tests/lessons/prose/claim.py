"""One claim of a lesson's prose: a fragment as it stands there, and what computes its numbers."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tests.conftest import REPOSITORY
from tinytorch.core.tensor import Tensor

NUMBER = re.compile(
    r"(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+|/\d+)?|-?\binf\b|\bnan\b"
)
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


@dataclass(frozen=True)
class Claim:
    """What a lesson says, and what computes it.

    fragment: words of the lesson, exactly, with {braces} around what is computed: numbers, written
        as 1,680 or 0.090 or 1e-12 or 8/9 or three, any number of them in one pair of braces, or a
        word such as float32. Without braces, `compute` must return True.
    compute: returns the values in the same order, nested as one likes. A value is the number that
        stands there if it is within half a unit of its last digit.
    """

    fragment: str
    compute: Callable[[], object]


def prose(lesson: str) -> str:
    """The source of `01_tensor/arrays` in one line, without the signs of comments."""
    text = (REPOSITORY / "source" / f"{lesson}.py").read_text(encoding="utf-8")
    return one_line(re.sub(r"^# ?", "", text, flags=re.MULTILINE))


def one_line(text: str) -> str:
    return " ".join(text.split())


def problem(text: str, claim: Claim) -> str | None:
    """What is wrong with a claim about the lesson `text`; None when it stands and is true."""
    if not stands(one_line(re.sub(r"[{}]", "", claim.fragment)), text):
        return "this does not stand in the lesson: quote it exactly, or drop the claim"
    written = list(stated(claim.fragment))
    found = list(flat(claim.compute()))
    if not written:
        return None if found[0] is True else f"computed, it is {found[0]}, not True"
    if len(written) != len(found):
        return f"it states {len(written)} values {written}, and {len(found)} are computed: {found}"
    wrong = [f"{a}, computed {b}" for a, b in zip(written, found, strict=True) if not says(a, b)]
    return f"it says {'; '.join(wrong)}" if wrong else None


def stands(words: str, text: str) -> bool:
    """Do these words stand in the text, no number cut in two at their ends?"""
    whole = rf"(?<!\d)(?<!\d[.,]){re.escape(words)}(?!\d|[.,]\d)"
    return re.search(whole, text) is not None


def stated(fragment: str) -> Iterator[str]:
    """The values in the braces of a fragment, as they are written."""
    for part in re.findall(r"\{(.*?)\}", fragment):
        yield from NUMBER.findall(part) or [part]


def flat(value: object) -> Iterator[object]:
    """The numbers and words in nested tuples, lists, arrays and Tensors."""
    if isinstance(value, Tensor):
        value = value.data
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        for part in value:
            yield from flat(part)
    else:
        yield value


def says(written: str, value: object) -> bool:
    """Is `written` how one writes `value`, rounded to the digits that are there?"""
    if isinstance(value, str):
        return written == value
    if written.lower() in WORDS:
        return WORDS.index(written.lower()) == value
    if not NUMBER.fullmatch(written) or isinstance(value, bool):
        return False
    if not np.isfinite(value):
        return written == str(value)
    if "/" in written:
        return abs(Fraction(written) - value) < 1e-6
    plain, _, exponent = written.replace(",", "").partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(plain.partition(".")[2]))
    return abs(float(written.replace(",", "")) - value) <= unit * 0.5 * (1 + 1e-9)
