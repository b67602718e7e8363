"""Finding the course and its modules; settings that are broken say so in one line."""

import pytest

from tito.course import Course, export_target
from tito.errors import TitoError


def test_the_course_is_found_from_below(built_toy):
    assert Course.find(built_toy.source / "01_toy").root == built_toy.root.resolve()


def test_no_course_above_says_where_it_looked(tmp_path):
    with pytest.raises(
        TitoError, match=r"No settings\.ini in .* run tito inside the course folder"
    ):
        Course.find(tmp_path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "[DEFAULT]\nlib_name = tinytorch\n",
            "lacks lib_path, nbs_path, version, user, repo, branch: add `lib_path = ...`",
        ),
        ("no section\n", "cannot be read"),
        ("[DEFAULT]\nx = 1\nx = 2\n", "cannot be read"),
    ],
)
def test_broken_settings_say_what_to_do(text, says, tmp_path):
    (tmp_path / "settings.ini").write_text(text, encoding="utf-8")
    with pytest.raises(TitoError, match=says.replace("(", r"\(").replace("...", r"\.\.\.")):
        Course.find(tmp_path)


@pytest.mark.parametrize("wanted", ["2", "02", "more", "02_more"])
def test_a_module_is_named_by_number_folder_or_name(built_toy, wanted):
    assert built_toy.module(wanted).folder == "02_more"


def test_an_unknown_module_lists_the_known(built_toy):
    with pytest.raises(TitoError, match=r"no module '3'. The modules are: 01_toy, 02_more"):
        built_toy.module("3")


def test_an_instructors_command_is_refused_in_a_students_folder(tmp_path):
    with pytest.raises(TitoError, match="`tito build` needs the lessons' sources"):
        Course(tmp_path).require_source("build")


def test_export_target():
    assert export_target("x = 1\n#| default_exp core.tensor\n") == "core.tensor"
    assert export_target("# default_exp core.tensor") is None
