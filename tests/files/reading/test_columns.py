"""``check --unpack`` on what pyarrow and fastwarc write: rows and records."""

import gzip
import io
import json
import random
import re
import subprocess
import sys
import zlib
from itertools import count

import pytest

from utf8_abnf.cli import main
from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.reading.limits import Limits
from utf8_abnf.files.reading.streams import Stream
from utf8_abnf.files.reading.unpacking import unpack

pytestmark = pytest.mark.thorough
VALUES = [b"a", b"caf\xe9", None, "né".encode(), b"\xff\xfe", b"", "日本".encode()[:2], "日本".encode()[2:]]


@pytest.fixture
def pa():
    return pytest.importorskip("pyarrow")


@pytest.fixture
def rows(tmp_path, monkeypatch, capsys):
    """Run ``check --unpack``; return exit status, (column, row, byte) of each error, and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        status = main(["check", "-z", "--format", "jsonl", "--max-errors", "0", *arguments])
        out, err = capsys.readouterr()
        assert "internal error" not in err
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


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".arrows", ".feather"])
@pytest.mark.parametrize("kind", ["string", "large_string"])
def test_rows_and_bytes_are_those_of_the_values(suffix, kind, pa, rows, tmp_path):
    values = VALUES * 3
    table = pa.table({"n": pa.array(range(len(values))), "text": text(pa, values, getattr(pa, kind)())})
    path = tmp_path / f"data{suffix}"
    if suffix == ".feather":
        import pyarrow.feather

        pyarrow.feather.write_feather(table, path)
    else:
        write(pa, path, table)
    status, found, _ = rows(path.name)
    firsts = {row: start for _, row, start in reversed(found)}
    assert status == 1
    assert {name for name, *_ in found} == {"text"}
    assert sorted(firsts.items()) == wrong(values)


def test_text_says_column_row_and_byte(pa, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(pa, tmp_path / "data.parquet", pa.table({"text": text(pa, [b"a"] * 17 + [b"abcde\xff"])}))
    assert main(["check", "-z", "data.parquet"]) == 1
    assert capsys.readouterr().out.startswith("data.parquet: column text, row 17, byte 5: UTF8-TOO-LARGE ")


def test_a_binary_column_is_text_if_it_is_named(pa, rows, tmp_path):
    table = pa.table({"text": ["a", "b"], "raw": pa.array([b"a", b"\xff"], pa.binary())})
    write(pa, tmp_path / "data.parquet", table)
    assert rows("data.parquet")[:2] == (0, [])
    assert rows("--column", "raw", "data.parquet")[:2] == (1, [("raw", 1, 0)])
    status, _, err = rows("--column", "other", "data.parquet")
    assert status == 2
    assert "there is no column other; the columns are text, raw" in err


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".arrows"])
def test_nested_and_coded_columns_have_the_row_of_the_table(suffix, pa, rows, tmp_path):
    inner = text(pa, [b"a", b"\xff", b"b", b"c", b"\xfe"])
    lists = pa.ListArray.from_arrays(pa.array([0, 2, 2, 5]), inner)
    structs = pa.StructArray.from_arrays([text(pa, [b"a", None, b"\xff"])], ["x"])
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0]), text(pa, [b"a", b"b\xff"]))
    write(pa, tmp_path / f"data{suffix}", pa.table({"l": lists, "s": structs, "d": coded}))
    found = rows(f"data{suffix}")[1]
    assert found == [("l", 0, 0), ("l", 2, 0), ("s", 2, 0), ("d", 1, 1)]


def test_two_halves_of_a_character_in_two_rows_are_wrong(pa, rows, tmp_path):
    write(pa, tmp_path / "data.parquet", pa.table({"text": text(pa, [b"a\xc3", b"", b"\xa9b", "é".encode()])}))
    assert rows("data.parquet")[1] == [("text", 0, 1), ("text", 2, 0)]


def test_random_columns_agree_with_the_decoder_of_python(pa, rows, tmp_path):
    chance = random.Random(5)
    pieces = [b"a", "é".encode(), "日".encode(), "😀".encode(), b"\xff", b"\xc3", b"\x80"]
    for number in range(15):
        values = [
            b"".join(chance.choices(pieces, [9, 9, 9, 9, 0.05, 0.05, 0.05], k=chance.randrange(6))) for _ in range(300)
        ]
        write(pa, tmp_path / "data.parquet", pa.table({"t": text(pa, values)}), row_group_size=70 + number)
        firsts = {row: start for _, row, start in reversed(rows("data.parquet")[1])}
        assert sorted(firsts.items()) == wrong(values)


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


ROWS = 100  # of each of four groups


def spoilt(pa, path, groups):
    """Write a file of four groups, of which the column "text" cannot be read in *groups*; the last row is wrong."""
    values = [b"caf\xc3\xa9 "] * (4 * ROWS - 1) + [b"a\xff"]
    columns = [pa.array([7] * 4 * ROWS), text(pa, values), text(pa, [b"\xff\xff"] * 4 * ROWS)]
    table = pa.Table.from_arrays(columns, ["n", "text", "other"])
    if path.suffix == ".parquet":
        import pyarrow.parquet

        write(pa, path, table, row_group_size=ROWS, use_dictionary=False)
        about = pyarrow.parquet.ParquetFile(path).metadata
        places = [about.row_group(group).column(1).data_page_offset for group in groups]
    else:
        options = pa.ipc.IpcWriteOptions(compression="lz4")
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema, options=options) as writer:
            writer.write_table(table, max_chunksize=ROWS)
        frames = [found.start() for found in re.finditer(b"\x04\x22\x4d\x18", path.read_bytes())]
        assert len(frames) == 4 * 5  # numbers, offsets and bytes, offsets and bytes
        places = [frames[5 * group + 2] for group in groups]
    data = bytearray(path.read_bytes())
    for place in places:
        data[place : place + 8] = b"\xff" * 8
    path.write_bytes(data)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
@pytest.mark.parametrize(("groups", "said"), [([1], "100..199"), ([0], "0..99"), ([0, 2], "0..99, 200..299")], ids=str)
def test_rows_that_cannot_be_read_are_named_and_the_others_are_checked(suffix, groups, said, pa, rows, tmp_path):
    spoilt(pa, tmp_path / f"data{suffix}", groups)
    status, found, err = rows(f"data{suffix}")
    assert status == 2
    assert found[0] == ("text", 4 * ROWS - 1, 1)
    assert len(found) == 1 + 2 * 4 * ROWS
    assert re.search(rf"data{suffix}!text: rows {said}: cannot be unpacked: .+; the other rows were checked", err)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_where_no_row_can_be_read_it_is_not_said_that_others_were_checked(suffix, pa, rows, tmp_path):
    spoilt(pa, tmp_path / f"data{suffix}", [0, 1, 2, 3])
    status, found, err = rows(f"data{suffix}")
    assert (status, {name for name, *_ in found}) == (2, {"other"})
    assert "rows" not in err
    assert f"data{suffix}!text: cannot be unpacked: " in err


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


@pytest.mark.parametrize("offsets", [[0, 1 << 30, 2], [0, 2, 1, 2], [1, 0, 2], [0, -1, 2]], ids=str)
@pytest.mark.parametrize("kind", ["list_", "large_list", "map", "dictionary"])
def test_an_offset_that_leads_outside_is_an_error_and_no_crash(kind, offsets, pa, tmp_path):
    if kind == "dictionary":
        indices = pa.array([0, *offsets], pa.int32())
        made = pa.DictionaryArray.from_arrays(indices, text(pa, [b"a", b"b"]), safe=False)
    else:
        made = lists(pa, offsets, kind)
    write(pa, tmp_path / "a.arrow", pa.table({"t": made}))
    command = [sys.executable, "-m", "utf8_abnf", "check", "-z", "a.arrow"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert re.search(r"a\.arrow!t: .*cannot be unpacked: ", done.stderr)


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


@pytest.mark.parametrize("after", [b"\xff", b"ok", None], ids=["bad", "good", "another stream"])
def test_what_follows_the_end_of_a_stream_of_arrow_is_not_passed_over(after, pa, rows, tmp_path):
    path = tmp_path / "data.arrows"
    write(pa, path, pa.table({"text": ["a", "b"]}))
    whole = path.read_bytes()
    assert rows(path.name) == (0, [], "")
    path.write_bytes(whole + (whole if after is None else after))
    status, _, err = rows(path.name)
    assert (status, "more after the end mark" in err) == (2, True)


@pytest.mark.parametrize("head", [b"\xff" * 64, b"\xff\xff\xff\xff" + bytes(60), b"\xff" * 4 + bytes(range(60))])
def test_what_only_begins_as_a_stream_of_arrow_is_judged_as_bytes(head, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").write_bytes(head)
    assert main(["check", "-z", "other"]) == 1
    assert "Arrow" not in capsys.readouterr().out


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


def test_what_is_said_of_records_does_not_depend_on_how_they_are_read(tmp_path, monkeypatch, capsys):
    """Well-formed ones pass without an input of their own where one read gives all of them."""
    pytest.importorskip("fastwarc")
    from utf8_abnf.files.reading import warc_records

    bodies = [
        "caf\u00c3\u00a9".encode(),
        b"a\0b",
        b"WARC/1.1",
        gzip.compress(b"a"),
        b"\xef\xbb\xbfa",
        b"a\x7f",
        b"a\1",
        b"PK\3\4",
        b"PAR1\1",
        b"",
        b"b" * 99,
    ]
    (tmp_path / "crawl").write_bytes(b"".join(RECORDS + [response(n, body) for n, body in enumerate(bodies, 5)]))
    said = []
    for size in (1 << 20, 1):
        monkeypatch.setattr(warc_records, "_WHOLE", size)
        for options in ([], ["-q"], ["-l", "--invert"], ["--bom", "forbid"], ["--format", "jsonl"], ["-a"]):
            status = main(["check", "-z", *options, str(tmp_path / "crawl")])
            said.append((status, capsys.readouterr()))
    assert said[:6] == said[6:]
    assert "encoded twice" in said[0][1].out
    assert said[2][1].out.count("crawl!record") == 7


@pytest.mark.parametrize("each", [bytes, gzip.compress])
def test_a_body_that_cannot_be_decoded_is_an_error_of_its_record_alone(each, tmp_path, monkeypatch, capsys):
    """Servers do call text gzip that is not; of a body that is skipped, fastwarc unpacks 64 MiB at most."""
    pytest.importorskip("fastwarc")
    monkeypatch.chdir(tmp_path)
    large = gzip.compress(bytes(65 << 20), 1)
    records = [
        response(1, b"not gzip", b"Content-Encoding: gzip\r\n"),
        response(2, b"zz\r\nnot chunked", b"Transfer-Encoding: chunked\r\n"),
        response(3, large, b"Content-Encoding: gzip\r\n"),
        response(4, b"\xff"),
        response(5, b"not gzip", b"Content-Encoding: gzip\r\n"),
        response(6, b"a\xff"),
    ]
    (tmp_path / "crawl").write_bytes(b"".join(map(each, records)))
    assert main(["check", "-z", "crawl"]) == 2
    said = capsys.readouterr()
    assert re.findall(r"record (\d)", said.err) == ["1", "2", "5"]
    assert re.findall(r"record (\d).*UTF8-TOO", said.out) == ["4", "6"]
    assert "1 binary file skipped" in said.out


EMPTY = gzip.compress(b"")
PACKED = [gzip.compress(each) for each in RECORDS[:3]]
WHOLE = b"".join(PACKED)


@pytest.mark.parametrize(
    "archive",
    [
        WHOLE,
        EMPTY + WHOLE,
        PACKED[0] + EMPTY + PACKED[1] + PACKED[2],
        WHOLE[: -len(PACKED[2])] + EMPTY,
        gzip.compress(b"".join(RECORDS[:3])),
        PACKED[0] + gzip.compress(b"".join(RECORDS[1:3])) + EMPTY + PACKED[0],
        WHOLE + gzip.compress(RECORDS[0][:300]) + gzip.compress(RECORDS[0][300:]),
        WHOLE + b"\0" * 9,
        WHOLE + b"junk",
        WHOLE[:-1],
        WHOLE[:-9],
        WHOLE[: len(WHOLE) - len(PACKED[2]) + 40],
        WHOLE + gzip.compress(b"\r\n" * (1 << 20)),
        *(bytes(WHOLE[:at] + bytes([WHOLE[at] ^ 16]) + WHOLE[at + 1 :]) for at in range(0, len(WHOLE), 50)),
    ],
    ids=count(),
)
@pytest.mark.parametrize("between", [1 << 20, 300])
def test_a_web_archive_is_read_from_a_file_as_from_a_pipe(archive, between, tmp_path, monkeypatch):
    """Where fastwarc unpacks a file, what it does not tell of is found by reading the end again."""
    pytest.importorskip("fastwarc")
    from utf8_abnf.files.reading import warc_records

    monkeypatch.setattr(warc_records, "_BETWEEN", between)
    (tmp_path / "crawl").write_bytes(archive)
    from_a_file, from_a_pipe = ([*contents(tmp_path / "crawl", seekable=seekable)] for seekable in (True, False))
    read_on = next((at for at, (_, said) in enumerate(from_a_file) if "the next one was found" in str(said)), None)
    if read_on is None:
        assert from_a_file == from_a_pipe
    else:  # a pipe cannot be sought in
        assert from_a_file[:read_on] == from_a_pipe[:read_on]
        assert len(from_a_pipe) == read_on + 2
        assert from_a_file[-1][1][: len(from_a_pipe[-1][1])] == from_a_pipe[-1][1]


@pytest.mark.parametrize(("record", "at"), [(0, 150), (0, -6), (1, 20), (1, 150), (1, -6), (2, 20), (2, 150), (2, -6)])
def test_a_damaged_record_of_a_web_archive_does_not_hide_the_next_ones(record, at, tmp_path, monkeypatch, capsys):
    pytest.importorskip("fastwarc")
    monkeypatch.chdir(tmp_path)
    packed = [gzip.compress(response(number, b"%d\n\xff" % number)) for number in range(1, 6)]
    damaged = bytearray(packed[record])
    damaged[at] ^= 1
    packed[record] = bytes(damaged)
    (tmp_path / "crawl").write_bytes(b"".join(packed))
    assert main(["check", "-z", "crawl"]) == 2
    said = capsys.readouterr()
    found = [int(number) for number in re.findall(r"record (\d) http://example.org/\1:2:1", said.out)]
    assert [number for number in found if number != record + 1] == [n for n in range(1, 6) if n != record + 1]
    offset = sum(map(len, packed[: record + 1]))
    assert re.search(rf"crawl: a record cannot be unpacked: .+; the next one was found at offset {offset:,}", said.err)


KEPT = {"all": None, "body": 5000, "HTTP header": 350, "header": 30}  # bytes of the last record


@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize("damage", ["cut", "damaged"])
@pytest.mark.parametrize("has_isal", [True, False])
def test_the_records_before_a_damage_of_the_only_stream_are_checked(
    kept, damage, has_isal, tmp_path, monkeypatch, capsys
):
    """All whole ones, to the last byte; and none that is cut off is called well-formed."""
    pytest.importorskip("fastwarc")
    if not has_isal:
        monkeypatch.setitem(sys.modules, "isal.isal_zlib", None)
    noise = random.Random(17)
    records = [response(n, noise.randbytes(100_000).hex().encode() + b"\n\xff\n") for n in range(1, 5)]
    deflate = zlib.compressobj(1, zlib.DEFLATED, 31)
    packed = deflate.compress(b"".join([*records[:3], records[3][: KEPT[kept]]])) + deflate.flush(zlib.Z_FULL_FLUSH)
    (tmp_path / "crawl").write_bytes(packed + b"\xff" * 400_000 * (damage == "damaged"))
    monkeypatch.chdir(tmp_path)
    assert main(["check", "-z", "--format", "jsonl", "crawl"]) == 2
    said = list(map(json.loads, capsys.readouterr().out.splitlines()))
    whole = 4 if kept == "all" else 3
    verdicts = [each["path"] for each in said if each["type"] == "file" and each["verdict"] == "ill-formed"]
    assert verdicts == [f"crawl!record {n} http://example.org/{n}" for n in range(1, whole + 1)]
    assert not [each for each in said if each.get("verdict") == "well-formed"]
    *cut, rest = (each for each in said if each["type"] == "problem")
    assert [each["path"] for each in cut] == ["crawl!record 4 http://example.org/4"] * (kept in {"body", "HTTP header"})
    assert rest["reason"].endswith(f"; what follows record {whole + len(cut)} was not checked")
    assert ("truncated" in rest["reason"]) == (damage == "cut")


BROKEN = {
    "garbage": b"garbage\r\nmore\r\n\r\n" * 9,
    "much": (b"x" * 999 + b"\r\n") * 999,
    "a long line": b"WARC/1.0" * 99_999,
    "NULs": bytes(2000),
    "first line": response(9, b"x\xff").replace(b"WARC/1.1", b"WORC/1.1"),
    "version": response(9, b"x\xff").replace(b"WARC/1.1", b"WARC/7.1"),
    "length": response(9, b"x\xff").replace(b"\nContent-Length: 65", b"\nContent-Length: 6x"),
    "too short": response(9, b"x\nWARC/1.1 it is\n\xff").replace(b"\nContent-Length: 8", b"\nContent-Length: 1"),
}


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_behind_a_broken_header_the_next_record_is_checked(kind, pack, tmp_path, monkeypatch, capsys):
    """What is broken stands behind the first record, and once more behind the second."""
    pytest.importorskip("fastwarc")
    monkeypatch.chdir(tmp_path)
    parts = [response(1, b"1\n\xff"), BROKEN[kind], response(2, b"2\n\xff"), BROKEN[kind], response(3, b"3\n\xff")]
    (tmp_path / "crawl").write_bytes(pack(b"".join(parts)))
    assert main(["check", "-z", "crawl"]) == 2
    said = capsys.readouterr()
    assert re.findall(r"record \d+ http://example.org/([1-3]):2:1", said.out) == ["1", "2", "3"]
    for end in (2, 4):
        offset = len(b"".join(parts[:end]))
        reason = "a record cannot be unpacked: Invalid WARC header"
        assert f"crawl: {reason}; the next one was found at offset {offset:,}\n" in said.err


def test_a_limit_is_not_a_damaged_record(tmp_path, monkeypatch, capsys):
    pytest.importorskip("fastwarc")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crawl").write_bytes(b"".join(gzip.compress(response(n, bytes(3000))) for n in range(9)))
    assert main(["check", "-z", "--max-size", "10K", "crawl"]) == 2
    assert "next one" not in (err := capsys.readouterr().err)
    assert err.count("bytes came out") == 1


def contents(path, *, seekable):
    """Yield what is found in a file, and of a content that passes the bytes alone."""
    passed = []

    def passes(content):
        passed.append(content)
        return content.startswith(b"g")

    with open(path, "rb", 0) as raw:
        stream = Stream(raw, file=raw if seekable else None)
        for found in unpack(stream, lambda: 1 << 30, limits=Limits(1 << 30, 200, 1), passes=passes):
            content = found.content
            try:
                yield found.name, content.read() if isinstance(content, Stream) else reason(content)
            except UnreadableError as error:
                yield found.name, reason(error)
    yield "", passed


def reason(error):
    """Return what *error* says. A file that is cut off, and one with junk at its end, are told apart by seeking."""
    return re.sub(r"has \d complete streams? of gzip, and [^;]*|is truncated[^;]*", "no clear end", str(error))


def test_fastwarc_writes_what_is_checked(tmp_path, monkeypatch, capsys):
    warc = pytest.importorskip("fastwarc.warc")
    record = warc.WarcRecord()
    record.init_headers(record_type=warc.WarcRecordType.resource)
    record.headers["WARC-Target-URI"] = "file:a.txt"
    record.set_bytes_content(b"a\n\xff")
    out = io.BytesIO()
    record.write(out)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.warc").write_bytes(out.getvalue())
    assert main(["check", "-z", "a.warc"]) == 1
    assert capsys.readouterr().out.startswith("a.warc!record 1 file:a.txt:2:1: UTF8-TOO-LARGE ")


def test_a_web_archive_that_is_cut_off_is_not_called_well_formed(tmp_path, monkeypatch, capsys):
    pytest.importorskip("fastwarc")
    monkeypatch.chdir(tmp_path)
    plain = response(1, b"a" * 3000)
    for whole in (plain, gzip.compress(plain)):
        for cut in (len(whole) - 1500 if whole is plain else len(whole) - 15, 100 if whole is plain else 40):
            (tmp_path / "crawl").write_bytes(whole[:cut])
            assert main(["check", "-z", "crawl"]) == 2, cut
            assert "crawl" in capsys.readouterr().err
