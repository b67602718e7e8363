"""Where the notebooks of one submission run, one after the other: in a sandbox, or in none."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from jupyter_client.launcher import launch_kernel

from tito.errors import TitoError
from tito.grading.connection import FILE, kernel_arguments, new_connection
from tito.grading.limits import Limits
from tito.grading.warm import WarmSandbox


class KernelProcess(Protocol):
    """A kernel's process, whose sockets stand in `runtime`."""

    runtime: Path
    connection: dict

    def exit_code(self) -> int | None:
        """None while it runs; a negative one is the signal that ended it."""

    def kill(self) -> None:
        """End it and everything that it started."""


class Room:
    """Kernels for the notebooks of one submission, all under the same limits.

    A sandbox is kept from notebook to notebook: to start Python and to import what every notebook
    imports takes longer than to run most of them. It is thrown away when a notebook did not end
    well, and at the end of the submission.
    """

    def __init__(self, limits: Limits = Limits(), *, sandboxed: bool = True) -> None:
        self.limits = limits
        self._sandboxed = sandboxed
        self._sandbox: WarmSandbox | None = None

    def __enter__(self) -> "Room":
        return self

    def __exit__(self, *_: object) -> None:
        self._throw_away()

    @contextmanager
    def kernel(self, packages: Path) -> Iterator[KernelProcess]:
        """A new kernel's process, which imports from `packages` before all installed packages.

        It inherits nothing of an earlier one, and everything of an earlier one has ended.
        Raises TitoError when none starts, which is no fault of a submission.
        """
        if not self._sandboxed:
            with _bare_kernel(packages) as process:
                yield process
            return
        if self._sandbox is None or not self._sandbox.start_kernel(packages):
            self._throw_away()
            self._sandbox = WarmSandbox(self.limits)
            if not self._sandbox.start_kernel(packages):
                raise TitoError("A new sandbox starts no kernel: grade again.")
        yield self._sandbox

    def _throw_away(self) -> None:
        if self._sandbox is not None:
            self._sandbox.kill()
            self._sandbox = None


@contextmanager
def _bare_kernel(packages: Path) -> Iterator[KernelProcess]:
    """A kernel with our own rights, in an empty folder; both are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="tito-", ignore_cleanup_errors=True) as folder:
        runtime, scratch = Path(folder, "run"), Path(folder, "scratch")
        runtime.mkdir()
        scratch.mkdir()
        process = _BareProcess(packages, runtime, scratch)
        try:
            yield process
        finally:
            process.kill()


class _BareProcess:
    def __init__(self, packages: Path, runtime: Path, scratch: Path) -> None:
        self.runtime = runtime
        self.connection = new_connection(runtime, runtime / FILE)
        self._process = launch_kernel(
            [sys.executable, "-m", "ipykernel_launcher", *kernel_arguments(runtime)],
            env={**os.environ, "PYTHONPATH": str(packages)},
            cwd=str(scratch),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def exit_code(self) -> int | None:
        return self._process.poll()

    def kill(self) -> None:
        if os.name == "nt":
            self._process.kill()
        else:
            with suppress(ProcessLookupError):  # it leads a session of its own
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
