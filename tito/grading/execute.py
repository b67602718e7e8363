"""Run one prepared notebook: text in, text out; no gradebook and no course folder."""

import tempfile
from pathlib import Path

import nbformat

from tito.notebook import dump_notebook
from tito.run import run_notebook

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
    with tempfile.TemporaryDirectory(prefix="tito-run-", ignore_cleanup_errors=True) as folder:
        run_notebook(
            nb,
            cwd=Path(folder),
            packages=packages,
            cell_seconds=cell_seconds,
            total_seconds=total_seconds,
        )
    return dump_notebook(nb)
