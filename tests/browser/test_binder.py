"""What Binder makes of the repository, and what a visitor does there.

Binder runs on a machine of its own: the steps that it takes with binder/ are taken here, in a new
environment, on a copy of the repository. Its `pip install -r` alone is stood in for, by links.
"""

import json
import shutil
import subprocess
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.browser import jupyter_lab
from tests.browser.environment import environment_of, new_environment, pinned
from tests.browser.page import Page, open_page
from tests.conftest import REPOSITORY
from tito.check import GENERATED_TREES, out_of_sync
from tito.course import Course
from tito.launch import links
from tito.notebook import is_solution, read_notebook

COURSE = Course(REPOSITORY)
LESSON = COURSE.lessons()[0]
BINDER = REPOSITORY / "binder"
COPIED = (*GENERATED_TREES, "binder", "source", "tito", "milestones")
FILES = ("LICENSE", "README.md", "nbgrader_config.py", "pyproject.toml", "settings.ini")


def test_binder_installs_what_the_course_is_locked_to():
    assert pinned(BINDER / "requirements.txt") == pinned(REPOSITORY / "requirements.lock")
    assert {name: version(name) for name in pinned(BINDER / "requirements.txt")} == pinned(
        REPOSITORY / "requirements.lock"
    )


def test_binder_takes_a_python_that_the_course_supports():
    python = (BINDER / "runtime.txt").read_text(encoding="utf-8").strip()
    assert python == f"python-{COURSE.settings['min_python']}"


def test_a_session_has_one_thread_a_product():
    names = "OMP_NUM_THREADS OPENBLAS_NUM_THREADS MKL_NUM_THREADS"
    show = ["sh", "-c", " ".join(f'echo "${name}"' + ";" for name in names.split())]
    ran = subprocess.run([BINDER / "start", *show], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["1", "1", "1"]


@dataclass(frozen=True)
class Session:
    """A built copy of the repository and the `bin` of its environment."""

    folder: Path
    bin: Path


@pytest.fixture(scope="module")
def session(tmp_path_factory) -> Session:
    home = tmp_path_factory.mktemp("binder")
    folder = home / "repository"
    skip = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "results")
    for name in COPIED:
        shutil.copytree(REPOSITORY / name, folder / name, ignore=skip)
    for name in (*FILES, "requirements.lock"):
        shutil.copy(REPOSITORY / name, folder / name)
    made = Session(folder, new_environment(home / "environment"))
    env = environment_of(made.bin)
    subprocess.run(["binder/postBuild"], cwd=folder, env=env, check=True)
    return made


@pytest.mark.slow
def test_the_build_finds_nothing_to_change(session):
    assert out_of_sync(REPOSITORY, session.folder) == []


@pytest.mark.slow
def test_a_visitor_fills_a_blank_and_validates(session, tmp_path):
    query = parse_qs(urlsplit(links(COURSE, LESSON).binder).query)
    answers = {
        cell.id: cell.source
        for cell in read_notebook(session.folder / LESSON.notebook).cells
        if is_solution(cell)
    }
    blank = next(iter(answers))
    with (
        jupyter_lab(
            session.folder,
            python=str(session.bin / "python"),
            start=(str(BINDER / "start"),),
            BINDER_LAUNCH_HOST="https://mybinder.org/",
        ) as url,
        open_page(url + query["urlpath"][0]) as page,
    ):
        visit = Visit(page)
        visit.opens()
        assert "Binder deletes all" in visit.runs("start")
        for given in ("setup", "imports"):
            assert visit.runs(given) == ""
        visit.runs(blank)
        assert "NotImplementedError: This blank is still to fill" in visit.runs(f"test-{blank}")
        page.picture(tmp_path / "red.png")

        visit.fills(blank, answers[blank])
        assert visit.runs(blank) == ""
        assert "Error" not in visit.runs(f"test-{blank}")
        page.picture(tmp_path / "green.png")
        said = visit.validates()
        assert "The following cell failed:" in said
        assert f"def test_{blank.replace('-', '_')}(" not in said
        page.picture(tmp_path / "validated.png")

        visit.closes_the_dialog()
        for name, answer in answers.items():
            visit.fills(name, answer)
        assert "Success! Your notebook passes all the tests." in visit.validates()
        page.picture(tmp_path / "passed.png")


class Visit:
    """A visitor of a notebook in JupyterLab. Cells go by their ids."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def opens(self) -> None:
        """The notebook of the link stands there with a kernel, and a button to validate it."""
        self._page.wait_for("window.jupyterapp?.shell.currentWidget?.context?.isReady")
        kernel = "jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status"
        self._page.wait_for(f"{kernel} === 'idle'")
        self._page.wait_for("!!document.querySelector('jp-button.validate-button')")

    def _chooses(self, cell: str) -> None:
        self._page.run(
            "(() => { const notebook = jupyterapp.shell.currentWidget.content;"
            f" const cells = notebook.widgets.map(cell => cell.model.id);"
            f" notebook.activeCellIndex = cells.indexOf({json.dumps(cell)});"
            " notebook.scrollToCell(notebook.activeCell, 'center'); })()"
        )

    def runs(self, cell: str) -> str:
        """Run a cell; everything it displays, as text."""
        self._chooses(cell)
        self._page.run("jupyterapp.commands.execute('notebook:run-cell')")
        outputs = self._page.run("jupyterapp.shell.currentWidget.content.activeCell.model.toJSON()")
        return "\n".join(_text(output) for output in outputs["outputs"])

    def fills(self, cell: str, answer: str) -> None:
        """Type an answer in place of what stands in a cell."""
        self._chooses(cell)
        self._page.run(
            "(() => { const cell = jupyterapp.shell.currentWidget.content.activeCell;"
            " jupyterapp.shell.currentWidget.content.mode = 'edit';"
            " cell.model.sharedModel.setSource(''); cell.editor.focus(); })()"
        )
        self._page.type(answer)
        written = "jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.source"
        assert self._page.run(written) == answer

    def validates(self) -> str:
        """Press the button; what the dialog says."""
        self._page.run("document.querySelector('jp-button.validate-button').click()")
        return self._page.wait_for("document.querySelector('.jp-Dialog')?.innerText")

    def closes_the_dialog(self) -> None:
        self._page.run("document.querySelector('.jp-Dialog .jp-mod-accept').click()")
        self._page.wait_for("!document.querySelector('.jp-Dialog')")


def _text(output: dict) -> str:
    if output["output_type"] == "error":
        return f"{output['ename']}: {output['evalue']}"
    text = output.get("text", "")
    return text if isinstance(text, str) else "".join(text)
