"""The common errors that the module pages show end in the messages shown there.

`docs/errors/NN_name.toml` holds those of a module as `[[error]]` tables, five to eight. Each has
these three fields, all of them text:

    title    the mistake in a few words
    message  the last line of what is shown, to the letter: "ValueError: Cannot broadcast ..."
    why      two or three sentences: what was done, what to do

and one that says where the message comes from:

    code     one to six lines of Python over the reference package, the last of which raises
    command  lines typed into a terminal in a new student's folder (`tito ...` or `python ...`); the
             last one ends in the message
    mutant   "NN_name/notebook: name", a wrong answer of tests/variants; the message is what
             `tito test` says about it. A page shows the wrong lines: the mutant's `new`.
"""

import contextlib
import io
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
import traceback
from copy import deepcopy
from pathlib import Path

import pytest
from nbgrader.preprocessors import ClearHiddenTests

from tests.conftest import REPOSITORY
from tests.lessons.judging import bench
from tito.course import Course
from tito.export import write_package_index
from tito.variants import Mutant, apply_variants, load_variants

MODULES = [module.folder for module in Course(REPOSITORY).modules()]
FIELDS = {"title", "message", "why"}
KINDS = {"code", "command", "mutant"}
MOST_LINES = 6


def errors_of(module: str) -> list[dict[str, str]]:
    """The common errors of a module, none without a file; ValueError names a wrong entry."""
    path = REPOSITORY / "docs" / "errors" / f"{module}.toml"
    if not path.is_file():
        return []
    return checked(tomllib.loads(path.read_text(encoding="utf-8"))["error"], path.name)


def checked(errors: list[dict[str, str]], file: str) -> list[dict[str, str]]:
    """These entries; a ValueError names the first that is not as the schema above says."""
    for error in errors:
        where = f"{file}, {error.get('title', 'an error without a title')!r}"
        kinds = error.keys() & KINDS
        if len(kinds) != 1 or error.keys() - kinds != FIELDS:
            raise ValueError(f"{where}: has {sorted(error)}, needs {FIELDS} and one of {KINDS}.")
        if not all(isinstance(text, str) and text.strip() for text in error.values()):
            raise ValueError(f"{where}: every field is text, and none is empty.")
        if len(error.get("code", "").strip().splitlines()) > MOST_LINES:
            raise ValueError(f"{where}: the code has more than {MOST_LINES} lines: shorten it.")
    return errors


def entries(kind: str) -> list:
    """Every common error of one kind, as a test's parameters."""
    return [
        pytest.param(error, id=f"{module}: {error['title']}")
        for module in MODULES
        for error in errors_of(module)
        if kind in error
    ]


def said_by(code: str) -> str:
    """The last line of the traceback in which `code` ends; empty when it ends well."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            exec(compile(code, "<code>", "exec"), {})
        except Exception as error:
            return traceback.format_exception_only(error)[-1].strip()
    return ""


def said_in_terminal(commands: str, folder: Path) -> str:
    """The last line on stderr of the last of these commands; empty if it ended well."""
    programs = {
        "python": [sys.executable],
        "tito": [sys.executable, "-c", "from tito.cli import main; main()"],
    }
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(REPOSITORY)])}
    for line in commands.strip().splitlines():
        program, *words = shlex.split(line)
        done = subprocess.run(
            [*programs[program], *words], cwd=folder, env=env, capture_output=True, encoding="utf-8"
        )
    lines = done.stderr.strip().splitlines()
    return lines[-1].strip() if done.returncode and lines else ""


def student_folder(folder: Path) -> Path:
    """What a new student has of the course: notebooks as handed out, settings, an empty package."""
    shutil.copytree(REPOSITORY / "release", folder / "release")
    shutil.copy(REPOSITORY / "settings.ini", folder)
    write_package_index(Course(REPOSITORY), folder / "tinytorch", [])
    return folder


def named_mutant(reference: str) -> tuple[str, Mutant]:
    """`01_tensor/arrays: aligns-left` -> the lesson and its mutant of that name."""
    lesson, name = reference.split(": ")
    found = load_variants(REPOSITORY, *lesson.split("/"))
    return lesson, next(mutant for mutant in found.mutants if mutant.name == name)


def said_about(reference: str) -> str:
    """What a student reads about this wrong answer: the verdict of the tests that students have."""
    lesson, mutant = named_mutant(reference)
    this = bench(lesson)
    nb = apply_variants(this.solved, mutant)
    visible, _ = ClearHiddenTests().preprocess(deepcopy(nb), {})
    return this.judge(visible)[mutant.test].reason or ""


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_its_common_errors(module):
    errors = errors_of(module)
    assert 5 <= len(errors) <= 8
    assert len({error["title"] for error in errors}) == len(errors)


@pytest.mark.parametrize("error", entries("code"))
def test_code_says_what_the_page_says(error, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert said_by(error["code"]) == error["message"]


@pytest.mark.parametrize("error", entries("command"))
def test_a_command_says_what_the_page_says(error, tmp_path):
    assert said_in_terminal(error["command"], student_folder(tmp_path)) == error["message"]


@pytest.mark.parametrize("error", entries("mutant"))
def test_a_wrong_answer_is_told_what_the_page_says(error):
    assert said_about(error["mutant"]) == error["message"]
    assert named_mutant(error["mutant"])[1].new.strip(), "there are no wrong lines to show"


# The checks above, seen to fail.

GOOD = {"title": "t", "message": "m", "why": "w", "code": "1 / 0"}


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({name: text for name, text in GOOD.items() if name != "code"}, "one of"),
        ({name: text for name, text in GOOD.items() if name != "why"}, "needs"),
        (GOOD | {"mutant": "x"}, "one of"),
        (GOOD | {"hint": "x"}, "needs"),
        (GOOD | {"why": " "}, "none is empty"),
        (GOOD | {"code": "1 / 0\n" * 7}, "more than 6 lines"),
    ],
)
def test_a_wrong_entry_is_refused(wrong, reason):
    assert checked([GOOD], "x.toml") == [GOOD]
    with pytest.raises(ValueError, match=reason):
        checked([GOOD, wrong], "x.toml")


def test_code_that_ends_well_or_in_another_error_is_seen():
    assert said_by("1 + 1") == ""
    assert said_by("1 / 0") == "ZeroDivisionError: division by zero"
    assert said_by("nothing") == "NameError: name 'nothing' is not defined"


def test_a_command_that_ends_well_says_nothing(tmp_path):
    zero = "ZeroDivisionError: division by zero"
    assert said_in_terminal("python -c '1 / 0'", tmp_path) == zero
    assert said_in_terminal("python -c '1 / 0'\npython -c '1 / 1'", tmp_path) == ""


def test_a_verdict_that_only_hidden_tests_give_is_no_message_for_students():
    """In these the visible test passes: what is left to say is the grader's business."""
    reason = said_about("05_autograd/arithmetic: sums-first")
    assert "was not observed" in reason
