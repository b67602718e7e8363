"""nbgrader's database, read and written: assignments, students, grades."""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry, SubmittedAssignment
from sqlalchemy.exc import SAWarning

from tito.course import Course, Module
from tito.nbgrader_bridge import load_config


@dataclass(frozen=True)
class Score:
    """What the gradebook holds of one submission: points by exercise, and what lateness took."""

    points: tuple[tuple[str, float, float], ...]
    raw: float
    penalty: float

    @property
    def net(self) -> float:
        """The score that counts."""
        return max(0.0, self.raw - self.penalty)


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


def due_dates(course: Course, module: Module) -> dict[str | None, datetime | None]:
    """When it is due (UTC) by student with a submission; None stands for all others."""
    with open_gradebook(course) as gradebook:
        assignment = gradebook.find_assignment(module.folder)
        submissions = {s.student_id: s.duedate for s in assignment.submissions}
        return {None: assignment.duedate, **submissions}


def score_of(submission: SubmittedAssignment) -> Score | None:
    """The score of a submission; None when nobody graded it, which nbgrader exports as 0.

    What an instructor gave by hand in formgrader stands over what was computed.
    """
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
    if all(grade.auto_score is None and grade.manual_score is None for grade in grades):
        return None
    return Score(
        points=tuple((grade.name, grade.score, grade.max_score) for grade in grades),
        raw=submission.score,
        penalty=submission.late_submission_penalty or 0.0,
    )


def all_scores(course: Course, module: Module) -> dict[str, Score]:
    """The scores of everybody who was graded, by student."""
    with open_gradebook(course) as gradebook:
        try:
            submissions = gradebook.find_assignment(module.folder).submissions
        except MissingEntry:
            return {}
        scores = {submission.student_id: score_of(submission) for submission in submissions}
        return {student: score for student, score in scores.items() if score is not None}


def graded_points(
    course: Course, module: Module, student: str
) -> tuple[float, list[tuple[str, float, float]]] | None:
    """The score, and (exercise, earned, possible) for each; None when nothing was graded."""
    with open_gradebook(course) as gradebook:
        try:
            score = score_of(gradebook.find_submission(module.folder, student))
        except MissingEntry:
            return None
        return None if score is None else (score.net, list(score.points))


def auto_scores(course: Course, module: Module, student: str, notebook: str) -> dict[str, float]:
    """What nbgrader itself computed for one notebook, by grade_id."""
    with open_gradebook(course) as gradebook:
        grades = gradebook.find_submission_notebook(notebook, module.folder, student).grades
        return {grade.name: grade.auto_score for grade in grades}


def forget(course: Course, module: Module, student: str) -> None:
    """Remove a student's submission and its grades; an extension that was granted stays."""
    with open_gradebook(course) as gradebook, suppress(MissingEntry), warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)  # of nbgrader's own queries
        extension = gradebook.find_submission(module.folder, student).extension
        gradebook.remove_submission(module.folder, student)
        if extension is not None:
            gradebook.add_submission(module.folder, student, extension=extension)
