"""nbgrader on this course's folders: `nbgrader formgrader` and `tito` read the same file."""

from pathlib import Path

from nbgrader.preprocessors import GetGrades

from tito.grading.class_export import ClassExport
from tito.grading.exporter import FeedbackExporter
from tito.grading.hide import HideTests
from tito.grading.late import PenaltyPerDay
from tito.grading.sanitize import Sanitize

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

# How much one submission may use when `tito grade` runs it. A cell that needs more fails and says
# which limit it met; what was earned before it stays.
c.Limits.cell_seconds = 30  # then the cell is interrupted
c.Limits.total_seconds = 300  # of the clock for a whole notebook; then it is killed
c.Limits.cpu_seconds = 300  # of processor time of any one process
c.Limits.memory_mb = 2048  # address space of any one process
c.Limits.file_mb = 64  # of a file, and of each folder that can be written to (it is in memory)
c.Limits.processes = 64  # and threads, of which a kernel itself has about ten
c.Limits.open_files = 256
c.Limits.output_mb = 10  # of everything that a notebook displays; the rest is dropped

# What a student handed in is shown as text and pictures, in feedback and in formgrader.
c.GenerateFeedback.preprocessors = [GetGrades, Sanitize, HideTests]
c.GenerateFeedback.exporter_class = FeedbackExporter
c.FeedbackExporter.course_root = str(ROOT)
c.HTMLExporter.preprocessors = [Sanitize]

# `nbgrader export` leaves the score of an ungraded student empty instead of 0.0.
c.ExportApp.plugin_class = ClassExport
c.ClassExport.course_root = str(ROOT)

# Lateness costs nothing. For 10 % of the earned points a day begun, at most half of them:
#   c.PenaltyPerDay.percent_a_day = 10
#   c.PenaltyPerDay.most_percent = 50
c.AssignLatePenalties.plugin_class = PenaltyPerDay
c.PenaltyPerDay.percent_a_day = 0

# Formgrader insists on an exchange folder that stands; students hand in files instead.
c.Exchange.root = str(ROOT / ".exchange")
(ROOT / ".exchange").mkdir(exist_ok=True)
