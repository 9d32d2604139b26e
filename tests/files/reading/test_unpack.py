"""``check --unpack``: what gzip, zstd, xz, tar, zip, pyarrow and others have made, whole, broken and hostile."""

import bz2
import gzip
import io
import json
import lzma
import random
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
from functools import partial

import pytest

from utf8_abnf.explain.nature import COMPRESSED, READABLE
from utf8_abnf.files.reading import compressed, streams, unpacking

pytestmark = pytest.mark.thorough

BAD = b"x\nab\xe9\n"  # wrong at 2:3
GOOD = "größe\n".encode()
PROGRAMS = {"gzip": "gzip", "bzip2": "bzip2", "xz": "xz", "zstd": "zstd"}


@pytest.fixture
def check(tmp_path, monkeypatch, call):
    """Run ``check --unpack`` in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return partial(call, "check", "-z")


def places(out):
    """Return the place in each first line of a diagnostic."""
    return [line.partition(": UTF8-")[0] for line in out.splitlines() if ": UTF8-" in line]


def packed(program, data):
    if not shutil.which(program):
        pytest.skip(f"needs {program}")
    if program == "zstd" and sys.version_info < (3, 14):
        pytest.importorskip("backports.zstd")
    return subprocess.run([program, "-c"], input=data, capture_output=True, check=True).stdout


def tree(folder):
    """Make a folder with a good file, a bad one, a binary one and links."""
    (folder / "d/sub").mkdir(parents=True)
    (folder / "d/a.txt").write_bytes(GOOD)
    (folder / "d/sub/b.txt").write_bytes(BAD)
    (folder / "d/bin").write_bytes(b"\0\xff")
    (folder / "d/link").symlink_to("sub/b.txt")


def tar_of(*members):
    """Return an archive of (name, bytes), or of ``TarInfo`` for what is not a file."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for member in members:
            info = member if isinstance(member, tarfile.TarInfo) else tarfile.TarInfo(member[0])
            data = b"" if isinstance(member, tarfile.TarInfo) else member[1]
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zip_of(*members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


# What programs make


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("parts", "place"), [([BAD], "2:3"), ([b"1\n2\n\xe2\x82", b"\xac\n\xff"], "4:1")], ids=["one", "joined"]
)
def test_compressed_files_are_one_text_under_the_name_of_theirs(program, parts, place, check, tmp_path):
    (tmp_path / "notes").write_bytes(b"".join(packed(program, part) for part in parts))
    status, out, _ = check("notes")
    assert (status, places(out)) == (1, [f"notes:{place}"])


@pytest.mark.parametrize("options", ["cf", "czf", "--format=v7 -cf", "--format=pax -cf"])
def test_the_members_of_a_tar_archive_have_their_names(options, check, tmp_path):
    tree(tmp_path)
    subprocess.run(["tar", *options.split(), "a.tar", "d"], cwd=tmp_path, check=True)
    status, out, _ = check("a.tar")
    assert (status, places(out)) == (1, ["a.tar!d/sub/b.txt:2:3"])
    assert "1 of 2 files (1 binary file skipped)" in out


@pytest.mark.skipif(not shutil.which("zip"), reason="needs zip")
@pytest.mark.parametrize("options", ["-qry", "-qr0"])
def test_the_members_of_a_zip_archive_have_their_names(options, check, tmp_path):
    tree(tmp_path)
    (tmp_path / "d/link").unlink()
    (tmp_path / "d/link").symlink_to("bin")
    subprocess.run(["zip", options, "a.zip", "d"], cwd=tmp_path, check=True)
    assert places(check("a.zip")[1]) == ["a.zip!d/sub/b.txt:2:3"]


def test_pipes_are_read(check, tmp_path):
    for data in (gzip.compress(BAD), zip_of(("b.txt", BAD)), gzip.compress(tar_of(("b.txt", BAD)))):
        command = [sys.executable, "-m", "utf8_abnf", "check", "-z"]
        done = subprocess.run(command, input=data, capture_output=True, check=False, timeout=60)
        assert places(done.stdout.decode())[0] in {"(standard input):2:3", "(standard input)!b.txt:2:3"}


def test_the_advice_without_the_option_names_it(tmp_path, call):
    (tmp_path / "a.gz").write_bytes(gzip.compress(BAD))
    assert "-z (--unpack) checks what is in it" in call("check", tmp_path / "a.gz").out


def test_archives_in_archives_are_opened_to_the_third_level(check, tmp_path):
    inner = zip_of(("b.txt", BAD), ("c.gz", gzip.compress(BAD)))
    (tmp_path / "a.tar").write_bytes(tar_of(("in.zip", inner), ("good.txt", GOOD), ("d.tar.gz", gzip.compress(inner))))
    status, out, _ = check("a.tar")
    assert status == 1
    assert places(out) == [f"a.tar!{name}:2:3" for name in (
        "in.zip!b.txt", "in.zip!c.gz", "d.tar.gz!b.txt", "d.tar.gz!c.gz")]  # fmt: skip
    (tmp_path / "b.gz").write_bytes(gzip.compress(gzip.compress(gzip.compress(gzip.compress(BAD)))))
    status, out, err = check("b.gz")
    assert (status, out) == (2, "")
    assert "b.gz: is a file of the format gzip, in too many archives; unpack it" in err


# What is broken


def samples():
    """Return whole files of every format that needs no program: each holds a good text of some size."""
    text = "".join(f"Zeile {number}: größer\n" for number in range(400)).encode()
    return {
        "gz": gzip.compress(text),
        "bz2": bz2.compress(text),
        "xz": lzma.compress(text),
        "tar": tar_of(("a", text), ("b", text)),
        "tar.gz": gzip.compress(tar_of(("a", text), ("b", text))),
        "zip": zip_of(("a", text), ("b", text)),
    }


@pytest.mark.parametrize("form", samples())
def test_a_broken_file_is_never_called_well_formed(form, check, tmp_path):
    whole, chance = samples()[form], random.Random(1)
    (tmp_path / "good").write_bytes(GOOD)
    end = len(whole.rstrip(b"\0")) if form == "tar" else len(whole)  # NULs fill the last record of tar
    for cut in [*chance.sample(range(600 if form == "tar" else 20, end), 8), end - 1]:
        (tmp_path / "packed").write_bytes(whole[:cut])
        status, out, err = check("packed", "good", "--format", "jsonl")
        assert (status, "packed" in err) == (2, True), cut
        verdicts = {each["path"]: each["verdict"] for each in map(json.loads, out.splitlines()) if "verdict" in each}
        assert verdicts.get("packed", "ill-formed") == "ill-formed"
        assert verdicts["good"] == "well-formed"
    for _ in range(20):
        changed = bytearray(whole)
        changed[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        (tmp_path / "packed").write_bytes(changed)
        assert check("packed")[0] in {0, 1, 2}


@pytest.mark.parametrize("program", PROGRAMS)
def test_damage_and_what_follows_the_end_are_errors(program, check, tmp_path):
    whole = packed(program, BAD + random.Random(3).randbytes(3000).hex().encode())
    for data in (
        whole[:-20] + b"\x55" * 20,
        whole[:900] + b"junk" * 9 + whole[936:],
        whole + b"junk",
        whole + whole[:9],
    ):
        (tmp_path / "f").write_bytes(data)
        status, _, err = check("f")
        assert status == 2
        assert err.startswith("utf8-abnf: f: ")
    (tmp_path / "f").write_bytes(whole + whole + bytes(99))
    assert check("f")[0] == 1


# What is hostile


def test_what_comes_out_of_a_file_is_bounded(check, tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "MAX_OUT", 1 << 20)
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b"0" * (4 << 20), 1))
    (tmp_path / "bomb.zip").write_bytes(zip_of(*((f"{number}", b"a" * (300 << 10)) for number in range(9))))
    (tmp_path / "b.txt").write_bytes(BAD)
    status, out, err = check("bomb.gz", "bomb.zip", "b.txt")
    assert status == 2
    assert err.count("more than 1,048,576 bytes came out of this file; unpack it first") == 2
    assert places(out) == ["b.txt:2:3"]


@pytest.mark.parametrize("make", [tar_of, zip_of])
def test_a_terminal_obeys_no_name(make, check, tmp_path):
    (tmp_path / "a").write_bytes(make(("\x1b[2J\nb.txt", BAD)))
    _, out, err = check("a")
    assert "\x1b" not in out + err
    assert places(out) == ["a!\\x1b[2J\\nb.txt:2:3"]


def test_what_is_not_a_file_in_a_tar_archive_is_not_read(check, tmp_path):
    special = []
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE):
        info = tarfile.TarInfo(f"special{kind.decode()}")
        info.type, info.linkname = kind, "/etc/passwd"
        special.append(info)
    (tmp_path / "a.tar").write_bytes(tar_of(*special, ("b.txt", BAD)))
    status, out, _ = check("a.tar")
    assert (status, places(out)) == (1, ["a.tar!b.txt:2:3"])
    assert "(2 pipes, sockets or devices skipped)" in out


@pytest.mark.parametrize(("repeated", "errors"), [(1, 2), (20, 10)])
def test_errors_before_the_place_where_a_stream_breaks_off_are_in_the_totals(repeated, errors, check, tmp_path):
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"ab\xe9 c\nx\xff\n" * repeated)[:-4])
    (tmp_path / "bad").write_bytes(b"\xff\n")
    status, out, _ = check("cut.gz", "bad", "nowhere")
    unread = "(1 could not be read, 1 could not be read to the end)"
    assert out.splitlines()[-1] == f"at least {errors + 1} ill-formed sequences in 2 of 2 files {unread}"
    assert status == 2
    summary = json.loads(check("--format", "jsonl", "cut.gz")[1].splitlines()[-1])
    assert (summary["errors"], summary["ill_formed"], summary["complete"]) == (errors, 1, False)
    assert (summary["unreadable"], summary["broken_off"]) == (1, 1)


SPOILT = {
    "checksum of the second header": lambda data: data[: 1024 + 150] + b"9" + data[1024 + 151 :],
    "no second header": lambda data: data[:1024],
    "no end mark": lambda data: data[:2048],
    "junk": lambda data: data[:1024] + b"junk" * 99,
}


@pytest.mark.parametrize("kind", SPOILT)
def test_an_archive_that_ends_without_its_mark_is_an_error(kind, check, tmp_path):
    (tmp_path / "a.tar").write_bytes(SPOILT[kind](tar_of(("a", BAD), ("b", GOOD))))
    status, out, err = check("a.tar")
    assert (status, places(out)) == (2, ["a.tar!a:2:3"])
    assert "has a broken header or no end mark; what may follow was not checked" in err


@pytest.mark.parametrize(("field", "value"), [(24, 5), (16, 1), (42, 7)], ids=["size", "crc", "offset"])
def test_a_directory_that_lies_is_an_error_for_its_member(field, value, check, tmp_path):
    data = bytearray(zip_of(("liar", GOOD * 20), ("b.txt", BAD)))
    struct.pack_into("<I", data, data.rindex(b"liar") - 46 + field, value)
    (tmp_path / "a.zip").write_bytes(data)
    status, out, err = check("a.zip")
    assert (status, places(out)) == (2, ["a.zip!b.txt:2:3"])
    assert "a.zip!liar: " in err


def test_a_header_of_tar_takes_no_memory_for_what_it_states(check, tmp_path):
    info = tarfile.TarInfo("././@PaxHeader")
    info.type, info.size = tarfile.XHDTYPE, 7 << 30
    (tmp_path / "a.tar").write_bytes(info.tobuf() + bytes(4096))
    status, _, err = check("a.tar")
    assert status == 2
    assert "has a header of more than 1,048,576 bytes" in err


def test_an_encrypted_member_is_named(check, tmp_path):
    if not shutil.which("zip"):
        pytest.skip("needs zip")
    (tmp_path / "secret.txt").write_bytes(GOOD)
    (tmp_path / "b.txt").write_bytes(BAD)
    subprocess.run(["zip", "-q", "-P", "word", "a.zip", "secret.txt"], cwd=tmp_path, check=True)
    subprocess.run(["zip", "-q", "a.zip", "b.txt"], cwd=tmp_path, check=True)
    status, out, err = check("a.zip")
    assert (status, places(out)) == (2, ["a.zip!b.txt:2:3"])
    assert "a.zip!secret.txt: is encrypted" in err


# The table


def test_the_formats_that_advice_names_are_those_of_the_table():
    assert {each.format for each in unpacking.READERS} == READABLE | {"WARC"}
    assert {each.format for each in unpacking.READERS if each.wraps} == COMPRESSED


def test_what_is_not_installed_is_named_with_its_extra(check, tmp_path, monkeypatch):
    def missing(_):
        raise ModuleNotFoundError(name="backports.zstd")

    monkeypatch.setattr(compressed, "import_module", missing)
    (tmp_path / "a.zst").write_bytes(b"\x28\xb5\x2f\xfd\0\0\0\0")
    (tmp_path / "b.txt").write_bytes(BAD)
    status, out, err = check("a.zst", "b.txt")
    assert (status, places(out)) == (2, ["b.txt:2:3"])
    assert "this needs backports.zstd: python -m pip install 'utf8-abnf[unpack]'" in err
