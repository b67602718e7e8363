"""One answer to the toy lesson, run as the grader runs it, without a gradebook."""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests.grading.classroom import answered, release_of
from tito.course import Course
from tito.grading import sandbox
from tito.grading.attempt import Conditions, Standard, run_all, standard_of
from tito.grading.execute import execute
from tito.grading.limits import Limits
from tito.grading.reference import load_references
from tito.grading.repair import repair
from tito.grading.room import Room
from tito.grading.verdict import Verdict, judge
from tito.notebook import dump_notebook
from tito.run import Failure, failure_of

SEED = 20_26
needs_sandbox = pytest.mark.skipif(
    sandbox.problem() is not None and not os.environ.get("TITO_SKIP_NOTHING"),
    reason=str(sandbox.problem()),
)


@dataclass(frozen=True)
class Trial:
    """The toy lesson, ready to be tried."""

    blank: dict
    standard: Standard

    def of(self, double: str) -> dict[str, Verdict]:
        """The verdicts on a submission whose cell `double` holds this source."""
        nb = repair(answered(self.blank, double), self.standard.reference).notebook
        [(run, observed)] = run_all([(nb, self.standard.package)], self.standard.conditions)
        return {v.grade_id: v for v in judge(run, observed, self.standard.expected)}


@cache
def trial_of(course: Course, limits: Limits) -> Trial:
    reference = load_references(course, course.module("01"))[0]
    standard = standard_of(course, reference, Conditions(SEED, limits, sandboxed=True))
    return Trial(release_of(course), standard)


def failures(
    packages: Path, *sources: str, sandboxed: bool = True, **limits: int
) -> list[Failure | None]:
    """How each of these cells fails, run one after the other in one kernel."""
    nb = new_notebook(cells=[new_code_cell(source) for source in sources])
    with Room(Limits(**limits), sandboxed=sandboxed) as room:
        text = execute(dump_notebook(nb), packages, room)
    return [failure_of(cell) for cell in nbformat.reads(text, as_version=4).cells]
