"""Run a student's notebooks and say, exercise by exercise, what passes."""

import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from nbformat import NotebookNode

from tito.course import Course, LessonFiles, Module
from tito.grading.reference import released_reference
from tito.grading.repair import repair
from tito.notebook import grade_id, is_graded
from tito.run import Failure, failure_of, run_notebook
from tito.student.record import remember
from tito.student.results import BLANK, DONE, FAILED, Exercise, Result
from tito.student.workspace import read_copy

_FILE_OF_A_CELL = re.compile(r"\(\d+\.py, line (\d+)\)")  # how IPython names it in a SyntaxError
_SPEAK_FOR_THEMSELVES = ("NotRun", "CellTimeoutError")


def run_tests(
    course: Course, module: Module, on_cell: Callable[[int, int], None] | None = None
) -> list[Result]:
    """Run each notebook of the module in a clean kernel, over the student's own package.

    `on_cell` gets how many code cells have run, and of how many. Raises TitoError when a notebook
    is not there or cannot be read; nothing is run then, and no working copy is ever changed.
    """
    prepared = [(lesson, *_as_graded(course, lesson)) for lesson in course.lessons([module])]
    total = sum(cell.cell_type == "code" for _, nb, _ in prepared for cell in nb.cells)
    ran = count(1)

    def tick(_index: int) -> None:
        if on_cell:
            on_cell(next(ran), total)

    results = []
    with _packages(course, module) as packages:
        for lesson, nb, notes in prepared:
            path = course.root / lesson.notebook
            run = run_notebook(nb, cwd=path.parent, packages=packages, on_cell=tick)
            exercises, trouble = judge(run)
            name = lesson.notebook.as_posix()
            results.append(Result(name, tuple(exercises), notes, tuple(trouble)))
            if packages != course.root:
                _export_for_the_next(course, path, packages)
    states = [exercise.state for result in results for exercise in result.exercises]
    remember(course, module, done=states.count(DONE), total=len(states))
    return results


def _as_graded(course: Course, lesson: LessonFiles) -> tuple[NotebookNode, tuple[str, ...]]:
    """The student's notebook as the grader would run it: its cells in order, its tests restored."""
    mine = repair(read_copy(course, lesson), released_reference(course, lesson))
    return mine.notebook, mine.notes


def judge(run: NotebookNode) -> tuple[list[Exercise], list[str]]:
    """The exercises of a notebook that was run, and its other cells that stopped with an error.

    A test that fails because a cell of its exercise stopped gives that cell's reason.
    """
    exercises, trouble = [], []
    cause: tuple[str, Failure] | None = None
    for number, cell in enumerate(run.cells, 1):
        if cell.cell_type != "code":
            continue
        failure = failure_of(cell)
        if is_graded(cell):
            exercises.append(_exercise(cell, failure, cause))
            cause = None
        elif failure is not None:
            name = _cell_name(cell, number)
            if grade_id(cell) is not None:
                cause = cause or (name, failure)
            if not failure.is_blank:  # a cell that shows what an exercise does, before it is done
                trouble.append(f"{name}: {_words(failure)}")
    return exercises, trouble


def _exercise(
    cell: NotebookNode, failure: Failure | None, cause: tuple[str, Failure] | None
) -> Exercise:
    test, points = grade_id(cell), cell.metadata["nbgrader"].get("points", 0)
    if failure is None:
        return Exercise(test, points, DONE)
    if failure.is_blank or (cause and cause[1].is_blank):
        return Exercise(test, points, BLANK, "still to fill")
    if cause:
        return Exercise(test, points, FAILED, f"{cause[0]} stopped: {_words(cause[1])}")
    return Exercise(test, points, FAILED, _words(failure))


def _cell_name(cell: NotebookNode, number: int) -> str:
    if name := grade_id(cell):
        return f"cell `{name}`"
    first = next((line for line in cell.source.splitlines() if line.strip()), "").strip()
    return f"cell {number} (`{first[:40]}`)"


def _words(failure: Failure) -> str:
    text = failure.message if failure.kind in _SPEAK_FOR_THEMSELVES else str(failure)
    return _FILE_OF_A_CELL.sub(r"(line \1 of the cell)", text)


@contextmanager
def _packages(course: Course, module: Module) -> Iterator[Path]:
    """Where the kernels import `tinytorch` from: the student's package.

    In a module of several notebooks a later one builds on an earlier one that may not be exported
    yet: they get a copy of the package, into which each is exported after its run.
    """
    if len(module.notebooks) == 1:
        yield course.root
        return
    # Beside the package, not in the system's folder: nbdev needs both on one Windows drive.
    with tempfile.TemporaryDirectory(
        prefix=".tito-", dir=course.root, ignore_cleanup_errors=True
    ) as scratch:
        skip = shutil.ignore_patterns("__pycache__")
        shutil.copytree(course.package, Path(scratch, "tinytorch"), ignore=skip)
        yield Path(scratch)


def _export_for_the_next(course: Course, notebook: Path, packages: Path) -> None:
    from tito.export import export_notebook
    from tito.student.packaging import refresh_index

    # nbdev meets unfinished code here; when it stumbles, the next notebook's import says so
    with suppress(Exception):
        export_notebook(notebook, packages / "tinytorch")
        refresh_index(course, packages)
