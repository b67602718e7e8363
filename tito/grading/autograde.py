"""nbgrader as the grader of record, driven on a scratch course whose gradebook is the real one.

nbgrader globs and matches its paths as regular expressions, and writes its own release; on a
scratch course neither odd names nor our byte-exact release/ are at risk.
"""

import logging
import re
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from datetime import datetime
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.apps.api import NbGraderAPI
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    LimitOutput,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)
from nbgrader.utils import rmtree
from sqlalchemy.exc import SAWarning

from tito.course import Course, Module
from tito.errors import TitoError
from tito.grading import gradebook
from tito.grading.collect import TIMESTAMP, format_time
from tito.grading.reference import ReferenceNotebook
from tito.grading.text import one_line
from tito.grading.verdict import Verdict
from tito.nbgrader_bridge import load_config
from tito.notebook import grade_id, is_graded, is_solution, write_notebook

Executed = Mapping[str, tuple[NotebookNode, list[Verdict]]]


@contextmanager
def scratch_api(course: Course) -> Iterator[tuple[NbGraderAPI, Path]]:
    """nbgrader's API on an empty scratch course, and that course's folder."""
    with tempfile.TemporaryDirectory(prefix="tito-grade-", ignore_cleanup_errors=True) as folder:
        config = deepcopy(load_config(course.root))
        config.CourseDirectory.root = str(Path(folder).resolve())
        config.CourseDirectory.db_url = gradebook.db_url(course)
        config.Exchange.root = config.CourseDirectory.root
        # The notebook comes executed and repaired: nothing runs here and no output is cleared.
        config.Autograde.sanitize_preprocessors = [
            OverwriteKernelspec,
            OverwriteCells,
            CheckCellMetadata,
        ]
        config.Autograde.autograde_preprocessors = [
            LimitOutput,
            SaveAutoGrades,
            AssignLatePenalties,
            CheckCellMetadata,
        ]
        config.NbGraderAPI.log_level = logging.ERROR
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SAWarning)  # of nbgrader's own queries
            yield NbGraderAPI(config=config), Path(config.CourseDirectory.root)


def check_result(result: dict, what: str) -> None:
    """Turn an unsuccessful answer of NbGraderAPI into an error that says why."""
    if not result["success"]:
        reasons = [line for line in result.get("error", "").splitlines() if line.strip()]
        if reasons[-1] == "KeyboardInterrupt":  # nbgrader catches it like any other
            raise KeyboardInterrupt
        said = re.sub(r"^\[\w+\] ", "", result.get("log", "").strip().split("\n")[0])
        raise TitoError(f"nbgrader could not {what}: {one_line(said or reasons[-1])}")


def ensure_assignment(course: Course, module: Module, references: list[ReferenceNotebook]) -> None:
    """Register the assignment in the gradebook, unless it stands there exactly as built."""
    known = gradebook.known_cells(course, module)
    wanted = {reference.name: _wanted_cells(reference) for reference in references}
    if known == wanted:
        return
    has_other_cells = any(
        name in known and known[name].keys() != cells.keys() for name, cells in wanted.items()
    )
    if gradebook.has_submissions(course, module) and (
        known.keys() != wanted.keys() or has_other_cells
    ):
        raise TitoError(
            f"{module.folder} has grades for other exercises than it has now. Run `nbgrader db "
            f"assignment remove {module.folder} --force` (its grades are lost), then grade again."
        )
    with scratch_api(course) as (api, root):
        shutil.copytree(course.notebooks / module.folder, root / "notebooks" / module.folder)
        check_result(api.generate_assignment(module.folder), f"register {module.folder}")


def _wanted_cells(reference: ReferenceNotebook) -> dict[str, tuple]:
    cells = {}
    for solved, release in zip(reference.solved.cells, reference.release.cells, strict=True):
        if name := grade_id(solved):
            source = release.source if is_solution(solved) else solved.source
            points = float(solved.metadata.nbgrader.points) if is_graded(solved) else None
            cells[name] = (solved.cell_type, not is_solution(solved), source, points)
    return cells


def record(
    course: Course,
    module: Module,
    student: str,
    notebooks: Executed,
    timestamp: datetime | None,
) -> None:
    """Let nbgrader autograde a student's executed notebooks; replaces their former autograde.

    Raises TitoError, and leaves no half-made submission behind, when nbgrader refuses them or reads
    another score out of them than the verdicts say.
    """
    is_new = gradebook.graded_points(course, module, student) is None
    try:
        with scratch_api(course) as (api, root):
            folder = root / "submitted" / student / module.folder
            for name, (nb, _) in notebooks.items():
                write_notebook(nb, folder / f"{name}.ipynb")
            if timestamp is not None:
                (folder / TIMESTAMP).write_text(format_time(timestamp), encoding="utf-8")
            result = api.autograde(module.folder, student)
            check_result(result, f"grade {module.folder} of {student}")
            _check_scores(course, module, student, notebooks)
            _replace(
                root / "autograded" / student / module.folder,
                course.root / "autograded" / student / module.folder,
            )
    except BaseException:
        if is_new:
            gradebook.forget(course, module, student)
        raise


def _check_scores(
    course: Course,
    module: Module,
    student: str,
    notebooks: Executed,
) -> None:
    for name, (_, verdicts) in notebooks.items():
        read = gradebook.auto_scores(course, module, student, name)
        if read != {verdict.grade_id: verdict.score for verdict in verdicts}:
            raise TitoError(f"nbgrader read other scores out of {name} than its run gave.")


def _replace(new: Path, old: Path) -> None:
    if old.exists():
        rmtree(str(old))
    old.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(new, old)
