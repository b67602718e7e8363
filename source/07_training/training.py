# %% [markdown]
# # Training
#
# > The loop becomes a class that trains, measures without changing anything, keeps the record and resumes.
#
# **The question of this notebook:** the loss on the training data falls and falls. How do we know whether the network is learning what we want, and when to stop?
#
# Difficulty 3 of 5 · about 2 hours · 2 exercises with four tests and a test over the notebook, 100 points · prerequisites: the notebooks `loop` and `saving`.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | batches, schedule, clipping, checkpoints | `evaluating`, and `Trainer`: train, evaluate, fit, save and resume | data sets on disk and augmentation (08) |
#
# The notebook ends up in `tinytorch/core/training.py`. Run the cells in order. Under each blank stand its tests: they are locked, and they say what they expected.

# %%
#| default_exp core.training

# %% nbgrader={"grade_id": "setup", "locked": true}
import io
import tempfile
from contextlib import redirect_stderr

import matplotlib.pyplot as plt
import numpy as np

from tinytorch.core.activations import ReLU
from tinytorch.core.layers import Dropout, Linear, Sequential, manual_seed
from tinytorch.core.losses import CrossEntropyLoss, MSELoss
from tinytorch.core.optimizers import SGD, Adam

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own
folder = tempfile.TemporaryDirectory()  # goes away with the notebook


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


def weights(model):
    """All parameters as one array, a copy."""
    return np.concatenate([p.data.ravel() for p in model.parameters()])


def quietly(call, *args):
    """call(*args) without its progress bar."""
    with redirect_stderr(io.StringIO()):
        return call(*args)


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tqdm import tqdm

from tinytorch.core.layers import Layer
from tinytorch.core.loop import CosineSchedule, clip_grad_norm, minibatches
from tinytorch.core.optimizers import Optimizer
from tinytorch.core.saving import load_checkpoint, save_checkpoint
from tinytorch.core.tensor import Tensor, no_grad

Batches = Iterable[tuple[Tensor, Tensor]]


def mean_of(total: float, count: int) -> float:
    """total / count; a ValueError when there was nothing to take a mean of."""
    if not count:
        raise ValueError("No batches, no mean: use a source that can be passed over again.")
    return total / count


# %% [markdown]
# ## Exercise 1: measure without changing anything
# *Difficulty 3 of 5 · 20 points · 25 minutes*
#
# The loss that a step goes by belongs to one batch, and to weights that the step changes. We want to measure on data that took no part, in the middle of training, and then go on **as if nothing had happened**. Three things would happen:
#
# | what | if forgotten |
# |---|---|
# | `model.eval()`, so that dropout is off | the measurement is noisy and too bad, and it uses up random numbers |
# | `no_grad()`, so that no graph is built | memory holds every activation of the data set |
# | afterwards each layer's `training` as it **was** | training goes on without dropout, and nobody notices |
#
# The last line says *as it was*, not `train()`: somebody may have put one layer into eval mode on purpose, a part of the model that is frozen. And it holds when the measurement ends in an error: on a shared machine people catch errors and go on.
#
# Python's form for "before, and afterwards in any case" is a context manager. With `@contextmanager` it is a function with one `yield`: what stands before runs at the start of the `with` block, and a `finally` after it runs at the end, error or not.
#
# **Predict first:** without `no_grad`, the graph of a batch disappears as soon as its loss does. Who keeps it alive in `losses.append(loss)`?
#
# <details><summary>Hints</summary>
#
# `model.walk()` gives `(name, object)` of each Tensor and Layer inside, but not the model itself. Note each layer with its `training` before you call `model.eval()`. `with no_grad():` can stand around the `yield`.
#
# </details>


# %% nbgrader={"grade_id": "evaluating", "solution": true}
#| export
@contextmanager
def evaluating(model: Layer) -> Iterator[None]:
    """`with evaluating(model):` no graph, every layer in eval mode; each as it was afterwards."""
    ### BEGIN SOLUTION
    layers = [model, *(member for _, member in model.walk() if isinstance(member, Layer))]
    before = [layer.training for layer in layers]
    model.eval()
    try:
        with no_grad():
            yield
    finally:
        for layer, mode in zip(layers, before, strict=True):
            layer.training = mode
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-evaluating", "grade": true, "points": 20}
def test_evaluating():
    """Eval mode at all depths, no graph, everything restored, after an error too."""
    frozen = Dropout(0.5).eval()
    model = Sequential(Linear(3, 3), Sequential(Dropout(0.5), frozen))
    layers = [model, *(x for _, x in model.walk() if isinstance(x, Layer))]
    x, modes = Tensor(np.ones((4, 3))), [layer.training for layer in layers]
    plain = x @ model.layers[0].weight.data
    with evaluating(model):
        inside, out = [layer.training for layer in layers], model(x)
        again = model(x)
    assert not any(inside), f"Inside, every layer is in eval mode; `training` was {inside}."
    assert close(out, plain), "Inside, dropout changes nothing: call model.eval()."
    assert close(out, again), "Two evaluations of one batch differ."
    assert out._grad_fn is None, "A graph was built inside: use `with no_grad():` as well."
    after = [layer.training for layer in layers]
    assert after[0], "Afterwards the model is still in eval mode: restore `training`."
    restored = after == modes
    assert restored, f"Each layer gets its own mode back, {modes}, not {after}: note them first."
    assert model(x)._grad_fn is not None, "Afterwards graphs are built again."

    def fails():
        with evaluating(model):
            raise KeyError("in the middle")

    said = str(attempt(fails))
    assert "KeyError" in said, f"An error inside must come through; got: {said}"
    after = [layer.training for layer in layers]
    assert after == modes, f"After an error the modes are {after}, not {modes}: use try/finally."
    assert model(x)._grad_fn is not None, "After an error, graphs must be built again."
    model.eval()
    with evaluating(model):
        pass
    assert not model.training, "A model that was in eval mode before stays in it."
    with evaluating(model), evaluating(model):
        pass
    assert not layers[-1].training, "Used twice, one in the other, it restores the outer modes."
    ### BEGIN HIDDEN TESTS
    model = Sequential(*[Dropout(0.5) for _ in range(6)], Linear(2, 2))
    for layer in model.layers:
        layer.train(bool(challenge.integers(0, 2)))
    with evaluating(model):
        observe("inside", np.array([layer.training for layer in model.layers]))
        out = model(Tensor(np.ones((1, 2))))
        observe("graph", out._grad_fn is not None)
    observe("after", np.array([layer.training for layer in model.layers]))
    ### END HIDDEN TESTS


test_evaluating()

# %%
manual_seed(1)
model, x = Sequential(Linear(2, 64), Dropout(0.5), Linear(64, 2)), Tensor(np.ones((1, 2)))
print("with dropout on:", [round(model(x).data[0, 0].item(), 3) for _ in range(5)])
with evaluating(model):
    print("evaluating     :", [round(model(x).data[0, 0].item(), 3) for _ in range(5)])
print("afterwards in train mode:", model.training)

# %% [markdown]
# ## Exercise 2: the Trainer
# *Difficulty 3 of 5 · three tests, 26 + 18 + 18 points · 50 minutes*
#
# Fill one blank after the other; each has its own test below.
#
# **`train_epoch`** is the loop of the notebook `loop`. At the beginning of an epoch: train mode, and the epoch's learning rate into `optimizer.lr`; *before* the steps, or each epoch runs with its predecessor's. Then for each batch:
#
# `zero_grad` → forward → loss → **is it a number?** → backward → clip, if asked → step
#
# `check_loss`, given, stops at a loss of nan or inf *before* the step; after it the weights would be nan as well, and the night lost. The result is the mean loss over all **examples**. By hand: a batch of 4 examples with loss 1 and a last batch of 1 example with loss 6. The mean of the two losses is 3.5, but five examples have (4 * 1 + 1 * 6) / 5 = 2. At the end, `self.epoch` is one more.
#
# **`evaluate`** is the same mean without learning: everything inside `with evaluating(self.model)`. (Give it batches with `shuffle=False`: a new order would draw random numbers that training was to have.)
#
# **`fit`** runs `epochs` more epochs and writes down, in `self.history`, each epoch's mean under `"train_loss"`, its learning rate under `"lr"` and, if there is validation data, `evaluate(validation)` after it under `"val_loss"`. `tqdm(range(epochs))` is a `range` that draws a progress bar on stderr, and its `set_postfix(loss=...)` writes a number beside it.
#
# **Predict first:** with dropout, which is larger in the first epochs, the training loss or the validation loss?
#
# <details><summary>Hints</summary>
#
# 1. `enumerate(batches)` numbers the batches for `check_loss`. `len(x)` is the number of examples, `loss.item()` a float. Keep a total and a count, and give them to `mean_of`.
# 2. Do not keep `loss` itself in a list: each would hold its whole graph.
# 3. `self.history.setdefault("lr", []).append(...)` begins a list when there is none.
#
# </details>


# %% nbgrader={"grade_id": "trainer", "solution": true}
#| export
class Trainer:
    """Trains a model, keeps the record, saves and resumes.

    scheduler: an object with `get_lr(epoch)`; grad_clip_norm: see clip_grad_norm. Batches are
    (x, y) pairs from a source that can be passed over again, such as `minibatches`. Attributes:
    `epoch`, how many are done; `history`, a list per name with a number for each epoch of `fit`.
    """

    def __init__(
        self,
        model: Layer,
        optimizer: Optimizer,
        loss_fn: Callable[[Tensor, Tensor], Tensor],
        scheduler: CosineSchedule | None = None,
        grad_clip_norm: float | None = None,
    ):
        if grad_clip_norm is not None and not grad_clip_norm > 0:
            raise ValueError(f"grad_clip_norm must be above 0, or None, not {grad_clip_norm}.")
        self.model, self.optimizer, self.loss_fn = model, optimizer, loss_fn
        self.scheduler, self.grad_clip_norm = scheduler, grad_clip_norm
        self.epoch, self.history = 0, {}

    def check_loss(self, loss: Tensor, batch: int) -> None:
        """Raise a ValueError, which says where, when the loss is nan or infinite."""
        if not math.isfinite(loss.item()):
            raise ValueError(
                f"The loss is {loss.item()} at batch {batch} of epoch {self.epoch} (from 0), no "
                f"step was taken. Look for nan in that batch; else lower lr "
                f"({self.optimizer.lr:.3g}) or set grad_clip_norm ({self.grad_clip_norm})."
            )

    def train_epoch(self, batches: Batches) -> float:
        """One step for each batch; the mean loss over all examples, each as it was met."""
        ### BEGIN SOLUTION
        self.model.train()
        if self.scheduler is not None:
            self.optimizer.lr = self.scheduler.get_lr(self.epoch)
        total, count = 0.0, 0
        for number, (x, y) in enumerate(batches):
            self.optimizer.zero_grad()
            loss = self.loss_fn(self.model(x), y)
            self.check_loss(loss, number)
            loss.backward()
            if self.grad_clip_norm is not None:
                clip_grad_norm(self.model.parameters(), self.grad_clip_norm)
            self.optimizer.step()
            total, count = total + loss.item() * len(x), count + len(x)
        mean = mean_of(total, count)
        self.epoch += 1
        return mean
        ### END SOLUTION

    def evaluate(self, batches: Batches) -> float:
        """The mean loss over all examples: eval mode, no graph, nothing changed."""
        ### BEGIN SOLUTION
        total, count = 0.0, 0
        with evaluating(self.model):
            for x, y in batches:
                total += self.loss_fn(self.model(x), y).item() * len(x)
                count += len(x)
        return mean_of(total, count)
        ### END SOLUTION

    def fit(
        self, batches: Batches, epochs: int, validation: Batches | None = None
    ) -> dict[str, list[float]]:
        """Train for `epochs` more epochs, with a progress bar; return the history."""
        ### BEGIN SOLUTION
        bar = tqdm(range(epochs), desc="epochs")
        for _ in bar:
            record = {"train_loss": self.train_epoch(batches), "lr": self.optimizer.lr}
            if validation is not None:
                record["val_loss"] = self.evaluate(validation)
            for name, value in record.items():
                self.history.setdefault(name, []).append(value)
            bar.set_postfix(loss=f"{record['train_loss']:.4f}")
        return self.history
        ### END SOLUTION

    def save_checkpoint(self, path: str | Path) -> None:
        """Write the state into one file, whole or not at all. Call it between epochs."""
        save_checkpoint(self, path)

    def load_checkpoint(self, path: str | Path) -> None:
        """Go on from a file: a ValueError that names it, and nothing changed, if it does not fit."""
        load_checkpoint(self, path)


# %% nbgrader={"grade_id": "test-train-epoch", "grade": true, "points": 26}
class Recorder:
    """One weight w, loss = w * mean(y); notes each call, so that the order can be read."""

    class Model(Linear):
        def forward(self, x):
            Recorder.seen.append("train" if self.training else "eval")
            return super().forward(x)

    class Optimizer(SGD):
        def step(self):
            Recorder.seen.append(f"step {self.lr:.2f}")
            super().step()

    def __init__(self, lr=0.5, **options):
        Recorder.seen, self.model = [], self.Model(1, 1, bias=False)
        self.model.weight.data[...] = 1
        optimizer = self.Optimizer(self.model.parameters(), lr=lr)
        self.trainer = Trainer(self.model, optimizer, lambda p, y: (p * y).mean(), **options)


def batch(*targets):
    """A batch of inputs 1 with these targets."""
    return Tensor(np.ones((len(targets), 1))), Tensor(np.float32(targets)[:, None])


def test_train_epoch():
    """Steps by hand, their order, the weighted mean, schedule, clipping, a loss of nan."""
    made = Recorder(lr=0.5)
    made.model.eval()
    mean, w = made.trainer.train_epoch([batch(1, 1, 1, 1), batch(6)]), made.model.weight
    seen = Recorder.seen
    assert seen[0] == "train", "Put the model into train mode at the start: it may be in eval."
    assert seen == ["train", "step 0.50"] * 2, f"Each batch: forward, then one step; saw {seen}."
    assert close(w.data, [[-2.5]]), (
        f"Gradients 1 and 6, lr 0.5: w = 1 - 0.5 - 3 = -2.5, not {w.data}: "
        "-3 means that gradients added up; zero_grad() before each backward()."
    )
    assert close(mean, (4 * 1 + 1 * 3) / 5), (
        f"Losses 1 (4 examples) and 3 (1 example) have the mean 7 / 5, not {mean}."
    )
    assert type(mean) is float, f"Return a float, not {type(mean).__name__}."
    assert made.trainer.epoch == 1, f"After one epoch, trainer.epoch is {made.trainer.epoch}."
    made = Recorder(scheduler=CosineSchedule(0.4, 0.0, 2))
    for _ in range(3):
        made.trainer.train_epoch(iter([batch(0)]))
    steps = Recorder.seen[1::2]
    want = ["step 0.40", "step 0.20", "step 0.00"]
    assert steps == want, f"Set the lr before the epoch: {want}, not {steps}."
    made = Recorder(lr=1.0, grad_clip_norm=0.25)
    made.trainer.train_epoch([batch(8), batch(-0.125)])
    w = made.model.weight.data
    assert close(w, [[0.875]]), f"Gradients 8 and -1/8 clipped to 1/4: w = 0.875, not {w}."
    made = Recorder(lr=1.0)
    said = str(attempt(made.trainer.train_epoch, [batch(1), batch(np.nan), batch(1)]))
    assert "ValueError" in said, f"A loss of nan must stop the epoch. Got: {said}"
    assert "batch 1 of epoch 0" in said, f"The message must say which batch: {said}"
    w = made.model.weight
    assert close(w.data, [[0.0]]), f"w = 0 after the good batch, not {w.data}: check before step."
    assert made.trainer.epoch == 0, "An epoch that was not finished does not count."
    said = str(attempt(made.trainer.train_epoch, []))
    assert "No batches" in said, f"No batches, no mean: use mean_of. Got: {said}"
    ### BEGIN HIDDEN TESTS
    sizes = challenge.integers(1, 6, size=4)
    made = Recorder(0.1, scheduler=CosineSchedule(0.3, 0.1, 3, 1), grad_clip_norm=0.8)
    batches = [batch(*challenge.normal(scale=3, size=n)) for n in sizes]
    observe("means", np.array([made.trainer.train_epoch(batches) for _ in range(4)]))
    observe("weight", made.model.weight.data, 1e-4)
    observe("seen", " ".join(Recorder.seen))
    ### END HIDDEN TESTS


test_train_epoch()


# %% nbgrader={"grade_id": "test-evaluate", "grade": true, "points": 18}
def test_evaluate():
    """The weighted mean, without dropout, graph, step or any other trace."""
    made = Recorder()
    got = made.trainer.evaluate([batch(1, 1, 1, 1), batch(6)])
    assert close(got, 2), f"Losses 1 (4 examples) and 6 (1 example): the mean is 2, not {got}."
    assert Recorder.seen == ["eval", "eval"], f"Only forwards, in eval mode; saw {Recorder.seen}."
    assert made.model.training, "Afterwards the model is in train mode, as it was."
    assert close(made.model.weight.data, [[1]]), "evaluate must not change the weights."
    assert made.model.weight.grad is None, "evaluate must leave no gradients."
    assert made.trainer.epoch == 0, "evaluate is no epoch of training."
    graphs, made.trainer.loss_fn = [], lambda p, y: graphs.append(p._grad_fn) or (p * y).mean()
    made.trainer.evaluate([batch(1)])
    assert graphs == [None], "evaluate built a graph: use `with evaluating(self.model)`."
    frozen = Dropout(0.5).eval()
    model = Sequential(Dropout(0.5), frozen, Linear(1, 1))
    trainer = Trainer(model, SGD(model.parameters(), lr=0.1), MSELoss())
    trainer.evaluate([batch(1)])
    modes = [x.training for x in (model, *model.layers)]
    assert modes == [True, True, False, True], f"Restore each layer's own mode, not {modes}."
    said = str(attempt(trainer.evaluate, []))
    assert "No batches" in said, f"No batches, no mean: use mean_of. Got: {said}"
    assert model.training, "After an error the model must be in train mode again."
    model.eval()
    trainer.evaluate([batch(1)])
    assert not model.training, "A model that was in eval mode stays in it."
    ### BEGIN HIDDEN TESTS
    made = Recorder()
    batches = [batch(*challenge.normal(size=n)) for n in challenge.integers(1, 9, size=5)]
    observe("mean", made.trainer.evaluate(batches))
    observe("seen", " ".join(Recorder.seen))
    ### END HIDDEN TESTS


test_evaluate()


# %% nbgrader={"grade_id": "test-fit", "grade": true, "points": 18}
def test_fit():
    """More epochs at each call, one entry each in the history, a bar on stderr."""
    made = Recorder(scheduler=CosineSchedule(0.4, 0.0, 4))
    screen, data = io.StringIO(), [batch(1, 1), batch(0)]
    with redirect_stderr(screen):
        history = made.trainer.fit(data, 2, validation=[batch(5)])
    assert made.trainer.epoch == 2, f"fit(..., 2) is two epochs, not {made.trainer.epoch}."
    assert history is made.trainer.history, "fit returns the trainer's history."
    assert set(history) == {"train_loss", "lr", "val_loss"}, f"The history has {set(history)}."
    for name, want in [("train_loss", [2 / 3, 0.4]), ("lr", [0.4, 0.341421])]:
        assert close(history[name], want, 1e-4), f"{name}: {history[name]}, not {want}."
    want = [3.0, 5 * (0.6 - 0.341421)]
    assert close(history["val_loss"], want, 1e-4), (
        f"val_loss: {history['val_loss']}, not {want}: evaluate after each epoch."
    )
    bar = screen.getvalue()
    assert "2/2" in bar, f"A bar over the epochs (tqdm) ends at 2/2 on stderr; there was: {bar!r}"
    assert "loss=" in bar, "Show the loss beside the bar: bar.set_postfix(loss=...)."
    quietly(made.trainer.fit, data, 1, [batch(5)])
    lengths = {name: len(values) for name, values in history.items()}
    assert set(lengths.values()) == {3}, f"A second fit goes on in the same lists; {lengths}."
    assert made.trainer.epoch == 3, "A second fit goes on counting."
    history = quietly(Recorder().trainer.fit, data, 1)
    assert len(history["train_loss"]) == 1, "fit works without validation, too."
    assert "val_loss" not in history, "Without validation there is no val_loss."
    ### BEGIN HIDDEN TESTS
    made = Recorder(scheduler=CosineSchedule(0.3, 0.0, 5, 1))
    data = [batch(*challenge.normal(size=3)), batch(*challenge.normal(size=2))]
    history = quietly(made.trainer.fit, data, 4, data[:1])
    for name in ("train_loss", "lr", "val_loss"):
        observe(name, np.array(history[name]), 1e-4)
    ### END HIDDEN TESTS


test_fit()

# %% [markdown]
# ## What the curves tell
#
# Eighty points to learn from, five hundred to measure on, and a network that is far too large. Once with right labels and once with half of them drawn by lot, as if the people who labelled had been tired: these nobody can learn, only learn by heart.


# %%
def noisy_circle(count, seed, share_by_lot=0.0):
    """Points (count, 2), and whether they lie in a circle; for some a label drawn by lot."""
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1, 1, (count, 2)).astype(np.float32)
    labels = (np.hypot(*points.T) < 0.75).astype(int)
    by_lot = rng.random(count) < share_by_lot
    return points, np.where(by_lot, rng.integers(0, 2, count), labels)


def large_network():
    """A Trainer around 4,482 weights, for 80 points."""
    model = Sequential(Linear(2, 64), ReLU(), Linear(64, 64), ReLU(), Linear(64, 2))
    return Trainer(model, Adam(model.parameters(), lr=0.02), CrossEntropyLoss())


held_out = minibatches(*noisy_circle(500, 2), 500, shuffle=False)
fig, axes = plt.subplots(1, 2, sharey=True)
for ax, share, title in zip(axes, (0.0, 0.5), ("labels right", "half of them by lot"), strict=True):
    manual_seed(0)
    batches = minibatches(*noisy_circle(80, 1, share), 20)
    history = quietly(large_network().fit, batches, 100, held_out)
    best = int(np.argmin(history["val_loss"]))
    ax.plot(history["train_loss"], label="training")
    ax.plot(history["val_loss"], label=f"held out: ends at {history['val_loss'][-1]:.2f}")
    label = f"best: epoch {best}, {history['val_loss'][best]:.2f}"
    ax.plot(best, history["val_loss"][best], "ko", label=label)
    ax.set(xlabel="epoch", ylabel="mean loss", title=title)
    ax.legend(fontsize=8)
fig.suptitle("Training loss falls to the end; with labels by lot it rises again on new points")
plt.show()

# %% [markdown]
# The gap is **overfitting**: the network learns single points by heart, wrong labels too, at the cost of the points around them. Whoever looks at the training curve alone sees nothing at all. The remedies: more data, a smaller network, weight decay, dropout; or stop at the best epoch, which is called **early stopping**, and takes a checkpoint.
#
# ## All together
# *18 points.* A night of training in two halves, with everything: dropout, schedule, clipping, validation, a file.


# %% nbgrader={"grade_id": "test-training-module", "grade": true, "points": 18}
def new_trainer(optimizer=Adam, seed=0, epochs=6, sizes=(2, 6, 1)):
    """A model with dropout, a schedule and clipping; equal arguments give equal trainers."""
    manual_seed(seed)
    model = Sequential(Linear(*sizes[:2]), Tensor.tanh, Dropout(0.4), Linear(*sizes[1:]))
    made = optimizer(model.parameters(), lr=0.05)
    return Trainer(model, made, MSELoss(), CosineSchedule(0.05, 0.0, epochs, 2), 0.5)


def test_training_module():
    """4 + 2 epochs are 6, bit by bit; measuring changes nothing; files that do not fit."""
    x = np.linspace(-1, 1, 24).reshape(12, 2)
    batches, path = minibatches(x, x @ [[1.0], [-2.0]], 5), Path(folder.name, "night")
    whole, unseen = new_trainer(), new_trainer()
    manual_seed(1)
    quietly(whole.fit, batches, 6, minibatches(x, x[:, :1], 5, shuffle=False))
    manual_seed(1)
    quietly(unseen.fit, batches, 6)
    same = np.array_equal(weights(unseen.model), weights(whole.model))
    assert same, "With and without validation the weights differ: evaluate must change nothing."
    half, later = new_trainer(), new_trainer(seed=7)
    manual_seed(1)
    quietly(half.fit, batches, 4)
    half.save_checkpoint(path)
    quietly(half.fit, batches, 1)
    later.load_checkpoint(str(path))
    assert later.epoch == 4, f"Loaded after 4 epochs, the trainer says {later.epoch}."
    quietly(later.fit, batches, 2)
    same = np.array_equal(weights(later.model), weights(whole.model))
    assert same, "4 + 2 epochs through a file must give the same bits as 6 epochs."
    want, got = whole.history["train_loss"], later.history["train_loss"]
    assert got == want, f"The history goes on: {got}, without a break {want}."
    for other, part in ((new_trainer(SGD), "Adam"), (new_trainer(sizes=(2, 9, 1)), "0.weight")):
        before = weights(other.model)
        said = str(attempt(other.load_checkpoint, path))
        named = said.startswith("ValueError") and part in said
        assert named, f"{part} does not fit: say so. Got: {said}"
        assert close(weights(other.model), before), f"{part} did not fit, and weights were changed."
    labels = np.zeros(12, int)
    trainer = Trainer(Linear(2, 3), SGD([Tensor([1.0], True)], lr=0.1), CrossEntropyLoss())
    for wrong, part in ((labels + 3, "Label 3"), (labels[:, None], "(12, 1)")):
        said = str(attempt(trainer.train_epoch, minibatches(x, wrong, 12)))
        assert part in said, f"What a loss refuses goes through unchanged: {part} is not in: {said}"
    ### BEGIN HIDDEN TESTS
    x = challenge.normal(size=(30, 2))
    batches, trainer = minibatches(x, x @ [[0.5], [0.25]], 8), new_trainer(seed=3)
    quietly(trainer.fit, batches, 3, batches)
    trainer.save_checkpoint(Path(folder.name, "hidden"))
    later = new_trainer(seed=4)
    later.load_checkpoint(Path(folder.name, "hidden"))
    observe("train", np.array(quietly(later.fit, batches, 3, batches)["train_loss"]), 1e-4)
    observe("validation", np.array(later.history["val_loss"]), 1e-4)
    observe("evaluate", later.evaluate(batches), 1e-4)
    ### END HIDDEN TESTS


test_training_module()

# %% [markdown]
# ## Measure it: stop early, on real checkpoints
#
# The large network from above, two seeds, half of the labels by lot. After each epoch that was the best so far, a checkpoint; at the end, back to it. A third set of points, which chose nothing, judges.

# %%
judges = minibatches(*noisy_circle(2000, 3), 2000, shuffle=False)
path = Path(folder.name, "best")
print("seed  best epoch  held out: best, last    third set: best, last")
for seed in range(2):
    manual_seed(seed)
    trainer, best = large_network(), math.inf
    for _ in range(80):
        trainer.train_epoch(batches)
        loss = trainer.evaluate(held_out)
        if loss < best:
            best = loss
            trainer.save_checkpoint(path)
    last = trainer.evaluate(judges)
    trainer.load_checkpoint(path)
    print(
        f"{seed:4} {trainer.epoch:11} {best:15.3f} {loss:6.3f} "
        f"{trainer.evaluate(judges):19.3f} {last:6.3f}"
    )

# %% [markdown]
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. The held-out data chose the best of 80 epochs. Why is the loss there a little too good an estimate for new data, and which column above is honest?
# 2. Batches of 4 examples with loss 1 and of 1 example with loss 6: which learning signal does the small batch send, compared with its share of the examples?
# 3. `trainer.fit(batches, 10)`, then `trainer.fit(batches, 10)`, with `CosineSchedule(0.1, 0.0, 10)`. What does the second call learn?
#
# <details><summary>Answers</summary>
#
# 1. The epoch was chosen *because* the loss happened to be low there. The third set chose nothing.
# 2. One step like any other, for a fifth of the examples: a step does not know how many examples stand behind it. Only the report is weighed.
# 3. Nothing: from epoch 10 on the learning rate is `min_lr`, here 0.
#
# </details>

# %%
print("2.", (4 * 1 + 1 * 6) / 5, "against", (1 + 6) / 2)
print("3.", [CosineSchedule(0.1, 0.0, 10).get_lr(epoch) for epoch in (10, 15, 19)])

# %% [markdown]
# ## In production
#
# | ours | elsewhere | the difference |
# |---|---|---|
# | `Trainer(...).fit(batches, 10)` | `lightning.Trainer(max_epochs=10).fit(model, loader)` | theirs counts all epochs, ours those to come; theirs spreads over machines |
# | `with evaluating(model):` | `model.eval()`, `torch.no_grad()`, `model.train()` | three lines to forget, and `train()` thaws all layers |
# | `trainer.history` | TensorBoard, Weights & Biases | theirs draw while you sleep |
#
# ## Recap
#
# 1. An epoch: learning rate, train mode, and for each batch zero, forward, loss, check, backward, clip, step.
# 2. Measure in eval mode and without graph, and leave every layer as it was, after an error too.
# 3. Means are weighed by examples.
# 4. Watch the held-out loss: the training loss alone never warns.
# 5. Keep the best epoch's checkpoint, and judge on data that chose nothing.
#
# ## Further reading
#
# - L. Prechelt, "Early stopping - but when?", in *Neural Networks: Tricks of the Trade* (1998): what to read off the curves.
# - C. Zhang and others, "Understanding deep learning requires rethinking generalization", ICLR 2017: networks learn labels drawn by lot.
# - A. Karpathy, "A recipe for training neural networks" (2019): <https://karpathy.github.io/2019/04/25/recipe/>
#
# **Next:** 08 dataloader: data that does not fit into memory, and more of it out of the same. Before that, `tito milestone list`: your package can now do what made history in 1958 and 1986.
