"""Run a notebook from top to bottom in a clean kernel of this very Python."""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output

CELL_SECONDS = 120
TOTAL_SECONDS = 900


class _ThisPython(AsyncKernelManager):
    """A kernel of the running interpreter; a `python3` kernelspec may belong to another."""

    @property
    def kernel_spec(self) -> KernelSpec:
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name="Python 3", language="python")


@dataclass(frozen=True)
class Failure:
    """Why a cell failed: the exception's name and what it said."""

    kind: str
    message: str

    @property
    def is_blank(self) -> bool:
        return self.kind == "NotImplementedError"

    def __str__(self) -> str:
        return (
            self.message
            if self.kind == "AssertionError" and self.message
            else (f"{self.kind}: {self.message}".rstrip(": "))
        )


def run_notebook(
    nb: NotebookNode,
    *,
    cwd: Path,
    packages: Path | None = None,
    cell_seconds: float = CELL_SECONDS,
    total_seconds: float = TOTAL_SECONDS,
    on_cell: Callable[[int], None] | None = None,
) -> NotebookNode:
    """Run every code cell of `nb` in order, whatever fails, and return it with its outputs.

    `packages` is a folder whose packages come before all installed ones. A cell that takes longer
    than `cell_seconds` is interrupted. When the kernel dies or `total_seconds` are over, the cell
    at fault says so and the cells after it say that they did not run.
    """
    env = dict(os.environ)
    if packages is not None:
        env["PYTHONPATH"] = str(packages)
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    finished: set[int] = set()

    def done(cell: NotebookNode, cell_index: int, execute_reply: dict) -> None:
        finished.add(cell_index)
        _note(cell, execute_reply)
        if on_cell is not None:
            on_cell(cell_index)

    with tempfile.TemporaryDirectory(prefix="tito-", ignore_cleanup_errors=True) as runtime:
        manager = _ThisPython(connection_file=str(Path(runtime, "kernel.json")))
        if os.name != "nt":
            manager.transport = (
                "ipc"  # no ports: two kernels starting at once cannot take each other's
            )
        client = NotebookClient(
            nb,
            km=manager,
            timeout=cell_seconds,
            allow_errors=True,
            interrupt_on_timeout=True,
            error_on_timeout={
                "ename": "CellTimeoutError",
                "evalue": f"the cell ran longer than {cell_seconds:g} s and was stopped",
                "traceback": [],
            },
            shutdown_kernel="immediate",
            resources={"metadata": {"path": str(cwd)}},
            on_cell_executed=done,
        )
        reason = asyncio.run(_run_all(client, env, total_seconds))
    _explain_unfinished(nb, finished, reason)
    return nb


async def _run_all(client: NotebookClient, env: dict[str, str], total_seconds: float) -> str:
    """Run the notebook; why it stopped, when it did not reach its end."""
    started = time.monotonic()
    try:
        run = client.async_execute(env=env, stderr=subprocess.DEVNULL)
        await asyncio.wait_for(run, total_seconds)
    except (DeadKernelError, TimeoutError):  # nbclient makes a dead kernel of a cancelled run
        if client.km.has_kernel:
            await client.km.shutdown_kernel(now=True)
        if time.monotonic() - started >= total_seconds:
            return f"the notebook ran longer than {total_seconds:g} s"
    return "the kernel died in this cell (out of memory, or os._exit?)"


def _note(cell: NotebookNode, reply: dict) -> None:
    """Record an error that only the reply carries, such as a timeout; nbclient leaves it out."""
    content = reply["content"]
    if content["status"] == "error" and failure_of(cell) is None:
        cell.outputs.append(_error(content["ename"], content["evalue"]))


def _explain_unfinished(nb: NotebookNode, finished: set[int], reason: str) -> None:
    """A cell whose end was never reported failed, however good its outputs look so far."""
    message = reason
    for index, cell in enumerate(nb.cells):
        if cell.cell_type == "code" and cell.source.strip() and index not in finished:
            if failure_of(cell) is None:
                cell.outputs.append(_error("NotRun", message))
            message = f"not run: an earlier cell stopped the notebook ({reason})"


def _error(kind: str, message: str) -> NotebookNode:
    return new_output("error", ename=kind, evalue=message, traceback=[f"{kind}: {message}"])


def failure_of(cell: NotebookNode) -> Failure | None:
    """The failure of a cell that was run, or None when it ended well."""
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            return Failure(output.ename, str(output.evalue).strip())
    return None
