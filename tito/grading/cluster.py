"""Submissions run on other machines: a Dask scheduler and its workers, which get and give text.

A worker is `dask worker tls://host:8786` in the course's environment, on a machine with bubblewrap.
It needs neither the course's folder nor its gradebook. What a student's process sends stays text:
only our own code, on the worker, puts it into the message that Dask brings back.
"""

import ipaddress
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from urllib.parse import urlsplit

from tito.errors import TitoError
from tito.grading import sandbox
from tito.grading.attempt import Conditions, Prepared, run_here
from tito.grading.unchanged import grader_digest

POLL_SECONDS = 5
CONNECT_SECONDS = 15
LIBRARIES = ("numpy", "nbgrader", "ipykernel", "ipython", "matplotlib")


class Cluster:
    """The workers that were found fit when we connected; those that join later get nothing."""

    def __init__(self, client, workers: list[str], slots: int) -> None:
        self.slots = slots
        self._client = client
        self._workers = workers

    def run(self, notebooks: list[Prepared], conditions: Conditions) -> list[str]:
        """As `attempt.run_here`, on a worker; on another one when that is lost.

        Raises TitoError when no worker is left.
        """
        future = self._client.submit(
            run_here,
            [(text, dict(package)) for text, package in notebooks],
            conditions,
            pure=False,
            workers=self._workers,
            allow_other_workers=False,
        )
        while True:
            try:
                return future.result(timeout=POLL_SECONDS)
            except TimeoutError:
                if not self._client.scheduler_info(n_workers=-1)["workers"].keys() & {
                    *self._workers
                }:
                    raise TitoError("No worker is left: start some, then grade again.") from None


@contextmanager
def connect(address: str, *, unsafe_no_tls: bool = False) -> Iterator[Cluster]:
    """The cluster of the scheduler at `address`; certificates come from Dask's own configuration.

    Raises TitoError when it cannot be reached or trusted, or when a worker would grade otherwise
    than this machine.
    """
    check_address(address, unsafe_no_tls=unsafe_no_tls)
    try:
        from distributed import Client
    except ImportError as error:
        raise TitoError(
            "--dask needs the library `distributed`: pip install -e '.[scale]'."
        ) from error
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise TitoError(f"No scheduler answers at {address} ({reason}): start it.") from error
    with client:
        workers = client.scheduler_info(n_workers=-1)["workers"]
        if not workers:
            raise TitoError(f"The scheduler at {address} has no worker: start `dask worker`.")
        check_workers(client.run(describe, on_error="return"))
        slots = sum(worker["nthreads"] for worker in workers.values())
        yield Cluster(client, list(workers), slots)


def check_address(address: str, *, unsafe_no_tls: bool) -> None:
    """Raise TitoError for a scheduler that anybody on the net could command or stand in for."""
    parts = urlsplit(address)
    if parts.scheme not in ("tcp", "tls") or not parts.hostname:
        raise TitoError(f"{address!r} is no scheduler's address: write tls://host:8786.")
    if parts.scheme == "tcp" and not _is_here(parts.hostname) and not unsafe_no_tls:
        raise TitoError(
            f"{address} is on another machine and not encrypted, so anybody on the net could run "
            "code here: set up Dask's TLS and write tls://, or give --unsafe-no-tls."
        )


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def describe() -> dict[str, str]:
    """All of a machine that a grade could depend on."""
    return {
        "Python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
        "the grader's code": grader_digest()[:12],
        "the sandbox": sandbox.problem() or "works",
    }


def check_workers(said: dict[str, dict[str, str] | BaseException]) -> None:
    """Raise TitoError unless every worker describes itself as this machine does."""
    ours = describe()
    for worker, theirs in said.items():
        if isinstance(theirs, BaseException):
            raise TitoError(
                f"The worker {worker} cannot load the grader ({type(theirs).__name__}: {theirs}): "
                "start it in the course's environment."
            )
        for name, value in ours.items():
            if theirs.get(name) != value:
                raise TitoError(
                    f"The worker {worker} differs in {name} (there {theirs.get(name)}, here "
                    f"{value}): start it in the course's environment."
                )
