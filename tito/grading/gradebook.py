"""nbgrader's database, read and written: assignments, students, grades."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from tito.course import Course, Module
from tito.nbgrader_bridge import load_config


def db_url(course: Course) -> str:
    return f"sqlite:///{course.root / 'gradebook.db'}"


def open_gradebook(course: Course) -> Gradebook:
    """The course's gradebook, made when there is none; a context manager."""
    with _programs_of_this_python():
        return Gradebook(db_url(course), load_config(course.root).CourseDirectory.course_id)


@contextmanager
def _programs_of_this_python() -> Iterator[None]:
    """nbgrader makes a gradebook with the program `alembic`, which may not be on PATH."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{before}"
    try:
        yield
    finally:
        os.environ["PATH"] = before


def known_cells(course: Course, module: Module) -> dict[str, dict[str, tuple]]:
    """What the gradebook holds of an assignment: by notebook and grade_id; {} when unknown."""
    known = {}
    with open_gradebook(course) as gradebook:
        try:
            notebooks = gradebook.find_assignment(module.folder).notebooks
        except MissingEntry:
            return {}
        for notebook in notebooks:
            points = {cell.name: cell.max_score for cell in notebook.grade_cells}
            known[notebook.name] = {
                cell.name: (cell.cell_type, cell.locked, cell.source, points.get(cell.name))
                for cell in notebook.source_cells
            }
    return known


def has_submissions(course: Course, module: Module) -> bool:
    with open_gradebook(course) as gradebook:
        try:
            return bool(gradebook.find_assignment(module.folder).submissions)
        except MissingEntry:
            return False


def set_due(course: Course, module: Module, due: datetime) -> None:
    """Set the assignment's due date (UTC)."""
    with open_gradebook(course) as gradebook:
        gradebook.update_or_create_assignment(module.folder, duedate=due)


def enrolled_students(course: Course) -> list[str]:
    with open_gradebook(course) as gradebook:
        return [student.id for student in gradebook.students]


def is_late(course: Course, module: Module, student: str, timestamp: datetime | None) -> bool:
    """Whether `timestamp` (UTC) is after the due date and the extension of the student."""
    with open_gradebook(course) as gradebook:
        due = gradebook.find_assignment(module.folder).duedate
        with suppress(MissingEntry):
            due = gradebook.find_submission(module.folder, student).duedate
    return timestamp is not None and due is not None and timestamp > due


def graded_points(
    course: Course, module: Module, student: str
) -> tuple[float, list[tuple[str, float, float]]] | None:
    """The score, and (exercise, earned, possible) for each; None without a submission.

    What an instructor gave by hand in formgrader stands over what was computed.
    """
    with open_gradebook(course) as gradebook:
        try:
            submission = gradebook.find_submission(module.folder, student)
        except MissingEntry:
            return None
        grades = [
            (grade.name, grade.score, grade.max_score)
            for notebook in submission.notebooks
            for grade in notebook.grades
        ]
        penalty = submission.late_submission_penalty or 0.0
        return max(0.0, submission.score - penalty), grades


def auto_scores(course: Course, module: Module, student: str, notebook: str) -> dict[str, float]:
    """What nbgrader itself computed for one notebook, by grade_id."""
    with open_gradebook(course) as gradebook:
        grades = gradebook.find_submission_notebook(notebook, module.folder, student).grades
        return {grade.name: grade.auto_score for grade in grades}


def forget(course: Course, module: Module, student: str) -> None:
    """Remove a student's submission and its grades."""
    with open_gradebook(course) as gradebook, suppress(MissingEntry):
        gradebook.remove_submission(module.folder, student)
