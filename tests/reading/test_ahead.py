"""Reading ahead in a thread: the same bytes and errors as without it, in any cut, and no thread that stays."""

import gzip
import io
import threading

import pytest

from utf8_abnf.cli import main
from utf8_abnf.errors import UnreadableError
from utf8_abnf.reading import ahead
from utf8_abnf.reading.ahead import Ahead

DATA = b"".join(number.to_bytes(3) for number in range(20_000))


class Source:
    """Gives DATA in steps, then fails, if it has to."""

    def __init__(self, step, fails):
        self._file, self._step, self._fails = io.BytesIO(DATA), step, fails

    def readinto(self, room):
        count = self._file.readinto(room[: self._step])
        if not count and self._fails:
            raise UnreadableError("broken")
        return count


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(ahead, "WORTH_A_THREAD", 1000)
    monkeypatch.setattr(ahead, "CHUNK", 4096)


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("step", [700, 4096, 1 << 20])
@pytest.mark.parametrize("size", [999, 4096, 5000])
def test_bytes_and_errors_come_in_order(size, step, fails, small):
    reader, found, room = Ahead(Source(step, fails)), b"", memoryview(bytearray(size))
    try:
        while len(found) < len(DATA):
            found += room[: reader.readinto(room)]
        assert found == DATA
        for _ in range(3):  # the end, or the error, stays
            if fails:
                with pytest.raises(UnreadableError, match="broken"):
                    reader.readinto(room)
            else:
                assert reader.readinto(room) == 0
    finally:
        reader.close()
    assert threading.active_count() == 1


@pytest.mark.parametrize("read", [0, 500, 3000, 30_000])
def test_whoever_stops_early_leaves_no_thread(read, small):
    reader, room = Ahead(Source(4096, False)), memoryview(bytearray(500))
    for _ in range(read // 500):
        reader.readinto(room)
    reader.close()
    assert threading.active_count() == 1


@pytest.mark.parametrize("cut", [0, 5000])
@pytest.mark.parametrize("options", [(), ("--first",), ("-q",)], ids=str)
def test_check_says_the_same_with_and_without_a_thread(options, cut, tmp_path, monkeypatch, capsys):
    text = "größe 日本\n".encode() * 2000
    packed = gzip.compress(text + b"\xff\n" + DATA.translate(None, bytes([0])) + text)
    (tmp_path / "a.gz").write_bytes(packed[: len(packed) - cut])
    monkeypatch.chdir(tmp_path)
    results = []
    for cpus in (1, 2):
        monkeypatch.setattr("utf8_abnf.cli.unpacking.usable_cpus", lambda cpus=cpus: cpus)
        monkeypatch.setattr(ahead, "WORTH_A_THREAD", 100)
        results.append((main(["check", "-z", "--language", "en", *options, "a.gz"]), capsys.readouterr()))
    assert results[0] == results[1]
    assert results[0][0] in (1, 2)
    assert threading.active_count() == 1
