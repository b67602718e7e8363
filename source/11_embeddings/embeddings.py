# %% [markdown]
# # Embeddings
#
# > From token ids to vectors that know which token they are and where it stands.
#
# **The question of this notebook:** a tokenizer gives numbers such as 464 and 3797. They are names, not quantities: 464 is not less than 3797 in any sense that matters. What can a network compute with?
#
# Difficulty 3 of 5 · about 3 hours · 4 exercises and a test over the notebook, 40 of the module's 100 points · prerequisites: modules 01 to 07 and 10. The first of four notebooks of module 11: it becomes `tinytorch/core/embeddings.py`. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | tensors, layers, gradients (rows alone, too), optimizers, token ids | `Embedding`, `PositionalEncoding`, `create_sinusoidal_embeddings`, `EmbeddingLayer` | rotary positions, word vectors (next notebooks), attention (12), a transformer (13), vectors made from parts of words |

# %%
#| default_exp core.embeddings

# %% nbgrader={"grade_id": "setup", "locked": true}
import timeit
import tracemalloc

import matplotlib.pyplot as plt
import numpy as np

from tinytorch.core.layers import Linear, manual_seed
from tinytorch.core.losses import CrossEntropyLoss
from tinytorch.core.optimizers import Adam

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
KINDS = ("learned", "sinusoidal", None)
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


def close(got, want, atol=1e-6):
    """True when both have the same shape and, to float32 precision, the same values."""
    same = not isinstance(got, str) and np.shape(got) == np.shape(want)
    return same and np.allclose(got, want, rtol=1e-5, atol=atol)


def attempt(call, *args):
    """What call returns or, as text, the error it ends in: "ValueError: ..."."""
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
from numpy.typing import ArrayLike

from tinytorch.core.autograd import RowSparseGrad
from tinytorch.core.functions import Function
from tinytorch.core.layers import Dropout, Layer, Random
from tinytorch.core.tensor import Tensor

# %% [markdown]
# ## A row for each token
# Give each token of the vocabulary a vector of its own, to be learned, and stack them: a table of `vocab_size` rows and `embed_dim` columns. A token's id is the number of its row. Six tokens, three numbers each, and the text `[2, 3, 5, 1]`:
#
# ```
#  row 0   0.0  0.1  0.2     row 3   0.9  1.0  1.1         id 2 -> 0.6  0.7  0.8
#  row 1   0.3  0.4  0.5     row 4   1.2  1.3  1.4         id 3 -> 0.9  1.0  1.1
#  row 2   0.6  0.7  0.8     row 5   1.5  1.6  1.7         id 5 -> 1.5  1.6  1.7    id 1 -> 0.3  0.4  0.5
# ```
#
# In theory this is a matrix product. Write id 2 as `[0, 0, 1, 0, 0, 0]`, a **one-hot** vector: times the table it is row 2, since all other rows are multiplied by 0. Nobody computes it so. **Predict first:** 32 texts of 128 ids, a vocabulary of 50,000. How large are the one-hot vectors in float32, against the ids?

# %%
table, ids, places = np.arange(18).reshape(6, 3) / 10, [2, 3, 5, 1], 32 * 128
print("lookup equals one-hot times matrix:", np.array_equal(table[ids], np.eye(6)[ids] @ table))
print(f"one-hot vectors {places * 50_000 * 4 / 2**20:,.0f} MiB, ids {places * 8 / 2**10:.0f} KiB")

# %% [markdown]
# ## Exercise 1: Embedding
# *Difficulty 3 of 5 · 14 points · 50 minutes*<br>
# **There.** A lookup is indexing: row numbers in, a copy of these rows out, no search and no hash table. Ids may have any shape; each is replaced by its row.<br>**And back.** Each position hands a gradient to its row. The one-hot matrix tells the rule, `one_hot.T @ grad`: a row gets **the sum over all positions that used it**, and a row that nobody used gets nothing. By hand, ids `[1, 4, 1]` with gradients `[1, 1, 1]`, `[2, 2, 2]`, `[3, 3, 3]`: row 1 gets 1 + 3 = `[4, 4, 4]`, row 4 `[2, 2, 2]`.
#
# Trap one: `total[ids] += grad` reads rows 1, 4, 1, adds, and writes them back. Row 1 is written twice and the last one wins: 3 instead of 4. Nothing fails, and frequent tokens learn too little.<br>Trap two is size: a batch uses some hundred of 50,000 rows, and a gradient of the table's shape would be nearly all zeros. So hand `RowSparseGrad(ids, values, shape)` of module 05 to the engine: it keeps what you give it, and adds up repeated ids when somebody looks.<br><br>**The layer** owns the table. It starts uniform between `-limit` and `limit` with Xavier's `limit = sqrt(6 / (vocab_size + embed_dim))` of module 03, drawn from `Random.generator`. And it is where wrong ids must stop. An id of 6 in a table of 6 rows would at least fail; `-1` would not: NumPy counts from the end and hands out the *last* row, in silence. Usual reasons are a padding mark of -1, and a tokenizer larger than the model. Refuse, and show both ends: `Index out of range. Expected 0 <= indices < 50000, got min=3, max=50001`<br><br>Given are two helpers. `as_ids` refuses what is no whole number: 2.5 has no row, and `nan` or `True` among ids is a mistake made earlier. An empty batch is legal, and has no minimum. **Predict first:** which dtype does NumPy give to `[]`, a list of no ids?
#
# <details><summary>Hints</summary><code>forward</code> gets arrays: <code>np.take(weight, ids, axis=0)</code>. In <code>backward</code>, <code>self.inputs</code> holds the two Tensors that went in, <code>weight</code> and <code>ids</code>. One gradient for each input; ids are names, so theirs is <code>None</code>.</details>


# %% nbgrader={"grade_id": "given", "locked": true}
#| export
def check_size(name: str, size: int, least: int = 1) -> int:
    """`size` as a Python int, or a ValueError when it is no whole number from `least` on."""
    if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < least:
        raise ValueError(f"{name} must be a whole number from {least} on, not {size!r}.")
    return int(size)


def as_ids(indices: ArrayLike) -> Tensor:
    """Whole numbers of any shape as a Tensor of int64; a ValueError for anything else."""
    array = Tensor(indices).data
    if array.size and array.dtype.kind not in "iu":  # nothing at all is legal: [] is float64
        found = f"{array.dtype.name} such as {array.flat[0]}"
        raise ValueError(f"Ids are whole numbers, not {found}: use .astype(np.int64).")
    return Tensor(array.astype(np.int64, copy=False))


# %% nbgrader={"grade_id": "embedding", "solution": true}
#| export
class EmbeddingFunction(Function):
    """Rows of a table: weight (vocab_size, embed_dim), ids (...) -> (..., embed_dim)."""

    def forward(self, weight: np.ndarray, ids: np.ndarray) -> np.ndarray:
        ### BEGIN SOLUTION
        return np.take(weight, ids, axis=0)
        ### END SOLUTION

    def backward(self, grad: np.ndarray) -> tuple[RowSparseGrad, None]:
        """grad (..., embed_dim) -> the gradients of weight, by rows, and of ids, None."""
        ### BEGIN SOLUTION
        weight, ids = self.inputs
        return RowSparseGrad(ids.data, grad, weight.shape), None
        ### END SOLUTION


class Embedding(Layer):
    """A learned vector for each token: ids (...) -> (..., embed_dim).

    weight: (vocab_size, embed_dim), uniform by Glorot and Bengio 2010, eq. 16.
    Raises ValueError for ids that are no whole numbers or lie outside 0 ... vocab_size - 1.
    """

    def __init__(self, vocab_size: int, embed_dim: int):
        self.vocab_size = check_size("vocab_size", vocab_size)
        self.embed_dim = check_size("embed_dim", embed_dim)
        ### BEGIN SOLUTION
        limit = math.sqrt(6 / (self.vocab_size + self.embed_dim))
        drawn = Random.generator.uniform(-limit, limit, (self.vocab_size, self.embed_dim))
        self.weight = Tensor(drawn, requires_grad=True)
        ### END SOLUTION

    def forward(self, indices: ArrayLike) -> Tensor:
        ids = as_ids(indices)
        ### BEGIN SOLUTION
        low, high = (ids.data.min(), ids.data.max()) if ids.size else (0, 0)
        if low < 0 or high >= self.vocab_size:
            allowed = f"Expected 0 <= indices < {self.vocab_size}"
            raise ValueError(f"Index out of range. {allowed}, got min={low}, max={high}")
        return EmbeddingFunction.apply(self.weight, ids)
        ### END SOLUTION

    def __repr__(self) -> str:
        return f"Embedding(vocab_size={self.vocab_size}, embed_dim={self.embed_dim})"


# %% nbgrader={"grade_id": "test-embedding", "grade": true, "points": 14}
def check_start(kind, shape, name, limit):
    """The table `name` of kind(*shape): its shape, spread and chance."""
    manual_seed(3)
    table, second = (getattr(kind(*shape), name) for _ in range(2))
    w, _ = table.data, manual_seed(3)
    assert table.requires_grad, f"{name} is to be learned: requires_grad=True."
    assert w.shape == shape, f"{name} has shape {shape}, not {w.shape}."
    low, high, spread = w.min() / limit, w.max() / limit, w.std() / limit
    fills = -1.0001 < low < -0.99 and 0.99 < high < 1.0001 and abs(spread - 3**-0.5) < 0.02
    assert fills, f"Uniform, -1 to 1 times {limit:.5f}; yours {low:.2f} to {high:.2f}, {spread:.2f}"
    alike = max(w.mean(axis=i).std() * math.sqrt(w.shape[i]) / w.std() for i in (0, 1))
    assert alike < 1.5, "Rows or columns are alike: draw each number by itself."
    chance = close(getattr(kind(*shape), name), w) and not close(second, w)
    assert chance, "Draw from Random.generator: manual_seed repeats a table, a second one differs."


def test_embedding():
    """The start; rows and gradients against one-hot products; memory; ids that have no row."""
    check_start(Embedding, (400, 90), "weight", math.sqrt(6 / 490))
    layer = Embedding(6, 3)
    layer.weight.data[...] = np.arange(18).reshape(6, 3) / 10
    for ids in ([2, 3, 5, 1], np.array([[2, 0], [5, 1]]), Tensor([[5, 5, 5], [0, 1, 5]]), 3, []):
        got, found = attempt(layer, ids), np.asarray(ids).astype(int)
        one_hot, layer.weight.grad = np.eye(6)[found], None
        want, flat = one_hot @ layer.weight.data, found.reshape(-1).tolist()
        assert close(got, want), f"ids {ids}: expected {want.tolist()}, got {got}."
        assert got.requires_grad, "The graph is cut: use EmbeddingFunction.apply, not .data."
        grad = np.cos(np.arange(found.size * 3.0).reshape(*found.shape, 3))
        said, back = attempt(got.backward, grad), attempt(np.asarray, layer.weight.grad)
        want = one_hot.reshape(-1, 6).T @ grad.reshape(-1, 3)
        because = "repeated ids add up: `grad[ids] += g`?" if len({*flat}) < len(flat) else ""
        assert close(back, want), f"ids {flat}: row by row {want} {because} Got {said or back}"
    large, ids = Embedding(100_000, 8), np.arange(50) * 9
    out = large(ids).sum()
    tracemalloc.start()
    out.backward()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(large.weight.grad, RowSparseGrad), "Return a RowSparseGrad, not an array."
    assert peak < 400_000, f"50 of 100,000 rows: backward took {peak:,} bytes. Keep rows only."
    for ids, span in [([3, -1, 2], "min=-1, max=3"), ([[6], [0]], "min=0, max=6")]:
        want, said = f"Expected 0 <= indices < 6, got {span}", str(attempt(layer, ids))
        good = said == f"ValueError: Index out of range. {want}"
        assert good, f"ids {ids}: ValueError 'Index out of range. {want}', -1 wraps. Got: {said}"
    ### BEGIN HIDDEN TESTS
    layer.weight.data[...], layer.weight.grad = challenge.normal(size=(6, 3)), None
    out = layer(challenge.integers(0, 6, size=(2, 2, 7)))
    observe("rows", out.data)
    out.backward(challenge.normal(size=out.shape))
    observe("gradient", np.asarray(layer.weight.grad), rtol=1e-4, atol=1e-5)
    observe("refused", str(attempt(layer, [0, -int(challenge.integers(1, 6))])))
    ### END HIDDEN TESTS


test_embedding()

# %%
print("vocabulary x width = parameters     MB      MiB   of all  a row, KiB")
for vocab, dim, total, name in [  # as published
    (30_522, 768, 109_482_240, f"BERT base; positions {512 * 768:,}, token types {2 * 768:,}"),
    (50_257, 768, 124_439_808, f"GPT-2 small; positions {1024 * 768:,}"),
    (50_257, 1_024, 354_823_168, "GPT-2 medium"),
    (50_257, 12_288, 175e9, "GPT-3"),
]:
    n = vocab * dim
    print(f"{vocab:6,} x {dim:6,} = {n:11,} {4 * n / 1e6:8,.1f} {4 * n / 2**20:8,.2f}", end=" ")
    print(f"{n / total:7.2%} {4 * dim / 2**10:4.0f}  {name}")

# %% [markdown]
# A megabyte (MB) is 1,000,000 bytes, a mebibyte (MiB) 1,048,576: say which you mean. The table is a fifth of BERT, a third of the small GPT-2 and nothing of a large one, since the rest grows with the *square* of the width. To look up one GPT-3 token means to read 48 KiB, whatever the vocabulary.
#
# ## Where does it stand?
# "Dog bites man" and "man bites dog" are the same three rows. Attention (module 12) mixes vectors by how well they match: softmax of `x @ x.T`, times `x`. It looks at contents alone. What if the words change places?


# %%
def attend(x):
    """The core of attention, without anything learned: (seq, dim) -> (seq, dim)."""
    scores = np.exp(x @ x.T / math.sqrt(x.shape[-1]))
    return scores / scores.sum(axis=1, keepdims=True) @ x


(words, places), order = np.random.default_rng(0).normal(size=(2, 5, 8)), [3, 0, 4, 1, 2]
for name, shift in [("contents alone", 0), ("with positions", places)]:
    off = attend(words[order] + shift) - attend(words + shift)[order]  # in one order again
    print(f"{name}: outputs differ by {abs(off).max():.0e}, means by {abs(off.mean(0)).max():.0e}")

# %% [markdown]
# Permuting the inputs permutes the outputs (*equivariant*), and the mean does not notice at all (*invariant*): to a classifier on top of it both sentences are one. A vector added at each position breaks the tie.
#
# ## Exercise 2: learned positions
# *Difficulty 2 of 5 · 6 points · 20 minutes*<br>
# The simplest position is a second table, as in GPT-2 and BERT: row 0 is added to whatever stands first. For a batch `(batch, seq, embed_dim)` the first `seq` rows are added to every text, so each row's gradient is the sum over the batch, and rows past `seq` get none. It starts uniform with `limit = sqrt(2 / embed_dim)`, a choice whose size we look at below. The refusals are given; a table has an end, so there is a longest text. **Predict first:** a model with `max_seq_len=512` was only ever trained on texts of 100. What is in rows 100 to 511?


# %% nbgrader={"grade_id": "positional", "solution": true}
#| export
class PositionalEncoding(Layer):
    """A learned vector for each position, added: (batch, seq, embed_dim) -> the same shape.

    position_embeddings: (max_seq_len, embed_dim), uniform up to sqrt(2 / embed_dim).
    Raises ValueError for other dimensions, another embed_dim, and seq above max_seq_len.
    """

    def __init__(self, max_seq_len: int, embed_dim: int):
        self.max_seq_len = check_size("max_seq_len", max_seq_len)
        self.embed_dim = check_size("embed_dim", embed_dim)
        ### BEGIN SOLUTION
        limit = math.sqrt(2 / self.embed_dim)
        drawn = Random.generator.uniform(-limit, limit, (self.max_seq_len, self.embed_dim))
        self.position_embeddings = Tensor(drawn, requires_grad=True)
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        if x.ndim != 3:
            raise ValueError(f"Expected 3D input (batch, seq, embed), got shape {x.shape}")
        seq, dim = x.shape[1:]
        if dim != self.embed_dim:
            raise ValueError(f"Embedding dimension mismatch: expected {self.embed_dim}, got {dim}")
        if seq > self.max_seq_len:
            longest = f"Sequence length {seq} exceeds maximum {self.max_seq_len}"
            raise ValueError(f"{longest}: shorten it, or build with max_seq_len={seq}.")
        ### BEGIN SOLUTION
        return x + self.position_embeddings[:seq]
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-positional", "grade": true, "points": 6}
def test_positional():
    """The start, the sum, and gradients that reach the input and the positions used."""
    check_start(PositionalEncoding, (300, 80), "position_embeddings", math.sqrt(2 / 80))
    layer, grad = PositionalEncoding(5, 2), np.arange(12.0).reshape(2, 3, 2)
    x, p = Tensor(grad, requires_grad=True), layer.position_embeddings.data
    out = layer(x)
    want = [[[grad[b, s, d] + p[s, d] for d in range(2)] for s in range(3)] for b in range(2)]
    assert close(out, want), f"Position s gets row s: expected {want}, got {np.asarray(out)}."
    assert close(x.data, grad), "The input was changed: add, do not write into it."
    assert out.requires_grad, "The graph is cut: add Tensors, not their .data."
    out.backward(grad)
    assert close(x.grad, grad), f"The input's gradient is that of the sum; got {x.grad}."
    back, want = layer.position_embeddings.grad, [[6, 8], [10, 12], [14, 16], [0, 0], [0, 0]]
    assert back is not None, "No gradient came to the positions: index the Tensor, not its .data."
    assert close(np.asarray(back), want), f"Sum over the batch, 0 if unused: {want}, not {back}."
    ### BEGIN HIDDEN TESTS
    p[...] = challenge.normal(size=(5, 2))
    out = layer(Tensor(challenge.normal(size=(4, int(challenge.integers(2, 5)), 2))))
    observe("sum", out.data)
    (out * out).sum().backward()
    observe("positions", np.asarray(layer.position_embeddings.grad), rtol=1e-4)
    ### END HIDDEN TESTS


test_positional()

# %% [markdown]
# ## Exercise 3: sinusoidal positions
# *Difficulty 3 of 5 · 7 points · 30 minutes*<br>
# Rows 100 to 511 of that model are still the random numbers of the first day. Vaswani and others (2017) *compute* the table instead: nothing to learn, no last row. A position is read off a set of clocks, each slower than the one before. Columns come in pairs, sine and cosine of one hand; pair i, with d = `embed_dim`: `PE[p, 2i] = sin(p / 10000**(2i / d))`, `PE[p, 2i + 1] = cos(p / 10000**(2i / d))`
#
# By hand for d = 8: pair 0 turns by p, pair 1 by p / 10, pair 2 by p / 100, pair 3 by p / 1000. Position 0 is `[0, 1, 0, 1, ...]`, and position 1 is `0.8415 0.5403  0.0998 0.9950  0.0100 1.0000  0.0010 1.0000`. Note the exponent: i is the number of the *pair*. With an odd d the last column is a sine without its cosine. **Predict first:** how long is the wave of pair 0, and of the last pair for d = 64?
#
# <details><summary>Hints</summary><code>np.arange(n)[:, None]</code> is a column; divided by a row of numbers it gives all angles. <code>table[:, 0::2]</code> are the even columns; there are <code>embed_dim // 2</code> odd ones. The table is a constant: a Tensor without <code>requires_grad</code>.</details>


# %% nbgrader={"grade_id": "sinusoidal", "solution": true}
#| export
def create_sinusoidal_embeddings(max_seq_len: int, embed_dim: int) -> Tensor:
    """The table of Vaswani and others 2017, section 3.5: (max_seq_len, embed_dim), no gradient."""
    check_size("max_seq_len", max_seq_len, least=0)
    check_size("embed_dim", embed_dim)
    ### BEGIN SOLUTION
    even_columns = np.arange(0, embed_dim, 2)
    angles = np.arange(max_seq_len)[:, None] / 10000 ** (even_columns / embed_dim)
    table = np.empty((max_seq_len, embed_dim))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : embed_dim // 2])
    return Tensor(table)
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-sinusoidal", "grade": true, "points": 7}
def test_sinusoidal():
    """By hand, every entry by the formula, odd and smallest sizes, no gradient."""
    table = create_sinusoidal_embeddings(40, 8)
    fixed = isinstance(table, Tensor) and not table.requires_grad
    assert fixed, "A Tensor comes out, and nothing in it is learned: no requires_grad."
    assert table.shape == (40, 8), f"(max_seq_len, embed_dim) = (40, 8), not {table.shape}."
    (zero, one), want = table.data[:2], [0.8415, 0.5403, 0.0998, 0.995, 0.01, 1, 0.001, 1]
    assert close(zero, [0, 1] * 4), f"Position 0 is 0 1 0 1 ..., sine first; yours {zero}."
    good = close(one, want, atol=1e-3)
    assert good, f"Position 1 is {want}; yours {one}. Exponent 2i / d, base 10000?"
    for rows, dim in [(40, 8), (9, 5), (6, 1), (3, 2), (1, 6), (0, 4), (30, 32)]:
        angles = [[p / 10000 ** (c // 2 * 2 / dim) for c in range(dim)] for p in range(rows)]
        want = [[(math.sin, math.cos)[c % 2](a) for c, a in enumerate(row)] for row in angles]
        got = attempt(create_sinusoidal_embeddings, rows, dim)
        good = close(got, np.reshape(want, (rows, dim)), atol=1e-4)
        assert good, f"{rows} x {dim}: sines in even columns, cosines in odd. {want}, not {got}"
    ### BEGIN HIDDEN TESTS
    table = create_sinusoidal_embeddings(*challenge.integers(9, 50, size=2).tolist())
    observe("table", table.data, rtol=1e-3, atol=1e-4)
    ### END HIDDEN TESTS


test_sinusoidal()

# %%
table = create_sinusoidal_embeddings(1000, 64).data
lengths = 2 * math.pi * 10000 ** (np.arange(0, 64, 2) / 64)
fig, (left, middle, right) = plt.subplots(1, 3, width_ratios=[1.2, 1, 1])
left.imshow(table[:100].T, aspect="auto", cmap="RdBu", interpolation="nearest")
left.set(xlabel="position", ylabel="column", title="Clocks, ever slower")
middle.semilogy(lengths)
middle.set(xlabel="pair", ylabel="wavelength", title=f"{lengths[0]:.2f} to {lengths[-1]:,.0f}")
for p, style in [(200, "-"), (500, "--"), (800, ":")]:
    right.plot(range(-100, 101), table[p - 100 : p + 101] @ table[p], style, label=f"from {p}")
right.set(xlabel="distance", ylabel="dot product", title="Distance alone counts")
right.legend(fontsize=8)
plt.show()
small = create_sinusoidal_embeddings(1000, 8).data.astype(float)
turn = np.linalg.lstsq(small[:393], small[7:400], rcond=None)[0]
error, off = small[500:-7] @ turn - small[507:], turn @ turn.T - np.eye(8)
print(f"PE(p) @ turn = PE(p + 7), fitted below 400, from 500 on: off by {abs(error).max():.0e}")
print(f"turn is a rotation, to {abs(off).max():.0e}; no wave exceeds {20_000 * math.pi:,.0f}")
limit, wave = math.sqrt(6 / (50_000 + 512)), create_sinusoidal_embeddings(2000, 512).data
print(f"limits at 50,000 x 512: tokens {limit:.4f}, learned positions {math.sqrt(2 / 512):.4f}")
print(f"root mean square of scaled tokens {limit / math.sqrt(3) * math.sqrt(512):.3f}", end=", ")
print(f"of sinusoids {math.sqrt((wave * wave).mean()):.3f}")

# %% [markdown]
# The dot product of two positions is a sum of `cos(distance / 10000**(2i / d))`: it does not see where they stand, is largest at distance 0, and on the whole falls off. And a shift by k turns each hand by a fixed angle, so one matrix, the same for *all* positions, leads from `PE(p)` to `PE(p + k)`. The notebook Rotary builds on that.<br><br>And who speaks louder at the start, tokens or positions? One often reads that positions "start smaller than tokens". At this size they start six times *larger*, and a sinusoid (root mean square 0.707) five times larger than a token vector that was already multiplied by sqrt(512). Left alone, the sum says where and only whispers what. What follows: multiply token vectors by `sqrt(embed_dim)` when sinusoids are added, start them larger (the 2017 code used a standard deviation of 1 / sqrt(d), so that the product is 1), or count on training to grow the rows. Never compare two layers without asking how large each speaks.
#
# ## Exercise 4: the whole layer
# *Difficulty 4 of 5 · 9 points · 40 minutes*<br>
# `EmbeddingLayer` is what a transformer starts with: ids `(batch, seq)` or `(seq,)` → token vectors → (times `sqrt(embed_dim)`, if asked) → plus positions, `'learned'`, `'sinusoidal'` or none → dropout. Four traps:
#
# 1. **Everything inside the graph.** `x.data * sqrt(d)` gives the right numbers and no gradient.
# 2. **Scale first, then add.** Only the token vectors are scaled.
# 3. **One text `(seq,)` in, `(seq, embed_dim)` out**, without a batch axis; `PositionalEncoding` wants three dimensions.
# 4. **A fixed table is no parameter,** and it has no end. `self.table` is a buffer, saved with the model. `fixed_positions` reads from `self.longest`, at first the same array, and keeps a longer one there when a longer text comes. As an *array*: a second Tensor would join the state, and the model could not be loaded where nobody had met that text. And at least twice as long: a text that grows token by token should not remake it each time.
#
# <details><summary>Hints</summary><code>x * math.sqrt(self.embed_dim)</code>: a Python float keeps float32. Tensors have <code>reshape</code>, inside the graph: <code>x.reshape(1, *x.shape)</code>, and back. An array adds to a Tensor, the axis of the batch in front: <code>x + array</code>.</details>


# %% nbgrader={"grade_id": "embedding-layer", "solution": true}
#| export
class EmbeddingLayer(Layer):
    """Token vectors plus positions: ids (batch, seq) or (seq,) -> (..., seq, embed_dim).

    pos_encoding: 'learned' (at most max_seq_len ids), 'sinusoidal' (any number) or None.
    scale_embeddings: token vectors times sqrt(embed_dim); dropout: in training, over the sum.
    """

    def __init__(
        self, vocab_size: int, embed_dim: int, max_seq_len: int = 512,
        pos_encoding: str | None = "learned", scale_embeddings: bool = False, dropout: float = 0.0,
    ):  # fmt: skip
        if pos_encoding not in ("learned", "sinusoidal", None):
            known = "Use 'learned', 'sinusoidal', or None"
            raise ValueError(f"Unknown pos_encoding: {pos_encoding!r}. {known}")
        self.embed_dim, self.pos_encoding = embed_dim, pos_encoding
        self.token_embedding = Embedding(vocab_size, embed_dim)
        if pos_encoding == "learned":
            self.position_encoding = PositionalEncoding(max_seq_len, embed_dim)
        elif pos_encoding == "sinusoidal":
            self.table = create_sinusoidal_embeddings(max_seq_len, embed_dim)
            self.longest = self.table.data
        self.scale_embeddings, self.dropout = scale_embeddings, Dropout(dropout)

    def fixed_positions(self, seq: int) -> np.ndarray:
        """The first rows of `self.longest`: (seq, embed_dim); it at least doubles when too short."""
        ### BEGIN SOLUTION
        if seq > len(self.longest):
            rows = max(seq, 2 * len(self.longest))
            self.longest = create_sinusoidal_embeddings(rows, self.embed_dim).data
        return self.longest[:seq]
        ### END SOLUTION

    def forward(self, indices: ArrayLike) -> Tensor:
        ids = as_ids(indices)
        if ids.ndim not in (1, 2):
            raise ValueError(f"Expected ids (batch, seq) or (seq,), got shape {ids.shape}")
        ### BEGIN SOLUTION
        x = self.token_embedding(ids)
        if self.scale_embeddings:
            x = x * math.sqrt(self.embed_dim)
        if self.pos_encoding == "learned":
            batch = x if ids.ndim == 2 else x.reshape(1, *x.shape)
            x = self.position_encoding(batch).reshape(*x.shape)
        elif self.pos_encoding == "sinusoidal":
            x = x + self.fixed_positions(ids.shape[-1])
        return self.dropout(x)
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-embedding-layer", "grade": true, "points": 9}
def by_hand(layer, ids):
    """The rows, scaled if asked, and positions, in NumPy."""
    rows = layer.token_embedding.weight.data[np.asarray(ids, int)]
    places = create_sinusoidal_embeddings(*rows.shape[-2:]).data * (layer.pos_encoding is not None)
    if layer.pos_encoding == "learned":
        places = layer.position_encoding.position_embeddings.data[: rows.shape[-2]]
    return rows * (math.sqrt(6) if layer.scale_embeddings else 1) + places


def test_embedding_layer():
    """Values of all kinds, shapes, gradients to every table, growth, state, dropout."""
    for kind, scale in [(kind, scale) for kind in KINDS for scale in (False, True)]:
        layer, case = EmbeddingLayer(9, 6, 4, kind, scale), f"{kind!r}, scale_embeddings={scale}"
        for ids in ([[1, 8, 1], [0, 2, 2]], [3, 8, 0, 3], np.zeros((0, 4), int), [[5]]):
            got, want = attempt(layer, ids), by_hand(layer, ids)
            shape = got.shape if isinstance(got, Tensor) else got
            assert shape == want.shape, f"{case}: ids {ids} give {want.shape}, not {shape}."
            assert close(got, want), f"{case}: rows, scaled first, then positions: {want} not {got}"
            assert got.requires_grad, f"{case}: the graph is cut. Was .data used?"
        (layer([[1, 8, 1], [0, 2, 2]]).sum() + layer([4]).sum()).backward()
        used = {"token_embedding.weight": np.array([1, 2, 2, 0, 1, 0, 0, 0, 1]) * 6 ** (scale / 2)}
        used |= {"position_encoding.position_embeddings": [3, 2, 2, 0]} if kind == "learned" else {}
        names = dict(layer.named_parameters())
        assert list(names) == list(used), f"{case}: the parameters are {[*used]}, not {[*names]}."
        for name, want in used.items():
            assert names[name].grad is not None, f"{case}: no gradient for {name}: .data used?"
            got = np.asarray(names[name].grad)[:, 0]
            assert close(got, want), f"{case}: the gradient of {name} is {want}, not {got}."
    layer, tables = EmbeddingLayer(9, 6, 4, "sinusoidal"), []
    for seq in [*range(1, 65), 300]:
        got, want = attempt(layer, [7] * seq), by_hand(layer, [7] * seq)
        assert close(got, want), f"{seq} ids, a table of 4: let it grow. Got {got!s:.60}"
        tables += [layer.longest] if not any(x is layer.longest for x in tables) else []
    assert 2 <= len(tables) <= 7, f"{len(tables)} tables for 1 to 64 ids: keep it, double it."
    got = {name: x.shape for name, x in layer.named_buffers()}
    assert got == {"table": (4, 6)}, f"A long text made {got} of the state: `longest` is an array."
    layer = EmbeddingLayer(9, 6, 50, dropout=0.5)
    share = (layer([[7] * 50] * 8).data == 0).mean()
    assert 0.42 < share < 0.58, f"dropout=0.5, over the sum: a share of {share:.2f} became 0."
    assert close(layer.eval()([7]), by_hand(layer, [7])), "After eval() nothing is dropped."
    ### BEGIN HIDDEN TESTS
    for kind in KINDS:
        layer = EmbeddingLayer(8, 5, 6, kind, scale_embeddings=bool(challenge.integers(0, 2)))
        for tensor in layer.parameters():
            tensor.data[...] = challenge.normal(size=tensor.shape)
        out = layer(challenge.integers(0, 8, size=(3, 6)))
        observe(f"{kind}", out.data, rtol=1e-4, atol=1e-4)
        (out * challenge.normal(size=out.shape)).sum().backward()
        for name, tensor in layer.named_parameters():
            observe(f"{kind}, {name}", np.asarray(tensor.grad), rtol=1e-3, atol=1e-4)
    ### END HIDDEN TESTS


test_embedding_layer()

# %% [markdown]
# ## All together
# *4 points.* A state that can be loaded, and steps of training.


# %% nbgrader={"grade_id": "test-embeddings-module", "grade": true, "points": 4}
def test_embeddings_module():
    """A twin from the state, steps that move used rows alone."""
    for kind in KINDS:
        layer, twin = (EmbeddingLayer(10, 4, 3, kind, scale_embeddings=True) for _ in range(2))
        twin.load_state_dict(layer.state_dict())
        assert close(twin([1, 2]), layer([1, 2])), "With its state, a twin answers as the layer."
        (layer([[7, 2], [2, 5]]) ** 2).sum().backward()
        Adam(layer.parameters(), 0.1).step()
        same = layer.token_embedding.weight == twin.token_embedding.weight
        moved = np.flatnonzero(~same.data.all(axis=1)).tolist()
        assert moved == [2, 5, 7], f"{kind}: a step moves the rows 2, 5, 7 that were used: {moved}."
    ### BEGIN HIDDEN TESTS
    twin.token_embedding.weight.data[...] = challenge.normal(size=(10, 4))
    (twin(challenge.integers(0, 10, size=(4, 6))) ** 2).mean().backward()
    Adam(twin.parameters(), 0.01).step()
    observe("trained", twin.token_embedding.weight.data, rtol=1e-3, atol=1e-4)
    ### END HIDDEN TESTS


test_embeddings_module()

# %% [markdown]
# ## Measure it: what a lookup costs, and a step
# Left, 2,048 lookups of 128 numbers in tables of different heights. Middle, one table and ever more lookups. Right, backward and a step of Adam for 256 ids of 32 numbers: your rows against a gradient as large as its table.


# %%
def learn(layer, ids, optimizer, dense):
    optimizer.zero_grad()
    layer(ids).sum().backward()
    layer.weight.grad = layer.weight.grad.to_dense() if dense else layer.weight.grad
    optimizer.step()


def best_of(call, *args):
    return min(timeit.repeat(lambda: call(*args), number=1, repeat=12)) * 1e3  # milliseconds


draw = np.random.default_rng(0).integers
heights, counts = [1_000, 10_000, 100_000], 2 ** np.arange(11, 16)
fig, (left, middle, right) = plt.subplots(1, 3)
found = [best_of(Embedding(v, 128), draw(0, v, 2048)) for v in heights]
left.semilogx(heights, found, "o-")
left.set(xlabel="vocabulary", ylabel="milliseconds", ylim=(0, 1.5 * max(found)))
left.set_title(f"100 x rows: {found[-1] / found[0]:.1f} x time")
layer = Embedding(100_000, 128)
found = [best_of(layer, draw(0, 100_000, n)) for n in counts]
middle.loglog(counts * 128 * 4 / 1e6, found, "o-")
middle.set(xlabel="megabytes moved", title=f"16 x bytes: {found[-1] / found[0]:.0f} x time")
for name, dense in [("rows", False), ("dense", True)]:
    layers = [Embedding(v, 32) for v in heights]
    steps = [(x, draw(0, x.vocab_size, 256), Adam(x.parameters()), dense) for x in layers]
    found = [best_of(learn, *step) for step in steps]
    right.loglog(heights, found, "o-", label=f"{name}: {found[-1] / found[0]:.1f} x")
right.set(xlabel="vocabulary", title="Only a dense step sees V")
right.legend()
plt.show()
for kind in KINDS:
    layer = EmbeddingLayer(10, 768, 1024, kind)
    extra = sum(p.size for p in layer.parameters()) - 10 * 768
    said = attempt(lambda layer=layer: layer([0] * 1025).shape)
    print(f"{kind!s:10} {extra:7,} parameters for positions; 1,025 ids: {said}")

# %% [markdown]
# Nothing is searched: a hundred times the rows cost a lookup a few times as much, not a hundred, and that only because a small table fits into the processor's cache. The cost is bytes moved. And a step costs what the batch costs, unless the gradient is dense. One difference is not speed: with a dense gradient Adam goes on moving rows whose gradient is 0, by their momentum; by rows it lets them be ("lazy", as PyTorch's `SparseAdam`).
#
# Learned positions cost parameters and end. Sinusoids are *defined* at every position; that does not mean a model reads them there. Trained on short texts, it degrades on longer ones with sinusoids, too.
#
# ## Train it
# A language of twelve words: a name, then a verb, then a noun, then a name, each chosen freely among four. All one can learn is the kind of the next word, so on new texts no model gets below `log(4)` = 1.386. Nobody tells the model that there are kinds. But words that are followed by the same words get, on average, the same gradients.

# %%
words = ["Ann", "Bob", "Cem", "Dee", "eats", "sees", "buys", "likes", "tea", "jam", "ham", "nuts"]
texts = (np.arange(9) + draw(0, 3, (512, 1))) % 3 * 4 + draw(0, 4, (512, 9))
manual_seed(0)
embed, head = EmbeddingLayer(12, 16, max_seq_len=8), Linear(16, 12)
optimizer = Adam(embed.parameters() + head.parameters(), lr=0.02)
start, losses = embed.state_dict()["token_embedding.weight"], []
for batch in np.split(texts, 8) * 25:
    optimizer.zero_grad()
    loss = CrossEntropyLoss()(head(embed(batch[:, :-1])), batch[:, 1:])
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
fig, axes = plt.subplots(1, 3, width_ratios=[1.3, 1, 1])
axes[0].plot(losses)
axes[0].axhline(math.log(4), color="gray", ls="--")
axes[0].set(xlabel="step", ylabel="loss", title=f"{losses[0]:.2f} to {losses[-1]:.2f}; log(4)")
same = np.kron(np.eye(3), 1 - np.eye(4)) == 1
end = embed.token_embedding.weight.data
for ax, rows, when in [(axes[1], start, "start"), (axes[2], end, "end")]:
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    ax.imshow(unit @ unit.T, cmap="RdBu", vmin=-1, vmax=1)
    ax.set_title(f"{when}: {(unit @ unit.T)[same].mean():.2f} within a kind", fontsize=9)
    ax.set_xticks(range(12), words, rotation=90, fontsize=7)
    ax.set_yticks([])
plt.show()

# %% [markdown]
# Right, the cosines between token vectors. Interchangeable words have met: the table has learned grammar that nobody wrote down. The notebook Word vectors does this with real text.
#
# ## Check your understanding
# 1. `Embedding(50_000, 512)`: how many MiB in float32? And with Adam's two buffers?
# 2. A batch holds id 7 three times, with gradients 1, 2 and 4. What does row 7 get, and what after `grad[ids] += g`?
#
# <details><summary>Answers; the cell below computes them</summary>97.66 MiB, and 292.97 in all. 7, and 4, the last one.</details>

# %%
right, wrong, size = np.zeros(8), np.zeros(8), 50_000 * 512 * 4
np.add.at(right, [7, 7, 7], [1, 2, 4])
wrong[[7, 7, 7]] += [1, 2, 4]
print(f"1. {size:,} bytes = {size / 1e6:.1f} MB = {size / 2**20:.2f} MiB, {3 * size / 2**20:.2f}")
print(f"2. {right[7]:.0f}, {wrong[7]:.0f}")

# %% [markdown]
# ## In production
# | ours | PyTorch and others | the difference |
# |---|---|---|
# | `Embedding(V, D)` | `torch.nn.Embedding(V, D, sparse=True)` | theirs is dense by default, starts standard normal, has `padding_idx`; rows go to `torch.optim.SparseAdam` |
# | `PositionalEncoding` | a second `nn.Embedding`, fed with `arange(seq)` | GPT-2 (1,024 positions), BERT (512) |
# | `create_sinusoidal_embeddings` | written by hand, `register_buffer(..., persistent=False)` | the Transformer of 2017 |
# | the next notebook | rotary positions | LLaMA, Mistral, Qwen; T5 adds a learned bias by distance instead |
#
# ## Recap
# 1. An embedding is a table; a lookup is indexing, equal to one-hot times matrix, and costs bytes moved.
# 2. Its gradient adds up repeated ids and exists only for the rows used, whatever the vocabulary.
# 3. Attention cannot tell positions apart; a vector added to each token can.
# 4. Learned positions cost parameters and end; sinusoids are computed, turn by fixed angles, and never end.
# 5. Everything stays inside the graph, and sizes should be compared before vectors are added.
#
# ## Further reading
# - Y. Bengio and others, "A neural probabilistic language model", *JMLR* 3 (2003): the table as part of a network.
# - A. Vaswani and others, "Attention is all you need", NeurIPS (2017), sections 3.4 and 3.5: <https://arxiv.org/abs/1706.03762>
#
# **Next:** the notebook Rotary, where a position is not added but turned.
