"""Rotary positions as code that others call: shapes, far positions, decoding, saving, gradients."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tinytorch.core.autograd import gradcheck
from tinytorch.core.layers import Layer
from tinytorch.core.rotary import RotaryEmbedding, apply_rope, precompute_freqs, rotate_half
from tinytorch.core.tensor import Tensor


def drawn(*shape, seed=0, dtype=np.float32):
    return Tensor(np.random.default_rng(seed).normal(size=shape), dtype=dtype)


def by_matrices(x, positions, base=10000.0):
    """x (seq, dim), each row times the rotation matrix of its position, in float64."""
    half = x.shape[-1] // 2
    out = np.zeros(x.shape)
    for row, p in enumerate(positions):
        turn = np.zeros((2 * half, 2 * half))
        for i in range(half):
            angle = p * base ** (-i / half)
            turn[i, i] = turn[i + half, i + half] = np.cos(angle)
            turn[i + half, i], turn[i, i + half] = np.sin(angle), -np.sin(angle)
        out[row] = turn @ x[row]
    return out


shapes = st.tuples(
    st.lists(st.integers(0, 3), max_size=2), st.integers(0, 6), st.sampled_from([2, 4, 6, 10])
)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(shapes, st.integers(0, 50))
def test_every_leading_shape_is_turned_as_by_matrices(shape, offset):
    leading, seq, dim = shape
    x = drawn(*leading, seq, dim)
    turned = RotaryEmbedding(4, dim)(x, offset=offset).data
    assert turned.shape == x.shape
    assert turned.dtype == np.float32
    for place in np.ndindex(*leading):
        got, row = turned[place], x.data[place]
        np.testing.assert_allclose(got, by_matrices(row, offset + np.arange(seq)), atol=1e-5)


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.integers(0, 900), st.integers(0, 100), st.integers(0, 1000))
def test_a_score_knows_the_distance_alone(m, distance, shift):
    cos, sin = precompute_freqs(32, 2001)
    q, k = drawn(1, 32), drawn(1, 32, seed=1)

    def score(m, n):
        at_m, _ = apply_rope(q, k, cos, sin, offset=m)
        _, at_n = apply_rope(q, k, cos, sin, offset=n)
        return (at_m @ at_n.transpose()).item()

    assert score(m, m + distance) == pytest.approx(score(m + shift, m + shift + distance), abs=2e-5)


def test_far_positions_keep_their_angles():
    x = drawn(1, 64)
    got = RotaryEmbedding(1, 64)(x, offset=200_000).data
    np.testing.assert_allclose(got, by_matrices(x.data, [200_000]), atol=1e-5)


@pytest.mark.parametrize("layout", ["offset", "rows", "one a sequence"])
def test_gradients_against_nudging(layout):
    cos, sin = precompute_freqs(6, 9)
    where = {
        "offset": {"offset": 3},
        "rows": {"positions": [4, 0, 8, 8]},
        "one a sequence": {"positions": np.arange(8).reshape(2, 1, 4)},
    }[layout]
    q = np.random.default_rng(0).normal(size=(2, 3, 4, 6))
    k = np.random.default_rng(1).normal(size=(2, 1, 4, 6))
    assert gradcheck(lambda q, k: apply_rope(q, k, cos, sin, **where)[0], [q, k])
    assert gradcheck(lambda q, k: apply_rope(q, k, cos, sin, **where)[1], [q, k])
    assert gradcheck(rotate_half, [q.transpose(2, 0, 1, 3)[::-1]])


def test_float64_stays_float64():
    x = drawn(5, 8, dtype=np.float64)
    assert RotaryEmbedding(8, 8)(x).dtype == np.float64


def test_decoding_token_by_token_is_the_whole():
    layer, x = RotaryEmbedding(2, 16), drawn(3, 40, 16)
    steps = [layer(x[:, i : i + 1], offset=i).data for i in range(40)]
    np.testing.assert_allclose(np.concatenate(steps, axis=1), layer(x).data, atol=1e-6)


class Block(Layer):
    def __init__(self):
        self.rotary = RotaryEmbedding(4, 8, base=500.0)


def test_a_model_that_has_grown_is_saved_and_loaded():
    block, other = Block(), Block()
    block.rotary(drawn(30, 8))
    other.load_state_dict(block.state_dict())
    assert block.parameters() == []
    assert [name for name, _ in block.named_buffers()] == ["rotary.cos", "rotary.sin"]
    x = drawn(30, 8)
    assert np.array_equal(other.rotary(x).data, block.rotary(x).data)


@pytest.mark.parametrize("size", [7, 0, -2, 2.0, True, "8"])
def test_sizes_that_cannot_be_turned_are_refused(size):
    with pytest.raises(ValueError, match="head_dim must be"):
        RotaryEmbedding(8, size)


def test_missing_positions_are_refused_and_named():
    x, (cos, sin) = drawn(3, 4), precompute_freqs(4, 8)
    for where, says in [
        ({"offset": 6}, "Position 8 needs tables of 9 rows, got 8"),
        ({"offset": -3}, "Positions begin at 0, got -3"),
        ({"positions": [0, 1, 8]}, "Position 8 needs"),
    ]:
        with pytest.raises(ValueError, match=says):
            apply_rope(x, x, cos, sin, **where)
    with pytest.raises(ValueError, match="Positions begin at 0, got -1"):
        RotaryEmbedding(8, 4)(x, offset=-1)
