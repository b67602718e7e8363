"""axe-core, which judges built pages: `make compare` fetches it once, the tests only read it."""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import pytest

VERSION = "4.14.1"
SCRIPT = Path(sys.prefix, f"axe-core-{VERSION}", "axe.min.js")
REMEDY = "run `make compare` on a machine with npm"


def script() -> bytes:
    """axe's program. Without it a test is skipped, or fails where none may be."""
    if not SCRIPT.is_file():
        reason = f"there is no axe-core {VERSION} in this environment: {REMEDY}"
        if os.environ.get("TITO_SKIP_NOTHING"):
            raise AssertionError(reason)
        pytest.skip(reason)
    return SCRIPT.read_bytes()


def fetch() -> None:
    """Put axe's program into this environment, by npm, unless it is there."""
    if SCRIPT.is_file():
        return
    npm = shutil.which("npm")
    if npm is None:
        sys.exit(f"note: no npm, so no axe-core: to test the site's accessibility, {REMEDY}.")
    with tempfile.TemporaryDirectory() as scratch:
        command = [npm, "pack", "--silent", f"axe-core@{VERSION}"]
        if subprocess.run(command, cwd=scratch, stdout=subprocess.DEVNULL).returncode:
            sys.exit(f"error: npm could not fetch axe-core {VERSION}; see above.")
        with tarfile.open(next(Path(scratch).glob("*.tgz"))) as archive:
            content = archive.extractfile("package/axe.min.js").read()
    SCRIPT.parent.mkdir(exist_ok=True)
    SCRIPT.write_bytes(content)


if __name__ == "__main__":
    fetch()
