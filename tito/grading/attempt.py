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
from tito.grading.room import Room
from tito.grading.verdict import Verdict, judge, write_verdicts
from tito.notebook import dump_notebook, grade_id, is_graded

Observed = Mapping[str, Sequence[Observation | None]]


@dataclass(frozen=True)
class Conditions:
    """How notebooks are run. The `seed` is fresh for each grading: no answer is prepared for it."""

    seed: int
    limits: Limits
    sandboxed: bool


Prepared = tuple[str, Package]  # a notebook's text, and what it runs over
# Runs the notebooks of one submission in their order: here, or on another machine.
Runner = Callable[[list[Prepared], Conditions], list[str]]


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
    [(nb, observed)] = run_all([(reference.solved, package)], conditions)
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


def run_here(notebooks: list[Prepared], conditions: Conditions) -> list[str]:
    """The notebooks with their outputs. Plain values in and out, and no file of the course.

    A notebook's package holds the answers to those before it in the module, and is not there while
    those run.
    """
    done = []
    with Room(conditions.limits, sandboxed=conditions.sandboxed) as room:
        for text, package in notebooks:
            with tempfile.TemporaryDirectory(prefix="tito-") as folder:
                write_package(package, Path(folder))
                done.append(execute(text, Path(folder), room))
    return done


def attempt(submission: Submission, standards: list[Standard], run: Runner = run_here) -> Attempt:
    """Repair, run and judge the notebooks of a submission."""
    present = [s for s in standards if s.reference.name not in submission.absent]
    repaired = [repair(submission.notebooks[s.reference.name], s.reference) for s in present]
    ran = run_all(
        [(one.notebook, s.package) for one, s in zip(repaired, present, strict=True)],
        standards[0].conditions,
        run,
    )
    judged = {
        s.reference.name: (nb, judge(nb, observed, s.expected))
        for s, (nb, observed) in zip(present, ran, strict=True)
    }
    done = {
        name: judged.get(name) or _nothing(s.reference, submission.absent[name])
        for s in standards
        for name in [s.reference.name]
    }
    for nb, verdicts in done.values():
        write_verdicts(nb, verdicts)
    return Attempt(submission, done, [note for one in repaired for note in one.notes])


def run_all(
    notebooks: list[tuple[NotebookNode, Package]], conditions: Conditions, run: Runner = run_here
) -> list[tuple[NotebookNode, Observed]]:
    """Run whole notebooks; each one run, and what its graded cells observed."""
    prepared = [(dump_notebook(prepare(nb, conditions.seed)), over) for nb, over in notebooks]
    done = [nbformat.reads(text, as_version=4) for text in run(prepared, conditions)]
    return [(nb, take_out(nb)) for nb in done]


def _nothing(reference: ReferenceNotebook, reason: str) -> tuple[NotebookNode, list[Verdict]]:
    """The lesson's blank, not run, for a notebook that is not there: no points, and why."""
    nb = repair({"cells": []}, reference).notebook
    points = {grade_id(c): float(c.metadata.nbgrader.points) for c in nb.cells if is_graded(c)}
    return nb, [Verdict(name, most, reason) for name, most in points.items()]
