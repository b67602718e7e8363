"""`make demo`: the class of the first modules gets exactly what each submission deserves."""

import shutil

import pytest

from tests.conftest import REPOSITORY
from tito.course import Course
from tito.demo import MISTAKES, play
from tito.grading.report import GRADED, NOT_GRADED, REPAIRED
from tito.notebook import grade_id, is_graded, read_notebook
from tito.variants import load_variants

pytestmark = pytest.mark.slow

# What `mistakes` earns, by hand: three exercises of each notebook are wrong and lose their points,
# and a test over a whole module falls with what it stands on.
WITH_MISTAKES = {
    "01_tensor": 25,  # 100 - (10 + 8 + 7) - (6 + 8 + 6) - (10 + 12 + 8)
    "02_activations": 26,  # 100 - (16 + 28 + 20) - 10
    "03_layers": 12,  # 100 - (28 + 28 + 20) - 12
    "04_losses": 22,  # 100 - (16 + 22 + 28) - 12
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The class played on a copy of the course, so that `.build/demo` is left alone."""
    root = tmp_path_factory.mktemp("demo") / "course"
    for name in ("source", "notebooks", "release", "tinytorch", "tests"):
        shutil.copytree(REPOSITORY / name, root / name)
    for name in ("settings.ini", "nbgrader_config.py"):
        shutil.copy(REPOSITORY / name, root / name)
    course = Course(root)
    return course, play(course)


def points(course: Course, module: str) -> dict[str, float]:
    """What each graded cell of a module is worth."""
    cells = [
        cell
        for lesson in course.lessons([course.module(module)])
        for cell in read_notebook(course.root / lesson.notebook).cells
    ]
    return {grade_id(c): float(c.metadata.nbgrader.points) for c in cells if is_graded(c)}


def planted(course: Course, module: str) -> set[str]:
    """The tests that the submissions `mistakes` and `edited-test` must lose."""
    lost = set()
    for lesson in course.lessons([course.module(module)]):
        mutants = load_variants(course.root, lesson.module.folder, lesson.name).mutants
        by_cell = {mutant.cell: mutant for mutant in reversed(mutants)}
        in_order = dict.fromkeys(mutant.cell for mutant in mutants)
        lost |= {by_cell[cell].test for cell in list(in_order)[:MISTAKES]}
    return lost


def test_the_table_is_exact(demo):
    course, played = demo
    for module in WITH_MISTAKES:
        rows = {row.student: row for row in played.rows if row.module == module}
        whole = points(course, module)
        full = sum(whole.values())
        seen = {name: (row.status, row.score) for name, row in rows.items()}
        assert seen == {
            "right": (GRADED, full),
            "right-differently": (GRADED, full),
            "blank": (GRADED, 0),
            "mistakes": (GRADED, WITH_MISTAKES[module]),
            "edited-test": (REPAIRED, WITH_MISTAKES[module]),
            "corrupt-file": (NOT_GRADED, None),
        }


def test_each_planted_mistake_loses_its_points_and_says_why(demo):
    course, played = demo
    for row in played.rows:
        if row.student in ("mistakes", "edited-test"):
            lost = {name for name, _ in row.reasons}
            assert planted(course, row.module) <= lost
            assert all(reason for _, reason in row.reasons)


def test_feedback_and_grades_are_written(demo):
    _, played = demo
    lines = played.grades.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + len(played.rows)
    corrupt = next(line for line in lines if line.startswith("corrupt-file"))
    assert ",not graded,,,," in corrupt, "not graded is an empty score, never 0"
    graded = [row for row in played.rows if row.is_graded]
    for row in graded:
        assert list((played.feedback / row.student / row.module).glob("*.html"))
