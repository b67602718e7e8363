"""Activations and layers against PyTorch."""

import numpy as np
import pytest

from tinytorch.core import activations, layers
from tinytorch.core.tensor import Tensor

torch = pytest.importorskip("torch")
F = torch.nn.functional

from tests.parity.comparing import agree, case, numbers, table  # noqa: E402

FAR = numbers(-1e4, -100, -1, 0, 1, 100, 1e4)
MASKED = np.float32([[0, -np.inf, 1], [-np.inf, -np.inf, 2], [1e4, -1e4, 0]])
BENDS = {
    "relu": (activations.ReLU(), F.relu),
    "sigmoid": (activations.Sigmoid(), torch.sigmoid),
    "tanh": (activations.Tanh(), torch.tanh),
    "gelu": (activations.GELU(), lambda x: F.gelu(x, approximate="tanh")),
}
ACTIVATIONS = [
    case(f"{name}, {kind}", ours, theirs, inputs)
    for name, (ours, theirs) in BENDS.items()
    for kind, inputs in {
        "matrix": (4, 5),
        "one number": (),
        "nothing": (0, 3),
        "far out": FAR,
    }.items()
]
SOFTMAX = [
    case(
        f"softmax of {kind}, dim {dim}",
        lambda x, dim=dim: activations.Softmax()(x, dim=dim),
        lambda x, dim=dim: torch.softmax(x, dim),
        inputs,
    )
    for kind, inputs, dims in [
        ("(2, 3, 4)", (2, 3, 4), (0, 1, 2, -1, -2)),
        ("a vector", (5,), (0, -1)),
        ("one column", (4, 1), (0, 1)),
        ("no rows", (0, 3), (1,)),
        ("masked rows", MASKED, (1,)),
        ("equal entries", np.zeros((2, 3), np.float32), (0, 1)),
    ]
    for dim in dims
]


def linear(x, weight, bias=None):
    """Our Linear over given parameters."""
    layer = layers.Linear(*weight.shape, bias=bias is not None)
    layer.weight, layer.bias = weight, bias
    return layer(x)


def dropped(x: torch.Tensor) -> torch.Tensor:
    """torch's dropout draws other numbers than ours: multiply by our mask."""
    layers.manual_seed(3)
    mask = layers.Dropout(0.4)(Tensor(np.ones(x.shape))).data
    return x * torch.tensor(mask)


def drop(x: Tensor) -> Tensor:
    layers.manual_seed(3)
    return layers.Dropout(0.4)(x)


def perceptron(x, w1, b1, w2, b2):
    """A Sequential of ours over given parameters."""
    model = layers.Sequential(
        layers.Flatten(), layers.Linear(12, 6), activations.GELU(), layers.Linear(6, 5)
    )
    (first, second) = (each for each in model.layers if isinstance(each, layers.Linear))
    first.weight, first.bias, second.weight, second.bias = w1, b1, w2, b2
    return model(x)


LAYERS = [
    case("linear", linear, lambda x, w, b: F.linear(x, w.T, b), (5, 4), (4, 3), (3,)),
    case("linear without bias", linear, lambda x, w: F.linear(x, w.T), (5, 4), (4, 3)),
    case("linear, a vector", linear, lambda x, w, b: F.linear(x, w.T, b), (4,), (4, 3), (3,)),
    case("linear, 3-d", linear, lambda x, w, b: F.linear(x, w.T, b), (2, 5, 4), (4, 3), (3,)),
    case("linear, no rows", linear, lambda x, w, b: F.linear(x, w.T, b), (0, 4), (4, 3), (3,)),
    case("dropout in training", drop, dropped, (20, 30)),
    case("dropout, p 0", layers.Dropout(0), torch.nn.Dropout(0), (3, 4)),
    case("dropout in evaluation", layers.Dropout(0.4).eval(), torch.nn.Dropout(0.4).eval(), (3, 4)),
    case("flatten", layers.Flatten(), torch.nn.Flatten(), (2, 3, 4)),
    case("flatten rows", layers.Flatten(), torch.nn.Flatten(), (2, 3)),
    case(
        "perceptron of two layers",
        perceptron,
        lambda x, w1, b1, w2, b2: F.gelu(x.flatten(1) @ w1 + b1, approximate="tanh") @ w2 + b2,
        *[(7, 3, 4), (12, 6), (6,), (6, 5), (5,)],
    ),
]


@table(ACTIVATIONS + SOFTMAX + LAYERS)
def test_as_in_torch(each):
    agree(each)
