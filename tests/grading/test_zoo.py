"""A class with one of every kind: each gets exactly what it deserves, and nobody else suffers."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY, copy_of_toy
from tests.grading.trial import needs_sandbox
from tests.grading.zoo.animal import Animal, Place
from tests.grading.zoo.damaged import DAMAGED, FILES
from tests.grading.zoo.forging import FORGING
from tests.grading.zoo.greedy import GREEDY
from tests.grading.zoo.honest import ALONE, HONEST
from tests.grading.zoo.reaching import OWNED, REACHING, SECRET
from tito.course import Course
from tito.grading import gradebook
from tito.grading.report import Row, load_rows

pytestmark = needs_sandbox

ZOO = {a.name: a for a in (*HONEST, *DAMAGED, *FILES, *GREEDY, *FORGING, *REACHING)}
IN_MAKE_TEST = (
    *("honest", "honest-threads", "edited-test", "cut", "exit", "allclose", "asserts"),
    *("equals-everything", "reads-notebooks", "writes-gradebook"),
)
LIMITS = {
    "cell_seconds": 8,
    "total_seconds": 60,
    "cpu_seconds": 30,
    "memory_mb": 1024,
    "file_mb": 8,
    "processes": 40,
    "output_mb": 2,
}
JOBS = 4  # some of them only sleep


@dataclass(frozen=True)
class Graded:
    course: Course
    rows: dict[str, Row]


def graded(course: Course, animals: list[Animal]) -> Graded:
    """The animals on this course, graded by the real command."""
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.writelines(f"c.Limits.{name} = {value}\n" for name, value in LIMITS.items())
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = Place(course, server.getsockname()[1])
        for animal in animals:
            animal.hand_in(place)
        done = subprocess.run(
            [sys.executable, "-c", "from tito.cli import main; main()", *_grade()],
            cwd=course.root,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), SECRET: "x"},
            capture_output=True,
            text=True,
            timeout=1200,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    return Graded(course, {row.student: row for row in load_rows(course, course.module("01"))})


def _grade() -> list[str]:
    return ["grade", "01", "--jobs", str(JOBS)]


@pytest.fixture(scope="module")
def few(registered_toy: Course, tmp_path_factory: pytest.TempPathFactory) -> Graded:
    course = copy_of_toy(registered_toy, tmp_path_factory.mktemp("few") / "course")
    return graded(course, [ZOO[name] for name in IN_MAKE_TEST])


@pytest.fixture(scope="module")
def zoo(registered_toy: Course, tmp_path_factory: pytest.TempPathFactory) -> Graded:
    course = copy_of_toy(registered_toy, tmp_path_factory.mktemp("zoo") / "course")
    return graded(course, list(ZOO.values()))


def check(animal: Animal, row: Row) -> None:
    assert (row.status, row.score) == (animal.status, animal.score), row.note
    for words in animal.says:
        assert words in row.note
    assert row.score is None or sum(earned for _, earned, _ in row.points) == row.score


@pytest.mark.parametrize("name", IN_MAKE_TEST)
def test_a_few_get_what_they_deserve(few, name):
    check(ZOO[name], few.rows[name])


@pytest.mark.slow
def test_the_zoo_is_whole(zoo):
    assert len(ZOO) >= 60
    assert zoo.rows.keys() == ZOO.keys(), "one row for everybody"
    scores = gradebook.all_scores(zoo.course, zoo.course.module("01"))
    expected = {a.name: a.score for a in ZOO.values() if a.score is not None}
    assert {name: score.net for name, score in scores.items()} == expected, "nbgrader says the same"


@pytest.mark.slow
@pytest.mark.parametrize("name", ZOO)
def test_each_gets_what_it_deserves(zoo, name):
    check(ZOO[name], zoo.rows[name])


@pytest.mark.slow
def test_the_honest_get_what_they_would_have_had_without_the_zoo(
    zoo, registered_toy, tmp_path_factory
):
    course = copy_of_toy(registered_toy, tmp_path_factory.mktemp("honest") / "course")
    alone = graded(course, [ZOO[name] for name in ALONE]).rows
    assert {name: zoo.rows[name] for name in ALONE} == alone


@pytest.mark.slow
def test_nothing_of_the_zoo_is_left(zoo, registered_toy):
    """No file outside, no process, and the course as it was."""
    places = (Path("/"), Path("/tmp"), Path("/usr"), Path("/home"), zoo.course.root)
    assert not [place for place in places if (place / OWNED).exists()]
    assert not list(_commands_with("31415926"))
    for home in ("source", "notebooks", "release", "tinytorch"):
        before, after = registered_toy.root / home, zoo.course.root / home
        assert _contents(after) == _contents(before)


def _contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _commands_with(words: str) -> Iterator[str]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes().decode("utf-8", "replace")
        except OSError:
            continue
        if words in command:
            yield command
