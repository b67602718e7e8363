# %% [markdown]
# # Descent
#
# > Gradient descent as an object: it walks the parameters of a model downhill, with momentum where that helps.
#
# **The question of this notebook:** the gradient says which way is downhill. How far should one go, and what should one remember of the way?
#
# Difficulty 3 of 5 · about 1 hour 15 minutes · 2 exercises and a test over the notebook, 80 points · prerequisites: modules 01 to 05, the notebook Changes.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | a gradient for every parameter, two roads by which a formula reaches it | `Optimizer`, `SGD` with momentum and weight decay | `Adam`, `AdamW` (next notebook), schedules (module 07) |
#
# This is the second of three notebooks of module 06, and it ends up in `tinytorch/core/descent.py`. It imports the two roads from your package: `tito module complete 06`, in a terminal, puts the notebook Changes there. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.descent

# %% nbgrader={"grade_id": "setup", "locked": true}
import json

import matplotlib.pyplot as plt
import numpy as np

from tinytorch.core.activations import Tanh
from tinytorch.core.layers import Linear, Sequential, manual_seed
from tinytorch.core.losses import MSELoss

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


def close(got, want):
    """True when both have the same shape and, to float32 precision, the same values."""
    same = not isinstance(got, str) and np.shape(got) == np.shape(want)
    return same and np.allclose(got, want, rtol=1e-5, atol=1e-6)


def attempt(call, *args):
    """What call(*args) returns or, as text, the error it ends in: "ValueError: ..."."""
    try:
        return call(*args)
    except NotImplementedError:
        raise  # a blank that is still to be filled
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def parameter(numbers, grad=None):
    """A Tensor that wants a gradient and, where one is given, already has it."""
    tensor = Tensor(np.array(numbers, np.float32), requires_grad=True)
    tensor.grad = None if grad is None else np.array(grad, np.float32)
    return tensor


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import math
from collections.abc import Iterable, Mapping

import numpy as np

from tinytorch.core.autograd import RowSparseGrad
from tinytorch.core.changes import update_blocks, update_rows
from tinytorch.core.tensor import Tensor

# %% [markdown]
# ## Downhill by hand
#
# A gradient points uphill, steepest. So step against it (Cauchy, 1847): `p = p - lr * gradient`, where `lr`, the **learning rate**, says how far. On a bowl twenty-five times as steep one way as the other, `f(x, y) = (x**2 + 25 * y**2) / 2`, the gradient is `(x, 25 * y)`. From (10, 1) with lr = 0.07:
#
# ```
#  gradient (10, 25)         step to (10 - 0.07 * 10, 1 - 0.07 * 25)        = (9.3,   -0.75)
#  gradient (9.3, -18.75)    step to (9.3 - 0.07 * 9.3, -0.75 + 0.07 * 18.75) = (8.649, 0.5625)
# ```
#
# Each step multiplies x by 1 - 0.07 = 0.93 and y by 1 - 0.07 * 25 = -0.75. The steep direction is overshot each time and the flat one hardly moves.
#
# **Predict first:** from which lr on does y grow instead of shrink? How many steps does x then need, at best, to become a hundred times smaller?


# %%
def bowl(x, y):
    return (x**2 + 25 * y**2) / 2


def draw_path(ax, points, label):
    """The points (steps, 2) over the height lines of the bowl."""
    x, y = np.meshgrid(np.linspace(-4, 11, 80), np.linspace(-1.3, 1.3, 60))
    ax.contour(x, y, bowl(x, y), levels=[1, 4, 10, 20, 35, 55], colors="lightgray")
    ax.plot(*np.transpose(points), ".-", label=label)
    ax.set(xlabel="x", ylabel="y")
    ax.legend(loc="lower left")


fig, axes = plt.subplots(1, 2)
for ax, lr in zip(axes, (0.07, 0.0805), strict=True):
    points = [np.array([10.0, 1.0])]
    for _ in range(20):
        points.append(points[-1] - lr * points[-1] * [1, 25])
    draw_path(ax, points, f"lr = {lr}: ends at {bowl(*points[-1]):.1f}")
fig.suptitle(f"The steep side zigzags, and above lr = 2 / 25 = {2 / 25} it climbs out")
plt.show()

# %% [markdown]
# ## What is given: refusals
#
# An optimizer is made once and runs a million times, so mistakes should be found when it is made. What gets written late at night is `SGD(model, ...)`, `SGD(weight, ...)`, a list with one parameter twice: `check_params` refuses each in words. `check_gradient` finds `nan` and `inf` in two fast passes.


# %% nbgrader={"grade_id": "given", "locked": true}
#| export
def in_range(name: str, value: float, low: float, high: float, above: bool = False) -> float:
    """`value` as a Python float if low <= value < high (above: low < value), else a ValueError.

    A NumPy float64 would turn float32 arrays into float64; a Python float does not.
    """
    is_number = isinstance(value, int | float | np.number)
    if not is_number or not low <= value < high or (above and value == low):
        start = f"above {low}" if above else f"at least {low}"
        raise ValueError(f"{name} must be {start} and below {high}, not {value!r}.")
    return float(value)


def check_params(params: Iterable[Tensor]) -> list[Tensor]:
    """The parameters as a list, or a ValueError that says which one cannot be trained."""
    if isinstance(params, Tensor) or not isinstance(params, Iterable):
        what = type(params).__name__
        raise ValueError(f"params must be model.parameters() or a list of Tensors, not a {what}.")
    params, first = list(params), {}
    if not params:
        raise ValueError("No parameters to train: params is empty (a generator, used up before?).")
    for i, p in enumerate(params):
        if not isinstance(p, Tensor):
            raise ValueError(f"Parameter {i} is a {type(p).__name__}: pass model.parameters().")
        if not p.requires_grad:
            raise ValueError(f"Parameter {i}, {p.shape}: set requires_grad=True or leave it out.")
        if p._grad_fn is not None:
            raise ValueError(f"Parameter {i}, shape {p.shape}, is a result and keeps no gradient.")
        if id(p) in first:
            raise ValueError(f"Parameters {first[id(p)]} and {i} are one Tensor: list it once.")
        first[id(p)] = i
    return params


def check_gradient(number: int, param: Tensor) -> None:
    """Raise a ValueError for a gradient of another shape, or with nan or inf in it."""
    grad, name = param.grad, f"The gradient of parameter {number}, shape {param.shape},"
    if np.shape(grad) != param.shape:
        raise ValueError(f"{name} has shape {np.shape(grad)}: they must be equal.")
    values = grad.values if isinstance(grad, RowSparseGrad) else np.asarray(grad)
    ends = values.min(initial=0), values.max(initial=0)  # nan if one is; no temporaries
    if not all(map(math.isfinite, ends)):
        raise ValueError(
            f"{name} holds {values[~np.isfinite(values)][0]}; nothing was changed. "
            "Try a smaller lr, or look for log(0) and 0 / 0 in the loss."
        )


# %% [markdown]
# ## Exercise 1: the loop around every optimizer
# *Difficulty 3 of 5 · 30 points · 25 minutes*
#
# A training step is three lines: `optimizer.zero_grad()`, `loss.backward()`, `optimizer.step()`. What differs between optimizers is one formula on arrays, `update`; everything around it is written once, by you:
#
# - `zero_grad`: gradients add up over calls of `backward`, so the old ones must go. Set `.grad` to `None`: an array of zeros would cost memory and, worse, look like a gradient, with which momentum and decay move a parameter that took no part in the loss.
# - `step`: for each parameter number `i` that has a gradient, count `self.steps[i]` up, then call `self.change(i)`, which calls `update` by the right road. **A parameter without a gradient is left alone**: its count, its buffers, its numbers. And `check_gradient(i, p)` comes for **all** gradients before **any** parameter is changed, so that after an error the model is what it was, and can be saved.
#
# The buffers (a momentum, an average) belong to the parameter's number in `self.params`. And everything happens **in place**: the layer, the optimizer and a tied weight look at one array.
#
# **Predict first:** parameter 1 of three gets no gradient in this step. You write `for i, p in enumerate(p for p in self.params if p.grad is not None)`. Whose momentum does parameter 2 use?


# %% nbgrader={"grade_id": "optimizer", "solution": true}
#| export
class Optimizer:
    """Changes parameters in place by their gradients; subclasses write the formula, `update`.

    params: Tensors with requires_grad, each once. lr: above 0; may be set anew between steps.
    buffers: names of arrays that are kept for each parameter, in its shape, from 0 on.
    Raises ValueError for what cannot be trained, and at a step for gradients with nan or inf.
    """

    settings = ("lr",)  # the attributes that are numbers, for state_dict

    def __init__(self, params: Iterable[Tensor], lr: float, buffers: tuple[str, ...] = ()):
        self.params = check_params(params)
        self.lr = in_range("lr", lr, 0, math.inf, above=True)
        self.steps = [0] * len(self.params)
        # np.zeros reserves memory without touching it: rows that are never used cost nothing.
        self.buffers = [{name: np.zeros(p.shape, p.dtype) for name in buffers} for p in self.params]

    @property
    def lr(self) -> float:
        return self._lr

    @lr.setter
    def lr(self, value: float) -> None:
        self._lr = in_range("lr", value, 0, math.inf)  # a schedule may end at 0

    def update(self, param: np.ndarray, grad: np.ndarray, step: int, **buffers) -> None:
        """Change `param` and `buffers` in place, not `grad`; step counts from 1."""
        raise NotImplementedError(f"{type(self).__name__} has no update: write it.")

    def change(self, i: int) -> None:
        """Update parameter i and its buffers by its gradient: all of it, or the rows it names."""
        p = self.params[i]
        by = update_rows if isinstance(p.grad, RowSparseGrad) else update_blocks
        by(self.update, p.data, p.grad, self.steps[i], self.buffers[i])

    def zero_grad(self) -> None:
        """Forget all gradients: each becomes None."""
        ### BEGIN SOLUTION
        for p in self.params:
            p.grad = None
        ### END SOLUTION

    def step(self) -> None:
        """Check every gradient, then count and change each parameter that has one."""
        ### BEGIN SOLUTION
        ready = [i for i, p in enumerate(self.params) if p.grad is not None]
        for i in ready:
            check_gradient(i, self.params[i])
        for i in ready:
            self.steps[i] += 1
            self.change(i)
        ### END SOLUTION

    def _arrays(self) -> dict[str, np.ndarray]:
        pairs = enumerate(self.buffers)
        return {f"{name}.{i}": x for i, buffers in pairs for name, x in buffers.items()}

    def state_dict(self) -> dict[str, float | int | np.ndarray]:
        """Numbers and copied arrays by name: {"lr": 0.1, "step.0": 3, "velocity.0": array, ...}."""
        steps = {f"step.{i}": count for i, count in enumerate(self.steps)}
        arrays = {name: x.copy() for name, x in self._arrays().items()}
        return {name: getattr(self, name) for name in self.settings} | steps | arrays

    def load_state_dict(self, state: Mapping) -> None:
        """Go on where `state` was taken; a ValueError lists all that does not fit."""
        mine, arrays = self.state_dict(), self._arrays()
        problems = [f"{name} is missing" for name in mine if name not in state]
        problems += [f"{name} is unexpected" for name in state if name not in mine]
        for name in [name for name in mine if name in state]:
            if np.shape(state[name]) != np.shape(mine[name]):
                problems.append(f"{name}: {np.shape(state[name])} is not {np.shape(mine[name])}")
        if problems:
            raise ValueError(
                f"Nothing loaded: {'; '.join(problems)}. Build the optimizer saved there."
            )
        for name in self.settings:
            setattr(self, name, float(state[name]))
        self.steps = [int(state[f"step.{i}"]) for i in range(len(self.params))]
        for name, array in arrays.items():
            array[...] = state[name]


# %% nbgrader={"grade_id": "test-optimizer", "grade": true, "points": 30}
class Summed(Optimizer):
    """An optimizer for tests: adds step * gradient to a total, subtracts the total."""

    def __init__(self, params, lr=1.0):
        super().__init__(params, lr, ("total",))

    def update(self, param, grad, step, total):
        total += step * grad
        param -= self.lr * total


def test_optimizer():
    """Values, counts, parameters without gradients, in place, refusals before any change."""
    a, b, c = parameter([1, 2], [1, 0]), parameter(5), parameter(7, 1)
    arrays, optimizer = [p.data for p in (a, b, c)], Summed([a, b, c])
    optimizer.step()
    counts = list(optimizer.steps)
    assert counts == [1, 0, 1], f"b had no gradient: the steps are [1, 0, 1], not {counts}."
    assert close(a.data, [0, 2]), f"[1, 2] with gradient [1, 0] and step 1 gives [0, 2]: {a.data}."
    assert b.data.item() == 5, f"A parameter without gradient is left alone: 5, not {b.data}."
    got = c.data.item()
    assert got == 6, f"c, behind one without gradient, has its turn too: 7 - 1 = 6, not {got}."
    assert close(a.grad, [1, 0]), f"step() keeps gradients; zero_grad() ends them. Now: {a.grad}."
    b.grad, a.grad = np.array(2, np.float32), None
    optimizer.step()
    got = [p.data.tolist() for p in (a, b, c)]
    assert got == [[0, 2], 3, 3], (
        f"Buffers and counts stay with the parameter's number: [0, 2], 3, 3, not {got}."
    )
    same = all(p.data is array for p, array in zip((a, b, c), arrays, strict=True))
    assert same, "Parameters are changed in their own arrays: the model looks at these."
    c.grad = np.zeros((), np.float32)
    optimizer.step()
    assert c.data.item() == 0, f"A gradient of 0 is a gradient: 3 - total 3 = 0, not {c.data}."
    before = [p.data.copy() for p in (a, b, c)]
    for bad in (np.nan, np.inf):
        a.grad, b.grad, c.grad = np.ones(2, np.float32), None, np.array(bad, np.float32)
        said, counts = str(attempt(optimizer.step)), list(optimizer.steps)
        assert f"parameter 2, shape (), holds {bad}" in said, (
            f"c, number 2 in params, has gradient {bad}: call check_gradient(2, c). Got: {said}"
        )
        same = all(close(p.data, old) for p, old in zip((a, b, c), before, strict=True))
        assert same, "Check all gradients before any parameter is changed: a was changed first."
        assert counts == [1, 2, 3], f"A step that was refused does not count: {counts}."
    optimizer.zero_grad()
    got = [p.grad for p in (a, b, c)]
    assert all(grad is None for grad in got), (
        f"zero_grad() sets each .grad to None, not to an array: {got}."
    )
    optimizer.step()
    got = c.data.item()
    assert got == before[2], "Without gradients step() does nothing."
    ### BEGIN HIDDEN TESTS
    params = [parameter(challenge.normal(size=n)) for n in (2, 3, 4)]
    optimizer = Summed(iter(params), lr=0.1)
    for missing in challenge.integers(0, 3, size=4).tolist():
        optimizer.zero_grad()
        for i, p in enumerate(params):
            p.grad = None if i == missing else challenge.normal(size=p.shape).astype(np.float32)
        optimizer.step()
    observe("numbers", np.concatenate([p.data for p in params]))
    observe("steps", np.array(optimizer.steps))
    ### END HIDDEN TESTS


test_optimizer()

# %% [markdown]
# ## Exercise 2: SGD
# *Difficulty 3 of 5 · 34 points · 25 minutes*
#
# **Stochastic** gradient descent: the gradient comes from a random batch, not from all data (Robbins and Monro, 1951). The formula is the one above, with two additions.
#
# **Momentum** (Polyak, 1964) makes the point a heavy ball. A velocity, 0 at first, adds up gradients and slowly forgets them; the ball moves by the velocity. Where gradients alternate, as in the steep direction, they cancel; where they agree, a constant gradient g drives the velocity up to g / (1 - momentum).
#
# **Weight decay** pulls every number towards 0 by adding `weight_decay * param` to the gradient (the gradient of `weight_decay / 2 * param**2` in the loss, hence "L2").
#
# ```
#  grad     = grad + weight_decay * param            param 2, grad 1, weight_decay 0.5:   grad = 2
#  velocity = momentum * velocity + grad             momentum 0.9, velocity 10:       velocity = 11
#  param    = param - lr * velocity                  lr 0.1:                             param = 0.9
# ```
#
# In this order, all three with the param *before* the step. Without momentum there is no velocity (it is `None`), and `grad` takes its place. Change `param` and `velocity` in place; leave the caller's `grad` as it is: somebody may print it.
#
# **Predict first:** with momentum 0.9 and a gradient that is always 1, how large are the velocities of the first three steps, and in the end?
#
# <details><summary>Hints</summary>
#
# 1. `param -= ...` and `velocity *= ...` change an array; `param = param - ...` gives a name to a new one, and the parameter never hears of it.
# 2. `grad = grad + ...` makes a new array, which is what you want here.
#
# </details>


# %% nbgrader={"grade_id": "sgd", "solution": true}
#| export
class SGD(Optimizer):
    """param -= lr * velocity, where velocity = momentum * velocity + grad + weight_decay * param.

    momentum: in [0, 1); 0 keeps no velocity. weight_decay: 0 or more, L2.
    Of a RowSparseGrad only the rows it names move, decay and remember ("lazy").
    """

    settings = ("lr", "momentum", "weight_decay")

    def __init__(
        self,
        params: Iterable[Tensor],
        lr: float,
        momentum: float = 0.0,
        weight_decay: float = 0.0,
    ):
        self.momentum = in_range("momentum", momentum, 0, 1)
        self.weight_decay = in_range("weight_decay", weight_decay, 0, math.inf)
        super().__init__(params, lr, ("velocity",) if momentum else ())

    def update(self, param, grad, step, velocity=None):
        ### BEGIN SOLUTION
        if self.weight_decay:
            grad = grad + self.weight_decay * param
        if velocity is not None:
            velocity *= self.momentum
            velocity += grad
            grad = velocity
        param -= self.lr * grad
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-sgd", "grade": true, "points": 34}
def test_sgd():
    """Against the three lines in Python numbers, over steps with other gradients and another lr."""
    for momentum, decay, because in [
        (0, 0, "param - lr * grad"),
        (0, 0.5, "weight_decay * param joins the gradient, before the step"),
        (0.9, 0, "velocity = momentum * velocity + grad, and lr only when param moves"),
        (0.8, 0.25, "decay joins the gradient first, then the velocity takes both"),
    ]:
        p, number, speed = parameter([[2.0], [-1.0]]), [2.0, -1.0], [0.0, 0.0]
        array, optimizer = p.data, SGD([p], 0.1, momentum, decay)
        for turn, (lr, grads) in enumerate([(0.1, [1, -2]), (0.1, [1, 0]), (0.5, [-3, 0.5])], 1):
            optimizer.lr, p.grad = lr, np.float32(grads).reshape(2, 1)
            optimizer.step()
            for i, g in enumerate(grads):
                speed[i] = momentum * speed[i] + g + decay * number[i]
                number[i] -= lr * speed[i]
            said = f"momentum {momentum}, weight_decay {decay}, step {turn}"
            assert p.data is array, "Change the array of the parameter: it was replaced."
            got = p.data.ravel()
            assert not close(got, [2, -1]), f"{said}: nothing moved. param -= ..., in place."
            assert close(got, number), f"{said}: {because}: {np.round(number, 4)}, not {got}."
            assert close(p.grad.ravel(), grads), f"{said}: the gradient was changed to {p.grad}."
    kept = optimizer.buffers[0]["velocity"].ravel()
    assert close(kept, speed), f"The velocity must be kept in its array: {speed}, not {kept}."
    assert SGD([p], 0.1).buffers == [{}], "Without momentum no velocity is kept."
    p, q = parameter([1.0], [1.0]), parameter([1.0], [3.0])
    optimizer = SGD([p, q], 0.1, 0.5)
    optimizer.step()
    optimizer.step()
    got = [p.data.item(), q.data.item()]
    assert close(got, [0.75, 0.25]), f"Each parameter has its own velocity: 0.75, 0.25, not {got}."
    exact = Tensor([0.1], requires_grad=True, dtype=np.float64)
    exact.grad = np.array([0.3])
    SGD([exact], 0.1).step()
    got = exact.data.item()
    assert abs(got - 0.07) < 1e-15, f"float64 stays float64: 0.1 - 0.1 * 0.3 = 0.07, not {got}."
    ### BEGIN HIDDEN TESTS
    for options in [(0, 0.3), (0.7, 0), (0.95, 0.1)]:
        p = parameter(challenge.normal(size=(3, 4)))
        optimizer = SGD([p], 0.2, *options)
        for lr in challenge.uniform(0.01, 0.3, size=5):
            optimizer.lr, p.grad = lr, challenge.normal(size=p.shape).astype(np.float32)
            optimizer.step()
        observe(f"{options}", p.data, rtol=1e-4, atol=1e-5)
        observe(f"{options} gradient", p.grad)
    ### END HIDDEN TESTS


test_sgd()


# %%
def path(make, steps=60):
    """Where an optimizer walks on the bowl from (10, 1): (steps + 1, 2)."""
    point = parameter([10.0, 1.0])
    optimizer, points = make([point]), [point.data.copy()]
    for _ in range(steps):
        point.grad = point.data * np.float32([1, 25])
        optimizer.step()
        points.append(point.data.copy())
    return np.array(points)


fig, axes = plt.subplots(1, 2, width_ratios=[2, 1])
ends = {}
for momentum in (0.0, 0.6, 0.9):
    points = path(lambda params, m=momentum: SGD(params, 0.07, m))
    ends[momentum] = bowl(*points[-1])
    draw_path(axes[0], points[:20], f"momentum {momentum}")
    axes[1].semilogy(bowl(*points.T))
axes[1].set(xlabel="step", ylabel="height")
best = min(ends, key=ends.get)
fig.suptitle(
    f"After 60 steps: height {ends[0.0]:.0e} without, {ends[best]:.0e} with momentum {best}"
)
plt.show()

# %% [markdown]
# Too little momentum zigzags, too much swings like a pendulum. In networks, with noise and without a known steepest direction, 0.9 is the usual start.

# %% [markdown]
# ## All together
# *16 points.* A network learns; a parameter that is a view stays one; a run that is interrupted and resumed is the run that was not. The state goes through JSON and arrays, as module 07 will write it into files.


# %% nbgrader={"grade_id": "test-descent-module", "grade": true, "points": 16}
def network(seed):
    manual_seed(seed)
    model = Sequential(Linear(2, 8), Tanh(), Linear(8, 1))
    return model, SGD(model.parameters(), 0.1, 0.9, 1e-4)


def train(model, optimizer, x, y, steps):
    """The loss of each step."""
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = MSELoss()(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def test_descent_module():
    """Learning, views, resuming to the last bit, refusals in words."""
    x = Tensor(np.random.default_rng(0).normal(size=(64, 2)))
    y = (x[:, :1] * x[:, 1:]).detach()
    model, optimizer = network(1)
    losses = train(model, optimizer, x, y, 80)
    assert losses[-1] < 0.3 * losses[0], f"The loss went from {losses[0]:.3f} to {losses[-1]:.3f}."
    state = optimizer.state_dict()
    numbers = json.loads(json.dumps({k: v for k, v in state.items() if np.ndim(v) == 0}))
    state = {k: v for k, v in state.items() if np.ndim(v)} | numbers
    other, resumed = network(2)
    other.load_state_dict(model.state_dict())
    resumed.load_state_dict(state)
    ahead, again = (train(*pair, x, y, 20) for pair in ((model, optimizer), (other, resumed)))
    assert ahead == again, f"Resumed, the losses differ: {ahead[-1]} against {again[-1]}."
    whole = np.ones((3, 2), np.float32)
    turned = Tensor(whole.T, requires_grad=True)
    turned.grad = np.float32([[1, 2, 3], [4, 5, 6]])
    SGD([turned], 0.1).step()
    assert close(whole, 1 - 0.1 * turned.grad.T), f"A parameter that is a view stays one: {whole}."
    p = parameter([1.0])
    for call, part in [
        (lambda: SGD(model, 0.1), "not a Sequential"),
        (lambda: SGD([p, x], 0.1), "Parameter 1, (64, 2)"),
        (lambda: SGD([p, parameter([2.0]), p], 0.1), "Parameters 0 and 2 are one"),
        (lambda: SGD([p], 0), "lr must be above 0"),
        (lambda: SGD([p], 0.1).load_state_dict(state), "velocity.0 is unexpected"),
    ]:
        said = str(attempt(call))
        assert part in said, f"Refuse with {part!r}. Got: {said}"
    ### BEGIN HIDDEN TESTS
    x = Tensor(challenge.normal(size=(16, 2)))
    observe("losses", np.array(train(*network(3), x, x[:, :1].detach(), 5)), rtol=1e-3)
    ### END HIDDEN TESTS


test_descent_module()

# %% [markdown]
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. Momentum 0.9, a gradient that is always 1: the first three velocities, and the last?
# 2. On the bowl, 25 times as steep one way: the largest lr that does not climb out, and the steps x then needs to become a hundred times smaller?
#
# <details><summary>Answers</summary>
#
# 1. 1, 1.9, 2.71, and in the end 1 / (1 - 0.9) = 10: with momentum 0.9 choose lr ten times smaller.
# 2. 2 / 25 = 0.08. There x shrinks by 0.92 a step: 56 steps. The ratio of the curvatures, not their size, makes descent slow.
#
# </details>

# %%
velocities = [1.0]
for _ in range(200):
    velocities.append(0.9 * velocities[-1] + 1)
print("1.", [round(v, 2) for v in velocities[:3]], round(velocities[-1], 2))
print("2.", 2 / 25, math.ceil(math.log(1 / 100) / math.log(1 - 2 / 25)))

# %% [markdown]
# ## In production
#
# | ours | PyTorch | the difference |
# |---|---|---|
# | `SGD(params, lr, 0.9)` | `torch.optim.SGD(params, lr, 0.9)` | same numbers; theirs also has dampening, Nesterov and groups of parameters |
# | `zero_grad()` | `zero_grad(set_to_none=True)`, their default | none |
# | gradients with nan: refused | go through | theirs has to be looked for with `clip_grad_norm_(..., error_if_nonfinite=True)` |
# | rows with momentum: lazy | SGD decays the momentum of all rows | ours does not depend on V |
#
# ## Recap
#
# 1. Against the gradient, by lr; the steepest direction limits lr, the flattest then sets the pace.
# 2. Momentum adds up what agrees and cancels what alternates.
# 3. All gradients are checked before any parameter changes; none, no change.
# 4. Everything in place: model, optimizer and views share one array.
# 5. A parameter's buffers and count stay with its number, and go into state_dict with it.
#
# ## Further reading
#
# - H. Robbins, S. Monro, "A stochastic approximation method", *Annals of Mathematical Statistics* 22 (1951).
# - B. T. Polyak, "Some methods of speeding up the convergence of iteration methods", *USSR Computational Mathematics and Mathematical Physics* 4 (1964).
# - I. Sutskever, J. Martens, G. Dahl, G. Hinton, "On the importance of initialization and momentum in deep learning", ICML (2013).
#
# **Next:** `tito module complete 06`, then the notebook Optimizers, in which each number gets a step size of its own.
