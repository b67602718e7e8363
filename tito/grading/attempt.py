"""Run one student's notebooks and judge them; nothing here touches the gradebook."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tito.course import Course
from tito.errors import TitoError
from tito.grading.challenge import Observation, prepare, take_out
from tito.grading.collect import Submission
from tito.grading.execute import execute
from tito.grading.limits import Limits
from tito.grading.packages import Package, package_for, write_package
from tito.grading.reference import ReferenceNotebook
from tito.grading.repair import repair
from tito.grading.verdict import Verdict, judge, write_verdicts
from tito.notebook import dump_notebook, grade_id, is_graded

Observed = Mapping[str, Sequence[Observation | None]]


@dataclass(frozen=True)
class Conditions:
    """How notebooks are run. The `seed` is fresh for each grading: no answer is prepared for it."""

    seed: int
    limits: Limits
    sandboxed: bool


# Runs the text of a prepared notebook over a package: here, or on another machine.
Runner = Callable[[str, Package, Conditions], str]


@dataclass(frozen=True)
class Standard:
    """What submissions of one notebook are run over and held against."""

    reference: ReferenceNotebook
    package: Package
    conditions: Conditions
    expected: Observed


@dataclass(frozen=True)
class Attempt:
    """A submission's notebooks, run and with nbgrader's outputs; their verdicts; the repairs."""

    submission: Submission
    done: dict[str, tuple[NotebookNode, list[Verdict]]]
    repairs: list[str]


def standard_of(course: Course, reference: ReferenceNotebook, conditions: Conditions) -> Standard:
    """Run the reference, under these conditions, over the lessons before it.

    Raises TitoError when it does not pass every one of its own tests.
    """
    package = package_for(course, reference.lesson)
    nb, observed = run_prepared(reference.solved, package, conditions)
    problems = [
        (v.grade_id, v.reason) for v in judge(nb, observed, observed) if v.reason is not None
    ]
    problems += [
        (name, "an observation is unreadable") for name in observed if None in observed[name]
    ]
    if problems:
        name, reason = problems[0]
        raise TitoError(
            f"The reference {reference.lesson.notebook.as_posix()} fails {name} ({reason}): "
            "mend the lesson; nobody was graded."
        )
    return Standard(reference, package, conditions, observed)


def run_here(text: str, package: Package, conditions: Conditions) -> str:
    """The notebook with its outputs. Plain values in and out, and no file of the course."""
    with tempfile.TemporaryDirectory(prefix="tito-", ignore_cleanup_errors=True) as folder:
        write_package(package, Path(folder))
        return execute(text, Path(folder), conditions.limits, sandboxed=conditions.sandboxed)


def attempt(submission: Submission, standards: list[Standard], run: Runner = run_here) -> Attempt:
    """Repair, run and judge the notebooks of a submission."""
    done: dict[str, tuple[NotebookNode, list[Verdict]]] = {}
    repairs: list[str] = []
    for standard in standards:
        name = standard.reference.name
        if name in submission.absent:
            done[name] = _nothing(standard.reference, submission.absent[name])
            continue
        repaired = repair(submission.notebooks[name], standard.reference)
        nb, observed = run_prepared(repaired.notebook, standard.package, standard.conditions, run)
        done[name] = nb, judge(nb, observed, standard.expected)
        repairs += repaired.notes
    for nb, verdicts in done.values():
        write_verdicts(nb, verdicts)
    return Attempt(submission, done, repairs)


def run_prepared(
    nb: NotebookNode, package: Package, conditions: Conditions, run: Runner = run_here
) -> tuple[NotebookNode, Observed]:
    """Run a whole notebook; the run notebook and what its graded cells observed."""
    text = run(dump_notebook(prepare(nb, conditions.seed)), package, conditions)
    done = nbformat.reads(text, as_version=4)
    return done, take_out(done)


def _nothing(reference: ReferenceNotebook, reason: str) -> tuple[NotebookNode, list[Verdict]]:
    """The lesson's blank, not run, for a notebook that is not there: no points, and why."""
    nb = repair({"cells": []}, reference).notebook
    points = {grade_id(c): float(c.metadata.nbgrader.points) for c in nb.cells if is_graded(c)}
    return nb, [Verdict(name, most, reason) for name, most in points.items()]
