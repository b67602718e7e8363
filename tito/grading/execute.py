"""Run one prepared notebook: text in, text out; no gradebook and no course folder."""

import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_output

from tito.notebook import dump_notebook
from tito.run import failure_of, run_notebook

CELL_SECONDS = 30
TOTAL_SECONDS = 300


def execute(
    notebook: str,
    packages: Path,
    cell_seconds: float = CELL_SECONDS,
    total_seconds: float = TOTAL_SECONDS,
) -> str:
    """The notebook with its outputs. It runs in a fresh folder; `packages` is all it may import.

    Whatever a cell does ends up in its outputs: an error, a timeout, the death of the kernel.
    """
    nb = nbformat.reads(notebook, as_version=4)
    finished: set[int] = set()
    with tempfile.TemporaryDirectory(prefix="tito-run-", ignore_cleanup_errors=True) as folder:
        run_notebook(
            nb,
            cwd=Path(folder),
            packages=packages,
            cell_seconds=cell_seconds,
            total_seconds=total_seconds,
            on_cell=finished.add,
        )
    _fail_unfinished(nb, finished)
    return dump_notebook(nb)


def _fail_unfinished(nb: NotebookNode, finished: set[int]) -> None:
    """A cell whose end was never reported earns nothing, however good its outputs look so far."""
    reason = "the cell did not run to its end: it stopped the kernel or took too long"
    for number, cell in enumerate(nb.cells):
        is_unfinished = cell.cell_type == "code" and cell.source.strip() and number not in finished
        if is_unfinished and failure_of(cell) is None:
            error = new_output("error", ename="NotRun", evalue=reason, traceback=[reason])
            cell.outputs.append(error)
