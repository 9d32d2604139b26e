"""Python's codecs conventions: incremental and stream forms, handlers by name, registration on request only."""

import codecs
import io
import itertools
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utf8_abnf.codec import (
    POLICIES,
    EncodeError,
    IncrementalDecoder,
    IncrementalEncoder,
    InvalidUtf8,
    StreamReader,
    StreamWriter,
    cesu8,
    mutf8,
    register,
    replace,
)
from utf8_abnf.codec.python_codecs import CESU8, MUTF8, UTF8, _search

EVERY_KIND = "a\0é€\ufeff\U000233b4\U0010ffff"
FAULTS = bytes.fromhex("41 C0 80 E2 82 ED A0 80 F0 80 80 41 F4 90 80 80 FF E2 82 AC E2")
NEARLY_UTF8 = st.lists(st.one_of(st.binary(min_size=1, max_size=1), st.text(max_size=2).map(str.encode))).map(b"".join)
CPYTHONS_HANDLERS = ["replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass"]


@pytest.fixture
def registered():
    if ftfy := sys.modules.get("ftfy.bad_codecs"):  # another test imported it: it registers a cesu-8 of its own
        codecs.unregister(ftfy.search_function)
    register()
    yield
    codecs.unregister(_search)


# ---- Registration --------------------------------------------------------------------------------------------------

ASK = """
import codecs
import utf8_abnf.codec
def known(look_up, name):
    try:
        look_up(name)
    except LookupError:
        return False
    return True
names = ["rfc3629", "cesu-8", "mutf-8"]
print([known(codecs.lookup, name) for name in names], [known(codecs.lookup_error, n) for n in utf8_abnf.codec.POLICIES])
utf8_abnf.codec.register()
print([known(codecs.lookup, name) for name in names], [known(codecs.lookup_error, n) for n in utf8_abnf.codec.POLICIES])
"""


@pytest.mark.thorough
def test_importing_registers_nothing_and_register_all():
    before, after = subprocess.run(
        [sys.executable, "-c", ASK], capture_output=True, check=True, text=True
    ).stdout.splitlines()
    assert before == f"{[False] * 3} {[False] * 4}"
    assert after == f"{[True] * 3} {[True] * 4}"


@pytest.mark.thorough
def test_importing_the_codec_loads_neither_the_grammar_nor_a_parser():
    ask = "import sys, utf8_abnf.codec; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", ask], capture_output=True, check=True, text=True).stdout.split()
    loaded = [name for name in modules if name.startswith(("utf8_abnf", "abnf", "lark"))]
    below = ("utf8_abnf.codec", "utf8_abnf.validator")
    light = {"utf8_abnf", "utf8_abnf.language", "utf8_abnf.language.notation"}  # these import nothing
    assert [name for name in loaded if not name.startswith(below) and name not in light] == []


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    ("name", "data"),
    [("rfc3629", EVERY_KIND.encode()), ("cesu-8", cesu8.encode(EVERY_KIND)), ("MUTF-8", mutf8.encode(EVERY_KIND))],
)
def test_a_registered_encoding_serves_str_bytes_and_open(name, data, tmp_path):
    register()  # again: changes nothing
    assert EVERY_KIND.encode(name) == data
    assert data.decode(name) == EVERY_KIND
    path = tmp_path / "text"
    path.write_text(EVERY_KIND, encoding=name, newline="")
    assert path.read_bytes() == data
    with path.open(encoding=name, newline="") as file:
        assert "".join(iter(lambda: file.read(1), "")) == EVERY_KIND
    with codecs.open(path, encoding=name) as file:
        assert file.read() == EVERY_KIND


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("policy", POLICIES)
@given(data=NEARLY_UTF8)
def test_an_error_handler_makes_cpythons_utf_8_follow_the_policy(policy, data):
    register()
    expected = replace(data, policy=policy)
    assert data.decode("utf-8", policy) == data.decode("rfc3629", policy) == expected


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("policy", POLICIES)
def test_a_policy_is_about_bytes_and_leaves_encoding_errors_alone(policy):
    with pytest.raises(UnicodeEncodeError):
        "\ud800".encode("utf-8", policy)


@pytest.mark.usefixtures("registered")
def test_a_stream_under_a_policy_may_be_cut_anywhere():
    for size in range(1, 6):
        raw = io.BufferedReader(io.BytesIO(FAULTS), size)
        stream = io.TextIOWrapper(raw, "rfc3629", "announced-sequence")
        stream._CHUNK_SIZE = size
        assert stream.read() == replace(FAULTS, policy="announced-sequence")


# ---- UTF-8 in pieces -----------------------------------------------------------------------------------------------


def in_pieces(decoder, data, borders):
    """Return the text, or where the error stands in all of *data*."""
    text = ""
    for a, b in itertools.pairwise([0, *borders, len(data), len(data)]):
        waiting = len(decoder.getstate()[0])
        try:
            text += decoder.decode(data[a:b], b == len(data))
        except UnicodeDecodeError as error:
            return a - waiting + error.start, a - waiting + error.end
    return text


def outcome(data, errors):
    try:
        return data.decode(errors=errors)
    except UnicodeDecodeError as error:
        return error.start, error.end


@pytest.mark.thorough
@pytest.mark.parametrize("errors", ["strict", *CPYTHONS_HANDLERS])
@given(data=NEARLY_UTF8, cuts=st.lists(st.integers(0, 30), max_size=5))
def test_every_cut_gives_what_cpython_gives_for_the_whole(errors, data, cuts):
    borders = sorted(cut for cut in cuts if cut < len(data))
    assert in_pieces(IncrementalDecoder(errors), data, borders) == outcome(data, errors)


@pytest.mark.parametrize("spelled", ["C0", "ED A0", "E0 80", "F0 80", "F4 90", "F5", "80", "E2 82 41"])
def test_a_fault_is_reported_at_the_first_byte_that_cannot_be_right(spelled):
    decoder = IncrementalDecoder()
    *before, last = bytes.fromhex(spelled)
    assert "".join(decoder.decode(bytes([byte])) for byte in before) == ""
    with pytest.raises(InvalidUtf8) as caught:
        decoder.decode(bytes([last]))
    assert caught.value.error.got == f"{last:02X}"


@pytest.mark.parametrize("spelled", ["C2", "E2 82", "F0 9F 98", "F4"])
def test_an_unfinished_sequence_waits_and_is_truncated_only_at_the_end(spelled):
    decoder = IncrementalDecoder()
    data = bytes.fromhex(spelled)
    assert decoder.decode(data) == ""
    assert decoder.getstate() == (data, 0)
    with pytest.raises(InvalidUtf8) as caught:
        decoder.decode(b"", final=True)
    assert caught.value.error.truncated


def test_a_decoder_can_be_set_back_and_started_again():
    decoder = IncrementalDecoder()
    assert decoder.decode(b"\xe2\x82") == ""
    state = decoder.getstate()
    assert decoder.decode(b"\xac") == "€"
    decoder.setstate(state)
    assert decoder.decode(b"\xad") == "₭"
    assert decoder.decode(b"\xe2") == ""
    decoder.reset()
    assert decoder.decode(b"a", final=True) == "a"


def test_an_encoder_holds_nothing_back():
    encoder = IncrementalEncoder()
    assert [encoder.encode(character) for character in "a€"] == [b"a", "€".encode()]
    assert encoder.getstate() == 0
    with pytest.raises(EncodeError) as caught:
        encoder.encode("ab\ud800")
    assert caught.value.position == 2
    assert IncrementalEncoder("replace").encode("a\ud800") == b"a?"


def test_a_stream_is_written_and_read_in_utf_8():
    raw = io.BytesIO()
    StreamWriter(raw).write(EVERY_KIND)
    assert raw.getvalue() == EVERY_KIND.encode()
    raw.seek(0)
    reader = StreamReader(raw)
    assert "".join(iter(lambda: reader.read(1, 1), "")) == EVERY_KIND
    assert StreamReader(io.BytesIO(FAULTS[:-1]), "per-byte").read() == replace(FAULTS[:-1], policy="per-byte")


# ---- The dialects in pieces ----------------------------------------------------------------------------------------

BOTH = pytest.mark.parametrize(("info", "dialect"), [(CESU8, cesu8), (MUTF8, mutf8)], ids=["cesu-8", "mutf-8"])


@BOTH
def test_every_cut_in_three_gives_the_same_text(info, dialect):
    data = dialect.encode(EVERY_KIND)
    for a, b in itertools.combinations_with_replacement(range(len(data) + 1), 2):
        assert in_pieces(info.incrementaldecoder(), data, [a, b]) == EVERY_KIND


@BOTH
@pytest.mark.parametrize("spelled", ["41 ED A1 8C", "41 ED A1 8C ED", "41 ED A1 8C 41", "41 F0 A3 8E B4", "41 E2 82"])
def test_a_fault_is_found_whatever_the_cut(info, dialect, spelled):
    data = bytes.fromhex(spelled)
    for cut in range(len(data) + 1):
        assert in_pieces(info.incrementaldecoder(), data, [cut])[0] == 1


@BOTH
def test_a_dialect_knows_strict_only(info, dialect):
    with pytest.raises(LookupError, match="errors='strict' only"):
        info.encode("a", "replace")
    with pytest.raises(LookupError, match="errors='strict' only"):
        info.incrementaldecoder("replace").decode(b"a")


@BOTH
def test_a_stream_is_written_and_read_in_the_dialect(info, dialect):
    raw = io.BytesIO()
    info.streamwriter(raw).write(EVERY_KIND)
    assert raw.getvalue() == dialect.encode(EVERY_KIND)
    raw.seek(0)
    assert info.streamreader(raw).read() == EVERY_KIND


def test_the_names_are_those_by_which_they_are_asked_for():
    assert [info.name for info in (UTF8, CESU8, MUTF8)] == ["rfc3629", "cesu-8", "mutf-8"]
