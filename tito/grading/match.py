"""Which of a student's cells is which cell of the lesson."""

from collections import defaultdict
from dataclasses import dataclass
from difflib import SequenceMatcher

from nbformat import NotebookNode

from tito.grading.cells import StudentCell
from tito.grading.reference import ReferenceNotebook, defined_names
from tito.notebook import grade_id, is_solution

MAX_COMPARED = 20_000  # characters; difflib is quadratic


@dataclass(frozen=True)
class Matches:
    """`cells` maps a place in the lesson to a place in the submission.

    `copies` are further cells that claim to be a cell of the lesson, by place in the submission.
    """

    cells: dict[int, int]
    copies: dict[int, int]


def same_source(one: str, other: str) -> bool:
    """Whether two sources differ in trailing whitespace at most."""
    return _stripped(one) == _stripped(other)


def _stripped(source: str) -> str:
    return "\n".join(line.rstrip() for line in source.rstrip().splitlines())


def match_cells(reference: ReferenceNotebook, cells: list[StudentCell]) -> Matches:
    """Match by grade_id, then cell id, then content, each student's cell at most once.

    A grade_id counts for nothing on a cell whose id is that of another cell of the lesson.
    """
    lesson = reference.release.cells
    found: dict[int, int] = {}
    copies: dict[int, int] = {}
    free = dict(enumerate(cells))

    def take(place: int, candidates: list[int]) -> None:
        candidates = [number for number in candidates if number in free]
        if place in found or not candidates:
            return
        found[place] = _best(lesson[place], cells, candidates)
        del free[found[place]]

    def by(key) -> dict:
        groups = defaultdict(list)
        for number, cell in free.items():
            groups[key(cell)].append(number)
        return groups

    ids = {cell.id for cell in lesson}
    groups = by(lambda cell: cell.grade_id)
    for place, cell in enumerate(lesson):
        if name := grade_id(cell):
            claims = [n for n in groups[name] if cells[n].id not in ids - {cell.id}]
            take(place, claims)
            for number in claims:
                if free.pop(number, None):
                    copies[number] = place
    for key, wanted in (
        (lambda cell: cell.id, lambda cell: cell.id),
        (lambda cell: _stripped(cell.source), lambda cell: _stripped(cell.source)),
    ):
        groups = by(key)
        for place, cell in enumerate(lesson):
            take(place, groups[wanted(cell)])
    # The solved source, hidden tests included, is what an instructor may have handed in.
    groups = by(lambda cell: _stripped(cell.source))
    for place, cell in enumerate(reference.solved.cells):
        take(place, groups[_stripped(cell.source)])
    _match_by_definition(lesson, cells, free, found)
    return Matches(found, copies)


def _match_by_definition(
    lesson: list[NotebookNode],
    cells: list[StudentCell],
    free: dict[int, StudentCell],
    found: dict[int, int],
) -> None:
    """An edited cell without any mark is known by the function or class that it defines."""
    defining = defaultdict(list)
    for number, cell in free.items():
        for name in defined_names(cell.source):
            defining[name].append(number)
    for place, cell in enumerate(lesson):
        if place in found:
            continue
        candidates = {n for name in defined_names(cell.source) for n in defining[name] if n in free}
        if candidates:
            found[place] = _best(cell, cells, sorted(candidates))
            del free[found[place]]


def _best(cell: NotebookNode, cells: list[StudentCell], candidates: list[int]) -> int:
    """Of several cells that could be `cell`: the first answer, else the most similar.

    Later answers stay behind it, so that each test sees what it saw in the student's own run.
    """
    if len(candidates) == 1:
        return candidates[0]
    if is_solution(cell):
        answers = [n for n in candidates if not same_source(cells[n].source, cell.source)]
        code = [n for n in answers if cells[n].kind == "code"]
        if chosen := code or answers:
            return chosen[0]
    return max(candidates[:50], key=lambda n: _similarity(cells[n].source, cell.source))


def _similarity(one: str, other: str) -> float:
    return SequenceMatcher(None, one[:MAX_COMPARED], other[:MAX_COMPARED]).ratio()
