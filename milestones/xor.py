"""1969 and 1986: either, but not both. One layer cannot learn it, and two layers can.

M. Minsky and S. Papert, "Perceptrons" (1969), proved what a single layer cannot compute. D. E.
Rumelhart, G. E. Hinton and R. J. Williams, "Learning representations by back-propagating errors",
Nature 323 (1986), trained the layer in between. No line has more than three of the four corners on
the right side.
"""

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from tqdm import tqdm

from milestones.plots import RESULTS, save_plot
from tinytorch.core.layers import Layer, Linear, Sequential, manual_seed
from tinytorch.core.losses import BCEWithLogitsLoss
from tinytorch.core.optimizers import Adam
from tinytorch.core.tensor import Tensor, no_grad

CORNERS = np.float32([[0, 0], [0, 1], [1, 0], [1, 1]])
XOR = np.float32([[0], [1], [1], [0]])


def train(model: Layer, steps: int, name: str, quiet: bool) -> tuple[list[float], float]:
    """Full-batch training on the four corners; each step's loss and the best accuracy met."""
    optimizer, loss_fn, losses, best = Adam(model.parameters(), lr=0.05), BCEWithLogitsLoss(), [], 0
    for _ in tqdm(range(steps), desc=name, disable=quiet):
        optimizer.zero_grad()
        logits = model(Tensor(CORNERS))
        loss = loss_fn(logits, XOR)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        best = max(best, float(((logits.data > 0) == (XOR > 0)).mean()))
    return losses, best


def main(seed: int = 0, quiet: bool = False, folder: Path = RESULTS) -> dict:
    """Train a single layer and a network with a hidden layer on the same four points."""
    manual_seed(seed)
    models = {
        "one layer": Linear(2, 1),
        "two layers": Sequential(Linear(2, 8), Tensor.tanh, Linear(8, 1)),
    }
    found = {name: train(model, 500, name, quiet) for name, model in models.items()}
    path = save_plot(draw(models, found), folder, "xor")
    if not quiet:
        for name, (losses, best) in found.items():
            print(f"{name}: loss {losses[-1]:.4f}, at best {best:.0%} of the corners right.")
        print(f"A layer that knows nothing has a loss of log 2 = {np.log(2):.4f}.")
        print(path)
    return {name: best for name, (_, best) in found.items()} | {"plot": path}


def draw(models: dict[str, Layer], found: dict[str, tuple]) -> plt.Figure:
    """What each model says all over the plane, and how their losses went."""
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.6))
    side = np.linspace(-0.4, 1.4, 90, dtype=np.float32)
    plane = np.stack(np.meshgrid(side, side), axis=-1)
    for ax, (name, model) in zip(axes, models.items(), strict=False):
        with no_grad():
            p = 1 / (1 + np.exp(-model(Tensor(plane)).data[..., 0]))
        shown = ax.pcolormesh(side, side, p, cmap="RdBu", vmin=0, vmax=1, shading="auto")
        for value, mark in ((0, "o"), (1, "s")):
            chosen = CORNERS[XOR[:, 0] == value]
            ax.scatter(*chosen.T, c="w", edgecolors="k", s=90, marker=mark, label=f"target {value}")
        ax.set(xlabel="a", ylabel="b", title=f"{name}: at best {found[name][1]:.0%} right")
        ax.legend(fontsize=8, loc="lower center", ncols=2)
        axes[2].plot(found[name][0], label=name)
    figure.colorbar(shown, ax=axes[1], label="probability of 1")
    axes[2].axhline(np.log(2), color="0.7", ls=":", label="log 2: knows nothing")
    axes[2].set(xlabel="step", ylabel="loss", title="one layer never gets below log 2")
    axes[2].legend(fontsize=8)
    return figure


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    main(parser.parse_args().seed)
