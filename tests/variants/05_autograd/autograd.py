"""Wrong answers to the notebook Autograd, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 sum_repeats
_sums = _wrong("sum-repeats")
_ADD_AT = "np.add.at(sums, which, values)"
_ZEROS = "sums = np.zeros((len(rows), *values.shape[1:]), values.dtype)"
_SUMS = """rows, which = np.unique(ids, return_inverse=True)
    sums = np.zeros((len(rows), *values.shape[1:]), values.dtype)
    np.add.at(sums, which, values)
    return rows, sums
"""
SUMS = [
    _sums("last-one-wins", _ADD_AT, "sums[which] += values", "the two 7s add up"),
    _sums("overwrites", _ADD_AT, "sums[which] = values", "the two 7s add up"),
    _sums("adds-into-the-arguments", _SUMS, """rows, first, which = np.unique(ids, True, True)
    for i in range(len(ids)):
        if i != first[which[i]]:
            values[first[which[i]]] += values[i]
    return rows, values[first]
""", "The values were changed"),
    _sums("keeps-repeats", _SUMS, """order = np.argsort(ids, kind="stable")
    return ids[order], values[order]
""", "the two 7s add up"),
    _sums("order-of-arrival", _SUMS, """rows = list(dict.fromkeys(ids.tolist()))
    sums = [values[ids == row].sum(axis=0) for row in rows]
    return np.array(rows, int), np.array(sums, values.dtype).reshape(-1, *values.shape[1:])
""", "the two 7s add up"),
    _sums("sums-in-float64", _ZEROS, "sums = np.zeros((len(rows), *values.shape[1:]))",
        "The sums of float32 values"),
    _sums("averages", "return rows, sums",
        "return rows, sums / np.bincount(which, minlength=len(rows)).reshape("
        "-1, *[1] * (values.ndim - 1)).astype(sums.dtype)", "the two 7s add up"),
    _sums("values-do-not-follow", _ADD_AT, "sums += values[:len(rows)]", "the two 7s add up"),
    _sums("one-sum-for-all", _ADD_AT, "sums += values.sum(axis=0)", "the two 7s add up"),
    _sums("refuses-nothing", _SUMS, "ids[0]\n    " + _SUMS, "No ids"),
]

# --- 2 slope_along
_slope = _wrong("slope-along")
_ABOVE, _BELOW = "x.data = before + eps * direction", "x.data = before - eps * direction"
_DIVIDE = "return (above - below) / (2 * eps)"
_SLOPE = """before = x.data
    x.data = before + eps * direction
    above = value()
    x.data = before - eps * direction
    below = value()
    x.data = before
    return (above - below) / (2 * eps)
"""
SLOPE = [
    _slope("one-sided", f"{_BELOW}\n    below = value()\n    x.data = before",
        "x.data = before\n    below = value()\n    eps = eps / 2", "go both ways"),
    _slope("forgets-the-two", _DIVIDE, "return (above - below) / eps", "not 24"),
    _slope("forgets-to-divide", _DIVIDE, "return above - below", "go both ways"),
    _slope("wrong-way-round", _DIVIDE, "return (below - above) / (2 * eps)", "not -12"),
    _slope("does-not-give-back", "below = value()\n    x.data = before", "below = value()",
        "the very array"),
    _slope("gives-back-a-copy", "below = value()\n    x.data = before",
        "below = value()\n    x.data = before.copy()", "the very array"),
    _slope("moves-in-place", _ABOVE, "x.data += eps * direction", "go both ways"),
    _slope("in-place-for-good", _SLOPE, """x.data += eps * direction
    above = value()
    x.data -= 2 * eps * direction
    below = value()
    return (above - below) / (2 * eps)
""", "The array itself was changed"),
    _slope("ignores-the-direction", _SLOPE, _SLOPE.replace("eps * direction", "eps"),
        "go both ways"),
    _slope("own-step", _SLOPE, "eps = 1e-6\n    " + _SLOPE, "12.0001"),
    _slope("float32-in-between", _ABOVE, "x.data = np.float32(before + eps * direction)",
        "go both ways"),
]

# --- 3 gradcheck
_check = _wrong("gradcheck")
_GOT = "got = (grad * direction).sum()"
_AGREE = "agree = abs(got - expected) <= atol + rtol * abs(expected)"
CHECK = [
    _check("always-agrees", _AGREE, "agree = True", "twice the slope"),
    _check("absolute-only", _AGREE, "agree = abs(got - expected) <= atol",
        "slopes of a million must be True"),
    _check("relative-only", _AGREE, "agree = abs(got - expected) <= rtol * abs(expected)",
        "slopes of 0 must be True"),
    _check("nan-slips-through", _AGREE,
        "agree = not abs(got - expected) > atol + rtol * abs(expected)", "gives nan"),
    _check("ignores-the-sign", "abs(got - expected) <=", "abs(abs(got) - abs(expected)) <=",
        "minus the slope"),
    _check("signed-difference", "abs(got - expected) <=", "got - expected <=", "must be refused"),
    _check("generous-absolute", _AGREE,
        "agree = abs(got - expected) <= 1e-3 + rtol * abs(expected)", "must be refused"),
    _check("generous-relative", _AGREE,
        "agree = abs(got - expected) <= atol + 0.01 * abs(expected)", "off by 1 in 1000"),
    _check("relative-to-got", _AGREE, "agree = abs(got - expected) <= abs(got)",
        "slopes of 0 must be True"),
    _check("no-direction", _GOT, "got = grad.sum()", "must be True"),
    _check("mean", _GOT, "got = (grad * direction).mean()", "must be True"),
    _check("compares-the-gradient-with-itself", "expected = slope_along(value, x, direction, eps)",
        "expected = (grad * direction).sum()", "twice the slope"),
    _check("first-entry", _GOT, "got = grad.flat[0] * direction.flat[0]", "must be True"),
]

MUTANTS = [*SUMS, *SLOPE, *CHECK]

# Right answers, three or more to an exercise.
ALTERNATIVES = [
    Alternative("loop", "sum-repeats", _SUMS, """total = {}
    for row, value in zip(ids.tolist(), values, strict=True):
        total[row] = total[row] + value if row in total else value.copy()
    rows = sorted(total)
    sums = np.array([total[row] for row in rows], values.dtype)
    return np.array(rows, int), sums.reshape(len(rows), *values.shape[1:])
"""),
    Alternative("masks", "sum-repeats", _SUMS, """rows = np.unique(ids)
    sums = np.empty((len(rows), *values.shape[1:]), values.dtype)
    for i, row in enumerate(rows):
        sums[i] = values[ids == row].sum(axis=0)
    return [rows, sums]
"""),
    Alternative("one-hot", "sum-repeats", _ADD_AT,
        """hot = (rows[:, None] == ids).astype(values.dtype)
    sums += np.tensordot(hot, values, axes=1)"""),
    Alternative("search-sorted", "sum-repeats", _ADD_AT,
        "np.add.at(sums, np.searchsorted(rows, ids), values)"),
    Alternative("loop-over-signs", "slope-along", _SLOPE, """before, ends = x.data, []
    for sign in (1, -1):
        x.data = before + sign * eps * direction
        ends.append(value())
    x.data = before
    return (ends[0] - ends[1]) / eps / 2
"""),
    Alternative("try-finally", "slope-along", _SLOPE, """before = x.data
    try:
        x.data = before - eps * direction
        below = value()
        x.data = before + eps * direction
        return (value() - below) / (2 * eps)
    finally:
        x.data = before
"""),
    Alternative("step-by-name", "slope-along", _SLOPE, """here, move = x.data, direction * eps
    x.data = np.add(here, move)
    above = value()
    x.data = np.subtract(here, move)
    below = value()
    x.data = here
    return 0.5 * (above - below) / eps
"""),
    Alternative("vdot", "gradcheck", _GOT, "got = np.vdot(grad, direction)"),
    Alternative("isclose", "gradcheck", _AGREE,
        "agree = np.isclose(got, expected, rtol=rtol, atol=atol)"),
    Alternative("tensordot", "gradcheck", _GOT, "got = float(np.sum(direction * grad))"),
    Alternative("minus-bound", "gradcheck", _AGREE,
        "agree = -atol - rtol * abs(expected) <= got - expected <= atol + rtol * abs(expected)"),
]
