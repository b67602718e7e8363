"""Wrong answers to the notebook Losses, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 mean squared error
_mse = _wrong("mse-loss")
_SQUARES = "return ((predictions - targets) ** 2).mean()"
_UNEQUAL = "if predictions != targets:"
_EMPTY = "if 0 in predictions:"
_NAMES = 'f"Predictions {predictions} and targets {targets}: reshape one of them."'
MSE = [
    _mse("sums", _SQUARES, "return ((predictions - targets) ** 2).sum()", "over 3"),
    _mse("forgets-the-square", _SQUARES, "return (predictions - targets).mean()", "over 3"),
    _mse("takes-distances", _SQUARES, "return abs(predictions - targets).mean()", "over 3"),
    _mse("takes-the-root", _SQUARES, "return ((predictions - targets) ** 2).mean().sqrt()",
        "over 3"),
    _mse("halves", _SQUARES, "return ((predictions - targets) ** 2).mean() / 2", "over 3"),
    _mse("squares-the-mean", _SQUARES, "return (predictions - targets).mean() ** 2", "over 3"),
    _mse("averages-rows-only", _SQUARES, "return ((predictions - targets) ** 2).mean(axis=-1)",
        "one mean over all entries"),
    _mse("divides-by-the-batch", _SQUARES,
        "return ((predictions - targets) ** 2).sum() / len(predictions)",
        "one mean over all entries"),
    _mse("cuts-the-graph", _SQUARES,
        "return Tensor(np.mean((predictions.data - np.asarray(targets)) ** 2))", "No way back"),
    _mse("casts-to-float32", _SQUARES,
        "x = predictions if predictions.requires_grad else Tensor(predictions)\n"
        "        return ((x - Tensor(np.float32(targets))) ** 2).mean()",
        "float64 stays float64"),
    _mse("lets-shapes-broadcast", _UNEQUAL, "if np.broadcast_shapes(predictions, targets) == ():",
        "refuse them"),
    _mse("compares-sizes", _UNEQUAL, "if np.prod(predictions) != np.prod(targets):",
        "refuse them"),
    _mse("compares-lengths", _UNEQUAL, "if predictions[:1] != targets[:1]:", "refuse them"),
    _mse("compares-dimensions", _UNEQUAL, "if len(predictions) != len(targets):",
        "broadcast or are empty"),
    _mse("accepts-empty-batches", _EMPTY, "if False:", "broadcast or are empty"),
    _mse("looks-at-the-first-size", _EMPTY, "if predictions[0] == 0:", "broadcast or are empty"),
    _mse("names-no-shape", _NAMES, '"The shapes differ."', "must name the shapes"),
    _mse("names-one-shape", _NAMES, 'f"Predictions are {predictions}."', "must name the shapes"),
    _mse("refuses-columns", _EMPTY, "if 0 in predictions or 1 in predictions:",
        "(4, 1) with (4, 1) is fine"),
]

# --- 2 log-softmax
_log = _wrong("log-softmax")
_SHIFT = "shifted = x - x.max(axis=axis, keepdims=True)"
_FORMULA = "return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))"
LOG = [
    _log("does-not-shift", _SHIFT, "shifted = x", "take the largest from all before exp"),
    _log("shifts-by-the-minimum", _SHIFT, _SHIFT.replace("max", "min"),
        "take the largest from all before exp"),
    _log("shifts-by-the-mean", _SHIFT, _SHIFT.replace("max", "mean"),
        "take the largest from all before exp"),
    _log("shifts-only-down", _SHIFT, "shifted = x - np.maximum(x.max(axis=axis, keepdims=True), 0)",
        "the shift is the maximum, whatever its sign"),
    _log("log-of-a-fraction", _FORMULA,
        "powers = np.exp(shifted)\n"
        "        return np.log(powers / powers.sum(axis=axis, keepdims=True))",
        "-inf], not [0, -1000]"),
    _log("pads-the-fraction", _FORMULA,
        "powers = np.exp(shifted)\n"
        "        return np.log(powers / powers.sum(axis=axis, keepdims=True) + 1e-9)",
        "not [0, -1000]"),
    _log("softmax-without-log", _FORMULA,
        "return np.exp(shifted) / np.exp(shifted).sum(axis=axis, keepdims=True)", "by hand it is"),
    _log("forgets-the-log", _FORMULA, "return shifted - np.exp(shifted).sum(axis, keepdims=True)",
        "by hand it is"),
    _log("adds-the-log", _FORMULA, _FORMULA.replace("shifted - np", "shifted + np"),
        "by hand it is"),
    _log("forgets-the-shift-again", _FORMULA, _FORMULA.replace("return shifted", "return x"),
        "by hand it is"),
    _log("always-the-last-axis", _FORMULA, _FORMULA.replace("axis=axis", "axis=-1"),
        "dim=0 makes a softmax of each column"),
    _log("sums-over-everything", _FORMULA, "return shifted - np.log(np.exp(shifted).sum())",
        "by hand it is"),
    _log("base-two", _FORMULA, _FORMULA.replace("np.log(", "np.log2("), "by hand it is"),
    _log("writes-into-the-input", _SHIFT, "x -= x.max(axis=axis, keepdims=True)\n"
        "        shifted = x", "do not write into x"),
    _log("hides-nan", _FORMULA, f"{_FORMULA.replace('return', 'result =')}\n"
        "        return np.where(np.isnan(result), 0, result)", "Only -inf: nan"),
    _log("clips-masks", _SHIFT, "shifted = np.maximum(x - x.max(axis=axis, keepdims=True), -1e9)",
        "a masked logit has probability 0"),
    _log("computes-in-float32", _FORMULA,
        f"{_FORMULA.replace('return', 'result =')}\n        return result.astype(np.float32)",
        "float64 stays float64"),
]

# --- 3 cross-entropy
_ce = _wrong("cross-entropy")
_TOP = "top = rows.max(axis=1, keepdims=True)"
_SAFE = "if not 1e-8 < totals.min() <= totals.max() < 1e8:"
_EXPS = "exps = in_halves(np.exp, rows, out=np.empty_like(rows))"
_PICK = "picked = rows[positions, labels[positions]] - top[positions, 0]"
_TOTALS = "totals = exps.sum(axis=1, keepdims=True)"
_MEAN = "loss = (np.log(totals[positions, 0]) - picked).mean()"
CE = [
    _ce("ce-does-not-shift", _SAFE, "if False:", "expensive, and finite"),
    _ce("ce-shifts-by-the-minimum", _TOP, _TOP.replace("max", "min"), "expensive, and finite"),
    _ce("ce-shifts-only-down", _SAFE, "if not totals.max() < 1e8:", "shift here, too"),
    _ce("softmax-over-the-batch", _TOTALS,
        "totals = np.broadcast_to(exps.sum(axis=0)[:1], (len(rows), 1))", "have the mean"),
    _ce("one-total-for-all", _TOTALS, "totals = exps.sum(keepdims=True)\n"
        "        totals = np.repeat(totals, len(rows), axis=0)", "have the mean"),
    _ce("ce-sums", _MEAN, _MEAN.replace(".mean()", ".sum()"), "have the mean"),
    _ce("ce-forgets-the-sign", _MEAN, _MEAN.replace("(np.log(totals[positions, 0]) - picked)",
        "(picked - np.log(totals[positions, 0]))"), "have the mean"),
    _ce("divides-by-all-targets", _MEAN, _MEAN.replace(".mean()", ".sum() / len(rows)"),
        "2 count"),
    _ce("counts-ignored-rows", _PICK,
        "positions = np.arange(len(rows))\n        picked = rows[positions, labels] - top[:, 0]",
        "ignoring"),
    _ce("takes-the-first-labels", _PICK,
        _PICK.replace("labels[positions]", "labels[: len(positions)]"), "ignoring"),
    _ce("picks-whole-columns", _PICK, "picked = rows[:, labels[positions]] - top",
        "have the mean"),
    _ce("picks-the-largest", _PICK, "picked = rows[positions].max(axis=1) - top[positions, 0]",
        "have the mean"),
    _ce("shifts-the-exponentials-only", _PICK, _PICK.replace(" - top[positions, 0]", ""),
        "expensive, and finite"),
    _ce("ce-forgets-the-log", _MEAN, _MEAN.replace("np.log(totals[positions, 0])",
        "totals[positions, 0]"), "have the mean"),
    _ce("ce-base-two", _MEAN, _MEAN.replace("np.log(", "np.log2("), "have the mean"),
    _ce("log-of-the-fraction", _MEAN,
        'with np.errstate(divide="ignore"):\n'
        "            loss = -np.log((exps / totals)[positions, labels[positions]]).mean()",
        "expensive, and finite"),
    _ce("ce-pads-the-fraction", _MEAN,
        "loss = -np.log((exps / totals)[positions, labels[positions]] + 1e-12).mean()",
        "expensive, and finite"),
    _ce("writes-into-the-logits", _EXPS,
        "rows -= rows.max(axis=1, keepdims=True)\n        exps = np.exp(rows)",
        "do not write into it"),
    _ce("keeps-flat-totals", _MEAN, f"{_MEAN}\n        totals = totals[:, 0]",
        "totals (4, 1) here"),
    _ce("keeps-the-rows-that-count", _MEAN,
        f"{_MEAN}\n        exps, totals = exps[positions], totals[positions]",
        "exps is (4, 3)"),
    _ce("keeps-log-probabilities", _MEAN, f"{_MEAN}\n        exps = np.log(exps / totals)",
        "must be the softmax of every row"),
    _ce("keeps-probabilities-and-totals", _MEAN, f"{_MEAN}\n        exps = exps / totals",
        "must be the softmax of every row"),
    _ce("zeroes-ignored-rows", _MEAN,
        f"{_MEAN}\n        exps[np.setdiff1d(np.arange(len(rows)), positions)] = 0",
        "must be the softmax of every row"),
    _ce("loss-in-float32", _MEAN, f"{_MEAN}\n        loss = np.float32(loss)", "to 12 digits"),
]

# --- 4 yes or no
_bce = _wrong("binary-cross-entropy")
_CLIP = "p = np.clip(p, eps, 1 - eps)"
_OF_P = "return -(t * np.log(p) + (1 - t) * np.log(1 - p)).mean()"
_OF_X = "return (np.maximum(x, 0) - x * t + np.log1p(np.exp(-np.abs(x)))).mean()"
_QUIETLY = 'with np.errstate(all="ignore"):\n            '
BCE = [
    _bce("does-not-clamp", _CLIP, "pass", "is clamped"),
    _bce("clamps-below-only", _CLIP, "p = np.maximum(p, eps)", "p = 1 is clamped"),
    _bce("clamps-too-close", _CLIP, "p = np.clip(p, 1e-8, 1 - 1e-8)", "p = 0 is clamped"),
    _bce("clamps-too-far", _CLIP, "p = np.clip(p, 1e-3, 1 - 1e-3)", "is clamped"),
    _bce("pads-the-logarithm", _CLIP, "p = p + eps", "p = 1 is clamped"),
    _bce("forgets-the-no", _OF_P, "return -(t * np.log(p)).mean()", "a no costs"),
    _bce("forgets-the-sign-of-p", _OF_P, _OF_P.replace("-(t", "(t", 1), "a yes costs"),
    _bce("sums-p", _OF_P, _OF_P.replace(".mean()", ".sum()"), "a no costs"),
    _bce("swaps-targets", _OF_P, "return -((1 - t) * np.log(p) + t * np.log(1 - p)).mean()",
        "a yes costs"),
    _bce("rounds-targets", _OF_P, "return -np.log(np.where(t > 0.5, p, 1 - p)).mean()",
        "a soft target"),
    _bce("clamps-in-place", _CLIP, "p[...] = np.clip(p, eps, 1 - eps)", "work on a copy"),
    _bce("p-in-float32", _OF_P, _OF_P.replace("return", "return np.float32(") + ")",
        "BinaryCrossEntropyLoss() of float64"),
    _bce("passes-through-the-sigmoid", _OF_X,
        "p = np.clip(1 / (1 + np.exp(-x)), 1e-7, 1 - 1e-7)\n"
        "        return -(t * np.log(p) + (1 - t) * np.log(1 - p)).mean()", "overflows"),
    _bce("overflows", _OF_X,
        f"{_QUIETLY}return ((1 - t) * x + np.log1p(np.exp(-x))).mean()", "overflows"),
    _bce("loses-the-last-digits", _OF_X, _OF_X.replace("np.log1p(", "np.log(1 + "),
        "log1p does not"),
    _bce("subtracts-too-late", _OF_X, "return np.mean(np.logaddexp(0, x) - x * t)",
        "log1p does not"),
    _bce("is-exact-on-one-side", _OF_X, "return np.mean((1 - t) * x + np.logaddexp(0, -x))",
        "log1p does not"),
    _bce("forgets-the-target", _OF_X, _OF_X.replace(" - x * t", ""), "worked by hand"),
    _bce("adds-the-target", _OF_X, _OF_X.replace(" - x * t", " + x * t"), "worked by hand"),
    _bce("forgets-the-maximum", _OF_X, _OF_X.replace("np.maximum(x, 0)", "x"), "worked by hand"),
    _bce("forgets-the-absolute-value", _OF_X, _OF_X.replace("-np.abs(x)", "x"),
        "the mean of 3 and 1.5"),
    _bce("sums-x", _OF_X, _OF_X.replace(".mean()", ".sum()"), "the mean of 3 and 1.5"),
    _bce("x-in-float32", _OF_X, _OF_X.replace("return", "return np.float32(") + ")",
        "BCEWithLogitsLoss() of float64"),
]

MUTANTS = [*MSE, *LOG, *CE, *BCE]

# Right answers, three or more to an exercise.
_FUSED = f"""{_EXPS}
        {_TOTALS}
        top = np.zeros_like(totals)
        {_SAFE}  # far out: once more, with the shift
            {_TOP}
            np.exp(np.subtract(rows, top, out=exps), out=exps)
            np.sum(exps, axis=1, keepdims=True, out=totals)
        {_PICK}
        {_MEAN}
"""

ALTERNATIVES = [
    Alternative("multiplies", "mse-loss", _SQUARES,
        "errors = predictions - targets\n        return (errors * errors).mean()"),
    Alternative("sum-over-size", "mse-loss", _SQUARES,
        "return ((targets - predictions) ** 2).sum() / predictions.size"),
    Alternative("dot-product", "mse-loss", _SQUARES,
        "errors = (predictions - targets).reshape(-1)\n"
        "        return errors @ errors / errors.size"),
    Alternative("product-is-zero", "mse-loss", _EMPTY, "if np.prod(predictions) == 0:"),
    Alternative("compares-sizes-one-by-one", "mse-loss", _UNEQUAL,
        "if len(predictions) != len(targets) or any(\n"
        "        n != m for n, m in zip(predictions, targets, strict=True)\n    ):"),
    Alternative("log-sum-exp", "log-softmax", f"{_SHIFT}\n        {_FORMULA}",
        "top = x.max(axis=axis, keepdims=True)\n"
        "        return x - (top + np.log(np.exp(x - top).sum(axis=axis, keepdims=True)))"),
    Alternative("logaddexp", "log-softmax", _FORMULA,
        "return shifted - np.logaddexp.reduce(shifted, axis=axis, keepdims=True)"),
    Alternative("expand-dims", "log-softmax", _FORMULA,
        "return shifted - np.expand_dims(np.log(np.sum(np.exp(shifted), axis)), axis)"),
    Alternative("moves-the-axis", "log-softmax", f"{_SHIFT}\n        {_FORMULA}",
        "x = np.moveaxis(x, axis, -1)\n"
        "        shifted = x - x.max(axis=-1)[..., None]\n"
        "        shifted = shifted - np.log(np.exp(shifted).sum(axis=-1))[..., None]\n"
        "        return np.moveaxis(shifted, -1, axis)"),
    Alternative("always-shifts", "cross-entropy", _FUSED,
        """exps = rows - rows.max(axis=1, keepdims=True)
        picked = exps[positions, labels[positions]]
        np.exp(exps, out=exps)
        totals = exps.sum(axis=1, keepdims=True)
        loss = (np.log(totals[positions, 0]) - picked).mean()
"""),
    Alternative("by-log-probabilities", "cross-entropy", _FUSED,
        """shifted = rows - rows.max(axis=1, keepdims=True)
        exps = np.exp(shifted)
        totals = np.sum(exps, axis=1)[:, None]
        logs = shifted - np.log(totals)
        loss = -logs[positions, labels[positions]].mean()
"""),
    Alternative("keeps-the-softmax", "cross-entropy", _FUSED,
        """totals = np.logaddexp.reduce(rows, axis=1)
        loss = np.mean(totals[positions] - rows[positions, labels[positions]])
        exps, totals = np.exp(rows - totals[:, None]), np.ones_like(rows[:, :1])
"""),
    Alternative("row-by-row", "cross-entropy", _FUSED,
        """exps, totals, loss = np.empty_like(rows), np.empty_like(rows[:, :1]), 0
        for i, row in enumerate(rows):
            exps[i] = np.exp(row - row.max())
            totals[i] = exps[i].sum()
            if i in positions:
                loss += np.log(totals[i, 0]) - (row - row.max())[labels[i]]
        loss = loss / len(positions)
"""),
    Alternative("take-along-axis", "cross-entropy", _PICK,
        "picked = np.take_along_axis(\n"
        "            (rows - top)[positions], labels[positions, None].astype(int), axis=1\n"
        "        )[:, 0]"),
    Alternative("sum-over-count", "cross-entropy", _MEAN,
        "loss = np.sum(np.log(totals[positions, 0]) - picked) / positions.size"),
    Alternative("minimum-of-maximum", "binary-cross-entropy", _CLIP,
        "p = np.minimum(np.maximum(p, eps), 1 - eps)"),
    Alternative("log1p-of-minus-p", "binary-cross-entropy", _OF_P,
        "return np.mean(-t * np.log(p) - (1 - t) * np.log1p(-p))"),
    Alternative("two-logaddexp", "binary-cross-entropy", _OF_X,
        "return np.mean(t * np.logaddexp(0, -x) + (1 - t) * np.logaddexp(0, x))"),
    Alternative("relu-by-where", "binary-cross-entropy", _OF_X,
        "return (np.where(x > 0, x, 0) - x * t + np.log1p(np.exp(np.where(x > 0, -x, x)))).mean()"),
]
