"""Wrong answers to the notebook Embeddings, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 EmbeddingFunction and Embedding
_embedding = _wrong("embedding")
_TAKE = "return np.take(weight, ids, axis=0)"
_SPARSE = "return RowSparseGrad(ids.data, grad, weight.shape), None"
_LIMIT = "limit = math.sqrt(6 / (self.vocab_size + self.embed_dim))"
_DRAW = "Random.generator.uniform(-limit, limit, (self.vocab_size, self.embed_dim))"
_KEEP = "self.weight = Tensor(drawn, requires_grad=True)"
_OUTSIDE = "if low < 0 or high >= self.vocab_size:"
_LOOKUP = "return EmbeddingFunction.apply(self.weight, ids)"
EMBEDDING = [
    _embedding("takes-columns", _TAKE, "return np.take(weight, ids, axis=1)", "expected [["),
    _embedding("takes-the-next-row", _TAKE, "return np.take(weight, ids - 1, axis=0)",
        "expected [["),
    _embedding("flattens-ids", _TAKE, "return weight[ids.reshape(-1)]", "expected [[["),
    _embedding("returns-one-hots", _TAKE, "return np.eye(len(weight))[ids]", "expected [["),
    _embedding("assigns-by-ids", _SPARSE, "total = np.zeros_like(weight.data)\n"
        "        total[ids.data] += grad\n        return total, None", "repeated ids add up"),
    _embedding("last-one-wins", _SPARSE, "rows, last = np.unique(ids.data.reshape(-1)[::-1], "
        "return_index=True)\n        values = grad.reshape(-1, weight.shape[1])[::-1][last]\n"
        "        return RowSparseGrad(rows, values, weight.shape), None", "repeated ids add up"),
    _embedding("averages-repeats", _SPARSE, "flat = ids.data.reshape(-1)\n"
        "        counts = np.bincount(flat, minlength=len(weight.data))[ids.data]\n"
        "        return RowSparseGrad(ids.data, grad / counts[..., None], weight.shape), None",
        "repeated ids add up"),
    _embedding("dense-gradient", _SPARSE, "total = np.zeros_like(weight.data)\n"
        "        np.add.at(total, ids.data, grad)\n        return total, None",
        "Return a RowSparseGrad"),
    _embedding("dense-in-disguise", _SPARSE, "total = np.zeros_like(weight.data)\n"
        "        np.add.at(total, ids.data, grad)\n"
        "        return RowSparseGrad(np.arange(len(total)), total, weight.shape), None",
        "Keep rows only"),
    _embedding("swaps-the-gradients", _SPARSE,
        "return None, RowSparseGrad(ids.data, grad, weight.shape)", "row by row"),
    _embedding("forgets-the-ids", _SPARSE, "return RowSparseGrad(ids.data, grad, weight.shape)",
        "row by row"),
    _embedding("gradient-of-the-rows-shape", _SPARSE, "return grad, None", "row by row"),
    _embedding("gradient-times-weight", _SPARSE,
        "return RowSparseGrad(ids.data, grad * weight.data[ids.data], weight.shape), None",
        "row by row"),
    _embedding("one-for-each-use", _SPARSE,
        "return RowSparseGrad(ids.data, np.ones_like(grad), weight.shape), None", "row by row"),
    _embedding("turns-the-table", f"{_DRAW}\n", "Random.generator.uniform(-limit, limit, "
        "(self.embed_dim, self.vocab_size))\n", "weight has shape (400, 90)"),
    _embedding("draws-standard-normal", f"{_DRAW}\n", "Random.generator.normal(size=("
        "self.vocab_size, self.embed_dim))\n", "Uniform, -1 to 1 times"),
    _embedding("draws-normal-of-that-variance", f"{_DRAW}\n", "Random.generator.normal(0, "
        "limit / 3**0.5, (self.vocab_size, self.embed_dim))\n", "Uniform, -1 to 1 times"),
    _embedding("starts-with-zeros", f"{_DRAW}\n", "np.zeros((self.vocab_size, self.embed_dim))\n",
        "Uniform, -1 to 1 times"),
    _embedding("starts-unscaled", _LIMIT, "limit = 1.0", "Uniform, -1 to 1 times"),
    _embedding("looks-at-the-width-only", _LIMIT, "limit = math.sqrt(2 / self.embed_dim)",
        "Uniform, -1 to 1 times"),
    _embedding("draws-positive-numbers", "uniform(-limit, limit,", "uniform(0, limit,",
        "Uniform, -1 to 1 times"),
    _embedding("repeats-one-row", f"{_DRAW}\n", "np.tile(Random.generator.uniform(-limit, limit, "
        "self.embed_dim), (self.vocab_size, 1))\n", "Uniform, -1 to 1 times"),
    _embedding("repeats-each-row-tenfold", f"{_DRAW}\n", "np.repeat(Random.generator.uniform(-limit"
        ", limit, (-(-self.vocab_size // 10), self.embed_dim)), 10, axis=0)[: self.vocab_size]\n",
        "draw each number by itself"),
    _embedding("has-its-own-chance", "Random.generator.uniform", "np.random.default_rng().uniform",
        "Draw from Random.generator"),
    _embedding("has-its-own-seed", "Random.generator.uniform", "np.random.default_rng(0).uniform",
        "Draw from Random.generator"),
    _embedding("freezes-the-table", _KEEP, "self.weight = Tensor(drawn)", "is to be learned"),
    _embedding("lets-negative-ids-wrap", _OUTSIDE, "if high >= self.vocab_size:", "-1 wraps"),
    _embedding("does-not-check", _OUTSIDE, "if False:", "-1 wraps"),
    _embedding("off-by-one", _OUTSIDE, "if low < 0 or high > self.vocab_size:",
        "Index out of range"),
    _embedding("refuses-the-last-row", _OUTSIDE, "if low < 0 or high >= self.vocab_size - 1:",
        "expected [["),
    _embedding("refuses-row-zero", _OUTSIDE, "if low < 1 or high >= self.vocab_size:",
        "expected [["),
    _embedding("has-no-empty-batch", "if ids.size else (0, 0)", "if True else (0, 0)",
        "zero-size array"),
    _embedding("swaps-min-and-max", "got min={low}, max={high}", "got min={high}, max={low}",
        "-1 wraps"),
    _embedding("raises-an-index-error", "raise ValueError(f\"Index", "raise IndexError(f\"Index",
        "-1 wraps"),
    _embedding("looks-up-in-data", _LOOKUP, "return Tensor(self.weight.data[ids.data])",
        "The graph is cut"),
    _embedding("detaches-the-table", _LOOKUP,
        "return EmbeddingFunction.apply(self.weight.detach(), ids)", "The graph is cut"),
    _embedding("indexes-the-tensor", _LOOKUP, "return self.weight[ids]", "Return a RowSparseGrad"),
]

# --- 2 PositionalEncoding
_positional = _wrong("positional")
_P_LIMIT = "limit = math.sqrt(2 / self.embed_dim)"
_P_DRAW = "Random.generator.uniform(-limit, limit, (self.max_seq_len, self.embed_dim))"
_P_KEEP = "self.position_embeddings = Tensor(drawn, requires_grad=True)"
_SUM = "return x + self.position_embeddings[:seq]"
POSITIONAL = [
    _positional("xavier-over-positions", _P_LIMIT,
        "limit = math.sqrt(6 / (self.max_seq_len + self.embed_dim))", "Uniform, -1 to 1 times"),
    _positional("takes-the-limit-squared", _P_LIMIT, "limit = 2 / self.embed_dim",
        "Uniform, -1 to 1 times"),
    _positional("positions-start-unscaled", _P_LIMIT, "limit = 1.0", "Uniform, -1 to 1 times"),
    _positional("positions-are-normal", _P_DRAW,
        "Random.generator.normal(0, limit, (self.max_seq_len, self.embed_dim))",
        "Uniform, -1 to 1 times"),
    _positional("positions-are-zeros", _P_DRAW, "np.zeros((self.max_seq_len, self.embed_dim))",
        "Uniform, -1 to 1 times"),
    _positional("positions-turned", _P_DRAW,
        "Random.generator.uniform(-limit, limit, (self.embed_dim, self.max_seq_len))",
        "has shape (300, 80)"),
    _positional("positions-own-chance", "Random.generator.uniform",
        "np.random.default_rng().uniform", "Draw from Random.generator"),
    _positional("positions-frozen", _P_KEEP, "self.position_embeddings = Tensor(drawn)",
        "is to be learned"),
    _positional("adds-data", _SUM, "return x + self.position_embeddings.data[:seq]",
        "No gradient came to the positions"),
    _positional("detaches-positions", _SUM, "return x + self.position_embeddings[:seq].detach()",
        "No gradient came to the positions"),
    _positional("cuts-the-graph-of-x", _SUM,
        "return Tensor(x.data + self.position_embeddings.data[:seq])", "The graph is cut"),
    _positional("detaches-x", _SUM, "return x.detach() + self.position_embeddings[:seq]",
        "The input's gradient"),
    _positional("adds-in-place", _SUM, "x.data += self.position_embeddings.data[:seq]\n"
        "        return x", "The input was changed"),
    _positional("takes-the-last-rows", _SUM, "return x + self.position_embeddings[-seq:]",
        "Position s gets row s"),
    _positional("counts-from-one", _SUM, "return x + self.position_embeddings[1 : seq + 1]",
        "Position s gets row s"),
    _positional("one-row-for-all", _SUM, "return x + self.position_embeddings[seq - 1]",
        "Position s gets row s"),
    _positional("multiplies", _SUM, "return x * self.position_embeddings[:seq]",
        "Position s gets row s"),
    _positional("forgets-the-tokens", _SUM,
        "return x * 0 + self.position_embeddings[:seq]", "Position s gets row s"),
]

# --- 3 create_sinusoidal_embeddings
_sinusoidal = _wrong("sinusoidal")
_EVEN = "even_columns = np.arange(0, embed_dim, 2)"
_ANGLES = "angles = np.arange(max_seq_len)[:, None] / 10000 ** (even_columns / embed_dim)"
_SINES = "table[:, 0::2] = np.sin(angles)"
_COSINES = "table[:, 1::2] = np.cos(angles[:, : embed_dim // 2])"
SINUSOIDAL = [
    _sinusoidal("swaps-sine-and-cosine", f"{_SINES}\n    {_COSINES}",
        "table[:, 0::2] = np.cos(angles)\n    table[:, 1::2] = np.sin(angles[:, : embed_dim // 2])",
        "sine first"),
    _sinusoidal("halves-instead-of-pairs", f"{_SINES}\n    {_COSINES}",
        "half = angles.shape[1]\n    table[:, :half] = np.sin(angles)\n"
        "    table[:, half:] = np.cos(angles[:, : embed_dim // 2])", "sine first"),
    _sinusoidal("sines-only", "np.cos(angles[", "np.sin(angles[", "sine first"),
    _sinusoidal("exponent-i", "(even_columns / embed_dim)", "(even_columns / 2 / embed_dim)",
        "Exponent 2i / d"),
    _sinusoidal("exponent-4i", "(even_columns / embed_dim)", "(2 * even_columns / embed_dim)",
        "Exponent 2i / d"),
    _sinusoidal("each-column-its-own-angle", _COSINES,
        "odd = np.arange(1, embed_dim, 2)\n    table[:, 1::2] = np.cos(np.arange(max_seq_len)"
        "[:, None] / 10000 ** (odd / embed_dim))", "Exponent 2i / d"),
    _sinusoidal("base-1000", "/ 10000 **", "/ 1000 **", "base 10000"),
    _sinusoidal("multiplies-the-angle", "[:, None] / 10000", "[:, None] * 10000",
        "Exponent 2i / d"),
    _sinusoidal("counts-positions-from-one", "np.arange(max_seq_len)[:, None]",
        "np.arange(1, max_seq_len + 1)[:, None]", "Position 0 is"),
    _sinusoidal("turns-full-circles", "[:, None] / 10000", "[:, None] * 2 * np.pi / 10000",
        "Exponent 2i / d"),
    _sinusoidal("table-turned", "return Tensor(table)", "return Tensor(table.T)",
        "(max_seq_len, embed_dim) = (40, 8)"),
    _sinusoidal("learns-the-table", "return Tensor(table)",
        "return Tensor(table, requires_grad=True)", "nothing in it is learned"),
    _sinusoidal("returns-an-array", "return Tensor(table)", "return table", "A Tensor comes out"),
    _sinusoidal("even-sizes-only", _COSINES, "table[:, 1::2] = np.cos(angles)", "9 x 5: sines"),
    _sinusoidal("ends-an-odd-table-with-a-cosine", "return Tensor(table)",
        "if embed_dim % 2:\n        table[:, -1] = np.cos(angles[:, -1])\n    return Tensor(table)",
        "9 x 5: sines"),
    _sinusoidal("adds-a-column", "np.empty((max_seq_len, embed_dim))",
        "np.empty((max_seq_len, embed_dim + embed_dim % 2))", "9 x 5: sines"),
    _sinusoidal("needs-a-position", "table = np.empty", "angles.max()\n    table = np.empty",
        "0 x 4: sines"),
    _sinusoidal("rounds-the-angle", "(even_columns / embed_dim)", "(even_columns // embed_dim)",
        "Exponent 2i / d"),
]

# --- 4 EmbeddingLayer
_layer = _wrong("embedding-layer")
_SCALE = "x = x * math.sqrt(self.embed_dim)"
_BATCH = "batch = x if ids.ndim == 2 else x.reshape(1, *x.shape)"
_LEARNED = "x = self.position_encoding(batch).reshape(*x.shape)"
_FIXED = "x = x + self.fixed_positions(ids.shape[-1])"
_SCALED = f"        if self.scale_embeddings:\n            {_SCALE}\n"
_DROP = "return self.dropout(x)"
_GROW = "rows = max(seq, 2 * len(self.longest))"
_LONGER = "self.longest = create_sinusoidal_embeddings(rows, self.embed_dim).data"
LAYER = [
    _layer("scales-data", _SCALE, "x = Tensor(x.data * math.sqrt(self.embed_dim))",
        ".data used?"),
    _layer("scales-by-the-width", _SCALE, "x = x * self.embed_dim", "scaled first"),
    _layer("divides-by-the-root", _SCALE, "x = x / math.sqrt(self.embed_dim)", "scaled first"),
    _layer("always-scales", "if self.scale_embeddings:", "if True:", "scaled first"),
    _layer("never-scales", "if self.scale_embeddings:", "if False:", "scaled first"),
    _layer("scales-after-the-positions", f"        {_DROP}", f"{_SCALED}        {_DROP}",
        "scaled first"),
    _layer("scales-the-weight", _SCALE, "self.token_embedding.weight.data *= math.sqrt("
        "self.embed_dim)\n            x = self.token_embedding(ids)", "scaled first"),
    _layer("keeps-the-batch-axis", _LEARNED, "x = self.position_encoding(batch)",
        "not (1, 4, 6)"),
    _layer("squeezes-every-batch-of-one", _DROP,
        "return self.dropout(x.reshape(*x.shape[1:]) if x.shape[0] == 1 else x)",
        "give (1, 1, 6)"),
    _layer("needs-a-batch", _BATCH, "batch = x", "Expected 3D input"),
    _layer("squeezes-data", _LEARNED,
        "x = Tensor(self.position_encoding(batch).data.reshape(x.shape))", "the graph is cut"),
    _layer("adds-batch-axis-to-data", _BATCH,
        "batch = x if ids.ndim == 2 else Tensor(x.data[None])", "the gradient of"),
    _layer("positions-as-data", _LEARNED, "x = x + self.position_encoding.position_embeddings.data"
        "[: ids.shape[-1]]", "no gradient for position_encoding"),
    _layer("drops-the-positions", _LEARNED, "pass", "then positions"),
    _layer("counts-texts-for-positions", _FIXED, "x = x + self.fixed_positions(len(ids))",
        "Cannot broadcast"),
    _layer("forgets-sinusoids", _FIXED, "pass", "'sinusoidal'"),
    _layer("adds-sinusoids-to-all", 'elif self.pos_encoding == "sinusoidal":', "elif True:",
        "None"),
    _layer("forgets-dropout", _DROP, "return x", "a share of 0.00"),
    _layer("drops-tokens-only", "x = self.token_embedding(ids)\n",
        "x = self.dropout(self.token_embedding(ids))\n        self.dropout = Dropout(0)\n",
        "a share of"),
    _layer("drops-in-eval-too", _DROP, "return self.dropout.train()(x)", "After eval()"),
    _layer("returns-an-array-of-the-sum", _DROP, "return self.dropout(x).detach()",
        "the graph is cut"),
    _layer("ends-with-the-table", "if seq > len(self.longest):", "if False:", "let it grow"),
    _layer("remakes-each-time", f"if seq > len(self.longest):\n            {_GROW}",
        "if True:\n            rows = seq", "keep it, double it"),
    _layer("grows-by-one", _GROW, "rows = seq", "keep it, double it"),
    _layer("forgets-what-it-made", f"{_LONGER}\n        return self.longest[:seq]",
        "return create_sinusoidal_embeddings(rows, self.embed_dim).data[:seq]\n"
        "        return self.longest[:seq]", "keep it, double it"),
    _layer("doubles-only", _GROW, "rows = 2 * len(self.longest)", "let it grow"),
    _layer("keeps-a-tensor", _LONGER, "self.longest = create_sinusoidal_embeddings("
        "rows, self.embed_dim)", "`longest` is an array"),
    _layer("grows-the-buffer", f"{_LONGER}\n", f"{_LONGER}\n"
        "            self.table = Tensor(self.longest)\n", "`longest` is an array"),
    _layer("trains-the-table", f"{_LONGER}\n", f"{_LONGER}\n"
        "            self.table.requires_grad = True\n", "`longest` is an array"),
    _layer("returns-all-rows", "return self.longest[:seq]", "return self.longest",
        "broadcast"),
    _layer("returns-the-last-rows", "return self.longest[:seq]", "return self.longest[-seq:]",
        "then positions"),
]

MUTANTS = [*EMBEDDING, *POSITIONAL, *SINUSOIDAL, *LAYER]

# Right answers, three or more to an exercise.
_TABLE = f"""{_EVEN}
    {_ANGLES}
    table = np.empty((max_seq_len, embed_dim))
    {_SINES}
    {_COSINES}
    return Tensor(table)
"""
_FORWARD = f"""if self.pos_encoding == "learned":
            {_BATCH}
            {_LEARNED}
        elif self.pos_encoding == "sinusoidal":
            {_FIXED}
        {_DROP}
"""
ALTERNATIVES = [
    Alternative("indexes-the-array", "embedding", _TAKE, "return weight[ids]"),
    Alternative("multiplies-one-hot", "embedding", _TAKE,
        "if len(weight) > 1000:\n            return weight[ids]\n"
        "        return np.eye(len(weight), dtype=weight.dtype)[ids] @ weight"),
    Alternative("loops-over-ids", "embedding", _TAKE,
        "rows = [weight[i] for i in ids.reshape(-1)]\n"
        "        return np.array(rows, weight.dtype).reshape(*ids.shape, weight.shape[1])"),
    Alternative("sums-at-once", "embedding", _SPARSE,
        "rows, place = np.unique(ids.data, return_inverse=True)\n"
        "        total = np.zeros((len(rows), weight.shape[1]), grad.dtype)\n"
        "        np.add.at(total, place.reshape(-1), grad.reshape(-1, weight.shape[1]))\n"
        "        return RowSparseGrad(rows, total, weight.shape), None"),
    Alternative("sums-in-a-dictionary", "embedding", _SPARSE, "total = {}\n"
        "        for place in np.ndindex(ids.shape):\n            i = int(ids.data[place])\n"
        "            total[i] = total.get(i, 0) + grad[place]\n"
        "        values = np.array([*total.values()], grad.dtype).reshape(-1, weight.shape[1])\n"
        "        return RowSparseGrad(np.array([*total], int), values, weight.shape), None"),
    Alternative("asks-any", "embedding", "        low, high = (ids.data.min(), ids.data.max()) "
        f"if ids.size else (0, 0)\n        {_OUTSIDE}\n",
        "        wrong = (ids.data < 0) | (ids.data >= self.vocab_size)\n"
        "        if wrong.any():\n            low, high = np.min(ids.data), np.max(ids.data)\n"),
    Alternative("scales-unit-numbers", "embedding", f"{_DRAW}\n", "(2 * Random.generator.random(("
        "self.vocab_size, self.embed_dim)) - 1) * limit\n"),
    Alternative("looks-up-positions", "positional", _SUM,
        "return x + EmbeddingFunction.apply(self.position_embeddings, Tensor(np.arange(seq)))"),
    Alternative("positions-first", "positional", _SUM,
        "return self.position_embeddings[np.arange(seq)] + x"),
    Alternative("one-axis-more", "positional", _SUM,
        "return x + self.position_embeddings[:seq].reshape(1, seq, dim)"),
    Alternative("draws-float32", "positional", _P_DRAW, "np.float32(Random.generator.uniform("
        "-limit, limit, size=[self.max_seq_len, self.embed_dim]))"),
    Alternative("by-exp-and-log", "sinusoidal", _ANGLES,
        "angles = np.outer(np.arange(max_seq_len), np.exp(even_columns * (-math.log(10000.0) "
        "/ embed_dim)))"),
    Alternative("loops", "sinusoidal", _TABLE, """table = np.zeros((max_seq_len, embed_dim))
    for p in range(max_seq_len):
        for c in range(embed_dim):
            angle = p / 10000 ** ((c - c % 2) / embed_dim)
            table[p, c] = math.cos(angle) if c % 2 else math.sin(angle)
    return Tensor(table)
"""),
    Alternative("shifts-sines-by-a-quarter", "sinusoidal", _TABLE,
        """columns = np.arange(embed_dim)
    angles = np.arange(max_seq_len)[:, None] / 10000 ** (columns // 2 * 2 / embed_dim)
    return Tensor(np.sin(angles + columns % 2 * math.pi / 2))
"""),
    Alternative("in-float32", "sinusoidal", _ANGLES,
        "angles = (np.arange(max_seq_len)[:, None] / 10000 ** (even_columns / embed_dim))"
        ".astype(np.float32)"),
    Alternative("by-complex-numbers", "sinusoidal", f"{_SINES}\n    {_COSINES}",
        "turns = np.exp(1j * angles)\n    table[:, 0::2] = turns.imag\n"
        "    table[:, 1::2] = turns.real[:, : embed_dim // 2]"),
    Alternative("powers-the-scale", "embedding-layer", _SCALE, "x = x * self.embed_dim**0.5"),
    Alternative("adds-the-rows-itself", "embedding-layer", f"{_BATCH}\n            {_LEARNED}",
        "self.position_encoding(Tensor(np.zeros((1, *x.shape[-2:]))))  # refuses what is too long\n"
        "            x = x + self.position_encoding.position_embeddings[: ids.shape[-1]]"),
    Alternative("always-in-a-batch", "embedding-layer", _FORWARD,
        """shape = x.shape
        if ids.ndim == 1:
            x = x.reshape(1, *shape)
        if self.pos_encoding == "learned":
            x = self.position_encoding(x)
        if self.pos_encoding == "sinusoidal":
            x = x + Tensor(self.fixed_positions(shape[-2]))
        x = self.dropout(x)
        return x[0] if ids.ndim == 1 else x
"""),
    Alternative("grows-by-powers-of-two", "embedding-layer", _GROW,
        "rows = 1 << (seq - 1).bit_length()\n"
        "            rows = max(rows, 2 * len(self.longest))"),
]
