"""Run one prepared notebook: text in, text out; no gradebook and no course folder."""

import ast
import asyncio
import secrets
from contextlib import nullcontext
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_output

from tito.errors import TitoError
from tito.grading import canaries, kernel
from tito.grading.canaries import DishonestError
from tito.grading.challenge import INJECTED, MIME
from tito.grading.kernel import Kernel, KernelEndedError, Reply
from tito.grading.limits import Limits
from tito.grading.outputs import Outputs
from tito.grading.room import Room
from tito.notebook import dump_notebook, is_graded, is_solution

DISHONEST, NOT_RUN, TIMEOUT, LIMIT = "Dishonest", "NotRun", "CellTimeoutError", "LimitError"


def execute(notebook: str, packages: Path, room: Room | None = None) -> str:
    """The notebook with its outputs. It runs in a fresh folder; `packages` is all it may import.

    The `room` is that of its submission; without one it gets a sandbox with the usual limits.

    It runs to its last graded cell: no points depend on what comes after, which in a lesson is its
    measurements and takes half of the time.
    Whatever a cell does ends up in its outputs: an error, a timeout, the death of the kernel. The
    observations of a graded cell stand there too, for `challenge.take_out`: written here, whatever
    the cell itself displayed. A graded cell in a world that is not honest ends in an error that
    says what was replaced.
    """
    nb = nbformat.reads(notebook, as_version=4)
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    with nullcontext(room) if room else Room() as place:
        asyncio.run(_run_all(nb, packages, place))
    return dump_notebook(nb)


async def _run_all(nb: NotebookNode, packages: Path, room: Room) -> None:
    waiting = _to_run(nb)
    async with kernel.start(room, packages) as running:
        run = _Run(running, room.limits)
        try:
            run.honest, _ = await canaries.ask(running, [])
            while waiting:
                await run.cell(waiting[0])
                waiting.pop(0)
        except DishonestError as error:
            raise TitoError(f"The kernel is none of IPython's ({error}): mend .venv.") from error
        except KernelEndedError as error:
            reason = f"the cell {error}"
            waiting[0].outputs.append(_error(NOT_RUN, reason))
            for cell in waiting[1:]:
                said = f"not run: an earlier cell stopped the notebook ({reason})"
                cell.outputs = [_error(NOT_RUN, said)]


def _to_run(nb: NotebookNode) -> list[NotebookNode]:
    """The code cells up to the last graded one; all of them when none is graded."""
    cells = [cell for cell in nb.cells if cell.cell_type == "code" and cell.source.strip()]
    ends = [number for number, cell in enumerate(cells, 1) if is_graded(cell)]
    return cells[: ends[-1]] if ends else cells


class _Run:
    """A notebook on its way through a kernel."""

    def __init__(self, running: Kernel, limits: Limits) -> None:
        self.honest: canaries.Marks = {}
        self._kernel = running
        self._limits = limits
        self._seed: list[int] | None = None
        self._helpers: dict[str, str] = {}

    async def cell(self, cell: NotebookNode) -> None:
        """Run one cell; its outputs are there even when the kernel ends with it."""
        outputs = Outputs()
        try:
            if injected := cell.metadata.get(INJECTED):
                self._seed = injected["seed"]
            elif is_graded(cell) and self._seed is not None:
                await self._graded_cell(cell, outputs)
                self._seed = None
            else:
                await self._plain_cell(cell.source, outputs)
                self._helpers |= _helpers(cell)
        finally:
            cell.outputs = [*outputs.as_list(), *cell.outputs]

    async def _graded_cell(self, cell: NotebookNode, outputs: Outputs) -> None:
        """Run a test between two looks at its world, and take over what it observed.

        The last thing it observes is a token that nobody knew before: it ran to its end.
        """
        names = [*self._helpers, "challenge", "observe"]
        token = f"end-{secrets.token_hex(16)}"
        outputs.secret = token
        set_up = f"set_up({self._seed!r}, {self._helpers!r}, challenge_and_observe)"
        try:
            before, _ = await canaries.ask(self._kernel, names, set_up)
            canaries.compare_marks(self.honest, before)
            await canaries.check_assert(self._kernel)
        except DishonestError as error:
            outputs.fail(DISHONEST, str(error))
            return
        reply = await self._plain_cell(f"{cell.source}\n\nobserve({token!r}, True)", outputs)
        try:
            after, answer = await canaries.ask(self._kernel, names, "hand_over()")
            canaries.compare_marks(before, after)
        except DishonestError as error:
            outputs.fail_first(DISHONEST, str(error))
            return
        if reply.error is None:
            cell.outputs = [_observation(message) for message in _until(token, answer)]

    async def _plain_cell(self, source: str, outputs: Outputs) -> Reply:
        reply = await self._kernel.run(source, outputs, seconds=self._limits.cell_seconds)
        if reply.error == TIMEOUT:
            outputs.fail_first(TIMEOUT, f"the cell {reply.message}")
        elif reply.error == "MemoryError":
            limit = f"the cell needed more memory than the limit of {self._limits.memory_mb} MB"
            outputs.fail_first(LIMIT, limit)
        elif reply.error is not None and not outputs.failed:
            outputs.fail(reply.error, reply.message)
        if outputs.dropped:
            said = f"\n[the notebook printed more than {self._limits.output_mb} MB: dropped]\n"
            outputs.add("stream", {"name": "stdout", "text": said})
        return reply


def _until(token: str, answer: dict) -> list:
    """What was observed before the token; nothing when the token is not the last."""
    observed = answer.get("observed")
    if not isinstance(observed, list) or not observed:
        return []
    *messages, last = observed
    is_end = isinstance(last, dict) and last.get("name") == token
    return messages if is_end else []


def _helpers(cell: NotebookNode) -> dict[str, str]:
    """The plain functions that a given cell offers to the tests after it, by name."""
    marks = cell.metadata.get("nbgrader", {})
    if (
        not marks.get("locked")
        or is_solution(cell)
        or is_graded(cell)
        or "#| export" in cell.source
    ):
        return {}
    return {
        node.name: ast.unparse(node)
        for node in ast.parse(cell.source).body
        if isinstance(node, ast.FunctionDef) and not node.decorator_list
    }


def _observation(message: object) -> NotebookNode:
    return new_output("display_data", data={MIME: message})


def _error(kind: str, message: str) -> NotebookNode:
    return new_output("error", ename=kind, evalue=message, traceback=[f"{kind}: {message}"])
