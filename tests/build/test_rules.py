"""Each lesson rule refuses the lesson that breaks it, at the right line and with a remedy."""

import re
from pathlib import Path

import pytest

from tests.conftest import TOY
from tito.errors import TitoError
from tito.lesson import read_lesson
from tito.rules import RULES, check_lesson

LESSON = (TOY / "source/01_toy/toy.py").read_text(encoding="utf-8")

# rule, text of the toy lesson, what breaks it, part of the message, text of the line named
BREACHES = [
    ("has_a_title", "# # Toy\n", "# Toy\n", "`# Title`", "# %% [markdown]"),
    ("has_a_title", "# > A two", "# A two", "`> one sentence`", "# %% [markdown]"),
    ("exports_to_one_module", "#| default_exp core.toy", "1", "add a cell", "# %% [markdown]"),
    (
        "exports_to_one_module",
        "import math",
        "import math\n#| default_exp core.other",
        "second `default_exp`",
        '"imports"',
    ),
    (
        "metadata_can_be_read",
        '{"grade_id": "double",',
        '{"grade_id": double,',
        "no JSON",
        "double,",
    ),
    ("metadata_can_be_read", '"points": 4', '"point": 4', "unknown metadata", '"test-double"'),
    ("metadata_can_be_read", ', "locked": true}\n#|', "}\n#|", "say what the cell is", '"imports"'),
    (
        "metadata_can_be_read",
        '"double", "solution": true',
        '"double", "solution": true, "locked": true',
        "neither graded nor locked",
        '"double", "solution"',
    ),
    ("grade_ids_are_unique", '"grade_id": "area", ', "", "no grade_id", '{"solution": true}'),
    ("grade_ids_are_unique", '"area", "sol', '"the area", "sol', "letters, digits", '"the area"'),
    ("grade_ids_are_unique", '"area", "sol', '"start", "sol', "the build's own", '"start"'),
    ("grade_ids_are_unique", '"test-area"', '"test-double"', "taken by line", '"points": 6'),
    ("graded_cells_have_points", ', "points": 6', "", "needs points", '"test-area"'),
    ("graded_cells_have_points", '"points": 6', '"points": 0', "needs points", '"test-area"'),
    (
        "graded_cells_have_points",
        '"area", "solution": true',
        '"area", "solution": true, "points": 3',
        "not graded",
        '"area", "solution"',
    ),
    (
        "markers_are_balanced",
        "2 * x\n    ### END SOLUTION",
        "2 * x",
        "without",
        '"double"',
    ),
    (
        "markers_are_balanced",
        "### BEGIN HIDDEN TESTS\n    x",
        "# BEGIN HIDDEN TESTS\n    x",
        "marker",
        "# BEGIN H",
    ),
    (
        "markers_are_balanced",
        "    return 2 * x",
        "    ### BEGIN SOLUTION\n    return 2 * x",
        "inside another",
        "    ### BEGIN SOLUTION\n    return",
    ),
    (
        "solutions_have_a_region",
        '"area", "solution": true',
        '"area", "locked": true',
        "outside",
        '"area"',
    ),
    (
        "solutions_are_short",
        "    return 2 * x",
        "    x = x\n" * 31 + "    return 2 * x",
        "two exercises",
        None,
    ),
    (
        "classes_stay_whole",
        '    """Twice x."""',
        "    1\n\n    # %%\n    2",
        "whole of it",
        "    # %%",
    ),
    ("code_parses", "return 2 * x", "return 2 *", "no Python", "return 2 *"),
    (
        "solutions_hold_no_plumbing",
        "def area(r):",
        "import os\ndef area(r):",
        "an import",
        "import os",
    ),
    (
        "solutions_hold_no_plumbing",
        "def area(r):",
        "#| default_exp core.toy\ndef area(r):",
        "`default_exp` in a solution",
        '"area", "solution"',
    ),
    (
        "solutions_are_tested",
        '"grade_id": "test-double", "grade": true, "points": 4',
        '"grade_id": "test-double", "locked": true',
        "no test after it",
        '"double", "solution"',
    ),
    (
        "solutions_are_tested",
        '"grade_id": "test-area", "grade": true, "points": 6',
        '"grade_id": "test-area", "locked": true',
        "no test after it",
        '"area", "solution"',
    ),
    (
        "tests_are_not_exported",
        "def test_area",
        "#| export\ndef test_area",
        "package",
        '"test-area"',
    ),
    (
        "hidden_tests_are_graded",
        '"grade_id": "test-area", "grade": true, "points": 6',
        '"grade_id": "test-area", "locked": true',
        "students would get them",
        '"test-area"',
    ),
    (
        "tests_observe",
        '    observe("area", area(r))\n',
        "    area(r)\n",
        "`observe`",
        '"test-area"',
    ),
    ("tests_observe", "float(challenge.uniform(1, 3))", "2.0", "`challenge`", '"test-area"'),
    ("tests_run_and_explain", "\n\ntest_area()", "", "call it", '"test-area"'),
    ("tests_run_and_explain", ', "the unit circle has area pi"', "", "message", "assert abs"),
]


def lesson_from(text: str, folder: Path):
    path = folder / "toy.py"
    path.write_text(text, encoding="utf-8")
    return read_lesson(path)


def test_the_toy_lesson_keeps_all_rules(tmp_path):
    assert check_lesson(lesson_from(LESSON, tmp_path)) == []


@pytest.mark.parametrize(
    ("rule", "old", "new", "message", "at"),
    BREACHES,
    ids=[f"{b[0]}-{i}" for i, b in enumerate(BREACHES)],
)
def test_a_breach_is_refused_where_it_stands(rule, old, new, message, at, tmp_path):
    assert LESSON.count(old) == 1, "the planted breach must fit the toy lesson"
    text = LESSON.replace(old, new)
    lesson = lesson_from(text, tmp_path)
    found = list(next(r for r in RULES if r.__name__ == rule)(lesson))
    line = next((line for line, said in found if message in said), None)
    assert line is not None, f"{rule} said {found}"
    if at is not None:
        assert text[text.index(at) :].splitlines()[0] in text.splitlines()[line - 1]


def test_a_solution_without_region_would_give_the_answer_away(tmp_path):
    text = LESSON.replace(
        "    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION", "    return 2 * x"
    )
    messages = [problem.message for problem in check_lesson(lesson_from(text, tmp_path))]
    assert any("students would get the answer" in message for message in messages)


def test_a_lesson_without_metadata_is_refused(tmp_path):
    bare = re.sub(r"^# %% nbgrader=.*$", "# %%", LESSON, flags=re.MULTILINE)
    messages = [problem.message for problem in check_lesson(lesson_from(bare, tmp_path))]
    assert any("no solution cell" in message for message in messages)


def test_every_rule_is_seen_to_fail():
    seen = {breach[0] for breach in BREACHES} | {"has_exercises"}
    assert {rule.__name__ for rule in RULES} <= seen


def test_a_problem_names_file_line_and_remedy(tmp_path):
    lesson = lesson_from(LESSON.replace(', "points": 6', ""), tmp_path)
    line = next(n for n, x in enumerate(LESSON.splitlines(), 1) if '"test-area"' in x)
    assert [str(p) for p in check_lesson(lesson)] == [
        f'{tmp_path.name}/toy.py:{line}: a graded cell needs points: add "points": 10.'
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xff\xfe\x00", "not UTF-8"),
        (b'# %%\nx = """\n# %%\n"""\n', "out of strings"),
        (b"x = 1\n# %%\ny = 2\n", "start the file"),
    ],
)
def test_a_file_that_is_no_percent_script_is_refused(content, says, tmp_path):
    path = tmp_path / "bad.py"
    path.write_bytes(content)
    with pytest.raises(TitoError, match=says):
        read_lesson(path)
