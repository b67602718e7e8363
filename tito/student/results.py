"""What a test run found out, and how it adds up."""

from dataclasses import dataclass

DONE, BLANK, FAILED = "done", "blank", "failed"


@dataclass(frozen=True)
class Exercise:
    """One test cell: what it is worth, and whether it passed, met a blank or failed (why)."""

    test: str
    points: float
    state: str
    message: str = ""


@dataclass(frozen=True)
class Result:
    """The outcome of one notebook.

    `notes` say which locked cells were put right for the run, `trouble` which other cells stopped.
    """

    notebook: str
    exercises: tuple[Exercise, ...]
    notes: tuple[str, ...]
    trouble: tuple[str, ...]

    @property
    def left(self) -> list[str]:
        return [exercise.test for exercise in self.exercises if exercise.state != DONE]


def ready(results: list[Result]) -> int:
    """How many notebooks, from the first on, have nothing left: a later one builds on them."""
    return next((n for n, result in enumerate(results) if result.left), len(results))


def points(results: list[Result]) -> str:
    exercises = [exercise for result in results for exercise in result.exercises]
    earned = sum(exercise.points for exercise in exercises if exercise.state == DONE)
    return f"{earned:g} of {sum(exercise.points for exercise in exercises):g} points"


def summary(results: list[Result]) -> str:
    """One line: exercises and points, and what is left."""
    total = sum(len(result.exercises) for result in results)
    left = [test for result in results for test in result.left]
    line = f"{total - len(left)} of {total} exercises done, {points(results)}."
    return f"{line} Left: {', '.join(left)}." if left else line
