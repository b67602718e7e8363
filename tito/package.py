"""The reference package cut down to what comes before a lesson."""

import shutil
from pathlib import Path

from tito.course import Course, LessonFiles
from tito.export import write_package_index


def write_cut_package(course: Course, lesson: LessonFiles, built: Path, folder: Path) -> None:
    """Write into `folder` a `tinytorch` of the lessons before `lesson` alone, taken from `built`.

    What runs over it cannot import its own answer, and nothing later can break it.
    """
    before = course.lessons_before(lesson)
    for earlier in before:
        copy = folder / earlier.exported
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(built / earlier.exported, copy)
    write_package_index(course, folder / "tinytorch", [earlier.target for earlier in before])
