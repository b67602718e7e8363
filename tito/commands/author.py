"""Commands of those who write lessons."""

from pathlib import Path

import typer

from tito.console import console, progress
from tito.course import Course, Module
from tito.errors import TitoError

PANEL = "Author"


def register(app: typer.Typer) -> None:
    app.command("build", rich_help_panel=PANEL)(build)
    app.command("check", rich_help_panel=PANEL)(check)
    app.command("demo", rich_help_panel=PANEL)(demo)


def build(
    modules: list[str] = typer.Argument(None, help="The modules to build; all when none is named."),
    check: bool = typer.Option(False, "--check", help="Check the lesson rules and write nothing."),
) -> None:
    """Build what changed: source/ -> notebooks/, release/ and the package."""
    from tito import build as builder

    course = Course.find()
    course.require_source("build")
    chosen = _chosen(course, modules)
    if check:
        builder.check(course, chosen)
        console.print(f"{sum(len(m.notebooks) for m in chosen)} lessons keep the rules.")
        return
    with progress() as bar:
        task = bar.add_task("build", total=None)
        built = builder.build(course, chosen, lambda lesson: bar.update(task, description=lesson))
    for lesson in built:
        console.print(f"built {lesson.as_posix()}")
    if not built:
        console.print("Everything is up to date.")


def check() -> None:
    """The gate: lesson rules, generated trees in sync with their sources, no leaked solution."""
    from tito.check import check_course

    course = Course.find()
    course.require_source("check")
    with progress() as bar:
        task = bar.add_task("check", total=len(course.lessons()))
        problems = check_course(
            course, lambda lesson: bar.update(task, advance=1, description=lesson)
        )
    if problems:
        raise TitoError("\n".join(problems))
    console.print(f"{len(course.lessons())} lessons keep the rules; what they build is in sync.")


def demo() -> None:
    """Grade a small example class of the first modules, and show its gradebook."""
    from tito.demo import PLAYED, STUDENTS, play
    from tito.grading.report import remarks, summary, table

    course = Course.find()
    course.require_source("demo")
    console.print("Its submissions are our own: they run without the sandbox of `tito grade`.")
    with progress() as bar:
        rows = STUDENTS * len(course.modules()[:PLAYED])
        task = bar.add_task("grading the example class", total=rows)
        played = play(course, lambda row: bar.advance(task))
    console.print(table(played.rows))
    console.print(remarks(played.rows, why=True))
    console.print(summary(played.rows))
    console.print(f"feedback:  {_shown(course, played.feedback)}/STUDENT/MODULE/NOTEBOOK.html")
    console.print(f"grades:    {_shown(course, played.grades)}")


def _shown(course: Course, path: Path) -> str:
    return path.relative_to(course.root).as_posix()


def _chosen(course: Course, names: list[str] | None) -> list[Module]:
    return [course.module(name) for name in names] if names else course.modules()
