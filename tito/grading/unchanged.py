"""What need not be graded again: a digest of all that a grade came from, kept beside the grade."""

import json
import platform
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

import numpy

from tito.course import Course, Module
from tito.grading import gradebook
from tito.grading.collect import submitted
from tito.grading.files import contents, digest, write_whole
from tito.grading.packages import package_for
from tito.grading.reference import ReferenceNotebook
from tito.nbgrader_bridge import CONFIG_FILE


@dataclass(frozen=True)
class Ledger:
    """Which grades of a module still stand, and what each came from.

    A grade stands while neither its origin has changed (hand-in, due date with extension, lesson,
    package, configuration, grader) nor the executed notebooks that were kept of it. `shared`
    digests what the whole class has in common; `due` is by student, None for those without a
    submission in the gradebook.
    """

    course: Course
    module: Module
    shared: str
    due: dict[str | None, datetime | None]
    graded: frozenset[str]

    def origin(self, student: str) -> str:
        """The digest of what a grade of `student` would come from now."""
        due = self.due.get(student, self.due[None])
        folder = submitted(self.course) / student / self.module.folder
        return digest([self.shared.encode(), str(due).encode(), *contents(folder)])

    def stands(self, student: str) -> bool:
        """Whether the gradebook has a grade that came from exactly what is there now."""
        if student not in self.graded:
            return False
        try:
            kept = json.loads(self._file(student).read_text(encoding="utf-8"))
            return kept == self._entry(student, self.origin(student))
        except (OSError, ValueError):
            return False

    def keep(self, student: str, origin: str) -> None:
        """Note that the grade of `student`, recorded just now, came from `origin`."""
        write_whole(self._file(student), json.dumps(self._entry(student, origin)) + "\n")

    def _entry(self, student: str, origin: str) -> dict[str, str]:
        executed = self.course.root / "autograded" / student / self.module.folder
        return {"origin": origin, "executed": digest(contents(executed))}

    def _file(self, student: str) -> Path:
        return self.course.root / ".grading" / "done" / self.module.folder / f"{student}.json"


def ledger_of(
    course: Course, module: Module, references: list[ReferenceNotebook], *, sandboxed: bool
) -> Ledger:
    """The ledger of a module under the lesson, package, configuration and grader of now."""
    parts = [
        grader_digest().encode(),
        str(sandboxed).encode(),
        (course.root / CONFIG_FILE).read_bytes(),
    ]
    for reference in references:
        for path in (reference.lesson.notebook, reference.lesson.release):
            parts.append((course.root / path).read_bytes())
        for name, content in package_for(course, reference.lesson).items():
            parts += [name.encode(), content]
    return Ledger(
        course,
        module,
        shared=digest(parts),
        due=gradebook.due_dates(course, module),
        graded=frozenset(gradebook.all_scores(course, module)),
    )


@cache
def grader_digest() -> str:
    """The digest of the grader: its code, and the versions that a computed value can depend on."""
    versions = f"{platform.python_version()} {numpy.__version__}"
    return digest([versions.encode(), *contents(Path(__file__).parent)])
