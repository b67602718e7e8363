"""Wrong answers to the notebook on the parts of a loop, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 minibatches
_batch = _wrong("minibatches")
_LEN = "math.ceil(len(self.inputs) / self.batch_size)"
_ORDER = "order = Random.generator.permutation(count) if self.shuffle else np.arange(count)"
_STARTS = "for start in range(0, count, self.batch_size):"
_YIELD = "yield Tensor(self.inputs[rows]), Tensor(self.targets[rows])"
_ITER = f"""        {_ORDER}
        {_STARTS}
            rows = order[start : start + self.batch_size]
            {_YIELD}
"""
MINIBATCHES = [
    _batch("forgets-the-last-in-len", _LEN, "len(self.inputs) // self.batch_size",
        "len() counts batches"),
    _batch("adds-one-to-len", _LEN, "len(self.inputs) // self.batch_size + 1",
        "len() counts batches"),
    _batch("counts-examples", _LEN, "len(self.inputs)", "len() counts batches"),
    _batch("drops-the-last", "range(0, count, self.batch_size)",
        "range(0, count - self.batch_size + 1, self.batch_size)", "are 4, 4 and 2"),
    _batch("never-shuffles", _ORDER, "order = np.arange(count)", "must change the order"),
    _batch("always-shuffles", _ORDER, "order = Random.generator.permutation(count)",
        "keeps the order"),
    _batch("turns-the-switch", "if self.shuffle else", "if not self.shuffle else",
        "keeps the order"),
    _batch("shuffles-inputs-alone", "Tensor(self.targets[rows])",
        "Tensor(self.targets[start : start + self.batch_size])", "use the same rows"),
    _batch("shuffles-twice", "Tensor(self.targets[rows])",
        "Tensor(self.targets[Random.generator.permutation(rows) if self.shuffle else rows])",
        "use the same rows"),
    _batch("has-its-own-chance", "Random.generator.permutation",
        "np.random.default_rng().permutation", "must repeat the order"),
    _batch("has-its-own-seed", "Random.generator.permutation",
        "np.random.default_rng(0).permutation", "Two passes had one order"),
    _batch("draws-with-repeats", "Random.generator.permutation(count)",
        "Random.generator.integers(0, count, count)", "Each example comes once"),
    _batch("one-order-for-ever", _ORDER,
        "if not hasattr(self, 'order'):\n            self.order = Random.generator.permutation"
        "(count) if self.shuffle else np.arange(count)\n        order = self.order",
        "Two passes had one order"),
    _batch("shuffles-batches", f"{_ORDER}\n        {_STARTS}",
        "order, starts = np.arange(count), np.arange(0, count, self.batch_size)\n        "
        "if self.shuffle:\n            starts[:2] = starts[:2][::-Random.generator.choice([1, -1])]"
        "\n        for start in starts:", "order"),
    _batch("gives-arrays", _YIELD, "yield self.inputs[rows], self.targets[rows]", "Give Tensors"),
    _batch("gives-an-extra-row", "start + self.batch_size]", "start + self.batch_size + 1]",
        "are 4, 4 and 2"),
    _batch("makes-floats-of-labels", "Tensor(self.targets[rows])",
        "Tensor(self.targets[rows].astype(np.float32))", "dtypes are kept"),
    _batch("spoils-the-data", _ITER, """        order = np.arange(count)
        if self.shuffle:
            Random.generator.shuffle(self.inputs)
        for start in range(0, count, self.batch_size):
            rows = order[start : start + self.batch_size]
            yield Tensor(self.inputs[rows]), Tensor(self.targets[rows])
""", "use the same rows"),
]

# --- 2 CosineSchedule
_cosine = _wrong("cosine-schedule")
_WARM = "return self.max_lr * (epoch + 1) / (self.warmup_epochs + 1)"
_IS_WARM = "if epoch < self.warmup_epochs:"
_END = "if epoch >= self.total_epochs:\n            return self.min_lr\n"
_PROGRESS = "(epoch - self.warmup_epochs) / (self.total_epochs - self.warmup_epochs)"
_RATE = "self.min_lr + (self.max_lr - self.min_lr) * (1 + math.cos(math.pi * progress)) / 2"
COSINE = [
    _cosine("forgets-the-half", _RATE, _RATE.removesuffix(" / 2"), "epoch 0 has max_lr"),
    _cosine("forgets-the-one", "(1 + math.cos(math.pi * progress))",
        "math.cos(math.pi * progress)", "epoch 0 has max_lr"),
    _cosine("rises", "1 + math.cos", "1 - math.cos", "epoch 0 has max_lr"),
    _cosine("forgets-min-lr", _RATE, "self.max_lr * (1 + math.cos(math.pi * progress)) / 2",
        "half way it is half way"),
    _cosine("adds-min-lr-on-top", "(self.max_lr - self.min_lr) *", "self.max_lr *",
        "epoch 0 has max_lr"),
    _cosine("is-a-line", "(1 + math.cos(math.pi * progress)) / 2", "(1 - progress)",
        "progress is epoch / total_epochs"),
    _cosine("runs-a-whole-turn", "math.pi * progress", "2 * math.pi * progress",
        "half way it is half way"),
    _cosine("takes-degrees", "math.pi * progress", "180 * progress", "half way it is half way"),
    _cosine("off-by-one-at-the-end", _PROGRESS,
        "(epoch - self.warmup_epochs) / (self.total_epochs - 1 - self.warmup_epochs or 1)",
        "half way it is half way"),
    _cosine("off-by-one-at-the-start", "progress = (epoch", "progress = (epoch + 1",
        "epoch 0 has max_lr"),
    _cosine("climbs-again", _END, "pass\n", "after the end it stays min_lr"),
    _cosine("begins-anew", _END, "epoch %= self.total_epochs\n", "after the end"),
    _cosine("ends-at-zero", "return self.min_lr\n", "return 0.0\n", "after the end it is min_lr"),
    _cosine("warms-up-from-zero", "* (epoch + 1) / (self.warmup_epochs + 1)",
        "* epoch / self.warmup_epochs", "warm-up begins with"),
    _cosine("warms-up-too-fast", "* (epoch + 1) / (self.warmup_epochs + 1)",
        "* (epoch + 1) / self.warmup_epochs", "warm-up begins with"),
    _cosine("warms-up-too-long", _IS_WARM, "if epoch <= self.warmup_epochs + 1:",
        "only falls"),
    _cosine("never-warms-up", _IS_WARM, "if False:", "warm-up begins with"),
    _cosine("spans-all-epochs", _PROGRESS, "epoch / self.total_epochs",
        "right after the warm-up"),
    _cosine("ends-late", _PROGRESS, "(epoch - self.warmup_epochs) / self.total_epochs",
        "the cosine spans"),
]

# --- 3 clip_grad_norm
_clip = _wrong("clip-grad-norm")
_LIST = "with_grad = [(i, p) for i, p in enumerate(params) if p.grad is not None]"
_WIDE = "wide = np.asarray(entries(p.grad), np.float64)"
_SQUARE = "square = float(np.vdot(wide, wide))"
_BAD = "if not math.isfinite(square):"
_IF = "if norm > max_norm:"
_LOOP = "for _, p in with_grad:\n            p.grad *= max_norm / norm"
CLIP = [
    _clip("each-by-itself", _LOOP, "for _, p in with_grad:\n            own = float(np.linalg.norm("
        "entries(p.grad)))\n            p.grad *= min(1.0, max_norm / own) if own else 1.0",
        "one scale"),
    _clip("by-value", _LOOP, "for _, p in with_grad:\n            "
        "np.clip(entries(p.grad), -max_norm, max_norm, out=entries(p.grad))", "one scale"),
    _clip("makes-longer", _IF, "if norm:", "changes nothing"),
    _clip("only-when-shorter", _IF, "if norm < max_norm:", "changes nothing"),
    _clip("never-clips", _LOOP, "pass", "one scale"),
    _clip("returns-the-norm-after", "    return norm\n", "    return min(norm, max_norm)\n",
        "*before* clipping"),
    _clip("returns-the-scale", "    return norm\n", "    return max_norm / norm\n",
        "have norm 5 (None"),
    _clip("forgets-the-root", "norm = math.sqrt(squares)", "norm = squares",
        "have norm 5 (None"),
    _clip("adds-norms", _SQUARE, "square = float(np.sqrt(np.vdot(wide, wide))) ** 1",
        "have norm 5 (None"),
    _clip("takes-the-largest", "squares += square", "squares = max(squares, square)",
        "have norm 5 (None"),
    _clip("keeps-the-last", "squares += square", "squares = square", "have norm 5 (None"),
    _clip("uses-up-the-generator", _LIST + "\n    squares = 0.0\n    for number, p in with_grad:",
        "with_grad = ((i, p) for i, p in enumerate(params) if p.grad is not None)\n"
        "    squares = 0.0\n    for number, p in with_grad:", "one scale"),
    _clip("trips-over-none", " if p.grad is not None]", "]", "None is skipped"),
    _clip("makes-new-arrays", "p.grad *= max_norm / norm", "p.grad = p.grad * (max_norm / norm)",
        "Clip in place"),
    _clip("squares-in-float32", _WIDE, "wide = entries(p.grad)", "add squares in float64"),
    _clip("makes-sparse-dense", "p.grad *= max_norm / norm",
        "p.grad = np.asarray(p.grad) if not isinstance(p.grad, np.ndarray) else p.grad\n"
        "            p.grad *= max_norm / norm", "Rows 2 and 7"),
    _clip("forgets-sparse", _LIST,
        "with_grad = [(i, p) for i, p in enumerate(params) if isinstance(p.grad, np.ndarray)]",
        "Sparse rows"),
    _clip("lets-nan-through", _BAD, "if False:", "raise a ValueError"),
    _clip("looks-for-nan-alone", _BAD, "if math.isnan(square):", "raise a ValueError"),
    _clip("clips-as-it-goes", "squares += square\n",
        "squares += square\n        p.grad *= min(1.0, max_norm / math.sqrt(squares or 1.0))\n",
        "one scale"),
    _clip("names-nothing", "of parameter {number}, {p.shape},", "", "Name the shape"),
    _clip("leaves-a-hair", "p.grad *= max_norm / norm", "p.grad *= max_norm / (norm + 0.01)",
        "one scale"),
    _clip("scales-back", "p.grad *= max_norm / norm", "p.grad *= norm / max_norm", "one scale"),
]

MUTANTS = [*MINIBATCHES, *COSINE, *CLIP]

# Right answers, three or more to an exercise.
ALTERNATIVES = [
    Alternative("floor-of-negative", "minibatches", _LEN,
        "-(-len(self.targets) // self.batch_size)"),
    Alternative("count-starts", "minibatches", _LEN,
        "len(range(0, len(self.inputs), self.batch_size))"),
    Alternative("shuffle-in-place", "minibatches", _ORDER, """order = np.arange(count)
        if self.shuffle:
            Random.generator.shuffle(order)"""),
    Alternative("split-the-order", "minibatches", _ITER, """        order = np.arange(count)
        if self.shuffle:
            order = Random.generator.permutation(order)
        for rows in np.array_split(order, range(self.batch_size, count, self.batch_size)):
            yield Tensor(np.take(self.inputs, rows, axis=0)), Tensor(self.targets[rows])
"""),
    Alternative("iterator-of-a-list", "minibatches", _ITER, """        ids = list(range(count))
        if self.shuffle:
            Random.generator.shuffle(ids)
        size = self.batch_size
        groups = [ids[i * size : (i + 1) * size] for i in range(len(self))]
        return iter([(Tensor(self.inputs[g]), Tensor(self.targets[g])) for g in groups])
"""),
    Alternative("numpy-cosine", "cosine-schedule", _RATE,
        "float(self.min_lr + 0.5 * (self.max_lr - self.min_lr) * (1 + np.cos(np.pi * progress)))"),
    Alternative("squared-cosine", "cosine-schedule", _RATE,
        "self.min_lr + (self.max_lr - self.min_lr) * math.cos(math.pi * progress / 2) ** 2"),
    Alternative("clamped-progress", "cosine-schedule", f"{_END}        progress = {_PROGRESS}",
        f"progress = min(1.0, {_PROGRESS})"),
    Alternative("warm-up-as-a-share", "cosine-schedule", _WARM,
        "share = (epoch + 1) / (1 + self.warmup_epochs)\n            return share * self.max_lr"),
    Alternative("mean-and-swing", "cosine-schedule", f"return {_RATE}",
        "mean, swing = (self.max_lr + self.min_lr) / 2, (self.max_lr - self.min_lr) / 2\n"
        "        return mean + swing * math.cos(math.pi * progress)"),
    Alternative("norm-of-norms", "clip-grad-norm", _SQUARE,
        "square = float(np.linalg.norm(wide)) ** 2"),
    Alternative("sum-of-squares", "clip-grad-norm", _SQUARE, "square = float((wide * wide).sum())"),
    Alternative("one-long-vector", "clip-grad-norm", "norm = math.sqrt(squares)",
        "norm = float(np.linalg.norm(np.concatenate([np.zeros(1), *(np.float64(entries(p.grad))"
        ".ravel() for _, p in with_grad)])))"),
    Alternative("scale-at-most-one", "clip-grad-norm", f"{_IF}\n        {_LOOP}",
        "scale = min(1.0, max_norm / (norm or 1.0))\n    for _, p in with_grad:\n"
        "        p.grad *= scale"),
    Alternative("multiply-into", "clip-grad-norm", "p.grad *= max_norm / norm",
        "numbers = entries(p.grad)\n            "
        "np.multiply(numbers, max_norm / norm, out=numbers)"),
    Alternative("isfinite-by-entries", "clip-grad-norm", _BAD, "if not np.isfinite(wide).all():"),
]
