"""Large arrays take two threads: the results must be those of one."""

import numpy as np
import pytest

from tinytorch.core.losses import CrossEntropyLoss, in_halves
from tinytorch.core.tensor import Tensor

ROWS = 1025  # odd: the halves differ


def drawn(rows: int = ROWS) -> np.ndarray:
    return np.random.default_rng(0).standard_normal((rows, 512)).astype(np.float32)


@pytest.mark.parametrize("rows", [3, ROWS])
def test_halves_are_the_whole(rows):
    x = drawn(rows)
    assert np.array_equal(in_halves(np.exp, x, out=np.empty_like(x)), np.exp(x))
    scale = x[:, :1].copy()
    want = x * scale
    assert in_halves(np.multiply, x, scale, out=x) is x
    assert np.array_equal(x, want)


def test_an_error_of_the_other_thread_is_raised():
    x = drawn()
    with pytest.raises(ValueError, match="broadcast"):
        in_halves(
            np.multiply, x, x[: ROWS // 2], out=np.empty_like(x)
        )  # nothing for the second half


@pytest.mark.filterwarnings("error")
def test_a_thread_keeps_quiet_about_infinity():
    x = np.full((ROWS, 512), 1000, np.float32)
    assert np.isinf(in_halves(np.exp, x, out=np.empty_like(x))).all()


@pytest.mark.parametrize("far", [0, 60, -60])
def test_a_large_cross_entropy_is_the_mean_of_its_parts(far):
    """By parts that are small enough for one thread; `far` leads to the shifted form."""
    values, labels = drawn() + np.float32(far), np.arange(ROWS) % 512
    whole = Tensor(values, requires_grad=True)
    loss = CrossEntropyLoss()(whole, labels)
    loss.backward()
    parts = [slice(0, 500), slice(500, ROWS)]
    total = 0
    for part in parts:
        x, share = Tensor(values[part], requires_grad=True), len(values[part]) / ROWS
        some = CrossEntropyLoss()(x, labels[part])
        some.backward()
        total += some.item() * share
        assert np.allclose(whole.grad[part], x.grad * share, rtol=1e-5, atol=1e-9)
    assert loss.item() == pytest.approx(total, rel=1e-5)
