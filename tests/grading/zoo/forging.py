"""Wrong answers that try to pass all the same."""

from tests.grading.zoo.animal import AREA_POINTS, WRONG, Animal, answers


def patches(name: str, source: str, says: str) -> Animal:
    """Replaces what tests rely on: no test of the notebook proves anything then."""
    says = f"the notebook replaced {says}"
    return answers(name, f"test-double, test-area: {says}", double=source + WRONG, score=0)


def lies(name: str, source: str, *says: str) -> Animal:
    """A trick in one answer, which costs its own test alone."""
    says = [f"test-double: {words}" for words in says]
    return answers(name, *says, double=source, score=AREA_POINTS)


FORGING = [
    patches("allclose", "np.allclose = lambda *_, **__: True\n", "numpy.allclose"),
    patches(
        "asserts",
        "import ast\n"
        "class Strip(ast.NodeTransformer):\n"
        "    def visit_Assert(self, node): return ast.Pass()\n"
        "get_ipython().ast_transformers.append(Strip())\n",
        "IPython's AST transformers",
    ),
    patches(
        "input-transformer",
        "strip = lambda lines: [line.replace('assert', 'True or') for line in lines]\n"
        "get_ipython().input_transformers_post.append(strip)\n",
        "IPython's input transformers",
    ),
    patches(
        "do-execute",
        "real = get_ipython().kernel.do_execute\n"
        "async def lie(*args, **kwargs): return {**await real(*args, **kwargs), 'status': 'ok'}\n"
        "get_ipython().kernel.do_execute = lie\n",
        "the methods of IPython's IPythonKernel",
    ),
    patches(
        "sys-modules",
        "import sys, types\n"
        "np = types.ModuleType('numpy')\n"
        "np.__dict__.update(sys.modules['numpy'].__dict__)\n"
        "np.allclose = lambda *_, **__: True\n"
        "sys.modules['numpy'] = np\n",
        "",
    ),
    patches(
        "inspect", "import inspect\ninspect.getsource = lambda _: 'for'\n", "inspect.getsource"
    ),
    patches("builtins", "import builtins\nbuiltins.abs = lambda _: 0\n", "builtins.abs"),
    patches("trace", "import sys\nsys.settrace(lambda *_: None)\n", "sys.settrace"),
    lies(
        "equals-everything",
        "class Same(float):\n"
        "    __eq__ = lambda self, other: True\n"
        "    __array__ = lambda self, *_, **__: np.zeros(5)\n"
        "def double(x):\n"
        "    return Same(6)\n",
        "",
    ),
    lies(
        "own-observe",
        "def double(x):\n    import __main__; __main__.observe = print; return x + x\n",
        "the notebook replaced the tests' observe",
    ),
    lies(
        "observes-itself",
        "def double(x):\n    import __main__; __main__.observe('double', x + x); return x\n",
        "",
    ),
    lies(
        "forged-message",
        "import IPython.display\n"
        "def double(x):\n"
        "    IPython.display.display({'application/vnd.tinytorch.observation+json':\n"
        "        {'name': 'double', 'shape': [5], 'kind': 'float', 'values': ['1.0'] * 5,\n"
        "         'rtol': '1e9', 'atol': 'inf'}}, raw=True)\n"
        "    return x\n",
        "double(3) is 6",
    ),
    lies(
        "leaves-early",
        "def double(x):\n    raise SystemExit(0)\n",
        "SystemExit",
    ),
    lies(
        "own-numpy",
        "open('numpy.py', 'w').write('allclose = lambda *_, **__: True')\nimport numpy\n" + WRONG,
        "double works on arrays too",
    ),
]
