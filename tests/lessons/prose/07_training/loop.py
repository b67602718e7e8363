"""Batches, a schedule and a clip by hand."""

import math

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import ran
from tinytorch.core.loop import CosineSchedule, clip_grad_norm, minibatches
from tinytorch.core.tensor import Tensor

FLOAT32_MAX = np.finfo(np.float32).max
WARM = CosineSchedule(0.1, 0.0, total_epochs=12, warmup_epochs=4)
HALF_COSINE = [CosineSchedule(0.1, 0.0, 100).get_lr(epoch) for epoch in range(100)]


def sizes(count: int, batch_size: int) -> list[int]:
    return [len(x.data) for x, _ in minibatches(np.zeros((count, 1)), np.zeros(count), batch_size)]


def clipped(max_norm: float, *gradients) -> list:
    """The norm before, and the gradients after clipping."""
    params = [Tensor(np.zeros(np.shape(g)), requires_grad=True) for g in gradients]
    for p, gradient in zip(params, gradients, strict=True):
        p.grad = np.array(gradient, np.float32)
    return [clip_grad_norm(params, max_norm), *[p.grad for p in params]]


def walk(max_norm: float):
    """Weights and norms of the walk down (w**12 - 1)**2."""
    return ran("07_training/loop", "def walk_down").walk_down(max_norm)


CLAIMS = [
    Claim("`[3, 0]`, `[4, 1]`, `[2]`", lambda: sizes(5, 2) == [2, 2, 1]),
    Claim(
        "{0.02}, {0.04}, {0.06}, {0.08}, **{0.1}** in epoch {4}",
        lambda: ([WARM.get_lr(epoch) for epoch in range(5)], 4),
    ),
    Claim("half of it in epoch 8, {0} from", lambda: 0.1 - 2 * WARM.get_lr(8)),
    Claim("{0} from epoch 12 on", lambda: WARM.get_lr(12)),
    Claim("The norm is `sqrt(9 + 0 + 16) = {5}`", lambda: clipped(1, [3, 0], [[4]])[0]),
    Claim("`[{0.6, 0}]` and `[[{0.8}]]`, norm 1", lambda: clipped(1, [3, 0], [[4]])[1:]),
    Claim(
        "Clipping each parameter by itself would make `[{1, 0}]` and `[[{1}]]`",
        lambda: (clipped(1, [3, 0])[1], clipped(1, [[4]])[1]),
    ),
    Claim("`1e20` is a float32, its square is not", lambda: 1e20 < float(FLOAT32_MAX) < 1e40),
    Claim("below has a gradient of {23,000}, and", lambda: round(walk(1e300)[1][0], -3)),
    Claim(
        "One step from the cliff throws the weight out of sight",
        lambda: abs(walk(1e300)[0][1]) > 100,
    ),
    Claim("clipped, it walks down", lambda: abs(walk(1.0)[0][-1] - 1) < 0.01),
    Claim(
        "1. {50} and about {0.05}",
        lambda: (sum(lr > 0.05 + 1e-12 for lr in HALF_COSINE), np.mean(HALF_COSINE)),
    ),
    Claim("2. {0.1}: clipped", lambda: 0.1 * np.linalg.norm(clipped(1, np.full(10_000, 0.4))[1])),
    Claim("A gradient of norm {40} in 10,000 weights", lambda: clipped(1, np.full(10_000, 0.4))[0]),
    Claim("3. 64 / {40} = {1.6} times", lambda: (sizes(1000, 64)[-1], 64 / sizes(1000, 64)[-1])),
    Claim(
        "is the learning rate after a quarter",
        lambda: math.isclose(CosineSchedule(1.0, 0.0, 4).get_lr(1), (1 + math.sqrt(0.5)) / 2),
    ),
]
