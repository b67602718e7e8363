"""Means by hand, and what the curves of an overfitted network do."""

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import ran
from tinytorch.core.loop import CosineSchedule
from tinytorch.core.training import mean_of


def curves():
    """The experiment of "What the curves tell"; its variables are those of half by lot."""
    return ran("07_training/training", "def noisy_circle")


def counted() -> tuple[int, int]:
    return len(curves().batches.inputs), len(curves().held_out.inputs)


CLAIMS = [
    Claim("The mean of the two losses is {3.5}", lambda: np.mean([1, 6])),
    Claim("five examples have (4 * 1 + 1 * 6) / 5 = {2}", lambda: mean_of(4 * 1 + 1 * 6, 4 + 1)),
    Claim(
        "Eighty points to learn from, five hundred to measure on", lambda: counted() == (80, 500)
    ),
    Claim(
        "A Trainer around {4,482} weights",
        lambda: sum(p.size for p in curves().large_network().model.parameters()),
    ),
    Claim(
        "with labels by lot it rises again on new points",
        lambda: 1.05 * min(curves().history["val_loss"]) < curves().history["val_loss"][-1],
    ),
    Claim(
        "from epoch 10 on the learning rate is `min_lr`, here {0}",
        lambda: max(CosineSchedule(0.1, 0.0, 10).get_lr(epoch) for epoch in range(10, 20)),
    ),
]
