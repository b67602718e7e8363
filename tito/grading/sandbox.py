"""The walls around a submission: bubblewrap's namespaces, prlimit's limits, nothing of the host.

What runs inside sees the interpreter and its libraries, read-only, one package folder, and empty
folders in memory for all it writes. It has no network, no other process and no environment; when it
ends, everything that it started ends with it.
"""

import os
import secrets
import shutil
import site
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tito.errors import TitoError
from tito.grading.limits import Limits

HOME = "/home/student"
PACKAGES = "/home/packages"
SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64")
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/fonts", "/etc/localtime")
OURS = ("tinytorch", "tito")  # installed packages that hold answers and tests
MEGABYTE = 2**20
REMEDY = "or grade with --unsafe-no-sandbox, if you trust every submission"


def command(argv: list[str], runtime: Path, packages: Path, limits: Limits) -> list[str]:
    """The command that runs `argv` of this Python inside the walls.

    `runtime` is the one folder shared with the host, for the kernel's sockets; `packages`, which
    can be read and not written, comes before all installed packages. `argv` is process 1: when it
    ends, everything inside ends, and no signal from inside ends it.
    """
    user = _fresh_user(runtime) if os.geteuid() == 0 else None
    return [
        *_namespaces(user),
        *("--proc", "/proc", "--dev", "/dev", "--perms", "0755", "--dir", "/home"),
        *_folders_in_memory(limits, "/tmp", "/dev/shm", HOME),
        *_read_only_files(),  # after /tmp: this Python may live there
        *_font_cache(),
        *("--ro-bind", str(packages), PACKAGES),
        *_folders_above(runtime),
        *("--bind", str(runtime), str(runtime), "--remount-ro", "/", "--remount-ro", "/dev"),
        *("--chdir", HOME),
        *_environment(),
        "--",
        *_become(user),
        *_within(limits),
        *argv,
    ]


@cache
def problem() -> str | None:
    """None when submissions can be sandboxed on this machine, else why not and what to do."""
    for tool in ("bwrap", "prlimit", "setpriv"):
        if not shutil.which(tool):
            return (
                f"Grading runs submissions in a sandbox and finds no `{tool}`: install bubblewrap "
                f"and util-linux (Debian: apt-get install bubblewrap util-linux), {REMEDY}."
            )
    with tempfile.TemporaryDirectory(prefix="tito-") as folder:
        runtime, packages = Path(folder, "runtime"), Path(folder, "packages")
        runtime.mkdir()
        packages.mkdir()
        line = command([sys.executable, "-c", "import numpy"], runtime, packages, Limits())
        try:
            done = subprocess.run(line, capture_output=True, text=True, timeout=60)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"The sandbox does not start here ({error}): mend bubblewrap, {REMEDY}."
    if done.returncode == 0:
        return None
    said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
    return (
        f"The sandbox does not work here ({said}): allow user namespaces (sysctl "
        f"kernel.unprivileged_userns_clone=1; Ubuntu: kernel.apparmor_restrict_unprivileged_userns"
        f"=0), {REMEDY}."
    )


def require() -> None:
    """Raise TitoError when there is no sandbox on this machine."""
    if reason := problem():
        raise TitoError(reason)


def _namespaces(user: int | None) -> list[str]:
    """Everything of its own. The superuser needs no user namespace and becomes `user` instead.

    The limit on processes does not bind the superuser, under whatever name a namespace shows it.
    """
    walls = ["bwrap", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    walls += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    walls += ["--unshare-cgroup-try", "--as-pid-1"]
    if user is None:
        return [*walls, "--unshare-user", "--uid", "65534", "--gid", "65534"]
    needed = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")  # until _become has dropped them
    return [*walls, *(word for cap in needed for word in ("--cap-add", cap))]


def _fresh_user(runtime: Path) -> int:
    """A user id of this run alone, so that one run's processes do not count against another's."""
    user = 20_000 + secrets.randbelow(40_000)
    os.chown(runtime, user, user)
    return user


def _become(user: int | None) -> list[str]:
    if user is None:
        return []
    ids = [f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    return ["setpriv", *ids, "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--"]


def _within(limits: Limits) -> list[str]:
    return [
        "prlimit",
        f"--as={limits.memory_mb * MEGABYTE}",
        f"--cpu={limits.cpu_seconds}:{limits.cpu_seconds + 5}",
        f"--fsize={limits.file_mb * MEGABYTE}",
        f"--nproc={limits.processes}",
        f"--nofile={limits.open_files}",
        "--core=0",
        "--",
    ]


def _read_only_files() -> Iterator[str]:
    """The system's libraries and this Python, without our own packages if they are installed."""
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    for file in SYSTEM_FILES:
        yield from ("--ro-bind-try", file, file)
    real = Path(sys.executable).resolve().parent.parent
    prefixes = dict.fromkeys(map(str, (sys.base_prefix, sys.exec_prefix, sys.prefix, real)))
    for prefix in prefixes:
        if not any(Path(prefix).is_relative_to(known) for known in SYSTEM):
            yield from (*_folders_above(Path(prefix)), "--ro-bind", prefix, prefix)
    installed = {sysconfig.get_path("purelib"), *site.getsitepackages()}
    for folder in sorted(Path(place, name) for place in installed for name in OURS):
        if folder.is_dir():
            yield from ("--tmpfs", str(folder))


def _folders_above(path: Path) -> Iterator[str]:
    """The folders that lead to a mount, made here because bubblewrap closes those it makes."""
    for folder in reversed(path.parents[:-1]):
        yield from ("--perms", "0755", "--dir", str(folder))


def _folders_in_memory(limits: Limits, *folders: str) -> Iterator[str]:
    size = str(limits.file_mb * MEGABYTE)
    for folder in folders:
        yield from ("--perms", "1777", "--size", size, "--tmpfs", folder)


@cache
def _font_cache() -> tuple[str, ...]:
    """matplotlib's list of fonts, which takes seconds to make anew."""
    import matplotlib
    import matplotlib.font_manager  # makes the list, if there is none

    target = f"{HOME}/.cache/matplotlib"
    made = sorted(Path(matplotlib.get_cachedir()).glob("fontlist-*.json"))
    binds = [word for file in made for word in ("--ro-bind", str(file), f"{target}/{file.name}")]
    folders = [f"{HOME}/.cache", target]
    return (*(word for f in folders for word in ("--perms", "1777", "--dir", f)), *binds)


def _environment() -> Iterator[str]:
    variables = {
        "HOME": HOME,
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "PYTHONPATH": PACKAGES,
        "PYTHONSAFEPATH": "1",  # a file beside the notebook shadows no module
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }
    yield "--clearenv"
    for name, value in variables.items():
        yield from ("--setenv", name, value)
