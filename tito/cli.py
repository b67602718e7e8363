"""`tito`: the commands, each a few lines that call one plain function."""

import sys

import typer
from rich.markup import escape

from tito.commands import author, data, instructor, milestone, student
from tito.console import errors
from tito.errors import TitoError

app = typer.Typer(
    help="TinyTorch's course tool. A module is named by number, folder or name: "
    "`11`, `11_embeddings` or `embeddings`.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
student.register(app)
data.register(app)
milestone.register(app)
instructor.register(app)
author.register(app)


def show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"tito {version('tinytorch')}")
        raise typer.Exit


@app.callback()
def options(
    debug: bool = typer.Option(False, "--debug", help="Show the whole traceback of an error."),
    version: bool = typer.Option(
        False, "--version", help="Show the version.", callback=show_version, is_eager=True
    ),
) -> None:
    """Read by `main` before the command runs."""


def main() -> None:
    """Run a command; a failure ends in one line on stderr and exit status 1."""
    debug = "--debug" in sys.argv
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a terminal without `→` must not end a command
    try:
        app()
    except TitoError as error:
        if debug:
            raise
        errors.print(f"[bold red]error:[/] {escape(str(error))}")
        sys.exit(1)
    except KeyboardInterrupt:
        errors.print("[bold]stopped[/]: what was finished is kept.")
        sys.exit(130)
    except Exception as error:  # a bug of ours: one line all the same, and the way to say more
        if debug:
            raise
        errors.print(
            f"[bold red]error:[/] unexpected {type(error).__name__}: {escape(str(error))} "
            "(run again with `tito --debug ...` and report the traceback)"
        )
        sys.exit(1)
