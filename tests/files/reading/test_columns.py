"""``check --unpack`` on what pyarrow and fastwarc write: rows and records."""

import gzip
import json
import random
import re
import subprocess
import sys
from itertools import product

import pytest

from utf8_abnf.cli import main

pytestmark = pytest.mark.thorough
VALUES = [b"a", b"caf\xe9", None, "né".encode(), b"\xff\xfe", b"", "日本".encode()[:2], "日本".encode()[2:]]


@pytest.fixture
def pa():
    return pytest.importorskip("pyarrow")


@pytest.fixture
def rows(tmp_path, monkeypatch, call):
    """Run ``check --unpack``; return exit status, (column, row, byte) of each error, and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        status, out, err = call("check", "-z", "--format", "jsonl", "--max-errors", "0", *arguments)
        records = [each for each in map(json.loads, out.splitlines()) if each["type"] == "error"]
        return status, [(each["cell"]["column"], each["cell"]["row"], each["start"]) for each in records], err

    return run


def text(pa, values, kind=None):
    """Return *values* as strings that nobody has validated."""
    raw = pa.array(values, pa.large_binary() if kind == pa.large_string() else pa.binary())
    return pa.Array.from_buffers(kind or pa.string(), len(raw), raw.buffers())


def wrong(values):
    """Return (row, offset) of each ill-formed value, as CPython's decoder says."""
    found = []
    for row, value in enumerate(values):
        try:
            (value or b"").decode()
        except UnicodeDecodeError as error:
            found.append((row, error.start))
    return found


def write(pa, path, table, **options):
    if path.suffix == ".parquet":
        import pyarrow.parquet

        pyarrow.parquet.write_table(table, path, **options)
    else:
        new = pa.ipc.new_stream if path.suffix == ".arrows" else pa.ipc.new_file
        with pa.OSFile(str(path), "wb") as file, new(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=3)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".arrows"])
@pytest.mark.parametrize("kind", ["string", "large_string"])
def test_rows_and_bytes_are_those_of_the_values(suffix, kind, pa, rows, tmp_path):
    values = VALUES * 3
    table = pa.table({"n": pa.array(range(len(values))), "text": text(pa, values, getattr(pa, kind)())})
    path = tmp_path / f"data{suffix}"
    write(pa, path, table)
    status, found, _ = rows(path.name)
    firsts = {row: start for _, row, start in reversed(found)}
    assert status == 1
    assert {name for name, *_ in found} == {"text"}
    assert sorted(firsts.items()) == wrong(values)


def test_a_binary_column_is_text_if_it_is_named(pa, rows, tmp_path):
    table = pa.table({"text": ["a", "b"], "raw": pa.array([b"a", b"\xff"], pa.binary())})
    write(pa, tmp_path / "data.parquet", table)
    assert rows("data.parquet")[:2] == (0, [])
    assert rows("--column", "raw", "data.parquet")[:2] == (1, [("raw", 1, 0)])
    status, _, err = rows("--column", "other", "data.parquet")
    assert status == 2
    assert "there is no column other of text or bytes; such columns are text, raw" in err


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".arrows"])
def test_nested_and_coded_columns_have_the_row_of_the_table(suffix, pa, rows, tmp_path):
    inner = text(pa, [b"a", b"\xff", b"b", b"c", b"\xfe"])
    lists = pa.ListArray.from_arrays(pa.array([0, 2, 2, 5]), inner)
    structs = pa.StructArray.from_arrays([text(pa, [b"a", None, b"\xff"])], ["x"])
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0]), text(pa, [b"a", b"b\xff"]))
    write(pa, tmp_path / f"data{suffix}", pa.table({"l": lists, "s": structs, "d": coded}))
    found = rows(f"data{suffix}")[1]
    assert found == [("l", 0, 0), ("l", 2, 0), ("s", 2, 0), ("d", 1, 1)]


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".arrows"])
def test_a_broken_file_ends_in_a_verdict(suffix, pa, rows, tmp_path):
    path, chance = tmp_path / f"data{suffix}", random.Random(3)
    write(pa, path, pa.table({"text": [f"Zeile {number}" for number in range(500)]}))
    whole = path.read_bytes()
    for cut in chance.sample(range(20, len(whole)), 12):
        path.write_bytes(whole[:cut])
        assert rows(path.name)[0] == 2
    for _ in range(30):
        changed = bytearray(whole)
        changed[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        path.write_bytes(changed)
        assert rows(path.name)[0] in {0, 1, 2}


def lists(pa, offsets, kind):
    raw = pa.array(offsets, pa.int64() if kind == "large_list" else pa.int32())
    child = text(pa, [b"a", b"\xff"])
    if kind == "map":
        child = pa.StructArray.from_arrays([pa.array(["a", "b"]), child], fields=[
            pa.field("key", pa.string(), nullable=False), pa.field("value", pa.string())])  # fmt: skip
        made = pa.map_(pa.string(), pa.string())
    else:
        made = getattr(pa, kind)(pa.string())
    return pa.Array.from_buffers(made, len(offsets) - 1, [None, raw.buffers()[1]], children=[child])


def test_an_offset_that_leads_outside_is_an_error_and_no_crash(pa, tmp_path):
    names = []
    for kind, offset in product(["list_", "large_list", "map", "dictionary"], [1 << 30, -1]):
        if kind == "dictionary":
            indices = pa.array([0, 0, offset, 2], pa.int32())
            made = pa.DictionaryArray.from_arrays(indices, text(pa, [b"a", b"b"]), safe=False)
        else:
            made = lists(pa, [0, offset, 2], kind)
        names.append(f"{kind}{offset}.arrow")
        write(pa, tmp_path / names[-1], pa.table({"t": made}))
    command = [sys.executable, "-m", "utf8_abnf", "check", "-z", *names]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert re.findall(r"(\S*\.arrow)!t: .*cannot be unpacked: ", done.stderr) == names


def test_a_column_of_a_kind_that_is_not_known_is_not_called_well_formed(pa, rows, tmp_path):
    wrong, right = text(pa, [b"\xff", b"a"]), pa.array(["b", "a"])  # pyarrow makes no runs of what is wrong
    kinds = {
        "runs": pa.RunEndEncodedArray.from_buffers(
            pa.run_end_encoded(pa.int32(), pa.string()), 2, [None], children=[pa.array([1, 2], pa.int32()), right]
        ),
        "union": pa.UnionArray.from_sparse(pa.array([0, 0], pa.int8()), [wrong, pa.array([1, 2])]),
        "views": pa.ListViewArray.from_arrays([0, 1], [1, 1], wrong),
    }
    for name, column in kinds.items():
        write(pa, tmp_path / f"{name}.arrow", pa.table({"t": column}))
        status, found, err = rows(f"{name}.arrow")
        assert (status, found) == (2, [])
        assert f"{name}.arrow!t: cannot be unpacked: " in err


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".arrows"])
def test_columns_that_share_a_name_or_its_beginning_are_all_checked(suffix, pa, rows, tmp_path):
    wrong = text(pa, [b"\xff"])
    inner = pa.StructArray.from_arrays([wrong], ["b"])
    table = pa.Table.from_arrays([pa.array(["x"]), pa.array(["y"]), wrong, inner, wrong], ["a.b", "t", "t", "a", "n"])
    write(pa, tmp_path / f"data{suffix}", table)
    assert [name for name, *_ in rows(f"data{suffix}")[1]] == ["t", "a", "n"]


# WARC


def response(number, body, headers=b""):
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n%sContent-Length: %d\r\n\r\n%s" % (headers, len(body), body)
    about = [
        "WARC/1.1",
        "WARC-Type: response",
        f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>",
        "WARC-Date: 2026-01-01T00:00:00Z",
        f"WARC-Target-URI: http://example.org/{number}",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(http)}",
    ]
    return "\r\n".join(about).encode() + b"\r\n\r\n" + http + b"\r\n\r\n"


RECORDS = [
    response(1, "größe".encode()),
    response(2, b"x\ncaf\xe9\n"),
    response(3, b"\x89PNG\0\xff"),
    response(4, gzip.compress(b"z\n\xff"), b"Content-Encoding: gzip\r\n"),
]


@pytest.mark.parametrize("each", [bytes, gzip.compress])
def test_the_bodies_of_web_archives_are_checked(each, tmp_path, monkeypatch, capsys):
    pytest.importorskip("fastwarc")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crawl").write_bytes(b"".join(map(each, RECORDS)))
    assert main(["check", "-z", "crawl"]) == 1
    out = capsys.readouterr().out
    places = [line.partition(": UTF8-")[0] for line in out.splitlines() if ": UTF8-" in line]
    assert places == ["crawl!record 2 http://example.org/2:2:4", "crawl!record 4 http://example.org/4:2:1"]
    assert "(1 binary file skipped)" in out


def test_a_web_archive_that_is_cut_off_is_not_called_well_formed(tmp_path, monkeypatch, capsys):
    pytest.importorskip("fastwarc")
    monkeypatch.chdir(tmp_path)
    plain = response(1, b"a" * 3000)
    for whole in (plain, gzip.compress(plain)):
        for cut in (len(whole) - 1500 if whole is plain else len(whole) - 15, 100 if whole is plain else 40):
            (tmp_path / "crawl").write_bytes(whole[:cut])
            assert main(["check", "-z", "crawl"]) == 2, cut
            assert "crawl" in capsys.readouterr().err


def test_a_record_that_cannot_be_read_is_an_error_and_no_verdict(tmp_path, monkeypatch, capsys):
    """What follows it may be lost, but is never called well-formed."""
    pytest.importorskip("fastwarc")
    monkeypatch.chdir(tmp_path)
    broken = [
        response(9, b"not gzip", b"Content-Encoding: gzip\r\n"),
        b"garbage\r\n\r\n",
        response(9, b"x").replace(b"WARC/1.1", b"WORC/1.1"),
    ]
    for each in broken:
        (tmp_path / "crawl").write_bytes(response(1, b"\xff") + each + response(2, b"a"))
        assert main(["check", "-z", "--format", "jsonl", "crawl"]) == 2
        said = list(map(json.loads, capsys.readouterr().out.splitlines()))
        assert said[0]["path"] == "crawl!record 1 http://example.org/1"
        assert [each["path"] for each in said if each["type"] == "problem"]
