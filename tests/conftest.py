"""What the tests share: a small course that is built once."""

import os
import shutil
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # several tests run at once: threads would fight

import pytest

from tito.build import build
from tito.course import Course

REPOSITORY = Path(__file__).parent.parent
TOY = Path(__file__).parent / "toy"
SETTINGS = ("settings.ini", "nbgrader_config.py", "pyproject.toml", "requirements.lock", "LICENSE")


def toy_course(folder: Path) -> Course:
    """A course of two toy lessons in `folder`, not yet built."""
    shutil.copytree(TOY, folder, dirs_exist_ok=True)
    for name in SETTINGS:
        shutil.copy(REPOSITORY / name, folder / name)
    return Course(folder)


@pytest.fixture(scope="session")
def built_toy(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The toy course, built. It is shared: read it, and `copy_of_toy` it to change it."""
    course = toy_course(tmp_path_factory.mktemp("toy") / "course")
    build(course, course.modules())
    return course


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file on one worker, for the sake of its fixtures; not the variants."""
    for item in items:
        if not item.path.name.startswith("test_variants"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def must_not_skip(report):
    """`report` of a test or a test file; where nothing may be skipped, a skip is a failure."""
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("TITO_SKIP_NOTHING"):
        _, _, reason = report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{reason} (TITO_SKIP_NOTHING: install what is missing)"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return must_not_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return must_not_skip((yield))


def copy_of_toy(built: Course, folder: Path) -> Course:
    """A copy of the built toy course that a test may change."""
    shutil.copytree(built.root, folder, dirs_exist_ok=True)
    return Course(folder)


@pytest.fixture
def toy(built_toy: Course, tmp_path: Path) -> Course:
    """The built toy course, a copy for one test alone."""
    return copy_of_toy(built_toy, tmp_path / "course")
