"""What the tool remembers in a student's folder: `.tinytorch.json`.

Nothing depends on it but comfort: a record that is lost or broken counts as empty.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, replace

from tito.course import Course, Module

RECORD = ".tinytorch.json"
REFERENCE = "reference"


@dataclass(frozen=True)
class ModuleRecord:
    """`done` of `total` exercises passed in the last test run.

    `packaged` says what the package holds: the digest of the exported notebooks or `REFERENCE`.
    """

    done: int | None = None
    total: int | None = None
    packaged: str | None = None


def module_record(course: Course, module: Module) -> ModuleRecord:
    entry = _section(_read(course), "modules").get(module.folder)
    if not isinstance(entry, dict):
        return ModuleRecord()

    def typed(key: str, kind: type):
        value = entry.get(key)
        return value if type(value) is kind else None

    return ModuleRecord(typed("done", int), typed("total", int), typed("packaged", str))


def remember(course: Course, module: Module, **facts: int | str | None) -> None:
    """Change some fields of a module's record."""
    record = _read(course)
    modules = _section(record, "modules")
    modules[module.folder] = asdict(replace(module_record(course, module), **facts))
    _write(course, {**record, "modules": modules})


def remembered_student(course: Course) -> str | None:
    student = _read(course).get("student")
    return student if isinstance(student, str) else None


def remember_student(course: Course, student: str) -> None:
    _write(course, {**_read(course), "student": student})


def digest_of_copies(course: Course, module: Module) -> str | None:
    """A digest of the code in the student's notebooks; None when one is missing or broken.

    Outputs and metadata are left out: running a notebook is no change.
    """
    digest = hashlib.sha256()
    for lesson in course.lessons([module]):
        try:
            text = (course.root / lesson.notebook).read_text(encoding="utf-8")
            cells = json.loads(text)["cells"]
            code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        digest.update(json.dumps(code).encode())
    return digest.hexdigest()


def _read(course: Course) -> dict:
    try:
        record = json.loads((course.root / RECORD).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _section(record: dict, key: str) -> dict:
    section = record.get(key)
    return section if isinstance(section, dict) else {}


def _write(course: Course, record: dict) -> None:
    text = json.dumps(record, indent=1, sort_keys=True) + "\n"
    (course.root / RECORD).write_text(text, encoding="utf-8", newline="\n")
