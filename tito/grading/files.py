"""Files written whole or not at all, and digests of them."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write `text` so that whoever reads, also after a kill, finds the old text or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.part")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)


def digest(parts: Iterable[bytes]) -> str:
    """One digest of all parts; their lengths keep `ab`, `c` and `a`, `bc` apart."""
    result = hashlib.sha256()
    for part in parts:
        result.update(len(part).to_bytes(8, "big"))
        result.update(part)
    return result.hexdigest()


def contents(folder: Path) -> Iterator[bytes]:
    """The name and the digest of every file in a folder, in order; nothing when there is none.

    What Python compiled on the way is left out: it differs from machine to machine.
    """
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape")
            try:
                with path.open("rb") as file:
                    yield hashlib.file_digest(file, "sha256").digest()
            except OSError:
                yield b"unreadable"
