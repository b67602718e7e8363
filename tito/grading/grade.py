"""Grade one assignment of a whole class: every student gets a row, whatever they handed in."""

import secrets
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tito.course import Course, Module
from tito.errors import TitoError
from tito.grading import gradebook
from tito.grading.autograde import ensure_assignment, record
from tito.grading.challenge import Observation, prepare, take_out
from tito.grading.collect import Submission, Unpacked, collect, seen_students, unpack_zips
from tito.grading.execute import execute
from tito.grading.reference import ReferenceNotebook, load_references
from tito.grading.repair import repair
from tito.grading.report import GRADED, MISSING, NOT_GRADED, PARTLY, REPAIRED, Row, save_rows
from tito.grading.text import one_line
from tito.grading.verdict import Verdict, judge, write_verdicts
from tito.notebook import dump_notebook, grade_id, is_graded
from tito.package import write_cut_package

Observed = Mapping[str, Sequence[Observation | None]]


@dataclass(frozen=True)
class Standard:
    """What submissions of one notebook are run over and held against."""

    reference: ReferenceNotebook
    packages: Path
    expected: Observed


@dataclass(frozen=True)
class Grading:
    """One run over a class. The `seed` is fresh, so that no answer can be prepared for it."""

    course: Course
    module: Module
    standards: list[Standard]
    seed: int

    @property
    def references(self) -> list[ReferenceNotebook]:
        return [standard.reference for standard in self.standards]


def grade_module(
    course: Course,
    module: Module,
    students: Sequence[str] | None = None,
    on_row: Callable[[Row], None] | None = None,
    on_start: Callable[[list[str]], None] | None = None,
) -> list[Row]:
    """Grade `module` for `students` (default: everybody enrolled or seen); one row for each.

    `on_start` gets the students to come, `on_row` each row when it is there.
    Raises TitoError when there is nothing to grade against: the module is not built, or its own
    reference fails its tests.
    """
    references = load_references(course, module)
    ensure_assignment(course, module, references)
    unpacked = unpack_zips(course, module)
    chosen = _choose(course, unpacked, students)
    if on_start:
        on_start(chosen)
    seed = secrets.randbits(64)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="tito-packages-", ignore_cleanup_errors=True) as folder:
        standards = [_standard(course, r, Path(folder, r.name), seed) for r in references]
        grading = Grading(course, module, standards, seed)
        try:
            for student in chosen:
                rows.append(_row_of(grading, student, unpacked))
                if on_row:
                    on_row(rows[-1])
        finally:  # what was graded before an interruption is kept
            is_whole_class = students is None and len(rows) == len(chosen)
            save_rows(course, module, rows, replace_all=is_whole_class)
    return rows


def _choose(course: Course, unpacked: Unpacked, students: Sequence[str] | None) -> list[str]:
    """Who gets a row: by default everybody enrolled in the gradebook or seen, and bad zips."""
    everybody = sorted(
        {*gradebook.enrolled_students(course), *seen_students(course), *unpacked.problems}
    )
    for student in students or []:
        if student not in everybody:
            raise TitoError(
                f"There is no student {student!r}: no folder in submitted/ has this name."
            )
    return everybody if students is None else list(dict.fromkeys(students))


def _standard(course: Course, reference: ReferenceNotebook, packages: Path, seed: int) -> Standard:
    write_cut_package(course, reference.lesson, course.root, packages)
    return Standard(reference, packages, expectations(reference, packages, seed))


def expectations(reference: ReferenceNotebook, packages: Path, seed: int) -> Observed:
    """What the reference's graded cells observe under `seed`; it must pass every one of them."""
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
    return observed


def run_prepared(nb: NotebookNode, packages: Path, seed: int) -> tuple[NotebookNode, Observed]:
    """Run a whole notebook under `seed`; the run notebook and what its graded cells observed."""
    text = execute(dump_notebook(prepare(deepcopy(nb), seed)), packages)
    done = nbformat.reads(text, as_version=4)
    return done, take_out(done)


def _row_of(grading: Grading, student: str, unpacked: Unpacked) -> Row:
    """The row of one student. An exception becomes the row, so that it stops nobody else."""
    course, module = grading.course, grading.module
    try:
        if student in unpacked.problems:
            return Row(student, module.folder, NOT_GRADED, notes=(unpacked.problems[student],))
        submission = collect(course, module, grading.references, student)
        notes = [*filter(None, [unpacked.notes.get(student)]), *submission.notes]
        if submission.is_missing or submission.problem:
            return _row_without_grade(grading, submission, notes)
        return _row_with_grade(grading, submission, notes)
    except TitoError as error:
        reason = str(error)
    except Exception as error:
        _log(course, student)
        reason = f"the grader failed ({type(error).__name__}: {error}): see .grading/errors.log"
    return Row(student, module.folder, NOT_GRADED, notes=(one_line(reason),))


def _row_without_grade(grading: Grading, submission: Submission, notes: list[str]) -> Row:
    course, module, student = grading.course, grading.module, submission.student
    if submission.problem:
        notes.insert(0, submission.problem)
    if gradebook.graded_points(course, module, student) is not None:
        notes.append("the gradebook keeps the grade of an earlier submission")
    return Row(
        student,
        module.folder,
        MISSING if submission.is_missing else NOT_GRADED,
        is_late=gradebook.is_late(course, module, student, submission.timestamp),
        notes=tuple(map(one_line, notes)),
    )


def _row_with_grade(grading: Grading, submission: Submission, notes: list[str]) -> Row:
    course, module, student = grading.course, grading.module, submission.student
    done: dict[str, tuple[NotebookNode, list[Verdict]]] = {}
    repairs: list[str] = []
    for standard in grading.standards:
        name = standard.reference.name
        if name in submission.absent:
            done[name] = _nothing(standard.reference, submission.absent[name])
            continue
        repaired = repair(submission.notebooks[name], standard.reference)
        nb, observed = run_prepared(repaired.notebook, standard.packages, grading.seed)
        done[name] = nb, judge(nb, observed, standard.expected)
        repairs += repaired.notes
    for nb, verdicts in done.values():
        write_verdicts(nb, verdicts)
    record(course, module, student, done, submission.timestamp)
    score, points = gradebook.graded_points(course, module, student)
    return Row(
        student,
        module.folder,
        PARTLY if submission.absent else REPAIRED if repairs else GRADED,
        score=score,
        max_score=sum(possible for _, _, possible in points),
        is_late=gradebook.is_late(course, module, student, submission.timestamp),
        points=tuple(points),
        reasons=tuple(
            (v.grade_id, v.reason) for _, vs in done.values() for v in vs if v.reason is not None
        ),
        notes=tuple(map(one_line, [*notes, *repairs])),
    )


def _nothing(reference: ReferenceNotebook, reason: str) -> tuple[NotebookNode, list[Verdict]]:
    """The lesson's blank, not run, for a notebook that is not there: no points, and why."""
    nb = repair({"cells": []}, reference).notebook
    points = {grade_id(c): float(c.metadata.nbgrader.points) for c in nb.cells if is_graded(c)}
    return nb, [Verdict(name, most, reason) for name, most in points.items()]


def _log(course: Course, student: str) -> None:
    path = course.root / ".grading" / "errors.log"
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as log:
        log.write(f"{student!r}\n{traceback.format_exc()}\n")
