"""Grade one assignment of a whole class: every student gets a row, whatever they handed in."""

import os
import secrets
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import partial

from tito.course import Course, Module
from tito.errors import TitoError
from tito.grading import gradebook, sandbox
from tito.grading.alone import alone
from tito.grading.attempt import (
    Attempt,
    Conditions,
    Runner,
    Standard,
    attempt,
    run_here,
    standard_of,
)
from tito.grading.autograde import ensure_assignment, record
from tito.grading.collect import (
    Submission,
    Unpacked,
    collect,
    seen_students,
    submitted,
    unpack_zips,
)
from tito.grading.grades import current_rows
from tito.grading.limits import limits_of
from tito.grading.reference import ReferenceNotebook, load_references
from tito.grading.report import GRADED, MISSING, NOT_GRADED, PARTLY, REPAIRED, Row, save_rows
from tito.grading.text import one_line
from tito.grading.unchanged import Ledger, ledger_of
from tito.grading.withdraw import withdraw


@dataclass(frozen=True)
class Options:
    """How a class is graded.

    `jobs` submissions run at a time (default: one a core). `force` grades anew what has not changed
    since it was graded. `sandboxed=False` trusts every submission. `run` runs the notebooks of the
    class; the reference always runs here.
    """

    jobs: int | None = None
    force: bool = False
    sandboxed: bool = True
    run: Runner = run_here


def grade_module(
    course: Course,
    module: Module,
    students: Sequence[str] | None = None,
    on_row: Callable[[Row], None] | None = None,
    on_start: Callable[[int, int], None] | None = None,
    options: Options = Options(),
) -> list[Row]:
    """Grade `module` for `students` (default: everybody enrolled or seen); one row for each.

    What stands since an earlier grading is not run again, so that a run that was killed can be
    taken up by the next: each row is kept as soon as it is there. `on_start` gets how many are to
    come and how many stand, `on_row` each row that comes.
    Raises TitoError when there is no sandbox on this machine, when another process grades this
    course, and when there is nothing to grade against: the module is not built, or its own
    reference fails its tests.
    """
    if options.sandboxed:
        sandbox.require()
    with alone(course.root):
        references = load_references(course, module)
        ensure_assignment(course, module, references)
        unpacked = unpack_zips(course, module)
        chosen = _choose(course, unpacked, students)
        ledger = ledger_of(course, module, references, sandboxed=options.sandboxed)
        rows = {} if options.force else _standing(ledger, chosen, unpacked)
        coming = [student for student in chosen if student not in rows]
        if on_start:
            on_start(len(coming), len(rows))
        for row, origin in _graded(ledger, references, coming, unpacked, options):
            rows[row.student] = row
            save_rows(course, module, [row], replace_all=False)
            if origin:
                ledger.keep(row.student, origin)
            if on_row:
                on_row(row)
        ordered = [rows[student] for student in chosen]
        save_rows(course, module, ordered, replace_all=students is None)
        return ordered


def _standing(ledger: Ledger, chosen: list[str], unpacked: Unpacked) -> dict[str, Row]:
    """The rows of those who need not be graded again, with the scores that the gradebook has."""
    rows = {}
    for row in current_rows(ledger.course, ledger.module):
        if row.student in chosen and row.is_graded and ledger.stands(row.student):
            news = [note for note in [unpacked.notes.get(row.student)] if note not in row.notes]
            rows[row.student] = replace(row, notes=(*filter(None, news), *row.notes))
    return rows


def _graded(
    ledger: Ledger,
    references: list[ReferenceNotebook],
    students: list[str],
    unpacked: Unpacked,
    options: Options,
) -> Iterator[tuple[Row, str | None]]:
    """The rows of `students` as they come, each with the origin of its grade if it has one.

    Many submissions run at a time; one is recorded: SQLite and nbgrader see a single writer.
    """
    course, module = ledger.course, ledger.module
    to_run = []
    for student in students:
        if student in unpacked.problems:
            note = unpacked.problems[student]
            yield Row(student, module.folder, NOT_GRADED, notes=(note,)), None
        elif (submitted(course) / student / module.folder).is_dir():
            to_run.append(student)
        else:
            yield _row_of(
                ledger, student, partial(_run, ledger, [], student, options.run), unpacked
            )
    if not to_run:
        return
    limits = limits_of(course.root)
    conditions = Conditions(secrets.randbits(64), limits, sandboxed=options.sandboxed)
    with ThreadPoolExecutor(options.jobs or _cores()) as pool:  # they wait for kernels' processes
        standards = list(pool.map(lambda r: standard_of(course, r, conditions), references))
        runs = {
            pool.submit(_run, ledger, standards, student, options.run): student
            for student in to_run
        }
        try:
            for run in as_completed(list(runs)):
                yield _row_of(ledger, runs.pop(run), run.result, unpacked)
        finally:  # an interruption waits for nothing but what runs already
            pool.shutdown(wait=False, cancel_futures=True)


def _cores() -> int:
    """How many cores this process may use."""
    usable = getattr(os, "sched_getaffinity", None)  # of Linux alone
    return len(usable(0)) if usable else os.cpu_count() or 1


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


def _run(
    ledger: Ledger, standards: list[Standard], student: str, run: Runner
) -> tuple[Attempt, str | None]:
    """What a student handed in, run and judged, and its origin.

    Nothing is done, and has an origin, when there is nothing to run.
    """
    references = [standard.reference for standard in standards]
    submission = collect(ledger.course, ledger.module, references, student)
    if submission.is_missing or submission.problem:
        return Attempt(submission, {}, []), None
    origin = ledger.origin(student)
    return attempt(submission, standards, run), origin


def _row_of(
    ledger: Ledger,
    student: str,
    result: Callable[[], tuple[Attempt, str | None]],
    unpacked: Unpacked,
) -> tuple[Row, str | None]:
    """The row of one student. An exception becomes the row, so that it stops nobody else."""
    course, module = ledger.course, ledger.module
    try:
        made, origin = result()
        notes = [*filter(None, [unpacked.notes.get(student)]), *made.submission.notes]
        if not made.done:
            return _row_without_grade(course, module, made.submission, notes), None
        return _row_with_grade(course, module, made, notes), origin
    except TitoError as error:
        reason = str(error)
    except Exception as error:
        _log(course, student)
        reason = f"the grader failed ({type(error).__name__}: {error}): see .grading/errors.log"
    return Row(student, module.folder, NOT_GRADED, notes=(one_line(reason),)), None


def _row_without_grade(
    course: Course, module: Module, submission: Submission, notes: list[str]
) -> Row:
    student = submission.student
    if submission.problem:
        notes.insert(0, submission.problem)
    if submission.is_missing:
        if gradebook.graded_points(course, module, student) is not None:
            notes.append("the gradebook keeps the grade of an earlier submission")
    elif (earlier := withdraw(course, module, student)) is not None:
        notes.append(earlier)
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
