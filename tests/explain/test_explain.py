"""``utf8-abnf explain``: bytes and codes in, an explanation out that agrees with the grammar and with Python."""

import subprocess
import sys
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utf8_abnf.cli.explain.bytes import Explained
from utf8_abnf.explain.diagnostic import reason, rule_line
from utf8_abnf.explain.steps import explain_bytes, naive_reading
from utf8_abnf.language import codes
from utf8_abnf.validator.functions import iter_errors
from utf8_abnf.validator.ill_formed import CODES, describe


@pytest.fixture
def explain(call):
    def run(*arguments, status):
        done = call("explain", *arguments)
        assert done.status == status
        return done.out

    return run


SURROGATE = """\
offset  byte  bits      state     expects
     0  ED    11101101  start     00..7F, C2..F4   -> UTF8-3 = … / %xED %x80-9F UTF8-tail / …
     1  A1    10100001  after_ED  80..9F   <- cannot be right
        UTF8-SURROGATE byte A1 at offset 1 cannot follow ED
        rule   UTF8-3 = … / %xED %x80-9F UTF8-tail / …      RFC 3629 section 4, grammar/utf8.abnf:6
        why    ED A0..BF would encode U+D800..U+DFFF, the surrogates of UTF-16 (RFC 3629 section 3)
        naive  a decoder that only moves bits reads ED A1 8C as U+D84C, a surrogate
        naive  a decoder that also joins surrogates reads ED A1 8C ED BE B4 as U+233B4 CJK UNIFIED IDEOGRAPH-233B4 𣎴
"""


def test_the_rfcs_surrogate_pair_is_explained_step_by_step(explain):
    assert explain("ED A1 8C ED BE B4", status=1).startswith(SURROGATE)


@pytest.mark.parametrize(
    "arguments", [["C0", "80"], ["C080"], [r"\xC0\x80"], ["0xC0", "0x80"], ["%C0%80"], ["c0 80"]], ids=" ".join
)
def test_bytes_can_be_written_as_people_write_them(explain, arguments):
    assert "reads C0 80 as U+0000" in explain(*arguments, status=1)


@pytest.mark.thorough
def test_text_a_file_and_standard_input_are_explained(explain, tmp_path):
    (tmp_path / "file").write_bytes(b"a\xff")
    assert "U+00E9 LATIN SMALL LETTER E WITH ACUTE é" in explain("--text", "é", status=0)
    assert "UTF8-TOO-LARGE byte FF at offset 1" in explain("--file", str(tmp_path / "file"), status=1)
    command = [sys.executable, "-m", "utf8_abnf", "explain"]
    done = subprocess.run(command, input=b"a\xff", capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"UTF8-TOO-LARGE byte FF at offset 1" in done.stdout


def test_of_a_long_file_the_bytes_around_the_first_error_are_explained(explain, tmp_path):
    (tmp_path / "file").write_bytes("é".encode() * 1_000_000 + b"\xff" + b"x" * 1_000_000)
    shown = explain("--file", str(tmp_path / "file"), status=1)
    assert "UTF8-TOO-LARGE byte FF at offset 2000000" in shown
    assert "shows 64 of 3000001 bytes, from offset 1999984" in shown


def test_an_empty_input_is_well_formed(explain):
    assert "no bytes" in explain("--text", "", status=0)


@pytest.mark.parametrize(
    "wrong", [["zz"], ["C"], ["UTF8-NONSENSE"], ["UTF8-OVERLONG", "41"], ["41", "--text", "a"]], ids=" ".join
)
def test_what_is_neither_bytes_nor_a_code_is_refused(explain, wrong):
    explain(*wrong, status=2)


near_utf8 = st.lists(st.sampled_from(["a", "é", "日", "😀"]).map(str.encode) | st.binary(min_size=1, max_size=3)).map(
    b"".join
)


@given(near_utf8, st.integers(0, 1 << 40))
def test_the_pieces_are_the_input_and_its_errors(data, origin):
    pieces = list(explain_bytes(data, origin=origin))
    assert b"".join(data[piece.start - origin : piece.end - origin] for piece in pieces) == data
    errors = [piece.error for piece in pieces if piece.error]
    assert errors == [error._replace(start=error.start + origin) for error in iter_errors(data)]
    for piece in pieces:
        assert [step.fits for step in piece.steps[:-1]] == [True] * (len(piece.steps) - 1)
        if piece.error is None:
            assert piece.steps[-1].fits
        elif piece.error.truncated:
            assert piece.end == origin + len(data)
        else:  # the automaton stops where the validator says so, and expects what that expects
            wrong = piece.steps[-1]
            assert (wrong.offset, wrong.expected, wrong.fits) == (piece.error.offending, piece.error.expected, False)


@given(near_utf8)
def test_whatever_the_bytes_the_explanation_can_be_written(data):
    shown = Explained(list(explain_bytes(data)), data, 0, len(data))
    "\n".join(shown.lines()).encode()


NAIVE = [
    ("C0 80", 0x00),
    ("C1 BF", 0x7F),
    ("E0 80 AF", 0x2F),
    ("F0 80 80 AF", 0x2F),
    ("F8 80 80 80 AF", 0x2F),
    ("FC 80 80 80 80 AF", 0x2F),
    ("ED A0 80", 0xD800),
    ("F4 90 80 80", 0x110000),
    ("FD BF BF BF BF BF", 0x7FFFFFFF),
    ("FE 80", None),
    ("80", None),
    ("E0 80", None),
    ("C0 41", None),
]


@pytest.mark.parametrize(("written", "number"), NAIVE, ids=[row[0] for row in NAIVE])
def test_a_naive_decoder_reads(written, number):
    reading = naive_reading(bytes.fromhex(written))
    assert (reading and reading.number) == number


@given(st.characters(exclude_categories=["Cs"]))
def test_a_naive_decoder_reads_every_character_as_it_is(character):
    if character > "\x7f":
        assert naive_reading(character.encode()).number == ord(character)


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained_with_an_example_that_has_it(explain, code):
    entry = codes.ENTRIES[code]
    assert describe(bytes.fromhex(entry.example)).code == code
    shown = explain(code, status=0)
    assert shown.startswith(f"{code}: {entry.title}\n")
    labels = ("meaning", "bytes", "rule", "example", "history", "attack", "fix", "read")
    assert all(f"\n  {label:<8} " in shown for label in labels)
    assert explain(code.removeprefix("UTF8-").lower(), status=0) == shown


@pytest.mark.parametrize("table", ["REASONS", "SECTION", "ADVICE", "RISK", "ENTRIES"])
def test_every_table_of_messages_has_every_code(table):
    assert set(getattr(codes, table)) == set(CODES)


def test_every_ill_formed_sequence_has_a_reason_and_a_rule_in_the_grammar(root):
    lines = (root / "grammar/utf8.abnf").read_text().splitlines()
    for first, rest in product(range(0x80, 256), (b"", b"A", b"\x80", b"\x90", b"\xa0", b"\xbf", b"\x90\x80\xff")):
        error = describe(bytes([first]) + rest)
        if error is None:
            continue
        assert reason(error, first), error
        rule = rule_line(error.rule, first)
        assert rule.file == "grammar/utf8.abnf"
        chosen = rule.text.partition("= ")[2].removeprefix("… / ").removesuffix(" / …")
        assert chosen in lines[rule.line - 1], error


# Other grammars


def test_another_grammar_says_where_it_stops_and_what_it_expected(explain):
    shown = explain("--grammar", "urn", "--start", "namestring", "--text", "urn:x", status=1)
    assert "namestring does not derive this: the input ends at offset 5; expected 2D '-', 30..39 '0'..'9'" in shown
    assert "namestring > assigned-name > NID" in shown
    assert "grammar/urn.abnf:" in shown
    assert "RFC 5234 appendix B.1" in shown


def test_another_grammar_derives_what_it_derives(explain):
    assert "derives these 12 bytes" in explain("--grammar", "urn", "--text", "urn:isbn:123", status=0)


@pytest.mark.parametrize("arguments", [["--grammar", "nowhere.abnf", "41"], ["--start", "nothing", "41"]], ids=" ".join)
def test_a_grammar_or_rule_that_is_not_there_is_a_usage_error(explain, arguments):
    explain(*arguments, status=2)
