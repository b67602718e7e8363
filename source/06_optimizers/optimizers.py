# %% [markdown]
# # Optimizers
#
# > Adam and AdamW: every number of a network gets a step size of its own.
#
# **The question of this notebook:** one learning rate has to do for the steepest and the flattest direction of a network. What if each number set its own pace?
#
# Difficulty 3 of 5 · about 1 hour 30 minutes · 3 exercises and a test over the module, 100 points · prerequisites: the notebooks Changes and Descent.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | `Optimizer` with its loop, `SGD` | running averages without bias, `Adam`, `AdamW` | schedules, clipping, a trainer (module 07) |
#
# This is the last of three notebooks of module 06, and it ends up in `tinytorch/core/optimizers.py`, from where `Optimizer` and `SGD` can be imported too. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.optimizers

# %% nbgrader={"grade_id": "setup", "locked": true}
import json

import matplotlib.pyplot as plt
import numpy as np

from tinytorch.core.activations import Tanh
from tinytorch.core.autograd import RowSparseGrad
from tinytorch.core.layers import Linear, Sequential, manual_seed
from tinytorch.core.losses import MSELoss

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


def parameter(numbers, grad=None):
    """A Tensor that wants a gradient and, where one is given, already has it."""
    tensor = Tensor(np.array(numbers, np.float32), requires_grad=True)
    tensor.grad = None if grad is None else np.array(grad, np.float32)
    return tensor


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import math
from collections.abc import Iterable

import numpy as np

from tinytorch.core.descent import SGD, Optimizer, in_range
from tinytorch.core.tensor import Tensor

# %% [markdown]
# ## Exercise 1: running averages
# *Difficulty 2 of 5 · 22 points · 15 minutes*
#
# What is a gradient usually like? Batches are small and gradients noisy, so one wants an average, over the recent past, because parameters move; and without keeping the past. An **exponential moving average** keeps one number: `average = beta * average + (1 - beta) * value`. With beta = 0.9 a value counts 0.1 now, 0.09 in the next step, 0.081 then; about the last 1 / (1 - beta) = 10 values matter.
#
# It starts at 0, and that is a lie about the past. Feed it with 5, 5, 5:
#
# ```
#  step            1       2       3           the weights so far: 0.1, 0.1 + 0.09, ...
#  average         0.5     0.95    1.355       sum to 1 - beta**step
#  1 - beta**step  0.1     0.19    0.271
#  quotient        5       5       5           an average again
# ```
#
# Write `update_average`, in place, and `weight_sum`, by which the average is divided when it is used (not when it is kept).
#
# **Predict first:** beta = 0.999, as Adam has it for squares. After 10 steps with the value 5, what is the average? What if a step is divided by its root?


# %% nbgrader={"grade_id": "averages", "solution": true}
#| export
def update_average(average: np.ndarray, value: np.ndarray, beta: float) -> None:
    """average = beta * average + (1 - beta) * value, in the array `average`; value stays."""
    ### BEGIN SOLUTION
    average *= beta
    average += (1 - beta) * value
    ### END SOLUTION


def weight_sum(beta: float, step: int) -> float:
    """The sum of the weights of all values in an average after `step` of them, step from 1."""
    ### BEGIN SOLUTION
    return 1 - beta**step
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-averages", "grade": true, "points": 22}
def test_averages():
    """By hand, in place, and the sum of weights against adding them up."""
    average, value = np.zeros(2, np.float32), np.float32([5, -1])
    for step, want in [(1, [0.5, -0.1]), (2, [0.95, -0.19]), (3, [1.355, -0.271])]:
        update_average(average, value, 0.9)
        assert average.any(), "The array `average` did not change: write into it (*=, +=)."
        assert close(average, want), f"Step {step} of 5 and -1: {want}, not {average}."
        assert close(value, [5, -1]), f"The values became {value}: leave them as they are."
    update_average(average, np.float32([0, 0]), 0.5)
    got = average.copy()
    assert close(got, [0.6775, -0.1355]), f"beta 0.5 and a 0 halve the average: {got}."
    for beta in (0.0, 0.9, 0.999):
        for step in (1, 2, 10, 1000):
            want, got = sum((1 - beta) * beta**k for k in range(step)), weight_sum(beta, step)
            assert close(got, want), f"{step} weights of beta {beta} sum to {want:.6g}, not {got}."
    exact = np.zeros(1)
    update_average(exact, np.array([0.1]), 0.9)
    assert exact[0] == (1 - 0.9) * 0.1, f"float64 stays float64: 0.01, not {exact[0]}."
    ### BEGIN HIDDEN TESTS
    average, beta = np.zeros((2, 3), np.float32), challenge.uniform(0.3, 0.99)
    for _ in range(4):
        update_average(average, challenge.normal(size=(2, 3)).astype(np.float32), beta)
    observe("average", average)
    observe("weights", weight_sum(beta, int(challenge.integers(2, 20))))
    ### END HIDDEN TESTS


test_averages()

# %%
noise = 5 + 3 * np.random.default_rng(0).normal(size=60).astype(np.float32)
average, kept = np.zeros(1, np.float32), []
for step, value in enumerate(noise, 1):
    update_average(average, value, 0.9)
    kept.append((average[0], average[0] / weight_sum(0.9, step)))
plt.plot(noise, ".", color="lightgray", label="values: 5 and noise")
plt.plot(np.transpose(kept)[0], "--", label="average, from 0")
plt.plot(np.transpose(kept)[1], label="divided by the sum of weights")
plt.gca().set(xlabel="step", ylabel="value")
plt.title(
    f"After 3 steps: {kept[2][0]:.1f} uncorrected, {kept[2][1]:.1f} corrected; the truth is 5"
)
plt.legend()
plt.show()

# %% [markdown]
# ## Exercise 2: Adam
# *Difficulty 4 of 5 · 40 points · 30 minutes*
#
# Adam (Kingma and Ba, 2015) keeps two averages for each number of each parameter: of its gradients (a smoother direction) and of their squares (their size). It goes by one divided by the root of the other:
#
# ```
#  exp_avg    = average of grad           beta1 = 0.9          m = exp_avg    / weight_sum(beta1, step)
#  exp_avg_sq = average of grad * grad    beta2 = 0.999        v = exp_avg_sq / weight_sum(beta2, step)
#
#  param = param - lr * m / (sqrt(v) + eps)
# ```
#
# By hand, the first step with gradients 1000 and 0.001 and lr = 0.1: m is the gradient, v its square, the quotient 1. Both numbers move by 0.1, the lr itself, **whatever the gradient**. A number whose gradients agree moves by lr per step; one whose gradients change sign averages out near 0. Scale the loss by a thousand and nothing changes. `eps` (1e-8) stands **outside** the root, to keep 0 / 0 away.
#
# `move` is this formula. `update` adds the old weight decay to the gradient first, `grad + weight_decay * param`, as in SGD, if there is any, and then calls `move`.
#
# **Predict first:** without dividing by the sums of weights, how long would the first step be, with beta1 = 0.9 and beta2 = 0.999?
#
# <details><summary>Hints</summary>
#
# 1. `step` counts the steps of *this* parameter, from 1: the loop in `Optimizer` does it.
# 2. Everything in place: `update_average` for both buffers, `param -= ...` at the end. Leave `grad` as it is.
# 3. The average is of the squares, `grad * grad`, not the square of the average.
#
# </details>


# %% nbgrader={"grade_id": "adam", "solution": true}
#| export
class Adam(Optimizer):
    """Steps of about lr for every number (Kingma and Ba 2015, algorithm 1); weight_decay is L2.

    betas: two numbers in [0, 1), of the average gradient and of the average square; eps: above 0.
    Of a RowSparseGrad only the rows it names move ("lazy"); step counts those of the parameter.
    """

    settings = ("lr", "beta1", "beta2", "eps", "weight_decay")

    def __init__(
        self,
        params: Iterable[Tensor],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ):
        if np.shape(betas) != (2,):
            raise ValueError(f"betas must be two numbers such as (0.9, 0.999), not {betas!r}.")
        self.beta1 = in_range("betas[0]", betas[0], 0, 1)
        self.beta2 = in_range("betas[1]", betas[1], 0, 1)
        self.eps = in_range("eps", eps, 0, math.inf, above=True)
        self.weight_decay = in_range("weight_decay", weight_decay, 0, math.inf)
        super().__init__(params, lr, ("exp_avg", "exp_avg_sq"))

    def move(self, param, grad, step, exp_avg, exp_avg_sq):
        """Update both averages in place, then param, without any decay."""
        ### BEGIN SOLUTION
        update_average(exp_avg, grad, self.beta1)
        update_average(exp_avg_sq, grad * grad, self.beta2)
        pace = self.lr / weight_sum(self.beta1, step)
        size = np.sqrt(exp_avg_sq / weight_sum(self.beta2, step))
        param -= pace * exp_avg / (size + self.eps)
        ### END SOLUTION

    def update(self, param, grad, step, exp_avg, exp_avg_sq):
        ### BEGIN SOLUTION
        if self.weight_decay:
            grad = grad + self.weight_decay * param
        self.move(param, grad, step, exp_avg, exp_avg_sq)
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-adam", "grade": true, "points": 40}
def adam_by_hand(numbers, steps, betas=(0.9, 0.999), eps=1e-8, decay=0.0, shrink=0.0):
    """The formula in Python numbers; steps: pairs (lr, gradients); shrink: decay of AdamW."""
    numbers, m, v = list(numbers), [0.0] * len(numbers), [0.0] * len(numbers)
    for t, (lr, grads) in enumerate(steps, 1):
        for i, g in enumerate(grads):
            numbers[i] *= 1 - lr * shrink
            g = g + decay * numbers[i]
            m[i] = betas[0] * m[i] + (1 - betas[0]) * g
            v[i] = betas[1] * v[i] + (1 - betas[1]) * g * g
            root = (v[i] / (1 - betas[1] ** t)) ** 0.5
            numbers[i] -= lr * m[i] / (1 - betas[0] ** t) / (root + eps)
    return numbers, m, v


def run_steps(optimizer, p, steps):
    for lr, grads in steps:
        optimizer.lr, p.grad = lr, np.array(grads, p.dtype)
        optimizer.step()


def test_adam():
    """The first step, five steps against Python numbers, every option, counts, dtypes."""
    p = parameter([1.0, 1.0, 1.0, 1.0], [1000, -0.001, 3, 0])
    array, optimizer = p.data, Adam([p], lr=0.1)
    optimizer.step()
    assert p.data is array, "Change the array of the parameter: it was replaced."
    moved = 1 - p.data
    assert moved.any(), "Nothing moved: param -= ..., in place."
    assert close(moved, [0.1, -0.1, 0.1, 0], 1e-4), (
        f"The first step is lr = 0.1 whatever the gradient, 0 for none; yours {moved}. "
        "Against the gradient? Divided by weight_sum? step from 1?"
    )
    steps = [
        (0.1, [1, 0.02]),
        (0.1, [1, -0.01]),
        (0.1, [-2, 0.03]),
        (0.02, [0, 0.02]),
        (0.1, [-1, 0]),
    ]
    for options, because in [
        ({}, "m / (sqrt(v) + eps), each divided by its weight_sum, over five steps"),
        ({"betas": (0.5, 0.9)}, "beta1 averages gradients, beta2 their squares"),
        ({"eps": 0.5}, "eps is added to the root, after it is drawn"),
        ({"weight_decay": 0.3}, "weight_decay * param joins the gradient, before the averages"),
    ]:
        p = parameter([2.0, -1.0])
        optimizer = Adam([p], 0.1, **options)
        run_steps(optimizer, p, steps)
        names = {"decay" if k == "weight_decay" else k: x for k, x in options.items()}
        want, m, v = adam_by_hand([2.0, -1.0], steps, **names)
        for name, true in [("exp_avg", m), ("exp_avg_sq", v)]:
            got = optimizer.buffers[0][name]
            assert close(got, true), (
                f"{options}, {name}: {np.round(true, 6)}, not {got}: {because}."
            )
        got = p.data
        assert close(got, want, 1e-4), f"{options}: {np.round(want, 5)}, not {got}: {because}."
        assert close(p.grad, [-1, 0]), f"{options}: the gradient was changed to {p.grad}."
    a, b = parameter([1.0], [1.0]), parameter([1.0])
    optimizer = Adam([a, b], 0.1)
    optimizer.step()
    b.grad = np.float32([4])
    optimizer.step()
    got = b.data.item()
    assert close(got, 0.9), f"b's first step came second, and is lr as well: 0.9, not {got}."
    exact = Tensor([0.5], requires_grad=True, dtype=np.float64)
    run_steps(Adam([exact], 0.1), exact, [(0.1, [0.3])] * 3)
    got, want = exact.data.item(), adam_by_hand([0.5], [(0.1, [0.3])] * 3)[0][0]
    assert abs(got - want) < 1e-14, f"float64 stays float64: {want}, not {got}."
    ### BEGIN HIDDEN TESTS
    for options in [{}, {"betas": (0.7, 0.95), "eps": 0.01}, {"weight_decay": 0.2}]:
        p = parameter(challenge.normal(size=(2, 3)))
        steps = [(lr, challenge.normal(size=(2, 3))) for lr in challenge.uniform(0.01, 0.2, size=6)]
        run_steps(Adam([p], **options), p, steps)
        observe(f"{options}", p.data, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_adam()


# %%
def path(make, steps=60):
    """Where an optimizer walks on the bowl (x**2 + 25 * y**2) / 2 from (10, 1): (steps + 1, 2)."""
    point = parameter([10.0, 1.0])
    optimizer, points = make([point]), [point.data.copy()]
    for _ in range(steps):
        point.grad = point.data * np.float32([1, 25])
        optimizer.step()
        points.append(point.data.copy())
    return np.array(points)


x, y = np.meshgrid(np.linspace(-4, 11, 80), np.linspace(-1.3, 1.3, 60))
plt.contour(x, y, (x**2 + 25 * y**2) / 2, levels=[1, 4, 10, 20, 35, 55], colors="lightgray")
paths = {
    "SGD, lr 0.07": path(lambda params: SGD(params, 0.07), 20),
    "SGD, lr 0.07, momentum 0.6": path(lambda params: SGD(params, 0.07, 0.6), 20),
    "Adam, lr 0.5": path(lambda params: Adam(params, 0.5), 30),
}
for name, points in paths.items():
    plt.plot(*points.T, ".-", label=name)
first = abs(paths["Adam, lr 0.5"][1] - paths["Adam, lr 0.5"][0])
plt.gca().set(xlabel="x", ylabel="y")
plt.title(f"Adam's first step: {first[0]:.2f} in x and {first[1]:.2f} in y; SGD's: 0.70 and 1.75")
plt.legend()
plt.show()

# %% [markdown]
# ## Exercise 3: AdamW
# *Difficulty 3 of 5 · 18 points · 15 minutes*
#
# Weight decay should shrink all weights alike, by a share per step. Inside Adam it does not: the decay joins the gradient, and is divided by the *size of the gradients* with it. A weight with large gradients hardly decays at all, one with small gradients a lot. Loshchilov and Hutter (2019) decouple the two:
#
# ```
#  param = param * (1 - lr * weight_decay)         first, in place
#  param = param - lr * m / (sqrt(v) + eps)        then Adam's move, with the gradient alone
#
#  param 2, lr 0.1, weight_decay 0.5, gradient 3, first step:     2 * 0.95 - 0.1 = 1.8
# ```
#
# This is what trains nearly all large language models. Write its `update`.
#
# **Predict first:** with lr = 1e-3 and weight_decay = 0.01, what is left of a weight after 100,000 steps if its gradient is 0 throughout?


# %% nbgrader={"grade_id": "adamw", "solution": true}
#| export
class AdamW(Adam):
    """Adam whose weight decay does not pass through the averages (Loshchilov and Hutter 2019).

    Each step shrinks a parameter that has a gradient by the factor 1 - lr * weight_decay.
    """

    def __init__(
        self,
        params: Iterable[Tensor],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ):
        super().__init__(params, lr, betas, eps, weight_decay)

    def update(self, param, grad, step, exp_avg, exp_avg_sq):
        ### BEGIN SOLUTION
        param *= 1 - self.lr * self.weight_decay
        self.move(param, grad, step, exp_avg, exp_avg_sq)
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-adamw", "grade": true, "points": 18}
def test_adamw():
    """By hand, against Python numbers with a changing lr, and averages that know no decay."""
    p = parameter([2.0], [3.0])
    array, optimizer = p.data, AdamW([p], 0.1, weight_decay=0.5)
    optimizer.step()
    got = p.data.item()
    assert p.data is array, "Change the array of the parameter: it was replaced."
    assert close(got, 1.8), f"As by hand: 2 * (1 - 0.1 * 0.5) - 0.1 = 1.8, not {got}."
    still = parameter([2.0], [0.0])
    optimizer = AdamW([still], 0.1, weight_decay=0.5)
    for _ in range(3):
        optimizer.step()
    got, kept = still.data.item(), optimizer.buffers[0]["exp_avg"].item()
    assert kept == 0, f"The averages must be of the gradient alone, 0 here: {kept}."
    assert close(got, 2 * 0.95**3), f"Without gradient, three steps leave 2 * 0.95**3, not {got}."
    steps = [(0.1, [1, 0.02]), (0.3, [1, -0.01]), (0.2, [-2, 0.03])]
    p = parameter([2.0, -1.0])
    run_steps(AdamW([p], 0.1, (0.5, 0.9), 0.1, 0.4), p, steps)
    want = adam_by_hand([2.0, -1.0], steps, (0.5, 0.9), 0.1, shrink=0.4)[0]
    got = p.data
    assert close(got, want, 1e-4), f"With lr 0.1, 0.3, 0.2: {np.round(want, 5)}, not {got}."
    plain, none = parameter([2.0, -1.0]), parameter([2.0, -1.0])
    run_steps(Adam([plain]), plain, steps)
    run_steps(AdamW([none], weight_decay=0), none, steps)
    assert close(none.data, plain.data), "With weight_decay = 0, AdamW is Adam."
    ### BEGIN HIDDEN TESTS
    p = parameter(challenge.normal(size=(2, 3)))
    steps = [(lr, challenge.normal(size=(2, 3))) for lr in challenge.uniform(0.01, 0.5, size=6)]
    run_steps(AdamW([p], weight_decay=challenge.uniform(0.1, 0.5)), p, steps)
    observe("numbers", p.data, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_adamw()

# %%
generator, after = np.random.default_rng(0), {}
for kind in (Adam, AdamW):
    for scale in (0.01, 10.0):  # a thousand weights, all 1, whose gradients are only noise
        p = parameter(np.ones(1000))
        optimizer, means = kind([p], 1e-2, weight_decay=0.1), []
        for _ in range(300):
            p.grad = scale * generator.normal(size=1000).astype(np.float32)
            optimizer.step()
            means.append(p.data.mean())
        plt.plot(means, label=f"{kind.__name__}, gradients of size {scale}")
        after[kind, scale] = means[-1]
left = [f"{share:.2f}" for share in after.values()]
plt.gca().set(xlabel="step", ylabel="mean weight", ylim=(-0.1, 1.1))
plt.title(
    f"Left of 1: Adam {left[0]} or {left[1]}, by the size of gradients; AdamW {left[2]}, {left[3]}"
)
plt.legend()
plt.show()

# %% [markdown]
# ## All together
# *20 points.* Adam and AdamW learn, resume to the last bit, take rows for what they are, and refuse in words.


# %% nbgrader={"grade_id": "test-optimizers-module", "grade": true, "points": 20}
def network(kind, seed, **options):
    manual_seed(seed)
    model = Sequential(Linear(2, 8), Tanh(), Linear(8, 1))
    return model, kind(model.parameters(), **options)


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


def test_optimizers_module():
    """Learning, resuming, row-sparse gradients, refusals."""
    x = Tensor(np.random.default_rng(0).normal(size=(64, 2)))
    y = (x[:, :1] * x[:, 1:]).detach()
    for kind in (Adam, AdamW):
        model, optimizer = network(kind, 1, lr=0.03)
        losses, name = train(model, optimizer, x, y, 60), kind.__name__
        assert losses[-1] < 0.3 * losses[0], f"{name}: {losses[0]:.3f} to {losses[-1]:.3f} in 60."
        state = optimizer.state_dict()
        numbers = json.loads(json.dumps({k: v for k, v in state.items() if np.ndim(v) == 0}))
        other, resumed = network(kind, 2, betas=(0.1, 0.2))
        other.load_state_dict(model.state_dict())
        resumed.load_state_dict(state | numbers)
        ahead, again = (train(*pair, x, y, 9) for pair in ((model, optimizer), (other, resumed)))
        assert ahead == again, f"{name}, resumed: {again[-1]} instead of {ahead[-1]}."
    dense, lazy = parameter(np.ones((5, 3))), parameter(np.ones((5, 3)))
    both = AdamW([dense]), AdamW([lazy])
    for ids in ([0, 4], [4, 0, 4]):
        values = np.arange(3 * len(ids), dtype=np.float32).reshape(-1, 3) - 2
        lazy.grad = RowSparseGrad(np.array(ids), values, (5, 3))
        dense.grad = lazy.grad.to_dense()
        for optimizer in both:
            optimizer.step()
    got, want = lazy.data[[0, 4]], dense.data[[0, 4]]
    assert close(got, want), f"Rows that are used in each step go the dense way: {want}, not {got}."
    assert close(lazy.data[1:4], np.ones((3, 3))), "Rows that were never used must stay."
    p = parameter([1.0])
    for call, part in [
        (lambda: Adam([p], betas=(0.9, 1.0)), "betas[1] must be at least 0 and below 1"),
        (lambda: Adam([p], eps=0), "eps must be above 0"),
        (lambda: AdamW([p], weight_decay=-0.1), "weight_decay must be at least 0"),
        (lambda: Adam([p]).load_state_dict(state), "exp_avg.1 is unexpected"),
    ]:
        said = str(attempt(call))
        assert part in said, f"Refuse with {part!r}. Got: {said}"
    ### BEGIN HIDDEN TESTS
    x = Tensor(challenge.normal(size=(16, 2)))
    for kind in (Adam, AdamW):
        losses = train(*network(kind, 3, lr=0.01), x, x[:, :1].detach(), 5)
        observe(kind.__name__, np.array(losses), rtol=1e-3)
    ### END HIDDEN TESTS


test_optimizers_module()

# %% [markdown]
# ## Measure it: which learning rate?
#
# The network of the test, 100 steps with each of thirteen learning rates, three ways. Where the gradient becomes `inf` or `nan`, your optimizer stops the run, and the point is missing; losses above 9 are drawn at 9.

# %%
x = Tensor(np.random.default_rng(0).normal(size=(64, 2)))
y, rates = (x[:, :1] * x[:, 1:]).detach(), np.logspace(-4, 1, 13)
kinds = {"SGD": (SGD, {}), "SGD, momentum 0.9": (SGD, {"momentum": 0.9}), "Adam": (Adam, {})}
at = {}
for name, (kind, options) in kinds.items():
    with np.errstate(over="ignore"):
        runs = [attempt(train, *network(kind, 1, lr=lr, **options), x, y, 100) for lr in rates]
    ends = [min(run[-1], 9) if isinstance(run, list) else np.nan for run in runs]
    plt.loglog(rates, ends, "o-", label=name)
    at[name] = ends[6]
plt.gca().set(xlabel="learning rate", ylabel="loss after 100 steps")
plt.title(
    f"lr {rates[6]:.2g} leaves a loss of " + ", ".join(f"{y:.2g} ({x})" for x, y in at.items())
)
plt.legend()
plt.show()

# %% [markdown]
# On the left everything learns, only slowly. Momentum's curve is that of plain SGD moved to the left by a factor of about 10 = 1 / (1 - 0.9), while the cliff, which the steepest direction sets, stays nearly where it was. Adam has no cliff here: its steps are about lr long whatever the gradient; too long ones merely miss the valley. A learning rate is a number *of an optimizer*, and cannot be carried over to another.
#
# Memory is the price. GPT-2 small has 124,439,808 parameters of 4 bytes. Its weights and gradients take 8 bytes a parameter; what do the buffers add?

# %%
count = 124_439_808
for name, make in {
    "SGD": lambda p: SGD(p, 0.1),
    "SGD, momentum": lambda p: SGD(p, 0.1, 0.9),
    "Adam": Adam,
}.items():
    small = parameter(np.zeros(1000))
    held = sum(x.nbytes for buffers in make([small]).buffers for x in buffers.values())
    times = held // small.data.nbytes
    print(
        f"{name:14} {times} x the parameters: {times * count * 4 / 2**30:.2f} GiB for GPT-2 small"
    )

# %% [markdown]
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. The first step of an Adam that forgot to divide by the sums of weights, in units of lr?
# 2. Weight 1, gradient 0 throughout, lr = 1e-3, weight_decay = 0.01: what does AdamW leave after 100,000 steps?
# 3. A gradient is 1 in odd and -1 in even steps. How far does Adam walk in the thousandth step, in units of lr?
#
# <details><summary>Answers</summary>
#
# 1. 0.1 / sqrt(0.001) = 3.16: too long by far, just when nothing is known yet.
# 2. (1 - 1e-5) ** 100,000 = 0.368.
# 3. 0.053: the average of what alternates is nearly 0, the average of its squares is 1.
#
# </details>

# %%
print("1.", round(0.1 / 0.001**0.5, 2))
print("2.", round((1 - 1e-5) ** 100_000, 3))
p, before = parameter([0.0]), 0.0
optimizer = Adam([p], 1.0)
for step in range(1, 1001):
    before, p.grad = p.data.item(), np.float32([1 if step % 2 else -1])
    optimizer.step()
print("3.", round(abs(p.data.item() - before), 3))

# %% [markdown]
# ## In production
#
# | ours | PyTorch | the difference |
# |---|---|---|
# | `Adam(params, lr)` | `torch.optim.Adam(params, lr)` | same numbers; theirs also has AMSGrad and groups of parameters with their own lr |
# | `AdamW(params, lr)` | `torch.optim.AdamW(params, lr)` | same numbers, same default decay 0.01 |
# | row-sparse gradients in `Adam` | `torch.optim.SparseAdam` | theirs is another class; both are lazy |
#
# ## Recap
#
# 1. A running average keeps one number; divided by the sum of its weights, it is right from the first step.
# 2. Adam goes by the average gradient over its usual size: about lr per step, for every number.
# 3. eps stands outside the root; each parameter counts its own steps.
# 4. L2 inside Adam decays by the size of gradients; AdamW decays all alike.
# 5. Adam's buffers take twice the memory of the parameters, momentum's once.
#
# ## Further reading
#
# - D. P. Kingma, J. Ba, "Adam: a method for stochastic optimization", ICLR (2015): <https://arxiv.org/abs/1412.6980>
# - I. Loshchilov, F. Hutter, "Decoupled weight decay regularization", ICLR (2019): <https://arxiv.org/abs/1711.05101>
# - A. C. Wilson and others, "The marginal value of adaptive gradient methods in machine learning", NeurIPS (2017): when plain SGD is better.
#
# **Next:** 07 training. The three lines, `zero_grad`, `backward`, `step`, become a trainer with schedules, clipping and files.
