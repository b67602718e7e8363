"""The dtype policy, and what a graph keeps alive."""

import math

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import operations
from tinytorch.core.tensor import Tensor, no_grad

IDS, WEIGHT = Tensor([1, 2, 3]), Tensor(np.ones(250_000), requires_grad=True)


def dtypes(*made) -> list[str]:
    return [str(x.dtype) for x in made]


def hundred_products() -> Tensor:
    out = WEIGHT
    for _ in range(100):
        out = out * WEIGHT
    return out


def without_graph() -> Tensor:
    with no_grad():
        return hundred_products()


CLAIMS = [
    Claim("networks do not need {16} digits", lambda: round(53 * math.log10(2))),
    Claim("| {float32} | floats become float32", lambda: dtypes(Tensor([1.0, 2.5]))),
    Claim("`Tensor([True])` | {int64}, {bool} |", lambda: dtypes(Tensor([3, 1]), Tensor([True]))),
    Claim("requires_grad=True)` | {float32} | a", lambda: dtypes(Tensor([3, 1], True))),
    Claim("np.float64)` | {float64} |", lambda: dtypes(Tensor([0.1], dtype=np.float64))),
    Claim("float32 `* 2.5` stays {float32}", lambda: dtypes(Tensor([1.0]) * 2.5)),
    Claim(
        "1. {int64}, {float32}, {float32}: the last two",
        lambda: dtypes(IDS * 2, IDS * 2.0, IDS.mean()),
    ),
    Claim("came out of NumPy as {float64}", lambda: dtypes(IDS.data * 2.0)),
    Claim("takes {1} MB. In a loop", lambda: WEIGHT.data.nbytes / 1e6),
    Claim(
        "which stores it: {100} MB",
        lambda: sum(op.result.nbytes for op in operations(hundred_products())) / 1e6,
    ),
    Claim("only the last one lives: {1} MB", lambda: without_graph().data.nbytes / 1e6),
]
