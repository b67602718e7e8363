# %% [markdown]
# # Autodiff
#
# > The walk back through any graph: every operation once, in an order that cannot go wrong, freed behind us.
#
# **The question of this notebook:** each operation can go one step back. In which order must they, so that every gradient is right, none is computed twice, and the memory is given back?
#
# Difficulty 4 of 5 · about 1 hour 30 minutes · 2 exercises and a test over the notebook, 100 points · prerequisites: the notebook Arithmetic, stacks and dictionaries.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | a rule for `+`, `-`, `*`, `/`, and a graph that each result remembers | `Tensor.backward()` | a tool that checks rules (next notebook), the rules of the other operations (the two after it) |
#
# This is the second of five notebooks of module 05, and it ends up in `tinytorch/core/autodiff.py`. It imports the notebook Arithmetic and module 01 from your package. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.autodiff

# %% nbgrader={"grade_id": "setup", "locked": true}
import time
import tracemalloc

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
    return got is not None and same and np.allclose(got, want, rtol=rtol, atol=atol)


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
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

import tinytorch.core.arithmetic  # noqa: F401  it attaches the rules that the walk asks
from tinytorch.core.functions import Function
from tinytorch.core.tensor import Tensor

# %% [markdown]
# ## The graph has been there all along
#
# Since module 01 each result keeps its operation in `_grad_fn`, and each operation keeps its `inputs`, which are Tensors with a `_grad_fn` of their own. That is the graph. A Tensor that no operation made, a weight, is a **leaf**. Nobody drew this graph, it grew while Python ran your forward, loops and ifs included. Here is a **diamond**: `y` is used by two operations, and both lead to the end.


# %%
def draw(ax, places, arrows):
    """Boxes at places (column, row), and arrows between them."""
    for name, place in places.items():
        ax.annotate(name, place, ha="center", va="center", bbox={"boxstyle": "round", "fc": "w"})
    for start, end in arrows:
        style = {"arrowstyle": "->", "shrinkA": 36, "shrinkB": 36}
        ax.annotate("", places[end], places[start], arrowprops=style)
    ax.set(xlim=(-0.4, 4.4), ylim=(0.4, 2.4))
    ax.axis("off")


x = Tensor(3.0, requires_grad=True)
y = x * 2
end = y * 10 + y
names = [type(f).__name__ for f in (end._grad_fn, end._grad_fn.inputs[0]._grad_fn, y._grad_fn)]
fig, ax = plt.subplots(figsize=(8, 1.8))
places = {"x": (0, 1), "y = x * 2": (1.2, 1), "z = y * 10": (2.5, 2), "end = z + y": (3.8, 1)}
draw(ax, places, [*zip(places, list(places)[1:], strict=False), ("y = x * 2", "end = z + y")])
ax.set_title(f"A diamond ({', '.join(names)}): y must wait for the gradients of both its users")
plt.show()

# %% [markdown]
# The slope of end in x is 22: y moves twice as far as x, and end 10 + 1 times as far as y. Now walk back. `end` gives 1 to z and 1 to y. If y goes on at once, x gets 2. When z has answered too, y has 10 more. Whoever goes back **at the first gradient and only once** gives x 2, not 22. Whoever goes back **at every gradient** gives x 2 + 20 = 22, which is right, but everything behind y is walked twice, behind the next diamond four times: after 30 diamonds, a billion times.
#
# The third way is to **wait**: y goes back once, when all its users have spoken. So we must know how many they are.
#
# ## Exercise 1: count the uses
# *Difficulty 3 of 5 · 30 points · 25 minutes*
#
# `count_uses(root)` walks the graph behind the operation `root` and returns a dictionary: each operation it finds, and how often its result is used as an input by the others. In the diamond: `{Add: 0, Mul (z): 1, Mul (y): 2}`; nobody uses the end, so `root` has 0. An operation that uses a result twice (`y * y`) counts twice.
#
# **No recursion.** Python stops after about 1000 nested calls, and a network over a long text is deeper than that. Keep a list of operations still to be looked at: a stack. And look at each operation **once**, however many ways lead to it.
#
# A walk frees the graph behind it (exercise 2): an operation whose `inputs` are None has been walked before. Then `raise freed(function)`, which is given and says what to do.
#
# **Predict first:** `out = x + x` for a leaf x. What does `count_uses(out._grad_fn)` return?
#
# <details><summary>Hints</summary>
#
# 1. An input may be a Python number, which has no `_grad_fn`: `getattr(x, "_grad_fn", None)` is None for numbers and for leaves.
# 2. If `maker` is not in the dictionary yet, enter it and put it on the stack. In any case count this use.
#
# </details>


# %% nbgrader={"grade_id": "freed", "locked": true}
#| export
def freed(function: Function) -> RuntimeError:
    """What to say about a graph that was walked before."""
    return RuntimeError(
        f"backward() has been through this {type(function).__name__} before and freed its graph: "
        "compute the result again, or add the losses up and call backward() once."
    )


# %% nbgrader={"grade_id": "count-uses", "solution": true}
#| export
def count_uses(root: Function) -> dict[Function, int]:
    """How often the result of each operation behind `root` is used as an input; root itself: 0.

    Raises the RuntimeError `freed(function)` for an operation without inputs: it was walked before.
    """
    ### BEGIN SOLUTION
    uses, stack = {root: 0}, [root]
    while stack:
        function = stack.pop()
        if function.inputs is None:
            raise freed(function)
        for x in function.inputs:
            maker = getattr(x, "_grad_fn", None)
            if maker is not None:
                if maker not in uses:
                    uses[maker] = 0
                    stack.append(maker)
                uses[maker] += 1
    return uses
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-count-uses", "grade": true, "points": 30}
def named_uses(**results):
    """count_uses from the last of these results, with their names instead of their operations."""
    uses = attempt(count_uses, list(results.values())[-1]._grad_fn)
    names = {result._grad_fn: name for name, result in results.items()}
    return {names.get(f, "?"): n for f, n in uses.items()} if isinstance(uses, dict) else uses


def ladder(y, levels, step=lambda a, b: a + b):
    """Each level uses the one below twice: as many paths as 2 to the power of levels."""
    for _ in range(levels):
        y = step(y, y)
    return y


def test_count_uses():
    """Chains, diamonds, numbers, both operands alike; many paths, great depth, a freed graph."""
    x = Tensor([2.0], requires_grad=True)
    y = x * 3 - x
    z = y * 10
    for results, want, because in [
        ({"a": x + x}, {"a": 0}, "a leaf has no operation, and nobody uses the end"),
        ({"y": y, "z": z, "end": z + 1}, {"y": 1, "z": 1, "end": 0}, "a chain"),
        ({"y": y, "z": z, "end": z + y}, {"y": 2, "z": 1, "end": 0}, "a diamond: y has two users"),
        ({"y": y, "end": y * y}, {"y": 2, "end": 0}, "y * y uses y twice"),
        ({"y": y, "end": y / Tensor([4.0])}, {"y": 1, "end": 0}, "inputs that want no gradient"),
    ]:
        got = named_uses(**results)
        got = {k: n for k, n in got.items() if k != "?"} if isinstance(got, dict) else got
        assert got == want, f"count_uses gave {got}, not {want}: {because}."
    seen = named_uses(end=x * 3 - x)
    assert seen == {"end": 0, "?": 1}, f"x * 3 - x: an end, and one product behind it. Got {seen}"
    uses = attempt(count_uses, ladder(x + 1, 12)._grad_fn)
    assert isinstance(uses, dict), f"12 levels that use the one below twice: {uses}"
    counts = sorted(uses.values())
    says = f"12 levels, each used twice by the next: 2, not {counts[-1]}; look at each only once."
    assert counts == [0] + [2] * 12, says
    long = x
    for _ in range(5000):
        long = long + 1.0
    uses = attempt(count_uses, long._grad_fn)
    assert not isinstance(uses, str), f"A chain of 5000 operations: {uses}. Use a stack."
    (y * 2)._grad_fn.inputs[0]._grad_fn.inputs = None
    said = str(attempt(count_uses, (y * 2)._grad_fn))
    assert "freed" in said, f"y was freed: raise freed(function). Got: {said}"
    ### BEGIN HIDDEN TESTS
    pool = [Tensor([1.0], requires_grad=True)]
    for _ in range(12):
        a, b = challenge.integers(0, len(pool), size=2)
        pool.append(pool[a] * pool[b])
    end = sum(pool[1:], pool[-1])
    uses = count_uses(end._grad_fn)
    observe("uses", np.array([uses.get(t._grad_fn, -1) for t in pool[1:]]))
    observe("found", len(uses))
    ### END HIDDEN TESTS


test_count_uses()

# %% [markdown]
# ## Exercise 2: the walk
# *Difficulty 4 of 5 · 50 points · 40 minutes*
#
# ```
#  waiting: operation -> the gradient of its result, summed up so far
#  ready:   operations all of whose users have spoken; at first only the root
#
#  while an operation is ready:
#      take it, and its gradient out of waiting; ask its rule
#      for each input and its gradient:
#          a leaf:        add the gradient to leaf.grad, by accumulate
#          made by another operation: add it to what waits for that operation,
#                         and count one use less; none left: that operation is ready
#      free the operation: its inputs, result and saved become None
# ```
#
# Three pieces of plumbing are given. `ask(function, gradient)` gives the answers of a rule (all None, if no gradient came). `checked(function, x, grad)` gives a gradient in the shape and dtype of its input, or says which rule gave a wrong one: call it before you let a gradient wait. `accumulate(function, x, grad, gradient, answers)` checks a gradient, too, and adds it to a leaf's `.grad`; it **copies** a gradient that somebody else still holds. For a + b the *same* array is the gradient of a and of b; were both to keep it, a change of `a.grad` would change `b.grad`.
#
# Only leaves keep a gradient. Over several calls of `backward()` it **adds up**, until somebody calls `zero_grad()`. A rule may answer None, to Tensors too: no gradient then, but the use is over all the same.
#
# **Predict first:** for `x * x` at 3, the rule of `Mul` answers (3, 3). What has your walk to do, so that x gets 6?
#
# <details><summary>Hints</summary>
#
# 1. `uses = count_uses(root)` comes first: it refuses a freed graph before anything has changed. It is given.
# 2. `waiting.pop(function, None)` takes a gradient out: it is not needed again.
# 3. Write `waiting[maker] = waiting[maker] + grad`, not `+=`: the array may belong to somebody else as well.
# 4. Numbers have no `_grad_fn`, and their gradient is None. Ask with `getattr`, as before.
#
# </details>


# %% nbgrader={"grade_id": "plumbing", "locked": true}
#| export
def start(tensor: Tensor, gradient: ArrayLike | None) -> np.ndarray:
    """The gradient that a walk starts with, in the tensor's shape and dtype."""
    if not tensor.requires_grad:
        raise RuntimeError(
            "backward() from a tensor that no gradient reaches: set requires_grad=True on what it "
            "is computed from, before that, and outside of no_grad()."
        )
    if gradient is None and tensor.size != 1:
        raise ValueError(
            f"backward() starts from one number, not from shape {tensor.shape}: reduce it, by "
            ".sum() or .mean(), or pass a gradient of that shape."
        )
    gradient = np.asarray(1 if gradient is None else gradient, tensor.dtype)
    if gradient.size == tensor.size == 1:
        gradient = gradient.reshape(tensor.shape)
    if gradient.shape != tensor.shape:
        raise ValueError(f"The gradient {gradient.shape} needs the tensor's shape {tensor.shape}.")
    return gradient


def ask(function: Function, gradient) -> Sequence:
    """What the rule of an operation answers: one gradient an input; all None if none came."""
    if gradient is None:
        return (None,) * len(function.inputs)
    if type(gradient) is not np.ndarray:  # a number, or a gradient that is no array
        gradient = np.asarray(gradient)
    answers, many = function.backward(gradient), len(function.inputs)
    if len(answers) == many:
        return answers
    name = type(function).__name__
    raise ValueError(f"{name}.backward gave {len(answers)} gradients for {many} inputs: one each.")


def checked(function: Function, x: Tensor, grad):
    """`grad` in the shape and dtype of the input `x`; a rule that gives another shape is named."""
    data = x.data
    if type(grad) is np.ndarray and grad.shape == data.shape and grad.dtype is data.dtype:
        return grad  # nearly always
    if np.shape(grad) != data.shape:
        raise ValueError(
            f"{type(function).__name__}.backward gave a gradient of shape {np.shape(grad)} for an "
            f"input of shape {data.shape}: use unbroadcast, or mend the rule."
        )
    return grad if hasattr(grad, "to_dense") else np.asarray(grad, data.dtype)


def accumulate(function: Function | None, x: Tensor, grad, gradient, answers: Sequence) -> None:
    """Add `grad`, an answer of `function`, to the leaf's `x.grad`, which nobody else may hold.

    gradient and answers: what the rule was given and all it gave; what occurs there twice is copied.
    """
    total = x.grad
    arrays = type(grad) is type(total) is np.ndarray
    if arrays and grad.shape == total.shape and grad.dtype is total.dtype:
        total += grad  # in place: this buffer is ours
        return
    grad = checked(function, x, grad)
    if total is not None:
        x.grad = total + grad
        return
    shared = grad is gradient or sum(grad is answer for answer in answers) > 1
    x.grad = grad.copy() if shared or getattr(grad, "base", None) is not None else grad


# %% nbgrader={"grade_id": "backpropagate", "solution": true}
#| export
@np.errstate(divide="ignore", invalid="ignore", over="ignore")  # 1 / 0 is inf here, too
def backpropagate(tensor: Tensor, gradient: ArrayLike | None = None) -> None:
    """Add to the `.grad` of each leaf behind `tensor` how fast the tensor moves with it.

    gradient: how much each entry of the tensor matters; needed unless it is a single number.
    Raises RuntimeError if no gradient reaches the tensor or its graph was freed.
    """
    gradient, root = start(tensor, gradient), tensor._grad_fn
    if root is None:  # a leaf is its own end
        return accumulate(None, tensor, gradient, gradient, ())
    uses = count_uses(root)
    ### BEGIN SOLUTION
    waiting, ready = {root: gradient}, [root]
    while ready:
        function = ready.pop()
        gradient = waiting.pop(function, None)
        answers = ask(function, gradient)
        for x, grad in zip(function.inputs, answers):  # noqa: B905  strict costs 6 %; ask() looked
            maker = getattr(x, "_grad_fn", None)
            if maker is not None:
                if grad is not None:
                    grad = checked(function, x, grad)
                    waiting[maker] = waiting[maker] + grad if maker in waiting else grad
                uses[maker] -= 1
                if uses[maker] == 0:
                    ready.append(maker)
            elif grad is not None and getattr(x, "requires_grad", False):
                accumulate(function, x, grad, gradient, answers)
        function.inputs = function.result = function.saved = None
    ### END SOLUTION


Function.backpropagate = staticmethod(backpropagate)  # Tensor.backward() calls it


# %% nbgrader={"grade_id": "test-backpropagate", "grade": true, "points": 50}
class Tally(Function):
    """a + b, counting how often its rule is asked; with `mute`, the rule answers None."""

    asked = 0

    def forward(self, a, b, mute=False):
        return a + b

    def backward(self, grad):
        Tally.asked += 1
        return (None, None) if self.options["mute"] else (grad, grad)


def grads_of(formula, *values):
    """The `.grad` of leaves with these values after formula(*leaves).backward(), or the error."""
    leaves = [Tensor(value, requires_grad=True) for value in values]
    said = attempt(formula(*leaves).backward)
    if isinstance(said, str):
        return said
    return [np.nan if leaf.grad is None else float(leaf.grad) for leaf in leaves]


def fork(a, b):
    p, q = a * 2, b * 2
    return p * 3 + q * 5 + (p + q)


def check_walks():
    """Gradients of small graphs, worked by hand."""
    for text, formula, values, want, because in [
        ("a * b", lambda a, b: a * b, (2, 3), (3, 2), "one operation"),
        ("x + x", lambda x: x + x, (3,), (2,), "both uses count: add, do not overwrite"),
        ("x * x", lambda x: x * x, (3,), (6,), "both uses count: add, do not overwrite"),
        ("(a * b + a) / b", lambda a, b: (a * b + a) / b, (2, 4), (1.25, -0.125), "as by hand"),
        ("y * 10 + y, y = 2x", lambda x: (y := x * 2) * 10 + y, (3,), (22,), "y must wait"),
        ("y + y * 10, y = 2x", lambda x: (y := x * 2) + y * 10, (3,), (22,), "y must wait"),
        ("y * y, y = 2x", lambda x: (y := x * 2) * y, (3,), (24,), "y has two uses in one product"),
        ("p * 3 + q * 5 + (p + q), p = 2a, q = 2b", fork, (1, 1), (8, 12), "add, but not in place"),
        ("4 levels of y + y", lambda x: ladder(x, 4), (1,), (16,), "two ways at each level"),
        ("x", lambda x: x, (3,), (1,), "a leaf that is its own end"),
        ("1 / x", lambda x: 1 / x, (0,), (-np.inf,), "infinity flows on, without a warning"),
    ]:
        got = grads_of(formula, *map(float, values))
        says = f"{text} at {values}: the gradients are {want}, not {got}: {because}."
        assert close(got, want), says
    Tally.asked, mute = 0, lambda x: Tally.apply(y := x * 2, y, mute=True) + y * 3
    got = grads_of(mute, 1.0)
    assert got == [6], f"A rule may answer None: the use is over all the same. 6, not {got}."
    got = grads_of(lambda x: ladder(x, 12, lambda a, b: Tally.apply(a, b, mute=False)), 1.0)
    says = f"{Tally.asked - 1} visits for 12 operations: ask each rule once, when all users spoke."
    assert got == [4096], f"12 levels of y + y, the slope is 4096, not {got}."
    assert Tally.asked == 13, says


def check_memory():
    """What a walk keeps, frees, copies and refuses."""
    a, b = (Tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
    given, total = np.float32([1, 1]), a + b
    said = attempt(total.backward, given)
    assert close([a.grad, b.grad], [given] * 2), f"a + b gave {a.grad}, {b.grad} and {said}."
    a.grad *= 5
    assert close(b.grad, [1, 1]), "a.grad and b.grad are one array: leave it to accumulate to copy."
    assert close(given, [1, 1]), "The gradient that was passed in was changed."
    assert a.grad.dtype == "float32", f"float32 leaves have float32 gradients, not {a.grad.dtype}."
    slots = ("inputs", "result", "saved")
    kept = [slot for slot in slots if getattr(total._grad_fn, slot, "never set") is not None]
    assert not kept, (
        f"Free each operation: inputs, result and saved become None; still there: {kept}."
    )
    said = str(attempt(total.backward, given))
    assert "freed" in said, f"A second walk over a freed graph must be refused. Got: {said}"
    assert close(b.grad, [1, 1]), "The refused second walk changed b.grad."
    (b * 3).backward(given)
    assert close(b.grad, [4, 4]), f"1 of before and 3 add up to 4, over calls, not {b.grad}."
    y = b * 2
    (y + 1).backward(given)
    assert y.grad is None, f"Only leaves keep a gradient, y = b * 2 kept {y.grad}."
    fixed, ids = Tensor([5.0, 7.0]), Tensor([1, 2])
    b.zero_grad()
    generous = Tally.apply(Tally.apply(b, fixed, mute=False), 2.0, mute=False)
    said = attempt((b * fixed * ids + generous).backward, given)
    assert said is None, f"Numbers and tensors that want no gradient must do no harm: {said}"
    assert close(b.grad, [6, 15]), f"b * [5, 7] * [1, 2] + b has the slopes [6, 15], not {b.grad}."
    unasked = [t.grad for t in (fixed, ids) if t.grad is not None]
    assert not unasked, f"Nobody asked for the gradients of constants: {unasked}."


def test_backpropagate():
    """Small graphs, waiting, visits, memory; then great depth, and refusals in words."""
    check_walks()
    check_memory()
    x = y = Tensor([1.0], requires_grad=True)
    for _ in range(10_000):
        y = y + x
    said = attempt(y.backward)
    assert close(x.grad, [10_001]), f"10,000 additions: {x.grad} and {said}. No recursion."
    for gradient, part in [(None, "(2,)"), ([1.0, 2.0, 3.0], "(3,)")]:
        said = str(attempt((Tensor([1.0, 2.0], True) * 2).backward, gradient))
        assert part in said, f"gradient={gradient} for two entries must be refused. Got: {said}"
    ### BEGIN HIDDEN TESTS
    leaves = [Tensor(challenge.uniform(0.5, 2, size=(2, 3)[i:]), True) for i in range(3)]
    pool = list(leaves)
    for a, b in challenge.integers(0, 3, size=(8, 2)) + np.arange(8)[:, None]:
        pool.append((pool[a] * 0.5 + pool[b]) / (pool[a] + 1))
    sum(pool[3:], pool[0]).backward(challenge.normal(size=(2, 3)))
    for i, leaf in enumerate(leaves):
        observe(f"leaf {i}", np.zeros(leaf.shape) if leaf.grad is None else leaf.grad, rtol=1e-4)
    ### END HIDDEN TESTS


test_backpropagate()


# %%
def every_path(function, gradient):
    """The impatient way: on at every gradient, through every path. Returns the rules asked."""
    asked = 1
    for x, grad in zip(function.inputs, function.backward(gradient), strict=True):
        if getattr(x, "_grad_fn", None) is not None:
            asked += every_path(x._grad_fn, grad)
    return asked


levels, asked, one = range(1, 17), {"every path": [], "waiting": []}, np.ones(1, np.float32)
for n in levels:
    end = ladder(Tensor([1.0], requires_grad=True), n)
    asked["waiting"].append(len(count_uses(end._grad_fn)))  # the walk asks each operation once
    asked["every path"].append(every_path(end._grad_fn, one))
for (name, row), style in zip(asked.items(), ["s--", "o-"], strict=True):
    plt.semilogy(levels, row, style, label=name)
plt.gca().set(xlabel="levels of y = y + y", ylabel="rules asked")
plt.title(f"{levels[-1]} levels: {asked['every path'][-1]:,} rules asked, or {levels[-1]}")
plt.legend()
plt.show()

# %% [markdown]
# **Why free?** Each operation holds its inputs and its result. The way back is the moment when they are needed for the last time, and freeing them step by step gives the memory back *while* the gradients grow, so that the peak is not the sum of both. We watch the live bytes of a chain of 50 products of 1 MB each: before, after, and with what a second call of `backward()` says.

# %%
w = Tensor(np.ones(250_000), requires_grad=True)
tracemalloc.start()
end = w
for _ in range(50):
    end = end * w
forward = tracemalloc.get_traced_memory()[0]
end.backward(np.ones(250_000))
after, peak = tracemalloc.get_traced_memory()
tracemalloc.stop()
print(
    f"live after forward {forward / 1e6:.0f} MB, after backward {after / 1e6:.0f}, peak {peak / 1e6:.0f}"
)
print(attempt(end.backward, np.ones(250_000)))

# %% [markdown]
# Two megabytes are left: the result, which we still hold, and the gradient of w.
#
# ## All together
# *20 points.* A tangle: every result goes into three operations after it, so that very many paths lead from the end to the start. The walk must find the slopes that nudging finds, in float64, whatever was stretched, and ask each rule once.


# %% nbgrader={"grade_id": "test-autodiff-module", "grade": true, "points": 20}
def tangle(*pool):
    """Twelve levels, each made of the three results before it."""
    pool = list(pool)
    for i in range(12):
        pool.append((pool[i] * pool[i + 1] - pool[i + 2]) / (pool[i] * pool[i] + 1))
    return sum(pool[3:], pool[0])


def test_autodiff_module():
    """The tangle against nudging, on operands of three shapes; then in float32."""
    drawn = np.random.default_rng(1).uniform(0.5, 2, size=(3, 2, 3))
    values = drawn[0], drawn[1][:1], drawn[2][:, :1]
    leaves = [Tensor(value, True, np.float64) for value in values]
    end = tangle(*leaves)
    found = len(count_uses(end._grad_fn))
    assert found == 72, f"The tangle has 72 operations, count_uses found {found}."
    end.backward(np.ones((2, 3)))
    for i, leaf in enumerate(leaves):
        assert leaf.grad.dtype == "float64", f"float64 leaves have float64 gradients: {leaf.grad}"
        for index in np.ndindex(leaf.shape):
            ends = []
            for step in (-1e-6, 1e-6):
                moved = [value.copy() for value in values]
                moved[i][index] += step
                ends.append(tangle(*moved).sum())
            slope, got = (ends[1] - ends[0]) / 2e-6, leaf.grad[index]
            assert close(got, slope), f"leaf {i} at {index}: nudging says {slope}, the walk {got}."
    ### BEGIN HIDDEN TESTS
    leaves = [Tensor(challenge.uniform(0.5, 2, size=size), True) for size in [(2, 3), (3,), (2, 1)]]
    tangle(*leaves).backward(challenge.normal(size=(2, 3)))
    for i, leaf in enumerate(leaves):
        observe(f"leaf {i}", leaf.grad, rtol=1e-3, atol=1e-4)
    ### END HIDDEN TESTS


test_autodiff_module()

# %% [markdown]
# ## Measure it: the cost of the walk
#
# One loss through n residual steps, `h = h + h * 0.01`, each a small diamond: how long do forward and walk take, and do they grow with the *operations* or with the *paths*?

# %%
depths, times = [100, 200, 400, 800, 1600, 3200], {"forward": [], "walk": []}
for n in depths:
    rounds = []
    for _ in range(5):
        h = x = Tensor(np.ones(4), requires_grad=True)
        begin = time.perf_counter()
        for _ in range(n):
            h = h + h * 0.01
        middle = time.perf_counter()
        h.backward(np.ones(4))
        rounds.append((middle - begin, time.perf_counter() - middle))
    for row, seconds in zip(times.values(), np.min(rounds, axis=0), strict=True):
        row.append(seconds * 1e3)
for (name, row), style in zip(times.items(), ["s--", "o-"], strict=True):
    plt.loglog(depths, row, style, label=name)
per = times["walk"][-1] / depths[-1] / 2 * 1e3
plt.gca().set(xlabel="residual steps", ylabel="milliseconds")
plt.title(f"The walk is linear: {per:.1f} µs an operation, though 2 to the power of n paths exist")
plt.legend()
plt.show()

# %% [markdown]
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. `y = x * x`, then `z = y * y`, at x = 2. The gradient of x, and how many operations does the walk ask?
# 2. `backward()` is called on two losses that share no operation, without `zero_grad()` in between. What is in `w.grad`?
# 3. A network has 1000 operations in a row, and operation 1 is used by operation 2 *and* by operation 1000. When may it go back?
#
# <details><summary>Answers</summary>
#
# 1. z = x⁴, the slope is 4x³ = 32. Two: each product once.
# 2. The sum of both gradients, as if the losses had been added up. Training with batches too large for the memory makes use of it.
# 3. Last of all but itself: operation 1000 speaks first, but operation 2 only after the 997 between.
#
# </details>

# %%
x = Tensor(2.0, requires_grad=True)
y = x * x
z = y * y
found = len(count_uses(z._grad_fn))
z.backward()
print("1.", x.grad, "from", found, "operations")
(x * 3).backward()
print("2.", x.grad, "after 3 more")

# %% [markdown]
# ## In production
#
# | ours | PyTorch | the difference |
# |---|---|---|
# | `x.backward(gradient)` | `x.backward(gradient)` | none |
# | `count_uses` | `GraphTask::dependencies_` | the same count, in C++ |
# | `waiting`, `ready` | `not_ready_`, `ReadyQueue` | theirs has a queue and a thread for each device |
# | `accumulate` | a node `AccumulateGrad` behind each leaf | theirs can be given hooks |
# | freed behind the walk | the same, unless `retain_graph=True` | ours has no such switch: add the losses up |
#
# ## Recap
#
# 1. The graph grew while the forward ran: results remember operations, operations remember inputs.
# 2. An operation goes back once, when all its users have spoken; gradients of several ways add up.
# 3. A stack instead of recursion: depth is no limit, the cost is linear in the graph.
# 4. The walk frees what it has used; a second walk is refused, in words, before anything changes.
# 5. Leaves keep their gradient, in a buffer of their own, and it adds up until `zero_grad()`.
#
# ## Further reading
#
# - A. Paszke and others, "Automatic differentiation in PyTorch", NIPS Autodiff Workshop 2017.
# - A. Karpathy, *micrograd*: the same walk over single numbers: <https://github.com/karpathy/micrograd>
# - A. Griewank and A. Walther, *Evaluating Derivatives*, 2nd edition, SIAM 2008, chapters 3 and 4.
#
# **Next:** the notebook Autograd: gradients of tables, and a tool that finds wrong rules.
