"""Losses against PyTorch, at the edges too: extreme logits, ignored targets, soft targets."""

import numpy as np
import pytest

from tinytorch.core.losses import (
    BCEWithLogitsLoss,
    BinaryCrossEntropyLoss,
    CrossEntropyLoss,
    MSELoss,
    log_softmax,
)

torch = pytest.importorskip("torch")
F = torch.nn.functional

from tests.parity.comparing import agree, case, numbers, table  # noqa: E402

EXTREME = np.float32([[1e4, -1e4, 0], [100, 100, 100], [-1e4, -1e4, -1e4], [88, -104, 89]])
ALMOST = np.float32([[15.9, -15.9, 0], [16.1, 3, -200], [-15, -15.5, -90]])
LABELS = np.array([0, 2, 1, 2])


def labels(*shape: int, classes: int) -> np.ndarray:
    return np.random.default_rng(2).integers(0, classes, shape)


def chances(*shape: int) -> np.ndarray:
    return np.random.default_rng(2).uniform(0.02, 0.98, shape).astype(np.float32)


def yes_or_no(*shape: int) -> np.ndarray:
    return np.random.default_rng(2).integers(0, 2, shape).astype(np.float32)


def cross_entropy(logits, targets, **options):
    """torch wants the classes in the second dimension, where ours are in the last."""
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), **options)


LOG_SOFTMAX = [
    case(
        f"log_softmax of {kind}, dim {dim}",
        lambda x, dim=dim: log_softmax(x, dim=dim),
        lambda x, dim=dim: torch.log_softmax(x, dim),
        inputs,
    )
    for kind, inputs, dims in [
        ("(2, 3, 4)", (2, 3, 4), (0, 1, 2, -1, -2)),
        ("a vector", (5,), (0,)),
        ("extreme logits", EXTREME, (1, 0)),
        ("no rows", (0, 3), (1,)),
        ("one class", (4, 1), (1,)),
    ]
    for dim in dims
]

SOME_IGNORED = np.array([[1, -100, 0], [-100, 4, 4]])
CROSS_ENTROPY = [
    case(f"cross-entropy, {kind}", CrossEntropyLoss(), cross_entropy, logits, targets)
    for kind, logits, targets in [
        ("(8, 5)", (8, 5), labels(8, classes=5)),
        ("(2, 3, 5)", (2, 3, 5), labels(2, 3, classes=5)),
        ("(2, 3, 2, 5)", (2, 3, 2, 5), labels(2, 3, 2, classes=5)),
        ("one row", (1, 4), np.array([3])),
        ("one row without a batch", (4,), np.array(3)),
        ("one class", (4, 1), np.zeros(4, int)),
        ("extreme logits", EXTREME, LABELS),
        ("near the largest logit without a shift", ALMOST, LABELS[:3]),
        ("masked classes", np.float32([[0, 1, -np.inf], [2, -np.inf, 1]]), np.array([1, 2])),
        ("equal logits", np.zeros((4, 3), np.float32), LABELS),
        ("some ignored", (2, 3, 5), SOME_IGNORED),
        ("all but one ignored", (4, 3), np.array([-100, -100, 2, -100])),
        ("ignored row of extreme logits", EXTREME, np.array([-100, 0, 1, -100])),
    ]
] + [
    case(
        f"cross-entropy, ignore_index {ignored}",
        CrossEntropyLoss(ignore_index=ignored),
        lambda logits, targets, ignored=ignored: cross_entropy(
            logits, targets, ignore_index=ignored
        ),
        (6, 4),
        np.array([0, 1, -1, 3, 0, 2]) if ignored == -1 else np.array([0, 1, 2, 3, 0, 2]),
    )
    for ignored in (0, 3, -1)
]

BINARY = [
    case("mse", MSELoss(), F.mse_loss, (3, 4), (3, 4)),
    case("mse of vectors", MSELoss(), F.mse_loss, (5,), (5,)),
    case("mse of one number", MSELoss(), F.mse_loss, (), ()),
    case("mse at no error", MSELoss(), F.mse_loss, numbers(1, 2), numbers(1, 2)),
    case("mse, large", MSELoss(), F.mse_loss, numbers(1e4, -1e4), numbers(0, 1)),
    case(
        "binary", BinaryCrossEntropyLoss(), F.binary_cross_entropy, chances(4, 3), yes_or_no(4, 3)
    ),
    case(
        "binary, soft targets",
        BinaryCrossEntropyLoss(),
        F.binary_cross_entropy,
        chances(6),
        chances(6)[::-1].copy(),
    ),
    case(
        "binary, one number", BinaryCrossEntropyLoss(), F.binary_cross_entropy, chances(), chances()
    ),
    *[
        case(
            f"binary with logits, {kind}",
            BCEWithLogitsLoss(),
            F.binary_cross_entropy_with_logits,
            logits,
            targets,
        )
        for kind, logits, targets in [
            ("yes or no", (4, 3), yes_or_no(4, 3)),
            ("soft targets", (6,), chances(6)),
            ("one number", (), chances()),
            ("at 0", np.zeros(2, np.float32), numbers(0, 1)),
            ("extreme", numbers(1e4, -1e4, 1e4, -1e4, 100), numbers(1, 0, 0, 1, 0.5)),
        ]
    ],
]


@table(LOG_SOFTMAX + CROSS_ENTROPY + BINARY)
def test_as_in_torch(each):
    agree(each)
