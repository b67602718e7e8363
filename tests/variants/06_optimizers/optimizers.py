"""Wrong answers to the notebook Optimizers, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 update_average and weight_sum
_averages = _wrong("averages")
_FADE = "average *= beta"
_JOIN = "average += (1 - beta) * value"
_BOTH = f"{_FADE}\n    {_JOIN}"
_SUM = "return 1 - beta**step"
AVERAGES = [
    _averages("averages-makes-a-new-array", _BOTH, "average = beta * average + (1 - beta) * value",
        "did not change"),
    _averages("returns-it", _BOTH, "return beta * average + (1 - beta) * value",
        "did not change"),
    _averages("swaps-beta", _BOTH, "average *= 1 - beta\n    average += beta * value",
        "Step 1 of 5 and -1"),
    _averages("adds-up", _FADE, "pass", "Step 2 of 5 and -1"),
    _averages("keeps-the-last", _FADE, "average *= 0", "Step 2 of 5 and -1"),
    _averages("counts-values-in-full", _JOIN, "average += value", "Step 1 of 5 and -1"),
    _averages("is-plain", _BOTH, "average += 0.1 * (value - average)", "halve the average"),
    _averages("starts-with-the-value", _BOTH,
        "average[...] = value if not average.any() else beta * average + (1 - beta) * value",
        "Step 1 of 5 and -1"),
    _averages("scales-the-values", _JOIN, "value *= 1 - beta\n    average += value",
        "leave them as they are"),
    _averages("fades-too-late", _BOTH, f"{_JOIN}\n    {_FADE}", "Step 1 of 5 and -1"),
    _averages("sum-forgets-steps", _SUM, "return 1 - beta", "2 weights of beta 0.9 sum"),
    _averages("sum-multiplies", _SUM, "return 1 - beta * step", "2 weights of beta 0.9 sum"),
    _averages("sum-is-linear", _SUM, "return (1 - beta) * step", "2 weights of beta 0.0 sum"),
    _averages("sum-is-the-rest", _SUM, "return beta**step", "weights of beta 0.0 sum"),
    _averages("sum-counts-from-0", _SUM, "return 1 - beta ** (step - 1)",
        "1 weights of beta 0.0 sum"),
    _averages("sum-is-a-step-ahead", _SUM, "return 1 - beta ** (step + 1)",
        "1 weights of beta 0.9 sum"),
    _averages("sum-of-all", _SUM, "return 1.0", "1 weights of beta 0.9 sum"),
    _averages("power-of-the-rest", _SUM, "return (1 - beta) ** step", "2 weights of beta 0.9 sum"),
    _averages("averages-goes-to-float32", _JOIN,
        "average += ((1 - beta) * value).astype(np.float32)", "float64 stays float64"),
]

# --- 2 Adam.move and Adam.update
_adam = _wrong("adam")
_FIRST = "update_average(exp_avg, grad, self.beta1)"
_SECOND = "update_average(exp_avg_sq, grad * grad, self.beta2)"
_PACE = "pace = self.lr / weight_sum(self.beta1, step)"
_SIZE = "size = np.sqrt(exp_avg_sq / weight_sum(self.beta2, step))"
_MOVE = "param -= pace * exp_avg / (size + self.eps)"
_DECAY = """        if self.weight_decay:
            grad = grad + self.weight_decay * param
"""
_CALL = "        self.move(param, grad, step, exp_avg, exp_avg_sq)\n"
ADAM = [
    _adam("climbs", _MOVE, "param += pace * exp_avg / (size + self.eps)", "The first step is lr"),
    _adam("makes-a-new-array", _MOVE, "param = param - pace * exp_avg / (size + self.eps)",
        "Nothing moved"),
    _adam("corrects-nothing", f"{_PACE}\n        {_SIZE}",
        "pace, size = self.lr, np.sqrt(exp_avg_sq)", "The first step is lr"),
    _adam("corrects-only-the-mean", _SIZE, "size = np.sqrt(exp_avg_sq)", "The first step is lr"),
    _adam("corrects-only-the-squares", _PACE, "pace = self.lr", "The first step is lr"),
    _adam("corrects-as-if-at-step-1", _SIZE,
        "size = np.sqrt(exp_avg_sq / weight_sum(self.beta2, 1))", "over five steps"),
    _adam("corrects-the-root", _SIZE, "size = np.sqrt(exp_avg_sq) / weight_sum(self.beta2, step)",
        "The first step is lr"),
    _adam("corrects-by-the-other-beta", _PACE, "pace = self.lr / weight_sum(self.beta2, step)",
        "The first step is lr"),
    _adam("counts-one-too-many", _PACE, "pace = self.lr / weight_sum(self.beta1, step + 1)",
        "The first step is lr"),
    _adam("keeps-the-corrected", f"{_PACE}\n        {_SIZE}",
        """exp_avg /= weight_sum(self.beta1, step)
        exp_avg_sq /= weight_sum(self.beta2, step)
        pace, size = self.lr, np.sqrt(exp_avg_sq)""", "exp_avg"),
    _adam("eps-inside-the-root", f"{_SIZE}\n        {_MOVE}",
        "size = np.sqrt(exp_avg_sq / weight_sum(self.beta2, step) + self.eps)\n"
        "        param -= pace * exp_avg / size", "The first step is lr"),
    _adam("eps-before-correcting", f"{_SIZE}\n        {_MOVE}",
        "size = (np.sqrt(exp_avg_sq) + self.eps) / weight_sum(self.beta2, step) ** 0.5\n"
        "        param -= pace * exp_avg / size", "The first step is lr"),
    _adam("forgets-eps", _MOVE, "param -= pace * exp_avg / np.maximum(size, 1e-8)",
        "after it is drawn"),
    _adam("forgets-the-root", _SIZE, "size = exp_avg_sq / weight_sum(self.beta2, step)",
        "The first step is lr"),
    _adam("swaps-betas", f"{_FIRST}\n        {_SECOND}\n        {_PACE}\n        {_SIZE}",
        """update_average(exp_avg, grad, self.beta2)
        update_average(exp_avg_sq, grad * grad, self.beta1)
        pace = self.lr / weight_sum(self.beta2, step)
        size = np.sqrt(exp_avg_sq / weight_sum(self.beta1, step))""", "exp_avg"),
    _adam("squares-the-average", _SECOND, "exp_avg_sq[...] = exp_avg * exp_avg",
        "The first step is lr"),
    _adam("averages-sizes", _SECOND, "update_average(exp_avg_sq, abs(grad), self.beta2)",
        "The first step is lr"),
    _adam("keeps-no-mean", f"{_MOVE}", "param -= self.lr * grad / (size + self.eps)",
        "over five steps"),
    _adam("loses-the-averages", f"{_FIRST}\n        {_SECOND}",
        """exp_avg = exp_avg * self.beta1 + (1 - self.beta1) * grad
        exp_avg_sq = exp_avg_sq * self.beta2 + (1 - self.beta2) * grad * grad""", "exp_avg"),
    _adam("has-lr-by-heart", _PACE, "pace = 0.1 / weight_sum(self.beta1, step)", "over five steps"),
    _adam("squares-in-the-gradient", _SECOND,
        "grad *= grad\n        update_average(exp_avg_sq, grad, self.beta2)",
        "the gradient was changed"),
    _adam("decays-in-the-gradient", "grad = grad + self.weight_decay", "grad += self.weight_decay",
        "weight_decay"),
    _adam("ignores-decay", _DECAY, "", "weight_decay * param joins the gradient"),
    _adam("decays-beside", _DECAY, "        param *= 1 - self.lr * self.weight_decay\n",
        "weight_decay * param joins the gradient"),
    _adam("decays-afterwards", f"{_DECAY}{_CALL}",
        f"{_CALL}        param -= self.lr * self.weight_decay * param\n",
        "weight_decay * param joins the gradient"),
    _adam("grows", "grad + self.weight_decay * param", "grad - self.weight_decay * param",
        "weight_decay * param joins the gradient"),
    _adam("counts-steps-of-all", f"{_CALL}",
        "        self.move(param, grad, max(self.steps), exp_avg, exp_avg_sq)\n",
        "first step came second"),
    _adam("goes-to-float32", _MOVE,
        "param -= (pace * exp_avg / (size + self.eps)).astype(np.float32)",
        "float64 stays float64"),
]

# --- 3 AdamW.update
_adamw = _wrong("adamw")
_SHRINK = "param *= 1 - self.lr * self.weight_decay"
ADAMW = [
    _adamw("never-decays", f"        {_SHRINK}\n", "", "As by hand"),
    _adamw("adamw-decays-afterwards", f"        {_SHRINK}\n{_CALL}", f"{_CALL}        {_SHRINK}\n",
        "As by hand"),
    _adamw("decays-without-lr", _SHRINK, "param *= 1 - self.weight_decay", "As by hand"),
    _adamw("decays-by-lr-twice", _SHRINK, "param *= 1 - self.lr * self.lr * self.weight_decay",
        "As by hand"),
    _adamw("takes-lr-for-decay", _SHRINK, "param *= 1 - self.lr", "As by hand"),
    _adamw("adamw-grows", _SHRINK, "param *= 1 + self.lr * self.weight_decay", "As by hand"),
    _adamw("keeps-the-decayed-only", _SHRINK, "param *= self.lr * self.weight_decay",
        "As by hand"),
    _adamw("shrinks-a-copy", _SHRINK, "param = param * (1 - self.lr * self.weight_decay)",
        "As by hand"),
    _adamw("is-adam", f"        {_SHRINK}\n{_CALL}",
        "        super().update(param, grad, step, exp_avg, exp_avg_sq)\n", "As by hand"),
    _adamw("decays-in-both-ways", _CALL,
        "        super().update(param, grad, step, exp_avg, exp_avg_sq)\n",
        "averages must be of the gradient alone"),
    _adamw("never-moves", _CALL, "", "As by hand"),
    _adamw("decays-in-the-first-step-only", _SHRINK, f"if step == 1:\n            {_SHRINK}",
        "2 * 0.95**3"),
    _adamw("decays-where-a-gradient-is", _SHRINK,
        "param *= 1 - self.lr * self.weight_decay * (grad != 0)", "2 * 0.95**3"),
    _adamw("adamw-has-lr-by-heart", _SHRINK, "param *= 1 - 0.1 * self.weight_decay",
        "With lr 0.1, 0.3, 0.2"),
]

MUTANTS = [*AVERAGES, *ADAM, *ADAMW]

ALTERNATIVES = [
    Alternative("one-line", "averages", _BOTH,
        "average[...] = beta * average + (1 - beta) * value"),
    Alternative("towards-the-value", "averages", _BOTH,
        "average += (1 - beta) * (value - average)"),
    Alternative("with-out", "averages", _BOTH,
        "np.multiply(average, beta, out=average)\n"
        "    np.add(average, (1 - beta) * value, out=average)"),
    Alternative("sum-in-a-loop", "averages", _SUM,
        "return sum((1 - beta) * beta**k for k in range(step))"),
    Alternative("sum-by-pow", "averages", _SUM, "return 1.0 - math.pow(beta, step)"),
    Alternative("hats", "adam", f"{_PACE}\n        {_SIZE}\n        {_MOVE}",
        """m = exp_avg / weight_sum(self.beta1, step)
        v = exp_avg_sq / weight_sum(self.beta2, step)
        param -= self.lr * m / (np.sqrt(v) + self.eps)"""),
    Alternative("as-pytorch", "adam", f"{_SIZE}",
        "size = np.sqrt(exp_avg_sq) / math.sqrt(weight_sum(self.beta2, step))"),
    Alternative("as-in-the-paper's-section-2", "adam", f"{_PACE}\n        {_SIZE}\n        {_MOVE}",
        """root = weight_sum(self.beta2, step) ** 0.5
        pace = self.lr * root / weight_sum(self.beta1, step)
        param -= pace * exp_avg / (np.sqrt(exp_avg_sq) + self.eps * root)"""),
    Alternative("scratch", "adam", f"{_SIZE}\n        {_MOVE}",
        """scratch = exp_avg_sq / weight_sum(self.beta2, step)
        np.sqrt(scratch, out=scratch)
        scratch += self.eps
        np.divide(exp_avg, scratch, out=scratch)
        scratch *= pace
        param -= scratch"""),
    Alternative("always-decays", "adam", _DECAY,
        "        grad = grad + self.weight_decay * param\n"),
    Alternative("subtracts-the-share", "adamw", _SHRINK,
        "param -= self.lr * self.weight_decay * param"),
    Alternative("by-slice", "adamw", _SHRINK,
        "param[...] = param - param * (self.lr * self.weight_decay)"),
    Alternative("if-any", "adamw", _SHRINK, f"if self.weight_decay > 0:\n            {_SHRINK}"),
    Alternative("through-adam-without-decay", "adamw", f"        {_SHRINK}\n{_CALL}",
        """        decay, self.weight_decay = self.weight_decay, 0.0
        np.multiply(param, 1 - self.lr * decay, out=param)
        super().update(param, grad, step, exp_avg, exp_avg_sq)
        self.weight_decay = decay
"""),
]
