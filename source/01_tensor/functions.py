# %% [markdown]
# # Functions
#
# > Every operation of TinyTorch as a small class: arrays go in, an array comes out.
#
# **The question of this notebook:** what is left of a deep-learning library's operations when gradients, dtypes and devices are somebody else's business?
#
# Difficulty 2 of 5 · about 1 hour 30 minutes · 5 exercises, 40 points · prerequisites: the notebook Arrays, Python classes.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | the shape rules of `tinytorch.core.arrays`, NumPy | arithmetic, powers, `@`, reductions and views, each as a `forward` | `Tensor` (next notebook), gradients (module 05) |
#
# This is the second of three notebooks of module 01, and it ends up in `tinytorch/core/functions.py`. It imports the shape rules from your package: `tito module complete 01`, in a terminal, puts the notebook Arrays there. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.functions

# %% nbgrader={"grade_id": "setup", "locked": true}
import math
import timeit
from statistics import fmean, pvariance

import matplotlib.pyplot as plt
import numpy as np

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


def close(got, want):
    """True when both have the same shape and, to float32 precision, the same values."""
    same = not isinstance(got, str) and np.shape(got) == np.shape(want)
    return same and np.allclose(got, want, rtol=1e-5, atol=1e-6)


def run(operation, *arrays, **options):
    """What an operation makes of arrays or, as text, the error it ends in: "ValueError: ..."."""
    function = operation()
    try:
        try:
            return np.asarray(function.forward(*arrays, **options))
        except ValueError:
            function.explain(*arrays, **options)  # NumPy refused: say it better, if we can
            raise
    except NotImplementedError:
        raise  # a blank that is still to be filled
    except Exception as error:
        return f"{type(error).__name__}: {error}"


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import numpy as np

from tinytorch.core.arrays import broadcast_shape, infer_shape, matmul_shape

# %% [markdown]
# ## One operation, one class
#
# An operation is more than its result. It can go forward, from inputs to a result. One day it must go backward, from the gradient of the result to the gradients of the inputs. And when shapes do not fit it should say so in words. So each operation is a class, and each use of it an object of that class:
#
# ```
#  arrays ──▶ forward ──▶ array          this notebook
#     ▲                     ▼
#  Tensors ──── apply ──▶ Tensor         the notebook Tensor: one door for all operations
#  gradients ◀── backward ◀── gradient   module 05
# ```
#
# `forward` never sees a Tensor, only arrays and Python numbers, and it **leaves the dtype to NumPy**: whatever policy there is will be written once, at the door, and not in twenty operations. Options such as `axis` come by name. The rules you wrote in the notebook Arrays come back: NumPy checks the shapes anyway, so `forward` does not; only when NumPy has refused, `explain` asks your rule for a better sentence. The slots and the methods that raise sleep until the notebook Tensor and module 05 fill them.


# %% nbgrader={"grade_id": "function", "locked": true}
#| export
class Function:
    """One operation: `forward` takes arrays and numbers and returns an array."""

    __slots__ = ("inputs", "options", "result", "saved")

    def forward(self, *arrays, **options) -> np.ndarray:
        """What the operation computes; it may keep what backward will need in `self.saved`."""
        raise NotImplementedError(f"{type(self).__name__} has no forward yet.")

    def backward(self, grad: np.ndarray):
        """The gradients of the inputs, from that of the result; module 05 writes them."""
        raise NotImplementedError(f"{type(self).__name__}.backward is written in module 05.")

    def explain(self, *arrays, **options) -> None:
        """Raise a clearer error than NumPy's, where the operation knows one."""

    @classmethod
    def apply(cls, *inputs, **options):
        """Run forward on the arrays of Tensors, return a Tensor; the notebook Tensor writes it."""
        raise NotImplementedError("Function.apply is written in the notebook Tensor (tensor.py).")

    @staticmethod
    def backpropagate(tensor, gradient=None):
        """Walk back through the graph behind `tensor`; module 05 writes it."""
        raise NotImplementedError("Tensor.backward() is written in module 05.")


class Elementwise(Function):
    """An operation on entries at the same place: the shapes of its operands must broadcast."""

    def explain(self, a, b, **options):
        broadcast_shape(np.shape(a), np.shape(b))


# `1 / 0` is inf and flows on, as in PyTorch; NumPy would print a warning beside it.
_quiet = np.errstate(divide="ignore", invalid="ignore", over="ignore")


# The first operations are given: a forward only says what happens to the arrays.
# fmt: off
class Add(Elementwise):
    def forward(self, a, b): return a + b

class Compare(Elementwise):
    """`how` is one of NumPy's comparisons, such as np.less."""
    def forward(self, a, b, how): return how(a, b)

class Neg(Function):
    def forward(self, a): return -a

class Exp(Function):
    @_quiet
    def forward(self, a): return np.exp(a)

class Log(Function):
    @_quiet
    def forward(self, a): return np.log(a)

class Sum(Function):
    def forward(self, a, axis=None, keepdims=False): return a.sum(axis=axis, keepdims=keepdims)

class GetItem(Function):
    """Indexing as in NumPy: slices give views, index arrays and masks give copies."""
    def forward(self, a, index): return a[index]
# fmt: on


# %% [markdown]
# ## Exercise 1: arithmetic
# *Difficulty 1 of 5 · 6 points · 10 minutes*
#
# Write `Sub`, `Mul` and `Div`. Two traps: `10 - t` will arrive as `Sub` of `10` and `t`, so keep the order. And dividing by 0 is no accident in a network: `1 / 0` is `inf`, `0 / 0` is `nan`, and these values must flow on and say where they went.
#
# **Predict first:** `a` is a float32 array, `ids` an int64 array. What are the dtypes of `a - 0.5`, `ids * 2` and `ids / 2`?


# %% nbgrader={"grade_id": "arithmetic", "solution": true}
#| export
class Sub(Elementwise):
    def forward(self, a, b):
        ### BEGIN SOLUTION
        return a - b
        ### END SOLUTION


class Mul(Elementwise):
    def forward(self, a, b):
        ### BEGIN SOLUTION
        return a * b
        ### END SOLUTION


class Div(Elementwise):
    @_quiet
    def forward(self, a, b):
        ### BEGIN SOLUTION
        return a / b
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-arithmetic", "grade": true, "points": 6}
def test_arithmetic():
    """Values both ways round, integers, float64, and a refusal in the words of your rule."""
    t, ids, row = np.float32([[1, 2], [4, 8]]), np.array([6, 7]), np.float32([1, 0])
    for text, operation, a, b, want, because in [
        ("t - row", Sub, t, row, [[0, 2], [3, 8]], "the right operand is taken from the left one"),
        ("10 - t", Sub, 10, t, [[9, 8], [6, 2]], "the operands arrive in their order: keep it"),
        ("row - t", Sub, row, t, [[0, -2], [-3, -8]], "differences have a sign"),
        ("t * row", Mul, t, row, [[1, 0], [4, 0]], "multiply entry by entry"),
        ("-3 * row", Mul, -3, row, [-3, 0], "multiply entry by entry"),
        ("8 / t", Div, 8, t, [[8, 4], [2, 1]], "the operands arrive in their order: keep it"),
        ("ids / 4", Div, ids, 4, [1.5, 1.75], "/ divides integers into fractions"),
        ("1 / row", Div, 1, row, [1, np.inf], "1 / 0 is inf and flows on"),
    ]:
        got = run(operation, a, b)
        operands = f"{np.asarray(a).tolist()} and {np.asarray(b).tolist()}"
        assert close(got, want), f"{text}, {operands}, gave {got}, not {want}: {because}."
    for text, got in [("ids - 1", run(Sub, ids, 1)), ("ids * ids", run(Mul, ids, ids))]:
        assert got.dtype == "int64", f"{text} is {got.dtype}: integers stay integers; do not cast."
    exact = run(Mul, np.array([0.1]), 3).item()
    assert exact == 0.1 * 3, f"0.1 * 3 in float64 gave {exact}: leave the dtype to NumPy."
    said = str(run(Mul, np.ones((2, 3)), np.ones((2, 2))))
    assert "(2, 3)" in said, f"(2, 3) * (2, 2) must be refused in your words. Got: {said}"
    ### BEGIN HIDDEN TESTS
    a = challenge.normal(size=(3, 1, 2)).astype(np.float32)
    b = challenge.uniform(1, 2, size=(4, 1)).astype(np.float32)
    ids = challenge.integers(1, 9, size=2)
    for operation in (Sub, Mul, Div):
        observe(operation.__name__, run(operation, a, b))
        observe(f"{operation.__name__} turned", run(operation, 3, b))
        observe(f"{operation.__name__} of ids", run(operation, np.array([7, 1]), ids))
    ### END HIDDEN TESTS


test_arithmetic()

# %% [markdown]
# ## Exercise 2: entry by entry
# *Difficulty 2 of 5 · 8 points · 15 minutes*
#
# Write `Sqrt`, `Tanh`, `Abs` and `Pow`. The first three are one NumPy call each. Powers have a trap. NumPy computes `x**3` by its general power function, which must be ready for any exponent and costs more than `x * x * x`, for the same numbers: on many machines tens of times more where the entries are negative, as half the entries in a network are. Cubes sit in the middle of every GPT (module 02: GELU), so exponents 2 and 3 **must be done by multiplication**. Everything else goes to `a**exponent`. The exponent is a Python number. A tensor to the power of a tensor will be `(b * a.log()).exp()`; this keeps `Pow`'s gradient to one rule.
#
# **Predict first:** what is `(-2.0) ** 3`, and what would you get from the exponential of `3 * log(-2.0)`?
#
# <details><summary>Hints</summary>
#
# 1. `np.sqrt`, `np.tanh`, `np.abs`.
# 2. The formula of tanh with two exponentials overflows at 100; `np.tanh` does not.
# 3. `-a` is right for negative entries only.
#
# </details>


# %% nbgrader={"grade_id": "entrywise", "solution": true}
#| export
class Sqrt(Function):
    @_quiet
    def forward(self, a):
        ### BEGIN SOLUTION
        return np.sqrt(a)
        ### END SOLUTION


class Tanh(Function):
    def forward(self, a):
        ### BEGIN SOLUTION
        return np.tanh(a)
        ### END SOLUTION


class Abs(Function):
    def forward(self, a):
        ### BEGIN SOLUTION
        return np.abs(a)
        ### END SOLUTION


class Pow(Function):
    @_quiet
    def forward(self, a, exponent):
        if not isinstance(exponent, int | float | np.number):
            raise TypeError("The exponent must be a number: for a**b write (b * a.log()).exp().")
        ### BEGIN SOLUTION
        if exponent == 2:
            return a * a
        if exponent == 3:
            return a * a * a  # 0.6 ms for a million normal float32, a**3 50 ms
        return a**exponent
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-entrywise", "grade": true, "points": 8}
class NoPower(np.ndarray):
    """An array that refuses NumPy's general power function."""

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        assert ufunc is not np.power, f"** {inputs[1]} went to NumPy's slow power: multiply."
        return getattr(ufunc, method)(*map(np.asarray, inputs), **options)


def test_entrywise():
    """Against Python's math, at the edges, and no general power for squares and cubes."""
    numbers = [0.25, 1.0, 2.5]
    t, signed, far = np.float32(numbers), np.float32([-2, 0.5, 3]), np.float32([-100, 100])
    for text, got, want in [
        ("sqrt(t)", run(Sqrt, t), [math.sqrt(x) for x in numbers]),
        ("tanh(signed)", run(Tanh, signed), [math.tanh(x) for x in (-2, 0.5, 3)]),
        ("tanh of -100 and 100", run(Tanh, far), [-1, 1]),
        ("abs(signed)", run(Abs, signed), [2, 0.5, 3]),
        ("signed**2", run(Pow, signed, exponent=2), [4, 0.25, 9]),
        ("signed**3", run(Pow, signed, exponent=3), [-8, 0.125, 27]),
        ("signed**-1", run(Pow, signed, exponent=-1), [-0.5, 2, 1 / 3]),
        ("t**1.5", run(Pow, t, exponent=1.5), [x**1.5 for x in numbers]),
        ("signed**0", run(Pow, signed, exponent=0), [1, 1, 1]),
    ]:
        assert close(got, want), f"{text} gave {got}, not {want}; t is {t}, signed {signed}."
    for operation, options in [(Pow, {"exponent": 2}), (Pow, {"exponent": 3}), (Abs, {})]:
        got, name = run(operation, np.array([2, 3]), **options), operation.__name__
        assert got.dtype == "int64", f"{name}({options}) made integers {got.dtype}: do not cast."
    for exponent in (2, 3):
        Pow().forward(np.ones(2).view(NoPower), exponent=exponent)
    ### BEGIN HIDDEN TESTS
    drawn = challenge.normal(size=(2, 3)).astype(np.float32)
    far = np.abs(drawn) + 0.5
    for operation, array in [(Sqrt, far), (Tanh, drawn), (Abs, drawn)]:
        observe(operation.__name__, run(operation, array), rtol=1e-4)
    for exponent, array in [(2, drawn), (3, drawn), (0.3, far), (-2, far)]:
        observe(f"power {exponent}", run(Pow, array, exponent=exponent), rtol=1e-4)
    ### END HIDDEN TESTS


test_entrywise()

# %% [markdown]
# ## Exercise 3: matrix multiplication
# *Difficulty 1 of 5 · 6 points · 10 minutes*
#
# Nearly all the time of a network is spent in this one operation. Your `matmul_shape` knows its shapes; the numbers are sums, `a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + ...`, and NumPy hands them to a BLAS library, tuned for your processor over decades. NumPy has several functions that multiply matrices (`np.dot`, `np.inner`, `np.matmul`), and on more than two dimensions they disagree. You want the one that keeps a stack a stack, so that `(5, 2, 3) @ (5, 3, 4)` is `(5, 2, 4)`, and that refuses a number as operand.
#
# **Predict first:** `np.dot` of arrays of shapes `(5, 2, 3)` and `(5, 3, 4)`: which shape comes out?


# %% nbgrader={"grade_id": "matmul", "solution": true}
#| export
class MatMul(Function):
    """Matrix product over the last two dimensions, as np.matmul; vectors and stacks included."""

    def forward(self, a, b):
        ### BEGIN SOLUTION
        return np.matmul(a, b)
        ### END SOLUTION

    def explain(self, a, b):
        matmul_shape(np.shape(a), np.shape(b))


# %% nbgrader={"grade_id": "test-matmul", "grade": true, "points": 6}
def test_matmul():
    """Products against loops, vectors and stacks included; a number is refused in your words."""
    a, b = np.arange(6, dtype=np.float32).reshape(2, 3), np.arange(-5.0, 7).reshape(3, 4)
    loops = [[sum(a[i, k] * b[k, j] for k in range(3)) for j in range(4)] for i in range(2)]
    loops, two = np.array(loops), np.float32([1, 2]).reshape(2, 1, 1)
    for left, right, want, because in [
        (a, b, loops, "row i times column j, summed"),
        (a[1], b, loops[1], "a vector on the left is one row"),
        (a, b[:, 2], loops[:, 2], "a vector on the right is one column"),
        (a[1], b[:, 2], loops[1, 2], "two vectors give one number"),
        (two * a, two * b, two * two * loops, "matrix by matrix through the stack"),
    ]:
        got, shapes = run(MatMul, left, right), f"{left.shape} @ {right.shape}"
        assert close(got, want), f"{shapes}: {because}. It gave {got}, loops say {want}."
    for left, right in [(a, 3.0), (3.0, a), (a, a)]:
        said, shapes = str(run(MatMul, left, right)), [str(np.shape(x)) for x in (left, right)]
        pair = " @ ".join(shapes)
        assert all(x in said for x in shapes), f"{pair}: refuse it, naming both. Got: {said}"
    ### BEGIN HIDDEN TESTS
    n, k, m = challenge.integers(2, 6, size=3).tolist()
    a, b = challenge.normal(size=(4, 1, n, k)), challenge.normal(size=(3, k, m))
    for name, left, right in [("stack", a, b), ("row", a[0, 0, 0], b), ("column", a, b[0, :, 0])]:
        observe(name, run(MatMul, left, right), rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_matmul()

# %% [markdown]
# ## Exercise 4: reductions
# *Difficulty 2 of 5 · 10 points · 25 minutes*
#
# A reduction makes many entries into one along an axis, and that axis disappears, unless `keepdims=True` keeps it with size 1: then the result still broadcasts against what it came from, as in `x - x.mean(axis=1, keepdims=True)`.
#
# ```
#  x = [[1, 2, 6],      x.sum(axis=0) = [5, 7, 15]     walk down the rows:      (2, 3) -> (3,)
#       [4, 5, 9]]      x.sum(axis=1) = [9, 18]        walk along the columns:  (2, 3) -> (2,)
# ```
#
# `Sum` is given. `var` is the mean of the squared distances from the mean: the variance *of these n entries*. PyTorch's default divides by n - 1 instead of n, to estimate the variance of the population that a sample came from; layer normalisation (module 13) wants n. Compute it in **two passes**, first the mean and then the distances. The shortcut `mean(x * x) - mean(x) ** 2` subtracts two huge, nearly equal numbers, and float32 has 7 digits to do it with.
#
# **Predict first:** what is the variance of `[10000, 10001, 10002]`? float32 cannot tell 10001 * 10001 = 100020001 from 100020000: what will the shortcut answer?
#
# <details><summary>Hints</summary>
#
# 1. Arrays have `.sum`, `.mean`, `.max`, all with `axis=` and `keepdims=`.
# 2. In `Var` the mean must broadcast against `a`: keep its dimensions, whatever the caller wants for the result.
#
# </details>


# %% nbgrader={"grade_id": "reductions", "solution": true}
#| export
class Mean(Function):
    def forward(self, a, axis=None, keepdims=False):
        ### BEGIN SOLUTION
        return a.mean(axis=axis, keepdims=keepdims)
        ### END SOLUTION


class Max(Function):
    """The largest values (PyTorch's max along an axis also returns where they are)."""

    def forward(self, a, axis=None, keepdims=False):
        ### BEGIN SOLUTION
        return a.max(axis=axis, keepdims=keepdims)
        ### END SOLUTION

    def explain(self, a, axis=None, keepdims=False):
        if a.size == 0:
            raise ValueError(f"The max of no entries (shape {a.shape}) does not exist.")


class Var(Function):
    def forward(self, a, axis=None, keepdims=False):
        ### BEGIN SOLUTION
        distance = a - a.mean(axis=axis, keepdims=True)
        return (distance * distance).mean(axis=axis, keepdims=keepdims)
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-reductions", "grade": true, "points": 10}
def test_reductions():
    """Against Python's statistics, along every axis, with and without keepdims; variance in two passes."""
    rows = [[1.0, 2.0, 6.0], [-4.0, -5.0, -8.0]]
    array = np.float32(rows)
    for operation, by_hand in [(Mean, fmean), (Max, max), (Var, pvariance)]:
        whole, name = by_hand(rows[0] + rows[1]), operation.__name__
        down = [by_hand(column) for column in zip(*rows, strict=True)]
        along = [by_hand(row) for row in rows]
        for axis, want in [(None, whole), (0, down), (-1, along), ((0, 1), whole)]:
            got = run(operation, array, axis=axis)
            assert close(got, want), f"{name}(axis={axis}) of {rows} gave {got}, not {want}."
        kept, want = run(operation, array, axis=1, keepdims=True), [[along[0]], [along[1]]]
        assert close(kept, want), f"{name}(axis=1, keepdims=True) gave {kept}, not {want}."
    large = run(Var, np.float32([10000, 10001, 10002]))
    assert abs(large - 2 / 3) < 1e-3, f"var of 10000, 10001, 10002 gave {large}: use two passes."
    assert close(run(Mean, np.array([1, 2])), 1.5), "The mean of the integers 1 and 2 is 1.5."
    assert run(Max, np.array([3, 9])).dtype == "int64", "The max of integers is one of them."
    said = str(run(Max, np.ones((0, 3))))
    assert "(0, 3)" in said, f"No entries, no max: let NumPy refuse. Got: {said}"
    ### BEGIN HIDDEN TESTS
    drawn = challenge.normal(size=(2, 3, 4)).astype(np.float32) - 2
    for operation in (Mean, Max, Var):
        for axis in (None, 1, (0, 2)):
            got = run(operation, drawn, axis=axis, keepdims=bool(challenge.integers(0, 2)))
            observe(f"{operation.__name__} {axis}", got, rtol=1e-4)
    ### END HIDDEN TESTS


test_reductions()

# %%
means, noise = 10.0 ** np.arange(1, 6), np.random.default_rng(2).normal(size=1000)
samples = [(mean + noise).astype(np.float32) for mean in means]
true = np.array([np.var(x, dtype=np.float64) for x in samples])
shortcut = np.array([(x * x).mean() - x.mean() ** 2 for x in samples])
plt.loglog(means, abs([run(Var, x) for x in samples] - true), "o-", label="two passes")
plt.loglog(means, abs(shortcut - true), "s--", label="mean(x * x) - mean(x) ** 2")
plt.axhline(1, ls=":", color="gray", label="the variance itself")
plt.gca().set(xlabel="mean of the entries", ylabel="error of the variance")
plt.title(f"At {means[-1]:,.0f} plus noise of variance 1 the shortcut says {shortcut[-1]:,.0f}")
plt.legend()
plt.show()

# %% [markdown]
# ## Exercise 5: views
# *Difficulty 3 of 5 · 10 points · 30 minutes*
#
# Three operations that move no entry and copy nothing: they return NumPy's views, as you saw them in the notebook Arrays.
#
# - `Reshape`: the same entries in the same reading order, in another shape, a -1 included. `a.shape = ...` would change the caller's array: do not.
# - `Transpose(dim0, dim1)`: swaps two axes; without them, the last two, so that a stack of matrices stays a stack (NumPy's `.T` reverses *all* axes). A vector has no two axes and stays as it is.
# - `Permute(axes)`: axis `i` of the result is axis `axes[i]` of the input. Attention (module 12) turns `(batch, seq, heads, dim)` into `(batch, heads, seq, dim)` this way.
#
# **Predict first:** the shape of the permutation `(2, 0, 1)` of a `(2, 3, 4)` array, and its strides in float32?
#
# <details><summary>Hints</summary>
#
# 1. `a.reshape(shape)`, `np.swapaxes(a, i, j)` and `np.transpose(a, axes)` return views.
# 2. `a.ndim` tells whether there are two axes.
#
# </details>


# %% nbgrader={"grade_id": "views", "solution": true}
#| export
class Reshape(Function):
    def forward(self, a, shape):
        ### BEGIN SOLUTION
        return a.reshape(shape)
        ### END SOLUTION

    def explain(self, a, shape):
        infer_shape(a.shape, shape)


class Transpose(Function):
    def forward(self, a, dim0=None, dim1=None):
        if (dim0 is None) != (dim1 is None):
            raise ValueError("transpose takes two axes, or none for the last two; it got one.")
        ### BEGIN SOLUTION
        if dim0 is None and dim1 is None:
            if a.ndim < 2:
                return a
            dim0, dim1 = -2, -1
        return np.swapaxes(a, dim0, dim1)
        ### END SOLUTION


class Permute(Function):
    def forward(self, a, axes):
        ### BEGIN SOLUTION
        return np.transpose(a, axes)
        ### END SOLUTION

    def explain(self, a, axes):
        raise ValueError(f"permute needs each axis of {a.shape} once, got {axes}.")


# %% nbgrader={"grade_id": "test-views", "grade": true, "points": 10}
def test_views():
    """Entry by entry against the definition; strides moved, nothing copied; refusals."""
    array = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for shape, want in [((6, 4), (6, 4)), ((4, -1), (4, 6)), ((-1,), (24,))]:
        got = run(Reshape, array, shape=shape)
        assert np.shape(got) == want, f"reshape{shape} of {array.shape} gave {got}."
        assert close(got.ravel(), range(24)), f"Keep the reading order; reshape{shape} gave {got}."
        assert np.shares_memory(got, array), "A reshaped contiguous array is a view: do not copy."
    assert array.shape == (2, 3, 4), f"reshape changed the shape of its input to {array.shape}."
    turned = run(Reshape, np.float32([[1, 2, 3], [4, 5, 6]]).T, shape=(6,))
    assert close(turned, [1, 4, 2, 5, 3, 6]), f"A transposed array is read by rows, not {turned}."
    said = str(run(Reshape, array, shape=(5, -1)))
    assert "(2, 3, 4)" in said, f"(2, 3, 4) into (5, -1): refuse in your words. Got: {said}"
    last, first = run(Transpose, array), run(Transpose, array, dim0=0, dim1=1)
    ends, turned = run(Transpose, array, dim0=-1, dim1=0), run(Permute, array, axes=(2, 0, 1))
    for name, got, want in [
        ("transpose()", last, (2, 4, 3)),
        ("transpose(0, 1)", first, (3, 2, 4)),
        ("transpose(-1, 0)", ends, (4, 3, 2)),
        ("permute(2, 0, 1)", turned, (4, 2, 3)),
    ]:
        assert np.shape(got) == want, f"{name} of (2, 3, 4) is {want}, not {np.shape(got)}: {got}"
        assert np.shares_memory(got, array), f"{name} must be a view: reorder, do not copy."
    for (i, j, k), value in np.ndenumerate(array):
        assert last[i, k, j] == value, "transpose() swaps the last two axes, no others."
        assert first[j, i, k] == value, "transpose(0, 1) swaps the first two axes."
        assert turned[k, i, j] == value, "Axis i of the result is axis axes[i] of the input."
    assert turned.strides == (4, 48, 16), f"Strides {turned.strides}: they only change places."
    for small in (np.float32([1, 2]), np.asarray(3.0)):
        got = run(Transpose, small)
        assert close(got, small), f"{small} has no two axes and stays as it is. Got: {got}"
    said = str(run(Permute, array, axes=(0, 0, 1)))
    assert "(0, 0, 1)" in said, f"permute(0, 0, 1) repeats an axis: let NumPy refuse. Got: {said}"
    ### BEGIN HIDDEN TESTS
    drawn, axes = challenge.normal(size=(2, 3, 4, 5)), challenge.permutation(4).tolist()
    observe("reshape", run(Reshape, drawn, shape=(4, -1, 3)))
    observe("last two", run(Transpose, drawn))
    observe("swapped", run(Transpose, drawn, dim0=axes[0], dim1=axes[1]))
    observe("permuted", run(Permute, drawn, axes=tuple(axes)))
    observe("vector", run(Transpose, drawn[0, 0, 0]))
    ### END HIDDEN TESTS


test_views()

# %% [markdown]
# ## Measure it: what an operation costs
#
# A million float32 numbers, 4 MB, go through some of your operations once. A view should cost nothing, a sum the way through memory, a hyperbolic tangent the computing. And where does a power land that is not done by multiplication? Half of our numbers are negative; for comparison it also gets their absolute values.

# %%
x = np.random.default_rng(1).normal(size=(1000, 1000)).astype(np.float32)
calls = {
    "Transpose": lambda: run(Transpose, x),
    "Add": lambda: run(Add, x, x),
    "Pow, 3": lambda: run(Pow, x, exponent=3),
    "Tanh": lambda: run(Tanh, x),
    "abs(x)**3": lambda: np.abs(x) ** 3,
    "x**3": lambda: x**3,
    "MatMul": lambda: run(MatMul, x, x),
}
costs = {name: min(timeit.repeat(calls[name], number=1, repeat=5)) * 1e3 for name in calls}
bars = plt.barh(list(costs), list(costs.values()))
plt.bar_label(bars, [f"{ms:.2g} ms" for ms in costs.values()], padding=3)
plt.gca().set(xscale="log", xlabel="milliseconds for 1000 x 1000 float32", xlim=(None, 1e3))
plt.title(f"x**3 takes {costs['x**3'] / costs['Pow, 3']:.0f} times as long as x * x * x")
plt.show()

# %% [markdown]
# Each entry of the matrix product takes 1000 multiplications and additions: divide its time by 1000, and each comes cheaper than the one addition of `Add`. The reason is traffic. `Add` fetches two numbers for one sum. A product of two n x n matrices uses each number n times, and a good BLAS keeps it near the processor meanwhile. Networks are built of matrix products because that is what processors do best.
#
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. `x` has shape `(32, 10, 64)`. Which shapes do `mean(axis=-1)` and `mean(axis=-1, keepdims=True)` have, and which of them can be subtracted from `x`?
# 2. The variance of `[1, 3]` with n and with n - 1?
# 3. `a` is the array `[[0, 1, 2], [3, 4, 5]]`. Its transpose and its reshape to `(3, 2)` have one shape. Are they equal?
#
# <details><summary>Answers</summary>
#
# 1. `(32, 10)` and `(32, 10, 1)`: only the second; `(32, 10)` meets `(32, 10, 64)` from the right.
# 2. 1 and 2: the squared distances are 1 and 1, their sum 2.
# 3. No: the transpose begins with the column `[0, 3]`, the reshape reads on in the row, `[0, 1]`.
#
# </details>

# %%
x = np.ones((32, 10, 64))
for mean in (run(Mean, x, axis=-1), run(Mean, x, axis=-1, keepdims=True)):
    print("1.", mean.shape, getattr(run(Sub, x, mean), "shape", "refused"))
print("2.", run(Var, np.array([1, 3])), np.var([1, 3], ddof=1))
a = np.arange(6).reshape(2, 3)
print("3.", run(Transpose, a).tolist(), run(Reshape, a, shape=(3, 2)).tolist())

# %% [markdown]
# ## Recap
#
# 1. An operation is a class: forward now, backward in module 05; each use is an object.
# 2. forward sees arrays and numbers, keeps their order, and leaves the dtype alone.
# 3. Squares and cubes are multiplications; variance takes two passes.
# 4. A reduction removes its axis; keepdims keeps it with size 1, for broadcasting.
# 5. Reshape and transpose copy nothing, and they are not the same.
#
# ## Further reading
#
# - T. F. Chan, G. H. Golub, R. J. LeVeque, "Algorithms for computing the sample variance", *The American Statistician* 37 (1983).
# - K. Goto, R. A. van de Geijn, "Anatomy of high-performance matrix multiplication", *ACM Transactions on Mathematical Software* 34 (2008): what happens inside the BLAS.
#
# **Next:** `tito module complete 01` once more, then the notebook Tensor. It puts an array and its story into one object, and builds the door that leads from there to these operations.
