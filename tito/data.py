"""Data sets for the optional parts of lessons: fetched once, resumed after a cut, checked, kept."""

import hashlib
import http.client
import json
import os
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tito.errors import TitoError

Tell = Callable[[int, int | None], None]  # bytes so far, bytes in all if known
CHUNK = 1 << 16
TRIES = 3
SUMS = "sums.json"  # size and SHA-256 of each file that was ever accepted here


@dataclass(frozen=True)
class DataSet:
    """A file on the network; size in bytes.

    sha256 None: we know of no published sum. The first download's sum and size are then recorded in
    `sums.json`, and a later download that differs from them is refused (trust on first use).
    member: the file wanted out of a zip; the zip is removed afterwards.
    """

    name: str
    about: str
    url: str
    size: int | None = None
    sha256: str | None = None
    member: str | None = None
    file: str = ""

    @property
    def fetched(self) -> str:
        """The name of the file as it comes."""
        return self.file or urllib.parse.urlsplit(self.url).path.rsplit("/", 1)[-1]

    @property
    def kept(self) -> str:
        """The name of the file that stays."""
        return self.member or self.fetched


DATASETS = {
    data.name: data
    for data in (
        DataSet(
            "shakespeare",
            "TinyShakespeare: 40,000 lines of the plays, from karpathy/char-rnn",
            "https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt",
            size=1_115_394,
            sha256="86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed",
            file="shakespeare.txt",
        ),
        DataSet(
            "glove",
            "GloVe 6B: 400,000 words, 50 numbers each, trained on six billion words",
            "https://nlp.stanford.edu/data/glove.6B.zip",
            size=862_182_613,
            member="glove.6B.50d.txt",
        ),
    )
}


def data_folder() -> Path:
    """Where data sets are kept: TINYTORCH_DATA, else .cache/tinytorch in the home folder."""
    return Path(os.environ.get("TINYTORCH_DATA", Path.home() / ".cache" / "tinytorch"))


def find(name: str) -> DataSet:
    if name not in DATASETS:
        raise TitoError(f"No data set is named {name!r}: there are {', '.join(DATASETS)}.")
    return DATASETS[name]


def get(data: DataSet, folder: Path, tell: Tell = lambda done, total: None) -> Path:
    """The path of the data set, whole and checked; fetched only if it is not there yet.

    Every failure is a TitoError of one line; what was fetched before a cut is kept for next time.
    """
    target, source = folder / data.kept, folder / data.fetched
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if target.is_file():
            return _accept(target) if data.member else _accept(target, data.size, data.sha256)
        if not source.is_file():
            _download(data, source.with_name(f"{source.name}.part"), tell)
        _accept(source, data.size, data.sha256)
        if data.member:
            _extract(source, data.member, target)
        return target
    except OSError as error:
        raise TitoError(
            f"{folder} cannot be written ({error.strerror or error}): make room, or name another "
            "folder in the environment variable TINYTORCH_DATA."
        ) from error


def is_here(data: DataSet, folder: Path) -> bool:
    return (folder / data.kept).is_file()


def _download(data: DataSet, part: Path, tell: Tell) -> None:
    """Fetch the file into `part`, going on where an earlier attempt stopped; then name it."""
    by_hand = f"Or fetch {data.url} by another way and put it at {part.with_suffix('')}."
    for _ in range(TRIES):
        have = part.stat().st_size if part.is_file() else 0
        request = urllib.request.Request(data.url, headers={"User-Agent": "tito"})
        if have:
            request.add_header("Range", f"bytes={have}-")
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                total = _write(response, part, have, tell)
        except urllib.error.HTTPError as error:
            if error.code == 416 and have:  # nothing after what we have: whole, or another file
                if have == data.size:
                    break
                part.unlink()
                continue
            raise TitoError(
                f"{data.url} answered {error.code} {error.reason}: is there a newer version of the "
                f"course? {by_hand}"
            ) from error
        except urllib.error.URLError as error:
            host = urllib.parse.urlsplit(data.url).netloc
            raise TitoError(
                f"No connection to {host} ({error.reason}): are you online? {by_hand}"
            ) from error
        except (ConnectionError, TimeoutError, http.client.HTTPException):
            continue  # cut in the middle: ask for the rest
        if total is None or part.stat().st_size >= total:
            break
    else:
        have = part.stat().st_size if part.is_file() else 0
        raise TitoError(
            f"The connection was cut {TRIES} times; {have:,} bytes of {data.name} are kept. "
            f"Run `tito data get {data.name}` again: it goes on from there."
        )
    part.replace(part.with_suffix(""))


def _write(response: http.client.HTTPResponse, part: Path, have: int, tell: Tell) -> int | None:
    """Write the body of an answer behind the first `have` bytes; the whole size, if it was said."""
    if response.status != 206:  # a server that knows no Range sends everything: begin anew
        have = 0
    length = response.headers.get("Content-Length")
    total = have + int(length) if length else None
    with part.open("ab" if have else "wb") as file:
        while chunk := response.read(CHUNK):
            file.write(chunk)
            have += len(chunk)
            tell(have, total)
    return total


def _accept(path: Path, size: int | None = None, sha256: str | None = None) -> Path:
    """`path`, if its sum is the known or the recorded one; recorded if there is none; else gone."""
    sums_path = path.parent / SUMS
    sums = json.loads(sums_path.read_text(encoding="utf-8")) if sums_path.is_file() else {}
    recorded = sums.get(path.name, {})
    size, sha256 = size or recorded.get("size"), sha256 or recorded.get("sha256")
    found = {"size": path.stat().st_size, "sha256": _sha256(path)}
    for what, want in (("size", size), ("sha256", sha256)):
        if want is not None and found[what] != want:
            path.unlink()
            raise TitoError(
                f"{path.name} has the {what} {found[what]}, not {want}: it was cut, damaged or "
                f"changed, and was removed. Run the command again; if it says the same, the source "
                f"has changed: report it."
            )
    if recorded != found:
        sums[path.name] = found
        fresh = sums_path.with_suffix(".part")
        fresh.write_text(json.dumps(sums, indent=1) + "\n", encoding="utf-8")
        fresh.replace(sums_path)
    return path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _extract(archive: Path, member: str, target: Path) -> None:
    """Take one file out of a zip, whole or not at all, and remove the zip."""
    part = target.with_name(f"{target.name}.part")
    try:
        with (
            zipfile.ZipFile(archive) as zipped,
            zipped.open(member) as inside,
            part.open("wb") as file,
        ):
            while chunk := inside.read(CHUNK):
                file.write(chunk)
    except (zipfile.BadZipFile, KeyError) as error:
        part.unlink(missing_ok=True)
        raise TitoError(f"{archive.name} holds no whole {member}: {error}. Report it.") from error
    part.replace(target)
    _accept(target)
    archive.unlink()
