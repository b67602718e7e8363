"""One grading at a time on a course; a killed one holds nothing and leaves nothing."""

import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tito.errors import TitoError
from tito.grading.alone import alone
from tito.grading.grade import Options, grade_module

HOLD = """
import sys, tempfile, time
from pathlib import Path
from tito.grading.alone import alone
with alone(Path.cwd()):
    print(tempfile.mkdtemp(), flush=True)
    time.sleep(60)
"""


@contextmanager
def holding(course: Path) -> Iterator[tuple[subprocess.Popen, Path]]:
    """Another process that holds the course, and a temporary folder it made."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD],
        cwd=course,
        env={"PYTHONPATH": str(REPOSITORY), "TMPDIR": str(course)},  # it is killed
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process, Path(process.stdout.readline().strip())
        finally:
            process.kill()


def test_a_second_grading_is_told_who_holds_the_course(toy):
    with holding(toy.root) as (process, _):
        said = rf"Process {process.pid} on .* since \d\d:\d\d, grades this course already"
        with pytest.raises(TitoError, match=said):
            grade_module(toy, toy.module("01"), options=Options(sandboxed=False))


def test_a_killed_grading_holds_nothing_and_what_it_left_is_removed(tmp_path):
    with holding(tmp_path) as (process, scratch):
        assert scratch.is_dir()
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert scratch.is_dir(), "a kill cleans nothing up"
        with alone(tmp_path):
            assert not scratch.parent.exists()


def test_temporary_folders_are_gone_afterwards(tmp_path):
    before = tempfile.gettempdir()
    with alone(tmp_path):
        made = Path(tempfile.mkdtemp())
    assert not made.exists()
    assert tempfile.gettempdir() == before


def test_only_a_folder_of_ours_is_removed(tmp_path):
    mine = tmp_path / "thesis"
    mine.mkdir()
    (tmp_path / ".grading").mkdir()
    (tmp_path / ".grading/holder.json").write_text(f'{{"scratch": "{mine}"}}', encoding="utf-8")
    with alone(tmp_path):
        assert mine.is_dir()
