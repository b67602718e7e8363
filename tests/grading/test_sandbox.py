"""What a submission can see, reach and use up."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from typer.testing import CliRunner

from tests.conftest import REPOSITORY
from tests.grading.trial import failures, needs_sandbox
from tito.cli import app
from tito.errors import TitoError
from tito.grading import sandbox
from tito.grading.execute import execute
from tito.grading.limits import Limits, limits_of
from tito.grading.room import Room
from tito.notebook import dump_notebook

LOOK = """
import json, os, pathlib, socket

def tried(call, *args):
    try:
        return repr(call(*args))
    except OSError as error:
        return error.strerror

import numpy, matplotlib.pyplot
places = ["/", "/usr", "/home", "/home/packages", "/dev", "/home/student", "/tmp"]
print(json.dumps({
    "user": os.getuid(),
    "environment": sorted(os.environ),
    "writable": [p for p in places if tried(open, p + "/x", "w").startswith("<")],
    "repository": tried(os.listdir, "HERE"),
    "processes": sorted(p.name for p in pathlib.Path("/proc").iterdir() if p.name.isdigit()),
    "network": tried(socket.create_connection, ("192.0.2.1", 80), 2),
    "capabilities": [l.split()[1] for l in open("/proc/self/status") if l.startswith("CapEff")],
    "notebooks": [str(p) for p in pathlib.Path("/home").rglob("*.ipynb")],
}))
"""


def inside(tmp_path: Path, source: str, *, limits: Limits | None = None) -> str:
    """What a program prints inside the walls."""
    runtime, packages = tmp_path / "runtime", tmp_path / "packages"
    runtime.mkdir()
    packages.mkdir()
    argv = [sys.executable, "-c", source]
    line = sandbox.command(argv, runtime, packages, limits or Limits())
    done = subprocess.run(line, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_sandbox
def test_inside_there_is_nothing_of_the_host(tmp_path):
    seen = json.loads(inside(tmp_path, LOOK.replace("HERE", str(REPOSITORY))))
    assert seen["user"] != 0
    assert seen["writable"] == ["/home/student", "/tmp"]
    assert "source" not in seen["repository"]
    assert len(seen["processes"]) <= 3
    assert seen["network"] == "Network is unreachable"
    assert seen["capabilities"] == ["0000000000000000"]
    assert seen["notebooks"] == []
    assert "USER" not in seen["environment"]
    assert "PYTHONSAFEPATH" in seen["environment"]


@needs_sandbox
def test_an_environment_in_the_temporary_folder_is_seen(tmp_path, monkeypatch):
    """A clone below /tmp keeps its .venv there, and inside /tmp is another folder."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        environment = Path(folder, "environment")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
        runtime, packages = tmp_path / "runtime", tmp_path / "packages"
        runtime.mkdir()
        packages.mkdir()
        monkeypatch.setattr(sys, "prefix", str(environment))
        argv = [str(environment / "bin/python"), "-c", "print('here')"]
        line = sandbox.command(argv, runtime, packages, Limits())
        done = subprocess.run(line, capture_output=True, text=True, timeout=60)
    assert done.stdout == "here\n", done.stderr


def test_processes_are_limited(tmp_path):
    source = """
import os, time
children = 0
try:
    while children < 500:
        if os.fork() == 0:
            time.sleep(60)
        children += 1
except BlockingIOError:
    print(children, flush=True)
os._exit(0)
"""
    assert int(inside(tmp_path, source, limits=Limits(processes=20))) < 20


@needs_sandbox
def test_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    packages = tmp_path / "packages"
    packages.mkdir()
    marker = "3141592"
    start = f"import subprocess; subprocess.Popen(['sleep', '{marker}'])"
    assert failures(packages, start, "open('mine', 'w').write('x')") == [None, None]
    assert [p.name for p in tmp_path.iterdir()] == ["packages"]
    commands = [p.read_bytes() for p in Path("/proc").glob("[0-9]*/cmdline") if _readable(p)]
    assert not any(marker.encode() in command for command in commands)


def _readable(path: Path) -> bool:
    try:
        path.read_bytes()
    except OSError:
        return False
    return True


@needs_sandbox
def test_a_cell_over_its_limits_says_which_and_the_next_one_runs(tmp_path):
    said = failures(
        tmp_path,
        "import numpy as np",
        "while True: pass",
        "np.ones(10**9)",
        "open('big', 'wb').write(b'x' * (2 * 2**20))",
        "1",
        cell_seconds=2,
        memory_mb=1024,
        file_mb=1,
    )
    assert [failure and failure.message for failure in said] == [
        None,
        "the cell ran longer than 2 s and was stopped",
        "the cell needed more memory than the limit of 1024 MB",
        "[Errno 28] No space left on device",
        None,
    ]


@needs_sandbox
@pytest.mark.parametrize(
    ("source", "says", "limits"),
    [
        ("import os; os._exit(0)", "ended Python (exit or os._exit?)", {}),
        ("import os, signal; os.kill(os.getpid(), 9)", "was killed (out of memory?", {}),
        ("import ctypes; ctypes.string_at(0)", "crashed Python (segmentation fault", {}),
        pytest.param(
            "while True: pass",
            "used more than 3 s of processor time",
            {"cpu_seconds": 3},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "9**9**9",
            "ran longer than 1 s and was stopped, and with it the notebook",
            {"cell_seconds": 1},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "import time; time.sleep(60)",
            "was running when the notebook's 2 s were over",
            {"total_seconds": 2},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "import sys; d = sys.argv[-1].removesuffix('kernel.json'); open(d + 'x', 'w').close()",
            "wrote 'x' among the kernel's sockets",
            {},
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_cell_that_ends_the_kernel_gets_the_reason(tmp_path, source, says, limits):
    before, killer, after = failures(tmp_path, "1", source, "2", **limits)
    assert before is None
    assert says in killer.message
    assert after.message.startswith("not run: an earlier cell stopped the notebook (the cell ")


@needs_sandbox
@pytest.mark.slow
@pytest.mark.parametrize(
    "source", ["print('x' * 200_000_000)", "for _ in range(200_000): print('y' * 999)"]
)
def test_a_flood_of_output_does_no_harm(tmp_path, source):
    nb = new_notebook(cells=[new_code_cell(source), new_code_cell("print('after')")])
    with Room(Limits(output_mb=1, memory_mb=4096)) as room:
        text = execute(dump_notebook(nb), tmp_path, room)
    assert len(text) < 2 * sandbox.MEGABYTE
    flooded, after = nbformat.reads(text, as_version=4).cells
    assert "printed more than 1 MB: dropped" in flooded.outputs[-1].text
    assert all(output.output_type == "stream" for output in after.outputs)


def test_without_the_sandbox_cells_still_have_their_time(tmp_path):
    said = failures(tmp_path, "while True: pass", "1", sandboxed=False, cell_seconds=1)
    assert [f and f.message for f in said] == ["the cell ran longer than 1 s and was stopped", None]


def test_limits_are_read_from_the_configuration(tmp_path):
    config = tmp_path / "nbgrader_config.py"
    config.write_text("get_config().Limits.cell_seconds = 7\n", encoding="utf-8")
    assert limits_of(tmp_path) == Limits(cell_seconds=7)
    assert limits_of(REPOSITORY) == Limits(), "the documented defaults are the defaults"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("Limits.seconds = 7", "c.Limits.seconds, which is no limit: take one of cell_seconds,"),
        ("Limits.processes = 0", "c.Limits.processes = 0: write a whole number above 0"),
        ("Limits.file_mb = '1'", "c.Limits.file_mb = '1'"),
    ],
)
def test_other_limits_are_refused(tmp_path, line, says):
    (tmp_path / "nbgrader_config.py").write_text(f"get_config().{line}\n", encoding="utf-8")
    with pytest.raises(TitoError, match=r"c\.Limits") as caught:
        limits_of(tmp_path)
    assert says in str(caught.value)


def test_grading_stops_where_there_is_no_sandbox(toy, monkeypatch):
    monkeypatch.setattr(sandbox.shutil, "which", lambda tool: None)
    sandbox.problem.cache_clear()
    monkeypatch.chdir(toy.root)
    try:
        result = CliRunner().invoke(app, ["grade", "01"])
        assert isinstance(result.exception, TitoError)
        assert "apt-get install bubblewrap" in str(result.exception)
        assert "--unsafe-no-sandbox" in str(result.exception)
        result = CliRunner().invoke(app, ["grade", "01", "--unsafe-no-sandbox"])
        assert result.exit_code == 0, result.output
        assert "with your rights" in result.output
    finally:
        sandbox.problem.cache_clear()
