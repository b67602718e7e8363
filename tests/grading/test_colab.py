"""What Colab does to a notebook costs no points, and what was repaired is told."""

import json

import pytest

from tests.conftest import REPOSITORY
from tests.grading.classroom import answered, hand_in, release_of
from tests.grading.colab import LOSSES, after, go_back_to_minor_0, lose_all_metadata
from tests.grading.trial import needs_sandbox
from tito.course import Course
from tito.grading.grade import grade_module
from tito.grading.reference import load_references
from tito.grading.repair import repair
from tito.notebook import is_solution

COURSE = Course(REPOSITORY)
WRONG = "def area(r):\n    return math.pi if r == 1 else math.pi * r\n"  # a hidden test sees it


def notes_on(repaired: str | None) -> tuple[str, ...]:
    return (f"nbgrader's marks on {repaired} were changed: restored",) if repaired else ()


@pytest.mark.parametrize(("lose", "repaired"), LOSSES.items())
def test_what_the_grader_runs_is_the_same_after_each_loss(lose, repaired, built_toy):
    reference = load_references(built_toy, built_toy.module("01"))[0]
    filled = answered(release_of(built_toy), area=WRONG)
    mended = repair(after(lose, filled), reference)
    assert mended.notebook == repair(filled, reference).notebook
    assert mended.notes == notes_on(repaired)


@pytest.mark.slow
@needs_sandbox
def test_each_loss_gets_the_same_points_and_the_report_says_what_was_repaired(toy):
    filled = answered(release_of(toy), area=WRONG)
    hand_in(toy, "untouched", filled)
    for lose in LOSSES:
        hand_in(toy, lose.__name__, after(lose, filled))
    rows = {row.student: row for row in grade_module(toy, toy.module("01"))}
    assert {row.score for row in rows.values()} == {4.0}
    assert rows.pop("untouched").notes == ()
    told = {student: row.notes for student, row in rows.items()}
    assert told == {lose.__name__: notes_on(repaired) for lose, repaired in LOSSES.items()}


def test_an_id_in_the_metadata_tells_which_cell_it_is(built_toy):
    """An answer that defines the name in no usual way is then found too."""
    nb = answered(release_of(built_toy), double="double = lambda x: x + x")
    for each in nb["cells"]:
        each["metadata"] = {"id": each.pop("id")}
    mended = repair(nb, load_references(built_toy, built_toy.module("01"))[0])
    assert [c.source for c in mended.notebook.cells if c.id == "double"] == [
        "double = lambda x: x + x"
    ]


@pytest.mark.parametrize("module", COURSE.modules(), ids=lambda module: module.folder)
def test_every_lesson_is_recognised_without_any_mark(module):
    """Answers are known by what they define: nothing is left but the cells' text."""
    for reference in load_references(COURSE, module):
        nb = json.loads((COURSE.root / reference.lesson.release).read_text(encoding="utf-8"))
        for each, solved in zip(nb["cells"], reference.solved.cells, strict=True):
            if is_solution(solved):
                each["source"] = f"{solved.source}\n# mine"
        whole = repair(nb, reference)
        bare = repair(after(go_back_to_minor_0, after(lose_all_metadata, nb)), reference)
        assert whole.notes == ()
        assert bare.notebook == whole.notebook
        assert len(bare.notes) == 1
