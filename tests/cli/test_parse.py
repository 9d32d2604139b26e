"""The command ``parse``: trees as text and JSON from three parsers, refusals that explain, and the exit status."""

import json
import subprocess
import sys
from functools import partial

import pytest

PARSERS = pytest.mark.parametrize("parser", ["automaton", "reference", "lark"])

EURO = """\
UTF8-octets              0..3  E2 82 AC
  UTF8-char/3            0..3  E2 82 AC  U+20AC
    UTF8-3/2             0..3  E2 82 AC  U+20AC
      UTF8-tail          1..2  82
      UTF8-tail          2..3  AC
"""


@pytest.fixture
def call(call):
    return partial(call, "parse")


@PARSERS
def test_every_parser_prints_the_same_tree_and_json(call, parser):
    assert call("--hex", "E2 82 AC", "--parser", parser) == (0, EURO, "")
    status, out, _ = call("--text", "aé", "--format", "json", "--parser", parser)
    tree = json.loads(out)
    assert (status, tree["rule"], tree["start"], tree["end"], tree["bytes"]) == (0, "UTF8-octets", 0, 3, "61 C3 A9")
    assert [child["code_point"] for child in tree["children"]] == ["U+0061", "U+00E9"]
    assert tree["children"][1]["children"][0]["children"] == [
        {"rule": "UTF8-tail", "alternative": 0, "start": 2, "end": 3, "bytes": "A9", "children": []}
    ]


def test_hex_text_files_and_standard_input_are_read(call, tmp_path):
    (tmp_path / "euro").write_bytes("€".encode())
    for spelled in ("E282AC", r"\xE2\x82\xAC", "0xE2 0x82 0xAC", "%E2%82%AC", "e2,82,ac"):
        assert call("--hex", spelled) == (0, EURO, "")
    assert call("--text", "€") == call(tmp_path / "euro") == (0, EURO, "")
    done = subprocess.run([sys.executable, "-m", "utf8_abnf", "parse", "-"], input="€".encode(), capture_output=True)
    assert done.stdout.decode() == EURO
    assert call("--text", "") == (0, "UTF8-octets              0..0\n", "")


@PARSERS
def test_a_refusal_shows_where_what_and_why(call, parser):
    status, out, _ = call("--hex", "61 62 ED A0 80", "--parser", parser)
    assert status == 1
    assert out == (
        "--hex: UTF8-octets does not derive this: byte A0 at offset 3; expected 80..9F\n"
        "  00000000  61 62 ED A0 80   ab···\n"
        "                     ^^\n"
        "  80..9F             UTF8-octets > UTF8-char/3 > UTF8-3/3   grammar/utf8.abnf:6:20\n"
    )
    status, out, _ = call("--hex", "61 62 ED A0 80", "--parser", parser, "--format", "json")
    assert status == 1
    assert json.loads(out).items() >= {"offset": 3, "expected": "80..9F"}.items()


def test_a_refusal_far_on_shows_the_bytes_around_it_and_no_control_character(call, tmp_path):
    path = tmp_path / "a\x1b[31m\nb"
    path.write_bytes(b"x" * 1000 + b"\xc0\x80" + b"y" * 100)
    status, out, _ = call(path)
    assert status == 1
    assert out.splitlines()[1:3] == [
        f"  000003D8  {'78 ' * 16}C0 80 {'79 ' * 14}  {'x' * 16}··{'y' * 14}",
        f"{'^^':>62}",
    ]
    assert "\x1b" not in out


@PARSERS
def test_a_recursive_grammar_is_parsed_and_its_refusals_explained(call, parser):
    status, out, _ = call("--grammar", "abnf", "--start", "rule", "--parser", parser, "--text", 'a = [ "x" ]\r\n')
    assert status == 0
    assert out.startswith("rule  ")
    status, out, _ = call("--grammar", "abnf", "--start", "rule", "--parser", parser, "--text", 'a = [ "x"\r\n')
    assert status == 1
    assert "rule does not derive this: the input ends at offset 11; expected 09, 20" in out


def test_errors_of_json_are_in_code_points(call):
    status, out, _ = call("--grammar", "json", "--text", '["é\x01"]')
    said = "--text: JSON-text does not derive this: U+0001 at offset 4; expected U+0020..U+10FFFF"
    assert (status, out.splitlines()[0]) == (1, said)


AMBIGUOUS = "ambiguous: another derivation exists; it parts from this one at byte "


@pytest.mark.parametrize(
    ("grammar", "text", "piece"),
    [("json", "[[] ]", "1"), ("json", "[ 1 ]", None), ("utf8", "é", None), ("urn", "urn:ab:x?+a?=b", "")],
)
def test_an_ambiguous_input_is_reported_with_its_place(call, grammar, text, piece):
    status, _, err = call("--grammar", grammar, "--text", text)
    assert status == 0
    lines = [line for line in err.splitlines() if "ambiguous" in line]
    assert bool(lines) == (piece is not None)
    assert all(line.startswith(AMBIGUOUS + piece) for line in lines)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--hex", "E2 8"],
        ["no-such-file"],
        ["--grammar", "no-such-grammar", "--text", "a"],
        ["--start", "no-such-rule", "--text", "a"],
        ["--hex", "41", "--text", "a"],
        ["--define", "x", "--text", "a"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_carried_out_is_a_usage_error(call, arguments):
    status, out, err = call(*arguments)
    assert (status, out) == (2, "")
    assert err


def test_what_is_expected_is_shown_as_characters_too(tmp_path, call):
    (tmp_path / "a.abnf").write_text('a = "(" 1*%x61-63 ")"\n')
    status, out, _ = call("--grammar", tmp_path / "a.abnf", "--text", "(x")
    assert (status, "byte 78 at offset 1; expected 61..63 'a'..'c'" in out) == (1, True)


def test_text_of_a_grammar_of_ascii_is_printed_as_text(call):
    out = call("--grammar", "date-time", "--start", "partial-time", "--text", "12:00:59").out.splitlines()
    assert out[0] == "partial-time             0..8  '12:00:59'"
    assert out[2].split() == ["DIGIT", "0..1", "'1'"]
    out = call("--grammar", "core", "--start", "LWSP", "--text", " \r\n ").out.splitlines()
    assert [line.split("  ")[-1] for line in out[:2]] == ["20 0D 0A 20", "' '"]
    out = call("--grammar", "date-time", "--start", "time-hour", "--hex", "31 32").out
    assert out.startswith("time-hour                0..2  31 32\n")
