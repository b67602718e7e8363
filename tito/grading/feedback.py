"""autograded/ -> feedback/STUDENT/NN_name/x.html, by nbgrader."""

import shutil
from collections.abc import Callable
from pathlib import Path

from tito.course import Course, Module
from tito.errors import TitoError
from tito.grading.autograde import check_result, scratch_api


def graded_students(course: Course, module: Module) -> list[str]:
    """Everybody whose submission for `module` was graded."""
    return sorted(path.parent.name for path in course.root.glob(f"autograded/*/{module.folder}"))


def write_feedback(
    course: Course,
    module: Module,
    students: list[str] | None = None,
    on_student: Callable[[str], None] | None = None,
) -> list[Path]:
    """Write the feedback of `students` (all graded ones by default) and return the pages."""
    graded = graded_students(course, module)
    for student in students or []:
        if student not in graded:
            raise TitoError(f"{student} has no graded {module.folder}: run `tito grade` first.")
    pages = []
    for student in graded if students is None else students:
        pages += _write_one(course, module, student)
        if on_student:
            on_student(student)
    return pages


def _write_one(course: Course, module: Module, student: str) -> list[Path]:
    target = course.root / "feedback" / student / module.folder
    with scratch_api(course) as (api, root):
        shutil.copytree(
            course.root / "autograded" / student / module.folder,
            root / "autograded" / student / module.folder,
        )
        result = api.generate_feedback(module.folder, student)
        check_result(result, f"write the feedback of {student}")
        target.mkdir(parents=True, exist_ok=True)
        made = sorted((root / "feedback" / student / module.folder).glob("*.html"))
        return [Path(shutil.copy(page, target / page.name)) for page in made]
