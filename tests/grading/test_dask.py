"""`tito grade --dask`: the same table as here, through a lost worker; unfit workers are refused."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.conftest import REPOSITORY, copy_of_toy
from tests.grading.classroom import DOUBLE, answered, hand_in, release_of
from tests.grading.trial import needs_sandbox
from tito.cli import app
from tito.errors import TitoError
from tito.grading.cluster import check_address, check_workers, connect, describe
from tito.grading.grade import Options, grade_module

SLOW = "import time\ntime.sleep(2)\n" + DOUBLE
ANSWERS = {
    **{f"right{number}": SLOW for number in range(6)},
    "wrong": DOUBLE.replace("x + x", "x + 2"),
    "exit": "import os\nos._exit(0)",
}


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("tcp://10.0.0.7:8786", "anybody on the net"),
        ("tcp://grader.example.org:8786", "anybody on the net"),
        ("10.0.0.7:8786", "is no scheduler's address"),
        ("http://10.0.0.7:8786", "is no scheduler's address"),
        ("tls://:8786", "is no scheduler's address"),
    ],
)
def test_a_scheduler_that_cannot_be_trusted_is_refused(address, says):
    with pytest.raises(TitoError, match=says):
        check_address(address, unsafe_no_tls=False)


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:8786", "tcp://localhost:1", "tcp://[::1]:1", "tls://10.0.0.7:8786"]
)
def test_loopback_and_tls_are_taken(address):
    check_address(address, unsafe_no_tls=False)


def test_an_explicit_flag_takes_a_bare_connection():
    check_address("tcp://10.0.0.7:8786", unsafe_no_tls=True)


def test_the_command_refuses_it_too(toy, monkeypatch):
    monkeypatch.chdir(toy.root)
    result = CliRunner().invoke(app, ["grade", "01", "--dask", "tcp://10.0.0.7:8786"])
    assert "give --unsafe-no-tls" in str(result.exception)


@pytest.mark.parametrize("name", ["Python", "numpy", "nbgrader", "the grader's code"])
def test_a_worker_that_would_grade_otherwise_is_refused(name):
    with pytest.raises(TitoError, match=f"tcp://w:1 differs in {name} .there 0.1, here "):
        check_workers({"tcp://w:0": describe(), "tcp://w:1": {**describe(), name: "0.1"}})


def test_a_worker_without_the_grader_is_refused():
    with pytest.raises(TitoError, match="cannot load the grader"):
        check_workers({"tcp://w:1": ModuleNotFoundError("tito")})


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(TitoError, match="scale"), connect("tcp://127.0.0.1:1"):
        pass


@contextmanager
def running(*arguments: str, cwd: Path, **variables: str) -> Iterator[subprocess.Popen]:
    """A `dask` program, ended with all that it started."""
    process = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), **variables},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory) -> Iterator[str]:
    pytest.importorskip("distributed", reason="the extra `scale` is not installed")
    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"
    options = [
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(file),
    ]
    with running("scheduler", *options, cwd=folder):
        wait_for(file.exists)
        yield json.loads(file.read_text(encoding="utf-8"))["address"]


@contextmanager
def worker(address: str, folder: Path, **variables: str) -> Iterator[subprocess.Popen]:
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder)]
    with running("worker", address, *options, cwd=folder, **variables) as process:
        yield process


def wait_for(condition, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def count_workers(address: str) -> int:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return len(client.scheduler_info(n_workers=-1)["workers"])


@pytest.mark.slow
@needs_sandbox
def test_three_workers_give_the_same_table_and_one_may_die(scheduler, registered_toy, tmp_path):
    course = copy_of_toy(registered_toy, tmp_path / "course")
    for student, double in ANSWERS.items():
        hand_in(course, student, answered(release_of(course), double))
    module = course.module("01")
    here = grade_module(course, module)
    with (
        worker(scheduler, tmp_path) as victim,
        worker(scheduler, tmp_path),
        worker(scheduler, tmp_path),
    ):
        wait_for(lambda: count_workers(scheduler) == 3)
        with connect(scheduler) as cluster:
            assert cluster.slots == 3
            killed = []

            def kill_one(_row) -> None:
                if not killed:
                    os.kill(victim.pid, signal.SIGKILL)
                    killed.append(victim)

            options = Options(jobs=cluster.slots, force=True, run=cluster.run)
            assert grade_module(course, module, on_row=kill_one, options=options) == here
            assert killed
    assert [row.score for row in here] == [0, *[10] * 6, 6]


@pytest.mark.slow
@needs_sandbox
def test_a_worker_of_another_environment_is_refused(scheduler, tmp_path):
    fake = tmp_path / "fake"
    (fake / "tito").mkdir(parents=True)
    broken = 'raise ImportError("of another time")\n'
    (fake / "tito" / "__init__.py").write_text(broken, encoding="utf-8")
    wait_for(lambda: count_workers(scheduler) == 0)
    with worker(scheduler, tmp_path, PYTHONPATH=str(fake)):
        wait_for(lambda: count_workers(scheduler) == 1)
        with pytest.raises(TitoError, match="cannot load the grader"), connect(scheduler):
            pass


@pytest.mark.slow
def test_a_scheduler_without_workers_is_one_clear_line(scheduler):
    wait_for(lambda: count_workers(scheduler) == 0)
    with pytest.raises(TitoError, match="has no worker"), connect(scheduler):
        pass


@pytest.mark.slow
def test_no_scheduler_is_one_clear_line():
    pytest.importorskip("distributed", reason="the extra `scale` is not installed")
    with pytest.raises(TitoError, match="No scheduler answers"), connect("tcp://127.0.0.1:9"):
        pass
