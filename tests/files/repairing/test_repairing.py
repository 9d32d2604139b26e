"""The laws of a repair, under every policy: what must stay, what must become well-formed, and that it can be undone."""

import codecs
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from utf8_abnf import is_valid, kernel
from utf8_abnf.codec import POLICIES, replace
from utf8_abnf.files.repairing import Repairer, Undoer, UndoError, register, repair, stretches, undo
from utf8_abnf.files.repairing.fast import fast
from utf8_abnf.files.repairing.lines import MAX_LINE
from utf8_abnf.files.repairing.plain import Plain
from utf8_abnf.files.repairing.treatments import chain_of

LAST = ("fffd", "fffd:per-byte", "fffd:announced-sequence", "fffd:surrogate-as-one", "drop", "escape", "escape:angle")
FIRST = ("windows-1252", "iso-8859-1", "cp437", "shift_jis", "gb18030", "utf-16-le", "cesu8", "overlong-shortest")
KEEPING = (*LAST, *FIRST, "cesu8+overlong-shortest+windows-1252+escape", "overlong-shortest+koi8-r+drop")
BY_LINE = ("windows-1252", "shift_jis+escape", "cesu8+overlong-shortest+gb18030+drop", "utf-16", "utf-16-be", "utf-32")

# Pieces of text as people have them, whole and broken: the property is about how they stand beside each other.
PIECES = (
    b"a", b"\n", b"naive ", "é".encode(), "日本".encode(), "😀".encode(), b"\xe9", b"\xe9\xe8", b"\x81", b"\x93ok\x94",
    b"\xed\xa0\x80",
    b"\xed\xa1\x8c\xed\xbe\xb4", b"\xc0\x80", b"\xe0\x80\xaf", b"\xf0\x80\x80\x80", b"\xf4\x90\x80\x80", b"\0",
    b"\xe2\x82", b"\xf0\x9f\x98", b"\xff\xfe", b"\xfe\xff", b"\x82\xb1", b"\x84\x31\x95\x33", b"\xf8\x88\x80\x80\x80",
    b"\xff\xfeh\0i\0\n\0", b"\xfe\xff\0h\0i\0\n", b"h\0\n\0", b"\x80" * 40, b"\xe9\x81" * 600, b"\x81" * 1023,
)  # fmt: skip
BROKEN = st.one_of(
    st.binary(max_size=40),
    st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join),
    st.lists(st.sampled_from(list(range(0x7E, 0x100))), max_size=30).map(bytes),
)
CUTS = st.lists(st.integers(0, 1500), max_size=6)


def kept(data):
    """The bytes of *data* that are in well-formed characters, by CPython."""
    return data.decode(errors="ignore").encode()


def chunks(data, cuts):
    places = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    return [data[start:end] for start, end in pairwise(places)]


def check_laws(data, cuts, policy, unit):
    """Check what is true of every policy by every unit, and return the repaired *data*."""
    repaired = repair(data, policy, unit=unit)
    assert is_valid(repaired.data)
    assert (not repaired.log) == (repaired.data == data)
    assert repaired.undo() == undo(repaired.data, list(repaired.log)) == data
    repairer = Repairer(policy, unit=unit)
    parts = [*(repairer.feed(chunk) for chunk in chunks(data, cuts)), repairer.finish()]
    assert b"".join(part.data for part in parts) == repaired.data
    assert [change for part in parts for change in part.log] == list(repaired.log)
    undoer = Undoer(repaired.log)
    assert b"".join([*map(undoer.feed, chunks(repaired.data, cuts)), undoer.finish()]) == data
    return repaired


@settings(max_examples=5 * settings().max_examples)
@given(policy=st.sampled_from(KEEPING), data=BROKEN, cuts=CUTS)
def test_the_laws_of_every_policy(policy, data, cuts):
    repaired = check_laws(data, cuts, policy, "bytes")
    assert (repaired.data == data) == is_valid(data)
    assert b"".join(pieces_kept(data, repaired.log)) == kept(data)


@settings(max_examples=5 * settings().max_examples)
@given(policy=st.sampled_from(BY_LINE), data=BROKEN, cuts=CUTS)
def test_the_laws_of_every_policy_by_lines(policy, data, cuts):
    repaired = check_laws(data, cuts, policy, "line")
    if policy.startswith("utf"):
        return
    assert (repaired.data == data) == is_valid(data)
    lines = zip(data.split(b"\n"), repaired.data.split(b"\n"), strict=True)
    assert all(new == old for old, new in lines if is_valid(old))


def pieces_kept(data, log):
    """Yield the bytes of *data* that no change of *log* covers; check the changes against *data* on the way."""
    at = 0
    for change in log:
        assert change.offset >= at
        yield data[at : change.offset]
        at = change.offset + len(change.old)
        assert data[change.offset : at] == change.old != b""
    yield data[at:]


# Each by an oracle of CPython's, which shares nothing with ours.


@given(policy=st.sampled_from(list(POLICIES)), data=BROKEN)
def test_fffd_is_what_decoding_with_the_policy_gives(policy, data):
    assert repair(data, f"fffd:{policy}").data == replace(data, policy=policy).encode()


@given(data=BROKEN)
def test_drop_and_escape_are_what_ignore_and_backslashreplace_give(data):
    assert repair(data, "drop").data == data.decode(errors="ignore").encode()
    text = data.decode(errors="surrogateescape")
    for policy, before, after in (("escape", "\\x", ""), ("escape:angle", "<", ">")):
        expected = re.sub("[\udc80-\udcff]", lambda each: f"{before}{ord(each[0]) - 0xDC00:02X}{after}", text)  # noqa: B023
        assert repair(data, policy).data == expected.encode()


@settings(max_examples=2 * settings().max_examples)
@given(codec=st.sampled_from(["windows-1252", "iso-8859-1", "cp437", "koi8-r", "mac-greek"]), data=BROKEN)
def test_a_codec_of_one_byte_converts_each_ill_formed_byte(codec, data):
    text = data.decode(errors="surrogateescape")
    expected = re.sub("[\udc80-\udcff]", lambda each: bytes([ord(each[0]) - 0xDC00]).decode(codec, "replace"), text)
    assert repair(data, f"{codec}+fffd:per-byte").data == expected.encode()


def test_a_second_byte_that_is_ascii_is_not_taken():
    assert repair("表".encode("shift_jis"), "shift_jis+escape").data == b"\\x95\x5c"


@pytest.mark.parametrize("character", ["\U00010000", "\U0010ffff", "😀"])
def test_cesu8_joins_a_pair(character):
    units = character.encode("utf-16-be")
    cesu = b"".join(chr(int.from_bytes(units[k : k + 2])).encode(errors="surrogatepass") for k in (0, 2))
    assert repair(b"a" + cesu + b"b", "cesu8").data.decode() == f"a{character}b"
    assert repair(cesu[:3], "cesu8+escape").data == repair(cesu[:3], "escape").data


def test_overlong_sequences_become_the_shortest():
    for length in (2, 3, 4):
        for number in (0, 0x2F, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF):
            digits = [0x80 | number >> 6 * k & 0x3F for k in reversed(range(length))]
            digits[0] = (0, 0, 0xC0, 0xE0, 0xF0)[length] | number >> 6 * (length - 1)
            if digits[0] < (0, 0, 0xE0, 0xF0, 0xF8)[length]:  # else the number does not fit
                assert repair(bytes(digits), "overlong-shortest").data == chr(number).encode()


@pytest.mark.parametrize("coded", ["F0 8D A0 80", "E0 80", "C0", "F4 90 80 80", "ED A0 80"])
def test_what_is_not_overlong_is_left_to_the_next_policy(coded):
    data = bytes.fromhex(coded)
    assert repair(data, "overlong-shortest+escape") == repair(data, "escape")


UNKNOWN = ("", "no-codec", "fffd+drop", "drop+windows-1252+drop+x", "fffd:no", "rot13", "base64", "escape:x")


@pytest.mark.parametrize(("policy", "unit"), [*((policy, "bytes") for policy in UNKNOWN), ("cp1252", "field")])
def test_an_unknown_policy_or_unit_is_a_lookup_error(policy, unit):
    with pytest.raises(LookupError):
        repair(b"", policy, unit=unit)


@pytest.mark.parametrize("data", [bytearray(b"a\xe9"), memoryview(b"a\xe9"), memoryview(b"xa\xe9")[1:]])
def test_anything_bytes_like_is_repaired(data):
    assert repair(data, "drop").data == b"a"
    assert repair(data, "drop").undo() == b"a\xe9"


@pytest.mark.parametrize("changed", [b"caf\xc3\xa8!", b"caf", b"", b"cafe\xc3\xa9!", b"caf\xc3"])
def test_a_log_does_not_undo_what_it_did_not_write(changed):
    with pytest.raises(UndoError):
        repair(b"caf\xe9!", "windows-1252").undo(changed)


def test_a_long_stretch_is_held_in_bounded_memory():
    repairer, most = Repairer("windows-1252+escape"), 0
    for _ in range(500):
        repairer.feed(b"\x81\xe9\xff")
        most = max(most, len(repairer._pending))
    assert 0 < most < 1100


def test_a_stream_that_ended_takes_no_more():
    repairer = Repairer()
    repairer.finish()
    with pytest.raises(ValueError, match="finish"):
        repairer.feed(b"a")


# The loops in C against their twin in Python.

NUMBERS = st.integers(0, 1 << 16)
IN_C = [each for each in KEEPING if fast(chain_of(each))]
needs_c = pytest.mark.skipif(not stretches.loops, reason="needs the C kernel: install with a compiler")


def assert_c_repairs_as_python_does(policy, data, at, *, final):
    quick, used = fast(chain_of(policy)).run(data, at, final=final)
    plain, expected = Plain(chain_of(policy)).run(data, at, final=final)
    assert (quick.data, list(quick.log), used) == (plain.data, plain.log, expected)


@needs_c
@settings(max_examples=3 * settings().max_examples)
@given(policy=st.sampled_from(IN_C), data=BROKEN, final=st.booleans(), at=NUMBERS)
def test_c_repairs_as_python_does(policy, data, final, at):
    assert_c_repairs_as_python_does(policy, data, at, final=final)


@needs_c
@pytest.mark.parametrize("data", [b"a".join(PIECES), b"a" * (1 << 19) + b"\xe9"], ids=["pieces", "without the lock"])
def test_c_repairs_by_each_policy_as_python_does(data):
    for policy in IN_C:
        assert_c_repairs_as_python_does(policy, data, 0, final=True)


@given(data=BROKEN)
def test_stretches_are_those_of_cpython(data):
    text = data.decode(errors="surrogateescape")
    expected = [len(run.encode()) for run in re.split("[\udc80-\udcff]+", text)]
    for name in kernel.available:
        before = kernel.name
        kernel.use(name)
        try:
            at, found = 0, []
            while True:
                start, end = stretches.next_stretch(data, at, len(data), 1 << 20)
                found.append(start - at)
                if start == end:
                    break
                at = end
        finally:
            kernel.use(before)
        assert found == expected, name


# By lines: what is decoded as a whole, and what stays.


@pytest.mark.parametrize(("text", "codec"), [
    ("чёрной кошки", "koi8-r"), ("表示ソフト", "shift_jis"), ("中文", "gbk"), ("正月は実家", "euc-jp"),
    ("café", "cp1252"),
])  # fmt: skip
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_a_line_in_another_encoding_is_decoded_as_a_whole_and_others_stay(text, codec, end):
    before = f"naïve größe{end or chr(10)}"
    repaired = repair(before.encode() + f"{text}, ok{end}".encode(codec), codec, unit="line")
    assert repaired.data.decode() == f"{before}{text}, ok{end}"
    assert all(change.why.endswith(codec) for change in repaired.log)


def test_a_change_in_a_line_is_a_run_of_bytes_where_ascii_is_no_part_of_characters():
    log = repair("é, ok é\n".encode("cp1252"), "cp1252", unit="line").log
    assert [(change.offset, change.old, change.why) for change in log] == [
        (0, b"\xe9", "UTF8-MISSING-TAIL, cp1252"), (6, b"\xe9", "UTF8-MISSING-TAIL, cp1252"),
    ]  # fmt: skip
    [change] = repair("ok 表\n".encode("shift_jis"), "shift_jis", unit="line").log
    assert (change.offset, change.old) == (0, "ok 表".encode("shift_jis"))


def test_what_the_encoding_does_not_have_is_left_to_what_comes_after_it():
    assert repair(b"caf\xe9 \x81\n", "cp1252+escape", unit="line").data == "café \\x81\n".encode()
    assert repair(b"\x81\x20\x95\x5c", "shift_jis+cp1252+drop", unit="line").data == " 表".encode()
    assert repair(b"a\xff b", "idna+escape", unit="line").data == b"a\\xFF b"  # it decodes only names


def test_a_line_that_what_comes_before_the_encoding_knows_is_not_decoded():
    pair = b"\xed\xa0\xbd\xed\xb8\x80"
    data = "é ".encode() + pair + b"\n" + b"\xe9 " + pair
    lines = repair(data, "cesu8+latin-1", unit="line").data.decode().split("\n")
    assert lines == ["é 😀", (b"\xe9 " + pair).decode("latin-1")]


@pytest.mark.parametrize(("text", "codec", "shift"), [
    *(("表示ソフト", "shift_jis", shift) for shift in range(2)), ("größer ", "cp1252", 0),
    *(("日本 ", "utf-8", shift) for shift in range(3)),
])  # fmt: skip
def test_a_line_longer_than_memory_is_decoded_in_pieces_that_cut_no_character(text, codec, shift):
    line = "x" * shift + text * (3 * MAX_LINE // len(text.encode(codec)))
    data = "é\n".encode() + line.encode(codec) + b"\n"
    decoded = "cp1252" if codec == "utf-8" else codec
    repairer, most = Repairer(decoded, unit="line"), 0
    parts = []
    for chunk in chunks(data, range(0, len(data), 9999)):
        parts.append(repairer.feed(chunk).data)
        most = max(most, len(repairer._pending))
    assert b"".join([*parts, repairer.finish().data]).decode() == f"é\n{line}\n"
    assert most <= MAX_LINE + 9999


WIDE = "Größe: naïve, déjà vu\r\n日本語の晚上\n晚上\n𝄞 x\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("before", ["", "größe in UTF-8\n", "no line end, 日本 "])
@pytest.mark.parametrize("after", ["", "more in UTF-8, some lines\nand é\n", "no end, but long é"])
@pytest.mark.parametrize("is_marked", [True, False])
def test_lines_in_utf_16_and_utf_32_are_converted_and_those_in_utf_8_stay(encoding, before, after, is_marked):
    data = WIDE.encode(encoding) if is_marked or encoding[6:] else WIDE.encode(f"{encoding}-le")
    if is_marked and encoding[6:]:
        data = "\ufeff".encode(encoding) + data
    data = before.encode() + data * 2 + after.encode()
    repaired = check_laws(data, [1, 7, 20, 60, len(data) - 5], encoding, "line")
    assert repaired.data.decode().replace("\ufeff", "") == before + WIDE * 2 + after


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_an_input_of_many_blocks_in_utf_16_is_converted(encoding):
    text = "naïve text 𝄞 " * 20_000  # no line ends
    repaired = check_laws(text.encode(encoding), [70_001, 200_000], encoding, "line")
    assert repaired.data.decode() == text


@pytest.mark.parametrize("rest", ["", "a", "ab\n", "größe\n", "\0\u00d8\n", "\1\0\n\0"])
def test_a_mark_without_utf_16_is_only_a_stretch(rest):
    data = b"x\xff\xfe" + rest.encode("latin-1")
    assert repair(data, "utf-16+escape", unit="line").data.startswith(b"x\\xFF\\xFE")


# The error handlers of codecs.


@settings(max_examples=2 * settings().max_examples)
@given(
    policy=st.sampled_from(["windows-1252", "cp437", "drop", "escape", "fffd:per-byte", "fffd", "cp1252+escape"]),
    data=BROKEN,
    size=st.integers(1, 9),
)
def test_a_handler_decodes_as_repair_does_wherever_the_stream_is_cut(policy, data, size):
    assert data.decode("utf-8", register(policy)) == repair(data, policy).data.decode()
    decoder = codecs.getincrementaldecoder("utf-8")(register(policy))
    parts = [decoder.decode(data[at : at + size]) for at in range(0, len(data), size)]
    assert "".join([*parts, decoder.decode(b"", final=True)]).encode() == repair(data, policy).data


@pytest.mark.parametrize("policy", ["shift_jis", "cesu8", "overlong-shortest+cp1252"])
def test_a_policy_that_joins_bytes_has_no_handler(policy):
    with pytest.raises(ValueError, match="Repairer"):
        register(policy)


def test_a_handler_is_for_decoding_utf_8_only():
    name = register("windows-1252")
    with pytest.raises(UnicodeDecodeError):
        b"\xe9".decode("ascii", name)
    with pytest.raises(UnicodeEncodeError):
        "\ud800".encode("utf-8", name)
