"""A hostile submission's feedback in a real browser: nothing of it runs or covers the page."""

import re
from datetime import datetime
from pathlib import Path

import pytest
from nbconvert.exporters import HTMLExporter

from tests.browser.browser import look_at
from tests.conftest import copy_of_toy
from tests.grading.classroom import answered, hand_in, release_of
from tito.grading.feedback import write_feedback
from tito.grading.grade import grade_module
from tito.grading.grades import current_rows
from tito.grading.sanitize import Sanitize
from tito.grading.summary import summary_page
from tito.notebook import read_notebook

pytestmark = pytest.mark.slow

# Each vector that runs leaves its own mark on <html>.
MARK = "document.documentElement.setAttribute('data-ran-{}', 'yes')"
OUTPUTS = f"""#| export
def double(x):
    return x + x


from IPython.display import HTML, SVG, Javascript, Markdown, display

display(HTML("<script>{MARK.format("html")}</script>"))
display(HTML('''<img src="x:" onerror="{MARK.format("onerror")}">'''))
display(HTML('''<iframe srcdoc="<script>parent.{MARK.format("iframe")}</script>"></iframe>'''))
display(HTML("<style>table {{ display: none }}</style>"))
display(SVG("<svg xmlns='http://www.w3.org/2000/svg'><script>{MARK.format("svg")}</script></svg>"))
display(Javascript("{MARK.format("javascript")}"))
display(Markdown("<script>{MARK.format("markdown-output")}</script>"))


class Drawn:
    def _repr_html_(self):
        return "<script>{MARK.format("repr")}</script>"


print("</pre><script>{MARK.format("print")}</script>")
Drawn()
"""
RAISES = f"""#| export
def area(r):
    raise ValueError("</p><script>{MARK.format("message")}</script>")
"""
PROSE = f"<script>{MARK.format('prose')}</script>\n\n<meta http-equiv='refresh' content='0;url=x:'>"


@pytest.fixture(scope="module")
def hostile(built_toy, tmp_path_factory):
    """A course with one hostile submission, graded, and its feedback page."""
    course = copy_of_toy(built_toy, tmp_path_factory.mktemp("hostile") / "course")
    nb = answered(release_of(course), double=OUTPUTS, area=RAISES)
    nb["metadata"]["title"] = f"</title><script>{MARK.format('title')}</script>"
    nb["cells"].append({"cell_type": "markdown", "id": "prose", "metadata": {}, "source": PROSE})
    hand_in(course, "<b onclick=1>eve", nb)
    grade_module(course, course.module("01"))
    (page,) = write_feedback(course, course.module("01"))
    return course, page


def ran(html: str) -> list[str]:
    """The marks that scripts left on the page."""
    return re.findall(r"data-ran-([\w-]+)", re.search(r"<html[^>]*>", html).group())


def browse(path: Path) -> str:
    return look_at(path.resolve().as_uri())


def test_nothing_of_a_submission_runs_in_its_feedback(hostile):
    _, page = hostile
    html = browse(page)
    assert ran(html) == []
    assert "data-ran-html" in html, "the answer itself is shown, as text"
    assert len(re.findall(r"<(?:script|iframe|svg|object)", html)) == 0
    assert len(re.findall("<style", html)) == 1
    assert "4 of 10 points" in html


def test_nothing_of_a_submission_runs_in_the_class_summary(hostile, tmp_path):
    course, _ = hostile
    page = tmp_path / "class.html"
    page.write_text(
        summary_page(current_rows(course, course.module("01")), datetime.now()), "utf-8"
    )
    html = browse(page)
    assert ran(html) == []
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize("is_sanitised", [False, True])
def test_the_same_notebook_as_formgrader_draws_it(hostile, tmp_path, is_sanitised):
    course, _ = hostile
    nb = read_notebook(next(course.root.glob("autograded/*/01_toy/toy.ipynb")))
    exporter = HTMLExporter(
        template_name="classic", preprocessors=[Sanitize] if is_sanitised else []
    )
    page = tmp_path / "page.html"
    page.write_text(exporter.from_notebook_node(nb)[0], encoding="utf-8")
    marks = set(ran(browse(page)))
    live = {"html", "onerror", "iframe", "repr", "markdown-output", "prose"}
    assert marks == set() if is_sanitised else marks >= live, marks
