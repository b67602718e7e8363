"""A submission put back into the lesson's shape: nothing of the student's answers is touched."""

import re
from dataclasses import dataclass
from itertools import pairwise

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from tito.grading.cells import StudentCell, student_cells
from tito.grading.match import Matches, match_cells, same_source
from tito.grading.reference import ReferenceNotebook
from tito.grading.text import listed
from tito.notebook import grade_id, is_solution, new_notebook

_NEW_CELL = {"code": new_code_cell, "markdown": new_markdown_cell, "raw": new_raw_cell}
_KEPT_MARKS = ("grade", "grade_id", "locked", "points", "schema_version", "solution")
_EXPORTED = re.compile(r"^#\|\s*exports?i?\b", re.MULTILINE)


@dataclass(frozen=True)
class Repaired:
    """A notebook that nbgrader and the grader can rely on, and what had to be done for it."""

    notebook: NotebookNode
    notes: tuple[str, ...]


def repair(raw: dict, reference: ReferenceNotebook) -> Repaired:
    """Give a submission the lesson's cells, order, metadata and full tests.

    `raw` is the JSON of a notebook (`handin.read_cells`). Solution cells keep the student's source;
    cells of their own stay behind the cell they followed, as plain cells.
    """
    cells = student_cells(raw)
    matches = match_cells(reference, cells)
    notes = (
        [f"{skipped} cells that are no cells were left out"]
        if (skipped := len(raw["cells"]) - len(cells))
        else []
    )
    notes += _order_notes(reference, matches)
    followers = _followers(reference, cells, matches, notes)
    restored = _ids_with_changed_marks(reference, cells, matches)
    if restored:
        notes.append(f"nbgrader's marks on {listed(restored)} were changed: restored")
    result = [_plain(cell, number) for number, cell in followers[None]]
    for place in range(len(reference.solved.cells)):
        number = matches.cells.get(place)
        cell = _lesson_cell(reference, place, None if number is None else cells[number], notes)
        if cell is not None:
            result.append(cell)
        result += [_plain(extra, n) for n, extra in followers[place]]
    return Repaired(new_notebook(result), tuple(notes))


def _lesson_cell(
    reference: ReferenceNotebook, place: int, student: StudentCell | None, notes: list[str]
) -> NotebookNode | None:
    """The cell that stands for one of the lesson's: the reference's, the student's, or none."""
    solved, release = reference.solved.cells[place], reference.release.cells[place]
    name = grade_id(solved)
    if student is None:
        if name is None and not _EXPORTED.search(solved.source):
            return None  # prose or a plot: theirs to delete
        notes.append(
            f"{name or f'the given cell {solved.id}'} was missing: "
            + ("the blank was run" if is_solution(solved) else "put back")
        )
        return _copy(release if is_solution(solved) else solved, release)
    if name is None:
        return _NEW_CELL[student.kind](student.source, id=solved.id)
    if student.kind != solved.cell_type:
        notes.append(f"{name} was a {student.kind} cell: made {solved.cell_type} again")
    if is_solution(solved):
        cell = _copy(release, release)
        cell.source = student.source
        return cell
    if not any(same_source(student.source, own.source) for own in (release, solved)):
        notes.append(f"{name} was edited: the original was run")
    return _copy(solved, release)


def _copy(cell: NotebookNode, release: NotebookNode) -> NotebookNode:
    """`cell` with the metadata of the release, which nbgrader completed, and without outputs."""
    new = _NEW_CELL[cell.cell_type](cell.source, id=cell.id)
    new.metadata = from_dict(release.metadata)
    return new


def _plain(cell: StudentCell, number: int) -> NotebookNode:
    return _NEW_CELL[cell.kind](cell.source, id=f"own-{number}")


def _followers(
    reference: ReferenceNotebook, cells: list[StudentCell], matches: Matches, notes: list[str]
) -> dict[int | None, list[tuple[int, StudentCell]]]:
    """The student's own cells, by the place in the lesson that they follow (None: the start)."""
    place_of = {number: place for place, number in matches.cells.items()}
    blanks = [c.source for c in reference.release.cells if is_solution(c)]
    followers = {place: [] for place in (None, *range(len(reference.solved.cells)))}
    current = None
    for number, cell in enumerate(cells):
        if number in place_of:
            current = place_of[number]
            continue
        if number in matches.copies:
            original = reference.solved.cells[matches.copies[number]]
            is_answer = is_solution(original) and not _is_any(cell, blanks)
            notes.append(
                f"{grade_id(original)} was there twice: "
                + ("both answers were run, in their order" if is_answer else "the copy was dropped")
            )
            if not is_answer:
                continue
        elif _is_any(cell, blanks):
            notes.append("a second copy of a blank was dropped")
            continue
        elif cell.marks.get("grade") and cell.grade_id:
            notes.append(f"{cell.grade_id[:60]} is no test of this lesson: it gives no points")
        followers[current].append((number, cell))
    return followers


def _is_any(cell: StudentCell, sources: list[str]) -> bool:
    return any(same_source(cell.source, source) for source in sources)


def _order_notes(reference: ReferenceNotebook, matches: Matches) -> list[str]:
    numbers = [
        matches.cells[place]
        for place, cell in enumerate(reference.solved.cells)
        if place in matches.cells and grade_id(cell)
    ]
    in_order = all(one < other for one, other in pairwise(numbers))
    return [] if in_order else ["cells were out of order: the lesson's order was run"]


def _ids_with_changed_marks(
    reference: ReferenceNotebook, cells: list[StudentCell], matches: Matches
) -> list[str]:
    """The cells whose nbgrader metadata is gone or says something else than the release's."""
    changed = []
    for place, number in sorted(matches.cells.items()):
        release = reference.release.cells[place]
        if name := grade_id(release):
            right = {key: release.metadata.nbgrader.get(key) for key in _KEPT_MARKS}
            if {key: cells[number].marks.get(key) for key in _KEPT_MARKS} != right:
                changed.append(name)
    return changed
