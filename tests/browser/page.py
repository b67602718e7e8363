"""A page in a headless Chromium that a test can act in, over the DevTools protocol."""

import base64
import itertools
import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.request import urlopen

import websocket

from tests.browser.browser import headless

SECONDS = 60


class Page:
    """The page behind a DevTools connection."""

    def __init__(self, connection: websocket.WebSocket) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)

    def _ask(self, method: str, **params: object) -> dict:
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:  # events come in between
            message = json.loads(self._connection.recv())
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]

    def run(self, script: str) -> object:
        """The value of a JavaScript expression; a promise is awaited."""
        answer = self._ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, script: str, seconds: float = SECONDS) -> object:
        """The first value of the expression that is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.run(script):
                return value
            time.sleep(0.2)
        raise AssertionError(f"after {seconds} s still not: {script}")

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self._ask("Input.insertText", text=text)

    def picture(self, path: Path) -> None:
        data = self._ask("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))


@contextmanager
def open_page(url: str, width: int = 1200, height: int = 900) -> Iterator[Page]:
    """A new Chromium at `url`, ended afterwards."""
    with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as profile:
        command = [*headless(profile), "--remote-debugging-port=0"]
        command += [f"--window-size={width},{height}", url]
        browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            connection = websocket.create_connection(
                _page_address(Path(profile, "DevToolsActivePort"), browser),
                timeout=SECONDS,
                suppress_origin=True,
            )
            with closing(connection):
                yield Page(connection)
        finally:
            browser.terminate()
            browser.wait(20)


def _page_address(file: Path, browser: subprocess.Popen) -> str:
    """Where the page can be spoken to: Chromium writes its port into a file once it listens."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and browser.poll() is None:
        if file.is_file() and (lines := file.read_text(encoding="utf-8").split()):
            with urlopen(f"http://127.0.0.1:{lines[0]}/json") as answer:
                for target in json.load(answer):
                    if target["type"] == "page":
                        return target["webSocketDebuggerUrl"]
        time.sleep(0.1)
    raise AssertionError("Chromium did not start")
