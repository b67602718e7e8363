"""Rows of a gradient, and how closely a rule is checked."""

import numpy as np

from tests.lessons.prose.claim import Claim
from tinytorch.core.autograd import RowSparseGrad, gradcheck, sum_repeats
from tinytorch.core.functions import Function

THREE = RowSparseGrad([4, 4, 4], np.ones((3, 1)), (10, 1))


def scaled(factor):
    """2 * x with a rule that is wrong by `factor`."""

    class Doubled(Function):
        def forward(self, a):
            return 2 * a

        def backward(self, grad):
            return (2 * factor * grad,)

    return Doubled.apply


def passes(factor: float, **options) -> bool:
    try:
        gradcheck(scaled(factor), [[1.0, 2.0]], **options)
    except AssertionError:
        return False
    return True


def runs_of_gradcheck() -> int:
    runs = []
    gradcheck(lambda a, b, c: runs.append(1) or a * b + c, [[1.0], [2.0], [3.0]])
    return len(runs)


CLAIMS = [
    Claim("50,000 * 512 * 4 bytes = **{102} MB", lambda: 50_000 * 512 * 4 / 1e6),
    Claim("at most 4096 * 512 * 4 = {8.4} MB", lambda: 4096 * 512 * 4 / 1e6),
    Claim(
        "give rows `[{2, 7}]` and sums `[{[5, 5], [11, 21]}]`",
        lambda: sum_repeats(np.array([7, 2, 7]), np.array([[1, 1], [5, 5], [10, 20]])),
    ),
    Claim("both ways, a step near {1e-6}", lambda: gradcheck.__defaults__[0]),
    Claim("{3} floats before, {1} after", lambda: (THREE._values.size, THREE.values.size)),
    Claim("1. `[{4}]`, `[{[3]}]`", lambda: (THREE.rows, THREE.values)),
    Claim("No: it agrees to {5} digits", lambda: passes(1 + 1e-6) and 5),
    Claim("Ask for rtol=1e-7 to see it", lambda: not passes(1 + 1e-6, rtol=1e-7)),
    Claim("3. {7} times: once", runs_of_gradcheck),
]
