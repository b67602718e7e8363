"""A student's folder, and the student at the keyboard."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import copy_of_toy
from tito.course import Course
from tito.edition import make_edition
from tito.notebook import is_solution, read_notebook, write_notebook


@pytest.fixture(scope="session")
def edition(built_toy: Course, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy course's student edition as handed out. It is shared: read it only."""
    course = copy_of_toy(built_toy, tmp_path_factory.mktemp("author") / "course")
    return make_edition(course, course.root / "dist")[0]


@pytest.fixture
def student(edition: Path, tmp_path: Path) -> Course:
    """A student's own copy of the edition."""
    shutil.copytree(edition, tmp_path / "mine")
    return Course(tmp_path / "mine")


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The one line that says what is wrong."""
        lines = [line for line in self.err.splitlines() if line.startswith("error: ")]
        assert len(lines) == 1, self.err
        assert "Traceback" not in self.err
        assert "unexpected" not in lines[0]
        return lines[0]


Tito = Callable[..., Outcome]


@pytest.fixture
def tito(student: Course, monkeypatch, capsys) -> Tito:
    """Type a command in the student's folder: `tito("test", "01")`."""

    def type_command(*words: str, folder: Path = student.root) -> Outcome:
        from tito.cli import main

        monkeypatch.chdir(folder)
        monkeypatch.setattr("sys.argv", ["tito", *words])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        return Outcome(ended.value.code or 0, shown.out, shown.err)

    return type_command


@pytest.fixture
def fill(student: Course, built_toy: Course) -> Callable[..., None]:
    """Start a module and fill its blanks, all or the named ones, with the right answers."""

    def fill_blanks(module: str, *only: str) -> None:
        for lesson in student.lessons([student.module(module)]):
            mine = student.root / lesson.notebook
            if not mine.exists():
                mine.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(student.root / lesson.release, mine)
            solved = read_notebook(built_toy.root / lesson.notebook)
            answers = {cell.id: cell.source for cell in solved.cells}
            nb = read_notebook(mine)
            for cell in nb.cells:
                if is_solution(cell) and (not only or cell.id in only):
                    cell.source = answers[cell.id]
            write_notebook(nb, mine)

    return fill_blanks


def change(path: Path, old: str, new: str) -> None:
    """Edit the text of a file; in a notebook `old` and `new` are given as they look in a cell."""
    if path.suffix == ".ipynb":
        old, new = (json.dumps(text, ensure_ascii=False)[1:-1] for text in (old, new))
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
