"""Grade one assignment of a whole class: every student gets a row, whatever they handed in."""

import os
import secrets
import tempfile
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tito.course import Course, Module
from tito.errors import TitoError
from tito.grading import gradebook
from tito.grading.attempt import Attempt, Standard, attempt, standard_of
from tito.grading.autograde import ensure_assignment, record
from tito.grading.collect import Submission, Unpacked, collect, seen_students, unpack_zips
from tito.grading.reference import load_references
from tito.grading.report import GRADED, MISSING, NOT_GRADED, PARTLY, REPAIRED, Row, save_rows
from tito.grading.text import one_line


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
    with (
        tempfile.TemporaryDirectory(prefix="tito-packages-", ignore_cleanup_errors=True) as folder,
        ThreadPoolExecutor(os.cpu_count()) as pool,  # they wait for kernels, which are processes
    ):
        standards = list(
            pool.map(lambda r: standard_of(course, r, Path(folder, r.name), seed), references)
        )
        attempts = {
            student: pool.submit(_attempt_of, course, module, student, standards)
            for student in chosen
            if student not in unpacked.problems
        }
        try:
            for student in chosen:
                rows.append(_row_of(course, module, student, attempts.pop(student, None), unpacked))
                if on_row:
                    on_row(rows[-1])
        finally:  # what was graded before an interruption is kept
            pool.shutdown(wait=False, cancel_futures=True)
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


def _attempt_of(course: Course, module: Module, student: str, standards: list[Standard]) -> Attempt:
    """What a student handed in, run and judged; with nothing done when there is nothing to run."""
    submission = collect(course, module, [s.reference for s in standards], student)
    if submission.is_missing or submission.problem:
        return Attempt(submission, {}, [])
    return attempt(submission, standards)


def _row_of(
    course: Course, module: Module, student: str, run: Future[Attempt] | None, unpacked: Unpacked
) -> Row:
    """The row of one student. An exception becomes the row, so that it stops nobody else."""
    try:
        if run is None:
            return Row(student, module.folder, NOT_GRADED, notes=(unpacked.problems[student],))
        made = run.result()
        notes = [*filter(None, [unpacked.notes.get(student)]), *made.submission.notes]
        if not made.done:
            return _row_without_grade(course, module, made.submission, notes)
        return _row_with_grade(course, module, made, notes)
    except TitoError as error:
        reason = str(error)
    except Exception as error:
        _log(course, student)
        reason = f"the grader failed ({type(error).__name__}: {error}): see .grading/errors.log"
    return Row(student, module.folder, NOT_GRADED, notes=(one_line(reason),))


def _row_without_grade(
    course: Course, module: Module, submission: Submission, notes: list[str]
) -> Row:
    student = submission.student
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


def _row_with_grade(course: Course, module: Module, made: Attempt, notes: list[str]) -> Row:
    submission, student = made.submission, made.submission.student
    record(course, module, student, made.done, submission.timestamp)
    score, points = gradebook.graded_points(course, module, student)
    return Row(
        student,
        module.folder,
        PARTLY if submission.absent else REPAIRED if made.repairs else GRADED,
        score=score,
        max_score=sum(possible for _, _, possible in points),
        is_late=gradebook.is_late(course, module, student, submission.timestamp),
        points=tuple(points),
        reasons=tuple(
            (v.grade_id, v.reason)
            for _, vs in made.done.values()
            for v in vs
            if v.reason is not None
        ),
        notes=tuple(map(one_line, [*notes, *made.repairs])),
    )


def _log(course: Course, student: str) -> None:
    path = course.root / ".grading" / "errors.log"
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as log:
        log.write(f"{student!r}\n{traceback.format_exc()}\n")
