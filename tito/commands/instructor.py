"""Commands of the instructor."""

from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import typer
from rich.markup import escape

from tito.console import console, progress
from tito.course import Course
from tito.errors import TitoError

PANEL = "Instructor"
WHY = typer.Option(False, "--why", help="Say why each point was lost, too.")
DUE_FORMAT = "%Y-%m-%d %H:%M"


def register(app: typer.Typer) -> None:
    """Add the instructor's commands to the tool."""
    for command in (student_edition, release, grade, feedback, grades):
        app.command(rich_help_panel=PANEL)(command)


def student_edition(
    out: Path = typer.Option(
        None, "--out", help="The folder to write to; else the course's dist/."
    ),
    reference_upto: int = typer.Option(
        None, "--reference-upto", help="Also write the file for `tito module catch-up`: 1 to N."
    ),
) -> None:
    """Write the folder and the zip that students get: blanks, tool, empty package, no solution."""
    from tito import edition

    course = _instructors_course("student-edition")
    out = (out or course.root / "dist").resolve()
    with console.status("Making the student edition"):
        written = edition.make_edition(course, out)
        if reference_upto is not None:
            written.append(edition.make_reference(course, out, reference_upto))
    for path in written:
        console.print(f"wrote {path}", markup=False, soft_wrap=True)


def release(
    module: str = typer.Argument(help="The module: number, folder or name."),
    due: str = typer.Option(
        None, "--due", help='When it is due, in your local time: "2026-12-01 23:59".'
    ),
) -> None:
    """Build a module and register it in the gradebook.

    Example: tito release 01 --due "2026-12-01 23:59"
    """
    from tito.build import build

    course = _instructors_course("release")
    chosen = course.module(module)
    due_time = _due_time(due) if due else None
    with progress() as bar:
        task = bar.add_task("build", total=None)
        build(course, [chosen], lambda lesson: bar.update(task, description=lesson))
        bar.update(task, description="gradebook")
        from tito.grading import gradebook
        from tito.grading.autograde import ensure_assignment
        from tito.grading.reference import load_references

        ensure_assignment(course, chosen, load_references(course, chosen))
        if due_time:
            gradebook.set_due(course, chosen, due_time)
    console.print(f"{chosen.folder} is in the gradebook" + (f", due {due}." if due else "."))
    console.print(f"Hand out release/{chosen.folder}/ (or `tito student-edition` for the whole).")


def grade(
    module: str = typer.Argument(help="The module: number, folder or name."),
    student: list[str] = typer.Option(
        None, "--student", help="Grade this student alone; may be repeated."
    ),
    why: bool = WHY,
    jobs: int = typer.Option(
        None, "--jobs", min=1, help="How many submissions run at a time; else one a core."
    ),
    force: bool = typer.Option(
        False, "--force", help="Grade anew what has not changed since it was graded, too."
    ),
    dask: str = typer.Option(
        None, "--dask", help="Run submissions on the workers of this scheduler: tls://host:8786."
    ),
    unsafe_no_tls: bool = typer.Option(
        False,
        "--unsafe-no-tls",
        help="Take a scheduler on another machine without TLS: trust the net.",
    ),
    unsafe_no_sandbox: bool = typer.Option(
        False, "--unsafe-no-sandbox", help="Run submissions with your own rights: trust them all."
    ),
) -> None:
    """Grade what stands in submitted/STUDENT/MODULE/, and the zips of `tito submit` in submitted/.

    What was graded before and has not changed since (hand-in, due date, lesson, package, grader,
    nbgrader_config.py) keeps its grade. So a run that was interrupted is taken up by the next.

    Example: tito grade 01 --student ann
    """
    course = _instructors_course("grade")
    chosen = course.module(module)
    from tito.grading.grade import Options, grade_module
    from tito.grading.report import remarks, summary, table

    if unsafe_no_sandbox:
        console.print("Without the sandbox: submissions run with your rights, on your files.")
    options = Options(jobs, force, sandboxed=not unsafe_no_sandbox)
    with ExitStack() as stack:
        if dask:
            from tito.grading.cluster import connect

            cluster = stack.enter_context(connect(dask, unsafe_no_tls=unsafe_no_tls))
            options = replace(options, jobs=jobs or cluster.slots, run=cluster.run)
        bar = stack.enter_context(progress())
        task = bar.add_task("the reference", total=None)
        rows = grade_module(
            course,
            chosen,
            student or None,
            on_row=lambda row: bar.update(task, advance=1, description=escape(row.student)),
            on_start=lambda coming, standing: bar.update(task, total=coming, standing=standing),
            options=options,
        )
        standing = bar.tasks[task].fields["standing"]
    if not rows:
        console.print(f"Nobody to grade: put notebooks into submitted/STUDENT/{chosen.folder}/.")
        return
    console.print(table(rows))
    console.print(remarks(rows, why=why))
    console.print(summary(rows))
    if standing:
        console.print(f"{standing} unchanged since they were graded: not run again (--force does).")


def feedback(
    module: str = typer.Argument(help="The module: number, folder or name."),
    student: list[str] = typer.Option(
        None, "--student", help="Write this student's feedback alone; may be repeated."
    ),
) -> None:
    """Write a page for each student's notebook: feedback/STUDENT/MODULE/NOTEBOOK.html.

    Who could not be graded gets not_graded.html, which says why.

    Example: tito feedback 01
    """
    course = _instructors_course("feedback")
    chosen = course.module(module)
    from tito.grading.feedback import write_feedback

    with progress() as bar:
        task = bar.add_task("feedback", total=None)
        pages = write_feedback(
            course,
            chosen,
            student or None,
            lambda name: bar.update(task, advance=1, description=name),
        )
    console.print(f"{len(pages)} pages in feedback/STUDENT/{chosen.folder}/.")
    if not pages:
        console.print(f"Nobody is graded yet: run `tito grade {chosen.number:02d}`.")


def grades(
    module: str = typer.Argument(None, help="The module; all graded ones when none is named."),
    to_csv: Path = typer.Option(None, "--csv", help="Write a spreadsheet file instead of a table."),
    to_html: Path = typer.Option(
        None, "--html", help="Write a page over the class: its tests, points and students."
    ),
    why: bool = WHY,
) -> None:
    """Show the grades, as they stand in the gradebook now, or write them to a file.

    Example: tito grades --csv grades.csv --html class.html
    """
    course = _instructors_course("grades")
    modules = [course.module(module)] if module else course.modules()
    from tito.grading.grades import current_rows
    from tito.grading.report import remarks, summary, table, write_csv

    rows = [row for chosen in modules for row in current_rows(course, chosen)]
    if not rows:
        raise TitoError("Nothing is graded yet: run `tito grade MODULE` first.")
    if to_csv:
        write_csv(rows, to_csv)
        console.print(f"{len(rows)} rows in {to_csv}: {summary(rows)}.", markup=False)
    if to_html:
        from tito.grading.summary import summary_page

        to_html.write_text(summary_page(rows, datetime.now()), encoding="utf-8")
        console.print(f"The class is in {to_html}.", markup=False)
    if not to_csv and not to_html:
        console.print(table(rows))
        console.print(remarks(rows, why=why))
        console.print(summary(rows))


def _instructors_course(command: str) -> Course:
    course = Course.find()
    course.require_source(command)
    return course


def _due_time(text: str) -> datetime:
    """The due date in UTC, without a zone, as the gradebook keeps it."""
    from datetime import UTC

    try:
        return datetime.strptime(text, DUE_FORMAT).astimezone().astimezone(UTC).replace(tzinfo=None)
    except ValueError as error:
        raise TitoError(
            f'--due {text!r} is no date and time: write it as "2026-12-01 23:59".'
        ) from error
