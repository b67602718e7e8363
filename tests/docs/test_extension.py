"""What the site adds to Sphinx, on the toy course: outputs, pages, excerpts, diagram, reference."""

import ast
from copy import deepcopy
from xml.etree import ElementTree

import pytest
from coursesite import execute
from coursesite.api import markdown, reference, signature
from coursesite.diagram import LETTERS, build_diagram
from coursesite.errors import as_markdown, common_errors
from coursesite.excerpts import questions, reading, summary
from coursesite.lessons import page, write_pages
from coursesite.names import brought, names_of

from tests.conftest import REPOSITORY, copy_of_toy
from tito.course import Course
from tito.errors import TitoError

ENDING = """
# %%
import matplotlib.pyplot as plt

_, axes = plt.subplots()
axes.set(title="Twice as steep", xlabel="x", ylabel="y")
plt.show()

# %% [markdown]
# ## Check your understanding
#
# Answer first; the cell below computes all.
#
# 1. Twice 4?
#
# <details><summary>Answers; the cell below computes them</summary>
#
# 1. 8
#
# </details>

# %% [markdown]
# ## Recap
#
# Twice.
#
# ## Further reading
#
# - Euclid, *Elements*, book 7.
# - Euclid, *Elements*, book 7.
#
# **Next:** More.
"""


@pytest.fixture(scope="module")
def course(built_toy, tmp_path_factory) -> Course:
    """The toy course, with a figure, questions and references at the end of its first lesson."""
    course = copy_of_toy(built_toy, tmp_path_factory.mktemp("site") / "course")
    with (course.root / "source/01_toy/toy.py").open("a", encoding="utf-8") as file:
        file.write(ENDING)
    return course


@pytest.fixture(scope="module")
def solved(course):
    """The toy lessons with their outputs."""
    return execute.solved_with_outputs(course, course.lessons())


@pytest.fixture(scope="module")
def toy_page(course, solved):
    lesson = course.lessons()[0]
    return page(course, lesson, deepcopy(solved[lesson]))


def cells_of(nb) -> dict:
    return {cell.id: cell for cell in nb.cells}


def test_a_page_has_the_blanks_of_the_release_over_the_outputs_of_the_solution(toy_page):
    cells = cells_of(toy_page)
    assert "NotImplementedError" in cells["double"].source
    assert "2 * x" not in cells["double"].source
    assert "#| export" not in cells["double"].source
    assert cells["double"].metadata["tags"] == ["exercise"]
    pictures = [out for cell in toy_page.cells for out in cell.get("outputs", []) if "data" in out]
    assert ["image/png" in out.data for out in pictures] == [True]


def test_a_page_shows_no_hidden_test_and_folds_the_others(toy_page):
    test = cells_of(toy_page)["test-double"]
    assert "did you add 2" in test.source
    assert "challenge.standard_normal" not in test.source
    assert test.metadata["tags"] == ["hide-input"]
    assert test.metadata["mystnb"]["code_prompt_show"] == "The test (4 points)"


def test_a_page_has_its_title_then_its_buttons_and_no_plumbing(toy_page):
    first, second, *_ = toy_page.cells
    assert first.source.startswith("# Toy\n> ")
    assert second.source == "```{launch} 01_toy/toy\n```"
    text = "\n".join(cell.source for cell in toy_page.cells)
    assert "default_exp" not in text
    assert "google.colab" not in text, "the start cell"
    assert "](http" not in first.source, "badges come from elsewhere"


def test_a_figure_is_told_in_words(toy_page):
    told = [
        cell.metadata["mystnb"]["image"] for cell in toy_page.cells if "image" in str(cell.metadata)
    ]
    assert told == [{"alt": "Figure: Twice as steep"}]


def test_a_lesson_is_run_once_and_again_when_it_changed(course, solved, monkeypatch):
    def refuse(nb, **options):
        raise AssertionError("run again")

    monkeypatch.setattr(execute, "run_notebook", refuse)
    again = execute.solved_with_outputs(course, course.lessons())
    assert list(again.values()) == list(solved.values())
    package = course.root / course.lessons()[0].exported
    before = package.read_text(encoding="utf-8")
    package.write_text(f"{before}\n# another way\n", encoding="utf-8")
    first, second = course.lessons()
    execute.solved_with_outputs(course, [first])  # its own export is not what it stands on
    with pytest.raises(AssertionError, match="run again"):
        execute.solved_with_outputs(course, [second])
    package.write_text(before, encoding="utf-8")


def test_a_lesson_that_fails_stops_the_site(toy):
    source = toy.root / "source/01_toy/toy.py"
    text = source.read_text(encoding="utf-8").replace("return 2 * x", "return 3 * x")
    source.write_text(text, encoding="utf-8")
    with pytest.raises(
        TitoError, match=r"source/01_toy/toy\.py, cell test-double: double\(3\) is 6"
    ):
        execute.solved_with_outputs(toy, toy.lessons()[:1])


def test_pages_that_did_not_change_keep_their_time_and_orphans_go(course, solved, tmp_path):
    first, second = course.lessons()
    write_pages(course, tmp_path, deepcopy(solved))
    path = tmp_path / "lessons/01_toy/toy.ipynb"
    stamp = path.stat().st_mtime_ns
    write_pages(course, tmp_path, {first: deepcopy(solved[first])})
    assert path.stat().st_mtime_ns == stamp
    assert not (tmp_path / f"lessons/02_more/{second.name}.ipynb").exists()


def test_questions_come_with_folded_answers_and_without_what_is_true_in_the_lesson_only(course):
    text = questions(course, course.module("01"))
    assert text.startswith("**From [toy](/lessons/01_toy/toy.ipynb)**\n\n1. Twice 4?")
    assert "<summary>Answers</summary>" in text
    assert "below" not in text
    assert questions(course, course.module("02")) == ""


def test_references_come_once(course):
    assert reading(course, course.module("01")) == "- Euclid, *Elements*, book 7."


def test_a_module_is_told_by_its_row_in_the_readme(course):
    readme = course.root / "README.md"
    readme.write_text("| [02_more](release/02_more) | `more`, twice | `core.more` |\n", "utf-8")
    assert summary(course, course.module("02")) == "`more`, twice"
    with pytest.raises(TitoError, match="no row for 01_toy"):
        summary(course, course.module("01"))


def test_names_are_read_from_the_sources(course):
    _, more = course.lessons()
    names = names_of(course, more)
    assert names.exported == ("quadruple",)
    assert names.imported == {"core.toy": ("double",)}
    assert brought(course, course.module("02")) == {course.module("01"): ("double",)}


def test_the_diagram_says_the_same_to_the_eye_and_to_a_screen_reader(course):
    svg = ElementTree.fromstring(build_diagram(course, course.module("02")))
    space = "{http://www.w3.org/2000/svg}"
    shown = [text.text for text in svg.iter(f"{space}text")]
    told = svg.find(f"{space}desc").text
    assert shown == [
        *("You bring", "01 toy: double"),
        *("You build: more", "quadruple"),
        *("In your package", "tinytorch.core.more"),
    ]
    assert all(line in told for line in shown)
    assert svg.get("aria-labelledby").split() == [
        svg.find(f"{space}{tag}").get("id") for tag in ("title", "desc")
    ]


@pytest.mark.parametrize("module", Course(REPOSITORY).modules(), ids=lambda module: module.folder)
def test_no_line_of_a_diagram_leaves_its_box(module):
    svg = ElementTree.fromstring(build_diagram(Course(REPOSITORY), module))
    lines = [text.text for text in svg.iter() if text.get("class") == "code"]
    assert lines
    assert max(map(len, lines)) <= LETTERS


def test_the_reference_gives_signature_and_docstring_of_what_is_exported(course):
    text = reference(course, course.module("01"))
    assert "```{py:function} double(x)\n:module: tinytorch.core.toy\n\nTwice x\\.\n```" in text
    assert "test_double" not in text


def test_a_signature_is_shown_without_self_and_a_docstring_means_what_it_says():
    define = ast.parse("def forward(self, x: Tensor, dim: int = -1) -> Tensor: ...").body[0]
    assert signature(define, skip_first=True) == "(x: Tensor, dim: int=-1) -> Tensor"
    text = markdown("Of `a_b` * 2 -> <x>.\n\n>>> f(1)\n2")
    assert text == "Of `a_b` \\* 2 \\-\\> \\<x\\>\\.\n\n~~~pycon\n>>> f(1)\n2\n~~~"


def test_a_common_error_shows_code_message_and_reason(course):
    with pytest.raises(TitoError, match=r"docs/errors/01_toy\.toml is missing"):
        common_errors(course, course.module("01"))
    folder = course.root / "docs/errors"
    folder.mkdir(parents=True)
    (folder / "01_toy.toml").write_text(
        '[[error]]\ntitle = "T"\ncode = "1 / 0"\nmessage = "ZeroDivisionError"\nwhy = "W"\n'
        '[[error]]\ntitle = "C"\ncommand = "tito x"\nmessage = "m"\nwhy = "W"\n',
        encoding="utf-8",
    )
    text = as_markdown(common_errors(course, course.module("01")))
    for part in ("~~~python\n1 / 0\n~~~", "\n\nZeroDivisionError\n~~~\n\nW", "~~~sh\ntito x\n~~~"):
        assert part in text
    (folder / "01_toy.toml").write_text(
        '[[error]]\ntitle = "T"\nmutant = "01_toy/toy: none"\nmessage = "m"\nwhy = "W"\n', "utf-8"
    )
    with pytest.raises(TitoError, match="no mutant '01_toy/toy: none'"):
        common_errors(course, course.module("01"))
