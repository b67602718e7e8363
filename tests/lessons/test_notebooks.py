"""The notebooks as they are handed out and read: they run, and their blanks are blank."""

import ast
import time
from copy import deepcopy

import nbformat
import pytest

from tests.conftest import REPOSITORY
from tests.lessons.judging import bench, lessons
from tito.grading.challenge import prepare, take_out
from tito.grading.execute import execute
from tito.grading.verdict import judge
from tito.notebook import dump_notebook, grade_id, is_graded, is_solution, read_notebook
from tito.run import failure_of, run_notebook

SECONDS = 30


def first_of_each_module() -> list:
    """Every lesson; those after the first of a module belong to the slow tests."""
    seen, marked = set(), []
    for name, lesson in lessons().items():
        slow = [pytest.mark.slow] if lesson.module in seen else []
        marked.append(pytest.param(name, marks=slow))
        seen.add(lesson.module)
    return marked


@pytest.mark.parametrize("lesson", lessons())
def test_the_solved_notebook_runs_in_a_clean_kernel(lesson, tmp_path):
    this = bench(lesson)
    start = time.perf_counter()
    run = run_notebook(deepcopy(this.solved), cwd=tmp_path, packages=this.packages)
    seconds = time.perf_counter() - start
    failures = {cell.id: str(failure_of(cell)) for cell in run.cells if failure_of(cell)}
    assert failures == {}
    assert seconds < SECONDS


@pytest.mark.parametrize("lesson", first_of_each_module())
def test_a_kernel_and_the_quick_run_judge_alike(lesson):
    this = bench(lesson)
    blank = read_notebook(REPOSITORY / lessons()[lesson].release)
    for nb in (this.solved, blank):
        text = dump_notebook(prepare(nb, seed=20_26))
        run = nbformat.reads(execute(text, this.packages), as_version=4)
        slow = judge(run, take_out(run), this.expected)
        assert {v.grade_id: v for v in slow} == this.judge(nb)


@pytest.mark.parametrize("lesson", lessons())
def test_the_blank_notebook_earns_nothing_and_says_that_it_is_blank(lesson):
    blank = read_notebook(REPOSITORY / lessons()[lesson].release)
    verdicts = bench(lesson).judge(blank).values()
    assert [v.grade_id for v in verdicts if v.score] == []
    assert any("blank" in v.reason for v in verdicts)


@pytest.mark.parametrize("lesson", lessons())
def test_each_blank_raises_not_implemented(lesson):
    for cell in read_notebook(REPOSITORY / lessons()[lesson].release).cells:
        if is_solution(cell):
            raised = [n for n in ast.walk(ast.parse(cell.source)) if isinstance(n, ast.Raise)]
            names = [n.exc.func.id for n in raised if isinstance(n.exc, ast.Call)]
            assert "NotImplementedError" in names, grade_id(cell)


@pytest.mark.parametrize("lesson", lessons())
def test_the_lesson_is_of_a_size_that_one_can_read(lesson):
    files = lessons()[lesson]
    lines = (REPOSITORY / files.source).read_text(encoding="utf-8").splitlines()
    cells = bench(lesson).solved.cells
    assert len(lines) <= 650
    assert len(cells) <= 48
    assert 3 <= sum(is_graded(cell) for cell in cells) <= 8
