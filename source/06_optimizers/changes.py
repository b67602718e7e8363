# %% [markdown]
# # Changes
#
# > How a formula changes a parameter where it lies in memory: block by block, or only the rows it is about.
#
# **The question of this notebook:** an optimizer's formula is three lines. What should it be applied to, so that the model sees the change, memory does not double, and a table of a million words is not read for the sake of ten?
#
# Difficulty 2 of 5 · about 1 hour · 2 exercises and a test over both, 100 points · prerequisites: views and copies (module 01), `RowSparseGrad` (module 05).
#
# | You have | You will build | Not yet |
# |---|---|---|
# | a gradient for every parameter, dense or by rows | `update_blocks` and `update_rows`, the two roads to a parameter | `Optimizer`, `SGD` (next notebook), `Adam` (the one after) |
#
# This is the first of three notebooks of module 06, and it ends up in `tinytorch/core/changes.py`. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.changes

# %% nbgrader={"grade_id": "setup", "locked": true}
import timeit

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


def downhill(param, grad, step):
    """The simplest formula: against the gradient."""
    param -= 0.1 * grad


def rolling(param, grad, step, velocity):
    """A formula with a memory: the velocity adds up gradients and slowly forgets them."""
    velocity *= 0.9
    velocity += grad
    param -= 0.1 * step * velocity + 0.01 * param


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
from collections.abc import Callable

import numpy as np

from tinytorch.core.autograd import RowSparseGrad

# Entries that are changed at a time: 128 kB of float32 stay in a cache. Adam's formula on a million
# numbers took 8.4 ms whole and 3.1 in such blocks.
BLOCK = 32_768

# %% [markdown]
# ## In place, or the model never hears of it
#
# Learning changes parameters, again and again: `p = p - 0.1 * grad`. In Python that line computes a new array and gives it the old *name*. The array that the layer multiplies by is still the old one:

# %%
weight = np.float32([1, 2])
used_by_the_model = weight
weight = weight - 0.1 * np.float32([10, 10])
print("after p = p - ...:", weight, "the model still has", used_by_the_model)
used_by_the_model -= 0.1 * np.float32([10, 10])
print("after p -= ...   :", used_by_the_model)

# %% [markdown]
# So every formula of this module is an `update(param, grad, step, **buffers)` that **changes arrays in place**: `downhill` and `rolling` above are two. `step` counts from 1; a buffer is an array that an optimizer keeps for a parameter, in its shape, such as the velocity of `rolling`. What you write here decides which arrays `update` gets to see.
#
# ## Exercise 1: block by block
# *Difficulty 2 of 5 · 40 points · 20 minutes*
#
# `param -= 0.1 * grad` makes a temporary array, `0.1 * grad`. For a parameter of 4 MB it travels to main memory and back, in every operation of the formula, and Adam's has a dozen or so. If the formula is applied to a few thousand entries after the other, its temporaries stay in the processor's cache, and the readable formula is as fast as one written by hand with scratch arrays. The figure below measures it.
#
# Cut along the **first axis**: `param[start:stop]` is a view, whatever the strides of `param`, so what happens in it happens in the parameter (a reshaped array may be a copy). A block is as many rows as fit into `BLOCK` entries, and at least one.
#
# ```
#  shape (1000, 100), BLOCK = 32,768      327 rows of 100 fit:  [0:327]  [327:654]  [654:981]  [981:1000]
# ```
#
# **Predict first:** how many calls of `update` does a bias of shape (100,) take, and how many a table of shape (10, 50000)?
#
# <details><summary>Hints</summary>
#
# 1. A row has `param.size // len(param)` entries: that can be 0, and so can `len(param)`.
# 2. The last slice may end behind the array: NumPy stops at its end.
# 3. Buffers come as a dictionary, `update` wants them by name: `update(param[part], grad[part], step, **blocks)`.
#
# </details>


# %% nbgrader={"grade_id": "blocks", "solution": true}
#| export
def update_blocks(update: Callable, param, grad, step: int, buffers: dict) -> None:
    """update(param, grad, step, **buffers) on views of at most BLOCK entries (or of one row).

    param, grad and each of buffers: arrays of one shape; param and buffers are changed in place.
    """
    # A single number has no first axis: as an array of one it does. Views, not copies.
    param, grad, *rest = np.atleast_1d(param, grad, *buffers.values())
    buffers = dict(zip(buffers, rest, strict=True))
    ### BEGIN SOLUTION
    rows = max(1, BLOCK * len(param) // max(1, param.size))
    for start in range(0, len(param), rows):
        part = slice(start, start + rows)
        blocks = {name: buffer[part] for name, buffer in buffers.items()}
        update(param[part], grad[part], step, **blocks)
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-blocks", "grade": true, "points": 40}
def test_blocks():
    """Every entry once, in place, in any layout; the size of the blocks; buffers in step."""
    for shape in [(1000, 100), (100_000,), (3, 50_000), (5, 2, 3), (), (1,), (0, 3), (3, 0)]:
        sizes, whole = [], np.ones(shape, np.float32)
        grad = np.arange(whole.size, dtype=np.float32).reshape(shape)

        def noted(param, grad, step, sizes=sizes):
            sizes.append(param.size)
            downhill(param, grad, step)

        update_blocks(noted, whole, grad, 1, {})
        want = 1 - np.float32(0.1) * grad
        got, true = whole.ravel()[-1:], want.ravel()[-1:]
        assert close(got, true), f"{shape}: the last entry is {got}, not {true}. All, in place?"
        assert close(whole, want), f"{shape}: each entry once, each with its own gradient."
        most = max(BLOCK, whole.size // max(1, len(np.atleast_1d(whole))))
        largest = max(sizes, default=0)
        assert largest <= most, f"{shape}: at most {most} entries at a time, not {largest}."
        assert len(sizes) <= whole.size // BLOCK + 2, (
            f"{shape}: {len(sizes)} calls; fill the blocks."
        )
    whole, speed = np.ones((400, 300), np.float32), np.zeros((400, 300), np.float32)
    grad = np.random.default_rng(0).normal(size=(300, 400)).astype(np.float32)
    want, true = np.ones((300, 400), np.float32), np.zeros((300, 400), np.float32)
    before = grad.copy()
    for step in (1, 2):
        update_blocks(rolling, whole.T, grad, step, {"velocity": speed.T})
        rolling(want, grad, step, true)
    assert close(speed.T, true), "The velocity of a block must be the same part of the buffer."
    assert close(whole.T, want), "A turned parameter, two steps: as if done whole. In place?"
    assert close(grad, before), "The gradient is read, not written."
    ### BEGIN HIDDEN TESTS
    rows, columns = challenge.integers(50, 90, size=2).tolist()
    param = challenge.normal(size=(rows, columns, 20)).astype(np.float32)
    grad, velocity = challenge.normal(size=(2, *param.shape)).astype(np.float32)
    update_blocks(rolling, param, grad, 3, {"velocity": velocity})
    observe("rows", param[:: rows - 1, 0])
    observe("sums", np.array([param.mean(dtype=np.float64), velocity.std(dtype=np.float64)]))
    ### END HIDDEN TESTS


test_blocks()


# %%
def adaptive(param, grad, step, mean, square):
    """The formula of Adam, from the last notebook of this module: some ten operations."""
    mean += 0.1 * (grad - mean)
    square += 0.001 * (grad * grad - square)
    param -= 0.001 * mean / (np.sqrt(square) + 1e-8)


param, grad, mean, square = np.random.default_rng(0).random((4, 1_000_000), np.float32)
sizes, times = 2 ** np.arange(10, 21), []
call = 'update_blocks(adaptive, param, grad, 1, {"mean": mean, "square": square})'
for size in sizes.tolist():
    BLOCK = size
    times.append(min(timeit.repeat(call, globals=globals(), number=1, repeat=5)) * 1e3)
BLOCK = 32_768
plt.semilogx(sizes, times, "o-")
plt.axvline(BLOCK, ls=":", color="gray", label="BLOCK")
plt.gca().set(xlabel="entries in a block", ylabel="milliseconds", ylim=(0, None))
plt.title(f"A million numbers: {times[-1]:.1f} ms whole, {min(times):.1f} in the best blocks")
plt.legend()
plt.show()

# %% [markdown]
# Small blocks pay for Python's calls, large ones for the way to memory.
#
# ## Exercise 2: only the rows that were used
# *Difficulty 3 of 5 · 45 points · 20 minutes*
#
# A language model looks up a few thousand rows of a table with a million. The gradient of all others is 0, and a step should not even read them. `RowSparseGrad` says so: `grad.rows`, ascending, each once, are the rows that have a gradient, and `grad.values` are these gradients: `(R,)` and `(R, ...)`.
#
# Blocks are views, but `param[rows]` with an array of row numbers is a **copy**. So: take the rows of the parameter and of each buffer out, call `update` once, put all of them back.
#
# ```
#  param     rows [0, 3]    taken out          update           put back
#  [1 1]                    [1 1]   grad [1 0]   [0.9   1]       [0.9   1]
#  [2 2]                    [4 4]        [0 1]   [  4 3.9]       [  2   2]
#  [3 3]                                                         [  3   3]
#  [4 4]                                                         [  4 3.9]
# ```
#
# For `downhill` the result equals that of the dense gradient exactly. For a formula with a memory it does not: a row that was not used does not coast on its velocity and does not decay. PyTorch's SparseAdam is **lazy** in the same way; for a rare word that is a blessing: it is not pushed on for weeks by the last sentence it appeared in.
#
# **Predict first:** row 1 was used in the first of ten steps, with gradient 1. What is its velocity after the tenth, dense and lazily?
#
# <details><summary>Hints</summary>
#
# `part = param[rows]` takes out, `param[rows] = part` puts back. `taken` can be a dictionary with the names of `buffers`.
#
# </details>


# %% nbgrader={"grade_id": "rows", "solution": true}
#| export
def update_rows(update: Callable, param, grad: RowSparseGrad, step: int, buffers: dict) -> None:
    """update(param, grad, step, **buffers) on the rows that `grad` names, and on no others.

    param and each of buffers: arrays of shape grad.shape, changed in place.
    """
    ### BEGIN SOLUTION
    rows = grad.rows
    part = param[rows]
    taken = {name: buffer[rows] for name, buffer in buffers.items()}
    update(part, grad.values, step, **taken)
    param[rows] = part
    for name, buffer in buffers.items():
        buffer[rows] = taken[name]
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-rows", "grade": true, "points": 45}
def test_rows():
    """By hand, repeated ids, against the dense road, and rows that nobody may touch."""
    table = np.float32([[1, 1], [2, 2], [3, 3], [4, 4]])
    grad = RowSparseGrad(np.array([3, 0]), np.float32([[0, 1], [1, 0]]), (4, 2))
    update_rows(downhill, table, grad, 1, {})
    want = [[0.9, 1], [2, 2], [3, 3], [4, 3.9]]
    assert table[0, 0] != 1, "Nothing moved: param[rows] is a copy, put it back."
    assert close(table, want), f"As by hand, {want}, not {table.tolist()}."
    grad = RowSparseGrad(np.array([1, 1, 2]), np.float32([[1, 1], [2, 2], [4, 4]]), (4, 2))
    update_rows(downhill, table, grad, 2, {})
    want = [[0.9, 1], [1.7, 1.7], [2.6, 2.6], [4, 3.9]]
    assert close(table, want), f"Row 1 comes twice, its gradients add up: {want}, not {table}."
    (dense, true), (lazy, speed) = np.ones((2, 2, 5, 3), np.float32)
    for step, ids in enumerate([[0, 4], [4, 0], [0, 4, 0]], 1):
        values = np.arange(3 * len(ids), dtype=np.float32).reshape(-1, 3)
        grad = RowSparseGrad(np.array(ids), values, (5, 3))
        rolling(dense, grad.to_dense(), step, true)
        before = grad.to_dense()
        update_rows(rolling, lazy, grad, step, {"velocity": speed})
        assert close(grad.to_dense(), before), "The gradient is read, not written."
        got, want = speed[[0, 4]], true[[0, 4]]
        assert close(got, want), f"Velocities of rows 0 and 4, step {step}: {want}, not {got}."
        got, want = lazy[[0, 4]], dense[[0, 4]]
        assert close(got, want), f"Rows 0 and 4, used in each step, go as dense: {want}, not {got}."
    others = lazy[1:4]
    assert close(others, np.ones((3, 3))), f"Rows 1 to 3 were never used, yet changed: {others}."
    assert close(speed[1:4], np.ones((3, 3))), "Velocities of rows never used stay, too."
    seen, large = [], np.ones((1000, 3), np.float32)
    grad = RowSparseGrad(np.array([2, 900]), large[:2], (1000, 3))
    update_rows(lambda param, grad, step: seen.append(param.size + grad.size), large, grad, 1, {})
    assert sum(seen) == 12, f"2 rows of 3, twice, are 12 numbers; update got {sum(seen)}."
    ### BEGIN HIDDEN TESTS
    table, velocity = challenge.normal(size=(2, 6, 2, 2)).astype(np.float32)
    for step, size in enumerate((3, 7, 0), 1):
        values = challenge.normal(size=(size, 2, 2)).astype(np.float32)
        grad = RowSparseGrad(challenge.integers(0, 6, size=size), values, (6, 2, 2))
        update_rows(rolling, table, grad, step, {"velocity": velocity})
    observe("table", table, rtol=1e-4)
    observe("velocity", velocity, rtol=1e-4)
    ### END HIDDEN TESTS


test_rows()

# %% [markdown]
# ## Both roads
# *15 points.* Where every row is used, both roads lead to the same numbers, to the last bit.


# %% nbgrader={"grade_id": "test-changes-module", "grade": true, "points": 15}
def test_changes_module():
    """Dense, by rows and whole: three ways, one result."""
    generator = np.random.default_rng(1)
    start, grad = generator.normal(size=(2, 700, 60)).astype(np.float32)
    sparse = RowSparseGrad(generator.permutation(700), grad, grad.shape)
    grad, results = sparse.to_dense(), []
    for road, given in [
        (lambda update, p, g, step, buffers: update(p, g, step, **buffers), grad),
        (update_blocks, grad),
        (update_rows, sparse),
    ]:
        param, velocity = start.copy(), np.zeros_like(start)
        for step in (1, 2, 3):
            road(rolling, param, given, step, {"velocity": velocity})
        results.append(np.stack([param, velocity]))
    whole, blocks, rows = results
    assert np.array_equal(whole, blocks), "Block by block must give the numbers of the whole."
    assert np.array_equal(whole, rows), "With all rows used, by rows must give the same numbers."
    ### BEGIN HIDDEN TESTS
    param, grad = challenge.normal(size=(2, 4, 3))
    ids = challenge.permutation(4)
    update_rows(downhill, param, RowSparseGrad(ids, grad, (4, 3)), 1, {})
    update_blocks(downhill, param, grad, 2, {})
    observe("both", param)
    ### END HIDDEN TESTS


test_changes_module()

# %% [markdown]
# ## Measure it: a step that does not know how large the table is
#
# 512 of V rows of 16 numbers get a gradient. The dense road walks through all V rows of the parameter, the gradient and the velocity. How do both grow with V?

# %%
generator, sizes = np.random.default_rng(0), [1_000, 10_000, 100_000, 1_000_000]
times = {"dense": [], "rows": []}


def milliseconds(road, table, grad, velocity):
    call = lambda: road(rolling, table, grad, 1, {"velocity": velocity})  # noqa: E731
    return min(timeit.repeat(call, number=1, repeat=5)) * 1e3


for size in sizes:
    ids = generator.integers(0, size, size=512)
    grad = RowSparseGrad(ids, generator.normal(size=(512, 16)).astype(np.float32), (size, 16))
    table, speed = np.zeros((2, size, 16), np.float32)
    times["dense"].append(milliseconds(update_blocks, table, grad.to_dense(), speed))
    times["rows"].append(milliseconds(update_rows, table, grad, speed))
for name, style in {"dense": "s--", "rows": "o-"}.items():
    plt.loglog(sizes, times[name], style, label=name)
plt.gca().set(xlabel="rows of the table, V", ylabel="milliseconds a step")
plt.legend()
growth = {name: ms[-1] / ms[0] for name, ms in times.items()}
plt.title(
    f"V x 1000: the dense step takes {growth['dense']:,.0f} x as long, by rows {growth['rows']:.1f} x"
)
plt.show()

# %% [markdown]
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. How many calls of `update` does a bias of shape (100,) take, and how many a table of shape (10, 50000)?
# 2. Row 1 was used in the first of ten steps, with gradient 1. Its velocity (momentum 0.9) after the tenth, dense and lazily?
# 3. A step uses 512 rows of 16 of a table with V = 1,000,000. Which part of the table is that?
#
# <details><summary>Answers</summary>
#
# 1. One, and ten: a row of 50,000 is more than a block, but at least one row goes at a time.
# 2. 0.39, and 1.
# 3. 0.05 %.
#
# </details>

# %%
for shape in [(100,), (10, 50_000)]:
    calls, array = [], np.zeros(shape, np.float32)
    update_blocks(lambda param, grad, step, calls=calls: calls.append(step), array, array, 1, {})
    print("1.", shape, len(calls))
print("2.", round(0.9**9, 2), 1)
print("3.", f"{512 / 1_000_000:.2%}")

# %% [markdown]
# ## In production
#
# PyTorch changes parameters in place as well (`param.add_(grad, alpha=-lr)`). Its optimizers hand all parameters at once to one routine (`foreach`), or the whole formula to one kernel (`fused=True`): the same cure for temporaries. Sparse gradients come from `nn.Embedding(..., sparse=True)` and are taken by SGD, Adagrad and SparseAdam.
#
# ## Recap
#
# 1. `p = p - ...` gives a name away; `p -= ...` changes what the model looks at.
# 2. A slice is a view, rows by number are a copy: put them back.
# 3. Temporaries that fit into the cache are nearly free.
# 4. A step by rows costs its rows, whatever the size of the table; memories of other rows wait.
#
# ## Further reading
#
# - NumPy's user guide, "Copies and views": <https://numpy.org/doc/stable/user/basics.copies.html>
# - U. Drepper, *What every programmer should know about memory* (2007), section 3: caches.
#
# **Next:** `tito module complete 06`, then the notebook Descent: the formula that walks downhill, and the loop around it.
