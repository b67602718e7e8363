"""What a notebook can do to the next one of the same student: nothing."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests.grading.trial import needs_sandbox
from tito.errors import TitoError
from tito.grading import warm
from tito.grading.execute import execute
from tito.grading.limits import Limits
from tito.grading.room import Room
from tito.notebook import dump_notebook
from tito.run import failure_of

pytestmark = [needs_sandbox, pytest.mark.xdist_group("room")]  # they share two sandboxes

LIMITS = Limits(cell_seconds=8, file_mb=8, processes=40, memory_mb=1024)
LOOK = """
import json, os, pathlib, resource, sys
import numpy as np

def text(path):
    return pathlib.Path(path).read_text()

def below(folder):
    # all but what leads to the sockets, whose names are of this run
    for at, folders, files in os.walk(folder):
        for path in (os.path.join(at, name) for name in (*folders, *files)):
            if not (path + "/").startswith(sockets) and not sockets.startswith(path + "/"):
                yield path

sockets = os.path.dirname(sys.argv[-1]) + "/"
places = ["/tmp", "/dev/shm", "/home"]
print(json.dumps({
    "zygote": text("/proc/1/stat").split()[21],
    "files": sorted(path for p in places for path in below(p)),
    "modes": [os.stat(p).st_mode for p in (*places, "/home/student")],
    "room": [os.statvfs(p).f_bavail * 4096 // 2**20 for p in places],
    "processes": len([name for name in os.listdir("/proc") if name.isdigit()]),
    "limits": [resource.getrlimit(n) for n in range(16)],
    "priority": [os.getpriority(0, 0), sorted(os.sched_getaffinity(0)), os.sched_getscheduler(0)],
    "segments": [text("/proc/sysvipc/" + kind) for kind in ("shm", "sem", "msg")],
    "environment": dict(os.environ),
    "modules": sorted(sys.modules),
    "threads": [line for line in text("/proc/1/status").split("\\n") if "Threads" in line],
    "truth": [bool(np.allclose(0, 1)), abs(-1), sys.gettrace() is None],
}))
"""
C = "import ctypes, os, resource, signal, subprocess\nlibc = ctypes.CDLL(None, use_errno=True)\n"
# Each does its worst in a first notebook. The second value: whether the sandbox serves a second.
HARM = {
    "files": ("open('x', 'w').write('1'); open('/tmp/y', 'w').write('2')", True),
    "full folders": (
        "for place in ('/tmp/x', '/dev/shm/x', 'x'):\n"
        "    try: open(place, 'wb').write(bytes(10**8))\n"
        "    except OSError: pass",
        True,
    ),
    "settings": (
        "import pathlib\n"
        "for place in ('.config/matplotlib', '.ipython/profile_default/startup'):\n"
        "    folder = pathlib.Path.home() / place\n"
        "    folder.mkdir(parents=True, exist_ok=True)\n"
        "    (folder / 'matplotlibrc').write_text('figure.dpi: 7')\n"
        "    (folder / 'a.py').write_text('import numpy; numpy.allclose = print')",
        True,
    ),
    "a closed folder": ("import os; os.makedirs('a/b/c'); os.chmod('a/b', 0)", False),
    "a deep folder": (
        "import os\nfor _ in range(3000): os.mkdir('d'); os.chdir('d')",
        False,
    ),
    "a daemon": (
        C + "subprocess.Popen(['setsid', 'sh', '-c', 'trap \"\" 1 2 15; sleep 999'])",
        True,
    ),
    "a swarm": (
        C + "for _ in range(20):\n    if os.fork() == 0:\n        os.setsid(); signal.pause()",
        True,
    ),
    "signals": (
        C + "for number in (1, 2, 3, 9, 10, 15, 17, 19):\n    os.kill(1, number)",
        True,
    ),
    "memory": (
        C + "try:\n    open('/proc/1/mem', 'r+b')\n    assert False\nexcept PermissionError: pass\n"
        "assert libc.ptrace(16, 1, 0, 0) == -1  # attach",
        True,
    ),
    "pipes": (
        C + "for number in (0, 1):\n"
        "    try:\n        open(f'/proc/1/fd/{number}', 'wb')\n        assert False\n"
        "    except PermissionError: pass\n"
        "    assert libc.syscall(438, os.pidfd_open(1), number, 0) == -1  # pidfd_getfd",
        True,
    ),
    "its own namespaces": (
        C + "if libc.unshare(0x10000000 | 0x20000) == 0:\n"  # user, mounts
        "    assert libc.ptrace(16, 1, 0, 0) == -1",
        True,
    ),
    "limits": (C + "resource.prlimit(1, resource.RLIMIT_NOFILE, (60, 60))", False),
    "priority": (C + "os.setpriority(os.PRIO_PROCESS, 1, 19)", False),
    "segments": (C + "assert libc.shmget(77, 4096, 0o1600) >= 0", False),
    "patches": (
        "import builtins, numpy\nnumpy.allclose = lambda *_: True\nbuiltins.abs = lambda _: 0",
        True,
    ),
    "a dead kernel": ("import os; os._exit(0)", False),
    "a stopped kernel": ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", False),
}
SLOW = {"a closed folder", "a deep folder", "priority", "segments", "a stopped kernel"}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("packages")


@pytest.fixture(scope="module")
def alone(packages: Path) -> dict:
    """What a notebook sees that is the first in its sandbox."""
    with Room(LIMITS) as room:
        return seen(room, packages)


@pytest.fixture(scope="module")
def room(alone: dict) -> Iterator[Room]:
    with Room(LIMITS) as room:
        yield room


def run(room: Room, packages: Path, source: str) -> list:
    nb = new_notebook(cells=[new_code_cell(source)])
    [cell] = nbformat.reads(execute(dump_notebook(nb), packages, room), as_version=4).cells
    return cell


def seen(room: Room, packages: Path) -> dict:
    cell = run(room, packages, LOOK)
    assert failure_of(cell) is None
    return json.loads(cell.outputs[0].text)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in HARM]
)
def test_the_next_notebook_finds_everything_as_if_it_were_the_first(room, packages, alone, name):
    source, is_kept = HARM[name]
    before = seen(room, packages)
    harmed = run(room, packages, source)
    if is_kept:
        assert failure_of(harmed) is None, "the harm was tried to its end"
    after = seen(room, packages)
    assert (after.pop("zygote") == before.pop("zygote")) == is_kept
    assert after == before == {key: alone[key] for key in after}


def test_nothing_but_the_cleaning_keeps_notebooks_apart(packages, monkeypatch):
    """The check above would see it: without the cleaning, the second finds what the first left."""
    monkeypatch.setattr(warm.WarmSandbox, "_is_clean", lambda self: True)
    with Room(LIMITS) as room:
        run(room, packages, HARM["files"][0] + "\n" + HARM["a daemon"][0])
        after = seen(room, packages)
    assert {"/tmp/y", "/home/student/x"} <= {*after["files"]}
    assert after["processes"] > 2


def test_a_package_is_there_for_its_notebook_alone(room, tmp_path):
    """The package of a later notebook holds the answers to the earlier ones."""
    shown = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").write_text("answer = 1\n", encoding="utf-8")
        source = f"import os, {name}\nprint(os.listdir(os.path.dirname({name}.__file__)))"
        shown.append(run(room, tmp_path / name, source).outputs[0].text)
    assert shown == ["['first.py']\n", "['second.py']\n"]


def test_two_notebooks_draw_different_numbers(room, packages):
    source = "import random, uuid, numpy\nprint(random.random(), uuid.uuid4(), numpy.random.rand())"
    first, second = (run(room, packages, source).outputs[0].text.split() for _ in range(2))
    assert len({*first, *second}) == 6


def test_a_plot_is_the_same_as_in_a_kernel_that_imported_for_itself(packages, room):
    source = "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.title('t')\nplt.show()"
    with Room(sandboxed=False) as bare:
        cold = run(bare, packages, source)
    for _ in range(2):
        assert run(room, packages, source).outputs == cold.outputs


@pytest.mark.slow
def test_the_processor_limit_is_each_notebooks_own(packages):
    busy = "import time\nwhile time.process_time() < 1.2: pass"
    with Room(Limits(cpu_seconds=2)) as room:
        assert [failure_of(run(room, packages, busy)) for _ in range(2)] == [None, None]


def test_a_sandbox_that_cannot_start_says_so(packages, monkeypatch):
    monkeypatch.setattr(warm.sandbox, "command", lambda *_: ["false"])
    with Room() as room, pytest.raises(TitoError, match="No sandbox started"):
        run(room, packages, "1")


def test_the_zygote_ends_no_process_of_ours():
    """It ends all others, so it runs only where it is the first."""
    program = [sys.executable, str(warm.ZYGOTE)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "a namespace of its own" in done.stderr
