"""Code that reaches for what is not its own: answers, grades, other people, the machine."""

from tests.grading.zoo.animal import AREA_POINTS, FULL, Animal, answers

SECRET = "TITO_ZOO_SECRET"
OWNED = "owned-by-the-zoo"


def steals(name: str, condition: str, *says: str) -> Animal:
    """Has the right answer if it gets at what it reaches for, else a wrong one."""
    source = (
        "import os, pathlib, socket, sqlite3\n"
        f"try:\n    found = {condition}\n"
        "except Exception:\n    found = False\n"
        "def double(x):\n    return x + x if found else x\n"
    )
    return answers(name, "double(3) is 6", *says, double=source, score=AREA_POINTS)


REACHING = [
    steals("reads-notebooks", "open('COURSE/notebooks/01_toy/toy.ipynb').read()"),
    steals("reads-source", "open('COURSE/source/01_toy/toy.py').read()"),
    steals("reads-classmate", "open('COURSE/submitted/honest/01_toy/toy.ipynb').read()"),
    steals("lists-course", "os.listdir('COURSE')"),
    steals(
        "writes-gradebook",
        "sqlite3.connect('COURSE/gradebook.db').execute('update grade set manual_score = 396')",
    ),
    steals("writes-outside", f"pathlib.Path('COURSE/{OWNED}').write_text('x')"),
    steals("reads-environment", f"'{SECRET}' in os.environ"),
    steals(
        "reads-environments",
        f"any('{SECRET}' in p.read_text() for p in pathlib.Path('/proc').glob('[0-9]*/environ'))",
    ),
    steals("network", "socket.create_connection(('127.0.0.1', PORT), 3)"),
    steals("name-server", "socket.gethostbyname('pypi.org')"),
    steals("passwords", "open('/etc/passwd').read()"),
    steals("becomes-root", "os.setuid(0) is None"),
    answers(
        "imports-answer",
        "core.toy is what this notebook builds: write it here.",
        double="from tinytorch.core.toy import double",
        score=AREA_POINTS,
    ),
    answers(
        "imports-grader",
        "No module named 'tito'",
        double="from tito.grading import in_kernel",
        score=AREA_POINTS,
    ),
    answers(
        "writes-everywhere",
        double="import pathlib\n"
        "for place in ('/', '/usr', '/home', '/home/packages', '/etc', '/var'):\n"
        f"    try: pathlib.Path(place, '{OWNED}').write_text('x')\n"
        "    except OSError: pass\n"
        f"pathlib.Path('/tmp/{OWNED}').write_text('x')\n"
        "def double(x): return x + x\n",
        score=FULL,
    ),
    answers(
        "after-writes-everywhere",
        double=f"import pathlib\nfound = pathlib.Path('/tmp/{OWNED}').exists()\n"
        "def double(x): return 0 if found else x + x\n",
        score=FULL,
    ),
]
