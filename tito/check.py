"""The author's gate: lesson rules, generated trees in sync, no leaked solution."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from tito.build import build_lesson, check_rules, write_index
from tito.course import Course

GENERATED_TREES = ("notebooks", "release", "tinytorch")
_NOT_OURS = {"__pycache__", ".ipynb_checkpoints"}


def check_course(course: Course, on_lesson: Callable[[str], None] | None = None) -> list[str]:
    """Every problem of the course, one line each; an empty list when it may be committed.

    Raises TitoError when a lesson breaks a rule: what it would build cannot be judged.
    """
    from tito.leaks import find_leaks

    check_rules(course, course.modules())
    problems = [f"leak: {leak}" for leak in find_leaks(course, course.release)]
    with tempfile.TemporaryDirectory() as scratch:
        for lesson in course.lessons():
            if on_lesson:
                on_lesson(str(lesson.source))
            build_lesson(course, lesson, Path(scratch), earlier=Path(scratch))
        write_index(course, Path(scratch))
        return problems + out_of_sync(course.root, Path(scratch))


def out_of_sync(root: Path, fresh: Path) -> list[str]:
    """The generated files under `root` that differ from those freshly built under `fresh`."""
    ours, theirs = _files(root), _files(fresh)
    problems = []
    for path in sorted(ours.keys() | theirs.keys()):
        if path not in ours:
            problems.append(f"{path}: missing, its source builds it: run `make`.")
        elif path not in theirs:
            problems.append(f"{path}: no source builds it: move it out of the generated tree.")
        elif ours[path] != theirs[path]:
            problems.append(
                f"{path}: differs from what its source builds: run `make`, edit source/."
            )
    return problems


def _files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for tree in GENERATED_TREES
        for path in (root / tree).rglob("*")
        if path.is_file() and not _NOT_OURS & set(path.relative_to(root).parts)
    }
