"""The student's notebooks become their package, or the package stays as it was."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tito.course import Course, LessonFiles, Module
from tito.errors import TitoError
from tito.student.record import digest_of_copies, remember

IMPORT_SECONDS = 120
SHOWN_MODULES = 3


def is_packaged(course: Course, module: Module) -> bool:
    """Whether each notebook of the module has its file in the package."""
    return all((course.root / lesson.exported).is_file() for lesson in course.lessons([module]))


def next_lesson(course: Course, module: Module) -> LessonFiles:
    """The first notebook of the module that is not in the package yet; else the first."""
    lessons = course.lessons([module])
    return next((x for x in lessons if not (course.root / x.exported).is_file()), lessons[0])


def missing_before(course: Course, module: Module) -> list[Module]:
    """The earlier modules that are not in the package."""
    earlier = [other for other in course.modules() if other.number < module.number]
    return [other for other in earlier if not is_packaged(course, other)]


def way_out(module: Module, missing: list[Module]) -> str:
    """What to do about earlier modules that are not in the package."""
    folders = ", ".join(other.folder for other in missing[:SHOWN_MODULES])
    if (more := len(missing) - SHOWN_MODULES) > 0:
        folders += f" and {more} more"
    return (
        f"Not in your package yet: {folders}. {module.folder} builds on it: "
        f"`tito module complete {missing[0].number:02}`, or take the reference version: "
        f"`tito module catch-up {module.number:02}`."
    )


def refuse_changed_exports(course: Course, module: Module) -> None:
    """Raise TitoError when a given cell that goes into the package is not as released."""
    from tito.grading.reference import released_reference
    from tito.student.whole import changed_exports
    from tito.student.workspace import read_copy

    for lesson in course.lessons([module]):
        reference = released_reference(course, lesson)
        if changed := changed_exports(read_copy(course, lesson), reference):
            raise TitoError(
                f"{lesson.notebook.as_posix()}: the package needs the given cell `{changed[0]}` as "
                f"it is in {lesson.release.as_posix()}: put it back, and write additions into a "
                "cell of your own that starts with `#| export`."
            )


def export(course: Course, module: Module, lessons: list[LessonFiles]) -> list[Path]:
    """Export these notebooks of a module into the package and return the files written.

    Raises TitoError, with the package as it was, when `import tinytorch` would fail afterwards.
    """
    from tito.export import export_notebook

    with undone_on_failure(course.package):
        files = [
            export_notebook(course.root / lesson.notebook, course.package) for lesson in lessons
        ]
        refresh_index(course)
        check_import(course)
    if lessons == course.lessons([module]):
        remember(course, module, packaged=digest_of_copies(course, module))
    return files


def refresh_index(course: Course, folder: Path | None = None) -> None:
    """Write the index of the package in `folder`, else of the course's, for what stands in it."""
    from tito.export import write_package_index

    folder = folder or course.root
    standing = [
        lesson.target for lesson in course.lessons() if (folder / lesson.exported).is_file()
    ]
    write_package_index(course, folder / "tinytorch", standing)


def check_import(course: Course) -> None:
    """Import the package in a fresh Python. Raises TitoError with the reason when that fails."""
    env = {**os.environ, "PYTHONPATH": str(course.root), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(
            [sys.executable, "-P", "-c", "import tinytorch"],
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=IMPORT_SECONDS,
        )
    except subprocess.TimeoutExpired:
        reason = f"it takes more than {IMPORT_SECONDS} s"
    else:
        if run.returncode == 0:
            return
        reason = (run.stderr.strip().splitlines() or [f"exit status {run.returncode}"])[-1]
    raise TitoError(
        f"`import tinytorch` fails with this module in it ({reason}): your package was left as it "
        "was; mend the cell that starts with `#| export` and causes it."
    )


@contextmanager
def undone_on_failure(package: Path) -> Iterator[None]:
    """Put the package's files back as they were when the block raises."""
    before = {path: path.read_bytes() for path in package.rglob("*.py")}
    try:
        yield
    except BaseException:  # Ctrl-C too
        for path in set(package.rglob("*.py")) - set(before):
            path.unlink()
        for path, content in before.items():
            path.write_bytes(content)
        raise
