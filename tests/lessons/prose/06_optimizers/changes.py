"""Blocks, rows and velocities."""

import numpy as np

from tests.lessons.prose.claim import Claim
from tinytorch.core.autograd import RowSparseGrad
from tinytorch.core.changes import BLOCK, update_blocks, update_rows
from tinytorch.core.descent import SGD
from tinytorch.core.optimizers import Adam
from tinytorch.core.tensor import Tensor


def ends_of_blocks(*shape: int) -> list[int]:
    """Where the blocks of an array of this shape end."""
    rows, array = [], np.zeros(shape, np.float32)
    update_blocks(lambda part, grad, step: rows.append(len(part)), array, array, 1, {})
    return np.cumsum(rows)


def by_rows() -> np.ndarray:
    param, grad = np.repeat(np.float32([[1], [2], [3], [4]]), 2, axis=1), np.eye(2, dtype="f")

    def downhill(param, grad, step):
        param -= 0.1 * grad

    update_rows(downhill, param, RowSparseGrad([0, 3], grad, (4, 2)), 1, {})
    return param


def velocity_after_10(lazily: bool) -> float:
    """Of a row that was used in the first of ten steps, with gradient 1."""
    table = Tensor(np.zeros((2, 1)), requires_grad=True)
    optimizer = SGD([table], 0.1, 0.9)
    for row in [1] + 9 * [0]:
        grad = RowSparseGrad([row], np.ones((1, 1), np.float32), (2, 1))
        table.grad = grad if lazily else grad.to_dense()
        optimizer.step()
    return optimizer.buffers[0]["velocity"][1, 0]


class Counting(np.ndarray):
    """An array that counts the operations on entries it takes part in."""

    count = 0

    def __array_ufunc__(self, ufunc, method, *inputs, out=(), **options):
        Counting.count += 1
        plain = [np.asarray(x) for x in inputs]
        into = {"out": tuple(np.asarray(x) for x in out)} if out else {}
        result = getattr(ufunc, method)(*plain, **into, **options)
        return out[0] if out else result.view(Counting)


def operations_of_adam() -> int:
    param, grad, mean, square = np.ones((4, 8), np.float32).view(Counting)
    Counting.count = 0
    Adam([Tensor([0.0], requires_grad=True)]).update(param, grad, 1, mean, square)
    return Counting.count


ENDS = ends_of_blocks(1000, 100)

CLAIMS = [
    Claim("For a parameter of {4} MB it travels", lambda: 1e6 * 4 / 1e6),
    Claim("Adam's has a dozen or so", lambda: 11 <= operations_of_adam() <= 14),
    Claim("BLOCK = {32,768} {327} rows of 100 fit", lambda: (BLOCK, ENDS[0])),
    Claim("[0:{327}] [{327}:{654}] [{654}:{981}] [{981}:1000]", lambda: ENDS[[0, 0, 1, 1, 2, 2]]),
    Claim("[{0.9 1}] [{0.9 1}] [2 2]", lambda: (by_rows()[0], by_rows()[0])),
    Claim("[ {4 3.9}] [ {2 2}]", lambda: (by_rows()[3], by_rows()[1])),
    Claim(
        "{One}, and {ten}: a row", lambda: [len(ends_of_blocks(*s)) for s in [(100,), (10, 50_000)]]
    ),
    Claim("2. {0.39}, and {1}.", lambda: [velocity_after_10(lazily) for lazily in (False, True)]),
    Claim("3. {0.05} %.", lambda: 100 * 512 / 1_000_000),
]
