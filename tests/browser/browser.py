"""A JupyterLab on loopback and a headless Chromium that looks at it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

START_SECONDS = 60


def chromium() -> str:
    """The browser. Without one a test is skipped, but fails where nothing may be skipped."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None and not os.environ.get("TITO_SKIP_NOTHING"):
        pytest.skip("chromium is not installed")
    assert found, "chromium is not installed: apt-get install chromium"
    return found


@contextmanager
def jupyter_lab(
    folder: Path, python: str = sys.executable, start: tuple[str, ...] = (), **env: str
) -> Iterator[str]:
    """A JupyterLab on `folder`, at a free port of loopback; yields its address.

    `python` is the interpreter of its environment, `start` a command that runs it.
    """
    with tempfile.TemporaryDirectory(prefix="jupyter-", ignore_cleanup_errors=True) as home:
        runtime = Path(home, "runtime")
        env = {
            **os.environ,
            "HOME": home,
            "JUPYTER_RUNTIME_DIR": str(runtime),
            "PATH": f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}",
            **env,
        }
        options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0"]
        options += ["--IdentityProvider.token=", "--ServerApp.password="]
        options += ["--LabApp.expose_app_in_browser=True"]  # a test may act through `jupyterapp`
        with Path(home, "log").open("w") as log:
            server = subprocess.Popen(
                [*start, python, "-m", "jupyter", "lab", *options],
                cwd=folder,
                env=env,
                stdout=log,
                stderr=log,
            )
            try:
                yield _address(runtime, server, Path(home, "log"))
            finally:
                server.terminate()
                server.wait(20)


def _address(runtime: Path, server: subprocess.Popen, log: Path) -> str:
    """Where the server says it listens, once it answers there."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        for info in runtime.glob("jpserver-*.json"):
            try:
                url = json.loads(info.read_text(encoding="utf-8"))["url"]
                with urlopen(f"{url}api"):
                    return url
            except (ValueError, KeyError, URLError):
                continue
        time.sleep(0.2)
    raise AssertionError(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


def headless(profile: str) -> list[str]:
    """The command of a Chromium without a window that keeps to itself; `profile` is its folder."""
    return [
        chromium(),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        f"--user-data-dir={profile}",
    ]


def look_at(url: str, picture: Path | None = None) -> str:
    """The page's text as HTML after its scripts ran; `picture` keeps a screenshot."""
    with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as profile:
        command = [*headless(profile), "--virtual-time-budget=20000", "--window-size=1200,900"]
        if picture is not None:
            shot = [*command, f"--screenshot={picture}", url]
            subprocess.run(shot, check=True, capture_output=True, timeout=120)
        dump = subprocess.run([*command, "--dump-dom", url], capture_output=True, timeout=120)
        return dump.stdout.decode("utf-8", "replace")
