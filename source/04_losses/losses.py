# %% [markdown]
# # Losses
#
# > How wrong is a prediction? One number for a whole batch, that stays finite, and whose slope shows the way.
#
# **The question of this module:** a network has answered. Which single number says how wrong it was, so that making the number smaller makes the network better?
#
# Difficulty 3 of 5 · about 2 hours · 4 exercises and a test over the module, 100 points · prerequisites: module 01, logarithms. It becomes `tinytorch/core/losses.py` and imports module 01 alone. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | `Tensor`, and operations as `Function`s | `MSELoss`, `log_softmax`, `CrossEntropyLoss`, `BinaryCrossEntropyLoss`, `BCEWithLogitsLoss` | gradients (05), optimizers (06) |

# %%
#| default_exp core.losses

# %% nbgrader={"grade_id": "setup", "locked": true}
import math
import timeit
import tracemalloc

import matplotlib.pyplot as plt
import numpy as np

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


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike

from tinytorch.core.functions import Function
from tinytorch.core.tensor import Tensor

# %% [markdown]
# ## What a loss is for
#
# Training turns thousands of knobs, and each must know which way to turn. For that all the errors of a batch have to become **one** number, and it has to move a little when a knob moves a little. The share of wrong answers will not do: nudge a weight, and almost always not one answer changes. A loss is the compromise: smooth, low when the answers are good, and measured on what the network says *before* anybody rounds it to an answer. Every loss here is the mean over the batch, so that its size does not depend on how many examples it saw. A loss learns nothing itself, so `parameters()` is empty. Below `Loss`, two functions look at targets and say, in words, what is no label; the third lets two threads share a large array. Exercises 3 and 4 use them.


# %% nbgrader={"grade_id": "given", "locked": true}
#| export
class Loss:
    """One number that says how far predictions are from targets: `loss(predictions, targets)`."""

    def __call__(self, predictions: Tensor, targets: ArrayLike) -> Tensor:
        return self.forward(predictions, targets)

    def parameters(self) -> list[Tensor]:
        return []

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"{type(self).__name__}({options})"


def counted_targets(targets: np.ndarray, classes: int, ignore_index: int) -> np.ndarray:
    """Positions, in reading order, of the targets that are not ignored: (...) -> (count,)."""
    if targets.dtype.kind not in "iu":
        raise ValueError(f"Labels are class numbers, not {targets.dtype}: use .astype(np.int64).")
    counted = targets != ignore_index
    wrong = counted & ((targets < 0) | (targets >= classes))
    if wrong.any():
        index = np.argwhere(wrong)[0]
        raise ValueError(
            f"Label {targets[tuple(index)]} at {index.tolist()} is no class: there are {classes}, "
            f"numbered 0 to {classes - 1}. To leave a target out, label it {ignore_index}."
        )
    if not counted.any():
        raise ValueError(f"None of {targets.size} targets counts: no mean. Skip such a batch.")
    return np.flatnonzero(counted)


def check_unit(name: str, values: ArrayLike, way_out: str) -> None:
    """Raise a ValueError that names the first value outside [0, 1]."""
    values = np.asarray(values)
    for index in np.argwhere((values < 0) | (values > 1))[:1]:
        found = f"{values[tuple(index)]} (at {index.tolist()})"
        raise ValueError(f"{name} lie in [0, 1], not {found}: {way_out}")


def in_halves(ufunc: np.ufunc, *arrays: np.ndarray, out: np.ndarray) -> np.ndarray:
    """ufunc(*arrays, out=out), for large arrays in two threads: NumPy computes without a lock."""
    if out.size < 2**19:  # starting a thread takes as long as thousands of exponentials
        return ufunc(*arrays, out=out)

    @np.errstate(invalid="ignore", over="ignore")  # each thread has its own
    def work(rows: slice) -> None:
        ufunc(*(x[rows] for x in arrays), out=out[rows])

    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(work, slice(len(out) // 2, None))
        work(slice(len(out) // 2))
        other.result()  # an error there is an error here
    return out


# %% [markdown]
# ## Exercise 1: the mean squared error
# *Difficulty 2 of 5 · 16 points · 20 minutes*
#
# For predictions that are quantities: a price, a temperature. The errors are squared, so that their signs cannot cancel and a large error counts for more than several small ones, and then averaged. By hand: predictions `[2, 0, 5]`, targets `[1, 0, 7]`, errors `[1, 0, -2]`, squares `[1, 0, 4]`, loss 5 / 3.
#
# The trap is a shape. A layer gives `(32, 1)`, the data set `(32,)`; subtracting *broadcasts* them to `(32, 32)`, every prediction against every target. Nothing fails, the loss even falls, and the network learns the mean of all targets. So `check_shapes` **refuses** shapes that are not equal. It also refuses shapes with a 0 in them: there is no mean of nothing. The loss itself must be made of Tensor operations only. Taking `.data` out on the way would be right to the last digit, and no gradient would ever find its way back.
#
# **Predict first:** the loss of the column `[[1], [2], [3]]` against `[1, 2, 3]`, if nobody refused it? The cell below the test lets NumPy answer.
#
# <details><summary>Hints</summary>
#
# Shapes are tuples: compare them with `!=`; `0 in shape` finds an empty one. The message needs both shapes and a way out, such as reshape. Tensors have `-`, `** 2` and `.mean()`.
#
# </details>


# %% nbgrader={"grade_id": "mse-loss", "solution": true}
#| export
def check_shapes(predictions: tuple[int, ...], targets: tuple[int, ...]) -> None:
    """Raise a ValueError, naming both shapes, unless they are equal and hold entries."""
    ### BEGIN SOLUTION
    if predictions != targets:
        raise ValueError(f"Predictions {predictions} and targets {targets}: reshape one of them.")
    if 0 in predictions:
        raise ValueError(f"{predictions} and {targets}: no entries, no mean. Skip empty batches.")
    ### END SOLUTION


class MSELoss(Loss):
    """Mean of the squared errors: predictions and targets of one shape -> ()."""

    def forward(self, predictions: Tensor, targets: ArrayLike) -> Tensor:
        check_shapes(predictions.shape, np.shape(targets))
        ### BEGIN SOLUTION
        return ((predictions - targets) ** 2).mean()
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-mse-loss", "grade": true, "points": 16}
def test_mse_loss():
    """By hand, in any shape and both dtypes; a graph; refusals that name both shapes."""
    loss = MSELoss()
    for predictions, targets, want, because in [
        ([2, 0, 5], [1, 0, 7], 5 / 3, "the squares 1, 0, 4 over 3"),
        ([1, 3], [3, 1], 4, "errors of -2 and 2 do not cancel"),
        ([[1, 2], [3, 4]], [[1, 2], [3, 6]], 1, "one mean over all entries: 4 / 4"),
    ]:
        got = loss(Tensor(predictions, True), Tensor(targets))
        assert close(got, want), f"{predictions} for {targets}: {got}, not {want}: {because}."
        assert got._grad_fn is not None, "No way back: use Tensor operations, not .data."
    exact = loss(Tensor([0.1, 0.1], dtype=np.float64), [0, 0]).item()
    assert abs(exact - 0.01) < 1e-12, f"float64 stays float64; 0.1 squared gave {exact}."
    for shapes in [((3, 1), (3,)), ((3, 4), (3, 1)), ((1,), ()), ((0,), (0,)), ((2, 0), (2, 0))]:
        said = str(attempt(check_shapes, *shapes))
        assert "ValueError" in said, f"{shapes} broadcast or are empty: refuse them. Got: {said}"
        named = all(str(shape) in said for shape in shapes)
        assert named, f"The message must name the shapes {shapes}. It says: {said}"
    said = attempt(check_shapes, (4, 1), (4, 1))
    assert said is None, f"(4, 1) with (4, 1) is fine: return nothing. Got: {said}"
    ### BEGIN HIDDEN TESTS
    predictions, targets = challenge.normal(size=(2, 3, int(challenge.integers(2, 6)), 2))
    observe("float32", loss(Tensor(predictions), targets).data)
    observe("refused", "ValueError" in str(attempt(loss, Tensor(predictions), targets[..., 0])))
    ### END HIDDEN TESTS


test_mse_loss()

# %%
column, row = np.float32([[1], [2], [3]]), np.float32([1, 2, 3])
print("nobody refuses:", np.mean((column - row) ** 2))
print("ours:", attempt(MSELoss(), Tensor(column), Tensor(row)))
errors = np.linspace(0, 10, 101)[:, None] - [1.0, 2.0, 9.0]  # a constant is 1 + its first
best = [1 + errors[np.argmin(x.mean(axis=1)), 0] for x in (errors**2, abs(errors))]
print("least mean square at", best[0], "least mean distance at", best[1])

# %% [markdown]
# Why *squares*? The last line let a network that knows nothing answer with one constant for the targets 1, 2 and 9. Squared errors ask for the **mean**, 4, absolute errors for the **median**, 2: with a loss one chooses what the network is to say when it cannot know. (If targets are a true value plus Gaussian noise, the least squared error is also the likeliest explanation. With wild outliers the mean runs after them.)
#
# ## Surprise
#
# Now the targets are classes: cat, dog or bird. There is no distance between a cat and a bird, so the network answers with a probability for each, and we ask how **surprised** it is by the truth: `-log p`, p being the probability it gave the class that came true. Certainty that proves right costs 0, a class given probability 0 costs infinity, and the surprises of independent events add up. The mean surprise is the **cross-entropy**. By hand: whoever said cat 0.7, dog 0.2, bird 0.1 is surprised by a cat with -log 0.7 = 0.357, by a bird with -log 0.1 = 2.303. Whoever gave each a third is always surprised by log 3 = 1.099: **knowing nothing of C classes costs log C**.
#
# Networks produce no probabilities but **logits**, any real numbers, and softmax makes probabilities of them: exponentials, divided by their sum. For the loss we want the *logarithm* of that, and the logarithm cancels most of it: `log_softmax(x)[i] = log(exp(x[i]) / sum(exp(x))) = x[i] - log(sum(exp(x)))`.
#
# ## Exercise 2: log-softmax
# *Difficulty 3 of 5 · 22 points · 25 minutes*
#
# By hand, for the logits `[2, 1, 0]`: the exponentials 7.389, 2.718, 1 add up to 11.107, its logarithm is 2.408, and so the log-probabilities are `[-0.408, -1.408, -2.408]`. The trap: `exp(89)` is too large for float32. But taking one and the same number from all logits changes nothing, top and bottom of the fraction shrink alike. So take away **the largest**: every exponent is then 0 or less, the sum is at least 1 and its logarithm safe. Logits of `-inf` (module 12 masks words that way) give probability 0, log-probability `-inf`. A row of nothing but `-inf` has no softmax: it gives nan, as in PyTorch.
#
# **Predict first:** the log-softmax of `[1000, 0]`, exactly? And the logarithm of its softmax?
#
# <details><summary>Hints</summary>
#
# Maximum and sum go along `axis` with `keepdims=True`, so that they broadcast against `x`. After shifting, use the formula without a fraction: the logarithm is taken of the *sum* alone.
#
# </details>


# %% nbgrader={"grade_id": "log-softmax", "solution": true}
#| export
class LogSoftmaxFunction(Function):
    @np.errstate(invalid="ignore")  # a row of only -inf gives nan and need not warn
    def forward(self, x, axis):
        """Logarithms of the softmax along one axis, in the shape of x."""
        ### BEGIN SOLUTION
        shifted = x - x.max(axis=axis, keepdims=True)
        return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
        ### END SOLUTION

    def explain(self, x, axis):
        raise ValueError(f"log_softmax along dim {axis} of {x.shape}: it must exist, with entries.")


def log_softmax(x: Tensor, dim: int = -1) -> Tensor:
    """x - log(sum(exp(x))) along `dim`, finite where x is: (..., C) -> (..., C).

    >>> log_softmax(Tensor([1000.0, 0.0]))
    Tensor([    0., -1000.], dtype=float32)
    """
    return LogSoftmaxFunction.apply(x, axis=dim)


# %% nbgrader={"grade_id": "test-log-softmax", "grade": true, "points": 22}
def test_log_softmax():
    """Against Python's math along both axes; huge logits, masks, dtype, graph; input untouched."""

    def by_hand(row):
        return [z - math.log(sum(map(math.exp, row))) for z in row]

    rows = [[2.0, 1.0, 0.0], [-1.0, 0.5, 3.0]]
    x, want = Tensor(rows, requires_grad=True), [by_hand(row) for row in rows]
    out, down = log_softmax(x), log_softmax(x.transpose(), dim=0)
    assert close(out, want), f"log_softmax of {rows} gave {out}, by hand it is {want}."
    assert close(down.data.T, want), f"dim=0 makes a softmax of each column, not {down}."
    assert close(x, rows), f"The logits themselves were changed to {x}: do not write into x."
    assert out._grad_fn is not None, "No way back to the logits."
    for row, want, because in [
        ([1000.0, 0.0], [0, -1000], "take the largest from all before exp"),
        ([-1000.0, -1000.0], [-math.log(2)] * 2, "the shift is the maximum, whatever its sign"),
        ([1e4, -1e4], [0, -2e4], "log of a softmax that underflowed is -inf: no fraction"),
        ([0.0, -np.inf], [0, -np.inf], "a masked logit has probability 0, the others share"),
    ]:
        got = log_softmax(Tensor(row))
        assert close(got, want, 1e-4), f"log_softmax({row}) gave {got.data}, not {want}: {because}."
    assert np.isnan(log_softmax(Tensor([-np.inf] * 2)).data).all(), "Only -inf: nan, as in PyTorch."
    exact = log_softmax(Tensor([0.1, 0.0], dtype=np.float64)).data
    assert close(exact, by_hand([0.1, 0.0]), 1e-12, 1e-14), f"float64 stays float64; {exact}."
    ### BEGIN HIDDEN TESTS
    drawn = challenge.normal(size=(2, 4, 3), scale=30)
    for dim in (-1, 0, 1):
        observe(f"dim {dim}", log_softmax(Tensor(drawn), dim=dim).data, atol=1e-4)
    observe("float64", log_softmax(Tensor(drawn, dtype=np.float64)).data, 1e-10, 1e-12)
    huge = Tensor(challenge.choice([-1e4, 3.0, 1e4], size=(5, 3)))
    observe("huge", log_softmax(huge).data, atol=1e-2)
    ### END HIDDEN TESTS


test_log_softmax()

# %% [markdown]
# **Why logits and not probabilities?** A loss that takes probabilities must take their logarithm, and by then the information may be gone. Let us move the logit of the true class ever farther below the other one, in float32, and look for the point where each way breaks.

# %%
gaps = np.arange(0.0, 130.0, 0.25, dtype=np.float32)
logits = Tensor(np.stack([np.zeros_like(gaps), -gaps], axis=1))
with np.errstate(divide="ignore"):
    probability = np.exp(logits.data) / np.exp(logits.data).sum(axis=1, keepdims=True)
    composed = -np.log(probability[:, 1])
    padded = -np.log(probability[:, 1] + np.float32(1e-7))
breaks = gaps[np.isinf(composed)][0]
plt.plot(gaps, -log_softmax(logits).data[:, 1], lw=4, alpha=0.4, label="log_softmax")
plt.plot(gaps, composed, "k", lw=1, label="log(softmax)")
plt.plot(gaps, padded, "--", label="log(softmax + 1e-7)")
plt.title(f"log(softmax) is infinite from {breaks:.0f} on; padded, it stops at {padded.max():.0f}")
plt.gca().set(xlabel="how far the true class's logit lies below the other", ylabel="surprise")
plt.legend()
plt.show()

# %% [markdown]
# Where the curve is flat, a network that is totally wrong gets no hint how to become less wrong. A logit carries its size; a probability near 0 has forgotten it. Keep logits as long as you can.
#
# ## Exercise 3: cross-entropy
# *Difficulty 4 of 5 · 28 points · 35 minutes*
#
# A label is a class number, 0 to C - 1, and nothing else: not 1.0, not C. NumPy would quietly take -1 for the last class, so we look first. One number is an exception: sentences of different lengths are padded, and a padded place carries the label `ignore_index`, -100 as in PyTorch; such a target does not count. `counted_targets`, given above, refuses what is no label and returns the positions of the targets that count, in reading order: `[[4, 1, -100], [2, -100, -100]]` has the positions `[0, 1, 3]`. When all are ignored PyTorch answers nan, and one nan ruins every weight; we refuse.
#
# The loss is the mean surprise over the targets that count. It could be put together: log-softmax, pick, mean. But each operation in a graph keeps its result, and with 50,000 classes a result is large. So it becomes **one** Function, with one array of that size: the exponentials. Divided by their totals they are the probabilities, and module 05 will show why those are worth keeping.
#
# Everything before the last dimension is flattened: `rows` is `(M, C)`, `labels` is `(M,)`, and `positions` are those that count. For logits `[2, 1, 0]` and `[0, 0, 0]` with labels 0 and 2, the surprises are 0.408 and log 3 = 1.099, and the loss is 0.753. Leave three names behind; the given lines below the blank take them on: `exps`, `(M, C)`, the exponentials of every row, of the ignored ones too, and `totals`, `(M, 1)`, their sums, so that `exps / totals` is the softmax, whatever was taken from a row before; and `loss`, the mean over `positions` of `log(sum(exp(row))) - row[label]`.
#
# **Predict first:** does doubling a batch, by repeating it, change the loss? And adding rows whose target is ignored?
#
# <details><summary>Hints</summary>
#
# Shift first, as in exercise 2; `rows` may be a view of the caller's logits, so no `rows -= ...`. `rows[positions, labels[positions]]` picks one logit in each row that counts; what you took from all the logits of a row you take from that one as well. With `out=`, `np.exp(exps, out=exps)` makes no second large array: first make it right, then small. (`in_halves(np.exp, rows, out=...)` does the same in two threads.)
#
# </details>


# %% nbgrader={"grade_id": "cross-entropy", "solution": true}
#| export
class CrossEntropyFunction(Function):
    @np.errstate(invalid="ignore", over="ignore")
    def forward(self, logits, targets, ignore_index):
        """(..., C) and integers (...) -> (); keeps exps (M, C), totals (M, 1), positions (count,)."""
        positions = counted_targets(targets, logits.shape[-1], ignore_index)
        labels, rows = targets.reshape(-1), logits.reshape(-1, logits.shape[-1])
        if rows.dtype.kind != "f":
            rows = rows.astype(np.float32)
        ### BEGIN SOLUTION
        exps = in_halves(np.exp, rows, out=np.empty_like(rows))
        totals = exps.sum(axis=1, keepdims=True)
        top = np.zeros_like(totals)
        if not 1e-8 < totals.min() <= totals.max() < 1e8:  # far out: once more, with the shift
            top = rows.max(axis=1, keepdims=True)
            np.exp(np.subtract(rows, top, out=exps), out=exps)
            np.sum(exps, axis=1, keepdims=True, out=totals)
        picked = rows[positions, labels[positions]] - top[positions, 0]
        loss = (np.log(totals[positions, 0]) - picked).mean()
        ### END SOLUTION
        self.saved = exps, totals, positions
        return loss


class CrossEntropyLoss(Loss):
    """Mean surprise: logits (N, C) or (N, ..., C), class numbers (N, ...) -> ()."""

    def __init__(self, ignore_index: int = -100):
        self.ignore_index = ignore_index

    def forward(self, logits: Tensor, targets: ArrayLike) -> Tensor:
        targets = targets if isinstance(targets, Tensor) else Tensor(targets)
        if logits.ndim == 0 or logits.shape[:-1] != targets.shape:
            raise ValueError(
                f"Logits {logits.shape} need targets {logits.shape[:-1]}, got {targets.shape}: one "
                "class number for each row of logits (of one-hot rows take the argmax)."
            )
        return CrossEntropyFunction.apply(logits, targets, ignore_index=self.ignore_index)


# %% nbgrader={"grade_id": "test-cross-entropy", "grade": true, "points": 28}
def test_cross_entropy():
    """Row by row in Python; any shape, ignored targets, huge logits; what is kept; input untouched."""
    rows, labels = [[2.0, 1.0, 0.0], [0.0, 0.0, 0.0], [1.0, 3.0, -1.0], [0.5, -2, 4]], [0, 2, 1, 0]
    softmax = [[math.exp(z) / sum(map(math.exp, row)) for z in row] for row in rows]
    surprises = [-math.log(row[label]) for row, label in zip(softmax, labels, strict=True)]
    x, loss, mean = Tensor(rows, requires_grad=True), CrossEntropyLoss(), sum(surprises) / 4
    out, stacked = loss(x, labels), loss(x.reshape(2, 2, 3), np.reshape(labels, (2, 2)))
    assert close(out, mean), f"Surprises {surprises} have the mean {mean}, not {out}."
    assert close(x, rows), f"The caller's logits became {x}: rows is a view, do not write into it."
    assert close(stacked, mean), f"(2, 2, 3) with (2, 2) is the same batch: {mean}, not {stacked}."
    for marked, ignored, counted in [([0, -100, 1, -100], -100, [0, 2]), (labels, 0, [1, 2])]:
        got = attempt(CrossEntropyLoss(ignored), x, marked)
        want = sum(surprises[i] for i in counted) / 2
        assert close(got, want), f"{marked}, ignoring {ignored}: 2 count, {want}, not {got}."
    for row, label, want, because in [
        ([1e4, -1e4], 1, 2e4, "confident and wrong is expensive, and finite"),
        ([1e4, -1e4], 0, 0, "confident and right costs nothing"),
        ([-120, -120.0], 0, math.log(2), "far below 0 all exponentials vanish: shift here, too"),
        ([0.0, -np.inf], 0, 0, "a masked class takes no probability"),
        ([3, 3], 0, math.log(2), "integer logits count as floats"),
    ]:
        got = loss(Tensor([row]), [label])
        assert close(got, want), f"{row}, label {label}: loss {got}, not {want}: {because}."
    node = CrossEntropyLoss(0)(x, labels)._grad_fn
    assert isinstance(node, CrossEntropyFunction), f"The loss is one Function, not {node}."
    exps, totals, positions = node.saved
    shapes = np.shape(exps), np.shape(totals)
    assert shapes == ((4, 3), (4, 1)), f"exps is (4, 3) and totals (4, 1) here, not {shapes}."
    kept = exps / totals
    assert close(kept, softmax), f"exps / totals must be the softmax of every row, not {kept}."
    assert close(positions, [1, 2]), f"The positions that count are [1, 2], not {positions}."
    exact = loss(Tensor(rows, dtype=np.float64), labels).item()
    assert abs(exact - mean) < 1e-12, f"float64 logits: {exact} is not {mean} to 12 digits."
    ### BEGIN HIDDEN TESTS
    drawn, picks = challenge.normal(size=(3, 4, 6), scale=20), challenge.integers(0, 6, size=(3, 4))
    observe("stack", loss(Tensor(drawn), picks).data)
    picks[1] = (picks[0, 0] + 1) % 6  # at least one row counts
    ignoring = CrossEntropyLoss(int(picks[0, 0]))(Tensor(drawn, True, np.float64), picks)
    observe("ignoring", ignoring.data, rtol=1e-10)
    exps, totals, _ = ignoring._grad_fn.saved
    observe("kept", exps / totals)
    observe("huge", loss(Tensor(1e3 * drawn[0]), picks[0]).data)
    ### END HIDDEN TESTS


test_cross_entropy()

# %% [markdown]
# (Repeating a batch, or adding ignored rows, changes nothing: it is the mean over what counts.) A cross-entropy of 2.3: is that good? Undo the logarithm: `exp(loss)` is the **perplexity**, the number of equally likely classes that would be just as surprising. A network that knows nothing of C classes has loss log C and perplexity C, and so does a fresh one with small weights: compare the first loss of every training run with log C. For 10 digits it should be near 2.3; 11.5 means confident and wrong, by weights too large or labels shifted.

# %%
for classes in (2, 3, 10, 1000, 50257):
    loss = CrossEntropyLoss()(Tensor(np.zeros((1, classes))), [1]).item()
    print(f"{classes:6,} classes: loss {loss:6.3f}, perplexity {math.exp(loss):8,.1f}")
print("0.7, 0.2 and 0.1 surprise by", -np.log([0.7, 0.2, 0.1]).round(3))

# %% [markdown]
# ## Exercise 4: yes or no
# *Difficulty 4 of 5 · 22 points · 35 minutes*
#
# One probability p of "yes", and a target t of 1 or 0 (or between: a soft target). The surprise is `-log p` for a yes and `-log(1 - p)` for a no; written at once, `-(t * log(p) + (1 - t) * log(1 - p))`. For p = 0.8: 0.223 if it was a yes, 1.609 if not. At p = 0 and p = 1 a logarithm is infinite, and `0 * inf` is nan. So p is first **clamped** to the range from eps to 1 - eps. Below 1 the float32 numbers lie 2**-24 apart; we take eps = 2**-23, about 1.2e-7. The largest loss is then 23 log 2 = 15.94, on both sides.
#
# From a **logit** x, with p = sigmoid(x) = 1 / (1 + exp(-x)), algebra leads past p: `-log p = log(1 + exp(-x))`, and `-log(1 - p)` is x more. Together `(1 - t) * x + log(1 + exp(-x))`. At x = -1000 the exponential overflows, but `log(1 + exp(-x))` is also `-x + log(1 + exp(x))`: take the form whose exponent is below 0. Both at once: `max(x, 0) - x * t + log(1 + exp(-|x|))`. By hand for x = -2, t = 1: 0 + 2 + log(1 + 0.135) = 2.127. One more trap: 1 + exp(-20) is 1 in float32, its logarithm 0, and the last of the surprise is gone. `np.log1p(y)` is log(1 + y) for small y too.
#
# **Predict first:** in float32, what is 1 - 1e-8, and what would that eps do to p = 1, t = 0? And the loss on logits of x = 1000, t = 0?
#
# <details><summary>Hints</summary>
#
# `np.clip(p, low, high)`, the formula, one mean over everything. Then `np.maximum(x, 0)`, `np.abs(x)`, `np.exp`, `np.log1p`; `np.logaddexp(0, -x)` is `-log p` in one call.
#
# </details>


# %% nbgrader={"grade_id": "binary-cross-entropy", "solution": true}
#| export
class BinaryCrossEntropyFunction(Function):
    def forward(self, p, t, eps):
        """Probabilities and targets of one shape -> (); p is clamped to [eps, 1 - eps]."""
        ### BEGIN SOLUTION
        p = np.clip(p, eps, 1 - eps)
        return -(t * np.log(p) + (1 - t) * np.log(1 - p)).mean()
        ### END SOLUTION


class BinaryCrossEntropyLoss(Loss):
    """Mean surprise of yes-or-no probabilities: predictions and targets of one shape -> ()."""

    eps = 2.0**-23

    def forward(self, predictions: Tensor, targets: ArrayLike) -> Tensor:
        check_shapes(predictions.shape, np.shape(targets))
        check_unit("Probabilities", predictions, "for logits use BCEWithLogitsLoss.")
        check_unit("Targets", targets, "1 is yes, 0 is no.")
        return BinaryCrossEntropyFunction.apply(predictions, targets, eps=self.eps)


class BCEWithLogitsFunction(Function):
    def forward(self, x, t):
        """Logits and targets of one shape -> (): the mean surprise, finite for finite logits."""
        ### BEGIN SOLUTION
        return (np.maximum(x, 0) - x * t + np.log1p(np.exp(-np.abs(x)))).mean()
        ### END SOLUTION


class BCEWithLogitsLoss(Loss):
    """Mean surprise of yes-or-no logits: predictions and targets of one shape -> ()."""

    def forward(self, predictions: Tensor, targets: ArrayLike) -> Tensor:
        check_shapes(predictions.shape, np.shape(targets))
        check_unit("Targets", targets, "1 is yes, 0 is no.")
        return BCEWithLogitsFunction.apply(predictions, targets)


# %% nbgrader={"grade_id": "test-binary-cross-entropy", "grade": true, "points": 22}
def test_binary_cross_entropy():
    """Both forms by hand: soft targets, certainty on both sides, the last digits, dtype, graph."""
    of_p, of_x, edge, log = BinaryCrossEntropyLoss(), BCEWithLogitsLoss(), 2.0**-23, math.log
    for loss, x, t, want, because in [
        (of_p, [0.8], [1], -log(0.8), "a yes costs -log p"),
        (of_p, [0.8, 0.4], [1, 0], -(log(0.8) + log(0.6)) / 2, "a no costs -log(1 - p)"),
        (of_p, [0.8], [0.5], -log(0.16) / 2, "a soft target weighs both logarithms"),
        (of_p, [0.0], [1], -log(edge), "p = 0 is clamped to eps"),
        (of_p, [1.0], [0], -log(edge), "p = 1 is clamped to 1 - eps, which is below 1"),
        (of_p, [1.0, 0.0], [1, 0], edge, "certain and right costs next to nothing, and no nan"),
        (of_p, [1e-6], [1], -log(1e-6), "inside the range nothing is clamped"),
        (of_x, [-2.0], [1], 2 + log(1 + math.exp(-2)), "worked by hand above"),
        (of_x, [3.0, 3.0], [0, 0.5], 2.25 + log(1 + math.exp(-3)), "the mean of 3 and 1.5"),
        (of_x, [-1e4], [1], 1e4, "exp(10000) overflows: keep exponents below 0"),
        (of_x, [1e4], [0], 1e4, "certain and wrong costs the logit, not infinity"),
        (of_x, [20.0, -20.0], [1, 0], math.exp(-20), "log(1 + y) loses y, log1p does not"),
    ]:
        name, given = type(loss).__name__, Tensor(x, True)
        got = loss(given, Tensor(t))
        assert close(got, want, 1e-4, 1e-11), f"{name}, {x} for {t}: {got}, not {want}: {because}."
        assert close(given, np.float32(x), 0, 0), f"{name} made {x} {given}: work on a copy."
        assert got._grad_fn is not None, f"{name}: no way back to the predictions."
    for loss, want in [(of_p, -log(0.8)), (of_x, math.log1p(math.exp(-0.8)))]:
        exact = loss(Tensor([0.8], dtype=np.float64), [1]).item()
        assert abs(exact - want) < 1e-12, f"{loss} of float64 gave {exact}, not {want}."
    ### BEGIN HIDDEN TESTS
    p, t = challenge.uniform(0, 1, size=(2, 3, 4))
    observe("soft p", of_p(Tensor(p), t).data, rtol=1e-4)
    observe("certain p", of_p(Tensor(np.round(p)), np.round(t)).data, rtol=1e-4)
    observe("soft x", of_x(Tensor(9 * p - 4), t).data)
    observe("hard x", of_x(Tensor(1e4 * p - 5e3), np.round(t)).data)
    yes = np.round(t)
    observe("sure x", of_x(Tensor((2 * yes - 1) * (17 + 3 * p)), yes).data, rtol=1e-4, atol=0)
    ### END HIDDEN TESTS


test_binary_cross_entropy()

# %% [markdown]
# (1 - 1e-8 is 1 in float32: that eps would have left the logarithm of 0 where it was.) Now the question one should have asked long ago: why not squared error on the probability, `(p - 1)**2`? It is smooth too, and lowest in the right place. Look at the slopes, the only thing that training sees.

# %%
x, step = np.linspace(-8, 8, 161), 1e-3
fig, axes = plt.subplots(1, 2)
for name, style, loss in [
    ("cross-entropy", "-", lambda x: np.log1p(np.exp(-x))),
    ("squared error of p", "--", lambda x: (1 / (1 + np.exp(-x)) - 1) ** 2),
]:
    slope = (loss(x + step) - loss(x - step)) / (2 * step)
    axes[0].plot(x, loss(x), style, label=name)
    axes[1].plot(x, slope, style, label=f"{slope[0]:.4f} at {x[0]:.0f}")
axes[0].plot(x[::20], [BCEWithLogitsLoss()(Tensor([z]), [1]).item() for z in x[::20]], "k.")
for ax, name in zip(axes, ["loss (dots: yours)", "slope"], strict=True):
    ax.set(xlabel="logit of an example that is a yes", ylabel=name)
    ax.legend()
fig.suptitle("The more wrong, the less squared error pushes; cross-entropy pushes with full force")
plt.show()

# %% [markdown]
# ## All together
# *12 points.* The losses held against each other: two classes are a yes or no; a sigmoid and its loss are the loss on logits. Then what they have in common: one float32, a graph, refusals in words.


# %% nbgrader={"grade_id": "test-losses-module", "grade": true, "points": 12}
def test_losses_module():
    """Identities between the losses, what all have in common, and refusals."""
    x, t = np.array([-3.0, 0.5, 2.0, 7.0]), np.array([1, 0, 1, 0])
    pairs, p = Tensor(np.stack([0 * x, x], axis=1)), Tensor(1 / (1 + np.exp(-x)))
    two, one = CrossEntropyLoss()(pairs, t), BCEWithLogitsLoss()(Tensor(x), t)
    assert close(two, one), f"Logits (0, x) are a yes or no with logit x: {two} against {one}."
    same = BinaryCrossEntropyLoss()(p, t)
    assert close(same, one, 1e-4), f"From sigmoid(x): {same}; from x itself: {one}."
    by_hand = -log_softmax(pairs)[np.arange(4), t].mean()
    assert close(two, by_hand), f"Cross-entropy {two} is not log_softmax, picked: {by_hand}."
    for loss in (MSELoss(), BinaryCrossEntropyLoss(), BCEWithLogitsLoss(), CrossEntropyLoss()):
        name, wide = type(loss).__name__, Tensor(np.full((4, 2), 0.5), requires_grad=True)
        out = loss(wide, np.ones(4, int) if name == "CrossEntropyLoss" else np.ones((4, 2)))
        assert (out.shape, str(out.dtype)) == ((), "float32"), f"{name}: one float32, not {out}."
        assert out._grad_fn is not None, f"{name}: no way back to its predictions."
        assert (loss.parameters(), name in repr(loss)) == ([], True), f"{loss} has no parameters."
        said = str(attempt(loss, wide, np.ones((4, 1), int)))
        assert "(4, 2)" in said, f"{name} of (4, 2) and (4, 1): name the shapes. Got: {said}"
    for loss, predictions, targets, part in [
        (BinaryCrossEntropyLoss(), [1.5], [1], "1.5 (at [0])"),
        (BCEWithLogitsLoss(), [1.5], [2], "2 (at [0])"),
        (CrossEntropyLoss(), np.zeros((2, 1, 3)), [[0], [3]], "Label 3 at [1, 0]"),
        (CrossEntropyLoss(), [[0, 1]], [1.0], "class numbers"),
        (CrossEntropyLoss(), [[0, 1]], [-100], "no mean"),
        (MSELoss(), np.zeros((0, 3)), np.zeros((0, 3)), "(0, 3)"),
    ]:
        said = str(attempt(loss, Tensor(predictions), targets))
        assert part in said, f"{loss}: refuse the targets {targets}, with {part}. Got: {said}"
    ### BEGIN HIDDEN TESTS
    logits, labels = challenge.normal(size=(3, 4)), challenge.integers(0, 4, size=3)
    observe("picked", log_softmax(Tensor(logits))[np.arange(3), labels].data)
    for loss, x in [(CrossEntropyLoss(), logits), (MSELoss(), logits[:, 0])]:
        observe(str(loss), loss(Tensor(x), labels).data)
    observe("yes or no", BCEWithLogitsLoss()(Tensor(logits[:, 1]), labels % 2).data)
    ### END HIDDEN TESTS


test_losses_module()

# %% [markdown]
# ## Measure it: one Function or nine
#
# The same loss two ways, for 4096 rows of 1000 logits, 16 MB, that ask for a gradient: softmax, logarithm and picking from Tensor operators, and your fused Function. How long does the forward take, and how many bytes does the result keep alive for module 05?


# %%
def from_operators(x, labels):
    powers = (x - x.max(axis=1, keepdims=True)).exp()
    log_probabilities = (powers / powers.sum(axis=1, keepdims=True)).log()
    return -log_probabilities[np.arange(len(labels)), labels].mean()


generator = np.random.default_rng(1)
x, labels = Tensor(generator.normal(size=(4096, 1000)), True), generator.integers(0, 1000, 4096)
for name, way in {"operators": from_operators, "fused": CrossEntropyLoss()}.items():
    ms = min(timeit.repeat(lambda way=way: way(x, labels), number=1, repeat=5)) * 1e3
    tracemalloc.start()
    loss = way(x, labels)
    held, peak = (size / 2**20 for size in tracemalloc.get_traced_memory())
    tracemalloc.stop()
    print(f"{name:9} {loss.item():.4f} {ms:4.0f} ms {held:4.0f} MiB kept {peak:4.0f} MiB at peak")

# %% [markdown]
# The operators keep four arrays of 16 MB (shifted, exponentials, probabilities, logarithms), where one is enough. For a language model with 50,257 classes and 8 sequences of 1024 words an array of logits takes 1.5 GiB: there the loss, not the network, decides what fits into memory.
#
# ## Check your understanding
# Answer first, then unfold; the cell below computes every number.
#
# 1. A network is right on 9 of 10 images with probability 0.99, and gives the truth of the tenth the probability 1e-6. Its loss? And one that always says 0.7?
# 2. `CrossEntropyLoss()(probabilities, labels)` with probabilities in place of logits: no error. What is the smallest loss it can reach on 10 classes?
#
# <details><summary>Answers</summary>
#
# 1. 1.39 against 0.36: one confident mistake costs more than nine good answers save.
# 2. 1.46: the best "logits" are 1 and nine 0s, whose softmax gives the truth only 0.23. A loss that will not fall below that is this bug.
#
# </details>

# %%
print("1.", round(-(9 * math.log(0.99) + math.log(1e-6)) / 10, 2), round(-math.log(0.7), 2))
print("2.", round(CrossEntropyLoss()(Tensor(np.eye(10)[:1]), [0]).item(), 2))
print("an array of logits:", 8 * 1024 * 50257 * 4 / 2**30, "GiB")

# %% [markdown]
# ## In production
#
# | ours | PyTorch | the difference |
# |---|---|---|
# | `MSELoss()(x, y)` | `nn.MSELoss()(x, y)` | theirs warns and broadcasts, ours refuses |
# | `CrossEntropyLoss()(logits, labels)` | `nn.CrossEntropyLoss()(logits, labels)` | theirs wants the classes in dimension 1, `(N, C, ...)` |
# | `BinaryCrossEntropyLoss` | `nn.BCELoss` | ours clamps p, theirs clamps the logarithm at -100 |
#
# ## Recap
#
# 1. A loss is one smooth number, the mean over what counts; shapes must match, not broadcast.
# 2. Squared error asks for the mean; cross-entropy is the mean surprise, log C for a network that knows nothing.
# 3. Shift by the largest logit, take the logarithm of the sum, never that of a fraction.
# 4. Logits carry what probabilities have already lost; clamping hides it.
# 5. Fused, the loss keeps one large array instead of four.
#
# ## Further reading
#
# - C. E. Shannon, "A mathematical theory of communication", *Bell System Technical Journal* 27 (1948): surprise, and why it is a logarithm.
# - I. Goodfellow, Y. Bengio, A. Courville, *Deep Learning* (2016), sections 4.1 and 6.2: overflow, and losses as likelihoods: <https://www.deeplearningbook.org>
# - P. Blanchard, D. J. Higham, N. J. Higham, "Accurately computing the log-sum-exp and softmax functions", *IMA Journal of Numerical Analysis* 41 (2021).
#
# **Next:** 05 autograd. A loss says how wrong; the gradient says which way is less wrong, for every weight at once.
