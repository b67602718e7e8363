"""One case of parity: what to compute, in both libraries, from which inputs."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
import torch

from tinytorch.core.tensor import Tensor

RTOL, ATOL = 2e-5, 2e-6  # float32 keeps about 7 digits; sums of a few dozen numbers lose one


@dataclass(frozen=True)
class Case:
    """`ours` on Tensors and `theirs` on torch tensors, which must agree.

    inputs: shapes, for standard normal numbers, or arrays. Float inputs want gradients.
    """

    name: str
    ours: Callable
    theirs: Callable
    inputs: tuple


def case(name: str, ours: Callable, theirs: Callable, *inputs) -> Case:
    return Case(name, ours, theirs, inputs)


def same(name: str, both: Callable, *inputs) -> Case:
    """A case that is written alike in both libraries."""
    return Case(name, both, both, inputs)


def table(cases: list[Case]):
    """Run the decorated test once for each case, under the case's name."""
    names = [each.name for each in cases]
    assert len(set(names)) == len(names), "two cases have one name"
    return pytest.mark.parametrize("each", cases, ids=names)


def numbers(*values) -> np.ndarray:
    return np.array(values, np.float32)


def positive(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).uniform(0.5, 3, shape).astype(np.float32)


def close(ours: np.ndarray | None, theirs: torch.Tensor | None, what: str) -> None:
    """Same kind, shape and values; a gradient that one side lacks, the other lacks too."""
    assert (ours is None) == (theirs is None), f"{what}: ours is {ours}, torch's is {theirs}"
    if ours is None:
        return
    ours, theirs = np.asarray(ours), theirs.detach().numpy()
    assert ours.dtype == theirs.dtype, f"{what}: {ours.dtype}, torch has {theirs.dtype}"
    assert ours.shape == theirs.shape, f"{what}: shape {ours.shape}, torch has {theirs.shape}"
    largest = np.abs(theirs[np.isfinite(theirs)]).max(initial=1)  # its last digits are lost in sums
    np.testing.assert_allclose(ours, theirs, RTOL, ATOL * largest, err_msg=what)


def agree(each: Case) -> None:
    """Compare the value and the gradient of each float input, for a drawn incoming gradient."""
    rng = np.random.default_rng(0)
    arrays = [
        rng.standard_normal(x).astype(np.float32) if isinstance(x, tuple) else x
        for x in each.inputs
    ]
    floats = [x.dtype.kind == "f" for x in arrays]
    ours = [Tensor(x.copy(), requires_grad=wants) for x, wants in zip(arrays, floats, strict=True)]
    theirs = [torch.tensor(x, requires_grad=wants) for x, wants in zip(arrays, floats, strict=True)]

    value, expected = each.ours(*ours), each.theirs(*theirs)
    close(value.data, expected, "value")

    gradient = rng.standard_normal(value.shape).astype(np.float32)
    value.backward(gradient)
    expected.backward(torch.tensor(gradient))
    for i, (x, y) in enumerate(zip(ours, theirs, strict=True)):
        close(x.grad, y.grad, f"gradient of input {i}")
