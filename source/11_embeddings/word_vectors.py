# %% [markdown]
# # Word vectors
#
# > Vectors from the company words keep: skip-gram with negative sampling, neighbours and analogies.
#
# **The question of this notebook:** nobody tells a network what `king` means. How much of it can be learned from nothing but the words around it?
#
# Difficulty 3 of 5 · about 2 hours · 4 exercises and a test over the notebook, 23 points · prerequisites: modules 01-07 and the notebooks Embeddings and Vectors.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | `Embedding` with its row-sparse gradient, losses, `Adam`, `minibatches`, neighbours and analogies | skip-gram pairs, the model, negative sampling, its training | one vector per *use* of a word (attention, module 12); words composed of parts |
#
# This is the last notebook of module 11, and it ends up in `tinytorch/core/word_vectors.py`, from where the functions of Vectors can be imported too. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.word_vectors

# %% nbgrader={"grade_id": "setup", "locked": true}
import io
import re
import time
from collections import Counter
from contextlib import redirect_stderr
from pydoc_data.topics import topics

import matplotlib.pyplot as plt
import numpy as np

from tinytorch.core.autograd import RowSparseGrad

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


def close(got, want, rtol=1e-5, atol=1e-6):
    """True when both have the same shape and, to float32 precision, the same values."""
    same = not isinstance(got, str) and np.shape(got) == np.shape(want)
    return same and np.allclose(got, want, rtol=rtol, atol=atol)


def attempt(call, *args):
    """What call(*args) returns or, as text, the error it ends in: "ValueError: ..."."""
    try:
        return call(*args)
    except NotImplementedError:
        raise  # a blank that is still to be filled
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def quietly(call, *args, **options):
    """call(*args, **options) without its progress bar."""
    with redirect_stderr(io.StringIO()):
        return call(*args, **options)


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from tinytorch.core.embeddings import Embedding
from tinytorch.core.layers import Layer, Random, manual_seed
from tinytorch.core.loop import minibatches
from tinytorch.core.losses import BCEWithLogitsLoss, CrossEntropyLoss
from tinytorch.core.optimizers import Adam
from tinytorch.core.tensor import Tensor

# isort: off
from tinytorch.core.vectors import WordVectors, analogy, load_glove, make_world  # noqa: F401
from tinytorch.core.vectors import load_pretrained_embedding, nearest_by_cosine  # noqa: F401
from tinytorch.core.vectors import share_right, unit

# %% [markdown]
# ## Exercise 1: the company of a word
# *Difficulty 2 of 5 · 6 points · 20 minutes*
#
# "You shall know a word by the company it keeps" (J. R. Firth, 1957). The company is what stands at most `window` places away. We list it as pairs (centre, context), for each centre from left to right:
#
# ```
#  ids       7 8 9 7     window = 1        the ends have one neighbour, not two
#  centres   7 8 8 9 9 7
#  contexts  8 7 9 8 7 9
# ```
#
# Language models are trained on billions of words, so no Python loop over them: a table of *positions*, one row for each centre, one column for each offset (-2, -1, 1, 2), and a mask for what lies beyond the ends. A negative index would wrap around to the end of the text, and nobody would notice.
#
# A word is its own context when it occurs twice nearby: it is the *position* of the centre that is left out, not its id.
#
# **Predict first:** how many pairs have 100 words with window 2? (Not 400.)
#
# <details><summary>Hints</summary>
#
# 1. `np.arange(n)[:, None] + offsets` is the table of positions, `(n, 2 * window)`.
# 2. With `inside = (positions >= 0) & (positions < n)`, `positions[inside]` reads row by row; `np.repeat(ids, inside.sum(axis=1))` repeats each centre as often as it has contexts.
#
# </details>


# %% nbgrader={"grade_id": "pairs", "solution": true}
#| export
def make_skipgram_pairs(ids: ArrayLike, window: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """All pairs (centre, context) at most `window` places apart, both sides, in order.

    ids: whole numbers (n,) -> centres (pairs,), contexts (pairs,). No pairs for fewer than two ids.
    Raises ValueError for ids that are no flat list of whole numbers and for a window below 1.
    """
    ids = np.asarray(ids)
    if ids.ndim != 1 or (ids.size and ids.dtype.kind not in "iu"):
        raise ValueError(f"ids must be a flat list of whole numbers, not {ids.dtype} {ids.shape}.")
    if isinstance(window, bool) or not isinstance(window, int | np.integer) or window < 1:
        raise ValueError(f"window must be a whole number from 1 on, not {window!r}.")
    ids = ids.astype(np.int64)
    ### BEGIN SOLUTION
    offsets = np.r_[-window:0, 1 : window + 1]
    positions = np.arange(len(ids))[:, None] + offsets
    inside = (positions >= 0) & (positions < len(ids))
    return np.repeat(ids, inside.sum(axis=1)), ids[positions[inside]]
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-pairs", "grade": true, "points": 6}
def pairs_by_hand(ids, window):
    """The definition, as slow as it reads."""
    places = [(i, j) for i in range(len(ids)) for j in range(len(ids)) if 0 < abs(i - j) <= window]
    return [(int(ids[i]), int(ids[j])) for i, j in places]


def test_pairs():
    """By hand: ends, order, repeated words, short texts; refusals."""
    for ids, window, because in [
        ([7, 8, 9, 7], 1, "the ends have one neighbour; does -1 wrap around?"),
        ([1, 2, 3, 4, 5, 6], 2, "both sides, each centre's contexts from left to right"),
        ([4, 4, 5, 4], 2, "a word that occurs twice is its own context: go by position, not id"),
        ([3, 1, 2], 5, "a window wider than the text ends where the text does"),
        ([5, 3, 5, 3, 9], 3, "three places to each side"),
    ]:
        given = np.array(ids)
        got = make_skipgram_pairs(given, window)
        want, got = pairs_by_hand(ids, window), [tuple(map(int, p)) for p in np.transpose(got)]
        assert sorted(got) == sorted(want), f"{ids}, window {window}: {want}, not {got}: {because}."
        assert got == want, f"{ids}, window {window}: right pairs in another order. {want}."
        assert given.tolist() == ids, f"The ids that were given were changed to {given}."
    assert len(make_skipgram_pairs([1, 2, 3, 4, 5, 6])[0]) == 18, "window is 2 unless told."
    for ids in ([], [3]):
        got = make_skipgram_pairs(ids)
        assert [len(part) for part in got] == [0, 0], f"{ids}: no pairs, not {got}."
    for ids, window in [([1, 2], 0), ([[1, 2]], 2), ([0.5, 1], 2)]:
        said = str(attempt(make_skipgram_pairs, ids, window))
        assert "ValueError" in said, f"{ids}, window {window}: keep the given checks. Got {said}"
    ### BEGIN HIDDEN TESTS
    for window in (1, 2, 4):
        ids = challenge.integers(0, 50, size=challenge.integers(8, 30))
        centres, contexts = make_skipgram_pairs(ids, window)
        observe(f"pairs {window}", np.stack([centres, contexts]))
    ### END HIDDEN TESTS


test_pairs()

# %% [markdown]
# The small world of the notebook Vectors, whose true analogies are known. We take its pairs sentence by sentence, so that none reaches over a full stop.

# %%
sentences, relations = make_world()
world_words = sorted({word for sentence in sentences for word in sentence})
world_ids = {word: i for i, word in enumerate(world_words)}
pairs = [make_skipgram_pairs([world_ids[w] for w in sentence], 3) for sentence in sentences]
centres, contexts = (np.concatenate(part) for part in zip(*pairs, strict=True))
print(
    f"{len(centres):,} pairs of {len(np.unique(np.stack([centres, contexts]), axis=1)[0]):,} kinds"
)

# %% [markdown]
# ## Exercise 2: the model
# *Difficulty 2 of 5 · 5 points · 20 minutes*
#
# The table of counts (notebook Vectors) grows with the square of the vocabulary, and most of it is empty. Skip-gram (Mikolov and others, 2013) learns short vectors from which the company can be *predicted*. Each word has two of them: one as a centre, one as a context. Their dot product is a logit:
#
# ```
#  logit(context j | centre i) = centres[i] · contexts[j]
#
#  forward(ids (batch,))                                -> (batch, vocab_size)    all words
#  score(ids (batch,), candidates (batch, k))           -> (batch, k)             only these
# ```
#
# `forward` is the definition: a softmax over it is the probability of each context. `score` gives a few columns of it, other ones in each row, and must cost only those: look up their rows, and multiply. Its gradient then names the rows that were used and no others.
#
# **Predict first:** why two tables?
#
# <details><summary>Hints</summary>
#
# 1. `self.contexts.weight.transpose()` is `(embed_dim, vocab_size)`.
# 2. `self.contexts(candidates)` is `(batch, k, embed_dim)`. Made a column by `.reshape(batch, embed_dim, 1)`, the centre vectors fit on its right side: `@` multiplies stacks of matrices.
# 3. Stay with Tensors: `.data` would cut the graph.
#
# </details>


# %% nbgrader={"grade_id": "model", "solution": true}
#| export
class SkipGramEmbeddingModel(Layer):
    """Two tables, `centres` and `contexts`, whose dot products say who is in whose company."""

    def __init__(self, vocab_size: int, embed_dim: int):
        self.vocab_size, self.embed_dim = vocab_size, embed_dim
        self.centres = Embedding(vocab_size, embed_dim)
        self.contexts = Embedding(vocab_size, embed_dim)

    def forward(self, centres: Tensor | ArrayLike) -> Tensor:
        """Logits over all contexts: ids (batch,) -> (batch, vocab_size)."""
        ### BEGIN SOLUTION
        return self.centres(centres) @ self.contexts.weight.transpose()
        ### END SOLUTION

    def score(self, centres: Tensor | ArrayLike, candidates: Tensor | ArrayLike) -> Tensor:
        """Logits of these contexts alone: ids (batch,), ids (batch, k) -> (batch, k)."""
        ### BEGIN SOLUTION
        vectors = self.centres(centres)
        products = self.contexts(candidates) @ vectors.reshape(*vectors.shape, 1)
        return products.reshape(*products.shape[:2])
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-model", "grade": true, "points": 5}
def test_model():
    """Logits against dot products one by one; gradients into both tables, of used rows only."""
    manual_seed(3)
    model = SkipGramEmbeddingModel(6, 4)
    assert len(model.parameters()) == 2, "Two tables are learned: keep the given __init__."
    a, b = model.centres.weight.data, model.contexts.weight.data
    ids, candidates = np.array([2, 5, 2]), np.array([[0, 1], [5, 5], [3, 0]])
    got, want = model(ids).data, [[float(np.dot(a[i], b[j])) for j in range(6)] for i in ids]
    assert got.shape == (3, 6), f"3 centres, 6 words: logits (3, 6), not {got.shape}."
    assert close(got, want), "forward: logit [i, j] is centres[ids[i]] · contexts[j]. Wrong table?"
    out = model.score(ids, candidates)
    want = [[float(np.dot(a[i], b[j])) for j in candidates[n]] for n, i in enumerate(ids)]
    assert out.shape == (3, 2), f"score of candidates (3, 2) has their shape, not {out.shape}."
    assert close(out.data, want), "score: each centre with *its* candidates. Wrong table or row?"
    assert out.requires_grad, "score: no gradient leads back. Was the graph cut with .data?"
    weights = np.arange(6.0).reshape(3, 2) + 1
    (out * weights).sum().backward()
    want_a, want_b = np.zeros((6, 4)), np.zeros((6, 4))
    for n, i in enumerate(ids):
        for m, j in enumerate(candidates[n]):
            want_a[i] += weights[n, m] * b[j]
            want_b[j] += weights[n, m] * a[i]
    for name, want in [("centres", want_a), ("contexts", want_b)]:
        grad = getattr(model, name).weight.grad
        assert grad is not None, f"score: no gradient reached `{name}`. Was the graph cut?"
        assert close(np.asarray(grad), want), f"score: the gradient of `{name}` is wrong."
        sparse = isinstance(grad, RowSparseGrad)
        assert sparse, f"score: `{name}` got a dense gradient. Look rows up, do not slice logits."
    model = SkipGramEmbeddingModel(6, 4)
    model(ids).sum().backward()
    for name in ("centres", "contexts"):
        assert getattr(model, name).weight.grad is not None, (
            f"forward: no gradient reached `{name}`."
        )
    ### BEGIN HIDDEN TESTS
    manual_seed(int(challenge.integers(1000)))
    model = SkipGramEmbeddingModel(11, 3)
    ids, candidates = challenge.integers(0, 11, size=5), challenge.integers(0, 11, size=(5, 4))
    observe("logits", model(ids).data, 1e-4)
    out = model.score(ids, candidates)
    observe("score", out.data, 1e-4)
    (out * out).sum().backward()
    observe("centres", np.asarray(model.centres.weight.grad), 1e-4)
    observe("contexts", np.asarray(model.contexts.weight.grad), 1e-4)
    ### END HIDDEN TESTS


test_model()

# %% [markdown]
# ## Exercise 3: negative sampling
# *Difficulty 3 of 5 · 5 points · 25 minutes*
#
# A softmax over 50,000 words for every pair is 50,000 dot products to learn one. Negative sampling asks another question: *is this pair real, or did I make it up?* For each real pair draw k **negatives** at random, and decide yes or no for 1 + k candidates:
#
# ```
#  loss of a pair = -log sigmoid(score of the context) - sum over negatives of log sigmoid(-score)
# ```
#
# This is binary cross-entropy with logits, with targets 1, 0, 0, ..., **summed** over the candidates and averaged over the pairs (`BCEWithLogitsLoss` averages over both: multiply by 1 + k).
#
# From where are negatives drawn? By frequency they would nearly all be `the`, uniformly they would all be rare and easy. The authors found the power 0.75 in between. By hand, with counts 16, 1 and 0: 16^0.75 = 8, so the probabilities are 8/9, 1/9 and 0. By frequency the first would be 16/17.
#
# **Predict first:** all vectors are near 0 at first, so each sigmoid is 1/2. What is the first loss with k = 5?
#
# <details><summary>Hints</summary>
#
# 1. `np.concatenate([contexts[:, None], negatives], axis=1)` are the candidates; the real one is column 0.
# 2. The targets are zeros of that shape, with ones in column 0.
#
# </details>


# %% nbgrader={"grade_id": "negatives", "solution": true}
#| export
def noise_distribution(counts: ArrayLike) -> np.ndarray:
    """Probabilities proportional to counts^0.75: (vocab_size,) -> (vocab_size,), float64, sum 1.

    Source: Mikolov and others 2013, "Distributed representations", section 2.2. Raises ValueError
    for counts that are negative or all 0.
    """
    counts = np.asarray(counts, np.float64)
    if counts.ndim != 1 or not counts.sum() > 0 or counts.min() < 0:
        raise ValueError(f"counts must be one number >= 0 a word, not all 0: got {counts!r:.60}.")
    ### BEGIN SOLUTION
    powers = counts**0.75
    return powers / powers.sum()
    ### END SOLUTION


def negative_sampling_loss(
    model: SkipGramEmbeddingModel, centres: np.ndarray, contexts: np.ndarray, negatives: np.ndarray
) -> Tensor:
    """Ids (batch,), (batch,), (batch, k) -> (): the mean over the pairs (eq. 4 of the same paper)."""
    ### BEGIN SOLUTION
    candidates = np.concatenate([contexts[:, None], negatives], axis=1)
    is_real = np.zeros(candidates.shape, np.float32)
    is_real[:, 0] = 1
    return BCEWithLogitsLoss()(model.score(centres, candidates), is_real) * candidates.shape[1]
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-negatives", "grade": true, "points": 5}
def test_negatives():
    """The distribution by hand; the loss and its gradient against the formula in float64."""
    got = noise_distribution([16, 1, 0])
    assert close(got, [8 / 9, 1 / 9, 0]), f"Counts 16, 1, 0 have the noise 8/9, 1/9, 0, not {got}."
    manual_seed(4)
    model = SkipGramEmbeddingModel(7, 3)
    a, b = model.centres.weight.data, model.contexts.weight.data
    a[...], b[...] = a * 3, b * 3
    ids, contexts = np.array([1, 6]), np.array([2, 0])
    negatives = np.array([[4, 4, 5], [2, 3, 1]])

    def by_hand(a, b):
        a, b, loss = a.astype(float), b.astype(float), 0.0
        for i, j, others in zip(ids, contexts, negatives, strict=True):
            loss += np.log1p(np.exp(-a[i] @ b[j])) + np.log1p(np.exp(b[others] @ a[i])).sum()
        return loss / len(ids)

    loss = negative_sampling_loss(model, ids, contexts, negatives)
    want, got = by_hand(a, b), loss.item()
    assert not close(got, want / 4), "That is the mean over candidates: sum them, times 1 + k."
    assert not close(got, want * 2), "That is the sum over the pairs: take their mean."
    assert close(got, want), f"2 pairs, 3 negatives: {want:.5f}, not {got:.5f}. Which is the 1?"
    loss.backward()
    for name in ("centres", "contexts"):
        assert getattr(model, name).weight.grad is not None, f"No gradient reached `{name}`."
    a[...] = 0
    got = negative_sampling_loss(model, ids, contexts, negatives[:, :1]).item()
    assert close(got, 2 * np.log(2)), f"All scores 0, k = 1: 2 log 2 = 1.386, not {got}."
    ### BEGIN HIDDEN TESTS
    observe("noise", noise_distribution(challenge.integers(0, 90, size=12) + 1))
    manual_seed(int(challenge.integers(1000)))
    model = SkipGramEmbeddingModel(9, 4)
    drawn = challenge.integers(0, 9, size=(6, 5))
    loss = negative_sampling_loss(model, drawn[:, 0], drawn[:, 1], drawn[:, 2:])
    observe("loss", loss.item(), 1e-4)
    loss.backward()
    observe("gradient", np.asarray(model.contexts.weight.grad), 1e-4)
    ### END HIDDEN TESTS


test_negatives()

# %% [markdown]
# ## Exercise 4: training
# *Difficulty 2 of 5 · 3 points · 15 minutes*
#
# The loop is that of module 07. Given are the batches (in a new order each epoch), the negatives and the record; yours is one step: the loss of the batch, clean gradients, backward, step. With `negatives=0` the loss is the full softmax: cross-entropy of `model(x)` with the contexts.
#
# **Predict first:** the loss with the full softmax begins near log of the vocabulary size. Will it come down to 0?


# %% nbgrader={"grade_id": "train", "solution": true}
#| export
def train_skipgram(
    model: SkipGramEmbeddingModel,
    centres: ArrayLike,
    contexts: ArrayLike,
    epochs: int = 3,
    lr: float = 0.02,
    negatives: int = 5,
    batch_size: int = 512,
    seed: int | None = None,
) -> list[float]:
    """Train by (lazy) Adam on pairs of ids; return the mean loss of each epoch.

    negatives: how many for each pair, drawn from the contexts' counts^0.75; 0: the full softmax.
    seed: as `manual_seed(seed)` before; None goes on with the numbers that come. Raises ValueError
    for no pairs, centres and contexts of different lengths, or negatives below 0.
    """
    if negatives < 0:
        raise ValueError(f"negatives must be 0 (full softmax) or more, not {negatives}.")
    if seed is not None:
        manual_seed(seed)
    batches = minibatches(centres, contexts, batch_size)
    noise = noise_distribution(np.bincount(batches.targets, minlength=model.vocab_size))
    edges = np.cumsum(noise)[:-1]  # a uniform number falls between two of them: that word
    optimizer, history = Adam(model.parameters(), lr=lr), []
    bar = tqdm(range(epochs), desc="skip-gram")
    for _ in bar:
        total = 0.0
        for x, y in batches:
            drawn = np.searchsorted(edges, Random.generator.random((len(x), negatives)), "right")
            ### BEGIN SOLUTION
            if negatives:
                loss = negative_sampling_loss(model, x.data, y.data, drawn)
            else:
                loss = CrossEntropyLoss()(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            ### END SOLUTION
            total += loss.item() * len(x)
        history.append(total / len(batches.inputs))
        bar.set_postfix(loss=f"{history[-1]:.4f}")
    return history


# %% nbgrader={"grade_id": "test-train", "grade": true, "points": 3}
def after(epochs, negatives):
    """A tiny model trained on four pairs in one batch: (history, model, tables before)."""
    manual_seed(5)
    model = SkipGramEmbeddingModel(8, 4)
    before = [p.data.copy() for p in model.parameters()]
    pairs = [0, 1, 2, 3], [4, 5, 6, 7]
    history = quietly(train_skipgram, model, *pairs, epochs, 0.1, negatives, seed=1)
    return history, model, before


def test_train():
    """One step of Adam is lr long; rows nobody used stay; the loss falls; seeds repeat."""
    for negatives, name in [(5, "negative sampling"), (0, "full softmax")]:
        history, model, before = after(1, negatives)
        moved = np.abs(model.centres.weight.data - before[0])
        assert moved.any(), f"{name}: the centres did not move. backward() and step()?"
        is_lr = close(moved[:4], np.full((4, 4), 0.1), 0, 2e-3)
        assert is_lr, f"{name}: one step of Adam moves centres 0 to 3 by lr = 0.1, not {moved[:4]}."
        assert not moved[4:].any(), f"{name}: words 4 to 7 are no centres: their rows must stay."
        assert (model.contexts.weight.data != before[1]).any(), (
            f"{name}: the contexts did not move."
        )
        want = 6 * np.log(2) if negatives else np.log(8)
        assert abs(history[0] - want) < 0.8, f"{name}: first loss near {want:.2f}, not {history}."
        longer, model, _ = after(60, negatives)
        ends = f"from {longer[0]:.3f} to {longer[-1]:.3f} in 60 steps"
        assert longer[-1] < 0.7 * longer[0], f"{name}: {ends}: zero_grad? Downhill?"
        got = 4 + model([0, 1, 2, 3]).data[:, 4:].argmax(axis=1)
        assert close(got, [4, 5, 6, 7]), f"{name}: 0, 1, 2, 3 should predict 4, 5, 6, 7, not {got}."
        assert longer == after(60, negatives)[0], f"{name}: one seed, two histories."
    ### BEGIN HIDDEN TESTS
    manual_seed(int(challenge.integers(1000)))
    for negatives in (0, 4):
        model = SkipGramEmbeddingModel(10, 4)
        drawn = challenge.integers(0, 10, size=(2, 30))
        history = quietly(train_skipgram, model, *drawn, 3, 0.05, negatives, 8, 2)
        observe(f"losses {negatives}", np.array(history), 1e-3)
    ### END HIDDEN TESTS


test_train()

# %%
manual_seed(0)
world_model = SkipGramEmbeddingModel(len(world_words), 16)
history = train_skipgram(world_model, centres, contexts, epochs=6, seed=0)
plt.plot(range(1, 7), history, "o-", label="skip-gram")
plt.axhline(6 * np.log(2), ls=":", color="gray", label="6 log 2: knows nothing")
plt.gca().set(xlabel="epoch", ylabel="loss of a pair")
plt.title(f"The loss falls to {history[-1]:.2f}, most of it in the first epoch")
plt.legend()
plt.show()

# %% [markdown]
# ## The world as points
#
# Predicting company has a consequence that surprised its discoverers. If `his` and `her` shift the logits of `man` and `woman` apart just as those of `king` and `queen`, the two *differences* of vectors are alike: parallelograms. Below, the vectors of people and animals along the two directions in which they differ most (principal components, from the SVD of the centred vectors), and all analogies of the world.


# %%
def flat(vectors, words):
    """These words' unit vectors on their two principal components: (len(words), 2)."""
    rows = unit(np.array([vectors[word] for word in words]))
    left, sizes, _ = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    return left[:, :2] * sizes[:2]


world = WordVectors(world_words, world_model.centres.weight.data)
print("man : woman = king :", analogy("man", "woman", "king", world, 2))
shown = {name: relations[name] for name in ["man : woman", "animal : its young"]}
words = sorted({word for pairs in shown.values() for pair in pairs for word in pair})
places = dict(zip(words, flat(world, words), strict=True))
plt.figure(figsize=(8, 3.6)).add_subplot(xmargin=0.1)
for color, pairs in zip(["C0", "C1"], shown.values(), strict=True):
    for pair in pairs:
        plt.plot(*np.transpose([places[word] for word in pair]), color=color, lw=1)
for word, place in places.items():
    plt.annotate(word, place, fontsize=8)
plt.gca().set(xlabel="component 1", ylabel="component 2", title="Pairs of one relation lie alike")
plt.show()
for name, pairs in relations.items():
    free = share_right(world, pairs, leave_out=False)
    print(f"{name:20} {share_right(world, pairs):.0%} right; {free:.0%} if all words may answer")

# %% [markdown]
# Queen is found even when `king` and `woman` may answer too. A world in which nothing but the relation differs is kind.
#
# ## Real text
#
# Python's language reference comes with Python: real English prose, if of one subject. Two habits from the paper: words seen fewer than 10 times are left out, since nothing can be learned about them; and frequent words are **subsampled**, each occurrence kept with probability `sqrt(t / frequency)`, or most pairs would say `the`. **Predict first:** what are the neighbours of `list`, of `true`, of `left`?

# %%
prose = re.findall(r"[a-z_]+", "\n".join(topics.values()).lower())
frequent = [word for word, count in Counter(prose).most_common() if count >= 10]
prose_ids = {word: i for i, word in enumerate(frequent)}
text = np.array([prose_ids[word] for word in prose if word in prose_ids])
frequency = np.bincount(text) / len(text)
is_kept = np.random.default_rng(0).random(len(text)) < np.sqrt(1e-3 / frequency[text])
prose_pairs = make_skipgram_pairs(text[is_kept], 4)
manual_seed(0)
prose_model = SkipGramEmbeddingModel(len(frequent), 48)
start = time.perf_counter()
history = train_skipgram(prose_model, *prose_pairs, epochs=3, lr=0.01, batch_size=1024, seed=0)
tokens_per_second = 3 * is_kept.sum() / (time.perf_counter() - start)
reference = WordVectors(frequent, prose_model.centres.weight.data)
print(f"{len(prose):,} words, {len(frequent)} frequent ones, {is_kept.sum():,} kept for training")
print(f"loss {history[0]:.2f} -> {history[-1]:.2f}; {tokens_per_second:,.0f} tokens/s")
for word in ["list", "true", "left", "string", "loop", "integer", "keyword"]:
    print(f"{word:>8}:", ", ".join(near for near, _ in nearest_by_cosine(word, reference)))

# %% [markdown]
# Neighbours make sense after seconds, from fewer than 40,000 words. Neighbours are not synonyms: `true` is next to `false`, `left` to `right`, since opposites keep the same company. And analogies? An honest look: here are questions whose answers are in the vocabulary.

# %%
plurals = [(word, word + "s") for word in frequent if len(word) > 3 and word + "s" in prose_ids]
print(f"by chance {1 / len(frequent):.1%} would be right")
print(f"one : many, 40 pairs: {share_right(reference, plurals[:40]):.1%}")
print(f"the same, if all words may answer: {share_right(reference, plurals[:40], False):.1%}")
print(attempt(analogy, "man", "woman", "king", reference))

# %% [markdown]
# This text has neither kings nor, in our model, much grammar: a relation needs many words that share *one* difference of company, and thousands of occurrences. The small world has it by construction. The famous results come from billions of words; with `tito data get glove` you have vectors made of six billion.
#
# And the rule that leaves out the question's words does much of the work: without it the answer is `b` or `c` itself, since the step from `a` to `b` is short beside the vectors. Whoever reports analogies should say so (Linzen, 2016).
#
# ## All together
# *4 points.*


# %% nbgrader={"grade_id": "test-all-word-vectors", "grade": true, "points": 4}
def test_all_word_vectors():
    """From sentences to analogies, from three seeds; then from pairs to neighbours."""
    sentences, relations = make_world(1500, seed=1)
    words = sorted({word for sentence in sentences for word in sentence})
    ids = {word: i for i, word in enumerate(words)}
    pairs = [make_skipgram_pairs([ids[word] for word in sentence], 3) for sentence in sentences]
    centres, contexts = (np.concatenate(part) for part in zip(*pairs, strict=True))
    for seed in (0, 1, 2):
        manual_seed(seed)
        model = SkipGramEmbeddingModel(len(words), 16)
        history = quietly(train_skipgram, model, centres, contexts, 3, 0.02, seed=seed)
        vectors = WordVectors(words, model.centres.weight.data)
        shares = [share_right(vectors, related) for related in relations.values()]
        assert min(shares) >= 0.9, f"Seed {seed}: {shares} of the four relations; 90 % expected."
    assert history[-1] < history[0], f"The loss rises: {history}."
    ### BEGIN HIDDEN TESTS
    drawn = [make_skipgram_pairs(challenge.integers(0, 12, size=9), 2) for _ in range(3)]
    centres, contexts = (np.concatenate(part) for part in zip(*drawn, strict=True))
    observe("pairs", np.stack([centres, contexts]))
    vectors = WordVectors([f"w{i}" for i in range(12)], challenge.normal(size=(12, 5)))
    observe("neighbours", " ".join(w for w, _ in nearest_by_cosine(f"w{centres[0]}", vectors, 4)))
    ### END HIDDEN TESTS


test_all_word_vectors()

# %% [markdown]
# ## Measure it: what a vocabulary costs
#
# One step on 256 pairs, by the full softmax and by negative sampling. **Predict first:** which of the two sees the vocabulary?

# %%
sizes, times = [1000, 4000, 16000], {"full softmax": [], "5 negatives": []}
for size in sizes:
    drawn = np.random.default_rng(0).integers(0, size, size=(2, 256 * 4))
    for name, negatives in [("full softmax", 0), ("5 negatives", 5)]:
        model, spent = SkipGramEmbeddingModel(size, 32), []
        for _ in range(4):
            start = time.perf_counter()
            quietly(train_skipgram, model, *drawn, 1, 0.01, negatives, 256)
            spent.append((time.perf_counter() - start) / 4 * 1e3)
        times[name].append(min(spent))  # the least disturbed
for name, values in times.items():
    plt.loglog(sizes, values, "o-", label=name)
plt.gca().set(xlabel="words in the vocabulary", ylabel="ms a step")
plt.title(
    f"At 16,000 words a full softmax costs {np.divide(*times.values())[-1]:.0f} times as much"
)
plt.legend()
plt.show()

# %% [markdown]
# ## Check your understanding
#
# 1. How many pairs have 100 words with window 2? With window w, if the text is longer than w?
# 2. `the` occurs 10,000 times, `axolotl` once. How much more often is `the` drawn as a negative, by frequency and by the power 0.75?
#
# <details><summary>Answers</summary>
#
# 1. 394: each offset k loses k pairs on either side. 2wn - w(w + 1).
# 2. 10,000 times; 1,000 times.
#
# </details>

# %%
print("1.", len(make_skipgram_pairs(np.arange(100))[0]), 2 * 2 * 100 - 2 * 3)
print("2.", 10_000, round(10_000**0.75))

# %% [markdown]
# In production, `train_skipgram(model, centres, contexts)` is `gensim.models.Word2Vec(sentences, sg=1)`: compiled, streaming its text, with plain SGD.
#
# ## Recap
#
# 1. Words are known by their company: pairs of centre and context inside a window.
# 2. Skip-gram predicts the company from short vectors; what predicts alike lies alike.
# 3. Negative sampling turns a softmax over all words into 1 + k yes-or-no questions.
# 4. Directions carry the meaning: compare by cosine; relations are differences.
# 5. Analogies need a lot of text, and a rule that leaves the question's words out. Each word has one vector, whatever the sentence: attention will change that.
#
# ## Further reading
#
# - T. Mikolov and others, "Distributed representations of words and phrases and their compositionality" (2013): negative sampling, subsampling. <https://arxiv.org/abs/1310.4546>
# - O. Levy and Y. Goldberg, "Neural word embedding as implicit matrix factorization" (2014): what is learned is the counts again, as logarithms of ratios.
# - T. Linzen, "Issues in evaluating semantic spaces using word analogies" (2016): what leaving out the question's words hides.
# - T. Bolukbasi and others, "Man is to computer programmer as woman is to homemaker?" (2016): vectors learn the prejudices of their text as well.
#
# **Next:** run `tito module complete 11` in a terminal. Module 12 lets each word look at the others: attention.
