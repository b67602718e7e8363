"""Every command explains itself and refuses in one line."""

import pytest

from tests.student.conftest import change

MODULE_COMMANDS = [
    ("module", "start"),
    ("module", "complete"),
    ("module", "reset"),
    ("module", "catch-up"),
    ("test",),
    ("submit",),
]
COMMANDS = [*MODULE_COMMANDS, ("module", "status"), ("doctor",), ("student-edition",)]


@pytest.mark.parametrize("command", [*COMMANDS, ("module",), ()], ids=" ".join)
def test_help_helps(tito, command):
    seen = tito(*command, "--help")
    assert seen.status == 0
    assert "Usage: " in seen.out
    assert "--help" in seen.out


@pytest.mark.parametrize("command", MODULE_COMMANDS, ids=" ".join)
def test_an_unknown_module_is_answered_with_those_there_are(tito, command):
    for name in ("99", "nonsense", "", "../01_toy"):
        seen = tito(*command, name)
        assert seen.status == 1
        assert seen.error.endswith("The modules are: 01_toy, 02_more.") or "Name one" in seen.error


@pytest.mark.parametrize("command", COMMANDS[:-2], ids=" ".join)
def test_among_solved_notebooks_a_students_command_is_refused(tito, command, built_toy):
    words = command if command[-1] == "status" else (*command, "01")
    seen = tito(*words, folder=built_toy.root)
    assert seen.status == 1
    assert "student edition" in seen.error


def test_in_a_students_folder_an_instructors_command_is_refused(tito):
    assert "needs the lessons' sources" in tito("student-edition").error


@pytest.mark.parametrize("command", COMMANDS[:-2], ids=" ".join)
def test_a_settings_file_without_a_key_is_named(tito, student, command):
    change(student.root / "settings.ini", "lib_path = tinytorch", "")
    words = command if command[-1] == "status" else (*command, "01")
    seen = tito(*words)
    assert seen.status == 1
    assert "settings.ini lacks lib_path" in seen.error


def test_outside_a_course_it_says_where_to_run(tito, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    seen = tito("module", "status", folder=tmp_path / "elsewhere")
    assert "run tito inside the course folder" in seen.error
