"""Wrong answers to the notebook Arithmetic, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 unbroadcast
_unbroadcast = _wrong("unbroadcast")
_LACKING = "grad = grad.sum(axis=tuple(range(grad.ndim - len(shape))))"
_KEPT = "return grad.sum(axis=stretched, keepdims=True) if stretched else grad"
_UNBROADCAST = """if grad.ndim > len(shape):
        grad = grad.sum(axis=tuple(range(grad.ndim - len(shape))))
    stretched = tuple(axis for axis, size in enumerate(shape) if size != grad.shape[axis])
    return grad.sum(axis=stretched, keepdims=True) if stretched else grad
"""
UNBROADCAST = [
    _unbroadcast("forgets-lacking-axes", _LACKING, "pass", "the input lacks axis 0"),
    _unbroadcast("sums-one-lacking-axis", _LACKING, "grad = grad.sum(axis=0)",
        "a number was used for every entry"),
    _unbroadcast("sums-from-the-right", _LACKING,
        "grad = grad.sum(axis=tuple(range(len(shape), grad.ndim)))",
        "the input lacks axis 0"),
    _unbroadcast("loses-keepdims", "keepdims=True", "keepdims=False", "and keep it"),
    _unbroadcast("forgets-axes-of-one", _KEPT, "return grad", "sum over it, and keep it"),
    _unbroadcast("sums-one-stretched-axis", "axis=stretched, keep", "axis=stretched[0], keep",
        "both axes were stretched"),
    _unbroadcast("takes-the-mean", _LACKING, _LACKING.replace("sum", "mean"),
        "the input lacks axis 0"),
    _unbroadcast("takes-the-first-row", _LACKING,
        "grad = grad[(0,) * (grad.ndim - len(shape))]", "the input lacks axis 0"),
    _unbroadcast("reshapes", _KEPT, "return np.resize(grad, shape)", "sum over it, and keep it"),
    _unbroadcast("sums-everything", _UNBROADCAST,
        "return grad if grad.shape == shape else np.full(shape, grad.sum())",
        "the input lacks axis 0"),
    _unbroadcast("sums-in-float64", _LACKING,
        "grad = grad.sum(axis=tuple(range(grad.ndim - len(shape))), dtype=np.float64)",
        "float32 became float64"),
]

# --- 2 add, neg, sub
_sums = _wrong("sums")
_ADD = "return for_input(grad, a), for_input(grad, b)"
_NEG = "return (-grad,)"
_SUB = "return for_input(grad, a), for_input(-grad, b)"
SUMS = [
    _sums("add-forgets-shapes", _ADD, "return grad, grad", "unbroadcast it"),
    _sums("add-passes-the-inputs", _ADD, "return for_input(a.data, a), for_input(b.data, b)",
        "both slopes are 1"),
    _sums("add-halves", _ADD, "return for_input(grad / 2, a), for_input(grad / 2, b)",
        "both slopes are 1"),
    _sums("add-answers-the-first", _ADD, "return for_input(grad, a), None",
        "the gradient of b is None"),
    _sums("add-drops-the-incoming", _ADD,
        "return for_input(np.ones_like(grad), a), for_input(np.ones_like(grad), b)",
        "both slopes are 1"),
    _sums("add-stops-at-numbers", _ADD,
        "return unbroadcast(grad, a.shape), unbroadcast(grad, b.shape)",
        "the rule ended in AttributeError"),
    _sums("add-returns-one", _ADD, "return for_input(grad, a)", "one gradient an input"),
    _sums("neg-keeps-the-sign", _NEG, "return (grad,)", "the slope of -a is -1"),
    _sums("neg-returns-an-array", _NEG, "return -grad", "in a tuple"),
    _sums("neg-writes-into-the-incoming", _NEG, "grad *= -1\n    return (grad,)",
        "wrote into the incoming gradient"),
    _sums("neg-times-the-input", _NEG, "return (-grad * self.inputs[0].data,)",
        "the slope of -a is -1"),
    _sums("sub-forgets-the-sign", _SUB, "return (for_input(grad, a), for_input(grad, b))",
        "mind the sign"),
    _sums("sub-swaps-the-signs", _SUB, "return for_input(-grad, a), for_input(grad, b)",
        "mind the sign"),
    _sums("sub-swaps-the-inputs", _SUB, "return for_input(-grad, b), for_input(grad, a)",
        "Sub of"),
]

# --- 3 mul
_products = _wrong("products")
_TO_A = "for_input(grad * y, a) if needs_grad(a) else None"
_TO_B = "for_input(grad * x, b) if needs_grad(b) else None"
PRODUCTS = [
    _products("takes-its-own-input", "for_input(grad * y, a)", "for_input(grad * x, a)",
        "[1, 2] * [5, 7]"),
    _products("own-inputs-twice", "for_input(grad * x, b)", "for_input(grad * y, b)",
        "[1, 2] * [5, 7]"),
    _products("forgets-the-incoming", "for_input(grad * y, a)", "for_input(1.0 * y, a)",
        "[1, 2] * [5, 7]"),
    _products("passes-the-incoming", "for_input(grad * x, b)", "for_input(grad, b)",
        "[1, 2] * [5, 7]"),
    _products("divides-the-result", "for_input(grad * y, a)",
        "for_input(grad * (self.result / x), a)", "a slope may be 0"),
    _products("leaves-the-shape", "for_input(grad * x, b)", "grad * x", "unbroadcast it"),
    _products("sums-first", "for_input(grad * y, a)", "for_input(grad, a) * y", "Mul of"),
    _products("means", "for_input(grad * x, b)",
        "for_input(grad * x, b) * np.float32(np.size(y) / grad.size)", "multiply first, then sum"),
    _products("doubles-squares", "for_input(grad * y, a)",
        "for_input(grad * y * (2 if a is b else 1), a)", "x * x at 3"),
    _products("writes-into-the-incoming", "for_input(grad * x, b)",
        "for_input(np.multiply(grad, x, out=grad), b)", "wrote into the incoming gradient"),
    _products("refuses-numbers", _TO_B, "unbroadcast(grad * x, b.shape)",
        "the rule ended in AttributeError"),
    _products("answers-in-float64", "for_input(grad * y, a)",
        "for_input(np.float64(grad) * y, a)", "float32 became float64"),
]

# --- 4 div
_quotients = _wrong("quotients")
_DIV_A, _DIV_B = "for_input(grad / y, a)", "for_input(-grad * x / (y * y), b)"
QUOTIENTS = [
    _quotients("second-sign", _DIV_B, "for_input(grad * x / (y * y), b)", "12 / 3, grad 9"),
    _quotients("second-without-square", _DIV_B, "for_input(-grad * x / y, b)", "12 / 3, grad 9"),
    _quotients("second-without-dividend", _DIV_B, "for_input(-grad / (y * y), b)",
        "12 / 3, grad 9"),
    _quotients("second-with-cube", _DIV_B, "for_input(-grad * self.result / (y * y), b)",
        "12 / 3, grad 9"),
    _quotients("multiplies-for-a", _DIV_A, "for_input(grad * y, a)", "12 / 3, grad 9"),
    _quotients("squares-for-a", _DIV_A, "for_input(grad / (y * y), a)", "12 / 3, grad 9"),
    _quotients("drops-the-incoming", _DIV_B, "for_input(-x / (y * y) * np.ones_like(grad), b)",
        "12 / 3, grad 9"),
    _quotients("swaps", _DIV_A, "for_input(grad / x, a)", "12 / 3, grad 9"),
    _quotients("divides-by-the-dividend", _DIV_A, "for_input(grad * self.result / x, a)",
        "a dividend of 0"),
    _quotients("sums-too-early", _DIV_B, "for_input(-grad, b) * x / (y * y)", "Div of"),
    _quotients("leaves-it-stretched", _DIV_B, "-grad * x / (y * y)", "unbroadcast it"),
    _quotients("skips-the-divisor", f"{_DIV_B} if needs_grad(b) else None", "None",
        "12 / 3, grad 9"),
]

# --- 5 by hand
_walk = _wrong("walk-back")
_RETURN = "return a_from_add + a_from_mul, b_from_div + b_from_mul"
WALK = [
    _walk("replaces-a", _RETURN, "return a_from_mul, b_from_div + b_from_mul",
        "together 1.25"),
    _walk("keeps-the-first-a", _RETURN, "return a_from_add, b_from_div + b_from_mul",
        "together 1.25"),
    _walk("replaces-b", _RETURN, "return a_from_add + a_from_mul, b_from_mul",
        "together 1.25"),
    _walk("swaps-the-answers", _RETURN, "return b_from_div + b_from_mul, a_from_add + a_from_mul",
        "gradient of a"),
    _walk("starts-each-from-the-end", "add.backward(grad_sum)", "add.backward(grad)",
        "together 1.25"),
    _walk("skips-add", "mul.backward(grad_product)", "mul.backward(grad)", "together 1.25"),
    _walk("starts-from-one", "div.backward(grad)", "div.backward(np.ones_like(grad))",
        "8 times as large"),
    _walk("mixes-up-the-inputs-of-div", "grad_sum, b_from_div =", "b_from_div, grad_sum =",
        "gradient of a"),
    _walk("averages", _RETURN, "return (a_from_add + a_from_mul) / 2, b_from_div + b_from_mul",
        "together 1.25"),
    _walk("returns-one", _RETURN, "return a_from_add + a_from_mul", "return two gradients"),
]

MUTANTS = [*UNBROADCAST, *SUMS, *PRODUCTS, *QUOTIENTS, *WALK]

# Right answers, three or more to an exercise.
_WALK = """grad_sum, b_from_div = div.backward(grad)
    grad_product, a_from_add = add.backward(grad_sum)
    a_from_mul, b_from_mul = mul.backward(grad_product)
    return a_from_add + a_from_mul, b_from_div + b_from_mul
"""

ALTERNATIVES = [
    Alternative("two-loops", "unbroadcast", _UNBROADCAST,
        """while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad
"""),
    Alternative("pad-and-reshape", "unbroadcast", _UNBROADCAST,
        """padded = (1,) * (grad.ndim - len(shape)) + tuple(shape)
    axes = tuple(i for i, size in enumerate(padded) if size == 1)
    return grad.sum(axis=axes, keepdims=True).reshape(shape)
"""),
    Alternative("add-reduce", "unbroadcast", _UNBROADCAST,
        """lead = grad.ndim - len(shape)
    grad = np.add.reduce(grad, axis=tuple(range(lead)))
    ones = [i for i in range(len(shape)) if shape[i] == 1 and grad.shape[i] != 1]
    for i in ones:
        grad = np.expand_dims(np.add.reduce(grad, axis=i), i)
    return grad
"""),
    Alternative("list", "sums", _ADD, "return [for_input(grad, x) for x in (a, b)]"),
    Alternative("add-copies", "sums", _ADD, "return for_input(grad.copy(), a), for_input(grad, b)"),
    Alternative("neg-multiplies", "sums", _NEG, "return (grad * -1,)"),
    Alternative("neg-for-input", "sums", _NEG, "return [for_input(0 - grad, *self.inputs)]"),
    Alternative("sub-negates-last", "sums", _SUB,
        "return for_input(grad, a), -for_input(grad, b) if needs_grad(b) else None"),
    Alternative("both-products", "products", f"{_TO_A},\n        {_TO_B},",
        "for_input(grad * y, a),\n        for_input(grad * x, b),"),
    Alternative("statements", "products", f"""return (
        {_TO_A},
        {_TO_B},
    )
""", """grad_a = grad_b = None
    if needs_grad(a):
        grad_a = unbroadcast(y * grad, a.shape)
    if needs_grad(b):
        grad_b = unbroadcast(np.multiply(x, grad), b.shape)
    return grad_a, grad_b
"""),
    Alternative("tensor-data", "products", "for_input(grad * x, b)",
        "for_input(grad * getattr(a, 'data', a), b)"),
    Alternative("from-the-result", "quotients", _DIV_B, "for_input(-grad * self.result / y, b)"),
    Alternative("reciprocal", "quotients", _DIV_A, "for_input(grad * (1 / y), a)"),
    Alternative("square-by-power", "quotients", _DIV_B, "for_input(grad * -x / y**2, b)"),
    Alternative("both-always", "quotients", f"{_DIV_B} if needs_grad(b) else None", _DIV_B),
    Alternative("by-index", "walk-back", _WALK,
        """first = div.backward(grad)
    second = add.backward(first[0])
    third = mul.backward(second[0])
    return second[1] + third[0], first[1] + third[1]
"""),
    Alternative("running-sums", "walk-back", _WALK,
        """grad_sum, grad_b = div.backward(grad)
    grad_product, grad_a = add.backward(grad_sum)
    pair = mul.backward(grad_product)
    grad_a = grad_a + pair[0]
    grad_b = grad_b + pair[1]
    return [grad_a, grad_b]
"""),
    Alternative("product-rule", "walk-back", _WALK,
        """grad_sum, b_from_div = div.backward(grad)
    a, b = mul.inputs
    grad_a = unbroadcast(grad_sum * b.data, a.shape) + unbroadcast(grad_sum, a.shape)
    return grad_a, b_from_div + unbroadcast(grad_sum * a.data, b.shape)
"""),
]
