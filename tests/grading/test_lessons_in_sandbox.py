"""Every lesson that stands, graded inside the sandbox: all points for the reference, none blank."""

import secrets
from functools import cache

import pytest

from tests.conftest import REPOSITORY
from tests.grading.trial import needs_sandbox
from tests.lessons.judging import lessons
from tito.course import Course
from tito.grading.attempt import Conditions, Standard, run_all, standard_of
from tito.grading.limits import Limits
from tito.grading.reference import load_references
from tito.grading.verdict import judge

pytestmark = needs_sandbox


@cache
def standard(lesson: str) -> Standard:
    """The lesson's standard. Making it refuses a reference that misses a single point."""
    course = Course(REPOSITORY)
    files = lessons()[lesson]
    references = {
        reference.lesson: reference for reference in load_references(course, files.module)
    }
    conditions = Conditions(secrets.randbits(64), Limits(), sandboxed=True)
    return standard_of(course, references[files], conditions)


@pytest.mark.parametrize(
    "lesson",
    [
        name if not n else pytest.param(name, marks=pytest.mark.slow)
        for n, name in enumerate(lessons())
    ],
)
def test_the_reference_gets_everything_and_the_blank_nothing(lesson):
    this = standard(lesson)
    [(run, observed)] = run_all([(this.reference.release, this.package)], this.conditions)
    verdicts = judge(run, observed, this.expected)
    assert verdicts
    assert [v.grade_id for v in verdicts if v.score] == []
    assert any("blank" in v.reason for v in verdicts)
