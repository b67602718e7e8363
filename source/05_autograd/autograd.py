# %% [markdown]
# # Autograd
#
# > Two tools around the walk: gradients that take memory for used rows alone, and a check that finds wrong rules.
#
# **The question of this notebook:** the walk works. How do we keep it cheap where nearly all gradients are zero, and how do we know that a rule is right?
#
# Difficulty 3 of 5 · about 1 hour · 3 exercises and a test over the notebook, 100 points · prerequisites: the notebooks Arithmetic and Autodiff.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | `Tensor.backward()`, rules for `+`, `-`, `*`, `/` | the gradient of a table of which few rows were used; `gradcheck` | the rules of the other operations (next notebook), `Embedding` (module 11) |
#
# This is the third of five notebooks of module 05, and it ends up in `tinytorch/core/autograd.py`. It imports the two notebooks before it and module 01 from your package; what module 05 has built so far can be imported from here. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.autograd

# %% nbgrader={"grade_id": "setup", "locked": true}
import timeit

import matplotlib.pyplot as plt
import numpy as np

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


def close(got, want, rtol=1e-4, atol=1e-5):
    """True when both have the same shape and, nearly to float32 precision, the same values."""
    same = not isinstance(got, str) and np.shape(got) == np.shape(want)
    return got is not None and same and np.allclose(got, want, rtol=rtol, atol=atol)


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
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from tinytorch.core.arithmetic import backward_of as backward_of
from tinytorch.core.autodiff import backpropagate as backpropagate
from tinytorch.core.autodiff import count_uses as count_uses
from tinytorch.core.functions import Function as Function
from tinytorch.core.tensor import Tensor, no_grad

# %% [markdown]
# ## Exercise 1: gradients of a few rows
# *Difficulty 3 of 5 · 25 points · 15 minutes*
#
# Module 11 looks up rows of a table: 4096 token ids, a table of 50,000 rows of 512. Backward, only the rows that were looked up have a gradient. As a full array it would take 50,000 * 512 * 4 bytes = **102 MB, nearly all zeros**, made anew in every step; the rows alone take at most 4096 * 512 * 4 = 8.4 MB. So a gradient may be a `RowSparseGrad`: which rows, and their values.
#
# One thing needs care. An id that occurs twice has two gradients, and they **add up**: `grad[ids] += values` writes both onto the same old value, and the last one wins. Write `sum_repeats(ids, values)`: each id once, ascending, and the sums.
#
# By hand: ids `[7, 2, 7]` with the values `[[1, 1], [5, 5], [10, 20]]` give rows `[2, 7]` and sums `[[5, 5], [11, 21]]`.
#
# <details><summary>Hints</summary>
#
# `np.unique(ids, return_inverse=True)` gives the rows and, for each id, which of them it is. `np.add.at(sums, which, values)` adds without losing repeats; a loop is right, too.
#
# </details>


# %% nbgrader={"grade_id": "sum-repeats", "solution": true}
#| export
def sum_repeats(ids: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each id once, ascending, and the sums of their values: (N,), (N, ...) -> (R,), (R, ...).

    Neither ids nor values are changed, and the sums keep the dtype of the values.
    """
    ### BEGIN SOLUTION
    rows, which = np.unique(ids, return_inverse=True)
    sums = np.zeros((len(rows), *values.shape[1:]), values.dtype)
    np.add.at(sums, which, values)
    return rows, sums
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-sum-repeats", "grade": true, "points": 25}
def test_sum_repeats():
    """By hand, then against a dictionary; none, many and one; nothing changed, float32 kept."""
    for ids, values, rows, sums, because in [
        ([7, 2, 7], [[1, 1], [5, 5], [10, 20]], [2, 7], [[5, 5], [11, 21]], "the two 7s add up"),
        ([3, 3, 3, 3], [1, 2, 4, 8], [3], [15], "four values of one id"),
        ([9, 0, 4], [1, 2, 3], [0, 4, 9], [2, 3, 1], "rows ascend, values go with them"),
        ([5], [[[1, 2]]], [5], [[[1, 2]]], "values may have any number of dimensions"),
    ]:
        given = np.array(ids), np.array(values, np.float32)
        got = attempt(sum_repeats, *given)
        assert isinstance(got, tuple | list), f"{ids}, {values}: return rows and sums. Got {got}"
        right = close(got[0], rows) and close(got[1], sums)
        says = f"ids {ids}, values {values}: {rows} and {sums}: {because}. Got {got}"
        assert right, says
        assert got[1].dtype == "float32", f"The sums of float32 values are {got[1].dtype}."
        assert close(given[0], ids), f"The ids were changed to {given[0]}."
        assert close(given[1], values), f"The values were changed to {given[1]}."
    none = attempt(sum_repeats, np.zeros(0, np.int64), np.zeros((0, 2), np.float32))
    shapes = [np.shape(x) for x in none]
    assert shapes == [(0,), (0, 2)], f"No ids: no rows, sums of shape (0, 2). Got {none}"
    ### BEGIN HIDDEN TESTS
    ids = challenge.integers(0, 6, size=20)
    values = challenge.normal(size=(20, 3)).astype(np.float32)
    rows, sums = sum_repeats(ids, values)
    observe("rows", rows)
    observe("sums", sums, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_sum_repeats()

# %% [markdown]
# Yours is readable. The one that `RowSparseGrad` uses is faster, because `np.unique` and `np.add.at` look at one value at a time: it sorts once, copies the first value of each id, and adds the second values of all ids at once, then the third ones. Few ids are frequent; they are summed one by one. Both must agree to the last row, which the test of the whole checks.


# %% nbgrader={"grade_id": "row-sparse", "locked": true}
#| export
def sum_repeats_fast(ids: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`sum_repeats`, several times as fast for rows of many entries."""
    order = np.argsort(ids, kind="stable")
    ordered = ids[order]
    first = np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))  # where a new id begins
    counts = np.diff(first, append=len(ids))
    sums = values[order[first]]
    for k in range(1, min(counts.max(initial=0), 8)):
        more = np.flatnonzero(counts > k)
        sums[more] += values[order[first[more] + k]]
    for i in np.flatnonzero(counts > 8):
        sums[i] += values[order[first[i] + 8 : first[i] + counts[i]]].sum(axis=0)
    return ordered[first], sums


class RowSparseGrad:
    """The gradient of a table (V, ...) of which few rows were used: it takes memory for those alone.

    ids: whole numbers in [0, V), of any shape; values: of shape ids.shape + table.shape[1:].
    An id may come more than once: its values are added up as soon as somebody looks.
    `np.asarray(grad)`, `+` and `grad *= 0.5` work as with an array.
    """

    __slots__ = ("_ids", "_summed", "_values", "shape")
    __array_ufunc__ = None  # makes NumPy hand `array + grad` over to __radd__

    def __init__(self, ids: np.ndarray, values: np.ndarray, shape: tuple[int, ...]):
        self.shape, self._summed = tuple(shape), False
        self._ids, self._values = np.reshape(ids, -1), np.reshape(values, (-1, *self.shape[1:]))

    # fmt: off
    dtype = property(lambda self: self._values.dtype)
    ndim = property(lambda self: len(self.shape))
    rows = property(lambda self: self._looked()._ids)  # the rows that have a gradient: (R,)
    values = property(lambda self: self._looked()._values)  # their gradients: (R, ...)
    # fmt: on

    def _looked(self):
        if not self._summed:
            self._ids, self._values = sum_repeats_fast(self._ids, self._values)
            self._summed = True
        return self

    def copy(self):
        return RowSparseGrad(self._ids.copy(), self._values.copy(), self.shape)

    def to_dense(self) -> np.ndarray:
        dense = np.zeros(self.shape, self.dtype)
        dense[self.rows] = self.values
        return dense

    def __array__(self, dtype=None, copy=None):
        return self.to_dense().astype(dtype or self.dtype, copy=False)

    def __add__(self, other):
        if isinstance(other, RowSparseGrad):
            ids = np.concatenate([self._ids, other._ids])
            return RowSparseGrad(ids, np.concatenate([self._values, other._values]), self.shape)
        total = np.array(other)
        total[self.rows] += self.values
        return total

    __radd__ = __add__

    def __imul__(self, scale: float):
        self.values[...] *= scale
        return self


# %%
ids, wide = np.random.default_rng(0).zipf(1.3, size=4096) % 50_000, np.ones((4096, 512), np.float32)
grad = RowSparseGrad(ids, wide, (50_000, 512))
print(f"rows {grad.values.nbytes / 1e6:.1f} MB, dense {50_000 * 512 * 4 / 1e6:.1f} MB")
for way in (sum_repeats, sum_repeats_fast):
    seconds = min(timeit.repeat(lambda way=way: way(ids, wide), number=1, repeat=3))
    print(f"{way.__name__}: {seconds * 1e3:.1f} ms")

# %% [markdown]
# ## Exercise 2: nudging along a direction
# *Difficulty 3 of 5 · 25 points · 20 minutes*
#
# A wrong rule does not crash, it learns badly. `gradcheck` is the tool against it: it holds `backward()` against nudging, for any function of Tensors. It will be used for every operation from here to the end of the course; keep it for your own.
#
# Nudging each entry is slow. One **random direction** says nearly as much: move all entries of an input at once, along u, and see how fast the result moves. The gradient predicts that speed: it is the sum of `grad * u`. Only a wrong gradient that happens to be at a right angle to u would escape.
#
# - **Both ways.** f(x + h) - f(x - h) over 2h is wrong by h² times something, the one-sided (f(x + h) - f(x)) / h by h times something.
# - **float64.** With h = 1e-6 the two results agree in their first digits, and subtracting leaves only the last ones: float32 has none to spare. `gradcheck` makes float64 copies; `slope_along` uses the dtype it finds.
#
# <details><summary>Hints</summary>
#
# `value()` computes the result from what `x.data` holds at the moment. Set `x.data` to a new array, ask, and in the end give the old array back.
#
# </details>


# %% nbgrader={"grade_id": "slope-along", "solution": true}
#| export
def slope_along(
    value: Callable[[], float], x: Tensor, direction: np.ndarray, eps: float = 1e-6
) -> float:
    """How fast value() moves while x.data moves along `direction`, by a step of eps either way.

    Afterwards x.data is the array that it was.
    """
    ### BEGIN SOLUTION
    before = x.data
    x.data = before + eps * direction
    above = value()
    x.data = before - eps * direction
    below = value()
    x.data = before
    return (above - below) / (2 * eps)
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-slope-along", "grade": true, "points": 25}
def test_slope_along():
    """Exact slopes of a cube, along an axis and across; the array given back."""
    x = Tensor([2.0, 3.0], dtype=np.float64)
    before = x.data
    for direction, eps, want, because in [
        ([1.0, 0.0], 1e-2, 12.0001, "12, and 0.01 * 0.01 for the step: go both ways"),
        ([0.0, 1.0], 1e-2, 27.0001, "27, and 0.01 * 0.01 for the step: go both ways"),
        ([1.0, -2.0], 1e-2, -42.0007, "12 - 2 * 27, and -7 * 0.0001: move all entries at once"),
        ([0.0, 0.0], 1e-2, 0, "nothing moves"),
        ([1.0, 1.0], 1e-6, 39, "12 + 27"),
    ]:
        got = attempt(slope_along, lambda: (x * x * x).data.sum(), x, np.array(direction), eps)
        says = f"x * x * x at (2, 3) along {direction}, eps {eps}: {want}, not {got}: {because}."
        assert close(got, want, rtol=1e-8, atol=1e-8), says
        assert x.data is before, "Afterwards x.data must be the very array that it was."
        assert close(before, [2, 3]), f"The array itself was changed, to {before}."
    ### BEGIN HIDDEN TESTS
    drawn, direction = challenge.uniform(1, 2, size=(2, 3, 2))
    t = Tensor(drawn, dtype=np.float64)
    slope = slope_along(lambda: float((t * t / (t + 1)).data.sum()), t, direction, 1e-3)
    observe("slope", slope, rtol=1e-8)
    ### END HIDDEN TESTS


test_slope_along()

# %% [markdown]
# ## Exercise 3: the verdict
# *Difficulty 2 of 5 · 30 points · 15 minutes*
#
# Most of `gradcheck` is plumbing: copies in float64, one way back from random weights, and `value()`, the result times these weights, summed, so that the speed of one number is left to compare. You write the heart: what nudging says (`expected`), what the gradient says (`got`), and whether they `agree`.
#
# **Relative and absolute.** They agree if |got - expected| is at most `atol + rtol * |expected|`: a slope of a million may be off by 1, one of 0 may not. And nan agrees with nothing; mind which way round you ask.


# %% nbgrader={"grade_id": "gradcheck-plumbing", "locked": true}
#| export
def _as_float64(x: ArrayLike) -> Tensor:
    array = np.array(x)
    floats = array.dtype.kind == "f"
    return Tensor(array, requires_grad=floats, dtype=np.float64 if floats else array.dtype)


def _worst_entry(value: Callable[[], float], x: Tensor, grad: np.ndarray, eps: float) -> str:
    """The entry whose gradient is farthest from nudging, in words."""
    slopes = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        unit = np.zeros(x.shape)
        unit[index] = 1
        slopes[index] = slope_along(value, x, unit, eps)
    off = np.nan_to_num(np.abs(grad - slopes), nan=np.inf)
    index = tuple(int(i) for i in np.unravel_index(np.argmax(off), x.shape))
    return f"index {index}: expected {slopes[index]:.8g}, got {grad[index]:.8g}."


# %% nbgrader={"grade_id": "gradcheck", "solution": true}
#| export
def gradcheck(
    fn: Callable[..., Tensor],
    inputs: Sequence[ArrayLike],
    eps: float = 1e-6,
    rtol: float = 1e-5,
    atol: float = 1e-7,
    seed: int = 0,
) -> bool:
    """True if backward() through fn(*inputs) agrees with nudging, in float64.

    inputs: arrays or Tensors; those of integers are passed on and not checked.
    Raises AssertionError naming operation, input, index, expected and got.

    >>> gradcheck(lambda a, b: a * b, [[1.0, 2.0], [3.0, 4.0]])
    True
    """
    copies = [_as_float64(x) for x in inputs]
    rng = np.random.default_rng(seed)
    out = fn(*copies)
    name, weights = type(out._grad_fn).__name__, rng.standard_normal(out.shape)
    out.backward(weights)

    def value() -> float:
        for x in copies:
            x.data = np.asarray(x.data)  # a nudged 0-d array comes as a scalar
        with no_grad():
            return float((fn(*copies).data * weights).sum())

    for number, x in enumerate(copies):
        if x.requires_grad:
            grad = np.zeros(x.shape) if x.grad is None else np.asarray(x.grad)
            direction = rng.standard_normal(x.shape)
            ### BEGIN SOLUTION
            expected = slope_along(value, x, direction, eps)
            got = (grad * direction).sum()
            agree = abs(got - expected) <= atol + rtol * abs(expected)
            ### END SOLUTION
            if not agree:
                where = _worst_entry(value, x, grad, eps)
                raise AssertionError(f"{name}, input {number} of shape {x.shape}, {where}")
    return True


# %% nbgrader={"grade_id": "test-gradcheck", "grade": true, "points": 30}
class Wrong(Function):
    """a * a, whose rule is wrong by a factor."""

    def forward(self, a, factor):
        return a * a

    def backward(self, grad):
        return (grad * 2 * self.inputs[0].data * self.options["factor"],)


def checks(fn, *inputs):
    return str(attempt(gradcheck, fn, inputs))


def test_gradcheck():
    """Right rules pass, wrong ones are caught however small or large the numbers."""
    for case, fn, values in [
        ("a * b + a", lambda a, b: a * b + a, ([1.0, 2.0], [3.0, 4.0])),
        ("a / b, stretched", lambda a, b: a / b, (np.ones((2, 3)), [[1.5], [2.5]])),
        ("slopes of 0", lambda a, b: a * b * 0.7 / (b * 0.3), ([0.37, 2.9], [2.1, 3.3])),
        ("integers beside floats", lambda a, ids: a * ids, ([1.0, 2.0], np.array([3, 4]))),
        ("slopes of a million", lambda a: a * 1e6 * a, ([1.0, 3.0],)),
        ("no entries", lambda a: a * 2, (np.ones((0, 3)),)),
    ]:
        said = checks(fn, *values)
        assert said == "True", f"gradcheck of {case} must be True. It said: {said}"
    for case, factor, values in [
        ("twice the slope", 2.0, [1.0, 2.0]),
        ("minus the slope", -1.0, [1.0, 2.0]),
        ("no slope", 0.0, [1.0, 2.0]),
        ("a slope off by 1 in 1000", 1.001, [1.0, 2.0]),
        ("a small slope, doubled", 2.0, [1e-4, 2e-4]),
        ("a large slope, off by 1 in 1000", 1.001, [1e5, 2e5]),
        ("nan", np.nan, [1.0, 2.0]),
    ]:
        said = checks(lambda a, factor=factor: Wrong.apply(a, factor=factor), values)
        assert "AssertionError" in said, f"A rule that gives {case} must be refused. Got: {said}"
        assert "Wrong, input 0" in said, f"The message must name operation and input: {said}"
    ### BEGIN HIDDEN TESTS
    a, b = challenge.uniform(1, 2, size=(3, 2)), challenge.uniform(1, 2, size=2)
    observe("right", checks(lambda a, b: a / b - a * b, a, b))
    said = checks(lambda a, b: Wrong.apply(a * b, factor=1.01), a, b)
    observe("wrong", "Wrong, input 0" in said)
    t, direction = Tensor(a, dtype=np.float64), challenge.normal(size=a.shape)
    observe("slope", slope_along(lambda: float((t * t * b).data.sum()), t, direction, 1e-3))
    ### END HIDDEN TESTS


test_gradcheck()

# %%
print(checks(lambda a: Wrong.apply(a, factor=1.5), [0.5, 4.0]))
steps, t, u = 10.0 ** np.arange(-12, 0), Tensor([1.3], dtype=np.float64), np.ones(1)
true, half = -1 / 1.3**2, Tensor([1.3])
errors = {"float64, both ways": [], "float64, one way": [], "float32, both ways": []}
for eps in steps:
    above, here = 1 / (1.3 + eps), 1 / 1.3
    in_32 = slope_along(lambda: (1 / half).item(), half, u.astype(np.float32), np.float32(eps))
    found = slope_along(lambda: (1 / t).item(), t, u, eps), (above - here) / eps, in_32
    for row, slope in zip(errors.values(), found, strict=True):
        row.append(abs(slope - true))
for (name, row), style in zip(errors.items(), ["o-", "s--", "^:"], strict=True):
    plt.loglog(steps, row, style, label=name)
best = steps[np.argmin(errors["float64, both ways"])]
plt.gca().set(xlabel="step", ylabel="error of the slope of 1 / x")
plt.title(f"Both ways in float64 err least, near a step of {best:.0e}; float32 is hopeless")
plt.legend()
plt.show()

# %% [markdown]
# ## All together
# *20 points.* The walk, the check and the sparse gradient: a tangled graph through `gradcheck`, the fast sums against yours, a table whose few rows get a gradient beside a dense one.


# %% nbgrader={"grade_id": "test-autograd-module", "grade": true, "points": 20}
class Lookup(Function):
    """Rows of a table, with a row-sparse gradient; module 11 writes the real one."""

    def forward(self, table, ids):
        return table[ids]

    def backward(self, grad):
        return (RowSparseGrad(self.options["ids"], grad, self.inputs[0].shape),)


def test_autograd_module():
    """Graphs with many diamonds, sparse gradients of leaves and of results, both sums."""

    def tangled(a, b, c):
        pool = [a, b, c]
        for i in range(12):
            pool.append((pool[i] * pool[i + 1] - pool[i + 2]) / (pool[i] * pool[i] + 1))
        return sum(pool[3:], pool[0])

    drawn = np.random.default_rng(1).uniform(0.5, 2, size=(3, 2, 3))
    said = attempt(gradcheck, tangled, [drawn[0], drawn[1][:1], drawn[2][:, :1]])
    assert said is True, f"A graph of 12 levels, walked and nudged, must agree: {said}"
    ids, table = np.array([3, 1, 3]), Tensor(np.ones((5, 2)), requires_grad=True)
    Lookup.apply(table, ids=ids).backward(np.ones((3, 2)))
    assert table.grad.rows.tolist() == [1, 3], f"Rows 1 and 3 were used, not {table.grad.rows}."
    dense = np.zeros((5, 2))
    dense[1], dense[3] = 1, 2
    assert close(table.grad, dense), f"Row 3 was used twice: 2. Got {np.asarray(table.grad)}"
    Lookup.apply(table, ids=ids).backward(np.ones((3, 2)))
    assert close(table.grad, 2 * dense), "Sparse gradients of two calls add up."
    (table * 3).backward(np.ones((5, 2)))
    assert close(table.grad, 2 * dense + 3), "A dense gradient adds to a sparse one."
    table.zero_grad()
    Lookup.apply(table * 10, ids=ids).backward(np.ones((3, 2)))
    assert close(table.grad, 10 * dense), "A sparse gradient goes on through table * 10."
    ids, values = np.arange(60) ** 2 % 17, np.sin(np.arange(120)).reshape(60, 2)
    for slow, fast in zip(sum_repeats(ids, values), sum_repeats_fast(ids, values), strict=True):
        assert close(slow, fast), f"sum_repeats and sum_repeats_fast differ: {slow}, {fast}"
    ### BEGIN HIDDEN TESTS
    ids, table = challenge.integers(0, 6, size=(4, 5)), Tensor(np.ones((6, 2)), True)
    picked = Lookup.apply(table, ids=ids)
    (picked * picked + picked / 3).backward(challenge.normal(size=(4, 5, 2)))
    observe("table", np.asarray(table.grad), rtol=1e-4, atol=1e-5)
    a, b, c = (Tensor(challenge.uniform(0.5, 2, size=(2, 2)), True) for _ in range(3))
    tangled(a, b, c).backward(np.ones((2, 2)))
    observe("tangled", np.stack([a.grad, b.grad, c.grad]), rtol=1e-3, atol=1e-4)
    ### END HIDDEN TESTS


test_autograd_module()

# %% [markdown]
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. A table of 10 rows, ids `[4, 4, 4]`, values all ones: `rows`, `values` and the number of floats kept, before and after somebody looks?
# 2. A rule is off by 1 in a million. Does `gradcheck` see it, with rtol = 1e-5?
# 3. `gradcheck` runs fn how often, for three inputs of any size?
#
# <details><summary>Answers</summary>
#
# 1. `[4]`, `[[3]]` for rows of one entry; 3 floats before, 1 after.
# 2. No: it agrees to 5 digits. Ask for rtol=1e-7 to see it.
# 3. 7 times: once for the way back, then twice for each input. Only a rule that failed is looked at entry by entry.
#
# </details>

# %%
grad = RowSparseGrad([4, 4, 4], np.ones((3, 1)), (10, 1))
print(
    "1.", grad._values.size, "floats;", grad.rows, grad.values.tolist(), grad.values.size, "float"
)
print("2.", checks(lambda a: Wrong.apply(a, factor=1 + 1e-6), [1.0, 2.0]))
runs = []
gradcheck(lambda a, b, c: runs.append(1) or a * b + c, [[1.0], [2.0], [3.0]])
print("3.", len(runs))

# %% [markdown]
# ## In production
#
# | ours | PyTorch | the difference |
# |---|---|---|
# | `RowSparseGrad(ids, values, shape)` | `torch.sparse_coo_tensor` | theirs may be sparse along any axes |
# | a table's gradient is sparse | `Embedding(sparse=True)` | theirs has to be asked for |
# | `sum_repeats`, as soon as somebody looks | `grad.coalesce()` | theirs has to be called |
# | `gradcheck(fn, inputs)` | `torch.autograd.gradcheck(fn, inputs, fast_mode=True)` | theirs wants float64 inputs, and warns of others |
#
# ## Recap
#
# 1. The gradient of a lookup is a few rows; memory and time should go with them, not with the table.
# 2. A row that was read twice has two gradients, and they add up: the rule of broadcasting again.
# 3. A wrong rule does not crash: check it.
# 4. Nudging wants float64, both ways, a step near 1e-6, and a tolerance that is relative and absolute.
# 5. One random direction checks all entries at once; entry by entry only to say where.
#
# ## Further reading
#
# - T. Mikolov and others, "Distributed representations of words and phrases", NIPS 2013: tables of which each step touches few rows.
# - W. H. Press and others, *Numerical Recipes*, 3rd edition, section 5.7: which step to nudge by.
# - PyTorch documentation, "Gradcheck mechanics": <https://docs.pytorch.org/docs/stable/notes/gradcheck.html>
#
# **Next:** the notebook Derivatives: rules for the other operations of module 01, each held against your `gradcheck`.
