"""The directives of the pages: each hands a module to a plain function and shows its answer."""

from collections.abc import Callable
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from coursesite.api import reference
from coursesite.diagram import build_diagram
from coursesite.errors import FOLDER, as_markdown, common_errors
from coursesite.excerpts import questions, reading, summary
from tito.course import SETTINGS, Course, LessonFiles, Module
from tito.errors import TitoError
from tito.launch import links


class ForCourse(SphinxDirective):
    """A directive that knows the course the site belongs to."""

    @property
    def course(self) -> Course:
        return Course(Path(self.env.srcdir).parent)

    def depend_on(self, modules: list[Module]) -> None:
        """Make the page anew when a lesson of these changed, the public address or this code."""
        paths = [self.course.root / lesson.source for lesson in self.course.lessons(modules)]
        paths += [self.course.root / SETTINGS, *Path(__file__).parent.glob("*.py")]
        for path in paths:
            self.env.note_dependency(str(path))


class ForModule(ForCourse):
    """A directive whose argument is a module's folder: ```` ```{questions} 02_activations ````."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        try:
            module = self.course.module(self.arguments[0].partition("/")[0])
            self.depend_on([module])
            return self.show(self.course, module)
        except TitoError as error:
            raise self.error(str(error)) from error

    def show(self, course: Course, module: Module) -> list[nodes.Node]:
        raise NotImplementedError


def from_markdown(make: Callable[[Course, Module], str]) -> type[ForModule]:
    """A directive that shows the Markdown which `make` writes of a module."""

    class Written(ForModule):
        def show(self, course: Course, module: Module) -> list[nodes.Node]:
            return self.parse_text_to_nodes(make(course, module))

    return Written


class Launch(ForModule):
    """The three buttons of a notebook, `NN_name/notebook`, or of each notebook of a module."""

    def show(self, course: Course, module: Module) -> list[nodes.Node]:
        wanted = self.arguments[0].partition("/")[2]
        lessons = [x for x in course.lessons([module]) if wanted in ("", x.name)]
        if not lessons:
            raise TitoError(f"{module.folder} has no notebook {wanted!r}.")
        rows = "".join(launch_row(course, lesson) for lesson in lessons)
        return [nodes.raw("", f'<ul class="launch">{rows}</ul>', format="html")]


def launch_row(course: Course, lesson: LessonFiles) -> str:
    """One notebook's buttons. The words for a screen reader say what opens where."""
    to, name = links(course, lesson), escape(lesson.name)
    buttons = "".join(
        f'<a href="{escape(url)}"><span class="screen-reader">{name}: </span>{label}</a>'
        for label, url in (("Binder", to.binder), ("Colab", to.colab), ("Source", to.source))
    )
    return f"<li><code>{name}</code>{buttons}</li>"


class Builds(ForModule):
    """The diagram of what a module stands on and what it builds."""

    def show(self, course: Course, module: Module) -> list[nodes.Node]:
        return [nodes.raw("", build_diagram(course, module), format="html")]


class CommonErrors(ForModule):
    """The mistakes of docs/errors/NN_name.toml with the messages they end in."""

    def show(self, course: Course, module: Module) -> list[nodes.Node]:
        self.env.note_dependency(str(course.root / FOLDER / f"{module.folder}.toml"))
        return self.parse_text_to_nodes(as_markdown(common_errors(course, module)))


class CourseMap(ForCourse):
    """Every module that stands, with what one builds there and the way to its page."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(self.course.root / "README.md"))
        rows = [
            f"1. [{module.number:02} {module.name.capitalize()}](/modules/{module.folder}.md)\n\n"
            f"   {summary(self.course, module)}"
            for module in self.course.modules()
        ]
        box = nodes.container(classes=["course-map"])
        box += self.parse_text_to_nodes("\n\n".join(rows))
        return [box]


def add_directives(app: Sphinx) -> None:
    app.add_directive("launch", Launch)
    app.add_directive("builds", Builds)
    app.add_directive("common-errors", CommonErrors)
    app.add_directive("course-map", CourseMap)
    app.add_directive("questions", from_markdown(questions))
    app.add_directive("reading", from_markdown(reading))
    app.add_directive("api", from_markdown(reference))
