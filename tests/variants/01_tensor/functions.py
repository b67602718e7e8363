"""Wrong answers to the notebook Functions, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 arithmetic
_arithmetic = _wrong("arithmetic")
ARITHMETIC = [
    _arithmetic("swaps-sub", "return a - b", "return b - a", "taken from the left one"),
    _arithmetic("forgets-the-sign", "return a - b", "return np.abs(a - b)",
        "differences have a sign"),
    _arithmetic("subtracts-in-float64", "return a - b",
        "return np.subtract(a, b, dtype=np.float64)", "integers stay integers"),
    _arithmetic("multiplies-matrices", "return a * b", "return a @ b", "multiply entry by entry"),
    _arithmetic("casts-products-to-float32", "return a * b",
        "return np.asarray(a * b, np.float32)", "integers stay integers"),
    _arithmetic("casts-float-products-to-float32", "return a * b",
        'return np.float32(a * b) if (a * b).dtype.kind == "f" else a * b', "0.1 * 3 in float64"),
    _arithmetic("swaps-div", "return a / b", "return b / a", "8 / t, "),
    _arithmetic("divides-whole", "return a / b", "return a // b",
        "/ divides integers into fractions"),
    _arithmetic("pads-the-divisor", "return a / b", "return a / (b + 1e-8)", "1 / 0 is inf"),
    _arithmetic("replaces-infinity", "return a / b", "return np.nan_to_num(a / b, posinf=0)",
        "1 / 0 is inf"),
    _arithmetic("multiplies-for-sub", "return a - b", "return a * -b", "taken from the left one"),
]

# --- 2 entry by entry
_entrywise = _wrong("entrywise")
_SQUARE = "if exponent == 2:\n            return a * a\n"
ENTRYWISE = [
    _entrywise("squares-for-sqrt", "return np.sqrt(a)", "return a * a", "sqrt(t) gave"),
    _entrywise("takes-the-cube-root", "return np.sqrt(a)", "return np.cbrt(a)", "sqrt(t) gave"),
    _entrywise("overflows-in-tanh", "return np.tanh(a)",
        "return (np.exp(a) - np.exp(-a)) / (np.exp(a) + np.exp(-a))",
        "tanh of -100 and 100 gave"),
    _entrywise("sigmoid-for-tanh", "return np.tanh(a)", "return 1 / (1 + np.exp(-a))",
        "tanh(signed) gave"),
    _entrywise("negates-for-abs", "return np.abs(a)", "return -a", "abs(signed) gave"),
    _entrywise("cuts-off-for-abs", "return np.abs(a)", "return np.maximum(a, 0)",
        "abs(signed) gave"),
    _entrywise("squares-by-power", _SQUARE,
        "if exponent == 2:\n            return np.power(a, 2)\n",
        "** 2 went to NumPy's slow power"),
    _entrywise("cubes-by-power", "return a * a * a", "return a**3",
        "** 3 went to NumPy's slow power"),
    _entrywise("triples", "return a * a * a", "return 3 * a", "signed**3 gave"),
    _entrywise("doubles", _SQUARE, _SQUARE.replace("a * a", "a + a"), "signed**2 gave"),
    _entrywise("takes-logarithms", "return a**exponent", "return np.exp(exponent * np.log(a))",
        "signed**-1 gave"),
    _entrywise("drops-the-sign-of-the-exponent", "return a**exponent",
        "return a ** abs(exponent)", "signed**-1 gave"),
    _entrywise("rounds-the-exponent", "return a**exponent", "return a ** int(exponent)",
        "t**1.5 gave"),
    _entrywise("swaps-base-and-exponent", "return a**exponent", "return exponent**a",
        "signed**-1 gave"),
    _entrywise("squares-into-float32", _SQUARE, _SQUARE.replace("a * a", "np.float32(a * a)"),
        "made integers float32"),
]

# --- 3 matrix multiplication
_matmul = _wrong("matmul")
_PRODUCT = "return np.matmul(a, b)"
MATMUL = [
    _matmul("uses-dot", _PRODUCT, "return np.dot(a, b)", "matrix by matrix through the stack"),
    _matmul("uses-tensordot", _PRODUCT, "return np.tensordot(a, b, 1)",
        "matrix by matrix through the stack"),
    _matmul("multiplies-entries", _PRODUCT, "return a * b",
        "row i times column j, summed. It gave ValueError"),
    _matmul("swaps-the-operands", _PRODUCT, "return np.matmul(b, a)",
        "row i times column j, summed. It gave ValueError"),
    _matmul("takes-rows-with-rows", _PRODUCT, "return np.inner(a, b)",
        "row i times column j, summed. It gave ValueError"),
    _matmul("forgets-vectors", _PRODUCT, 'return np.einsum("...ij,...jk->...ik", a, b)',
        "a vector on the left is one row"),
    _matmul("flattens-the-stack", _PRODUCT,
        "return np.dot(a, b) if np.ndim(a) < 3 else np.dot(a[0], b[0])",
        "matrix by matrix through the stack"),
    _matmul("adds-up-the-stack", _PRODUCT,
        "return np.einsum('nij,njk->ik', a, b) if np.ndim(a) == 3 else np.matmul(a, b)",
        "matrix by matrix through the stack"),
    _matmul("turns-the-right-one", _PRODUCT,
        "return np.matmul(a, b.T) if np.shape(a) == np.shape(b) else np.matmul(a, b)",
        "(2, 3) @ (2, 3): refuse it"),
    _matmul("scales-by-numbers", _PRODUCT, "return np.matmul(a, b) if np.ndim(b) else a * b",
        "(2, 3) @ (): refuse it"),
]

# --- 4 reductions
_reduction = _wrong("reductions")
_MEAN = "return a.mean(axis=axis, keepdims=keepdims)"
_MAX = "return a.max(axis=axis, keepdims=keepdims)"
_DISTANCE = "distance = a - a.mean(axis=axis, keepdims=True)"
_VAR = "return (distance * distance).mean(axis=axis, keepdims=keepdims)"
REDUCTIONS = [
    _reduction("mean-drops-keepdims", _MEAN, "return a.mean(axis=axis)",
        "Mean(axis=1, keepdims=True) gave"),
    _reduction("mean-ignores-axis", _MEAN, "return a.mean()", "Mean(axis=0)"),
    _reduction("mean-divides-by-all", _MEAN,
        "return a.sum(axis=axis, keepdims=keepdims) / a.size", "Mean(axis=0)"),
    _reduction("mean-divides-by-rows", _MEAN,
        "return a.sum(axis=axis, keepdims=keepdims) / len(a)", "Mean(axis=None)"),
    _reduction("mean-stays-whole", _MEAN,
        "return a.mean(axis=axis, keepdims=keepdims, dtype=a.dtype)",
        "The mean of the integers 1 and 2"),
    _reduction("mean-sums", _MEAN, "return a.sum(axis=axis, keepdims=keepdims)",
        "Mean(axis=None)"),
    _reduction("max-is-min", _MAX, _MAX.replace("max", "min"), "Max(axis=None)"),
    _reduction("max-is-argmax", _MAX, _MAX.replace("max", "argmax"), "Max(axis=None)"),
    _reduction("max-starts-at-zero", _MAX,
        "return a.max(axis=axis, keepdims=keepdims, initial=0)", "Max(axis=-1)"),
    _reduction("max-of-integers-is-float", _MAX,
        "return np.float32(a.max(axis=axis, keepdims=keepdims))", "The max of integers"),
    _reduction("var-divides-by-n-minus-1", _VAR,
        "return a.var(axis=axis, keepdims=keepdims, ddof=1)", "Var(axis=None)"),
    _reduction("var-in-one-pass", _VAR, "return (a * a).mean(axis=axis, keepdims=keepdims)"
        " - a.mean(axis=axis, keepdims=keepdims) ** 2", "use two passes"),
    _reduction("var-loses-the-mean-axis", _DISTANCE,
        "distance = a - a.mean(axis=axis, keepdims=keepdims)", "Var(axis=-1)"),
    _reduction("var-around-the-total-mean", _DISTANCE, "distance = a - a.mean()", "Var(axis=0)"),
    _reduction("var-is-std", _VAR,
        "return np.sqrt((distance * distance).mean(axis=axis, keepdims=keepdims))",
        "Var(axis=None)"),
    _reduction("var-drops-keepdims", _VAR, "return (distance * distance).mean(axis=axis)",
        "Var(axis=1, keepdims=True) gave"),
]

# --- 5 views
_views = _wrong("views")
_SWAP = "return np.swapaxes(a, dim0, dim1)"
_PERMUTE = "return np.transpose(a, axes)"
_VECTOR = "if a.ndim < 2:\n                return a\n"
_LAST_TWO = "dim0, dim1 = -2, -1"
_READ = "return a.reshape(shape)"
VIEWS = [
    _views("reshape-copies", _READ, f"{_READ}.copy()", "is a view: do not copy"),
    _views("reads-by-columns", _READ, 'return a.reshape(shape, order="F")',
        "Keep the reading order"),
    _views("transposes", _READ, "return a.T.reshape(shape)", "Keep the reading order"),
    _views("changes-its-input", _READ, "a.shape = shape\n        return a",
        "reshape changed the shape of its input"),
    _views("ignores-minus-one", _READ, "return a.reshape([abs(n) for n in shape])",
        "reshape(4, -1) of (2, 3, 4) gave"),
    _views("reads-memory-order", _READ, 'return a.ravel(order="K").reshape(shape)',
        "A transposed array is read by rows"),
    _views("reverses-all-axes", _LAST_TWO, "return a.T", "transpose() of (2, 3, 4) is (2, 4, 3)"),
    _views("swaps-the-first-two", _LAST_TWO, "dim0, dim1 = 0, 1",
        "transpose() of (2, 3, 4) is (2, 4, 3)"),
    _views("ignores-its-axes", _SWAP, "return np.swapaxes(a, -2, -1)",
        "transpose(0, 1) of (2, 3, 4) is"),
    _views("moves-one-axis", _SWAP, "return np.moveaxis(a, dim0, dim1)",
        "transpose(-1, 0) of (2, 3, 4) is"),
    _views("makes-vectors-columns", _VECTOR,
        _VECTOR.replace("return a", "return a.reshape(-1, 1)"), "stays as it is"),
    _views("refuses-vectors", _VECTOR, "pass\n", "stays as it is"),
    _views("transpose-copies", _SWAP, f"{_SWAP}.copy()", "must be a view"),
    _views("reshapes-to-transpose", _SWAP, "shape = list(a.shape)\n"
        "        shape[dim0], shape[dim1] = shape[dim1], shape[dim0]\n"
        "        return a.reshape(shape)", "swaps the last two axes"),
    _views("permutes-backwards", _PERMUTE, "return np.transpose(a, np.argsort(axes))",
        "permute(2, 0, 1) of (2, 3, 4) is"),
    _views("sends-axes-instead-of-fetching", _PERMUTE,
        "return np.moveaxis(a, range(a.ndim), axes)", "permute(2, 0, 1) of (2, 3, 4) is"),
    _views("permute-copies", _PERMUTE, "return np.ascontiguousarray(np.transpose(a, axes))",
        "permute(2, 0, 1) must be a view"),
    _views("reshapes-to-permute", _PERMUTE, "return a.reshape([a.shape[i] for i in axes])",
        "Axis i of the result is axis axes[i]"),
    _views("permute-reverses", _PERMUTE, "return a.T", "permute(2, 0, 1) of (2, 3, 4) is"),
]

MUTANTS = [*ARITHMETIC, *ENTRYWISE, *MATMUL, *REDUCTIONS, *VIEWS]

# Right answers, three or more to an exercise.
_SWAPPING = """dim0, dim1 = -2, -1
        return np.swapaxes(a, dim0, dim1)
"""
_LOG_FREE = "return a * a * a"

ALTERNATIVES = [
    Alternative("subtract", "arithmetic", "return a - b", "return np.subtract(a, b)"),
    Alternative("add-the-negative", "arithmetic", "return a - b", "return a + -b"),
    Alternative("multiply", "arithmetic", "return a * b", "return np.multiply(b, a)"),
    Alternative("true-divide", "arithmetic", "return a / b", "return np.true_divide(a, b)"),
    Alternative("root-as-power", "entrywise", "return np.sqrt(a)", "return a**0.5"),
    Alternative("tanh-in-halves", "entrywise", "return np.tanh(a)",
        "return np.sign(a) * (1 - 2 / (np.exp(2 * np.abs(a)) + 1))"),
    Alternative("abs-by-where", "entrywise", "return np.abs(a)", "return np.where(a < 0, -a, a)"),
    Alternative("abs-by-maximum", "entrywise", "return np.abs(a)", "return np.maximum(a, -a)"),
    Alternative("square-then-multiply", "entrywise", _LOG_FREE, "return np.square(a) * a"),
    Alternative("at-sign", "matmul", _PRODUCT, "return a @ b"),
    Alternative("einsum-for-matrices", "matmul", _PRODUCT,
        "return np.einsum('ij,jk', a, b) if np.ndim(a) == np.ndim(b) == 2 else np.matmul(a, b)"),
    Alternative("sum-of-products", "matmul", _PRODUCT,
        """if np.ndim(a) < 2 or np.ndim(b) < 2:
            return a @ b
        return (a[..., :, :, None] * b[..., None, :, :]).sum(axis=-2)"""),
    Alternative("sum-over-count", "reductions", _MEAN,
        """total = a.sum(axis=axis, keepdims=keepdims)
        return total * total.size / a.size"""),
    Alternative("np-max", "reductions", _MAX, "return np.amax(a, axis, keepdims=keepdims)"),
    Alternative("minus-min-of-minus", "reductions", _MAX,
        "return -(-a).min(axis, keepdims=keepdims)"),
    Alternative("numpy-var", "reductions", _VAR, "return np.var(a, axis, keepdims=keepdims)"),
    Alternative("mean-of-squares", "reductions", _VAR,
        "return np.mean(np.square(distance), axis, keepdims=keepdims)"),
    Alternative("np-reshape", "views", _READ, "return np.reshape(a, shape)"),
    Alternative("reshape-with-sizes", "views", _READ,
        "return a.reshape(*infer_shape(a.shape, shape))"),
    Alternative("axes-list", "views", _SWAPPING, """dim0, dim1 = -2, -1
        axes = list(range(a.ndim))
        axes[dim0], axes[dim1] = axes[dim1], axes[dim0]
        return a.transpose(axes)
"""),
    Alternative("method-transpose", "views", _PERMUTE, "return a.transpose(*axes)"),
    Alternative("moveaxis", "views", _PERMUTE, "return np.moveaxis(a, axes, range(a.ndim))"),
    Alternative("negative-is-last", "views", _LAST_TWO, "dim0, dim1 = a.ndim - 1, a.ndim - 2"),
]
