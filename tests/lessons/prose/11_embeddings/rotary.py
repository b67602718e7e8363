"""Turns by hand, angles and clocks, and the three schemes side by side."""

import math

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import ran
from tinytorch.core.rotary import RotaryEmbedding, precompute_freqs, rotate_half
from tinytorch.core.tensor import Tensor

Q, K = Tensor([2.0, 1.0]), Tensor([1.0, 2.0])


def turned(x: Tensor, quarters: int) -> Tensor:
    for _ in range(quarters):
        x = rotate_half(x)
    return x


def score(m: int, n: int) -> Tensor:
    return turned(Q, m) @ turned(K, n)


def angles(head_dim: int, position: int) -> np.ndarray:
    cos, sin = precompute_freqs(head_dim, position + 1)
    return np.arctan2(sin.data[position], cos.data[position])


def tables_computed(first: int, count: int) -> int:
    """How many longer tables a layer makes while `count` tokens come one by one."""
    layer, lengths = RotaryEmbedding(first, 8), set()
    for offset in range(count):
        layer(Tensor(np.zeros((1, 8))), offset=offset)
        lengths.add(len(layer.longest[0]))
    return len(lengths - {first})


def clocks_within(positions: int, base: float) -> int:
    """How many of the 64 pairs of head_dim 128 go round."""
    return sum(2 * math.pi * base ** (2 * i / 128) <= positions for i in range(64))


def errors(scheme: str) -> tuple[float, float, float]:
    """Where the scheme was trained, 32 positions further on, and at distances over 31."""
    this = ran("11_embeddings/rotary", "def train_scores")
    error, seen = (this.trained[scheme][0] - this.target) ** 2, this.seen
    far = abs(this.distance) >= seen
    return tuple(
        math.sqrt(x.mean()) for x in (error[:seen, :seen], error[seen:, seen:], error[far])
    )


CLAIMS = [
    Claim("([a, b] turned by 90° is [-b, a])", lambda: rotate_half(Q).data.tolist() == [-1, 2]),
    Claim("k at 1: [{-2, 1}] score 2 * -2 + 1 * 1 = {-3}", lambda: (turned(K, 1), score(0, 1))),
    Claim(
        "q at 1: [{-1, 2}] k at 2: [{-1, -2}] score -1 * -1 + 2 * -2 = {-3}",
        lambda: (turned(Q, 1), turned(K, 2), score(1, 2)),
    ),
    Claim("k at 3: [ {2, -1}] score -1 * 2 + 2 * -1 = {-4}", lambda: (turned(K, 3), score(1, 3))),
    Claim(
        "distances 1 and 5 can never be told apart",
        lambda: score(0, 1).item() == score(0, 5).item(),
    ),
    Claim("makes a turn in {6.28} positions", lambda: 2 * math.pi / angles(8, 1)[0]),
    Claim("the last pair in thousands", lambda: 2 * math.pi / angles(8, 1)[3] > 1000),
    Claim("angle {1 0.1 0.01 0.001 1 0.1 0.01 0.001}", lambda: angles(8, 1)),
    Claim("float32 has {24} bits", lambda: np.finfo(np.float32).nmant + 1),
    Claim(
        "an angle is off by thousandths", lambda: 1e-3 < np.spacing(np.float32(100_000)) / 2 < 1e-2
    ),
    Claim("1,000 steps then compute about {10} tables", lambda: tables_computed(1, 1000)),
    Claim(
        "Inside, learned positions fit best",
        lambda: errors("learned")[0] < min(errors("sinusoidal")[0], errors("rotary")[0]),
    ),
    Claim(
        "and 32 positions further on: only rotary's stays",
        lambda: (
            errors("rotary")[1] < 1.1 * errors("rotary")[0]
            and all(errors(x)[1] > 2 * errors(x)[0] for x in ("learned", "sinusoidal"))
        ),
    ),
    Claim(
        "are wrong with rotary positions as well",
        lambda: errors("rotary")[2] > 2 * errors("rotary")[0],
    ),
    Claim("1. 50 * 10000^(-4/8) = {0.5}.", lambda: 50 * 10000 ** (-4 / 8)),
    Claim(
        "2. {35}, and with 10,000 it was {50}",
        lambda: (clocks_within(8192, 500_000), clocks_within(8192, 10_000)),
    ),
]
