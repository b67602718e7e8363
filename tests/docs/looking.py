"""Looks at built pages in a headless Chromium with axe-core: contrast, names, width, keyboard."""

import json
import subprocess
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.browser.browser import headless
from tests.docs import axe

SECONDS = 600
HERE = Path(__file__).parent
FRAME = (
    '<!doctype html><title>looking</title><iframe style="height: 900px; border: 0"></iframe>'
    '<script src="/-/looking.js"></script>'
)


class _Handler(SimpleHTTPRequestHandler):
    """The built site, and below /-/ what looks at it."""

    def do_GET(self) -> None:
        name = self.path.removeprefix("/-/")
        answer = self.server.desk.get(name) if name != self.path else None
        if answer is None:
            super().do_GET()
            return
        kind = {"js": "text/javascript", "json": "application/json"}.get(name.rpartition(".")[2])
        self.send_response(200)
        self.send_header("Content-Type", f"{kind or 'text/html'}; charset=utf-8")
        self.end_headers()
        self.wfile.write(answer)

    def do_POST(self) -> None:
        self.server.found = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        self.server.done.set()

    def log_message(self, *args) -> None:
        """Say nothing."""


def look(site: Path, jobs: list[dict]) -> list[dict]:
    """What was found of each job {"page", "width", "theme"}: its `violations` of axe's rules,
    its `overflow` in px, the `first` stop of the keyboard and those that are `unseen`."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(site))) as server:
        server.done, server.found = threading.Event(), []
        server.desk = {
            "frame.html": FRAME.encode(),
            "looking.js": (HERE / "looking.js").read_bytes(),
            "axe.min.js": axe.script(),
            "jobs.json": json.dumps(jobs).encode(),
        }
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            browser = subprocess.Popen(
                [
                    *headless(profile),
                    "--remote-debugging-port=0",
                    "--window-size=1400,1000",
                    f"http://127.0.0.1:{server.server_port}/-/frame.html",
                ],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                assert server.done.wait(SECONDS), f"the browser found nothing in {SECONDS} s"
            finally:
                browser.terminate()
                browser.wait(20)
                server.shutdown()
    return server.found
