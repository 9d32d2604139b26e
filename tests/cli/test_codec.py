"""The commands encode and decode: what they print, and the exit status."""

import io
import subprocess
import sys
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from utf8_abnf.cli import main
from utf8_abnf.cli.explain import traces
from utf8_abnf.codec import mutf8

LONG = "a\0é'\"\\" + "€\U000233b4" * 50_000  # more than one piece of output


@pytest.fixture
def call(capfdbinary, monkeypatch):
    def run(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(stdin)))
        status = main([*map(str, arguments)])
        out, err = capfdbinary.readouterr()
        assert b"Traceback" not in err
        return status, out, err.decode()

    return run


PRINTED = {
    "encode U+20AC": b"E2 82 AC\n",
    "encode u+41 b": b"41 62\n",
    "encode €": b"E2 82 AC\n",
    "encode --from text U+41": b"55 2B 34 31\n",
    "encode --from code-points 20AC 0x41": b"E2 82 AC 41\n",
    "encode --from utf-16be D84C DFB4": b"F0 A3 8E B4\n",
    "encode --from utf-16 FFFE4CD8B4DF": b"F0 A3 8E B4\n",
    r"encode --from utf-16le \xAC\x20": b"E2 82 AC\n",
    "encode --encoding cesu-8 U+233B4": b"ED A1 8C ED BE B4\n",
    "encode --encoding mutf-8 U+0": b"C0 80\n",
    "encode --to c U+20AC a": b'"\\xE2\\x82\\xAC\\x61"\n',
    "encode --to python a'\"€": b"b'a\\'\"\\xe2\\x82\\xac'\n",
    "encode --to raw U+20AC": "€".encode(),
    "encode --to c --from utf-16 FEFF": b'""\n',
    "decode E2 82 AC 41": b"U+20AC\nU+0041\n",
    r"decode \xE2\x82\xAC": b"U+20AC\n",
    "decode --to text E282AC": "€".encode(),
    "decode --to utf-16be F0A38EB4": bytes.fromhex("D84CDFB4"),
    "decode --to utf-16le E282AC": bytes.fromhex("AC20"),
    "decode --to escapes E282AC61": b"\\u20aca",
    "decode --encoding mutf-8 C080": b"U+0000\n",
    "decode --encoding cesu-8 EDA18CEDBEB4": b"U+233B4\n",
}


@pytest.mark.parametrize("command", PRINTED)
def test_the_command_prints(command, call):
    assert call(*command.split()) == (0, PRINTED[command], "")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("encode a U+D800", "position 1: U+D800 is a surrogate"),
        ("encode U+110000", "position 0: 110000 is not a character number"),
        ("encode --from utf-16be 0041D84C0041", "offset 2: high surrogate D84C without a low surrogate"),
        ("encode --from utf-16be 004100", "offset 2: the data ends in the middle of a 16-bit unit"),
        ("decode 41 C0 80", "UTF8-OVERLONG: byte C0 at offset 1"),
        ("decode --encoding mutf-8 4100", "mutf-8: 00 at offset 1: modified UTF-8 writes U+0000 as C0 80"),
        ("encode --file -", "read as UTF-8: UTF8-TOO-LARGE: byte FF at offset 1"),
        ("decode --file -", "byte FF at offset 1"),
        ("decode --encoding cesu-8 --file -", "cesu-8: FF at offset 1"),
    ],
)
def test_what_cannot_be_converted_is_status_1_with_its_place(command, said, call):
    status, out, err = call(*command.split(), stdin=b"a\xff")
    assert (status, out) == (1, b"")
    assert said in err


@pytest.mark.parametrize(
    "command",
    [
        "encode",
        "encode a --file b",
        "encode --from code-points zz",
        "encode --from utf-16 xyz",
        "encode --from code-points --file -",
        "encode --steps --encoding cesu-8 a",
        "encode --file no-such-file",
        "encode --to svg ab",
        "decode",
        "decode E",
        "decode --steps --encoding mutf-8 C0",
        "decode --file no-such-file",
        "decode --to svg 61 62",
    ],
)
def test_what_cannot_be_carried_out_is_status_2_with_a_sentence(command, call):
    status, out, err = call(*command.split())
    assert (status, out) == (2, b"")
    assert err.count("\n") == 1


def test_steps_show_the_bits_on_their_way(call):
    assert b"   1110xxxx 10000010 10101100   byte 2 takes 000010\n" in call("encode", "--steps", "U+20AC")[1]
    status, out, _ = call("decode", "--steps", "41 E2 82 AC C0 80")
    assert status == 1
    assert b"   xxxxxxxxx000010101100   byte 2 gives 000010\n" in out
    assert b"refused: UTF8-OVERLONG: byte C0 at offset 4;" in out
    status, out, _ = call("encode", "--steps", "--from", "utf-16be", "D84CDFB4")
    assert out.startswith(b"UTF-16 D84C DFB4: a surrogate pair, joined first")
    assert out.endswith(b"\n= F0 A3 8E B4\n")


@pytest.mark.parametrize("command", ["decode", "encode"])
def test_steps_have_a_limit(command, call, monkeypatch):
    monkeypatch.setattr(traces, "MAX_SHOWN", 2)
    assert call(command, "--steps", "--file", "-", stdin=b"ab")[0] == 0
    assert call(command, "--steps", "--file", "-", stdin=b"abc")[:2] == (2, b"")


@pytest.mark.parametrize("command", [("encode", "U+20AC"), ("decode", "E2", "82", "AC"), ("decode", "C0", "80")])
def test_the_bits_of_one_character_are_a_picture(command, call):
    status, out, _ = call(*command, "--to", "svg")
    assert status == int("C0" in command)
    assert ElementTree.fromstring(out).get("role") == "img"


@pytest.mark.parametrize("source", ["utf-16", "utf-16be", "utf-16le"])
def test_a_file_in_utf_16_becomes_one_in_utf_8(source, call, tmp_path):
    (tmp_path / "in").write_bytes(LONG.encode(source))
    assert call("encode", "--from", source, "--to", "raw", "--file", tmp_path / "in")[:2] == (0, LONG.encode())


def test_long_files_are_converted_and_literals_read_back(call):
    data = LONG.encode()
    assert call("decode", "--to", "text", "--file", "-", stdin=data)[:2] == (0, data)
    coded = mutf8.encode(LONG)
    assert call("decode", "--encoding", "mutf-8", "--to", "text", "--file", "-", stdin=coded)[1] == data
    assert eval(call("encode", "--to", "python", "--file", "-", stdin=data)[1]) == data
    assert bytes.fromhex(call("encode", "--file", "-", stdin=data)[1].decode()) == data
    assert bytes.fromhex(call("encode", "--to", "c", "--file", "-", stdin=data)[1].decode()[3:-2].replace("\\x", " "))
    found = call("decode", "--file", "-", stdin=data)[1].decode().split()
    assert found == [f"U+{ord(character):04X}" for character in LONG]


def test_a_process_reads_standard_input():
    command = [sys.executable, "-m", "utf8_abnf", "decode", "--to", "text", "--file", "-"]
    done = subprocess.run(command, input="€".encode(), capture_output=True, check=True)
    assert done.stdout == "€".encode()
