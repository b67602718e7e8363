"""docs/errors/NN_name.toml -> the "common errors" of a module, as Markdown."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tito.course import Course, Module
from tito.errors import TitoError
from tito.variants import Mutant, load_variants

FOLDER = Path("docs/errors")


@dataclass(frozen=True)
class CommonError:
    """What a student did (code in `language`), the message it ends in, and what to do."""

    title: str
    language: str
    code: str
    message: str
    why: str


def common_errors(course: Course, module: Module) -> list[CommonError]:
    """The entries of a module's file. Each has a `code`, a shell `command`, or names a `mutant`."""
    path = course.root / FOLDER / f"{module.folder}.toml"
    if not path.is_file():
        raise TitoError(f"{FOLDER.as_posix()}/{path.name} is missing: write it.")
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["error"]
    return [
        CommonError(
            entry["title"],
            "sh" if "command" in entry else "python",
            _shown(course, entry).strip("\n"),
            entry["message"].strip(),
            entry["why"].strip(),
        )
        for entry in entries
    ]


def _shown(course: Course, entry: dict[str, str]) -> str:
    if "mutant" in entry:
        return _wrong_lines(course, entry["mutant"])
    return entry["command"] if "command" in entry else entry["code"]


def _wrong_lines(course: Course, wanted: str) -> str:
    """The lines that a planted wrong answer puts in: `02_activations/activations: hides-nan`."""
    place, _, name = wanted.partition(": ")
    folder, _, notebook = place.partition("/")
    for mutant in load_variants(course.root, folder, notebook).mutants:
        if isinstance(mutant, Mutant) and mutant.name == name:
            return mutant.new
    raise TitoError(f"There is no mutant {wanted!r}: write FOLDER/NOTEBOOK: NAME.")


def as_markdown(errors: list[CommonError]) -> str:
    """Title, code, message and reason of each, one below the other."""
    return "\n\n".join(
        f"~~~{{rubric}} {error.title}\n:heading-level: 3\n~~~\n\n"
        f"~~~{error.language}\n{error.code}\n~~~\n\n"
        f"~~~{{code-block}} text\n:class: message\n\n{error.message}\n~~~\n\n"
        f"{error.why}"
        for error in errors
    )
