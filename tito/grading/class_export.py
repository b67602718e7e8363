"""`nbgrader export` for this course: nbgrader's columns, and no score where nobody graded."""

import csv
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin
from traitlets import Unicode

from tito.course import Course, Module
from tito.grading.gradebook import score_of
from tito.grading.report import GRADED, MISSING, NOT_GRADED, Row, load_rows, no_formula

DEFAULT_FILE = "grades.csv"
COLUMNS = (
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score", "status"),
)


class ClassExport(ExportPlugin):
    """nbgrader's own CSV gives 0.0 to whoever was not graded; here the cell is empty and says why.

    Where `tito grade` left a row that is not graded, the row counts, whatever the gradebook holds.
    """

    course_root = Unicode(help="The course's folder, where .grading/ is.").tag(config=True)

    def export(self, gradebook: Gradebook) -> None:
        """Write the CSV to `--to`, or grades.csv."""
        path = Path(self.to or DEFAULT_FILE)
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            for assignment in gradebook.assignments:
                if self.assignment and assignment.name not in self.assignment:
                    continue
                rows = self._rows(assignment.name)
                for student in gradebook.students:
                    if self.student and student.id not in map(str, self.student):
                        continue
                    line = _line(gradebook, assignment, student, rows.get(student.id))
                    writer.writerow([no_formula(str(line.get(key) or "")) for key in COLUMNS])

    def _rows(self, assignment: str) -> dict[str, Row]:
        rows = load_rows(Course(Path(self.course_root)), Module(assignment, ()))
        return {row.student: row for row in rows}


def _line(gradebook: Gradebook, assignment, student, row: Row | None) -> dict[str, object]:
    """One line by column, as text; scores only when they stand."""
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        submission = None
    score = score_of(submission) if submission else None
    line = {
        "assignment": assignment.name,
        "duedate": assignment.duedate,
        "timestamp": submission.timestamp if submission else None,
        "student_id": student.id,
        "last_name": student.last_name,
        "first_name": student.first_name,
        "email": student.email,
        "max_score": str(assignment.max_score),
        "status": row.status if row else GRADED if score else NOT_GRADED if submission else MISSING,
    }
    if score is None or (row is not None and not row.is_graded):
        return line
    return {
        **line,
        "raw_score": str(score.raw),
        "late_submission_penalty": str(score.penalty),
        "score": str(score.net),
    }
