"""Text that comes from students, made safe for a line of a report."""

import re

MAX_CHARACTERS = 300
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


def one_line(text: str, most: int = MAX_CHARACTERS) -> str:
    """`text` on one line: no colour codes, no control characters, cut at `most` characters."""
    plain = _ANSI.sub("", text[: 10 * most])
    line = " ".join("".join(c if c.isprintable() else " " for c in plain).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


def listed(names: list[str]) -> str:
    """The names, or the first three and how many more."""
    return (
        ", ".join(names) if len(names) <= 4 else f"{', '.join(names[:3])} and {len(names) - 3} more"
    )
