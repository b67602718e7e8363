"""Nothing live leaves a submission, and no hidden test."""

import base64
import re

import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell

from tito.grading.hide import HIDDEN_LINE, HideTests
from tito.grading.page import render
from tito.grading.report import NOT_GRADED, Row
from tito.grading.sanitize import MAX_OUTPUT_CHARACTERS, Sanitize, as_typed, inert

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n and more").decode()
LIVE = {
    "text/html": "<script>1</script>",
    "image/svg+xml": "<svg onload='1'/>",
    "application/javascript": "1",
    "text/markdown": "<img src=x onerror=1>",
    "text/latex": r"$\href{javascript:1}{x}$",
    "application/vnd.jupyter.widget-view+json": {"model_id": "1"},
}
PROSE = [
    "<script>alert(1)</script>",
    "text\n<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "![x](http://elsewhere.example/x.png)",
    "\n\n```\n</code></pre><script>1</script>",
    "$$\\require{html}\\href{javascript:1}{x}$$",
    "a\r<script>1</script>",
    "a\u2028<iframe src=x>",
    "- item\n\n        <svg onload=1>",
    "<style>body{display:none}</style>",
    "\t<script>1</script>",
    "<meta http-equiv=refresh content=0>",
]


def shown(*outputs) -> list:
    """What Sanitize leaves of the outputs of a cell."""
    nb = new_notebook(cells=[new_code_cell("1", outputs=list(outputs))])
    return Sanitize().preprocess(nb, {})[0].cells[0].outputs


@pytest.mark.parametrize("kind", LIVE)
def test_a_live_output_goes_and_its_text_stays(kind):
    data = {kind: LIVE[kind], "text/plain": "<Table>"}
    assert [output.data for output in shown(new_output("display_data", data=data))] == [
        {"text/plain": "<Table>"}
    ]
    (alone,) = shown(new_output("display_data", data={kind: LIVE[kind]}))
    assert alone.data == {"text/plain": "[an output that is no text: not shown]"}


def test_pictures_stay():
    (output,) = shown(new_output("display_data", data={"image/png": PNG}))
    assert output.data == {"image/png": PNG}


@pytest.mark.parametrize(
    "forged",
    ['x" onerror="1', PNG + '"><script>', base64.b64encode(b"<svg/>").decode(), ["a"]],
)
def test_a_picture_that_is_none_goes(forged):
    (output,) = shown(new_output("display_data", data={"image/png": forged}))
    assert list(output.data) == ["text/plain"]


def test_metadata_and_attachments_go():
    cell = new_markdown_cell("x", metadata={"nbgrader": {"grade_id": "a"}, "tags": ["<b>"]})
    cell["attachments"] = {"x.svg": {"image/svg+xml": "<svg/>"}}
    nb = new_notebook(cells=[cell], metadata={"widgets": {"a": 1}, "title": "<script>"})
    nb, _ = Sanitize().preprocess(nb, {})
    assert nb.metadata == {"language_info": {"name": "python"}}
    assert nb.cells[0].metadata == {"nbgrader": {"grade_id": "a"}}
    assert "attachments" not in nb.cells[0]


@pytest.mark.parametrize("source", PROSE)
@pytest.mark.parametrize("kind", [new_markdown_cell, new_raw_cell])
def test_prose_is_shown_as_it_was_typed(source, kind):
    nb, _ = Sanitize().preprocess(new_notebook(cells=[kind(source)]), {})
    html = markdown2html_mistune(nb.cells[0].source)  # what formgrader's template calls
    assert set(re.findall(r"<\s*(\w+)", html)) == {"pre", "code"}


def test_the_same_prose_is_live_without_sanitising():
    assert PROSE[0] in markdown2html_mistune(PROSE[0])


def test_prose_as_typed_keeps_every_line():
    assert as_typed("a\n\n b") == "    a\n    \n     b"


def test_an_endless_output_is_cut_and_says_so():
    output = inert(new_output("stream", name="stderr", text="x" * (MAX_OUTPUT_CHARACTERS + 5)))
    assert output.name == "stdout"
    assert output.text.endswith("x\n[5 more characters are not shown]")


def test_a_page_escapes_what_it_is_given_and_forbids_the_rest():
    row = Row("<script>", "01_toy", NOT_GRADED, notes=("<img src=x onerror=1>",))
    page = render("not_graded.html.j2", row=row)
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "<img" not in page
    assert "default-src &#39;none&#39;" in page


HIDDEN = "assert double(secret_input) == 2 * secret_input"
TEST = f"""def test_double():
    assert double(3) == 6, "no"
    ### BEGIN HIDDEN TESTS
    x = 1
    {HIDDEN}
    ### END HIDDEN TESTS


test_double()"""


def hidden(own_output, test_output=None):
    """The cells of a notebook with a hidden test after HideTests: the student's own, the test."""
    marks = {"nbgrader": {"grade_id": "test-double", "grade": True}}
    outputs = [] if test_output is None else [test_output]
    test = new_code_cell(TEST, metadata=marks, outputs=outputs)
    nb = new_notebook(cells=[new_code_cell("print(In)", outputs=[own_output]), test])
    return HideTests().preprocess(nb, {})[0].cells


def test_hidden_tests_are_no_part_of_the_page():
    own, test = hidden(new_output("stream", text="hello x = 1"))
    assert "HIDDEN" not in test.source
    assert "secret" not in test.source
    assert "assert double(3) == 6" in test.source
    assert own.outputs[0].text == "hello x = 1", "a short line is anybody's"


@pytest.mark.parametrize(
    "output",
    [
        new_output("stream", text=f"it is\n    {HIDDEN}\n"),
        new_output("display_data", data={"text/plain": repr([TEST])}),
        new_output("error", ename="E", evalue=HIDDEN, traceback=["a", f"---> 3 {HIDDEN}"]),
    ],
)
def test_printing_the_tests_shows_no_hidden_line(output):
    own, _ = hidden(output)
    assert "secret_input" not in str(own.outputs)
    assert HIDDEN_LINE in str(own.outputs)


def test_a_failing_tests_traceback_is_its_message():
    failure = new_output("error", ename="E", evalue="no", traceback=[f"---> 3 {HIDDEN}", "x"])
    _, test = hidden(new_output("stream", text=""), failure)
    assert test.outputs[0].traceback == ["E: no"]
