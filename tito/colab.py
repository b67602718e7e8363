"""Cut an installed TinyTorch down to what comes before a notebook; its start cell does so in Colab.

Nothing but the standard library: Colab installs the package without what `tito` itself needs.
"""

import importlib.util
import re
import sys
from pathlib import Path

_LISTED = re.compile(r"^from \.([\w.]+) import \*$", re.MULTILINE)  # by export.write_package_index
_INSTALLED = ("site-packages", "dist-packages")


def cut(package: Path, target: str) -> None:
    """Remove the module `target`, such as `core.tensor`, and all after it from `package`.

    The package's index lists its modules in the course's order. A module that it does not list is
    refused with a ValueError, and the package stays as it was.
    """
    index = package / "__init__.py"
    text = index.read_text(encoding="utf-8")
    listed = list(_LISTED.finditer(text))
    names = [match[1] for match in listed]
    if target not in names:
        raise ValueError(f"{target} is not in {package}, which lists {', '.join(names) or 'none'}")
    first = names.index(target)
    for name in names[first:]:
        package.joinpath(*name.split(".")).with_suffix(".py").unlink()
        older = package / "text" / f"{name.removeprefix('core.')}.py"
        older.unlink(missing_ok=True)
    index.write_text(text[: listed[first].start()], encoding="utf-8")


def main() -> None:
    """`python -m tito.colab core.tensor`; a package that is not an installed copy is left alone."""
    spec = importlib.util.find_spec("tinytorch")
    package = Path(spec.origin).parent if spec and spec.origin else None
    if package is None or package.parent.name not in _INSTALLED:
        sys.exit(f"error: {package or 'tinytorch'} is no installed copy: it was left as it is.")
    try:
        cut(package, sys.argv[1])
    except ValueError as error:
        sys.exit(f"error: {error}.")


if __name__ == "__main__":
    main()
