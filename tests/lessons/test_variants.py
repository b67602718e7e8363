"""Planted wrong answers lose their points, for the right reason; other right answers do not."""

import pytest

from tests.conftest import REPOSITORY
from tests.lessons.judging import bench, bench_of, lessons
from tito.notebook import grade_id, is_graded, is_solution
from tito.variants import Alternative, Mutant, apply_variants, load_variants

VARIANTS = {
    name: load_variants(REPOSITORY, lesson.module.folder, lesson.name)
    for name, lesson in lessons().items()
}
MUTANTS = [(name, mutant) for name, found in VARIANTS.items() for mutant in found.mutants]
ALTERNATIVES = [(name, other) for name, found in VARIANTS.items() for other in found.alternatives]


def ids(cases):
    return [f"{lesson}:{variant.cell}:{variant.name}" for lesson, variant in cases]


@pytest.mark.parametrize(("lesson", "mutant"), MUTANTS, ids=ids(MUTANTS))
def test_a_wrong_answer_loses_its_points(lesson, mutant):
    this = bench(lesson)
    reason = this.judge(apply_variants(this.solved, mutant))[mutant.test].reason
    assert reason is not None, "this wrong answer got its points"
    assert mutant.says in reason


@pytest.mark.parametrize(("lesson", "other"), ALTERNATIVES, ids=ids(ALTERNATIVES))
def test_a_right_answer_keeps_its_points(lesson, other):
    this = bench(lesson)
    verdicts = this.judge(apply_variants(this.solved, other)).values()
    assert {v.grade_id: v.reason for v in verdicts if v.reason} == {}


@pytest.mark.parametrize("lesson", lessons())
def test_the_reference_gets_everything_under_two_challenges(lesson):
    this = bench(lesson)
    assert not [v for v in this.judge(this.solved).values() if v.reason]
    moved = this.judge(this.solved, seed=7)
    assert moved, "no graded cell"
    assert all(v.reason for v in moved.values()), (
        "another challenge must change what is observed in every graded cell: "
        f"{[v.grade_id for v in moved.values() if not v.reason]} could be answered by heart"
    )


@pytest.mark.parametrize("lesson", lessons())
def test_every_exercise_has_its_variants(lesson):
    exercises = {grade_id(cell) for cell in bench(lesson).solved.cells if is_solution(cell)}
    graded = {grade_id(cell) for cell in bench(lesson).solved.cells if is_graded(cell)}
    found = VARIANTS[lesson]
    for exercise in exercises:
        assert sum(m.cell == exercise for m in found.mutants) >= 5, exercise
        assert sum(a.cell == exercise for a in found.alternatives) >= 3, exercise
    assert {m.test for m in found.mutants} <= graded
    names = [variant.name for variant in (*found.mutants, *found.alternatives)]
    assert len(names) == len(set(names)), "two variants of one name"


# The checks above, seen to fail on the toy course.


@pytest.fixture(scope="module")
def toy_bench(built_toy):
    return bench_of(built_toy, built_toy.lessons()[0])


def test_a_mutant_is_killed_only_by_the_test_it_breaks(toy_bench):
    wrong = Mutant("adds", "double", "test-double", "2 * x", "2 + x", "did you add 2?")
    verdicts = toy_bench.judge(apply_variants(toy_bench.solved, wrong))
    assert "did you add 2?" in verdicts["test-double"].reason
    assert verdicts["test-area"].reason is None


def test_a_harmless_mutant_is_seen_to_survive(toy_bench):
    right = Alternative("sum", "double", "2 * x", "x + x")
    assert toy_bench.judge(apply_variants(toy_bench.solved, right))["test-double"].reason is None


def test_only_the_observed_value_tells(toy_bench):
    wrong = Alternative("visible only", "area", "math.pi * r * r", "math.pi * r")
    reason = toy_bench.judge(apply_variants(toy_bench.solved, wrong))["test-area"].reason
    assert "area" in reason
