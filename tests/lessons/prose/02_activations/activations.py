"""Module 02: values of the curves, and what their graphs hold."""

import math
from statistics import NormalDist

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import operations
from tinytorch.core.activations import GELU, ReLU, Sigmoid, Softmax
from tinytorch.core.tensor import Tensor

LOGITS = Tensor([0.0, 1.0, 2.0])
BELOW = NormalDist().cdf
INNER = math.sqrt(2 / math.pi) * (1 + 0.044715)
HIDDEN = Tensor(np.ones((64, 256)), requires_grad=True)


def relu(x):
    return ReLU()(Tensor(x))


def held_by(activation) -> int:
    """Bytes that the graph of one activation holds for HIDDEN."""
    (op,) = operations(activation(HIDDEN))
    return op.result.nbytes + getattr(getattr(op, "saved", None), "nbytes", 0)


CLAIMS = [
    Claim("`[-2, 0, 3]` becomes `[{0, 0, 3}]`", lambda: relu([-2.0, 0, 3])),
    Claim(
        "it is `relu(a + b) - 2 * relu(a + b - 1)`",
        lambda: (relu([0, 1, 1, 2]) - 2 * relu([-1, 0, 0, 1])).data.tolist() == [0, 1, 1, 0],
    ),
    Claim(
        "0 becomes {0.5}, 2 becomes {0.881}, -2 becomes {0.119}",
        lambda: Sigmoid()(Tensor([0.0, 2.0, -2.0])),
    ),
    Claim("float32 ends at `exp({88.7})`", lambda: math.log(np.finfo(np.float32).max)),
    Claim("The result must be exactly {0} at -1000", lambda: Sigmoid()(Tensor(-1000.0))),
    Claim("and {1} at 1000", lambda: Sigmoid()(Tensor(1000.0))),
    Claim("1 is larger than {84.1} % of these", lambda: 100 * BELOW(1)),
    Claim("and becomes {0.841}; -1", lambda: BELOW(1)),
    Claim("-1 is larger than {15.9} %", lambda: 100 * BELOW(-1)),
    Claim("and becomes {-0.159}", lambda: -BELOW(-1)),
    Claim(
        "x = 1: {0.7979} * {1.0447} = {0.8336}",
        lambda: (math.sqrt(2 / math.pi), 1 + 0.044715, INNER),
    ),
    Claim("t = {0.6824},", lambda: math.tanh(INNER)),
    Claim("0.5 * 1 * {1.6824} = {0.8412}", lambda: (1 + math.tanh(INNER), GELU()(Tensor(1.0)))),
    Claim("`np.sqrt(2 / np.pi)` is a {float64}", lambda: str(np.sqrt(2 / np.pi).dtype)),
    Claim("exp [{1, 2.718, 7.389}], sum {11.107}", lambda: (LOGITS.exp(), LOGITS.exp().sum())),
    Claim("shares [{0.090, 0.245, 0.665}]", lambda: Softmax()(LOGITS)),
    Claim(
        "`[1000, 1001, 1002]` has the same shares",
        lambda: np.allclose(Softmax()(LOGITS + 1000).data, Softmax()(LOGITS).data),
    ),
    Claim(
        "({2, 1, 4}): with keepdims=True", lambda: np.ones((2, 3, 4)).max(1, keepdims=True).shape
    ),
    Claim("A million float32 numbers, {4} MB", lambda: np.ones(1_000_000, "f").nbytes / 1e6),
    Claim("the left side is {0} and the right side {1}", lambda: (relu(1 - 1), relu(1) + relu(-1))),
    Claim(
        "64 * 256 * 4 = {65,536} bytes, and {131,072}", lambda: (held_by(ReLU()), held_by(GELU()))
    ),
]
