"""A lesson as its author wrote it: percent cells, each with the line it starts on."""

import re
from dataclasses import dataclass
from pathlib import Path

import jupytext

from tito.errors import TitoError

MARKER = re.compile(r"^(\s*)#\s*%%(?:\s|$)")


@dataclass(frozen=True)
class LessonCell:
    """One cell. `line` is the line of its `# %%` marker; `metadata` is what stands on that line."""

    kind: str
    source: str
    line: int
    marker: str
    metadata: dict

    @property
    def nbgrader(self) -> dict:
        return self.metadata.get("nbgrader", {})

    @property
    def is_solution(self) -> bool:
        return bool(self.nbgrader.get("solution"))

    @property
    def is_graded(self) -> bool:
        return bool(self.nbgrader.get("grade"))

    @property
    def is_exported(self) -> bool:
        return re.search(r"^#\|\s*exports?i?\b", self.source, re.MULTILINE) is not None


@dataclass(frozen=True)
class Lesson:
    path: Path
    cells: tuple[LessonCell, ...]


def read_lesson(path: Path) -> Lesson:
    """Read `source/NN_name/name.py`. Raises TitoError when the file is no percent script."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise TitoError(f"{path.name} is not UTF-8 ({error.reason}): save it as UTF-8.") from error
    markers = [(n, line) for n, line in enumerate(text.splitlines(), 1) if MARKER.match(line)]
    cells = jupytext.reads(text, fmt="py:percent").cells
    if len(cells) != len(markers):
        raise TitoError(
            f"{path.name} has {len(markers)} `# %%` lines but {len(cells)} cells: start the file "
            "with a `# %%` line and keep such lines out of strings."
        )
    return Lesson(
        path,
        tuple(
            LessonCell(cell.cell_type, cell.source, line, marker, dict(cell.metadata))
            for cell, (line, marker) in zip(cells, markers, strict=True)
        ),
    )
