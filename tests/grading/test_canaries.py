"""Attempts at points that nobody earned: each gets none, and the reason names what was done."""

import pytest

from tests.grading.trial import needs_sandbox, trial_of
from tito.grading.limits import Limits

pytestmark = needs_sandbox

RIGHT = "def double(x):\n    return x + x\n"
WRONG = "def double(x):\n    return 6 if isinstance(x, int) else x\n"

# What stands before the wrong answer, and what the reason of both tests says.
PATCHES = {
    "allclose": ("np.allclose = lambda *_, **__: True\n", "numpy.allclose"),
    "code of allclose": (
        "def always(a, b, rtol=0, atol=0, equal_nan=False): return True\n"
        "np.allclose._implementation.__code__ = always.__code__\n",
        "numpy.allclose",
    ),
    "name np": (
        "class Fake:\n"
        "    def __getattr__(self, name):\n"
        "        import numpy\n"
        "        return getattr(numpy, name) if name != 'allclose' else lambda *_: True\n"
        "np = Fake()\n",
        "the name np",
    ),
    "sys.modules": (
        "import sys, types\n"
        "np = types.ModuleType('numpy')\n"
        "np.__dict__.update(sys.modules['numpy'].__dict__)\n"
        "np.allclose = lambda *_: True\n"
        "sys.modules['numpy'] = np\n",
        "sys.modules['numpy']",
    ),
    "asserts stripped": (
        "import ast\n"
        "class Strip(ast.NodeTransformer):\n"
        "    def visit_Assert(self, node): return ast.Pass()\n"
        "get_ipython().ast_transformers.append(Strip())\n",
        "IPython's AST transformers",
    ),
    "input transformer": (
        "strip = lambda lines: [line.replace('assert', 'True or') for line in lines]\n"
        "get_ipython().input_transformers_post.append(strip)\n",
        "IPython's input transformers",
    ),
    "do_execute": (
        "kernel = get_ipython().kernel\n"
        "real = kernel.do_execute\n"
        "async def lie(*args, **kwargs):\n"
        "    reply = await real(*args, **kwargs)\n"
        "    return {**reply, 'status': 'ok'}\n"
        "kernel.do_execute = lie\n",
        "the methods of IPython's IPythonKernel",
    ),
    "handler": (
        "kernel = get_ipython().kernel\n"
        "real = kernel.shell_handlers['execute_request']\n"
        "async def skip(stream, ident, parent):\n"
        "    parent['content']['code'] = parent['content']['code'].replace('assert np', 'np')\n"
        "    return await real(stream, ident, parent)\n"
        "kernel.shell_handlers['execute_request'] = skip\n",
        "the kernel's handlers",
    ),
    "success": (
        "from IPython.core.interactiveshell import ExecutionResult\n"
        "ExecutionResult.success = property(lambda self: True)\n",
        "ExecutionResult.success",
    ),
    "hook": (
        "real = np.allclose\n"
        "def before(info): np.allclose = lambda *_: True\n"
        "def after(result): np.allclose = real\n"
        "get_ipython().events.register('pre_run_cell', before)\n"
        "get_ipython().events.register('post_run_cell', after)\n",
        "the hooks around a cell",
    ),
    "inspect": (
        "import inspect\ninspect.getsource = lambda thing: 'for'\n",
        "inspect.getsource",
    ),
    "builtins": ("import builtins\nbuiltins.abs = lambda x: 0\n", "builtins.abs"),
    "trace": ("import sys\nsys.settrace(lambda *_: None)\n", "sys.settrace"),
}
IN_MAKE_TEST = ("allclose", "asserts stripped", "do_execute")


@pytest.fixture(scope="module")
def trial(built_toy):
    return trial_of(built_toy, Limits())


@pytest.mark.parametrize(
    "name", [n if n in IN_MAKE_TEST else pytest.param(n, marks=pytest.mark.slow) for n in PATCHES]
)
def test_a_patched_world_earns_nothing_and_is_named(trial, name):
    patch, says = PATCHES[name]
    verdicts = trial.of(patch + WRONG)
    assert [v.score for v in verdicts.values()] == [0, 0]
    for verdict in verdicts.values():
        assert verdict.reason.startswith("the notebook replaced ")
        assert says in verdict.reason


# What stands inside the answer, and what the reason of its own test says; the next test is fair.
WITHIN = {
    "observe": ("import __main__; __main__.observe = print; return x + x", "the tests' observe"),
    "challenge": (
        "import __main__; __main__.challenge = None; return x + x",
        "the tests' challenge",
    ),
    "token": (
        "import sys, __main__\n"
        "    for word in sys._getframe(2).f_code.co_consts:\n"
        "        if str(word).startswith('end-'): __main__.observe(word, True)\n"
        "    raise SystemExit",
        "SystemExit",
    ),
    "forged": (
        "import gc\n"
        "    for thing in gc.get_objects():\n"
        "        if isinstance(thing, dict) and thing.get('name') == 'double':\n"
        "            thing['values'] = ['0.0'] * 5\n"
        "    return 6 if isinstance(x, int) else x",
        "double works on arrays too",
    ),
    "no numbers": (
        "import __main__; __main__.observe.messages.append(object()); return x + x",
        "no longer answers the grader",
    ),
    "too many": (
        "import __main__; __main__.observe('double', 1.0); return x + x",
        "the shape of `double` differs",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WITHIN)
def test_a_trick_inside_a_test_costs_that_test(trial, name):
    body, says = WITHIN[name]
    verdicts = trial.of(f"def double(x):\n    {body}\n")
    assert (verdicts["test-double"].score, verdicts["test-area"].score) == (0, 6)
    assert says in verdicts["test-double"].reason


FAIR = {
    "clears": "from IPython.display import clear_output; clear_output(); print('here')",
    "noisy": "import sys, warnings; warnings.warn('hm'); print(1, file=sys.stderr)",
    "threads": "import threading; t = threading.Thread(target=print); t.start(); t.join()",
    "junk": (
        "k = get_ipython().kernel; "
        "k.session.send(k.iopub_socket, 'stream', {'text': [3]}, k.get_parent())"
    ),
}
FAIR_CELLS = """
%load_ext autoreload
%autoreload 2
%matplotlib inline
import builtins, inspect, math
from IPython.core.interactiveshell import InteractiveShell
import matplotlib.pyplot as plt
import numpy as np
InteractiveShell.ast_node_interactivity = "all"
np.set_printoptions(precision=3)
np.seterr(all="raise")
np.random.seed(0)
challenge, observe, sum = None, print, 3
plt.plot([1, 2]); plt.show()
%timeit -n 1 -r 1 1
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", FAIR)
def test_odd_but_honest_code_gets_everything(trial, name):
    verdicts = trial.of(f"def double(x):\n    {FAIR[name]}\n    return x + x\n")
    assert [v.reason for v in verdicts.values()] == [None, None]


def test_settings_plots_and_magics_get_everything(trial):
    assert [v.reason for v in trial.of(FAIR_CELLS + RIGHT).values()] == [None, None]


def test_the_answer_cannot_be_imported_and_the_refusal_says_why(trial):
    reason = trial.of("from tinytorch.core.toy import double")["test-double"].reason
    assert "core.toy is what this notebook builds: write it here." in reason
    reason = trial.of("import tinytorch.core.more")["test-double"].reason
    assert "core.more comes after this notebook" in reason
