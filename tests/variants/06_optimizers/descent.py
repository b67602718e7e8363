"""Wrong answers to the notebook Descent, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 Optimizer.zero_grad and Optimizer.step
_optimizer = _wrong("optimizer")
_ZERO = "for p in self.params:\n            p.grad = None"
_READY = "ready = [i for i, p in enumerate(self.params) if p.grad is not None]"
_CHECKS = "        for i in ready:\n            check_gradient(i, self.params[i])\n"
_COUNT = "self.steps[i] += 1"
_CHANGE = "self.change(i)"
_WALK = f"        for i in ready:\n            {_COUNT}\n            {_CHANGE}\n"
_STEP = f"        {_READY}\n{_CHECKS}{_WALK}"
OPTIMIZER = [
    _optimizer("leaves-zeros", "p.grad = None", "p.grad = np.zeros_like(p.data)",
        "to None, not to an array"),
    _optimizer("empties-in-place", "p.grad = None",
        "p.grad = None if p.grad is None else 0 * p.grad",
        "to None, not to an array"),
    _optimizer("empties-the-first", "p.grad = None", "p.grad = None\n            break",
        "to None, not to an array"),
    _optimizer("checks-as-it-goes", f"{_CHECKS}        for i in ready:\n",
        "        for i in ready:\n            check_gradient(i, self.params[i])\n",
        "before any parameter is changed"),
    _optimizer("checks-behind", _STEP, _STEP.replace(_CHECKS, "") + _CHECKS,
        "before any parameter is changed"),
    _optimizer("never-checks", _CHECKS, "", "call check_gradient(2, c)"),
    _optimizer("checks-the-first", _CHECKS,
        "        check_gradient(ready[0], self.params[ready[0]])\n",
        "call check_gradient"),
    _optimizer("checks-by-place-among-ready", "            check_gradient(i, self.params[i])",
        "            check_gradient(ready.index(i), self.params[i])", "call check_gradient(2, c)"),
    _optimizer("skips-bad-gradients", _CHECKS, "        ready = [i for i in ready "
        "if np.isfinite(self.params[i].grad).all()]\n", "call check_gradient(2, c)"),
    _optimizer("counts-before-checking", _STEP, f"""        {_READY}
        for i in ready:
            {_COUNT}
            check_gradient(i, self.params[i])
        for i in ready:
            {_CHANGE}
""", "does not count"),
    _optimizer("counts-for-all", _COUNT, "self.steps = [n + 1 for n in self.steps]",
        "the steps are [1, 0, 1]"),
    _optimizer("counts-calls", _STEP,
        f"        self.steps = [n + 1 for n in self.steps]\n{_STEP}".replace(_COUNT, "pass"),
        "the steps are [1, 0, 1]"),
    _optimizer("never-counts", f"            {_COUNT}\n", "", "the steps are [1, 0, 1]"),
    _optimizer("counts-afterwards", f"{_COUNT}\n            {_CHANGE}",
        f"{_CHANGE}\n            {_COUNT}", "gives [0, 2]"),
    _optimizer("stops-at-the-first-without", _READY, """ready = []
        for i, p in enumerate(self.params):
            if p.grad is None:
                break
            ready.append(i)""", "the steps are [1, 0, 1]"),
    _optimizer("numbers-the-ready", _STEP,
        """        ready = [p for p in self.params if p.grad is not None]
        for i, p in enumerate(ready):
            check_gradient(i, p)
        everyone = self.params
        self.params = ready
        for i in range(len(ready)):
            self.steps[i] += 1
            self.change(i)
        self.params = everyone
""", "the steps are [1, 0, 1]"),
    _optimizer("makes-up-gradients", _READY, """for p in self.params:
            p.grad = np.zeros_like(p.data) if p.grad is None else p.grad
        ready = range(len(self.params))""", "the steps are [1, 0, 1]"),
    _optimizer("skips-zero-gradients", "if p.grad is not None]",
        "if p.grad is not None and np.any(p.grad)]", "A gradient of 0 is a gradient"),
    _optimizer("forgets-gradients-itself", _STEP, f"{_STEP}        self.zero_grad()\n",
        "step() keeps gradients"),
    _optimizer("steps-twice", _CHANGE, f"{_CHANGE}\n            {_CHANGE}", "gives [0, 2]"),
    _optimizer("works-on-copies", _CHANGE,
        "self.params[i].data = self.params[i].data.copy()\n            self.change(i)",
        "in their own arrays"),
]

# --- 2 SGD.update
_sgd = _wrong("sgd")
_IF_DECAY = "if self.weight_decay:\n            "
_DECAY = "grad = grad + self.weight_decay * param"
_KEEP = "velocity *= self.momentum"
_ADD = "velocity += grad"
_MOVE = "param -= self.lr * grad"
_BRANCH = f"""        if velocity is not None:
            {_KEEP}
            {_ADD}
            grad = velocity
"""
SGD = [
    _sgd("climbs", _MOVE, "param += self.lr * grad", "param - lr * grad"),
    _sgd("makes-a-new-array", _MOVE, "param = param - self.lr * grad", "nothing moved"),
    _sgd("forgets-lr", _MOVE, "param -= grad", "param - lr * grad"),
    _sgd("ignores-momentum", "grad = velocity", "pass", "and lr only when param moves"),
    _sgd("overwrites-the-velocity", _ADD, "velocity[...] = grad", "and lr only when param moves"),
    _sgd("never-forgets", f"            {_KEEP}\n", "", "and lr only when param moves"),
    _sgd("damps", _ADD, "velocity += (1 - self.momentum) * grad", "and lr only when param moves"),
    _sgd("looks-ahead", "grad = velocity", "grad = grad + self.momentum * velocity",
        "and lr only when param moves"),
    _sgd("keeps-lr-in-the-velocity", f"{_BRANCH}        {_MOVE}",
        f"""        if velocity is not None:
            {_KEEP}
            velocity += self.lr * grad
            param -= velocity
        else:
            {_MOVE}""", "and lr only when param moves"),
    _sgd("loses-the-velocity", f"{_KEEP}\n            {_ADD}\n",
        "velocity = self.momentum * velocity + grad\n", "and lr only when param moves"),
    _sgd("writes-into-the-gradient", _DECAY, "grad += self.weight_decay * param",
        "the gradient was changed"),
    _sgd("velocity-in-the-gradient", _BRANCH, """        if velocity is not None:
            grad += self.momentum * velocity
            velocity[...] = grad
""", "the gradient was changed"),
    _sgd("ignores-decay", f"        {_IF_DECAY}{_DECAY}\n", "", "joins the gradient"),
    _sgd("grows-instead-of-decaying", _DECAY, "grad = grad - self.weight_decay * param",
        "joins the gradient"),
    _sgd("decays-afterwards", f"        {_IF_DECAY}{_DECAY}\n{_BRANCH}        {_MOVE}\n",
        f"{_BRANCH}        {_MOVE}\n        param -= self.lr * self.weight_decay * param\n",
        "before the step"),
    _sgd("decays-beside-the-velocity", f"        {_IF_DECAY}{_DECAY}\n{_BRANCH}        {_MOVE}\n",
        f"        old = param.copy()\n{_BRANCH}        {_MOVE}\n"
        "        param -= self.lr * self.weight_decay * old\n",
        "the velocity takes both"),
    _sgd("decays-by-lr-twice", _DECAY, "grad = grad + self.lr * self.weight_decay * param",
        "joins the gradient"),
    _sgd("decays-without-lr", f"{_IF_DECAY}{_DECAY}", "param *= 1 - self.weight_decay",
        "joins the gradient"),
    _sgd("decays-by-sign", _DECAY, "grad = grad + self.weight_decay * np.sign(param)",
        "joins the gradient"),
    _sgd("shares-a-velocity", f"{_KEEP}\n            {_ADD}\n            grad = velocity",
        """shared = self.buffers[0]["velocity"]
            shared *= self.momentum
            shared += grad
            grad = shared""", "its own velocity"),
    _sgd("goes-to-float32", _MOVE,
        "param -= self.lr * grad.astype(np.float32)", "float64 stays float64"),
]

MUTANTS = [*OPTIMIZER, *SGD]

ALTERNATIVES = [
    Alternative("through-zero-grad", "optimizer", _ZERO,
        "[p.zero_grad() for p in self.params]"),
    Alternative("two-ifs", "optimizer", _STEP, """        for i, p in enumerate(self.params):
            if p.grad is not None:
                check_gradient(i, p)
        for i, p in enumerate(self.params):
            if p.grad is not None:
                self.steps[i] = self.steps[i] + 1
                self.change(i)
"""),
    Alternative("by-dictionary", "optimizer", _STEP, """        ready = {}
        for number in range(len(self.params)):
            if not self.params[number].grad is None:
                check_gradient(number, self.params[number])
                ready[number] = self.steps[number] + 1
        for number, count in ready.items():
            self.steps[number] = count
            self.change(number)
"""),
    Alternative("continue", "optimizer", _STEP, """        for checking in (True, False):
            for i, p in enumerate(self.params):
                if p.grad is None:
                    continue
                if checking:
                    check_gradient(i, p)
                else:
                    self.steps[i] += 1
                    self.change(i)
"""),
    Alternative("always-decays", "sgd", f"{_IF_DECAY}{_DECAY}", _DECAY),
    Alternative("velocity-by-slice", "sgd", f"{_KEEP}\n            {_ADD}",
        "velocity[...] = self.momentum * velocity + grad"),
    Alternative("returns-early", "sgd", f"{_BRANCH}        {_MOVE}", """        if velocity is None:
            param -= self.lr * grad
            return
        np.multiply(velocity, self.momentum, out=velocity)
        np.add(velocity, grad, out=velocity)
        param -= self.lr * velocity"""),
    Alternative("param-by-slice", "sgd", _MOVE, "param[...] = param - grad * self.lr"),
]
