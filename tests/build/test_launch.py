"""Links, badges and the start cell: made from settings.ini, the same for every lesson."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import safetensors
import setuptools
import tqdm

from tests.conftest import REPOSITORY
from tito.build import build
from tito.colab import cut
from tito.course import Course
from tito.launch import badges, links, start_cell, with_badges, with_links
from tito.notebook import START, read_notebook

COURSE = Course(REPOSITORY)
# What stands in for IPython: its `system` runs a command in the shell.
SHELL = """
import subprocess
class Shell:
    system = staticmethod(lambda command: subprocess.run(command, shell=True))
get_ipython = Shell
"""


def run(source: str, **env: str) -> subprocess.CompletedProcess:
    """Run the start cell in a fresh Python that finds no `tinytorch` but by PYTHONPATH."""
    command = [sys.executable, "-S", "-P", "-c", SHELL + source]
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("BINDER", "PYTHON"))}
    return subprocess.run(command, env={**clean, **env}, capture_output=True, text=True)


@pytest.fixture
def start(built_toy) -> str:
    return start_cell(built_toy, built_toy.lessons()[1]).source


def published(toy: Course, **address: str) -> Course:
    """The toy course under another address."""
    path = toy.root / "settings.ini"
    text = path.read_text(encoding="utf-8")
    for name, value in address.items():
        text = re.sub(rf"(?m)^{name} = .*$", f"{name} = {value}", text)
    path.write_text(text, encoding="utf-8")
    return Course(toy.root)


def test_the_links_are_made_from_the_settings(toy):
    course = published(toy, user="ada", repo="torch", branch="trunk")
    assert vars(links(course, course.lessons()[1])) == {
        "binder": "https://mybinder.org/v2/gh/ada/torch/trunk"
        "?urlpath=lab/tree/release/02_more/more.ipynb",
        "colab": "https://colab.research.google.com/github/ada/torch/blob/trunk"
        "/release/02_more/more.ipynb",
        "source": "https://github.com/ada/torch/blob/trunk/source/02_more/more.py",
    }


def test_a_new_account_reaches_the_readme_and_every_notebook(toy):
    former, readme = toy.settings["user"], toy.root / "README.md"
    table = "| [01_toy](release/01_toy) | doubling | Colab: |\n| [02_more](x) | plain |\n"
    readme.write_text(table, encoding="utf-8")
    course = published(toy, user="ada")
    assert len(build(course, course.modules())) == 2
    for lesson in course.lessons():
        for path in (lesson.notebook, lesson.release):
            text = (course.root / path).read_text(encoding="utf-8")
            assert former not in text
            assert text.count("/ada/tinytorch") == 3  # two badges and the installation
    to = links(course, course.lessons()[0])
    assert readme.read_text(encoding="utf-8") == (
        "| [01_toy](release/01_toy) | doubling | "
        f"Colab: [toy]({to.colab})<br>Binder: [toy]({to.binder}) |\n"
        "| [02_more](x) | plain |\n"
    )


def test_nobody_wrote_the_address_by_hand():
    places = ("bench", "binder", "milestones", "source", "tito")
    files = [file for place in places for file in (REPOSITORY / place).rglob("*") if file.is_file()]
    files += [*REPOSITORY.glob("docs/*.md"), REPOSITORY / "Makefile", REPOSITORY / "pyproject.toml"]
    account = COURSE.settings["user"].encode()
    assert [str(file) for file in files if account in file.read_bytes()] == []


def test_our_readme_opens_each_notebook_where_the_settings_say():
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert with_links(COURSE, text) == text, "run `make`: it writes the links anew"
    for lesson in COURSE.lessons():
        to = links(COURSE, lesson)
        assert to.colab in text, lesson.release
        assert to.binder in text, lesson.release


def test_badges_stand_below_the_sentence_and_above_the_rest(built_toy):
    to = links(built_toy, built_toy.lessons()[0])
    row = badges(to)
    assert with_badges("# Toy\n\n> One\n> two.\n\nMore.", to) == (
        f"# Toy\n\n> One\n> two.\n\n{row}\n\nMore."
    )
    assert with_badges("# Toy\n> One.", to) == f"# Toy\n> One.\n\n{row}\n"


def test_every_notebook_has_its_badges_and_its_start_cell(built_toy):
    for lesson in built_toy.lessons():
        for path in (lesson.notebook, lesson.release):
            title, start = read_notebook(built_toy.root / path).cells[:2]
            assert badges(links(built_toy, lesson)) in title.source.splitlines()
            assert start.id == START
            assert start.source == start_cell(built_toy, lesson).source
            assert start.metadata.nbgrader.locked
            assert not start.metadata.nbgrader.grade
            assert not start.metadata.nbgrader.solution
        assert start.metadata.editable is False


def test_the_badges_leave_the_modules_docstring_as_it_was(built_toy):
    tree = ast.parse((built_toy.root / "tinytorch/core/toy.py").read_text(encoding="utf-8"))
    assert ast.get_docstring(tree) == "A two-blank lesson for the tests of the pipeline."


def test_students_read_at_most_fifteen_lines(start):
    lines = start.splitlines()
    assert len(lines) <= 15
    assert all(len(line) <= 100 for line in lines if "pip install -q" not in line)


def test_where_the_package_stands_the_start_cell_does_nothing(start, built_toy):
    ran = run(start, PYTHONPATH=str(built_toy.root))
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_on_binder_it_says_how_to_keep_the_work(start, built_toy):
    ran = run(start, PYTHONPATH=str(built_toy.root), BINDER_LAUNCH_HOST="https://mybinder.org/")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.count("\n") == 1
    assert "File > Download" in ran.stdout


def test_without_the_package_its_last_line_says_what_to_do(start):
    ran = run(start)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: TinyTorch is not installed: `tito module start 02` in your course "
        "folder, `pip install -e .` in a clone; in Colab, run this cell again."
    )


def cut_toy(built_toy: Course, folder: Path, target: str) -> Path:
    package = folder / "tinytorch"
    shutil.copytree(built_toy.package, package)
    cut(package, target)
    return package


def test_a_cut_package_keeps_the_earlier_modules_alone(built_toy, tmp_path):
    package = cut_toy(built_toy, tmp_path, "core.more")
    assert (package / "core/toy.py").is_file()
    assert not (package / "core/more.py").exists()
    assert "core.more" not in (package / "__init__.py").read_text(encoding="utf-8")


def test_before_the_first_module_nothing_is_left_but_the_package(built_toy, tmp_path):
    package = cut_toy(built_toy, tmp_path, "core.toy")
    code = "import tinytorch; print(tinytorch.__version__)"
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code], env=env, capture_output=True, text=True
    )
    assert ran.stdout.strip() == built_toy.settings["version"], ran.stderr
    assert [path.name for path in (package / "core").glob("*.py")] == ["__init__.py"]


def test_the_older_names_of_a_cut_module_go_too(tmp_path):
    package = tmp_path / "tinytorch"
    shutil.copytree(COURSE.package, package)
    cut(package, "core.embeddings")
    assert sorted(path.name for path in (package / "text").glob("*.py")) == [
        "__init__.py",
        "tokenization.py",
    ]


def test_an_unknown_module_is_refused_and_nothing_is_cut(built_toy, tmp_path):
    with pytest.raises(ValueError, match=r"core\.none is not in .* core\.toy, core\.more"):
        cut_toy(built_toy, tmp_path, "core.none")
    assert (tmp_path / "tinytorch/core/more.py").is_file()


def test_a_clone_is_never_cut(built_toy):
    command = [sys.executable, "-m", "tito.colab", "core.toy"]
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    ran = subprocess.run(command, cwd=built_toy.root, env=env, capture_output=True, text=True)
    assert ran.returncode == 1
    assert "is no installed copy: it was left as it is." in ran.stderr
    assert (built_toy.root / "tinytorch/core/toy.py").is_file()


@pytest.fixture(scope="module")
def published_clone(tmp_path_factory) -> dict[str, str]:
    """Our repository tagged as published, and the environment in which its address leads to it."""
    clone = tmp_path_factory.mktemp("published") / "tinytorch"
    clone.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, clone)
    for name in ("tinytorch", "tito"):
        skip = shutil.ignore_patterns("__pycache__")
        shutil.copytree(REPOSITORY / name, clone / name, ignore=skip)
    git = ["git", "-C", str(clone), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (
        ["init", "--quiet"],
        ["add", "."],
        ["commit", "--quiet", "--message", "x"],
        ["tag", f"v{COURSE.settings['version']}"],
    ):
        subprocess.run([*git, *words], check=True)
    address = f"https://github.com/{COURSE.settings['user']}/{COURSE.settings['repo']}"
    return {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{clone.as_uri()}.insteadOf",
        "GIT_CONFIG_VALUE_0": address,
    }


@pytest.fixture(scope="module")
def empty_python(tmp_path_factory) -> dict[str, str]:
    """An empty environment without network.

    What Colab has is there, as far as the package imports it, and setuptools, which pip would
    fetch to build with.
    """
    folder = tmp_path_factory.mktemp("colab")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    there = folder / "there"
    there.mkdir()
    for module in (np, safetensors, setuptools, tqdm):
        home = Path(module.__file__).parent
        for part in (home, home.with_name(f"{home.name}.libs")):
            if part.is_dir():
                (there / part.name).symlink_to(part)
    return {
        "PATH": f"{folder / 'venv/bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(there),
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it as: isolation off
        "PIP_NO_INDEX": "1",
        "PIP_CONFIG_FILE": os.devnull,
    }


@pytest.mark.slow
@pytest.mark.parametrize("target", ["core.autodiff", "core.embeddings"])
def test_in_colab_the_start_cell_installs_the_earlier_modules_alone(
    target, published_clone, empty_python, tmp_path
):
    """The second run finds the package of the first: another notebook on the same machine."""
    lessons = COURSE.lessons()
    number = [lesson.target for lesson in lessons].index(target)
    colab = "import sys, types\nsys.modules['google.colab'] = types.ModuleType('google.colab')\n"
    imports = "\n".join(
        f"try: import tinytorch.{lesson.target}\nexcept ImportError as error: print(error)"
        for lesson in lessons
    )
    source = colab + SHELL + start_cell(COURSE, lessons[number]).source + "\n" + imports
    ran = subprocess.run(
        ["python", "-P", "-c", source],
        cwd=tmp_path,
        env={**os.environ, **published_clone, **empty_python},
        capture_output=True,
        text=True,
    )
    first, *rest = ran.stdout.splitlines()
    assert first.startswith("To keep your work: File > Save a copy in Drive."), ran.stderr
    assert rest == [f"No module named 'tinytorch.{later.target}'" for later in lessons[number:]]
    assert ran.stderr == ""
