"""How much one submission may use; `nbgrader_config.py` can say otherwise."""

from dataclasses import dataclass, fields
from pathlib import Path

from tito.errors import TitoError
from tito.nbgrader_bridge import CONFIG_FILE, load_config


@dataclass(frozen=True)
class Limits:
    """The limits of one run. All of them are whole numbers above zero.

    The sandbox holds those from `cpu_seconds` to `open_files`; without it only the first two and
    `output_mb` stand.
    """

    cell_seconds: int = 30
    total_seconds: int = 300
    cpu_seconds: int = 300
    memory_mb: int = 2048
    file_mb: int = 64
    processes: int = 64
    open_files: int = 256
    output_mb: int = 10


def limits_of(course_root: Path) -> Limits:
    """The limits that the course sets by `c.Limits.NAME = NUMBER`, else the defaults."""
    given = dict(load_config(course_root).get("Limits", {}))
    known = [field.name for field in fields(Limits)]
    for name, value in given.items():
        if name not in known:
            raise TitoError(
                f"{CONFIG_FILE} sets c.Limits.{name}, which is no limit: take one of "
                f"{', '.join(known)}."
            )
        if type(value) is not int or value < 1:
            raise TitoError(
                f"{CONFIG_FILE} sets c.Limits.{name} = {value!r}: write a whole number above 0."
            )
    return Limits(**given)
