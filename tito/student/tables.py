"""The student's results as tables; plain text in a pipe, and never read as markup."""

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tito.student.results import BLANK, DONE, FAILED, Exercise, Result
from tito.student.status import Standing

_STYLES = {DONE: "green", BLANK: "yellow", FAILED: "red"}
SHOWN_TROUBLE = 5


def results_table(results: list[Result]) -> RenderableType:
    """For each notebook: what was put right, what stopped, and every exercise."""
    parts: list[RenderableType] = []
    for result in results:
        parts += [Text(f"note: {note}", style="yellow") for note in result.notes]
        if result.trouble:
            parts.append(Text(f"Mend this first in {result.notebook}:", style="red"))
            parts += [Text(f"  {line}") for line in result.trouble[:SHOWN_TROUBLE]]
            if (more := len(result.trouble) - SHOWN_TROUBLE) > 0:
                parts.append(Text(f"  and {more} more cells that stopped"))
        table = _table("test", "points", "state", "what it says", title=result.notebook)
        for exercise in result.exercises:
            table.add_row(
                exercise.test,
                _points(exercise),
                Text(exercise.state, style=_STYLES[exercise.state]),
                Text(exercise.message),
            )
        parts.append(table)
    return Group(*parts)


def status_table(standings: list[Standing]) -> Table:
    table = _table("module", "state", "next")
    for standing in standings:
        style = "green" if standing.is_complete else None
        table.add_row(
            standing.module.folder, Text(standing.state, style=style or ""), standing.next_step
        )
    return table


def _points(exercise: Exercise) -> str:
    earned = exercise.points if exercise.state == DONE else 0
    return f"{earned:g}/{exercise.points:g}"


def _table(*columns: str, title: str | None = None) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column in ("points", "state", "next"))
    return table
