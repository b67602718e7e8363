"""A diamond walked in three ways, and the memory of a chain."""

import tracemalloc

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import grads, operations
from tinytorch.core.autodiff import count_uses
from tinytorch.core.tensor import Tensor


def diamond(x):
    y = x * 2
    return y * 10 + y


def x_to_the_fourth(x):
    y = x * x
    return y * y


def impatient(function, gradient, back) -> float:
    """What reaches the leaf when an operation goes back at every gradient (or only the first)."""
    total = 0.0
    for x, grad in zip(function.inputs, function.backward(gradient), strict=True):
        if isinstance(x, Tensor):
            maker = x._grad_fn
            if maker is None:
                total += float(grad)
            elif back(maker):
                total += impatient(maker, grad, back)
    return total


def first_only():
    seen = set()
    return lambda maker: maker not in seen and not seen.add(maker)


def live_after_backward() -> float:
    """Megabytes alive after the way back through 50 products of 1 MB."""
    w = Tensor(np.ones(250_000), requires_grad=True)
    tracemalloc.start()
    end = w
    for _ in range(50):
        end = end * w
    end.backward(np.ones(250_000))
    live = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return live / 1e6


DIAMOND = diamond(Tensor(3.0, requires_grad=True))._grad_fn
USES = {
    op.inputs[1] if type(op).__name__ == "Mul" else "Add": n
    for op, n in count_uses(DIAMOND).items()
}
ONE = np.float32(1)

CLAIMS = [
    Claim("The slope of end in x is {22}", lambda: grads(diamond, 3.0)),
    Claim("only once** gives x {2}, not {22}", lambda: (2, grads(diamond, 3.0))),
    Claim("gives x 2 + 20 = {22}, which", lambda: impatient(DIAMOND, ONE, lambda maker: True)),
    Claim("after 30 diamonds, a billion times", lambda: abs(2**30 / 1e9 - 1) < 0.1),
    Claim("Add: {0}, Mul (z): {1}, Mul (y): {2}", lambda: (USES["Add"], USES[10], USES[2])),
    Claim("at 3, the rule of `Mul` answers ({3, 3})", lambda: grads(lambda a, b: a * b, 3.0, 3.0)),
    Claim("so that x gets {6}", lambda: grads(lambda x: x * x, 3.0)),
    Claim("a chain of 50 products of {1} MB each", lambda: 250_000 * 4 / 1e6),
    Claim("{Two} megabytes are left", lambda: round(live_after_backward(), 1)),
    Claim("the slope is 4x³ = {32}", lambda: grads(x_to_the_fourth, 2.0)),
    Claim(
        "{Two}: each product once",
        lambda: len(operations(x_to_the_fourth(Tensor(2.0, requires_grad=True)))),
    ),
    Claim("operation 2 only after the {997} between", lambda: len(range(3, 1000))),
]
