"""What lessons export and import, read from their sources without running them."""

import ast
from dataclasses import dataclass

from tito.course import Course, LessonFiles, Module
from tito.lesson import read_lesson


@dataclass(frozen=True)
class Names:
    """The public names a lesson exports, and those it imports: {"core.tensor": ["Tensor"]}."""

    exported: tuple[str, ...]
    imported: dict[str, tuple[str, ...]]


def names_of(course: Course, lesson: LessonFiles) -> Names:
    exported: dict[str, None] = {}
    imported: dict[str, dict[str, None]] = {}
    for cell in read_lesson(course.root / lesson.source).cells:
        if not cell.is_exported:
            continue
        for node in ast.parse(cell.source).body:
            exported |= dict.fromkeys(name for name in _defined(node) if not name.startswith("_"))
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tinytorch."):
                target = node.module.removeprefix("tinytorch.")
                imported.setdefault(target, {}).update(
                    dict.fromkeys(alias.name for alias in node.names)
                )
    return Names(tuple(exported), {target: tuple(names) for target, names in imported.items()})


def brought(course: Course, module: Module) -> dict[Module, tuple[str, ...]]:
    """What a module's notebooks import from earlier modules, in the order of these."""
    homes = {lesson.target: lesson.module for lesson in course.lessons()}
    found: dict[Module, dict[str, None]] = {}
    for lesson in course.lessons([module]):
        for target, names in names_of(course, lesson).imported.items():
            if homes[target] != module:
                found.setdefault(homes[target], {}).update(dict.fromkeys(names))
    return {home: tuple(found[home]) for home in course.modules() if home in found}


def _defined(node: ast.stmt) -> list[str]:
    """The names that a statement defines, those of plain assignments included."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    return []
