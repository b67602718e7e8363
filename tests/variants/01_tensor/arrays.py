"""Wrong answers to the notebook Arrays, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 broadcast_shape
_broadcast = _wrong("broadcast-shape")
BROADCAST = [
    _broadcast("aligns-left", "(1,) * (ndim - len(shape)) + shape",
        "shape + (1,) * (ndim - len(shape))", "line the shapes up at the right"),
    _broadcast("takes-the-largest", "others[0] if others else 1", "max(sizes)",
        "a 1 stretches to 0"),
    _broadcast("refuses-nothing", "if len(others) > 1:", "if False:",
        "must be refused with a ValueError"),
    _broadcast("refuses-ones", "sorted(set(sizes) - {1})", "sorted(set(sizes))",
        "line the shapes up at the right"),
    _broadcast("names-no-shapes", "{' with '.join(map(str, shapes))}", "these shapes",
        "must name the shapes"),
    _broadcast("names-two-shapes", "map(str, shapes)", "map(str, shapes[:2])",
        "must name the shapes [(3,)]"),
    _broadcast("returns-a-list", "return tuple(common)", "return common", "[2, 3], not (2, 3)"),
    _broadcast("returns-it-backwards", "return tuple(common)", "return tuple(reversed(common))",
        "equal shapes stay"),
    _broadcast("takes-the-shorter-ndim", "ndim = max(map(len, shapes), default=0)",
        "ndim = min(map(len, shapes))", "line the shapes up at the right"),
    _broadcast("takes-two-shapes", "for shape in shapes]", "for shape in shapes[:2]]",
        "any number of shapes"),
    _broadcast("makes-ones-zero", "others[0] if others else 1", "others[0] if others else 0",
        "fits everywhere"),
]

# --- 2 matmul_shape
_product = _wrong("matmul-shape")
_INNER = "inner = right[-2] if len(right) > 1 else right[0]"
_STACK = "broadcast_shape(left[:-2], right[:-2]) + rows"
PRODUCT = [
    _product("checks-no-inner-size", "if left[-1] != inner:", "if False:",
        "(2, 3) @ (2, 3): refuse"),
    _product("compares-last-with-last", _INNER, "inner = right[-1]",
        "rows of the left, columns of the right"),
    _product("compares-last-with-first", _INNER, "inner = right[0]",
        "(5, 1, 2, 3) @ (8, 3, 4) has shape"),
    _product("forgets-numbers", "if not left or not right:", "if False:",
        "() @ (3,): refuse with a ValueError"),
    _product("keeps-the-row", "rows, columns = left[-2:-1]", "rows, columns = left[-2:-1] or (1,)",
        "a row that is dropped again"),
    _product("keeps-the-column", "right[1:][-1:]", "right[1:][-1:] or (1,)",
        "a column that is dropped again"),
    _product("keeps-the-inner-size", "right[1:][-1:]", "right[-1:]",
        "a column that is dropped again"),
    _product("forgets-the-stack", _STACK, "rows", "the same matrix serves the whole stack"),
    _product("takes-the-left-stack", _STACK, "left[:-2] + rows", "the stacks broadcast"),
    _product("takes-the-longer-stack", _STACK, "max(left[:-2], right[:-2]) + rows",
        "the stacks broadcast"),
    _product("chains-the-stacks", _STACK, "left[:-2] + right[:-2] + rows", "the stacks broadcast"),
    _product("product-names-no-shapes", "{left} @ {right}: the inner", "these: the inner",
        "must name the shapes"),
]

# --- 3 infer_shape
_infer = _wrong("infer-shape")
_FILL = "return tuple(size // known if n == -1 else n for n in new)"
INFER = [
    _infer("leaves-minus-one", _FILL, "return new", "not (3, -1)"),
    _infer("expects-minus-one-last", _FILL, "return (*new[:-1], size // known)",
        "the -1 may stand anywhere"),
    _infer("divides-with-a-rest", " and size % known == 0", "", "(4, 6) into (5, -1): refuse"),
    _infer("fills-two", "if count == 1 and", "if count >= 1 and", "(4, 6) into (-1, -1): refuse"),
    _infer("checks-no-size", "if count == 0 and size == known:", "if count == 0:",
        "(4, 6) into (4, 5): refuse"),
    _infer("refuses-without-minus-one", "if count == 0 and size == known:", "if False:",
        "nothing is left open"),
    _infer("multiplies-minus-one", "math.prod(n for n in new if n != -1)", "math.prod(new)",
        "24 / 3 is 8"),
    _infer("divides-by-zero", " and known > 0", "", "(4, 6) into (4, 0, -1): refuse"),
    _infer("divides-into-floats", "tuple(size // known if", "tuple(size / known if",
        "Sizes are integers"),
    _infer("adds-the-sizes", "size, known = math.prod(old)", "size, known = sum(old)",
        "24 / 3 is 8"),
    _infer("returns-sizes-as-a-list", _FILL,
        "return [size // known if n == -1 else n for n in new]", "is (3, 8), not [3, 8]"),
    _infer("refuses-no-entries", "if count == 1 and known > 0", "if count == 1 and size and known",
        "no entries make no rows"),
    _infer("infer-names-no-shapes", "Cannot reshape {old} into {new}:", "Cannot reshape:",
        "must name the shapes"),
    _infer("names-one-shape", "Cannot reshape {old} into {new}:", "Cannot reshape into {new}:",
        "must name the shapes [(4, 6)]"),
]

# --- 4 contiguous_strides
_strides = _wrong("contiguous-strides")
STRIDES = [
    _strides("backwards", "return tuple(reversed(strides))", "return tuple(strides)",
        "(12, 4), not (4, 12)"),
    _strides("counts-entries", "strides, step = [], itemsize", "strides, step = [], 1",
        "(12, 4), not (3, 1)"),
    _strides("assumes-float32", "strides, step = [], itemsize", "strides, step = [], 4",
        "a float64 takes 8 bytes"),
    _strides("skips-the-wrong-axes", "for size in reversed(shape):", "for size in shape:",
        "(12, 4), not (8, 4)"),
    _strides("multiplies-too-early", "strides.append(step)\n        step *= size",
        "step *= size\n        strides.append(step)", "(12, 4), not (24, 12)"),
    _strides("adds", "step *= size", "step += size", "(12, 4), not (7, 4)"),
    _strides("only-one-axis-on", "step *= size", "step = itemsize * size",
        "each axis skips all the axes after it"),
    _strides("returns-strides-as-a-list", "return tuple(reversed(strides))",
        "return strides[::-1]", "(12, 4), not [12, 4]"),
    _strides("stands-still-on-ones", "strides.append(step)",
        "strides.append(step if size > 1 else 0)", "an axis of size 1"),
]

MUTANTS = [*BROADCAST, *PRODUCT, *INFER, *STRIDES]

# Right answers, three or more to an exercise.
_COLUMNS = """for i, sizes in enumerate(zip(*padded, strict=True)):
        others = sorted(set(sizes) - {1})
"""
_STEPS = """strides, step = [], itemsize
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))
"""

ALTERNATIVES = [
    Alternative("size-by-size", "broadcast-shape", _COLUMNS, """for i in range(ndim):
        sizes = [shape[i] for shape in padded]
        others = []
        for size in sizes:
            if size != 1 and size not in others:
                others.append(size)
"""),
    Alternative("two-by-two", "broadcast-shape", "ndim = max(map(len, shapes), default=0)\n",
        """result = ()
    for shape in shapes:
        ndim = max(len(result), len(shape))
        left = (1,) * (ndim - len(result)) + result
        right = (1,) * (ndim - len(shape)) + shape
        if any(m != n and 1 not in (m, n) for m, n in zip(left, right, strict=True)):
            raise ValueError(f"These shapes do not fit together: {shapes}")
        result = tuple(m if n == 1 else n for m, n in zip(left, right, strict=True))
    return result
"""),
    Alternative("ask-numpy", "broadcast-shape", "ndim = max(map(len, shapes), default=0)\n", """try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(f"No common shape: {shapes}") from None
"""),
    Alternative("shape-of-a-trial", "matmul-shape", "inner = right[-2]", """try:
        return (np.ones(left) @ np.ones(right)).shape
    except ValueError:
        raise ValueError(f"{left} @ {right} does not work") from None
    inner = right[-2]"""),
    Alternative("vectors-as-matrices", "matmul-shape",
        "rows, columns = left[-2:-1], right[1:][-1:]\n",
        """rows = () if len(left) == 1 else (left[-2],)
    columns = () if len(right) == 1 else (right[-1],)
"""),
    Alternative("promote-then-drop", "matmul-shape", "if not left or not right:",
        """if left and right:
        a = left if len(left) > 1 else (1, *left)
        b = right if len(right) > 1 else (*right, 1)
        if a[-1] == b[-2]:
            whole = [*broadcast_shape(a[:-2], b[:-2]), a[-2], b[-1]]
            if len(right) == 1:
                whole.pop()
            if len(left) == 1:
                whole.pop(-1 if len(right) == 1 else -2)
            return tuple(whole)
        raise ValueError(f"No product of {left} and {right}: the inner sizes differ")
    if not left or not right:"""),
    Alternative("by-position", "infer-shape", _FILL, """new = list(new)
        new[new.index(-1)] = size // known
        return tuple(new)"""),
    Alternative("minus-the-product", "infer-shape", "math.prod(n for n in new if n != -1)",
        "abs(math.prod(new))"),
    Alternative("numpy-products", "infer-shape", "size, known = math.prod(old)",
        "size, known = np.prod(old, dtype=int)"),
    Alternative("ask-numpy-reshape", "infer-shape", "size, known =", """try:
        return np.empty(old).reshape(new).shape
    except ValueError as error:
        raise ValueError(f"{old} does not become {new}: {error}") from None
    size, known ="""),
    Alternative("products-of-the-rest", "contiguous-strides", _STEPS,
        "return tuple(itemsize * math.prod(shape[i + 1 :]) for i in range(len(shape)))\n"),
    Alternative("insert-in-front", "contiguous-strides", _STEPS, """strides = ()
    for size in shape[::-1]:
        strides = (itemsize, *strides)
        itemsize = itemsize * size
    return strides
"""),
    Alternative("ask-numpy-strides", "contiguous-strides", _STEPS,
        'return np.empty(shape, dtype=f"V{itemsize}").strides\n'),
]
