"""Wrong answers to the notebook Autodiff, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 count_uses
_count = _wrong("count-uses")
_COUNT = """uses, stack = {root: 0}, [root]
    while stack:
        function = stack.pop()
        if function.inputs is None:
            raise freed(function)
        for x in function.inputs:
            maker = getattr(x, "_grad_fn", None)
            if maker is not None:
                if maker not in uses:
                    uses[maker] = 0
                    stack.append(maker)
                uses[maker] += 1
    return uses
"""
_NEW = """if maker not in uses:
                    uses[maker] = 0
                    stack.append(maker)
                uses[maker] += 1
"""
COUNT = [
    _count("visits-at-every-use", _NEW, """uses[maker] = uses.get(maker, 0) + 1
                stack.append(maker)
""", "look at each only once"),
    _count("counts-an-operation-once", _NEW, """if maker not in uses:
                    uses[maker] = 1
                    stack.append(maker)
""", "a diamond: y has two users"),
    _count("starts-at-one", "uses[maker] = 0", "uses[maker] = 1", "a chain"),
    _count("root-has-a-use", "{root: 0}", "{root: 1}", "nobody uses the end"),
    _count("forgets-the-root", "{root: 0}, [root]", "{}, [root]", "nobody uses the end"),
    _count("counts-different-inputs", "for x in function.inputs:",
        "for x in dict.fromkeys(function.inputs):", "y * y uses y twice"),
    _count("stops-at-the-first-level", "stack.append(maker)", "pass", "a chain"),
    _count("stumbles-over-numbers", 'getattr(x, "_grad_fn", None)', "x._grad_fn", "AttributeError"),
    _count("walks-into-freed-graphs", "raise freed(function)", "continue", "raise freed(function)"),
    _count("recursion", _COUNT, """uses = {root: 0}

    def visit(function):
        if function.inputs is None:
            raise freed(function)
        for x in function.inputs:
            maker = getattr(x, "_grad_fn", None)
            if maker is not None:
                is_new = maker not in uses
                uses[maker] = uses.get(maker, 0) + 1
                if is_new:
                    visit(maker)

    visit(root)
    return uses
""", "Use a stack"),
]

# --- 2 backpropagate
_back = _wrong("backpropagate")
_GATHER = "waiting[maker] = waiting[maker] + grad if maker in waiting else grad"
_READY = """if uses[maker] == 0:
                    ready.append(maker)
"""
_FREE = "function.inputs = function.result = function.saved = None"
_ACCUMULATE = "accumulate(function, x, grad, gradient, answers)"
_WALK = """waiting, ready = {root: gradient}, [root]
    while ready:
        function = ready.pop()
        gradient = waiting.pop(function, None)
        answers = ask(function, gradient)
        for x, grad in zip(function.inputs, answers):  # noqa: B905  strict costs 6 %; ask() looked
            maker = getattr(x, "_grad_fn", None)
            if maker is not None:
                if grad is not None:
                    grad = checked(function, x, grad)
                    waiting[maker] = waiting[maker] + grad if maker in waiting else grad
                uses[maker] -= 1
                if uses[maker] == 0:
                    ready.append(maker)
            elif grad is not None and getattr(x, "requires_grad", False):
                accumulate(function, x, grad, gradient, answers)
        function.inputs = function.result = function.saved = None
"""
BACK = [
    _back("leaf-overwrites", _ACCUMULATE, "x.grad = grad", "add, do not overwrite"),
    _back("leaf-adds-without-copying", _ACCUMULATE,
        "x.grad = grad if x.grad is None else x.grad + grad", "leave it to accumulate"),
    _back("waiting-overwrites", _GATHER, "waiting[maker] = grad", "y must wait"),
    _back("waiting-keeps-the-first", _GATHER, "waiting.setdefault(maker, grad)", "y must wait"),
    _back("goes-on-at-the-first-gradient", _READY, "ready.append(maker)\n", "y must wait"),
    _back("goes-on-one-use-early", "if uses[maker] == 0:", "if uses[maker] <= 1:",
        "gradients are"),
    _back("waits-for-one-more", "if uses[maker] == 0:", "if uses[maker] < 0:", "gradients are"),
    _back("does-not-free", _FREE, "pass", "Free each operation"),
    _back("frees-only-the-inputs", _FREE, "function.inputs = None", "Free each operation"),
    _back("frees-before-use", "answers = ask(function, gradient)",
        "function.saved = function.inputs\n        function.inputs = None\n"
        "        answers = ask(function, gradient)", "one operation"),
    _back("keeps-interior-gradients", _GATHER, f"{_GATHER}\n                    x.grad = grad",
        "Only leaves keep a gradient"),
    _back("forgets-uses-without-gradient",
        "if maker is not None:\n                if grad is not None:",
        "if maker is not None and grad is not None:\n                if grad is not None:",
        "the use is over all the same"),
    _back("starts-from-two", "{root: gradient}, [root]", "{root: 2 * gradient}, [root]",
        "one operation"),
    _back("gives-constants-gradients",
        'elif grad is not None and getattr(x, "requires_grad", False):',
        "elif grad is not None and isinstance(x, Tensor):", "constants"),
    _back("adds-in-place", _GATHER, """if maker in waiting:
                        waiting[maker] += grad
                    else:
                        waiting[maker] = grad""", "but not in place"),
    _back("clears-first", "waiting, ready = {root: gradient}, [root]",
        """waiting, ready = {root: gradient}, [root]
    for function in uses:
        for x in function.inputs:
            if isinstance(x, Tensor):
                x.grad = None""", "over calls"),
    _back("replaces-leaves-in-float64", _ACCUMULATE,
        "x.grad = np.float64(grad) + (0 if x.grad is None else x.grad)", "float32 leaves"),
    _back("recursive-walk", _WALK, """total = {root: gradient}

    def visit(function):
        answers = ask(function, total.pop(function, None))
        for x, grad in zip(function.inputs, answers):
            maker = getattr(x, "_grad_fn", None)
            if grad is not None and getattr(x, "requires_grad", False):
                grad = checked(function, x, grad)
                if maker is None:
                    accumulate(function, x, np.array(grad), None, ())
                else:
                    total[maker] = total[maker] + grad if maker in total else grad
            if maker is not None:
                uses[maker] -= 1
                if uses[maker] == 0:
                    visit(maker)
        function.inputs = function.result = function.saved = None

    visit(root)
""", "No recursion"),
    _back("every-path", _WALK, """stack = [(root, gradient)]
    while stack:
        function, gradient = stack.pop()
        for x, grad in zip(function.inputs, ask(function, gradient), strict=True):
            maker = getattr(x, "_grad_fn", None)
            if grad is not None and maker is not None:
                stack.append((maker, checked(function, x, grad)))
            elif grad is not None and getattr(x, "requires_grad", False):
                accumulate(function, x, np.array(grad), None, ())
    for function in uses:
        function.inputs = function.result = function.saved = None
""", "when all users spoke"),
]

MUTANTS = [*COUNT, *BACK]

# Right answers, three or more to an exercise.
ALTERNATIVES = [
    Alternative("queue", "count-uses", "stack.pop()", "stack.pop(0)"),
    Alternative("get", "count-uses", _NEW, """if maker not in uses:
                    stack.append(maker)
                uses[maker] = uses.get(maker, 0) + 1
"""),
    Alternative("collect-then-count", "count-uses", _COUNT, """found, i = [root], 0
    known = {root}
    while i < len(found):
        if found[i].inputs is None:
            raise freed(found[i])
        for x in found[i].inputs:
            maker = getattr(x, "_grad_fn", None)
            if maker is not None and maker not in known:
                known.add(maker)
                found.append(maker)
        i += 1
    uses = dict.fromkeys(found, 0)
    for function in found:
        for x in function.inputs:
            if isinstance(x, Tensor) and x._grad_fn is not None:
                uses[x._grad_fn] += 1
    return uses
"""),
    Alternative("queue-of-ready", "backpropagate", "ready.pop()", "ready.pop(0)"),
    Alternative("two-branches", "backpropagate", _WALK, """waiting = {root: gradient}
    ready = [root]
    while len(ready) > 0:
        function = ready.pop()
        gradient = waiting.pop(function, None)
        answers = ask(function, gradient)
        for i in range(len(function.inputs)):
            x, grad = function.inputs[i], answers[i]
            if not isinstance(x, Tensor):
                continue
            if x._grad_fn is None:
                if x.requires_grad and grad is not None:
                    accumulate(function, x, grad, gradient, answers)
                continue
            if grad is not None:
                grad = checked(function, x, grad)
                if x._grad_fn in waiting:
                    grad = grad + waiting[x._grad_fn]
                waiting[x._grad_fn] = grad
            uses[x._grad_fn] -= 1
            if not uses[x._grad_fn]:
                ready.append(x._grad_fn)
        function.saved = None
        function.result = None
        function.inputs = None
"""),
    Alternative("order-first", "backpropagate", _WALK, """order, ready = [], [root]
    while ready:
        order.append(ready.pop())
        for x in order[-1].inputs:
            maker = getattr(x, "_grad_fn", None)
            if maker is not None:
                uses[maker] -= 1
                if uses[maker] == 0:
                    ready.append(maker)
    sums = {root: [gradient]}
    for function in order:
        came = sums.pop(function, None)
        gradient = sum(came[1:], came[0]) if came else None
        answers = ask(function, gradient)
        for x, grad in zip(function.inputs, answers):
            if grad is None or not getattr(x, "requires_grad", False):
                continue
            grad = checked(function, x, grad)
            if x._grad_fn is None:
                accumulate(function, x, grad, gradient, answers)
            else:
                sums.setdefault(x._grad_fn, []).append(grad)
        function.inputs = function.result = function.saved = None
"""),
    Alternative("always-copies", "backpropagate", _ACCUMULATE,
        "accumulate(function, x, grad.copy(), None, ())"),
]
