"""A kernel for one notebook, with limits on time and output."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty

import zmq
from jupyter_client.asynchronous.client import AsyncKernelClient

from tito.errors import TitoError
from tito.grading import connection, sandbox
from tito.grading.limits import Limits
from tito.grading.outputs import Budget, Outputs
from tito.grading.room import KernelProcess, Room

START_SECONDS = 60
OWN_SECONDS = 30  # for the grader's questions, which are no matter of a cell's limit
GRACE_SECONDS = 5  # between an interrupt and the end of a cell that heeds it
LAST_OUTPUT_SECONDS = 3  # between the end of a cell and the last of what it printed
POLL_SECONDS = 0.5
RECONNECT_MS = 10  # until a socket of a new kernel is there
MOST_MESSAGE = 16 * sandbox.MEGABYTE  # bytes; a longer one never arrives
MOST_WAITING = 16  # messages that arrived and were not read yet
_ENDED = {
    # by the number of the signal plus 128
    152: "used more than {limits.cpu_seconds} s of processor time",
    137: "was killed (out of memory? the limit is {limits.memory_mb} MB)",
    139: "crashed Python (segmentation fault; the memory limit is {limits.memory_mb} MB)",
    134: "crashed Python (abort; the memory limit is {limits.memory_mb} MB)",
}
_MESSAGE_ERRORS = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)


class KernelEndedError(Exception):
    """The kernel ended, or had to be ended; the message completes the sentence "the cell ..."."""


@dataclass(frozen=True)
class Reply:
    """How a request ended: the error's name and message, or the answer to its question."""

    error: str | None
    message: str
    answer: str | None


@asynccontextmanager
async def start(room: Room, packages: Path) -> AsyncIterator["Kernel"]:
    """A kernel that imports from `packages`.

    Raises TitoError when no kernel starts, which is no fault of a submission.
    """
    with room.kernel(packages) as process:
        client = AsyncKernelClient()
        client.load_connection_info(process.connection)
        client.context.setsockopt(zmq.MAXMSGSIZE, MOST_MESSAGE)
        client.context.setsockopt(zmq.RCVHWM, MOST_WAITING)
        client.context.setsockopt(zmq.RECONNECT_IVL, RECONNECT_MS)
        client.start_channels(stdin=False, hb=False)
        try:
            await _wait_until_ready(process, client)
            yield Kernel(process, client, room.limits)
        finally:
            client.stop_channels()
            client.context.destroy(linger=0)


async def _wait_until_ready(process: KernelProcess, client: AsyncKernelClient) -> None:
    """Until it answers, and welcomes us where it will publish what cells display."""
    end = time.monotonic() + START_SECONDS
    client.kernel_info()
    for channel in (client.shell_channel, client.iopub_channel):
        while not await channel.socket.poll(POLL_SECONDS * 1000):
            if process.exit_code() is not None or time.monotonic() > end:
                raise TitoError(f"No kernel started within {START_SECONDS} s: grade again.")
    await client.shell_channel.get_msg()


class Kernel:
    """Runs code, one request after the other."""

    def __init__(self, process: KernelProcess, client: AsyncKernelClient, limits: Limits) -> None:
        self._process = process
        self._client = client
        self._outputs = client.iopub_channel.socket
        self._limits = limits
        self._end = time.monotonic() + limits.total_seconds
        self._budget = Budget(limits.output_mb * sandbox.MEGABYTE)

    async def run(
        self,
        code: str,
        outputs: Outputs | None = None,
        *,
        question: str | None = None,
        seconds: float = OWN_SECONDS,
    ) -> Reply:
        """Run `code`; what it displays goes to `outputs`. `question` is an expression to answer.

        A cell over its `seconds` is interrupted: its reply is a CellTimeoutError. Raises
        KernelEndedError when there is no kernel any more.
        """
        request = self._client.execute(
            code,
            store_history=question is None,
            user_expressions={"answer": question} if question else {},
            allow_stdin=False,
            stop_on_error=False,
        )
        outputs = Outputs() if outputs is None else outputs
        reader = asyncio.create_task(self._read_outputs(request, outputs))
        try:
            reply = await self._reply(request, seconds)
            done, _ = await asyncio.wait([reader], timeout=LAST_OUTPUT_SECONDS)
            if not done:
                outputs.dropped = True
                await self._listen_again()
        finally:
            reader.cancel()
            with suppress(asyncio.CancelledError):
                await reader
        self._check_runtime()
        return reply

    async def _reply(self, request: str, seconds: float) -> Reply:
        end = min(time.monotonic() + seconds, self._end)
        interrupted = False
        while True:
            if time.monotonic() >= end:
                if interrupted or end == self._end:
                    self._give_up(interrupted)
                self._client.control_channel.send(self._client.session.msg("interrupt_request"))
                interrupted, end = True, end + GRACE_SECONDS
            try:
                message = await self._client.shell_channel.get_msg(timeout=POLL_SECONDS)
                if message["parent_header"].get("msg_id") != request:
                    continue
                if interrupted:
                    return Reply("CellTimeoutError", self._too_long(), None)
                return _read_reply(message["content"])
            except Empty:
                self._check_alive()
                self._check_runtime()
            except _MESSAGE_ERRORS:
                continue  # no message of a kernel that was left alone

    def _give_up(self, interrupted: bool) -> None:
        self._process.kill()
        if interrupted:
            raise KernelEndedError(f"{self._too_long()}, and with it the notebook")
        raise KernelEndedError(
            f"was running when the notebook's {self._limits.total_seconds} s were over"
        )

    def _too_long(self) -> str:
        return f"ran longer than {self._limits.cell_seconds} s and was stopped"

    def _check_alive(self) -> None:
        code = self._process.exit_code()
        if code is None:
            return
        code = 128 - code if code < 0 else code
        reason = _ENDED.get(code, "ended Python (exit or os._exit?)")
        raise KernelEndedError(reason.format(limits=self._limits))

    def _check_runtime(self) -> None:
        """The one folder of the host that a sandbox can write to holds sockets and nothing more."""
        for path in self._process.runtime.iterdir():
            if path.name != connection.FILE and (path.is_symlink() or not path.is_socket()):
                self._process.kill()
                raise KernelEndedError(f"wrote {path.name!r:.60} among the kernel's sockets")

    async def _listen_again(self) -> None:
        """Connect anew for outputs: a message over MOST_MESSAGE closes the connection for good."""
        self._outputs = self._client.connect_iopub()
        await self._outputs.poll(LAST_OUTPUT_SECONDS * 1000)  # until the kernel welcomes us

    async def _read_outputs(self, request: str, outputs: Outputs) -> None:
        """Take in what the request displays until the kernel says that it is idle again."""
        session = self._client.session
        while True:
            frames = await self._outputs.recv_multipart()
            is_within = self._budget.spend(sum(map(len, frames)))
            try:
                _, parts = session.feed_identities(frames)
                kind = session.unpack(parts[1])["msg_type"]
                if not is_within and kind != "status":
                    outputs.dropped = True
                    continue
                message = session.deserialize(parts)
                if message["parent_header"].get("msg_id") != request:
                    continue
                if kind == "status" and message["content"]["execution_state"] == "idle":
                    return
                outputs.add(kind, message["content"])
            except _MESSAGE_ERRORS:
                continue


def _read_reply(content: dict) -> Reply:
    if content["status"] == "ok":
        answer = content["user_expressions"].get("answer", {})
        return Reply(None, "", answer.get("data", {}).get("text/plain"))
    return Reply(str(content["ename"]), str(content["evalue"]), None)
