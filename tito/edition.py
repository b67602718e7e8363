"""What students get: release notebooks, an empty package and the tool, without any answer."""

import shutil
import tempfile
from pathlib import Path

from tito.build import build
from tito.course import Course
from tito.errors import TitoError
from tito.export import write_package_index
from tito.leaks import find_leaks
from tito.reference import Reference, write_reference
from tito.zips import write_zip

NAME = "tinytorch-student"
TOOL = Path(__file__).parent
COPIED = ("settings.ini", "pyproject.toml", "requirements.lock", "LICENSE")
WRITTEN_FOR_STUDENTS = {
    "README.md": "README.md",
    "gitignore": ".gitignore",
    "activate-tinytorch.sh": "bin/activate-tinytorch.sh",
    "activate-tinytorch.ps1": "bin/activate-tinytorch.ps1",
}
SHOWN_LEAKS = 10


def make_edition(course: Course, out: Path) -> list[Path]:
    """Build the course, then write the folder `tinytorch-student` and its zip into `out`.

    An earlier edition there is replaced. Raises TitoError, and leaves nothing new, when a file
    would give an answer away or when the folder to replace holds somebody's work.
    """
    build(course, course.modules())
    folder, archive = out / NAME, out / f"{NAME}.zip"
    _refuse_to_replace_work(folder)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".edition-", dir=out) as scratch:
        draft = Path(scratch, NAME)
        _fill(course, draft)
        content = {
            f"{NAME}/{path.relative_to(draft).as_posix()}": path.read_bytes()
            for path in draft.rglob("*")
            if path.is_file()
        }
        # stored, not deflated: the bytes must not depend on a version of zlib
        write_zip(Path(scratch, archive.name), content, compress=False)
        if leaks := find_leaks(course, Path(scratch)):
            shown = "\n".join(f"  {leak}" for leak in leaks[:SHOWN_LEAKS])
            raise TitoError(f"{len(leaks)} leaks: no edition was written.\n{shown}")
        if folder.exists():
            shutil.rmtree(folder)
        draft.replace(folder)
        Path(scratch, archive.name).replace(archive)
    return [folder, archive]


def make_reference(course: Course, out: Path, upto: int) -> Path:
    """Write the file for `tito module catch-up`: the reference package of modules 1 to `upto`."""
    modules = [module for module in course.modules() if module.number <= upto]
    if not modules or modules[-1].number != upto:
        numbers = ", ".join(str(module.number) for module in course.modules())
        raise TitoError(f"There is no module {upto}: --reference-upto takes one of {numbers}.")
    build(course, modules)
    out.mkdir(parents=True, exist_ok=True)
    files = {
        lesson.exported.as_posix(): (course.root / lesson.exported).read_bytes()
        for lesson in course.lessons(modules)
    }
    return write_reference(out, Reference(upto, files))


def _fill(course: Course, folder: Path) -> None:
    """Write every file of the edition into `folder`."""
    for name in COPIED:
        if not (course.root / name).is_file():
            raise TitoError(f"{course.root / name} is missing: restore it from git.")
        _copy(course.root / name, folder / name)
    for name, target in WRITTEN_FOR_STUDENTS.items():
        _copy(TOOL / "edition_files" / name, folder / target)
    for path in TOOL.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            _copy(path, folder / "tito" / path.relative_to(TOOL))
    for path in (course.root / "milestones").glob("*.py"):
        _copy(path, folder / "milestones" / path.name)
    for lesson in course.lessons():
        _copy(course.root / lesson.release, folder / lesson.release)
    write_package_index(course, folder / "tinytorch", [])


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _refuse_to_replace_work(folder: Path) -> None:
    for name in ("notebooks", "archive", "submit"):
        if any(path.is_file() for path in (folder / name).rglob("*")):
            raise TitoError(
                f"{folder / name} holds somebody's work: move {folder} away, or use --out."
            )
