"""The embeddings of module 11 as code that others call: values, gradients, costs, refusals."""

import math
import re
import timeit
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tinytorch.core.autograd import RowSparseGrad, gradcheck
from tinytorch.core.embeddings import (
    Embedding,
    EmbeddingFunction,
    EmbeddingLayer,
    PositionalEncoding,
    create_sinusoidal_embeddings,
)
from tinytorch.core.layers import manual_seed
from tinytorch.core.optimizers import SGD, Adam
from tinytorch.core.tensor import Tensor, no_grad

KINDS = ("learned", "sinusoidal", None)
kinds = pytest.mark.parametrize("kind", KINDS)
shapes = st.lists(st.integers(0, 4), max_size=3).map(tuple)


def traced_peak(call):
    tracemalloc.start()
    call()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


# Against a dense reference.


@settings(deadline=None, max_examples=60)
@given(shape=shapes, vocab=st.integers(1, 6), dim=st.integers(1, 4), seed=st.integers(0, 9))
def test_rows_and_gradient_equal_those_of_a_one_hot_product(shape, vocab, dim, seed):
    rng = np.random.default_rng(seed)
    ids, layer = rng.integers(0, vocab, shape), Embedding(vocab, dim)
    one_hot, out = np.eye(vocab)[ids], layer(ids)
    grad = rng.normal(size=(*shape, dim)).astype(np.float32)
    assert out.shape == (*shape, dim)
    np.testing.assert_allclose(out.data, one_hot @ layer.weight.data, rtol=1e-6)
    out.backward(grad)
    want = one_hot.reshape(-1, vocab).T @ grad.reshape(-1, dim)
    assert isinstance(layer.weight.grad, RowSparseGrad)
    np.testing.assert_allclose(np.asarray(layer.weight.grad), want, rtol=1e-5, atol=1e-6)
    assert layer.weight.grad.rows.tolist() == sorted({*ids.reshape(-1).tolist()})


@settings(deadline=None, max_examples=25)
@given(shape=shapes, dim=st.integers(1, 3), seed=st.integers(0, 9))
def test_embedding_passes_the_gradient_check(shape, dim, seed):
    rng = np.random.default_rng(seed)
    ids, weight = Tensor(rng.integers(0, 5, shape)), rng.normal(size=(5, dim))
    assert gradcheck(lambda w: EmbeddingFunction.apply(w, ids) ** 2, [weight])


@kinds
@pytest.mark.parametrize("ids", [[1, 1, 0], [[1, 1, 0], [3, 1, 2]]])
def test_the_whole_layer_passes_the_gradient_check(kind, ids):
    layer = EmbeddingLayer(4, 3, 5, kind, scale_embeddings=True)

    def run(weight, places):
        layer.token_embedding.weight = weight
        if kind == "learned":
            layer.position_encoding.position_embeddings = places
        return layer(ids) ** 2

    rng = np.random.default_rng(0)
    assert gradcheck(run, [rng.normal(size=(4, 3)), rng.normal(size=(5, 3))])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_dtype_of_the_table_stays(dtype):
    weight = Tensor(np.ones((4, 2)), requires_grad=True, dtype=dtype)
    out = EmbeddingFunction.apply(weight, Tensor([1, 1]))
    out.sum().backward()
    assert out.dtype == weight.grad.dtype == dtype


def test_a_table_used_twice_adds_up_sparse_and_beside_a_dense_use():
    layer = Embedding(6, 2)
    (layer([1, 1]).sum() * 2 + layer([5, 1]).sum()).backward()
    assert isinstance(layer.weight.grad, RowSparseGrad)
    assert np.asarray(layer.weight.grad)[:, 0].tolist() == [0, 5, 0, 0, 0, 1]
    layer.weight.zero_grad()
    tied = layer([1, 2]) @ layer.weight.transpose()  # one table at both ends
    tied.sum().backward()
    w = layer.weight.data
    want = np.tile(w[1] + w[2], (6, 1))
    want[[1, 2]] += w.sum(axis=0)
    np.testing.assert_allclose(np.asarray(layer.weight.grad), want, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int32, np.int64, np.uint64])
def test_ids_of_every_whole_dtype_and_any_stride(dtype):
    layer, ids = Embedding(9, 2), np.arange(8, dtype=dtype).reshape(2, 4)
    assert np.array_equal(layer(ids[:, ::-2].T).data, layer.weight.data[[[3, 7], [1, 5]]])


@kinds
def test_without_a_graph_and_with_nothing_in_the_batch(kind):
    layer = EmbeddingLayer(5, 4, 3, kind, dropout=0.5)
    with no_grad():
        assert not layer([1, 2]).requires_grad
    for shape in [(0, 3), (2, 0), (0,)]:
        out = layer(np.zeros(shape, int))
        out.sum().backward()
        assert out.shape == (*shape, 4)


# Sinusoids.


def test_dot_products_see_the_distance_alone_and_a_shift_is_a_rotation():
    table = create_sinusoidal_embeddings(600, 32).data.astype(float)
    for p, q in [(0, 300), (7, 450)]:
        np.testing.assert_allclose(
            table[p : p + 50] @ table[p], table[q : q + 50] @ table[q], atol=1e-4
        )
    np.testing.assert_allclose((table**2).sum(axis=1), 16, rtol=1e-5)
    for pair in range(16):
        angle = 5 * 10000 ** (-2 * pair / 32)
        hand = table[:, 2 * pair] * 1j + table[:, 2 * pair + 1]
        np.testing.assert_allclose(hand[5:], hand[:-5] * np.exp(1j * angle), atol=1e-5)


def test_far_positions_are_as_exact_as_near_ones():
    last = create_sinusoidal_embeddings(100_001, 6).data[-1]
    angles = [100_000 / 10000 ** (2 * i / 6) for i in range(3)]
    want = [f(a) for a in angles for f in (math.sin, math.cos)]
    np.testing.assert_allclose(last, want, atol=1e-6)


def test_the_table_of_sinusoids_grows_seldom_and_is_no_parameter_and_no_part_of_the_state():
    layer, made = EmbeddingLayer(7, 4, 2, "sinusoidal"), set()
    for seq in range(1, 200):
        want = create_sinusoidal_embeddings(seq, 4).data
        got = layer([3] * seq).data - layer.token_embedding.weight.data[3]
        np.testing.assert_allclose(got, want, atol=1e-6)
        made.add(len(layer.longest))
    assert len(made) <= 8
    assert [name for name, _ in layer.named_parameters()] == ["token_embedding.weight"]
    fresh = EmbeddingLayer(7, 4, 2, "sinusoidal")
    fresh.load_state_dict(layer.state_dict())
    assert np.array_equal(fresh([1] * 9).data, layer([1] * 9).data)


# What it costs.


def memory_of_backward(vocab):
    layer = Embedding(vocab, 16)
    out = layer(np.arange(64) * 7).sum()
    return traced_peak(out.backward)


def test_the_memory_of_backward_does_not_see_the_vocabulary():
    small, large = memory_of_backward(1_000), memory_of_backward(500_000)
    assert large <= 1.1 * small + 4_096
    assert large < 500_000 * 16 * 4 / 100


def test_a_lazy_step_takes_as_long_for_a_million_rows_as_for_ten_thousand():
    def best(vocab):
        weight = Tensor(np.zeros((vocab, 16), np.float32), requires_grad=True)
        optimizer, ids = Adam([weight]), Tensor(np.arange(512) * 17)

        def step():
            optimizer.zero_grad()
            EmbeddingFunction.apply(weight, ids).sum().backward()
            optimizer.step()

        step()
        return min(timeit.repeat(step, number=5, repeat=20))

    for _ in range(4):  # the machine does other things, too
        ratio = best(1_000_000) / best(10_000)
        if ratio < 1.3:
            return
    pytest.fail(f"a million rows took {ratio:.2f} times as long")


# Training.


def test_a_step_moves_the_rows_used_and_no_others():
    for make in (lambda p: SGD(p, 0.1), lambda p: SGD(p, 0.1, momentum=0.9), Adam):
        layer = EmbeddingLayer(9, 4, 5)
        weight, optimizer = layer.token_embedding.weight, make(layer.parameters())
        before = weight.data.copy()
        for ids in ([[7, 2], [2, 5]], [[2, 2]]):
            optimizer.zero_grad()
            (layer(ids) ** 2).sum().backward()
            optimizer.step()
        assert np.flatnonzero((weight.data != before).any(axis=1)).tolist() == [2, 5, 7]


def test_a_seed_repeats_the_tables():
    tables = []
    for _ in range(2):
        manual_seed(5)
        tables.append(EmbeddingLayer(9, 4, 5).state_dict())
    assert all(np.array_equal(tables[0][name], tables[1][name]) for name in tables[0])


# Refusals, word by word.


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda: Embedding(50_000, 2)([3, 50_001]),
            "Index out of range. Expected 0 <= indices < 50000, got min=3, max=50001",
        ),
        (
            lambda: EmbeddingLayer(9, 4)([[1] * 1024]),
            "Sequence length 1024 exceeds maximum 512: shorten it, or build with max_seq_len=1024.",
        ),
        (
            lambda: PositionalEncoding(9, 512)(Tensor(np.ones((1, 2, 768)))),
            "Embedding dimension mismatch: expected 512, got 768",
        ),
        (
            lambda: PositionalEncoding(9, 512)(Tensor(np.ones((128, 512)))),
            "Expected 3D input (batch, seq, embed), got shape (128, 512)",
        ),
        (
            lambda: EmbeddingLayer(9, 4, pos_encoding="foo"),
            "Unknown pos_encoding: 'foo'. Use 'learned', 'sinusoidal', or None",
        ),
        (
            lambda: EmbeddingLayer(9, 4)(3),
            "Expected ids (batch, seq) or (seq,), got shape ()",
        ),
        (
            lambda: Embedding(9, 4)([1.0, 2.0]),
            "Ids are whole numbers, not float32 such as 1.0: use .astype(np.int64).",
        ),
        (
            lambda: Embedding(9, 4)([np.nan]),
            "Ids are whole numbers, not float32 such as nan: use .astype(np.int64).",
        ),
        (
            lambda: Embedding(9, 4)([True]),
            "Ids are whole numbers, not bool such as True: use .astype(np.int64).",
        ),
        (lambda: Embedding(0, 4), "vocab_size must be a whole number from 1 on, not 0."),
        (lambda: Embedding(4, 2.5), "embed_dim must be a whole number from 1 on, not 2.5."),
        (
            lambda: PositionalEncoding(True, 4),
            "max_seq_len must be a whole number from 1 on, not True.",
        ),
        (
            lambda: create_sinusoidal_embeddings(-1, 4),
            "max_seq_len must be a whole number from 0 on, not -1.",
        ),
    ],
)
def test_what_is_wrong_is_refused_in_words(call, says):
    with pytest.raises(ValueError, match=rf"^{re.escape(says)}$"):
        call()


def test_repr_is_what_one_would_type():
    assert repr(Embedding(6, 3)) == "Embedding(vocab_size=6, embed_dim=3)"
