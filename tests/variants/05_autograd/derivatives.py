"""Wrong answers to the notebook Derivatives, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 curves
_curve = _wrong("curves")
_SQRT = "return (grad / (2 * self.result),)"
_TANH = "return (grad * (1 - self.result * self.result),)"
_ABS = "return (grad * np.sign(self.inputs[0].data),)"
_ZERO = "if n == 0:\n        return (np.zeros_like(a),)\n"
_POW = "return (grad * (n * a ** (n - 1)),)"
CURVES = [
    _curve("forgets-the-half", _SQRT, "return (grad / self.result,)", "grad / (2 sqrt(x))"),
    _curve("divides-by-the-input", _SQRT, "return (grad / (2 * self.inputs[0].data),)",
        "grad / (2 sqrt(x))"),
    _curve("ignores-the-incoming", _SQRT, "return (1 / (2 * self.result) + 0 * grad,)",
        "grad / (2 sqrt(x))"),
    _curve("pads-the-root", _SQRT, "return (grad / (2 * self.result + 1e-8),)", "do not pad"),
    _curve("forgets-the-square", _TANH, "return (grad * (1 - self.result),)",
        "tanh(log 2) is 0.6"),
    _curve("squares-the-input", _TANH, "return (grad * (1 - self.inputs[0].data ** 2),)",
        "tanh(log 2) is 0.6"),
    _curve("takes-the-sigmoid", _TANH, "return (grad * self.result * (1 - self.result),)",
        "tanh(log 2) is 0.6"),
    _curve("adds-the-incoming", _TANH, "return (grad + (1 - self.result * self.result),)",
        "tanh(log 2) is 0.6"),
    _curve("leaks-float64", _TANH,
        "return (grad * (1 - np.tanh(self.inputs[0].data.astype(float)) ** 2),)",
        "float32 wants a float32 gradient"),
    _curve("writes-into-the-incoming", _TANH,
        "grad *= 1 - self.result * self.result\n    return (grad,)", "was overwritten"),
    _curve("sign-of-the-result", _ABS, "return (grad * np.sign(self.result),)",
        "the slopes are -1, 0, 1"),
    _curve("abs-of-the-incoming", _ABS, "return (np.abs(grad),)", "the slopes are -1, 0, 1"),
    _curve("one-at-zero", _ABS,
        "return (grad * np.where(self.inputs[0].data < 0, -1, 1).astype(grad.dtype),)",
        "the slopes are -1, 0, 1"),
    _curve("divides-zero-by-zero", _ABS, "return (grad * self.result / self.inputs[0].data,)",
        "the slopes are -1, 0, 1"),
    _curve("returns-no-tuple", _ABS, "return grad * np.sign(self.inputs[0].data)",
        "return a tuple"),
    _curve("keeps-the-exponent", _POW, "return (grad * (n * a**n),)", "the slope is 2 x"),
    _curve("forgets-the-factor", _POW, "return (grad * a ** (n - 1),)", "the slope is 2 x"),
    _curve("slope-at-the-result", _POW, "return (grad * (n * self.result ** (n - 1)),)",
        "the slope is 2 x"),
    _curve("divides-the-result", _POW, "return (grad * n * self.result / (a + 1e-3),)",
        "the slope is 2 x"),
    _curve("knows-squares-only", _POW, "return (grad * 2 * a,)", "the slope is 3 x"),
    _curve("constants-have-no-case", _ZERO, "pass\n", "0 everywhere, not nan"),
    _curve("power-without-incoming", _POW, "return (n * a ** (n - 1),)", "the slope is 2 x"),
]

# --- 2 matrix products
_matmul = _wrong("matmul")
_LEFT = "return unbroadcast(grad @ np.swapaxes(y, -1, -2), x.shape)"
_ONE = "return as_rows(x).T @ as_rows(grad)"
_RIGHT = "return unbroadcast(np.swapaxes(x, -1, -2) @ grad, y.shape)"
_IF = "if y.ndim == 2:\n"
MATMUL = [
    _matmul("left-without-transposing", _LEFT, "return unbroadcast(grad @ y, x.shape)",
        "worked by hand above"),
    _matmul("left-transposed-as-a-whole", _LEFT,
        "return unbroadcast((np.swapaxes(y, -1, -2) @ grad), x.shape)", "worked by hand above"),
    _matmul("left-turned-when-square", _LEFT,
        "return unbroadcast(grad @ (y if y.shape[-1] == y.shape[-2] == grad.shape[-2]"
        " else np.swapaxes(y, -1, -2)), x.shape)", "where all shapes agree"),
    _matmul("right-the-wrong-way-round", _ONE, "return (as_rows(grad).T @ as_rows(x)).T[::-1]",
        "worked by hand above"),
    _matmul("right-transposed", _ONE, "return as_rows(grad).T @ as_rows(x)",
        "worked by hand above"),
    _matmul("right-turned-when-square", _ONE,
        "found = as_rows(grad).T @ as_rows(x)\n"
        "        return found if found.shape == y.shape else found.T", "worked by hand above"),
    _matmul("swaps-the-operands", _LEFT,
        "return unbroadcast(grad @ np.swapaxes(x, -1, -2), x.shape)", "worked by hand above"),
    _matmul("reverses-all-axes", _LEFT, "return unbroadcast(grad @ y.T, x.shape)",
        "matrix by matrix, not .T"),
    _matmul("reverses-all-axes-of-x", _RIGHT, "return unbroadcast(x.T @ grad, y.shape)",
        "matrix by matrix, not .T"),
    _matmul("left-stack-not-added", _LEFT, "return grad @ np.swapaxes(y, -1, -2)",
        "served the whole stack: add up"),
    _matmul("right-stack-not-added", _RIGHT, "return np.swapaxes(x, -1, -2) @ grad",
        "a stack was stretched: add up"),
    _matmul("takes-the-first-of-the-stack", _ONE,
        "return (np.swapaxes(x, -1, -2) @ grad)[(0,) * (x.ndim - 2)]",
        "served every row: add up"),
    _matmul("averages-the-stack", _ONE,
        "stack = np.swapaxes(x, -1, -2) @ grad\n"
        "        return stack.mean(axis=tuple(range(stack.ndim - 2)))",
        "served every row: add up"),
    _matmul("one-product-for-all-stacks", _IF, "if True:\n", "matrix by matrix, not .T"),
    _matmul("rows-of-one-only", _ONE, "return np.swapaxes(x, -1, -2) @ as_rows(grad)",
        "served every row: add up"),
    _matmul("left-in-float64", _LEFT,
        "return unbroadcast(grad @ np.swapaxes(y, -1, -2).astype(float), x.shape)",
        "float32 wants a float32 gradient"),
]

# --- 3 sums and means
_sums = _wrong("sums")
_STRETCH = "if axis is not None and not keepdims:"
_EXPAND = "grad = np.expand_dims(grad, axis)"
_BROADCAST = "return np.broadcast_to(grad, shape)"
_SUM = "return (stretch(grad, self.inputs[0].shape, **self.options),)"
_MEAN = "return (stretch(grad / count, a.shape, **self.options),)"
_COUNT = "count = a.size // max(grad.size, 1)"
SUMS = [
    _sums("never-expands", _STRETCH, "if False:", "gradient of its row"),
    _sums("expands-kept-axes", _STRETCH, "if axis is not None:", "gradient of its row"),
    _sums("expands-at-the-end", _EXPAND, "grad = grad[..., None]", "gradient of its column"),
    _sums("expands-in-front", _EXPAND, "grad = grad[None]", "gradient of its row"),
    _sums("forgets-tuples", _EXPAND,
        "grad = np.expand_dims(grad, axis if np.isscalar(axis) else axis[0])",
        "against nudging"),
    _sums("expands-one-by-one", _EXPAND,
        "for one in np.atleast_1d(axis):\n            grad = np.expand_dims(grad, one)",
        "against nudging"),
    _sums("does-not-stretch", _BROADCAST, "return grad", "gradient of its row"),
    _sums("stretches-in-float64", _BROADCAST, "return grad + np.zeros(shape)",
        "float32 wants a float32 gradient"),
    _sums("sum-divides", _SUM,
        "grad = grad / (self.inputs[0].size // grad.size)\n    " + _SUM,
        "each entry gets the gradient of its row"),
    _sums("sum-of-ones", _SUM, "return (np.ones_like(self.inputs[0].data),)",
        "each entry gets the gradient of its row"),
    _sums("sum-drops-options", _SUM, "return (stretch(grad, self.inputs[0].shape),)",
        "gradient of its row"),
    _sums("mean-not-divided", _MEAN, _MEAN.replace(" / count", ""), "each of 3 entries"),
    _sums("mean-divides-by-all", _COUNT, "count = a.size", "each of 3 entries"),
    _sums("mean-divides-by-results", _COUNT, "count = grad.size", "each of 3 entries"),
    _sums("mean-divides-by-the-batch", _COUNT, "count = len(a)", "each of 3 entries"),
    _sums("mean-multiplies", _MEAN, _MEAN.replace("/ count", "* count"), "each of 3 entries"),
]

# --- 4 the largest, and the spread
_max = _wrong("max-var")
_TIES = "ties = is_largest.sum(axis=axis, keepdims=True)"
_LARGEST = "is_largest = (a == stretch(self.result, a.shape, **self.options)).astype(grad.dtype)"
_PART = "return (stretch(grad, a.shape, **self.options) * is_largest / ties,)"
_DISTANCE = "distance = a - a.mean(axis=axis, keepdims=True)"
_SHARE = "count = a.size // max(grad.size, 1)"
_VAR = "return (stretch(grad * 2 / count, a.shape, **self.options) * distance,)"
MAX_VAR = [
    _max("ties-get-all", _TIES, "ties = 1", "equals share it"),
    _max("first-of-ties-gets-all", _TIES,
        "ties = 1\n    is_largest *= np.cumsum(is_largest, axis=axis).reshape(a.shape) == 1",
        "equals share it"),
    _max("all-entries-get-it", _LARGEST, "is_largest = np.ones_like(a)",
        "the largest"),
    _max("largest-of-all", _LARGEST, "is_largest = (a == a.max()).astype(grad.dtype)",
        "the largest"),
    _max("ties-over-everything", _TIES, "ties = is_largest.sum()",
        "the largest"),
    _max("smallest-gets-it", _LARGEST,
        "is_largest = (a == a.min(axis=axis, keepdims=True)).astype(grad.dtype)",
        "the largest"),
    _max("max-forgets-the-incoming", _PART, "return (is_largest / ties,)",
        "the largest"),
    _max("counts-in-float64", _LARGEST,
        "is_largest = a == stretch(self.result, a.shape, **self.options)",
        "float32 wants a float32 gradient"),
    _max("result-broadcast-blindly", _LARGEST,
        "is_largest = (a == self.result).astype(grad.dtype)",
        "the largest"),
    _max("divides-by-n-minus-1", _SHARE, "count = a.size // max(grad.size, 1) - 1",
        "2 (x - mean) / n"),
    _max("var-not-divided", _VAR, _VAR.replace(" / count", ""), "2 (x - mean) / n"),
    _max("forgets-the-two", _VAR, _VAR.replace(" * 2", ""), "2 (x - mean) / n"),
    _max("forgets-the-mean", _DISTANCE, "distance = a", "2 (x - mean) / n"),
    _max("distance-from-the-total-mean", _DISTANCE, "distance = a - a.mean()",
        "each column by itself"),
    _max("loses-the-axis", _DISTANCE, "distance = a - a.mean(axis=axis)",
        "the axis is kept"),
    _max("divides-by-all", _SHARE, "count = a.size", "each column by itself"),
    _max("var-forgets-the-incoming", _VAR, "return (2 / count * distance,)",
        "each column by itself"),
    _max("squares-the-distance", _VAR, _VAR.replace("* distance", "* distance * distance"),
        "2 (x - mean) / n"),
]

# --- 5 views and picking
_views = _wrong("views")
_BACK = 'return (np.moveaxis(grad, range(grad.ndim), self.options["axes"]),)'
_BASIC = "if is_basic(index):\n        full[index] = grad\n    else:\n        np.add.at"
_ADD = "np.add.at(full, index, grad)"
_ASSIGN = "full[index] = grad"
VIEWS = [
    _views("permutes-once-more", _BACK, 'return (np.transpose(grad, self.options["axes"]),)',
        "the gradient must move back"),
    _views("reverses-the-axes", _BACK, "return (grad.T,)", "the gradient must move back"),
    _views("reshapes-back", _BACK, "return (grad.reshape(self.inputs[0].shape),)",
        "the gradient must move back"),
    _views("does-not-move", _BACK, "return (grad,)", "the gradient must move back"),
    _views("sorts-negative-axes", _BACK,
        'return (np.transpose(grad, np.argsort(self.options["axes"])),)',
        "x.permute(-1, 0, 1)"),
    _views("reads-the-axes-backwards", _BACK,
        'return (np.transpose(grad, self.options["axes"][::-1]),)',
        "the gradient must move back"),
    _views("repeats-are-lost", _ADD, "full[index] += grad", "an entry picked twice gets both"),
    _views("the-last-one-wins", _ADD, "full[index] = grad", "an entry picked twice gets both"),
    _views("always-assigns", _BASIC, "if True:\n        full[index] = grad\n    else:\n        "
        "np.add.at", "an entry picked twice gets both"),
    _views("adds-ones", _ADD, "np.add.at(full, index, 1)", "an entry picked twice gets both"),
    _views("averages-repeats", _ADD,
        "np.add.at(full, index, grad)\n        times = np.zeros_like(full)\n"
        "        np.add.at(times, index, 1)\n        full /= np.maximum(times, 1)",
        "an entry picked twice gets both"),
    _views("fills-the-rest", _ASSIGN, "full[...] = 1\n        full[index] = grad",
        "what was not picked gets 0"),
    _views("picks-from-the-gradient", _ASSIGN, "full = grad[index]", "what was not picked gets 0"),
    _views("stretches-the-gradient", _ASSIGN, "full[...] = grad.sum()",
        "what was not picked gets 0"),
    _views("scatters-in-float64", _ADD,
        "full = full.astype(float)\n        np.add.at(full, index, grad)",
        "float32 wants a float32 gradient"),
]

MUTANTS = [*CURVES, *MATMUL, *SUMS, *MAX_VAR, *VIEWS]

# Right answers, three or more to an exercise.
ALTERNATIVES = [
    Alternative("half-of-the-inverse", "curves", _SQRT, "return (0.5 * grad / self.result,)"),
    Alternative("root-again", "curves", _SQRT,
        "return (grad * 0.5 / np.sqrt(self.inputs[0].data),)"),
    Alternative("incoming-minus", "curves", _TANH,
        "return (grad - grad * np.square(self.result),)"),
    Alternative("cosh", "curves", _TANH, "return [grad / np.cosh(self.inputs[0].data) ** 2]"),
    Alternative("where", "curves", _ABS, "a = self.inputs[0].data\n"
        "    return (np.where(a > 0, grad, np.where(a < 0, -grad, 0)),)"),
    Alternative("squares-and-cubes-apart", "curves", _POW,
        "if n == 2:\n        return (2 * a * grad,)\n"
        "    if n == 3:\n        return (3 * (a * a) * grad,)\n    " + _POW),
    Alternative("np-power", "curves", _POW, "return (np.power(a, n - 1.0) * grad * n,)"),
    Alternative("tensordot", "matmul", _ONE,
        "before = list(range(x.ndim - 1))\n        return np.tensordot(x, grad, (before, before))"),
    Alternative("stack-then-sum", "matmul", _IF + "        " + _ONE + "\n    ", ""),
    Alternative("einsum", "matmul", _LEFT,
        'return unbroadcast(np.einsum("...nm,...km->...nk", grad, y), x.shape)'),
    Alternative("moveaxis", "matmul", _RIGHT,
        "return unbroadcast(np.moveaxis(x, -1, -2) @ grad, y.shape)"),
    Alternative("transposes-twice", "matmul", _LEFT,
        "product = y @ np.swapaxes(grad, -1, -2)\n"
        "    return unbroadcast(np.swapaxes(product, -1, -2), x.shape)"),
    Alternative("times-ones", "sums", _BROADCAST, "return grad * np.ones(shape, grad.dtype)"),
    Alternative("by-shape", "sums", f"{_STRETCH}\n        {_EXPAND}",
        "if axis is not None:\n"
        "        gone = {one % len(shape) for one in np.atleast_1d(axis)}\n"
        "        grad = np.reshape(grad, [1 if i in gone else n for i, n in enumerate(shape)])"),
    Alternative("copies", "sums", _BROADCAST, "return np.broadcast_to(grad, shape).copy()"),
    Alternative("scales", "sums", _MEAN,
        "return (stretch(grad * grad.dtype.type(1 / count), a.shape, **self.options),)"),
    Alternative("true-division", "sums", _COUNT, "count = a.size / grad.size"),
    Alternative("where-largest", "max-var", _PART,
        "return (np.where(is_largest, stretch(grad / ties.reshape(grad.shape), a.shape,"
        " **self.options), 0),)"),
    Alternative("max-again", "max-var", _LARGEST,
        "is_largest = np.float64(a == a.max(axis=axis, keepdims=True)).astype(grad.dtype)"),
    Alternative("shares-first", "max-var", _PART,
        "return (is_largest / ties * stretch(grad, a.shape, **self.options),)"),
    Alternative("scales-the-distance", "max-var", _VAR,
        "distance *= grad.dtype.type(2 / count)\n"
        "    return (distance * stretch(grad, a.shape, **self.options),)"),
    Alternative("true-count", "max-var", _SHARE, "count = a.size / grad.size"),
    Alternative("argsort", "views", _BACK,
        'axes = np.asarray(self.options["axes"]) % grad.ndim\n'
        "    return (np.transpose(grad, np.argsort(axes)),)"),
    Alternative("finds-each-axis", "views", _BACK,
        'axes = [axis % grad.ndim for axis in self.options["axes"]]\n'
        "    return (grad.transpose([axes.index(i) for i in range(grad.ndim)]),)"),
    Alternative("always-adds", "views",
        f"{_BASIC}(full, index, grad)", _ADD),
    Alternative("adds-slices", "views", _ASSIGN, "full[index] += grad"),
    Alternative("counts-positions", "views", _ADD,
        "places = np.arange(full.size).reshape(full.shape)[index].ravel()\n"
        "        sums = np.bincount(places, np.ravel(grad), full.size)\n"
        "        full = sums.reshape(full.shape).astype(full.dtype)"),
]
