"""Notebooks as files: read them carefully, write them the same way every time."""

import json
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tito.errors import TitoError

NBFORMAT_MINOR = 5  # the first with cell ids
START = "start"  # the grade_id of the cell that the build puts behind the title


def read_notebook(path: Path) -> NotebookNode:
    """Read a notebook in format 4. Raises TitoError with the reason when it cannot be one."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise TitoError(f"{path} does not exist.") from error
    except UnicodeDecodeError as error:
        raise TitoError(f"{path.name} is not a text file: save it again as .ipynb.") from error
    try:
        raw = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        reason = getattr(error, "msg", "nested too deep")
        raise TitoError(
            f"{path.name} is not a notebook (JSON: {reason}): save it again as .ipynb."
        ) from error
    if not isinstance(raw, dict) or not isinstance(raw.get("cells"), list):
        raise TitoError(f"{path.name} is JSON but has no list of cells: save it again as .ipynb.")
    try:
        return nbformat.reads(text, as_version=4)
    except Exception as error:  # nbformat raises whatever a malformed field provokes
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise TitoError(
            f"{path.name} is not a valid notebook ({reason}): save it again."
        ) from error


def dump_notebook(nb: NotebookNode) -> str:
    """The one text of a notebook: sorted keys, one-space indent, UTF-8, a newline at the end."""
    nb = nbformat.from_dict({**nb, "nbformat": 4, "nbformat_minor": NBFORMAT_MINOR})
    return nbformat.writes(nb, version=nbformat.NO_CONVERT).rstrip("\n") + "\n"


def write_notebook(nb: NotebookNode, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dump_notebook(nb), encoding="utf-8", newline="\n")


def new_notebook(cells: list[NotebookNode]) -> NotebookNode:
    """A Python notebook of these cells, with no trace of who saved it or with which version."""
    return nbformat.v4.new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )


def grade_id(cell: NotebookNode) -> str | None:
    """The cell's nbgrader name, or None for a cell nbgrader does not know."""
    meta = cell.metadata.get("nbgrader")
    return meta.get("grade_id") if isinstance(meta, dict) else None


def is_graded(cell: NotebookNode) -> bool:
    return grade_id(cell) is not None and bool(cell.metadata["nbgrader"].get("grade"))


def is_solution(cell: NotebookNode) -> bool:
    return grade_id(cell) is not None and bool(cell.metadata["nbgrader"].get("solution"))
