"""The cells of a submission, read from JSON in which any field may be missing or be anything."""

from dataclasses import dataclass


@dataclass(frozen=True)
class StudentCell:
    """One cell. `grade_id` and `id` are None unless they are text; `marks` is of nbgrader."""

    kind: str
    source: str
    grade_id: str | None
    id: str | None
    marks: dict


def student_cells(raw: dict) -> list[StudentCell]:
    """Every cell of a notebook's JSON that can be read as one; the others are left out."""
    return [_cell(item) for item in raw["cells"] if isinstance(item, dict)]


def _cell(item: dict) -> StudentCell:
    metadata = item.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    marks = metadata.get("nbgrader")
    marks = marks if isinstance(marks, dict) else {}
    kind = item.get("cell_type")
    return StudentCell(
        kind=kind if kind in ("code", "markdown") else "raw",
        source=_text(item.get("source")),
        grade_id=_name(marks.get("grade_id")),
        id=_name(item.get("id")) or _name(metadata.get("id")),  # Colab keeps ids in the metadata
        marks=marks,
    )


def _text(source: object) -> str:
    """Source as one string; nbformat allows a list of lines. Lone surrogates cannot be written."""
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    if not isinstance(source, str):
        return ""
    return source.encode("utf-8", "replace").decode("utf-8")


def _name(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
