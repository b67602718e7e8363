"""`tito data`: fetched whole or not at all, from a server on loopback with all its moods."""

import hashlib
import io
import json
import socket
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tito import data
from tito.data import DataSet, get
from tito.errors import TitoError

BODY = bytes(range(256)) * 1024  # several chunks
SUM = hashlib.sha256(BODY).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves `body`; `mood` says how badly. `asked` lists the Range of each request."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.body, self.mood, self.asked = BODY, "good", []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/thing.bin"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        """Quiet."""

    def do_GET(self):
        server, asked = self.server, self.headers.get("Range")
        server.asked.append(asked)
        if server.mood == "404":
            return self.send_error(404)
        start = int(asked.split("=")[1].rstrip("-")) if asked and server.mood != "no range" else 0
        if start >= len(server.body):
            return self.send_error(416)
        rest = server.body[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        cut = server.mood == "always cut" or (server.mood == "cut once" and len(server.asked) == 1)
        self.wfile.write(rest[: len(rest) // 2] if cut else rest)
        return self.close_connection


@pytest.fixture
def server(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield running
        running.shutdown()


@pytest.fixture
def thing(server) -> DataSet:
    return DataSet("thing", "bytes", server.url, len(BODY), SUM)


def refusal(thing, folder) -> str:
    with pytest.raises(TitoError) as caught:
        get(thing, folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_it_is_fetched_with_progress_and_only_once(server, thing, tmp_path):
    told = []
    path = get(thing, tmp_path / "new", lambda *news: told.append(news))
    assert path.read_bytes() == BODY
    assert told[-1] == (len(BODY), len(BODY))
    assert get(thing, tmp_path / "new") == path
    assert len(server.asked) == 1, "the second call must use the cache"
    assert {p.name for p in path.parent.iterdir()} == {"thing.bin", "sums.json"}


def test_a_cut_connection_is_resumed(server, thing, tmp_path):
    server.mood = "cut once"
    assert get(thing, tmp_path).read_bytes() == BODY
    assert server.asked == [None, f"bytes={len(BODY) // 2}-"]


def test_what_came_before_the_cuts_is_kept_for_the_next_call(server, thing, tmp_path):
    server.mood = "always cut"
    assert "it goes on from there" in refusal(thing, tmp_path)
    assert not (tmp_path / "thing.bin").exists()
    have = (tmp_path / "thing.bin.part").stat().st_size
    server.mood = "good"
    assert get(thing, tmp_path).read_bytes() == BODY
    assert server.asked[-1] == f"bytes={have}-"


def test_a_server_without_range_is_read_anew(server, thing, tmp_path):
    (tmp_path / "thing.bin.part").write_bytes(b"x" * 1000)
    server.mood = "no range"
    assert get(thing, tmp_path).read_bytes() == BODY


@pytest.mark.parametrize("have", [len(BODY), len(BODY) + 9])
def test_a_part_that_is_whole_or_too_long(server, thing, tmp_path, have):
    (tmp_path / "thing.bin.part").write_bytes((BODY + b"123456789")[:have])
    assert get(thing, tmp_path).read_bytes() == BODY


@pytest.mark.parametrize("body", [BODY[::-1], BODY + b"more"])
def test_another_content_is_refused_and_removed(server, thing, tmp_path, body):
    server.body = body
    assert "Run the command again" in refusal(thing, tmp_path)
    assert not list(tmp_path.glob("thing*"))


def test_404_names_the_address_and_a_way_out(server, thing, tmp_path):
    server.mood = "404"
    said = refusal(thing, tmp_path)
    assert "404" in said
    assert server.url in said


def test_without_network_it_says_so(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    said = refusal(DataSet("thing", "bytes", f"http://127.0.0.1:{port}/thing.bin"), tmp_path)
    assert "are you online?" in said
    assert str(tmp_path / "thing.bin") in said


def test_an_unknown_sum_is_trusted_once(server, tmp_path):
    unknown = DataSet("thing", "bytes", server.url)
    path = get(unknown, tmp_path)
    assert json.loads((tmp_path / "sums.json").read_text())["thing.bin"]["sha256"] == SUM
    path.unlink()
    server.body = BODY[::-1]
    assert SUM in refusal(unknown, tmp_path)


def test_a_damaged_cache_is_noticed(server, thing, tmp_path):
    get(thing, tmp_path).write_bytes(BODY[:-1])
    assert "size" in refusal(thing, tmp_path)
    assert get(thing, tmp_path).read_bytes() == BODY


def test_one_file_is_taken_out_of_a_zip(server, tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("wanted.txt", "sun 1 2\n")
        zipped.writestr("other.txt", "no")
    server.body = packed.getvalue()
    path = get(DataSet("thing", "zip", server.url, member="wanted.txt"), tmp_path)
    assert path.read_text() == "sun 1 2\n"
    assert {p.name for p in tmp_path.iterdir()} == {"wanted.txt", "sums.json"}
    assert "holds no whole" in refusal(
        DataSet("thing", "zip", server.url, member="absent.txt"), tmp_path
    )


def test_a_folder_that_cannot_be_written(server, thing, tmp_path):
    (tmp_path / "file").write_text("")
    assert "TINYTORCH_DATA" in refusal(thing, tmp_path / "file" / "folder")


def test_the_commands(server, thing, tito, tmp_path, monkeypatch):
    monkeypatch.setenv("TINYTORCH_DATA", str(tmp_path / "data"))
    monkeypatch.setitem(data.DATASETS, "thing", thing)
    assert "0 MB to fetch" in tito("data", "list").out
    assert tito("data", "get", "thing").out.strip() == str(tmp_path / "data" / "thing.bin")
    assert "here" in tito("data", "list").out
    assert "shakespeare" in tito("data", "get", "nothing").error


def test_the_registry_is_whole():
    for name, found in data.DATASETS.items():
        assert found.name == name
        assert found.url.startswith("https://")
        assert found.size > 0
        assert found.sha256 is None or len(found.sha256) == 64
