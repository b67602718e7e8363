"""A student's notebook beside the released one: what was changed, lost or doubled."""

from collections import Counter

from nbformat import NotebookNode

from tito.course import export_target
from tito.grading.cells import student_cells
from tito.grading.match import match_cells, same_source
from tito.grading.reference import ReferenceNotebook
from tito.notebook import START, grade_id, is_graded, is_solution


def gaps(mine: NotebookNode, reference: ReferenceNotebook) -> list[str]:
    """Why `mine` cannot be handed in: cells that are gone or doubled. Empty when it is whole.

    Cells are known as the grader knows them: by their marks, else by what they say.
    """
    matches = match_cells(reference, student_cells(mine))
    copies = Counter(matches.copies.values())
    found = []
    for place, original in enumerate(reference.release.cells):
        name = grade_id(original)
        if name in (None, START):  # the start cell makes a notebook ready to run, and no more
            continue
        kind = "solution" if is_solution(original) else "test" if is_graded(original) else "given"
        if place not in matches.cells:
            found.append(f"the {kind} cell `{name}` is gone")
        elif copies[place]:
            found.append(f"the {kind} cell `{name}` is there {copies[place] + 1} times (keep one)")
        elif is_solution(original) and mine.cells[matches.cells[place]].cell_type != "code":
            found.append(f"the solution cell `{name}` is no code cell any more")
    return found


def changed_exports(mine: NotebookNode, reference: ReferenceNotebook) -> list[str]:
    """The given cells that go into the package and are not as released; `default_exp` too."""
    matches = match_cells(reference, student_cells(mine))
    targets = [target for cell in mine.cells if (target := export_target(cell.source))]
    found = []
    for place, original in enumerate(reference.release.cells):
        target = export_target(original.source)
        if target and targets != [target]:
            found.append(f"#| default_exp {target}")
        if _is_locked(original) and "#| export" in original.source:
            number = matches.cells.get(place)
            is_one = number is not None and place not in matches.copies.values()
            if not is_one or not _says_the_same(mine.cells[number], original):
                found.append(grade_id(original))
    return found


def _is_locked(cell: NotebookNode) -> bool:
    return grade_id(cell) is not None and bool(cell.metadata["nbgrader"].get("locked"))


def _says_the_same(cell: NotebookNode, original: NotebookNode) -> bool:
    return cell.cell_type == original.cell_type and same_source(cell.source, original.source)
