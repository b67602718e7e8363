"""How a kernel is started: its options, and the sockets where it will answer."""

import os
import secrets
from pathlib import Path

from jupyter_client.connect import write_connection_file

FILE = "kernel.json"
_OPTIONS = ("--InteractiveShellApp.ignore_cwd=True", "--HistoryManager.enabled=False")


def kernel_arguments(runtime: Path) -> list[str]:
    """What follows `python -m ipykernel_launcher`."""
    return [*_OPTIONS, "-f", str(runtime / FILE)]


def new_connection(runtime: Path, file: Path) -> dict:
    """The sockets and the key of a new kernel; written to `file` too.

    Sockets in a folder cross a sandbox without a network, and two kernels never meet at a port.
    The system allows about 100 characters for the path of one.
    """
    has_sockets = os.name != "nt"
    _, connection = write_connection_file(
        str(file),
        transport="ipc" if has_sockets else "tcp",
        ip=str(runtime / "k") if has_sockets else "",
        key=secrets.token_hex(32).encode(),
    )
    return connection
