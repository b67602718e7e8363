# %% [markdown]
# # Fused
#
# > Softmax and the losses get rules of their own, short and stable; then a network learns for the first time.
#
# **The question of this notebook:** softmax and the losses could be put together from operations that have their rules. Why do they get one rule for the whole, and what can one do with gradients at last?
#
# Difficulty 4 of 5 · about 2 hours · 5 exercises and a test over the module, 100 points · prerequisites: the notebooks before it, modules 02 to 04.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | the walk, the rules of all Tensor operations, layers and losses that go forward | the rules of activations and losses; training by hand | optimizers (06), the Trainer (07) |
#
# This is the last of five notebooks of module 05, and it ends up in `tinytorch/core/fused.py`. It imports what came before from your package. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.fused

# %% nbgrader={"grade_id": "setup", "locked": true}
import math
import timeit
import tracemalloc
from functools import partial

import matplotlib.pyplot as plt
import numpy as np

# isort: off
from tinytorch.core.activations import GELU, ReLU, Sigmoid, Softmax, Tanh
from tinytorch.core.autograd import gradcheck
from tinytorch.core.layers import Dropout, Linear, Sequential, manual_seed
from tinytorch.core.losses import BCEWithLogitsLoss, BinaryCrossEntropyLoss, CrossEntropyLoss
from tinytorch.core.losses import MSELoss, log_softmax
from tinytorch.core.tensor import Tensor

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


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import numpy as np

# isort: off
from tinytorch.core.activations import GELU_CUBIC, GELU_SCALE, GeluFunction, ReluFunction
from tinytorch.core.activations import SigmoidFunction, SoftmaxFunction
from tinytorch.core.arithmetic import arrays, backward_of, needs_grad
from tinytorch.core.losses import BCEWithLogitsFunction, BinaryCrossEntropyFunction
from tinytorch.core.losses import CrossEntropyFunction, LogSoftmaxFunction, in_halves

# %% [markdown]
# ## Why one rule for the whole
#
# Softmax is exp, a sum and a division, and all of them have rules. The gradient of the composition is right, as long as the numbers are small. But look at the logarithm of a softmax at logits 1000 and 0.

# %%
x = Tensor([1000.0, 0.0], requires_grad=True)
powers = (x - x.max()).exp()
(powers / powers.sum()).log()[1].backward()
print("composed:", x.grad, "  true: [-1, 1]")

# %% [markdown]
# The probability of the second logit is 0 in float32. Its logarithm has slope 1 / 0 = inf, that meets exp's slope 0, and `inf * 0` is nan: one such nan, and after the next step every weight is nan. On paper the infinite slope and the vanishing one cancel. The machine cannot cancel what it meets one at a time; a rule for the whole can. It is also shorter, and it keeps fewer arrays.
#
# `pull` shows what a rule makes of a gradient, `check_rule` compares it with values worked by hand, `check_slopes` compares the walk with nudging. The promises are those of the notebook Derivatives: a tuple, one gradient an input, of its shape and dtype, and `grad` stays as it came.


# %% nbgrader={"grade_id": "check-rule", "locked": true}
relu, sigmoid, gelu, softmax, cross_entropy = (
    ReLU(),
    Sigmoid(),
    GELU(),
    Softmax(),
    CrossEntropyLoss(),
)


def pull(fn, grad, *inputs):
    """What the last rule of fn(*inputs) makes of `grad` or, as text, the error it ends in."""
    node = fn(*[Tensor(x, requires_grad=True) for x in inputs])._grad_fn
    with np.errstate(all="ignore"):  # as quiet as the walk
        return attempt(node.backward, np.asarray(grad, np.float32))


def check_rule(case, fn, inputs, grad, wants, because):
    """Hold a rule against gradients worked by hand: shape, values, dtype, `grad` untouched."""
    got = pull(fn, given := np.float32(grad), *inputs)
    case = f"{case} of {' and '.join(map(str, inputs))}, incoming {grad}"
    assert not isinstance(got, str), f"{because}; {case}: the rule ended in {got}"
    is_whole = isinstance(got, tuple | list) and len(got) >= len(wants)
    assert is_whole, f"{case}: return a tuple, one gradient an input, not {got!r:.90}"
    assert close(given, grad), f"{case}: `grad` was overwritten; make a new array."
    for x, want in zip(got, wants, strict=False):
        found = f"the gradient is {want}, not {x} of shape {np.shape(x)}"
        assert close(x, want), f"{because}; {case}: {found}."
        kind = np.asarray(x).dtype
        assert kind == np.float32, f"{case}: float32 wants a float32 gradient, not {kind}."


def to(targets, loss=cross_entropy):
    """The loss as a function of the predictions alone."""
    return lambda x: loss(x, targets)


def check_slopes(case, fn, *inputs):
    """Hold the rules in fn against nudging, in float64."""
    said = attempt(gradcheck, fn, inputs)
    assert said is True, f"{case}, against nudging: {said}"


# %% [markdown]
# ## Exercise 1: activations
# *Difficulty 3 of 5 · 20 points · 25 minutes*
#
# **ReLU** lets a gradient through where it let the number through, and nothing elsewhere; at 0, where it has a corner, 0, as in PyTorch. **Sigmoid** has the slope s (1 - s), s being its result. At 0 that is a quarter, and it is never more. **GELU** is `0.5 a (1 + t)` with `t = tanh(u)` and `u = GELU_SCALE * (a + GELU_CUBIC * a³)`. A product, so two terms: `0.5 (1 + t)`, and `0.5 a` times the slope of t, which is `(1 - t²)` times the slope of u. Your forward of module 02 kept t in `self.saved`: a tanh costs more than all the rest here.
#
# By hand: sigmoid at log 3 is 0.75, its slope 0.1875; incoming 16 becomes 3.
#
# **Predict first:** what is the slope of GELU at 0, at 30, at -30? Can it be negative?
#
# <details><summary>Hints</summary>
#
# `self.result > 0` is an array of True and False, and times floats these are 1 and 0. The slope of u is `GELU_SCALE * (1 + 3 * GELU_CUBIC * a²)`. `a * a`, not `a**2.0` of anything larger.
#
# </details>


# %% nbgrader={"grade_id": "activations", "solution": true}
#| export
@backward_of(ReluFunction)
def relu_backward(self, grad):
    ### BEGIN SOLUTION
    return (grad * (self.result > 0),)
    ### END SOLUTION


@backward_of(SigmoidFunction)
def sigmoid_backward(self, grad):
    ### BEGIN SOLUTION
    return (grad * (self.result * (1 - self.result)),)
    ### END SOLUTION


@backward_of(GeluFunction)
def gelu_backward(self, grad):
    a, t = self.inputs[0].data, self.saved
    ### BEGIN SOLUTION
    slope_of_u = GELU_SCALE * (1 + 3 * GELU_CUBIC * (a * a))
    return (grad * (0.5 * (1 + t) + 0.5 * a * (1 - t * t) * slope_of_u),)
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-activations", "grade": true, "points": 20}
def test_activations():
    """Slopes by hand times the incoming gradient, far out, and against nudging."""
    for case, fn, x, grad, want, because in [
        ("relu", relu, [-2, 0, 3], [4, 5, 6], [0, 0, 6], "let through where x > 0, not at 0"),
        ("sigmoid", sigmoid, [0, math.log(3)], [4, 16], [1, 3], "s (1 - s), times the incoming"),
        ("sigmoid", sigmoid, [-1000, 1000], [1, 1], [0, 0], "flat far out, and no nan"),
        ("gelu", gelu, [0, 30, -30], [2, 3, 4], [1, 3, 0], "0.5 at 0, 1 far right, 0 far left"),
    ]:
        check_rule(case, fn, [x], grad, [want], because)
    x = np.array([[-2.5, -0.7, 0.2], [0.9, 1.6, -1.1]])
    for case, fn in [("relu", relu), ("sigmoid", sigmoid), ("gelu", gelu)]:
        check_slopes(case, fn, x)
    ### BEGIN HIDDEN TESTS
    x, grad = challenge.normal(size=(2, 3, 4), scale=2), challenge.normal(size=(3, 4))
    for case, fn in [("relu", relu), ("sigmoid", sigmoid), ("gelu", gelu)]:
        observe(case, pull(fn, grad, x[0])[0], rtol=1e-4)
        observe(f"{case} again", pull(fn, grad, 3 * x[1])[0], rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_activations()

# %% [markdown]
# Twenty layers, each a matrix and a bend. Every sigmoid on the way back multiplies the gradient by at most a quarter. How much of it is left at the first layer?

# %%
finding, first = [], {}
for name, bend in {"sigmoid": Sigmoid, "ReLU": ReLU}.items():
    manual_seed(0)
    layers = [Linear(64, 64) for _ in range(20)]
    model = Sequential(*[part for layer in layers for part in (layer, bend())])
    model(Tensor(np.random.default_rng(1).normal(size=(32, 64)))).sum().backward()
    sizes = [np.sqrt((layer.weight.grad**2).mean()) for layer in layers]
    plt.semilogy(range(1, 21), sizes, "o-", label=name)
    first[name] = sizes[0] / sizes[-1]
plt.gca().set(xlabel="layer, from the input", ylabel="size of its gradient", xticks=range(1, 21, 3))
plt.title("Layer 1 gets {sigmoid:.0e} of layer 20's gradient; with ReLU {ReLU:.1g}".format(**first))
plt.legend()
plt.show()

# %% [markdown]
# ReLU's slope is 1 or 0. That saved deep networks, and it has a price: a unit that is below 0 for *every* example gets gradient 0 and never comes back. One step that was too large can do it.

# %%
manual_seed(0)
layer, x = Linear(20, 200), Tensor(np.random.default_rng(2).normal(size=(500, 20)))
for push in (0.0, 0.5, 1.0, 1.5):
    layer.weight.zero_grad()
    relu(layer(x) - push).sum().backward()
    dead = (layer.weight.grad == 0).all(axis=0).mean()
    print(f"biases {push:.1f} lower: {dead:4.0%} of the units get no gradient from 500 examples")

# %% [markdown]
# ## Exercise 2: softmax and its logarithm
# *Difficulty 4 of 5 · 20 points · 30 minutes*
#
# Each probability depends on *every* logit of its row: raise one, and the others shrink. The slope of `p[i]` in logit j is `p[i] (1 - p[j])` for i = j and `-p[i] p[j]` else. That is a table of C x C numbers for each row: for 50,000 words 10 GB. Nobody builds it. Add up along i what the incoming gradient makes of it, and what stays is `grad of logit j = p[j] * (grad[j] - sum over i of grad[i] p[i])`, in words: what logit j would get, minus the average of what all get, weighted by p. By hand: p is `[0.5, 0.25, 0.25]`, incoming `[1, 0, 0]`: the average is 0.5, and the result `[0.25, -0.125, -0.125]`. It adds up to 0, as it must: taking the same number from all logits changes nothing.
#
# `log_softmax(x)[i]` is `x[i] - log(sum(exp(x)))`. The slope of the second part in logit j is p[j], for every i, so `grad of logit j = grad[j] - p[j] * sum of grad`. No division, nothing that could be infinite. Both work along any dimension.
#
# **Predict first:** incoming `[5, 5, 5]` to a softmax: what comes back, and why?
#
# <details><summary>Hints</summary>
#
# Sums go along the dimension, with keepdims=True. The result of log-softmax is the logarithm of p: `np.exp(self.result)` is p.
#
# </details>


# %% nbgrader={"grade_id": "softmax", "solution": true}
#| export
@backward_of(SoftmaxFunction)
def softmax_backward(self, grad):
    p, dim = self.result, self.options.get("dim", -1)
    ### BEGIN SOLUTION
    average = (grad * p).sum(axis=dim, keepdims=True)
    return (p * (grad - average),)
    ### END SOLUTION


@backward_of(LogSoftmaxFunction)
def log_softmax_backward(self, grad):
    dim = self.options["axis"]
    ### BEGIN SOLUTION
    return (grad - np.exp(self.result) * grad.sum(axis=dim, keepdims=True),)
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-softmax", "grade": true, "points": 20}
def test_softmax():
    """By hand along both dimensions, far out, against nudging."""
    two, down = math.log(2), [[math.log(2), 0], [0, 0], [0, math.log(2)]]
    for case, fn, x, grad, want, because in [
        ("softmax", softmax, [two, 0, 0], [1, 0, 0], [0.25, -0.125, -0.125], "worked above"),
        ("softmax", softmax, [two, 0, 0], [5, 5, 5], [0, 0, 0], "the same for all moves nothing"),
        ("softmax", softmax, [[two, 0, 0], [0, 0, two]], [[1, 0, 0], [0, 8, 0]],
         [[0.25, -0.125, -0.125], [-0.5, 1.5, -1]], "each row by itself"),
        ("softmax, dim=0,", partial(softmax, dim=0), down, [[1, 0], [0, 8], [0, 0]],
         [[0.25, -0.5], [-0.125, 1.5], [-0.125, -1]], "along dim 0, the columns"),
        ("log_softmax", log_softmax, [two, 0, 0], [1, 0, 0], [0.5, -0.25, -0.25], "grad - p sum"),
        ("log_softmax", log_softmax, [1000, 0], [0, 1], [-1, 1], "no nan: divide by nothing"),
        ("log_softmax", log_softmax, [0, -np.inf], [1, 0], [0, 0], "a mask gets no gradient"),
        ("log_softmax, dim=0,", partial(log_softmax, dim=0), down, [[1, 0], [0, 8], [0, 0]],
         [[0.5, -2], [-0.25, 6], [-0.25, -4]], "along dim 0, the columns"),
    ]:  # fmt: skip
        check_rule(case, fn, [x], grad, [want], because)
    x = 2 * np.cos(np.arange(24.0)).reshape(2, 3, 4)
    for dim in (0, 1, -1):
        check_slopes(f"softmax along {dim}", partial(softmax, dim=dim), x)
        check_slopes(f"log_softmax along {dim}", partial(log_softmax, dim=dim), x)
    ### BEGIN HIDDEN TESTS
    x, grad = challenge.normal(size=(3, 4, 2), scale=3), challenge.normal(size=(3, 4, 2))
    for dim in (0, 1, -1):
        for name, fn in [("softmax", softmax), ("log_softmax", log_softmax)]:
            got = pull(partial(fn, dim=dim), grad, x)[0]
            observe(f"{name} {dim}", got, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_softmax()

# %% [markdown]
# ## Exercise 3: cross-entropy
# *Difficulty 4 of 5 · 22 points · 30 minutes*
#
# The loss of a row is `-log_softmax(row)[label]`: the incoming gradient of that log-softmax is -1 at the label and 0 elsewhere, so by the last exercise the logits get **p - y**, y being 1 at the label and 0 elsewhere. What the network says minus what is true: the whole rule of the loss that trains every language model. The mean over the targets that count divides by their number, and ignored rows get 0.
#
# By hand: two rows with p `[0.5, 0.25, 0.25]` and `[0.25, 0.25, 0.5]`, both labelled 0: `[[-0.5, 0.25, 0.25], [-0.75, 0.25, 0.5]]`, divided by 2.
#
# `self.saved` holds what you kept in module 04: `exps / totals` is p, `positions` are the rows that count. `grad` is the gradient of the loss, one number, and often 1, but not always. The labels get `None`. The graph is freed behind the walk, and nobody reads `exps` again: write into it, and the gradient of 16 MB needs no second array. First make it right.
#
# **Predict first:** what does a row's gradient add up to? And when is it all 0?
#
# <details><summary>Hints</summary>
#
# Start with a weight for each row, `(M, 1)`: 0, and `grad / len(positions)` at the positions. `exps[positions, labels[positions]] -= ...` reaches one entry in each row that counts. The result has the shape of the logits.
#
# </details>


# %% nbgrader={"grade_id": "cross-entropy", "solution": true}
#| export
@backward_of(CrossEntropyFunction)
def cross_entropy_backward(self, grad):
    logits, targets = arrays(self)
    (exps, totals, positions), labels = self.saved, targets.reshape(-1)
    ### BEGIN SOLUTION
    weights = np.zeros_like(totals)
    weights[positions] = grad / len(positions)
    in_halves(np.multiply, exps, weights / totals, out=exps)  # p, times each row's weight
    exps[positions, labels[positions]] -= weights[positions, 0]
    return exps if logits.ndim == 2 else exps.reshape(logits.shape), None  # views are copied
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-cross-entropy", "grade": true, "points": 22}
def test_cross_entropy():
    """p - y by hand; ignored rows; stacks; huge logits; another incoming; against nudging."""
    two = math.log(2)
    rows = [[two, 0, 0], [0, 0, two]]
    half = np.array([[-0.25, 0.125, 0.125], [-0.375, 0.125, 0.25]])
    for labels, x, grad, want, because in [
        ([0, 0], rows, 1, half, "(p - y) / 2, worked above"),
        ([0, 0], rows, 10, 10 * half, "times the incoming gradient"),
        ([0, -100], rows, 1, [[-0.5, 0.25, 0.25], [0, 0, 0]], "one counts: p - y, others get 0"),
        ([-100, 0], rows, 1, [[0, 0, 0], [-0.75, 0.25, 0.5]], "one counts: p - y, others get 0"),
        ([[0], [0]], [[rows[0]], [rows[1]]], 1, half[:, None], "in the shape of the logits"),
        ([0, 1], [[1000, -1000], [1000, -1000]], 2, [[0, 0], [1, -1]], "no nan far out"),
        ([0], [[two, 0, -np.inf]], 3, [[-1, 1, 0]], "a masked class gets no gradient"),
    ]:
        case = f"CrossEntropyLoss, labels {labels},"
        check_rule(case, to(labels), [x], grad, [want], because)
    x, labels = 3 * np.cos(np.arange(24.0)).reshape(2, 3, 4), [[0, 3, -100], [2, 2, 1]]
    check_slopes("cross-entropy", to(labels), x)
    check_slopes("three times its square", lambda x: cross_entropy(x, labels) ** 2 * 3, x)
    ### BEGIN HIDDEN TESTS
    x, labels = challenge.normal(size=(5, 3, 4), scale=3), challenge.integers(0, 4, size=(5, 3))
    observe("stack", pull(to(labels), challenge.normal(), x)[0])
    labels[:, 0] = -100
    observe("ignoring", pull(to(labels), 1, 30 * x)[0])
    ### END HIDDEN TESTS


test_cross_entropy()

# %% [markdown]
# ## Exercise 4: yes or no
# *Difficulty 4 of 5 · 18 points · 25 minutes*
#
# From a **logit** x with s = sigmoid(x) it is the same again: **s - t**, over the number of entries. From a **probability**: the slope of `-(t log p + (1 - t) log(1 - p))` is `(p - t) / (p (1 - p))`. The forward clamped p to [eps, 1 - eps]; outside, nudging p changes nothing, so the gradient is 0, inside the formula holds. For p = 0.8, t = 1: -0.2 / 0.16 = -1.25.
#
# Think about what that 0 means. A network that is *certain and wrong*, p = 0 for a yes, gets no push at all. PyTorch clamps the logarithm instead, at -100, and divides by at least 1e-12; there the push is -1e12, which ruins the network in another way. Both are reasons to use logits, where the gradient is -1.
#
# Targets may be Tensors that want a gradient, too (one network teaching another). Their slopes are `log(1 - p) - log p`, p clamped, and `-x`. Give `None` when nobody asks: `needs_grad(self.inputs[1])`.
#
# **Predict first:** x is `[1000, -1000]`, t is `[0, 0]`. Both gradients?
#
# <details><summary>Hints</summary>
#
# `SigmoidFunction().forward(x)` is your stable sigmoid on arrays. `inside = (p >= eps) & (p <= 1 - eps)`, before p is clamped.
#
# </details>


# %% nbgrader={"grade_id": "yes-or-no", "solution": true}
#| export
@backward_of(BinaryCrossEntropyFunction)
def binary_cross_entropy_backward(self, grad):
    p, t = arrays(self)
    t, eps, scale = np.asarray(t, p.dtype), self.options["eps"], grad / p.size
    ### BEGIN SOLUTION
    inside = (p >= eps) & (p <= 1 - eps)
    p = np.clip(p, eps, 1 - eps)
    of_p = scale * inside * (p - t) / (p * (1 - p))
    of_t = scale * (np.log(1 - p) - np.log(p)) if needs_grad(self.inputs[1]) else None
    return of_p, of_t
    ### END SOLUTION


@backward_of(BCEWithLogitsFunction)
def bce_with_logits_backward(self, grad):
    x, t = arrays(self)
    t, scale = np.asarray(t, x.dtype), grad / x.size
    ### BEGIN SOLUTION
    of_x = scale * (SigmoidFunction().forward(x) - t)
    return of_x, -scale * x if needs_grad(self.inputs[1]) else None
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-yes-or-no", "grade": true, "points": 18}
def test_yes_or_no():
    """Both forms by hand; the clamp; far out; targets that ask; against nudging."""
    of_p, of_x, three = BinaryCrossEntropyLoss(), BCEWithLogitsLoss(), math.log(3)
    for name, loss, x, t, grad, want, because in [
        ("BCE", of_p, [0.8], [1], 1, [-1.25], "(p - t) / (p (1 - p)), worked above"),
        ("BCE", of_p, [0.8, 0.5], [0.5, 0], 4, [3.75, 4], "times the incoming, over 2 entries"),
        ("BCE", of_p, [0.0, 1.0, 0.5], [1, 0, 1], 3, [0, 0, -2], "0 where p was clamped"),
        ("BCE with logits", of_x, [three, -three], [1, 1], 4, [-0.5, -1.5], "(s - t) / 2"),
        ("BCE with logits", of_x, [1000, -1000], [0, 0], 2, [1, 0], "no nan far out"),
        ("BCE with logits", of_x, [[0], [three]], [[0.5], [0.25]], 2, [[0], [0.5]], "soft targets"),
    ]:
        case = f"{name}, targets {t},"
        check_rule(case, to(t, loss), [x], grad, [want], because)
        assert pull(to(t, loss), 1, x)[1] is None, f"{case} did not ask: None for them."
    p, t = np.array([[0.3, 0.9], [0.6, 0.05]]), np.array([[0.2, 0.7], [0.95, 0.4]])
    for loss, case in [(of_p, "BCE"), (of_x, "BCE with logits")]:
        check_slopes(f"{case}, of predictions and targets", loss, p, t)
    ### BEGIN HIDDEN TESTS
    p, t = challenge.uniform(0, 1, size=(2, 3, 4))
    p[0, 0] = 0
    for name, loss, x in [("p", of_p, p), ("x", of_x, 20 * p - 10)]:
        for part, got in zip(("prediction", "target"), pull(loss, 3, x, t), strict=True):
            observe(f"{name}, {part}", got, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_yes_or_no()

# %% [markdown]
# ## Exercise 5: learning, by hand
# *Difficulty 2 of 5 · 10 points · 15 minutes*
#
# All is there: a network, a loss, and for each weight the number that says how much the loss moves when the weight does. So move every weight a little *against* its gradient, and do it again. One step: forget the old gradients, or the new ones are added to them. Forward, to the loss. `loss.backward()`. Then, for each parameter, data becomes data - lr * grad.
#
# `lr`, the learning rate, says how far a step goes. Step on `parameter.data`: that is the one place where a graph has nothing to remember. Module 06 makes these lines into optimizers, module 07 into a Trainer.
#
# **Predict first:** what happens when a step forgets to forget?
#
# <details><summary>Hints</summary>
#
# `model.parameters()`, `parameter.zero_grad()`, `loss.item()`. In place: `parameter.data -= lr * parameter.grad`.
#
# </details>


# %% nbgrader={"grade_id": "descend", "solution": true}
def descend(model, loss_fn, inputs, targets, lr: float, steps: int) -> list[float]:
    """Take `steps` steps down the gradient; return the loss before each, as Python numbers."""
    losses = []
    for _ in range(steps):
        ### BEGIN SOLUTION
        for parameter in model.parameters():
            parameter.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        for parameter in model.parameters():
            parameter.data -= lr * parameter.grad
        losses.append(loss.item())
        ### END SOLUTION
    return losses


# %% nbgrader={"grade_id": "test-descend", "grade": true, "points": 10}
def by_formula(x, y, weight, bias, lr, steps):
    """The same for y = x @ weight + bias and squared error, from its formula."""
    losses = []
    for _ in range(steps):
        error = x @ weight + bias - y
        losses.append((error**2).mean())
        weight = weight - lr * 2 * x.T @ error / error.size
        bias = bias - lr * 2 * error.sum(axis=0) / error.size
    return weight, bias, losses


def test_descend():
    """Three steps of a linear model against formulas; Python numbers; still parameters after."""
    x, y = np.float32([[0, 1], [1, 0], [2, 2]]), np.float32([[1], [3], [5]])
    model = Linear(2, 1)
    start = model.weight.data.copy(), model.bias.data.copy()
    losses = descend(model, MSELoss(), Tensor(x), Tensor(y), lr=0.1, steps=3)
    weight, bias, want = by_formula(x, y, *start, 0.1, 3)
    kinds = [type(loss).__name__ for loss in losses]
    assert kinds == ["float"] * 3, f"Three losses as Python numbers (.item()), not {kinds}."
    assert close(losses[:2], want[:2]), f"Losses {want} by formula, yours {losses}: down, by lr?"
    assert close(losses, want), f"Step 3 should cost {want[2]}, not {losses[2]}: forget old grads."
    assert close(model.weight.data, weight), f"The weight is {weight}, not {model.weight.data}."
    assert close(model.bias.data, bias), f"The bias is {bias}, not {model.bias.data}."
    leaf = model.weight.requires_grad and model.weight._grad_fn is None
    assert leaf, "The weight became part of a graph: step on .data."
    ### BEGIN HIDDEN TESTS
    x, y, weight = (challenge.normal(size=n).astype(np.float32) for n in ((8, 3), (8, 2), (3, 2)))
    model = Linear(3, 2)
    model.weight.data[...] = weight
    losses = descend(model, MSELoss(), Tensor(x), Tensor(y), lr=0.05, steps=4)
    observe("losses", np.array(losses), rtol=1e-4)
    observe("weight", model.weight.data, rtol=1e-4)
    observe("bias", model.bias.data, rtol=1e-4)
    ### END HIDDEN TESTS


test_descend()

# %%
manual_seed(1)
x = np.linspace(-3, 3, 100, dtype=np.float32)[:, None]
y = np.sin(x) + np.random.default_rng(3).normal(size=x.shape, scale=0.1).astype(np.float32)
model = Sequential(Linear(1, 32), Tanh(), Linear(32, 1))
fig, axes = plt.subplots(1, 2)
axes[0].plot(x, y, ".", color="gray")
axes[0].plot(x, model(Tensor(x)).data, "--", label="before")
losses = descend(model, MSELoss(), Tensor(x), Tensor(y), lr=0.05, steps=1000)
axes[0].plot(x, model(Tensor(x)).data, label="after")
axes[1].semilogy(losses)
axes[0].set(xlabel="x", ylabel="y")
axes[1].set(xlabel="step", ylabel="loss")
axes[0].legend()
fig.suptitle(
    f"1000 steps down the gradient: the loss falls from {losses[0]:.2f} to {losses[-1]:.3f}"
)
plt.show()

# %% [markdown]
# ## All together
# *10 points.* Gradients through whole networks: layers, bends, dropout, losses.


# %% nbgrader={"grade_id": "test-fused-module", "grade": true, "points": 10}
def through_layers(bend, loss, targets):
    """A function of the input and of all weights: the loss of a network of two layers."""
    first, second = Linear(3, 5), Linear(5, 2)
    model = Sequential(first, bend, second)

    def loss_of(x, w, b, v, c):
        first.weight, first.bias, second.weight, second.bias = w, b, v, c
        return loss(model(x), targets)

    return loss_of


def test_fused_module():
    """Networks against nudging; dropout; a first fit."""
    whole = np.cos(np.arange(60.0))
    inputs = [whole[:12].reshape(4, 3), whole[12:27].reshape(3, 5), whole[27:32]]
    inputs += [whole[32:42].reshape(5, 2), whole[42:44]]
    yes = np.eye(2)[[0, 1, 1, 0]]
    for bend, loss, targets in [
        (relu, cross_entropy, [0, 1, -100, 1]),
        (gelu, BCEWithLogitsLoss(), yes),
        (lambda x: softmax(sigmoid(x)), MSELoss(), yes),
        (lambda x: log_softmax(x.tanh(), dim=0), lambda x, t: -(x * t).mean(), yes),
    ]:
        check_slopes(f"Linear, bend, Linear, {loss}", through_layers(bend, loss, targets), *inputs)
    x = Tensor(np.ones((50, 4)), requires_grad=True)
    out = Dropout(0.5)(x)
    out.sum().backward()
    assert close(x.grad, out.data), "Dropout is x times a mask: its gradient is that mask."
    manual_seed(0)
    model, x = Sequential(Linear(2, 16), Tanh(), Linear(16, 2)), [[0, 0], [0, 1], [1, 0], [1, 1]]
    losses = descend(model, cross_entropy, Tensor(np.float32(x)), [0, 1, 1, 0], lr=0.5, steps=500)
    assert losses[-1] < 0.1 < losses[0], f"XOR must be learned: {losses[0]} to {losses[-1]}."
    ### BEGIN HIDDEN TESTS
    drawn = [challenge.normal(size=np.shape(x)) for x in inputs]
    tensors = [Tensor(x, requires_grad=True, dtype=np.float64) for x in drawn]
    labels = challenge.integers(0, 2, size=4)
    (through_layers(gelu, cross_entropy, labels)(*tensors) ** 2).backward()
    for number, x in enumerate(tensors):
        observe(f"input {number}", x.grad, rtol=1e-6, atol=1e-9)
    ### END HIDDEN TESTS


test_fused_module()

# %% [markdown]
# ## Measure it: one rule or nine
#
# The experiment of module 04 again, there and back: 4096 rows of 1000 logits, softmax, logarithm and picking by Tensor operators with a rule each, or your fused Function with p - y. What do forward and backward take, and how much memory at the peak, beside the logits and their gradient, 16 MB each?


# %%
def from_operators(x, labels):
    powers = (x - x.max(axis=1, keepdims=True)).exp()
    log_probabilities = (powers / powers.sum(axis=1, keepdims=True)).log()
    return -log_probabilities[np.arange(len(labels)), labels].mean()


generator = np.random.default_rng(1)
x = Tensor(generator.normal(size=(4096, 1000)), requires_grad=True)
labels, found = generator.integers(0, 1000, size=4096), {}
for name, way in {"operators": from_operators, "fused": cross_entropy}.items():

    def there_and_back(way=way):
        x.zero_grad()
        way(x, labels).backward()

    ms = min(timeit.repeat(there_and_back, number=1, repeat=5)) * 1e3
    x.zero_grad()
    tracemalloc.start()
    there_and_back()
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    found[name] = x.grad
    print(f"{name:9} {ms:5.1f} ms, {peak:4.0f} MiB at the peak, the gradient among them")
print("largest difference:", abs(found["operators"] - found["fused"]).max())

# %% [markdown]
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes the numbers.
#
# 1. At the first step a network knows nothing of 10 classes. Which gradient does the logit of the true class get, which do the others, before the mean?
# 2. A gradient goes through 20 sigmoids at their steepest, and through nothing else. What is left of 1?
#
# <details><summary>Answers</summary>
#
# 1. 0.1 - 1 = -0.9, and 0.1: p - y.
# 2. 0.25 ** 20, about 1e-12.
#
# </details>

# %%
x = Tensor(np.zeros((1, 10)), requires_grad=True)
cross_entropy(x, [0]).backward()
print("1.", x.grad[0, :2], " 2.", 0.25**20)

# %% [markdown]
# ## In production
#
# PyTorch fuses for the same reasons: `F.cross_entropy` is `log_softmax` and `nll_loss`, each with a rule of its own, `binary_cross_entropy_with_logits` has one for the whole. For language models with large vocabularies newer kernels go further and write the gradient into the memory of the logits themselves; ours writes it over the exponentials.
#
# ## Recap
#
# 1. Compose where you can; fuse where an infinite slope meets a vanishing one, or where arrays are large.
# 2. ReLU passes 1 or 0, sigmoid at most a quarter: twenty of those leave nothing.
# 3. Softmax: p times what is left of grad after its average; no C x C table.
# 4. Cross-entropy from logits: p - y over the number of targets; from yes-or-no logits s - t.
# 5. Learning is: forget, forward, backward, a small step against the gradient.
#
# ## Further reading
#
# - X. Glorot, Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks", *AISTATS* (2010): what sigmoids do to gradients, measured.
# - J. S. Bridle, "Probabilistic interpretation of feedforward classification network outputs", *Neurocomputing* (1990): softmax, and why its gradient is p - y.
# - D. E. Rumelhart, G. E. Hinton, R. J. Williams, "Learning representations by back-propagating errors", *Nature* 323 (1986).
#
# **Next:** `tito module complete 05`, then 06 optimizers: better ways to take a step.
