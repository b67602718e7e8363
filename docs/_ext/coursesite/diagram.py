"""What a module stands on and what it builds, as a picture for every width of screen."""

from html import escape
from textwrap import wrap

from coursesite.names import brought, names_of
from tito.course import Course, Module

WIDTH = 360  # px: a phone shows it unscaled
MARGIN, PADDING, GAP = 1, 12, 26
TITLE_LINE, LINE = 20, 17
LETTERS = 44  # of the fixed-width font in a line of a box

Box = tuple[str, str, list[str]]


def build_diagram(course: Course, module: Module) -> str:
    """An SVG: names from earlier modules, the notebooks in order with their names, the package."""
    boxes = _boxes(course, module)
    parts, y = [], MARGIN
    for number, (kind, title, lines) in enumerate(boxes):
        if number:
            parts.append(_arrow(y))
            y += GAP
        height = 2 * PADDING + TITLE_LINE + LINE * len(lines) - 4
        parts.append(_box(y, height, kind, title, lines))
        y += height
    told = ". ".join(f"{title}: {' '.join(lines)}" for _, title, lines in boxes)
    name = f"builds-{module.folder}"
    title = f"What module {module.folder.replace('_', ' ')} builds"
    return (
        f'<svg class="diagram" role="img" aria-labelledby="{name}-title {name}-desc" '
        f'viewBox="0 0 {WIDTH} {y + MARGIN}" xmlns="http://www.w3.org/2000/svg">'
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-desc">{escape(told)}.</desc>{"".join(parts)}</svg>'
    )


def _boxes(course: Course, module: Module) -> list[Box]:
    given = [
        line
        for home, names in brought(course, module).items()
        for line in _lines(f"{home.number:02} {home.name}: ", names)
    ]
    boxes = [("given", "You bring", given or ["NumPy, and nothing else"])]
    lessons = course.lessons([module])
    for lesson in lessons:
        exported = names_of(course, lesson).exported
        boxes.append(("made", f"You build: {lesson.name}", _lines("", exported)))
    modules = ", ".join(f"tinytorch.{lesson.target}" for lesson in lessons)
    return [*boxes, ("given", "In your package", wrap(modules, LETTERS))]


def _lines(start: str, names: tuple[str, ...]) -> list[str]:
    return wrap(start + ", ".join(names), LETTERS, subsequent_indent="  " if start else "")


def _box(y: int, height: int, kind: str, title: str, lines: list[str]) -> str:
    text = y + PADDING + 12
    rows = [f'<text class="name" x="{PADDING}" y="{text}">{escape(title)}</text>']
    for number, line in enumerate(lines, 1):
        at = text + TITLE_LINE + LINE * (number - 1)
        indent = PADDING + (14 if line.startswith(" ") else 0)
        rows.append(f'<text class="code" x="{indent}" y="{at}">{escape(line.strip())}</text>')
    frame = (
        f'<rect class="{kind}" x="{MARGIN}" y="{y}" rx="6" '
        f'width="{WIDTH - 2 * MARGIN}" height="{height}"/>'
    )
    return frame + "".join(rows)


def _arrow(y: int) -> str:
    x, end = WIDTH // 2, y + GAP - 4
    head = f"M{x - 5} {end - 6}L{x} {end}L{x + 5} {end - 6}"
    return f'<path class="arrow" d="M{x} {y + 3}V{end}{head}"/>'
