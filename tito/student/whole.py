"""A student's notebook beside the released one: what was changed, lost or doubled."""

from nbformat import NotebookNode

from tito.course import export_target
from tito.notebook import grade_id, is_graded, is_solution


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
