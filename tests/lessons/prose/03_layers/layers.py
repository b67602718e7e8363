"""Module 03: a product by hand, variances, and signals through many layers."""

import math

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import refusal
from tinytorch.core.layers import Dropout, Linear, Sequential, manual_seed
from tinytorch.core.tensor import Tensor

X, WEIGHT, BIAS = Tensor([[1.0, 2]]), Tensor([[1.0, 0, 2], [0, 1, -1]]), Tensor([0.5, 0, 0])


def dropped() -> np.ndarray:
    manual_seed(0)
    return Dropout(0.9)(Tensor(np.ones(1_000_000))).data


def spread_after_20(scale: float) -> float:
    """The standard deviation of a signal after 20 layers of `scale` times Xavier's limit."""
    manual_seed(0)
    x = Tensor(np.random.default_rng(1).normal(size=(256, 256)))
    for _ in range(20):
        layer = Linear(256, 256)
        layer.weight.data *= scale
        x = layer(x).detach()
    return x.data.std()


CLAIMS = [
    Claim("1*2 + 2*-1] = [{1 2 0}]", lambda: X @ WEIGHT),
    Claim("+ bias = [0.5 0 0] = [{1.5 2 0}]", lambda: X @ WEIGHT + BIAS),
    Claim(
        "therefore `limit = sqrt(6 / (in + out))`",
        lambda: math.isclose(math.sqrt(6 / 7) ** 2 / 3, 2 / 7),
    ),
    Claim("a number becomes 0 or `{10} * x`", lambda: np.unique(dropped())[1]),
    Claim(
        "Which names are in `Sequential(tied, tied).state_dict()`",
        lambda: len(Sequential(tied := Linear(4, 4), tied).state_dict()) == 2,
    ),
    Claim(
        "Half the limit halves the signal",
        lambda: abs(spread_after_20(0.5) / spread_after_20(1) * 2**20 - 1) < 1e-3,
    ),
    Claim("and a millionth is left", lambda: 0.5e-6 < spread_after_20(0.5) < 2e-6),
    Claim("Three times the limit ends in the billions", lambda: 1e9 < spread_after_20(3) < 1e11),
    Claim("1. Shape `({4, 3, 5})`", lambda: Linear(10, 5)(Tensor(np.ones((4, 3, 10)))).shape),
    Claim("and a refusal: the *last*", lambda: "10" in refusal(Linear(10, 5), np.ones((10, 4)))),
    Claim("2. Mean {1}; each", lambda: dropped().mean()),
    Claim("each number is {10} or {0}", lambda: np.unique(dropped())[::-1]),
    Claim("sqrt(0.9 / 0.1) = {3}: much", lambda: math.sqrt(0.9 / 0.1)),
    Claim("= {3}: much noise", lambda: dropped().std()),
    Claim("`(32, 784) @ (784, 256)`", lambda: Linear(784, 256).weight.shape == (784, 256)),
]
