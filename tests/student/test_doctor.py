"""`tito doctor`: each check is seen to pass and to fail, with something to do about it."""

import shutil
import sys
from importlib.metadata import version
from types import SimpleNamespace

import pytest

from tito import doctor
from tito.run import Failure


@pytest.fixture
def lock(student):
    return student.root / "requirements.lock"


def test_a_sound_environment_has_its_locked_packages(student, lock):
    lock.write_text(
        f"numpy=={version('numpy')}\nno-such-package==1.0 ; python_version < '3'\n# note\n\n",
        encoding="utf-8",
    )
    assert doctor.packages(student) == doctor.Check("packages", True, "1 at their locked versions")


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        ("numpy==0.1", "instead of ==0.1"),
        ("no-such-package==1.0", "no-such-package is missing"),
        ("what is this", "has the line 'what is this'"),
    ],
)
def test_a_package_off_its_lock_is_named(student, lock, line, detail):
    lock.write_text(f"{line}\n", encoding="utf-8")
    check = doctor.packages(student)
    assert not check.ok
    assert detail in check.detail
    assert check.remedy


def test_a_missing_lock_is_named(student, lock):
    lock.unlink()
    assert not doctor.packages(student).ok


def test_the_package_must_come_from_this_folder(student, monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", str(student.root))
    assert doctor.own_package(student).ok
    shutil.copytree(student.package, tmp_path / "other/tinytorch")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "other"))
    check = doctor.own_package(student)
    assert not check.ok
    assert "other" in check.detail
    (tmp_path / "other/tinytorch/__init__.py").write_text("1 / 0\n", encoding="utf-8")
    assert "ZeroDivisionError" in doctor.own_package(student).detail


def test_an_old_python_is_named(monkeypatch):
    assert doctor.python().ok
    monkeypatch.setattr(doctor, "sys", SimpleNamespace(version_info=(3, 9, 1), executable="py"))
    check = doctor.python()
    assert not check.ok
    assert "3.9.1" in check.detail


def test_jupyterlab_and_its_extension(monkeypatch):
    assert doctor.jupyterlab().ok
    assert doctor.nbgrader().ok
    monkeypatch.setattr(doctor.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr("jupyter_core.paths.jupyter_path", lambda: [])
    assert not doctor.jupyterlab().ok
    assert not doctor.nbgrader().ok


def test_a_folder_that_cannot_be_written_to(student, monkeypatch):
    assert doctor.writable(student).ok

    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(doctor.tempfile, "NamedTemporaryFile", refuse)
    assert "Permission denied" in doctor.writable(student).detail


def test_the_kernel_starts(monkeypatch):
    assert doctor.kernel().ok
    monkeypatch.setattr("tito.run.failure_of", lambda cell: Failure("ImportError", "no numpy"))
    assert "no numpy" in doctor.kernel().detail

    def fail(*args, **kwargs):
        raise OSError("no ports")

    monkeypatch.setattr("tito.run.run_notebook", fail)
    assert "no ports" in doctor.kernel().detail


def test_the_sandbox_is_asked_for_where_classes_are_graded(monkeypatch, built_toy, student):
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    monkeypatch.setattr(doctor, "kernel", lambda: doctor.Check("kernel", True, ""))
    monkeypatch.chdir(student.root)
    assert "sandbox for grading" not in {check.name for check in doctor.checks()}
    monkeypatch.chdir(built_toy.root)
    (check,) = [check for check in doctor.checks() if check.name == "sandbox for grading"]
    assert not check.ok
    assert "bubblewrap" in check.remedy


def test_the_command_ends_with_1_on_a_problem(tito, lock, student, monkeypatch):
    monkeypatch.setattr(doctor, "kernel", lambda: doctor.Check("kernel", True, "starts"))
    monkeypatch.setenv("PYTHONPATH", str(student.root))
    lock.write_text("numpy==0.1\n", encoding="utf-8")
    seen = tito("doctor")
    assert seen.status == 1
    assert "problem packages: numpy" in seen.out
    assert "-> python -m pip install -r requirements.lock" in seen.out
    lock.write_text(f"numpy=={version('numpy')}\n", encoding="utf-8")
    seen = tito("doctor")
    assert seen.status == 0
    assert f"at {sys.executable}" in seen.out
    assert seen.out.endswith("All is well.\n")


def test_outside_a_course_folder_it_still_says_what_it_can(tito, tmp_path):
    seen = tito("doctor", folder=tmp_path)
    assert seen.status == 1
    assert "Python: " in seen.out
    assert "problem course folder" in seen.out
