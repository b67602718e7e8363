"""Start, status and reset: the student's copies are made once and never lost."""

import subprocess
import sys

import pytest

from tests.student.conftest import change
from tito.student import workspace


def test_start_makes_a_copy_once_and_keeps_it(tito, student):
    seen = tito("module", "start", "toy", "--no-open")
    assert seen.status == 0
    assert "made notebooks/01_toy/toy.ipynb" in seen.out
    copy = student.notebooks / "01_toy/toy.ipynb"
    assert copy.read_bytes() == (student.release / "01_toy/toy.ipynb").read_bytes()
    change(copy, "# YOUR CODE HERE", "# mine")
    mine = copy.read_bytes()
    assert "made" not in tito("module", "start", "01_toy", "--no-open").out
    assert copy.read_bytes() == mine


def test_start_warns_when_an_earlier_module_is_not_in_the_package(tito):
    seen = tito("module", "start", "02", "--no-open")
    assert seen.status == 0
    assert "warning: Not in your package yet: 01_toy." in seen.err
    assert "`tito module complete 01`" in seen.err
    assert "`tito module catch-up 02`" in seen.err
    assert "warning" not in tito("module", "start", "01", "--no-open").err


class FakeLab:
    """Stands in for JupyterLab: somebody presses Ctrl-C once, then it ends."""

    def __init__(self, command, cwd, env):
        FakeLab.started = (command, cwd, env)
        self.waits = [KeyboardInterrupt, 0]

    def wait(self):
        answer = self.waits.pop(0)
        if answer is KeyboardInterrupt:
            raise answer
        return answer


def test_start_opens_jupyterlab_on_the_notebook_over_the_own_package(tito, student, monkeypatch):
    monkeypatch.setattr(workspace.subprocess, "Popen", FakeLab)
    assert tito("module", "start", "01", "--no-browser").status == 0
    command, cwd, env = FakeLab.started
    assert command[:4] == [sys.executable, "-m", "jupyter", "lab"]
    assert command[4].endswith("/lab/tree/notebooks/01_toy/toy.ipynb")
    assert cwd == student.root
    assert command[5] == "--no-browser"
    assert env["PYTHONPATH"] == str(student.root)


def test_a_jupyterlab_that_fails_is_reported(tito, monkeypatch):
    class Failing(FakeLab):
        def wait(self):
            return 3

    monkeypatch.setattr(workspace.subprocess, "Popen", Failing)
    assert "JupyterLab ended with status 3" in tito("module", "start", "01").error


def test_without_jupyterlab_start_says_what_to_do(tito, monkeypatch):
    monkeypatch.setattr(workspace.importlib.util, "find_spec", lambda name: None)
    assert "activate" in tito("module", "start", "01").error


def test_reset_keeps_the_work_and_says_where(tito, student, fill):
    fill("01")
    copy = student.notebooks / "01_toy/toy.ipynb"
    mine = copy.read_bytes()
    (copy.parent / "notes.txt").write_text("mine", encoding="utf-8")
    seen = tito("module", "reset", "01", "--yes")
    assert seen.status == 0
    (archive,) = (student.root / "archive").iterdir()
    assert f"archive/{archive.name}/" in seen.out
    assert (archive / "toy.ipynb").read_bytes() == mine
    assert copy.read_bytes() == (student.release / "01_toy/toy.ipynb").read_bytes()
    assert (copy.parent / "notes.txt").exists()


def test_resets_within_one_second_get_archives_of_their_own(tito, student):
    tito("module", "start", "01", "--no-open")
    for _ in range(3):
        tito("module", "reset", "01", "-y")
    assert len(list((student.root / "archive").iterdir())) == 3


def test_reset_of_a_broken_notebook_keeps_it_too(tito, student):
    copy = student.notebooks / "01_toy/toy.ipynb"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(b"\xff half a file")
    assert tito("module", "reset", "01", "--yes").status == 0
    (archive,) = (student.root / "archive").iterdir()
    assert (archive / "toy.ipynb").read_bytes() == b"\xff half a file"


@pytest.mark.parametrize(("answer", "error"), [("", "say --yes"), ("n\n", "Nothing was changed")])
def test_reset_asks_first(tito, student, fill, monkeypatch, answer, error):
    import io

    fill("01")
    mine = (student.notebooks / "01_toy/toy.ipynb").read_bytes()
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    seen = tito("module", "reset", "01")
    assert seen.status == 1
    assert error in seen.err
    assert (student.notebooks / "01_toy/toy.ipynb").read_bytes() == mine


def test_status_tells_started_from_not_started(tito):
    assert tito("module", "status").out.count("not started") == 2
    tito("module", "start", "01", "--no-open")
    rows = tito("module", "status").out.splitlines()
    (row,) = [row for row in rows if "01_toy" in row]
    assert row.split() == ["01_toy", "started", "tito", "test", "01"]


@pytest.mark.parametrize(
    "record", ["{", "[]", '{"modules": 3}', '{"modules": {"01_toy": {"done": []}}}']
)
def test_a_broken_record_counts_as_empty(tito, student, record):
    (student.root / ".tinytorch.json").write_text(record, encoding="utf-8")
    assert tito("module", "start", "01", "--no-open").status == 0
    assert "started" in tito("module", "status").out


def test_the_tool_of_the_edition_runs_by_itself(student):
    """The copied tool, not the one under test: nothing that it needs was left out."""
    code = "import sys; from tito.cli import main; sys.argv[1:] = ['module', 'status']; main()"
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=student.root, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "01_toy" in run.stdout
