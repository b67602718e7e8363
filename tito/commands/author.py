"""Commands of those who write lessons."""

import typer

from tito.console import console, progress
from tito.course import Course, Module

PANEL = "Author"


def register(app: typer.Typer) -> None:
    app.command("build", rich_help_panel=PANEL)(build)


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
        builder.check_rules(course, chosen)
        console.print(f"{sum(len(m.notebooks) for m in chosen)} lessons keep the rules.")
        return
    with progress() as bar:
        task = bar.add_task("build", total=None)
        built = builder.build(course, chosen, lambda lesson: bar.update(task, description=lesson))
    for lesson in built:
        console.print(f"built {lesson.relative_to(course.root).as_posix()}")
    if not built:
        console.print("Everything is up to date.")


def _chosen(course: Course, names: list[str] | None) -> list[Module]:
    return [course.module(name) for name in names] if names else course.modules()
