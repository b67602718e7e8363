"""The rows of the last grading with the scores that the gradebook holds now."""

from dataclasses import replace

from tito.course import Course, Module
from tito.grading import gradebook
from tito.grading.gradebook import Score
from tito.grading.report import Row, load_rows


def current_rows(course: Course, module: Module) -> list[Row]:
    """The kept rows; what was graded by hand in formgrader since then counts."""
    rows = load_rows(course, module)
    scores = gradebook.all_scores(course, module) if rows else {}
    return [_current(row, scores.get(row.student)) for row in rows]


def _current(row: Row, score: Score | None) -> Row:
    if not row.is_graded or score is None:
        return row
    lost = {name for name, earned, possible in score.points if earned < possible}
    reasons = tuple(reason for reason in row.reasons if reason[0] in lost)
    return replace(
        row, score=score.net, penalty=score.penalty, points=score.points, reasons=reasons
    )
