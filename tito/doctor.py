"""Is this installation sound? One check a line, each with what to do."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tito.course import Course
from tito.errors import TitoError

OLDEST_PYTHON = (3, 11)
INSTALL = "python -m pip install -r requirements.lock"
LABEXTENSION = Path("labextensions", "@jupyter", "nbgrader", "package.json")
SHOWN_PACKAGES = 5


@dataclass(frozen=True)
class Check:
    """One line: `detail` says what was found, `remedy` what to do when it is not `ok`."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


def checks() -> Iterator[Check]:
    """Each check in turn. Without a course folder only what needs none."""
    yield python()
    try:
        course = Course.find()
    except TitoError as error:
        yield Check("course folder", False, str(error), "cd into it")
        return
    yield Check("course folder", True, str(course.root))
    of_the_course: list[Callable[[Course], Check]] = [packages, own_package, writable]
    for check in of_the_course:
        yield check(course)
    yield jupyterlab()
    yield nbgrader()
    yield kernel()
    if not course.is_student_edition:
        yield sandbox()


def python() -> Check:
    found = ".".join(map(str, sys.version_info[:3]))
    wanted = ".".join(map(str, OLDEST_PYTHON))
    return Check(
        "Python",
        sys.version_info >= OLDEST_PYTHON,
        f"{found} at {sys.executable}",
        f"install Python {wanted} or newer, remove .venv and set it up again",
    )


def packages(course: Course) -> Check:
    """The installed versions against `requirements.lock`."""
    from packaging.requirements import InvalidRequirement, Requirement

    lock = course.root / "requirements.lock"
    if not lock.is_file():
        return Check("packages", False, f"{lock.name} is missing", "take it from the course's zip")
    wrong, count = [], 0
    for line in lock.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        try:
            wanted = Requirement(line)
        except InvalidRequirement:
            return Check(
                "packages", False, f"{lock.name} has the line {line!r}", "take it from the zip"
            )
        if wanted.marker and not wanted.marker.evaluate():
            continue
        count += 1
        try:
            found = version(wanted.name)
        except PackageNotFoundError:
            wrong.append(f"{wanted.name} is missing")
            continue
        if not wanted.specifier.contains(found, prereleases=True):
            wrong.append(f"{wanted.name} {found} instead of {wanted.specifier}")
    if not wrong:
        return Check("packages", True, f"{count} at their locked versions")
    more = f" and {len(wrong) - SHOWN_PACKAGES} more" if len(wrong) > SHOWN_PACKAGES else ""
    return Check("packages", False, ", ".join(wrong[:SHOWN_PACKAGES]) + more, INSTALL)


def own_package(course: Course) -> Check:
    """What a fresh Python imports as `tinytorch`, away from any folder."""
    run = subprocess.run(
        [sys.executable, "-P", "-c", "import tinytorch; print(tinytorch.__file__)"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    expected = course.package / "__init__.py"
    if run.returncode:
        reason = (run.stderr.strip().splitlines() or ["no reason given"])[-1]
        remedy = "python -m pip install --no-deps -e . (or see `tito module status`)"
        return Check("import tinytorch", False, reason, remedy)
    found = Path(run.stdout.strip())
    return Check(
        "import tinytorch",
        found.resolve() == expected.resolve(),
        f"from {found.parent}",
        f"in {course.root}: python -m pip install --no-deps -e .",
    )


def writable(course: Course) -> Check:
    try:
        with tempfile.NamedTemporaryFile(dir=course.root, prefix=".tito-"):
            pass
    except OSError as error:
        remedy = "free some space, or move the folder to where you may write"
        return Check("disk", False, f"cannot write to {course.root} ({error.strerror})", remedy)
    free = shutil.disk_usage(course.root).free / 1e9
    return Check("disk", True, f"can be written to, {free:.0f} GB free")


def jupyterlab() -> Check:
    is_there = importlib.util.find_spec("jupyterlab") is not None
    return Check("JupyterLab", is_there, version("jupyterlab") if is_there else "missing", INSTALL)


def nbgrader() -> Check:
    """nbgrader's extension keeps locked cells marked in JupyterLab."""
    from jupyter_core.paths import jupyter_path

    found = [path for folder in jupyter_path() if (path := Path(folder, LABEXTENSION)).is_file()]
    detail = str(found[0].parent) if found else "not found"
    return Check("nbgrader in JupyterLab", bool(found), detail, INSTALL)


def kernel() -> Check:
    """Start a kernel, as a notebook does, and let it compute something."""
    import nbformat

    from tito.notebook import new_notebook
    from tito.run import failure_of, run_notebook

    nb = new_notebook(
        [nbformat.v4.new_code_cell("import numpy; assert numpy.arange(4).sum() == 6")]
    )
    remedy = f"{INSTALL}, then run `tito --debug doctor`"
    try:
        with tempfile.TemporaryDirectory() as scratch:
            failure = failure_of(run_notebook(nb, cwd=Path(scratch), total_seconds=60).cells[0])
    except Exception as error:  # anything between here and the kernel; the line says which
        return Check("kernel", False, f"does not start ({type(error).__name__}: {error})", remedy)
    return Check("kernel", failure is None, str(failure or "starts and computes"), remedy)


def sandbox() -> Check:
    found = shutil.which("bwrap")
    return Check(
        "sandbox for grading",
        found is not None,
        found or "bwrap is missing",
        "install bubblewrap (Debian: apt-get install bubblewrap)",
    )
