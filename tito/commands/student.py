"""Commands of the student."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from tito.console import console, errors, progress
from tito.course import Course, Module
from tito.errors import TitoError

if TYPE_CHECKING:
    from tito.student.results import Result

PANEL = "Student"
T = TypeVar("T")
MODULE = typer.Argument(..., help="The module: its number, folder or name.", show_default=False)

module_app = typer.Typer(
    help="Work on a module: start, status, complete, reset, catch-up.", no_args_is_help=True
)


def register(app: typer.Typer) -> None:
    """Add the student's commands to the tool."""
    module_app.command("start")(start)
    module_app.command("status")(status)
    module_app.command("complete")(complete)
    module_app.command("reset")(reset)
    module_app.command("catch-up")(catch_up)
    app.add_typer(module_app, name="module", rich_help_panel=PANEL)
    app.command("test", rich_help_panel=PANEL)(run_the_tests)
    app.command("submit", rich_help_panel=PANEL)(submit)
    app.command("doctor", rich_help_panel=PANEL)(doctor)


def start(
    name: str = MODULE,
    no_browser: bool = typer.Option(
        False, "--no-browser", help="Start JupyterLab and print its address only."
    ),
    no_open: bool = typer.Option(False, "--no-open", help="Prepare the notebooks only."),
) -> None:
    """Begin or go on with a module: its notebooks open in JupyterLab.

    The first time they are copied from release/ to notebooks/. Later on your
    own copies open, as you left them.
    """
    from tito.student import packaging, workspace

    course, module = _find("module start", name)
    for copy in workspace.start(course, module):
        _say(f"made {copy.as_posix()}")
    if missing := packaging.missing_before(course, module):
        errors.print(f"warning: {packaging.way_out(module, missing)}", markup=False)
    notebook = packaging.next_lesson(course, module).notebook
    if no_open:
        _say(f"Ready: {notebook.as_posix()}")
        _say(f"When you have filled a blank: tito test {module.number:02}")
        return
    if status := workspace.open_lab(course, notebook, browser=not no_browser):
        raise TitoError(f"JupyterLab ended with status {status}: its lines above say why.")


def status() -> None:
    """Show the map: every module, where you stand in it, and the next step."""
    from tito.student import workspace
    from tito.student.status import standings
    from tito.student.tables import status_table

    course = Course.find()
    workspace.require_student(course, "module status")
    found = standings(course)
    console.print(status_table(found))
    complete = sum(standing.is_complete for standing in found)
    _say(f"{complete} of {len(found)} modules are in your package.")


def run_the_tests(
    name: str = typer.Argument(None, help="The module: its number, folder or name."),
    module: str = typer.Option(None, "--module", help="The same, as an option."),
) -> None:
    """Run a module's tests on your notebook and show what is left.

    The notebook runs from top to bottom in a fresh kernel; your file is not
    changed. The exit status is 0 when every exercise passes.
    """
    if (name is None) == (module is None):
        raise TitoError("Name one module: `tito test 01` or `tito test --module tensor`.")
    course, found = _find("test", module if name is None else name)
    if any(result.left for result in _run_tests(course, found)):
        raise typer.Exit(1)
    _say(f"Next: tito module complete {found.number:02}")


def complete(name: str = MODULE) -> None:
    """Run the tests; put each notebook that passes into your package tinytorch.

    A module of several notebooks goes in one by one: the next one imports what
    the one before it put there.
    """
    from tito.student import packaging
    from tito.student.results import ready
    from tito.student.workspace import in_course

    course, module = _find("module complete", name)
    packaging.refuse_changed_exports(course, module)
    results = _run_tests(course, module)
    lessons = course.lessons([module])
    if passing := lessons[: ready(results)]:
        with console.status("Exporting"):
            files = packaging.export(course, module, passing)
        names = ", ".join(in_course(course, file) for file in files)
        _say(f"Your code is in {names}, and `import tinytorch` works.")
    if passing != lessons:
        rest = lessons[len(passing)].notebook.as_posix()
        kept = "" if passing else ": the package was left as it was"
        raise TitoError(f"{module.folder} is not complete{kept}. Go on with {rest}.")
    _say(f"To hand in: tito submit {module.number:02}")


def reset(
    name: str = MODULE,
    yes: bool = typer.Option(False, "--yes", "-y", help="Do not ask."),
) -> None:
    """Begin a module anew: your notebooks go to archive/ first, nothing is lost."""
    from tito.student import workspace

    course, module = _find("module reset", name)
    question = f"Put your notebooks of {module.folder} into archive/ and begin anew?"
    if not yes and not _answer(typer.confirm, question, "say --yes"):
        raise TitoError("Nothing was changed.")
    if archive := workspace.reset(course, module):
        kept = workspace.in_course(course, archive)
        _say(f"Your notebooks are kept in {kept}/")
    _say(f"notebooks/{module.folder}/ is as released. Reload the page if it is open in JupyterLab.")


def catch_up(
    name: str = MODULE,
    file: Path = typer.Option(
        None, "--from", help="The file from your instructor; else looked for in the course folder."
    ),
) -> None:
    """Start late at a module: the ones before it come from your instructor's file.

    `tito module catch-up 11` puts the reference version of modules 1 to 10
    into your package. Your own module files go to archive/; your notebooks
    stay as they are.
    """
    from tito.student import catchup
    from tito.student.workspace import in_course

    course, module = _find("module catch-up", name)
    done = catchup.catch_up(course, module, file)
    first, last = done.modules[0].folder, done.modules[-1].folder
    span = first if first == last else f"{first} to {last}"
    _say(f"The package holds the reference version of {span}.")
    if done.archive:
        kept = in_course(course, done.archive)
        _say(f"Your own files are kept in {kept}/; `tito module complete NN` puts yours back.")
    _say(f"Next: tito module start {module.number:02}")


def submit(
    name: str = MODULE,
    student: str = typer.Option(None, "--student", help="Your student id; asked once, then known."),
    no_test: bool = typer.Option(False, "--no-test", help="Do not run the tests first."),
) -> None:
    """Make the file to hand in, after checking that your notebooks are whole.

    Tests need not pass: it says how many points the tests you can see give.
    """
    from tito.student import handin, record
    from tito.student.results import summary
    from tito.student.workspace import in_course

    course, module = _find("submit", name)
    handin.refuse_unfit(course, module)
    student = student or record.remembered_student(course)
    if not student:
        student = _answer(typer.prompt, "Your student id", "say --student ID")
    student = handin.check_student(student)
    record.remember_student(course, student)
    if not no_test:
        results = _test_quietly(course, module)
        for note in (note for result in results for note in result.notes):
            _say(f"note: {note}")
        _say(f"The tests you can see: {summary(results)}")
    path = handin.hand_in(course, module, student)
    _say(f"Hand in {in_course(course, path)} (as {student}).")


def doctor() -> None:
    """Check the installation, line by line, and say what to do about each problem."""
    from tito.doctor import checks

    problems = 0
    for check in checks():
        problems += not check.ok
        console.print("[green]ok[/]     " if check.ok else "[red]problem[/]", end=" ")
        _say(f"{check.name}: {check.detail}" + ("" if check.ok else f" -> {check.remedy}"))
    if problems:
        raise TitoError("Do what the lines marked `problem` say, then run `tito doctor` again.")
    _say("All is well.")


def _say(text: str) -> None:
    """Print a line as it is: no markup, and a terminal breaks it where it likes."""
    console.print(text, markup=False, soft_wrap=True)


def _find(command: str, name: str) -> tuple[Course, Module]:
    from tito.student.workspace import require_student

    course = Course.find()
    require_student(course, command)
    return course, course.module(name)


def _run_tests(course: Course, module: Module) -> "list[Result]":
    """Run the tests and show them."""
    from tito.student import packaging
    from tito.student.results import summary
    from tito.student.tables import results_table

    results = _test_quietly(course, module)
    console.print(results_table(results))
    _say(summary(results))
    left = any(result.left for result in results)
    if left and (missing := packaging.missing_before(course, module)):
        _say(packaging.way_out(module, missing))
    return results


def _test_quietly(course: Course, module: Module) -> "list[Result]":
    from tito.student.testing import run_tests

    with progress() as bar:
        task = bar.add_task(f"test {module.folder}", total=None)
        return run_tests(
            course, module, lambda done, total: bar.update(task, completed=done, total=total)
        )


def _answer(ask: Callable[[str], T], question: str, instead: str) -> T:
    """What somebody answers; where nobody can, one line that says how to do without."""
    try:
        return ask(question)
    except typer.Abort as error:
        raise TitoError(f"No answer: {instead}.") from error
