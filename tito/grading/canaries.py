"""Whether a test's world is honest: asked of the kernel before and after each graded cell.

A bar, not a wall: code in the same process could answer anything. The wall is that the observed
values are compared in another process (`compare.py`).
"""

import inspect
import json
import secrets
from functools import cache

from tito.grading import in_kernel
from tito.grading.kernel import Kernel, Reply

MOST_NAMED = 3
ADVICE = "a test run then proves nothing and earns nothing"
Marks = dict[str, str]


class DishonestError(Exception):
    """What a test relies on is not as it was, or does not answer; the message says what."""


async def ask(kernel: Kernel, names: list[str], call: str | None = None) -> tuple[Marks, dict]:
    """The marks of the kernel's world and, before them, the answer to a `call` of `in_kernel`.

    Raises DishonestError when what comes back is no such answer.
    """
    source = "\n\n".join(
        [
            _functions(),
            f"answer = {call or '{}'}",
            f"answer['marks'] = look_around({names!r})",
            "import json",
            "text = json.dumps(answer).encode().hex()",
        ]
    )
    question = f"(lambda space: (exec({source!r}, space), space['text'])[1])({{}})"
    reply = await kernel.run("", question=question)
    try:
        answer = json.loads(bytes.fromhex(reply.answer.strip("'")))
        marks = {str(name): str(mark) for name, mark in answer["marks"].items()}
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise DishonestError(
            f"the notebook's Python no longer answers the grader: {ADVICE}"
        ) from error
    return marks, answer


@cache  # to find a function's source takes as long as to ask
def _functions() -> str:
    functions = (
        in_kernel.challenge_and_observe,
        in_kernel.look_around,
        in_kernel.set_up,
        in_kernel.hand_over,
    )
    return "\n\n".join(map(inspect.getsource, functions))


def compare_marks(before: Marks, after: Marks) -> None:
    """Raise DishonestError when anything marked in `before` is not the same in `after`."""
    changed = sorted(name for name, mark in before.items() if after.get(name) != mark)
    if changed:
        more = len(changed) - MOST_NAMED
        names = ", ".join(changed[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        raise DishonestError(f"the notebook replaced {names}: {ADVICE}")


async def check_assert(kernel: Kernel) -> None:
    """Raise DishonestError unless a false assert stops a cell, with its own message."""
    token = secrets.token_hex(8)
    code = f"assert __import__('numpy').allclose(0, 1), {token!r}"
    reply: Reply = await kernel.run(code)
    if (reply.error, reply.message) != ("AssertionError", token):
        raise DishonestError(f"a false assert did not stop a cell: {ADVICE}")
