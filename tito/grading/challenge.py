"""`challenge` and `observe` in a graded run: put them in, take them out, read what was observed."""

import inspect
from copy import deepcopy
from dataclasses import dataclass

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from tito.grading import in_kernel
from tito.notebook import grade_id, is_graded

MIME = "application/vnd.tinytorch.observation+json"
INJECTED = "tinytorch_injected"
MAX_VALUES = 10_000
MAX_OBSERVATIONS = 1_000
MAX_TEXT = 10_000
MAX_DIMENSIONS = 32
_PARSERS = {
    "bool": {"True": True, "False": False}.__getitem__,
    "int": int,
    "float": float,
    "str": str,
}


@dataclass(frozen=True)
class Observation:
    """One value that a graded cell reported: flat `values` of an array of `shape`."""

    name: str
    shape: tuple[int, ...]
    kind: str
    values: tuple
    rtol: float
    atol: float


def prepare(nb: NotebookNode, seed: int) -> NotebookNode:
    """A copy of `nb` whose graded cells find a fresh `challenge` and the real `observe`."""
    cells, number = [], 0
    for cell in deepcopy(nb.cells):
        if is_graded(cell) and cell.cell_type == "code":
            cells.append(_injected_cell(seed, number))
            number += 1
        cells.append(cell)
    return NotebookNode({**nb, "cells": cells})


def _injected_cell(seed: int, number: int) -> NotebookNode:
    """The stand-in for what the grader does before a graded cell; a run without one executes it."""
    functions = (in_kernel.challenge_and_observe, in_kernel.show_observation)
    call = f"challenge_and_observe([{seed}, {number}], show_observation)"
    lines = [*map(inspect.getsource, functions), f"challenge, observe = {call}"]
    return new_code_cell(
        "\n\n".join(lines) + "\ndel challenge_and_observe",
        id=f"injected-{number}",
        metadata={INJECTED: {"seed": [seed, number]}},
    )


def take_out(nb: NotebookNode) -> dict[str, list[Observation | None]]:
    """Remove from a run notebook what `prepare` put in and the observations it led to.

    Returns the observations by grade_id. A message that cannot be read stands as None: the
    student's process can send anything.
    """
    nb.cells = [cell for cell in nb.cells if not cell.metadata.get(INJECTED)]
    observed: dict[str, list[Observation | None]] = {}
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        messages = [output.data[MIME] for output in cell.outputs if _is_observation(output)]
        cell.outputs = [output for output in cell.outputs if not _is_observation(output)]
        if is_graded(cell):
            observed[grade_id(cell)] = [_read(m) for m in messages[:MAX_OBSERVATIONS]]
    return observed


def _is_observation(output: NotebookNode) -> bool:
    data = output.get("data")
    return isinstance(data, dict) and MIME in data


def _read(message: object) -> Observation | None:
    """The observation in a message, or None when it is not exactly one."""
    try:
        name, shape, kind, texts = (message[key] for key in ("name", "shape", "kind", "values"))
        if not (
            isinstance(name, str)
            and len(name) <= MAX_TEXT
            and isinstance(shape, list)
            and len(shape) <= MAX_DIMENSIONS
            and all(type(size) is int and 0 <= size <= MAX_VALUES for size in shape)
            and isinstance(texts, list)
            and len(texts) <= MAX_VALUES
            and all(isinstance(text, str) and len(text) <= MAX_TEXT for text in texts)
        ):
            return None
        size = 1
        for length in shape:
            size *= length
        if size != len(texts):
            return None
        values = tuple(_PARSERS[kind](text) for text in texts)
        rtol, atol = float(message["rtol"]), float(message["atol"])
        return Observation(name, tuple(shape), kind, values, rtol, atol)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
