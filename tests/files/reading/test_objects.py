"""URLs: the same reports as for files, and a clear outcome whatever the network and the server do."""

import contextlib
import itertools
import json
import re
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from utf8_abnf.cli import main
from utf8_abnf.files.remote import is_url, objects
from utf8_abnf.files.remote.objects import RANGE, Object, ObjectFile, found
from utf8_abnf.files.remote.records import UNREADABLE, records

fsspec = pytest.importorskip("fsspec", reason="needs fsspec: pip install 'utf8-abnf[remote]'")

TEXT = "größe 日本 😀\n".encode()
# Longer than a range, and with a character and a fault at the edge of the first one.
LARGE = b"x" * (RANGE - 1) + "é".encode() + TEXT * 100 + b"\xed\xa0\x80" + TEXT


@pytest.fixture
def memory():
    system = fsspec.filesystem("memory")
    system.store.clear()
    yield system
    system.store.clear()


def checked(capsys, *paths):
    status = main(["check", "--format", "jsonl", *paths])
    out, err = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    for row in rows:
        row.pop("path", None)
    return status, rows, err


@pytest.mark.filterwarnings("ignore")  # of aiohttp
def test_a_server_that_is_silent_is_an_error_and_no_endless_wait(capsys, monkeypatch):
    pytest.importorskip("aiohttp")
    monkeypatch.setattr(objects, "PATIENCE", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as server:
        status, _, err = checked(capsys, f"http://127.0.0.1:{server.getsockname()[1]}/a.txt")
    assert (status, "its server did not answer in time" in err) == (2, True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("answer", "told"), [(404, "No such file or directory"), (503, "cannot be read: 503")])
def test_what_a_server_says_of_a_file_is_told(capsys, web, answer, told):
    status, _, err = checked(capsys, web(b"", 0, status=answer))
    assert (status, told in err) == (2, True), err


@pytest.fixture
def web():
    """``web(content, stated, …)``: the URL of a file on a server that states *stated* bytes.

    It sends *behind* bytes behind all that it was asked for; ``web.sent`` counts those that it could send.
    """
    pytest.importorskip("aiohttp")
    started = []

    def serve(content, stated, *, ranges=True, behind=0, status=200):
        class Answers(BaseHTTPRequestHandler):
            def do_HEAD(self):
                self.send_response(status)
                self.send_header("Content-Length", str(stated))
                self.send_header("ETag", "one")
                self.end_headers()

            def do_GET(self):
                answer, data = status, content
                asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
                if ranges and status == 200 and asked:
                    start, last = map(int, asked.groups())
                    answer, data = (206, content[start : last + 1]) if start < len(content) else (416, b"")
                self.send_response(answer)
                self.send_header("Content-Length", str(len(data) + behind))
                self.end_headers()
                self.wfile.write(data)
                with contextlib.suppress(OSError):  # nobody reads on
                    for _ in range(0, behind, 1 << 16):
                        serve.sent += self.wfile.write(bytes(1 << 16))

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        started.append(server)
        return f"http://127.0.0.1:{server.server_port}/a.txt"

    serve.sent = 0
    yield serve
    for server in started:
        server.shutdown()
        server.server_close()


@pytest.mark.filterwarnings("ignore")  # of aiohttp
@pytest.mark.parametrize("stated", [0, 1, 4, 8])
def test_bytes_behind_the_size_that_a_server_states_are_not_passed_over(capsys, web, stated):
    status, rows, err = checked(capsys, web(b"12345678\xff\xff", stated))
    assert (status, "has more bytes than its server states" in err) == (2, True), (rows, err)


@pytest.mark.filterwarnings("ignore")
def test_a_server_that_sends_without_end_is_not_heard_to_the_end(capsys, web):
    status, _, err = checked(capsys, web(TEXT, len(TEXT), behind=1 << 28))
    assert (status, "more bytes than" in err) == (2, True), err
    assert web.sent < 1 << 26, "bytes; all of them were held in memory"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("content", [b"", b"1", b"12", b"12345678"], ids=len)
@pytest.mark.parametrize("ranges", [True, False], ids=["ranges", "no-ranges"])
def test_a_file_of_the_size_that_its_server_states_is_judged(capsys, web, content, ranges):
    assert checked(capsys, web(content, len(content), ranges=ranges))[0] == 0


@pytest.mark.parametrize("content", [b"", TEXT, LARGE, b"\xff\xfea\0", b"a\xc3"], ids=len)
def test_a_url_is_reported_as_a_file_of_the_same_content(capsys, tmp_path, memory, content):
    (tmp_path / "file").write_bytes(content)
    memory.pipe("/file", content)
    assert checked(capsys, "memory://file") == checked(capsys, str(tmp_path / "file"))


def test_a_pattern_and_a_folder_stand_for_what_is_in_them(memory):
    for name in ("/b/2.txt", "/b/1.txt", "/b/c/3.csv"):
        memory.pipe(name, TEXT)
    assert [each.rpartition("/")[2] for each in found("memory://b/*.txt")] == ["1.txt", "2.txt"]
    assert [each.rpartition("/")[2] for each in found("memory://b/")] == ["1.txt", "2.txt", "3.csv"]
    assert found("memory://b/1.txt") == ["memory://b/1.txt"]


def test_repair_reads_a_url_and_writes_no_url(capsys, memory, tmp_path):
    memory.pipe("/old.txt", b"caf\xe9\n")
    assert main(["repair", "-q", "--from", "windows-1252", "-o", str(tmp_path / "new"), "memory://old.txt"]) == 0
    assert (tmp_path / "new").read_bytes() == "café\n".encode()
    assert main(["repair", "--in-place", "memory://old.txt"]) == 2
    assert "memory://old.txt has no place" in capsys.readouterr().err


def test_a_name_that_looks_like_a_url_is_a_file_where_it_is_none():
    assert [is_url(name) for name in ("std::vector.txt", "C:\\a", "C:/a", "a://b", "s3://b", "zip://a::s3://b/c")] == [
        False, False, False, False, True, True,
    ]  # fmt: skip


class Server(fsspec.get_filesystem_class("memory")):
    """A server that does what *mood* says."""

    protocol = "moody"
    mood = ""
    store: dict = {}  # noqa: RUF012  # as in fsspec
    cachable = False
    tags = itertools.count()

    @classmethod
    def _strip_protocol(cls, path):
        return super()._strip_protocol(path.replace("moody://", "memory://"))

    def info(self, path, **_):
        if self.mood == "no size":
            return {"name": path, "size": None, "type": "file"}
        if self.mood == "no stamp":
            return {"name": path, "size": super().info(path)["size"], "type": "file"}
        stamp = {"always new": "ETag", "always newer": "Last-Modified"}.get(self.mood)
        return super().info(path) | ({stamp: str(next(self.tags))} if stamp else {})

    def cat_file(self, path, start=None, end=None, **_):
        data = super().cat_file(path, start, end)
        match self.mood:
            case "short":
                return data[:-1]
            case "long":
                return super().cat_file(path)
            case "gone":
                raise ConnectionResetError
            case "slow":
                raise TimeoutError("timed out after 60 s")
            case "its own error":
                raise KeyError("SlowDown")
            case "forbidden":
                raise PermissionError("403")
        return data


MOODS = {
    "short": "sent 4,194,303 bytes where 4,194,304 were asked for",
    "long": "sent more bytes than the 4,194,304 that it was asked for",
    "gone": "cannot be read: ConnectionResetError",
    "slow": "cannot be read: timed out after 60 s",
    "its own error": "cannot be read: 'SlowDown'",
    "forbidden": "Permission denied",
    "no size": "does not state its size",
    "always new": "has changed while being read",
    "always newer": "has changed while being read",
}


@pytest.mark.parametrize("mood", MOODS)
def test_what_a_server_does_wrong_is_said_and_the_others_are_checked(capsys, monkeypatch, memory, mood):
    fsspec.register_implementation("moody", Server, clobber=True)
    monkeypatch.setattr(Server, "mood", "")
    Server().pipe("/file", TEXT * (1 + RANGE // len(TEXT)))
    memory.pipe("/bad", b"\xff")
    monkeypatch.setattr(Server, "mood", mood)
    status, rows, err = checked(capsys, "moody://file", "memory://bad")
    assert (status, [row["start"] for row in rows if row["type"] == "error"]) == (2, [0])
    assert MOODS[mood] in err
    assert err.count("cannot be read") <= 1
    [record] = records(["moody://file"])
    assert record.verdict == UNREADABLE
    assert MOODS[mood] in record.reason


def test_an_object_that_changes_while_it_is_read_has_no_verdict(memory):
    memory.pipe("/file", LARGE)
    file = ObjectFile(Object.at("memory://file"))
    room = bytearray(RANGE)
    assert file.readinto(room) == RANGE
    memory.pipe("/file", LARGE)  # the same bytes, but who can tell?
    with pytest.raises(OSError, match="changed"):
        list(iter(lambda: file.readinto(room), 0))


def test_the_parts_of_an_object_are_its_bytes_and_those_of_a_file_share_one_buffer(memory, tmp_path):
    (tmp_path / "file").write_bytes(LARGE)
    memory.pipe("/file", LARGE)
    for path in (str(tmp_path / "file"), "memory://file"):
        source = Object.at(path)
        for start, end in ((0, source.size), (7, RANGE + 2), (5, 5)):
            assert b"".join(bytes(part) for part in source.parts(start, end)) == LARGE[start:end]
    parts = [memoryview(part).obj for part in Object.at(str(tmp_path / "file")).parts(0, len(LARGE))]
    assert len(parts) > 4
    assert all(each is parts[0] for each in parts)
    with pytest.raises(OSError, match="asked for"):
        list(Object(str(tmp_path / "file"), len(LARGE) + 1, "").parts(0, len(LARGE) + 1))
