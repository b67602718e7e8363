"""Files that students hand in, read without trust: notebooks as JSON and zips of `tito submit`."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from tito.errors import TitoError
from tito.zips import read_zip

MAX_NOTEBOOK_BYTES = 50_000_000
MANIFEST = "submission.json"
STUDENT_ID = re.compile(r"[A-Za-z0-9_@-][A-Za-z0-9._@-]{0,63}")
_NOTEBOOK_NAME = re.compile(r"[\w@-][\w@ .()-]{0,99}\.ipynb")


class BadHandIn(Exception):
    """Why a file cannot be graded, and what to do about it."""


@dataclass(frozen=True)
class ZippedSubmission:
    """What a zip of `tito submit` holds."""

    student: str
    module: str
    made: str
    notebooks: dict[str, bytes]


def read_cells(path: Path) -> dict:
    """The JSON of a notebook, with a list of `cells` that may hold anything at all."""
    if path.stat().st_size > MAX_NOTEBOOK_BYTES:
        raise BadHandIn(
            f"{path.name} is larger than {MAX_NOTEBOOK_BYTES // 1_000_000} MB: "
            "clear its outputs and hand it in again"
        )
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadHandIn(f"{path.name} is not UTF-8 text: hand in the .ipynb itself") from error
    try:
        raw = json.loads(text)
    except RecursionError as error:
        raise BadHandIn(f"{path.name} is nested too deep: hand in the .ipynb itself") from error
    except json.JSONDecodeError as error:
        is_cut = text.lstrip().startswith("{") and error.pos >= len(text.rstrip()) - 1
        is_cut = is_cut or error.msg.startswith("Unterminated string")
        reason = "ends in the middle" if is_cut else f"is not JSON ({error.msg})"
        raise BadHandIn(f"{path.name} {reason}: save the notebook and hand it in again") from error
    except ValueError as error:  # a number of more digits than Python reads
        raise BadHandIn(f"{path.name} is not JSON ({error}): hand in the .ipynb itself") from error
    if not isinstance(raw, dict) or not isinstance(raw.get("cells"), list):
        raise BadHandIn(f"{path.name} is JSON but no notebook: hand in the .ipynb itself")
    return raw


def read_submission(path: Path) -> ZippedSubmission:
    """Read a zip of `tito submit`; nothing is written and no member's name is trusted."""
    try:
        files = read_zip(path)
    except TitoError as error:
        raise BadHandIn(str(error)) from error
    if MANIFEST not in files:
        raise BadHandIn(
            f"{path.name} was not made by `tito submit`: unpack it by hand into "
            "submitted/STUDENT/MODULE/"
        )
    student, module, made = _read_manifest(path, files.pop(MANIFEST))
    notebooks = {}
    for name, data in files.items():
        folder, _, notebook = name.partition("/")
        if folder != module or not _NOTEBOOK_NAME.fullmatch(notebook):
            raise BadHandIn(
                f"{path.name} holds {name[:80]!r}, which `tito submit` never writes: "
                "ask the student to submit again"
            )
        notebooks[notebook] = data
    if not notebooks:
        raise BadHandIn(f"{path.name} holds no notebook: ask the student to submit again")
    return ZippedSubmission(student, module, made, notebooks)


def _read_manifest(path: Path, data: bytes) -> tuple[str, str, str]:
    problem = f"{path.name} has an unreadable {MANIFEST}: ask the student to submit again"
    try:
        manifest = json.loads(data.decode("utf-8"))
        student, module, made = (manifest[key] for key in ("student", "module", "made"))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadHandIn(problem) from error
    if not all(isinstance(value, str) for value in (student, module, made)):
        raise BadHandIn(problem)
    if not STUDENT_ID.fullmatch(student):
        raise BadHandIn(f"{path.name} names no valid student id: ask the student to submit again")
    if not re.fullmatch(r"\d\d_\w+", module):
        raise BadHandIn(f"{path.name} names no module: ask the student to submit again")
    return student, module, made
