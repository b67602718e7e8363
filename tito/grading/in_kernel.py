"""What runs inside a student's kernel: each function travels as its source and stands alone.

Nothing here is believed. What these functions answer is text in JSON, which the grader reads
without unpickling or evaluating, and compares: values with the reference's, the rest with what it
was before the student's first cell.
"""


def challenge_and_observe(seed: list[int], report):
    """The pair (`challenge`, `observe`) for one graded cell; `report` gets each message."""
    import numpy as np

    most_values = 10_000

    def observe(name: str, value, rtol: float = 1e-5, atol: float = 1e-6) -> None:
        """Report `value`, a number, bool, string or NumPy array, for comparison."""
        if not isinstance(value, bool | int | float | str | np.generic | np.ndarray):
            raise TypeError(
                f"observe({name!r}) takes a number, bool, string or NumPy array, not "
                f"{type(value).__name__}: for a Tensor pass its .data."
            )
        if isinstance(value, int) and not isinstance(value, bool):
            shape, kind, values = (), "int", [int(value)]  # any size: NumPy stops at 64 bits
        else:
            array = np.asarray(value)
            kind = {"b": "bool", "i": "int", "u": "int", "f": "float", "U": "str"}.get(
                array.dtype.kind
            )
            if kind is None:
                raise TypeError(f"observe({name!r}) cannot take an array of {array.dtype}.")
            if array.size > most_values:
                raise TypeError(
                    f"observe({name!r}) takes at most {most_values} values, not {array.size}."
                )
            if kind == "float":
                array = array.astype(np.float64)  # a longdouble's repr is no Python float
            shape, values = array.shape, array.ravel().tolist()
        as_text = str if kind == "str" else repr
        report(
            {
                "name": str(name),
                "shape": list(shape),
                "kind": kind,
                "values": [as_text(v) for v in values],
                "rtol": repr(float(rtol)),
                "atol": repr(float(atol)),
            }
        )

    return np.random.default_rng(seed), observe


def show_observation(message: dict) -> None:
    """Report by displaying: how a run without a kernel (`tests/lessons/quick.py`) observes."""
    from IPython.display import display

    display({"application/vnd.tinytorch.observation+json": message}, raw=True)


def look_around(names: list[str]) -> dict[str, str]:
    """A mark for everything a test relies on; a mark changes when its thing is replaced.

    That is: what `builtins`, NumPy and a few more modules hold, IPython's own functions, hooks and
    transformers, and the `names` of the notebook.
    """
    import ast
    import builtins
    import inspect
    import json
    import math
    import sys
    import types

    import IPython.core.interactiveshell
    import numpy
    import numpy.testing
    from IPython import get_ipython
    from IPython.core.interactiveshell import ExecutionResult

    def mark(thing) -> str:
        inner = getattr(thing, "_implementation", thing)  # behind NumPy's dispatcher
        parts = [thing, getattr(inner, "__code__", None), getattr(inner, "__defaults__", None)]
        return ".".join(str(id(part)) for part in parts)

    marks = {}
    shell = get_ipython()
    manager = shell.input_transformer_manager
    arrays = (numpy, numpy.linalg, numpy.random, numpy.testing)
    for module in (*arrays, ast, builtins, inspect, json, math, IPython.core.interactiveshell):
        for name, thing in vars(module).items():
            # a kernel replaces `input` for each cell; the other names change as cells run
            if (
                callable(thing)
                and not name.startswith("_")
                and (module, name) != (builtins, "input")
            ):
                marks[f"{module.__name__}.{name}"] = mark(thing)
        marks[f"sys.modules[{module.__name__!r}]"] = str(id(sys.modules.get(module.__name__)))
    marks["builtins.__import__"] = mark(builtins.__import__)

    machinery = (shell, shell.kernel, shell.compile, shell.display_formatter, manager)
    classes = {owner for thing in machinery for owner in type(thing).__mro__} - {object}
    for owner in (*classes, ExecutionResult, json.JSONEncoder, ast.NodeTransformer):
        for name, thing in vars(owner).items():
            if isinstance(thing, types.FunctionType | property):
                marks[f"{owner.__name__}.{name}"] = mark(thing)
    for thing in machinery:
        own = [name for name in vars(thing) if callable(getattr(type(thing), name, None))]
        marks[f"the methods of IPython's {type(thing).__name__}"] = str(sorted(own))

    hooks = {
        "IPython's AST transformers": shell.ast_transformers,
        "IPython's input transformers": [
            *shell.input_transformers_post,
            *manager.cleanup_transforms,
            *manager.line_transforms,
            *manager.token_transformers,
        ],
        "the kernel's handlers": [
            getattr(handler, "__func__", handler)
            for handler in shell.kernel.shell_handlers.values()
        ],
        "the hooks around a cell": [
            hook
            for hooks in shell.events.callbacks.values()
            for hook in hooks
            if getattr(hook, "__globals__", None) is shell.user_ns
        ],
        "sys.settrace or sys.setprofile": filter(None, [sys.gettrace(), sys.getprofile()]),
    }
    marks |= {name: str([id(hook) for hook in found]) for name, found in hooks.items()}

    for alias in ("np", "numpy"):
        is_numpy = shell.user_ns.get(alias, numpy) is numpy
        marks[f"the name {alias}"] = str(is_numpy)
    marks |= {f"the tests' {name}": mark(shell.user_ns.get(name)) for name in names}
    return marks


def set_up(seed: list[int], helpers: dict[str, str], make) -> dict:
    """Give the next cell a fresh `challenge` and `observe` and the lesson's own test helpers."""
    from IPython import get_ipython

    space = get_ipython().user_ns
    for source in helpers.values():
        exec(source, space)
    messages = []
    space["challenge"], space["observe"] = make(seed, messages.append)
    space["observe"].messages = messages
    return {}


def hand_over() -> dict:
    """What was observed since `set_up`."""
    from IPython import get_ipython

    observe = get_ipython().user_ns.get("observe")
    return {"observed": getattr(observe, "messages", [])}
