"""The optimizers of module 06 as code that others call: memory, time, refusals, state."""

import json
import timeit
import tracemalloc

import numpy as np
import pytest

from tinytorch.core.autograd import RowSparseGrad
from tinytorch.core.layers import Linear
from tinytorch.core.optimizers import SGD, Adam, AdamW, Optimizer
from tinytorch.core.tensor import Tensor

EVERY = [
    (SGD, {"lr": 0.1}),
    (SGD, {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01}),
    (Adam, {"weight_decay": 0.01}),
    (AdamW, {}),
]
every = pytest.mark.parametrize(("kind", "options"), EVERY)


def parameter(*shape, dtype=np.float32, seed=0):
    numbers = np.random.default_rng(seed).normal(size=shape).astype(dtype)
    return Tensor(numbers, requires_grad=True, dtype=dtype)


def gradients(seed, *shape, dtype=np.float32):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


@every
def test_a_step_makes_no_array_of_the_size_of_a_parameter(kind, options):
    p = parameter(1000, 1000)
    optimizer, p.grad = kind([p], **options), gradients(1, 1000, 1000)
    optimizer.step()
    tracemalloc.start()
    optimizer.step()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < p.data.nbytes / 4


@every
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_parameters_stay_in_their_arrays_and_dtypes(kind, options, dtype):
    whole = np.ones((4, 6), dtype)
    p = Tensor(whole[::2].T, requires_grad=True, dtype=dtype)
    optimizer, array = kind([p], **options), p.data
    p.grad = gradients(1, 6, 2, dtype=dtype)
    optimizer.lr = np.float64(0.05)  # what a schedule computes must not change the dtype
    optimizer.step()
    assert p.data is array
    assert p.data.dtype == dtype
    assert np.shares_memory(p.data, whole)
    assert (whole[::2] != 1).all()
    assert (whole[1::2] == 1).all()
    assert all(x.dtype == dtype for buffers in optimizer.buffers for x in buffers.values())
    assert type(optimizer.lr) is float


def milliseconds(kind, options, vocabulary):
    ids = np.random.default_rng(2).integers(0, vocabulary, size=256)
    table = Tensor(np.zeros((vocabulary, 16), np.float32), requires_grad=True)
    optimizer = kind([table], **options)
    table.grad = RowSparseGrad(ids, gradients(3, 256, 16), table.shape)
    optimizer.step()
    return min(timeit.repeat(optimizer.step, number=5, repeat=7)) * 200


@every
def test_a_sparse_step_does_not_know_the_vocabulary(kind, options):
    small, large = milliseconds(kind, options, 10_000), milliseconds(kind, options, 1_000_000)
    assert large < 8 * small + 0.5  # a dense one takes a hundred times as long


def test_sgd_without_momentum_is_the_same_by_rows_and_dense():
    dense, lazy = parameter(50, 4), parameter(50, 4)
    for seed in range(5):
        ids = np.random.default_rng(seed).integers(0, 50, size=30)
        lazy.grad = RowSparseGrad(ids, gradients(seed, 30, 4), (50, 4))
        dense.grad = lazy.grad.to_dense()
        SGD([dense], 0.1).step()
        SGD([lazy], 0.1).step()
    assert np.array_equal(dense.data, lazy.data)


@every
def test_state_goes_through_json_and_arrays_and_on_bit_by_bit(kind, options):
    def walk(optimizer, params, seeds):
        for seed in seeds:
            params[0].grad = gradients(seed, 3, 2)
            params[1].grad = gradients(seed, 5) if seed % 2 else None
            optimizer.lr = 0.01 * (seed + 1)
            optimizer.step()

    params = [parameter(3, 2), parameter(5)]
    optimizer = kind(params, **options)
    walk(optimizer, params, range(5))
    state = optimizer.state_dict()
    arrays = {name: x for name, x in state.items() if isinstance(x, np.ndarray)}
    numbers = {name: x for name, x in state.items() if name not in arrays}
    copies = [Tensor(p.data.copy(), requires_grad=True) for p in params]
    resumed = kind(copies, **options)
    resumed.load_state_dict(arrays | json.loads(json.dumps(numbers)))
    assert resumed.steps == [5, 2]
    walk(optimizer, params, range(5, 9))
    kept = {name: x.copy() for name, x in arrays.items()}
    walk(resumed, copies, range(5, 9))
    for p, copy in zip(params, copies, strict=True):
        assert np.array_equal(p.data, copy.data)
    assert all(np.array_equal(arrays[name], x) for name, x in kept.items()), "state is shared"


def test_a_state_that_does_not_fit_is_refused_whole():
    state = Adam([parameter(2, 3), parameter(4)]).state_dict()
    optimizer = Adam([parameter(2, 4)])
    with pytest.raises(ValueError, match=r"step\.1 is unexpected") as refused:
        optimizer.load_state_dict(state)
    assert r"exp_avg.0: (2, 3) is not (2, 4)" in str(refused.value)
    with pytest.raises(ValueError, match="beta1 is missing"):
        optimizer.load_state_dict(SGD([parameter(2, 4)], 0.1).state_dict())
    assert optimizer.steps == [0]


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ([], "params is empty"),
        (iter(()), "params is empty"),
        (3, "not a int"),
        (Linear(2, 3), "not a Linear"),
        (parameter(2), "not a Tensor"),
        ([parameter(2), "weight"], "Parameter 1 is a str"),
        (Linear(2, 3).named_parameters(), "Parameter 0 is a tuple"),
        ([parameter(2), Tensor([1.0, 2.0])], r"Parameter 1, \(2,\): set requires_grad"),
        ([parameter(2) * 2], "is a result"),
        ([parameter(2)] * 3, "Parameters 0 and 1 are one"),
    ],
)
def test_what_cannot_be_trained_is_refused(params, says):
    with pytest.raises(ValueError, match=says):
        SGD(params, 0.1)


@pytest.mark.parametrize(
    ("kind", "options", "says"),
    [
        (SGD, {"lr": 0}, "lr must be above 0 and below inf, not 0"),
        (SGD, {"lr": -1.0}, "lr must be above 0"),
        (SGD, {"lr": np.nan}, "not nan"),
        (SGD, {"lr": np.inf}, "not inf"),
        (SGD, {"lr": "0.1"}, "not '0.1'"),
        (SGD, {"lr": 0.1, "momentum": 1}, "momentum must be at least 0 and below 1, not 1"),
        (SGD, {"lr": 0.1, "weight_decay": -1}, "weight_decay must be at least 0"),
        (Adam, {"betas": (1.0, 0.9)}, r"betas\[0\] must be"),
        (Adam, {"betas": (0.9, -0.1)}, r"betas\[1\] must be"),
        (Adam, {"betas": 0.9}, "betas must be two numbers"),
        (AdamW, {"eps": 0}, "eps must be above 0"),
    ],
)
def test_settings_out_of_range_are_refused(kind, options, says):
    with pytest.raises(ValueError, match=says):
        kind([parameter(2)], **options)


def test_a_schedule_may_end_at_0_and_not_below():
    optimizer = SGD([parameter(2)], 0.1)
    optimizer.lr = 0
    with pytest.raises(ValueError, match="lr must be at least 0"):
        optimizer.lr = -0.1


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_a_gradient_that_is_not_finite_changes_nothing(sparse, bad):
    first, second = parameter(3), parameter(4, 2)
    before = first.data.copy()
    first.grad, values = gradients(1, 3), gradients(2, 4, 2)
    values[1, 0] = bad
    second.grad = RowSparseGrad(np.arange(4), values, (4, 2)) if sparse else values
    optimizer = Adam([first, second])
    with pytest.raises(ValueError, match=rf"parameter 1, shape \(4, 2\), holds {bad}"):
        optimizer.step()
    assert np.array_equal(first.data, before)
    assert optimizer.steps == [0, 0]


def test_large_gradients_whose_squares_overflow_are_finite():
    p = parameter(3)
    p.grad = np.full(3, 1e30, np.float32)
    SGD([p], 1e-30).step()
    assert np.isfinite(p.data).all()


def test_a_gradient_of_another_shape_is_refused():
    p = parameter(3)
    p.grad = np.ones(1, np.float32)
    with pytest.raises(ValueError, match=r"shape \(3,\), has shape \(1,\)"):
        SGD([p], 0.1).step()


def test_an_optimizer_without_a_formula_says_so():
    p = parameter(3)
    p.grad = np.ones(3, np.float32)
    with pytest.raises(NotImplementedError, match="Optimizer has no update"):
        Optimizer([p], 0.1).step()
