# %% [markdown]
# # Tensor
#
# > One array type, one dtype policy, one door for every operation: the ground TinyTorch stands on.
#
# **The question of this notebook:** what has to surround a NumPy array so that a whole deep-learning library can be built on it?
#
# Difficulty 3 of 5 · about 1 hour 15 minutes · 2 exercises and a test over the module, 30 points · prerequisites: the notebooks Arrays and Functions.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | the shape rules, and every operation on arrays | `Tensor` and the door between it and the operations | gradients (05), layers (03) |
#
# This is the last of three notebooks of module 01, and it ends up in `tinytorch/core/tensor.py`: the next nineteen modules import it from there. It imports your operations from your package, where `tito module complete 01` puts them. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.tensor

# %% nbgrader={"grade_id": "setup", "locked": true}
import math
import timeit

import matplotlib.pyplot as plt
import numpy as np

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
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

# isort: off
from tinytorch.core.functions import Abs, Add, Compare, Div, Exp, Function, GetItem, Log, MatMul
from tinytorch.core.functions import Max, Mean, Mul, Neg, Permute, Pow, Reshape, Sqrt, Sub, Sum
from tinytorch.core.functions import Tanh, Transpose, Var


def _numbers(data: ArrayLike, dtype: DTypeLike | None = None) -> np.ndarray:
    """`data` as an array in its own dtype; refuses, in words, what is no block of real numbers."""
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError("Rows of different lengths: pad or cut them to one length.") from None
    for kind in (array.dtype, np.dtype(array.dtype if dtype is None else dtype)):
        if kind.kind not in "biuf":
            came = f"{kind.name} (in {data!r:.40})"
            raise TypeError(f"A Tensor holds real numbers, not {came}: use ids or floats.")
    return array


# %% [markdown]
# ## Exercise 1: what a Tensor holds
# *Difficulty 1 of 5 · 10 points · 20 minutes*
#
# A Tensor is a NumPy array (`data`) and three notes about it: does somebody want its gradient (`requires_grad`), the gradient once it is known (`grad`), and the operation that made it (`_grad_fn`). The last two stay `None` until module 05.
#
# The array follows a **dtype policy**. NumPy computes in float64; networks do not need 16 digits, and float32 takes half the memory and half the traffic. Integers are something else: token ids and labels *select* rows, so they must stay whole.
#
# | you write | dtype | because |
# |---|---|---|
# | `Tensor([1.0, 2.5])`, `Tensor(np.zeros(3))` | float32 | floats become float32 |
# | `Tensor([3, 1])`, `Tensor([True])` | int64, bool | ids, labels and masks stay as they are |
# | `Tensor([3, 1], requires_grad=True)` | float32 | a gradient is a slope: it needs fractions |
# | `Tensor([0.1], dtype=np.float64)` | float64 | an explicit dtype wins (module 05 checks gradients in float64) |
# | `Tensor([3, 1], requires_grad=True, dtype=np.int64)` | TypeError | the two wishes contradict each other |
#
# An array that already has the right dtype is **shared**, not copied: a 1 GB data set must not become 2 GB by being wrapped.
#
# **Predict first:** after `a = np.zeros(2, np.float32)`, `b = np.zeros(2)` and `a[0] = b[0] = 7`, what do tensors made from `a` and `b` *before* the assignment hold?
#
# Below is the whole class, the map of this module: only `__init__` is blank. Each method is one line that sends its operands through the door, `apply`, to an operation you wrote in the notebook Functions.
#
# <details><summary>Hints</summary>
#
# 1. `array.dtype.kind` is `"f"` for floats, `"i"` and `"u"` for integers, `"b"` for bools.
# 2. Decide on the dtype first, then convert once. `np.asarray(array, dtype)` copies only if it must, and with `dtype=None` it leaves the dtype alone.
# 3. Set all four attributes: `data`, `requires_grad`, `grad`, `_grad_fn`.
#
# </details>


# %% nbgrader={"grade_id": "tensor-init", "solution": true}
#| export
class Tensor:
    """An array of real numbers that can remember how it was made.

    data: number, nested lists, array or Tensor; an array of the right dtype is shared, not copied.
    Entries cannot be assigned (`t[0] = 1`): a later gradient could not know about it.
    Raises ValueError for ragged lists, TypeError for anything but real numbers.

    >>> Tensor([[1, 2], [3, 4]]) @ [1.0, 0.5]
    Tensor([2., 5.], dtype=float32)
    """

    __slots__ = ("__weakref__", "_grad_fn", "data", "grad", "requires_grad")
    __array_ufunc__ = None  # makes NumPy hand `array + tensor` over to Tensor.__radd__

    def __init__(
        self, data: ArrayLike, requires_grad: bool = False, dtype: DTypeLike | None = None
    ):
        array = _numbers(data, dtype)  # given: an array in whatever dtype `data` came in
        ### BEGIN SOLUTION
        if dtype is None and (requires_grad or array.dtype.kind == "f"):
            dtype = np.float32
        array = np.asarray(array, dtype)
        if requires_grad and array.dtype.kind != "f":
            raise TypeError(f"requires_grad needs floats, not {array.dtype}: use dtype=np.float32.")
        self.data = array
        self.requires_grad = requires_grad
        self.grad = None
        self._grad_fn = None
        ### END SOLUTION

    # fmt: off
    # The array: a (2, 3) tensor has ndim 2 and size 6.
    shape = property(lambda self: self.data.shape)
    ndim = property(lambda self: self.data.ndim)
    size = property(lambda self: self.data.size)
    dtype = property(lambda self: self.data.dtype)

    def numpy(self): return self.data
    def __array__(self, dtype=None, copy=None): return np.array(self.data, dtype, copy=copy)
    def detach(self): return Tensor(self.data, dtype=self.dtype)  # same data, outside the graph
    def __float__(self): return float(self.item())
    def __int__(self): return int(self.item())
    def zero_grad(self): self.grad = None
    def backward(self, gradient=None): Function.backpropagate(self, gradient)  # module 05

    # Arithmetic, both ways round; the other side may be a number, a list or an array.
    def __add__(self, other): return Add.apply(self, other)
    def __radd__(self, other): return Add.apply(other, self)
    def __sub__(self, other): return Sub.apply(self, other)
    def __rsub__(self, other): return Sub.apply(other, self)
    def __mul__(self, other): return Mul.apply(self, other)
    def __rmul__(self, other): return Mul.apply(other, self)
    def __truediv__(self, other): return Div.apply(self, other)
    def __rtruediv__(self, other): return Div.apply(other, self)
    def __matmul__(self, other): return MatMul.apply(self, other)
    def __rmatmul__(self, other): return MatMul.apply(other, self)
    def matmul(self, other): return MatMul.apply(self, other)
    def __pow__(self, exponent): return Pow.apply(self, exponent=exponent)
    def __rpow__(self, base): return Pow.apply(base, exponent=self)  # refused there, in words
    def __neg__(self): return Neg.apply(self)
    def __abs__(self): return Abs.apply(self)

    # Entry by entry.
    def abs(self): return Abs.apply(self)
    def exp(self): return Exp.apply(self)
    def log(self): return Log.apply(self)
    def sqrt(self): return Sqrt.apply(self)
    def tanh(self): return Tanh.apply(self)

    # Comparisons give bool tensors, entry by entry, and are never part of a graph.
    def __eq__(self, other): return other is not None and Compare.apply(self, other, how=np.equal)
    def __ne__(self, other): return other is None or Compare.apply(self, other, how=np.not_equal)
    def __lt__(self, other): return Compare.apply(self, other, how=np.less)
    def __le__(self, other): return Compare.apply(self, other, how=np.less_equal)
    def __gt__(self, other): return Compare.apply(self, other, how=np.greater)
    def __ge__(self, other): return Compare.apply(self, other, how=np.greater_equal)
    __hash__ = object.__hash__  # by identity, so that tensors can be dictionary keys

    # Reductions: axis is None (everything), a number or a tuple.
    def sum(self, axis=None, keepdims=False): return Sum.apply(self, axis=axis, keepdims=keepdims)
    def mean(self, axis=None, keepdims=False): return Mean.apply(self, axis=axis, keepdims=keepdims)
    def max(self, axis=None, keepdims=False): return Max.apply(self, axis=axis, keepdims=keepdims)
    def var(self, axis=None, keepdims=False): return Var.apply(self, axis=axis, keepdims=keepdims)

    # The same entries, arranged otherwise; `reshape` and `permute` take 2, 3 or one tuple (2, 3).
    def reshape(self, *shape): return Reshape.apply(self, shape=_flat(shape))
    def transpose(self, dim0=None, dim1=None): return Transpose.apply(self, dim0=dim0, dim1=dim1)
    def permute(self, *axes): return Permute.apply(self, axes=_flat(axes))
    def __getitem__(self, index): return GetItem.apply(self, index=_unwrapped(index))
    def __iter__(self): return (self[i] for i in range(len(self)))
    # fmt: on

    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("A 0-d tensor has no length and cannot be iterated: use .item().")
        return len(self.data)

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(f"{self.size} entries are not one truth value: reduce them first.")
        return bool(self.data.item())

    def item(self) -> float | int | bool:
        """The one entry as a Python number; a ValueError when there are more or none."""
        if self.size != 1:
            raise ValueError(f".item() needs one entry, not the {self.size} of shape {self.shape}.")
        return self.data.item()

    def __repr__(self) -> str:
        numbers = np.array2string(self.data, separator=", ", prefix="Tensor(")
        asks = ", requires_grad=True" if self.requires_grad else ""
        return f"Tensor({numbers}, dtype={self.dtype}{asks})"


# %% nbgrader={"grade_id": "test-tensor-init", "grade": true, "points": 10}
def test_tensor_init():
    """The dtype policy row by row, shared data, the three notes, the contradiction refused."""
    t = Tensor(Tensor([[1, 2], [3, 4]]))
    assert type(t.data) is np.ndarray, f".data is a {type(t.data).__name__}: it must be an array."
    assert close(t.data, [[1, 2], [3, 4]]), f"Tensor([[1, 2], [3, 4]]) holds {t.data}."
    fresh = (t.requires_grad, t.grad is None, t._grad_fn is None)
    assert fresh == (False, True, True), "A new Tensor has no requires_grad, grad or _grad_fn."
    assert Tensor([1.0], True).requires_grad is True, "requires_grad=True was not remembered."
    for arguments, want, because in [
        (([1.0, 2.5],), "float32", "floats become float32"),
        ((np.zeros(3),), "float32", "a float64 array becomes float32 too"),
        (([3, 1],), "int64", "integers stay integers: they are ids and labels"),
        ((np.array([1], np.int8),), "int8", "integers keep their size"),
        (([True],), "bool", "bools stay bools"),
        (([3, 1], True), "float32", "a gradient needs floats"),
        (([0.1], True, np.float64), "float64", "an explicit dtype wins"),
    ]:
        got = attempt(lambda data=arguments: Tensor(*data).dtype)
        assert got == want, f"Tensor{arguments} is {got}, not {want}: {because}."
    exact = Tensor([0.1], dtype=np.float64).data[0]
    assert exact == 0.1, f"float64 0.1 became {exact}: do not pass through float32 on the way."
    array = np.ones(2, np.float32)
    assert np.shares_memory(Tensor(array).data, array), "A float32 array is shared, not copied."
    said = attempt(Tensor, [3, 1], True, np.int64)
    assert "Error" in str(said), "requires_grad=True with an integer dtype: raise a TypeError."
    ### BEGIN HIDDEN TESTS
    drawn, ids = challenge.normal(size=(2, 3)), challenge.integers(0, 9, size=5)
    made = [Tensor(drawn), Tensor(drawn.tolist(), True), Tensor(drawn, dtype=np.float64)]
    for i, t in enumerate([*made, Tensor(ids), Tensor(ids, requires_grad=True)]):
        observe(f"data {i}", t.data)
        observe(f"dtype {i}", str(t.dtype))
        observe(f"asks {i}", t.requires_grad)
    assert np.shares_memory(Tensor(ids).data, ids), "An integer array is shared, not copied."
    ### END HIDDEN TESTS


test_tensor_init()

# %%
a, b = np.zeros(2, np.float32), np.zeros(2)
shared, copied = Tensor(a), Tensor(b)
a[0] = b[0] = 7
print("from float32, shared:", shared)
print("from float64, copied:", copied)
print("a list of floats that asks for a gradient:", Tensor([[1, 2.5]], requires_grad=True))
print("refused:", attempt(Tensor, [[1, 2], [3]]))
print("refused:", attempt(Tensor, ["one", "two"]))

# %% [markdown]
# ## Exercise 2: the one door
# *Difficulty 4 of 5 · 12 points · 40 minutes*
#
# Your operations know arrays, your Tensors know operations, and neither should know the other's business. `Function.apply` is the one door between the two worlds:
#
# ```
#  Tensors, numbers ──▶ arrays ──▶ forward ──▶ array ──▶ Tensor
#                                                          └─ remembers its Function, if a gradient is wanted
# ```
#
# Because all pass through this door, two policies need to be written only once.
#
# **dtype.** Python numbers go to `forward` as they are: NumPy treats them as *weak*, so float32 `* 2.5` stays float32. But NumPy answers `int / int`, the mean of integers, and int64 + float32 in float64. So: a float64 result that **no float64 array went into** is cast to float32.
#
# **Memory.** If gradients are on (`GradMode.enabled`), some input Tensor has `requires_grad`, and the result is floating, then the result gets `requires_grad = True` and `_grad_fn = function`, and the function stores `inputs`, `options` and `result` in its slots. In every other case nothing is stored, or each array a program ever computed would stay alive. The slots sleep until module 05 walks back along them.
#
# `apply` is written here and hung into `Function` from here, in the last line of the cell: it makes Tensors, and `functions.py` cannot import them, since `tensor.py` imports `functions.py`. Imports run one way.
#
# **Predict first:** with `w = Tensor([1.0], requires_grad=True)`, which of `w * 2`, `w > 0` and, under `no_grad()`, `w * 2` has a `_grad_fn`?
#
# <details><summary>Hints</summary>
#
# 1. First blank: `arrays` is a list. An input is a Tensor (take its `.data`) or a Python number (leave it).
# 2. Numbers have no `.dtype`: ask `isinstance(x, np.ndarray)` first, or `getattr(x, "dtype", None)`.
# 3. `_wrap(result)` makes a Tensor without a second look at the dtype; `Tensor(result)` would turn a float64 that is meant into float32.
# 4. `inputs` are stored as Tensors and numbers, not as arrays: module 05 wants to write into their `.grad`.
#
# </details>


# %% nbgrader={"grade_id": "grad-mode", "locked": true}
#| export
class GradMode:
    """Whether operations remember how their results were made."""

    enabled = True


@contextmanager
def no_grad():
    """Inside `with no_grad():` (or under `@no_grad()`), results remember nothing."""
    before, GradMode.enabled = GradMode.enabled, False
    try:
        yield
    finally:
        GradMode.enabled = before


# %% nbgrader={"grade_id": "operands", "locked": true}
#| export
_READY = frozenset({Tensor, bool, int, float})


def _operands(inputs: tuple) -> tuple:
    """The inputs as Tensors and Python numbers; lists and arrays take the dtype of a float Tensor."""
    for x in inputs:
        if type(x) not in _READY:
            break
    else:
        return inputs  # nearly always, and so without further looks
    met = [x.dtype for x in inputs if isinstance(x, Tensor) and x.dtype.kind == "f"]
    dtype = met[0] if met else None
    # Not isinstance(x, float): np.float64 is a float, too, but would turn a float32 into float64.
    return tuple(
        x if type(x) in _READY or isinstance(x, Tensor) else Tensor(x, dtype=dtype) for x in inputs
    )


def _wrap(array: np.ndarray) -> Tensor:
    """A Tensor around a finished array: `__init__` without its checks, since this runs all the time."""
    tensor = object.__new__(Tensor)
    tensor.data = array
    tensor.requires_grad = False
    tensor.grad = tensor._grad_fn = None
    return tensor


def _flat(sizes: tuple) -> tuple:
    """`(2, 3)` for both `f(2, 3)` and `f((2, 3))`."""
    return tuple(sizes[0]) if len(sizes) == 1 and not np.isscalar(sizes[0]) else sizes


def _unwrapped(index):
    """An index without Tensors in it."""
    if isinstance(index, tuple):
        return tuple(map(_unwrapped, index))
    return index.data if isinstance(index, Tensor) else index


# %% nbgrader={"grade_id": "function-apply", "solution": true}
#| export
def _apply(cls, *inputs, **options) -> Tensor:
    """Run forward on the inputs' arrays; return a Tensor that remembers, if it must.

    `cls` is the operation: `Add.apply(a, b)` comes here as `_apply(Add, a, b)`.
    """
    function, inputs = cls(), _operands(inputs)  # inputs: now Tensors and Python numbers only
    ### BEGIN SOLUTION
    arrays, asked = [], False
    for x in inputs:
        if isinstance(x, Tensor):
            asked = asked or x.requires_grad
            x = x.data
        arrays.append(x)
    ### END SOLUTION
    try:
        result = np.asarray(function.forward(*arrays, **options))
    except ValueError:
        function.explain(*arrays, **options)  # NumPy refused: say it better, if we can
        raise
    ### BEGIN SOLUTION
    if result.dtype == np.float64 and not any(
        isinstance(x, np.ndarray) and x.dtype == np.float64 for x in arrays
    ):
        result = result.astype(np.float32)
    output = _wrap(result)
    if asked and GradMode.enabled and result.dtype.kind == "f":
        output.requires_grad, output._grad_fn = True, function
        function.inputs, function.options, function.result = inputs, options, result
    return output
    ### END SOLUTION


Function.apply = classmethod(_apply)


# %% nbgrader={"grade_id": "test-function-apply", "grade": true, "points": 12}
class Scale(Function):
    def forward(self, a, b, extra=0):
        assert not isinstance(a, Tensor), "forward must get arrays, not Tensors: pass x.data."
        self.saved = type(b)
        return a * b + extra


class IsPositive(Function):
    def forward(self, a):
        return a > 0


def test_function_apply():
    """Two operations of the test's own go through your door: values, dtype policy, memory."""
    w, ids = Tensor([1.5, 2.0], requires_grad=True), Tensor([1, 2])
    double = Tensor([0.1], dtype=np.float64)
    out = Scale.apply(w, 2.0, extra=1)
    assert isinstance(out, Tensor), f"apply returned {type(out).__name__}: wrap the result."
    assert close(out, [4, 5]), f"[1.5, 2] * 2 + 1 gave {out}: do the options reach forward?"
    for got, want, because in [
        (out, "float32", "a Python number must not change float32: pass it on as it is"),
        (Scale.apply(ids, 0.5), "float32", "no float64 went in, so none comes out"),
        (Scale.apply(ids, 3), "int64", "integers stay integers"),
        (Scale.apply(double, 2.0), "float64", "float64 came in, so float64 is meant"),
        (Scale.apply(w, double), "float64", "a float64 operand counts, wherever it stands"),
    ]:
        assert got.dtype == want, f"The result is {got.dtype}, not {want}: {because}."
    node = out._grad_fn
    assert isinstance(node, Scale), f"w asks for a gradient, and _grad_fn is {node}: remember."
    assert out.requires_grad is True, "The result of a remembered operation asks for a gradient."
    assert node.saved is float, "forward got no Python float: pass numbers on as they are."
    assert node.inputs[0] is w, "function.inputs must hold the Tensors themselves."
    stored = (node.inputs[1:], node.options)
    assert stored == ((2.0,), {"extra": 1}), f"Store inputs and options; they are {stored}."
    assert type(node.result) is np.ndarray, "function.result is the array: a Tensor makes a circle."
    assert close(node.result, [4, 5]), f"function.result must be the result, not {node.result}."
    for other in (Scale.apply(2.0, w), Scale.apply(ids, w), Scale.apply(w, ids)):
        assert other._grad_fn, "Any input may ask for a gradient, not only the first or last."
    plain = Scale.apply(w.detach(), 2.0)
    assert (plain.requires_grad, plain._grad_fn) == (False, None), "Nobody asked: no graph."
    with no_grad():
        assert Scale.apply(w, 2.0)._grad_fn is None, "Inside no_grad() nothing is remembered."
    assert IsPositive.apply(w)._grad_fn is None, "A bool result has no gradient: no graph."
    ### BEGIN HIDDEN TESTS
    drawn = challenge.normal(size=3)
    for dtype in (np.float32, np.float64):
        out = Scale.apply(Tensor(drawn, True, dtype), drawn.tolist(), extra=float(drawn[0]))
        observe(f"{dtype.__name__}", out.data)
        observe(f"{dtype.__name__} stays", str(out.dtype))
        observe(f"{dtype.__name__} remembers", out._grad_fn.inputs[0].data)
    ids = Scale.apply(Tensor(challenge.integers(1, 9, size=4)), 0.25)
    observe("ids", ids.data)
    assert (ids.dtype, ids._grad_fn) == ("float32", None), f"int * 0.25: {ids.dtype}, no graph."
    ### END HIDDEN TESTS


test_function_apply()

# %%
w = Tensor([1.5, 2.0], requires_grad=True)
out = (w * 2 - 1).tanh().sum()
print(out)
node, depth = out._grad_fn, 0
while node:  # from a result to what it was made from
    print("   " * depth, type(node).__name__, node.inputs[1:], node.options, "->", node.result)
    node, depth = node.inputs[0]._grad_fn, depth + 1

# %% [markdown]
# ## All together
# *8 points.* First the manners of the whole: both ways round, weak numbers, lists and arrays as operands, indexing, comparisons, views, refusals. Then a two-layer network on your Tensor, held against loops that know nothing of it.


# %% nbgrader={"grade_id": "test-tensor-module", "grade": true, "points": 8}
def network(x, w1, b1, w2, b2):
    """softmax(tanh(x @ w1 + b1) @ w2 + b2) on Tensors: (batch, 3) -> (batch, 2)"""
    logits = (x @ w1 + b1).tanh() @ w2 + b2
    shifted = (logits - logits.max(axis=-1, keepdims=True)).exp()
    return shifted / shifted.sum(axis=-1, keepdims=True)


def by_loops(x, w1, b1, w2, b2):
    """The same for one row, in plain Python."""
    hidden = [math.tanh(sum(x[i] * w1[i][j] for i in range(3)) + b1[j]) for j in range(5)]
    logits = [sum(hidden[i] * w2[i][j] for i in range(5)) + b2[j] for j in range(2)]
    return [math.exp(z) / sum(map(math.exp, logits)) for z in logits]


def check_manners():
    """Values and dtypes of single operations as one writes them: with numbers, lists, arrays."""
    t, ids = Tensor([[1.0, 2.0], [4.0, 8.0]]), Tensor([6, 7])
    names = {"t": t, "ids": ids, "double": Tensor([0.5], dtype=np.float64), "np": np}
    for text, want, dtype in [
        ("10 - t", [[9, 8], [6, 2]], "float32"),
        ("t - [1, 0]", [[0, 2], [3, 8]], "float32"),
        ("np.ones(2) - t", [[0, -1], [-3, -7]], "float32"),
        ("t * np.float64(0.5)", [[0.5, 1], [2, 4]], "float32"),
        ("double * [1, 3]", [0.5, 1.5], "float64"),
        ("ids / 2", [3, 3.5], "float32"),
        ("abs(1 - ids) ** 2", [25, 36], "int64"),
        ("ids.mean()", 6.5, "float32"),
        ("t @ [1.0, 0.5]", [2, 8], "float32"),
        ("t > 2", [[False, False], [True, True]], "bool"),
        ("t[t > 2]", [4, 8], "float32"),
        ("t[ids - 6, None, 0]", [[1], [4]], "float32"),
        ("t.transpose().reshape(-1)", [1, 4, 2, 8], "float32"),
        ("t.reshape((4, 1)).permute(1, 0)", [[1, 2, 4, 8]], "float32"),
    ]:
        got = attempt(eval, text, dict(names))
        assert close(got, want), f"{text} gave {got}, not {want}; t is {t}, ids {ids}."
        assert got.dtype == dtype, f"{text} is {got.dtype}, not {dtype}: which way past the policy?"
    for text, part in [
        ("t + [1, 2, 3]", "(3,)"),
        ("t @ [1, 2, 3]", "(3,)"),
        ("t.reshape(3, -1)", "(3, -1)"),
        ("2**t", ".log()"),
    ]:
        said = str(attempt(eval, text, dict(names)))
        assert part in said, f"{text} must be refused, in words, with {part}. Got: {said}"


def test_tensor_module():
    """Single operations, then a network: values, dtype, graph and no_grad."""
    check_manners()
    shapes = [(4, 3), (3, 5), (5,), (5, 2), (2,)]
    arrays = [np.cos(np.arange(math.prod(shape))).reshape(shape) for shape in shapes]
    x, *weights = map(Tensor, arrays)
    want = [by_loops(row, *arrays[1:]) for row in arrays[0]]
    out = network(x, *weights)
    assert close(out, want), f"The network gave {out}, the loops {want}."
    assert out.dtype == "float32", f"The output is {out.dtype}: something went around the policy."
    picked = out[Tensor([0, 2]), Tensor([1, 0])]
    assert close(picked, [want[0][1], want[2][0]]), f"Indexing by two id tensors gave {picked}."
    assert out._grad_fn is None, "No weight asks for a gradient: nothing may be remembered."
    weights[0].requires_grad = True
    node = network(x, *weights)._grad_fn
    assert type(node) is Div, f"The last operation is a division, _grad_fn says {node}."
    assert type(node.inputs[0]._grad_fn) is Exp, "One step behind the division lies the exp."
    with no_grad():
        assert network(x, *weights)._grad_fn is None, "no_grad() must switch remembering off."
    ### BEGIN HIDDEN TESTS
    x, *weights = [Tensor(challenge.normal(size=shape)) for shape in shapes]
    observe("probabilities", network(x, *weights).data, rtol=1e-4)
    observe("stacked", network(x.reshape(2, 2, 3).transpose(0, 1), *weights).data, rtol=1e-4)
    observe("variance", network(x, *weights).var(axis=0).data, rtol=1e-3)
    ### END HIDDEN TESTS


test_tensor_module()

# %% [markdown]
# ## Measure it: what the door costs
#
# Each operation now makes a Function, looks at its operands, wraps the result. How long does that take beside the arithmetic? We add two Tensors, with and without a gradient in mind, and two arrays, of ever more entries.

# %%
sizes = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
times = {"Tensor, remembered": [], "Tensor": [], "array": []}
for size in sizes:
    array, number = np.ones(size, np.float32), 10 + 100_000 // (10 + size)
    operands = [Tensor(array, requires_grad=True), Tensor(array), array]
    for row, x in zip(times.values(), operands, strict=True):
        seconds = min(timeit.repeat(lambda x=x: x + x, number=number, repeat=5))
        row.append(seconds / number * 1e6)
for (name, row), style in zip(times.items(), ["s-", "o-", "--"], strict=True):
    plt.loglog(sizes, row, style, label=name)
extra = times["Tensor"][0] - times["array"][0]
plt.gca().set(xlabel="entries", ylabel="microseconds per addition")
plt.title(f"The door costs {extra:.1f} µs: much for one entry, nothing for a million")
plt.legend()
plt.show()

# %% [markdown]
# The price of the door does not grow with the arrays. This is why deep learning works on batches: one operation on a million entries, not a million operations on one.
#
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. `t = Tensor([1, 2, 3])`: the dtypes of `t * 2`, `t * 2.0` and `t.mean()`?
# 2. `w` asks for a gradient. Which of `w * 2`, `w > 0`, `w.detach() * 2` and `w[0]` have a `_grad_fn`?
# 3. `w` asks for a gradient and takes 1 MB. In a loop, `result = result * w` runs 100 times, starting from `result = w`. How much memory do the results hold on to, and how much under `no_grad()`?
#
# <details><summary>Answers</summary>
#
# 1. int64, float32, float32: the last two came out of NumPy as float64, and no float64 went in.
# 2. `w * 2` and `w[0]`. A bool has no gradient, and `detach` leaves the graph.
# 3. Each result is an input of the next operation, which stores it: 100 MB. Under `no_grad()` only the last one lives: 1 MB.
#
# </details>

# %%
t, w = Tensor([1, 2, 3]), Tensor(np.ones(250_000), requires_grad=True)
print("1.", (t * 2).dtype, (t * 2.0).dtype, t.mean().dtype)
print("2.", [type(x._grad_fn).__name__ for x in (w * 2, w > 0, w.detach() * 2, w[0])])
result = w
for _ in range(100):
    result = result * w
held, node = 0, result._grad_fn
while node:
    held, node = held + node.result.nbytes, node.inputs[0]._grad_fn
print("3.", f"{held:,} bytes held by the graph")

# %% [markdown]
# ## In production
#
# | ours | PyTorch | the difference |
# |---|---|---|
# | `Tensor([1.0, 2.0])` | `torch.tensor([1.0, 2.0])` | theirs always copies; `torch.from_numpy` shares |
# | `x.sum(axis=1, keepdims=True)` | `x.sum(dim=1, keepdim=True)` | the names |
# | `x.var()` | `x.var(correction=0)` | their default divides by n - 1 |
# | `x.max(axis=1)` | `x.max(dim=1).values` | theirs also returns the positions |
# | `x.transpose()` | `x.transpose(-2, -1)` | theirs wants both axes |
# | `class Add(Function)` | `torch.autograd.Function` | the same idea: forward, backward, apply |
# | `with no_grad():` | `with torch.no_grad():` | none |
#
# ## Recap
#
# 1. A Tensor is an array and three notes; floats are float32, integers stay integers.
# 2. Every operation goes through `Function.apply`: one place for dtype, for memory, for refusals.
# 3. Python numbers are weak; a float64 that nobody asked for does not get out.
# 4. A graph is kept only when somebody asks for a gradient, and it keeps every result alive.
# 5. The door has a fixed price: few operations on large arrays are cheap, many on small ones are not.
#
# ## Further reading
#
# - A. Paszke and others, "PyTorch: An Imperative Style, High-Performance Deep Learning Library", NeurIPS 2019.
# - E. Z. Yang, "PyTorch internals" (2019): what surrounds the array there: <http://blog.ezyang.com/2019/05/pytorch-internals/>
# - NumPy documentation, "Data types" and NEP 50: how dtypes are promoted, and why Python numbers are weak: <https://numpy.org/neps/nep-0050-scalar-promotion.html>
#
# **Next:** 02 activations. A network of matrix products alone is one matrix product; `exp`, `tanh` and `max` are about to change that.
