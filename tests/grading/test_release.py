"""Our release, made without a gradebook, is what `nbgrader generate_assignment` writes."""

import shutil

from tests.conftest import REPOSITORY
from tito.course import Course
from tito.grading.autograde import check_result, scratch_api
from tito.grading.gradebook import open_gradebook
from tito.notebook import dump_notebook, read_notebook


def released_by_nbgrader(course: Course, folder: str, name: str, scratch) -> str:
    book = Course(scratch)  # a gradebook of its own: the instructor's is not touched
    shutil.copy(course.root / "nbgrader_config.py", scratch)
    with open_gradebook(book):
        pass  # made here, with the `alembic` of this Python
    with scratch_api(book) as (api, root):
        shutil.copytree(course.notebooks / folder, root / "notebooks" / folder)
        check_result(api.generate_assignment(folder), f"release {folder}")
        return dump_notebook(read_notebook(root / "release" / folder / f"{name}.ipynb"))


def test_the_release_is_nbgraders_own(tmp_path):
    course = Course(REPOSITORY)
    lesson = course.lessons()[0]
    theirs = released_by_nbgrader(course, lesson.module.folder, lesson.name, tmp_path)
    assert theirs == (course.root / lesson.release).read_text(encoding="utf-8")
