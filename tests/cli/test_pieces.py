"""Large files: checked in several processes through mappings, in little memory, whatever happens to the file."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from utf8_abnf.cli import main
from utf8_abnf.cli.files import pieces
from utf8_abnf.cli.files.checking import WORTH_MAPPING
from utf8_abnf.explain.locating import Scanner

if not pieces.AVAILABLE:
    pytest.skip(
        "needs fork, as POSIX has it: elsewhere large files are read as small ones are", allow_module_level=True
    )

COMMAND = [sys.executable, "-m", "utf8_abnf", "check"]
# The same, which reads holes as if they were data: a sparse file is a large file that is made at once.
READ_HOLES = """\
import sys
from utf8_abnf.cli import main
from utf8_abnf.cli.files import pieces
pieces._holes = lambda *_: []
sys.exit(main(sys.argv[1:]))"""


@pytest.fixture
def check(capfdbinary):
    """Return a function that runs ``check`` in this process: exit status and standard output."""

    def run(*arguments):
        status = main(["check", *map(str, arguments)])
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        assert b"Traceback" not in err
        return status, out

    return run


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A file that is checked in two pieces: well-formed, no character of which begins where it would be cut."""
    path = tmp_path_factory.mktemp("large") / "file"
    block = ("x" + "日本語😀é" * 40).encode()
    with path.open("wb") as file:
        while file.tell() < 2 * WORTH_MAPPING:
            file.write(block * 1000)
    return path


@pytest.mark.parametrize("jobs", ["1", "2", "3"])
def test_a_large_file_is_well_formed_however_it_is_cut(large, jobs, check):
    assert check("-j", jobs, large)[0] == 0


@pytest.mark.parametrize("part", [0, 0.2, 0.5, 0.9, 1])
def test_the_first_error_of_a_large_file_is_reported_whichever_process_finds_it(spoilt, part, check):
    size = spoilt.stat().st_size
    with spoilt.open("r+b", buffering=0) as file:
        for offset in (int((size - 1) * part), size - 1):
            file.seek(offset)
            file.write(b"\xff")
        found = [pieces.first_offset(file.fileno(), size, jobs=jobs, progress=lambda _: None) for jobs in (1, 2, 4)]
        file.seek(0)
        expected = Scanner(file.readinto).first_offset()
    assert found == [expected] * 3
    status, out = check("--first", "--format", "jsonl", spoilt)
    assert (status, json.loads(out.splitlines()[0])["start"]) == (1, expected)


@pytest.fixture
def spoilt(large):
    """The large file, for a test that spoils it: afterwards it is as it was."""
    before = large.read_bytes()
    yield large
    large.write_bytes(before)


def test_memory_stays_flat_at_any_size(tmp_path):
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(256 << 20)
    large, nothing = _peak_of_check("-q", path), _peak_of_check("-q", os.devnull)
    assert large - nothing < 64 << 10, (large, nothing)  # KiB


def _peak_of_check(*arguments):
    """Return the most memory, in KiB, that the command or one of its processes held."""
    question = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
    question += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    done = subprocess.run(
        [sys.executable, "-c", question, sys.executable, "-c", READ_HOLES, "check", *map(str, arguments)],
        capture_output=True,
        check=True,
    )
    return int(done.stdout)


def test_a_file_shortened_while_it_is_read_has_a_clear_outcome(tmp_path):
    """A real race, run until the file was shortened in time: the mapping's process dies, and the command goes on."""
    path, other = tmp_path / "file", tmp_path / "bad"
    other.write_bytes(b"\xff")
    outcomes = set()
    for attempt in range(40):
        with path.open("wb") as file:
            file.truncate(768 << 20)
        child = subprocess.Popen(
            [sys.executable, "-c", READ_HOLES, "check", "-l", path, other],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        time.sleep(0.05 * (1 + attempt))
        os.truncate(path, 4096 + 17)
        out, err = child.communicate(timeout=60)
        assert out == os.fsencode(other) + b"\n"
        assert child.returncode in {1, 2}, err
        assert (child.returncode == 2) == (b"was truncated while being read" in err), err
        outcomes.add(child.returncode)
        if 2 in outcomes:
            return
    pytest.fail("the file was never shortened in time")


def test_a_mapping_that_is_cut_short_gives_no_verdict(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"a" * 100)
    with path.open("rb") as file, pytest.raises(pieces.CannotMapError):
        pieces.first_offset(file.fileno(), 5 << 20, jobs=2, progress=lambda _: None)


def test_no_process_outlives_an_interrupt(large):
    child = subprocess.Popen([*COMMAND, "-q", large, "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdin.write(b"a" * (1 << 20))  # more than a pipe holds: the large file is checked when this returns
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=30)
    assert (child.returncode, err) == (130, b"utf8-abnf: interrupted\n")


@pytest.fixture
def sparse(tmp_path):
    """A file with three stretches of data, each followed by a hole."""
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        for place in (0, 40 << 20, (81 << 20) + 5):
            file.seek(place)
            file.write("é".encode() * 2048)
        file.truncate(120 << 20)
    return path


@pytest.mark.parametrize("place", [None, 0, 4095, 30 << 20, 40 << 20, (40 << 20) + 4095, (81 << 20) + 4, 119 << 20])
def test_holes_change_no_verdict(place, sparse):
    if place is not None:
        with sparse.open("r+b") as file:
            file.seek(place)
            file.write(b"\xc3")
    with sparse.open("rb") as file:
        found = [pieces.first_offset(file.fileno(), 120 << 20, jobs=jobs, progress=lambda _: None) for jobs in (1, 3)]
        assert file.tell() == 0
    with sparse.open("rb") as file:
        assert found == [Scanner(file.readinto).first_offset()] * 2


def test_holes_are_not_read(tmp_path):
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # a tebibyte: minutes, if it were read
    with path.open("rb") as file:
        if not pieces._holes(file.fileno(), 1 << 40):
            pytest.skip("this file system does not tell where a file has holes")
        started = time.monotonic()
        assert pieces.first_offset(file.fileno(), 1 << 40, jobs=2, progress=lambda _: None) is None
    assert time.monotonic() - started < 5
