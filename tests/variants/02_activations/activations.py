"""Wrong answers to the notebook Activations, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 ReLU
_relu = _wrong("relu")
_MAXIMUM = "return np.maximum(a, 0)"
_RELU_APPLY = "return ReluFunction.apply(x)"
RELU = [
    _relu("takes-the-minimum", _MAXIMUM, "return np.minimum(a, 0)", "ReluFunction of [[-2"),
    _relu("takes-the-largest", _MAXIMUM, "return np.max(a, 0)", "ReluFunction of [[-2"),
    _relu("takes-abs", _MAXIMUM, "return np.abs(a)", "ReluFunction of [[-2"),
    _relu("leaks", _MAXIMUM, "return np.maximum(a, 0.01 * a)", "ReluFunction of [[-2"),
    _relu("stops-at-six", _MAXIMUM, "return np.clip(a, 0, 6)", "ReluFunction of [[-2"),
    _relu("steps", _MAXIMUM, "return np.where(a < 0, 0, 1)", "ReluFunction of [[-2"),
    _relu("drops-the-negatives", _MAXIMUM, "return a[a > 0]", "ReluFunction of [[-2"),
    _relu("hides-nan", _MAXIMUM, "return np.where(a > 0, a, 0)", "nan must stay"),
    _relu("hides-nan-with-fmax", _MAXIMUM, "return np.fmax(a, 0)", "nan must stay"),
    _relu("overwrites-its-input", _MAXIMUM, "return np.maximum(a, 0, out=a)",
        "an overwritten input"),
    _relu("casts-to-float32", _MAXIMUM, "return np.maximum(a, 0).astype(np.float32)",
        "dtype and shape must stay"),
    _relu("goes-through-data", _RELU_APPLY, "return Tensor(np.maximum(x.data, 0), dtype=x.dtype)",
        "lost the way back"),
    _relu("detaches", _RELU_APPLY, "return ReluFunction.apply(x.detach())", "lost the way back"),
    _relu("returns-an-array", _RELU_APPLY, "return ReluFunction().forward(x.data)",
        "not a Tensor"),
    _relu("passes-the-wrong-sign", _RELU_APPLY, "return ReluFunction.apply(-x)",
        "ReLU() of [[-2"),
    _relu("returns-its-input", _RELU_APPLY, "return x", "ReLU() of [[-2"),
]

# --- 2 Sigmoid and Tanh
_sigmoid = _wrong("sigmoid-tanh")
_SMALL = "small = np.exp(-np.abs(a))"
_SHARE = "return np.exp(np.minimum(a, 0)) / (1 + small)"
_TANH = "return x.tanh()"
SIGMOID_TANH = [
    _sigmoid("overflows-below", _SHARE, "return 1 / (1 + np.exp(-a))", "take exp of -|x|"),
    _sigmoid("overflows-above", _SHARE, "return np.exp(a) / (1 + np.exp(a))",
        "take exp of -|x|"),
    _sigmoid("computes-both-sides", _SHARE,
        "return np.where(a >= 0, 1 / (1 + np.exp(-a)), np.exp(a) / (1 + np.exp(a)))",
        "for both sides"),
    _sigmoid("clips-its-input", _SMALL, "a = np.clip(a, -5, 5)\n        small = np.exp(-np.abs(a))",
        "not [0, 1]: "),
    _sigmoid("forgets-the-negative-side", _SHARE, "return 1 / (1 + small)", "sigmoid of [-5.0"),
    _sigmoid("swaps-the-sides", _SHARE, "return np.where(a >= 0, small, 1) / (1 + small)",
        "sigmoid of [-5.0"),
    _sigmoid("forgets-the-minus", _SMALL, "small = np.exp(np.abs(a))", "sigmoid of [-5.0"),
    _sigmoid("subtracts", _SHARE, "return np.where(a >= 0, 1, small) / (1 - small)",
        "sigmoid of [-5.0"),
    _sigmoid("is-tanh", _SHARE, "return np.tanh(a)", "sigmoid of [-5.0"),
    _sigmoid("is-a-straight-line", _SHARE, "return np.clip(0.2 * a + 0.5, 0, 1)",
        "sigmoid of [-5.0"),
    _sigmoid("fills-integers", _SHARE,
        """out = np.empty_like(a)
        out[...] = np.where(a >= 0, 1, small) / (1 + small)
        return out""", "make room for fractions"),
    _sigmoid("computes-in-float64", _SMALL, "small = np.exp(-np.abs(a.astype(np.float64)))",
        "leave the dtype alone"),
    _sigmoid("computes-in-float32", _SMALL, "a = np.float32(a)\n        small = np.exp(-np.abs(a))",
        "dtype and shape must stay"),
    _sigmoid("hides-nan-in-sigmoid", _SHARE,
        "return np.nan_to_num(np.where(a >= 0, 1, small) / (1 + small))", "nan must stay"),
    _sigmoid("overwrites-in-sigmoid", _SHARE,
        "a[...] = np.where(a >= 0, 1, small) / (1 + small)\n        return a",
        "an overwritten input"),
    _sigmoid("tanh-of-two-exponentials", _TANH,
        "return (x.exp() - (-x).exp()) / (x.exp() + (-x).exp())", "is there an inf / inf?"),
    _sigmoid("tanh-through-data", _TANH, "return Tensor(np.tanh(x.data), dtype=x.dtype)",
        "lost the way back"),
    _sigmoid("tanh-returns-an-array", _TANH, "return np.tanh(x.data)", "not a Tensor"),
    _sigmoid("tanh-is-a-sigmoid", _TANH, "return SigmoidFunction.apply(x)", "Tanh() of [-1000"),
    _sigmoid("tanh-stretches-once", _TANH, "return SigmoidFunction.apply(x) * 2 - 1",
        "Tanh() of [-1000"),
    _sigmoid("tanh-is-clipped", _TANH, "return Tensor(np.clip(x.data, -1, 1))",
        "Tanh() of [-1000"),
]

# --- 3 GELU
_gelu = _wrong("gelu")
_T = "self.saved = np.tanh(GELU_SCALE * (a + GELU_CUBIC * (a * a * a)))"
_HALF = "return 0.5 * a * (1 + self.saved)"
_FORMULA = "GELU (tanh form) of"
GELU = [
    _gelu("cubes-by-power", "(a * a * a)", "a**3", "slow power"),
    _gelu("cubes-by-np-power", "(a * a * a)", "np.power(a, 3)", "slow power"),
    _gelu("squares", "(a * a * a)", "(a * a)", _FORMULA),
    _gelu("forgets-the-cube", "GELU_CUBIC * (a * a * a)", "GELU_CUBIC * a", _FORMULA),
    _gelu("forgets-the-scale", "GELU_SCALE * (a", "(a", _FORMULA),
    _gelu("scales-only-x", "GELU_SCALE * (a + GELU_CUBIC * (a * a * a))",
        "GELU_SCALE * a + GELU_CUBIC * (a * a * a)", _FORMULA),
    _gelu("turns-the-constant-round", "GELU_SCALE * (a", "math.sqrt(math.pi / 2) * (a", _FORMULA),
    _gelu("rounds-the-constant", "GELU_CUBIC * (a", "0.045 * (a", _FORMULA),
    _gelu("forgets-the-half", _HALF, "return a * (1 + self.saved)", _FORMULA),
    _gelu("forgets-the-one", _HALF, "return 0.5 * a * self.saved", _FORMULA),
    _gelu("forgets-x", _HALF, "return 0.5 * (1 + self.saved)", _FORMULA),
    _gelu("is-the-exact-form", _HALF,
        "return (0.5 * a * (1 + np.vectorize(math.erf)(a / math.sqrt(2)))).astype(a.dtype)",
        _FORMULA),
    _gelu("is-the-sigmoid-form", _HALF,
        "return a / (1 + np.exp(-1.702 * a))", _FORMULA),
    _gelu("uses-a-float64-constant", "GELU_SCALE * (a", "np.sqrt(2 / np.pi) * (a",
        "is a constant an np.float64?"),
    _gelu("casts-gelu-to-float32", _HALF, "return np.float32(0.5 * a * (1 + self.saved))",
        "dtype and shape must stay"),
    _gelu("does-not-save", _T + "\n        " + _HALF,
        _T.replace("self.saved", "t") + "\n        return 0.5 * a * (1 + t)", "It is not set"),
    _gelu("saves-what-went-into-tanh", _T + "\n        " + _HALF,
        "self.saved = GELU_SCALE * (a + GELU_CUBIC * (a * a * a))\n"
        "        return 0.5 * a * (1 + np.tanh(self.saved))", "self.saved must be t"),
    _gelu("saves-the-result", _HALF,
        "self.saved = 0.5 * a * (1 + self.saved)\n        return self.saved",
        "self.saved must be t"),
    _gelu("overwrites-in-gelu", _HALF, "a *= 0.5 * (1 + self.saved)\n        return a",
        "an overwritten input"),
]

# --- 4 Softmax
_softmax = _wrong("softmax")
_EXPS = "exps = np.exp(a - a.max(axis=dim, keepdims=True))"
_DIVIDE = "return exps / exps.sum(axis=dim, keepdims=True)"
_SOFTMAX_APPLY = "return SoftmaxFunction.apply(x, dim=dim)"
SOFTMAX = [
    _softmax("does-not-shift", _EXPS, "exps = np.exp(a)", "subtract each row's max first"),
    _softmax("shifts-by-the-total-max", _EXPS, "exps = np.exp(a - a.max())",
        "subtract each row's max first"),
    _softmax("shifts-by-the-mean", _EXPS, "exps = np.exp(a - a.mean(axis=dim, keepdims=True))",
        "subtract each row's max first"),
    _softmax("shifts-by-the-min", _EXPS, "exps = np.exp(a - a.min(axis=dim, keepdims=True))",
        "subtract each row's max first"),
    _softmax("clips-the-logits", _EXPS, "exps = np.exp(np.clip(a, -80, 80))",
        "subtract each row's max first"),
    _softmax("divides-by-the-max", _EXPS, "exps = np.exp(a / a.max(axis=dim, keepdims=True))",
        "Along dim=-1"),
    _softmax("shifts-the-wrong-way", _EXPS, "exps = np.exp(a.max(axis=dim, keepdims=True) - a)",
        "Along dim=-1"),
    _softmax("max-without-keepdims", _EXPS, "exps = np.exp(a - a.max(axis=dim))", "Along dim=-1"),
    _softmax("sum-without-keepdims", _DIVIDE, "return exps / exps.sum(axis=dim)", "Along dim=-1"),
    _softmax("sums-everything", _DIVIDE, "return exps / exps.sum()", "Along dim=-1"),
    _softmax("sums-the-last-dim", _DIVIDE, "return exps / exps.sum(axis=-1, keepdims=True)",
        "Along dim=0"),
    _softmax("ignores-dim", _EXPS + "\n        " + _DIVIDE,
        "exps = np.exp(a - a.max(axis=-1, keepdims=True))\n"
        "        return exps / exps.sum(axis=-1, keepdims=True)", "Along dim=0"),
    _softmax("does-not-divide", _DIVIDE, "return exps", "Along dim=-1"),
    _softmax("divides-by-the-largest", _DIVIDE,
        "return exps / exps.max(axis=dim, keepdims=True)", "Along dim=-1"),
    _softmax("takes-logarithms", _DIVIDE,
        "return np.log(exps / exps.sum(axis=dim, keepdims=True))", "Along dim=-1"),
    _softmax("powers-of-two", _EXPS, "exps = np.exp2(a - a.max(axis=dim, keepdims=True))",
        "Along dim=-1"),
    _softmax("is-a-hard-maximum", _DIVIDE,
        "return (exps == exps.max(axis=dim, keepdims=True)).astype(a.dtype)", "Along dim=-1"),
    _softmax("pads-the-sum", _DIVIDE,
        "return exps / (exps.sum(axis=dim, keepdims=True) + 1e-3)", "Along dim=-1"),
    _softmax("replaces-nan", _DIVIDE,
        "return np.nan_to_num(exps / exps.sum(axis=dim, keepdims=True))", "[-inf, -inf]"),
    _softmax("computes-shares-in-float64", _EXPS,
        "exps = np.exp((a - a.max(axis=dim, keepdims=True)).astype(np.float64))",
        "leave the dtype alone"),
    _softmax("casts-shares-to-float32", _DIVIDE,
        "return np.float32(exps / exps.sum(axis=dim, keepdims=True))",
        "dtype and shape must stay"),
    _softmax("overwrites-in-softmax", _EXPS,
        "a -= a.max(axis=dim, keepdims=True)\n        exps = np.exp(a)", "an overwritten input"),
    _softmax("wraps-dim-round", _EXPS,
        "dim = dim % a.ndim\n        exps = np.exp(a - a.max(axis=dim, keepdims=True))",
        "let NumPy refuse"),
    _softmax("does-not-pass-dim-on", _SOFTMAX_APPLY, "return SoftmaxFunction.apply(x)",
        "does dim reach forward?"),
    _softmax("passes-the-first-dim", _SOFTMAX_APPLY, "return SoftmaxFunction.apply(x, dim=0)",
        "does dim reach forward?"),
    _softmax("passes-dim-as-an-input", _SOFTMAX_APPLY,
        "return Tensor(SoftmaxFunction().forward(x.data, dim), dtype=x.dtype)",
        "lost the way back"),
]

MUTANTS = [*RELU, *SIGMOID_TANH, *GELU, *SOFTMAX]

# Right answers, three or more to an exercise.
ALTERNATIVES = [
    Alternative("where-negative", "relu", _MAXIMUM, "return np.where(a < 0, 0, a)"),
    Alternative("clip-below", "relu", _MAXIMUM, "return np.clip(a, 0, None)"),
    Alternative("times-a-mask", "relu", _MAXIMUM, "return a * (a > 0)"),
    Alternative("mean-of-x-and-abs", "relu", _MAXIMUM, "return (a + np.abs(a)) / 2"),
    Alternative("copy-and-assign", "relu", _MAXIMUM,
        "out = a.copy()\n        out[out < 0] = 0\n        return out"),
    Alternative("maximum-turned", "relu", _MAXIMUM, "return np.maximum(0.0, a)"),
    Alternative("by-tensor-operators", "relu", _RELU_APPLY, "return (x + x.abs()) / 2"),
    Alternative("one-exponential-each", "sigmoid-tanh", _SHARE,
        """large = 1 / (1 + small)
        return np.where(a < 0, small * large, large)"""),
    Alternative("one-minus", "sigmoid-tanh", _SHARE,
        """large = 1 / (1 + small)
        return np.where(a < 0, 1 - large, large)"""),
    Alternative("from-tanh", "sigmoid-tanh", _SHARE, "return 0.5 * (1 + np.tanh(0.5 * a))"),
    Alternative("quiet-overflow", "sigmoid-tanh", _SHARE,
        """with np.errstate(over="ignore"):
            return 1 / (1 + np.exp(-a))"""),
    Alternative("masks", "sigmoid-tanh", _SHARE,
        """out, up = small / (1 + small), a >= 0
        out[up] = 1 / (1 + small[up])
        return out"""),
    Alternative("one-or-small", "sigmoid-tanh", _SHARE,
        "return np.where(a >= 0, 1, small) / (1 + small)"),
    Alternative("logaddexp", "sigmoid-tanh", _SHARE, "return np.exp(-np.logaddexp(0, -a))"),
    Alternative("tanh-by-sigmoid", "sigmoid-tanh", _TANH,
        "return SigmoidFunction.apply(x * 2) * 2 - 1"),
    Alternative("tanh-is-odd", "sigmoid-tanh", _TANH, "return -(-x).tanh()"),
    Alternative("tanh-by-class", "sigmoid-tanh", _TANH, "return Tensor.tanh(x)"),
    Alternative("factored", "gelu", "(a + GELU_CUBIC * (a * a * a))",
        "a * (1 + GELU_CUBIC * a * a)"),
    Alternative("square-times-x", "gelu", "(a * a * a)", "np.square(a) * a"),
    Alternative("multiplied-out", "gelu", _HALF, "return 0.5 * a + 0.5 * a * self.saved"),
    Alternative("own-constants", "gelu", "GELU_SCALE * (a", "math.sqrt(2 / math.pi) * (a"),
    Alternative("float-of-numpy", "gelu", "GELU_SCALE * (a", "float(np.sqrt(2 / np.pi)) * (a"),
    Alternative("divided-by-two", "gelu", _HALF, "return a * (1 + self.saved) / 2"),
    Alternative("by-sigmoid", "gelu", _T + "\n        " + _HALF,
        """gate = SigmoidFunction().forward(2 * GELU_SCALE * (a + GELU_CUBIC * (a * a * a)))
        self.saved = 2 * gate - 1
        return a * gate"""),
    Alternative("by-logarithm", "softmax", _EXPS + "\n        " + _DIVIDE,
        """shifted = a - a.max(axis=dim, keepdims=True)
        return np.exp(shifted - np.log(np.exp(shifted).sum(axis=dim, keepdims=True)))"""),
    Alternative("np-functions", "softmax", _EXPS,
        "exps = np.exp(np.subtract(a, np.amax(a, dim, keepdims=True)))"),
    Alternative("expand-dims", "softmax", _DIVIDE,
        "return exps / np.expand_dims(exps.sum(axis=dim), dim)"),
    Alternative("dim-to-the-end", "softmax", _EXPS + "\n        " + _DIVIDE,
        """moved = np.moveaxis(a, dim, -1)
        exps = np.exp(moved - moved.max(axis=-1, keepdims=True))
        return np.moveaxis(exps / exps.sum(axis=-1, keepdims=True), -1, dim)"""),
    Alternative("times-the-reciprocal", "softmax", _DIVIDE,
        "return exps * (1 / exps.sum(axis=dim, keepdims=True))"),
    Alternative("into-its-own-array", "softmax", _DIVIDE,
        "exps /= exps.sum(axis=dim, keepdims=True)\n        return exps"),
    Alternative("softmax-by-operators", "softmax", _SOFTMAX_APPLY,
        """exps = (x - x.max(axis=dim, keepdims=True)).exp()
        return exps / exps.sum(axis=dim, keepdims=True)"""),
]
