"""Where a notebook opens without an installation, and the first cell that makes it ready there.

The public address stands in settings.ini alone: `user`, `repo` and `branch`.
"""

import re
from dataclasses import dataclass

from tito.course import Course, LessonFiles
from tito.lesson import LessonCell
from tito.notebook import START

_SENTENCE = re.compile(r"^(?:>.*(?:\n|\Z))+", re.MULTILINE)
_START = """\
# The start makes Colab and Binder ready. In your own folder it does nothing. No points.
import importlib.util
import os
import sys

if "google.colab" in sys.modules:  # a new machine: install what comes before this notebook
    get_ipython().system("pip install -q --no-deps --force-reinstall {package} \
&& python -m tito.colab {target}")
    print("To keep your work: File > Save a copy in Drive. To hand in: File > Download > .ipynb.")
elif "BINDER_LAUNCH_HOST" in os.environ:
    print("Binder deletes all after about ten idle minutes. To keep your work: File > Download.")
if importlib.util.find_spec("tinytorch") is None:
    raise ModuleNotFoundError(
        "TinyTorch is not installed: `tito module start {number:02}` in your course folder, "
        "`pip install -e .` in a clone; in Colab, run this cell again."
    )"""


@dataclass(frozen=True)
class Links:
    """Where a lesson opens: its release notebook on Binder and Colab, its source on GitHub."""

    binder: str
    colab: str
    source: str


def links(course: Course, lesson: LessonFiles) -> Links:
    """The three links of a lesson, made from settings.ini."""
    settings, release = course.settings, lesson.release.as_posix()
    place, branch = f"{settings['user']}/{settings['repo']}", settings["branch"]
    return Links(
        binder=f"https://mybinder.org/v2/gh/{place}/{branch}?urlpath=lab/tree/{release}",
        colab=f"https://colab.research.google.com/github/{place}/blob/{branch}/{release}",
        source=f"https://github.com/{place}/blob/{branch}/{lesson.source.as_posix()}",
    )


def badges(to: Links) -> str:
    """The line of Markdown that opens a notebook on Colab and on Binder."""
    return (
        f"[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({to.colab}) "
        f"[![Open on Binder](https://mybinder.org/badge_logo.svg)]({to.binder})"
    )


def with_links(course: Course, readme: str) -> str:
    """The README with the column of each module's row that begins with `Colab:` up to date."""
    for module in course.modules():
        opens = [(lesson.name, links(course, lesson)) for lesson in course.lessons([module])]
        colab = " · ".join(f"[{name}]({to.colab})" for name, to in opens)
        binder = " · ".join(f"[{name}]({to.binder})" for name, to in opens)
        row = re.compile(rf"^(\| \[{module.folder}\].*\| )Colab:.*$", re.MULTILINE)
        readme = row.sub(rf"\1Colab: {colab}<br>Binder: {binder} |", readme)
    return readme


def with_badges(title: str, to: Links) -> str:
    """A title cell with its badges below the sentence, which stays nbdev's module docstring."""
    return _SENTENCE.sub(lambda sentence: f"{sentence[0].rstrip()}\n\n{badges(to)}\n", title, 1)


def start_cell(course: Course, lesson: LessonFiles) -> LessonCell:
    """The given cell behind the title: in Colab it installs the lessons before `lesson` alone."""
    settings = course.settings
    address = f"https://github.com/{settings['user']}/{settings['repo']}"
    source = _START.format(
        package=f"git+{address}@v{settings['version']}",
        target=lesson.target,
        number=lesson.module.number,
    )
    metadata = {"nbgrader": {"grade_id": START, "locked": True}}
    return LessonCell("code", source, line=1, marker="", metadata=metadata)
