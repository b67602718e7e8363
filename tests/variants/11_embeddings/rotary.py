"""Wrong answers to the notebook Rotary positions, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 frequencies
_freqs = _wrong("precompute-freqs")
_RATES = "rates = base ** (-np.arange(0, head_dim, 2) / head_dim)"
_BOTH = "np.concatenate([rates, rates])"
_POSITIONS = "np.arange(max_len)[:, None]"
_TABLES = "return Tensor(np.cos(angles)), Tensor(np.sin(angles))"
FREQS = [
    _freqs("exponent-i-over-d", _RATES,
        "rates = base ** (-np.arange(head_dim // 2) / head_dim)", "position 1, column 1"),
    _freqs("exponent-twice-too-large", _RATES,
        "rates = base ** (-2 * np.arange(0, head_dim, 2) / head_dim)", "position 1, column 1"),
    _freqs("exponent-positive", _RATES,
        "rates = base ** (np.arange(0, head_dim, 2) / head_dim)", "position 1, column 1"),
    _freqs("base-always-10000", _RATES,
        "rates = 10000.0 ** (-np.arange(0, head_dim, 2) / head_dim)", "base 100, position 1"),
    _freqs("neighbours-as-pairs", _BOTH, "np.repeat(rates, 2)",
        "the second half repeats the first"),
    _freqs("half-a-table", _BOTH, "rates", "tables (40, 8), not (40, 4)"),
    _freqs("sines-first", _TABLES, "return Tensor(np.sin(angles)), Tensor(np.cos(angles))",
        "cosines of 1 first"),
    _freqs("sines-are-cosines", _TABLES,
        "return Tensor(np.cos(angles)), Tensor(np.cos(angles))", "cos and sin of 0 are"),
    _freqs("positions-from-one", _POSITIONS, "np.arange(1, max_len + 1)[:, None]",
        "Position 0 does not turn"),
    _freqs("angles-in-float32", f"angles = {_POSITIONS} * {_BOTH}",
        f"angles = ({_POSITIONS} * {_BOTH}).astype(np.float32)", "use float64"),
    _freqs("angles-in-degrees", _TABLES, "angles = np.deg2rad(angles)\n    " + _TABLES,
        "position 1, column 0"),
    _freqs("whole-turns", _TABLES, "angles = 2 * np.pi * angles\n    " + _TABLES,
        "position 1, column 0"),
    _freqs("sines-turn-backwards", _TABLES,
        "return Tensor(np.cos(angles)), Tensor(np.sin(-angles))", "position 1, column 0"),
    _freqs("second-half-backwards", _BOTH, "np.concatenate([rates, rates[::-1]])",
        "the second half repeats the first"),
    _freqs("tables-transposed", _TABLES,
        "return Tensor(np.cos(angles).T), Tensor(np.sin(angles).T)", "tables (40, 8), not (8, 40)"),
    _freqs("tables-in-float64", _TABLES, "return tuple(Tensor(f(angles), dtype=np.float64)"
        " for f in (np.cos, np.sin))", "Fixed tables in float32"),
    _freqs("tables-ask-for-gradients", _TABLES,
        "return tuple(Tensor(f(angles), requires_grad=True) for f in (np.cos, np.sin))",
        "without grad"),
    _freqs("arrays-for-tensors", _TABLES, "return np.cos(angles), np.sin(angles)",
        "Return two Tensors"),
]

# --- 2 rotate half
_half = _wrong("rotate-half")
_TURN = "return np.concatenate([-x[..., half:], x[..., :half]], axis=-1)"
_BACK = "return (-self.forward(grad),)"
HALF = [
    _half("no-minus", _TURN, "return np.concatenate([x[..., half:], x[..., :half]], axis=-1)",
        "becomes [[-3, -4, 1, 2]"),
    _half("minus-on-the-other-half", _TURN,
        "return np.concatenate([x[..., half:], -x[..., :half]], axis=-1)",
        "becomes [[-3, -4, 1, 2]"),
    _half("halves-stay", _TURN, "return np.concatenate([-x[..., :half], x[..., half:]], axis=-1)",
        "becomes [[-3, -4, 1, 2]"),
    _half("turns-neighbours", _TURN,
        "return np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)",
        "becomes [[-3, -4, 1, 2]"),
    _half("splits-the-rows", "half = x.shape[-1] // 2\n        " + _TURN,
        "half = x.shape[0] // 2\n        return np.concatenate([-x[half:], x[:half]], axis=0)",
        "becomes [[-3, -4, 1, 2]"),
    _half("only-matrices", _TURN,
        "return np.concatenate([-x[:, half:], x[:, :half]], axis=1)",
        "too many indices"),
    _half("writes-into-x", _TURN, "first = x[..., :half].copy()\n"
        "        x[..., :half], x[..., half:] = -x[..., half:], first\n        return x",
        "The input was overwritten"),
    _half("casts", _TURN, _TURN[:-1] + ").astype(np.float32)", "float64 stays float64"),
    _half("turns-the-gradient-on", _BACK, "return (self.forward(grad),)",
        "turn the gradient back, the other way"),
    _half("passes-the-gradient-on", _BACK, "return (grad,)",
        "turn the gradient back, the other way"),
    _half("swaps-the-gradient", _BACK, "half = grad.shape[-1] // 2\n"
        "        return (np.concatenate([grad[..., half:], grad[..., :half]], axis=-1),)",
        "turn the gradient back, the other way"),
    _half("writes-into-the-gradient", _BACK, "half = grad.shape[-1] // 2\n"
        "        first = grad[..., :half].copy()\n"
        "        grad[..., :half], grad[..., half:] = grad[..., half:], -first\n"
        "        return (grad,)", "backward overwrote the gradient"),
]

# --- 3 queries and keys
_rope = _wrong("apply-rope")
_ROTATE = "return x * cos + rotate_half(x) * sin"
_AT = "at = offset + np.arange(q.shape[-2]) if positions is None else positions"
_ROWS = "cos, sin = rows(cos, at), rows(sin, at)"
_PAIR = "return rotate(q, cos, sin), rotate(k, cos, sin)"
ROPE = [
    _rope("turns-backwards", _ROTATE, "return x * cos - rotate_half(x) * sin",
        "a * cos - b * sin, b * cos + a * sin"),
    _rope("swaps-cos-and-sin", _ROTATE, "return x * sin + rotate_half(x) * cos",
        "Position 0 must leave q as is"),
    _rope("forgets-the-sines", _ROTATE, "return x * cos", "a * cos - b * sin"),
    _rope("adds-instead-of-turning", _ROTATE, "return x + cos", "Position 0 must leave q as is"),
    _rope("computes-on-data", _ROTATE, "return Tensor(x.data * cos + rotate_half(x).data * sin)",
        "It was cut"),
    _rope("half-of-it-on-data", _ROTATE, "return x * cos + Tensor(rotate_half(x).data) * sin",
        "The gradient of q must be turned back"),
    _rope("ignores-the-offset", _AT,
        "at = np.arange(q.shape[-2]) if positions is None else positions",
        "Rows 3 and 4 with offset=3"),
    _rope("ignores-positions", _AT, "at = offset + np.arange(q.shape[-2])",
        "row i belongs at positions[..., i]"),
    _rope("counts-the-heads", _AT, _AT.replace("q.shape[-2]", "q.shape[-3]"),
        "Cannot broadcast"),
    _rope("all-at-the-offset", _AT,
        "at = np.full(q.shape[-2], offset) if positions is None else positions",
        "a * cos - b * sin"),
    _rope("turns-q-only", _PAIR, "return rotate(q, cos, sin), k", "k, head 0, position 1"),
    _rope("turns-k-the-other-way", _PAIR, "return rotate(q, cos, sin), rotate(k, cos, -sin)",
        "k, head 0, position 1"),
    _rope("keys-before-queries", _PAIR, "return rotate(k, cos, sin), rotate(q, cos, sin)",
        "the shape stays"),
    _rope("turns-q-twice", _PAIR, "return rotate(q, cos, sin), rotate(q, cos, sin)",
        "the shape stays"),
    _rope("returns-one", _PAIR, "return rotate(q, cos, sin)", "Return q and k, turned"),
    _rope("sorts-positions", _ROWS, "at = np.sort(at)\n    " + _ROWS,
        "row i belongs at positions[..., i]"),
]

# --- 4 the layer
_layer = _wrong("rotary-embedding")
_MORE = "if count > len(self.longest[0]):"
_DOUBLE = "count = max(count, 2 * len(self.longest[0]))\n"
_GROW = "precompute_freqs(self.head_dim, count, self.base)"
_KEEP = "self.longest = cos.data, sin.data\n        return self.longest"
_END = "end = offset + x.shape[-2]"
_TURNED = "return rotate(x, cos[offset:end], sin[offset:end])"
LAYER = [
    _layer("never-grows", _MORE, "if False:", "they must grow"),
    _layer("grows-by-one", _DOUBLE, "pass\n", "at least double"),
    _layer("forgets-the-base", _GROW, "precompute_freqs(self.head_dim, count)",
        "Longer tables need the same base"),
    _layer("grows-too-early", _MORE, _MORE.replace(">", ">="), "nothing needs to grow"),
    _layer("does-not-keep", _KEEP,
        "return cos.data, sin.data\n        return self.longest", "keep `self.longest`"),
    _layer("cuts-what-it-kept", _KEEP, "self.longest = cos.data, sin.data\n"
        "        self.longest = self.longest[0][:count], self.longest[1][:count]\n"
        "        return self.longest", "at least double"),
    _layer("grows-the-buffers", _KEEP, "self.cos, self.sin = cos, sin\n"
        "            self.longest = cos.data, sin.data\n        return self.longest",
        "the buffers are still"),
    _layer("starts-at-zero", _TURNED,
        "return rotate(x, cos[: x.shape[-2]], sin[: x.shape[-2]])", "One row with offset=1"),
    _layer("forgets-the-offset-when-growing", _END,
        "end = offset + x.shape[-2]\n        self.tables(x.shape[-2])\n        "
        "cos, sin = self.longest\n        return rotate(x, cos[offset:end], sin[offset:end])",
        "One row with offset=4"),
    _layer("counts-heads", _END, "end = offset + x.shape[-3] if x.ndim > 2 else x.shape[-2]",
        "Cannot broadcast"),
    _layer("uses-the-buffers", "cos, sin = self.tables(end)", "cos, sin = self.cos, self.sin",
        "they must grow"),
    _layer("turns-data", _TURNED,
        "return Tensor(rotate(x, cos[offset:end], sin[offset:end]).data)", "The graph was cut"),
    _layer("learns-the-tables", "end = offset + x.shape[-2]",
        "end = offset + x.shape[-2]\n        self.cos.requires_grad = True", "No parameters"),
]

MUTANTS = [*FREQS, *HALF, *ROPE, *LAYER]

# Right answers, three or more to an exercise.
_COMPLEX = """half = x.shape[-1] // 2
    a, b = x[..., :half], x[..., half:]
    cos, sin = np.asarray(cos)[..., :half], np.asarray(sin)[..., :half]
    pieces = np.eye(2 * half, dtype=np.float32)
    return (a * cos - b * sin) @ pieces[:half] + (b * cos + a * sin) @ pieces[half:]"""

ALTERNATIVES = [
    Alternative("powers-of-one-over-base", "precompute-freqs", _RATES,
        "rates = 1.0 / (base ** (np.arange(head_dim // 2) * 2.0 / head_dim))"),
    Alternative("exponential-of-logarithm", "precompute-freqs", _RATES,
        "rates = np.exp(-np.log(base) * np.arange(0, head_dim, 2) / head_dim)"),
    Alternative("outer-product-and-tile", "precompute-freqs", f"{_POSITIONS} * {_BOTH}",
        "np.outer(np.arange(max_len), np.tile(rates, 2))"),
    Alternative("complex-table", "precompute-freqs", _TABLES,
        """turned = np.exp(1j * angles)
    return Tensor(turned.real), Tensor(turned.imag)"""),
    Alternative("loops", "precompute-freqs", _TABLES,
        """for p in range(max_len):
        for c in range(head_dim):
            angles[p, c] = p * base ** (-2 * (c % (head_dim // 2)) / head_dim)
    return Tensor(np.cos(angles)), Tensor(np.sin(angles))"""),
    Alternative("fill-an-empty-array", "rotate-half", _TURN,
        """out = np.empty_like(x)
        out[..., :half], out[..., half:] = -x[..., half:], x[..., :half]
        return out"""),
    Alternative("split-and-hstack", "rotate-half", _TURN,
        """first, second = np.split(x, 2, axis=-1)
        return np.concatenate((-second, first), -1)"""),
    Alternative("roll-and-signs", "rotate-half", _TURN,
        """signs = np.repeat(np.array([-1, 1], x.dtype), half)
        return np.roll(x, half, axis=-1) * signs"""),
    Alternative("backward-by-halves", "rotate-half", _BACK,
        """half = grad.shape[-1] // 2
        return (np.concatenate([grad[..., half:], -grad[..., :half]], axis=-1),)"""),
    Alternative("three-turns-more", "rotate-half", _BACK,
        "return (self.forward(self.forward(self.forward(grad))),)"),
    Alternative("half-by-half", "apply-rope", _ROTATE, _COMPLEX),
    Alternative("minus-of-minus", "apply-rope", _ROTATE,
        "return rotate_half(x) * sin - (-x) * cos"),
    Alternative("range-from-the-offset", "apply-rope", _AT,
        """at = positions
    if at is None:
        at = np.arange(offset, offset + k.shape[-2])"""),
    Alternative("list-of-positions", "apply-rope", _AT,
        """seq = q.shape[-2]
    at = [offset + i for i in range(seq)] if positions is None else positions"""),
    Alternative("a-list-comes-back", "apply-rope", _PAIR,
        "return tuple(rotate(x, cos, sin) for x in (q, k))"),
    Alternative("four-times", "rotary-embedding", _DOUBLE,
        "count = max(count, 4 * len(self.longest[0]))\n"),
    Alternative("by-a-loop", "rotary-embedding", _DOUBLE,
        """rows = max(1, len(self.longest[0]))
            while rows < count:
                rows *= 2
            count = rows
"""),
    Alternative("rows-cut-to-measure", "rotary-embedding", _KEEP,
        """self.longest = cos.data, sin.data
        return tuple(x[:count] for x in self.longest)"""),
    Alternative("by-apply-rope", "rotary-embedding", _TURNED,
        "return apply_rope(x, x, cos, sin, offset=offset)[0]"),
    Alternative("by-rows", "rotary-embedding", _TURNED,
        """at = np.arange(offset, end)
        return rotate(x, rows(cos, at), rows(sin, at))"""),
]
