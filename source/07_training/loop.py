# %% [markdown]
# # The parts of a training loop
#
# > Batches in a new order each epoch, a learning rate with a shape, and a step that cannot explode.
#
# **The question of this notebook:** forward, loss, backward, step: four lines train a network. What has to stand around these lines so that training works on data, at night, without somebody watching?
#
# Difficulty 3 of 5 · about 1.5 hours · 3 exercises and a test over the notebook, 100 points · prerequisites: modules 03 to 06.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | layers, losses, gradients, optimizers | `minibatches`, `CosineSchedule`, `clip_grad_norm` | a state that survives the night (`saving`), the `Trainer` (`training`) |
#
# The notebook ends up in `tinytorch/core/loop.py`. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.loop

# %% nbgrader={"grade_id": "setup", "locked": true}
import time

import matplotlib.pyplot as plt
import numpy as np

from tinytorch.core.layers import Dropout, Linear, Sequential, manual_seed
from tinytorch.core.losses import CrossEntropyLoss, MSELoss
from tinytorch.core.optimizers import SGD

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


def moons(count, noise, seed):
    """Two half circles, one in the other, and Gaussian noise: points (count, 2), labels (count,)."""
    rng = np.random.default_rng(seed)
    labels, angle = np.arange(count) % 2, rng.uniform(0, np.pi, count)
    x, y = np.where(labels, 1 - np.cos(angle), np.cos(angle)), np.sin(angle)
    points = np.stack([x, np.where(labels, 0.5 - y, y)], axis=1)
    return (points + rng.normal(scale=noise, size=(count, 2))).astype(np.float32), labels


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tinytorch.core.autograd import RowSparseGrad
from tinytorch.core.layers import Random
from tinytorch.core.tensor import Tensor

# %% [markdown]
# ## Exercise 1: minibatches
# *Difficulty 2 of 5 · 24 points · 20 minutes*
#
# A step on all the data is exact and slow; a step on one example is fast and points almost anywhere. A **batch** is the compromise. One pass over all examples is an **epoch**; each epoch takes them in a new order, or the network learns the order too: the last batch would have the last word every time.
#
# By hand, 5 examples in batches of 2: a shuffled order `[3, 0, 4, 1, 2]` gives the rows `[3, 0]`, `[4, 1]`, `[2]`. The last batch is smaller, and it counts: dropping it would waste examples. Inputs and targets are taken **by the same rows**, or pictures get other pictures' labels.
#
# `for x, y in batches` must work again in the next epoch. That is what `__iter__` is for: each `for` calls it and gets a fresh iterator (a generator, if there is a `yield` in it), while a bare generator would be empty the second time. Draw the order inside it, from `Random.generator`, so that `manual_seed` repeats a whole training.
#
# **Predict first:** 1,000 examples in batches of 64: how many steps has an epoch, and how many examples the last of them?
#
# <details><summary>Hints</summary>
#
# `Random.generator.permutation(n)` is a shuffled `np.arange(n)`. An array indexed with an array of rows gives those rows. `range(0, n, size)` are the starts; a slice may end beyond the end.
#
# </details>


# %% nbgrader={"grade_id": "minibatches", "solution": true}
#| export
class minibatches:  # in small letters: used like `range` and `zip`
    """Batches of (inputs, targets), as often as one asks: `for x, y in minibatches(X, Y, 32)`.

    inputs: (count, ...); targets: (count, ...). Gives Tensors (batch_size, ...), the last batch
    smaller if need be; shuffled anew at each pass, with numbers from `Random.generator`.
    """

    def __init__(
        self, inputs: ArrayLike, targets: ArrayLike, batch_size: int, shuffle: bool = True
    ):
        self.inputs, self.targets = Tensor(inputs).data, Tensor(targets).data
        self.batch_size, self.shuffle = batch_size, shuffle
        if batch_size < 1:
            raise ValueError(f"batch_size must be at least 1, not {batch_size}.")
        counts = [len(array) if array.ndim else None for array in (self.inputs, self.targets)]
        if counts[0] != counts[1] or not counts[0]:
            raise ValueError(
                f"Inputs {self.inputs.shape} and targets {self.targets.shape} must hold equally "
                "many examples, at least one."
            )

    def __len__(self) -> int:
        """The number of batches of a pass."""
        ### BEGIN SOLUTION
        return math.ceil(len(self.inputs) / self.batch_size)
        ### END SOLUTION

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        ### BEGIN SOLUTION
        count = len(self.inputs)
        order = Random.generator.permutation(count) if self.shuffle else np.arange(count)
        for start in range(0, count, self.batch_size):
            rows = order[start : start + self.batch_size]
            yield Tensor(self.inputs[rows]), Tensor(self.targets[rows])
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-minibatches", "grade": true, "points": 24}
def test_minibatches():
    """Every example once, with its target, in a new order that the seed repeats; refusals."""
    inputs, targets = np.arange(20.0).reshape(10, 2), np.arange(10) * 10
    plain, mixed = (minibatches(inputs, targets, 4, shuffle) for shuffle in (False, True))

    def rows(batches):
        passed = list(batches)
        for x, y in passed:
            assert {type(x), type(y)} == {Tensor}, "Give Tensors, not arrays."
            matches = close(x.data[:, 0] * 5, y.data)
            assert matches, f"Inputs {x.data[:, 0]} came with targets {y.data}: use the same rows."
        sizes = [len(x) for x, _ in passed]
        assert sizes == [4, 4, 2], f"10 examples in batches of 4 are 4, 4 and 2, not {sizes}."
        return [int(t) // 10 for _, y in passed for t in y.data]

    want = list(range(10))
    assert rows(plain) == want, f"shuffle=False keeps the order; got the rows {rows(plain)}."
    assert rows(plain) == want, "The second pass differs from the first: begin anew in __iter__."
    manual_seed(4)
    first, second = rows(mixed), rows(mixed)
    assert sorted(first) == want, f"Each example comes once in a pass, not the rows {first}."
    assert first != want, "shuffle=True must change the order."
    assert first != second, "Two passes had one order: draw it anew in each __iter__."
    manual_seed(4)
    assert rows(mixed) == first, "manual_seed(4) must repeat the order: use Random.generator."
    spread = {i // 4 for i in first[:4]}
    assert len(spread) > 1, f"The first batch is {first[:4]}: shuffle examples, not batches."
    lengths = [len(minibatches(inputs, targets, size)) for size in (1, 3, 4, 5, 10, 99)]
    assert lengths == [10, 4, 3, 2, 1, 1], f"len() counts batches, the last too, not {lengths}."
    x, y = next(iter(plain))
    assert (x.dtype, y.dtype) == ("float32", "int64"), f"dtypes are kept: {x.dtype}, {y.dtype}."
    for wrong in [(inputs, targets[:9], 4), (inputs, targets, 0), (inputs[:0], targets[:0], 4)]:
        assert "ValueError" in str(attempt(minibatches, *wrong)), "The given checks were changed."
    ### BEGIN HIDDEN TESTS
    count, size = challenge.integers(5, 40), int(challenge.integers(2, 8))
    inputs, targets = challenge.normal(size=(count, 2, 3)), challenge.integers(0, 9, size=count)
    plain, mixed = (minibatches(inputs, targets, size, shuffle) for shuffle in (False, True))
    observe("batches", len(plain))
    observe("sizes", np.array([len(x) for x, _ in mixed]))
    observe("first", next(iter(plain))[0].data)
    observe("sum", np.sum([(x.data.sum(axis=(1, 2)) * y.data).sum() for x, y in mixed]), 1e-4, 1e-4)
    ### END HIDDEN TESTS


test_minibatches()

# %% [markdown]
# With that, here is the loop by hand, everything in it and nothing around it: a network with 32 hidden units that shall separate two half moons.

# %%
manual_seed(0)
points, labels = moons(500, 0.2, seed=1)
model, loss_fn = Sequential(Linear(2, 32), Tensor.tanh, Linear(32, 2)), CrossEntropyLoss()
optimizer = SGD(model.parameters(), lr=0.3)
for epoch in range(20):
    for x, y in minibatches(points, labels, 50):
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        optimizer.step()
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1:2}: loss of the last batch {loss.item():.3f}")

# %% [markdown]
# ## Exercise 2: the learning rate gets a shape
# *Difficulty 2 of 5 · 28 points · 25 minutes*
#
# Large steps travel, small steps settle. A constant learning rate has to be one or the other; a **schedule** is both, one after the other. The most used one is half a cosine (Loshchilov and Hutter, 2017), from `max_lr` down to `min_lr`:
#
# `lr = min_lr + (max_lr - min_lr) * (1 + cos(pi * progress)) / 2`, where `progress` goes from 0 to 1.
#
# At first the weights are random and their gradients wild, so a large network begins with a few epochs of **warm-up**, on a straight line: with `warmup_epochs = w`, epoch 0 has `1 / (w + 1)` of `max_lr`, epoch 1 twice as much, and epoch `w`, the first of the cosine, all of it. The cosine ends where training does: `progress` is `(epoch - w) / (total_epochs - w)`. From `total_epochs` on it stays at `min_lr`; the cosine itself would climb again.
#
# By hand, `CosineSchedule(0.1, 0.0, total_epochs=12, warmup_epochs=4)`: 0.02, 0.04, 0.06, 0.08, **0.1** in epoch 4, half of it in epoch 8, 0 from epoch 12 on.
#
# **Predict first:** without warm-up, is the learning rate after a quarter of the epochs above or below three quarters of `max_lr`?
#
# <details><summary>Hints</summary>
#
# Three cases, in this order: warm-up, after the end, between. `math.cos` takes radians.
#
# </details>


# %% nbgrader={"grade_id": "cosine-schedule", "solution": true}
#| export
@dataclass(frozen=True)
class CosineSchedule:
    """A learning rate for each epoch: linear warm-up, half a cosine down to min_lr, then constant.

    Loshchilov and Hutter 2017, eq. 5, without restarts. Raises ValueError for numbers that make no
    schedule.
    """

    max_lr: float
    min_lr: float
    total_epochs: int
    warmup_epochs: int = 0

    def __post_init__(self):
        if not 0 <= self.min_lr <= self.max_lr < math.inf or self.max_lr == 0:
            raise ValueError(f"{self}: 0 <= min_lr <= max_lr must hold, and max_lr be above 0.")
        if not 0 <= self.warmup_epochs < self.total_epochs:
            raise ValueError(f"{self}: warmup_epochs must be at least 0, and below total_epochs.")

    def get_lr(self, epoch: float) -> float:
        """The learning rate of an epoch; epochs count from 0, and 2.5 is the middle of epoch 2."""
        if epoch < 0:
            raise ValueError(f"There is no epoch {epoch}: epochs count from 0.")
        ### BEGIN SOLUTION
        if epoch < self.warmup_epochs:
            return self.max_lr * (epoch + 1) / (self.warmup_epochs + 1)
        if epoch >= self.total_epochs:
            return self.min_lr
        progress = (epoch - self.warmup_epochs) / (self.total_epochs - self.warmup_epochs)
        return self.min_lr + (self.max_lr - self.min_lr) * (1 + math.cos(math.pi * progress)) / 2
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-cosine-schedule", "grade": true, "points": 28}
def test_cosine_schedule():
    """By hand at the corners, with and without warm-up, between, and after the end; refusals."""
    plain, warm = CosineSchedule(0.1, 0.02, 10), CosineSchedule(0.1, 0.0, 12, warmup_epochs=4)
    for schedule, epoch, want, because in [
        (plain, 0, 0.1, "epoch 0 has max_lr: cos(0) is 1, and (1 + 1) / 2 too"),
        (plain, 5, 0.06, "half way it is half way between max_lr and min_lr"),
        (plain, 2.5, 0.02 + 0.08 * (1 + math.sqrt(0.5)) / 2, "progress is epoch / total_epochs"),
        (plain, 9, 0.02 + 0.08 * (1 - math.cos(math.pi / 10)) / 2, "the last epoch is not yet min"),
        (plain, 10, 0.02, "after the end it is min_lr"),
        (plain, 15, 0.02, "after the end it stays min_lr: the cosine would climb again"),
        (warm, 0, 0.02, "warm-up begins with 1 / (w + 1) of max_lr, not with 0"),
        (warm, 3, 0.08, "warm-up is a straight line: 4 / 5 of max_lr in epoch 3"),
        (warm, 4, 0.1, "the cosine begins, with max_lr, right after the warm-up"),
        (warm, 8, 0.05, "the cosine spans the epochs after the warm-up: progress 4 / 8"),
        (warm, 12, 0.0, "the cosine ends at total_epochs, warm-up included"),
    ]:
        got = schedule.get_lr(epoch)
        assert close(got, want), f"{schedule}, epoch {epoch}: {got}, not {want:.4f}: {because}."
    rates = [warm.get_lr(epoch / 10) for epoch in range(40, 121)]
    assert all(np.diff(rates) < 0), "Between warm-up and end, the learning rate only falls."
    only = CosineSchedule(0.3, 0.1, 1)
    assert close(only.get_lr(0), 0.3), f"A schedule of one epoch has max_lr, not {only.get_lr(0)}."
    for wrong in [(0.1, 0.2, 9), (0.0, 0.0, 9), (0.1, -0.1, 9), (0.1, 0.0, 5, 5), (0.1, 0.0, 0)]:
        said = str(attempt(CosineSchedule, *wrong))
        assert "ValueError: CosineSchedule(" in said, f"{wrong} is no schedule: {said}"
    ### BEGIN HIDDEN TESTS
    top, low = challenge.uniform(0.1, 1), challenge.uniform(0, 0.1)
    total, warm = int(challenge.integers(20, 50)), int(challenge.integers(1, 10))
    for epochs in (0, warm):
        schedule = CosineSchedule(top, low, total, epochs)
        observe(f"warm-up {epochs > 0}", np.array([schedule.get_lr(e) for e in range(60)]))
    ### END HIDDEN TESTS


test_cosine_schedule()


# %%
def final_losses(rate_of, seeds=range(4)):
    """Train on noisy moons for 30 epochs with this learning rate; the full training losses."""
    found = []
    for seed in seeds:
        manual_seed(seed)
        model = Sequential(Linear(2, 32), Tensor.tanh, Linear(32, 2))
        optimizer = SGD(model.parameters(), lr=1.0)
        for epoch in range(30):
            optimizer.lr = rate_of(epoch)
            for x, y in minibatches(points[:300], labels[:300], 10):
                optimizer.zero_grad()
                loss_fn(model(x), y).backward()
                optimizer.step()
        found.append(loss_fn(model(Tensor(points[:300])), labels[:300]).item())
    return np.array(found)


shapes = {
    "constant, large": lambda epoch: 1.0,
    "constant, small": lambda epoch: 0.02,
    "cosine": CosineSchedule(1.0, 0.01, 30).get_lr,
    "cosine, warm-up 5": CosineSchedule(1.0, 0.01, 30, 5).get_lr,
}
fig, axes = plt.subplots(1, 2)
for i, (name, rate_of) in enumerate(shapes.items()):
    losses = final_losses(rate_of)
    axes[0].plot([rate_of(epoch) for epoch in range(30)], label=name)
    axes[1].plot(losses, np.full(len(losses), i), "o", alpha=0.5)
axes[0].set(xlabel="epoch", ylabel="learning rate", ylim=(-0.05, 1.75))
axes[0].legend(ncols=2, fontsize=8)
axes[1].set(xlabel="loss on all data after 30 epochs, 4 seeds", yticks=range(len(shapes)))
axes[1].set_yticklabels(shapes)
fig.suptitle("Large steps travel, small steps settle: a schedule that warms up does both")
plt.show()

# %% [markdown]
# ## Exercise 3: clip the gradient
# *Difficulty 3 of 5 · 32 points · 30 minutes*
#
# Some losses have cliffs. Where a weight is used many times over, as in a recurrent network, the loss behaves like a high power of it: flat here, a wall there. One step that meets the wall below has a gradient of 23,000, and the weight is thrown out of everything it had learned. A smaller learning rate would cost speed everywhere. Better: limit the **length** of the gradient, all parameters taken together as one long vector (Pascanu and others, 2013).
#
# By hand: gradients `[3, 0]` and `[[4]]`. The norm is `sqrt(9 + 0 + 16) = 5`. With `max_norm = 1` each entry is multiplied by 1 / 5: `[0.6, 0]` and `[[0.8]]`, norm 1. The **direction** has not changed. Clipping each parameter by itself would make `[1, 0]` and `[[1]]`: another direction. A gradient that is short enough stays as it is; it is never made longer. The function returns the norm **before** clipping: worth a plot.
#
# Three details. Sum the squares in float64: `1e20` is a float32, its square is not. Change gradients **in place**, `grad *= scale`, which arrays and `RowSparseGrad`s both know; `entries(grad)`, given, has the numbers of either. And a nan cannot be clipped, it would spread to every parameter: raise a ValueError that says where it is, with all gradients as they were.
#
# **Predict first:** after the clip above with `max_norm = 1`, SGD with lr 0.1 moves the weights by how much in total? And Adam, whose steps do not depend on the size of gradients?
#
# <details><summary>Hints</summary>
#
# 1. `params` may be a generator, and you need it twice: make a list of the parameters whose `grad` is not None.
# 2. `np.vdot(a, a)` is the sum of squares of an array of any shape. Convert first: `np.asarray(a, np.float64)`.
# 3. `math.isfinite(norm)`; then look for the first parameter with a bad entry.
#
# </details>


# %% nbgrader={"grade_id": "clip-grad-norm", "solution": true}
#| export
def entries(grad: "np.ndarray | RowSparseGrad") -> np.ndarray:
    """The numbers of a gradient: all of a dense one, the rows that a sparse one has."""
    return grad.values if isinstance(grad, RowSparseGrad) else grad


def clip_grad_norm(params: Iterable[Tensor], max_norm: float) -> float:
    """Scale all gradients, in place, so that together their norm is at most max_norm.

    Returns the norm before. Parameters without gradient are skipped. Raises ValueError, naming
    parameter and shape, when a gradient is not finite. Pascanu, Mikolov, Bengio 2013, algorithm 1.
    """
    if not max_norm > 0:
        raise ValueError(f"max_norm must be above 0, not {max_norm}.")
    ### BEGIN SOLUTION
    with_grad = [(i, p) for i, p in enumerate(params) if p.grad is not None]
    squares = 0.0
    for number, p in with_grad:
        wide = np.asarray(entries(p.grad), np.float64)
        square = float(np.vdot(wide, wide))
        if not math.isfinite(square):
            raise ValueError(
                f"The gradient of parameter {number}, {p.shape}, has a norm of {square}: look for "
                "a 0 in a division or logarithm, or lower the learning rate."
            )
        squares += square
    norm = math.sqrt(squares)
    if norm > max_norm:
        for _, p in with_grad:
            p.grad *= max_norm / norm
    return norm
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-clip-grad-norm", "grade": true, "points": 32}
def with_grads(*grads):
    """Parameters with these gradients; None for none."""
    shapes = [(2,) if g is None else g.shape for g in grads]
    params = [Tensor(np.zeros(shape), requires_grad=True) for shape in shapes]
    for p, g in zip(params, grads, strict=True):
        p.grad = g
    return params


def test_clip_grad_norm():
    """One norm over all, dense and sparse, in place, only ever shorter; nan is named."""
    first, second = np.float32([3, 0]), np.float32([[4]])
    params = with_grads(first, None, second)
    norm = attempt(clip_grad_norm, params, 10.0)
    assert close(norm, 5), f"[3, 0], None and [[4]] together have norm 5 (None is skipped): {norm}"
    assert type(norm) is float, f"Return a plain float, not {type(norm).__name__}."
    kept = close(first, [3, 0]) and close(second, [[4]])
    assert kept, f"A norm below max_norm changes nothing; {first} and {second} were made longer."
    norm = clip_grad_norm((p for p in params), 1.0)
    assert close(norm, 5), f"The norm *before* clipping is 5, not {norm} (params: a generator)."
    got = [params[0].grad, params[2].grad]
    right = close(got[0], [0.6, 0]) and close(got[1], [[0.8]])
    assert right, f"max_norm 1: [0.6, 0] and [[0.8]], not {got}: one scale, 1/5, for all of them."
    in_place = got[0] is first and got[1] is second
    assert in_place, "Clip in place: grad *= scale."
    assert params[1].grad is None, "A parameter without gradient stays without."
    assert first.dtype == "float32", f"float32 stays float32, not {first.dtype}."
    small = np.float32([0.0, 0.0])
    assert clip_grad_norm(with_grads(small), 1.0) == 0, "All zeros: norm 0, and no division by it."
    assert clip_grad_norm(with_grads(None), 1.0) == 0, "No gradients at all: norm 0."
    huge = np.float32([3e20, 4e20])
    norm = attempt(clip_grad_norm, with_grads(huge), 1.0)
    assert close(norm, 5e20), f"[3e20, 4e20]: norm 5e20, not {norm}: add squares in float64."
    assert close(huge, [0.6, 0.8]), f"[3e20, 4e20] clipped to norm 1 is [0.6, 0.8], not {huge}."
    table = RowSparseGrad(np.array([7, 2, 7]), np.float32([[1, 0], [4, 0], [2, 0]]), (1000, 2))
    norm, values = clip_grad_norm(with_grads(table), 1.0), table.values
    assert close(norm, 5), f"Sparse rows 7 (1 + 2 = 3) and 2 (4) have norm 5, not {norm}."
    assert close(values, [[0.8, 0], [0.6, 0]]), f"Rows 2 and 7 are 0.8 and 0.6, not {values}."
    for bad in (np.nan, np.inf):
        good, params = np.float32([30.0]), None
        params = with_grads(good, None, np.float32([[1.0, bad, 2.0]]))
        said = str(attempt(clip_grad_norm, params, 1.0))
        assert "ValueError" in said, f"{bad} cannot be clipped: raise a ValueError. Got: {said}"
        assert "(1, 3)" in said, f"Name the shape (1, 3) of the parameter with {bad}; got: {said}"
        assert close(good, [30]), f"{bad}: leave all gradients as they were, not {good}."
    said = str(attempt(clip_grad_norm, params, 0.0))
    assert "max_norm" in said, f"max_norm 0 would stop training: refuse it. Got: {said}"
    ### BEGIN HIDDEN TESTS
    dense, more = challenge.normal(size=(3, 4)), challenge.normal(size=5)
    sparse = RowSparseGrad(challenge.integers(0, 4, 6), challenge.normal(size=(6, 2)), (4, 2))
    params = with_grads(dense, None, sparse, more)
    for limit in (100.0, challenge.uniform(0.1, 1)):
        observe(f"norm {limit > 1}", clip_grad_norm(params, limit))
        observe(f"sparse {limit > 1}", params[2].grad.to_dense())
        observe(f"dense {limit > 1}", np.append(dense, more))
    ### END HIDDEN TESTS


test_clip_grad_norm()


# %%
def walk_down(max_norm, steps=100):
    """Minimize (w**12 - 1)**2, the loss of a weight used twelve times, from w = 1.35."""
    w, weights, norms = Tensor([1.35], requires_grad=True, dtype=np.float64), [], []
    for _ in range(steps):
        weights.append(w.data.item())
        out = Tensor([1.0], dtype=np.float64)
        for _ in range(12):
            out = out * w
        w.zero_grad()
        ((out - 1) ** 2).sum().backward()
        norms.append(clip_grad_norm([w], max_norm))
        w.data -= 0.005 * w.grad
        if abs(w.data.item()) > 10:  # gone
            return [*weights, w.data.item()], norms
    return weights, norms


fig, axes = plt.subplots(1, 2)
for name, style, limit in (("not clipped", "C3o-", 1e300), ("max_norm = 1", "C0.-", 1.0)):
    weights, norms = walk_down(limit)
    axes[0].plot(np.abs(weights), style, label=f"{name}: ends at {weights[-1]:.3g}")
    axes[1].plot(norms, style, label=name)
axes[0].axhline(1, color="0.7", zorder=0)
axes[0].set(xlabel="step", ylabel="|w|, the best is 1", yscale="log")
axes[1].set(xlabel="step", ylabel="norm before clipping", yscale="log", ylim=(0.1, 1e5))
for ax in axes:
    ax.legend(fontsize=8)
fig.suptitle("One step from the cliff throws the weight out of sight; clipped, it walks down")
plt.show()

# %% [markdown]
# ## All together
# *16 points.* The three parts around one small loop: it learns, it stays within its limits, and twice from one seed it ends in the same weights, bit by bit.


# %% nbgrader={"grade_id": "test-loop-module", "grade": true, "points": 16}
def train_by_hand(seed, inputs, targets, epochs=4):
    """The loop with all its parts; its model and the norms it met."""
    manual_seed(seed)
    model, loss_fn = Sequential(Linear(2, 4), Dropout(0.3), Linear(4, 1)), MSELoss()
    optimizer, schedule = SGD(model.parameters(), lr=1.0), CosineSchedule(0.2, 0.01, epochs, 1)
    norms = []
    for epoch in range(epochs):
        optimizer.lr = schedule.get_lr(epoch)
        for x, y in minibatches(inputs, targets, 4):
            optimizer.zero_grad()
            loss_fn(model(x), y).backward()
            norms.append(clip_grad_norm(model.parameters(), 0.5))
            optimizer.step()
    return model.eval(), norms


def test_loop_module():
    """Repeatable from a seed, with clipped steps, and it learns."""
    inputs = np.linspace(-1, 1, 20).reshape(10, 2)
    targets = inputs @ [[2.0], [1.0]]

    def ending(seed):
        model, _ = train_by_hand(seed, inputs, targets)
        return b"".join(p.data.tobytes() for p in model.parameters())

    assert ending(3) == ending(3), "One seed, two endings: draw from Random.generator alone."
    assert ending(3) != ending(4), "Seeds 3 and 4 ended alike: is anything drawn?"
    model, norms = train_by_hand(3, inputs, targets, 60)
    assert len(norms) == 180, f"60 epochs of 3 batches are 180 steps, not {len(norms)}."
    assert max(norms) > 0.5, f"The norms before clipping reach {max(norms):.3f}: none was clipped."
    errors = np.abs(model(Tensor(inputs)).data - targets)
    assert errors.max() < 0.5, f"After 60 epochs it errs by up to {errors.max():.2f} on a plane."
    ### BEGIN HIDDEN TESTS
    x, y = challenge.normal(size=(4, 2)), challenge.normal(size=(4, 1))
    model = Sequential(Linear(2, 1))
    for p in model.parameters():
        p.data[...] = challenge.normal(size=p.shape)
    schedule = CosineSchedule(0.3, 0.1, 5, 2)
    optimizer = SGD(model.parameters(), lr=1.0)
    for epoch in range(7):
        optimizer.lr = schedule.get_lr(epoch)
        for a, b in minibatches(x, y, 4):
            optimizer.zero_grad()
            MSELoss()(model(a), b).backward()
            clip_grad_norm(model.parameters(), 0.3)
            optimizer.step()
    observe("weights", np.append(*[p.data for p in model.parameters()]), 1e-4, 1e-5)
    ### END HIDDEN TESTS


test_loop_module()

# %% [markdown]
# ## Measure it: how large should a batch be?
#
# Twenty thousand points, one epoch, batches of 10 to 2,000. Larger batches use the processor better (fewer Python calls for the same arithmetic), but they make fewer steps of the same size. What does an epoch cost, and what has it learned?

# %%
many, tags = moons(20_000, 0.2, seed=3)
print("batch  steps  seconds  loss after one epoch")
for size in (10, 50, 200, 1000, 2000):
    manual_seed(0)
    model = Sequential(Linear(2, 64), Tensor.tanh, Linear(64, 2))
    optimizer, batches = SGD(model.parameters(), lr=0.3), minibatches(many, tags, size)
    start = time.perf_counter()
    for x, y in batches:
        optimizer.zero_grad()
        loss_fn(model(x), y).backward()
        optimizer.step()
    seconds = time.perf_counter() - start
    loss = loss_fn(model(Tensor(many)), tags).item()
    print(f"{size:5} {len(batches):6} {seconds:8.2f} {loss:10.3f}")

# %% [markdown]
# A batch of 200 costs a small part of what batches of 10 cost: the calls, not the arithmetic, took the time. Beyond that there is little left to save, and with ever fewer steps an epoch teaches less. A larger batch has a less noisy gradient and can bear a larger learning rate; the two are chosen together.
#
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. `CosineSchedule(0.1, 0.0, 100)`: how many of the 100 epochs have a learning rate above 0.05, and what is the mean over all?
# 2. A gradient of norm 40 in 10,000 weights, `max_norm = 1`, SGD with lr 0.1: how far do the weights move in total?
# 3. 1,000 examples in batches of 64: the mean of the batches' losses is not the mean over the examples. How much more does an example of the last batch count?
#
# <details><summary>Answers</summary>
#
# 1. 50 and about 0.05. (Epoch 50 has exactly 0.05, or a last bit more.)
# 2. 0.1: clipped, the step has length lr * max_norm, whatever the number of weights.
# 3. 64 / 40 = 1.6 times as much. The `Trainer` will weigh batches by their size.
#
# </details>

# %%
rates = np.array([CosineSchedule(0.1, 0.0, 100).get_lr(epoch) for epoch in range(100)])
print("1.", (rates > 0.05 + 1e-12).sum(), rates.mean().round(4))
gradient = with_grads(np.full(10_000, 0.4, np.float32))
clip_grad_norm(gradient, 1.0)
print("2.", round(0.1 * np.linalg.norm(gradient[0].grad).item(), 4))
print("3.", 64 / (1000 % 64))

# %% [markdown]
# ## In production
#
# | ours | PyTorch | the difference |
# |---|---|---|
# | `minibatches(X, Y, 32)` | `DataLoader(TensorDataset(X, Y), 32, shuffle=True)` | theirs loads in other processes (module 08) |
# | `CosineSchedule(...)` | `lr_scheduler.CosineAnnealingLR` | theirs counts its own `step()` calls |
# | `clip_grad_norm(params, 1.0)` | `nn.utils.clip_grad_norm_(params, 1.0)` | theirs lets nan through unless asked |
#
# ## Recap
#
# 1. Batches: every example once, with its own target, in an order drawn anew.
# 2. A learning rate begins gently, travels, and settles.
# 3. Clip the length of the whole gradient: the direction stays.
# 4. Batch and learning rate are chosen together.
# 5. Everything random comes from one generator, so a seed repeats a training.
#
# ## Further reading
#
# - I. Loshchilov, F. Hutter, "SGDR: stochastic gradient descent with warm restarts", ICLR 2017: the cosine.
# - R. Pascanu, T. Mikolov, Y. Bengio, "On the difficulty of training recurrent neural networks", ICML 2013: the cliff, and the clip.
# - P. Goyal and others, "Accurate, large minibatch SGD: training ImageNet in 1 hour" (2017): warm-up, and how batch and learning rate go together.
#
# **Next:** the state of a training in a file that is never half (`saving`), then the loop as a class (`training`).
