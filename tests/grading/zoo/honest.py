"""Students who did the work, some of them in ways that graders stumble over."""

from tests.grading.classroom import DOUBLE
from tests.grading.zoo.animal import AREA_POINTS, DOUBLE_POINTS, FULL, WRONG, answers

BLANK = "raise NotImplementedError('This blank is still to fill: replace this line by your code.')"
HONEST = [
    answers("honest"),
    answers("honest-lambda", double="double = lambda x: 2 * x"),
    answers("honest-Zoë Müller", double="def double(größe):\n    return größe * 2\n"),
    answers(
        "honest-prints",
        double="def double(x):\n    print('.' * 10_000)\n    return x + x\n",
    ),
    answers(
        "honest-warns",
        double="import sys, warnings\n"
        "def double(x):\n"
        "    warnings.warn('careful')\n"
        "    print('oh', file=sys.stderr)\n"
        "    return x + x\n",
    ),
    answers(
        "honest-threads",
        double="from concurrent.futures import ThreadPoolExecutor\n"
        "def double(x):\n"
        "    with ThreadPoolExecutor(4) as pool:\n"
        "        return sum(pool.map(lambda part: part, [x, x]))\n",
    ),
    answers(
        "honest-plots",
        double="%matplotlib inline\n"
        "import matplotlib.pyplot as plt\n"
        "plt.plot([1, 2]); plt.show()\n" + DOUBLE,
    ),
    answers("honest-timeit", double=DOUBLE + "%timeit -n 1 -r 1 double(2)\n"),
    answers(
        "honest-file",
        double="open('notes.txt', 'w').write('2')\n"
        "def double(x):\n"
        "    return int(open('notes.txt').read()) * x\n",
    ),
    answers("honest-settings", double="np.set_printoptions(precision=2)\nnp.seed = 1\n" + DOUBLE),
    answers(
        "half",
        "double(3) is 6: did you add 2?",
        double=DOUBLE.replace("x + x", "x + 2"),
        score=AREA_POINTS,
    ),
    answers("untried", "test-double: double works on arrays too", double=WRONG, score=AREA_POINTS),
    answers(
        "gave-up",
        "blank: still to fill",
        double=f"def double(x):\n    {BLANK}",
        area=f"def area(r):\n    {BLANK}",
        score=0,
    ),
    answers(
        "typo", "SyntaxError: expected ':'", area="def area(r)\n    return", score=DOUBLE_POINTS
    ),
]
ALONE = [animal.name for animal in HONEST if animal.score in (FULL, AREA_POINTS)]
