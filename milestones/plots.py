"""Where the milestones put their figures."""

from pathlib import Path

import matplotlib

matplotlib.use("agg")  # a file, not a window: it works over ssh, too
import matplotlib.pyplot as plt

RESULTS = Path(__file__).parent / "results"

plt.rcParams.update({"figure.figsize": (9, 4), "figure.constrained_layout.use": True})
plt.rcParams.update({"axes.spines.top": False, "axes.spines.right": False})


def save_plot(figure: plt.Figure, folder: Path, name: str) -> Path:
    """Write the figure as folder/name.png and return the path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.png"
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return path
