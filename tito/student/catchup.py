"""Start late: the reference version of the modules before, in place of the student's own."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from tito.course import Course, Module
from tito.errors import TitoError
from tito.reference import find_reference, read_reference, reference_name
from tito.student.packaging import check_import, refresh_index, undone_on_failure
from tito.student.record import REFERENCE, remember
from tito.student.workspace import new_archive


@dataclass(frozen=True)
class CaughtUp:
    """The modules put in, and where the student's own files are (None: there were none)."""

    modules: list[Module]
    archive: Path | None


def catch_up(course: Course, module: Module, file: Path | None = None) -> CaughtUp:
    """Put the reference version of the modules before `module` into the package.

    Files of the student's that differ are copied to the archive first. Raises TitoError, with the
    package as it was, when the file is missing, damaged or does not reach far enough.
    """
    earlier = [other for other in course.modules() if other.number < module.number]
    if not earlier:
        raise TitoError(f"{module.folder} is the first module: there is nothing to catch up.")
    file = file or find_reference(course.root, earlier[-1].number)
    if file is None:
        raise TitoError(
            f"No {reference_name(earlier[-1].number)} in {course.root}: ask your instructor for "
            "it and put it there, or say where it is with --from FILE."
        )
    reference = read_reference(file)
    new: dict[Path, bytes] = {}
    for lesson in course.lessons(earlier):
        name = lesson.exported.as_posix()
        if name not in reference.files:
            raise TitoError(
                f"{file.name} holds the modules up to {reference.upto:02} and lacks {name}: "
                f"ask for {reference_name(earlier[-1].number)}."
            )
        new[course.root / lesson.exported] = reference.files[name]
    archive = _keep_aside(course, new)
    with undone_on_failure(course.package):
        for path, content in new.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        refresh_index(course)
        check_import(course)
    for other in earlier:
        remember(course, other, packaged=REFERENCE)
    return CaughtUp(earlier, archive)


def _keep_aside(course: Course, new: dict[Path, bytes]) -> Path | None:
    own = [path for path, content in new.items() if path.is_file() and path.read_bytes() != content]
    if not own:
        return None
    archive = new_archive(course, "package")
    for path in own:
        kept = archive / path.relative_to(course.root)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, kept)
    return archive
