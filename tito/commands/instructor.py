"""Commands of the instructor."""

import typer

PANEL = "Instructor"


def register(app: typer.Typer) -> None:
    """Add the instructor's commands to the tool."""
