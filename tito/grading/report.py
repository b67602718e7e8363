"""The rows of a grading: one a student and assignment, kept, tabulated and exported."""

import csv
import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from rich.console import Group
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tito.course import Course, Module
from tito.errors import TitoError
from tito.grading.files import write_whole
from tito.grading.text import listed

GRADED, REPAIRED, PARTLY = "graded", "graded after repair", "graded in part"
NOT_GRADED, MISSING = "not graded", "missing"
_FORMULA_STARTS = ("=", "+", "-", "@")
CSV_COLUMNS = ("student", "module", "status", "late", "late_penalty", "score", "max_score", "note")


@dataclass(frozen=True)
class Row:
    """What became of one student's assignment.

    `points` are (exercise, earned, possible); `reasons` say why an exercise earned none; `notes`
    are what was repaired or why nothing was graded. `score` is what counts, after `penalty`, the
    points that lateness took; it is None unless it was graded.
    """

    student: str
    module: str
    status: str
    score: float | None = None
    max_score: float | None = None
    is_late: bool = False
    penalty: float = 0.0
    points: tuple[tuple[str, float, float], ...] = ()
    reasons: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def is_graded(self) -> bool:
        return self.status in (GRADED, REPAIRED, PARTLY)

    @property
    def words(self) -> str:
        """The status with what is to say about lateness."""
        late = ", late" if self.is_late else ""
        return f"{self.status}{late}" + (f": -{self.penalty:g}" if self.penalty else "")

    @property
    def losses(self) -> list[str]:
        """Why points were lost; exercises lost for one reason share a line."""
        exercises: dict[str, list[str]] = {}
        for exercise, reason in self.reasons:
            exercises.setdefault(reason, []).append(exercise)
        return [f"{listed(names)}: {reason}" for reason, names in exercises.items()]

    @property
    def note(self) -> str:
        """Everything there is to say about it, on one line."""
        return "; ".join([*self.losses, *self.notes])


def save_rows(course: Course, module: Module, rows: list[Row], *, replace_all: bool) -> None:
    """Keep the rows of a grading; those of students that it left out stay unless `replace_all`."""
    kept = {} if replace_all else {row.student: row for row in load_rows(course, module)}
    kept |= {row.student: row for row in rows}
    text = json.dumps([asdict(kept[student]) for student in sorted(kept)], indent=1)
    write_whole(_path(course, module), text + "\n")


def load_rows(course: Course, module: Module) -> list[Row]:
    """The rows of the last gradings of a module; none when it was never graded."""
    path = _path(course, module)
    try:
        return [_row(item) for item in json.loads(path.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return []
    except (ValueError, TypeError, KeyError) as error:
        raise TitoError(
            f"{path} cannot be read: remove it and run `tito grade {module.number:02d}` again."
        ) from error


def _path(course: Course, module: Module) -> Path:
    return course.root / ".grading" / f"{module.folder}.json"


def _row(item: dict) -> Row:
    row = Row(**item)
    return replace(
        row,
        points=tuple(map(tuple, row.points)),
        reasons=tuple(map(tuple, row.reasons)),
        notes=tuple(row.notes),
    )


def summary(rows: list[Row]) -> str:
    """One line: how many were graded, and how many were not."""
    counts = {status: 0 for status in (GRADED, REPAIRED, PARTLY, NOT_GRADED, MISSING)}
    for row in rows:
        counts[row.status] += 1
    late = sum(row.is_late for row in rows)
    line = (
        f"graded {counts[GRADED]}, after repair {counts[REPAIRED]}, in part {counts[PARTLY]}, "
        f"not graded {counts[NOT_GRADED]}, missing {counts[MISSING]}"
    )
    return f"{line}, late {late}" if late else line


def table(rows: list[Row]) -> Table:
    """The gradebook's rows; what students wrote is shown as text, never as markup."""
    result = Table(box=None, pad_edge=False)
    result.add_column("student", overflow="fold")
    result.add_column("module", no_wrap=True)
    result.add_column("score", justify="right", no_wrap=True)
    result.add_column("status", no_wrap=True)
    for row in rows:
        score = f"{row.score:g}/{row.max_score:g}" if row.is_graded else ""
        result.add_row(*map(escape, (row.student, row.module, score, row.words)))
    return result


def remarks(rows: list[Row], *, why: bool) -> Group:
    """What was repaired or could not be graded and, on request, why each point was lost."""
    lines = []
    for row in rows:
        if said := [*row.losses, *row.notes] if why else row.notes:
            lines.append(Text(f"\n{row.student}, {row.module}", style="bold"))
            lines += [Padding(Text(line), (0, 0, 0, 2)) for line in said]
    return Group(*lines, "")


def write_csv(rows: list[Row], path: Path) -> None:
    """One line a student and assignment; the score is empty unless it was graded."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(CSV_COLUMNS)
        for row in rows:
            scores = (row.penalty, row.score, row.max_score) if row.is_graded else ()
            numbers = [f"{score:g}" for score in scores] or [""] * 3
            late = "late" if row.is_late else ""
            texts = [no_formula(text) for text in (row.student, row.module, row.status)]
            writer.writerow([*texts, late, *numbers, no_formula(row.note)])


def no_formula(text: str) -> str:
    """`text` that a spreadsheet shows instead of evaluating."""
    return f"'{text}" if text.lstrip().startswith(_FORMULA_STARTS) else text
