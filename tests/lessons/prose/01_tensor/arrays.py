"""Shapes, strides and bytes."""

import math

import numpy as np

from tests.lessons.prose.claim import Claim
from tinytorch.core.arrays import broadcast_shape, contiguous_strides, infer_shape, matmul_shape

BLOCK = np.arange(6, dtype=np.float32).reshape(2, 3)
JUMPS = np.diff(BLOCK.T.ravel()) * 4
IMAGES = (32, 3, 224, 224)
STRETCHED = (8, 7, 6, 5)
PRODUCT = (32, 10, 256)

CLAIMS = [
    Claim("(3, 1) (2,) --------- ------ ({2, 3, 4})", lambda: broadcast_shape((2, 1, 4), (3, 1))),
    Claim("`(1,) * 2 + (4,)` is `({1, 1, 4})`", lambda: (1,) * 2 + (4,)),
    Claim("would make it `({2, 2})`", lambda: matmul_shape((2, 3), (3, 2))),
    Claim("`(5, 1, n, k)` | `(8, k, m)` | `({5, 8}, n, m)`", lambda: broadcast_shape((5, 1), (8,))),
    Claim("`(2, 3)`, `(3, 2)` and `(6,)` all hold {six}", lambda: math.prod((2, 3))),
    Claim("`reshape(3, -1)` gives `({3, 8})`", lambda: infer_shape((4, 6), (3, -1))),
    Claim("as 24 / 3 is {8}", lambda: 24 / 3),
    Claim("In float32 an entry takes {4} bytes", lambda: BLOCK.itemsize),
    Claim("So the strides are `({12, 4})`", lambda: contiguous_strides((2, 3), 4)),
    Claim("starts at byte `{12} * i + {4} * j`", lambda: BLOCK.strides),
    Claim("`block` has strides `({12, 4})`", lambda: BLOCK.strides),
    Claim("the order {0, 3, 1, 4, 2, 5} goes on", lambda: BLOCK.T.ravel()),
    Claim("goes on by {12} bytes, then back by {8}", lambda: (JUMPS[0], -JUMPS[1])),
    Claim("64 bytes on most machines, {16} float32", lambda: 64 / 4),
    Claim("brings its {15} neighbours along", lambda: 64 / 4 - 1),
    Claim("1. `({8, 7, 6, 5})`: ", lambda: broadcast_shape((8, 1, 6, 1), (7, 1, 5))),
    Claim("{1680} entries each", lambda: math.prod(STRETCHED)),
    Claim(
        "{3360} against the {48} + {35} that exist",
        lambda: (2 * math.prod(STRETCHED), 8 * 6, 7 * 5),
    ),
    Claim("x 4 = {19,267,584} bytes", lambda: math.prod(IMAGES) * 4),
    Claim("about {19} MB", lambda: math.prod(IMAGES) * 4 / 1e6),
    Claim("{602,112} bytes from image to image", lambda: contiguous_strides(IMAGES, 4)[0]),
    Claim("3. `({4, 48, 16})`", lambda: np.zeros((2, 3, 4), "f").transpose(2, 0, 1).strides),
    Claim("4. `({32, 10, 256})`", lambda: matmul_shape((32, 10, 64), (64, 256))),
    Claim("{81,920} entries", lambda: math.prod(PRODUCT)),
    Claim("of 64 multiplications each, {5,242,880}", lambda: math.prod(PRODUCT) * 64),
]
