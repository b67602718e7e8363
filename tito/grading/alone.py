"""One `tito grade` at a time on a course, and nothing left of one that was killed."""

import json
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from tito.errors import TitoError

PREFIX = "tito-"


@contextmanager
def alone(course: Path) -> Iterator[None]:
    """Hold the course in this folder; temporary files go to one folder, which is gone afterwards.

    The system frees the lock of a process that ended, however it did; what such a one left in its
    temporary folder is removed here. Raises TitoError when another process holds the course.
    """
    home = course / ".grading"
    home.mkdir(exist_ok=True)
    holder = home / "holder.json"
    lock = FileLock(home / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise TitoError(
            f"{_who(holder)} grades this course already: wait for it, or end it and grade again."
        ) from None
    before = tempfile.tempdir
    try:
        _remove_leftover(holder)
        with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as scratch:
            who = f"Process {os.getpid()} on {socket.gethostname()}, since {datetime.now():%H:%M},"
            holder.write_text(json.dumps({"who": who, "scratch": scratch}), encoding="utf-8")
            tempfile.tempdir = scratch  # nbgrader's and all others', whoever asks for one
            yield
    finally:
        tempfile.tempdir = before
        holder.unlink(missing_ok=True)
        lock.release()


def _who(holder: Path) -> str:
    return _read(holder).get("who", "Another process")


def _remove_leftover(holder: Path) -> None:
    scratch = _read(holder).get("scratch")
    if scratch and Path(scratch).name.startswith(PREFIX):
        shutil.rmtree(scratch, ignore_errors=True)


def _read(holder: Path) -> dict[str, str]:
    try:
        return json.loads(holder.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # there is none, or it was killed as it wrote
        return {}
