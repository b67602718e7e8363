"""Commands of the student."""

import typer

PANEL = "Student"


def register(app: typer.Typer) -> None:
    """Add the student's commands to the tool."""
