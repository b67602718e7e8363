"""1958: the perceptron. A machine learns to tell two kinds apart, by its mistakes alone.

F. Rosenblatt, "The perceptron: a probabilistic model for information storage and organization in
the brain", Psychological Review 65. His rule, for a point x of kind y = 1 or -1: if w @ x + b has
the wrong sign, add y * x to w and y to b. Here it runs by hand, beside SGD on the loss
relu(-y * (w @ x + b)), whose gradient is exactly that.
"""

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from tqdm import tqdm

from milestones.plots import RESULTS, save_plot
from tinytorch.core.activations import ReLU
from tinytorch.core.layers import Linear
from tinytorch.core.optimizers import SGD
from tinytorch.core.tensor import Tensor

GAP = 0.05  # no point is nearer than this to the true line


def separable_blobs(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two overlapping clouds, (count, 2), parted by a random line with a gap; kinds 1 and -1."""
    normal = rng.normal(size=2)
    normal /= np.linalg.norm(normal)
    sides = np.where(rng.random((4 * count, 1)) < 0.5, 1, -1)
    points = rng.normal(size=(4 * count, 2)) + sides * normal
    height = points @ normal - 0.3
    far = np.abs(height) > GAP
    points, kinds = points[far][:count], np.sign(height[far][:count])
    return points.astype(np.float32), kinds.astype(np.float32)


def rosenblatt(w: np.ndarray, b: np.ndarray, x: np.ndarray, y: float) -> bool:
    """One step of his rule, in place; whether there was a mistake."""
    is_wrong = y * (x @ w + b)[0] < 0
    if is_wrong:
        w += y * x[:, None]
        b += y
    return is_wrong


def main(seed: int = 0, quiet: bool = False, folder: Path = RESULTS) -> dict:
    """Train both machines on the same points in the same order; their lines are one line."""
    rng = np.random.default_rng(seed)
    points, kinds = separable_blobs(200, rng)
    layer, relu = Linear(2, 1), ReLU()
    optimizer = SGD(layer.parameters(), lr=1.0)
    layer.weight.data[...] = rng.normal(size=(2, 1), scale=5)
    layer.bias.data[...] = rng.normal(size=1, scale=5)
    w, b = layer.weight.data.copy(), layer.bias.data.copy()
    mistakes, lines = [], [(w.copy(), b.copy())]
    for _ in tqdm(range(100), desc="epochs", disable=quiet):
        wrong = 0
        for i in rng.permutation(len(points)):
            wrong += rosenblatt(w, b, points[i], kinds[i])
            optimizer.zero_grad()
            relu(layer(Tensor(points[i : i + 1])) * -float(kinds[i])).sum().backward()
            optimizer.step()
        mistakes.append(wrong)
        lines.append((w.copy(), b.copy()))
        if not wrong:
            break
    right = ((layer(Tensor(points)).data[:, 0] > 0) == (kinds > 0)).mean()
    apart = max(np.abs(layer.weight.data - w).max(), np.abs(layer.bias.data - b).max())
    path = save_plot(draw(points, kinds, lines, mistakes), folder, "perceptron")
    if not quiet:
        print(f"{sum(mistakes)} mistakes in {len(mistakes)} epochs, then {right:.0%} right.")
        print(f"Rosenblatt's weights and those of your engine differ by at most {apart:.1g}.")
        print(path)
    return {"accuracy": right, "epochs": len(mistakes), "difference": apart, "plot": path}


def draw(
    points: np.ndarray, kinds: np.ndarray, lines: list[tuple], mistakes: list[int]
) -> plt.Figure:
    """The points with the line after each epoch, and the mistakes that moved it."""
    figure, (left, right) = plt.subplots(1, 2)
    left.scatter(*points[kinds > 0].T, c="C0", s=14, label="kind 1")
    left.scatter(*points[kinds < 0].T, c="C1", s=14, marker="s", label="kind -1")
    span = np.array([-10.0, 10.0])
    for number, (w, b) in enumerate(lines):
        is_last = number == len(lines) - 1
        style = {"color": "k", "lw": 2, "label": "after the last epoch"} if is_last else {}
        (u, v), start = w[:, 0], -b[0] * w[:, 0] / (w[:, 0] @ w[:, 0])
        left.plot(start[0] - v * span, start[1] + u * span, **{"color": "0.8", "lw": 1} | style)
    low, high = points.min(axis=0) - 0.3, points.max(axis=0) + 0.3
    left.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel="x1", ylabel="x2")
    left.set_title("each epoch's line (grey), until no point is wrong")
    left.legend(fontsize=8)
    right.plot(np.arange(1, len(mistakes) + 1), mistakes, "o-", color="C3")
    right.set(xlabel="epoch", ylabel="mistakes", title="it learns from mistakes, and they run out")
    return figure


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    main(parser.parse_args().seed)
