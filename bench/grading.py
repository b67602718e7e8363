"""`python -m bench.grading`: `tito grade` beside `nbgrader autograde` on the same submissions.

Each grades the same class of module 01, whose answers are the reference's, in turns; both from a
cold start to a whole gradebook. Needs bubblewrap. 40 students and 3 pairs take 20 minutes.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tito.course import Course
from tito.demo import filled
from tito.notebook import dump_notebook, read_notebook

HERE = Path(__file__).parent.parent
MODULE = "01_tensor"
TITO = [sys.executable, "-c", "from tito.cli import main; main()", "grade", "01", "--force"]
NBGRADER = [sys.executable, "-m", "nbgrader"]
STOCK = """
c = get_config()
c.CourseDirectory.course_id = "stock"
c.CourseDirectory.source_directory = "notebooks"
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.grading", description=__doc__)
    parser.add_argument("--students", type=int, default=40)
    parser.add_argument("--pairs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tito-bench-") as folder:
        ours, theirs = Path(folder, "ours"), Path(folder, "theirs")
        for root in (ours, theirs):
            write_course(root, options.students)
        (theirs / "nbgrader_config.py").write_text(STOCK, encoding="utf-8")
        run(theirs, [*NBGRADER, "generate_assignment", MODULE, "--force"])
        ratios = []
        for number in range(options.pairs):
            contestants = [
                (ours, TITO),
                (theirs, [*NBGRADER, "autograde", MODULE, "--force"]),
            ]
            turn = contestants if number % 2 == 0 else contestants[::-1]
            seconds = {root: run(root, command) for root, command in turn}
            ratios.append(seconds[theirs] / seconds[ours])
            print(
                f"{options.students} submissions: tito {seconds[ours]:.1f} s, "
                f"nbgrader {seconds[theirs]:.1f} s, {ratios[-1]:.2f} times the throughput",
                flush=True,
            )
    print(
        f"{os.cpu_count()} cores: min {min(ratios):.2f}, median {statistics.median(ratios):.2f} "
        f"of {options.pairs} pairs"
    )


def write_course(root: Path, students: int) -> None:
    """Module 01 of this course, and a class that handed in the right answers."""
    later = shutil.ignore_patterns("0[2-9]_*", "[1-9][0-9]_*", "__pycache__")
    for name in ("source", "notebooks", "release", "tinytorch"):
        shutil.copytree(HERE / name, root / name, ignore=later)
    for name in ("settings.ini", "nbgrader_config.py"):
        shutil.copy(HERE / name, root / name)
    course = Course(root)
    for lesson in course.lessons():
        blank, solved = (read_notebook(root / path) for path in (lesson.release, lesson.notebook))
        text = dump_notebook(filled(blank, solved))
        for number in range(students):
            folder = root / "submitted" / f"student{number:03}" / MODULE
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{lesson.name}.ipynb").write_text(text, encoding="utf-8")


def run(course: Path, command: list[str]) -> float:
    """Seconds that a command takes in a course's folder."""
    env = dict(os.environ)
    env["PYTHONPATH"] = os.pathsep.join([str(course), str(HERE)])
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])  # for alembic
    began = time.perf_counter()
    subprocess.run(
        command,
        cwd=course,
        env=env,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
