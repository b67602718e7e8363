"""Zip files: written the same way every time, read with suspicion."""

import zipfile
from pathlib import Path, PurePosixPath

from tito.errors import TitoError

_DATE = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
MAX_FILES = 10_000
MAX_BYTES = 200_000_000


def write_zip(path: Path, files: dict[str, bytes], *, compress: bool = True) -> None:
    """Write `files` (name -> content), sorted, without dates.

    Uncompressed, the same files give the same bytes with every Python and zlib.
    """
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    partial = path.with_name(path.name + ".part")
    with zipfile.ZipFile(partial, "w", method) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type, info.create_system = method, _UNIX
            info.external_attr = 0o644 << 16
            archive.writestr(info, files[name])
    partial.replace(path)


def read_zip(path: Path) -> dict[str, bytes]:
    """The files of a zip by name. Raises TitoError for one that is broken, huge or that escapes."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
            if len(members) > MAX_FILES or sum(info.file_size for info in members) > MAX_BYTES:
                raise TitoError(f"{path.name} is far too large to be what it should be.")
            for info in members:
                _refuse_escape(path, info.filename)
            return {info.filename: archive.read(info) for info in members}
    except TitoError:
        raise
    except FileNotFoundError as error:
        raise TitoError(f"{path} does not exist.") from error
    except Exception as error:  # zipfile, zlib, lzma: each has errors of its own for broken files
        raise TitoError(f"{path.name} is no readable zip ({error}): get it again.") from error


def _refuse_escape(path: Path, name: str) -> None:
    pure = PurePosixPath(name)
    if pure.is_absolute() or ".." in pure.parts or "\\" in name or ":" in name:
        raise TitoError(f"{path.name} holds {name!r}, a path outside its folder: do not use it.")
