"""Grades recorded without running anything, for the tests of what comes after grading."""

import csv
from datetime import datetime
from pathlib import Path

from tests.grading.classroom import answered, hand_in, release_of
from tito.course import Course
from tito.grading import gradebook
from tito.grading.autograde import record
from tito.grading.class_export import ClassExport
from tito.grading.reference import load_references
from tito.grading.repair import repair
from tito.grading.report import GRADED, Row, save_rows
from tito.grading.verdict import Verdict
from tito.nbgrader_bridge import load_config
from tito.notebook import grade_id, is_graded


def record_full_marks(course: Course, student: str, handed_in: datetime | None = None) -> Row:
    """Hand in the toy lesson's right answers for `student` and record all of its points."""
    module = course.module("01")
    (reference,) = load_references(course, module)
    raw = answered(release_of(course))
    hand_in(course, student, raw)
    nb = repair(raw, reference).notebook
    verdicts = [
        Verdict(grade_id(cell), float(cell.metadata.nbgrader.points), None)
        for cell in nb.cells
        if is_graded(cell)
    ]
    record(course, module, student, {"toy": (nb, verdicts)}, handed_in)
    score, points = gradebook.graded_points(course, module, student)
    is_late = gradebook.is_late(course, module, student, handed_in)
    row = Row(
        student, "01_toy", GRADED, score=score, max_score=10, is_late=is_late, points=tuple(points)
    )
    save_rows(course, module, [row], replace_all=False)
    return row


def exported(course: Course, **chosen: list[str]) -> dict[str, dict[str, str]]:
    """The lines of nbgrader's export of the toy assignment, by student."""
    path = course.root / "theirs.csv"
    plugin = ClassExport(config=load_config(course.root), to=str(path), **chosen)
    with gradebook.open_gradebook(course) as book:
        plugin.export(book)
    return read_export(path)


def read_export(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        lines = [line for line in csv.DictReader(file) if line["assignment"] == "01_toy"]
    return {line["student_id"]: line for line in lines}
