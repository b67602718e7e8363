"""What a solved lesson prints and draws: each is run once and remembered by its contents."""

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbformat import NotebookNode

from tito.convert import to_notebook
from tito.course import Course, LessonFiles
from tito.errors import TitoError
from tito.lesson import read_lesson
from tito.notebook import dump_notebook, read_notebook, write_notebook
from tito.run import failure_of, run_notebook

OUTPUTS = Path(".build/outputs")
JOBS = 2
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

# Runs before the lesson: sharp figures, and what a figure says to who cannot see it.
PRELUDE = '''
import matplotlib.pyplot as plt
from IPython import get_ipython
from matplotlib.figure import Figure
from matplotlib_inline.backend_inline import set_matplotlib_formats


def in_words(figure, printer, cycle):
    """The titles of a figure, or what its axes show when it has none."""
    parts = [figure.get_suptitle()]
    for axes in figure.axes:
        labels = [axes.get_ylabel(), axes.get_xlabel()]
        parts.append(axes.get_title() or " against ".join(filter(None, labels)))
    printer.text("Figure: " + ("; ".join(filter(None, parts)) or "no title"))


set_matplotlib_formats("retina")
plt.rcParams["figure.dpi"] = 96
get_ipython().display_formatter.formatters["text/plain"].for_type(Figure, in_words)
del in_words
'''


def solved_with_outputs(
    course: Course, lessons: list[LessonFiles], on_lesson: Callable[[], None] | None = None
) -> dict[LessonFiles, NotebookNode]:
    """Each lesson's solved notebook with its outputs; only what changed is run.

    Raises TitoError, naming lesson and cell, when a cell of ours fails.
    """
    for name in THREADS:  # two kernels with two threads each stall on small products
        os.environ.setdefault(name, "1")

    def one(lesson: LessonFiles) -> NotebookNode:
        nb = _remembered(course, lesson)
        if on_lesson:
            on_lesson()
        return nb

    with ThreadPoolExecutor(JOBS) as pool:
        return dict(zip(lessons, pool.map(one, lessons), strict=True))


def _remembered(course: Course, lesson: LessonFiles) -> NotebookNode:
    """The notebook of an earlier run over the same code, or of a run now."""
    solved = to_notebook(read_lesson(course.root / lesson.source))
    digest = _digest(course, lesson, solved)
    kept = course.root / OUTPUTS / lesson.module.folder / f"{lesson.name}.ipynb"
    if kept.is_file():
        nb = read_notebook(kept)
        if nb.metadata.get("digest") == digest:
            return nb
    nb = _run(course, lesson, solved)
    nb.metadata["digest"] = digest
    write_notebook(nb, kept)
    return nb


def _run(course: Course, lesson: LessonFiles, solved: NotebookNode) -> NotebookNode:
    """Run the lesson over the reference package, in an empty folder."""
    solved.cells.insert(0, nbformat.v4.new_code_cell(PRELUDE))
    with TemporaryDirectory() as scratch:
        nb = run_notebook(solved, cwd=Path(scratch), packages=course.root)
    for cell in nb.cells:
        if cell.cell_type == "code" and (failure := failure_of(cell)):
            name = cell.metadata.get("nbgrader", {}).get("grade_id", cell.id)
            raise TitoError(f"{lesson.source.as_posix()}, cell {name}: {failure}: mend the lesson.")
    del nb.cells[0]
    return nb


def _digest(course: Course, lesson: LessonFiles, solved: NotebookNode) -> str:
    """What the outputs depend on: the lesson, the package it imports, versions, the prelude."""
    earlier = [course.root / other.exported for other in course.lessons_before(lesson)]
    texts = [PRELUDE, dump_notebook(solved)]
    for path in (*earlier, course.root / "requirements.lock"):
        texts.append(path.read_text(encoding="utf-8"))
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()
