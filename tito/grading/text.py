"""Text that comes from students, made safe for a line of a report."""

import re

MAX_CHARACTERS = 300
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


def plain(text: str) -> str:
    """`text` without colour codes; of the control characters only line ends and tabs stay."""
    return "".join(c for c in _ANSI.sub("", text) if c.isprintable() or c in "\n\t")


def one_line(text: str, most: int = MAX_CHARACTERS) -> str:
    """`text` on one line: no colour codes, no control characters, cut at `most` characters."""
    uncoloured = _ANSI.sub("", text[: 10 * most])
    line = " ".join("".join(c if c.isprintable() else " " for c in uncoloured).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


def listed(names: list[str]) -> str:
    """The names, or the first three and how many more."""
    return (
        ", ".join(names) if len(names) <= 4 else f"{', '.join(names[:3])} and {len(names) - 3} more"
    )
