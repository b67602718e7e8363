"""source/ -> notebooks/, release/ and the package: what changed since the last build.

What changed is decided by contents: a build remembers, for each lesson, the digest of what it read
(the lesson and the tool) and of what it wrote. Time stamps are wrong after each `git checkout`.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tito.course import Course, Module, export_target
from tito.errors import TitoError

STATE = Path(".build/state.json")


@dataclass(frozen=True)
class LessonPaths:
    """One lesson and its products, relative to the course folder."""

    source: Path
    notebook: Path
    release: Path
    module: Path
    target: str

    @property
    def products(self) -> tuple[Path, Path, Path]:
        return self.notebook, self.release, self.module


def lesson_paths(course: Course, module: Module) -> Iterator[LessonPaths]:
    """The lessons of a module. One without `default_exp` gets a path that the rules will refuse."""
    for name in module.notebooks:
        source = course.source / module.folder / f"{name}.py"
        target = (
            export_target(source.read_text(encoding="utf-8", errors="replace")) or f"core.{name}"
        )
        yield LessonPaths(
            source=source.relative_to(course.root),
            notebook=Path("notebooks", module.folder, f"{name}.ipynb"),
            release=Path("release", module.folder, f"{name}.ipynb"),
            module=Path("tinytorch", *target.split(".")).with_suffix(".py"),
            target=target,
        )


def check_rules(course: Course, modules: list[Module]) -> None:
    """Raise one TitoError that lists every breach of the lesson rules in `modules`."""
    if not modules:
        return
    from tito.lesson import read_lesson
    from tito.rules import check_lesson

    problems = [
        str(problem)
        for module in modules
        for paths in lesson_paths(course, module)
        for problem in check_lesson(read_lesson(course.root / paths.source))
    ]
    if problems:
        raise TitoError("\n".join(problems))


def build(
    course: Course, modules: list[Module], on_lesson: Callable[[str], None] | None = None
) -> list[Path]:
    """Build what changed in `modules` inside the course folder; return the lessons built.

    Raises TitoError, before anything is written, when a changed lesson breaks a rule.
    """
    state = _read_state(course.root)
    tool = _tool_digest(course.root)
    stale = [
        (module, paths)
        for module in modules
        for paths in lesson_paths(course, module)
        if not _is_current(course.root, paths, tool, state)
    ]
    check_rules(course, list(dict.fromkeys(module for module, _ in stale)))
    for _, paths in stale:
        if on_lesson:
            on_lesson(str(paths.source))
        build_lesson(course, paths, course.root)
        digests = {path.as_posix(): _digest(course.root / path) for path in paths.products}
        state[paths.source.as_posix()] = {
            "read": _read_digest(course.root, paths, tool),
            "wrote": digests,
        }
        _write_state(course.root, state)
    _remove_orphans(course, state)
    write_index(course, course.root)
    return [course.root / paths.source for _, paths in stale]


def build_lesson(course: Course, paths: LessonPaths, out: Path) -> None:
    """Write the three products of one lesson under `out`; refuse tests that a blank passes."""
    from tito.convert import to_notebook
    from tito.export import export_notebook
    from tito.lesson import read_lesson
    from tito.notebook import write_notebook
    from tito.release import to_release

    solved = to_notebook(read_lesson(course.root / paths.source))
    write_notebook(solved, out / paths.notebook)
    export_notebook(out / paths.notebook, out / "tinytorch")
    release = to_release(solved, course.root)
    refuse_free_points(course, paths, release, out)
    write_notebook(release, out / paths.release)


def refuse_free_points(course: Course, paths: LessonPaths, release, out: Path) -> None:
    """Run the blank release: each of its graded cells must fail."""
    from copy import deepcopy

    from tito.notebook import grade_id, is_graded
    from tito.run import failure_of, run_notebook

    run = run_notebook(deepcopy(release), cwd=out, packages=out)
    free = [grade_id(cell) for cell in run.cells if is_graded(cell) and failure_of(cell) is None]
    if free:
        raise TitoError(
            f"{paths.source.as_posix()}: the blank notebook passes {', '.join(free)}: "
            "let each graded cell's visible part use what the student writes."
        )


def write_index(course: Course, out: Path) -> None:
    """The package's `__init__.py`, for every lesson of the course."""
    from tito.export import write_package_index

    targets = [
        paths.target for module in course.modules() for paths in lesson_paths(course, module)
    ]
    write_package_index(course, out / "tinytorch", targets)


def _is_current(root: Path, paths: LessonPaths, tool: str, state: dict) -> bool:
    known = state.get(paths.source.as_posix())
    return (
        known is not None
        and known["read"] == _read_digest(root, paths, tool)
        and all(
            _digest(root / path) == known["wrote"].get(path.as_posix()) for path in paths.products
        )
    )


def _remove_orphans(course: Course, state: dict) -> None:
    """Remove the products of lessons that are gone, and of no others."""
    standing = {
        path
        for module in course.modules()
        for paths in lesson_paths(course, module)
        for path in (paths.source, *paths.products)
    }
    for source in [source for source in state if Path(source) not in standing]:
        for product in state.pop(source)["wrote"]:
            if Path(product) not in standing:
                (course.root / product).unlink(missing_ok=True)
        _write_state(course.root, state)


def _digest(path: Path) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def _read_digest(root: Path, paths: LessonPaths, tool: str) -> str:
    return hashlib.sha256(f"{tool} {_digest(root / paths.source)}".encode()).hexdigest()


def _tool_digest(root: Path) -> str:
    """A digest of all that shapes a product besides the lesson: a new tool builds all anew."""
    names = ("build", "convert", "export", "lesson", "notebook", "release", "rules", "run")
    files = [Path(__file__).with_name(f"{name}.py") for name in names]
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
