"""The figures of the class summary, as PNG in base64. Drawn without pyplot: no window, no state."""

import base64
import io

from matplotlib import rc_context
from matplotlib.figure import Figure

# As in the lessons; written out, so that an instructor's own matplotlibrc changes nothing.
STYLE = {"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}
BINS = 10
FULL, PARTLY, NONE = "#3b6ea5", "#a9c4de", "#c9706a"


def histogram(scores: list[float], most: float) -> str:
    """How many students have how many points: ten bars from 0 to `most`."""
    with rc_context(STYLE):
        figure = Figure(figsize=(8, 2.6), layout="constrained")
        axes = figure.subplots()
        axes.hist(scores, bins=BINS, range=(0, most or 1), color=FULL, edgecolor="white")
        axes.set(xlabel="points", ylabel="students", xlim=(0, most or 1))
        axes.yaxis.get_major_locator().set_params(integer=True)
        return _png(figure)


def shares(names: list[str], students: dict[str, list[int]]) -> str:
    """One bar for each of `names`, in their order; `students` has its parts: all, a part, none."""
    with rc_context(STYLE):
        figure = Figure(figsize=(8, 0.9 + 0.27 * len(names)), layout="constrained")
        axes = figure.subplots()
        left = [0] * len(names)
        for (label, sizes), colour in zip(students.items(), (FULL, PARTLY, NONE), strict=True):
            if any(sizes):
                axes.barh(names, sizes, left=left, color=colour, label=label, height=0.7)
            left = [before + size for before, size in zip(left, sizes, strict=True)]
        axes.invert_yaxis()
        axes.set(xlabel="students", xlim=(0, max(left)))
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.margins(y=0.02)
        figure.legend(loc="outside upper left", ncols=3, frameon=False)
        return _png(figure)


def _png(figure: Figure) -> str:
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=150, facecolor="white")
    return base64.b64encode(file.getvalue()).decode("ascii")
