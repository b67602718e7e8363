"""nbgrader's own pages open on the graded course and show the same points."""

import re

import pytest

from tests.browser.browser import jupyter_lab, look_at
from tests.conftest import copy_of_toy
from tito.demo import filled
from tito.grading.grade import grade_module
from tito.notebook import dump_notebook, read_notebook

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def graded(built_toy, tmp_path_factory):
    """The toy course with one right and one blank submission, graded; and its rows."""
    course = copy_of_toy(built_toy, tmp_path_factory.mktemp("formgrader") / "course")
    lesson = course.lessons()[0]
    blank = read_notebook(course.root / lesson.release)
    right = filled(blank, read_notebook(course.root / lesson.notebook))
    for student, nb in {"ada": right, "bob": blank}.items():
        folder = course.root / "submitted" / student / lesson.module.folder
        folder.mkdir(parents=True)
        (folder / "toy.ipynb").write_text(dump_notebook(nb), encoding="utf-8")
    return course, grade_module(course, lesson.module)


def test_formgrader_shows_the_points_that_tito_gave(graded, tmp_path):
    course, rows = graded
    with jupyter_lab(course.root) as url:
        page = look_at(f"{url}formgrader/manage_submissions/01_toy", tmp_path / "page.png")
        assignments = look_at(f"{url}formgrader/manage_assignments")
    text = re.sub(r"<[^>]+>", " ", page)
    for row in rows:
        shown = re.search(rf"\b{row.student}\s.*?(\d+) / (\d+)", text, re.DOTALL)
        assert shown, f"{row.student} is not on the page"
        assert tuple(map(float, shown.groups())) == (row.score, row.max_score)
    assert "01_toy" in assignments
