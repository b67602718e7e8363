# %% [markdown]
# # Rotary positions
#
# > Queries and keys turn by angles that grow with their positions, so that their scores know distances.
#
# **The question of this notebook:** "the cat" means the same at the start of a book and on page 200. Can a model compare two tokens by *how far apart* they are, without ever seeing where they stand?
#
# Difficulty 3 of 5 · about 2 hours · 4 exercises and a test over the notebook, 25 of the module's 100 points · prerequisites: the notebook Embeddings, sine and cosine.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | learned and sinusoidal positions, both *added* to token vectors | `precompute_freqs`, `rotate_half`, `apply_rope`, `RotaryEmbedding` | attention, which uses all this (12), a transformer (13) |
#
# This is the second of four notebooks of module 11, and it ends up in `tinytorch/core/rotary.py`. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.rotary

# %% nbgrader={"grade_id": "setup", "locked": true}
import math

import matplotlib.pyplot as plt
import numpy as np

from tinytorch.core.autograd import no_grad
from tinytorch.core.embeddings import PositionalEncoding, create_sinusoidal_embeddings
from tinytorch.core.layers import Linear, manual_seed
from tinytorch.core.optimizers import Adam

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


def close(got, want, atol=1e-5):
    """True when both have the same shape and, to float32 precision, the same values."""
    same = not isinstance(got, str) and np.shape(got) == np.shape(want)
    return same and np.allclose(got, want, rtol=1e-5, atol=atol)


def attempt(call, *args, **options):
    """What call returns or, as text, the error it ends in: "ValueError: ..."."""
    try:
        return call(*args, **options)
    except NotImplementedError:
        raise  # a blank that is still to be filled
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def drawn(*shape, seed=0, requires_grad=False):
    return Tensor(np.random.default_rng(seed).normal(size=shape), requires_grad=requires_grad)


def turned_by_hand(x, positions, base=10000.0):
    """x (..., seq, dim) by complex numbers: row i turned to positions[..., i], halves as pairs."""
    half = x.shape[-1] // 2
    angles = np.asarray(positions)[..., None] / base ** (np.arange(half) / half)
    turned = (x[..., :half] + 1j * x[..., half:]) * np.exp(1j * angles)
    return np.concatenate([turned.real, turned.imag], axis=-1)


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import numpy as np
from numpy.typing import ArrayLike

from tinytorch.core.functions import Function
from tinytorch.core.layers import Layer
from tinytorch.core.tensor import Tensor

# %% [markdown]
# ## What adding positions does to a score
#
# Attention (module 12) will compare tokens by dot products: the token at position m has a **query** q, the one at n a **key** k, and the score q · k says how much m should look at n. If positions were *added* before, the score falls into four parts:
#
# ```
#  (q + p_m) · (k + p_n)  =  q · k   +   q · p_n   +   p_m · k   +   p_m · p_n
#                            what        mixed: what with where      where
# ```
#
# Move both tokens by five. What should stay the same does not: the two mixed terms depend on each position for itself. (A real model multiplies by learned matrices in between; the four parts stay.)

# %%
dim = 64
q, k = drawn(dim).data, drawn(dim, seed=1).data
p = create_sinusoidal_embeddings(20, dim).data
print("   m   n     q·k   q·p_n   p_m·k  p_m·p_n     sum")
for m, n in [(5, 8), (10, 13), (15, 18)]:
    parts = q @ k, q @ p[n], p[m] @ k, p[m] @ p[n]
    print(f"{m:4}{n:4}" + "".join(f"{part:8.2f}" for part in (*parts, sum(parts))))

# %% [markdown]
# The last part is the same for all three pairs, as the notebook Embeddings showed. The sum is not: a model has to *learn* to undo the mixed terms.
#
# **Rotary positions** (Su and others, 2021) add nothing. They *turn*: q by an angle that grows with m, k by one that grows with n. Turning two vectors by the same angle keeps the angle between them, so only the difference n - m is left. With two numbers and 90° a position, by hand ([a, b] turned by 90° is [-b, a]):
#
# ```
#  q = [2, 1]   k = [1, 2]
#
#  q at 0: [ 2, 1]    k at 1: [-2,  1]    score  2 * -2 + 1 *  1 = -3     one apart
#  q at 1: [-1, 2]    k at 2: [-1, -2]    score -1 * -1 + 2 * -2 = -3     one apart
#  q at 1: [-1, 2]    k at 3: [ 2, -1]    score -1 *  2 + 2 * -1 = -4     two apart
# ```
#
# ## Exercise 1: many clocks
# *Difficulty 2 of 5 · 5 points · 20 minutes*
#
# With 90° a position, distances 1 and 5 can never be told apart: one hand of a clock is not enough. So the numbers of a vector are taken as `head_dim / 2` pairs, and pair i turns by its own angle a position: `base^(-2i/head_dim)`, as in the sinusoids. Pair 0 makes a turn in 6.28 positions, the last pair in thousands. Which two numbers form a pair? Here, as in LLaMA's code at Hugging Face, number i and number **i + head_dim/2**: the vector is split in halves. So the tables of cosines and sines hold each angle twice, for head_dim 8 at position 1:
#
# ```
#  column    0     1     2      3        4     5     6      7
#  angle     1    0.1   0.01  0.001      1    0.1   0.01  0.001
# ```
#
# Compute the angles in float64 (NumPy's own choice: do not hinder it) and let `Tensor` round the finished cosines. float32 has 24 bits: at position 100,000 an angle is off by thousandths.
#
# **Predict first:** after how many positions does the slowest pair of head_dim 128 begin again?
#
# <details><summary>Hints</summary>
#
# `np.arange(0, head_dim, 2)` is 2i for all i. `np.concatenate([rates, rates])` sets them side by side. A column of positions `(max_len, 1)` times a row of rates `(head_dim,)` is the whole table.
#
# </details>


# %% nbgrader={"grade_id": "precompute-freqs", "solution": true}
#| export
def precompute_freqs(head_dim: int, max_len: int, base: float = 10000.0) -> tuple[Tensor, Tensor]:
    """Cosines and sines of the angles of rotary positions: two Tensors (max_len, head_dim).

    Row p holds the angle p * base ** (-2i / head_dim) in the columns i and i + head_dim / 2, for
    i below head_dim / 2 (Su and others 2021, section 3.2.2). No gradient. max_len may be 0.
    Raises ValueError for an odd head_dim: turning needs pairs.
    """
    for name, size, least in (("head_dim", head_dim, 2), ("max_len", max_len, 0)):
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < least:
            raise ValueError(f"{name} must be a whole number from {least} on, not {size!r}.")
    if head_dim % 2:
        raise ValueError(f"head_dim must be even, not {head_dim}: numbers are turned in pairs.")
    ### BEGIN SOLUTION
    rates = base ** (-np.arange(0, head_dim, 2) / head_dim)
    angles = np.arange(max_len)[:, None] * np.concatenate([rates, rates])
    return Tensor(np.cos(angles)), Tensor(np.sin(angles))
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-precompute-freqs", "grade": true, "points": 5}
def test_precompute_freqs():
    """Against Python's math: each column, other bases, far positions, no rows."""
    tables = precompute_freqs(8, 40)
    assert [*map(type, tables)] == [Tensor] * 2, f"Return two Tensors, cos, sin: {tables!r:.60}."
    cos, sin = (x.data for x in tables)
    assert cos.shape == (40, 8), f"8 numbers at 40 positions: tables (40, 8), not {cos.shape}."
    assert close(cos[0], np.ones(8)), f"Position 0 does not turn: cosines of 1 first, not {cos[0]}."
    halves = f"{cos[1]}: the second half repeats the first, number i pairs with i + head_dim/2."
    assert close(cos[1, 4:], cos[1, :4]), f"The cosines of position 1 are {halves}"
    for dim, rows, base in [(8, 40, 10000.0), (2, 3, 10000.0), (6, 5, 100.0)]:
        got = [x.data for x in precompute_freqs(dim, rows, base)]
        for p, c in np.ndindex(rows, dim):
            angle = p / base ** (2 * (c % (dim // 2)) / dim)
            case = f"head_dim {dim}, base {base:g}, position {p}, column {c}"
            want = math.cos(angle), math.sin(angle)
            pair = got[0][p, c], got[1][p, c]
            assert close(pair, want), f"{case}: cos and sin of {angle:.6g} are {want}, not {pair}."
    far = precompute_freqs(4, 100_000, 2.0)[1].data[-1, 1]
    want = math.sin(99_999 / math.sqrt(2))
    assert close(far, want), f"sin(99999 / sqrt(2)) is {want:.6f}, not {far:.6f}: use float64."
    kinds = [(x.dtype, x.requires_grad) for x in tables]
    assert kinds == [(np.float32, False)] * 2, f"Fixed tables in float32, without grad: {kinds}."
    got = [np.shape(x) for x in attempt(precompute_freqs, 4, 0)]
    assert got == [(0, 4)] * 2, f"max_len 0 is legal and gives tables (0, 4), not {got}."
    ### BEGIN HIDDEN TESTS
    half, rows = challenge.integers(1, 9, size=2).tolist()
    cos, sin = precompute_freqs(2 * half, 20 + rows, challenge.uniform(10, 1e5))
    observe("cos", cos.data)
    observe("sin", sin.data)
    far = precompute_freqs(4, int(challenge.integers(2e4, 5e4)), 3.0)
    observe("far", far[0].data[-1], atol=1e-5)
    ### END HIDDEN TESTS


test_precompute_freqs()

# %%
cos, _ = precompute_freqs(128, 512)
turns = 2 * np.pi * 10000 ** (2 * np.arange(64) / 128)
plt.imshow(cos.data[:, :64].T, aspect="auto", cmap="RdBu", vmin=-1, vmax=1)
plt.gca().set(xlabel="position", ylabel="pair")
few = f"{(turns > 512).sum()} of 64 clocks do not go round once in 512 positions"
plt.title(f"{few}; the slowest needs {turns[-1]:,.0f}")
plt.colorbar(label="cosine")
plt.show()

# %% [markdown]
# ## Exercise 2: rotate half
# *Difficulty 2 of 5 · 4 points · 15 minutes*
#
# Turning a pair (a, b) by an angle is school mathematics:
#
# ```
#  a' = a * cos - b * sin             x  = [a ... b ...]
#  b' = b * cos + a * sin             x' = x * cos + [-b ... a ...] * sin
# ```
#
# On the right all pairs are turned at once: two products and a sum, no loop, and no matrix. What is missing is `[-b, a]`: the second half of the last axis, negated, then the first half. It is a turn by 90° of every pair, and a new operation. Since module 06 an operation is a class with its forward and its backward. What is the gradient of a turn? If y = [-b, a], then the gradient of y's first half belongs to b, negated, and that of the second half to a. That is the turn by 90° **the other way**.
#
# **Predict first:** what is `rotate_half(rotate_half(x))`?
#
# <details><summary>Hints</summary>
#
# `np.concatenate([first, second], axis=-1)`; the half is `x.shape[-1] // 2`. `backward` returns a tuple with one gradient: `(gradient,)`. Make new arrays: `x` and `grad` belong to others.
#
# </details>


# %% nbgrader={"grade_id": "rotate-half", "solution": true}
#| export
class RotateHalf(Function):
    """[first half, second half] of the last axis -> [-second, first]."""

    def forward(self, x):
        ### BEGIN SOLUTION
        half = x.shape[-1] // 2
        return np.concatenate([-x[..., half:], x[..., :half]], axis=-1)
        ### END SOLUTION

    def backward(self, grad):
        ### BEGIN SOLUTION
        return (-self.forward(grad),)
        ### END SOLUTION


def rotate_half(x: Tensor) -> Tensor:
    """Every pair (x[..., i], x[..., i + dim / 2]) turned by 90 degrees: the shape stays."""
    return RotateHalf.apply(x)


# %% nbgrader={"grade_id": "test-rotate-half", "grade": true, "points": 4}
def test_rotate_half():
    """By hand, in every leading shape, twice; the gradient is the turn the other way."""
    x = np.float32([[1, 2, 3, 4], [5, 6, 7, 8]])
    turned = rotate_half(Tensor(x)).data
    want = [[-3, -4, 1, 2], [-7, -8, 5, 6]]
    assert close(turned, want), f"{x.tolist()} becomes {want}, not {np.asarray(turned).tolist()}."
    assert close(x, [[1, 2, 3, 4], [5, 6, 7, 8]]), f"The input was overwritten: {x.tolist()}."
    for shape in [(6,), (2, 3, 5, 2), (0, 4)]:
        x = drawn(*shape)
        got = attempt(lambda x=x: rotate_half(rotate_half(x)).data)
        assert close(got, -x.data), f"{shape}: turned twice by 90 degrees x is -x, not {got}."
    x, grad = drawn(2, 6, requires_grad=True), np.float32([[1, 2, 3, 4, 5, 6], [0, 1, 0, 0, 0, 0]])
    kept = grad.copy()
    rotate_half(x)._grad_fn.backward(grad)
    assert close(grad, kept), "backward overwrote the gradient it was given: make a new array."
    rotate_half(x).backward(grad)
    want = [[4, 5, 6, -1, -2, -3], [0, 0, 0, 0, -1, 0]]
    got = x.grad.tolist()
    back = "turn the gradient back, the other way"
    assert close(got, want), f"Incoming {kept.tolist()}, the gradient is {want}, not {got}: {back}."
    for dtype in (np.float32, np.float64):
        got = rotate_half(Tensor(x.data, dtype=dtype)).dtype
        assert got == dtype, f"{np.dtype(dtype)} stays {np.dtype(dtype)}; it became {got}."
    ### BEGIN HIDDEN TESTS
    half = int(challenge.integers(1, 6))
    x = Tensor(challenge.normal(size=(3, 2 * half)), requires_grad=True)
    turned = rotate_half(x)
    turned.backward(challenge.normal(size=x.shape).astype(np.float32))
    observe("turned", turned.data)
    observe("gradient", x.grad)
    ### END HIDDEN TESTS


test_rotate_half()

# %% [markdown]
# ## Exercise 3: queries and keys
# *Difficulty 3 of 5 · 6 points · 25 minutes*
#
# `rotate` turns vectors by given cosines and sines: the formula above. `apply_rope` chooses the rows of the tables and turns q and k. Their shape is `(..., seq, head_dim)`: **the second axis from behind counts positions**, whatever stands in front (batch, heads; k may have fewer heads than q, as in LLaMA 2 70B). Values (module 12) are not turned: they carry what, not where. Where does row i stand?
#
# - at `offset + i`. Generating text, a model handles one new token at a time: after 100 tokens it calls with seq 1 and `offset=100`, and the older keys, turned long ago, are kept;
# - or at `positions[..., i]`, if positions are given. Texts that were padded on the left need that: a row of positions each, of any shape that broadcasts with q and k without their last axis.
#
# **Predict first:** which positions have to turn q and k for the score to be the plain q · k?
#
# <details><summary>Hints</summary>
#
# `rows(table, at)`, given, is `table[at]` with a check. `np.arange(seq)` counts from 0; the offset is added. Stay with Tensors: what is made from `.data` forgets where it came from.
#
# </details>


# %% nbgrader={"grade_id": "apply-rope", "solution": true}
#| export
def rows(table: ArrayLike, at: ArrayLike) -> np.ndarray:
    """The rows `at` of a table of cosines or sines: (*) -> (*, head_dim); refuses missing ones."""
    table, at = np.asarray(table), np.asarray(at)
    low, high = (at.min(), at.max()) if at.size else (0, -1)
    if low < 0:
        raise ValueError(f"Positions begin at 0, got {low}: count from the start of the text.")
    if high >= len(table):
        short = f"Position {high} needs tables of {high + 1} rows, got {len(table)}"
        raise ValueError(f"{short}: use a larger max_len, or RotaryEmbedding, which grows.")
    return table[at]


def check_width(x: Tensor, table: ArrayLike) -> None:
    """Refuse what is no sequence of vectors as wide as the tables."""
    wide = np.shape(table)[-1]
    if x.ndim < 2 or x.shape[-1] != wide:
        raise ValueError(f"Head dimension mismatch: expected (..., seq, {wide}), got {x.shape}")


def rotate(x: Tensor, cos: ArrayLike, sin: ArrayLike) -> Tensor:
    """x turned by the angles of cos and sin, pair by pair; cos and sin broadcast with x."""
    ### BEGIN SOLUTION
    return x * cos + rotate_half(x) * sin
    ### END SOLUTION


def apply_rope(
    q: Tensor,
    k: Tensor,
    cos: ArrayLike,
    sin: ArrayLike,
    offset: int = 0,
    positions: ArrayLike | None = None,
) -> tuple[Tensor, Tensor]:
    """Queries and keys (..., seq, head_dim), each turned to its position; the shapes stay.

    cos, sin: (max_len, head_dim), from precompute_freqs. Row i of q and of k stands at
    offset + i or, if given, at positions[..., i]: (seq,), or what broadcasts with the leading
    axes. Raises ValueError for other widths or lengths, and for positions not in the tables.
    """
    for x in (q, k):
        check_width(x, cos)
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(f"q has {q.shape[-2]} rows, k {k.shape[-2]}: give the same positions.")
    ### BEGIN SOLUTION
    at = offset + np.arange(q.shape[-2]) if positions is None else positions
    cos, sin = rows(cos, at), rows(sin, at)
    return rotate(q, cos, sin), rotate(k, cos, sin)
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-apply-rope", "grade": true, "points": 6}
def test_apply_rope():
    """Pair by pair against math; offset, positions, distances, and gradients that arrive."""
    cos, sin = precompute_freqs(8, 16)
    q, k = drawn(2, 3, 5, 8, requires_grad=True), drawn(2, 1, 5, 8, seed=1, requires_grad=True)
    got = attempt(apply_rope, q, k, cos, sin)
    is_pair = isinstance(got, tuple | list) and len(got) == 2
    assert is_pair, f"Return q and k, turned, not {got!r:.140}"
    for name, x, y in zip("qk", (q, k), got, strict=True):
        assert y.shape == x.shape, f"{name} {x.shape} came back as {y.shape}: the shape stays."
        assert close(y.data[..., :1, :], x.data[..., :1, :]), f"Position 0 must leave {name} as is."
        want = turned_by_hand(x.data, np.arange(5))
        got_row, row = y.data[0, 0, 1], np.round(want[0, 0, 1], 3)
        because = f"{name}, head 0, position 1: {row}, not {np.round(got_row, 3)}"
        assert close(got_row, want[0, 0, 1]), f"{because}: a * cos - b * sin, b * cos + a * sin."
        assert close(y.data, want), f"{name}: row i of axis -2 stands at position i, in every head."
    late, _ = apply_rope(q[..., 3:, :], k[..., 3:, :], cos, sin, offset=3)
    both = late.data, got[0].data[..., 3:, :]
    assert close(*both), "Rows 3 and 4 with offset=3 must be turned as within the whole."
    for at in ([4, 0, 2, 2, 15], [[[0, 0, 1, 2, 3]], [[0, 1, 2, 3, 4]]]):
        turned = apply_rope(q, k, cos, sin, positions=np.array(at))
        for x, y in zip((q, k), turned, strict=True):
            want = turned_by_hand(x.data, np.array(at))
            assert close(y.data, want), f"positions={at}: row i belongs at positions[..., i]."
    reached = [y.requires_grad for y in got]
    assert all(reached), f"q, k in a graph: {reached}. It was cut: work with Tensors, not .data."
    (got[0].sum() + (2 * got[1]).sum()).backward()
    for name, x, size in [("q", q, 1), ("k", k, 2)]:
        want = size * turned_by_hand(np.ones(x.shape), -np.arange(5))
        assert close(x.grad, want), f"The gradient of {name} must be turned back by its position."
    ### BEGIN HIDDEN TESTS
    half, seq, first = challenge.integers(1, 6, size=3).tolist()
    q, k = (Tensor(challenge.normal(size=(heads, seq, 2 * half))) for heads in (4, 2))
    tables = precompute_freqs(2 * half, 20, challenge.uniform(10, 1000))
    for where in ({"offset": first}, {"positions": challenge.integers(0, 20, size=seq)}):
        for name, x in zip("qk", apply_rope(q, k, *tables, **where), strict=True):
            observe(f"{name} by {[*where]}", x.data, atol=1e-5)
    ### END HIDDEN TESTS


test_apply_rope()

# %%
cos, sin = precompute_freqs(64, 256)
same = Tensor(np.tile(drawn(64).data, (256, 1)))
turned, _ = apply_rope(same, same, cos, sin)
scores = turned.data @ turned.data.T / (same.data[0] @ same.data[0])
for m in (0, 50, 150):
    plt.plot(np.arange(-m, 256 - m), scores[m], label=f"the query stands at {m}", lw=6 - m / 30)
plt.gca().set(xlabel="distance n - m", ylabel="score, 1 at distance 0")
plt.title("One vector as query and key: the score is a function of the distance alone")
plt.legend()
plt.show()

# %% [markdown]
# Here q and k are the same vector, and the score is highest at distance 0 and falls, on the whole, as clock after clock gets out of step. With other q and k the highest point lies elsewhere: a model can learn to look three tokens back.
#
# ## Exercise 4: a layer whose tables grow
# *Difficulty 3 of 5 · 5 points · 20 minutes*
#
# `RotaryEmbedding` keeps the tables. They are **buffers**: fixed, saved with the model, never offered to an optimizer; the layer has no parameters at all. A longer text must not stop it: `tables(count)` computes longer tables when they are needed and keeps them. A model that writes asks for one more position at each step, so a table that is too short **at least doubles**: 1,000 steps then compute about 10 tables and not 1,000. What grows is kept beside the buffers as plain arrays, `self.longest`, so that a saved model always fits a new one.
#
# **Predict first:** from 8 rows on, how many tables are computed while 1,000 tokens are written, one by one?
#
# <details><summary>Hints</summary>
#
# A text of seq rows from `offset` on needs `offset + seq` rows. The longer tables have the same head_dim *and the same base*. `rotate` turns one Tensor; slices of the arrays are its cosines and sines.
#
# </details>


# %% nbgrader={"grade_id": "rotary-embedding", "solution": true}
#| export
class RotaryEmbedding(Layer):
    """Turns vectors (..., seq, head_dim) to their positions; no parameters.

    cos, sin: the buffers, (max_seq_len, head_dim). Longer texts are legal: `longest`, two arrays,
    grows on demand. Raises ValueError for an odd head_dim and for vectors of another width.
    """

    def __init__(self, max_seq_len: int, head_dim: int, base: float = 10000.0):
        self.head_dim, self.base = head_dim, base
        self.cos, self.sin = precompute_freqs(head_dim, max_seq_len, base)
        self.longest = self.cos.data, self.sin.data

    def tables(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """`self.longest`, cosines and sines of at least `count` rows; grown if too short."""
        ### BEGIN SOLUTION
        if count > len(self.longest[0]):
            count = max(count, 2 * len(self.longest[0]))
            cos, sin = precompute_freqs(self.head_dim, count, self.base)
            self.longest = cos.data, sin.data
        return self.longest
        ### END SOLUTION

    def forward(self, x: Tensor, offset: int = 0) -> Tensor:
        """x (..., seq, head_dim), row i turned to position offset + i."""
        check_width(x, self.cos)
        if offset < 0:
            raise ValueError(f"Positions begin at 0, got {offset}: count from the start.")
        ### BEGIN SOLUTION
        end = offset + x.shape[-2]
        cos, sin = self.tables(end)
        return rotate(x, cos[offset:end], sin[offset:end])
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-rotary-embedding", "grade": true, "points": 5}
def test_rotary_embedding():
    """Against math, past the first tables, one token at a time; what grows, and what is saved."""
    layer, x = RotaryEmbedding(4, 6, base=100.0), drawn(2, 3, 11, 6)
    whole = turned_by_hand(x.data, np.arange(11), base=100.0)
    got = attempt(lambda: layer(x[:, :, :4]).data)
    assert close(got, whole[:, :, :4]), f"Row i of axis -2 stands at position i. Got: {got!r:.140}"
    said = attempt(layer, x)
    assert not isinstance(said, str), f"11 rows, tables of 4: they must grow. Got: {said}"
    assert close(said.data, whole), "Longer tables need the same base, here 100, and head_dim."
    step = RotaryEmbedding(4, 6, base=100.0)
    for i in range(11):
        got = step(x[:, :, i : i + 1], offset=i).data
        assert close(got, whole[:, :, i : i + 1]), f"One row with offset={i} stands at {i}."
    late, sizes = RotaryEmbedding(4, 6), []
    for count in range(1, 65):
        assert min(map(len, late.tables(count))) >= count, f"tables({count}) has too few rows."
        sizes.append(len(late.longest[0]))
    assert sizes[3] == 4, f"While 4 rows are enough, nothing needs to grow; it did, to {sizes[3]}."
    assert len({*sizes}) <= 5, f"4 rows to 64 in {len({*sizes}) - 1} growths: at least double."
    kept = np.shares_memory(late.tables(50)[0], late.tables(3)[0])
    assert kept, "tables(50), then tables(3): keep `self.longest`, do not compute it again."
    assert layer.parameters() == [], f"No parameters, please: {layer.named_parameters()}."
    names = [(name, tensor.shape) for name, tensor in layer.named_buffers()]
    want = [("cos", (4, 6)), ("sin", (4, 6))]
    assert names == want, f"After growing, the buffers are still {want}, not {names}."
    x = drawn(5, 6, requires_grad=True)
    turned = layer(x, offset=2)
    assert turned.requires_grad, "The graph was cut: work with Tensors, not with their .data."
    turned.sum().backward()
    want = turned_by_hand(np.ones((5, 6)), -np.arange(2, 7), base=100.0)
    assert close(x.grad, want), "The gradient of x must be turned back by each row's position."
    ### BEGIN HIDDEN TESTS
    half, seq, first = challenge.integers(1, 9, size=3).tolist()
    layer = RotaryEmbedding(5, 2 * half, base=challenge.uniform(10, 1000))
    x = Tensor(challenge.normal(size=(2, seq, 2 * half)))
    observe("from 0", layer(x).data, atol=1e-5)
    observe("later", layer(x, offset=first).data, atol=1e-5)
    ### END HIDDEN TESTS


test_rotary_embedding()

# %% [markdown]
# ## All together
# *5 points.* What makes it worth the trouble, on a whole matrix of scores; and the **other layout**. The paper, and GPT-J, pair neighbours: numbers 2i and 2i + 1, **interleaved**, which one can also write with complex numbers: `(a + bi) * exp(i * angle)`. Reorder the numbers of a vector, even ones first, and one layout becomes the other. Neither is better, but weights trained with one are garbage with the other: converters for LLaMA permute the rows of its matrices for this reason.


# %% nbgrader={"grade_id": "test-rotary", "grade": true, "points": 5}
def test_rotary():
    """Scores by distance, lengths kept, the two layouts, gradients, refusals."""
    layer, seq, dim = RotaryEmbedding(8, 16), 24, 16
    q, k = (np.tile(drawn(dim, seed=seed).data, (seq, 1)) for seed in (0, 1))
    scores = layer(Tensor(q)).data @ layer(Tensor(k)).data.T
    near, same, other = (scores[m, n].item() for m, n in [(5, 8), (10, 13), (5, 9)])
    assert close(near, same), f"3 apart, at 5 and at 10, must score the same: {near}, {same}."
    assert abs(near - other) > 1e-3, f"3 and 4 apart must score differently: {near}, {other}."
    assert close(scores[1:, 1:], scores[:-1, :-1]), "One further on, no score may change."
    x = drawn(seq, dim, seed=2)
    got, want = np.linalg.norm(layer(x).data, axis=-1), np.linalg.norm(x.data, axis=-1)
    assert close(got, want), f"Turning keeps lengths: {want[:3]} became {got[:3]}."
    order = np.concatenate([np.arange(0, dim, 2), np.arange(1, dim, 2)])
    angles = np.arange(seq)[:, None] / 10000 ** (np.arange(0, dim, 2) / dim)
    z = (x.data[:, 0::2] + 1j * x.data[:, 1::2]) * np.exp(1j * angles)
    want = np.stack([z.real, z.imag], axis=-1).reshape(seq, dim)[:, order]
    got = layer(x[:, order]).data
    assert close(got, want), "Interleaved, then even numbers first, is even first, then turned."
    cos, sin = precompute_freqs(4, 9)
    a, b = drawn(2, 3, 4), drawn(1, 4)
    for call, part in [
        (lambda: RotaryEmbedding(8, 7), "head_dim must be even, not 7"),
        (lambda: RotaryEmbedding(8, 6)(a), "expected (..., seq, 6), got (2, 3, 4)"),
        (lambda: apply_rope(a, b, cos, sin), "q has 3 rows, k 1"),
        (lambda: apply_rope(a, a, cos, sin, offset=7), "Position 9 needs tables of 10 rows, got 9"),
        (lambda: apply_rope(a, a, cos, sin, offset=-1), "Positions begin at 0, got -1"),
    ]:
        said = str(attempt(call))
        assert part in said, f"Refuse with {part!r}. Got: {said}"
    ### BEGIN HIDDEN TESTS
    layer = RotaryEmbedding(3, 8, base=challenge.uniform(100, 1e5))
    x = Tensor(challenge.normal(size=(9, 8)), requires_grad=True)
    scores = layer(x, offset=4) @ layer(x, offset=1).transpose()
    scores.backward(challenge.normal(size=(9, 9)).astype(np.float32))
    observe("scores", scores.data, rtol=1e-4, atol=1e-4)
    observe("gradient", x.grad, rtol=1e-4, atol=1e-4)
    ### END HIDDEN TESTS


test_rotary()

# %% [markdown]
# ## Measure it: three schemes side by side
#
# A small model must learn to look three tokens back: its score for positions m and n should be 1 at n = m - 3 and fall off around it. Every position holds the same token, so only positions can tell. It has two matrices, for queries and keys, and learned, sinusoidal or rotary positions, and it trains on positions 0 to 31. Then it is asked about 0 to 63.

# %%
dim, seen, seq = 32, 32, 64
distance = np.arange(seq) - np.arange(seq)[:, None]
target = np.exp(-((distance + 3) ** 2) / 4).astype(np.float32)


def train_scores(scheme, steps=400):
    """The trained model's scores (seq, seq), and how many parameters its positions have."""
    manual_seed(0)
    token, queries, keys = drawn(1, dim), Linear(dim, dim), Linear(dim, dim)
    learned, rotary = PositionalEncoding(seq, dim), RotaryEmbedding(seq, dim)
    fixed = create_sinusoidal_embeddings(seq, dim)
    add = {"learned": learned, "sinusoidal": lambda x: x + fixed[: x.shape[1]]}.get(scheme)
    turn = rotary if scheme == "rotary" else (lambda x: x)

    def scores(count):
        x = token + np.zeros((1, count, dim), np.float32)
        x = add(x) if add else x
        return (turn(queries(x)) @ turn(keys(x)).transpose())[0] * dim**-0.5

    where = learned.parameters() if scheme == "learned" else rotary.parameters()
    optimizer = Adam(queries.parameters() + keys.parameters() + where, lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        error = scores(seen) - target[:seen, :seen]
        (error * error).mean().backward()
        optimizer.step()
    with no_grad():
        return scores(seq).data, sum(p.size for p in where)


trained = {name: train_scores(name) for name in ("learned", "sinusoidal", "rotary")}
figure, axes = plt.subplots(1, 3, sharey=True, figsize=(8, 3))
print("positions    parameters   error: trained on   32 further on   at distances over 31")
for axis, (name, (scores, count)) in zip(axes, trained.items(), strict=True):
    error = (scores - target) ** 2
    parts = error[:seen, :seen], error[seen:, seen:], error[abs(distance) >= seen]
    inside, moved, far = (math.sqrt(part.mean()) for part in parts)
    print(f"{name:12}{count:11,}{inside:20.2f}{moved:16.2f}{far:23.2f}")
    image = axis.imshow(scores, cmap="RdBu", vmin=-1, vmax=1)
    axis.plot([0, 31, 31], [31, 31, 0], "k--", lw=1)
    axis.set(xlabel="key n", ylabel="query m", title=f"{name}: {inside:.2f}, {moved:.2f}")
figure.colorbar(image, ax=axes, label="score")
figure.suptitle("Error where it was trained, and 32 positions further on: only rotary's stays")
plt.show()

# %% [markdown]
# The broken lines enclose what was trained. Inside, learned positions fit best: they have the most parameters, and nothing to respect. Moved by 32, they are noise, since these rows never saw a gradient; sinusoids are defined there and still wrong. Rotary scores are the same all along a diagonal, so what was learned once holds everywhere. But the last column is honest: **distances** that never came up are wrong with rotary positions as well. Defined is not learned. Models with rotary positions do degrade past their trained length, and what helps is to train on longer texts again, with a larger base or with positions squeezed together (Chen and others, 2023).
#
# | | learned | sinusoidal | rotary |
# |---|---|---|---|
# | where | added once, to the token vectors | added once, to the token vectors | in every attention layer, to q and k |
# | parameters | max_seq_len × embed_dim | none | none |
# | a score sees | two positions | two positions | their distance |
# | past the trained length | refused | defined, degrades | defined, degrades at new distances |
# | who | GPT-2, BERT | the Transformer of 2017 | LLaMA, Mistral, Qwen |
#
# T5 goes a fourth way: it adds a learned number per distance to the scores.
#
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. head_dim 8: by which angle does pair 2 turn in 50 positions?
# 2. LLaMA 3 raised the base to 500,000. How many of the 64 pairs of head_dim 128 go round within 8,192 positions, and how many did with 10,000?
#
# <details><summary>Answers</summary>
#
# 1. 50 * 10000^(-4/8) = 0.5.
# 2. 35, and with 10,000 it was 50: a larger base has more slow clocks, which tell far positions apart.
#
# </details>

# %%
print("1.", 50 * 10000 ** (-4 / 8))
for base in (500_000, 10_000):
    print("2.", int((2 * np.pi * base ** (2 * np.arange(64) / 128) <= 8192).sum()))

# %% [markdown]
# ## In production
#
# | ours | theirs | the difference |
# |---|---|---|
# | `apply_rope(q, k, cos, sin)` | `apply_rotary_pos_emb(q, k, cos, sin)` of Hugging Face's LLaMA | the same split halves; theirs gets rows already chosen; Meta's own code pairs neighbours, as `z` in the last test |
#
# ## Recap
#
# 1. Added positions put mixed terms into a score; turned q and k leave content and distance.
# 2. Pair i of a vector is a clock hand that moves by base^(-2i/head_dim) a position.
# 3. `x * cos + rotate_half(x) * sin` turns all pairs; the gradient turns back.
# 4. No parameters, any position; distances that were never trained are still strange to a model.
# 5. Split halves or interleaved: one permutation apart, and never to be mixed.
#
# ## Further reading
#
# - J. Su and others, "RoFormer: enhanced transformer with rotary position embedding" (2021): <https://arxiv.org/abs/2104.09864>
# - S. Chen and others, "Extending context window of large language models via positional interpolation" (2023): <https://arxiv.org/abs/2306.15595>
#
# **Next:** the notebook Vectors: tables of word vectors, who is near whom, and what relations look like in them.
