"""Search files for solutions and hidden tests that students must not get."""

import ast
import html
import io
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tito.answers import (
    GENERIC_LINE,
    MARKERS,
    Answers,
    function_bodies,
    parse,
    plain_tokens,
    read_answers,
    tokens,
)
from tito.course import Course

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_FENCED = re.compile(r"^(```+|~~~+)[^\n]*\n(.*?)^\1", re.MULTILINE | re.DOTALL)
_COMPILED = (".pyc", ".pyo")
_DEPTH = 4  # zips in zips, code in strings of code


@dataclass(frozen=True)
class Leak:
    """Where an answer stands. `file` may go on inside: `a.zip!b.ipynb#cells/3/source`."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


def find_leaks(course: Course, folder: Path) -> list[Leak]:
    """Every answer of the course's `source/` that a file under `folder` gives away.

    Looked at are all files: text as it is, notebooks and other JSON string by string (outputs and
    metadata too), Python code also through its syntax tree, zips member by member.
    """
    answers = read_answers(course)
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        answers.forget(path.read_text(encoding="utf-8"), shorter_than=GENERIC_LINE)
    leaks: dict[tuple[str, str], Leak] = {}  # the first place of each answer in each text
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        for leak in _in_file(answers, path.relative_to(folder).as_posix(), path.read_bytes()):
            leaks.setdefault((leak.file, leak.what), leak)
    return list(leaks.values())


def _in_file(answers: Answers, name: str, content: bytes, depth: int = _DEPTH) -> Iterator[Leak]:
    if name.lower().endswith(_COMPILED):
        yield Leak(name, 1, "compiled code, which cannot be searched: leave it out")
    elif content.startswith(b"PK") and zipfile.is_zipfile(io.BytesIO(content)):
        if not depth:
            yield Leak(name, 1, "zips nested too deep to be searched: leave it out")
            return
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for info in archive.infolist():
                yield from _in_file(
                    answers, f"{name}!{info.filename}", archive.read(info), depth - 1
                )
    else:
        text = content.decode("utf-8", errors="replace")
        for place, part in _parts(text):
            yield from _in_text(answers, name + place, part)


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """The strings of a JSON text with their places in it, or the whole of any other text."""
    try:
        tree = json.loads(text) if text.lstrip().startswith(("{", "[")) else None
    except (ValueError, RecursionError):
        tree = None
    if tree is None:
        yield "", text
    else:
        for place, string in _strings(tree):
            yield f"#{place}", string


def _strings(tree: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Each string in a JSON tree; a list of strings, which is how notebooks keep lines, is one."""
    if isinstance(tree, str):
        yield place, tree
    elif isinstance(tree, list) and tree and all(isinstance(item, str) for item in tree):
        yield place, "".join(item if item.endswith("\n") else f"{item}\n" for item in tree)
    elif isinstance(tree, list):
        for number, item in enumerate(tree):
            yield from _strings(item, f"{place}/{number}".lstrip("/"))
    elif isinstance(tree, dict):
        for key, item in tree.items():
            yield from _strings(item, f"{place}/{key}".lstrip("/"))


def _in_text(answers: Answers, name: str, text: str, depth: int = _DEPTH) -> Iterator[Leak]:
    text = _ANSI.sub("", text)
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() in MARKERS:
            yield Leak(name, number, f"the marker `{line.strip()}`")
    for _, what, line in answers.find(tokens(text)):
        yield Leak(name, line, what)
    if "&" in text and (unescaped := html.unescape(text)) != text:
        for _, what, line in answers.find(tokens(unescaped)):
            yield Leak(name, line, what)
    for match in _FENCED.finditer(text):
        yield from _in_code(answers, name, match[2], text.count("\n", 0, match.start(2)), depth)
    yield from _in_code(answers, name, text, 0, depth)


def _in_code(
    answers: Answers, name: str, text: str, lines_before: int, depth: int
) -> Iterator[Leak]:
    """What only the syntax tree shows: the same code in another layout, or inside a string."""
    tree = parse(text)
    if tree is None:
        return
    for _, what, line in answers.find(plain_tokens(tree)):
        yield Leak(name, lines_before + line, what)
    for node, body in function_bodies(tree):
        if body in answers.bodies:
            yield Leak(name, lines_before + node.lineno, answers.bodies[body])
    for node in ast.walk(tree) if depth else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" in node.value:
            for leak in _in_text(answers, name, node.value, depth - 1):
                yield Leak(name, lines_before + node.lineno, leak.what)
