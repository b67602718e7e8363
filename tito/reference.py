"""The file an instructor gives to late starters: the reference package up to a module."""

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

from tito.errors import TitoError
from tito.zips import read_zip, write_zip

MANIFEST = "manifest.json"
_NAME = re.compile(r"tinytorch-reference-upto-(\d\d)\.zip")
_PACKAGED = re.compile(r"tinytorch(/[a-z][a-z0-9_]*)+\.py")


@dataclass(frozen=True)
class Reference:
    """`files` maps a path such as `tinytorch/core/tensor.py` to its content."""

    upto: int
    files: dict[str, bytes]


def reference_name(upto: int) -> str:
    return f"tinytorch-reference-upto-{upto:02}.zip"


def write_reference(folder: Path, reference: Reference) -> Path:
    digests = {name: _digest(content) for name, content in sorted(reference.files.items())}
    manifest = json.dumps({"upto": reference.upto, "files": digests}, indent=1) + "\n"
    path = folder / reference_name(reference.upto)
    write_zip(path, {**reference.files, MANIFEST: manifest.encode()}, compress=False)
    return path


def read_reference(path: Path) -> Reference:
    """Read and check such a file. Raises TitoError when it is not whole or not what it says."""
    files = read_zip(path)
    try:
        manifest = json.loads(files.pop(MANIFEST))
        upto, digests = int(manifest["upto"]), dict(manifest["files"])
    except (KeyError, TypeError, ValueError) as error:
        raise TitoError(
            f"{path.name} has no {MANIFEST} that can be read: it is not a file made by "
            "`tito student-edition --reference-upto`."
        ) from error
    for name in sorted(files.keys() | digests.keys()):
        if not _PACKAGED.fullmatch(name):
            raise TitoError(f"{path.name} holds {name!r}, which is no module: do not use it.")
        if name not in files or _digest(files[name]) != digests.get(name):
            raise TitoError(f"{path.name}: {name} is not as its manifest says: get it again.")
    return Reference(upto, files)


def find_reference(folder: Path, upto: int) -> Path | None:
    """The smallest such file in `folder` that reaches module `upto`."""
    found = {
        int(match.group(1)): path
        for path in folder.glob("*.zip")
        if (match := _NAME.fullmatch(path.name))
    }
    return next((found[number] for number in sorted(found) if number >= upto), None)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
