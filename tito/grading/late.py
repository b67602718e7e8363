"""What a late submission costs: nbgrader's plugin, set in nbgrader_config.py."""

import math

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float

SECONDS_A_DAY = 24 * 60 * 60


class PenaltyPerDay(LateSubmissionPlugin):
    """Take a share of the points that were earned for each day that has begun after the due date.

    nbgrader asks once a notebook, keeps the answer in the gradebook and takes it off wherever a
    score is shown: `tito grades`, feedback, formgrader and `nbgrader export`.
    """

    percent_a_day = Float(0.0, help="Percent of the earned points lost each day begun.").tag(
        config=True
    )
    most_percent = Float(100.0, help="The most that lateness can cost, in percent.").tag(
        config=True
    )

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """The points to take off a notebook's `score`; None when lateness is free."""
        days = math.ceil(total_seconds_late / SECONDS_A_DAY)
        percent = min(self.percent_a_day * days, self.most_percent, 100.0)
        return score * percent / 100 if percent > 0 else None
