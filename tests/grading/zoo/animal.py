"""What an animal is, and the ways to build one."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.grading.classroom import AREA, DOUBLE, answered, changed, folder_of, release_of
from tito.course import Course
from tito.grading.report import GRADED, NOT_GRADED, REPAIRED

DOUBLE_POINTS, AREA_POINTS, FULL = 4, 6, 10
# Right for the one number that a student sees tested, and for nothing else.
WRONG = "def double(x):\n    return 6 if isinstance(x, int) else x\n"


@dataclass(frozen=True)
class Place:
    """What an animal may know of the machine it is graded on."""

    course: Course
    port: int  # of a server on this machine


@dataclass(frozen=True)
class Animal:
    """One student: what they hand in, and what they must get.

    `files` makes the files of the hand-in; `says` are words of the row: of a reason, a repair or
    why nothing was graded.
    """

    name: str
    files: Callable[[Place], dict[str, bytes]] = field(repr=False)
    status: str
    score: float | None
    says: tuple[str, ...] = ()

    def hand_in(self, place: Place) -> None:
        folder = folder_of(place.course, self.name)
        for name, content in self.files(place).items():
            (folder / name).write_bytes(content)


def answers(
    name: str, *says: str, double: str = DOUBLE, area: str = AREA, score: float = FULL
) -> Animal:
    """An unharmed notebook with these answers, in which COURSE and PORT are known."""

    def files(place: Place) -> dict[str, bytes]:
        nb = answered(release_of(place.course), _at(place, double), _at(place, area))
        return {"toy.ipynb": _written(nb)}

    return Animal(name, files, GRADED, score, says)


def damaged(
    name: str,
    change: Callable[[dict], None],
    *says: str,
    double: str = DOUBLE,
    score: float = FULL,
    status: str = REPAIRED,
) -> Animal:
    """A notebook that was changed beyond its answers."""

    def files(place: Place) -> dict[str, bytes]:
        return {"toy.ipynb": _written(changed(answered(release_of(place.course), double), change))}

    return Animal(name, files, status, score, says)


def raw(name: str, says: str, make: Callable[[bytes], dict[str, bytes]]) -> Animal:
    """Files that cannot be graded, made from those of a right notebook."""

    def files(place: Place) -> dict[str, bytes]:
        return make(_written(answered(release_of(place.course))))

    return Animal(name, files, NOT_GRADED, None, (says,))


def _written(nb: dict) -> bytes:
    return json.dumps(nb).encode()


def _at(place: Place, source: str) -> str:
    root = str(Path(place.course.root))
    return source.replace("COURSE", root).replace("PORT", str(place.port))
