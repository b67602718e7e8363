"""Module 04: surprises by hand, what float32 can tell, and what a loss keeps."""

import math
import tracemalloc

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import from_operators, operations
from tinytorch.core.losses import (
    BCEWithLogitsLoss,
    BinaryCrossEntropyLoss,
    CrossEntropyLoss,
    MSELoss,
    counted_targets,
    log_softmax,
)
from tinytorch.core.tensor import Tensor

ERRORS = np.array([2, 0, 5]) - [1, 0, 7]
TARGETS = np.array([1, 2, 9])
LOGITS = Tensor([2.0, 1.0, 0.0])
TWO_ROWS = Tensor([[2.0, 1, 0], [0, 0, 0]])
ONE = np.float32(1)
EPS = np.float32(2**-23)
PADDED = np.array([[4, 1, -100], [2, -100, -100]])


def yes_or_no(p: float, target: float) -> float:
    return BinaryCrossEntropyLoss()(Tensor([p]), [target]).item()


def arrays_kept(way) -> float:
    """How many arrays of the logits' size a loss keeps for the way back."""
    x, labels = Tensor(np.zeros((1024, 1000)), requires_grad=True), np.zeros(1024, int)
    tracemalloc.start()
    loss = way(x, labels)
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert loss.item() > 0
    return held / x.data.nbytes


CLAIMS = [
    Claim("errors `[{1, 0, -2}]`, squares `[{1, 0, 4}]`", lambda: (ERRORS, ERRORS**2)),
    Claim("loss {5} / {3}", lambda: ((ERRORS**2).sum(), len(ERRORS))),
    Claim(
        "`[1, 0, 7]`, errors",
        lambda: abs(MSELoss()(Tensor([2.0, 0, 5]), Tensor([1.0, 0, 7])).item() - 5 / 3) < 1e-6,
    ),
    Claim("*broadcasts* them to `({32, 32})`", lambda: (np.ones((32, 1)) - np.ones(32)).shape),
    Claim("the **mean**, {4}, absolute", lambda: TARGETS.mean()),
    Claim("the **median**, {2}:", lambda: np.median(TARGETS)),
    Claim("with -log 0.7 = {0.357}", lambda: -math.log(0.7)),
    Claim("with -log 0.1 = {2.303}", lambda: -math.log(0.1)),
    Claim("surprised by log 3 = {1.099}", lambda: math.log(3)),
    Claim(
        "the exponentials {7.389}, {2.718}, {1} add up to {11.107}",
        lambda: (LOGITS.exp(), LOGITS.exp().sum()),
    ),
    Claim("its logarithm is {2.408}", lambda: LOGITS.exp().sum().log()),
    Claim("log-probabilities are `[{-0.408, -1.408, -2.408}]`", lambda: log_softmax(LOGITS)),
    Claim("`exp(89)` is too large for float32", lambda: bool(np.isinf(Tensor(89.0).exp().item()))),
    Claim(
        "`[[4, 1, -100], [2, -100, -100]]` has the positions `[{0, 1, 3}]`",
        lambda: counted_targets(PADDED, 5, -100),
    ),
    Claim(
        "the surprises are {0.408} and log 3 = {1.099}",
        lambda: [-log_softmax(TWO_ROWS)[i, label].item() for i, label in enumerate([0, 2])],
    ),
    Claim("and the loss is {0.753}", lambda: CrossEntropyLoss()(TWO_ROWS, [0, 2])),
    Claim("A cross-entropy of {2.3}: is", lambda: math.log(10)),
    Claim(
        "For 10 digits it should be near {2.3};",
        lambda: CrossEntropyLoss()(Tensor([[0.0] * 10]), [3]),
    ),
    Claim("For p = 0.8: {0.223} if it was a yes", lambda: yes_or_no(0.8, 1)),
    Claim("a yes, {1.609} if not", lambda: yes_or_no(0.8, 0)),
    Claim(
        "Below 1 the float32 numbers lie 2**-24 apart",
        lambda: ONE - np.nextafter(ONE, ONE * 0) == 2**-24,
    ),
    Claim("eps = 2**-23, about {1.2e-7}", lambda: 2**-23),
    Claim("then 23 log 2 = {15.94}, on both", lambda: 23 * math.log(2)),
    Claim("{15.94}, on both sides", lambda: yes_or_no(1, 0)),
    Claim("log 2 = {15.94}", lambda: yes_or_no(0, 1)),
    Claim(
        "log(1 + {0.135}) = {2.127}",
        lambda: (math.exp(-2), BCEWithLogitsLoss()(Tensor([-2.0]), [1])),
    ),
    Claim("1 + exp(-20) is {1} in float32", lambda: ONE + np.exp(np.float32(-20))),
    Claim("(1 - 1e-8 is {1} in float32", lambda: ONE - np.float32(1e-8)),
    Claim("4096 rows of 1000 logits, {16} MB", lambda: 4096 * 1000 * 4 / 1e6),
    Claim(
        "one Function or {nine}",
        lambda: len(operations(from_operators(Tensor([[0.0, 1]], True), [0]))),
    ),
    Claim(
        "The operators keep {four} arrays of {16} MB",
        lambda: (round(arrays_kept(from_operators), 1), 4096e-3 * 4),
    ),
    Claim("where {one} is enough", lambda: round(arrays_kept(CrossEntropyLoss()), 1)),
    Claim("an array of logits takes {1.5} GiB", lambda: 8 * 1024 * 50257 * 4 / 2**30),
    Claim(
        "1. {1.39} against {0.36}",
        lambda: (-(9 * math.log(0.99) + math.log(1e-6)) / 10, -math.log(0.7)),
    ),
    Claim("2. {1.46}: the best", lambda: CrossEntropyLoss()(Tensor(np.eye(10)[:1]), [0])),
    Claim("gives the truth only {0.23}", lambda: math.e / (math.e + 9)),
]
