"""source/ -> notebooks/, release/ and the package: what changed since the last build.

What changed is decided by contents: a build remembers, for each lesson, the digest of what it read
(the lesson and the tool) and of what it wrote. Time stamps are wrong after each `git checkout`.
"""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tito.course import Course, LessonFiles, Module
from tito.errors import TitoError

STATE = Path(".build/state.json")


def check_rules(course: Course, modules: list[Module]) -> None:
    """Raise one TitoError that lists every breach of the lesson rules in `modules`."""
    if not modules:
        return
    from tito.lesson import read_lesson
    from tito.rules import check_lesson

    problems = [
        str(problem)
        for lesson in course.lessons(modules)
        for problem in check_lesson(read_lesson(course.root / lesson.source))
    ]
    if problems:
        raise TitoError("\n".join(problems))


def check(course: Course, modules: list[Module]) -> None:
    """Every rule, the one that runs the blank notebooks too; nothing in the course is written."""
    check_rules(course, modules)
    for lesson in course.lessons(modules):
        with TemporaryDirectory() as scratch:
            build_lesson(course, lesson, Path(scratch), earlier=course.root)


def build(
    course: Course, modules: list[Module], on_lesson: Callable[[str], None] | None = None
) -> list[Path]:
    """Build what changed in `modules` inside the course folder; return the lessons built.

    A lesson before them that was never built is built too: they stand on it.
    Raises TitoError, before anything is written, when a changed lesson breaks a rule.
    """
    state = _read_state(course.root)
    tool = _tool_digest(course.root)
    wanted = course.lessons(modules)
    before = course.lessons_before(wanted[-1]) if wanted else []
    missing = [x for x in before if not (course.root / x.exported).is_file()]
    stale = [
        x
        for x in course.lessons()
        if x in missing or (x in wanted and not _is_current(course.root, x, tool, state))
    ]
    check_rules(course, list(dict.fromkeys(lesson.module for lesson in stale)))
    for lesson in stale:
        if on_lesson:
            on_lesson(str(lesson.source))
        with TemporaryDirectory() as scratch:
            build_lesson(course, lesson, Path(scratch), earlier=course.root)
            for path in lesson.products:
                (course.root / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(Path(scratch) / path, course.root / path)
        digests = {path.as_posix(): _digest(course.root / path) for path in lesson.products}
        state[lesson.source.as_posix()] = {
            "read": _read_digest(course.root, lesson, tool),
            "wrote": digests,
        }
        _write_state(course.root, state)
    _remove_orphans(course, state)
    write_index(course, course.root)
    _write_links(course.root / "README.md", course)
    return [lesson.source for lesson in stale]


def build_lesson(course: Course, lesson: LessonFiles, out: Path, earlier: Path) -> None:
    """Write the three products of one lesson under `out`; refuse tests that a blank passes.

    `earlier` is the folder whose `tinytorch` holds the lessons before this one.
    """
    from tito.convert import to_notebook, with_start
    from tito.export import export_notebook
    from tito.lesson import read_lesson
    from tito.notebook import write_notebook
    from tito.release import to_release

    solved = to_notebook(read_lesson(course.root / lesson.source))
    with_start(solved, course, lesson)
    write_notebook(solved, out / lesson.notebook)
    export_notebook(out / lesson.notebook, out / "tinytorch")
    release = to_release(solved, course.root)
    refuse_free_points(course, lesson, release, earlier)
    write_notebook(release, out / lesson.release)


def refuse_free_points(course: Course, lesson: LessonFiles, release, earlier: Path) -> None:
    """Run the blank release over the lessons before it: each of its graded cells must fail.

    For the blanks' sake: a given cell that stops by itself would make every test fail.
    """
    from copy import deepcopy

    from tito.notebook import grade_id, is_graded
    from tito.package import write_cut_package
    from tito.run import failure_of, run_notebook

    with TemporaryDirectory() as scratch:
        write_cut_package(course, lesson, earlier, Path(scratch))
        run = run_notebook(deepcopy(release), cwd=Path(scratch), packages=Path(scratch))
    for cell in run.cells:
        failure = failure_of(cell)
        if grade_id(cell) and not is_graded(cell) and failure and not failure.is_blank:
            raise TitoError(
                f"{lesson.source.as_posix()}: the cell {grade_id(cell)} stops in the blank "
                f"notebook ({failure}): mend it, or the lesson it imports."
            )
    free = [grade_id(cell) for cell in run.cells if is_graded(cell) and failure_of(cell) is None]
    if free:
        raise TitoError(
            f"{lesson.source.as_posix()}: the blank notebook passes {', '.join(free)}: "
            "let each graded cell's visible part use what the student writes."
        )


def write_index(course: Course, out: Path) -> None:
    """The package's `__init__.py`, for every lesson that was built."""
    from tito.export import write_package_index

    built = [lesson for lesson in course.lessons() if (out / lesson.exported).is_file()]
    write_package_index(course, out / "tinytorch", [lesson.target for lesson in built])


def _write_links(readme: Path, course: Course) -> None:
    """Where the README says that a module opens, for the address in settings.ini."""
    from tito.launch import with_links

    text = readme.read_text(encoding="utf-8") if readme.is_file() else ""
    if (fresh := with_links(course, text)) != text:
        readme.write_text(fresh, encoding="utf-8", newline="\n")


def _is_current(root: Path, lesson: LessonFiles, tool: str, state: dict) -> bool:
    known = state.get(lesson.source.as_posix())
    return (
        known is not None
        and known["read"] == _read_digest(root, lesson, tool)
        and all(
            _digest(root / path) == known["wrote"].get(path.as_posix()) for path in lesson.products
        )
    )


def _remove_orphans(course: Course, state: dict) -> None:
    """Remove the products of lessons that are gone, and of no others."""
    standing = {path for x in course.lessons() for path in (x.source, *x.products)}
    for source in [source for source in state if Path(source) not in standing]:
        for product in state.pop(source)["wrote"]:
            if Path(product) not in standing:
                (course.root / product).unlink(missing_ok=True)
        _write_state(course.root, state)


def _digest(path: Path) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def _read_digest(root: Path, lesson: LessonFiles, tool: str) -> str:
    return hashlib.sha256(f"{tool} {_digest(root / lesson.source)}".encode()).hexdigest()


def _tool_digest(root: Path) -> str:
    """A digest of all that shapes a product besides the lesson: a new tool builds all anew."""
    names = ("build", "convert", "export", "launch", "lesson", "notebook", "release")
    files = [Path(__file__).with_name(f"{name}.py") for name in (*names, "rules", "run")]
    files += [root / "nbgrader_config.py", root / "requirements.lock", root / "settings.ini"]
    return hashlib.sha256(" ".join(str(_digest(file)) for file in files).encode()).hexdigest()


def _read_state(root: Path) -> dict:
    try:
        return json.loads((root / STATE).read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}  # nothing remembered: build everything


def _write_state(root: Path, state: dict) -> None:
    path = root / STATE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(state, indent=1, sort_keys=True), encoding="utf-8")
