"""Handwriting: your engine reads digits that people wrote, and that it has never seen.

1,797 digits of 8 x 8 pixels, from the UCI "Optical recognition of handwritten digits" (E. Alpaydin
and C. Kaynak, 1998); they come with scikit-learn, so nothing is downloaded. A fifth is held out.
"""

import argparse
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from tqdm import tqdm

from milestones.plots import RESULTS, save_plot
from tinytorch.core.activations import ReLU
from tinytorch.core.layers import Dropout, Layer, Linear, Sequential, manual_seed
from tinytorch.core.losses import CrossEntropyLoss
from tinytorch.core.optimizers import AdamW
from tinytorch.core.tensor import Tensor
from tinytorch.core.training import CosineSchedule, Trainer, evaluating, minibatches

EPOCHS = 30


def digits(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Pixels from 0 to 1, (count, 64), and labels: four fifths to learn from, a fifth held out."""
    pixels, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(labels))
    pixels, labels = (pixels[order] / 16).astype(np.float32), labels[order]
    cut = len(labels) // 5
    return pixels[cut:], labels[cut:], pixels[:cut], labels[:cut]


def read(model: Layer, pixels: np.ndarray) -> np.ndarray:
    """The digit that the model sees in each picture."""
    with evaluating(model):
        return model(Tensor(pixels)).data.argmax(axis=1)


def main(seed: int = 0, quiet: bool = False, folder: Path = RESULTS) -> dict:
    """Train a network of 64, 256 and 10 units; the share of held-out digits it reads."""
    start = time.perf_counter()
    pixels, labels, unseen, truth = digits(seed)
    manual_seed(seed)
    model = Sequential(Dropout(0.15), Linear(64, 256), ReLU(), Dropout(0.3), Linear(256, 10))
    optimizer = AdamW(model.parameters(), lr=6e-3, weight_decay=0.01)
    schedule = CosineSchedule(6e-3, 1e-5, EPOCHS, warmup_epochs=2)
    trainer = Trainer(model, optimizer, CrossEntropyLoss(), schedule, grad_clip_norm=1.0)
    batches = minibatches(pixels, labels, 64)
    check = minibatches(unseen, truth, len(truth), shuffle=False)
    accuracies = []
    for _ in (bar := tqdm(range(EPOCHS), desc="epochs", disable=quiet)):
        loss = trainer.train_epoch(batches)
        trainer.history.setdefault("train_loss", []).append(loss)
        trainer.history.setdefault("val_loss", []).append(trainer.evaluate(check))
        accuracies.append(float((read(model, unseen) == truth).mean()))
        bar.set_postfix(loss=f"{loss:.4f}", right=f"{accuracies[-1]:.1%}")
    seconds, guesses = time.perf_counter() - start, read(model, unseen)
    wrong = np.flatnonzero(guesses != truth)
    figure = draw(trainer.history, accuracies, unseen[wrong], truth[wrong], guesses[wrong])
    path = save_plot(figure, folder, "digits")
    if not quiet:
        right = f"{len(truth) - len(wrong)} of {len(truth)}"
        print(f"{accuracies[-1]:.1%} of the held-out digits right ({right}), in {seconds:.1f} s.")
        print(path)
    return {"accuracy": accuracies[-1], "seconds": seconds, "plot": path}


def draw(
    history: dict[str, list[float]],
    accuracies: list[float],
    pictures: np.ndarray,
    truth: np.ndarray,
    guesses: np.ndarray,
) -> plt.Figure:
    """The curves, and the digits that were misread, up to twelve."""
    figure = plt.figure(figsize=(11, 4))
    left, right = figure.subfigures(1, 2, width_ratios=(3, 2))
    losses, share = left.subplots(1, 2)
    losses.semilogy(history["train_loss"], label="training, with dropout")
    losses.semilogy(history["val_loss"], label="held out")
    losses.set(xlabel="epoch", ylabel="mean loss", title="loss")
    losses.legend(fontsize=8)
    share.plot(np.array(accuracies) * 100, color="C2")
    share.axhline(97, color="0.7", ls=":")
    share.set(xlabel="epoch", ylabel="held-out digits right, %", ylim=(85, 100.3))
    share.set_title(f"ends at {accuracies[-1]:.1%}")
    right.suptitle(f"{len(truth)} were misread: what it says, and what it is")
    for ax in (cells := right.subplots(3, 4).ravel()):
        ax.axis("off")
    for ax, picture, is_, said in zip(cells, pictures, truth, guesses, strict=False):
        ax.imshow(picture.reshape(8, 8), cmap="gray_r")
        ax.set_title(f"{said}, is {is_}", fontsize=9)
    return figure


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    main(parser.parse_args().seed)
