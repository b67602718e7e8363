"""`bin/activate-tinytorch.sh`, sourced by bash with a stand-in for pip and uv."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tito.edition import TOOL

SCRIPT = TOOL / "edition_files/activate-tinytorch.sh"
BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has the .ps1")

FAKE_UV = """#!/bin/sh
echo "uv $*" >> "$LOG"
if [ "$1" = venv ]; then
    for last; do :; done
    mkdir -p "$last/bin" && echo 'export ACTIVATED=yes' > "$last/bin/activate"
fi
[ -z "$UV_FAILS" ]
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A student's folder whose name has a space, and a `uv` that only writes down its orders."""
    home = tmp_path / "my course"
    (home / "bin").mkdir(parents=True)
    shutil.copy(SCRIPT, home / "bin")
    (home / "requirements.lock").write_text("numpy==2\n", encoding="utf-8")
    (tmp_path / "tools").mkdir()
    uv = tmp_path / "tools/uv"
    uv.write_text(FAKE_UV, encoding="utf-8")
    uv.chmod(0o755)
    return home


def source(home: Path, **env: str) -> tuple[str, list[str]]:
    """Source the script from another folder: what the shell says, and uv's orders."""
    log = home.parent / "log"
    log.write_text("", encoding="utf-8")
    line = f'source "{home}/bin/activate-tinytorch.sh" 2>&1; echo "$? ${{ACTIVATED:-no}}"'
    run = subprocess.run(
        [BASH, "-uc", line],
        cwd=home.parent,
        env={
            **os.environ,
            "PATH": f"{home.parent / 'tools'}{os.pathsep}{os.environ['PATH']}",
            "LOG": str(log),
            "UV_FAILS": "",
            **env,
        },
        capture_output=True,
        text=True,
    )
    return run.stdout, log.read_text(encoding="utf-8").splitlines()


def test_the_first_time_installs_and_later_ones_only_activate(home):
    said, orders = source(home)
    assert [order.split()[1] for order in orders] == ["venv", "pip", "pip"]
    assert orders[1].endswith(f"-r {home}/requirements.lock")
    assert "--no-deps" in orders[2]
    assert said.endswith("0 yes\n")
    assert f"cd '{home}' && tito module status" in said
    said, orders = source(home)
    assert orders == []
    assert said.endswith("0 yes\n")
    assert len(said.splitlines()) == 2


def test_a_changed_lock_or_a_moved_folder_installs_again(home):
    source(home)
    (home / "requirements.lock").write_text("numpy==3\n", encoding="utf-8")
    assert len(source(home)[1]) == 3
    moved = home.rename(home.with_name("moved"))
    assert len(source(moved)[1]) == 3
    assert source(moved)[1] == []


def test_a_setup_that_fails_is_tried_again(home):
    said, _ = source(home, UV_FAILS="yes")
    assert "error: the setup did not finish" in said
    assert said.endswith("1 no\n")
    assert source(home)[0].endswith("0 yes\n")


def test_run_instead_of_sourced_it_says_so(home):
    run = subprocess.run([BASH, home / "bin/activate-tinytorch.sh"], capture_output=True, text=True)
    assert run.returncode == 1
    assert "source this file" in run.stderr
