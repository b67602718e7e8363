"""What the guides say is true: their examples, their commands, how one installs."""

import re

import pytest
import typer

from tests.conftest import REPOSITORY
from tests.docs.test_pages import examples_of, failures_of
from tito.cli import app

DOCS = REPOSITORY / "docs"
GUIDES = ("index", "student", "how-it-works")
COMMAND = re.compile(r"(?:`|^|; )tito ([a-z][a-z -]*[a-z])", re.MULTILINE)
INSTALL = re.compile(r"^```(?:sh|bash|powershell)\n(cd tinytorch-student\n.*?)^```", re.M | re.S)


def text_of(guide: str) -> str:
    return (DOCS / f"{guide}.md").read_text(encoding="utf-8")


def unknown_commands(text: str) -> list[str]:
    """Every `tito ...` of a text whose first words are no command; a module's name may follow."""
    unknown = []
    for line in COMMAND.findall(text):
        command, words = typer.main.get_command(app), line.split()
        while words and hasattr(command, "commands"):
            command = command.commands.get(words.pop(0))
        if command is None or hasattr(command, "commands"):
            unknown.append(line)
    return unknown


@pytest.mark.parametrize("guide", ["index", "how-it-works"])
def test_the_examples_of_a_guide_are_true(guide):
    examples = examples_of(text_of(guide), guide)
    assert examples.examples
    assert failures_of(examples) == ""


@pytest.mark.parametrize("guide", GUIDES)
def test_the_commands_of_a_guide_exist(guide):
    assert COMMAND.findall(text_of(guide))
    assert unknown_commands(text_of(guide)) == []


def test_a_command_that_does_not_exist_is_found():
    text = "`tito test 01`, `tito tset 01`, `tito module`\ntito module begin 02  # opens it"
    assert unknown_commands(text) == ["tset", "module", "module begin"]


def test_the_student_guide_installs_as_the_edition_does():
    readme = (REPOSITORY / "tito/edition_files/README.md").read_text(encoding="utf-8")
    assert len(INSTALL.findall(readme)) == 2
    assert INSTALL.findall(text_of("student")) == INSTALL.findall(readme)
