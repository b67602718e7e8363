"""Wrong answers to the notebook Tensor, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 Tensor.__init__
_init = _wrong("tensor-init")
_WHICH_FLOATS = 'if dtype is None and (requires_grad or array.dtype.kind == "f"):'
_CONVERT = "array = np.asarray(array, dtype)"
_REFUSE = 'raise TypeError(f"requires_grad needs floats, not {array.dtype}: use dtype=np.float32.")'
INIT = [
    _init("keeps-float64", _WHICH_FLOATS, "if dtype is None and requires_grad:",
        "floats become float32"),
    _init("turns-integers-into-floats", _WHICH_FLOATS, "if dtype is None:",
        "integers stay integers"),
    _init("refuses-integers-that-ask", "(requires_grad or array.dtype.kind", "(array.dtype.kind",
        "a gradient needs floats"),
    _init("ignores-dtype", "if dtype is None and (", "if (", "an explicit dtype wins"),
    _init("always-copies", _CONVERT, "array = np.array(array, dtype)", "shared, not copied"),
    _init("passes-through-float32", _CONVERT,
        'array = np.asarray(np.float32(array) if array.dtype.kind == "f" else array, dtype)',
        "do not pass through float32"),
    _init("widens-integers", _CONVERT,
        'array = np.asarray(array, "int64" if array.dtype.kind == "i" and not dtype else dtype)',
        "integers keep their size"),
    _init("turns-bools-into-integers", _CONVERT,
        'array = np.asarray(array, "int64" if array.dtype.kind == "b" else dtype)',
        "bools stay bools"),
    _init("accepts-the-contradiction", _REFUSE, "array = array.astype(np.float32)",
        "raise a TypeError"),
    _init("keeps-what-came", "self.data = array", "self.data = data", "it must be an array"),
    _init("always-asks", "self.requires_grad = requires_grad", "self.requires_grad = True",
        "no requires_grad, grad or _grad_fn"),
    _init("never-asks", "self.requires_grad = requires_grad", "self.requires_grad = False",
        "was not remembered"),
    _init("starts-with-a-zero-gradient", "self.grad = None\n        self._grad_fn",
        "self.grad = np.zeros_like(array)\n        self._grad_fn",
        "no requires_grad, grad or _grad_fn"),
    _init("forgets-grad-fn", "self._grad_fn = None", "pass", "_grad_fn"),
]

# --- 2 Function.apply
_apply = _wrong("function-apply")
_REMEMBER = 'if asked and GradMode.enabled and result.dtype.kind == "f":'
_STORE = "= inputs, options, result"
_ASKED = "asked = asked or x.requires_grad"
APPLY = [
    _apply("passes-tensors-to-forward", "x = x.data", "pass", "forward must get arrays"),
    _apply("turns-numbers-into-float64", "arrays.append(x)", "arrays.append(np.asarray(x))",
        "a Python number must not change float32"),
    _apply("turns-all-into-float32", "arrays.append(x)",
        "arrays.append(np.asarray(x, np.float32))", "integers stay integers"),
    _apply("never-casts", "result = result.astype(np.float32)", "pass", "no float64 went in"),
    _apply("always-casts", "x.dtype == np.float64 for x in arrays", "False for x in arrays",
        "float64 came in"),
    _apply("looks-at-the-first-dtype", "x.dtype == np.float64 for x in arrays",
        "x.dtype == np.float64 for x in arrays[:1]", "wherever it stands"),
    _apply("casts-while-wrapping", "output = _wrap(result)", "output = Tensor(result)",
        "float64 came in"),
    _apply("returns-the-array", "return output", "return result", "wrap the result"),
    _apply("always-remembers", _REMEMBER, 'if GradMode.enabled and result.dtype.kind == "f":',
        "Nobody asked: no graph"),
    _apply("never-remembers", _REMEMBER, "if False:", "_grad_fn is None: remember"),
    _apply("ignores-no-grad", "asked and GradMode.enabled and", "asked and", "Inside no_grad()"),
    _apply("remembers-bools", _REMEMBER, "if asked and GradMode.enabled:",
        "A bool result has no gradient"),
    _apply("asks-the-first-input", _ASKED, "asked = inputs[0] is x and x.requires_grad or asked",
        "not only the first or last"),
    _apply("asks-the-last-input", _ASKED, "asked = x.requires_grad", "not only the first or last"),
    _apply("stores-arrays", _STORE, "= tuple(arrays), options, result",
        "must hold the Tensors themselves"),
    _apply("forgets-the-options", _STORE, "= inputs, {}, result", "Store inputs and options"),
    _apply("stores-the-tensor-as-result", _STORE, "= inputs, options, output",
        "a Tensor makes a circle"),
    _apply("forgets-requires-grad", "output.requires_grad, output._grad_fn = True, function",
        "output._grad_fn = function", "The result of a remembered operation asks"),
]

MUTANTS = [*INIT, *APPLY]

# Right answers, three or more to an exercise.
_ARRAYS = """arrays, asked = [], False
    for x in inputs:
        if isinstance(x, Tensor):
            asked = asked or x.requires_grad
            x = x.data
        arrays.append(x)
"""
_COMPREHENSION = """arrays = [x.data if isinstance(x, Tensor) else x for x in inputs]
    asked = any(isinstance(x, Tensor) and x.requires_grad for x in inputs)
"""
_POLICY = """if result.dtype == np.float64 and not any(
        isinstance(x, np.ndarray) and x.dtype == np.float64 for x in arrays
    ):
        result = result.astype(np.float32)
"""
_GRAPH = """output.requires_grad, output._grad_fn = True, function
        function.inputs, function.options, function.result = inputs, options, result
"""

ALTERNATIVES = [
    Alternative("issubdtype", "tensor-init", 'array.dtype.kind == "f")',
        "np.issubdtype(array.dtype, np.floating))"),
    Alternative("astype-copy-false", "tensor-init", _CONVERT,
        "array = array.astype(dtype or array.dtype, copy=False)"),
    Alternative("array-copy-none", "tensor-init", _CONVERT,
        "array = np.array(array, dtype=dtype, copy=None)"),
    Alternative("value-error", "tensor-init", _REFUSE, 'raise ValueError("Floats only, please.")'),
    Alternative("comprehensions", "function-apply", _ARRAYS, _COMPREHENSION),
    Alternative("tensor-with-dtype", "function-apply", "_wrap(result)",
        "Tensor(result, dtype=result.dtype)"),
    Alternative("dtype-by-name", "function-apply", _POLICY,
        """meant = [getattr(x, "dtype", "weak") for x in arrays]
    if str(result.dtype) == "float64" and "float64" not in [str(dtype) for dtype in meant]:
        result = np.asarray(result, dtype="float32")
"""),
    Alternative("one-by-one", "function-apply", _GRAPH, """output._grad_fn = function
        output.requires_grad = True
        function.result = output.data
        function.options = dict(options)
        function.inputs = tuple(inputs)
"""),
    Alternative("early-return", "function-apply", _REMEMBER,
        """if not asked or not GradMode.enabled or not np.issubdtype(result.dtype, np.floating):
        return output
    else:"""),
]
