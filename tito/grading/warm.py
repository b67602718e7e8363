"""A sandbox whose Python has its imports behind it, for one kernel after the other."""

import json
import select
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tito.errors import TitoError
from tito.grading import sandbox
from tito.grading.connection import FILE, kernel_arguments, new_connection
from tito.grading.limits import Limits

ZYGOTE = Path(__file__).with_name("zygote.py")
START_SECONDS = 60
ANSWER_SECONDS = 10  # the zygote may have a full folder to empty
MOST_ANSWER = 100  # bytes


class WarmSandbox:
    """A sandbox with a zygote (`zygote.py`), and the kernel that it forked last."""

    def __init__(self, limits: Limits) -> None:
        """Raises TitoError when it does not start."""
        self._folder = tempfile.TemporaryDirectory(prefix="tito-", ignore_cleanup_errors=True)
        self.runtime = Path(self._folder.name, "run")
        self.connection: dict = {}
        self._packages = Path(self._folder.name, "packages")
        for folder in (self.runtime, self._packages):
            folder.mkdir(mode=0o755)
        self._cpu_seconds = limits.cpu_seconds
        # the imports do not count: each kernel gets the limit itself
        own = replace(limits, cpu_seconds=limits.cpu_seconds + START_SECONDS)
        argv = [sys.executable, "-c", ZYGOTE.read_text("utf-8"), str(self.runtime)]
        self._process = subprocess.Popen(
            sandbox.command(argv, self.runtime, self._packages, own),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        if self._answer(START_SECONDS) != "ready":
            self.kill()
            raise TitoError(f"No sandbox started within {START_SECONDS} s: grade again.")

    def start_kernel(self, packages: Path) -> bool:
        """Whether a kernel starts here, when nothing is left of the one before it.

        After one that ended by itself, or had to be ended, none does.
        """
        if self.connection and (self.exit_code() is not None or not self._is_clean()):
            return False
        for path in packages.iterdir():  # the folder itself keeps its mode
            target = self._packages / path.name
            shutil.copytree(path, target) if path.is_dir() else shutil.copy(path, target)
        self.connection = new_connection(self.runtime, Path(self._folder.name, FILE))
        request = {
            "connection": self.connection,
            "arguments": kernel_arguments(self.runtime),
            "cpu_seconds": self._cpu_seconds,
        }
        return self._ask(request) == "started"

    def _is_clean(self) -> bool:
        """Whether nothing is left of the last kernel; its packages are taken away first."""
        try:
            for path in self._packages.iterdir():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            if self._ask("end") != "clean":
                return False
            for path in self.runtime.iterdir():
                path.unlink()
        except OSError:
            return False
        return True

    def exit_code(self) -> int | None:
        answer = self._ask("alive")
        if answer == "yes":
            return None
        with suppress(ValueError):
            return int(answer)
        self.kill()
        return self._process.returncode

    def kill(self) -> None:
        """End everything inside and remove all its files."""
        self._process.stdin.close()  # with it the zygote ends, and with that all others
        try:
            self._process.wait(ANSWER_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._folder.cleanup()

    def _ask(self, request: object) -> str:
        """The zygote's answer; nothing when it does not answer any more."""
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
        except (OSError, ValueError):  # it has ended, or was closed
            return ""
        return self._answer(ANSWER_SECONDS)

    def _answer(self, seconds: float) -> str:
        readable, _, _ = select.select([self._process.stdout], [], [], seconds)
        return self._process.stdout.read(MOST_ANSWER).decode() if readable else ""
