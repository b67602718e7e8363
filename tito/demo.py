"""A small class, played from start to end: six submissions of each of the first modules, graded.

It lives in a scratch course of its own, so that an instructor's gradebook never sees it.
"""

import shutil
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from tito.build import build
from tito.course import Course, LessonFiles
from tito.export import without_markers
from tito.grading.feedback import write_feedback
from tito.grading.grade import Options, grade_module
from tito.grading.report import Row, write_csv
from tito.notebook import dump_notebook, grade_id, is_graded, is_solution, read_notebook
from tito.variants import Variants, apply_variants, load_variants

DEMO = Path(".build/demo")
COPIED = ("source", "notebooks", "release", "tinytorch", "settings.ini", "nbgrader_config.py")
STUDENTS = 6
PLAYED = 4  # modules: two minutes; the whole course would take ten
TRUSTING = Options(sandboxed=False)  # the submissions are our own
MISTAKES = 3  # planted in the submission `mistakes` of each notebook


@dataclass(frozen=True)
class Demo:
    """The played class: its rows, and where to look further."""

    rows: list[Row]
    feedback: Path
    grades: Path


def play(course: Course, on_row: Callable[[Row], None] | None = None) -> Demo:
    """Build the course, hand in the example submissions, grade them, write feedback and grades."""
    build(course, course.modules())
    demo = Course(course.root / DEMO)
    shutil.rmtree(demo.root, ignore_errors=True)
    demo.root.mkdir(parents=True)
    for name in COPIED:
        copy = shutil.copytree if (course.root / name).is_dir() else shutil.copy
        copy(course.root / name, demo.root / name)
    modules = demo.modules()[:PLAYED]
    for lesson in demo.lessons(modules):
        variants = load_variants(course.root, lesson.module.folder, lesson.name)
        for student, text in submissions(demo, lesson, variants).items():
            folder = demo.root / "submitted" / student / lesson.module.folder
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{lesson.name}.ipynb").write_text(text, encoding="utf-8")
    rows = []
    for module in modules:
        rows += grade_module(demo, module, on_row=on_row, options=TRUSTING)
        write_feedback(demo, module)
    write_csv(rows, demo.root / "grades.csv")
    return Demo(rows, demo.root / "feedback", demo.root / "grades.csv")


def submissions(course: Course, lesson: LessonFiles, variants: Variants) -> dict[str, str]:
    """What each student of the example class hands in for one notebook: its text by student."""
    solved = read_notebook(course.root / lesson.notebook)
    blank = read_notebook(course.root / lesson.release)
    right = dump_notebook(filled(blank, solved))
    others = apply_variants(solved, *_one_a_cell(variants.alternatives))
    mistakes = _one_a_cell(variants.mutants)[:MISTAKES]
    wrong = filled(blank, apply_variants(solved, *mistakes))
    return {
        "right": right,
        "right-differently": dump_notebook(filled(blank, others)),
        "blank": dump_notebook(blank),
        "mistakes": dump_notebook(wrong),
        "edited-test": dump_notebook(_with_empty_tests(wrong, {m.test for m in mistakes})),
        "corrupt-file": right[: len(right) // 2],
    }


def filled(blank: NotebookNode, solved: NotebookNode) -> NotebookNode:
    """A release notebook with its blanks filled, as a student hands it in."""
    answers = {grade_id(cell): cell.source for cell in solved.cells if is_solution(cell)}
    nb = deepcopy(blank)
    for cell in nb.cells:
        if is_solution(cell):
            cell.source = without_markers(answers[grade_id(cell)])
    return nb


def _one_a_cell(variants: tuple) -> list:
    """The first variant of each solution cell: two edits of one cell might not fit together."""
    first = {}
    for variant in variants:
        first.setdefault(variant.cell, variant)
    return list(first.values())


def _with_empty_tests(nb: NotebookNode, names: set[str]) -> NotebookNode:
    """The notebook of somebody who makes the failing tests pass by emptying them."""
    nb = deepcopy(nb)
    for cell in nb.cells:
        if is_graded(cell) and grade_id(cell) in names:
            cell.source = 'print("all tests passed")'
    return nb
