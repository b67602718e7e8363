"""autograded/ -> feedback/STUDENT/NN_name/*.html: nbgrader's feedback, in our pages."""

import shutil
from collections.abc import Callable
from pathlib import Path

from tito.course import Course, Module
from tito.errors import TitoError
from tito.grading import gradebook
from tito.grading.autograde import check_result, scratch_api
from tito.grading.page import render
from tito.grading.report import NOT_GRADED, Row, load_rows

NOT_GRADED_PAGE = "not_graded.html"


def graded_students(course: Course, module: Module) -> list[str]:
    """Everybody whose submission for `module` was graded and stands so in the gradebook."""
    autograded = course.root.glob(f"autograded/*/{module.folder}")
    scores = gradebook.all_scores(course, module)
    return sorted(path.parent.name for path in autograded if path.parent.name in scores)


def write_feedback(
    course: Course,
    module: Module,
    students: list[str] | None = None,
    on_student: Callable[[str], None] | None = None,
) -> list[Path]:
    """Write the feedback of `students` (by default everybody's) and return the pages.

    Who was not graded gets a page, too, that says why. Pages of an earlier grading go. Raises
    TitoError at the end when nbgrader refuses somebody's; the others are written.
    """
    unread = {
        row.student: row
        for row in load_rows(course, module)
        if row.status == NOT_GRADED and (course.root / "submitted" / row.student).is_dir()
    }
    graded = [name for name in graded_students(course, module) if name not in unread]
    for student in students or []:
        if student not in graded and student not in unread:
            raise TitoError(f"{student} has no graded {module.folder}: run `tito grade` first.")
    pages, failed = [], []
    for student in sorted({*graded, *unread}) if students is None else students:
        folder = course.root / "feedback" / student / module.folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if student in unread:
            pages.append(_write_not_graded(unread[student], folder))
        else:
            try:
                pages += _write_graded(course, module, student, folder)
            except TitoError as error:
                failed.append(str(error))
        if on_student:
            on_student(student)
    if failed:
        raise TitoError(f"{failed[0]} ({len(failed)} failed; {len(pages)} pages are written)")
    return pages


def _write_not_graded(row: Row, folder: Path) -> Path:
    page = folder / NOT_GRADED_PAGE
    page.write_text(render("not_graded.html.j2", row=row), encoding="utf-8")
    return page


def _write_graded(course: Course, module: Module, student: str, folder: Path) -> list[Path]:
    with scratch_api(course) as (api, root):
        shutil.copytree(
            course.root / "autograded" / student / module.folder,
            root / "autograded" / student / module.folder,
        )
        result = api.generate_feedback(module.folder, student)
        check_result(result, f"write the feedback of {student}")
        made = sorted((root / "feedback" / student / module.folder).glob("*.html"))
        return [Path(shutil.copy(page, folder / page.name)) for page in made]
