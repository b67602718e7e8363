"""Operations, reductions, shapes and indexing against PyTorch."""

import itertools

import numpy as np
import pytest

from tinytorch.core.tensor import Tensor

torch = pytest.importorskip("torch")

from tests.parity.comparing import agree, case, numbers, positive, same, table  # noqa: E402

PAIRS = [  # shapes that meet: equal, stretched on one side or both, 0-d, empty
    ((2, 3), (2, 3)),
    ((2, 3), (3,)),
    ((3,), (4, 1)),
    ((2, 1, 4), (3, 1)),
    ((), (2, 3)),
    ((2, 3), ()),
    ((0, 3), (1, 3)),
]
BETWEEN = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
}
ARITHMETIC = [
    same(f"{name} {left} {right}", both, left, right)
    for name, both in BETWEEN.items()
    for left, right in PAIRS
]
WITH_NUMBERS = [
    same("x + 2", lambda a: a + 2, (2, 3)),
    same("2 - x", lambda a: 2 - a, (2, 3)),
    same("x * 0.1", lambda a: a * 0.1, (2, 3)),
    same("1 / x", lambda a: 1 / a, positive(2, 3)),
    same("x / 3", lambda a: a / 3, (2, 3)),
    same("division by zero", lambda a, b: a / b, numbers(1, -1, 0), numbers(0, 0, 0)),
]

ENTRYWISE = {
    "neg": (lambda a: -a, (3, 4)),
    "exp": (lambda a: a.exp(), (3, 4)),
    "log": (lambda a: a.log(), positive(3, 4)),
    "sqrt": (lambda a: a.sqrt(), positive(3, 4)),
    "tanh": (lambda a: a.tanh(), (3, 4)),
    "abs": (lambda a: a.abs(), (3, 4)),
    "log of 0": (lambda a: a.log(), numbers(0, 1)),
    "log of -1": (lambda a: a.log(), numbers(-1, 1)),
    "sqrt of 0": (lambda a: a.sqrt(), numbers(0, 4)),
    "abs of 0": (lambda a: a.abs(), numbers(0, -2, 2)),
    "exp that overflows": (lambda a: a.exp(), numbers(1000, -1000, 0)),
    "tanh far out": (lambda a: a.tanh(), numbers(100, -100, 0)),
    "exp of one number": (lambda a: a.exp(), ()),
    "tanh of nothing": (lambda a: a.tanh(), (0, 2)),
}
POWERS = [
    same(f"x ** {n}, {kind}", lambda a, n=n: a**n, values)
    for n in (0, 1, 2, 3, 4, -1, -2, 0.5, 1.5)
    for kind, values in {"positive": positive(5), "with 0": numbers(0, 1, 2)}.items()
] + [same(f"(-x) ** {n}", lambda a, n=n: (-a) ** n, positive(5)) for n in (0, 1, 2, 3, 4, -1)]

PRODUCTS = [
    same(f"{left} @ {right}", lambda a, b: a @ b, left, right)
    for left, right in [
        ((3, 4), (4, 5)),
        ((4,), (4,)),
        ((4,), (4, 5)),
        ((3, 4), (4,)),
        ((2, 3, 4), (4, 5)),
        ((2, 3, 4), (2, 4, 5)),
        ((3, 4), (2, 4, 5)),
        ((2, 1, 3, 4), (5, 4, 2)),
        ((2, 3, 4), (4,)),
        ((4,), (2, 4, 5)),
        ((2, 3, 3, 4), (4,)),
        ((0, 3), (3, 2)),
        ((3, 0), (0, 2)),
        ((1, 1), (1, 1)),
    ]
]


def largest(a, dim, keepdim):
    """torch's amax shares the gradient among ties, as ours does; its max does not."""
    return a.amax(() if dim is None else dim, keepdim)


AXES = [None, 0, 1, -1, (0, 2), (0, 1, 2)]
REDUCTIONS = {
    "sum": (lambda a, **how: a.sum(**how), torch.sum),
    "mean": (lambda a, **how: a.mean(**how), torch.mean),
    "max": (lambda a, **how: a.max(**how), largest),
    "var": (lambda a, **how: a.var(**how), lambda a, **how: torch.var(a, correction=0, **how)),
}
REDUCED = [
    case(
        f"{name}, axis {axis}{', kept' if kept else ''}",
        lambda a, ours=ours, axis=axis, kept=kept: ours(a, axis=axis, keepdims=kept),
        lambda a, theirs=theirs, axis=axis, kept=kept: theirs(a, dim=axis, keepdim=kept),
        (2, 3, 4),
    )
    for (name, (ours, theirs)), axis, kept in itertools.product(
        REDUCTIONS.items(), AXES, (False, True)
    )
]
EDGES = [
    same("sum of one number", lambda a: a.sum(), ()),
    same("sum of nothing", lambda a: a.sum(), (0, 3)),
    same("sum along an empty axis", lambda a: a.sum(axis=0), (0, 3)),
    same("mean of one number", lambda a: a.mean(), ()),
    case("var of one number", lambda a: a.var(), lambda a: a.var(correction=0), (1,)),
    case("max with ties", lambda a: a.max(), torch.amax, numbers(1, 5, 5, 5)),
    case(
        "max with ties in rows",
        lambda a: a.max(axis=1),
        lambda a: a.amax(1),
        np.float32([[1, 2, 2], [3, 3, 3], [4, 1, 0]]),
    ),
]

SHAPES = [
    same("reshape", lambda a: a.reshape(4, 6), (2, 3, 4)),
    same("reshape with -1", lambda a: a.reshape(3, -1), (2, 3, 4)),
    same("reshape to one number", lambda a: a.reshape(()), (1, 1)),
    same("reshape nothing", lambda a: a.reshape(3, 0), (0, 2)),
    same("reshape a transposed matrix", lambda a: a.transpose(0, 1).reshape(6), (2, 3)),
    case("transpose", lambda a: a.transpose(), lambda a: a.transpose(-2, -1), (2, 3, 4)),
    same("transpose two axes", lambda a: a.transpose(0, 2), (2, 3, 4)),
    case("transpose a vector", lambda a: a.transpose(), lambda a: a.clone(), (3,)),
    same("permute", lambda a: a.permute(2, 0, 1), (2, 3, 4)),
    same("permute a cube", lambda a: a.permute(1, 2, 0), (3, 3, 3)),
    same("permute back to front", lambda a: a.permute(-1, -2, 0), (2, 3, 4)),
]

IDS = np.array([2, 0, 0, 1])
MASK = np.array([True, False, True])
INDEXED = [
    same("one row", lambda a: a[1], (3, 4)),
    same("last row", lambda a: a[-1], (3, 4)),
    same("one number", lambda a: a[1, 2], (3, 4)),
    same("rows", lambda a: a[1:3], (3, 4)),
    same("every other column", lambda a: a[:, ::2], (3, 4)),
    same("column", lambda a: a[:, 1], (3, 4)),
    same("ellipsis", lambda a: a[..., 0], (2, 3, 4)),
    same("new axis", lambda a: a[:, None], (3, 4)),
    same("nothing", lambda a: a[2:2], (3, 4)),
    same("all", lambda a: a[...], (3, 4)),
    case("reversed", lambda a: a[::-1], lambda a: a.flip(0), (3, 4)),
    same("row numbers, some repeated", lambda a: a[IDS], (3, 4)),
    same("a matrix of row numbers", lambda a: a[IDS.reshape(2, 2)], (3, 4)),
    same("negative row numbers", lambda a: a[[-1, 2, -1]], (3, 4)),
    same("pairs, some repeated", lambda a: a[[0, 0, 1], [1, 1, 2]], (3, 4)),
    same("numbers of columns", lambda a: a[:, IDS], (3, 4)),
    same("mask of rows", lambda a: a[MASK], (3, 4)),
    same("row numbers as a tensor", lambda a, ids: a[ids], (3, 4), IDS),
    same("mask as a tensor", lambda a: a[a > 0], (3, 4)),
]

REUSED = [
    same("x + x", lambda a: a + a, (3,)),
    same("x * x * x", lambda a: a * a * a, (3,)),
    same("x @ x.T", lambda a: a @ a.transpose(0, 1), (3, 4)),
    same("diamond", lambda a: a.exp() * a.tanh() + a, (3, 4)),
    same("rows of one table", lambda a: a[0] * a[1] + a[0], (2, 3)),
    same("detached on one side", lambda a: a * a.detach(), (3,)),
    same("standardized rows", lambda a: standardized(a), (4, 5)),
    same("attention", lambda q, k, v: attention(q, k, v), (2, 3, 4), (2, 5, 4), (2, 5, 4)),
]


def standardized(a):
    distance = a - a.mean(-1).reshape(-1, 1)
    return distance / ((distance**2).mean(-1).reshape(-1, 1) + 1e-5).sqrt()


def attention(q, k, v):
    scores = (q @ k.permute(0, 2, 1) * 0.5).exp()
    return scores @ v / (scores.sum(-1).reshape(2, 3, 1))


ALL = [
    *ARITHMETIC,
    *WITH_NUMBERS,
    *[same(name, *rest) for name, rest in ENTRYWISE.items()],
    *POWERS,
    *PRODUCTS,
    *REDUCED,
    *EDGES,
    *SHAPES,
    *INDEXED,
    *REUSED,
]


@table(ALL)
def test_as_in_torch(each):
    agree(each)


COMPARISONS = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@pytest.mark.parametrize("symbol", COMPARISONS)
def test_comparisons_as_in_torch(symbol):
    left, right = numbers(1, 2, np.nan), np.float32([[1], [2]])
    compare = COMPARISONS[symbol]
    ours = compare(Tensor(left, requires_grad=True), Tensor(right))
    theirs = compare(torch.tensor(left), torch.tensor(right))
    np.testing.assert_array_equal(ours.data, theirs.numpy())
    assert ours.data.dtype == bool
    assert not ours.requires_grad
