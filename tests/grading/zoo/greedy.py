"""Code that takes more than it may, or ends its Python; the test before it keeps its points."""

from tests.grading.classroom import AREA
from tests.grading.zoo.animal import DOUBLE_POINTS, Animal, answers


def kills(name: str, body: str, *says: str) -> Animal:
    """Fails where the area is asked for, after the first test earned its points."""
    area = "import os, signal, sys\ndef area(r):\n" + "".join(
        f"    {x}\n" for x in body.split("\n")
    )
    return answers(name, *(f"test-area: {words}" for words in says), area=area, score=DOUBLE_POINTS)


GREEDY = [
    kills("endless", "while True: pass", "the cell ran longer than"),
    kills(
        "endless-deaf",
        "while True:\n    try:\n        while True: pass\n    except KeyboardInterrupt: pass",
        "the cell ran longer than",
    ),
    kills("sleeps", "import time; time.sleep(10**6)", "the cell ran longer than"),
    kills("big-power", "return 9**9**9", "the cell ran longer than"),
    kills(
        "memory", "return [bytearray(10**7) for _ in range(10**5)]", "the cell needed more memory"
    ),
    kills("fork-bomb", "while True: os.fork()", ""),
    kills("exit", "os._exit(0)", "the cell ended Python (exit or os._exit?)"),
    kills("sys-exit", "sys.exit(0)", "SystemExit"),
    kills("quit", "quit()", ""),
    kills("kill", "os.kill(os.getpid(), signal.SIGKILL)", "the cell was killed"),
    kills("kill-all", "os.kill(-1, signal.SIGKILL)", "ProcessLookupError"),
    kills("crash", "import ctypes; ctypes.string_at(0)", "the cell crashed Python (segmentation"),
    kills("recursion", "return area(r)", "RecursionError"),
    kills("big-file", "open('x', 'wb').write(bytes(10**8))", ""),
    answers(
        "flood",
        area="print('x' * 10**7)\nfor _ in range(3 * 10**4): print('y' * 99)\n" + AREA,
    ),
    answers(
        "leaves-a-process",
        area="import subprocess\nsubprocess.Popen(['sleep', '31415926'])\n" + AREA,
    ),
]
