"""What a lesson must keep to. Each rule is a function from a lesson to the problems it finds."""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tito.course import export_target
from tito.lesson import MARKER, Lesson, LessonCell
from tito.notebook import START

BEGIN_SOLUTION, END_SOLUTION = "### BEGIN SOLUTION", "### END SOLUTION"
BEGIN_HIDDEN, END_HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
SHORT_KEYS = {"grade_id", "solution", "grade", "points", "locked"}
MAX_SOLUTION_LINES = 30  # "at most about twenty": past this the blank is not one idea


@dataclass(frozen=True)
class Problem:
    """One breach of a rule: where it is and how to mend it."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path.parent.name}/{self.path.name}:{self.line}: {self.message}"


Found = Iterator[tuple[int, str]]
Rule = Callable[[Lesson], Found]


def check_lesson(lesson: Lesson) -> list[Problem]:
    """Every breach in the lesson, in the order of its lines."""
    found = {(line, message) for rule in RULES for line, message in rule(lesson)}
    return [Problem(lesson.path, line, message) for line, message in sorted(found)]


def has_a_title(lesson: Lesson) -> Found:
    first = lesson.cells[0] if lesson.cells else None
    lines = first.source.splitlines() if first and first.kind == "markdown" else []
    if not lines or not lines[0].startswith("# ") or not any(x.startswith("> ") for x in lines):
        yield 1, "start with a markdown cell `# Title` and a line `> one sentence`."


def exports_to_one_module(lesson: Lesson) -> Found:
    targets = [cell for cell in lesson.cells if export_target(cell.source)]
    if not targets:
        yield 1, "no `#| default_exp core.name`: add a cell that holds it."
    for cell in targets[1:]:
        yield cell.line, "a second `default_exp`: a notebook exports to one module."


def has_exercises(lesson: Lesson) -> Found:
    if not any(cell.is_solution for cell in lesson.cells):
        yield 1, 'no solution cell: mark one with nbgrader={"grade_id": "name", "solution": true}.'


def metadata_can_be_read(lesson: Lesson) -> Found:
    for cell in lesson.cells:
        if "nbgrader" in cell.marker and "nbgrader" not in cell.metadata:
            yield cell.line, 'the metadata is no JSON: write nbgrader={"grade_id": "name", ...}.'
        elif unknown := set(cell.nbgrader) - SHORT_KEYS:
            known = ", ".join(sorted(SHORT_KEYS))
            yield cell.line, f"unknown metadata {sorted(unknown)}: the keys are {known}."
        elif cell.nbgrader and not {"solution", "grade", "locked"} & set(cell.nbgrader):
            yield cell.line, "say what the cell is: solution, grade or locked."
        elif cell.is_solution and (cell.is_graded or cell.nbgrader.get("locked")):
            yield (
                cell.line,
                "a solution cell is neither graded nor locked: its test is a cell of its own.",
            )


def grade_ids_are_unique(lesson: Lesson) -> Found:
    seen: dict[str, int] = {}
    for cell in lesson.cells:
        if not cell.nbgrader:
            continue
        grade_id = cell.nbgrader.get("grade_id")
        if not grade_id:
            yield cell.line, "no grade_id: add a name that is unique in this notebook."
        elif not re.fullmatch(r"[a-zA-Z][a-zA-Z0-9_-]{0,63}", grade_id):
            yield cell.line, f"grade_id {grade_id!r}: use a letter, then letters, digits, - and _."
        elif grade_id == START:
            yield cell.line, f"grade_id {START!r} is the build's own cell behind the title: rename."
        elif grade_id in seen:
            yield cell.line, f"grade_id {grade_id!r} is taken by line {seen[grade_id]}: rename one."
        else:
            seen[grade_id] = cell.line


def graded_cells_have_points(lesson: Lesson) -> Found:
    for cell in lesson.cells:
        points = cell.nbgrader.get("points")
        is_number = isinstance(points, int | float) and not isinstance(points, bool) and points > 0
        if cell.is_graded and not is_number:
            yield cell.line, 'a graded cell needs points: add "points": 10.'
        elif points is not None and not cell.is_graded:
            yield cell.line, 'points on a cell that is not graded: add "grade": true or drop them.'


def markers_are_balanced(lesson: Lesson) -> Found:
    for cell in lesson.cells:
        for begin, end in ((BEGIN_SOLUTION, END_SOLUTION), (BEGIN_HIDDEN, END_HIDDEN)):
            is_open = False
            for number, line in enumerate(cell.source.splitlines(), cell.line + 1):
                if re.search(rf"\b{begin[4:]}|\b{end[4:]}", line) and line.strip() not in (
                    begin,
                    end,
                ):
                    yield number, f"not a marker: write it alone on its line, as `{begin}`."
                if line.strip() == begin:
                    if is_open:
                        yield number, f"`{begin}` inside another one: close the first."
                    is_open = True
                elif line.strip() == end:
                    if not is_open:
                        yield number, f"`{end}` without `{begin}`."
                    is_open = False
            if is_open:
                yield cell.line, f"`{begin}` without `{end}`."


def solutions_have_a_region(lesson: Lesson) -> Found:
    for cell in lesson.cells:
        if cell.is_solution and BEGIN_SOLUTION not in cell.source:
            yield (
                cell.line,
                f"a solution cell without `{BEGIN_SOLUTION}`: students would get the answer.",
            )
        elif not cell.is_solution and BEGIN_SOLUTION in cell.source:
            yield cell.line, f'`{BEGIN_SOLUTION}` outside a solution cell: add "solution": true.'


def solutions_are_short(lesson: Lesson) -> Found:
    for cell in lesson.cells:
        lines = cell.source.splitlines()
        starts = [i for i, line in enumerate(lines) if line.strip() == BEGIN_SOLUTION]
        ends = [i for i, line in enumerate(lines) if line.strip() == END_SOLUTION]
        for start, end in zip(starts, ends, strict=False):
            if end - start - 1 > MAX_SOLUTION_LINES:
                yield (
                    cell.line + 1 + start,
                    f"a blank of {end - start - 1} lines: make it two exercises.",
                )


def classes_stay_whole(lesson: Lesson) -> Found:
    for cell in lesson.cells:
        code = [x for x in cell.source.splitlines() if x.strip() and not x.lstrip().startswith("#")]
        is_indented = MARKER.match(cell.marker).group(1) or (
            code and code[0].startswith((" ", "\t"))
        )
        if cell.kind == "code" and is_indented:
            yield cell.line, "a `# %%` inside a class or function: a cell holds the whole of it."


def code_parses(lesson: Lesson) -> Found:
    for cell in lesson.cells:
        if cell.kind == "code" and not any(
            x.startswith(("%", "!")) for x in cell.source.splitlines()
        ):
            try:
                ast.parse(cell.source)
            except SyntaxError as error:
                yield cell.line + (error.lineno or 0), f"the cell is no Python: {error.msg}."


def solutions_hold_no_plumbing(lesson: Lesson) -> Found:
    for cell in lesson.cells:
        if not cell.is_solution:
            continue
        if export_target(cell.source):
            yield (
                cell.line,
                "`default_exp` in a solution cell: students could change it; give it its own.",
            )
        for node in _tree(cell).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield (
                    cell.line + node.lineno,
                    "an import in a solution cell: move it to the imports cell.",
                )


def solutions_are_tested(lesson: Lesson) -> Found:
    waiting: LessonCell | None = None
    for cell in lesson.cells:
        if cell.is_graded:
            waiting = None
        elif cell.is_solution:
            if waiting:
                yield (
                    waiting.line,
                    "a solution cell with no test after it: put its graded cell below it.",
                )
            waiting = cell
    if waiting:
        yield waiting.line, "a solution cell with no test after it: put its graded cell below it."


def tests_are_not_exported(lesson: Lesson) -> Found:
    for cell in lesson.cells:
        if cell.is_graded and cell.is_exported:
            yield cell.line, "a graded cell with `#| export`: tests do not belong to the package."


def hidden_tests_are_graded(lesson: Lesson) -> Found:
    for cell in lesson.cells:
        if BEGIN_HIDDEN in cell.source and not cell.is_graded:
            yield cell.line, "hidden tests outside a graded cell: students would get them."


def tests_observe(lesson: Lesson) -> Found:
    for cell in lesson.cells:
        if not cell.is_graded or cell.kind != "code":
            continue
        hidden = "".join(part.split(END_HIDDEN)[0] for part in cell.source.split(BEGIN_HIDDEN)[1:])
        if "observe(" not in hidden or "challenge" not in hidden:
            yield (
                cell.line,
                "hidden tests must draw from `challenge` and hand the outcome to `observe`.",
            )


def tests_run_and_explain(lesson: Lesson) -> Found:
    for cell in lesson.cells:
        if not cell.is_graded or cell.kind != "code":
            continue
        tree = _tree(cell)
        runs = (ast.Expr, ast.Assert, ast.For, ast.With)
        if not any(isinstance(n, runs) and not _is_docstring(n) for n in tree.body):
            yield (
                cell.line,
                "a graded cell that only defines its test gives points for nothing: call it.",
            )
        for node in ast.walk(tree):
            if isinstance(node, ast.Assert) and node.msg is None:
                yield (
                    cell.line + node.lineno,
                    "an assert without a message: say what is likely wrong.",
                )


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _tree(cell: LessonCell) -> ast.Module:
    """The cell's syntax tree; empty when it does not parse, which `code_parses` reports."""
    try:
        return ast.parse(cell.source)
    except SyntaxError:
        return ast.Module(body=[], type_ignores=[])


RULES: tuple[Rule, ...] = (
    has_a_title,
    exports_to_one_module,
    has_exercises,
    metadata_can_be_read,
    grade_ids_are_unique,
    graded_cells_have_points,
    markers_are_balanced,
    solutions_have_a_region,
    solutions_are_short,
    classes_stay_whole,
    code_parses,
    solutions_hold_no_plumbing,
    solutions_are_tested,
    tests_are_not_exported,
    hidden_tests_are_graded,
    tests_observe,
    tests_run_and_explain,
)
