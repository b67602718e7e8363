"""Averages and Adam's steps by hand, and what its buffers take."""

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import gpt2_small
from tinytorch.core.descent import SGD
from tinytorch.core.optimizers import Adam, AdamW, update_average, weight_sum
from tinytorch.core.tensor import Tensor


def averages(value: float, beta: float, steps: int) -> np.ndarray:
    average, found = np.zeros(1), []
    for _ in range(steps):
        update_average(average, np.array([value]), beta)
        found.append(average[0])
    return np.array(found)


def after(kind, gradients, start=0.0, **options) -> np.ndarray:
    """A number before and after each step of an optimizer that gets these gradients."""
    p = Tensor(np.atleast_1d(start), requires_grad=True, dtype=np.float64)
    optimizer, found = kind([p], **options), [p.data.copy()]
    for gradient in gradients:
        p.grad = np.atleast_1d(np.float64(gradient))
        optimizer.step()
        found.append(p.data.copy())
    return np.array(found)


def buffers_of(kind, *options) -> float:
    """Memory of an optimizer's buffers, in units of the parameters'."""
    p = Tensor(np.zeros(1000), requires_grad=True)
    buffers = kind([p], 0.1, *options).buffers[0].values()
    return sum(x.nbytes for x in buffers) / p.data.nbytes


SUMS = np.array([weight_sum(0.9, step) for step in (1, 2, 3)])
FIVES = averages(5, 0.9, 3)
ALTERNATING = after(Adam, [1, -1] * 500, lr=1.0)

CLAIMS = [
    Claim(
        "a value counts {0.1} now, {0.09} in the next step, {0.081} then",
        lambda: 0.1 * 0.9 ** np.arange(3),
    ),
    Claim("about the last 1 / (1 - beta) = {10} values", lambda: 1 / (1 - 0.9)),
    Claim("average {0.5 0.95 1.355} sum to", lambda: FIVES),
    Claim("1 - beta**step {0.1 0.19 0.271} quotient {5 5 5}", lambda: (SUMS, FIVES / SUMS)),
    Claim(
        "Both numbers move by {0.1}, the lr",
        lambda: -after(Adam, [[1000, 0.001]], [0.0, 0.0], lr=0.1)[1].max(),
    ),
    Claim(
        "SGD's: {0.70} and {1.75}",
        lambda: -np.diff(after(SGD, [[10, 25]], [10.0, 1.0], lr=0.07), axis=0),
    ),
    Claim(
        "first step: 2 * {0.95} - {0.1} = {1.8}",
        lambda: (1 - 0.1 * 0.5, 0.1, after(AdamW, [3], 2.0, lr=0.1, weight_decay=0.5)[1]),
    ),
    Claim(
        "Scale the loss by a thousand and nothing changes",
        lambda: np.allclose(after(Adam, [1, -2, 3], lr=0.1), after(Adam, [1e3, -2e3, 3e3], lr=0.1)),
    ),
    Claim("GPT-2 small has {124,439,808} parameters of {4} bytes", lambda: (gpt2_small(), 4)),
    Claim("take {8} bytes a parameter", lambda: 4 + 4),
    Claim("Adam's buffers take twice the memory", lambda: buffers_of(Adam) == 2),
    Claim("of the parameters, momentum's once", lambda: buffers_of(SGD, 0.9) == 1),
    Claim("by a factor of about {10} = 1 / (1 - 0.9)", lambda: 1 / (1 - 0.9)),
    Claim("1. 0.1 / sqrt(0.001) = {3.16}", lambda: 0.1 / 0.001**0.5),
    Claim(
        "2. (1 - 1e-5) ** 100,000 = {0.368}",
        lambda: after(AdamW, [0], 1.0, lr=1e-3, weight_decay=0.01)[1] ** 100_000,
    ),
    Claim("3. {0.053}: the average", lambda: abs(ALTERNATING[-1] - ALTERNATING[-2])),
    Claim("same default decay {0.01}", lambda: AdamW([Tensor([0.0], True)]).weight_decay),
]
