# %% [markdown]
# # Activations
#
# > Five small bends that make a stack of layers more than one layer.
#
# **The question of this module:** matrix products can be stacked a hundred deep; why does that buy nothing, and what little thing between them changes it?
#
# Difficulty 2 of 5 · about 2 hours · 4 exercises and a test over the module, 100 points · prerequisites: module 01.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | `Tensor`, `Function` and the door between them | `ReLU`, `Sigmoid`, `Tanh`, `GELU`, `Softmax` | layers that learn (03), losses (04), gradients (05) |
#
# It ends up in `tinytorch/core/activations.py`, and imports your Tensor from your package: `tito module complete 01` puts it there. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.activations

# %% nbgrader={"grade_id": "setup", "locked": true}
import timeit
import tracemalloc

import matplotlib.pyplot as plt
import numpy as np

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"axes.titlesize": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


def close(got, want):
    """True when both have the same shape and, to float32 precision, the same values."""
    same = not isinstance(got, str) and np.shape(got) == np.shape(want)
    return same and np.allclose(got, want, rtol=1e-5, atol=1e-6)


def attempt(call, *args, **options):
    """What the call returns or, as text, the error it ends in: "ValueError: ..."."""
    try:
        return call(*args, **options)
    except NotImplementedError:
        raise  # a blank that is still to be filled
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def run(operation, array, **options):
    """What an operation makes of an array; NumPy's warnings (overflow, inf - inf) become errors."""
    given = array.copy()
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        got = attempt(operation().forward, given, **options)
    if not np.array_equal(given, array):
        return "an overwritten input (make a new array)"
    return got if isinstance(got, str) else np.asarray(got)


def check_manners(activation):
    """What every activation owes: a Tensor of that shape and dtype, and the way back."""
    name, data = repr(activation), [[-1.5, 0.5, 2.0]]
    for x in (Tensor(data, True, np.float32), Tensor(data, True, np.float64)):
        out = activation(x)
        assert isinstance(out, Tensor), f"{name} returned {type(out).__name__}, not a Tensor."
        got, want = f"{out.dtype} {out.shape}", f"{x.dtype} {x.shape}"
        assert got == want, f"{name} of {want} gave {got}: dtype and shape must stay."
        assert out._grad_fn, f"{name} lost the way back to x: go through apply, not through .data."


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import math

import numpy as np

from tinytorch.core.functions import Function
from tinytorch.core.tensor import Tensor

# %% [markdown]
# ## A stack of lines is a line
#
# A layer of a network multiplies by a matrix: `x @ w1`. Put a second one on top, and the brackets may move:
#
# ```
#  (x @ w1) @ w2  =  x @ (w1 @ w2)  =  x @ w        two layers, or one: w = w1 @ w2
# ```
#
# So a hundred layers can do what one can, and no more. **Predict first:** how far apart are the results of ten layers and of the one matrix they multiply to?

# %%
rng = np.random.default_rng(2)
x = Tensor(rng.normal(size=(1, 3)))
weights = [Tensor(rng.normal(size=(3, 3))) for _ in range(10)]
deep = bent = x
for w in weights:
    deep, bent = deep @ w, (bent @ w).tanh()
print("ten layers:", deep)
print("their product:", x @ np.linalg.multi_dot([w.numpy() for w in weights]))
print("a tanh after each:", bent)

# %% [markdown]
# The first two agree to the precision of float32. The third has no such shortcut: between any two layers the numbers were bent, and the brackets cannot move across the bend. A function that bends each number by itself is called an **activation**. It has no weights; all it does is not be a line. As in module 01, each operation has two halves: a `Function` that computes on arrays (module 05 will add its way backward), and a small object to put into a network. The base of those objects is given.


# %% nbgrader={"grade_id": "activation", "locked": true}
#| export
class Activation:
    """A function of a Tensor that has nothing to learn; each kind writes its `forward(x)`."""

    def __call__(self, *args, **options) -> Tensor:
        return self.forward(*args, **options)

    def parameters(self) -> list[Tensor]:
        return []

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


# %% [markdown]
# ## Exercise 1: ReLU
# *Difficulty 1 of 5 · 16 points · 15 minutes*
#
# The simplest bend is a kink: `ReLU(x)` is `x` where `x` is positive, and 0 elsewhere. `[-2, 0, 3]` becomes `[0, 0, 3]`. One kink is enough to compute what no line can, such as XOR, the 1 for "one of the two, not both": for `a` and `b` in {0, 1} it is `relu(a + b) - 2 * relu(a + b - 1)`. Try the four cases.
#
# Write both halves: `ReluFunction.forward` from array to array, and `ReLU.forward`, which sends a Tensor through the door to it. There is one trap: a network that diverges fills with `nan`, and you want to see it. `nan > 0` is False, and so is `nan <= 0`; whoever decides with `>` turns the alarm into a harmless 0. **`nan` must come out as `nan`.**
#
# **Predict first:** for inputs drawn around 0, which share of the outputs is 0?
#
# <details><summary>Hint</summary>np.maximum compares two operands entry by entry (np.max looks for the one largest entry), and it hands nan on. Through the door: SomeFunction.apply(tensor).</details>


# %% nbgrader={"grade_id": "relu", "solution": true}
#| export
class ReluFunction(Function):
    """max(a, 0) entry by entry: (...) -> (...); nan stays nan."""

    def forward(self, a):
        ### BEGIN SOLUTION
        return np.maximum(a, 0)
        ### END SOLUTION


class ReLU(Activation):
    """Rectified linear unit: ReLU()(Tensor([-2.0, 3.0])) is [0, 3]."""

    def forward(self, x: Tensor) -> Tensor:
        ### BEGIN SOLUTION
        return ReluFunction.apply(x)
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-relu", "grade": true, "points": 16}
def test_relu():
    """Against Python's max; nan goes through; dtype, graph and input stay as they are."""
    signed = np.float32([[-2, -0.5, 0], [0.5, 3, 1000]])
    want = [[max(v, 0) for v in row] for row in signed.tolist()]
    got = run(ReluFunction, signed)
    assert close(got, want), f"ReluFunction of {signed.tolist()} gave {got}, not {want}."
    got = attempt(ReluFunction().forward, np.float32([np.nan, -1]))
    assert "nan" in str(got), f"[nan, -1] gave {got}: nan must stay. Decide with `< 0` or maximum."
    got = attempt(ReLU(), Tensor(signed))
    assert close(got, want), f"ReLU() of {signed.tolist()} gave {got}, not {want}."
    check_manners(ReLU())
    ### BEGIN HIDDEN TESTS
    drawn = challenge.normal(size=(3, 2, 4))
    observe("array", run(ReluFunction, drawn))
    observe("tensor", ReLU()(Tensor(drawn)).data)
    ### END HIDDEN TESTS


test_relu()

# %% [markdown]
# What do kinks buy? A weighted sum of k ReLUs is a chain of straight pieces with k kinks, wherever you want them: it can follow any curve. (Cybenko proved in 1989 that one layer of sigmoids can, too.) And what do they cost? A neuron whose input is negative *for every example* always answers 0. Its slope there is 0 as well, so no small change of its weights makes any difference: a **dead ReLU** does not learn its way back.

# %%
line = np.linspace(0, 2 * np.pi, 500)
fig, (left, right) = plt.subplots(1, 2)
left.plot(line, np.sin(line), "k--", label="sine")
for k in (3, 6, 12):
    knots = np.linspace(0, 2 * np.pi, k + 1)
    kinks = np.diff(np.diff(np.sin(knots)) / np.diff(knots), prepend=0)
    y = (ReLU()(Tensor(line[:, None] - knots[:-1])) @ kinks).numpy()
    left.plot(line, y, label=f"{k} ReLUs")
error = np.abs(y - np.sin(line)).max()
left.set(xlabel="x", ylabel="y", title=f"{k} ReLUs follow a sine within {error:.2f}")
left.legend()
examples, neurons = rng.normal(size=(256, 64)), rng.normal(size=(64, 1000)) / 8
biases = np.linspace(0, -6, 13)
dead = [(ReLU()(Tensor(examples @ neurons + b)).max(axis=0) == 0).numpy().mean() for b in biases]
right.plot(biases, dead, "o-")
right.set(xlabel="bias of 1000 neurons", ylabel="share that is dead", xlim=(0.2, -6.2))
right.set_title(f"Bias -4: {dead[8]:.0%} are silent on all 256 examples")
plt.show()

# %% [markdown]
# ## Exercise 2: Sigmoid and Tanh
# *Difficulty 3 of 5 · 28 points · 35 minutes*
#
# The sigmoid squeezes any number into the interval from 0 to 1, smoothly: `sigmoid(x) = 1 / (1 + exp(-x))`. 0 becomes 0.5, 2 becomes 0.881, -2 becomes 0.119: what is missing to 1 on one side is what is there on the other. A network uses it where it must answer "how probable?" or "how far open?".
#
# The formula is right and the first way to write it is not. `exp(-x)` at -1000 is `exp(1000)`, and float32 ends at `exp(88.7)`. The other form of the same function, `exp(x) / (1 + exp(x))`, overflows on the other side. Both forms together never meet a large number, if each is used where it is safe:
#
# ```
#  x >= 0:      1 / (1 + exp(-x))              exp of -|x| is at most 1, on both sides
#  x <  0:  exp(x) / (1 + exp(x))
# ```
#
# So compute `small = exp(-|x|)` once. **Both forms divide by `1 + small`**; only what stands above the line differs. The result must be exactly 0 at -1000 and 1 at 1000, without an overflow; integers give fractions; `nan` stays `nan`.
#
# The sigmoid's outputs are all positive, so the next layer never sees numbers around 0. The hyperbolic tangent is the same curve, stretched to run from -1 to 1: `tanh(x) = 2 * sigmoid(2 * x) - 1`. Your Tensor has had it since module 01; here it only gets its object. Write its `forward` **with Tensors**: a detour through arrays (`x.data` and back) gives the same numbers and forgets where they came from, and then nothing before this layer could ever learn.
#
# **Predict first:** `np.where(a >= 0, f(a), g(a))`: for how many entries is `f` computed?
#
# <details><summary>Hint</summary>For all of them: np.where chooses between two finished arrays, so both must be harmless everywhere. Above the line stands np.where(a >= 0, 1, small); exp of np.minimum(a, 0) is the same, sooner.</details>


# %% nbgrader={"grade_id": "sigmoid-tanh", "solution": true}
#| export
class SigmoidFunction(Function):
    """1 / (1 + exp(-a)) entry by entry, without overflow: (...) -> (...), into [0, 1]."""

    def forward(self, a):
        ### BEGIN SOLUTION
        small = np.exp(-np.abs(a))
        return np.exp(np.minimum(a, 0)) / (1 + small)  # np.where: 5.6 ms a million, this 2.1
        ### END SOLUTION


class Sigmoid(Activation):
    """Logistic sigmoid, from 0 to 1: Sigmoid()(Tensor([0.0])) is 0.5."""

    def forward(self, x: Tensor) -> Tensor:
        return SigmoidFunction.apply(x)


class Tanh(Activation):
    """Hyperbolic tangent, from -1 to 1: Tanh()(Tensor([0.0])) is 0."""

    def forward(self, x: Tensor) -> Tensor:
        ### BEGIN SOLUTION
        return x.tanh()
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-sigmoid-tanh", "grade": true, "points": 28}
def test_sigmoid_tanh():
    """Against Python's math, at both ends without overflow; integers, dtypes, nan, the graph."""
    numbers = [-5.0, -2.0, -0.5, 0.0, 1.0, 3.0]
    want = [1 / (1 + math.exp(-v)) for v in numbers]
    got = run(SigmoidFunction, np.float32(numbers))
    assert close(got, want), f"sigmoid of {numbers} gave {got}, not {want}."
    assert got.dtype == "float32", f"float32 became {got.dtype}: leave the dtype alone."
    for far in (np.float32([-1000, 1000]), np.array([-1000.0, 1000]), np.array([-np.inf, np.inf])):
        got = run(SigmoidFunction, far)
        assert close(got, [0, 1]), f"{far} gave {got}, not [0, 1]: take exp of -|x| for both sides."
    got, want = run(SigmoidFunction, np.array([0, 1])), [0.5, 1 / (1 + math.exp(-1))]
    assert close(got, want), f"The integers [0, 1] gave {got}, not {want}: make room for fractions."
    got = attempt(SigmoidFunction().forward, np.float32([np.nan, 0]))
    assert "nan" in str(got), f"[nan, 0] gave {got}: nan must stay, or nobody sees it."
    far = [-1000.0, -0.5, 0.0, 2.0, 1000.0]
    got, want = attempt(Tanh(), Tensor(far)), [round(math.tanh(v), 6) for v in far]
    assert close(got, want), f"Tanh() of {far} gave {got}, not {want}: is there an inf / inf?"
    check_manners(Sigmoid())
    check_manners(Tanh())
    ### BEGIN HIDDEN TESTS
    drawn, ids = challenge.normal(scale=4, size=(2, 3, 2)), challenge.integers(-3, 4, size=5)
    for f in (Sigmoid(), Tanh()):
        observe(f"{f}", f(Tensor(drawn)).data)
        observe(f"{f} far", f(Tensor(drawn * 1e5)).data)
        observe(f"{f} of ids", f(Tensor(ids)).data)
    ### END HIDDEN TESTS


test_sigmoid_tanh()

# %% [markdown]
# A look at the three curves, and at how steep they are: the **slope** at `x` is how much the output moves when the input moves a little, `(f(x + h) - f(x - h)) / 2h`. In module 05 learning will pass through these slopes: what an early layer hears of an error is multiplied by the slope of every activation on the way. Where a curve has become flat (it is **saturated**), next to nothing gets through.

# %%
line, h, quarter = np.linspace(-6, 6, 601), 1e-4, 0
fig, (left, right) = plt.subplots(1, 2)
for f, style in [(ReLU(), "-"), (Sigmoid(), "--"), (Tanh(), "-.")]:
    here, up, down = (f(Tensor(line + d, dtype=np.float64)).numpy() for d in (0, h, -h))
    slope = (up - down) / (2 * h)
    quarter = slope.max() if isinstance(f, Sigmoid) else quarter
    left.plot(line, here, style, label=repr(f))
    right.plot(line, slope, style, label=repr(f))
left.set(xlabel="x", ylabel="f(x)", ylim=(-1.2, 3), title="ReLU levels off on one side only")
left.legend()
right.set(xlabel="x", ylabel="slope")
right.set_title(f"Slope of Sigmoid: at most {quarter:.2f}; ten in a row, {quarter**10:.0e}")
plt.show()

# %% [markdown]
# ## Exercise 3: GELU
# *Difficulty 3 of 5 · 20 points · 25 minutes*
#
# ReLU multiplies `x` by 1 or by 0. GELU (Hendrycks and Gimpel, 2016) multiplies it by a probability: `x * P(N <= x)`, where N is a normally distributed random number. 1 is larger than 84.1 % of these numbers and becomes 0.841; -1 is larger than 15.9 % and becomes -0.159. It is a ReLU without the kink, and left of 0 it still has a slope, where a ReLU is dead. GPT-2 and BERT are built on it. The probability needs the error function, which NumPy does not have, so the paper gives a form with tanh; this is the one you write, as GPT-2 did:
#
# ```
#  t = tanh( sqrt(2 / pi) * (x + 0.044715 * x^3) )        gelu(x) = 0.5 * x * (1 + t)
#
#  x = 1:  0.7979 * 1.0447 = 0.8336,   t = 0.6824,   0.5 * 1 * 1.6824 = 0.8412
# ```
#
# Three demands on the way. The cube is a **multiplication**: you saw in module 01 what `x**3` costs. float32 must **stay float32 inside**: the constants below are Python floats, which are weak, while `np.sqrt(2 / np.pi)` is a float64 that makes every entry twice as wide. And going backward will need `t` again, the expensive part: keep it in `self.saved`. The Function and all in it vanish after the call if nobody asked for a gradient.
#
# **Predict first:** what is `gelu(x) - gelu(-x)`? (Try x = 1 with the numbers above.)


# %% nbgrader={"grade_id": "gelu", "solution": true}
#| export
GELU_SCALE, GELU_CUBIC = math.sqrt(2 / math.pi), 0.044715


class GeluFunction(Function):
    """0.5 * a * (1 + t), t = tanh(sqrt(2 / pi) * (a + 0.044715 * a^3)): (...) -> (...).

    Keeps t in `self.saved` for backward. The form with tanh: Hendrycks & Gimpel 2016, section 2.
    """

    @np.errstate(over="ignore", invalid="ignore")  # the cube of 1e13 is inf: tanh is 1
    def forward(self, a):
        ### BEGIN SOLUTION
        self.saved = np.tanh(GELU_SCALE * (a + GELU_CUBIC * (a * a * a)))
        return 0.5 * a * (1 + self.saved)
        ### END SOLUTION


class GELU(Activation):
    """Gaussian error linear unit: x times the probability of a normal number below x."""

    def forward(self, x: Tensor) -> Tensor:
        return GeluFunction.apply(x)


# %% nbgrader={"grade_id": "test-gelu", "grade": true, "points": 20}
class NoPower(np.ndarray):
    """An array that refuses NumPy's general power function."""

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        slow = ufunc in (np.power, np.float_power)
        assert not slow, f"** {inputs[1]} went to NumPy's slow power: multiply, a * a * a."
        return getattr(ufunc, method)(*map(np.asarray, inputs), **options)


def by_formula(v):
    """t and gelu(v) in plain Python."""
    t = math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v * v * v))
    return t, 0.5 * v * (1 + t)


def test_gelu():
    """Against the formula in plain Python, far out too; t is kept; no power, no float64."""
    numbers = [-3.0, -1.0, -0.2, 0.0, 0.7, 1.0, 2.5]
    array = np.float32(numbers)
    got, want = run(GeluFunction, array), [by_formula(v)[1] for v in numbers]
    assert close(got, want), f"GELU (tanh form) of {numbers} gave {got}, not {want}."
    assert got.dtype == "float32", f"float32 became {got.dtype}: is a constant an np.float64?"
    GeluFunction().forward(np.ones((2, 2)).view(NoPower))
    function, want = GeluFunction(), [by_formula(v)[0] for v in numbers]
    function.forward(array)
    kept = getattr(function, "saved", "not set")
    assert close(kept, want), f"self.saved must be t, the tanh: {want}. It is {kept}."
    got = run(GeluFunction, np.float32([-1000, 1000, 1e20]))
    assert close(got, [0, 1000, 1e20]), f"gelu of -1000, 1000 and 1e20 gave {got}: t is -1, 1, 1."
    check_manners(GELU())
    ### BEGIN HIDDEN TESTS
    drawn = challenge.normal(scale=2, size=(2, 1, 3))
    observe("float64", function.forward(drawn))
    observe("saved", np.asarray(function.saved))
    observe("tensor", GELU()(Tensor(drawn)).data)
    ### END HIDDEN TESTS


test_gelu()

# %%
line = np.linspace(-4, 4, 801)
exact = np.array([0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in line])
ours = GELU()(Tensor(line, dtype=np.float64)).numpy()
fig, (left, right) = plt.subplots(1, 2)
left.plot(line, ours, label="GELU")
left.plot(line, ReLU()(Tensor(line)).numpy(), "--", label="ReLU")
left.set(xlabel="x", ylabel="f(x)", xlim=(-4, 2), ylim=(-0.3, 2))
left.set_title(f"GELU dips to {ours.min():.2f} at x = {line[ours.argmin()]:.2f}")
left.legend()
right.plot(line, (ours - exact) * 1e4)
right.set(xlabel="x", ylabel="tanh form - exact, in 0.0001")
right.set_title(f"The two forms differ by at most {np.abs(ours - exact).max():.5f}")
plt.show()

# %% [markdown]
# ## Exercise 4: Softmax
# *Difficulty 4 of 5 · 26 points · 35 minutes*
#
# The last activation looks at a whole row. A network that has to choose among classes ends in one score for each, the **logits**: any numbers. Softmax makes them into shares: `exp` makes each positive, the division by their sum makes them add up to 1.
#
# ```
#  logits  [0, 1, 2]    exp  [1, 2.718, 7.389], sum 11.107    shares  [0.090, 0.245, 0.665]
# ```
#
# Only differences between logits matter. `[1000, 1001, 1002]` has the same shares, as both sides of the fraction are multiplied by the same `exp(1000)`. But `exp(1000)` is inf, and inf / inf is nan. So first **subtract the largest entry of each row**: nothing changes, and the largest `exp` is `exp(0) = 1`. Each row has its own largest: the maximum of the whole array would push other rows down to 0 / 0.
#
# Attention (module 12) hides places by the logit `-inf`: `exp(-inf) = 0`, a share of nothing, and your formula does it already. A row of *only* `-inf` has no largest entry to speak of and no shares; it is **nan, as in PyTorch**, and its neighbours are not disturbed. `dim` says along which axis the shares add up to 1, and it travels through the door as an option, by name.
#
# **Predict first:** if `x` has shape `(2, 3, 4)`, what is the shape of the maxima along `dim=1` that you subtract?
#
# <details><summary>Hint</summary>(2, 1, 4): with keepdims=True it broadcasts against x. The sum needs it as well. And a -= ... would change the caller's array.</details>


# %% nbgrader={"grade_id": "softmax", "solution": true}
#| export
class SoftmaxFunction(Function):
    """exp(a) / sum of exp(a) along `dim`, shifted by the largest entry: (...) -> (...)."""

    @np.errstate(invalid="ignore")  # -inf - -inf, in a row of only -inf, is nan without a warning
    def forward(self, a, dim=-1):
        ### BEGIN SOLUTION
        exps = np.exp(a - a.max(axis=dim, keepdims=True))
        return exps / exps.sum(axis=dim, keepdims=True)
        ### END SOLUTION

    def explain(self, a, dim=-1):
        if not -a.ndim <= dim < a.ndim or a.shape[dim] == 0:
            raise ValueError(
                f"Softmax along dim {dim} of {a.shape}: choose a dim that has entries."
            )


class Softmax(Activation):
    """Shares that add up to 1 along `dim`; ValueError if there is no such dim."""

    def forward(self, x: Tensor, dim: int = -1) -> Tensor:
        ### BEGIN SOLUTION
        return SoftmaxFunction.apply(x, dim=dim)
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-softmax", "grade": true, "points": 26}
def shares(row):
    """Softmax of a list of numbers in plain Python."""
    exps = [math.exp(v) for v in row]
    return [e / sum(exps) for e in exps]


def test_softmax():
    """Against plain Python along every dim; large logits, masks, a row of only -inf, refusals."""
    rows = [[1.0, 2.0, 4.0], [0.0, -3.0, 0.5]]
    array, along = np.float32(rows), [shares(row) for row in rows]
    down = np.transpose([shares(column) for column in zip(*rows, strict=True)])
    for dim, want in [(-1, along), (1, along), (0, down), (-2, down)]:
        got = run(SoftmaxFunction, array, dim=dim)
        assert close(got, want), f"Along dim={dim} {rows} gave {got}, not {want}."
        assert got.dtype == "float32", f"float32 became {got.dtype}: leave the dtype alone."
        got = attempt(Softmax(), Tensor(array), dim=dim)
        assert close(got, want), f"Softmax()(x, dim={dim}) gave {got}: does dim reach forward?"
    assert close(attempt(Softmax(), Tensor(array)), along), "Without dim it is the last one."
    pair, inf = shares([0, 1]), np.inf
    for logits, want in [
        ([[1000, 1001], [-1001, -1000]], [pair, pair]),
        ([[0, 2000], [-2000, 0]], [[0, 1], [0, 1]]),
        ([[-inf, 0], [math.log(3), 0]], [[0, 1], [0.75, 0.25]]),
    ]:
        got = run(SoftmaxFunction, np.float32(logits))
        assert close(got, want), f"{logits} gave {got}, not {want}: subtract each row's max first."
    got = run(SoftmaxFunction, np.float32([[-inf, -inf], [0, 1]]))
    spared = "nan" in str(got[0]) and close(got[1], pair)
    assert spared, f"Rows [-inf, -inf] and [0, 1] gave {got}: nan, and beside it {pair}."
    said = attempt(Softmax(), Tensor(array), dim=2)
    assert "Error" in str(said), f"dim=2 of shape (2, 3): let NumPy refuse. Got: {said}"
    check_manners(Softmax())
    ### BEGIN HIDDEN TESTS
    drawn = challenge.normal(scale=3, size=(2, 3, 4))
    drawn[0, 0, :2] = -np.inf
    for dim in (-1, 0, 1):
        observe(f"array, dim {dim}", run(SoftmaxFunction, drawn, dim=dim))
        observe(f"tensor, dim {dim}", Softmax()(Tensor(drawn * 100), dim=dim).data, rtol=1e-3)
    ### END HIDDEN TESTS


test_softmax()

# %% [markdown]
# Differences matter, so a factor before the softmax matters too. Language models divide the logits by a **temperature**: cold makes the largest win nearly everything (towards a hard maximum), hot makes all alike.

# %%
logits, places = Tensor([2.0, 1.0, 0.0, -1.0]), np.arange(4)
found = {t: Softmax()(logits / t).numpy() for t in (0.2, 1.0, 5.0)}
for i, (t, share) in enumerate(found.items()):
    bars = plt.bar(places + 0.27 * (i - 1), share, width=0.25, label=f"temperature {t}")
    plt.bar_label(bars, [f"{s:.2f}" for s in share], fontsize=8)
plt.xticks(places, [f"logit {v:g}" for v in logits.numpy()])
plt.gca().set(ylabel="share", title=f"Cold, logit 2 gets {found[0.2][0]:.0%}; hot, {share[0]:.0%}")
plt.legend()
plt.show()

# %% [markdown]
# ## All together
# *10 points.* XOR out of two ReLUs. Then a two-layer network with each activation in its middle and a softmax at its end, held against loops that know nothing of Tensors.


# %% nbgrader={"grade_id": "test-activations-module", "grade": true, "points": 10}
BENDS = {ReLU: lambda v: max(v, 0), Sigmoid: lambda v: 1 / (1 + math.exp(-v))}
BENDS |= {Tanh: math.tanh, GELU: lambda v: by_formula(v)[1]}


def network(x, w1, w2, activation):
    """softmax(activation(x @ w1) @ w2): (batch, 3) -> (batch, 2)"""
    return Softmax()(activation(x @ w1) @ w2)


def by_loops(x, w1, w2, bend):
    """The same for one row, in plain Python."""
    hidden = [bend(sum(x[i] * w1[i][j] for i in range(3))) for j in range(5)]
    return shares([sum(hidden[i] * w2[i][j] for i in range(5)) for j in range(2)])


def test_activations_module():
    """XOR, then a network with every activation, and its graph."""
    bits = Tensor([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    xor = ReLU()(bits @ np.ones((2, 2)) + [0, -1]) @ [1, -2]
    assert close(xor, [0, 1, 1, 0]), f"relu(a + b) - 2 * relu(a + b - 1) is XOR, not {xor}."
    shapes = [(4, 3), (3, 5), (5, 2)]
    arrays = [np.cos(np.arange(math.prod(s))).reshape(s) for s in shapes]
    for kind, bend in BENDS.items():
        name, (x, w1, w2) = kind.__name__, [Tensor(a, a.shape == (3, 5)) for a in arrays]
        out = network(x, w1, w2, kind())
        want = [by_loops(row, *arrays[1:], bend) for row in arrays[0]]
        assert close(out, want), f"The network with {name} gave {out}, the loops {want}."
        assert out._grad_fn, f"{name} cuts the way back to w1."
    ### BEGIN HIDDEN TESTS
    for kind in BENDS:
        x, w1, w2 = (Tensor(challenge.normal(size=s)) for s in shapes)
        observe(kind.__name__, network(x, w1, w2, kind()).data, rtol=1e-4)
    ### END HIDDEN TESTS


test_activations_module()

# %% [markdown]
# ## Measure it: time and memory
#
# A million float32 numbers, 4 MB, through each activation. Time is one thing; memory has two sides. During the call, intermediate arrays exist side by side: the **peak**. After it, if a gradient was asked for, the graph **holds** the result, and for GELU the tanh as well, until the backward pass. For comparison, `x**3` by NumPy's power, which you kept out of GELU.

# %%
x = Tensor(np.random.default_rng(1).normal(size=(1000, 1000)), requires_grad=True)
calls = {repr(f): f for f in (ReLU(), Sigmoid(), Tanh(), Softmax(), GELU())}
times, peaks, held = [], [], []
for call in calls.values():
    times.append(min(timeit.repeat(lambda call=call: call(x), number=1, repeat=5)) * 1e3)
    tracemalloc.start()
    node = call(x)._grad_fn
    peaks.append(tracemalloc.get_traced_memory()[1] / 1e6)
    tracemalloc.stop()
    held.append((node.result.nbytes + getattr(getattr(node, "saved", None), "nbytes", 0)) / 1e6)
fig, (left, right) = plt.subplots(1, 2, sharey=True)
bars = left.barh(list(calls), times)
left.bar_label(bars, [f"{ms:.2g} ms" for ms in times], padding=3)
left.set(xscale="log", xlabel="milliseconds", xlim=(None, 10 * max(times)))
power = min(timeit.repeat(lambda: x.numpy() ** 3, number=1, repeat=5)) * 1e3
left.set_title(f"x**3 alone: {power / times[-1]:.0f} times the time of GELU")
right.barh(list(calls), peaks, color="lightgray", label="peak during the call")
right.barh(list(calls), held, height=0.4, label="held by the graph")
right.set(xlabel="MB, for an input of 4 MB", xlim=(0, 22), title="GELU holds two arrays")
right.legend(loc="right")
plt.show()

# %% [markdown]
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. Like a line through 0, ReLU turns twice the input into twice the output: `relu(2 * x)` is `2 * relu(x)`. Is `relu(a + b)` always `relu(a) + relu(b)`?
# 2. The softmax of two logits `[0, x]`: its second share is an activation that you know. Which?
# 3. A batch of 64 goes through a hidden layer of 256 neurons with a gradient in mind. How many bytes does the graph hold for a ReLU there, and how many for a GELU?
#
# <details><summary>Answers</summary>
#
# 1. No: for 1 and -1 the left side is 0 and the right side 1. If it were, ReLU would be a line.
# 2. The sigmoid: exp(x) / (exp(0) + exp(x)), divided by exp(x) above and below.
# 3. 64 * 256 * 4 = 65,536 bytes, and 131,072.
#
# </details>

# %%
print("1.", "relu of 1 - 1, 1 and -1:", ReLU()(Tensor([0.0, 1.0, -1.0])))
print("2.", Softmax()(Tensor([0.0, 2.0]))[1].item(), Sigmoid()(Tensor(2.0)).item())
hidden = Tensor(np.ones((64, 256)), requires_grad=True)
gelu = GELU()(hidden)._grad_fn
print("3.", ReLU()(hidden)._grad_fn.result.nbytes, gelu.result.nbytes + gelu.saved.nbytes)

# %% [markdown]
# ## In production
#
# | ours | PyTorch | the difference |
# |---|---|---|
# | `ReLU()` | `torch.nn.ReLU()` | theirs can work in place, `inplace=True` |
# | `GELU()` | `torch.nn.GELU(approximate="tanh")` | their default is the exact form |
# | `Softmax()(x, dim=0)` | `torch.softmax(x, dim=0)` | `torch.nn.Softmax(dim=0)` takes dim when it is built |
#
# ## Recap
#
# 1. Without a bend between them, layers multiply to one layer; a kink is enough to compute XOR.
# 2. Flat parts pass no slope on: saturated sigmoids and dead ReLUs do not learn.
# 3. Stable means that exp never sees a large number: -|x| for the sigmoid, the row's maximum for softmax.
# 4. `x * x * x`, Python floats as constants: float32 in, float32 out, no power.
# 5. Softmax sees differences only; -inf is a share of 0; the temperature decides how sharp.
#
# ## Further reading
#
# - G. Cybenko, "Approximation by superpositions of a sigmoidal function", *Mathematics of Control, Signals and Systems* 2 (1989).
# - V. Nair, G. E. Hinton, "Rectified linear units improve restricted Boltzmann machines", ICML 2010.
# - D. Hendrycks, K. Gimpel, "Gaussian error linear units (GELUs)", 2016: <https://arxiv.org/abs/1606.08415>
#
# **Next:** 03 layers. The bends are here; what they stand between, matrices that can learn, comes now.
