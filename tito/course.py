"""Where things are: the course folder, its modules and their notebooks."""

import configparser
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tito.errors import TitoError

SETTINGS = "settings.ini"
REQUIRED_SETTINGS = ("lib_name", "lib_path", "nbs_path", "version", "user", "repo", "branch")


@dataclass(frozen=True)
class Module:
    """One assignment: folder `01_tensor` has number 1, name `tensor` and one or more notebooks."""

    folder: str
    notebooks: tuple[str, ...]

    @property
    def number(self) -> int:
        return int(self.folder.split("_", 1)[0])

    @property
    def name(self) -> str:
        return self.folder.split("_", 1)[1]


@dataclass(frozen=True)
class LessonFiles:
    """One notebook of a module and where its files are, relative to the course folder."""

    module: Module
    name: str
    target: str

    @property
    def source(self) -> Path:
        return Path("source", self.module.folder, f"{self.name}.py")

    @property
    def notebook(self) -> Path:
        return Path("notebooks", self.module.folder, f"{self.name}.ipynb")

    @property
    def release(self) -> Path:
        return Path("release", self.module.folder, f"{self.name}.ipynb")

    @property
    def exported(self) -> Path:
        """The file of the package: `core.tensor` is tinytorch/core/tensor.py."""
        return Path("tinytorch", *self.target.split(".")).with_suffix(".py")

    @property
    def products(self) -> tuple[Path, Path, Path]:
        return self.notebook, self.release, self.exported


@dataclass(frozen=True)
class Course:
    """A course folder: the authors' repository, or the student edition made from it.

    Both have `notebooks/`, `release/` and the package at the same places. The authors' has
    `source/` too, and its notebooks are solved; a student's notebooks are the ones they work on.
    """

    root: Path

    @classmethod
    def find(cls, start: Path | None = None) -> "Course":
        """The course that `start` (default: the working directory) lies in."""
        start = (start or Path.cwd()).resolve()
        for folder in (start, *start.parents):
            if (folder / SETTINGS).is_file():
                course = cls(folder)
                course.settings  # noqa: B018  a broken settings file is reported here, once
                return course
        raise TitoError(f"No {SETTINGS} in {start} or above it: run tito inside the course folder.")

    @cached_property
    def settings(self) -> configparser.SectionProxy:
        """The section that nbdev reads, with every key we rely on."""
        path = self.root / SETTINGS
        parser = configparser.ConfigParser(interpolation=None)
        try:
            parser.read_string(path.read_text(encoding="utf-8"))
        except (configparser.Error, UnicodeDecodeError) as error:
            reason = str(error).splitlines()[0]
            raise TitoError(
                f"{path} cannot be read ({reason}): restore it from git or the course's zip."
            ) from error
        section = parser["DEFAULT"]
        missing = [key for key in REQUIRED_SETTINGS if not section.get(key, "").strip()]
        if missing:
            raise TitoError(
                f"{path} lacks {', '.join(missing)}: add `{missing[0]} = ...` under [DEFAULT]."
            )
        return section

    @property
    def source(self) -> Path:
        return self.root / "source"

    @property
    def notebooks(self) -> Path:
        return self.root / "notebooks"

    @property
    def release(self) -> Path:
        return self.root / "release"

    @property
    def package(self) -> Path:
        return self.root / "tinytorch"

    @property
    def is_student_edition(self) -> bool:
        return not self.source.is_dir()

    def require_source(self, command: str) -> None:
        """Refuse an author's or instructor's command in a student's folder."""
        if self.is_student_edition:
            raise TitoError(
                f"`tito {command}` needs the lessons' sources, which a student's folder has not: "
                "run it in the course's repository."
            )

    def modules(self) -> list[Module]:
        """Every module, in order."""
        home, suffix = (self.release, ".ipynb") if self.is_student_edition else (self.source, ".py")
        folders = sorted(p for p in home.glob("[0-9][0-9]_*") if p.is_dir())
        return [
            Module(folder.name, tuple(sorted(p.stem for p in folder.glob(f"*{suffix}"))))
            for folder in folders
        ]

    def lessons(self, modules: list[Module] | None = None) -> list[LessonFiles]:
        """The lessons of `modules`, or of the whole course, in order.

        A lesson without `default_exp` gets a target of its own name; the rules refuse it.
        """
        home, suffix = (self.release, ".ipynb") if self.is_student_edition else (self.source, ".py")
        lessons = []
        for module in self.modules() if modules is None else modules:
            for name in module.notebooks:
                text = (home / module.folder / f"{name}{suffix}").read_text("utf-8", "replace")
                lessons.append(LessonFiles(module, name, export_target(text) or f"core.{name}"))
        return lessons

    def lessons_before(self, lesson: LessonFiles) -> list[LessonFiles]:
        """What a lesson may stand on: all earlier modules and the earlier notebooks of its own."""
        lessons = self.lessons()
        return lessons[: lessons.index(lesson)]

    def module(self, wanted: str) -> Module:
        """The module called `wanted`: a number (`1`, `01`), a folder (`01_tensor`) or a name."""
        modules = self.modules()
        for module in modules:
            is_number = wanted.isdecimal() and int(wanted) == module.number
            if is_number or wanted in (module.folder, module.name):
                return module
        known = ", ".join(module.folder for module in modules) or "none yet"
        raise TitoError(f"There is no module {wanted!r}. The modules are: {known}.")


# at the start of a line of source, or of a line of source inside a notebook's JSON
_EXPORT_TARGET = re.compile(r"^(?:\s*\")?#\|\s*default_exp\s+([\w.]+)", re.MULTILINE)


def export_target(text: str) -> str | None:
    """The module a lesson exports to (`core.tensor`), or None when it has no `default_exp`."""
    match = _EXPORT_TARGET.search(text)
    return match.group(1) if match else None
