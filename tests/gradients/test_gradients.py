"""Each operation: true gradients, whatever the shapes and the layout; float32 stays float32."""

import importlib
import pkgutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tinytorch
from tests.gradients import drawing as draw
from tinytorch.core import activations, embeddings, functions, losses, rotary
from tinytorch.core.autograd import gradcheck
from tinytorch.core.functions import Function
from tinytorch.core.tensor import Tensor

EXPONENTS = st.sampled_from([0, 1, 2, 3, 4, -1, -2, 0.5, 1.5])
CASES = {
    functions.Add: draw.broadcasting(),
    functions.Sub: draw.broadcasting(),
    functions.Mul: draw.broadcasting(),
    functions.Div: draw.broadcasting(right=draw.not_near_zero),
    functions.Neg: draw.entrywise(),
    functions.Exp: draw.entrywise(),
    functions.Log: draw.entrywise(draw.positive),
    functions.Sqrt: draw.entrywise(draw.positive),
    functions.Tanh: draw.entrywise(),
    functions.Abs: draw.entrywise(draw.not_near_zero),
    functions.Pow: draw.entrywise(draw.positive, exponent=EXPONENTS),
    functions.MatMul: draw.broadcasting(signature="(m?,n),(n,p?)->(m?,p?)"),
    functions.Sum: draw.reduced(empty=True),
    functions.Mean: draw.reduced(),
    functions.Max: draw.reduced(draw.no_ties),
    functions.Var: draw.reduced(),
    functions.Reshape: draw.reshaped(),
    functions.Transpose: draw.transposed(),
    functions.Permute: draw.permuted(),
    functions.GetItem: draw.indexed(),
    activations.ReluFunction: draw.entrywise(draw.not_near_zero),
    activations.SigmoidFunction: draw.entrywise(),
    activations.GeluFunction: draw.entrywise(),
    activations.SoftmaxFunction: draw.along("dim"),
    losses.LogSoftmaxFunction: draw.along("axis"),
    losses.CrossEntropyFunction: draw.classified(),
    losses.BinaryCrossEntropyFunction: draw.alike(draw.chances, draw.chances).map(
        lambda problem: draw.Problem(problem.inputs, {"eps": 2.0**-23})
    ),
    losses.BCEWithLogitsFunction: draw.alike(draw.normal, draw.chances),
    embeddings.EmbeddingFunction: draw.looked_up(),
    rotary.RotateHalf: draw.of_pairs(),
}
NO_GRADIENT = {functions.Compare}  # its results are bools

by_operation = pytest.mark.parametrize(
    ("operation", "problems"), CASES.items(), ids=[x.__name__ for x in CASES]
)
drawn = settings(max_examples=40, deadline=None, derandomize=True, database=None)


def operations() -> set[type[Function]]:
    """Every operation of the package: the Functions that have a forward of their own."""
    for module in pkgutil.walk_packages(tinytorch.__path__, "tinytorch."):
        importlib.import_module(module.name)
    found, waiting = set(), [Function]
    while waiting:
        subclasses = waiting.pop().__subclasses__()
        waiting += subclasses
        found.update(x for x in subclasses if x.__module__.startswith("tinytorch."))
    return {x for x in found if "forward" in vars(x)}


def test_every_operation_has_a_case():
    missing = operations() - CASES.keys() - NO_GRADIENT
    assert not missing, f"add to CASES: {sorted(x.__name__ for x in missing)}"


@by_operation
def test_gradients_are_those_of_central_differences(operation, problems):
    @drawn
    @given(problems)
    def check(problem):
        def function(*inputs):
            return operation.apply(*inputs, **problem.options)

        assert gradcheck(function, problem.inputs)

    check()


def gradients(operation, problem, dtype, layouts) -> list[np.ndarray | None]:
    """The result and the gradient of each input (None for integers), in these layouts and dtype."""
    inputs = [
        Tensor(draw.laid_out(x.astype(dtype), layout), requires_grad=True, dtype=dtype)
        if x.dtype.kind == "f"
        else Tensor(draw.laid_out(x, layout))
        for x, layout in zip(problem.inputs, layouts, strict=False)
    ]
    before = [x.data.copy() for x in inputs]
    result = operation.apply(*inputs, **problem.options)
    function, value = result._grad_fn, result.data.copy()
    assert type(function) is operation
    incoming = np.asarray(np.random.default_rng(0).standard_normal(result.shape), dtype)
    incoming = draw.laid_out(incoming, layouts[2])
    kept = incoming.copy()

    found = function.backward(incoming)
    for x, grad in zip(inputs, found, strict=True):
        assert grad is None or (grad.shape, grad.dtype) == (x.shape, x.dtype), "as its input"
    np.testing.assert_array_equal(incoming, kept, "backward changed the gradient it was given")
    for x, unchanged in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(x.data, unchanged, "backward changed an input")
    return [value, *(None if grad is None else np.array(grad) for grad in found)]


@by_operation
def test_layout_and_dtype_make_no_difference(operation, problems):
    """Transposed, strided and reversed arrays, and float32, against float64 in a row."""

    @drawn
    @given(problems)
    def check(problem):
        expected = gradients(operation, problem, np.float64, ["in a row"] * 3)
        for k in range(len(draw.LAYOUTS)):  # inputs and incoming gradient in different ones
            layouts = draw.LAYOUTS[k:] + draw.LAYOUTS[:k]
            for dtype, rtol, atol in ((np.float64, 1e-9, 1e-12), (np.float32, 1e-3, 1e-4)):
                got = gradients(operation, problem, dtype, layouts)
                for ours, true in zip(got, expected, strict=True):
                    assert (ours is None) == (true is None)
                    if ours is not None:
                        assert ours.dtype == dtype
                        np.testing.assert_allclose(ours, true, rtol, atol)

    check()


def test_a_wrong_rule_is_noticed(monkeypatch):
    tanh = functions.Tanh
    monkeypatch.setattr(tanh, "backward", lambda self, grad: (grad * (1 - self.result),))
    with pytest.raises(AssertionError):
        test_gradients_are_those_of_central_differences(tanh, CASES[tanh])


def test_a_rule_that_takes_float32_for_float64_is_noticed(monkeypatch):
    monkeypatch.setattr(functions.Neg, "backward", lambda self, grad: (-grad.astype(np.float64),))
    with pytest.raises(AssertionError, match="as its input"):
        test_layout_and_dtype_make_no_difference(functions.Neg, CASES[functions.Neg])


def test_a_rule_that_trusts_the_layout_is_noticed(monkeypatch):
    def backward(self, grad):
        return (-grad.ravel(order="K").reshape(grad.shape),)

    monkeypatch.setattr(functions.Neg, "backward", backward)
    with pytest.raises(AssertionError, match="Not equal"):
        test_layout_and_dtype_make_no_difference(functions.Neg, CASES[functions.Neg])


def test_a_missing_case_is_noticed(monkeypatch):
    monkeypatch.delitem(CASES, functions.Add)
    with pytest.raises(AssertionError, match="Add"):
        test_every_operation_has_a_case()
