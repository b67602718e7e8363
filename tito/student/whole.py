"""A student's notebook beside the released one: what was changed, lost or doubled."""

from copy import deepcopy

from nbformat import NotebookNode

from tito.course import export_target
from tito.notebook import grade_id, is_graded, is_solution


def restore_locked(mine: NotebookNode, released: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """A copy of `mine` with every locked cell as it was released, and what that changed, in words.

    A locked cell that is gone comes back behind the cell it followed.
    """
    restored, notes = deepcopy(mine), []
    cells = restored.cells
    for position, original in enumerate(released.cells):
        if not _is_locked(original):
            continue
        name = _name(original)
        places = [i for i, cell in enumerate(cells) if _name(cell) == name]
        if not places:
            cells.insert(_place_after(cells, released.cells[:position]), deepcopy(original))
            notes.append(f"{name} is missing from your copy: the original was run.")
            continue
        for extra in reversed(places[1:]):
            del cells[extra]
        if len(places) > 1:
            notes.append(f"{name} is in your copy {len(places)} times: it was run once.")
        if not _says_the_same(cells[places[0]], original):
            notes.append(f"your copy of {name} differs from the release: the original was run.")
        cells[places[0]] = deepcopy(original)
    return restored, notes


def gaps(mine: NotebookNode, released: NotebookNode) -> list[str]:
    """Why `mine` cannot be handed in: cells that are gone or doubled. Empty when it is whole."""
    found = []
    for original in released.cells:
        if grade_id(original) is None:
            continue
        name = _name(original)
        kind = "solution" if is_solution(original) else "test" if is_graded(original) else "given"
        same = [cell for cell in mine.cells if _name(cell) == name]
        if not same:
            found.append(f"the {kind} cell `{name}` is gone")
        elif len(same) > 1:
            found.append(f"the {kind} cell `{name}` is there {len(same)} times (keep one)")
        elif is_solution(original) and same[0].cell_type != "code":
            found.append(f"the solution cell `{name}` is no code cell any more")
    return found


def changed_exports(mine: NotebookNode, released: NotebookNode) -> list[str]:
    """The given cells that go into the package and are not as released; `default_exp` too."""
    found = []
    targets = [target for cell in mine.cells if (target := export_target(cell.source))]
    for original in released.cells:
        target = export_target(original.source)
        if target and targets != [target]:
            found.append(f"#| default_exp {target}")
        if _is_locked(original) and "#| export" in original.source:
            same = [cell for cell in mine.cells if _name(cell) == _name(original)]
            if len(same) != 1 or not _says_the_same(same[0], original):
                found.append(_name(original))
    return found


def _is_locked(cell: NotebookNode) -> bool:
    return grade_id(cell) is not None and bool(cell.metadata["nbgrader"].get("locked"))


def _name(cell: NotebookNode) -> str:
    """The cell's `grade_id`, else its id: the build gives both the same value."""
    return grade_id(cell) or cell.get("id", "")


def _says_the_same(cell: NotebookNode, original: NotebookNode) -> bool:
    return cell.cell_type == original.cell_type and _text(cell) == _text(original)


def _text(cell: NotebookNode) -> list[str]:
    return [line.rstrip() for line in cell.source.rstrip().splitlines()]


def _place_after(cells: list[NotebookNode], before: list[NotebookNode]) -> int:
    """Where a cell goes that stood behind `before`: after the last of these still in `cells`."""
    for original in reversed(before):
        for i in range(len(cells) - 1, -1, -1):
            if _name(cells[i]) == _name(original):
                return i + 1
    return 0
