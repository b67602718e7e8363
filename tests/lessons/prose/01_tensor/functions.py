"""Operations by hand, and what float32 can tell apart."""

import math

import numpy as np

from tests.lessons.prose.claim import Claim
from tinytorch.core.tensor import Tensor

BLOCK = Tensor(np.arange(6).reshape(2, 3))
X = Tensor([[1.0, 2, 6], [4, 5, 9]])
BATCH = Tensor(np.ones((32, 10, 64)))
NEXT = np.float32(10001)

CLAIMS = [
    Claim(
        "`(5, 2, 3) @ (5, 3, 4)` is `({5, 2, 4})`",
        lambda: (Tensor(np.ones((5, 2, 3))) @ np.ones((5, 3, 4))).shape,
    ),
    Claim("x.sum(axis=0) = [{5, 7, 15}]", lambda: X.sum(axis=0)),
    Claim("x.sum(axis=1) = [{9, 18}]", lambda: X.sum(axis=1)),
    Claim("float32 has {7} digits", lambda: int(24 * math.log10(2))),
    Claim("10001 * 10001 = {100020001} from", lambda: 10001 * 10001),
    Claim("from {100020000}: what will", lambda: int(NEXT * NEXT)),
    Claim("A million float32 numbers, {4} MB", lambda: np.ones(1_000_000, "f").nbytes / 1e6),
    Claim("1. `({32, 10})` and", lambda: BATCH.mean(axis=-1).shape),
    Claim("and `({32, 10, 1})`: only", lambda: BATCH.mean(axis=-1, keepdims=True).shape),
    Claim("2. {1} and {2}: the squared", lambda: (Tensor([1, 3]).var(), np.var([1, 3], ddof=1))),
    Claim("begins with the column `[{0, 3}]`", lambda: BLOCK.transpose()[0]),
    Claim("reads on in the row, `[{0, 1}]`", lambda: BLOCK.reshape(3, 2)[0]),
]
