"""source/ -> notebooks/: the lesson with its solutions, without outputs."""

import nbformat
from nbformat import NotebookNode

from tito.course import Course, LessonFiles
from tito.launch import links, start_cell, with_badges
from tito.lesson import Lesson, LessonCell
from tito.notebook import START, new_notebook

SCHEMA_VERSION = 3


def to_notebook(lesson: Lesson) -> NotebookNode:
    """The solved notebook of a lesson that keeps the rules.

    A cell's id is its `grade_id`, else its number in the lesson: a random id would change with
    each build, and with it every export header.
    """
    return new_notebook(
        [_notebook_cell(cell, str(number)) for number, cell in enumerate(lesson.cells, 1)]
    )


def with_start(solved: NotebookNode, course: Course, files: LessonFiles) -> NotebookNode:
    """The notebook with badges in its title cell and the start cell behind it (it is changed)."""
    title = solved.cells[0]
    title.source = with_badges(title.source, links(course, files))
    solved.cells.insert(1, _notebook_cell(start_cell(course, files), START))
    return solved


def _notebook_cell(cell: LessonCell, name: str) -> NotebookNode:
    new = nbformat.v4.new_markdown_cell if cell.kind == "markdown" else nbformat.v4.new_code_cell
    notebook_cell = new(cell.source, id=cell.nbgrader.get("grade_id", name))
    if cell.nbgrader:
        notebook_cell.metadata["nbgrader"] = full_metadata(cell)
    return notebook_cell


def full_metadata(cell: LessonCell) -> dict:
    """The author's short nbgrader metadata, completed to schema 3; a graded cell is locked."""
    short = cell.nbgrader
    full = {
        "grade": cell.is_graded,
        "grade_id": short["grade_id"],
        "locked": cell.is_graded or bool(short.get("locked")),
        "schema_version": SCHEMA_VERSION,
        "solution": cell.is_solution,
        "task": False,
    }
    if cell.is_graded:
        full["points"] = short["points"]
    return full
