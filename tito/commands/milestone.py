"""`tito milestone`: what made history, run on the student's own package."""

import os
import subprocess
import sys
from dataclasses import dataclass

import typer
from rich.table import Table

from tito.console import console
from tito.course import Course, Module
from tito.errors import TitoError


@dataclass(frozen=True)
class Milestone:
    """A script `milestones/NAME.py`, and the last module it needs."""

    year: str
    what: str
    needs: int


MILESTONES = {
    "perceptron": Milestone("1958", "Rosenblatt's machine learns from its mistakes", 6),
    "xor": Milestone("1986", "what one layer cannot learn (1969), two layers can", 6),
    "digits": Milestone("1998", "reads handwritten digits that it has never seen", 7),
    "embeddings": Milestone("2003", "words become vectors while it learns what comes next", 11),
}

milestone_app = typer.Typer(
    help="Run what made history on your own package: list, run.", no_args_is_help=True
)


def register(app: typer.Typer) -> None:
    """Add the commands to the tool."""
    milestone_app.command("list")(show_all)
    milestone_app.command("run")(run)
    app.add_typer(milestone_app, name="milestone", rich_help_panel="Student")


def show_all() -> None:
    """Show every milestone, and what it still needs."""
    course = Course.find()
    table = Table("milestone", "year", "what", "state")
    for name, milestone in MILESTONES.items():
        missing = first_missing(course, milestone)
        state = f"complete {missing.folder} first" if missing else "ready"
        table.add_row(name, milestone.year, milestone.what, state)
    console.print(table)
    console.print("To run one: tito milestone run perceptron", markup=False)


def run(
    name: str = typer.Argument(..., help="One of those that `list` shows.", show_default=False),
    seed: int = typer.Option(0, "--seed", min=0, help="Where its random numbers start."),
) -> None:
    """Run a milestone on your package; its figure goes to milestones/results/."""
    course = Course.find()
    if name not in MILESTONES:
        names = ", ".join(MILESTONES)
        raise TitoError(f"There is no milestone {name!r}: the milestones are {names}.")
    if missing := first_missing(course, MILESTONES[name]):
        raise TitoError(
            f"The milestone {name} needs {missing.folder} in your package: "
            f"`tito module complete {missing.number:02}`, or take the reference version: "
            f"`tito module catch-up {MILESTONES[name].needs + 1:02}`."
        )
    if not (course.root / "milestones" / f"{name}.py").is_file():
        raise TitoError(f"milestones/{name}.py is missing: restore it from the course's zip.")
    # with -m the working directory, and so the student's own package, is first on sys.path
    command = [sys.executable, "-m", f"milestones.{name}", "--seed", str(seed)]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    if status := subprocess.run(command, cwd=course.root, env=environment).returncode:
        raise TitoError(
            f"The milestone {name} ended with status {status}: the lines above say why."
        )


def first_missing(course: Course, milestone: Milestone) -> Module | None:
    """The first module a milestone needs that is not in the package; None when all are."""
    from tito.student.packaging import is_packaged

    needed = [module for module in course.modules() if module.number <= milestone.needs]
    return next((module for module in needed if not is_packaged(course, module)), None)
