"""The engine as a whole: depth, cost, memory, buffers that nobody shares, row-sparse gradients."""

import gc
import sys
import tracemalloc
import weakref
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tinytorch.core.autograd import RowSparseGrad, count_uses, sum_repeats, sum_repeats_fast
from tinytorch.core.functions import Function
from tinytorch.core.tensor import Tensor


class Join(Function):
    """a + b, counting how often its rule is asked."""

    asked = 0

    def forward(self, a, b):
        return a + b

    def backward(self, grad):
        Join.asked += 1
        return grad, grad


def leaf(*shape: int) -> Tensor:
    return Tensor(np.ones(shape), requires_grad=True)


def chain(x: Tensor, depth: int) -> Tensor:
    y = x
    for _ in range(depth):
        y = y + x
    return y


def asked(build: Callable[[Tensor], Tensor]) -> int:
    """How many rules of Join a walk back through build(x) asks."""
    Join.asked = 0
    build(Tensor(np.zeros(2), requires_grad=True)).backward(np.ones(2))
    return Join.asked


# --- depth


@pytest.mark.parametrize("depth", [10_000, 100_000])
def test_a_deep_chain_goes_forward_and_back(depth):
    x = leaf(2)
    chain(x, depth).backward(np.ones(2))
    assert x.grad.tolist() == [depth + 1] * 2


@pytest.mark.parametrize("depth", [10_000, 100_000])
def test_a_deep_chain_is_dropped_undone(depth):
    end = chain(leaf(2), depth)
    first = weakref.ref(end)
    del end
    gc.collect()
    assert first() is None


# --- cost


def test_a_ladder_of_diamonds_asks_each_operation_once():
    def ladder(x, levels=30):
        for _ in range(levels):
            x = Join.apply(x, x)
        return x

    assert asked(ladder) == 30
    x = leaf(1)
    ladder(x).backward()
    assert x.grad == 2**30


def test_a_residual_stack_is_linear():
    def residual(x, blocks):
        for _ in range(blocks):
            x = Join.apply(x, Join.apply(x, x))
        return x

    counts = [asked(lambda x, n=n: residual(x, n)) for n in (500, 1000)]
    assert counts == [1000, 2000]
    assert len(count_uses(residual(leaf(2), 20)._grad_fn)) == 40


# --- memory


def test_the_graph_is_freed_behind_the_walk():
    x, kept = leaf(1000), []
    end = x
    for _ in range(20):
        end = end * x
        kept.append(weakref.ref(end))
    assert sum(ref() is not None for ref in kept) == 20
    end.backward(np.ones(1000))
    assert [ref() is not None for ref in kept] == [False] * 19 + [True]
    assert end._grad_fn.inputs is None


def test_no_bytes_are_left_but_the_result_and_the_gradient():
    x = leaf(100_000)
    gc.collect()
    tracemalloc.start()
    try:
        end = x
        for _ in range(20):
            end = end * x
        forward = tracemalloc.get_traced_memory()[0]
        end.backward(np.ones(100_000, np.float32))
        after, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert forward > 20 * x.data.nbytes
    assert after < 2 * x.data.nbytes + 50_000
    assert peak < forward + 6 * x.data.nbytes


def test_a_walk_leaves_no_cycles_to_the_garbage_collector():
    gc.collect()
    gc.disable()
    try:
        end = chain(leaf(2), 100)
        first = weakref.ref(end)
        end.backward(np.ones(2))
        del end
        assert first() is None
    finally:
        gc.enable()


# --- buffers


@pytest.mark.parametrize(
    "build",
    [
        lambda a, b: a + b,
        lambda a, b: (a + b) + (b + a),
        lambda a, b: (a + b) * 1.0 + a,
        lambda a, b: Join.apply(Join.apply(a, b), a),
        lambda a, b: a - b,
    ],
)
def test_no_two_leaves_share_a_buffer(build):
    a, b, gradient = leaf(3), leaf(3), np.ones(3, np.float32)
    build(a, b).backward(gradient)
    assert not np.shares_memory(a.grad, b.grad)
    assert not np.shares_memory(a.grad, gradient)
    before = b.grad.copy()
    a.grad *= 7
    build(a, leaf(3)).backward(gradient)
    assert b.grad.tolist() == before.tolist()
    assert gradient.tolist() == [1, 1, 1]


def test_one_array_for_two_inputs_is_not_shared_either():
    class Twins(Function):
        def forward(self, a, b):
            return a + b

        def backward(self, grad):
            twin = grad * 2
            return twin, twin

    a, b = leaf(3), leaf(3)
    (Twins.apply(a, b * 1.0) + a).backward(np.ones(3))
    assert (a.grad.tolist(), b.grad.tolist()) == ([3] * 3, [2] * 3)


def test_gradients_add_up_over_calls():
    x = leaf(2)
    for _ in range(3):
        (x * 2).backward(np.ones(2))
    assert x.grad.tolist() == [6, 6]


# --- refusals


def test_a_second_walk_is_refused_before_anything_changes():
    x = leaf(2)
    shared = x * 2
    (shared * 3).backward(np.ones(2))
    fresh = shared + x
    for _ in range(2):
        with pytest.raises(RuntimeError, match="freed its graph"):
            fresh.backward(np.ones(2))
    assert x.grad.tolist() == [6, 6]
    assert fresh._grad_fn.inputs is not None


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: Tensor([1.0]).backward(), RuntimeError, "requires_grad=True"),
        (lambda: (leaf(2, 3) * 2).backward(), ValueError, r"\(2, 3\)"),
        (lambda: (leaf(2) * 2).backward(np.ones(3)), ValueError, r"\(3,\).*\(2,\)"),
    ],
)
def test_what_cannot_start_is_refused_in_words(call, error, says):
    with pytest.raises(error, match=says):
        call()


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda grad: (grad[:1],), r"Odd.backward .*\(1,\).*\(2,\)"),
        (lambda grad: (grad, grad), "Odd.backward gave 2 gradients for 1"),
    ],
)
def test_a_wrong_rule_is_named(answer, says):
    class Odd(Function):
        def forward(self, a):
            return a * 1

        def backward(self, grad):
            return answer(grad)

    with pytest.raises(ValueError, match=says):
        Odd.apply(leaf(2)).backward(np.ones(2))


# --- row-sparse gradients

GRADS = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def drawn(rng, rows=6):
    """ids with repeats, values and the dense gradient that np.add.at makes of them."""
    ids = rng.integers(0, rows, size=rng.integers(0, 40))
    values = rng.integers(-4, 5, size=(len(ids), 3)).astype(np.float32)  # sums are exact
    dense = np.zeros((rows, 3), np.float32)
    np.add.at(dense, ids, values)
    return RowSparseGrad(ids, values, dense.shape), dense


@settings(derandomize=True, deadline=None)
@given(GRADS)
def test_a_row_sparse_gradient_is_its_dense_twin(rng):
    (one, dense_one), (two, dense_two) = drawn(rng), drawn(rng)
    assert np.array_equal(one + two, dense_one + dense_two)
    assert np.array_equal(one + dense_two, dense_one + dense_two)
    assert np.array_equal(dense_two + one, dense_one + dense_two)
    assert (one.shape, one.ndim, one.dtype) == (dense_one.shape, 2, np.float32)
    assert np.array_equal(one.rows, np.unique(one.rows))
    assert np.array_equal(one.to_dense(), dense_one)
    assert np.array_equal(np.asarray(one)[one.rows], one.values)
    two *= 0.5
    assert np.array_equal(two, dense_two * 0.5)


@settings(derandomize=True, deadline=None)
@given(GRADS)
def test_scaling_a_row_sparse_gradient_leaves_what_it_was_made_of_alone(rng):
    ids, values = np.array([1, 3, 5]), rng.integers(-4, 5, size=(3, 2)).astype(np.float32)
    before, grad = values.copy(), RowSparseGrad(ids, values, (6, 2))
    grad *= 3
    assert np.array_equal(values, before)
    assert np.array_equal(grad.values, before * 3)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.integers(0, 5), max_size=60), GRADS)
def test_the_fast_sums_are_the_readable_ones(ids, rng):
    ids = np.array(ids, int)
    values = rng.integers(-4, 5, size=(len(ids), 2)).astype(np.float32)
    for readable, fast in zip(sum_repeats(ids, values), sum_repeats_fast(ids, values), strict=True):
        assert np.array_equal(readable, fast)
        assert readable.dtype == fast.dtype


def test_the_size_of_a_row_sparse_gradient_is_that_of_its_rows():
    values = np.ones((4, 8), np.float32)
    small, large = (RowSparseGrad([1, 2, 1, 3], values, (rows, 8)) for rows in (10, 10**9))
    assert small.values.nbytes == large.values.nbytes == 3 * 8 * 4
    assert sys.getsizeof(small) == sys.getsizeof(large)
