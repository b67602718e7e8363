"""What a notebook's own tests make of an answer: the verdicts of the grader, obtained quickly."""

import atexit
import shutil
import tempfile
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nbformat import NotebookNode

from tests.conftest import REPOSITORY
from tests.lessons.quick import quick_run
from tito.course import Course, LessonFiles
from tito.grading.challenge import prepare, take_out
from tito.grading.verdict import Verdict, judge
from tito.notebook import read_notebook
from tito.package import write_cut_package

SEED = 20_26


@dataclass(frozen=True)
class Bench:
    """A lesson with all it takes to judge answers to it."""

    solved: NotebookNode
    packages: Path
    expected: dict

    def judge(self, nb: NotebookNode, seed: int = SEED) -> dict[str, Verdict]:
        """The verdict on each graded cell of `nb`, by grade_id."""
        run = quick_run(prepare(nb, seed), self.packages)
        return {verdict.grade_id: verdict for verdict in judge(run, take_out(run), self.expected)}


def bench_of(course: Course, lesson: LessonFiles) -> Bench:
    """The bench of a lesson whose products stand in the course folder."""
    packages = Path(tempfile.mkdtemp(prefix="cut-package-"))
    atexit.register(shutil.rmtree, packages, ignore_errors=True)
    write_cut_package(course, lesson, course.root, packages)
    solved = read_notebook(course.root / lesson.notebook)
    expected = take_out(quick_run(prepare(deepcopy(solved), SEED), packages))
    return Bench(solved, packages, expected)


@cache
def lessons() -> dict[str, LessonFiles]:
    """Every lesson of the course: `01_tensor/tensor` -> its files."""
    course = Course(REPOSITORY)
    return {f"{x.module.folder}/{x.name}": x for x in course.lessons()}


@cache
def bench(lesson: str) -> Bench:
    return bench_of(Course(REPOSITORY), lessons()[lesson])
