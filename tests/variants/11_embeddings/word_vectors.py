"""Wrong answers to the notebook Word vectors, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 pairs
_pair = _wrong("pairs")
_OFFSETS = "offsets = np.r_[-window:0, 1 : window + 1]"
_INSIDE = "inside = (positions >= 0) & (positions < len(ids))"
_PAIRS = "return np.repeat(ids, inside.sum(axis=1)), ids[positions[inside]]"
PAIRS = [
    _pair("right-side-only", _OFFSETS, "offsets = np.r_[1 : window + 1]", "one neighbour"),
    _pair("left-side-only", _OFFSETS, "offsets = np.r_[-window:0]", "one neighbour"),
    _pair("pairs-with-itself", _OFFSETS, "offsets = np.r_[-window : window + 1]", "one neighbour"),
    _pair("window-too-short", _OFFSETS, "offsets = np.r_[1 - window:0, 1:window]",
        "one neighbour"),
    _pair("farthest-only", _OFFSETS, "offsets = np.array([-window, window])", "both sides"),
    _pair("window-always-two", _OFFSETS, "offsets = np.array([-2, -1, 1, 2])", "one neighbour"),
    _pair("wraps-at-the-start", _INSIDE, "inside = positions < len(ids)", "wrap around"),
    _pair("drops-the-ends", _INSIDE,
        "inside = np.zeros(positions.shape, bool)\n    inside[window : len(ids) - window] = True",
        "one neighbour"),
    _pair("nearest-first", _OFFSETS,
        "offsets = np.array([s * k for k in range(1, window + 1) for s in (-1, 1)])",
        "right pairs in another order"),
    _pair("contexts-right-to-left", _OFFSETS, "offsets = np.r_[window:0:-1, -1 : -window - 1 : -1]",
        "right pairs in another order"),
    _pair("swaps-the-two", _PAIRS,
        "return ids[positions[inside]], np.repeat(ids, inside.sum(axis=1))",
        "right pairs in another order"),
    _pair("leaves-out-equal-ids", _PAIRS,
        "c, o = np.repeat(ids, inside.sum(axis=1)), ids[positions[inside]]\n"
        "    return c[c != o], o[c != o]", "go by position"),
    _pair("returns-positions", _PAIRS,
        "return np.nonzero(inside)[0], positions[inside]", "one neighbour"),
]

# --- 2 model
_model = _wrong("model")
_FORWARD = "return self.centres(centres) @ self.contexts.weight.transpose()"
_VECTORS = "vectors = self.centres(centres)"
_PRODUCTS = "products = self.contexts(candidates) @ vectors.reshape(*vectors.shape, 1)"
_SCORE = "return products.reshape(*products.shape[:2])"
MODEL = [
    _model("one-table", _FORWARD, "return self.centres(centres) @ self.centres.weight.transpose()",
        "Wrong table"),
    _model("tables-swapped", _FORWARD,
        "return self.contexts(centres) @ self.centres.weight.transpose()", "Wrong table"),
    _model("turned-over", _FORWARD,
        "return self.contexts.weight @ self.centres(centres).transpose()", "logits (3, 6)"),
    _model("gives-probabilities", _FORWARD,
        "logits = self.centres(centres) @ self.contexts.weight.transpose()\n"
        "        return logits.exp() / logits.exp().sum(axis=-1, keepdims=True)", "forward: logit"),
    _model("forward-cuts-the-centres", _FORWARD,
        "return Tensor(self.centres(centres).data) @ self.contexts.weight.transpose()",
        "forward: no gradient reached `centres`"),
    _model("forward-cuts-the-contexts", _FORWARD,
        "return self.centres(centres) @ self.contexts.weight.data.T",
        "forward: no gradient reached `contexts`"),
    _model("score-with-one-table", _PRODUCTS,
        "products = self.centres(candidates) @ vectors.reshape(*vectors.shape, 1)",
        "Wrong table or row"),
    _model("score-cuts-the-centres", _VECTORS, "vectors = Tensor(self.centres(centres).data)",
        "no gradient reached `centres`"),
    _model("score-cuts-the-contexts", _PRODUCTS,
        "products = Tensor(self.contexts(candidates).data) @ vectors.reshape(*vectors.shape, 1)",
        "no gradient reached `contexts`"),
    _model("score-cuts-all", _SCORE, "return Tensor(products.data[..., 0])", "no gradient leads"),
    _model("scores-every-word", _SCORE,
        "return self.forward(centres)[np.arange(len(centres))[:, None], candidates]", "dense"),
    _model("keeps-an-axis", _SCORE, "return products", "has their shape"),
    _model("takes-the-mean", _SCORE,
        "return products.reshape(*products.shape[:2]) / self.embed_dim", "Wrong table or row"),
]

# --- 3 negatives
_noise = _wrong("negatives")
_POWERS = "powers = counts**0.75"
_REAL = "is_real[:, 0] = 1"
_LOSS = ("return BCEWithLogitsLoss()(model.score(centres, candidates), is_real)"
    " * candidates.shape[1]")
NEGATIVES = [
    _noise("by-frequency", _POWERS, "powers = counts", "8/9"),
    _noise("uniform", _POWERS, "powers = np.ones_like(counts)", "8/9"),
    _noise("square-root", _POWERS, "powers = counts**0.5", "8/9"),
    _noise("power-after-dividing", "return powers / powers.sum()",
        "return (counts / counts.sum()) ** 0.75", "8/9"),
    _noise("not-divided", "return powers / powers.sum()", "return powers", "8/9"),
    _noise("adds-one", _POWERS, "powers = (counts + 1) ** 0.75", "8/9"),
    _noise("all-real", _REAL, "is_real[...] = 1", "Which is the 1?"),
    _noise("none-real", _REAL, "pass", "Which is the 1?"),
    _noise("last-is-real", _REAL, "is_real[:, -1] = 1", "Which is the 1?"),
    _noise("labels-swapped", _REAL, "is_real[:, 1:] = 1", "Which is the 1?"),
    _noise("first-row-real", _REAL, "is_real[0] = 1", "Which is the 1?"),
    _noise("mean-over-candidates", _LOSS,
        "return BCEWithLogitsLoss()(model.score(centres, candidates), is_real)",
        "mean over candidates"),
    _noise("sum-over-pairs", _LOSS, _LOSS.replace("candidates.shape[1]", "candidates.size"),
        "sum over the pairs"),
    _noise("times-negatives-only", _LOSS,
        _LOSS.replace("candidates.shape[1]", "negatives.shape[1]"), "Which is the 1?"),
    _noise("forgets-the-negatives", _LOSS,
        "return BCEWithLogitsLoss()(model.score(centres, contexts[:, None]), is_real[:, :1])",
        "Which is the 1?"),
    _noise("softmax-of-the-candidates", _LOSS,
        "return CrossEntropyLoss()(model.score(centres, candidates), np.zeros(len(centres), int))",
        "Which is the 1?"),
]

# --- 4 train
_train = _wrong("train")
_NEGATIVE = "loss = negative_sampling_loss(model, x.data, y.data, drawn)"
_FULL = "loss = CrossEntropyLoss()(model(x), y)"
TRAIN = [
    _train("no-zero-grad", "optimizer.zero_grad()", "pass", "zero_grad?"),
    _train("no-backward", "loss.backward()", "pass", "did not move"),
    _train("no-step", "optimizer.step()", "pass", "did not move"),
    _train("zero-grad-before-the-step", "            optimizer.step()",
        "            optimizer.zero_grad()\n            optimizer.step()", "did not move"),
    _train("always-the-softmax", "if negatives:", "if False:", "negative sampling: first loss"),
    _train("always-negatives", "if negatives:", "if True:", "full softmax: first loss"),
    _train("centre-as-target", _FULL, "loss = CrossEntropyLoss()(model(x), x)",
        "should predict"),
    _train("pairs-turned-around", _NEGATIVE,
        "loss = negative_sampling_loss(model, y.data, x.data, drawn)",
        "moves centres 0 to 3"),
    _train("two-steps", "            optimizer.step()",
        "            optimizer.step()\n            optimizer.step()", "by lr = 0.1"),
    _train("climbs", "loss.backward()", "(-loss).backward()", "zero_grad?"),
    _train("own-negatives", _NEGATIVE,
        "loss = negative_sampling_loss(model, x.data, y.data, 0 * drawn)", "should predict"),
    _train("trains-one-table", "optimizer.step()",
        "model.contexts.weight.grad = None\n            optimizer.step()",
        "the contexts did not move"),
]

MUTANTS = [*PAIRS, *MODEL, *NEGATIVES, *TRAIN]

# Right answers, three or more to an exercise.
_PAIRS_ALL = f"""{_OFFSETS}
    positions = np.arange(len(ids))[:, None] + offsets
    {_INSIDE}
    {_PAIRS}"""
_STEP = """optimizer.zero_grad()
            loss.backward()
            optimizer.step()"""
ALTERNATIVES = [
    Alternative("loops", "pairs", _PAIRS_ALL, """centres, contexts = [], []
    for i, centre in enumerate(ids):
        for j in range(max(0, i - window), min(len(ids), i + window + 1)):
            if i != j:
                centres.append(centre)
                contexts.append(ids[j])
    return np.array(centres, int), np.array(contexts, int)"""),
    Alternative("padded-with-none", "pairs", _PAIRS_ALL,
        """if not len(ids):
        return ids, ids
    padded = np.concatenate([np.full(window, -1), np.arange(len(ids)), np.full(window, -1)])
    views = np.lib.stride_tricks.sliding_window_view(padded, 2 * window + 1)
    views = np.delete(views, window, axis=1)
    rows, columns = np.nonzero(views >= 0)
    return ids[rows], ids[views[rows, columns]]"""),
    Alternative("distance-matrix", "pairs", _PAIRS_ALL,
        """places = np.arange(len(ids))
    apart = np.abs(places[:, None] - places)
    rows, columns = np.nonzero((apart > 0) & (apart <= window))
    return ids[rows], ids[columns]"""),
    Alternative("sum-of-products", "model", f"{_VECTORS}\n        {_PRODUCTS}\n        {_SCORE}",
        """vectors = self.centres(centres).reshape(len(candidates), 1, self.embed_dim)
        return (self.contexts(candidates) * vectors).sum(axis=-1)"""),
    Alternative("row-times-matrix", "model", f"{_PRODUCTS}\n        {_SCORE}",
        """rows = vectors.reshape(len(candidates), 1, self.embed_dim)
        return (rows @ self.contexts(candidates).transpose()).sum(axis=1)"""),
    Alternative("transposed-twice", "model", _FORWARD,
        "return (self.contexts.weight @ self.centres(centres).transpose()).transpose()"),
    Alternative("log-sum", "negatives", "powers = counts**0.75\n    return powers / powers.sum()",
        "powers = np.sqrt(counts) * np.sqrt(np.sqrt(counts))\n    return powers / sum(powers)"),
    Alternative("two-losses", "negatives", _LOSS, """real = model.score(centres, contexts[:, None])
    made_up = model.score(centres, negatives)
    bce = BCEWithLogitsLoss()
    no = bce(made_up, np.zeros(negatives.shape, np.float32)) * negatives.shape[1]
    return bce(real, np.ones((len(contexts), 1), np.float32)) + no"""),
    Alternative("softplus-by-hand", "negatives", _LOSS, """signs = Tensor(1 - 2 * is_real)
    wrong = model.score(centres, candidates) * signs
    return (wrong.exp() + 1).log().sum(axis=1).mean()"""),
    Alternative("zero-grad-last", "train", _STEP, """loss.backward()
            optimizer.step()
            optimizer.zero_grad()"""),
    Alternative("turned-condition", "train", f"""if negatives:
                {_NEGATIVE}
            else:
                {_FULL}""", f"""if negatives == 0:
                {_FULL}
            else:
                {_NEGATIVE}"""),
    Alternative("grads-by-hand", "train", "optimizer.zero_grad()",
        "for p in model.parameters():\n                p.grad = None"),
]
