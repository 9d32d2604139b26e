"""The commands encode and decode, as a user calls them: what they print, and the exit status."""

import subprocess
import sys

import pytest

from utf8_abnf.codec import mutf8


def words(value):
    return " ".join(value) if isinstance(value, list) else ""


ALL_KINDS = "a\0é€\U000233b4'\"\\"


def call(*arguments, stdin=b""):
    done = subprocess.run(
        [sys.executable, "-m", "utf8_abnf", *arguments], input=stdin, capture_output=True, check=False
    )
    assert b"Traceback" not in done.stderr
    return done


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["U+20AC"], "E2 82 AC\n"),
        (["u+41", "b"], "41 62\n"),
        (["€"], "E2 82 AC\n"),
        (["--from", "text", "U+41"], "55 2B 34 31\n"),
        (["--from", "code-points", "20AC", "0x41"], "E2 82 AC 41\n"),
        (["--from", "utf-16be", "D84C", "DFB4"], "F0 A3 8E B4\n"),
        (["--from", "utf-16", "FFFE 4CD8 B4DF"], "F0 A3 8E B4\n"),
        (["--from", "utf-16le", r"\xAC\x20"], "E2 82 AC\n"),
        (["--encoding", "cesu-8", "U+233B4"], "ED A1 8C ED BE B4\n"),
        (["--encoding", "mutf-8", "U+0"], "C0 80\n"),
        (["--to", "c", "U+20AC", "a"], '"\\xE2\\x82\\xAC\\x61"\n'),
        (["--to", "python", "a'\"€"], "b'a\\'\"\\xe2\\x82\\xac'\n"),
        (["--to", "raw", "U+20AC"], "€"),
        ([""], "\n"),
        (["--to", "c", ""], '""\n'),
    ],
    ids=words,
)
def test_encode_prints(arguments, printed):
    done = call("encode", *arguments)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, printed, b"")


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["E2", "82", "AC", "41"], b"U+20AC\nU+0041\n"),
        ([r"\xE2\x82\xAC"], b"U+20AC\n"),
        (["--to", "text", "E282AC"], "€".encode()),
        (["--to", "utf-16be", "F0A38EB4"], bytes.fromhex("D84CDFB4")),
        (["--to", "utf-16le", "E282AC"], bytes.fromhex("AC20")),
        (["--to", "escapes", "E282AC61"], b"\\u20aca"),
        (["--replace", "per-byte", "E28241"], b"U+FFFD\nU+FFFD\nU+0041\n"),
        (["--replace", "maximal-subpart", "E28241"], b"U+FFFD\nU+0041\n"),
        (["--encoding", "mutf-8", "C080"], b"U+0000\n"),
        (["--encoding", "cesu-8", "EDA18CEDBEB4"], b"U+233B4\n"),
    ],
    ids=words,
)
def test_decode_prints(arguments, printed):
    done = call("decode", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, printed, b"")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["encode", "a", "U+D800"], "position 1: U+D800 is a surrogate"),
        (["encode", "U+110000"], "position 0: 110000 is not a character number"),
        (["encode", "--from", "utf-16be", "0041 D84C 0041"], "offset 2: high surrogate D84C without a low surrogate"),
        (["encode", "--from", "utf-16be", "0041 00"], "offset 2: the data ends in the middle of a 16-bit unit"),
        (["decode", "41", "C0", "80"], "UTF8-OVERLONG: byte C0 at offset 1"),
        (["decode", "ED A1 8C ED BE B4"], "UTF8-SURROGATE: byte A1 at offset 1"),
        (["decode", "--encoding", "mutf-8", "41 00"], "mutf-8: 00 at offset 1: modified UTF-8 writes U+0000 as C0 80"),
    ],
    ids=words,
)
def test_what_cannot_be_converted_is_status_1_with_its_place(arguments, said):
    done = call(*arguments)
    assert done.returncode == 1
    assert said in done.stderr.decode()


@pytest.mark.parametrize(
    "arguments",
    [
        ["encode"],
        ["encode", "a", "--file", "b"],
        ["encode", "--from", "code-points", "zz"],
        ["encode", "--from", "utf-16", "xyz"],
        ["encode", "--from", "code-points", "--file", "-"],
        ["encode", "--steps", "--encoding", "cesu-8", "a"],
        ["encode", "--file", "no-such-file"],
        ["decode"],
        ["decode", "E"],
        ["decode", "--steps", "--encoding", "mutf-8", "C0"],
        ["decode", "--replace", "none", "C0"],
        ["decode", "--file", "no-such-file"],
    ],
    ids=words,
)
def test_what_cannot_be_carried_out_is_status_2_with_a_sentence(arguments):
    done = call(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.strip()


def test_steps_show_the_bits_on_their_way():
    done = call("encode", "--steps", "U+20AC")
    assert "   1110xxxx 10000010 10101100   byte 2 takes 000010\n" in done.stdout.decode()
    done = call("decode", "--steps", "41 E2 82 AC C0 80")
    assert done.returncode == 1
    assert "   xxxxxxxxx000010101100   byte 2 gives 000010\n" in done.stdout.decode()
    assert "refused: UTF8-OVERLONG: byte C0 at offset 4;" in done.stdout.decode()


@pytest.mark.parametrize("command", [["decode", "--steps"], ["encode", "--steps"], ["encode", "--compare"]], ids=words)
def test_what_is_shown_to_be_read_has_a_limit(command):
    assert call(*command, "--file", "-", stdin=b"ab").returncode == 0
    done = call(*command, "--file", "-", stdin=b"a" * (1 << 20) + b"b")
    assert (done.returncode, done.stdout) == (2, b"")
    assert "up to a megabyte" in done.stderr.decode()


def test_steps_from_utf_16_name_the_pair_that_was_joined():
    done = call("encode", "--steps", "--from", "utf-16be", "D84CDFB4")
    assert done.stdout.decode().startswith("UTF-16 D84C DFB4: a surrogate pair, joined first")
    assert done.stdout.decode().endswith("\n= F0 A3 8E B4\n")


def test_compare_shows_the_encodings_side_by_side():
    done = call("encode", "--compare", "U+0", "U+233B4")
    assert "U+233B4    D84C DFB4  F0 A3 8E B4  ED A1 8C ED BE B4  ED A1 8C ED BE B4\n" in done.stdout.decode()
    assert "CESU-8: UTF8-SURROGATE" in done.stdout.decode()


# More than a chunk, and no character begins where a chunk does.
LONG = "a" + "€\U000233b4" * 200_000


@pytest.mark.parametrize("source", ["utf-16", "utf-16be", "utf-16le"])
def test_a_file_in_utf_16_becomes_one_in_utf_8(tmp_path, source):
    file = tmp_path / "in"
    file.write_bytes(LONG.encode(source))
    done = call("encode", "--from", source, "--to", "raw", "--file", str(file))
    assert (done.returncode, done.stdout == LONG.encode()) == (0, True)


def test_a_long_file_is_decoded_from_standard_input():
    done = call("decode", "--to", "text", "--file", "-", stdin=LONG.encode())
    assert (done.returncode, done.stdout == LONG.encode()) == (0, True)
    done = call("decode", "--encoding", "mutf-8", "--to", "text", "--file", "-", stdin=mutf8.encode(LONG))
    assert (done.returncode, done.stdout == LONG.encode()) == (0, True)


@pytest.mark.parametrize("command", [["decode", "--to", "text"], ["encode", "--to", "raw"]], ids=words)
def test_a_fault_far_into_a_file_has_its_offset_in_the_file(command):
    data = LONG.encode()
    done = call(*command, "--file", "-", stdin=data + b"\xc0\x80")
    assert done.returncode == 1
    assert f"byte C0 at offset {len(data)}" in done.stderr.decode()


def test_a_fault_far_into_a_dialect_or_utf_16_has_its_offset_in_the_file():
    data = mutf8.encode(LONG)
    done = call("decode", "--encoding", "mutf-8", "--to", "text", "--file", "-", stdin=data + b"\0")
    assert f"00 at offset {len(data)}" in done.stderr.decode()
    data = LONG.encode("utf-16-be")
    done = call("encode", "--from", "utf-16", "--to", "raw", "--file", "-", stdin=data + b"\xd8\x4c")
    assert f"offset {len(data)}: high surrogate D84C" in done.stderr.decode()


def test_python_and_c_literals_of_a_long_file_read_back_as_its_bytes():
    done = call("encode", "--to", "python", "--file", "-", stdin=(ALL_KINDS + LONG).encode())
    assert eval(done.stdout) == (ALL_KINDS + LONG).encode()
    done = call("encode", "--to", "hex", "--file", "-", stdin=LONG.encode())
    assert bytes.fromhex(done.stdout.decode()) == LONG.encode()
