"""A new Python environment that holds what the running one holds, but not the course itself.

It stands in for `pip install -r requirements.lock`, which needs a network: the same versions are
installed here already, and are linked.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from packaging.requirements import Requirement

OURS = "tinytorch"


def new_environment(folder: Path) -> Path:
    """Make the environment and return its `bin`: with packages, scripts and Jupyter's files."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
    home, bin_ = Path(paths["purelib"]), Path(paths["scripts"])
    without_old = ["-m", "pip", "uninstall", "--quiet", "--yes", "setuptools"]  # Python 3.11's
    subprocess.run([bin_ / "python", *without_old], check=True, capture_output=True)
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if OURS not in entry.name and not (home / entry.name).exists():
            (home / entry.name).symlink_to(entry)
    for script in Path(sysconfig.get_path("scripts")).iterdir():
        if script.is_file() and not (bin_ / script.name).exists():
            _copy_script(script, bin_ / script.name, str(bin_ / "python"))
    (bin_ / "tito").unlink()
    here = Path(sys.prefix)
    shutil.copytree(here / "etc", folder / "etc")  # `jupyter ... disable` writes there
    shutil.copytree(here / "share/jupyter/kernels", folder / "share/jupyter/kernels")
    for name in ("lab", "labextensions", "nbconvert"):
        (folder / "share/jupyter" / name).symlink_to(here / "share/jupyter" / name)
    return bin_


def _copy_script(script: Path, copy: Path, python: str) -> None:
    """A script that starts the new environment's Python."""
    content = script.read_bytes()
    first, _, rest = content.partition(b"\n")
    if first.startswith(b"#!") and b"python" in first:
        copy.write_bytes(f"#!{python}\n".encode() + rest)
        copy.chmod(0o755)


def pinned(requirements: Path) -> dict[str, str]:
    """The versions that a requirements file, and those it names with -r, ask of this platform."""
    found = {}
    for line in requirements.read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            found |= pinned(requirements.parent / line.removeprefix("-r ").strip())
        elif line.strip() and not line.startswith("#"):
            wanted = Requirement(line)
            if wanted.marker is None or wanted.marker.evaluate():
                found[wanted.name] = str(wanted.specifier).removeprefix("==")
    return found


def environment_of(bin_: Path) -> dict[str, str]:
    """The variables of a shell in which the environment is active, and nothing else of ours."""
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "JUPYTER", "VIRTUAL"))
    }
    return {**kept, "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}", "PIP_NO_INDEX": "1"}
