"""What a sandbox starts: a Python that has imported what notebooks import, and forks for each.

It travels as source and stands alone; a notebook's process starts at once instead of importing for
a second and more. It runs nothing of a student's itself. As process 1 of its namespace no signal
from inside ends it, and as it is not dumpable nothing inside can read or write its memory, whose
copy the next notebook gets. Between two notebooks it ends every other process, empties the folders
that can be written to, and ends itself, and with it the sandbox, if anything is not as it was.

So of a notebook the next one inherits no process, file, limit or line of memory. Students share
nothing: another submission gets another sandbox.

Requests are lines on standard input, each with one answer on standard output; at the end of the
requests everything ends.
"""

import ctypes
import gc
import importlib
import json
import os
import resource
import signal
import sys
from contextlib import suppress

WRITABLE = ("/tmp", "/dev/shm", "/home/student")
SEGMENTS = ("/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sysvipc/msg")
IMPORTS = (  # all of what a kernel and the plots and tests of a lesson load on their way
    *("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.debugger"),
    *("IPython.core.completerlib", "IPython.core.debugger", "IPython.core.logger"),
    *("IPython.core.oinspect", "IPython.core.pylabtools", "IPython.extensions.storemagic"),
    *("pygments.formatters.terminal256", "stack_data", "zmq.utils.garbage"),
    *("tornado.platform.asyncio", "tornado.queues"),
    *("matplotlib.pyplot", "matplotlib.backends.backend_agg"),  # the inline one needs its shell
    *("numpy.random", "numpy.testing"),
)
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4
_ended: dict[int, int] = {}  # exit codes by process


def main() -> None:
    if os.getpid() != 1:
        sys.exit("this program ends all other processes: run it first in a namespace of its own")
    _prctl(PR_SET_DUMPABLE, 0)
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, _reap)
    _import_all()
    before = _state()
    _say("ready")
    notebook = 0
    for line in iter(sys.stdin.readline, ""):
        match json.loads(line):
            case "alive":
                _say(str(_ended.get(notebook, "yes")))
            case "end":
                _end_all_others()
                _empty(before)
                if _state() != before:
                    break
                _say("clean")
            case {"connection": connection, "arguments": arguments, "cpu_seconds": seconds}:
                notebook = os.fork()
                if notebook == 0:
                    _become_a_kernel(connection, arguments, seconds)
                _say("started")
    os._exit(0)


def _import_all() -> None:
    gc.disable()  # nothing of this is garbage
    sys.modules["debugpy"] = None  # a kernel works without it, and takes 0.3 s to import it
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # as a kernel sets it
    for name in IMPORTS:
        importlib.import_module(name)
    del sys.modules["debugpy"]
    gc.freeze()
    gc.enable()


def _say(answer: str) -> None:
    os.write(1, answer.encode())


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None).prctl(option, value, 0, 0, 0):
        os._exit(1)


def _reap(*_: object) -> None:
    """Take note of every process that ended: all orphans are ours."""
    try:
        while (done := os.waitpid(-1, os.WNOHANG))[0]:
            _ended[done[0]] = os.waitstatus_to_exitcode(done[1])
    except ChildProcessError:
        pass


def _end_all_others() -> None:
    try:
        os.kill(-1, signal.SIGKILL)
        while True:
            os.wait()
    except (ProcessLookupError, ChildProcessError):
        _ended.clear()


def _state() -> tuple[dict[str, int], list]:
    """All that a notebook could leave behind: files and their modes; limits, priority, segments."""
    paths = [*WRITABLE, *(path for place in WRITABLE for path in _below(place))]
    own = [
        *(resource.getrlimit(number) for number in range(16)),
        *(os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0), os.sched_getaffinity(0)),
        *map(_text, SEGMENTS),
    ]
    return {path: os.lstat(path).st_mode for path in paths}, own


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _below(place: str) -> list[str]:
    """All paths below a folder, the deepest first."""
    walk = os.walk(place, topdown=False)
    return [os.path.join(at, name) for at, folders, files in walk for name in (*files, *folders)]


def _empty(before: tuple[dict[str, int], list]) -> None:
    """Remove what was not there before; what resists shows in the state afterwards."""
    for path in (path for place in WRITABLE for path in _below(place)):
        if path not in before[0]:
            is_folder = os.path.isdir(path) and not os.path.islink(path)
            with suppress(OSError):
                (os.rmdir if is_folder else os.unlink)(path)


def _become_a_kernel(connection: dict, arguments: list[str], cpu_seconds: int) -> None:
    """Turn this fork into what `python -m ipykernel_launcher ARGUMENTS` starts; never returns."""
    import numpy as np
    from ipykernel import kernelapp

    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)  # nobody inside speaks for the zygote
        os.dup2(nothing, 1)
        os.close(nothing)
        _prctl(PR_SET_PDEATHSIG, 0)
        _prctl(PR_SET_DUMPABLE, 1)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))
        np.random.seed()  # else every fork draws the same numbers; `random` sees to itself
        importlib.invalidate_caches()
        with open(arguments[-1], "w", encoding="utf-8") as opened:
            json.dump(connection, opened)
        sys.argv = ["ipykernel_launcher", *arguments]
        kernelapp.launch_new_instance()
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
