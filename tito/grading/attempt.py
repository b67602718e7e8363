"""Run one student's notebooks and judge them; nothing here touches the gradebook."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tito.course import Course
from tito.errors import TitoError
from tito.grading.challenge import Observation, prepare, take_out
from tito.grading.collect import Submission
from tito.grading.execute import execute
from tito.grading.reference import ReferenceNotebook
from tito.grading.repair import repair
from tito.grading.verdict import Verdict, judge, write_verdicts
from tito.notebook import dump_notebook, grade_id, is_graded
from tito.package import write_cut_package

Observed = Mapping[str, Sequence[Observation | None]]


@dataclass(frozen=True)
class Standard:
    """What submissions of one notebook are run over and held against.

    The `seed` is fresh for each grading, so that no answer can be prepared for it.
    """

    reference: ReferenceNotebook
    packages: Path
    seed: int
    expected: Observed


@dataclass(frozen=True)
class Attempt:
    """A submission's notebooks, run and with nbgrader's outputs; their verdicts; the repairs."""

    submission: Submission
    done: dict[str, tuple[NotebookNode, list[Verdict]]]
    repairs: list[str]


def standard_of(
    course: Course, reference: ReferenceNotebook, packages: Path, seed: int
) -> Standard:
    """Run the reference under `seed` over the lessons before it, written into `packages`.

    Raises TitoError when it does not pass every one of its own tests.
    """
    write_cut_package(course, reference.lesson, course.root, packages)
    nb, observed = run_prepared(reference.solved, packages, seed)
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
    return Standard(reference, packages, seed, observed)


def attempt(submission: Submission, standards: list[Standard]) -> Attempt:
    """Repair, run and judge the notebooks of a submission."""
    done: dict[str, tuple[NotebookNode, list[Verdict]]] = {}
    repairs: list[str] = []
    for standard in standards:
        name = standard.reference.name
        if name in submission.absent:
            done[name] = _nothing(standard.reference, submission.absent[name])
            continue
        repaired = repair(submission.notebooks[name], standard.reference)
        nb, observed = run_prepared(repaired.notebook, standard.packages, standard.seed)
        done[name] = nb, judge(nb, observed, standard.expected)
        repairs += repaired.notes
    for nb, verdicts in done.values():
        write_verdicts(nb, verdicts)
    return Attempt(submission, done, repairs)


def run_prepared(nb: NotebookNode, packages: Path, seed: int) -> tuple[NotebookNode, Observed]:
    """Run a whole notebook under `seed`; the run notebook and what its graded cells observed."""
    text = execute(dump_notebook(prepare(deepcopy(nb), seed)), packages)
    run = nbformat.reads(text, as_version=4)
    return run, take_out(run)


def _nothing(reference: ReferenceNotebook, reason: str) -> tuple[NotebookNode, list[Verdict]]:
    """The lesson's blank, not run, for a notebook that is not there: no points, and why."""
    nb = repair({"cells": []}, reference).notebook
    points = {grade_id(c): float(c.metadata.nbgrader.points) for c in nb.cells if is_graded(c)}
    return nb, [Verdict(name, most, reason) for name, most in points.items()]
