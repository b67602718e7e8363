"""An earlier grade, taken back because what was handed in since then cannot be graded."""

import json
import shutil
from pathlib import Path

from nbgrader.api import MissingEntry

from tito.course import Course, Module
from tito.errors import TitoError
from tito.grading import gradebook


def withdraw(course: Course, module: Module, student: str) -> str | None:
    """Take a student's earlier grade out of the gradebook; what the row should say about it.

    The gradebook, formgrader and every export then say what the row says: not graded. Nothing is
    lost: points, comments and the executed notebooks go to .grading/withdrawn/STUDENT/MODULE/, and
    an extension stays. None when there never was a grade.
    """
    kept = course.root / ".grading" / "withdrawn" / student / module.folder
    if (grade := _grade(course, module, student)) is not None:
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        _file(kept).write_text(json.dumps(grade, indent=1) + "\n", encoding="utf-8")
        executed = course.root / "autograded" / student / module.folder
        if executed.is_dir():
            shutil.move(executed, kept / "autograded")
        gradebook.forget(course, module, student)
    if not _file(kept).is_file():
        return None
    return _note(_file(kept))


def _file(kept: Path) -> Path:
    return kept / "grade.json"


def _grade(course: Course, module: Module, student: str) -> dict | None:
    """The grade as JSON. Its `grades` are (notebook, exercise, computed, given by hand)."""
    with gradebook.open_gradebook(course) as book:
        try:
            submission = book.find_submission(module.folder, student)
        except MissingEntry:
            return None
        score = gradebook.score_of(submission)
        if score is None:
            return None
        when = submission.timestamp
        return {
            "score": score.net,
            "max_score": sum(possible for _, _, possible in score.points),
            "handed_in": f"{when:%Y-%m-%d %H:%M} UTC" if when else None,
            "grades": [
                (notebook.name, grade.name, grade.auto_score, grade.manual_score)
                for notebook in submission.notebooks
                for grade in notebook.grades
            ],
            "comments": [
                (notebook.name, comment.name, comment.manual_comment)
                for notebook in submission.notebooks
                for comment in notebook.comments
                if comment.manual_comment
            ],
        }


def _note(path: Path) -> str:
    try:
        grade = json.loads(path.read_text(encoding="utf-8"))
        score, most, handed_in = grade["score"], grade["max_score"], grade["handed_in"]
    except (ValueError, KeyError, TypeError) as error:
        raise TitoError(f"{path} cannot be read: remove it, then grade again.") from error
    when = f" of what was handed in on {handed_in}" if handed_in else ""
    return f"the earlier grade{when} was {score:g}/{most:g}; it was taken back"
