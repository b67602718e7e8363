"""Rules worked by hand, walked by the package."""

import math

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import grads
from tinytorch.core.tensor import Tensor

X, Y = [[1, 2]], [[3, 0], [5, 4]]
BY_HAND = grads(lambda x, y: x @ y, X, Y, grad=[[10, 1]])
SPREAD = grads(lambda a: a.var(), [1, 3, 8])

CLAIMS = [
    Claim("at a = -2 has slope 3 · 4 = {12}", lambda: grads(lambda a: a**3, -2.0)),
    Claim("gradient of 5 the input gets {60}", lambda: grads(lambda a: a**3, -2.0, grad=5.0)),
    Claim("`abs` has no slope at 0, where we say {0}", lambda: grads(abs, 0.0)),
    Claim("so its gradient is {0}; the formula", lambda: grads(lambda a: a**0, 0.0)),
    Claim("At a = 0 the slope of sqrt is infinite", lambda: math.isinf(grads(Tensor.sqrt, 0.0)[0])),
    Claim("10·5 + 1·4]] = {[[30, 54]]}`", lambda: BY_HAND[0]),
    Claim("[2·10, 2·1]] = {[[10, 1], [20, 2]]}`", lambda: BY_HAND[1]),
    Claim(
        "incoming `[10, 20]` goes back as `{[[10, 10, 10], [20, 20, 20]]}`",
        lambda: grads(lambda x: x.sum(axis=1), np.ones((2, 3)), grad=[10, 20]),
    ),
    Claim("9]].sum(axis=1)` is `{[9, 18]}`", lambda: Tensor([[1, 2, 6], [4, 5, 9]]).sum(axis=1)),
    Claim(
        "with incoming 6 gives `{[[0, 3, 3]]}`",
        lambda: grads(lambda a: a.max(axis=1), [[1, 7, 7]], grad=[6]),
    ),
    Claim(
        "`[1, 3, 8]` has mean {4}, distances `{[-3, -1, 4]}`", lambda: (4, np.array([1, 3, 8]) - 4)
    ),
    Claim("gradient `{[-2, -2/3, 8/3]}`", lambda: SPREAD),
    Claim(
        "with incoming `[1, 10, 100]` gives `{[101, 0, 10]}`",
        lambda: grads(lambda x: x[[0, 2, 0]], [1, 2, 3], grad=[1, 10, 100]),
    ),
    Claim(
        "`permute(1, 2, 0)` turns `(2, 3, 4)` into `{(3, 4, 2)}`",
        lambda: Tensor(np.ones((2, 3, 4))).permute(1, 2, 0).shape,
    ),
    Claim("1. {12.8} million in both", lambda: 64 * 784 * 256 / 1e6),
    Claim("2. {0} everywhere", lambda: max(grads(lambda x: (x - x.mean()).sum(), [1, 2, 5])[0])),
]
