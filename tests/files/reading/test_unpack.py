"""``check --unpack``: what gzip, zstd, xz, tar, zip, pyarrow and others have made, whole, broken and hostile."""

import bz2
import gzip
import io
import json
import lzma
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import time
import zipfile
from xml.etree import ElementTree

import pytest

from utf8_abnf.cli import main
from utf8_abnf.explain.nature import COMPRESSED, READABLE
from utf8_abnf.files.reading import compressed, limits, readers
from utf8_abnf.files.reading.streams import Stream

pytestmark = pytest.mark.thorough

BAD = b"x\nab\xe9\n"  # wrong at 2:3
GOOD = "größe\n".encode()
PROGRAMS = {"gzip": "gzip", "bzip2": "bzip2", "xz": "xz", "zstd": "zstd"}


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """Run ``check --unpack`` in a folder of its own; return exit status, output and what went to standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        status = main(["check", "-z", *arguments])
        out, err = capsys.readouterr()
        assert "internal error" not in err
        return status, out, err

    return run


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
def test_a_compressed_file_is_checked_under_its_own_name(program, check, tmp_path):
    (tmp_path / "notes").write_bytes(packed(program, BAD))
    status, out, _ = check("notes")
    assert (status, places(out)) == (1, ["notes:2:3"])


@pytest.mark.parametrize("program", PROGRAMS)
def test_joined_files_are_one_text(program, check, tmp_path):
    (tmp_path / "notes").write_bytes(packed(program, b"1\n2\n\xe2\x82") + packed(program, b"\xac\n\xff"))
    status, out, _ = check("notes")
    assert (status, places(out)) == (1, ["notes:4:1"])


def test_a_frame_to_be_skipped_may_begin_a_file(check, tmp_path):
    """pzstd writes the size of the next frame into one: RFC 8878 section 3.1.2."""
    (tmp_path / "notes").write_bytes(bytes.fromhex("502A4D18 04000000 16000000") + packed("zstd", BAD))
    status, out, _ = check("notes")
    assert (status, places(out)) == (1, ["notes:2:3"])


@pytest.mark.parametrize("options", ["cf", "czf", "cjf", "cJf", "--zstd -cf", "--format=v7 -cf", "--format=pax -cf"])
def test_the_members_of_a_tar_archive_have_their_names(options, check, tmp_path):
    tree(tmp_path)
    if "zstd" in options:
        packed("zstd", b"")
    subprocess.run(["tar", *options.split(), "a.tar", "d"], cwd=tmp_path, check=True)
    status, out, _ = check("a.tar")
    assert (status, places(out)) == (1, ["a.tar!d/sub/b.txt:2:3"])
    assert "1 of 2 files (1 binary file skipped)" in out


@pytest.mark.skipif(not shutil.which("zip"), reason="needs zip")
@pytest.mark.parametrize("options", ["-qr", "-qry", "-qr0", "-qrZ bzip2"])
def test_the_members_of_a_zip_archive_have_their_names(options, check, tmp_path):
    tree(tmp_path)
    (tmp_path / "d/link").unlink()
    (tmp_path / "d/link").symlink_to("bin")
    names, end = options.split(), ["a.zip", "d"]
    if names[0] == "-qrZ":
        names = ["-qr", "-Z", "bzip2"]
    subprocess.run(["zip", *names, *end], cwd=tmp_path, check=True)
    assert places(check("a.zip")[1]) == ["a.zip!d/sub/b.txt:2:3"]


def test_pipes_are_read(check, tmp_path):
    for data in (gzip.compress(BAD), zip_of(("b.txt", BAD)), gzip.compress(tar_of(("b.txt", BAD)))):
        command = [sys.executable, "-m", "utf8_abnf", "check", "-z"]
        done = subprocess.run(command, input=data, capture_output=True, check=False, timeout=60)
        assert places(done.stdout.decode())[0] in {"(standard input):2:3", "(standard input)!b.txt:2:3"}


def test_text_is_checked_as_without_the_option(check, tmp_path):
    (tmp_path / "plain").write_bytes(BAD)
    assert places(check("plain")[1]) == ["plain:2:3"]
    done = subprocess.run(
        [sys.executable, "-m", "utf8_abnf", "check", "-z", "-"], input=BAD, capture_output=True, check=False, timeout=60
    )
    assert places(done.stdout.decode()) == ["(standard input):2:3"]


def test_files_in_folders_are_packed_files_only_with_the_option(check, tmp_path, capsys):
    (tmp_path / "f").mkdir()
    (tmp_path / "f/a.gz").write_bytes(gzip.compress(BAD))
    assert main(["check", "f"]) == 0
    assert "1 binary file skipped" in capsys.readouterr().err
    assert places(check("f")[1]) == ["f/a.gz:2:3"]


def test_the_advice_without_the_option_names_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.gz").write_bytes(gzip.compress(BAD))
    assert main(["check", "a.gz"]) == 1
    assert "-z (--unpack) checks what is in it" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["json", "jsonl", "github", "sarif", "junit", "text"])
def test_every_format_has_the_name_of_the_member(form, check, tmp_path):
    (tmp_path / "a.tar.gz").write_bytes(gzip.compress(tar_of(("dir/b.txt", BAD))))
    status, out, _ = check("--format", form, "a.tar.gz")
    assert status == 1
    assert "a.tar.gz!dir/b.txt" in out
    if form == "junit":
        ElementTree.fromstring(out.partition("\n")[2])
    if form in ("json", "sarif"):
        json.loads(out)


@pytest.mark.parametrize("option", ["--format=json", "--format=jsonl", "--format=sarif", "-l", "-i"])
def test_a_member_may_have_a_name_that_the_encoding_of_the_system_lacks(option, tmp_path):
    (tmp_path / "a.zip").write_bytes(zip_of(("\u65e5.txt", BAD), ("\u672c.txt", GOOD)))
    command = [sys.executable, "-m", "utf8_abnf", "check", "-z", option, "a.zip"]
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (1, b"")


def test_an_archive_in_an_archive_is_opened_on_request(check, tmp_path):
    inner = zip_of(("b.txt", BAD))
    (tmp_path / "a.tar").write_bytes(tar_of(("in.zip", inner), ("b.gz", gzip.compress(BAD)), ("good.txt", GOOD)))
    for options in ((), ("-a",), ("-q",)):
        status, _, err = check("a.tar", *options)
        assert status == 2  # a limit was reached: not all is known to be well-formed
        assert "a.tar!in.zip: a file of the format zip in an archive; --max-depth 2 opens it" in err
    assert check("a.tar", "-i")[1] == "a.tar!good.txt\n"
    assert places(check("--max-depth", "2", "a.tar")[1]) == ["a.tar!in.zip!b.txt:2:3", "a.tar!b.gz:2:3"]


def test_a_named_file_that_is_packed_too_often_is_not_advised_what_was_done(check, tmp_path):
    (tmp_path / "b.gz").write_bytes(gzip.compress(gzip.compress(BAD)))
    status, out, err = check("b.gz")
    assert (status, "-z" in out) == (2, False)
    assert "b.gz: a file of the format gzip in an archive; --max-depth 2 opens it" in err
    assert places(check("--max-depth", "2", "b.gz")[1]) == ["b.gz:2:3"]


def claiming_utf_8(data, name):
    """Return an archive of zip that says of *name* that it is UTF-8."""
    changed = bytearray(data)
    for at in (data.index(name) - 30 + 7, data.rindex(name) - 46 + 9):
        changed[at] |= 0x08  # APPNOTE 4.4.4: bit 11
    return bytes(changed)


def test_a_name_that_is_not_utf_8_is_reported_and_the_rest_is_checked(check, tmp_path):
    whole = zip_of(("a.txt", BAD), ("caf~", BAD), ("\u65e5.txt", BAD), ("~1", GOOD))
    whole = claiming_utf_8(claiming_utf_8(whole, b"caf~"), b"~1").replace(b"~", b"\xe9")
    (tmp_path / "a.zip").write_bytes(whole)
    status, out, err = check("a.zip")
    assert status == 2
    assert places(out) == ["a.zip!a.txt:2:3", "a.zip!\u65e5.txt:2:3"]
    said = "its name is not UTF-8, though the archive says so: {}; its content was not read"
    names = {r"caf\xe9": "63 61 66 E9", r"\xe91": "E9 31"}
    assert err.splitlines() == [f"utf8-abnf: a.zip!{name}: {said.format(raw)}" for name, raw in names.items()]


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
def test_a_truncated_file_is_never_called_well_formed(form, check, tmp_path):
    whole = samples()[form]
    (tmp_path / "good").write_bytes(GOOD)
    end = len(whole.rstrip(b"\0")) if form == "tar" else len(whole)  # NULs fill the last record of tar
    for cut in [*random.Random(1).sample(range(600 if form == "tar" else 20, end), 12), end - 1]:
        (tmp_path / "packed").write_bytes(whole[:cut])
        status, out, err = check("packed", "good", "-i")
        assert status == 2, cut
        assert "packed" in err
        assert "good" in out.split()
        assert "packed" not in out.split()


@pytest.mark.parametrize("form", samples())
def test_a_changed_byte_ends_in_a_verdict(form, check, tmp_path):
    whole, chance = samples()[form], random.Random(2)
    for _ in range(40):
        changed = bytearray(whole)
        changed[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        (tmp_path / "packed").write_bytes(changed)
        assert check("packed")[0] in {0, 1, 2}


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_library_says_of_damage_is_quoted_in_our_words(program, check, tmp_path):
    whole = packed(program, random.Random(3).randbytes(3000).hex().encode())
    for at in (len(whole) // 2, len(whole) - 6):
        (tmp_path / "f").write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        status, _, err = check("f")
        assert status == 2
        assert "f: cannot be unpacked: " in err


@pytest.mark.parametrize("library", [lzma, bz2, gzip])
def test_errors_before_a_truncation_are_shown(library, check, tmp_path):
    (tmp_path / "packed").write_bytes(library.compress(BAD + os.urandom(9000).hex().encode())[:-9])
    status, out, err = check("packed")
    assert (status, places(out)) == (2, ["packed:2:3"])
    assert "packed: is truncated: its end is missing" in err


@pytest.mark.parametrize("form", ["gzip", "gzip, no isal", "gzip, not seekable", "bzip2", "xz", "zstd"])
def test_what_follows_the_last_stream_is_named_and_not_called_a_truncation(form, check, tmp_path, monkeypatch):
    name = form.partition(",")[0]
    stream = packed(name, BAD)
    if "no isal" in form:
        monkeypatch.setitem(sys.modules, "isal.isal_zlib", None)
        monkeypatch.setitem(sys.modules, "isal.igzip_lib", None)

    def told(data):
        if "seekable" in form:
            data = gzip.compress(tar_of(("a", data)))
        (tmp_path / "f").write_bytes(data)
        status, out, err = check("f", "--max-depth", "2")
        assert places(out)[0] == ("f!a:2:3" if "seekable" in form else "f:2:3")  # what came before is judged
        return status, err

    assert told(stream + stream + bytes(99))[0] == 1
    for junk in (b"x", b"\n", b"<html>", b"1234567890" * 9, bytes(9) + b"x"):
        offset = 2 * len(stream) + len(junk) - len(junk.lstrip(b"\0"))
        found = junk.lstrip(b"\0")[:8].hex(" ").upper()
        expected = f"2 complete streams of {name}, and then bytes that are not {name}: {found} at offset {offset}"
        if "seekable" in form:
            expected = "is truncated, or has bytes after its end" if len(junk) < 11 else "f!a: has bytes after its end"
        status, err = told(stream + stream + junk)
        assert (status, expected in err) == (2, True), err
    for cut in (3, 12, len(stream) - 1):
        status, err = told(stream + stream[:cut])
        assert (status, "is truncated" in err, "after its end" in err) == (2, True, "seekable" in form)


@pytest.mark.parametrize("looked", [0, 8000])
def test_a_stream_can_be_read_as_any_file(looked):
    data = random.Random(3).randbytes(20_000)
    stream = Stream(io.BytesIO(data))
    assert stream.look(looked) == data[:looked]
    assert stream.read() == data


# What is hostile


def test_a_bomb_ends_at_the_ratio_and_the_next_file_is_checked(check, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "FREE", 1 << 20)
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b"0" * (4 << 20), 1))
    (tmp_path / "bomb.zip").write_bytes(zip_of(("bomb", b"0" * (4 << 20)), ("b.txt", BAD)))
    (tmp_path / "b.txt").write_bytes(BAD)
    status, out, err = check("bomb.gz", "bomb.zip", "b.txt")
    assert status == 2
    assert err.count("more than 200 bytes came out for each byte") == 2
    assert places(out) == ["bomb.zip!b.txt:2:3", "b.txt:2:3"]
    assert check("--max-ratio", "2000", "bomb.gz")[0] == 0


def test_the_size_of_all_that_comes_out_is_bounded(check, tmp_path):
    (tmp_path / "a.zip").write_bytes(zip_of(*((f"{number}", b"a" * 600) for number in range(10))))
    status, _, err = check("--max-size", "1K", "a.zip")
    assert status == 2
    assert err.count("more than 1,024 bytes came out") == 1


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="Linux says how much memory a process had")
def test_the_memory_for_a_bomb_is_bounded(tmp_path):
    zeros = b"0" * (64 << 20)
    names = {"gz": gzip.compress(zeros, 1)}
    if zstd := shutil.which("zstd"):
        names["zst"] = subprocess.run([zstd, "-c"], input=zeros, capture_output=True, check=True).stdout
    for name, data in names.items():
        (tmp_path / name).write_bytes(data)
    program = "import sys; from utf8_abnf.cli import main; main(['check', '-z', *sys.argv[1:]])\n"
    program += "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"
    done = subprocess.run(
        [sys.executable, "-c", program, *names], cwd=tmp_path, capture_output=True, check=True, timeout=60
    )
    assert int(done.stdout.split()[-1]) < 64_000  # kB


@pytest.mark.parametrize("name", ["../up.txt", "/abs.txt", "a/../../b", "..\\w.txt", "C:\\w.txt"])
@pytest.mark.parametrize("make", [tar_of, zip_of])
def test_a_name_that_leads_out_is_refused_and_the_rest_is_checked(make, name, check, tmp_path):
    (tmp_path / "a").write_bytes(make((name, GOOD), ("b.txt", BAD)))
    status, out, err = check("a")
    assert (status, places(out)) == (2, ["a!b.txt:2:3"])
    assert "its name leads out of the archive" in err


@pytest.mark.parametrize("make", [tar_of, zip_of])
def test_a_terminal_obeys_no_name(make, check, tmp_path):
    (tmp_path / "a").write_bytes(make(("\x1b[2J\nb.txt", BAD), ("../\x1b[2J", BAD)))
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


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE, b"Z", b"M", b"D"])
def test_a_member_of_a_type_that_is_not_known_is_a_file(kind, check, tmp_path):
    """POSIX.1-2017, pax, typeflag: "it shall be treated as if it were a regular file". D is a folder of GNU's."""
    (tmp_path / "a.tar").write_bytes(header("b.txt", kind, len(BAD)) + BAD.ljust(512, b"\0") + bytes(1024))
    status, out, _ = check("a.tar")
    assert (status, places(out)) == ((0, []) if kind == b"D" else (1, ["a.tar!b.txt:2:3"]))


def header(name, kind=tarfile.REGTYPE, size=0):
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)


def member(name, data):
    return header(name, size=len(data)) + data.ljust(-(-len(data) // 512) * 512, b"\0")


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def summed(data):
    """Return *data* with the checksum that its header has to have."""
    total = sum(data[:512]) - sum(data[148:156]) + 8 * 32
    return data[:148] + b"%06o\0 " % total + data[156:]


LONG_NAME = header("././@LongLink", tarfile.GNUTYPE_LONGNAME, 9) + b"long.name".ljust(512, b"\0")
LOST = {  # what stands between two members, and what is said of it
    "checksum": (flipped(member("m", GOOD), 150), "the header of a member is broken; 512 bytes from offset 1,536 on"),
    "much": (flipped(member("m", b"\xff" * 700_000), 150), "is broken; 700,416 bytes"),
    "after a long name": (LONG_NAME + flipped(member("m", GOOD), 9), "is broken; 512 bytes from offset 2,560 on"),
    "pax": (header("p", tarfile.XHDTYPE, 9) + b"0 path=x\n".ljust(512, b"\0") + member("m", BAD), "is broken; 0 bytes"),
    "number": (summed(member("m", GOOD).replace(b"00000000010\0", b"0000000001z\0")), "is broken; 512 bytes"),
    "size below 0": (header("m", size=-512), "header"),
    "size of a header": (header("m", tarfile.GNUTYPE_LONGNAME, 7 << 30), "1,048,576 bytes, as in attacks; 0 bytes"),
    "NULs": (bytes(512) + member("m", GOOD)[512:], "after the end mark of the archive; 512 bytes from offset 1,536 on"),
    "end": (bytes(10240), "after the end mark of the archive; 0 bytes from offset 11,264 on"),
}


@pytest.mark.parametrize("kind", LOST)
def test_after_a_broken_header_the_next_member_is_checked(kind, check, tmp_path):
    between, said = LOST[kind]
    (tmp_path / "a.tar").write_bytes(member("a", BAD) + between + member("z", BAD) + bytes(1024))
    status, out, err = check("a.tar")
    assert status == 2
    assert [each for each in places(out) if "!m" not in each] == ["a.tar!a:2:3", "a.tar!z:2:3"]
    assert said in err
    assert "and then the next header was found" in err


def test_an_archive_may_begin_with_what_belongs_to_a_broken_header(check, tmp_path):
    (tmp_path / "a.tar").write_bytes(LONG_NAME + flipped(member("m", GOOD), 9) + member("z", BAD) + bytes(1024))
    status, out, _ = check("a.tar")
    assert (status, places(out)) == (2, ["a.tar!z:2:3"])


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


def test_where_no_header_follows_a_broken_one_that_is_said(check, tmp_path):
    data = bytearray(tar_of(("a", GOOD), ("b", BAD)))
    data[1024 + 150] ^= 1  # the checksum of the second header
    (tmp_path / "a.tar").write_bytes(data)
    status, _, err = check("a.tar")
    assert status == 2
    assert "the header of a member is broken; 8,704 bytes from offset 1,536 on were not checked, and no header" in err


def test_a_broken_stream_is_not_read_on_as_a_broken_header(check, tmp_path):
    """What cannot be unpacked has no headers to be found; the error is said once."""
    data = bytearray(gzip.compress(tar_of(("a", os.urandom(99_000).hex().encode()), ("b", BAD))))
    data[len(data) // 2] ^= 255
    (tmp_path / "a.tar.gz").write_bytes(data)
    status, _, err = check("a.tar.gz")
    assert status == 2
    assert "header" not in err


def test_what_follows_the_end_of_an_archive_is_reported_and_checked(check, tmp_path):
    (tmp_path / "a.tar").write_bytes(tar_of(("a", GOOD)) + tar_of(("b", BAD)))
    status, out, err = check("a.tar")
    assert (status, places(out)) == (2, ["a.tar!b:2:3"])
    assert "after the end mark" in err
    (tmp_path / "a.tar").write_bytes(tar_of(("a", GOOD)) + b"junk")
    status, _, err = check("a.tar")
    assert status == 2
    assert "after the end mark of the archive; 4 bytes from offset 10,240 on were not checked, and no header" in err


def test_a_header_of_tar_takes_no_memory_for_what_it_states(check, tmp_path):
    info = tarfile.TarInfo("././@PaxHeader")
    info.type, info.size = tarfile.XHDTYPE, 7 << 30
    (tmp_path / "a.tar").write_bytes(info.tobuf() + bytes(4096))
    status, _, err = check("a.tar")
    assert status == 2
    assert "has a header of more than 1,048,576 bytes" in err


def central(data, name, field, value):
    """Change a number of four bytes in the central directory of a zip archive, at the offset *field* of its entry."""
    at = data.rindex(name) - 46
    changed = bytearray(data)
    struct.pack_into("<I", changed, at + field, value)
    return bytes(changed)


LIES = {"smaller": (24, 5), "larger": (24, 1 << 20), "crc": (16, 1), "packed": (20, 3), "offset": (42, 7)}


@pytest.mark.parametrize("lie", LIES)
def test_a_directory_that_lies_is_an_error_for_its_member(lie, check, tmp_path):
    data = zip_of(("liar", GOOD * 20), ("b.txt", BAD))
    (tmp_path / "a.zip").write_bytes(central(data, b"liar", *LIES[lie]))
    status, out, err = check("a.zip")
    assert (status, places(out)) == (2, ["a.zip!b.txt:2:3"])
    assert "a.zip!liar: " in err


EXTRA = struct.pack("<HH4s", 0x5455, 4, b"time")
SPOILT = {  # what is changed in an entry with the name "m" at 46 and this extra field behind it, and what is said
    "extra": ([(49, b"\x09")], "a.zip!m: cannot be unpacked: Corrupt extra field 5455 (size=9)"),
    "zip64": ([(24, b"\xff" * 4), (47, b"\1\0\4\0")], "a.zip!m: cannot be unpacked: Corrupt zip64 extra field"),
    "version": ([(6, b"\x63")], "a.zip!m: cannot be unpacked: zip file version 9.9"),
    "beginning": ([(0, b"XX")], "55 bytes of its directory are broken; the files that they name were not checked"),
    "zeros": ([(0, bytes(55))], "55 bytes of its directory are broken"),
    "no name": ([(28, b"\0\0\x09\0"), (46, bytes(9))], "a.zip!'': cannot be unpacked: "),
    "shorter": ([(30, b"\4")], "4 bytes of its directory are broken"),
    "longer by 1": ([(28, b"\2")], "55 bytes of its directory are broken"),
    "longer by 24": ([(30, b"\x20")], "55 bytes of its directory are broken"),
    "longer by an entry and 1": ([(32, b"\x34")], "55 bytes of its directory are broken"),
    "too long": ([(28, b"\xff\xff")], "55 bytes of its directory are broken"),
}


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("kind", SPOILT)
def test_an_entry_that_is_refused_does_not_refuse_the_others(kind, place, check, tmp_path):
    """Python's zipfile refuses an archive in which it cannot read one entry."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(4):
            info = zipfile.ZipInfo("m" if number == place else f"{number}.txt")
            info.extra = EXTRA if number == place else b""
            archive.writestr(info, BAD)
    data = bytearray(out.getvalue())
    start = [found.start() for found in re.finditer(b"PK\1\2", data)][place]
    changes, said = SPOILT[kind]
    for at, new in changes:
        data[start + at : start + at + len(new)] = new
    (tmp_path / "a.zip").write_bytes(data)
    status, out, err = check("a.zip")
    assert (status, places(out)) == (2, [f"a.zip!{number}.txt:2:3" for number in range(4) if number != place])
    assert said in err


class Pipe(io.BytesIO):
    """What cannot be sought in: zipfile writes sizes behind the data then."""

    def seekable(self):
        return False

    def tell(self):
        raise OSError

    seek = tell


METHODS = ["ZIP_STORED", "ZIP_DEFLATED", "ZIP_BZIP2", "ZIP_LZMA"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("make", [io.BytesIO, Pipe])
@pytest.mark.parametrize("zip64", [False, True])
def test_the_whole_members_of_an_archive_that_is_cut_off_are_checked(make, method, zip64, check, tmp_path):
    """At each place: a member that is whole is judged, the one that is not is an error, and the loss is said."""
    out, ends = make(), []
    inner = zip_of(("inner", BAD), method=zipfile.ZIP_STORED)  # signatures within the data
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in {"a": BAD, "d/b\u00fc": BAD * 9, "c": b"", "d": inner, "e": BAD}.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = getattr(zipfile, method)
            with archive.open(info, "w", force_zip64=zip64) as member:
                member.write(data)
            ends.append(len(out.getvalue()))
    whole = out.getvalue()
    for cut in [*range(40, ends[-1], 31), *(end + step for end in ends for step in (-1, 0, 1)), len(whole) - 1]:
        (tmp_path / "cut.zip").write_bytes(whole[:cut])
        status, out, err = check("-a", "cut.zip")
        number = sum(end <= cut for end in ends)
        bad = [
            f"cut.zip!{name}" for end, name in zip(ends, ("a", "d/b\u00fc", "", "d", "e"), strict=True) if end <= cut
        ]
        judged = dict.fromkeys(place.partition(":")[0] for place in places(out))
        if make is Pipe and method == "ZIP_STORED" and ends[2] < cut < ends[3]:
            number += judged.pop("cut.zip!inner", "") is None  # nothing tells its member from this archive's
        assert (status, [*judged]) == (2, [name for name in bad if name[-1] not in "!d"])
        assert ("cut.zip!d: a file of the format zip in an archive" in err) == (ends[3] <= cut)
        assert f"; {number} file{'s' * (number != 1)} were found" in err


def test_what_cannot_be_known_of_an_archive_that_is_cut_off_is_said(check, tmp_path):
    """An encrypted member, a name that leads out, one that is not UTF-8, and a member whose end nothing tells."""
    out = Pipe()
    with zipfile.ZipFile(out, "w") as archive:
        for name in ("a", "../up", "n~", "lost", "z"):
            archive.writestr(name, BAD)
    data = claiming_utf_8(out.getvalue(), b"n~").replace(b"n~", b"n\xe9")
    at = data.index(b"lost") + len(b"lost" + BAD)
    data = bytearray(data[:at] + data[at + 16 :])  # without its descriptor
    data[6] |= 1  # it says that "a" is encrypted
    (tmp_path / "cut.zip").write_bytes(data[: data.index(b"PK\1\2")])
    status, out, err = check("cut.zip")
    assert (status, places(out)) == (2, ["cut.zip!z:2:3"])
    said = [line.partition("cut.zip")[2] for line in err.splitlines()]
    assert [line.partition(": ")[0] for line in said] == ["!a", "!../up", "!n\\xe9", "!lost", ""]
    assert said[3] == "!lost: its end was not found, so it was not checked"


def test_archives_that_were_joined_are_both_checked(check, tmp_path):
    """zipfile reads the last one alone."""
    (tmp_path / "two.zip").write_bytes(zip_of(("a", BAD)) + zip_of(("b", BAD), ("c", GOOD)))
    status, out, err = check("two.zip")
    assert (status, places(out)) == (2, ["two.zip!a:2:3", "two.zip!b:2:3"])
    assert "two.zip: its directory is missing or in another place; 3 files were found" in err


def test_headers_that_lead_nowhere_take_no_time_that_grows_with_their_square(check, tmp_path):
    out = Pipe()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a", BAD)
    header = out.getvalue()[:31]
    (tmp_path / "cut.zip").write_bytes(header * 10_000 + b"PK\7\x08" * 20_000)
    begun = time.process_time()
    status, _, err = check("cut.zip")
    assert (status, err.count("its end was not found")) == (2, 16)
    assert time.process_time() - begun < 20


def test_many_refused_entries_take_no_time_that_grows_with_their_square(check, tmp_path):
    data = zip_of(*((f"{number}", b"") for number in range(20_000)), method=zipfile.ZIP_STORED)
    (tmp_path / "a.zip").write_bytes(re.sub(rb"(PK\x01\x02..)..", rb"\1c\0", data, flags=re.DOTALL))  # version 9.9
    begun = time.process_time()
    status, _, err = check("a.zip")
    assert (status, err.count("zip file version")) == (2, 20_000)
    assert time.process_time() - begun < 20


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
    assert {each.format for each in readers.READERS} == READABLE | {"WARC"}
    assert {each.format for each in readers.READERS if each.wraps} == COMPRESSED


def test_what_is_not_installed_is_named_with_its_extra(check, tmp_path, monkeypatch):
    def missing(_):
        raise ModuleNotFoundError(name="backports.zstd")

    monkeypatch.setattr(compressed, "import_module", missing)
    (tmp_path / "a.zst").write_bytes(b"\x28\xb5\x2f\xfd\0\0\0\0")
    (tmp_path / "b.txt").write_bytes(BAD)
    status, out, err = check("a.zst", "b.txt")
    assert (status, places(out)) == (2, ["b.txt:2:3"])
    assert "this needs backports.zstd: python -m pip install 'utf8-abnf[unpack]'" in err


def test_no_library_is_loaded_before_a_file_needs_it(tmp_path):
    """Each takes 5 to 100 ms, of the half second that 256 MiB take: dataclasses of what only errors need."""
    pyarrow = pytest.importorskip("pyarrow")
    (tmp_path / "a.txt").write_bytes(GOOD)
    table = pyarrow.table({"text": ["a"]})
    with pyarrow.ipc.new_file(tmp_path / "a.arrow", table.schema) as writer:
        writer.write_table(table)
    program = "import sys; before = set(sys.modules); from utf8_abnf.cli import main\n"
    program += "for name in sys.argv[1:]:\n    main(['check', '-z', name])\n"
    program += "    print(*sorted({'isal', 'backports', 'pyarrow', 'fastwarc', 'tarfile', 'zipfile', 'dataclasses', "
    program += (
        "'pyarrow.compute', 'pyarrow.parquet', 'utf8_abnf.files.repairing'}.intersection(set(sys.modules) - before)))"
    )
    command = [sys.executable, "-c", program, "a.txt", "a.arrow"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, timeout=60)
    assert done.stdout in (b"\ndataclasses pyarrow\n", b"\npyarrow\n")
