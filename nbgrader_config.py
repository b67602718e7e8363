"""nbgrader on this course's folders: `nbgrader formgrader` and `tito` read the same file."""

from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import GetGrades

from tito.grading.hide import HideTests

ROOT = Path(__file__).parent

c = get_config()  # noqa: F821  traitlets provides it

c.CourseDirectory.course_id = "tinytorch"
c.CourseDirectory.root = str(ROOT)
c.CourseDirectory.source_directory = "notebooks"  # ours: the lessons' sources are .py
c.CourseDirectory.release_directory = "release"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__"]

c.ClearSolutions.code_stub = {
    "python": (
        "# YOUR CODE HERE\n"
        'raise NotImplementedError("This blank is still to fill: replace this line by your code.")'
    )
}

c.GenerateFeedback.preprocessors = [GetGrades, HideTests, CSSHTMLHeaderPreprocessor]

# Formgrader insists on an exchange folder that stands; students hand in files instead.
c.Exchange.root = str(ROOT / ".exchange")
(ROOT / ".exchange").mkdir(exist_ok=True)
