"""`tito module catch-up`: the reference comes in, the student's own files are kept."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from tests.conftest import copy_of_toy
from tito.edition import make_reference
from tito.errors import TitoError
from tito.reference import Reference, find_reference, read_reference, write_reference

NAME = "tinytorch-reference-upto-01.zip"
MODULE = "tinytorch/core/toy.py"


@pytest.fixture(scope="module")
def reference(built_toy, tmp_path_factory) -> Path:
    """The file that an instructor gives to late starters."""
    course = copy_of_toy(built_toy, tmp_path_factory.mktemp("author") / "course")
    return make_reference(course, course.root / "dist", 1)


def rewritten(path: Path, folder: Path, change) -> Path:
    """A copy of the zip whose files (name -> content) `change` has changed."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    copy = folder / path.name
    with zipfile.ZipFile(copy, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return copy


def test_the_reference_comes_into_an_empty_package(tito, student, reference, built_toy):
    shutil.copy(reference, student.root)
    seen = tito("module", "catch-up", "02")
    assert seen.status == 0
    assert "The package holds the reference version of 01_toy." in seen.out
    assert (student.root / MODULE).read_bytes() == (built_toy.root / MODULE).read_bytes()
    assert "core.toy" in (student.package / "__init__.py").read_text(encoding="utf-8")
    assert not (student.root / "archive").exists()
    assert "reference version" in tito("module", "status").out
    assert "warning" not in tito("module", "start", "02", "--no-open").err


def test_own_files_are_kept_aside(tito, student, reference):
    mine = student.root / MODULE
    mine.write_text("double = 'mine'\n", encoding="utf-8")
    seen = tito("module", "catch-up", "02", "--from", str(reference))
    (archive,) = (student.root / "archive").iterdir()
    assert f"archive/{archive.name}/" in seen.out
    assert (archive / MODULE).read_text(encoding="utf-8") == "double = 'mine'\n"


def test_without_the_file_it_says_how_to_get_it(tito):
    error = tito("module", "catch-up", "02").error
    assert NAME in error
    assert "ask your instructor" in error


def test_the_first_module_has_nothing_before_it(tito, reference):
    assert "nothing to catch up" in tito("module", "catch-up", "01", "--from", str(reference)).error


def test_a_file_that_does_not_reach_far_enough_is_refused(tito, student, tmp_path):
    short = write_reference(tmp_path, Reference(1, {"tinytorch/core/other.py": b"x = 1\n"}))
    before = (student.package / "__init__.py").read_bytes()
    error = tito("module", "catch-up", "02", "--from", str(short)).error
    assert "lacks tinytorch/core/toy.py" in error
    assert (student.package / "__init__.py").read_bytes() == before


def test_a_reference_that_does_not_import_leaves_the_package_as_it_was(tito, student, tmp_path):
    broken = write_reference(tmp_path, Reference(1, {MODULE: b"import no_such_module\n"}))
    seen = tito("module", "catch-up", "02", "--from", str(broken))
    assert "No module named 'no_such_module'" in seen.error
    assert not (student.root / MODULE).exists()
    assert "not started" in tito("module", "status").out


def flip(files):
    files[MODULE] += b"# more\n"


def add_a_file(files):
    files["tinytorch/core/extra.py"] = b""


def lose_a_file(files):
    del files[MODULE]


def escape(files):
    files["../../evil.py"] = files[MODULE]


def bring_something_else(files):
    manifest = json.loads(files["manifest.json"])
    manifest["files"]["tito/cli.py"] = "0" * 64
    files["manifest.json"] = json.dumps(manifest).encode()
    files["tito/cli.py"] = b""


def lose_the_manifest(files):
    del files["manifest.json"]


def empty_the_manifest(files):
    files["manifest.json"] = b"[]"


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (flip, "is not as its manifest says"),
        (add_a_file, "is not as its manifest says"),
        (lose_a_file, "is not as its manifest says"),
        (escape, "a path outside its folder"),
        (bring_something_else, "which is no module"),
        (lose_the_manifest, "has no manifest.json"),
        (empty_the_manifest, "has no manifest.json"),
    ],
)
def test_a_damaged_file_is_refused(reference, tmp_path, damage, reason):
    with pytest.raises(TitoError, match=reason):
        read_reference(rewritten(reference, tmp_path, damage))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"text"])
def test_a_file_that_is_no_zip_is_refused(tmp_path, content):
    path = tmp_path / NAME
    path.write_bytes(content)
    with pytest.raises(TitoError, match="is no readable zip"):
        read_reference(path)


def test_the_smallest_file_that_reaches_far_enough_is_taken(tmp_path):
    for number in (1, 4, 9):
        write_reference(tmp_path, Reference(number, {}))
    (tmp_path / "tinytorch-reference-upto-xx.zip").touch()
    assert find_reference(tmp_path, 2).name == "tinytorch-reference-upto-04.zip"
    assert find_reference(tmp_path, 10) is None
