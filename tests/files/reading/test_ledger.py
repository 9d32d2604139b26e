"""The ledger and Dask: no verdict is lost, no work is done twice, and every way to compute a record gives the same."""

import json
import os
import random
import subprocess
import sys

import pytest

from utf8_abnf.cli import main
from utf8_abnf.files.remote import ledger as module
from utf8_abnf.files.remote.records import records

pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'utf8-abnf[arrow]'")

FRAGMENTS = [b"a", b"\n", "é".encode(), "日".encode(), "😀".encode(), b"\x80", b"\xe2\x82", b"\xed\xa0\x80", b"\xff"]


@pytest.fixture
def files(tmp_path):
    """Twelve files, some of them empty, well-formed or long."""
    random_ = random.Random(19)
    made = []
    for number in range(12):
        path = tmp_path / "files" / f"{number:02}.txt"
        path.parent.mkdir(exist_ok=True)
        right = random_.choices(FRAGMENTS[:5], k=(0, 50, 3000)[number % 3])
        path.write_bytes(b"".join([*right, *random_.choices(FRAGMENTS, k=(0, 20)[number % 2])]))
        made.append(str(path))
    return made


def test_a_second_run_reads_nothing(files, tmp_path, monkeypatch, capsys):
    command = ["check", "--format", "jsonl", "--ledger", str(tmp_path / "ledger"), *files]
    first = main(command), capsys.readouterr()
    monkeypatch.setattr("utf8_abnf.files.remote.records.summarised", None)
    assert (main(command), capsys.readouterr()) == first
    assert first[0] == 1


def test_a_file_that_changed_is_read_again(files, tmp_path):
    ledger = module.Ledger(str(tmp_path / "ledger"))
    before = list(ledger.keep(records(files, ledger.known())))
    os.utime(files[0], ns=(1, 1))
    after = list(ledger.keep(records(files, ledger.known())))
    assert [one == other for one, other in zip(before, after, strict=True)] == [False, *[True] * 11]
    assert len(ledger.known()) == 13


@pytest.mark.parametrize("rows", [None, {"a": [1]}, {"codes": [[0]], "a": [1]}], ids=["empty", "foreign", "newer"])
def test_a_file_in_its_folder_that_is_not_a_part_of_it_is_named(rows, files, tmp_path, capsys):
    import pyarrow
    from pyarrow.parquet import write_table

    (tmp_path / "other.parquet").touch()
    if rows:
        write_table(pyarrow.table(rows), tmp_path / "other.parquet")
    assert main(["check", "--ledger", str(tmp_path), *files]) == 2
    assert f"{tmp_path}/other.parquet is not a part of a ledger" in capsys.readouterr().err


def test_the_report_shows_the_first_error_and_counts_the_others(files, tmp_path, capsys):
    """As check shows it without a ledger."""
    main(["check", "--format", "jsonl", "--max-errors", "1", *files])
    expected = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    main(["check", "--format", "jsonl", "--ledger", str(tmp_path / "ledger"), *files])
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    keys = ("path", "start", "line", "column", "code", "errors", "verdict")
    assert [[row.get(key) for key in keys] for row in found] == [[row.get(key) for key in keys] for row in expected]


@pytest.mark.parametrize("option", [["--unpack"], ["--bom", "forbid"], ["--column", "a"]])
def test_what_a_record_does_not_have_is_refused(option, tmp_path, capsys):
    assert main(["check", "--ledger", str(tmp_path), *option, str(tmp_path)]) == 2
    assert option[0] in capsys.readouterr().err


# Children of one process, each killed just before its n-th step: a file opened, synced or renamed.
KILLED = """\
import os, signal, sys
from utf8_abnf.files.remote import ledger as module
from utf8_abnf.files.remote.records import records
import pyarrow.parquet  # not in each child again
module.SECONDS = -1.0  # a part for each record
folder, points, *files = sys.argv[1:]

def run(point):
    steps = 0
    def counted(function):
        def call(*arguments, **named):
            nonlocal steps
            steps += 1
            if steps == point:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **named)
        return call
    os.fsync, os.rename, module.open = counted(os.fsync), counted(os.rename), counted(open)
    ledger = module.Ledger(folder)
    known = ledger.known()
    read = 0
    for record in ledger.keep(records(files, known)):
        read += record.key not in known
    return read

for point in range(1, int(points) + 1):
    child = os.fork()
    if not child:
        run(point % 7)
        os._exit(0)
    os.waitpid(child, 0)
print(len(module.Ledger(folder).known()), run(0))
"""


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore")
def test_a_run_that_is_killed_at_fifty_points_loses_nothing(files, tmp_path):
    folder = str(tmp_path / "ledger")
    command = [sys.executable, "-W", "ignore", "-c", KILLED, folder, "50", *files]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["12", "0"], done.stderr
    assert module.Ledger(folder).known() == {record.key: record for record in records(files)}


@pytest.fixture
def dask():
    pytest.importorskip("dask.bag", reason="needs Dask: pip install 'utf8-abnf[dask]'")
    pytest.importorskip("fsspec", reason="needs fsspec: pip install 'utf8-abnf[remote]'")
    from utf8_abnf.files import dask

    return dask


@pytest.mark.thorough
@pytest.mark.parametrize("size", [1, 7, 100, "64 MiB"])
def test_dask_finds_what_one_process_finds_however_the_files_are_cut(files, dask, size):
    short = [path for path in files if os.path.getsize(path) < 200] if size == 1 else files
    found = dask.check(short, blocksize=size).compute(scheduler="synchronous")
    assert {record.key: record for record in found} == {record.key: record for record in records(short)}


@pytest.mark.parametrize("size", [0, -1, "MiB of text"])
def test_what_is_no_size_is_an_error(dask, size):
    with pytest.raises(ValueError):  # noqa: PT011  # Dask's words
        dask.check([], blocksize=size)


@pytest.mark.thorough
def test_dasks_tasks_add_to_the_ledger(files, dask, tmp_path, monkeypatch, capsys):
    folder = str(tmp_path / "ledger")
    found = dask.check(files, blocksize=1000, ledger=folder).compute(scheduler="threads")
    assert module.Ledger(folder).known() == {record.key: record for record in found}
    monkeypatch.setattr("utf8_abnf.files.remote.records.summarised", None)
    assert main(["check", "--scheduler", "threads", "--ledger", folder, *files]) == 1


@pytest.mark.thorough
def test_a_scheduler_that_cannot_be_asked_is_a_usage_error(files, dask, capsys):
    pytest.importorskip("distributed", reason="needs Dask: pip install 'utf8-abnf[dask]'")
    assert main(["check", "--scheduler", "nowhere", *files]) == 2
    assert "utf8-abnf: --scheduler nowhere failed: ValueError: missing port number" in capsys.readouterr().err
