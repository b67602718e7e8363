"""What submissions are held against: the solved notebook, its release, and what tells it apart."""

import re
from dataclasses import dataclass
from functools import cached_property

from nbformat import NotebookNode

from tito.course import Course, LessonFiles, Module, export_target
from tito.errors import TitoError
from tito.grading.cells import StudentCell
from tito.notebook import grade_id, is_graded, is_solution, read_notebook

_DEFINITION = re.compile(r"^(?:def|class)\s+(\w+)", re.MULTILINE)


def defined_names(source: str) -> frozenset[str]:
    """The functions and classes that a cell defines at its top level."""
    return frozenset(_DEFINITION.findall(source))


@dataclass(frozen=True)
class ReferenceNotebook:
    """One notebook of an assignment. `solved` and `release` hold the same cells in one order."""

    lesson: LessonFiles
    solved: NotebookNode
    release: NotebookNode

    @property
    def name(self) -> str:
        return self.lesson.name

    @property
    def file(self) -> str:
        return f"{self.name}.ipynb"

    @cached_property
    def exercises(self) -> frozenset[str]:
        """The grade_ids that are this notebook's own; `setup` and the like are in every lesson."""
        return frozenset(
            grade_id(cell) for cell in self.solved.cells if is_graded(cell) or is_solution(cell)
        )

    @cached_property
    def names(self) -> frozenset[str]:
        """What the solution cells define."""
        return frozenset().union(
            *(defined_names(cell.source) for cell in self.solved.cells if is_solution(cell))
        )

    def likeness(self, cells: list[StudentCell]) -> int:
        """How many of `cells` are recognisably this notebook's: 0 for another lesson's."""
        return sum(
            cell.grade_id in self.exercises
            or cell.id in self.exercises
            or export_target(cell.source) == self.lesson.target
            or bool(defined_names(cell.source) & self.names)
            for cell in cells
        )


def released_reference(course: Course, lesson: LessonFiles) -> ReferenceNotebook:
    """A lesson as students have it: its release stands for the solved notebook too."""
    released = read_notebook(course.root / lesson.release)
    return ReferenceNotebook(lesson, released, released)


def load_references(course: Course, module: Module) -> list[ReferenceNotebook]:
    """The built notebooks of a module. Raises TitoError when they are not built."""
    references = []
    for lesson in course.lessons([module]):
        if not all((course.root / path).is_file() for path in (lesson.notebook, lesson.release)):
            raise TitoError(
                f"{lesson.notebook.as_posix()} or its release is not built: "
                f"run `tito release {module.number:02}`."
            )
        reference = ReferenceNotebook(
            lesson,
            read_notebook(course.root / lesson.notebook),
            read_notebook(course.root / lesson.release),
        )
        if [c.id for c in reference.solved.cells] != [c.id for c in reference.release.cells]:
            raise TitoError(
                f"{lesson.release.as_posix()} is not made from its solved notebook: "
                f"run `tito release {module.number:02}`."
            )
        references.append(reference)
    return references
