"""Optimizer steps, clipping and the learning-rate schedule against PyTorch."""

import numpy as np
import pytest

from tinytorch.core.autograd import RowSparseGrad
from tinytorch.core.losses import CrossEntropyLoss
from tinytorch.core.optimizers import SGD, Adam, AdamW
from tinytorch.core.tensor import Tensor
from tinytorch.core.training import CosineSchedule, clip_grad_norm

torch = pytest.importorskip("torch")
F = torch.nn.functional

STEPS = 20
SHAPES = [(4, 3), (3,), (), (2, 3, 2)]
OPTIMIZERS = {
    "sgd": (SGD, torch.optim.SGD, {"lr": 0.1}),
    "sgd, momentum": (SGD, torch.optim.SGD, {"lr": 0.05, "momentum": 0.9}),
    "sgd, weight decay": (SGD, torch.optim.SGD, {"lr": 0.1, "weight_decay": 0.1}),
    "sgd, momentum and weight decay": (
        *(SGD, torch.optim.SGD),
        {"lr": 0.05, "momentum": 0.5, "weight_decay": 0.01},
    ),
    "adam": (Adam, torch.optim.Adam, {}),
    "adam, large lr": (Adam, torch.optim.Adam, {"lr": 0.3}),
    "adam, other betas": (Adam, torch.optim.Adam, {"lr": 0.01, "betas": (0.5, 0.9)}),
    "adam, no memory": (Adam, torch.optim.Adam, {"lr": 0.01, "betas": (0.0, 0.0)}),
    "adam, large eps": (Adam, torch.optim.Adam, {"lr": 0.01, "eps": 0.1}),
    "adam, weight decay": (Adam, torch.optim.Adam, {"lr": 0.01, "weight_decay": 0.1}),
    "adamw": (AdamW, torch.optim.AdamW, {}),
    "adamw, weight decay": (AdamW, torch.optim.AdamW, {"lr": 0.01, "weight_decay": 0.5}),
    "adamw, no weight decay": (AdamW, torch.optim.AdamW, {"lr": 0.01, "weight_decay": 0.0}),
}
SPARSE = {
    "sgd": (SGD, torch.optim.SGD, {"lr": 0.1}),
    "adam": (Adam, torch.optim.SparseAdam, {"lr": 0.01}),
    "adam, other betas": (Adam, torch.optim.SparseAdam, {"lr": 0.1, "betas": (0.5, 0.9)}),
}

by_optimizer = pytest.mark.parametrize(
    ("ours", "theirs", "options"), OPTIMIZERS.values(), ids=list(OPTIMIZERS)
)


def twins(shapes, seed: int = 0) -> tuple[list[Tensor], list[torch.Tensor]]:
    """The same parameters in both libraries."""
    rng = np.random.default_rng(seed)
    drawn = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    mine = [Tensor(np.array(x), requires_grad=True) for x in drawn]
    return mine, [torch.tensor(x, requires_grad=True) for x in drawn]


def assert_equal(mine, others, when: str) -> None:
    for i, (x, y) in enumerate(zip(mine, others, strict=True)):
        assert x.data.dtype == np.float32, f"parameter {i} became {x.data.dtype}"
        # one step moves a parameter by about lr; errors of rounding add up over the steps
        np.testing.assert_allclose(
            x.data, y.detach().numpy(), rtol=1e-5, atol=5e-6, err_msg=f"parameter {i}, {when}"
        )


@by_optimizer
def test_steps_on_given_gradients(ours, theirs, options):
    mine, others = twins(SHAPES)
    our_optimizer = ours(mine, **{"lr": 1e-3, **options})
    their_optimizer = theirs(others, **{"lr": 1e-3, **options})
    rng = np.random.default_rng(1)
    for step in range(STEPS):
        for i, (x, y) in enumerate(zip(mine, others, strict=True)):
            if (step + i) % 4 == 3:  # now and then one has no gradient
                x.grad = y.grad = None
                continue
            gradient = np.array(rng.standard_normal(x.shape) * 10.0 ** (i - 2), np.float32)
            x.grad, y.grad = gradient, torch.tensor(gradient)
        our_optimizer.step()
        their_optimizer.step()
        assert_equal(mine, others, f"step {step}")


@by_optimizer
def test_training_a_perceptron(ours, theirs, options):
    mine, others = twins([(6, 8), (8,), (8, 3), (3,)])
    our_optimizer = ours(mine, **{"lr": 1e-3, **options})
    their_optimizer = theirs(others, **{"lr": 1e-3, **options})
    rng = np.random.default_rng(1)
    x, labels = rng.standard_normal((16, 6)).astype(np.float32), rng.integers(0, 3, 16)
    for step in range(STEPS):
        rate = 1 / (1 + step)  # and the learning rate falls
        our_optimizer.lr = options.get("lr", 1e-3) * rate
        their_optimizer.param_groups[0]["lr"] = options.get("lr", 1e-3) * rate
        for optimizer, loss, inputs, (w1, b1, w2, b2) in (
            (our_optimizer, CrossEntropyLoss(), Tensor(x), mine),
            (their_optimizer, F.cross_entropy, torch.tensor(x), others),
        ):
            targets = labels if optimizer is our_optimizer else torch.tensor(labels)
            optimizer.zero_grad()
            loss((inputs @ w1 + b1).tanh() @ w2 + b2, targets).backward()
            optimizer.step()
        assert_equal(mine, others, f"step {step}")


@pytest.mark.parametrize(("ours", "theirs", "options"), SPARSE.values(), ids=list(SPARSE))
def test_steps_on_row_sparse_gradients(ours, theirs, options):
    (mine,), (other,) = twins([(7, 3)])
    our_optimizer, their_optimizer = ours([mine], **options), theirs([other], **options)
    rng = np.random.default_rng(1)
    for step in range(STEPS):
        ids, values = rng.integers(0, 5, 6), rng.standard_normal((6, 3)).astype(np.float32)
        mine.grad = RowSparseGrad(ids, values, mine.shape)
        other.grad = torch.sparse_coo_tensor(ids[None], values, (7, 3), check_invariants=True)
        our_optimizer.step()
        their_optimizer.step()
        assert_equal([mine], [other], f"step {step}")


CLIPPED = {"above": 1.0, "far above": 1e-3, "below": 1e3, "of nothing": 0.5}


@pytest.mark.parametrize("how", CLIPPED)
@pytest.mark.parametrize("row_sparse", [False, True], ids=["dense", "one row-sparse"])
def test_clipping_the_norm(how, row_sparse):
    mine, others = twins([(4, 3), (3,), (2, 2)])
    drawn, _ = twins([(4, 3), (3,), (2, 2)], seed=1)
    for x, y, gradient in zip(mine[:-1], others[:-1], drawn, strict=False):  # the last has none
        x.grad = np.zeros_like(gradient.data) if how == "of nothing" else gradient.data.copy()
        y.grad = torch.tensor(x.grad)
    if row_sparse:
        ids, values = np.array([2, 0, 2]), mine[0].grad[:3]
        mine[0].grad = RowSparseGrad(ids, values.copy(), (4, 3))
        others[0].grad = torch.tensor(mine[0].grad.to_dense())
    norm = clip_grad_norm(mine, CLIPPED[how])
    expected = torch.nn.utils.clip_grad_norm_(others, CLIPPED[how])
    assert norm == pytest.approx(expected.item(), rel=1e-6)
    for x, y in zip(mine[:-1], others[:-1], strict=True):
        assert x.grad.dtype == np.float32
        # torch divides by norm + 1e-6
        np.testing.assert_allclose(np.asarray(x.grad), y.grad.numpy(), rtol=2e-6, atol=1e-9)
    assert mine[-1].grad is None


@pytest.mark.parametrize(
    ("high", "low", "epochs"), [(0.1, 0.001, 10), (1.0, 0.0, 7), (0.3, 0.3, 2)]
)
def test_cosine_schedule(high, low, epochs):
    ours = CosineSchedule(high, low, epochs)
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=high)
    theirs = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs, eta_min=low)
    for epoch in range(epochs + 1):
        assert ours.get_lr(epoch) == pytest.approx(theirs.get_last_lr()[0], rel=1e-9, abs=1e-12)
        optimizer.step()
        theirs.step()
