"""The search for leaked answers sees each kind of leak, and no leak where there is none."""

import io
import json
import shutil
import zipfile

import pytest

from tito.leaks import Leak, find_leaks

AREA = "the solution at source/01_toy/toy.py:50"
DOUBLE = "the solution at source/01_toy/toy.py:28"
HIDDEN = "the hidden test at source/01_toy/toy.py:58"

REFORMATTED = '''
# my own helper
def area_of_disc(
    r,
):
    """Another docstring."""
    # pi r squared
    return ((math.pi
             * r) * r)
'''


def notebook(**cell) -> str:
    base = {"cell_type": "code", "metadata": {}, "source": [], "outputs": []}
    return json.dumps({"cells": [{**base, **cell}], "nbformat": 4, "metadata": {}})


def zipped(name: str, content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


def test_the_release_and_the_edition_are_clean(built_toy, edition):
    assert find_leaks(built_toy, built_toy.release) == []
    assert find_leaks(built_toy, edition) == []


def test_the_solved_trees_are_not(built_toy):
    found = find_leaks(built_toy, built_toy.notebooks)
    assert {leak.what for leak in found if leak.what.startswith("the marker")} == {
        f"the marker `### {word} {kind}`"
        for word in ("BEGIN", "END")
        for kind in ("SOLUTION", "HIDDEN TESTS")
    }
    answers = [leak.what for leak in found if not leak.what.startswith("the marker")]
    assert len(answers) == 6  # three solutions, three hidden tests
    assert len(find_leaks(built_toy, built_toy.package)) == 3


@pytest.mark.parametrize(
    ("name", "content", "what", "line"),
    [
        ("README.md", "Hint:\n\n    return math.pi*r*r\n", AREA, 3),
        ("README.md", "Twice is\n`return 2 * x`.\n", DOUBLE, 2),
        ("page.html", "<p>r = float(challenge.uniform(1,  3))</p>", HIDDEN, 1),
        ("page.html", "<pre>observe(&quot;area&quot;, area(r))</pre>", HIDDEN, 1),
        ("help.py", REFORMATTED, AREA, 3),
        ("help.md", f"# Help\n\n```python\n{REFORMATTED}\n```\n", AREA, 6),
        ("help.py", "TEXT = 'def area(r):\\n    return math.pi * r * r\\n'\n", AREA, 1),
        ("help.py", "    ### BEGIN SOLUTION\n", "the marker `### BEGIN SOLUTION`", 1),
        (
            "settings.cfg",
            "x = 1\r\n### END HIDDEN TESTS\r\n",
            "the marker `### END HIDDEN TESTS`",
            2,
        ),
    ],
)
def test_a_leak_is_found_in_text_and_code(built_toy, tmp_path, name, content, what, line):
    (tmp_path / name).write_text(content, encoding="utf-8", newline="")
    assert find_leaks(built_toy, tmp_path) == [Leak(name, line, what)]


@pytest.mark.parametrize(
    ("cell", "place", "what"),
    [
        ({"source": ["def test():\n", '    observe("area",area(r))\n']}, "source", HIDDEN),
        ({"source": "def f(x):\n    return(2*x)  # twice"}, "source", DOUBLE),
        ({"cell_type": "markdown", "source": ["Try `return math.pi * r * r`."]}, "source", AREA),
        ({"metadata": {"note": "return math.pi * r * r"}}, "metadata/note", AREA),
        (
            {"outputs": [{"output_type": "stream", "text": ["1\n", "return math.pi * r * r"]}]},
            "outputs/0/text",
            AREA,
        ),
        (
            {"outputs": [{"traceback": ["\x1b[32m----> 3\x1b[39m \x1b[1mreturn\x1b[0m 2 * x"]}]},
            "outputs/0/traceback",
            DOUBLE,
        ),
    ],
)
def test_a_leak_is_found_anywhere_in_a_notebook(built_toy, tmp_path, cell, place, what):
    (tmp_path / "a.ipynb").write_text(notebook(**cell), encoding="utf-8")
    (leak,) = find_leaks(built_toy, tmp_path)
    assert (leak.file, leak.what) == (f"a.ipynb#cells/0/{place}", what)


def test_a_leak_is_found_inside_zips(built_toy, tmp_path):
    inner = zipped("b/readme.txt", b"see: return math.pi * r * r")
    (tmp_path / "a.zip").write_bytes(zipped("inner.zip", inner))
    assert find_leaks(built_toy, tmp_path) == [Leak("a.zip!inner.zip!b/readme.txt", 1, AREA)]


def test_what_cannot_be_searched_is_reported(built_toy, tmp_path):
    (tmp_path / "toy.cpython-311.pyc").write_bytes(b"\0")
    (leak,) = find_leaks(built_toy, tmp_path)
    assert "cannot be searched" in leak.what


def test_common_python_and_what_the_lesson_shows_are_no_leaks(built_toy, tmp_path):
    (tmp_path / "own.py").write_text(
        "import math\n\n\ndef same(x):\n    return x\n\n\ndef twice_as(x):\n    return 3 * x\n",
        encoding="utf-8",
    )
    shutil.copy(built_toy.release / "01_toy/toy.ipynb", tmp_path)
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "broken.json").write_text('{"a": ', encoding="utf-8")
    assert find_leaks(built_toy, tmp_path) == []


def test_a_function_with_a_plain_blank_is_known_by_its_whole_body(toy, tmp_path):
    """The blank alone (`return total`) says nothing; the body around it does."""
    path = toy.source / "01_toy/toy.py"
    text = path.read_text(encoding="utf-8")
    body = "    total = sum(v * v for v in (x, x + 1))\n    ### BEGIN SOLUTION\n    return total\n"
    text = text.replace("    ### BEGIN SOLUTION\n    return 2 * x\n", body)
    path.write_text(text, encoding="utf-8")
    (tmp_path / "out").mkdir()
    given = "def f(x):\n    total = sum(v * v for v in (x, x + 1))\n"
    (tmp_path / "out/a.py").write_text(f"{given}    raise NotImplementedError\n", encoding="utf-8")
    assert find_leaks(toy, tmp_path / "out") == []
    (tmp_path / "out/a.py").write_text(f"{given}    return total\n", encoding="utf-8")
    assert len(find_leaks(toy, tmp_path / "out")) == 1
