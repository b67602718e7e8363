"""The Sphinx extension of the course's site: lesson pages, and directives for module pages."""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from coursesite.directives import add_directives
from coursesite.execute import solved_with_outputs
from coursesite.lessons import write_pages
from tito.console import progress
from tito.course import Course
from tito.errors import TitoError


def write_lessons(app: Sphinx, config: Config) -> None:
    """Write docs/lessons/ before Sphinx looks for pages."""
    course = Course(Path(app.srcdir).parent)
    lessons = course.lessons()
    try:
        with progress() as bar:
            task = bar.add_task("Running the lessons", total=len(lessons))
            solved = solved_with_outputs(course, lessons, lambda: bar.advance(task))
        write_pages(course, Path(app.srcdir), solved)
    except TitoError as error:
        raise ExtensionError(str(error)) from error


def setup(app: Sphinx) -> dict[str, bool]:
    add_directives(app)
    app.connect("config-inited", write_lessons)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
