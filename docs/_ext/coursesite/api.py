"""The reference of a module's exported names, as Markdown, from their docstrings."""

import ast
import copy
import re
from collections.abc import Iterator

from coursesite.names import names_of
from tito.course import Course, LessonFiles, Module
from tito.launch import links

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_CODE = re.compile(r"(`[^`\n]+`)")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def reference(course: Course, module: Module) -> str:
    """Every exported name of every notebook: signature, docstring, public methods."""
    return "\n\n".join(_of_lesson(course, lesson) for lesson in course.lessons([module]))


def _of_lesson(course: Course, lesson: LessonFiles) -> str:
    tree = ast.parse((course.root / lesson.exported).read_text(encoding="utf-8"))
    known = {
        node.name: node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
    source = links(course, lesson).source
    parts = [
        f"```{{rubric}} tinytorch.{lesson.target}\n:heading-level: 3\n```",
        f"{markdown(ast.get_docstring(tree) or '')} "
        f"[Lesson](/lessons/{lesson.module.folder}/{lesson.name}.ipynb) · [Source]({source})",
    ]
    constants = []
    for name in names_of(course, lesson).exported:
        if isinstance(node := known.get(name), ast.ClassDef):
            parts.append(_class(node, f"tinytorch.{lesson.target}"))
        elif node is not None:
            parts.append(_directive("function", node, f"tinytorch.{lesson.target}"))
        else:
            constants.append(f"`{name}`")
    if constants:
        parts.append(f"Also: {', '.join(constants)}.")
    return "\n\n".join(parts)


def _class(node: ast.ClassDef, module: str) -> str:
    """A class with the arguments of its `__init__` and its public methods inside."""
    methods = [item for item in node.body if isinstance(item, Function) and not _is_setter(item)]
    init = next((item for item in methods if item.name == "__init__"), None)
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    body = [f"Is a kind of `{bases}`."] if bases else []
    if doc := ast.get_docstring(node):
        body.insert(0, markdown(doc))
    for item in methods:
        if not item.name.startswith("_"):
            body.append(_directive(_kind(item), item, module, fence="```", owner=node.name))
    arguments = signature(init, skip_first=True, returns=False) if init else "()"
    return _fenced("````", "class", f"{node.name}{arguments}", module, "\n\n".join(body))


def _is_setter(node: Function) -> bool:
    return any(ast.unparse(mark).endswith(".setter") for mark in node.decorator_list)


def _kind(node: Function) -> str:
    marks = {ast.unparse(mark) for mark in node.decorator_list}
    if "property" in marks:
        return "property"
    return {"staticmethod": "staticmethod", "classmethod": "classmethod"}.get(
        next(iter(marks), ""), "method"
    )


def _directive(
    kind: str, node: Function, module: str, fence: str = "```", owner: str | None = None
) -> str:
    bound = owner is not None and kind != "staticmethod"
    name = f"{owner}.{node.name}" if owner else node.name
    text = name if kind == "property" else name + signature(node, skip_first=bound)
    return _fenced(fence, kind, text, module, markdown(ast.get_docstring(node) or ""))


def _fenced(fence: str, kind: str, text: str, module: str, body: str) -> str:
    return f"{fence}{{py:{kind}}} {text}\n:module: {module}\n\n{body}\n{fence}"


def signature(node: Function, *, skip_first: bool = False, returns: bool = True) -> str:
    """`(x: Tensor, dim: int = -1) -> Tensor` of a definition, without its self."""
    arguments = copy.deepcopy(node.args)
    if skip_first:
        (arguments.posonlyargs or arguments.args).pop(0)
    result = f" -> {ast.unparse(node.returns)}" if returns and node.returns else ""
    return f"({ast.unparse(arguments)}){result}"


def markdown(docstring: str) -> str:
    """A docstring as Markdown: `code` and examples stay, every other sign means itself."""
    return "\n\n".join(_paragraphs(docstring))


def _paragraphs(docstring: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", docstring.strip()):
        if paragraph.startswith(">>>"):
            yield f"~~~pycon\n{paragraph}\n~~~"
        else:
            yield "".join(
                part if part.startswith("`") else _PUNCTUATION.sub(r"\\\1", part)
                for part in _CODE.split(paragraph)
            )
