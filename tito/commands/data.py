"""Commands for data sets: they are optional, and need a network once."""

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from tito import data
from tito.console import console, errors

data_app = typer.Typer(help="Data sets for optional parts: get, list.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands to the tool."""
    data_app.command("get")(get)
    data_app.command("list")(show)
    app.add_typer(data_app, name="data", rich_help_panel="Student")


def get(
    name: str = typer.Argument(..., help="The data set: see `tito data list`.", show_default=False),
) -> None:
    """Fetch a data set, check it, and say where it is; what is there is not fetched again."""
    found, folder = data.find(name), data.data_folder()
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(TextColumn(name), *columns, console=errors, transient=True) as bar:
        task = bar.add_task(name, total=found.size)
        path = data.get(
            found, folder, lambda done, total: bar.update(task, completed=done, total=total)
        )
    console.print(str(path), markup=False, soft_wrap=True)


def show() -> None:
    """List the data sets, their sizes, and which of them are here."""
    folder = data.data_folder()
    console.print(f"kept in {folder}", markup=False, soft_wrap=True)
    for found in data.DATASETS.values():
        state = "here" if data.is_here(found, folder) else f"{found.size / 1e6:,.0f} MB to fetch"
        line = f"{found.name:12} {state:18} {found.about}"
        console.print(line, markup=False, soft_wrap=True)
