"""Wrong answers to the notebook Fused, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 activations
_act = _wrong("activations")
_RELU = "return (grad * (self.result > 0),)"
_SIGMOID = "return (grad * (self.result * (1 - self.result)),)"
_SLOPE = "slope_of_u = GELU_SCALE * (1 + 3 * GELU_CUBIC * (a * a))"
_GELU = "return (grad * (0.5 * (1 + t) + 0.5 * a * (1 - t * t) * slope_of_u),)"
ACTIVATIONS = [
    _act("relu-at-zero", _RELU, "return (grad * (self.result >= 0),)", "not at 0"),
    _act("relu-of-the-gradient", _RELU, "return (np.maximum(grad, 0),)", "let through where"),
    _act("relu-times-result", _RELU, "return (grad * self.result,)", "let through where"),
    _act("relu-forgets-the-incoming", _RELU, "return ((self.result > 0).astype(grad.dtype),)",
        "let through where"),
    _act("relu-passes-all", _RELU, "return (grad,)", "let through where"),
    _act("relu-in-float64", _RELU, "return (grad * (self.result > 0).astype(float),)",
        "float32 wants a float32 gradient"),
    _act("sigmoid-of-the-input", _SIGMOID,
        "a = self.inputs[0].data\n    return (grad * a * (1 - a),)", "s (1 - s)"),
    _act("sigmoid-like-tanh", _SIGMOID, "return (grad * (1 - self.result * self.result),)",
        "s (1 - s)"),
    _act("sigmoid-half", _SIGMOID, "return (grad * self.result,)", "s (1 - s)"),
    _act("sigmoid-overflows", _SIGMOID,
        "e = np.exp(-self.inputs[0].data)\n    return (grad * e / (1 + e) ** 2,)", "no nan"),
    _act("sigmoid-forgets-the-incoming", _SIGMOID,
        "return (self.result * (1 - self.result),)", "times the incoming"),
    _act("gelu-one-term", _GELU, "return (grad * 0.5 * (1 + t),)", "gelu, against nudging"),
    _act("gelu-forgets-the-square", _GELU, _GELU.replace("1 - t * t", "1 - t"),
        "0 far left"),
    _act("gelu-forgets-the-inner-slope", _GELU, _GELU.replace(" * slope_of_u", ""),
        "gelu, against nudging"),
    _act("gelu-forgets-the-three", _SLOPE, _SLOPE.replace("3 * ", ""), "gelu, against nudging"),
    _act("gelu-forgets-the-scale", _SLOPE, _SLOPE.replace("GELU_SCALE * ", ""),
        "gelu, against nudging"),
    _act("gelu-of-relu", _GELU, "return (grad * (a > 0),)", "0.5 at 0"),
    _act("gelu-forgets-half", _GELU, _GELU.replace("0.5 * a", "a"), "gelu, against nudging"),
]

# --- 2 softmax and its logarithm
_soft = _wrong("softmax")
_AVERAGE = "average = (grad * p).sum(axis=dim, keepdims=True)"
_SOFTMAX = "return (p * (grad - average),)"
_LOG = "return (grad - np.exp(self.result) * grad.sum(axis=dim, keepdims=True),)"
SOFTMAX = [
    _soft("diagonal-only", _SOFTMAX, "return (grad * p * (1 - p),)", "worked above"),
    _soft("forgets-the-average", _SOFTMAX, "return (p * grad,)", "worked above"),
    _soft("plain-average", _AVERAGE, "average = grad.mean(axis=dim, keepdims=True)",
        "worked above"),
    _soft("plain-sum", _AVERAGE, "average = grad.sum(axis=dim, keepdims=True)",
        "worked above"),
    _soft("sums-everything", _AVERAGE, "average = (grad * p).sum()", "each row by itself"),
    _soft("always-the-last-dim", _AVERAGE, "average = (grad * p).sum(axis=-1, keepdims=True)",
        "along dim 0"),
    _soft("always-the-first-dim", _AVERAGE, "average = (grad * p).sum(axis=0, keepdims=True)",
        "each row by itself"),
    _soft("average-outside", _SOFTMAX, "return (p * grad - average,)", "worked above"),
    _soft("loses-the-dim", _AVERAGE, "average = (grad * p).sum(axis=dim)",
        "each row by itself"),
    _soft("softmax-in-float64", _AVERAGE, "p = p.astype(float)\n    " + _AVERAGE,
        "float32 wants a float32 gradient"),
    _soft("writes-into-the-incoming", _SOFTMAX,
        "grad -= average\n    grad *= p\n    return (grad,)", "was overwritten"),
    _soft("log-forgets-the-sum", _LOG, "return (grad - np.exp(self.result) * grad,)",
        "grad - p sum"),
    _soft("log-of-the-softmax-rule", _LOG,
        "p = np.exp(self.result)\n"
        "    return (p * (grad - (grad * p).sum(axis=dim, keepdims=True)),)", "grad - p sum"),
    _soft("log-result-for-p", _LOG, _LOG.replace("np.exp(self.result)", "self.result"),
        "grad - p sum"),
    _soft("log-sums-everything", _LOG,
        "return (grad - np.exp(self.result) * grad.sum(),)", "along dim 0"),
    _soft("log-always-last", _LOG, _LOG.replace("axis=dim", "axis=-1"), "along dim 0"),
    _soft("log-divides", _LOG,
        "p = np.exp(self.result)\n    grad = grad / p\n"
        "    return (p * (grad - (grad * p).sum(axis=dim, keepdims=True)),)", "no nan"),
    _soft("log-adds", _LOG, _LOG.replace("grad - np", "grad + np"), "grad - p sum"),
]

# --- 3 cross-entropy
_ce = _wrong("cross-entropy")
_WEIGH = "weights[positions] = grad / len(positions)"
_SCALE = "in_halves(np.multiply, exps, weights / totals, out=exps)  # p, times each row's weight"
_TAKE = "exps[positions, labels[positions]] -= weights[positions, 0]"
_RETURN = (
    "return exps if logits.ndim == 2 else exps.reshape(logits.shape), None  # views are copied"
)
CE = [
    _ce("forgets-the-count", _WEIGH, "weights[positions] = grad", "(p - y) / 2"),
    _ce("counts-all-rows", _WEIGH, "weights[positions] = grad / len(labels)", "one counts"),
    _ce("forgets-the-incoming", _WEIGH, "weights[positions] = 1 / len(positions)",
        "times the incoming gradient"),
    _ce("divides-by-everything", _WEIGH, "weights[positions] = grad / exps.size",
        "(p - y) / 2"),
    _ce("ignored-rows-learn", _WEIGH, "weights[:] = grad / len(positions)", "one counts"),
    _ce("takes-one-from-ignored-rows", _TAKE,
        "exps[np.arange(len(labels)), labels] -= grad / len(positions)", "one counts"),
    _ce("labels-in-order", _TAKE, "exps[positions, labels[: len(positions)]] -="
        " weights[positions, 0]", "one counts"),
    _ce("forgets-y", _TAKE, "pass", "(p - y) / 2"),
    _ce("y-minus-p", _RETURN, "return -exps.reshape(logits.shape), None", "(p - y) / 2"),
    _ce("whole-columns", _TAKE, "exps[:, labels[positions]] -= weights[positions, 0]",
        "one counts"),
    _ce("takes-a-whole-one", _TAKE, "exps[positions, labels[positions]] -= 1", "(p - y) / 2"),
    _ce("forgets-totals", _SCALE, "exps *= weights", "(p - y) / 2"),
    _ce("softmax-over-the-batch", _SCALE, "exps *= weights / exps.sum(axis=0)", "(p - y) / 2"),
    _ce("keeps-it-flat", _RETURN, "return exps, None", "in the shape of the logits"),
    _ce("one-gradient-less", _RETURN, "return exps.reshape(logits.shape)", "return a tuple"),
    _ce("exponentials-again", _SCALE,
        "exps = np.exp(logits.reshape(exps.shape))\n"
        "    exps *= weights / exps.sum(axis=1, keepdims=True)", "no nan far out"),
    _ce("grows-to-float64", _SCALE, "exps = exps * (weights / totals).astype(float)",
        "float32 wants a float32 gradient"),
]

# --- 4 yes or no
_bce = _wrong("yes-or-no")
_INSIDE = "inside = (p >= eps) & (p <= 1 - eps)"
_CLIP = "p = np.clip(p, eps, 1 - eps)"
_OF_P = "of_p = scale * inside * (p - t) / (p * (1 - p))"
_OF_T = "of_t = scale * (np.log(1 - p) - np.log(p)) if needs_grad(self.inputs[1]) else None"
_OF_X = "of_x = scale * (SigmoidFunction().forward(x) - t)"
_BOTH = "return of_x, -scale * x if needs_grad(self.inputs[1]) else None"
BCE = [
    _bce("pushes-outside", _INSIDE, "inside = True", "0 where p was clamped"),
    _bce("does-not-clamp", _CLIP, "pass", "0 where p was clamped"),
    _bce("clamped-before-asking", _INSIDE,
        "p = np.clip(p, eps, 1 - eps)\n    inside = (p >= eps) & (p <= 1 - eps)",
        "0 where p was clamped"),
    _bce("asks-below-only", _INSIDE, "inside = p >= eps", "0 where p was clamped"),
    _bce("forgets-to-divide", _OF_P, "of_p = scale * inside * (p - t)", "(p - t) / (p (1 - p))"),
    _bce("t-minus-p", _OF_P, _OF_P.replace("p - t", "t - p"), "(p - t) / (p (1 - p))"),
    _bce("forgets-the-no", _OF_P, "of_p = -scale * inside * t / p", "times the incoming"),
    _bce("p-forgets-the-count", _OF_P, _OF_P.replace("scale", "scale * p.size"),
        "times the incoming"),
    _bce("p-forgets-the-incoming", _OF_P, _OF_P.replace("scale", "p.dtype.type(1 / p.size)"),
        "times the incoming"),
    _bce("p-in-float64", _OF_P, _OF_P.replace("(p - t)", "(p.astype(float) - t)"),
        "float32 wants a float32 gradient"),
    _bce("always-gives-targets", _OF_T, _OF_T.split(" if ")[0], "did not ask"),
    _bce("targets-of-the-wrong-sign", _OF_T,
        _OF_T.replace("np.log(1 - p) - np.log(p)", "np.log(p) - np.log(1 - p)"),
        "of predictions and targets"),
    _bce("targets-never", _OF_T, "of_t = None", "of predictions and targets"),
    _bce("x-forgets-the-target", _OF_X, "of_x = scale * SigmoidFunction().forward(x)",
        "(s - t) / 2"),
    _bce("x-times-the-slope", _OF_X,
        "s = SigmoidFunction().forward(x)\n    of_x = scale * (s - t) * s * (1 - s)",
        "(s - t) / 2"),
    _bce("x-in-place-of-s", _OF_X, "of_x = scale * (x - t)", "(s - t) / 2"),
    _bce("x-forgets-the-count", _OF_X, _OF_X.replace("scale", "scale * x.size"), "(s - t) / 2"),
    _bce("x-forgets-the-incoming", _OF_X, _OF_X.replace("scale", "1 / x.size"), "(s - t) / 2"),
    _bce("x-overflows", _OF_X, "of_x = scale * (np.exp(x) / (1 + np.exp(x)) - t)", "no nan"),
    _bce("x-rounds-targets", _OF_X, _OF_X.replace("- t)", "- np.round(t))"), "soft targets"),
    _bce("targets-of-x-swapped", _BOTH, _BOTH.replace("-scale", "scale"),
        "of predictions and targets"),
]

# --- 5 learning, by hand
_step = _wrong("descend")
_FORGET = "            parameter.zero_grad()\n"
_MOVE = "parameter.data -= lr * parameter.grad"
_KEEP = "losses.append(loss.item())"
_FORWARD = "loss = loss_fn(model(inputs), targets)\n"
DESCEND = [
    _step("never-forgets", _FORGET, "            pass\n", "forget old grads"),
    _step("climbs", _MOVE, "parameter.data += lr * parameter.grad", "down, by lr?"),
    _step("steps-by-one", _MOVE, "parameter.data -= parameter.grad", "down, by lr?"),
    _step("does-not-move", _MOVE, "parameter = parameter.data - lr * parameter.grad",
        "down, by lr?"),
    _step("sets-to-the-gradient", _MOVE, "parameter.data = -lr * parameter.grad", "down, by lr?"),
    _step("steps-by-the-sign", _MOVE, "parameter.data -= lr * np.sign(parameter.grad)",
        "down, by lr?"),
    _step("scales-the-weights", _MOVE, "parameter.data *= 1 - lr * parameter.grad",
        "down, by lr?"),
    _step("moves-the-first-only", _MOVE, f"{_MOVE}\n            break", "down, by lr?"),
    _step("keeps-tensors", _KEEP, "losses.append(loss)", "Python numbers"),
    _step("keeps-the-last", _KEEP, "losses = [loss.item()]", "Python numbers"),
    _step("measures-after", _KEEP, "losses.append(loss_fn(model(inputs), targets).item())",
        "down, by lr?"),
    _step("swaps-the-arguments", _FORWARD, "loss = loss_fn(model(targets), inputs)\n",
        "Linear expects"),
    _step("loses-the-graph", _FORWARD,
        "loss = loss_fn(model(inputs).detach(), targets)\n", "requires_grad"),
]

MUTANTS = [*ACTIVATIONS, *SOFTMAX, *CE, *BCE, *DESCEND]

# Right answers, three or more to an exercise.
ALTERNATIVES = [
    Alternative("where", "activations", _RELU, "return (np.where(self.result > 0, grad, 0),)"),
    Alternative("sign-of-the-input", "activations", _RELU,
        "return (grad * (self.inputs[0].data > 0),)"),
    Alternative("multiplied-out", "activations", _SIGMOID,
        "s = self.result\n    return (grad * s - grad * s * s,)"),
    Alternative("mirrored-sigmoid", "activations", _SIGMOID,
        "return (grad * self.result * SigmoidFunction().forward(-self.inputs[0].data),)"),
    Alternative("tanh-again", "activations", _GELU,
        "t = np.tanh(GELU_SCALE * (a + GELU_CUBIC * a * a * a))\n"
        "    return (0.5 * grad * (1 + t + a * (1 - np.square(t)) * slope_of_u),)"),
    Alternative("dot-of-rows", "softmax", _AVERAGE,
        "average = np.sum(p * grad, axis=dim)\n    average = np.expand_dims(average, dim)"),
    Alternative("two-terms", "softmax", _SOFTMAX, "return (p * grad - p * average,)"),
    Alternative("whole-table", "softmax", f"{_AVERAGE}\n    {_SOFTMAX}",
        "p, grad = np.moveaxis(p, dim, -1), np.moveaxis(grad, dim, -1)\n"
        "    table = p[..., None] * (np.eye(p.shape[-1], dtype=p.dtype) - p[..., None, :])\n"
        "    return (np.moveaxis((grad[..., None, :] @ table)[..., 0, :], -1, dim),)"),
    Alternative("sum-first", "softmax", _LOG,
        "total = np.sum(grad, axis=dim, keepdims=True)\n"
        "    return [grad - total * np.exp(self.result)]"),
    Alternative("new-arrays", "cross-entropy", f"{_SCALE}\n    {_TAKE}\n    {_RETURN}",
        "y = np.zeros_like(exps)\n    y[positions, labels[positions]] = 1\n"
        "    return (weights * (exps / totals - y)).reshape(logits.shape), None"),
    Alternative("eye", "cross-entropy", f"{_SCALE}\n    {_TAKE}\n    {_RETURN}",
        "p = exps[positions] / totals[positions]\n"
        "    y = np.eye(p.shape[1], dtype=p.dtype)[labels[positions]]\n"
        "    full = np.zeros_like(exps)\n    full[positions] = (p - y) * weights[positions]\n"
        "    return full.reshape(logits.shape), None"),
    Alternative("row-by-row", "cross-entropy", f"{_SCALE}\n    {_TAKE}\n    {_RETURN}",
        "full = np.zeros_like(exps)\n    for i in positions:\n"
        "        full[i] = exps[i] / totals[i]\n        full[i, labels[i]] -= 1\n"
        "    return full.reshape(logits.shape) * weights[positions[0]], None"),
    Alternative("two-slopes", "yes-or-no", _OF_P,
        "of_p = scale * np.where(inside, (1 - t) / (1 - p) - t / p, 0)"),
    Alternative("unequal-to-clamped", "yes-or-no", f"{_INSIDE}\n    {_CLIP}",
        "clamped = np.clip(p, eps, 1 - eps)\n    inside, p = p == clamped, clamped"),
    Alternative("log-of-the-odds", "yes-or-no", _OF_T,
        "of_t = -scale * np.log(p / (1 - p))\n"
        "    of_t = of_t if needs_grad(self.inputs[1]) else None"),
    Alternative("scaled-after", "yes-or-no", _OF_X,
        "of_x = SigmoidFunction().forward(x)\n    of_x -= t\n    of_x = of_x * scale"),
    Alternative("tanh-of-half", "yes-or-no", _OF_X,
        "of_x = scale * (0.5 * (1 + np.tanh(x / 2)) - t)"),
    Alternative("new-data", "descend", _MOVE,
        "parameter.data = parameter.data - lr * parameter.grad"),
    Alternative("forgets-at-the-end", "descend", _KEEP,
        "losses.append(float(loss.item()))\n        for parameter in model.parameters():\n"
        "            parameter.zero_grad()"),
    Alternative("sets-none", "descend", "parameter.zero_grad()", "parameter.grad = None"),
    Alternative("float-of-the-tensor", "descend", _KEEP, "losses.append(float(loss))"),
]
