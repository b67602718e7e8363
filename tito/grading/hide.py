"""Feedback without the hidden tests, so that they can be used again next year."""

import re

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from tito.grading.text import one_line
from tito.notebook import is_graded

HIDDEN_LINE = "[a line of a hidden test]"
MIN_CHARACTERS = 12  # a shorter line, such as `x = 1`, gives nothing away and may be anybody's
_HIDDEN = re.compile(
    r"^[ \t]*### BEGIN HIDDEN TESTS[^\n]*\n(.*?)^[ \t]*### END HIDDEN TESTS[ \t]*\n?",
    re.DOTALL | re.MULTILINE,
)


class HideTests(NbGraderPreprocessor):
    """Take the hidden tests out of graded cells, and their lines out of every output.

    A submission runs beside the tests and could print them; whoever encodes them first still can.
    """

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """The notebook without hidden tests; their lines stay in the resources, for the page."""
        hidden = resources["hidden_lines"] = hidden_lines(nb)
        for cell in nb.cells:
            if cell.cell_type != "code":
                continue
            if is_graded(cell):
                cell.source = _HIDDEN.sub("", cell.source)
            for output in cell.outputs:
                _hide(output, hidden, is_test=is_graded(cell))
        return nb, resources


def hidden_lines(nb: NotebookNode) -> list[str]:
    """The lines of the hidden tests that nobody else would write; the longest first."""
    graded = [cell.source for cell in nb.cells if is_graded(cell)]
    visible = {
        line.strip()
        for cell in nb.cells
        for line in (_HIDDEN.sub("", cell.source) if is_graded(cell) else "").splitlines()
    }
    lines = {
        line.strip()
        for source in graded
        for region in _HIDDEN.findall(source)
        for line in region.splitlines()
    }
    telling = [line for line in lines - visible if len(line) >= MIN_CHARACTERS]
    return sorted(telling, key=len, reverse=True)


def _hide(output: NotebookNode, hidden: list[str], *, is_test: bool) -> None:
    if output.output_type == "stream":
        output.text = without_lines(output.text, hidden)
    elif output.output_type == "error":
        output.evalue = without_lines(output.evalue, hidden)
        if is_test:  # a traceback shows the lines around the one that failed
            output.traceback = [one_line(f"{output.ename}: {output.evalue}")]
        output.traceback = [without_lines(line, hidden) for line in output.traceback]
    elif "text/plain" in output.data:  # and pictures; Sanitize left nothing else
        output.data["text/plain"] = without_lines(output.data["text/plain"], hidden)


def without_lines(text: str, hidden: list[str]) -> str:
    """`text` with every hidden line struck out."""
    for line in hidden:
        text = text.replace(line, HIDDEN_LINE)
    return text
