"""A submission's notebook made inert: text and pictures stay, nothing that could be live."""

import base64
import binascii

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor

MAX_PICTURE_BYTES = 2_000_000
MAX_OUTPUT_CHARACTERS = 20_000
_BEGINNINGS = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}


class Sanitize(NbGraderPreprocessor):
    """Leave nothing in a notebook that a browser would run, load or lay over the page.

    An output keeps its plain text and its PNG or JPEG; HTML, SVG, JavaScript, LaTeX and widgets go.
    Prose is shown as it was typed: cleaning Markdown leaves links, pictures from elsewhere and
    formulas, which load macros. Metadata that is not nbgrader's goes, too.
    """

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """The inert notebook; of its metadata only that the code is Python's."""
        nb.metadata = NotebookNode(language_info=NotebookNode(name="python"))
        return super().preprocess(nb, resources)

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict, cell_index: int
    ) -> tuple[NotebookNode, dict]:
        marks = cell.metadata.get("nbgrader")
        cell.metadata = NotebookNode() if marks is None else NotebookNode(nbgrader=marks)
        if cell.cell_type == "code":
            cell.outputs = [inert(output) for output in cell.outputs]
        else:
            cell.cell_type = "markdown"
            cell.source = as_typed(cell.source)
        cell.pop("attachments", None)
        return cell, resources


def as_typed(text: str) -> str:
    """Markdown that shows `text` itself: an indented block of code, which no line can end."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def inert(output: NotebookNode) -> NotebookNode:
    """An output of which only text and pictures are left."""
    if output.output_type == "stream":
        return new_output("stream", name="stdout", text=_cut(output.text))
    if output.output_type == "error":
        lines = [_cut(line) for line in output.traceback]
        return new_output("error", ename=output.ename, evalue=output.evalue, traceback=lines)
    data = {kind: output.data[kind] for kind in _BEGINNINGS if _is_picture(output.data, kind)}
    if not data or "text/plain" in output.data:
        plain = output.data.get("text/plain", "[an output that is no text: not shown]")
        data["text/plain"] = _cut(str(plain))
    return new_output("display_data", data=data)


def _is_picture(data: dict, kind: str) -> bool:
    """Whether `data` holds a picture of this very kind: base64 and nothing else, of sane size."""
    text = data.get(kind)
    if not isinstance(text, str) or len(text) > 4 / 3 * MAX_PICTURE_BYTES + 1000:
        return False
    try:
        raw = base64.b64decode("".join(text.split()), validate=True)
    except (ValueError, binascii.Error):
        return False
    return raw.startswith(_BEGINNINGS[kind])


def _cut(text: str) -> str:
    left = len(text) - MAX_OUTPUT_CHARACTERS
    if left <= 0:
        return text
    return f"{text[:MAX_OUTPUT_CHARACTERS]}\n[{left:,} more characters are not shown]"
