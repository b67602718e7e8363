"""What several claims compute with: gradients, the operations of a graph, a lesson's experiment."""

import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from importlib import import_module
from io import StringIO
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np

from tests.conftest import REPOSITORY
from tinytorch.core.autodiff import count_uses
from tinytorch.core.functions import Function
from tinytorch.core.tensor import Tensor
from tito.lesson import read_lesson


def grads(compute: Callable[..., Tensor], *inputs, grad=None) -> list:
    """The gradients of `compute` at these inputs in float64, for an incoming one (default: 1)."""
    leaves = [Tensor(x, requires_grad=True, dtype="float64") for x in inputs]
    compute(*leaves).backward(grad)
    return [leaf.grad for leaf in leaves]


def operations(out: Tensor) -> list[Function]:
    """The operations behind a result that asks for a gradient."""
    return list(count_uses(out._grad_fn))


def refusal(call: Callable, *args) -> str:
    """What an error of call(*args) says."""
    try:
        return f"no error: {call(*args)}"
    except (ValueError, TypeError) as error:
        return str(error)


@cache
def ran(lesson: str, snippet: str, **given) -> SimpleNamespace:
    """The variables that the experiment with `snippet` in it leaves, run over the package.

    given: variables that it takes from experiments before it.
    """
    cells = read_lesson(REPOSITORY / "source" / f"{lesson}.py").cells
    setup = next(cell for cell in cells if cell.nbgrader.get("grade_id") == "setup")
    (experiment,) = (
        c for c in cells if c.kind == "code" and not c.nbgrader and snippet in c.source
    )
    names = dict(vars(import_module(f"tinytorch.core.{lesson.split('/')[1]}"))) | given
    plt.switch_backend("agg")
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")
        exec(compile(f"{setup.source}\n{experiment.source}", lesson, "exec"), names)
    plt.close("all")
    return SimpleNamespace(**names)


def gpt2_small() -> int:
    """Parameters of GPT-2 small: tables, 12 blocks of attention and MLP, norms with bias."""
    width = 768
    block = 4 * width * width + 4 * width + 8 * width * width + 5 * width + 4 * width
    return (50_257 + 1024) * width + 12 * block + 2 * width


def from_operators(x: Tensor, labels) -> Tensor:
    """Cross-entropy put together from Tensor operators, as the lessons' experiments do it."""
    powers = (x - x.max(axis=1, keepdims=True)).exp()
    log_probabilities = (powers / powers.sum(axis=1, keepdims=True)).log()
    return -log_probabilities[np.arange(len(labels)), labels].mean()
