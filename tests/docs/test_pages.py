"""The module pages: the same parts on each, true examples, points and hours as in the lessons."""

import doctest
import re
from collections.abc import Callable

import pytest

from tests.conftest import REPOSITORY
from tests.lessons.judging import lessons
from tito.course import Course
from tito.notebook import is_graded, read_notebook

PAGES = sorted((REPOSITORY / "docs" / "modules").glob("*.md"))
MOST_LINES = 200
PARTS = """
# Title
```{launch} NAME
## Overview
## You will be able to
## What you will build
```{builds} NAME
## The notebooks
```{toctree}
## Core concepts
## Common errors
```{common-errors} NAME
## Beside PyTorch
## Check your understanding
```{questions} NAME
## API
```{api} NAME
## Further reading
```{reading} NAME
""".strip().splitlines()
BLOCK = re.compile(r"^```python\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)
ROW = re.compile(r"\{doc\}`[^<`]+<\.\./lessons/([\w/]+)>`")

for_each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def parts_of(text: str, module: str) -> list[str]:
    """The title, headings and directives of a page, in its order, with NAME for the module."""
    found = re.findall(r"^(?:#{1,6} .*|```\{.*)$", BLOCK.sub("", text), flags=re.MULTILINE)
    return ["# Title" if x.startswith("# ") else x.replace(module, "NAME") for x in found]


def examples_of(text: str, name: str) -> doctest.DocTest:
    """Every ```python block of a page as one doctest: they share their names, top to bottom."""
    blocks = BLOCK.findall(text)
    for block in blocks:
        if not block.startswith(">>> "):
            raise ValueError(f"{name}: a Python block that shows no output, {block!r}: use >>>.")
    return doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, name, 0)


def failures_of(examples: doctest.DocTest) -> str:
    """What doctest reports about these examples; empty when each gives the output shown."""
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=report.append)
    return "".join(report)


def rows_of(text: str) -> dict[str, str]:
    """The rows of the table of notebooks: `01_tensor/arrays` -> its row."""
    return {match[1]: line for line in text.splitlines() if (match := ROW.search(line))}


def facts_of(lesson: str) -> tuple[str, str]:
    """The points of a lesson's graded cells and the hours of its first cell: "30", "2 hours"."""
    nb = read_notebook(REPOSITORY / lessons()[lesson].notebook)
    points = sum(cell.metadata.nbgrader.points for cell in nb.cells if is_graded(cell))
    hours = re.search(r"· about ([^·\n]+?) ·", nb.cells[0].source)[1]
    return f"{points:g}", hours


def test_every_module_has_its_page():
    assert [page.stem for page in PAGES] == [x.folder for x in Course(REPOSITORY).modules()]


@for_each_page
def test_a_page_has_its_parts_in_order(page):
    text = page.read_text(encoding="utf-8")
    assert parts_of(text, page.stem) == PARTS
    assert len(text.splitlines()) <= MOST_LINES


@for_each_page
def test_the_examples_give_the_output_shown(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    examples = examples_of(page.read_text(encoding="utf-8"), page.name)
    assert examples.examples
    assert failures_of(examples) == ""


@for_each_page
def test_the_notebooks_are_listed_with_their_points_and_hours(page):
    text = page.read_text(encoding="utf-8")
    rows = rows_of(text)
    names = [lesson for lesson in lessons() if lesson.startswith(f"{page.stem}/")]
    assert list(rows) == names
    assert re.findall(r"^\.\./lessons/([\w/]+)$", text, flags=re.MULTILINE) == names
    for lesson, row in rows.items():
        points, hours = facts_of(lesson)
        assert row.endswith(f"| {points} | {hours} |")


# The checks above, seen to fail.


@pytest.mark.parametrize(
    ("change", "is_right"),
    [
        (lambda parts: parts, True),
        (lambda parts: parts[:-1], False),
        (lambda parts: [*parts[:2], parts[3], parts[2], *parts[4:]], False),
        (lambda parts: [*parts, "## Something else"], False),
        (lambda parts: [parts[0], "```{launch} 02_other", *parts[2:]], False),
    ],
)
def test_a_missing_moved_added_or_foreign_part_is_seen(change: Callable, is_right: bool):
    text = "\n\n".join(change(PARTS)).replace("NAME", "01_tensor").replace("Title", "01 Tensor")
    text += "\n\n```python\n>>> 1  # a comment\n# 1\n```\n"
    assert (parts_of(text, "01_tensor") == PARTS) is is_right


def test_an_output_that_is_not_so_is_seen():
    page = "```python\n>>> x = 1\n>>> x + 1\n{}\n```\n\n```python\n>>> x\n1\n```\n"
    assert failures_of(examples_of(page.format(2), "page")) == ""
    assert "Expected:\n    3\nGot:\n    2" in failures_of(examples_of(page.format(3), "page"))
    with pytest.raises(ValueError, match="shows no output"):
        examples_of("```python\nx = 1\n```\n", "page")


def test_a_row_is_found_by_its_lesson_alone():
    row = "| {doc}`Toy <../lessons/01_toy/toy>` | a lesson | 10 points | 1 hour |"
    assert rows_of(f"| notebook |\n|---|\n{row}\n| total | 10 points |") == {"01_toy/toy": row}
