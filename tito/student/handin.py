"""The file a student hands in: their notebooks of a module, checked to be whole."""

import json
from datetime import UTC, datetime
from pathlib import Path

from tito.course import Course, Module
from tito.errors import TitoError
from tito.grading.handin import MANIFEST, MAX_NOTEBOOK_BYTES, STUDENT_ID
from tito.grading.reference import released_reference
from tito.student.whole import gaps
from tito.student.workspace import read_copy
from tito.zips import write_zip


def check_student(student: str) -> str:
    """The id, when it can be a folder's name everywhere. Raises TitoError otherwise."""
    student = student.strip()
    if not STUDENT_ID.fullmatch(student):
        raise TitoError(
            f"{student!r} cannot be a student id: use 1 to 64 letters, digits and . _ @ -, "
            "not starting with a dot."
        )
    return student


def refuse_unfit(course: Course, module: Module) -> None:
    """Raise TitoError when a notebook is missing, unreadable, not whole or far too large."""
    for lesson in course.lessons([module]):
        if found := gaps(read_copy(course, lesson), released_reference(course, lesson)):
            raise TitoError(
                f"{lesson.notebook.as_posix()} is not whole: {'; '.join(found)}. Mend it after "
                f"{lesson.release.as_posix()}, or `tito module reset {module.number:02}`."
            )
        if (course.root / lesson.notebook).stat().st_size > MAX_NOTEBOOK_BYTES:
            raise TitoError(
                f"{lesson.notebook.as_posix()} is larger than {MAX_NOTEBOOK_BYTES // 1_000_000} "
                "MB: clear its outputs, save and submit again."
            )


def hand_in(course: Course, module: Module, student: str) -> Path:
    """Write `submit/NN_name-student.zip`, in place of an earlier one, and return it."""
    refuse_unfit(course, module)
    files = {
        f"{module.folder}/{lesson.notebook.name}": (course.root / lesson.notebook).read_bytes()
        for lesson in course.lessons([module])
    }
    facts = {
        "student": student,
        "module": module.folder,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "tool": course.settings["version"],
    }
    files[MANIFEST] = (json.dumps(facts, indent=1) + "\n").encode()
    path = course.root / "submit" / f"{module.folder}-{student}.zip"
    path.parent.mkdir(exist_ok=True)
    write_zip(path, files)
    return path
