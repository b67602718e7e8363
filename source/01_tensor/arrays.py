# %% [markdown]
# # Arrays
#
# > Shapes, strides, broadcasting: what can be said about an operation before it runs.
#
# **The question of this notebook:** somebody hands you two shapes and no numbers. Will the operation work, what shape comes out of it, and which bytes will it touch?
#
# Difficulty 2 of 5 · about 1 hour 15 minutes · 4 exercises, 30 points · prerequisites: Python tuples, a little NumPy.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | NumPy | the shape rules of `+`, `@` and `reshape`, and the strides behind views | operations (notebook Functions), `Tensor` (notebook Tensor) |
#
# This is the first of the three notebooks of module 01, and it ends up in `tinytorch/core/arrays.py`. It looks humble: tuples of integers go in and come out. But a shape error is the most frequent error in deep learning, and these rules will speak each time TinyTorch refuses an operation. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected. You need nothing but NumPy and Matplotlib.

# %%
#| default_exp core.arrays

# %% nbgrader={"grade_id": "setup", "locked": true}
import math
import timeit

import matplotlib.pyplot as plt
import numpy as np

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


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

import numpy as np  # not needed by our answers; perhaps by yours

# %% [markdown]
# ## Exercise 1: broadcasting
# *Difficulty 2 of 5 · 10 points · 25 minutes*
#
# A bias of shape `(4,)` is added to each of 32 rows of shape `(32, 4)`, and nobody copies it 32 times. The rule, in three steps:
#
# 1. Line the shapes up **at the right**.
# 2. Where one is shorter, put 1s on its left.
# 3. In each column the sizes must be equal, or one of them is 1 and *stretches* to the other.
#
# ```
#     (2, 1, 4)            (2, 3)
#        (3, 1)               (2,)
#     ---------            ------
#     (2, 3, 4)            3 against 2: refused
# ```
#
# NumPy does the stretching. You write the rule, and it will speak whenever an operation is refused: `Cannot broadcast (2, 3) with (2,): ...`
#
# **Predict first:** what do `(3, 1)` and `(4,)` give? And `(0,)` with `(1,)`: does the 1 stretch to 0, or the 0 to 1?
#
# <details><summary>Hints</summary>
#
# 1. `(1,) * 2 + (4,)` is `(1, 1, 4)`.
# 2. `zip(*padded, strict=True)` goes through the columns of a list of padded shapes.
# 3. Of the sizes in a column, set the 1s aside: none left means 1, one left is the answer, two different ones are a refusal.
# 4. The message must show every shape: `" with ".join(map(str, shapes))`.
#
# </details>


# %% nbgrader={"grade_id": "broadcast-shape", "solution": true}
#| export
def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The common shape of operands of these shapes.

    >>> broadcast_shape((2, 1, 4), (3, 1))
    (2, 3, 4)

    Raises ValueError, naming every shape, when two sizes differ and neither is 1.
    """
    ### BEGIN SOLUTION
    ndim = max(map(len, shapes), default=0)
    padded = [(1,) * (ndim - len(shape)) + shape for shape in shapes]
    common = []
    for i, sizes in enumerate(zip(*padded, strict=True)):
        others = sorted(set(sizes) - {1})
        if len(others) > 1:
            raise ValueError(
                f"Cannot broadcast {' with '.join(map(str, shapes))}: sizes {others[0]} and "
                f"{others[1]} differ in dimension {i - ndim} and neither is 1. Reshape one of them."
            )
        common.append(others[0] if others else 1)
    return tuple(common)
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-broadcast-shape", "grade": true, "points": 10}
def test_broadcast_shape():
    """The three steps, zero sizes, any number of shapes, and a refusal that names the shapes."""
    for shapes, want, because in [
        ([(2, 3), (2, 3)], (2, 3), "equal shapes stay"),
        ([(3, 1), (4,)], (3, 4), "line the shapes up at the right"),
        ([(4,), (2, 3, 4)], (2, 3, 4), "the shorter shape gets 1s on its left"),
        ([(2, 1, 4), (3, 1)], (2, 3, 4), "a 1 stretches on either side"),
        ([(), (1, 3)], (1, 3), "a number has shape () and fits everywhere"),
        ([(0,), (1,)], (0,), "a 1 stretches to 0 as to any other size"),
        ([(5, 1, 1), (3, 1), (2,)], (5, 3, 2), "any number of shapes may meet"),
    ]:
        got = attempt(broadcast_shape, *shapes)
        assert got == want, f"{shapes} give {got}, not {want}: {because}."
    for shapes in [((2, 3), (2,)), ((2, 3), (4, 3)), ((0,), (3,)), ((2,), (1,), (3,))]:
        said = str(attempt(broadcast_shape, *shapes))
        assert "ValueError" in said, f"{shapes} must be refused with a ValueError. Got: {said}"
        missing = [shape for shape in shapes if str(shape) not in said]
        assert not missing, f"The message must name the shapes {missing}. It says: {said}"
    ### BEGIN HIDDEN TESTS
    for i in range(4):
        whole, is_one = challenge.integers(2, 6, size=4), challenge.integers(0, 2, size=(2, 4))
        left, right = (tuple(np.where(one, 1, whole).tolist()) for one in is_one)
        got = broadcast_shape(left, right[i:])
        assert got == np.broadcast_shapes(left, right[i:]), f"{left}, {right[i:]} give {got}?"
        observe(f"shape {i}", np.array(got))
    ### END HIDDEN TESTS


test_broadcast_shape()


# %%
def draw_grid(ax, values, shape, title):
    """Draw `values` stretched to `shape`: stretched copies are pale."""
    own = np.ones(np.shape(values))
    own = np.pad(own, [(0, n - m) for n, m in zip(shape, own.shape, strict=True)])
    ax.imshow(0.15 + 0.45 * own, cmap="Blues", vmin=0, vmax=1)
    for (row, column), value in np.ndenumerate(np.broadcast_to(values, shape)):
        ax.text(column, row, value, ha="center", va="center")
    ax.set(title=title, xticks=[], yticks=[])


column, row = np.array([[0], [10], [20]]), np.array([[1, 2, 3, 4]])
shape = broadcast_shape(column.shape, row.shape)
fig, axes = plt.subplots(1, 3, figsize=(8, 2.2))
draw_grid(axes[0], column, shape, f"{column.shape}: the column is repeated")
draw_grid(axes[1], row, shape, f"{row.shape}: the row is repeated")
draw_grid(axes[2], column + row, shape, f"their sum has shape {shape}")
fig.suptitle("Broadcasting reads the same entries again (pale); it copies nothing")
plt.show()

# %% [markdown]
# ## Exercise 2: the shape of a product
# *Difficulty 3 of 5 · 8 points · 20 minutes*
#
# Entry `[i, j]` of `a @ b` is row `i` of `a` times column `j` of `b`, summed over the inner size: `(n, k) @ (k, m)` gives `(n, m)`. The rule for vectors and stacks of matrices:
#
# | left | right | result | |
# |---|---|---|---|
# | `(n, k)` | `(k, m)` | `(n, m)` | two matrices |
# | `(k,)` | `(k, m)` | `(m,)` | a vector on the left is one row, and that row is dropped again |
# | `(n, k)` | `(k,)` | `(n,)` | a vector on the right is one column, dropped again |
# | `(k,)` | `(k,)` | `()` | both: the dot product |
# | `(5, 1, n, k)` | `(8, k, m)` | `(5, 8, n, m)` | stacks of matrices: everything before the last two dimensions broadcasts |
#
# A number on either side has no inner size: refused. So are inner sizes that differ.
#
# **Predict first:** why is `(2, 3) @ (2, 3)` refused, and which transposition would make it `(2, 2)`?
#
# <details><summary>Hints</summary>
#
# 1. Slices never fail: `(k,)[-2:-1]` is `()`, `(n, k)[-2:-1]` is `(n,)`.
# 2. The inner size on the right is the second to last, or the only one.
# 3. `broadcast_shape(left[:-2], right[:-2])` is the stack.
#
# </details>


# %% nbgrader={"grade_id": "matmul-shape", "solution": true}
#| export
def matmul_shape(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a product of operands of these shapes.

    >>> matmul_shape((5, 2, 3), (3, 4))
    (5, 2, 4)

    Raises ValueError, naming both shapes, for a number or inner sizes that differ.
    """
    ### BEGIN SOLUTION
    if not left or not right:
        raise ValueError(f"Cannot multiply {left} @ {right}: for numbers use `*`.")
    inner = right[-2] if len(right) > 1 else right[0]
    if left[-1] != inner:
        raise ValueError(
            f"Cannot multiply {left} @ {right}: the inner sizes {left[-1]} and {inner} differ. "
            "Transpose or reshape one of them."
        )
    rows, columns = left[-2:-1], right[1:][-1:]
    return broadcast_shape(left[:-2], right[:-2]) + rows + columns
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-matmul-shape", "grade": true, "points": 8}
def test_matmul_shape():
    """Matrices, vectors, stacks, and refusals that name both shapes."""
    for left, right, want, because in [
        ((2, 3), (3, 4), (2, 4), "rows of the left, columns of the right"),
        ((3,), (3, 4), (4,), "a vector on the left is a row that is dropped again"),
        ((2, 3), (3,), (2,), "a vector on the right is a column that is dropped again"),
        ((3,), (3,), (), "two vectors: the dot product is one number"),
        ((5, 2, 3), (3, 4), (5, 2, 4), "the same matrix serves the whole stack"),
        ((5, 1, 2, 3), (8, 3, 4), (5, 8, 2, 4), "the stacks broadcast"),
        ((3,), (5, 3, 4), (5, 4), "one row meets each matrix of the stack"),
        ((5, 2, 3), (3,), (5, 2), "each matrix of the stack meets one column"),
        ((0, 3), (3, 4), (0, 4), "no rows give no rows"),
    ]:
        got = attempt(matmul_shape, left, right)
        assert got == want, f"{left} @ {right} has shape {want}, not {got}: {because}."
    for left, right in [((2, 3), (2, 3)), ((2, 3), (2,)), ((), (3,)), ((2, 3), ())]:
        said = str(attempt(matmul_shape, left, right))
        assert "ValueError" in said, f"{left} @ {right}: refuse with a ValueError. Got: {said}"
        missing = [shape for shape in (left, right) if str(shape) not in said]
        assert not missing, f"The message must name the shapes {missing}. It says: {said}"
    said = str(attempt(matmul_shape, (2, 4, 3), (5, 3, 4)))
    assert "ValueError" in said, f"Stacks of 2 and of 5 do not broadcast: refuse. Got: {said}"
    ### BEGIN HIDDEN TESTS
    n, k, m = challenge.integers(2, 6, size=3).tolist()
    for name, left, right in [
        ("stack", (4, 1, n, k), (3, k, m)),
        ("row", (k,), (3, k, m)),
        ("column", (n, k), (k,)),
        ("matrices", (n, k), (k, m)),
    ]:
        got = matmul_shape(left, right)
        want = np.matmul(np.ones(left), np.ones(right)).shape
        assert got == want, f"{left} @ {right} has shape {want}, not {got}."
        observe(name, np.array(got))
    ### END HIDDEN TESTS


test_matmul_shape()

# %%
for left, right in [((32, 10, 64), (64, 256)), ((2, 3), (2, 3)), ((2, 3), (3, 2)), ((4,), ())]:
    print(f"{left!s:13} @ {right!s:9} ->", attempt(matmul_shape, left, right))

# %% [markdown]
# ## Exercise 3: the size left open
# *Difficulty 2 of 5 · 7 points · 15 minutes*
#
# `reshape` gives the same entries another shape: `(2, 3)`, `(3, 2)` and `(6,)` all hold six. The number of entries must stay the same, which is why one size may be left open: `-1` stands for whatever fills up. From `(4, 6)`, `reshape(3, -1)` gives `(3, 8)`, as 24 / 3 is 8.
#
# **Predict first:** which of `reshape(-1)`, `reshape(5, -1)`, `reshape(-1, -1)` work on shape `(4, 6)`?
#
# <details><summary>Hints</summary>
#
# 1. `math.prod(shape)` multiplies the sizes; the product of no sizes is 1.
# 2. With a -1: the other sizes must divide the number of entries without a rest (and must not be 0: then any size would fit).
# 3. Without one: both products must be equal.
#
# </details>


# %% nbgrader={"grade_id": "infer-shape", "solution": true}
#| export
def infer_shape(old: tuple[int, ...], new: tuple[int, ...]) -> tuple[int, ...]:
    """`new` with its -1, if it has one, replaced by the size that keeps the number of entries.

    >>> infer_shape((4, 6), (3, -1))
    (3, 8)

    Raises ValueError, naming both shapes, when `new` cannot hold the entries of `old`.
    """
    ### BEGIN SOLUTION
    size, known = math.prod(old), math.prod(n for n in new if n != -1)
    count = new.count(-1)
    if count == 1 and known > 0 and size % known == 0:
        return tuple(size // known if n == -1 else n for n in new)
    if count == 0 and size == known:
        return new
    raise ValueError(f"Cannot reshape {old} into {new}: {size} entries do not fill it evenly.")
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-infer-shape", "grade": true, "points": 7}
def test_infer_shape():
    """Sizes left open anywhere, nothing left open, no entries, and refusals that name both."""
    for old, new, want, because in [
        ((4, 6), (3, -1), (3, 8), "24 / 3 is 8"),
        ((4, 6), (-1,), (24,), "a -1 alone takes all entries"),
        ((4, 6), (2, -1, 3), (2, 4, 3), "the -1 may stand anywhere"),
        ((4, 6), (8, 3), (8, 3), "24 entries fill it, and nothing is left open"),
        ((), (1, -1), (1, 1), "a number is one entry"),
        ((0, 3), (-1, 3), (0, 3), "no entries make no rows"),
        ((0, 3), (5, 0), (5, 0), "0 entries are 0 entries"),
    ]:
        got = attempt(infer_shape, old, new)
        assert got == want, f"infer_shape({old}, {new}) is {want}, not {got}: {because}."
        whole = all(isinstance(n, int | np.integer) for n in got)
        assert whole, f"Sizes are integers, and {got} are not: use //."
    for old, new in [((4, 6), (5, -1)), ((4, 6), (-1, -1)), ((4, 6), (4, 5)), ((4, 6), (4, 0, -1))]:
        said = str(attempt(infer_shape, old, new))
        assert "ValueError" in said, f"{old} into {new}: refuse with a ValueError. Got: {said}"
        missing = [shape for shape in (old, new) if str(shape) not in said]
        assert not missing, f"The message must name the shapes {missing}. It says: {said}"
    ### BEGIN HIDDEN TESTS
    n, m, k = challenge.integers(2, 6, size=3).tolist()
    for name, new in [("last", (m, -1)), ("first", (-1, n)), ("flat", (-1,)), ("full", (k, n, m))]:
        observe(name, np.array(infer_shape((n, m * k), new)))
    observe("inside", np.array(infer_shape((n, m, k), (n * k, 1, -1))))
    ### END HIDDEN TESTS


test_infer_shape()

# %% [markdown]
# ## Exercise 4: where an entry lies
# *Difficulty 2 of 5 · 5 points · 15 minutes*
#
# Memory is one long row of bytes. An array of shape `(2, 3)` is that row plus a rule: how many bytes to go on for the next entry along each axis. These are its **strides**.
#
# In float32 an entry takes 4 bytes. Along the last axis the neighbour is 4 bytes away; one row down, a whole row is skipped, 3 times 4 bytes. So the strides are `(12, 4)`, and entry `[i, j]` starts at byte `12 * i + 4 * j`.
#
# **Predict first:** the strides of a contiguous float32 array of shape `(2, 3, 4)`?
#
# <details><summary>Hints</summary>
#
# Go through the sizes from the last to the first and multiply as you go, starting from `itemsize`.
#
# </details>


# %% nbgrader={"grade_id": "contiguous-strides", "solution": true}
#| export
def contiguous_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """Bytes from an entry to the next along each axis, when all lie in a row without gaps.

    >>> contiguous_strides((2, 3), 4)
    (12, 4)
    """
    ### BEGIN SOLUTION
    strides, step = [], itemsize
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-contiguous-strides", "grade": true, "points": 5}
def test_contiguous_strides():
    """By hand, and against the strides of NumPy's own contiguous arrays."""
    for shape, itemsize, want, because in [
        ((2, 3), 4, (12, 4), "one row of 3 float32 takes 12 bytes"),
        ((2, 3, 4), 4, (48, 16, 4), "each axis skips all the axes after it"),
        ((2, 3), 8, (24, 8), "a float64 takes 8 bytes"),
        ((5,), 2, (2,), "the last axis goes from entry to entry"),
        ((), 4, (), "a single number has no axis"),
        ((3, 1, 2), 1, (2, 2, 1), "an axis of size 1 multiplies by 1"),
    ]:
        got = contiguous_strides(shape, itemsize)
        assert got == want, f"strides of {shape} x {itemsize} bytes: {want}, not {got}: {because}."
    ### BEGIN HIDDEN TESTS
    for dtype in (np.int8, np.float32, np.float64):
        array = np.zeros(challenge.integers(1, 6, size=4), dtype)
        got = contiguous_strides(array.shape, array.itemsize)
        assert tuple(got) == array.strides, f"{array.shape}, {array.itemsize} bytes: not {got}."
        observe(dtype.__name__, np.array(got))
    ### END HIDDEN TESTS


test_contiguous_strides()

# %%
matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
down, right = contiguous_strides(matrix.shape, matrix.itemsize)
fig, ax = plt.subplots(figsize=(8, 1.9))
for place, value in enumerate(matrix.flat):
    row = place // 3
    ax.add_patch(plt.Rectangle((4 * place, 0), 4, 1, fc=f"C{row}", ec="white", lw=2, alpha=0.5))
    ax.text(4 * place + 2, 0.5, f"[{row}, {place % 3}] = {value:.0f}", ha="center", va="center")
arrow = {"arrowstyle": "->", "connectionstyle": "arc3,rad=-0.25"}
ax.annotate("", (2 + down, 1), (2, 1), arrowprops=arrow)
ax.text(2 + down / 2, 1.3, f"next row: +{down} bytes", ha="center")
ax.annotate("", (14 + right, 1), (14, 1), arrowprops=arrow)
ax.text(14.5 + right, 1.15, f"next column: +{right} bytes")
ax.set(xlim=(-0.5, 24.5), ylim=(0, 2), xticks=range(0, 25, 4), yticks=[], xlabel="byte")
ax.set_title(f"A {matrix.shape} float32 array is one row of bytes with strides {(down, right)}")
ax.spines["left"].set_visible(False)
plt.show()

# %% [markdown]
# ## Other readings of the same bytes
#
# Now the point of strides. An operation that only *rearranges* need not touch the bytes: it returns a **view**, a new shape and new strides over the same memory.
#
# - Reshape keeps the bytes and recomputes the strides for the new shape. Transposing **swaps two strides**.
# - Taking every second column doubles a stride; reading backwards makes it negative.
# - And broadcasting? A stretched axis has **stride 0**: going on by one row goes on by no bytes, so the same row is read again.
#
# **Predict first:** `block` has strides `(12, 4)`. Which strides has `block.T`, and can `block.T.reshape(6)` be a view?

# %%
block = np.arange(6, dtype=np.float32).reshape(2, 3)
readings = {
    "block": block,
    "block.reshape(3, 2)": block.reshape(3, 2),
    "block.T": block.T,
    "block[:, ::2]": block[:, ::2],
    "block[::-1]": block[::-1],
    "broadcast to (4, 3)": np.broadcast_to(block[0], (4, 3)),
    "block.T.reshape(6)": block.T.reshape(6),
}
print(f"{'':21}{'shape':9}{'strides':10}")
for name, view in readings.items():
    kind = "view" if np.shares_memory(view, block) else "copy"
    print(f"{name:21}{view.shape!s:9}{view.strides!s:10}{kind}")

# %% [markdown]
# The last one is a copy: the order 0, 3, 1, 4, 2, 5 goes on by 12 bytes, then back by 8, and no single stride does that. So reshape is free as long as the entries lie in reading order, and copies when they do not.

# %%
fig, axes = plt.subplots(1, 2, figsize=(8, 2.2))
for ax, name in zip(axes, ["block", "block.T"], strict=True):
    view = readings[name]
    ax.plot(view.ravel() * 4, "o-")
    ax.set(xlabel="entry, in reading order", ylabel="byte", yticks=range(0, 24, 4))
    ax.set_title(f"{name}: strides {view.strides}")
fig.suptitle("The transpose walks the same bytes in jumps")
plt.show()

# %% [markdown]
# ## Measure it: what layout costs
#
# A view is free and a copy is not. How much is "not"? And reading entries that lie apart, is that free as well? First the price list of a 4096 x 4096 float32 array:


# %%
def milliseconds(call):
    """The shortest of five runs: the others were disturbed by something else."""
    return min(timeit.repeat(call, number=1, repeat=5)) * 1e3


big = np.ones((4096, 4096), np.float32)
print(f"{'':26}{'ms':>8}  {'new bytes':>11}")
for name, call in [
    ("reshape(-1)", lambda: big.reshape(-1)),
    ("swapaxes(0, 1)", lambda: big.swapaxes(0, 1)),
    ("[::2]", lambda: big[::2]),
    ("[mask of every 2nd row]", lambda: big[np.arange(4096) % 2 == 0]),
    ("astype(float64)", lambda: big.astype(np.float64)),
    ("+ 0", lambda: big + 0),
    ("swapaxes then reshape(-1)", lambda: big.swapaxes(0, 1).reshape(-1)),
]:
    made = call()
    new = 0 if np.shares_memory(made, big) else made.nbytes
    print(f"{name:26}{milliseconds(call):8.3f}  {new:>11,}")

# %% [markdown]
# Views cost microseconds, whatever the size; copies cost time in proportion to the bytes. The last two copy the same number of bytes, and yet one is slower: it *reads* in jumps.
#
# Why jumps cost: memory comes to the processor in **cache lines**, 64 bytes on most machines, 16 float32. Reading one entry brings its 15 neighbours along; jump over them, and they were fetched for nothing. So let us add up the same *number* of entries, taken ever farther apart.

# %%
count, steps = 1 << 19, [1, 2, 4, 8, 16, 32]
memory = np.ones(count * steps[-1], np.float32)
cost = [milliseconds(lambda s=s: memory[: count * s : s].sum()) * 1e6 / count for s in steps]
fig, ax = plt.subplots(figsize=(6, 2.8))
ax.plot([4 * step for step in steps], cost, "o-")
ax.axvline(64, ls=":", color="gray")
ax.text(66, 0, "from here on each entry\nneeds a cache line of its own", va="bottom", fontsize=8)
ax.set_xscale("log", base=2)
ax.set(xlabel="stride in bytes", ylabel="ns per entry", ylim=(0, None), xlim=(3, 300))
ax.set_xticks([4 * step for step in steps], [4 * step for step in steps])
ax.set_title(f"{count:,} entries that lie apart take {cost[-1] / cost[0]:.0f} times as long to add")
plt.show()

# %% [markdown]
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. Which shape do `(8, 1, 6, 1)` and `(7, 1, 5)` give, and how many entries would explicit copies of both hold?
# 2. How many bytes does a batch of 32 colour images of 224 x 224 take in float32? And the stride from one image to the next?
# 3. A `(2, 3, 4)` float32 array is transposed by `(2, 0, 1)`: the last axis comes first. Strides? Does `reshape(-1)` copy afterwards?
# 4. `(32, 10, 64) @ (64, 256)`: which shape, and how many multiplications?
#
# <details><summary>Answers</summary>
#
# 1. `(8, 7, 6, 5)`: 1680 entries each, 3360 against the 48 + 35 that exist.
# 2. 32 x 3 x 224 x 224 x 4 = 19,267,584 bytes, about 19 MB; 602,112 bytes from image to image.
# 3. `(4, 48, 16)`. Yes: no single stride reads the entries in the new order.
# 4. `(32, 10, 256)`: 81,920 entries of 64 multiplications each, 5,242,880.
#
# </details>

# %%
shape = broadcast_shape((8, 1, 6, 1), (7, 1, 5))
images = (32, 3, 224, 224)
cube = np.zeros((2, 3, 4), np.float32).transpose(2, 0, 1)
product = matmul_shape((32, 10, 64), (64, 256))
print("1.", shape, math.prod(shape), "entries each, against", 8 * 6, "+", 7 * 5)
print("2.", f"{math.prod(images) * 4:,} bytes, {contiguous_strides(images, 4)[0]:,} an image")
print("3.", cube.strides, "copied:", not np.shares_memory(cube, cube.reshape(-1)))
print("4.", product, f"{math.prod(product) * 64:,} multiplications")

# %% [markdown]
# ## In production
#
# | here | PyTorch | the difference |
# |---|---|---|
# | `broadcast_shape(a, b)` | `torch.broadcast_shapes(a, b)` | none |
# | `array.strides` | `t.stride()` | theirs counts entries, NumPy's bytes |
# | `array.reshape(...)` | `t.view(...)` | `view` refuses where `reshape` has to copy |
# | `np.broadcast_to(row, shape)` | `row.expand(shape)` | none: stride 0 in both |
# | `array[::-1]` | `t.flip(0)` | theirs copies: no negative strides |
#
# ## Recap
#
# 1. Shapes broadcast from the right; 1 stretches, anything else must match.
# 2. `(n, k) @ (k, m)` is `(n, m)`; what stands before the last two dimensions broadcasts.
# 3. One size of a reshape may be -1; the number of entries decides it.
# 4. An array is one row of bytes and a rule to read it: shape and strides.
# 5. Views are free, copies cost their bytes, and jumps cost cache lines.
#
# ## Further reading
#
# - C. R. Harris and others, "Array programming with NumPy", *Nature* 585 (2020): strides, views, broadcasting in one figure.
# - NumPy documentation, "Broadcasting": <https://numpy.org/doc/stable/user/basics.broadcasting.html>
# - E. Z. Yang, "PyTorch internals" (2019): tensors and strides from inside: <http://blog.ezyang.com/2019/05/pytorch-internals/>
# - U. Drepper, "What every programmer should know about memory" (2007): cache lines, and what follows from them.
#
# **Next:** run `tito module complete 01` in a terminal. It puts these rules into your package, where the notebook Functions imports them: the shapes are known, now numbers flow through them.
