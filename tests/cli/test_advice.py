"""What ``check`` advises for a file: never a conversion that alters a well-formed byte, never of what is not text."""

import bz2
import contextlib
import gzip
import io
import json
import lzma
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from types import SimpleNamespace

import pytest

from utf8_abnf.cli import main
from utf8_abnf.explain.diagnostic import advice_for_file
from utf8_abnf.explain.locating import BLOCK, Scanner
from utf8_abnf.explain.nature import SIGNATURES, nature_of

TEXTS = (
    "naïve café, Ångström — “quoted”", "日本語のテキスト、ひらがな", "Привет, мир", "Ελληνικά γράμματα", "한국어 글자",
    "עברית", "العربية", "हिन्दी", "ไทย", "😀 emoji 🎉", "Ã© as it was meant", "\ufffd and \ufeff",
)  # fmt: skip
# Stretches that are ill-formed wherever a character may begin, and before ASCII.
STRETCHES = (
    b"caf\xe9 ", b"\x93quoted\x94", b"M\xfcller", b"\x96", b"\xa0", "テスト".encode("cp932") + b" ", b"\x80\x81\x82",
    "Привет".encode("koi8-r") + b" ", "中文".encode("gbk") + b" ", b"\xed\xa0\xbd\xed\xb8\x80", b"\xc0\x80",
    b"\xe2\x82 ", b"\xf5\xff", b"\xff\xfe", b"\xfe\xff", b"\xf0\x9f\x98 ", b"\xff\xfea\0b\0c\0",
    b"\x1f\x8b\x08\0", b"\0\xff\0",
)  # fmt: skip
REPORTS = ((), ("--first",), ("--format", "json"), ("--format", "sarif"), ("--max-errors", "1"))
COMMAND = re.compile(r"iconv -f (\S+) -t UTF-8")


def mixed(number):
    """Return a file of the given number and its well-formed characters of several bytes, in order."""
    chance = random.Random(number)
    pieces = []
    for _ in range(chance.randint(1, 12)):
        text = (chance.choice(TEXTS) + chance.choice(" \n")) * chance.choice((1, 1, 1, 40))
        ascii_text = b"plain ASCII text between them, of some length\n" * chance.choice((0, 1, 30))
        pieces += [text.encode(), ascii_text, chance.choice(STRETCHES) * chance.choice((1, 1, 5)), b" "]
    start = chance.choice((0, 1, 2))  # the file begins with text, with ASCII or with an ill-formed stretch
    data = b"".join(pieces[start:] + pieces[:1])
    return data, wide(data.decode("utf-8", "ignore"))


def wide(text):
    return "".join(character for character in text if not character.isascii())


def check(data, tmp_path, capsysbinary, *options):
    path = tmp_path / "file"
    path.write_bytes(data)
    status = main(["check", *options, str(path)])
    return SimpleNamespace(status=status, text=capsysbinary.readouterr().out.decode())


@pytest.mark.parametrize("number", range(200))
def test_no_well_formed_character_of_a_mixed_file_is_damaged_by_the_advice(number, tmp_path, capsysbinary):
    data, characters = mixed(number)
    said = "".join(check(data, tmp_path, capsysbinary, *options).text for options in REPORTS)
    for encoding in COMMAND.findall(said):  # none is printed; one that is has to keep every character
        iconv = shutil.which("iconv") or pytest.fail("no iconv to try the advice with")
        made = subprocess.run(
            [iconv, "-c", "-f", encoding, "-t", "UTF-8"], input=data, capture_output=True, check=False
        )
        assert characters == wide(made.stdout.decode())
    assert characters
    assert "iconv" not in said


@pytest.mark.parametrize("number", range(0, 200, 10))
def test_the_python_that_is_advised_alters_no_well_formed_byte(number, tmp_path, capsysbinary):
    data, _ = mixed(number)
    found = re.search(r"^.*: (import codecs; .*)$", check(data, tmp_path, capsysbinary).text, re.MULTILINE)
    if not found:  # the first errors do not point to another encoding
        return
    names = {"data": data}
    exec(found[1], names)
    expected, at = "", 0
    for error in (located.error for located in Scanner(io.BytesIO(data).readinto).errors()):
        expected += data[at : error.start].decode() + data[error.start : error.end].decode("cp1252", "replace")
        at = error.end
    assert names["text"] == expected + data[at:].decode()


def test_naive_beside_windows_1252_keeps_its_letter(tmp_path, capsysbinary):
    done = check("naïve ".encode() + b"caf\xe9 au lait", tmp_path, capsysbinary)
    assert "1 well-formed character of several bytes" in done.text
    assert "iconv" not in done.text


@pytest.mark.parametrize("place", [0, 100, BLOCK - 1, BLOCK + 5, 3 * BLOCK])
@pytest.mark.parametrize("options", [(), ("--max-errors", "0"), ("--max-errors", "1")])
def test_a_well_formed_character_is_seen_wherever_it_stands(place, options, tmp_path, capsysbinary):
    for first, second in (("é".encode(), b"\xe9 \xe9 "), (b"\xe9 \xe9 ", "é".encode())):
        done = check(first + b"a\n" * (place // 2) + second + b"end", tmp_path, capsysbinary, *options)
        assert "well-formed character" in done.text
        assert "iconv" not in done.text


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_text_of_one_encoding_can_be_converted_as_a_whole(encoding, tmp_path, capsysbinary):
    text = "Ein schöner Tag, à la carte, naïve.\tÜber\r\n\f" * 50
    done = check(text.encode(encoding), tmp_path, capsysbinary)
    assert done.text.count("iconv -f WINDOWS-1252 -t UTF-8") == 1
    records = [
        json.loads(line)
        for line in check(text.encode(encoding), tmp_path, capsysbinary, "--format", "jsonl").text.splitlines()
    ]
    assert [
        each["advice"].endswith("iconv -f WINDOWS-1252 -t UTF-8") for each in records if each["type"] == "file"
    ] == [True]


@pytest.mark.parametrize("control", [byte for byte in range(0x20) if byte not in b"\t\n\f\r"])
@pytest.mark.parametrize("early", [True, False])
def test_data_with_control_characters_are_not_proposed_for_conversion(control, early, tmp_path, capsysbinary):
    place, rest = (bytes([control]), b"") if early else (b"", bytes([control]))
    done = check(b"some data " + place + b"caf\xe9 au lait" + rest + b" and more", tmp_path, capsysbinary)
    assert "no conversion is proposed" in done.text
    assert "iconv" not in done.text


def test_the_stop_at_the_first_error_proposes_nothing_for_what_was_not_read(tmp_path, capsysbinary):
    assert "iconv" not in check(b"caf\xe9 au lait \xc3\xaf", tmp_path, capsysbinary, "--first").text


def zipped():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("naïve.txt", TEXT)
    return file.getvalue()


def tarred():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        entry = tarfile.TarInfo("a.txt")
        entry.size = len(TEXT)
        archive.addfile(entry, io.BytesIO(TEXT))
    return file.getvalue()


def database():
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        base.execute("create table t(x)")
        return base.serialize() + b"\xff"


TEXT = random.Random(7).randbytes(5000)
REAL = {
    "gzip": gzip.compress(TEXT), "bzip2": bz2.compress(TEXT), "xz": lzma.compress(TEXT), "zip": zipped(),
    "tar": tarred(),
    "SQLite": database(), "PNG": bytes.fromhex("89504E470D0A1A0A0000000D49484452000000010000000108060000001F15C489"),
    "PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "JPEG": bytes.fromhex("FFD8FFE000104A46494600010100000100010000"),
    "GIF": b"GIF89a\x10\0\x10\0\x91\xff\0\xff\xff\xff", "Parquet": b"PAR1\x15\x04\x15\xe0\x0f\x15\xbc",
    "Java class": bytes.fromhex("CAFEBABE00000041001D0A00"), "zstd": bytes.fromhex("28B52FFD0458890000"),
    "Arrow": b"ARROW1\0\0\xff\xff\xff\xff\x78\0\0\0",
}  # fmt: skip


@pytest.mark.parametrize("name", REAL)
def test_a_file_of_another_format_is_called_by_its_name(name, tmp_path, capsysbinary):
    for options in ((), ("--max-errors", "0"), ("--format", "json")):
        done = check(REAL[name], tmp_path, capsysbinary, *options)
        assert done.status == 1
        assert f"a file of the format {name};" in done.text
        assert "iconv" not in done.text
        assert "1252" not in done.text
    assert json.loads(done.text)["files"][0]["errors_total"] == 1  # the others are not counted


@pytest.mark.parametrize("row", SIGNATURES, ids=lambda row: f"{row.format} {row.magic.hex(' ')}")
def test_every_signature_is_known_by_its_bytes(row):
    assert nature_of(b"\1" * row.offset + row.magic + b"\0\1\xff\xfe").format == row.format


def test_the_programs_of_this_machine_are_known(tmp_path, capsysbinary):
    with open(sys.executable, "rb") as file:
        head = file.read(1 << 16)
    if head[:4] != b"\x7fELF":
        pytest.skip("Python is not an ELF program here")
    assert "a file of the format ELF;" in check(head, tmp_path, capsysbinary).text


@pytest.mark.parametrize("word", ["PAR1", "GIF89a", "MZ", "RIFF", "ID3", "BZh", "ORC", "FEA1", "OTTO"])
def test_a_text_may_begin_with_a_word_that_is_also_a_signature(word):
    assert not nature_of(word.encode() + b" is a caf\xe9 au lait\n").is_known


WIDE = [
    (encoding, mark, text)
    for encoding in ("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")
    for mark in ("\ufeff", "")
    for text in ("Ein schöner Tag.\n", "Привет, мир.\n", "日本語 のテキスト。\n", "한국어 글자 사이.\n", "😀 e é\n")
]


@pytest.mark.parametrize(("encoding", "mark", "text"), WIDE)
def test_utf_16_and_utf_32_are_converted_back_to_the_text_or_not_at_all(encoding, mark, text, tmp_path, capsysbinary):
    data = (mark + text * 20).encode(encoding)
    done = check(data, tmp_path, capsysbinary)
    assert "1252" not in done.text
    found = set(COMMAND.findall(done.text))
    for name in found:
        made = subprocess.run(["iconv", "-f", name, "-t", "UTF-8"], input=data, capture_output=True, check=True).stdout
        assert made.decode() == text * 20
    certain = mark or encoding.startswith("UTF-32") or text < "а"
    assert found or not certain or done.status == 0


def test_the_mark_of_utf_16_alone_proves_nothing(tmp_path, capsysbinary):
    for data in (b"\xff\xfeplain text\n" * 20, b"\xff\xfe" + "naïve text, Köln\0".encode() * 20):
        assert "iconv" not in check(data, tmp_path, capsysbinary).text


@pytest.mark.parametrize("size", [1, 2, 7, 64, BLOCK])
def test_what_is_counted_does_not_depend_on_how_the_stream_is_cut(size):
    for number in range(0, 200, 20):
        data, characters = mixed(number)
        for shown in (0, 3, 10**9):
            file = io.BytesIO(data)
            scanner = Scanner(lambda room, file=file: file.readinto(room[:size]))
            for _ in zip(range(shown), scanner.errors(), strict=False):
                pass
            scanner.count_rest()
            assert scanner.head == data[:512]
            assert 0 < scanner.content.multibyte <= len(characters)
            assert not advice_for_file(scanner.head, scanner.content).endswith("-t UTF-8")
