"""Many files, looked at in several processes: what is printed does not depend on how many there are."""

import os
import signal
from types import SimpleNamespace

import pytest

from utf8_abnf.cli import main
from utf8_abnf.cli.files import spreading

if not spreading.AVAILABLE:
    pytest.skip("needs fork, as POSIX has it: elsewhere one process reads all files", allow_module_level=True)

pytestmark = pytest.mark.thorough
FILES = 5 * spreading.BATCH + 7


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    for number in range(FILES):
        content = f"größe {number}\n".encode() * (number % 50)
        if number % 37 == 0:
            content += b"caf\xe9 au lait\n"
        if number % 41 == 0:
            content = b"\0" + content
        if number % 43 == 0:
            content = b"\xef\xbb\xbf" + content
        (folder / f"{number:04}.txt").write_bytes(content)
    for number in range(100, FILES, 90):
        (folder / f"{number:04}.pipe").symlink_to("nowhere")
        os.mkfifo(folder / f"{number:04}.fifo")
    return folder


@pytest.fixture
def check(capfdbinary, monkeypatch, folder):
    def run(*arguments):
        monkeypatch.chdir(folder)
        status = main(["check", *arguments])
        out, err = capfdbinary.readouterr()
        return SimpleNamespace(status=status, out=out, err=err)

    return run


OPTIONS = [
    (), ("--follow",), ("-l",), ("-i",), ("-q",), ("-a",), ("--bom", "forbid"), ("--first",), ("--format", "json"),
    ("--format", "jsonl", "--follow"), ("--format", "sarif"), ("--format", "github"), ("--format", "junit"),
]  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_the_output_is_the_same_for_all_numbers_of_processes(options, check):
    alone = check("-j", "1", *options, ".")
    assert alone.status
    for jobs in ("2", "3", "9"):
        assert check("-j", jobs, *options, ".") == alone


def test_known_errors_that_are_gone_are_seen_by_all_processes(check, tmp_path):
    name = str(tmp_path / "known.json")
    for jobs in ("1", "3"):
        assert check("-j", jobs, "--baseline", name, "--update-baseline", ".").status == 0
        assert b"gone" not in check("-j", jobs, "--baseline", name, ".").err


def test_a_process_that_dies_is_not_missed():
    def dies(path, named):
        if path == "100":
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    items = [(str(number), False) for number in range(FILES)]
    found = list(spreading.looked_at(items, dies, jobs=2))
    assert [item for item, _ in found] == items
    assert {good for (name, _), good in found if int(name) < spreading.BATCH} == {False}  # looked at by the caller
    assert {good for (name, _), good in found if 64 <= int(name) < 128} == {False}
    assert {good for (name, _), good in found if 128 <= int(name) < 192} == {True}


def test_no_process_is_left_when_the_caller_stops():
    items = [(str(number), False) for number in range(FILES)]
    found = spreading.looked_at(items, lambda path, named: True, jobs=3)
    for _ in range(spreading.BATCH + 5):
        next(found)
    found.close()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_few_files_start_no_process(monkeypatch):
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a process for some files"))
    items = [(str(number), True) for number in range(spreading.BATCH)]
    assert [item for item, _ in spreading.looked_at(items, lambda path, named: True, jobs=4)] == items
