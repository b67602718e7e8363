"""Which graded cells of a run earned their points, and why the others did not."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nbformat import NotebookNode
from nbformat.v4 import new_output

from tito.grading.challenge import Observation
from tito.grading.compare import compare
from tito.grading.execute import DISHONEST, LIMIT, NOT_RUN, TIMEOUT
from tito.grading.text import one_line
from tito.notebook import grade_id, is_graded, is_solution
from tito.run import Failure, failure_of

BLANK = "blank: still to fill"
NO_MESSAGE = "failed without a message"
_CELL_FILE = re.compile(r"\(\d+\.py, ")  # IPython's name for a cell says nothing to people
_SAYS_IT_ALL = (DISHONEST, LIMIT, NOT_RUN, TIMEOUT)


@dataclass(frozen=True)
class Verdict:
    """A graded cell: its points, and the reason when it earned none."""

    grade_id: str
    points: float
    reason: str | None

    @property
    def passed(self) -> bool:
        return self.reason is None

    @property
    def score(self) -> float:
        return self.points if self.passed else 0.0


def judge(
    nb: NotebookNode,
    observed: Mapping[str, Sequence[Observation | None]],
    expected: Mapping[str, Sequence[Observation]],
) -> list[Verdict]:
    """One verdict for each graded cell of a run notebook, in its order."""
    verdicts, broken = [], None
    for cell in nb.cells:
        if is_solution(cell) and cell.cell_type == "code":
            broken = (grade_id(cell), failure) if (failure := failure_of(cell)) else None
        if is_graded(cell):
            name = grade_id(cell)
            failure = failure_of(cell)
            if failure:
                reason = one_line(_reason(failure, broken)) or NO_MESSAGE
            else:
                reason = compare(expected[name], observed[name])
            verdicts.append(Verdict(name, float(cell.metadata["nbgrader"]["points"]), reason))
    return verdicts


def _reason(failure: Failure, broken: tuple[str, Failure] | None) -> str:
    if failure.is_blank:
        return BLANK
    if failure.kind == "NameError" and broken:
        name, cause = broken
        return f"the cell {name} failed before its test: {_CELL_FILE.sub('(', str(cause))}"
    return failure.message if failure.kind in _SAYS_IT_ALL else str(failure)


def write_verdicts(nb: NotebookNode, verdicts: Sequence[Verdict]) -> None:
    """Give every graded cell outputs in which nbgrader reads exactly the verdict.

    nbgrader takes text on stderr for a failure and a number as the last expression for partial
    credit; a cell that passed has neither.
    """
    by_id = {verdict.grade_id: verdict for verdict in verdicts}
    for cell in nb.cells:
        if not is_graded(cell):
            continue
        verdict = by_id[grade_id(cell)]
        if verdict.passed:
            cell.outputs = [_harmless(output) for output in cell.outputs]
        elif failure_of(cell) is None:
            cell.outputs.append(
                new_output(
                    "error",
                    ename="GradingError",
                    evalue=verdict.reason,
                    traceback=[f"GradingError: {verdict.reason}"],
                )
            )


def _harmless(output: NotebookNode) -> NotebookNode:
    if output.output_type == "stream":
        return new_output("stream", name="stdout", text=output.text)
    if output.output_type == "execute_result":
        return new_output("display_data", data=output.data, metadata=output.metadata)
    return output
