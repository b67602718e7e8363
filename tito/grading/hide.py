"""Feedback without the hidden tests, so that they can be used again next year."""

import re

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from tito.grading.text import one_line
from tito.notebook import is_graded

_HIDDEN = re.compile(
    r"^[ \t]*### BEGIN HIDDEN TESTS.*?^[ \t]*### END HIDDEN TESTS[ \t]*\n?",
    re.DOTALL | re.MULTILINE,
)


class HideTests(NbGraderPreprocessor):
    """Take hidden tests out of graded cells, and tracebacks too, which would show their lines."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict, cell_index: int
    ) -> tuple[NotebookNode, dict]:
        if is_graded(cell) and cell.cell_type == "code":
            cell.source = _HIDDEN.sub("", cell.source)
            for output in cell.outputs:
                if output.output_type == "error":
                    output.traceback = [one_line(f"{output.ename}: {output.evalue}")]
        return cell, resources
