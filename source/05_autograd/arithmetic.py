# %% [markdown]
# # Arithmetic, backward
#
# > The chain rule one operation at a time: each operation gets the rule that its gradients follow.
#
# **The question of this notebook:** a result came out of three operations. Which way, and how fast, does it move when one of the numbers that went in moves a little?
#
# Difficulty 3 of 5 · about 1 hour 30 minutes · 5 exercises and a test over the notebook, 100 points · prerequisites: modules 01 to 04, the derivative of a product and of a quotient.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | operations that go forward and remember what they were given | the way back through `+`, `-`, `*` and `/`, stretched operands included | the walk through any graph (next notebook), the rules of all other operations |
#
# This is the first of five notebooks of module 05, and it ends up in `tinytorch/core/arithmetic.py`. It imports Tensor and its operations from your package. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.arithmetic

# %% nbgrader={"grade_id": "setup", "locked": true}
import operator
import timeit

import matplotlib.pyplot as plt
import numpy as np

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


def close(got, want, rtol=1e-4, atol=1e-5):
    """True when both have the same shape and, nearly to float32 precision, the same values."""
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
import numpy as np

from tinytorch.core.functions import Add, Div, Function, Mul, Neg, Sub
from tinytorch.core.tensor import Tensor

# %% [markdown]
# ## A slope is what a nudge does
#
# Take f(a, b) = a * b + a at a = 2, b = 3: the result is 8. Nudge a to 2.001 and the result becomes 8.004: it moved **4 times** as far as a did. Nudge b to 3.001: 8.002, **2 times** as far. These two numbers are the slopes of f, its partial derivatives, and together they are its **gradient**: (4, 2). A derivative is nothing more: how much the result moves, per move of an input.
#
# Nudging needs no theory. `nudged` does it for arrays, entry by entry: a step down, a step up, the difference over the distance (stepping both ways cancels the largest error; the notebook Autograd measures that). A function with many results has many slopes for each input, so `nudged` is told how much each result *matters*, an array `grad`, and it watches the sum of `result * grad`. Your rules will be held against it.


# %% nbgrader={"grade_id": "nudged", "locked": true}
def nudged(function, inputs, grad=1.0, step=1e-5):
    """For each input, the slopes of (function(*inputs) * grad).sum(), entry by entry."""
    inputs, slopes = [np.array(x, np.float64) for x in inputs], []
    for x in inputs:
        slope = np.zeros_like(x)
        for index in np.ndindex(x.shape):
            middle, ends = x[index], []
            for x[index] in (middle - step, middle + step):
                ends.append(np.sum(function(*inputs) * grad))
            x[index] = middle
            slope[index] = (ends[1] - ends[0]) / (2 * step)
        slopes.append(slope)
    return slopes


# %%
slope_a, slope_b = nudged(lambda a, b: a * b + a, [2.0, 3.0])
print(f"slope in a: {slope_a:.4f}, slope in b: {slope_b:.4f}")
print(f"if the result matters 10 times: {nudged(lambda a: a * 3 + a, [2.0], grad=10)[0]:.4f}")

# %% [markdown]
# ## A rule for each operation
#
# Nudging costs two runs of the network *for each weight*. GPT-2 has 124 million. The way out is to ask the operations one by one. Each knows its own **local slopes**, and slopes along a path multiply: if the loss moves 10 times as far as `product`, and `product = a * b` moves 3 times as far as a (b is 3), then the loss moves 30 times as far as a. That is the whole chain rule:
#
# ```
#     incoming gradient        times the local slope      gradient of the input
#  how the end moves with  ──▶  how the result moves  ──▶  how the end moves with
#        the result                with the input                the input
# ```
#
# So each operation needs one rule: `backward(grad)` gets the incoming gradient, an array in the shape of the result, and returns **one gradient an input, in a tuple**. It runs from the end of the network to its start, because there is one loss and there are many weights: one sweep gives all slopes at once.
#
# Your forwards in module 01 know nothing of this, and stay as they are. The rules live beside them, as in PyTorch, which keeps them all in one file, `derivatives.yaml`. The decorator `@backward_of(Add)` attaches a rule to its operation. In a rule, `self.inputs` are the Tensors and Python numbers that went in, `self.result` is the array that came out; `arrays(self)` gives the inputs without their wrapping, and `needs_grad(x)` says whether anybody wants the gradient of `x`. A gradient that nobody wants may be `None`, and for costly ones it should be.


# %% nbgrader={"grade_id": "backward-of", "locked": true}
#| export
def backward_of(operation: type[Function]):
    """Attach the decorated rule, `rule(self, grad)`, to an operation as its `backward`."""

    def attach(rule):
        operation.backward = rule
        return rule

    return attach


def needs_grad(x: Tensor | float) -> bool:
    """Whether somebody wants the gradient of `x`, an input of an operation; of a number, nobody."""
    return getattr(x, "requires_grad", False)  # a number has no such attribute


def arrays(function: Function) -> tuple[np.ndarray | float, ...]:
    """The inputs of an operation as arrays and numbers."""
    return tuple(x.data if isinstance(x, Tensor) else x for x in function.inputs)


# %% nbgrader={"grade_id": "check-rule", "locked": true}
TABLE, ROW, ONE = np.float32([[1, 2, 4], [3, -5, 6]]), np.float32([2, 0.5, -1]), np.array(3.0)


def check_rule(operation, function, *inputs, because, rng=None):
    """Hold an operation's rule against nudging; return its gradients by name, those of Tensors."""
    mixed = [x if isinstance(x, float) else Tensor(x, requires_grad=True) for x in inputs]
    out = operation.apply(*mixed)
    given = np.cos(np.arange(1, out.size + 1)) if rng is None else rng.normal(size=out.size)
    given = given.astype(np.float32).reshape(out.shape)
    case = f"{operation.__name__} of " + " and ".join(str(np.shape(x)) for x in inputs)
    got = attempt(out._grad_fn.backward, grad := given.copy())
    assert not isinstance(got, str), f"{case}: the rule ended in {got}"
    whole = isinstance(got, tuple | list) and len(got) == len(inputs)
    assert whole, f"{case}: return one gradient an input, in a tuple. Got {got!r:.80}"
    assert close(grad, given), f"{case}: the rule wrote into the incoming gradient; make a new one."
    slopes = nudged(function, arrays(out._grad_fn), given)
    found = {}
    for name, x, answer, slope in zip("ab", mixed, got, slopes, strict=False):
        if not needs_grad(x):
            continue
        where, answer = f"{case}, the gradient of {name}", np.asarray(answer)
        assert answer.dtype != object, f"{where} is None, but somebody wants it."
        shape = answer.shape
        assert shape == x.shape, f"{where} has shape {shape}, its input {x.shape}: unbroadcast it."
        says = f"nudging says {slope.tolist()!s:.90}, the rule {answer.tolist()!s:.90}"
        assert close(answer, slope), f"{where}: {because}; {says}."
        assert answer.dtype == "float32", f"{where}: float32 became {answer.dtype}."
        found[name] = answer
    return found


def drawn(operation, function, *cases):
    """The gradients of an operation on drawn inputs, held against nudging, with their names."""
    for i, inputs in enumerate(cases):
        found = check_rule(operation, function, *inputs, because="drawn inputs", rng=challenge)
        yield from ((f"{operation.__name__} {i} {name}", answer) for name, answer in found.items())


# %% [markdown]
# ## Exercise 1: what was stretched is summed
# *Difficulty 3 of 5 · 22 points · 25 minutes*
#
# First a matter that all four operations share. A bias of shape `(3,)` is added to a batch `(2, 3)`: broadcasting reads the same three numbers for both rows. Nudge `bias[0]`, and *both* entries of column 0 move. The end feels the sum of both, so the gradient of `bias[0]` is the **sum** of column 0 of the incoming gradient. Whatever broadcasting stretches on the way forward is summed on the way back:
#
# ```
#  shape of the input    shape of the result and of grad    gradient of the input
#        (3,)                     (2, 3)                    sum over axis 0, which the input lacks
#      (2, 1)                     (2, 3)                    sum over axis 1, but keep it: (2, 1)
#          ()                     (2, 3)                    sum of everything
#      (4, 1)                  (5, 4, 3)                    axis 0 is lacking, axis 2 is kept as 1
# ```
#
# Write `unbroadcast(grad, shape)`: sum `grad` until it has exactly the shape of the input. A gradient that has the wrong shape but broadcasts would not fail: it would spread the error silently.
#
# By hand: `grad = [[1, 2, 3], [10, 20, 30]]` becomes `[11, 22, 33]` for an input `(3,)`, `[[6], [60]]` for `(2, 1)`, and 66 for `()`.
#
# **Predict first:** for an input of shape `(1, 3)` the numbers are those for `(3,)`. What differs, and which argument of `sum` makes the difference?
#
# <details><summary>Hints</summary>
#
# 1. First the axes the input lacks: they stand on the left, `grad.ndim - len(shape)` of them. `sum` takes a tuple of axes, and `sum(axis=())` sums over none.
# 2. Then both have as many axes. Where `shape` has a 1 and `grad` has something else, sum with `keepdims=True`.
#
# </details>


# %% nbgrader={"grade_id": "unbroadcast", "solution": true}
#| export
def unbroadcast(grad: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Sum `grad` over the axes along which an input of this shape was stretched: (...) -> shape.

    >>> unbroadcast(np.ones((2, 3)), (3,))
    array([2., 2., 2.])
    """
    ### BEGIN SOLUTION
    if grad.ndim > len(shape):
        grad = grad.sum(axis=tuple(range(grad.ndim - len(shape))))
    stretched = tuple(axis for axis, size in enumerate(shape) if size != grad.shape[axis])
    return grad.sum(axis=stretched, keepdims=True) if stretched else grad
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-unbroadcast", "grade": true, "points": 22}
def summed_by_hand(grad, shape):
    """Each entry of `grad` is added to the entry of the input that broadcasting read there."""
    places = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    total = np.zeros(places.size)
    for place, value in zip(np.broadcast_to(places, grad.shape).flat, grad.flat, strict=True):
        total[place] += value
    return total.reshape(shape)


def test_unbroadcast():
    """Lacking axes, axes of size 1, both, none, empty ones: against adding entry by entry."""
    for grad_shape, shape, because in [
        ((2, 3), (2, 3), "nothing was stretched"),
        ((2, 3), (3,), "the input lacks axis 0: sum over it"),
        ((2, 3), (1, 3), "axis 0 has size 1: sum over it, and keep it"),
        ((2, 3), (2, 1), "axis 1 has size 1: sum over it, and keep it"),
        ((2, 3), (1, 1), "both axes were stretched"),
        ((2, 3), (), "a number was used for every entry"),
        ((3, 3), (3,), "it is the left axis that is lacking, whatever the sizes"),
        ((5, 4, 3), (4, 1), "one axis is lacking, another was stretched"),
        ((2, 5, 4, 3), (4, 3), "two axes are lacking"),
        ((0, 3), (1, 3), "a sum of no entries is 0"),
    ]:
        grad = np.cos(np.arange(np.prod(grad_shape), dtype=np.float32)).reshape(grad_shape)
        got, want = attempt(unbroadcast, grad.copy(), shape), summed_by_hand(grad, shape)
        case = f"unbroadcast(grad of {grad_shape}, {shape})"
        made = got if isinstance(got, str) else f"{np.shape(got)}, {np.round(got, 3).tolist()}"
        assert close(got, want), (
            f"{case} is {shape}, {want.round(3).tolist()}: {because}. Got {made}"
        )
        assert got.dtype == "float32", f"{case}: float32 became {got.dtype}; do not cast."
    ### BEGIN HIDDEN TESTS
    for i in range(4):
        whole, is_one = challenge.integers(2, 5, size=3), challenge.integers(0, 2, size=3)
        shape = tuple(np.where(is_one, 1, whole).tolist())[i % 3 :]
        grad = challenge.normal(size=whole).astype(np.float32)
        got = attempt(unbroadcast, grad, shape)
        assert close(got, summed_by_hand(grad, shape)), f"{grad.shape} -> {shape} gave {got}."
        observe(f"summed {i}", got, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_unbroadcast()


# %%
bias, grad = np.array([[5, 6, 7]]), np.array([[1, 2, 3], [10, 20, 30], [100, 200, 300]])
grids = {"bias (1, 3)": bias, "forward: stretched": np.broadcast_to(bias, (3, 3))}
grids |= {"backward: grad (3, 3)": grad, "summed to (1, 3)": unbroadcast(grad, (1, 3))}
fig, axes = plt.subplots(1, 4, figsize=(8, 2.2))
for ax, (title, values) in zip(axes, grids.items(), strict=True):
    own = np.arange(len(values))[:, None] == np.zeros(3)  # the first row; below it stand copies
    ax.imshow(0.1 + 0.4 * own, cmap="Blues", vmin=0, vmax=1)
    for (row, column), value in np.ndenumerate(values):
        ax.text(column, row, value, ha="center", va="center")
    ax.set(title=title, xticks=[], yticks=[])
fig.suptitle("An entry that is read three times collects three gradients")
plt.show()

# %% [markdown]
# ## Exercise 2: the rules of add, neg and sub
# *Difficulty 2 of 5 · 18 points · 15 minutes*
#
# For `a + b` both local slopes are 1: each input gets the incoming gradient as it is. For `-a` the slope is -1. You write the rules of `Neg` and `Sub`; that of `Add` too, as soon as you have seen `for_input`, which it needs. `for_input(grad, x)` brings a gradient into the shape of the input `x`, by your `unbroadcast`, and answers `None` if nobody wants it: for the 2 in `t + 2`, say.
#
# Two traps. A rule returns a tuple even for one gradient: `(grad,)`. And the incoming array is not yours: others read it too, so compute new arrays, never `grad *= -1`.
#
# **Predict first:** `out = 10 - t` for `t` of shape `(2, 3)`. What does the rule of `Sub` return for the 10, and what for `t`?


# %% nbgrader={"grade_id": "for-input", "locked": true}
#| export
def for_input(grad: np.ndarray, x: Tensor | float) -> np.ndarray | None:
    """`grad` in the shape of the input `x`, or None if nobody wants the gradient of `x`."""
    if not getattr(x, "requires_grad", False):  # needs_grad(x), without the call: this runs a lot
        return None
    shape = x.data.shape
    return grad if grad.shape == shape else unbroadcast(grad, shape)


# %% nbgrader={"grade_id": "sums", "solution": true}
#| export
@backward_of(Add)
def add_backward(self, grad):
    """The gradients of a and b in a + b."""
    a, b = self.inputs
    ### BEGIN SOLUTION
    return for_input(grad, a), for_input(grad, b)
    ### END SOLUTION


@backward_of(Neg)
def neg_backward(self, grad):
    """The gradient of a in -a."""
    ### BEGIN SOLUTION
    return (-grad,)
    ### END SOLUTION


@backward_of(Sub)
def sub_backward(self, grad):
    """The gradients of a and b in a - b."""
    a, b = self.inputs
    ### BEGIN SOLUTION
    return for_input(grad, a), for_input(-grad, b)
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-sums", "grade": true, "points": 18}
def test_sums():
    """Values, shapes, numbers on either side; the incoming gradient is left alone."""
    for a, b, because in [
        (TABLE, TABLE + 1, "both slopes are 1"),
        (TABLE, ROW, "what was stretched is summed"),
        (TABLE[:, :1], ROW, "both were stretched, along different axes"),
        (ONE, TABLE, "a 0-d tensor was used for each entry"),
        (2.0, ROW, "a number beside a tensor changes nothing for it"),
        (ROW, 2.0, "a number beside a tensor changes nothing for it"),
    ]:
        check_rule(Add, operator.add, a, b, because=because)
        because = "the slopes are 1 and -1: mind the sign"
        check_rule(Sub, operator.sub, a, b, because=because)
    for a in (TABLE, ONE):
        check_rule(Neg, operator.neg, a, because="the slope of -a is -1")
    ### BEGIN HIDDEN TESTS
    a, b = challenge.normal(size=(2, 1, 3)), challenge.normal(size=(4, 1))
    pairs = [(a, b), (b, a), (a, 2.5), (2.5, b)]
    for rule in [
        (Add, operator.add, *pairs),
        (Sub, operator.sub, *pairs),
        (Neg, operator.neg, [a]),
    ]:
        for name, gradient in drawn(*rule):
            observe(name, gradient, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_sums()

# %%
out = 10 - Tensor([[1.0, 2, 3], [4, 5, 6]], requires_grad=True)
print("10 - t:", out._grad_fn.backward(np.ones((2, 3), np.float32)))

# %% [markdown]
# ## Exercise 3: the rule of mul
# *Difficulty 2 of 5 · 18 points · 15 minutes*
#
# Nudge a in a * b: the result moves b times as far. So the local slope for a is **b**, and for b it is **a**: each input's gradient holds the *other* input. This is why a graph must keep what went into an operation, and why training takes so much more memory than answering.
#
# By hand, for a = [1, 2], b = [5, 7] and an incoming gradient [10, 100]: the gradient of a is [50, 700], that of b is [10, 200].
#
# One more case: for `x * x` the rule gets the same Tensor twice and returns two gradients, each `grad * x`. Whoever walks the graph will *add* them, and so find 2x. A rule need not know.
#
# **Predict first:** `scores * 0.125`: which arrays are needed on the way back? Is that less than for `scores * mask`?
#
# <details><summary>Hints</summary>
#
# `x` and `y` are arrays or numbers, `a` and `b` the same as Tensors. First multiply, then bring into shape: `for_input(grad * y, a)`. The product for an input that wants no gradient would be wasted: `... if needs_grad(a) else None`.
#
# </details>


# %% nbgrader={"grade_id": "products", "solution": true}
#| export
@backward_of(Mul)
def mul_backward(self, grad):
    """The gradients of a and b in a * b."""
    a, b = self.inputs
    x, y = arrays(self)
    ### BEGIN SOLUTION
    return (
        for_input(grad * y, a) if needs_grad(a) else None,
        for_input(grad * x, b) if needs_grad(b) else None,
    )
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-products", "grade": true, "points": 18}
def test_products():
    """By hand, then against nudging: each the other's slope, stretched operands, numbers, x * x."""
    a, b = Tensor([1.0, 2.0], requires_grad=True), Tensor([5.0, 7.0], requires_grad=True)
    got = attempt(lambda: np.float32((a * b)._grad_fn.backward(np.float32([10, 100]))))
    says = f"[1, 2] * [5, 7], grad [10, 100]: grad * b = [50, 700], grad * a. Got {got}"
    assert close(got, [[50, 700], [10, 200]]), says
    for x, y, because in [
        (TABLE, TABLE + 1, "each input's slope is the other input"),
        (TABLE, ROW, "multiply first, then sum what was stretched"),
        (ROW, ONE, "multiply first, then sum what was stretched"),
        (ROW, 3.0, "the slope is the number"),
        (-0.5, TABLE, "the slope is the number"),
        (np.float32([0, 0]), np.float32([0, 4]), "a slope may be 0: do not divide the result"),
    ]:
        check_rule(Mul, operator.mul, x, y, because=because)
    x = Tensor([3.0], requires_grad=True)
    got = attempt(lambda: np.float32((x * x)._grad_fn.backward(np.float32([1]))))
    assert close(got, [[3], [3]]), f"x * x at 3: two gradients, 3 each. The rule gave {got}."
    ### BEGIN HIDDEN TESTS
    x, y = challenge.normal(size=(2, 1, 3)), challenge.normal(size=(4, 1))
    for name, gradient in drawn(Mul, operator.mul, (x, y), (y, x), (x, 2.5), (-1.5, y)):
        observe(name, gradient, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_products()

# %% [markdown]
# ## Exercise 4: the rule of div
# *Difficulty 3 of 5 · 18 points · 20 minutes*
#
# a / b is a * (1/b). So the slope for a is 1/b. For b, take 12 / 3 = 4 and nudge: 12 / 3.001 = 3.99867, a move of -0.00133 for 0.001: the slope is **-1.333**, which is -12/9. A larger divisor makes less: the sign is minus. And halving a divisor that is small already moves the result more: b stands there squared, **-a / b²**. It is the result over b, with a minus: -4 / 3 is -1.333 as well. At b = 0.001 the slope of 1 / b is a million: this is why normalising layers (module 13) add a small `eps` to what they divide by.
#
# **Predict first:** softmax divides exponentials `(2, 5)` by their sums `(2, 1)`. Which shape has `grad * x / (y * y)`, and which the gradient of the sums?


# %% nbgrader={"grade_id": "quotients", "solution": true}
#| export
@backward_of(Div)
def div_backward(self, grad):
    """The gradients of a and b in a / b."""
    a, b = self.inputs
    x, y = arrays(self)
    ### BEGIN SOLUTION
    return (
        for_input(grad / y, a) if needs_grad(a) else None,
        for_input(-grad * x / (y * y), b) if needs_grad(b) else None,
    )
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-quotients", "grade": true, "points": 18}
def test_quotients():
    """By hand, then against nudging: sign, square, stretched operands, numbers on either side."""
    a, b = Tensor([12.0], requires_grad=True), Tensor([3.0], requires_grad=True)
    got = attempt(lambda: np.float32((a / b)._grad_fn.backward(np.float32([9]))))
    says = f"12 / 3, grad 9: grad / b is 3, grad * -a / b**2 is -12. Got {got}"
    assert close(got, [[3], [-12]]), says
    for x, y, because in [
        (TABLE, TABLE * 2, "slopes 1 / b and -a / b**2"),
        (TABLE, TABLE[:, :1], "each row over one divisor: its gradient is a sum"),
        (ONE, ROW, "a 0-d dividend was used for each entry"),
        (ROW, 4.0, "over a number: grad / number"),
        (4.0, ROW, "a number over t: -number / t**2"),
        (np.float32([0, 0]), ROW[:2], "a dividend of 0 still has the slope 1 / b"),
    ]:
        check_rule(Div, operator.truediv, x, y, because=because)
    ### BEGIN HIDDEN TESTS
    x, y = challenge.normal(size=(2, 1, 3)), challenge.uniform(1, 2, size=(4, 1))
    cases = [(x, y), (y, x * x + 1), (x, 2.5), (-1.5, y)]
    for name, gradient in drawn(Div, operator.truediv, *cases):
        observe(name, gradient, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_quotients()

# %% [markdown]
# ## Exercise 5: walk back by hand
# *Difficulty 3 of 5 · 14 points · 20 minutes*
#
# Now a whole path: `out = (a * b + a) / b`, three operations, and both a and b are used twice.
#
# ```
#    a ──┬──────────────┐
#        ├─▶ mul ──▶ add ──▶ div ──▶ out
#    b ──┴────────────────────┘
# ```
#
# With a = 2, b = 4 the product is 8, the sum 10, out 2.5. Backward, from 1 at the end: `div` gives the sum 1/4 = 0.25, and b the gradient -10/16 = -0.625. `add` passes 0.25 on, to the product and to a. `mul` gives a 0.25 * 4 = 1, and b 0.25 * 2 = 0.5. An input that was used twice has two ways to move the end, and its gradient is their **sum**: 0.25 + 1 = 1.25 for a, -0.625 + 0.5 = -0.125 for b. (out is a + a / b, so the slope in a is indeed 1 + 1/4, and that in b -2/16.)
#
# The order is forced: `mul` cannot go back before `add` has said what its result is worth. Each step takes what the step before it answered: `div.backward(grad)` answers for the sum and for b, `add` had the inputs product and a, `mul` had a and b.
#
# **Predict first:** which gradients would you get if, for an input that was used twice, the later one replaced the earlier?


# %% nbgrader={"grade_id": "walk-back", "solution": true}
def walk_back(out: Tensor, grad: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The gradients of a and b, from that of out = (a * b + a) / b: each in its input's shape."""
    div = out._grad_fn
    add = div.inputs[0]._grad_fn
    mul = add.inputs[0]._grad_fn
    ### BEGIN SOLUTION
    grad_sum, b_from_div = div.backward(grad)
    grad_product, a_from_add = add.backward(grad_sum)
    a_from_mul, b_from_mul = mul.backward(grad_product)
    return a_from_add + a_from_mul, b_from_div + b_from_mul
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-walk-back", "grade": true, "points": 14}
def formula(a, b):
    return (a * b + a) / b


def test_walk_back():
    """The numbers of the text, another incoming gradient, arrays that were stretched."""
    for x, y, grad, because in [
        ([2.0], [4.0], [1.0], "a: 0.25 through add and 1 through mul, together 1.25"),
        ([2.0], [4.0], [8.0], "grad 8 makes each gradient 8 times as large"),
        ([5.0], [-2.0], [1.0], "each step takes what the one before it answered"),
        (TABLE, ROW, np.cos(TABLE), "gradients of one input from two ways add up"),
    ]:
        a, b = Tensor(x, requires_grad=True), Tensor(y, requires_grad=True)
        got = attempt(walk_back, formula(a, b), np.float32(grad))
        want = nudged(formula, [a.data, b.data], np.float32(grad))
        case = f"a {a.data.tolist()}, b {b.data.tolist()}"
        assert isinstance(got, tuple | list), f"{case}: return two gradients. Got {got}"
        for name, answer, slope in zip("ab", got, want, strict=True):
            says = f"nudging says {slope.tolist()}, you {np.asarray(answer).tolist()}"
            assert close(answer, slope), f"{case}, gradient of {name}: {says}: {because}."
    ### BEGIN HIDDEN TESTS
    a, b = (Tensor(challenge.uniform(1, 2, size=size), True) for size in [(3, 2), (3, 1)])
    got = walk_back(formula(a, b), challenge.normal(size=(3, 2)).astype(np.float32))
    for name, gradient in zip("ab", got, strict=True):
        observe(name, gradient, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_walk_back()

# %% [markdown]
# ## All together
# *10 points.* A layer with a bias, normalised and scaled, walked back by hand rule by rule: `out = (x * w + b) / s - m`, where each name has another shape. The gradients of all five are held against nudging.


# %% nbgrader={"grade_id": "test-arithmetic-module", "grade": true, "points": 10}
def layer(x, w, b, s, m):
    return (x * w + b) / s - m


def back_through_layer(out, grad):
    """The gradients of x, w, b, s and m in (x * w + b) / s - m."""
    sub = out._grad_fn
    grad, grad_m = sub.backward(grad)
    div = sub.inputs[0]._grad_fn
    grad, grad_s = div.backward(grad)
    add = div.inputs[0]._grad_fn
    grad, grad_b = add.backward(grad)
    return [*add.inputs[0]._grad_fn.backward(grad), grad_b, grad_s, grad_m]


def test_arithmetic_module():
    """Five operands of five shapes, held against nudging."""
    shapes = {"x": (4, 3), "w": (3,), "b": (1, 3), "s": (4, 1), "m": ()}
    values = [np.cos(np.arange(np.prod(shape))).reshape(shape) + 2 for shape in shapes.values()]
    tensors, grad = [Tensor(x, True) for x in values], np.float32(values[0])
    got = back_through_layer(layer(*tensors), grad)
    want = nudged(layer, [t.data for t in tensors], grad)
    for name, answer, slope in zip(shapes, got, want, strict=True):
        assert np.shape(answer) == shapes[name], f"{name}: {np.shape(answer)}, not {shapes[name]}."
        assert close(answer, slope), f"{name}: nudging says {slope.tolist()}, the rules {answer}."
    ### BEGIN HIDDEN TESTS
    tensors = [Tensor(challenge.uniform(1, 2, size=shape), True) for shape in shapes.values()]
    got = back_through_layer(layer(*tensors), challenge.normal(size=(4, 3)).astype(np.float32))
    for name, answer in zip(shapes, got, strict=True):
        observe(name, answer, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_arithmetic_module()

# %% [markdown]
# ## Measure it: nudging against rules
#
# Both ways give the same numbers. What do they cost? We take the gradient of `(x * w + b) / s` for ever longer vectors: by nudging `w`, two runs for each entry, and by three rules.


# %%
def by_nudging(x, w, b, s):
    return nudged(lambda w: (x * w + b) / s, [w])[0]


def by_rules(x, w, b, s):
    div = ((Tensor(w, requires_grad=True) * x + b) / s)._grad_fn
    add = div.inputs[0]._grad_fn
    grad = add.backward(div.backward(np.ones_like(w))[0])[0]
    return add.inputs[0]._grad_fn.backward(grad)[0]


sizes, times = [1, 4, 16, 64, 256, 1024], {by_nudging: [], by_rules: []}
for size in sizes:
    inputs = [np.full(size, value, np.float32) for value in (1.0, 2.0, 3.0, 4.0)]
    for way, row in times.items():
        seconds = timeit.repeat(lambda go=way, with_=inputs: go(*with_), number=5, repeat=3)
        row.append(min(seconds) / 5 * 1e3)
for (way, row), style in zip(times.items(), ["s--", "o-"], strict=True):
    plt.loglog(sizes, row, style, label=way.__name__)
ratio = times[by_nudging][-1] / times[by_rules][-1]
plt.gca().set(xlabel="entries of w", ylabel="milliseconds for its gradient")
plt.title(f"{sizes[-1]} slopes: nudging takes {ratio:,.0f} times as long as the rules")
plt.legend()
plt.show()

# %% [markdown]
# Nudging grows with the number of weights times the size of the network, the rules with its size alone: the way back costs about as much as two ways forward, however many weights there are. Nudging stays in use as a *check*, since it knows nothing of the rules.
#
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. `out = x * x * x` at x = 2, from Mul alone: which gradients do the two rules give, and what is their sum?
# 2. A batch `(32, 10)` plus a bias `(10,)`, incoming gradient all ones: the gradient of the bias?
#
# <details><summary>Answers</summary>
#
# 1. The last product, (x * x) * x, gives 4 to its x and 2 to x * x. The first then gives x twice 2 * 2 = 4. Together 4 + 4 + 4 = 12 = 3x².
# 2. Each entry was used 32 times: 32.
#
# </details>

# %%
x = Tensor(2.0, requires_grad=True)
last = (x * x * x)._grad_fn
to_square, to_x = last.backward(np.float32(1))
print("1.", to_x, *last.inputs[0]._grad_fn.backward(to_square))
print("2.", unbroadcast(np.ones((32, 10)), (10,))[0])

# %% [markdown]
# ## In production
#
# | ours | PyTorch | the difference |
# |---|---|---|
# | `@backward_of(Mul)` | an entry of `tools/autograd/derivatives.yaml` | theirs is turned into C++ |
# | `unbroadcast(grad, shape)` | `grad.sum_to_size(shape)` | none; they call the operation *sum to size* |
# | `self.inputs`, `self.result` | `ctx.save_for_backward(...)` | theirs keeps only what the rule asks for |
# | `out._grad_fn` | `out.grad_fn` | the same idea; theirs has `next_functions` instead of inputs |
#
# ## Recap
#
# 1. A gradient says how far the result moves, per move of each input.
# 2. Slopes along a path multiply; slopes of several paths add up.
# 3. A rule gets the incoming gradient and returns one gradient an input, in the shape of that input.
# 4. What broadcasting stretched on the way forward is summed on the way back.
# 5. The way back costs about as much as the way forward, however many slopes it finds.
#
# ## Further reading
#
# - A. Griewank and A. Walther, *Evaluating Derivatives*, 2nd edition, SIAM 2008, chapter 3: the cost of the reverse mode.
# - A. G. Baydin and others, "Automatic differentiation in machine learning: a survey", JMLR 18 (2018).
# - PyTorch, `tools/autograd/derivatives.yaml`: every rule of a real library in one file: <https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml>
#
# **Next:** the notebook Autodiff. You walked back along a path that you knew; it walks back through any graph.
