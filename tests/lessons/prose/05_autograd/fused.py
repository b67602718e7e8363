"""Gradients of softmax and losses by hand, walked by the package."""

import math

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import from_operators, grads, operations
from tinytorch.core.activations import ReLU, Sigmoid, Softmax
from tinytorch.core.losses import (
    BCEWithLogitsLoss,
    BinaryCrossEntropyLoss,
    CrossEntropyLoss,
    log_softmax,
)
from tinytorch.core.tensor import Tensor

SHARES = np.log([0.5, 0.25, 0.25])
ROWS = np.log([[0.5, 0.25, 0.25], [0.25, 0.25, 0.5]])
COMPOSED = grads(lambda x: ((x - x.max()).exp() / (x - x.max()).exp().sum()).log()[1], [1000, 0])


def slope_of_loss(loss, at: float, target: float) -> float:
    return grads(lambda x: loss(x, [target]), [at])[0]


CLAIMS = [
    Claim("of the second logit is {0} in float32", lambda: Softmax()(Tensor([1000.0, 0.0]))[1]),
    Claim("and `inf * 0` is {nan}", lambda: COMPOSED[0][1]),
    Claim("true: {[-1, 1]}", lambda: grads(lambda x: log_softmax(x)[1], [1000, 0])),
    Claim("at 0, where it has a corner, {0}", lambda: grads(ReLU(), 0.0)),
    Claim("At 0 that is a quarter", lambda: grads(Sigmoid(), 0.0)[0] == 0.25),
    Claim("sigmoid at log 3 is {0.75}", lambda: Sigmoid()(Tensor(math.log(3)))),
    Claim("its slope {0.1875}; incoming 16", lambda: grads(Sigmoid(), math.log(3))),
    Claim("incoming 16 becomes {3}", lambda: grads(Sigmoid(), math.log(3), grad=16.0)),
    Claim("for 50,000 words {10} GB", lambda: 50_000**2 * 4 / 1e9),
    Claim("p is `[{0.5, 0.25, 0.25}]`, incoming", lambda: Softmax()(Tensor(SHARES))),
    Claim("the average is {0.5}, and", lambda: np.dot([1, 0, 0], np.exp(SHARES))),
    Claim(
        "and the result `{[0.25, -0.125, -0.125]}`",
        lambda: grads(Softmax(), SHARES, grad=[1, 0, 0]),
    ),
    Claim(
        "both labelled 0: `{[[-0.5, 0.25, 0.25], [-0.75, 0.25, 0.5]]}`, divided by 2",
        lambda: 2 * grads(lambda x: CrossEntropyLoss()(x, [0, 0]), ROWS)[0],
    ),
    Claim("t = 1: -0.2 / 0.16 = {-1.25}", lambda: slope_of_loss(BinaryCrossEntropyLoss(), 0.8, 1)),
    Claim("gets no push at all", lambda: slope_of_loss(BinaryCrossEntropyLoss(), 0.0, 1)[0] == 0),
    Claim("where the gradient is {-1}", lambda: slope_of_loss(BCEWithLogitsLoss(), -1000.0, 1)),
    Claim(
        "one rule or {nine}", lambda: len(operations(from_operators(Tensor([[0.0, 1]], True), [0])))
    ),
    Claim("the logits and their gradient, {16} MB each", lambda: 4096 * 1000 * 4 / 1e6),
    Claim(
        "1. 0.1 - 1 = {-0.9}, and {0.1}: p - y",
        lambda: grads(lambda x: CrossEntropyLoss()(x, [0]), np.zeros((1, 10)))[0][0, :2],
    ),
    Claim("2. 0.25 ** 20, about {1e-12}", lambda: 0.25**20),
]
