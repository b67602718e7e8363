"""The map: where the student stands in each module and what comes next."""

from dataclasses import dataclass

from tito.course import Course, Module
from tito.student.packaging import is_packaged
from tito.student.record import REFERENCE, digest_of_copies, module_record


@dataclass(frozen=True)
class Standing:
    """One line of the map. `next_step` is the command to type, or empty when there is none."""

    module: Module
    state: str
    next_step: str

    @property
    def is_complete(self) -> bool:
        return self.state.startswith(("complete", "reference"))


def standings(course: Course) -> list[Standing]:
    """Every module, in order."""
    return [Standing(module, *_state(course, module)) for module in course.modules()]


def _state(course: Course, module: Module) -> tuple[str, str]:
    number = f"{module.number:02}"
    record = module_record(course, module)
    begun = any((course.root / x.notebook).is_file() for x in course.lessons([module]))
    digest = digest_of_copies(course, module)
    if is_packaged(course, module):
        if record.packaged == REFERENCE:
            return "reference version (catch-up)", ""
        if not begun:
            return "complete, without its notebook", f"tito module start {number}"
        if record.packaged is not None and digest != record.packaged:
            return "complete, changed since", f"tito module complete {number}"
        return "complete", ""
    if not begun:
        return "not started", f"tito module start {number}"
    if digest is None:
        return "a notebook is missing or unreadable", f"tito test {number}"
    if record.total is None:
        return "started", f"tito test {number}"
    state = f"{record.done} of {record.total} exercises done (last test)"
    ready = record.done == record.total
    return state, f"tito module complete {number}" if ready else f"tito test {number}"
