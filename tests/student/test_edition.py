"""`tito student-edition`: what students get is complete, reproducible and gives nothing away."""

import zipfile

import pytest

from tests.conftest import copy_of_toy
from tests.student.conftest import change
from tito.edition import make_edition, make_reference
from tito.errors import TitoError


def files(folder) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


def test_it_holds_what_a_student_needs_and_nothing_else(edition, built_toy):
    names = {name for name in files(edition) if not name.startswith("tito/")}
    assert names == {
        ".gitignore",
        "LICENSE",
        "README.md",
        "bin/activate-tinytorch.ps1",
        "bin/activate-tinytorch.sh",
        "pyproject.toml",
        "release/01_toy/toy.ipynb",
        "release/02_more/more.ipynb",
        "requirements.lock",
        "settings.ini",
        "tinytorch/__init__.py",
        "tinytorch/core/__init__.py",
    }
    tool = {name for name in files(edition) if name.startswith("tito/")}
    assert {"tito/cli.py", "tito/student/testing.py"} <= tool
    assert not any("__pycache__" in name for name in tool)
    assert "import *" not in (edition / "tinytorch/__init__.py").read_text(encoding="utf-8")


def test_the_zip_holds_the_same_files(edition):
    with zipfile.ZipFile(edition.with_suffix(".zip")) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    assert packed == {f"{edition.name}/{name}": data for name, data in files(edition).items()}


def test_it_is_the_same_byte_for_byte_each_time(toy, edition):
    for _ in range(2):  # the second replaces the first
        make_edition(toy, toy.root / "dist")
    again = (toy.root / "dist" / edition.name).with_suffix(".zip").read_bytes()
    assert again == edition.with_suffix(".zip").read_bytes()


def test_a_leak_is_refused_and_nothing_is_left(toy):
    license_file = toy.root / "LICENSE"
    text = license_file.read_text(encoding="utf-8")
    license_file.write_text(f"{text}\nreturn math.pi * r * r\n", encoding="utf-8")
    with pytest.raises(TitoError, match=r"(?s)leaks: no edition was written.*LICENSE:\d+: the sol"):
        make_edition(toy, toy.root / "dist")
    assert list((toy.root / "dist").iterdir()) == []


def test_a_folder_with_work_is_not_replaced(toy):
    folder, _ = make_edition(toy, toy.root / "dist")
    work = folder / "notebooks/01_toy/toy.ipynb"
    work.parent.mkdir(parents=True)
    work.touch()
    with pytest.raises(TitoError, match="somebody's work"):
        make_edition(toy, toy.root / "dist")
    assert work.exists()


def test_a_changed_lesson_is_built_first(toy):
    change(toy.source / "02_more/more.py", "by doubling twice", "doubled twice")
    folder, _ = make_edition(toy, toy.root / "dist")
    assert "doubled twice" in (folder / "release/02_more/more.ipynb").read_text(encoding="utf-8")


def test_the_command_writes_it_and_the_reference(tito, built_toy, tmp_path):
    course = copy_of_toy(built_toy, tmp_path / "course")
    seen = tito("student-edition", "--reference-upto", "1", folder=course.source)
    assert seen.status == 0, seen.err
    assert {path.name for path in (course.root / "dist").iterdir()} == {
        "tinytorch-student",
        "tinytorch-student.zip",
        "tinytorch-reference-upto-01.zip",
    }
    with zipfile.ZipFile(course.root / "dist/tinytorch-reference-upto-01.zip") as archive:
        assert archive.namelist() == ["manifest.json", "tinytorch/core/toy.py"]


def test_a_reference_needs_a_module_that_exists(toy):
    with pytest.raises(TitoError, match="There is no module 7: --reference-upto takes one of 1, 2"):
        make_reference(toy, toy.root / "dist", 7)


def test_a_missing_file_of_the_course_is_named(toy):
    (toy.root / "LICENSE").unlink()
    with pytest.raises(TitoError, match="LICENSE is missing"):
        make_edition(toy, toy.root / "dist")
