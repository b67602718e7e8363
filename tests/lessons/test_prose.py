"""What the lessons' prose states is true: the numbers that code can compute, points, PyTorch."""

import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.lessons.judging import lessons
from tests.lessons.prose import production
from tests.lessons.prose.claim import Claim, problem, prose, says, stated
from tito.lesson import LessonCell, read_lesson

PROSE = {name: prose(name) for name in lessons()}


def cases(found: dict[str, list[Claim]]) -> list:
    """One parameter for each claim about each lesson."""
    return [
        pytest.param(lesson, claim, id=f"{lesson}: {claim.fragment}")
        for lesson, claims in found.items()
        for claim in claims
    ]


CLAIMS = {
    lesson: import_module(f"tests.lessons.prose.{lesson.replace('/', '.')}").CLAIMS
    for lesson in PROSE
    if Path(__file__).parent.joinpath("prose", f"{lesson}.py").is_file()
}


@pytest.mark.parametrize(("lesson", "claim"), cases(CLAIMS))
def test_a_number_of_the_prose_is_what_code_computes(lesson, claim):
    assert problem(PROSE[lesson], claim) is None


@pytest.mark.parametrize(("lesson", "claim"), cases(production.CLAIMS))
def test_what_is_said_of_pytorch_is_so(lesson, claim):
    pytest.importorskip("torch")
    assert problem(PROSE[lesson], claim) is None


def test_every_lesson_has_its_claims():
    assert set(PROSE) - set(CLAIMS) == set(), "write tests/lessons/prose/NN_name/name.py"
    assert set(production.CLAIMS) <= set(PROSE), "claims about a lesson that is not there"


# Points, exercises and notebooks are counted in each lesson's head.


def said_in_head(text: str) -> tuple[int, int]:
    """The numbers of exercises and points that a lesson's first lines state."""
    said = re.search(r"(\d+) exercises[^·]*?(\d+) (?:of the module's 100 )?points", text)
    return int(said[1]), int(said[2])


def said_at_exercises(text: str) -> list[int]:
    """The points that stand in italics below the headings, in order."""
    said = re.findall(r"\*(?:Difficulty[^*]*? )?([\d +]+) points", text)
    return [int(part) for some in said for part in some.split("+")]


@cache
def cells_of(lesson: str) -> tuple[LessonCell, ...]:
    return read_lesson(REPOSITORY / lessons()[lesson].source).cells


def points_of_tests(lesson: str) -> list[int]:
    return [cell.nbgrader["points"] for cell in cells_of(lesson) if cell.is_graded]


@pytest.mark.parametrize("lesson", PROSE)
def test_the_head_counts_exercises_and_points(lesson):
    headings = [cell for cell in cells_of(lesson) if re.search("^## Exercise", cell.source, re.M)]
    assert said_in_head(PROSE[lesson]) == (len(headings), sum(points_of_tests(lesson)))


@pytest.mark.parametrize("lesson", PROSE)
def test_each_exercise_says_the_points_of_its_tests(lesson):
    assert said_at_exercises(PROSE[lesson]) == points_of_tests(lesson)


@pytest.mark.parametrize("lesson", PROSE)
def test_the_head_counts_the_notebooks_of_its_module(lesson):
    mine = [name for name in PROSE if name.split("/")[0] == lesson.split("/")[0]]
    for said in re.findall(r"of (?:the )?(\w+) notebooks of module", PROSE[lesson]):
        assert says(said, len(mine))


# The checks above, seen to fail.

TEXT = "A table of 50,000 rows takes 102.4 MB, a float32, about 1e-12 of it, or 8/9: `(3, 8)`."


@pytest.mark.parametrize(
    ("fragment", "value", "says_what"),
    [
        ("takes {102.4} MB", 102.46, "it says 102.4, computed 102.46"),
        ("of {50,000} rows", 50_001, "it says 50,000, computed 50001"),
        ("takes {103} MB", 103, "does not stand in the lesson"),
        ("takes {102}", 102, "does not stand in the lesson"),
        ("{000} rows", 0, "does not stand in the lesson"),
        ("`({3, 8})`", (8, 3), "it says 3, computed 8; 8, computed 3"),
        ("`({3, 8})`", 3, "it states 2 values"),
        ("a {float32}", "float64", "it says float32, computed float64"),
        ("about {1e-12}", 1.6e-12, "it says 1e-12"),
        ("or {8/9}", 0.8, "it says 8/9"),
        ("takes {102.4} MB", float("nan"), "computed nan"),
        ("a float32", False, "it is False, not True"),
        ("a float32", 1, "it is 1, not True"),
    ],
)
def test_a_claim_that_is_wrong_is_refused(fragment, value, says_what):
    assert says_what in problem(TEXT, Claim(fragment, lambda: value))


@pytest.mark.parametrize(
    ("fragment", "value"),
    [
        ("takes {102.4} MB", 102.44),
        ("of {50,000} rows", 50_000),
        ("`({3, 8})`", (3, 8)),
        ("a {float32}, about {1e-12} of it, or {8/9}", ("float32", 9.1e-13, 8 / 9)),
        ("a float32", True),
    ],
)
def test_a_claim_that_is_true_stands(fragment, value):
    assert problem(TEXT, Claim(fragment, lambda: value)) is None


def test_numbers_are_read_as_they_are_written():
    assert list(stated("{-2, -2/3, 1,680} of {int64} {[0.090, inf]} {Three}")) == [
        *("-2", "-2/3", "1,680", "int64", "0.090", "inf", "Three"),
    ]
    assert says("Three", 3)
    assert not says("1", True)


def test_the_points_of_a_head_are_read():
    head = "Difficulty 3 of 5 · 3 exercises and a test, 40 of the module's 100 points · about"
    assert said_in_head(head) == (3, 40)
    below = "*Difficulty 3 of 5 · three tests, 26 + 18 points · 50 minutes* ... *4 points.* Then"
    assert said_at_exercises(below) == [26, 18, 4]
