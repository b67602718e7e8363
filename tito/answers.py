"""What no student's file may hold: the solution regions and hidden tests of `source/`."""

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

from tito.course import Course
from tito.lesson import LessonCell, read_lesson
from tito.rules import BEGIN_HIDDEN, BEGIN_SOLUTION, END_HIDDEN, END_SOLUTION

MARKERS = {BEGIN_SOLUTION, END_SOLUTION, BEGIN_HIDDEN, END_HIDDEN}
KEY = 4  # tokens that a run is looked up by; a shorter one (`return x`) says nothing
WINDOW = 3  # lines
GENERIC_LINE = (
    16  # tokens: a run shorter than this that the tool's own code has too is common Python
)
PLAIN_BODY = 12  # tokens: a function body shorter than this may occur openly elsewhere
_TOKEN = re.compile(r"\w+|[^\w\s]")
_WORKING = set("+-*/@%<>&|^~([{")

Token = tuple[str, int]
Run = tuple[str, ...]


@dataclass
class Answers:
    """The secrets by name: token runs, found by their first tokens, and whole function bodies."""

    runs: dict[Run, dict[Run, str]] = field(default_factory=dict)
    bodies: dict[Run, str] = field(default_factory=dict)

    def add(self, run: Run, name: str) -> None:
        self.runs.setdefault(run[:KEY], {}).setdefault(run, name)

    def find(self, tokens: list[Token]) -> Iterator[tuple[Run, str, int]]:
        """Each run that occurs: the run, its name and the line it starts on."""
        words = tuple(word for word, _ in tokens)
        for i, (_, line) in enumerate(tokens):
            for run, name in self.runs.get(words[i : i + KEY], {}).items():
                if words[i : i + len(run)] == run:
                    yield run, name, line

    def forget(self, open_text: str, *, shorter_than: int | None = None) -> None:
        """Drop the runs that stand in a text which is open to everybody."""
        tree = parse(open_text)
        for form in (tokens(open_text), plain_tokens(tree) if tree else []):
            for run, _, _ in list(self.find(form)):
                if shorter_than is None or len(run) < shorter_than:
                    self.runs[run[:KEY]].pop(run, None)


def tokens(text: str) -> list[Token]:
    """The words and signs of a text with their lines: layout does not count."""
    return [
        (word, number)
        for number, line in enumerate(text.splitlines(), 1)
        for word in _TOKEN.findall(line)
    ]


def parse(text: str) -> ast.Module | None:
    """The syntax tree of Python code, IPython's `%` and `!` lines left out; None for no code."""
    try:
        return ast.parse(re.sub(r"(?m)^[ \t]*[%!].*$", "", text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def plain_tokens(tree: ast.Module) -> list[Token]:
    """The code's tokens without comments, layout and needless brackets.

    The lines are those of the statements at the top level.
    """
    return [(word, node.lineno) for node in tree.body for word in _TOKEN.findall(ast.unparse(node))]


def function_bodies(tree: ast.Module) -> Iterator[tuple[ast.AST, Run]]:
    """Each function with its body's tokens; docstring, layout and comments do not count."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            has_docstring = ast.get_docstring(node, clean=False) is not None
            body = ast.Module(node.body[1:] if has_docstring else node.body, [])
            yield node, tuple(_TOKEN.findall(ast.unparse(body)))


def read_answers(course: Course) -> Answers:
    """The answers of every lesson, less what the lessons show openly."""
    answers = Answers()
    cells = [
        (lesson.source.as_posix(), cell)
        for lesson in course.lessons()
        for cell in read_lesson(course.root / lesson.source).cells
    ]
    for source, cell in cells:
        found = regions(cell)[1]
        for region in found:
            for run in _runs(region.text):
                answers.add(run, f"the {region.kind} at {source}:{region.line}")
        _add_bodies(answers, source, cell, found)
    for _, cell in cells:
        shown = regions(cell)[0]
        answers.forget(shown)
        for _, body in function_bodies(parse(shown) or ast.Module([], [])):
            if len(body) < PLAIN_BODY:
                answers.bodies.pop(body, None)
    return answers


@dataclass(frozen=True)
class Region:
    """What stands between two markers; `line` is its first line in the source."""

    kind: str
    line: int
    text: str


def regions(cell: LessonCell) -> tuple[str, list[Region]]:
    """A cell as students get it, and the regions they do not get."""
    shown: list[str] = []
    found: list[Region] = []
    inside: list[str] | None = None
    for number, line in enumerate(cell.source.splitlines(), cell.line + 1):
        mark = line.strip()
        if mark in (BEGIN_SOLUTION, BEGIN_HIDDEN):
            inside, first = [], number + 1
            if mark == BEGIN_SOLUTION:
                shown.append(line.replace(mark, "raise NotImplementedError"))
        elif mark in (END_SOLUTION, END_HIDDEN) and inside is not None:
            kind = "solution" if mark == END_SOLUTION else "hidden test"
            found.append(Region(kind, first, "\n".join(inside)))
            inside = None
        else:
            (shown if inside is None else inside).append(line)
    return "\n".join(shown), found


def _runs(region: str) -> Iterator[Run]:
    """The token runs of a region's line windows, as written and as the parser reads them."""
    written = [line for line in region.splitlines() if not line.lstrip().startswith("#")]
    tree = parse(textwrap.dedent(region))
    for lines in (written, ast.unparse(tree).splitlines() if tree else []):
        rows = [row for line in lines if (row := tuple(_TOKEN.findall(line)))]
        for size in range(1, WINDOW + 1):
            for start in range(len(rows) - size + 1):
                run = sum(rows[start : start + size], ())
                if _is_telling(run) and (size == 1 or len(run) >= 2 * KEY):
                    yield run


def _add_bodies(answers: Answers, source: str, cell: LessonCell, found: list[Region]) -> None:
    tree = parse(cell.source) if found else None
    for node, body in function_bodies(tree) if tree else ():
        first, last = cell.line + node.lineno, cell.line + (node.end_lineno or node.lineno)
        inside = [region for region in found if first < region.line <= last]
        if inside and _is_telling(body):
            answers.bodies.setdefault(body, f"the {inside[0].kind} at {source}:{inside[0].line}")


def _is_telling(run: Run) -> bool:
    """Whether a run says more than `return x` or `self.x = x` does: it computes or calls."""
    return len(run) >= KEY and not _WORKING.isdisjoint(run)
