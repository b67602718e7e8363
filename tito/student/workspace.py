"""The student's working copies in `notebooks/`: made from `release/`, never overwritten."""

import importlib.util
import os
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tito.course import Course, LessonFiles, Module
from tito.errors import TitoError
from tito.student.record import remember

if TYPE_CHECKING:
    from nbformat import NotebookNode


def require_student(course: Course, command: str) -> None:
    """Refuse a student's command among solved notebooks."""
    if not course.is_student_edition:
        raise TitoError(
            f"`tito {command}` works on a student's notebooks and these are solved: "
            "run it in a student edition (`tito student-edition` makes one)."
        )


def start(course: Course, module: Module) -> list[Path]:
    """Make the working copies that are not there yet and return those made."""
    made = []
    for lesson in course.lessons([module]):
        copy = course.root / lesson.notebook
        copy.parent.mkdir(parents=True, exist_ok=True)
        content = (course.root / lesson.release).read_bytes()
        try:
            with copy.open("xb") as file:
                file.write(content)
        except FileExistsError:
            continue
        made.append(lesson.notebook)
    return made


def read_copy(course: Course, lesson: LessonFiles) -> "NotebookNode":
    """The student's notebook. Raises TitoError when there is none or it cannot be read."""
    from tito.notebook import read_notebook

    number = f"{lesson.module.number:02}"
    path = course.root / lesson.notebook
    if not path.is_file():
        raise TitoError(f"You have no {lesson.notebook.as_posix()}: `tito module start {number}`.")
    try:
        return read_notebook(path)
    except TitoError as error:
        raise TitoError(
            f"{error} Or begin again: `tito module reset {number}` keeps this file in archive/."
        ) from error


def reset(course: Course, module: Module) -> Path | None:
    """Copy the student's notebooks to the archive, then put the released ones in their place.

    Returns the archive's folder, or None when there was nothing to keep.
    """
    lessons = course.lessons([module])
    mine = [path for lesson in lessons if (path := course.root / lesson.notebook).exists()]
    archive = new_archive(course, module.folder) if mine else None
    for path in mine:
        shutil.copy2(path, archive / path.name)
    for lesson in lessons:
        path = course.root / lesson.notebook
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((course.root / lesson.release).read_bytes())
    remember(course, module, done=None, total=None)
    return archive


def new_archive(course: Course, name: str) -> Path:
    """A new folder `archive/name-YYYYmmdd-HHMMSS`; never one that exists."""
    stamp = f"{name}-{datetime.now():%Y%m%d-%H%M%S}"
    for number in range(1, 1000):
        folder = course.root / "archive" / (stamp if number == 1 else f"{stamp}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise TitoError(f"archive/ holds a thousand folders {stamp}: move some of them away.")


def in_course(course: Course, path: Path) -> str:
    """A path as people read it: from the course folder, with forward slashes."""
    return path.relative_to(course.root).as_posix()


def open_lab(course: Course, notebook: Path, *, browser: bool) -> int:
    """Run JupyterLab on a notebook until it is shut down and return its exit status."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise TitoError(
            "JupyterLab is not installed: activate the course's environment, "
            "`source bin/activate-tinytorch.sh`."
        )
    # The address, not the path: JupyterLab takes a path's folder for all there is to see.
    address = f"--LabApp.default_url=/lab/tree/{notebook.as_posix()}"
    command = [sys.executable, "-m", "jupyter", "lab", address]
    if not browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # in a container everything runs as root
    # The notebooks import this folder's package, even from another folder's environment.
    env = {**os.environ, "PYTHONPATH": str(course.root)}
    process = subprocess.Popen(command, cwd=course.root, env=env)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue  # Ctrl-C is JupyterLab's too: it asks, and ends when the answer is yes
