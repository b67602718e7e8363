# %% [markdown]
# # Layers
#
# > Functions with memory: what holds the weights of a network, finds them, saves them and starts them well.
#
# **The question of this notebook:** a network is a function of its input *and* of thousands of numbers that will be learned. Where do these numbers live, who finds them, and what should they be on the first day?
#
# Difficulty 3 of 5 · about 2 hours · 4 exercises and a test over the module, 100 points · prerequisites: module 01, Python classes and generators (`yield`).
#
# | You have | You will build | Not yet |
# |---|---|---|
# | `Tensor`, its operations, activations | `Layer`, `Linear`, `Dropout`, `Sequential`, `Flatten` | losses (04), gradients (05), learning (06, 07) |
#
# The notebook ends up in `tinytorch/core/layers.py`. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.layers

# %% nbgrader={"grade_id": "setup", "locked": true}
import tracemalloc

import matplotlib.pyplot as plt
import numpy as np

from tinytorch.core.tensor import no_grad

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


def stems_from(out, *tensors):
    """True when the graph behind `out` leads back to these tensors and to no others that ask."""
    found, stack = set(), [out]
    while stack:
        tensor = stack.pop()
        stack.extend(getattr(getattr(tensor, "_grad_fn", None), "inputs", ()))
        if getattr(tensor, "requires_grad", False) and not tensor._grad_fn:
            found.add(id(tensor))
    return found == set(map(id, tensors))


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import math
from collections.abc import Callable, Iterator
from reprlib import recursive_repr

import numpy as np
from numpy.typing import ArrayLike

from tinytorch.core.tensor import Tensor


class Random:
    """The one source of chance: first weights and dropout masks are drawn from `generator`."""

    generator = np.random.default_rng()


def manual_seed(seed: int) -> None:
    """Start the source of chance anew: the same seed gives the same weights and masks."""
    Random.generator = np.random.default_rng(seed)


# %% [markdown]
# ## Exercise 1: a function with memory
# *Difficulty 4 of 5 · 28 points · 40 minutes*
#
# `tanh` gives the same answer today and tomorrow. What a network *learns* must change its answers, so it has to sit somewhere between two calls. A **layer** is an object with a `forward` and with Tensors as attributes:
#
# | an attribute that is | is called | for example |
# |---|---|---|
# | a Tensor with `requires_grad` | a **parameter**: an optimizer will change it | a weight |
# | a Tensor without | a **buffer**: saved with the model, never trained | a table of positions |
# | a Layer, or a list or tuple of Layers or Tensors | looked into | the blocks of a GPT |
# | anything else | no business of ours | a size, or a result kept to be looked at, as an array |
#
# There is nothing to register: Python keeps attributes in a dictionary, `vars(layer)`, in the order of their definition. An optimizer asks for `parameters()`, a file wants names, `eval()` must reach the last dropout: all three need one `walk`. (`load_state_dict`, given, is strict: a weight that is missing would stay random in silence, and a bias of shape `(1,)` would fill one of `(256,)` by broadcasting.) If a net has `blocks = [Head(), Head()]`, each with a `weight`, then `scale`, a Tensor, then `first = self.blocks[0]`, the walk meets `blocks.0`, `blocks.0.weight`, `blocks.1`, `blocks.1.weight`, `scale`. A layer comes right before what is in it, names grow by a part per level, and **each object comes once**, by the first name it is met under: `first` is an old friend. Without this an optimizer would take two steps with a shared weight, and a layer that knows its parent would send you round in circles.
#
# **Predict first:** a GPT uses one matrix as `embedding.weight` and as `head.weight`. How often should `parameters()` list it? And what does freezing, `layer.weight.requires_grad = False`, make of a parameter?
#
# <details><summary>Hints</summary>
#
# `isinstance(member, Tensor | Layer)` tells what counts. Remember `id(member)` in a set: asking `member in some_list` would compare entries. The set must travel: `member.walk(seen)` looks into a child. Begin with the layer itself in it.
#
# </details>


# %% nbgrader={"grade_id": "layer", "solution": true}
#| export
class Layer:
    """A function with memory: subclasses set Tensors and Layers as attributes, write `forward`."""

    training = True  # on the class, so that a subclass need not call super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError(f"{type(self).__name__} has no forward: write it.")

    def members(self) -> Iterator[tuple[str, object]]:
        """(name, value) of each attribute; the items of lists and tuples one by one: "blocks.0"."""
        for name, value in vars(self).items():
            if isinstance(value, list | tuple):
                yield from ((f"{name}.{i}", item) for i, item in enumerate(value))
            else:
                yield name, value

    def walk(self, seen: set[int] | None = None) -> Iterator[tuple[str, "Tensor | Layer"]]:
        """(name, object) of each Tensor and Layer inside, once; seen: ids of those already met."""
        ### BEGIN SOLUTION
        seen = {id(self)} if seen is None else seen
        for name, member in self.members():
            if isinstance(member, Tensor | Layer) and id(member) not in seen:
                seen.add(id(member))
                yield name, member
                if isinstance(member, Layer):
                    yield from ((f"{name}.{inner}", x) for inner, x in member.walk(seen))
        ### END SOLUTION

    def train(self, mode: bool = True) -> "Layer":
        """Set `training` here and in every Layer inside; return the layer itself."""
        ### BEGIN SOLUTION
        self.training = mode
        for _, member in self.walk():
            if isinstance(member, Layer):
                member.training = mode
        return self
        ### END SOLUTION

    # fmt: off
    def __call__(self, *inputs, **options) -> Tensor: return self.forward(*inputs, **options)
    def eval(self) -> "Layer": return self.train(False)
    def _tensors(self): return [(name, x) for name, x in self.walk() if isinstance(x, Tensor)]
    def named_parameters(self): return [(name, x) for name, x in self._tensors() if x.requires_grad]
    def named_buffers(self): return [(name, x) for name, x in self._tensors() if not x.requires_grad]
    def parameters(self) -> list[Tensor]: return [x for _, x in self.named_parameters()]
    # fmt: on

    def state_dict(self) -> dict[str, np.ndarray]:
        """A copy of each parameter and buffer, by name: training on does not change it."""
        return {name: x.data.copy() for name, x in self._tensors()}

    def load_state_dict(self, state: dict[str, ArrayLike]) -> None:
        """Write `state` into the Tensors of these names; a ValueError lists all that does not fit."""
        mine = dict(self._tensors())
        problems = [f"{name} is missing" for name in mine if name not in state]
        problems += [f"{name} is unexpected" for name in state if name not in mine]
        for name in [name for name in mine if name in state]:  # broadcasting would hide a mistake
            if np.shape(state[name]) != mine[name].shape:
                problems.append(f"{name}: {np.shape(state[name])} is not {mine[name].shape}")
        if problems:
            raise ValueError(f"Nothing loaded: {'; '.join(problems)}. Build the model saved there.")
        for name, tensor in mine.items():
            tensor.data[...] = state[name]  # in place: dtype stays, the state is not shared

    @recursive_repr()  # a layer may know its parent
    def __repr__(self) -> str:
        inside = [f"{name}: {x!r}" for name, x in self.members() if callable(x)]
        lines = "\n".join(["", *inside]).replace("\n", "\n  ")
        return f"{type(self).__name__}({lines}{chr(10) if lines else ''})"


# %% nbgrader={"grade_id": "test-layer", "grade": true, "points": 28}
class Head(Layer):
    def __init__(self, *numbers):
        self.size, self.weight = 2, Tensor(numbers, requires_grad=True)


class Net(Layer):
    def __init__(self):
        self.blocks, self.table = [Head(1.0, 2.0), Head(3.0)], Tensor([4, 5])
        self.pair = (Head(6.0), Tensor([7.0], requires_grad=True), "text")
        self.first, self.tied, self.parent = self.blocks[0], self.blocks[1].weight, self


def test_layer():
    """Names, order, shared and circular members, freezing, train and eval through all levels."""
    net, deep = Net(), Net()
    got = [name for name, x in net.walk() if isinstance(x, Layer)]
    assert "parent" not in got, "A layer does not find itself: put it among `seen` first."
    assert got == ["blocks.0", "blocks.1", "pair.0"], f"The walk met the layers {got}."
    named = dict(net.named_parameters())
    assert "blocks.0.weight" in named, f"blocks.0.weight is missing: look into layers. {[*named]}"
    assert "tied" not in named, "`tied` is blocks.1.weight: each object once, by its first name."
    want = ["blocks.0.weight", "blocks.1.weight", "pair.0.weight", "pair.1"]
    assert list(named) == want, f"In the order of definition {want}, not {[*named]}."
    assert named["blocks.1.weight"] is net.tied, "walk must give the Tensors themselves."
    deep.blocks, want = [net], ["blocks.0", "blocks.0.blocks.0", "blocks.0.blocks.0.weight"]
    got = [name for name, _ in deep.walk()][:3]
    assert got == want, f"Names grow per level, a layer before what is in it: {want}, not {got}."
    assert len(net.parameters()) == 4, "A second walk found less: each starts with a new `seen`."
    net.tied.requires_grad = False
    got = [name for name, _ in net.named_buffers()]
    assert got == ["blocks.1.weight", "table"], f"A frozen weight is a buffer; buffers are {got}."
    assert deep.eval() is deep, "train() and eval() return the layer itself."
    states = [layer.training for layer in (deep, net, net.blocks[0], net.pair[0])]
    assert not any(states), f"eval() must reach every layer, this one too: training is {states}."
    assert Net().training, "eval() of one net must not change another."
    assert deep.train().blocks[0].training, "train() switches back what eval() switched off."
    ### BEGIN HIDDEN TESTS
    layer = Layer()
    for i, name in enumerate(challenge.permutation(["a", "b", "c", "d"]).tolist()):
        inner = Net() if i < 2 else Head(*challenge.normal(size=i))
        setattr(layer, name, [inner, layer] if i % 2 else inner)
    observe("walk", " ".join(name for name, _ in layer.eval().walk()))
    observe("numbers", np.concatenate([x.data for x in layer.parameters()]))
    observe("training", np.array([x.training for _, x in layer.walk() if isinstance(x, Layer)]))
    ### END HIDDEN TESTS


test_layer()

# %%
net, saved = Net(), Net().state_dict()
print("parameters:", [name for name, _ in net.named_parameters()])
net.tied.data -= 100.0
print("changed:", net.tied.data, "saved:", saved["blocks.1.weight"])
print("refused:", attempt(Head(1.0, 2.0).load_state_dict, {"weight": [[1, 2]], "bias": 0}))

# %% [markdown]
# ## Exercise 2: Linear
# *Difficulty 3 of 5 · 28 points · 30 minutes*
#
# The layer that does most of the work: each output is a weighted sum of all inputs, plus a bias. By hand, from 2 features to 3:
#
# ```
#  x = [1  2]    weight = [1  0  2]    x @ weight = [1*1 + 2*0   1*0 + 2*1   1*2 + 2*-1] = [1    2  0]
#                         [0  1 -1]        + bias = [0.5  0  0]                          = [1.5  2  0]
# ```
#
# Each column of `weight` is one output. The input may have any dimensions in front: a batch `(32, 784)`, or `(32, 10, 64)`, sentences of words, where each word goes through the same matrix. All it takes is one `@` and one `+`.
#
# **How should the weights start?** Not at 0: all outputs would be equal, get equal gradients, and stay equal for ever. At random, then; how large? An output is a sum of `in` products. If inputs and weights are independent with mean 0, variances multiply and add up: the variance of an output is `in` x the variance of a weight x the variance of an input. For signals to keep their size, the variance of a weight should be 1 / `in`. On the way back gradients pass through the same matrix in the other direction, which asks for 1 / `out`. Glorot and Bengio (2010) take the middle, 2 / (`in` + `out`). Uniform numbers between `-limit` and `limit` have variance `limit**2 / 3`, therefore `limit = sqrt(6 / (in + out))`. The bias starts at 0. Draw from `Random.generator`, so that `manual_seed` makes an experiment repeatable.
#
# **Predict first:** how many parameters has a network 784-256-10, and which of the four Tensors holds nearly all of them?
#
# <details><summary>Hints</summary>
#
# 1. `Random.generator.uniform(low, high, size)` draws a whole matrix. Say `Random.generator` at each draw: `manual_seed` puts another generator there.
# 2. `x.shape[-1:]` exists even without dimensions. Ask `self.bias is None`: a Tensor has no simple truth value.
# 3. Work with the Tensors, not with their `.data`: results made from arrays forget where they came from.
#
# </details>


# %% nbgrader={"grade_id": "linear", "solution": true}
#| export
class Linear(Layer):
    """`x @ weight + bias`: (..., in_features) -> (..., out_features).

    weight: (in_features, out_features), uniform by Glorot and Bengio 2010, eq. 16; bias: zeros,
    or None. Raises ValueError, naming the shape, for an input with another last size.
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True):
        for name, size in (("in_features", in_features), ("out_features", out_features)):
            if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
                raise ValueError(f"{name} must be a whole number from 1 on, not {size!r}.")
        self.in_features, self.out_features = in_features, out_features
        ### BEGIN SOLUTION
        limit = math.sqrt(6 / (in_features + out_features))
        drawn = Random.generator.uniform(-limit, limit, (in_features, out_features))
        self.weight = Tensor(drawn, requires_grad=True)
        self.bias = Tensor(np.zeros(out_features), requires_grad=True) if bias else None
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        ### BEGIN SOLUTION
        if x.shape[-1:] != (self.in_features,):
            raise ValueError(f"Linear expects (..., {self.in_features}), got shape {x.shape}.")
        product = x @ self.weight
        return product if self.bias is None else product + self.bias
        ### END SOLUTION

    def __repr__(self) -> str:
        without = ", bias=False" if self.bias is None else ""
        return f"Linear({self.in_features}, {self.out_features}{without})"


# %% nbgrader={"grade_id": "test-linear", "grade": true, "points": 28}
def test_linear():
    """The start, sums against loops, any leading dimensions, bias, graph, refusals."""
    manual_seed(3)
    layer, limit = Linear(200, 400), math.sqrt(6 / 600)
    w = layer.weight.data
    assert w.shape == (200, 400), f"The weight is (in, out) = (200, 400), not {w.shape}."
    assert close(layer.bias.data, np.zeros(400)), "The bias is one zero for each output."
    names = [name for name, _ in layer.named_parameters()]
    assert names == ["weight", "bias"], f"weight and bias ask for a gradient; found {names}."
    low, high = w.min() / limit, w.max() / limit
    fills = -1.0001 < low < -0.99 and 0.99 < high < 1.0001
    assert fills, f"Weights reach from -1 to 1 times the limit; yours from {low:.2f} to {high:.2f}."
    lines = [w.mean(axis=i).std() * math.sqrt(w.shape[i]) / w.std() for i in (0, 1)]
    assert max(lines) < 1.5, "Rows or columns of the weight are alike: draw each weight by itself."
    other, _ = Linear(200, 400).weight.data, manual_seed(3)
    assert not close(other, w), "Two layers start with equal weights: draw from Random.generator."
    assert close(Linear(200, 400).weight.data, w), "manual_seed(3) must bring the weights again."
    layer, plain = Linear(2, 3), Linear(2, 3, bias=False)
    layer.weight.data[...], layer.bias.data[...] = [[1, 0, 2], [0, 1, -1]], [0.5, 0, 0]
    got = layer(Tensor([1.0, 2.0])).data
    assert close(got, [1.5, 2, 0]), f"[1, 2] must give [1.5, 2, 0], as by hand; it gave {got}."
    x = Tensor(np.arange(12.0).reshape(2, 3, 2), requires_grad=True)
    w, b, out = layer.weight.data, layer.bias.data, layer(x)
    want = [[[r[0] * w[0, j] + r[1] * w[1, j] + b[j] for j in range(3)] for r in s] for s in x.data]
    assert close(out, want), f"(2, 3, 2) -> (2, 3, 3), sums as by loops; got {np.asarray(out)}."
    assert stems_from(out, x, layer.weight, layer.bias), "The graph is cut: do not use .data."
    double = layer(Tensor([0.1, 0.2], dtype=np.float64))
    assert double.dtype == "float64", f"float64 in gave {double.dtype} out: do not cast."
    assert plain.bias is None, f"With bias=False, .bias is None, not {plain.bias}."
    for shape in [(32, 3), (2, 1), ()]:
        said = str(attempt(layer, Tensor(np.ones(shape))))
        assert "ValueError" in said, f"Linear(2, 3) of {shape}: raise a ValueError. Got: {said}"
        absent = [part for part in ("(..., 2)", str(shape)) if part not in said]
        assert not absent, f"Say what is expected and what came: {absent} is not in: {said}"
    ### BEGIN HIDDEN TESTS
    n, m = challenge.integers(2, 7, size=2).tolist()
    layer, plain = Linear(n, m), Linear(m, n, bias=False)
    for tensor in [*layer.parameters(), *plain.parameters()]:
        tensor.data[...] = challenge.normal(size=tensor.shape)
    for shape in [(n,), (0, n), (2, 1, 3, n)]:
        x = Tensor(challenge.normal(size=shape))
        observe(f"{shape} and back", plain(layer(x)).data, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_linear()

# %%
first, second = Linear(784, 256), Linear(256, 10)
for name, tensor in [*first.named_parameters(), *second.named_parameters()]:
    print(f"{name:7} {tensor.shape!s:11} {tensor.size:>8,} parameters")
print("refused:", attempt(first, Tensor(np.ones((32, 100)))))

# %% [markdown]
# ## Exercise 3: Dropout
# *Difficulty 2 of 5 · 20 points · 20 minutes*
#
# A network that has seen every example fifty times begins to rely on single details of single examples. Dropout (Srivastava and others, 2014) takes that away: in training, each number becomes 0 with probability `p`, anew at each call, so that no unit can count on another.
#
# With half the numbers gone, the next layer's sums would be half as large in training as later in use. So the survivors are divided by `1 - p`, and the mean stays: `(1 - p) * x / (1 - p) + p * 0 = x`. With `p = 0.9`, a number becomes 0 or `10 * x`. After `eval()`, or with `p = 0`, return `x` itself, not even a copy.
#
# The zeros and factors are a **constant** of this call: an array drawn from `Random.generator`, by which `x` is multiplied. The graph must lead through the product back to `x`.
#
# **Predict first:** mean and standard deviation of `Dropout(0.9)` of 1,000 ones, about?
#
# <details><summary>Hints</summary>
#
# `Random.generator.random(x.shape)` is uniform in [0, 1): it lies below `p` with probability `p`. Comparing gives bools; bools divided by `1 - p` are 0 and `1 / (1 - p)`. And `x * array` keeps the dtype of `x`.
#
# </details>


# %% nbgrader={"grade_id": "dropout", "solution": true}
#| export
class Dropout(Layer):
    """In training, each number is 0 with probability p, else divided by 1 - p; else x itself."""

    def __init__(self, p: float = 0.5):
        if not 0 <= p < 1:
            raise ValueError(f"Dropout's p must be at least 0 and below 1, not {p}.")
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        ### BEGIN SOLUTION
        if not self.training or self.p == 0:
            return x
        is_kept = Random.generator.random(x.shape) >= self.p
        return x * (is_kept / (1 - self.p))
        ### END SOLUTION

    def __repr__(self) -> str:
        return f"Dropout(p={self.p})"


# %% nbgrader={"grade_id": "test-dropout", "grade": true, "points": 20}
def test_dropout():
    """Values, share and independence of the zeros, chance that can be repeated, eval, graph."""
    manual_seed(5)
    x = Tensor(np.arange(1, 40_001).reshape(200, 200) / 1e4, requires_grad=True)
    before = x.data.copy()
    for p in (0.2, 0.9):
        layer = Dropout(p)
        out = layer(x)
        factor, sigma, want = out.data / before, math.sqrt(p * (1 - p)), 1 / (1 - p)
        kept = factor != 0
        right = np.allclose(factor[kept], want)
        assert right, f"With p = {p}, numbers are 0 or {want:.3g} x: {factor.max():.3g} x?"
        lines = [kept.mean(axis=axis).std() * math.sqrt(200) / sigma for axis in (0, 1)]
        assert max(lines) < 1.5, "Whole rows or columns fell together: draw for each number."
        share = 1 - kept.mean()
        assert abs(share - p) < 5 * sigma / 200, f"With p = {p} a share of {share:.3f} became 0."
        assert not close(layer(x).data, out.data), "Two calls gave the same zeros: draw each time."
    assert close(x.data, before), "The input was changed: multiply, do not write into it."
    manual_seed(8)
    first, _ = layer(x).data, manual_seed(8)
    assert close(layer(x).data, first), "After manual_seed(8) the same zeros: use Random.generator."
    dtypes = [layer(Tensor([0.1], dtype=name)).dtype.name for name in ("float32", "float64")]
    assert dtypes == ["float32", "float64"], f"float32 and float64 in gave {dtypes} out."
    assert stems_from(out, x), "The graph must lead to x, and the mask must not ask for a gradient."
    assert layer.eval()(x) is x, "After eval(), Dropout returns x itself."
    assert Dropout(0)(x) is x, "With p = 0, Dropout returns x itself, in training too."
    ### BEGIN HIDDEN TESTS
    layer = Dropout(challenge.uniform(0.1, 0.9))
    x = Tensor(challenge.uniform(1, 2, size=(4, 5, 100)))
    factor = layer(x).data / x.data
    observe("factors", np.array([factor.min(), factor.max()]), rtol=1e-4)
    observe("eval", layer.eval()(x).data[0])
    ### END HIDDEN TESTS


test_dropout()

# %%
manual_seed(2)
row, layer = Tensor(np.linspace(0, 1, 6)), Dropout(0.5)
print("x            ", row.data.round(2))
print("one call     ", layer(row).data.round(2))
print("another      ", layer(row).data.round(2))
print("mean of 5,000", np.mean([layer(row).data for _ in range(5000)], axis=0).round(2))

# %% [markdown]
# ## Exercise 4: Sequential and Flatten
# *Difficulty 1 of 5 · 12 points · 10 minutes*
#
# `Sequential(a, b, c)` is `c(b(a(x)))`, of Layers and any other callables without parameters: the activations of module 02, or `Tensor.tanh`. Parameters are named by place, `0.weight`, not `layers.0.weight`.
#
# `Flatten` makes rows of images, in reading order and as a view. One trap: NumPy refuses `reshape(0, -1)` for an empty batch, as any size would fit. So compute the size: `math.prod` multiplies a shape.
#
# **Predict first:** `tied = Linear(4, 4)`. Which names are in `Sequential(tied, tied).state_dict()`?


# %% nbgrader={"grade_id": "sequential", "solution": true}
#| export
class Sequential(Layer):
    """One layer after the other: Layers, or other callables that have no parameters."""

    def __init__(self, *layers: Callable[[Tensor], Tensor]):
        for i, layer in enumerate(layers):
            if not callable(layer) or isinstance(layer, type):
                raise TypeError(f"Write Sequential(a(), b()): number {i} is {layer!r:.60}.")
            if not isinstance(layer, Layer) and getattr(layer, "parameters", list)():
                raise TypeError(f"Number {i}, {layer!r:.60}, has parameters: make it a Layer.")
        self.layers = list(layers)

    def members(self) -> Iterator[tuple[str, object]]:
        yield from ((name.removeprefix("layers."), x) for name, x in super().members())

    def forward(self, x: Tensor) -> Tensor:
        ### BEGIN SOLUTION
        for layer in self.layers:
            x = layer(x)
        return x
        ### END SOLUTION


class Flatten(Layer):
    """(batch, ...) -> (batch, -1), a view: each example becomes one row."""

    def forward(self, x: Tensor) -> Tensor:
        ### BEGIN SOLUTION
        return x.reshape(len(x), math.prod(x.shape[1:]))
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-sequential", "grade": true, "points": 12}
def test_sequential():
    """Order, callables, no layers, graph; rows in reading order, as a view, empty batches."""
    add, double = Linear(1, 1), Linear(1, 1, bias=False)
    add.weight.data[...], add.bias.data[...], double.weight.data[...] = 1, 3, 2
    model, x = Sequential(add, double, Tensor.abs), Tensor([[1.0], [-5.0]], requires_grad=True)
    for _ in range(2):
        got = model(x)
        assert close(got, [[8], [4]]), f"abs(2 * (x + 3)) of 1 and -5 is 8 and 4, not {got}."
    assert stems_from(got, x, *model.parameters()), "The graph must lead back to all weights."
    images = Tensor(np.arange(24.0).reshape(2, 3, 4), requires_grad=True)
    flat, want = Flatten()(images), np.arange(24).reshape(2, 12)
    assert close(flat, want), f"(2, 3, 4) -> (2, 12), each example in reading order. Got {flat}"
    assert np.shares_memory(flat.data, images.data), "Flatten is a view: do not copy."
    assert stems_from(flat, images), "The graph must lead to the images: reshape the Tensor."
    for shape, want in [((5,), (5, 1)), ((1, 2, 3), (1, 6)), ((0, 2, 3), (0, 6))]:
        got = attempt(lambda x: Flatten()(x).shape, Tensor(np.ones(shape)))
        assert got == want, f"Flatten of {shape} has shape {want}, not {got}."
    ### BEGIN HIDDEN TESTS
    add.weight.data[...] = challenge.uniform(1, 2)
    x = Tensor(challenge.normal(size=(2, 3, 1)))
    observe("rows", Flatten()(x.transpose(0, 1)).data)
    observe("model", Sequential(Sequential(add, Tensor.exp), double)(x).data, rtol=1e-4)
    ### END HIDDEN TESTS


test_sequential()

# %% [markdown]
# ## All together
# *12 points.* A classifier of images: counted, held against NumPy, saved, loaded into a twin.


# %% nbgrader={"grade_id": "test-layers-module", "grade": true, "points": 12}
def classifier(pixels, hidden, classes):
    inner = Sequential(Linear(pixels, hidden), Tensor.tanh, Dropout(0.5))
    return Sequential(Flatten(), inner, Linear(hidden, classes))


def test_layers_module():
    """Parameters counted, values by hand, chance only in training, a twin that agrees."""
    count = sum(p.size for p in classifier(784, 256, 10).parameters())
    assert count == 203_530, f"784-256-10 has 203,530 parameters, yours {count:,}."
    manual_seed(1)
    model, images = classifier(6, 5, 3), Tensor(np.cos(np.arange(24)).reshape(4, 2, 3))
    state, names = model.state_dict(), ["1.0.weight", "1.0.bias", "2.weight", "2.bias"]
    assert list(state) == names, f"state_dict() names {list(state)}, not {names}."
    assert not close(model(images), model(images)), "In training, Dropout makes calls differ."
    out, (w1, b1, w2, b2) = model.eval()(images), state.values()
    want = np.tanh(images.data.reshape(4, 6) @ w1 + b1) @ w2 + b2
    assert close(out, want), f"The classifier gave {out}, NumPy {want}."
    assert stems_from(out, *model.parameters()), "The graph must lead back to all parameters."
    twin = classifier(6, 5, 3).eval()
    assert not close(twin(images), out), "A second model must start with other weights."
    twin.load_state_dict(state)
    model.parameters()[0].data += 1.0
    assert close(twin(images), out), "With the state of the model, its twin answers as it did."
    said = str(attempt(twin.load_state_dict, state | {"2.bias": [0.0], "extra": 1}))
    told = all(name in said for name in ("2.bias", "extra"))
    assert told, f"(1,) is not (3,), and nobody knows extra: list both. Got: {said}"
    ### BEGIN HIDDEN TESTS
    model = classifier(6, 5, 3).eval()
    model.load_state_dict({n: challenge.normal(size=x.shape) for n, x in model.named_parameters()})
    images = Tensor(challenge.normal(size=(7, 3, 2)))
    observe("logits", model(images).data, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


test_layers_module()

# %% [markdown]
# ## Measure it: where a signal goes in 20 layers
#
# Does Xavier's limit matter? We send 256 random inputs through 20 layers, 256 wide, with the limit as it is, halved, and tripled; once without anything between the layers and once with `tanh`.

# %%
manual_seed(0)
start = Tensor(np.random.default_rng(1).normal(size=(256, 256)))
for scale, name, color in [(3, "three times", "C3"), (1, "Xavier", "C0"), (0.5, "half", "C1")]:
    for squash, style, how in [(Tensor.tanh, "--", " with tanh"), (lambda x: x, "-", "")]:
        x, spread = start, [1.0]
        for _ in range(20):
            layer = Linear(256, 256)
            layer.weight.data *= scale
            x = squash(layer(x).detach())
            spread.append(x.data.std())
        plt.semilogy(spread, style, color=color, label=f"{name}{how}: {spread[-1]:.1g}")
plt.gca().set(xlabel="layer", ylabel="standard deviation", xticks=[0, 5, 10, 15, 20])
plt.title("Only Xavier's limit brings a signal through 20 layers")
plt.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
# The variance rule, 20 times in a row. Each solid line is straight: one factor per layer. Half the limit halves the signal in each layer, and a millionth is left. Three times the limit ends in the billions or, with `tanh`, at the flat ends of the curve, where a slope is nearly 0 (module 02) and no gradient gets through. `tanh` itself shrinks a little each time, so Xavier's signal fades, too, but slowly.
#
# ## Measure it: who takes the memory
#
# Parameters are there once. But each operation in the graph keeps its result for the way back (module 05), for each example. Python counts the bytes alive after a forward pass, and the most there ever were in one without a graph.

# %%
model = Sequential(Linear(784, 256), Tensor.tanh, Linear(256, 10))
weights = sum(p.data.nbytes for p in model.parameters())
print(f"parameters {weights:,} bytes\n batch  kept for the way back  peak under no_grad()")
for batch in [1, 16, 256, 4096]:
    x = Tensor(np.zeros((batch, 784)))
    tracemalloc.start()
    out = model(x)
    held, out = tracemalloc.get_traced_memory()[0], None
    tracemalloc.reset_peak()
    with no_grad():
        model(x)
    print(f"{batch:6} {held:23,} {tracemalloc.get_traced_memory()[1]:21,}")
    tracemalloc.stop()
each = 4 * (3 * 256 + 2 * 10)  # product, sum and tanh of 256 numbers, product and sum of 10
print(f"by hand {each:,} bytes for each example: as much as the parameters at {weights // each}")

# %% [markdown]
# So the way out of "out of memory" in training is a smaller batch, and `no_grad()` belongs around every evaluation.
#
# ## Check your understanding
#
# 1. What does `Linear(10, 5)` make of inputs of shapes `(4, 3, 10)` and `(10, 4)`?
# 2. A batch of ones passes `Dropout(0.9)` in training. Mean and standard deviation?
#
# <details><summary>Answers; the cell below computes them</summary>
#
# 1. Shape `(4, 3, 5)`, and a refusal: the *last* size counts.
# 2. Mean 1; each number is 10 or 0, so the standard deviation is sqrt(0.9 / 0.1) = 3: much noise.
#
# </details>

# %%
layer, tied = Linear(10, 5), Linear(4, 4)
print("1.", layer(Tensor(np.ones((4, 3, 10)))).shape, attempt(layer, Tensor(np.ones((10, 4)))))
ones = Dropout(0.9)(Tensor(np.ones(1_000_000))).data
print("2.", f"mean {ones.mean():.2f}, standard deviation {ones.std():.2f}")
print("Sequential(tied, tied):", list(Sequential(tied, tied).state_dict()))

# %% [markdown]
# ## In production
#
# | ours | PyTorch | the difference |
# |---|---|---|
# | `class Net(Layer)` | `class Net(torch.nn.Module)` | theirs registers attributes as they are set, after `super().__init__()` |
# | a list of Layers | `nn.ModuleList([...])` | theirs does not look into plain lists: a classic bug |
# | weight `(in, out)`, `x @ W` | weight `(out, in)`, `x @ W.T` | the layout |
# | Xavier's limit | 1 / sqrt(in) | an older habit; `nn.init.xavier_uniform_` is ours |
# | `state_dict()` | the same | theirs lists a shared weight under each of its names |
#
# With `(in, out)` shapes chain as they are written: `(32, 784) @ (784, 256)`. The product does not care, since a transpose is a view. But whoever loads a file of PyTorch must turn each matrix: `load_state_dict` complains, except about a square one, where no shape can tell.
#
# ## Recap
#
# 1. A layer is a function with memory: parameters are trained, buffers only saved.
# 2. One walk finds all of it, each object once, by name: for optimizers, files, `train` and `eval`.
# 3. Loading complains about everything before it writes anything, and writes in place.
# 4. Weights start at random with variance 2 / (in + out), or the signal dies or bursts on its way.
# 5. Parameters cost memory once, results for each example of the batch.
#
# ## Further reading
#
# - X. Glorot, Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks", AISTATS 2010.
# - K. He and others, "Delving deep into rectifiers", ICCV 2015: the same sum for ReLU, which halves the signal: variance 2 / in.
# - N. Srivastava and others, "Dropout: a simple way to prevent neural networks from overfitting", *JMLR* 15 (2014).
#
# **Next:** 04 losses. The network answers; a loss says how wrong it is, in one number.
