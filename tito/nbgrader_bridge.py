"""The one place that loads nbgrader's configuration."""

import logging
from functools import cache
from pathlib import Path

from traitlets.config import Config, PyFileConfigLoader

from tito.errors import TitoError

CONFIG_FILE = "nbgrader_config.py"


@cache
def load_config(course_root: Path) -> Config:
    """The course's `nbgrader_config.py`, as nbgrader itself would read it."""
    if not (course_root / CONFIG_FILE).is_file():
        raise TitoError(f"{course_root / CONFIG_FILE} is missing: restore it from git.")
    logging.getLogger("traitlets").setLevel(logging.ERROR)
    return PyFileConfigLoader(CONFIG_FILE, path=str(course_root)).load_config()
