"""Planted wrong answers and other right ones: what keeps the tests of a lesson honest.

They stand in `tests/variants/NN_name/notebook.py` as edits of one solution cell.
"""

import copy
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from tito.errors import TitoError
from tito.notebook import grade_id

VARIANTS = Path("tests/variants")


@dataclass(frozen=True)
class Alternative:
    """A right answer written differently: in solution cell `cell`, `old` becomes `new`."""

    name: str
    cell: str
    old: str
    new: str


@dataclass(frozen=True)
class Mutant:
    """A wrong answer. It must lose the points of `test`, whose message must contain `says`."""

    name: str
    cell: str
    test: str
    old: str
    new: str
    says: str


@dataclass(frozen=True)
class Variants:
    mutants: tuple[Mutant, ...] = ()
    alternatives: tuple[Alternative, ...] = ()


def load_variants(root: Path, folder: str, notebook: str) -> Variants:
    """The variants of one notebook; none when its file does not exist."""
    path = root / VARIANTS / folder / f"{notebook}.py"
    if not path.is_file():
        return Variants()
    spec = importlib.util.spec_from_file_location(f"variants_{folder}_{notebook}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Variants(tuple(module.MUTANTS), tuple(module.ALTERNATIVES))


def apply_variants(nb: NotebookNode, *variants: Mutant | Alternative) -> NotebookNode:
    """A copy of the solved notebook in which these answers stand instead of ours."""
    nb = copy.deepcopy(nb)
    cells = {grade_id(cell): cell for cell in nb.cells}
    for variant in variants:
        cell = cells.get(variant.cell)
        count = cell.source.count(variant.old) if cell is not None else 0
        if count != 1:
            raise TitoError(
                f"variant {variant.name!r}: its old text stands {count} times in cell "
                f"{variant.cell!r} and must stand once: adapt it to the lesson."
            )
        cell.source = cell.source.replace(variant.old, variant.new)
    return nb
