"""The rows of the last grading with the scores that the gradebook holds now."""

from dataclasses import replace

from tito.course import Course, Module
from tito.grading import gradebook
from tito.grading.report import Row, load_rows


def current_rows(course: Course, module: Module) -> list[Row]:
    """The kept rows; what was graded by hand in formgrader since then counts."""
    return [_current(course, module, row) for row in load_rows(course, module)]


def _current(course: Course, module: Module, row: Row) -> Row:
    if not row.is_graded:
        return row
    now = gradebook.graded_points(course, module, row.student)
    if now is None:
        return row
    score, points = now
    lost = {name for name, earned, possible in points if earned < possible}
    reasons = tuple(reason for reason in row.reasons if reason[0] in lost)
    return replace(row, score=score, points=tuple(points), reasons=reasons)
