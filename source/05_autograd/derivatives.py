# %% [markdown]
# # Derivatives
#
# > One rule an operation: what the gradient of a result says about what went in.
#
# **The question of this notebook:** the walk back asks each operation on its way one thing. What do curves, matrix products, reductions and views answer?
#
# Difficulty 4 of 5 · about 2 hours · 5 exercises and a test over the notebook, 100 points · prerequisites: the notebooks Arithmetic, Autodiff and Autograd, the derivatives of log, tanh and powers.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | rules of `+ - * /`, the walk, `gradcheck` | rules of curves, `@`, reductions, views and indexing | softmax and losses (notebook Fused) |
#
# This is the fourth of five notebooks of module 05, and it ends up in `tinytorch/core/derivatives.py`. It imports the three before it from your package. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.derivatives

# %% nbgrader={"grade_id": "setup", "locked": true}
import math
import timeit
from functools import partial

import matplotlib.pyplot as plt
import numpy as np

from tinytorch.core.autograd import gradcheck
from tinytorch.core.tensor import Tensor

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


def close(got, want):
    """True when both have the same shape and, to float32 precision, the same values."""
    same = not isinstance(got, str) and np.shape(got) == np.shape(want)
    return same and np.allclose(got, want, rtol=1e-5, atol=1e-6)


def attempt(call, *args):
    """What call(*args) returns or, as text, the error it ends in: "ValueError: ..."."""
    try:
        return call(*args)
    except NotImplementedError:
        raise  # a blank that is still to be filled
    except Exception as error:
        return f"{type(error).__name__}: {error}"


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import math

import numpy as np

from tinytorch.core.arithmetic import arrays, backward_of, needs_grad, unbroadcast

# isort: off
from tinytorch.core.functions import Abs, Exp, GetItem, Log, MatMul, Max, Mean, Permute, Pow
from tinytorch.core.functions import Reshape, Sqrt, Sum, Tanh, Transpose, Var

# %% [markdown]
# ## What a rule gets, and what it gives
#
# A rule gets `grad`: for each entry of the result, how much the loss moves when that entry does. It gives, **in a tuple, one array an input**: how much the loss moves when an entry of that input does. For a curve like exp, entry i of the result depends on entry i of the input alone, and the chain rule is one product: incoming gradient times slope. The slope is taken **at the input**. For exp it happens to be the result itself, and that is already there, in `self.result`: nothing has to be computed again.
#
# Three promises hold for every rule. A gradient has exactly the shape of its input. It has its dtype, too: one float64 makes everything behind it float64, at twice the memory. And `grad` belongs to somebody else: make a new array, do not write into it.
#
# Four rules are given: log needs its input, and the last two only move entries: reshaping and transposing are undone by doing them once more. `pull` shows what the last rule of an expression about x (and y) makes of a gradient, without the walk; `check_rule` compares that with values worked by hand, `check_slopes` compares the walk with nudging.


# %% nbgrader={"grade_id": "first-rules", "locked": true}
#| export
# fmt: off
@backward_of(Exp)
def exp_backward(self, grad): return (grad * self.result,)
@backward_of(Log)
def log_backward(self, grad): return (grad / self.inputs[0].data,)
@backward_of(Reshape)
def reshape_backward(self, grad): return (grad.reshape(self.inputs[0].shape),)
@backward_of(Transpose)
def transpose_backward(self, grad): return (self.forward(grad, **self.options),)
# fmt: on


# %% nbgrader={"grade_id": "check-rule", "locked": true}
def value(expression, *xy):
    """The value of an expression such as "x.exp()" or "x @ y"."""
    return eval(expression, dict(zip("xy", xy, strict=False)))


def pull(expression, grad, *inputs):
    """What the last rule of the expression makes of `grad` or, as text, its error."""
    node = value(expression, *[Tensor(x, requires_grad=True) for x in inputs])._grad_fn
    with np.errstate(all="ignore"):  # the walk is as quiet: 1 / 0 is inf and flows on
        return attempt(node.backward, grad)


def check_rule(expression, inputs, grad, wants, because):
    """Hold a rule against gradients worked by hand: shape, values, dtype, `grad` untouched."""
    grad = np.asarray(grad, np.float32)
    got = pull(expression, given := grad.copy(), *inputs)
    case = f"for {' and '.join(map(str, inputs))}, incoming {grad.tolist()}"
    assert not isinstance(got, str), f"{expression}: {because}; {case}, it ended in {got}"
    is_whole = isinstance(got, tuple | list) and len(got) == len(wants)
    assert is_whole, f"{expression}: return a tuple, one gradient an input, not {got!r:.90}"
    assert close(given, grad), f"{expression}: `grad` was overwritten; make a new array."
    for x, want in zip(got, wants, strict=True):
        found = f"the gradient is {want}, not {x} of shape {np.shape(x)}."
        assert close(x, want), f"{expression}: {because}; {case}, {found}"
        kind = np.asarray(x).dtype
        assert kind == np.float32, f"{expression}: float32 wants a float32 gradient, not {kind}."


def check_slopes(expression, *inputs, because="incoming gradient times slope"):
    """Hold rules against nudging, in float64."""
    said = attempt(gradcheck, partial(value, expression), inputs)
    assert said is True, f"{expression}, against nudging: {because}. {said}"


# %% [markdown]
# ## Exercise 1: curves
# *Difficulty 2 of 5 · 20 points · 25 minutes*
#
# | operation | slope | at hand |
# |---|---|---|
# | `sqrt(a)` | 1 / (2 sqrt(a)) | the result |
# | `tanh(a)` | 1 - tanh(a)² | the result |
# | `abs(a)` | 1 right of 0, -1 left of it | the input |
# | `a ** n` | n a^(n - 1) | the input, and n in `self.options["exponent"]` |
#
# Write the four rules. By hand: `a ** 3` at a = -2 has slope 3 · 4 = 12; with an incoming gradient of 5 the input gets 60. Two corners: `abs` has no slope at 0, where we say 0, as PyTorch does. And `a ** 0` is 1 everywhere, so its gradient is 0; the formula would say 0 · inf = nan at a = 0. At a = 0 the slope of sqrt is infinite: let it be, `inf` says what happened.
#
# **Predict first:** where is tanh steepest, and how steep is it there? How steep is it where its result is 0.6? (The test knows.)
#
# <details><summary>Hints</summary>
#
# `self.inputs[0].data` is the input as an array, `self.result` the result as one. `np.sign` is -1, 0 or 1. Zeros like the input: `np.zeros_like`. The comma in `(x,)` makes the tuple.
#
# </details>


# %% nbgrader={"grade_id": "curves", "solution": true}
#| export
@backward_of(Sqrt)
def sqrt_backward(self, grad):
    ### BEGIN SOLUTION
    return (grad / (2 * self.result),)
    ### END SOLUTION


@backward_of(Tanh)
def tanh_backward(self, grad):
    ### BEGIN SOLUTION
    return (grad * (1 - self.result * self.result),)
    ### END SOLUTION


@backward_of(Abs)
def abs_backward(self, grad):
    ### BEGIN SOLUTION
    return (grad * np.sign(self.inputs[0].data),)
    ### END SOLUTION


@backward_of(Pow)
def pow_backward(self, grad):
    a, n = self.inputs[0].data, self.options["exponent"]
    ### BEGIN SOLUTION
    if n == 0:
        return (np.zeros_like(a),)
    return (grad * (n * a ** (n - 1)),)  # NumPy squares by multiplying: a**3 costs no a**2 here
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-curves", "grade": true, "points": 20}
def test_curves():
    """Slopes by hand times the incoming gradient, the corners, and nudging."""
    for expression, x, grad, want, because in [
        ("x.sqrt()", [0.25, 4], [1, 2], [1, 0.5], "grad / (2 sqrt(x))"),
        ("x.sqrt()", [0], [1], [np.inf], "infinitely steep at 0: do not pad"),
        ("x.tanh()", [0, math.log(2)], [2, 1], [2, 0.64], "tanh(log 2) is 0.6, 1 - 0.36"),
        ("x.abs()", [-2, 0, 3], [4, 5, 6], [-4, 0, 6], "the slopes are -1, 0, 1"),
        ("x ** 2", [-3, 2], [1, 2], [-6, 8], "the slope is 2 x"),
        ("x ** 3", [-2, 1], [5, 3], [60, 9], "the slope is 3 x²"),
        ("x ** -1", [2, -4], [1, 2], [-0.25, -0.125], "the slope is -1 / x²"),
        ("x ** 0.5", [4, 16], [1, 8], [0.25, 1], "half of x ** -0.5"),
        ("x ** 0", [0, 2], [7, 8], [0, 0], "a constant: 0 everywhere, not nan"),
    ]:
        check_rule(expression, [x], grad, [want], because)
    signed = np.array([[-1.5, 0.4], [2.0, -0.7]])
    for expression in ("x.abs().sqrt()", "x.tanh()", "abs(x) ** 2.5", "x ** -3"):
        check_slopes(expression, signed)
    ### BEGIN HIDDEN TESTS
    x, grad = challenge.uniform(0.5, 3, size=(3, 4)), np.float32(challenge.normal(size=(3, 4)))
    for expression in ("x.sqrt()", "x ** -1.5", "x ** 4", "(-x).tanh()", "(-x).abs()"):
        observe(expression, pull(expression, grad, x)[0], rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_curves()

# %% [markdown]
# ## Exercise 2: matrix products
# *Difficulty 4 of 5 · 26 points · 35 minutes*
#
# For `out = x @ y` with x `(N, K)` and y `(K, M)`, `grad` is `(N, M)`. The **shapes** nearly write the rule. The gradient of x must be `(N, K)`; from `grad`, `(N, M)`, and y, `(K, M)`, only one product has that shape: `grad @ yᵀ`. The gradient of y is `(K, M)`: `xᵀ @ grad`.
#
# Shapes do not prove (when N, K and M are equal, they say nothing at all); **indices** do. `out[i, j]` is the sum over k of `x[i, k] * y[k, j]`, so `x[i, k]` moves row i of the result, entry j with slope `y[k, j]`. Add up what that is worth: the sum over j of `grad[i, j] * y[k, j]`, and that is entry `[i, k]` of `grad @ yᵀ`.
#
# By hand: x is `[[1, 2]]`, y `[[3, 0], [5, 4]]`, grad `[[10, 1]]`. The gradient of x is `[[10·3 + 1·0, 10·5 + 1·4]] = [[30, 54]]`, that of y `[[1·10, 1·1], [2·10, 2·1]] = [[10, 1], [20, 2]]`.
#
# **Stacks.** Of `(B, T, K) @ (B, K, M)`, each matrix follows the rule by itself: transpose the last two axes and no others. Where NumPy stretched one operand over the stack of the other, its gradients add up, and your `unbroadcast` knows how. The most common stack deserves better. In `(B, T, K) @ (K, M)`, a Linear layer on a batch of sentences, one weight matrix served all B·T rows. A stack of B gradients `(K, M)`, then summed, is wasteful: lay the rows of the stack under each other, `(B·T, K)`, and **one** product adds up as it goes. `as_rows` does that.
#
# Given is the rest of the rule: a vector is a matrix of one row (left) or one column (right), and a gradient that nobody wants is not computed: the images at the input of a network do not learn.
#
# **Predict first:** x is `(32, 128, 256)`, the weight `(256, 256)`. How many numbers has the stack of gradients that we avoid?
#
# <details><summary>Hints</summary>
#
# `np.swapaxes(y, -1, -2)` transposes every matrix of a stack; `.T` reverses *all* axes. `unbroadcast(grad, shape)` sums `grad` over what was stretched, and leaves it alone when nothing was. On the right: if `y.ndim == 2`, `as_rows` of both; else as on the left.
#
# </details>


# %% nbgrader={"grade_id": "matmul-rule", "locked": true}
#| export
def as_rows(x: np.ndarray) -> np.ndarray:
    """The rows of all matrices of a stack under each other: (..., K) -> (rows, K)."""
    return x.reshape(math.prod(x.shape[:-1]), x.shape[-1])


@backward_of(MatMul)
def matmul_backward(self, grad):
    (a, b), (x, y) = self.inputs, arrays(self)
    if b.ndim == 1:
        y, grad = y[:, None], grad[..., None]
    if a.ndim == 1:
        x, grad = x[None, :], np.expand_dims(grad, -2)
    left = grad_of_left(grad, x, y) if needs_grad(a) else None
    right = grad_of_right(grad, x, y) if needs_grad(b) else None
    if a.ndim == 1 and left is not None:
        left = left[0]
    if b.ndim == 1 and right is not None:
        right = right[:, 0]
    return left, right


# %% nbgrader={"grade_id": "matmul", "solution": true}
#| export
def grad_of_left(grad: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The gradient of x in x @ y, in its shape: grad (..., N, M), x (..., N, K), y (..., K, M)."""
    ### BEGIN SOLUTION
    return unbroadcast(grad @ np.swapaxes(y, -1, -2), x.shape)
    ### END SOLUTION


def grad_of_right(grad: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The gradient of y in x @ y, in its shape; one product when y is a single matrix."""
    ### BEGIN SOLUTION
    if y.ndim == 2:
        return as_rows(x).T @ as_rows(grad)
    return unbroadcast(np.swapaxes(x, -1, -2) @ grad, y.shape)
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-matmul", "grade": true, "points": 26}
def test_matmul():
    """By hand, square and not; vectors; stacks, stretched or not, against nudging."""
    plain, square = ([[1, 2]], [[3, 0], [5, 4]]), ([[1, 2], [0, 1]], [[3, 0], [5, 4]])
    row, matrix, column = [1, 2], [[3, 0, 1], [5, 4, 1]], [1, 2, 3]
    line = "a vector is a matrix of one row or column"
    for inputs, grad, wants, because in [
        (plain, [[10, 1]], [[[30, 54]], [[10, 1], [20, 2]]], "worked by hand above"),
        (square, [[1, 0], [0, 10]], [[[3, 5], [0, 40]], [[1, 0], [2, 10]]],
         "grad @ yᵀ and xᵀ @ grad, the right way round where all shapes agree, too"),
        ((row, matrix), [1, 2, 0], [[3, 13], [[1, 2, 0], [2, 4, 0]]], line),
        ((matrix, column), [1, 2], [[[1, 2, 3], [2, 4, 6]], [13, 8, 3]], line),
        ((row, [3, 4]), 10, [[30, 40], [10, 20]], line),
    ]:  # fmt: skip
        check_rule("x @ y", inputs, grad, wants, because)
    x = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5) % 7 - 3.0
    y = x.swapaxes(2, 3)
    for left, right, because in [
        (x[0], y[0], "matrix by matrix, not .T, which reverses all axes"),
        (x, y[0, 0], "one matrix on the right served every row: add up"),
        (x[0, 0], y[0], "one matrix on the left served the whole stack: add up"),
        (x, y[1], "a stack was stretched: add up"),
        (x[:1], y[:, :1], "both stacks were stretched: add up on both sides"),
    ]:
        check_slopes("x @ y", left, right, because=f"{left.shape} @ {right.shape}: {because}")
    ### BEGIN HIDDEN TESTS
    n, k, m = challenge.integers(2, 6, size=3).tolist()
    a, b = challenge.normal(size=(4, 1, n, k)), challenge.normal(size=(3, k, m))
    for name, x, y in [("plain", a[0, 0], b[0]), ("weight", a, b[0]), ("stacks", a, b)]:
        grad = np.float32(challenge.normal(size=np.matmul(x, y).shape))
        for side, got in zip(("left", "right"), pull("x @ y", grad, x, y), strict=True):
            observe(f"{name}, {side}", got, rtol=1e-4, atol=1e-4)
    ### END HIDDEN TESTS


test_matmul()

# %%
x, grad = np.random.default_rng(1).normal(size=(2, 32, 128, 256)).astype(np.float32)
weight = np.zeros((256, 256), np.float32)
for name, way in {
    "one product": lambda: grad_of_right(grad, x, weight),
    "a stack, summed": lambda: (x.swapaxes(1, 2) @ grad).sum(axis=0),
    "einsum": lambda: np.einsum("btk,btm->km", x, grad),
}.items():
    print(f"{name:15} {min(timeit.repeat(way, number=1, repeat=3)) * 1e3:6.1f} ms")
print(f"numbers in the stack: {32 * 256 * 256:,}")

# %% [markdown]
# ## Exercise 3: sums and means
# *Difficulty 3 of 5 · 16 points · 20 minutes*
#
# In a sum, every entry has slope 1: each gets the gradient of the sum it went into. **What was squeezed is stretched.** `[[1, 2, 6], [4, 5, 9]].sum(axis=1)` is `[9, 18]`; incoming `[10, 20]` goes back as `[[10, 10, 10], [20, 20, 20]]`. The axis is gone from the result, unless keepdims kept it: put it back with size 1, then broadcasting does the rest. In a mean of n entries each has slope 1 / n.
#
# Write `stretch(grad, shape, axis, keepdims)`, and with it both rules. `axis` may be None (everything was summed), a number, negative too, or a tuple. A broadcast view costs no memory; nobody writes into a gradient.
#
# **Predict first:** x is `(2, 3)`. What goes wrong if `grad`, `(2,)` from `x.sum(axis=1)`, is broadcast to `(2, 3)` right away? And for x of shape `(3, 3)`?
#
# <details><summary>Hints</summary>
#
# `np.expand_dims(grad, axis)` takes numbers and tuples; `np.broadcast_to(grad, shape)`. Of `a.size` entries `grad.size` results were made. How many went into each? `**self.options` hands axis and keepdims on by name.
#
# </details>


# %% nbgrader={"grade_id": "sums", "solution": true}
#| export
def stretch(grad: np.ndarray, shape: tuple[int, ...], axis=None, keepdims=False) -> np.ndarray:
    """The gradient of a reduction of `shape` along `axis`, as each entry sees it: -> `shape`."""
    ### BEGIN SOLUTION
    if axis is not None and not keepdims:
        grad = np.expand_dims(grad, axis)
    return np.broadcast_to(grad, shape)
    ### END SOLUTION


@backward_of(Sum)
def sum_backward(self, grad):
    ### BEGIN SOLUTION
    return (stretch(grad, self.inputs[0].shape, **self.options),)
    ### END SOLUTION


@backward_of(Mean)
def mean_backward(self, grad):
    a = self.inputs[0].data
    ### BEGIN SOLUTION
    count = a.size // max(grad.size, 1)  # no results at all: the mean of no columns
    return (stretch(grad / count, a.shape, **self.options),)
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-sums", "grade": true, "points": 16}
def test_sums():
    """By hand along each axis, with and without keepdims; a square; nudging over a cube."""
    table = [[1, 2, 6], [4, 5, 9]]
    rows, columns, ones = [[10, 10, 10], [20, 20, 20]], [[3, 6, 9], [3, 6, 9]], np.ones((2, 3))
    for axis, grad, want, count, because in [
        (1, [10, 20], rows, 3, "each entry gets the gradient of its row"),
        (0, [3, 6, 9], columns, 2, "each entry gets the gradient of its column"),
        (-2, [3, 6, 9], columns, 2, "axis -2 of a table is axis 0"),
        (None, 6, 6 * ones, 6, "all six get the one gradient"),
        ((0, 1), 6, 6 * ones, 6, "all six get the one gradient"),
    ]:
        for keepdims in (False, True):
            kept = np.reshape(grad, np.sum(table, axis=axis, keepdims=keepdims).shape)
            check_rule(f"x.sum({axis}, {keepdims})", [table], kept, [want], because)
            mean, part = np.divide(want, count), f"each of {count} entries gets one {count}th"
            check_rule(f"x.mean({axis}, {keepdims})", [table], kept, [mean], part)
    because = "here (2,) broadcasts to (2, 2) without an error, but along the wrong axis"
    check_rule("x.sum(1)", [[[1, 2], [3, 4]]], [10, 20], [[[10, 10], [20, 20]]], because)
    for axis in (None, 0, 1, -1, (2, 0), (1, -1)):
        check_slopes(f"x.sum({axis}) * x.mean({axis})", np.arange(24.0).reshape(2, 3, 4))
    ### BEGIN HIDDEN TESTS
    drawn = challenge.normal(size=(3, 3, 3, 2))
    for axis in (None, 0, (1, 3), -2):
        grad = np.float32(challenge.normal(size=drawn.sum(axis=axis).shape))
        observe(f"sum {axis}", pull(f"x.sum({axis})", grad, drawn)[0])
        observe(f"mean {axis}", pull(f"x.mean({axis})", grad, drawn)[0])
    ### END HIDDEN TESTS


test_sums()

# %% [markdown]
# ## Exercise 4: the largest, and the spread
# *Difficulty 4 of 5 · 16 points · 25 minutes*
#
# **max** lets one entry through. Nudge any other, and the maximum does not move: its gradient is 0. The largest gets all of it. If two entries are equally large they share it equally, as in PyTorch's amax; giving it to both would hand out more than came in. `[[1, 7, 7]].max(axis=1)` with incoming 6 gives `[[0, 3, 3]]`.
#
# **var** is the mean of the squared distances from the mean m. The slope of a square is twice the distance, the mean divides by n, and so entry i gets `2 (a[i] - m) / n`. But m moves too when `a[i]` does! It moves by 1 / n, and changes each squared distance by `-2 (a[j] - m) / n`; the sum of those is 0, because distances from the mean add up to 0. That term is gone for free. By hand: `[1, 3, 8]` has mean 4, distances `[-3, -1, 4]`, gradient `[-2, -2/3, 8/3]`.
#
# **Predict first:** what do the entries of a gradient of var always add up to? What does that say about adding a constant to all entries?
#
# <details><summary>Hints</summary>
#
# Your `stretch` works on `self.result` as well; then `a == ...` finds the largest. As numbers of grad's dtype: `.astype(grad.dtype)`. How many share: sum those along `axis`, keepdims=True. The mean must broadcast against `a`: keepdims=True, whatever the caller wanted.
#
# </details>


# %% nbgrader={"grade_id": "max-var", "solution": true}
#| export
@backward_of(Max)
def max_backward(self, grad):
    a, axis = self.inputs[0].data, self.options.get("axis")
    ### BEGIN SOLUTION
    is_largest = (a == stretch(self.result, a.shape, **self.options)).astype(grad.dtype)
    ties = is_largest.sum(axis=axis, keepdims=True)
    return (stretch(grad, a.shape, **self.options) * is_largest / ties,)
    ### END SOLUTION


@backward_of(Var)
def var_backward(self, grad):
    a, axis = self.inputs[0].data, self.options.get("axis")
    ### BEGIN SOLUTION
    distance = a - a.mean(axis=axis, keepdims=True)
    count = a.size // max(grad.size, 1)
    return (stretch(grad * 2 / count, a.shape, **self.options) * distance,)
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-max-var", "grade": true, "points": 16}
def test_max_var():
    """By hand, ties, both axes and keepdims; nudging over a cube without ties."""
    for expression, x, grad, want, because in [
        ("x.max(1)", [[1, 7, 5], [-3, -2, -9]], [2, 5], [[0, 2, 0], [0, 5, 0]], "the largest"),
        ("x.max(0)", [[1, 7], [5, 2]], [2, 3], [[0, 3], [2, 0]], "the largest of each column"),
        ("x.max(1)", [[1, 7, 7], [4, 4, 4]], [6, 6], [[0, 3, 3], [2, 2, 2]], "equals share it"),
        ("x.max(1, True)", [[1, 7], [5, 2]], [[2], [3]], [[0, 2], [3, 0]], "the axis is kept"),
        ("x.var()", [1, 3, 8], 1, [-2, -2 / 3, 8 / 3], "2 (x - mean) / n"),
        ("x.var(0)", [[1, 5], [3, 9]], [1, 10], [[-1, -20], [1, 20]], "each column by itself"),
        ("x.var(1, True)", [[1, 3], [5, 9]], [[1], [10]], [[-1, 1], [-20, 20]], "the axis is kept"),
    ]:
        check_rule(expression, [x], grad, [want], because)
    cube = np.cos(np.arange(24.0)).reshape(2, 3, 4) * 5
    for axis in (None, 0, -1, (0, 2)):
        check_slopes(f"x.max({axis})", cube)
        check_slopes(f"x.var({axis})", cube)
    ### BEGIN HIDDEN TESTS
    drawn, ties = challenge.normal(size=(3, 4, 2)), challenge.integers(0, 3, size=(3, 4, 2))
    for axis in (None, 1, (0, 2)):
        grad = np.float32(challenge.normal(size=drawn.sum(axis=axis).shape))
        observe(f"max {axis}", pull(f"x.max({axis})", grad, ties)[0])
        observe(f"var {axis}", pull(f"x.var({axis})", grad, drawn)[0], rtol=1e-4)
    ### END HIDDEN TESTS


test_max_var()

# %% [markdown]
# ## Exercise 5: views and picking
# *Difficulty 3 of 5 · 16 points · 25 minutes*
#
# Reshape, transpose and permute move entries about and change none. Their gradients go back by **undoing the move**. Transposing undoes itself; a permutation does not: axis i of the result was axis `axes[i]` of the input, so axis i of `grad` goes back *to place* `axes[i]`. (`axes` may hold negative numbers.)
#
# Indexing picks entries. What was not picked gets 0; what was picked gets the gradient of its copy; and **what was picked several times gets the sum**. `x[[0, 2, 0]]` of three numbers with incoming `[1, 10, 100]` gives `[101, 0, 10]`. The trap: `full[[0, 2, 0]] += grad` reads, adds and writes each entry *once*, and the 1 is lost. `np.add.at(full, index, grad)` adds every time. It is slow, so take it where an entry can come twice. `is_basic`, given, is True for an index of numbers and slices; such an index never repeats, and assigning will do. (`full` has the size of the input, even if it is a table of 50,000 rows of which 40 were picked. For such tables module 11 uses the `RowSparseGrad` of the notebook Autograd.)
#
# **Predict first:** `permute(1, 2, 0)` turns `(2, 3, 4)` into `(3, 4, 2)`. Which permutation leads back?
#
# <details><summary>Hints</summary>
#
# `np.moveaxis(grad, sources, places)` moves axes to places; or transpose by the argsort of the axes, once they are not negative. Zeros like the input, then fill in.
#
# </details>


# %% nbgrader={"grade_id": "is-basic", "locked": true}
#| export
def is_basic(index) -> bool:
    """Whether an index is made of numbers, slices, None and ... alone: no entry comes twice."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(x is None or x is ... or isinstance(x, int | np.integer | slice) for x in parts)


# %% nbgrader={"grade_id": "views", "solution": true}
#| export
@backward_of(Permute)
def permute_backward(self, grad):
    ### BEGIN SOLUTION
    return (np.moveaxis(grad, range(grad.ndim), self.options["axes"]),)
    ### END SOLUTION


@backward_of(GetItem)
def getitem_backward(self, grad):
    index, full = self.options["index"], np.zeros_like(self.inputs[0].data)
    ### BEGIN SOLUTION
    if is_basic(index):
        full[index] = grad
    else:
        np.add.at(full, index, grad)
    return (full,)
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-views", "grade": true, "points": 16}
def test_views():
    """Entry by entry: a move undone, what was picked, how often; nudging."""
    cube, because = np.arange(24.0).reshape(2, 3, 4), "the gradient must move back"
    moves = ["reshape(4, -1)", "transpose()", "transpose(0, 2)", "permute(1, 2, 0)"]
    for expression in [f"x.{move}" for move in [*moves, "permute(-1, 0, 1)"]]:
        moved = value(expression, Tensor(cube)).data  # as a gradient it must come home
        check_rule(expression, [cube], moved, [cube], because)
    check_rule("x.transpose()", [[1, 2]], [3, 4], [[3, 4]], "a vector stays as it is")
    twice = "an entry picked twice gets both: full[index] += grad keeps one"
    for index, grad, want, because in [
        ("[0, 2, 0]", [1, 10, 100], [101, 0, 10], twice),
        ("[-1, 2, 2]", [1, 10, 100], [0, 0, 111], f"-1 and 2 are one entry, and {twice}"),
        ("1:", [1, 10], [0, 1, 10], "what was not picked gets 0"),
        ("::-1", [1, 10, 100], [100, 10, 1], "backwards, and back again"),
        ("1", 5, [0, 5, 0], "one entry was picked"),
        ("[True, False, True]", [1, 10], [1, 0, 10], "a mask picks where it is True"),
        ("None, ...", [[1, 10, 100]], [1, 10, 100], "None adds an axis, and back it goes"),
    ]:
        check_rule(f"x[{index}]", [[7, 8, 9]], grad, [want], because)
    for index in ("0, 1", ":, [1, 1]", "[0, 1, 0], [2, 2, 2]", "..., [0, 2, 2]", "[[0, 0]], :, 1:"):
        check_slopes(f"x[{index}]", cube, because="zeros, and what was picked, added up")
    ### BEGIN HIDDEN TESTS
    axes, ids = challenge.permutation(4).tolist(), challenge.integers(0, 3, size=8).tolist()
    drawn = challenge.normal(size=(4, 2, 3, 5))
    permuted, swapped = f"x.permute({axes})", f"x.transpose({axes[0]}, {axes[1]})"
    for expression in (
        permuted,
        swapped,
        f"x[{ids}]",
        f"x[{ids}, :, {ids[::-1]}]",
        "x[1:3, ..., ::2]",
    ):
        grad = np.float32(challenge.normal(size=value(expression, Tensor(drawn)).shape))
        observe(expression, pull(expression, grad, drawn)[0])
    ### END HIDDEN TESTS


test_views()

# %% [markdown]
# ## All together
# *6 points.* Layer normalisation and attention, the two ideas that a GPT is made of, as plain Tensor operations through all of your rules.


# %% nbgrader={"grade_id": "test-derivatives-module", "grade": true, "points": 6}
def attend(x, weight):
    """(batch, seq, dim) and (dim, 3 dim): for each row the mean of others, by their likeness."""
    x = (x - x.mean(-1, keepdims=True)) / (x.var(-1, keepdims=True) + 1e-5).sqrt()
    q, k, v = (x @ weight).reshape(*x.shape[:2], 3, x.shape[2]).permute(2, 0, 1, 3)
    likeness = q @ k.transpose()
    powers = (likeness - likeness.max(axis=-1, keepdims=True)).exp()
    return (powers / powers.sum(axis=-1, keepdims=True)) @ v


def test_derivatives_module():
    """All rules in one function against nudging; float32 all the way."""
    x, weight = np.cos(np.arange(24.0)).reshape(2, 3, 4), np.sin(np.arange(48.0)).reshape(4, 12)
    said = attempt(gradcheck, attend, (x, weight))
    assert said is True, f"Attention, against nudging: {said}"
    check_slopes("(x.abs().log().tanh() ** 2).mean((0, 2))", x)
    inputs = Tensor(x, requires_grad=True), Tensor(weight, requires_grad=True)
    attend(*inputs)[0, [0, 0]].sum().backward()
    for tensor in inputs:
        got = tensor.grad.shape, str(tensor.grad.dtype)
        assert got == (tensor.shape, "float32"), f"A gradient of {tensor.shape} float32 is {got}."
    assert not inputs[0].grad[1].any(), "The second of the batch was not picked: gradient 0."
    ### BEGIN HIDDEN TESTS
    drawn = challenge.normal(size=(2, 3, 4)), challenge.normal(size=(4, 12))
    inputs = [Tensor(a, requires_grad=True, dtype=np.float64) for a in drawn]
    (attend(*inputs) ** 2).sum().backward()
    for name, tensor in zip(("x", "weight"), inputs, strict=True):
        observe(name, tensor.grad, rtol=1e-6, atol=1e-8)
    ### END HIDDEN TESTS


test_derivatives_module()

# %% [markdown]
# ## Measure it: what a gradient costs
#
# The forward of `x @ w` is one product of size n. Backward there are two products of the same size, one for each operand. So a gradient should cost about **twice** its forward, and all of the training step three times; and half of the backward is saved where x is the data and needs none. Is it so?

# %%
sizes, ratios = [64, 128, 256, 512, 1024], {"both operands": [], "only the weight": []}

for n in sizes:
    a, b = np.random.default_rng(n).normal(size=(2, n, n)).astype(np.float32)
    for name, asks in zip(ratios, (True, False), strict=True):
        rule = (Tensor(a, requires_grad=asks) @ Tensor(b, requires_grad=True))._grad_fn.backward
        calls = partial(rule, a), partial(np.matmul, a, b)
        both = [min(timeit.repeat(call, number=3, repeat=5)) for call in calls]
        ratios[name].append(both[0] / both[1])
for name, ratio in ratios.items():
    plt.semilogx(sizes, ratio, "o-", base=2, label=name)
plt.gca().set(xlabel="n, for n x n matrices", ylabel="backward / forward", ylim=(0, None))
both, one = (ratio[-1] for ratio in ratios.values())
plt.title(f"Gradients cost {both:.1f} forwards, {one:.1f} when only the weight wants one")
plt.legend()
plt.show()

# %% [markdown]
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes the numbers.
#
# 1. x is `(64, 784)`, w `(784, 256)`. How many multiplications in the forward, how many for the gradient of w?
# 2. What is the gradient of `(x - x.mean()).sum()`?
#
# <details><summary>Answers</summary>
#
# 1. 12.8 million in both: N·K·M, in another order.
# 2. 0 everywhere: 1 from the x, and -1 back through the mean. The sum is 0 whatever x is.
#
# </details>

# %%
print("1.", f"{64 * 784 * 256:,}")
x = Tensor(np.random.default_rng(3).normal(size=1000), requires_grad=True)
(x - x.mean()).sum().backward()
print("2. the largest of 1000 gradients:", abs(x.grad).max())

# %% [markdown]
# ## In production
#
# PyTorch's `tools/autograd/derivatives.yaml` has the same rules in one line each: `tanh` is `grad * (1 - result * result)` up to names, `mm` is two products with a transposed operand. Its `max` along an axis also returns an index and gives that one entry all of the gradient; `amax` shares, as ours. Its `var` divides by n - 1, the gradient too.
#
# ## Recap
#
# 1. Incoming gradient times slope, the slope at the input; the result often holds it already.
# 2. `x @ y`: grad @ yᵀ and xᵀ @ grad; what served many times adds up, best in one product.
# 3. What a reduction squeezed is stretched: whole (sum), in n parts (mean), to the largest (max).
# 4. Views undo their move; picking scatters, and repeats add up.
# 5. A backward costs about two forwards.
#
# ## Further reading
#
# - M. B. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation", *Advances in Automatic Differentiation* (2008): the rule of a product and many more.
# - A. Griewank, A. Walther, *Evaluating Derivatives* (2008), chapter 4: why a gradient costs only a few forwards.
#
# **Next:** `tito module complete 05`, then the notebook Fused: softmax and losses get their rules, and a network learns for the first time.
