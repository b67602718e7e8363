"""A graded notebook as a page that its student can use; nbgrader calls it for each notebook."""

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from nbconvert.exporters import Exporter
from nbformat import NotebookNode
from traitlets import Unicode, default

from tito.course import Course, Module
from tito.grading.hide import without_lines
from tito.grading.page import render
from tito.grading.report import Row, load_rows
from tito.grading.text import one_line, plain
from tito.notebook import grade_id, is_graded, is_solution
from tito.run import failure_of


@dataclass(frozen=True)
class Exercise:
    """A test's line in the table; `said` is why it lost points, or that it passed."""

    name: str
    anchor: str
    earned: float
    possible: float
    said: str

    @property
    def is_lost(self) -> bool:
        return self.earned < self.possible


class FeedbackExporter(Exporter):
    """Write the page of one notebook, after GetGrades, Sanitize and HideTests went over it.

    Points are nbgrader's; reasons and repairs come from the row that `tito grade` kept.
    """

    course_root = Unicode(help="The course's folder, where .grading/ is.").tag(config=True)

    @default("file_extension")
    def _file_extension_default(self) -> str:
        return ".html"

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict | None = None, **kw
    ) -> tuple[str, dict]:
        """The page's HTML, and nbconvert's resources."""
        nb, resources = super().from_notebook_node(nb, resources, **kw)
        facts = resources["nbgrader"]
        row = _row(Path(self.course_root), facts["assignment"], facts["student"])
        exercises = {
            grade_id(cell): _exercise(cell, number, row, resources["hidden_lines"])
            for number, cell in enumerate(nb.cells)
            if is_graded(cell)
        }
        page = render(
            "feedback.html.j2",
            assignment=facts["assignment"],
            notebook=facts["notebook"],
            student=facts["student"],
            score=facts["score"],
            max_score=facts["max_score"],
            penalty=facts["late_penalty"],
            exercises=list(exercises.values()),
            notes=row.notes if row else (),
            cells=[
                _cell(cell, number, exercises)
                for number, cell in enumerate(nb.cells)
                if _is_shown(cell)
            ],
        )
        return page, resources


def _row(root: Path, assignment: str, student: str) -> Row | None:
    """The student's row; None when nbgrader graded without `tito grade`."""
    rows = load_rows(Course(root), Module(assignment, ()))
    return next((row for row in rows if row.student == student and row.is_graded), None)


def _exercise(cell: NotebookNode, number: int, row: Row | None, hidden: list[str]) -> Exercise:
    marks, name = cell.metadata.nbgrader, grade_id(cell)
    earned, possible = float(marks.score or 0), float(marks.points)
    said = "passed"
    if earned < possible:
        failure = failure_of(cell)
        said = (dict(row.reasons) if row else {}).get(name) or one_line(str(failure or ""))
        said = without_lines(said, hidden) or "points were taken off by hand"
    elif failure_of(cell) is not None:
        said = "points were given by hand"
    return Exercise(name, f"cell-{number}", earned, possible, said)


def _is_shown(cell: NotebookNode) -> bool:
    """Answers, tests, the student's own cells and whatever failed; the lesson's prose is not."""
    is_own = cell.get("id", "").startswith("own-")  # the name that `repair` gives them
    failed = cell.cell_type == "code" and failure_of(cell) is not None
    return is_solution(cell) or is_graded(cell) or is_own or failed


def _cell(cell: NotebookNode, number: int, exercises: dict[str, Exercise]) -> dict:
    exercise = exercises.get(grade_id(cell))
    is_code = cell.cell_type == "code"
    said_above = exercise is not None and exercise.is_lost
    outputs = [_output(output) for output in cell.get("outputs", [])]
    return {
        "title": grade_id(cell),
        "anchor": f"cell-{number}",
        "exercise": exercise,
        "is_code": is_code,
        "source": plain(cell.source if is_code else dedent(cell.source)),
        "outputs": [o for o in outputs if not (said_above and o["kind"] == "failure")],
        "comment": cell.metadata.get("nbgrader", {}).get("comment"),
    }


def _output(output: NotebookNode) -> dict:
    """One output that Sanitize left, as the template wants it."""
    if output.output_type == "stream":
        return {"kind": "output", "picture": None, "text": plain(output.text)}
    if output.output_type == "error":
        text = "\n".join(output.traceback) or f"{output.ename}: {output.evalue}"
        return {"kind": "failure", "picture": None, "text": plain(text)}
    for kind in ("image/png", "image/jpeg"):
        if kind in output.data:
            return {"kind": kind, "picture": output.data[kind], "text": ""}
    return {"kind": "output", "picture": None, "text": plain(output.data["text/plain"])}
