"""The package a submission runs over, as plain files that can travel to any worker."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from tito.course import Course, LessonFiles
from tito.package import write_cut_package

Package = Mapping[str, bytes]  # by path: tinytorch/core/tensor.py


def package_for(course: Course, lesson: LessonFiles) -> Package:
    """The reference package cut to what comes before `lesson`.

    In place of the lesson and of all later ones stand modules that refuse their import and say why.
    """
    with tempfile.TemporaryDirectory(prefix="tito-") as name:
        folder = Path(name)
        write_cut_package(course, lesson, course.root, folder)
        for later in course.lessons()[len(course.lessons_before(lesson)) :]:
            stub = folder / later.exported
            if not stub.exists():
                stub.parent.mkdir(parents=True, exist_ok=True)
                stub.write_text(f"raise ImportError({_refusal(lesson, later)!r})\n", "utf-8")
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def write_package(package: Package, folder: Path) -> None:
    """Write the files, readable by the other user that a sandbox may run as."""
    for name, content in package.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o644)
        for parent in path.relative_to(folder).parents[:-1]:
            (folder / parent).chmod(0o755)


def _refusal(lesson: LessonFiles, later: LessonFiles) -> str:
    if later == lesson:
        return f"{lesson.target} is what this notebook builds: write it here."
    return f"{later.target} comes after this notebook: use only what comes before it."
