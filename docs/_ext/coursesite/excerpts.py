"""What the site takes out of the lessons and the README, as Markdown."""

import re

from tito.course import Course, Module
from tito.errors import TitoError
from tito.lesson import Lesson, read_lesson

_HEADING = re.compile(r"^#{1,2} (.+)$", re.MULTILINE)
_ITEM = re.compile(r"^- (.+)$", re.MULTILINE)


def section(lesson: Lesson, heading: str) -> str:
    """What stands below `## heading`, up to the next heading or cell; "" when there is none."""
    for cell in lesson.cells:
        if cell.kind == "markdown":
            parts = _HEADING.split(cell.source)
            for title, body in zip(parts[1::2], parts[2::2], strict=True):
                if title.strip() == heading:
                    return body.strip()
    return ""


def questions(course: Course, module: Module) -> str:
    """The questions of a module, notebook by notebook, each with its folded answers."""
    parts = []
    for lesson in course.lessons([module]):
        text = section(read_lesson(course.root / lesson.source), "Check your understanding")
        if start := re.search(r"^1\. ", text, re.MULTILINE):
            page = f"/lessons/{module.folder}/{lesson.name}.ipynb"
            # "the cell below computes them" is true in the lesson only
            asked = re.sub(r"<summary>.*?</summary>", "<summary>Answers</summary>", text)
            asked = asked[asked.index(start.group()) :]
            parts.append(f"**From [{lesson.name}]({page})**\n\n{asked}")
    return "\n\n".join(parts)


def reading(course: Course, module: Module) -> str:
    """The references of a module's lessons as one list, each once."""
    found: dict[str, None] = {}
    for lesson in course.lessons([module]):
        text = section(read_lesson(course.root / lesson.source), "Further reading")
        found |= dict.fromkeys(_ITEM.findall(text))
    return "\n".join(f"- {item}" for item in found)


def summary(course: Course, module: Module) -> str:
    """What one builds in a module, as its row in the README's table says."""
    readme = (course.root / "README.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| \[{module.folder}\]\([^)]*\) \| (.+?) \|", readme, re.MULTILINE)
    if row is None:
        raise TitoError(f"The README's table has no row for {module.folder}: add one.")
    return row[1]
