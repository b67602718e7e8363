"""source/ -> docs/lessons/: a page for each notebook, blanks as students get them, outputs in."""

import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tito.course import Course, LessonFiles, export_target
from tito.notebook import dump_notebook, grade_id, is_graded, is_solution, new_notebook
from tito.release import to_release

FOLDER = "lessons"
_EXPORT = re.compile(r"^#\|\s*export\s*\n", re.MULTILINE)
_TITLE = re.compile(r"(?P<title># .+\n(?:\s*\n)*> .+\n?)(?P<rest>[\s\S]*)")


def page(course: Course, lesson: LessonFiles, solved: NotebookNode) -> NotebookNode:
    """The page of a lesson: the release's cells over the outputs of the solved ones (changed)."""
    outputs = {cell.id: cell.outputs for cell in solved.cells if cell.cell_type == "code"}
    first, *others = to_release(solved, course.root).cells
    cells = _title_and_launch(lesson, first)
    for cell in others:
        if cell.cell_type == "markdown":
            cells.append(cell)
        elif export_target(cell.source) is None:
            cells.append(_code(cell, outputs[cell.id]))
    return new_notebook(cells)


def write_pages(course: Course, docs: Path, solved: dict[LessonFiles, NotebookNode]) -> list[Path]:
    """Write every page below `docs`; one that did not change keeps its time, one too many goes."""
    written = []
    for lesson, nb in solved.items():
        path = docs / FOLDER / lesson.module.folder / f"{lesson.name}.ipynb"
        text = dump_notebook(page(course, lesson, nb))
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        written.append(path)
    for path in (docs / FOLDER).glob("*/*.ipynb"):
        if path not in written:
            path.unlink()
    return written


def _title_and_launch(lesson: LessonFiles, first: NotebookNode) -> list[NotebookNode]:
    """The first cell, cut behind its sentence, with the launch buttons in between."""
    title, rest = _TITLE.fullmatch(first.source).group("title", "rest")
    launch = f"```{{launch}} {lesson.module.folder}/{lesson.name}\n```"
    texts = [("title", title), ("launch", launch), ("about", rest.strip())]
    return [nbformat.v4.new_markdown_cell(text, id=name) for name, text in texts if text]


def _code(cell: NotebookNode, outputs: list[NotebookNode]) -> NotebookNode:
    """A code cell as the site shows it: tests and plumbing folded, figures with words."""
    new = nbformat.v4.new_code_cell(_EXPORT.sub("", cell.source), id=cell.id, outputs=outputs)
    if is_graded(cell):
        points = cell.metadata["nbgrader"]["points"]
        _fold(new, f"The test ({points:g} points)")
    elif is_solution(cell):
        new.metadata["tags"] = ["exercise"]
    elif grade_id(cell) == "setup":
        _fold(new, "Setup, given")
    pictures = [
        output.data["text/plain"] for output in outputs if "image/png" in output.get("data", {})
    ]
    if pictures:
        new.metadata.setdefault("mystnb", {})["image"] = {"alt": " ".join(pictures)}
    return new


def _fold(cell: NotebookNode, prompt: str) -> None:
    cell.metadata["tags"] = ["hide-input"]
    cell.metadata["mystnb"] = {"code_prompt_show": prompt, "code_prompt_hide": prompt}
