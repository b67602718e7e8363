"""Wrong answers to the notebook Vectors, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 neighbours
_near = _wrong("neighbours")
_LENGTHS = "lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)"
_UNIT = "return vectors / np.where(lengths > 0, lengths, 1)"
_COSINES = "cosines = unit(vectors.table) @ unit(direction)"
_ORDER = 'order = np.argsort(-cosines, kind="stable")'
_FOUND = "found = [(vectors.words[i], float(cosines[i])) for i in order]"
_REST = "return [(word, cosine) for word, cosine in found if word not in left_out][:top_k]"
NEIGHBOURS = [
    _near("one-length-for-all", _LENGTHS, "lengths = np.linalg.norm(vectors)",
        "one length a vector"),
    _near("length-of-columns", _LENGTHS,
        "lengths = np.linalg.norm(np.atleast_2d(vectors), axis=0, keepdims=True).reshape(\n"
        "        (1,) * (vectors.ndim - 1) + (-1,)\n    )", "one length a vector"),
    _near("squared-lengths", _LENGTHS, "lengths = (vectors * vectors).sum(axis=-1, keepdims=True)",
        "one length a vector"),
    _near("sum-of-sizes", _LENGTHS, "lengths = np.abs(vectors).sum(axis=-1, keepdims=True)",
        "one length a vector"),
    _near("zero-becomes-nan", _UNIT, "return vectors / lengths", "0 stays"),
    _near("not-divided", _UNIT, "return vectors", "one length a vector"),
    _near("dot-products", _COSINES, "cosines = vectors.table @ direction", "Lengths divided out?"),
    _near("query-not-divided", _COSINES, "cosines = unit(vectors.table) @ direction", "Cosines"),
    _near("by-distance", _COSINES, "cosines = -np.linalg.norm(vectors.table - direction, axis=1)",
        "Lengths divided out?"),
    _near("farthest-first", _ORDER, 'order = np.argsort(cosines, kind="stable")', "best first"),
    _near("not-sorted", _ORDER, "order = range(len(cosines))", "best first"),
    _near("absolute-cosines", _ORDER, 'order = np.argsort(-np.abs(cosines), kind="stable")',
        "best first"),
    _near("keeps-the-query", _REST, "return found[:top_k]", "is left out"),
    _near("always-drops-the-first", _REST, "return found[1 : top_k + 1]",
        "nothing is left out"),
    _near("cuts-too-early", _REST,
        "return [(word, c) for word, c in found[:top_k] if word not in left_out]", "after leaving"),
    _near("numpy-floats", _FOUND, "found = [(vectors.words[i], cosines[i]) for i in order]",
        "Python floats"),
]

# --- 2 analogy
_ana = _wrong("analogy")
_DIRECTION = "direction = unit(vectors[b]) - unit(vectors[a]) + unit(vectors[c])"
_ANSWER = "return rank(direction, vectors, top_k, [a, b, c])"
ANALOGY = [
    _ana("a-minus-b", _DIRECTION,
        "direction = unit(vectors[a]) - unit(vectors[b]) + unit(vectors[c])", "unit(b) - unit(a)"),
    _ana("all-added", _DIRECTION,
        "direction = unit(vectors[b]) + unit(vectors[a]) + unit(vectors[c])", "unit(b) - unit(a)"),
    _ana("forgets-c", _DIRECTION, "direction = unit(vectors[b]) - unit(vectors[a])",
        "unit length first"),
    _ana("only-c", _DIRECTION, "direction = unit(vectors[c])", "unit(b) - unit(a)"),
    _ana("not-unit-vectors", _DIRECTION, "direction = vectors[b] - vectors[a] + vectors[c]",
        "unit(b) - unit(a)"),
    _ana("c-not-unit", _DIRECTION, "direction = unit(vectors[b]) - unit(vectors[a]) + vectors[c]",
        "unit(b) - unit(a)"),
    _ana("keeps-the-question", _ANSWER, "return rank(direction, vectors, top_k, [])",
        "Leave out the question's words"),
    _ana("leaves-out-c-only", _ANSWER, "return rank(direction, vectors, top_k, [c])",
        "Leave out the question's words"),
    _ana("five-answers-only", _ANSWER, "return rank(direction, vectors, 1, [a, b, c])",
        "then only b and c are left out"),
    _ana("own-lookup", _DIRECTION,
        "look = lambda q: vectors.table[vectors.ids[q]] if isinstance(q, str) else q\n"
        "    direction = unit(look(b)) - unit(look(a)) + unit(look(c))",
        "name the nearest spelling"),
]

MUTANTS = [*NEIGHBOURS, *ANALOGY]

# Right answers, three or more to an exercise.
ALTERNATIVES = [
    Alternative("root-of-squares", "neighbours", f"{_LENGTHS}\n    {_UNIT}",
        """squares = np.sum(np.square(vectors), axis=-1, keepdims=True)
    return vectors / np.sqrt(squares + (squares == 0))"""),
    Alternative("one-by-one", "neighbours", _COSINES, """line = unit(direction)
    cosines = np.array([float(np.dot(unit(row), line)) for row in vectors.table])"""),
    Alternative("sorted-list", "neighbours", f"{_ORDER}\n    {_FOUND}",
        """found = list(zip(vectors.words, cosines.tolist(), strict=True))
    found.sort(key=lambda pair: pair[1], reverse=True)"""),
    Alternative("minus-infinity", "neighbours", f"{_ORDER}\n    {_FOUND}\n    {_REST}",
        """for word in left_out:
        cosines[vectors.ids[word]] = -np.inf
    best = np.argsort(-cosines, kind="stable")[: min(top_k, len(vectors) - len(left_out))]
    return [(vectors.words[i], cosines[i].item()) for i in best]"""),
    Alternative("from-the-step", "analogy", _DIRECTION,
        "step = unit(vectors[b]) - unit(vectors[a])\n    direction = step + unit(vectors[c])"),
    Alternative("matrix-of-three", "analogy", _DIRECTION,
        "rows = unit(np.stack([vectors[x] for x in (a, b, c)]))\n"
        "    direction = np.array([-1, 1, 1]) @ rows"),
    Alternative("filters-itself", "analogy", _ANSWER,
        "asked = [x for x in (a, b, c) if isinstance(x, str)]\n"
        "    found = rank(direction, vectors, top_k + 3, [])\n"
        "    return [pair for pair in found if pair[0] not in asked][:top_k]"),
]
