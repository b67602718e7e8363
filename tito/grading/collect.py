"""submitted/ -> what each student handed in for one assignment, or why it cannot be graded."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tito.course import Course, Module
from tito.grading.cells import student_cells
from tito.grading.handin import BadHandIn, ZippedSubmission, read_cells, read_submission
from tito.grading.reference import ReferenceNotebook

MAX_FILES = 200
TIMESTAMP = "timestamp.txt"


@dataclass(frozen=True)
class Submission:
    """What one student handed in: the JSON of each notebook by its name in the assignment.

    `absent` says of the other notebooks why they cannot be graded, `problem` why nothing can, and
    `is_missing` that nothing was handed in.
    """

    student: str
    notebooks: dict[str, dict]
    absent: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    problem: str | None = None
    is_missing: bool = False
    timestamp: datetime | None = None


@dataclass(frozen=True)
class Unpacked:
    """What unpacking the zips in submitted/ left to say, by student or by zip."""

    problems: dict[str, str]
    notes: dict[str, str]


def submitted(course: Course) -> Path:
    return course.root / "submitted"


def seen_students(course: Course) -> list[str]:
    """Everybody with a folder in submitted/."""
    home = submitted(course)
    if not home.is_dir():
        return []
    return sorted(p.name for p in home.iterdir() if p.is_dir() and not p.name.startswith("."))


def is_student_id(student: str) -> bool:
    """Whether `student` can be a folder of submitted/ and a name that nbgrader handles.

    nbgrader globs for the folder and strips its name.
    """
    return (
        student.isprintable()
        and student.strip() == student
        and not student.startswith(".")
        and not re.search(r"[/\\*?\[]", student)
        and 0 < len(student) <= 128
    )


def unpack_zips(course: Course, module: Module) -> Unpacked:
    """Unpack what `tito submit` made and somebody put into submitted/ itself.

    The newest hand-in wins; a folder without a time stamp was put there by hand and is left alone.
    """
    problems, notes = {}, {}
    for path in sorted(submitted(course).glob("*.zip")):
        try:
            handed_in = read_submission(path)
            if handed_in.module == module.folder and (note := _unpack(course, path, handed_in)):
                notes[handed_in.student] = note
        except (BadHandIn, OSError) as error:
            named = re.match(r"\d\d_\w+?-", path.name)
            if not named or path.name.startswith(f"{module.folder}-"):
                problems[path.name] = str(error)
    return Unpacked(problems, notes)


def _unpack(course: Course, path: Path, handed_in: ZippedSubmission) -> str | None:
    """Unpack one zip into its student's folder; what the student's row should say about it."""
    folder = submitted(course) / handed_in.student / handed_in.module
    made = _parse_time(handed_in.made) or _time_of(path)
    known = read_timestamp(folder)
    if folder.exists() and known is None:
        return f"{path.name} was not unpacked: the folder stands already"
    if known and made <= known:
        return None
    _write_submission(folder, handed_in.notebooks, made)
    return f"replaced by the newer {path.name}; the former is in .replaced/" if known else None


def _time_of(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).replace(tzinfo=None)


def _write_submission(folder: Path, notebooks: dict[str, bytes], made: datetime) -> None:
    """Write a hand-in. What it replaces is kept: a zip says itself whose it is, and may lie."""
    if folder.exists():
        kept = folder.parent.parent / ".replaced" / folder.parent.name / folder.name
        kept.mkdir(parents=True, exist_ok=True)
        folder.rename(kept / str(len(list(kept.iterdir())) + 1))
    folder.mkdir(parents=True)
    for name, data in notebooks.items():
        (folder / name).write_bytes(data)
    (folder / TIMESTAMP).write_text(format_time(made), encoding="utf-8")


def format_time(time: datetime) -> str:
    """A time in UTC as nbgrader's own collect writes it."""
    return f"{time:%Y-%m-%d %H:%M:%S.%f} UTC"


def read_timestamp(folder: Path) -> datetime | None:
    """When a submission was handed in, in UTC; None when its folder does not say it readably."""
    try:
        return _parse_time((folder / TIMESTAMP).read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError):
        return None


def _parse_time(text: str) -> datetime | None:
    from nbgrader.utils import parse_utc

    try:
        return parse_utc(text) if text else None
    except (ValueError, OverflowError, TypeError, AttributeError):
        return None


def collect(
    course: Course, module: Module, references: list[ReferenceNotebook], student: str
) -> Submission:
    """What `student` handed in for `module`. Nothing in their folder makes it raise."""
    if not is_student_id(student):
        return Submission(
            student,
            {},
            problem="the folder's name cannot be a student id: rename it without any of * ? [ / \\ "
            "and without spaces or dots around it",
        )
    folder = submitted(course) / student / module.folder
    if not folder.is_dir():
        return Submission(student, {}, is_missing=True)
    timestamp = read_timestamp(folder)
    notes = []
    if timestamp is None and (folder / TIMESTAMP).exists():
        notes.append(f"{TIMESTAMP} cannot be read: not counted as late")
    try:
        notebooks, absent = _find_notebooks(folder, module, references, student, notes)
    except (BadHandIn, OSError) as error:
        return Submission(student, {}, notes=tuple(notes), problem=str(error), timestamp=timestamp)
    problem = None if notebooks else "; ".join(dict.fromkeys(absent.values()))
    return Submission(student, notebooks, absent, tuple(notes), problem, timestamp=timestamp)


def _find_notebooks(
    folder: Path,
    module: Module,
    references: list[ReferenceNotebook],
    student: str,
    notes: list[str],
) -> tuple[dict[str, dict], dict[str, str]]:
    """The JSON of the notebooks of the assignment, and why the others cannot be graded."""
    files = _files(folder)
    notebooks = [path for path in files if path.suffix.lower() == ".ipynb"]
    zips = [path for path in files if path.suffix.lower() == ".zip"]
    if not notebooks and len(zips) == 1:
        notebooks = _unpack_here(zips[0], folder, module, student)
        notes.append(f"{zips[0].name} was unpacked")
    if not notebooks:
        wanted = ", ".join(reference.file for reference in references)
        there = ", ".join(path.name for path in files[:3] if path.name != TIMESTAMP)
        found = f"only {there} was handed in" if there else "the folder is empty"
        raise BadHandIn(f"{found}: ask for {wanted}")
    names = {reference.file for reference in references}
    others = [path for path in notebooks if path.name not in names or path.parent != folder]
    found, absent = {}, {}
    for reference in references:
        try:
            path, raw = _find(reference, folder, others)
        except BadHandIn as error:
            absent[reference.name] = str(error)
            continue
        if path in others:
            others.remove(path)
            notes.append(f"{path.name} was graded as {reference.file}")
        found[reference.name] = raw
    return found, absent


def _find(reference: ReferenceNotebook, folder: Path, others: list[Path]) -> tuple[Path, dict]:
    """The notebook of this lesson, under its name or another; raises BadHandIn without one."""
    exact = folder / reference.file
    if not exact.is_file():
        return _recognise(reference, others)
    raw = read_cells(exact)
    if not reference.likeness(student_cells(raw)):
        raise BadHandIn(
            f"{exact.name} holds none of this lesson's exercises: ask for the right file"
        )
    return exact, raw


def _recognise(reference: ReferenceNotebook, candidates: list[Path]) -> tuple[Path, dict]:
    """The one notebook that is this lesson under another name."""
    like, broken = [], []
    for path in candidates:
        try:
            raw = read_cells(path)
        except BadHandIn as error:
            broken.append(str(error))
            continue
        if likeness := reference.likeness(student_cells(raw)):
            like.append((likeness, path, raw))
    if not like:
        reason = f" ({broken[0]})" if broken else ""
        raise BadHandIn(f"{reference.file} is not there{reason}: ask for it")
    like.sort(key=lambda found: (-found[0], found[1].name))
    if len(like) > 1 and like[0][0] == like[1][0]:
        both = " and ".join(path.name for _, path, _ in like[:2])
        raise BadHandIn(f"{both} could both be {reference.file}: keep the right one")
    return like[0][1:]


def _unpack_here(path: Path, folder: Path, module: Module, student: str) -> list[Path]:
    handed_in = read_submission(path)
    if handed_in.student != student or handed_in.module != module.folder:
        raise BadHandIn(
            f"{path.name} is {handed_in.student}'s {handed_in.module}: ask for the right file"
        )
    for name, data in handed_in.notebooks.items():
        (folder / name).write_bytes(data)
    made = _parse_time(handed_in.made)
    if made and not (folder / TIMESTAMP).exists():
        (folder / TIMESTAMP).write_text(format_time(made), encoding="utf-8")
    return [folder / name for name in handed_in.notebooks]


def _files(folder: Path) -> list[Path]:
    found = []
    for path in sorted(folder.rglob("*")):
        if ".ipynb_checkpoints" in path.parts or not path.is_file():
            continue
        found.append(path)
        if len(found) > MAX_FILES:
            raise BadHandIn(f"more than {MAX_FILES} files were handed in: keep the notebook alone")
    return found
