"""Run the graded part of a notebook in a fork of this process: IPython, but no kernel to start.

A variant takes a tenth of a second instead of two; `test_kernel.py` holds both ways equal. Only the
cells that tests may rely on run: those with nbgrader metadata and those that are exported.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot  # noqa: F401  imported once, before the forks
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from nbformat import NotebookNode
from nbformat.v4 import new_output

from tito.grading.challenge import INJECTED
from tito.notebook import grade_id


def quick_run(nb: NotebookNode, packages: Path) -> NotebookNode:
    """Give `nb` the outputs (errors and displayed data) of a run over `packages`; return it."""
    needed = [cell for cell in nb.cells if cell.cell_type == "code" and _is_needed(cell)]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        child = os.fork()
        if child == 0:
            try:
                _run_in_child([cell.source for cell in needed], packages, report)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        outputs = json.loads(report.read_text(encoding="utf-8"))
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    for cell, found in zip(needed, outputs, strict=True):
        cell.outputs = [NotebookNode(output) for output in found]
    return nb


def _is_needed(cell: NotebookNode) -> bool:
    return bool(grade_id(cell) or cell.metadata.get(INJECTED) or "#| export" in cell.source)


def _run_in_child(sources: list[str], packages: Path, report: Path) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.environ["MPLBACKEND"] = "agg"
    sys.path.insert(0, str(packages))
    for name in [name for name in sys.modules if name.split(".")[0] == "tinytorch"]:
        del sys.modules[name]

    shell = InteractiveShell.instance()
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None
    shell.display_pub = CapturingDisplayPublisher()
    outputs = []
    for source in sources:
        shell.display_pub.outputs = []
        result = shell.run_cell(source, store_history=False)
        found = [
            new_output("display_data", data=shown["data"]) for shown in shell.display_pub.outputs
        ]
        error = result.error_before_exec or result.error_in_exec
        if error is not None:
            found.append(new_output("error", ename=type(error).__name__, evalue=str(error)))
        outputs.append(found)
    report.write_text(json.dumps(outputs), encoding="utf-8")
