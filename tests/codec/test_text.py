"""Text, character numbers and UTF-16 to UTF-8 and back at full speed: verdicts as by the book, with positions."""

import array
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utf8_abnf.codec import (
    EncodeError,
    InvalidUtf8,
    Utf16Error,
    by_the_book,
    code_points,
    decode,
    decode_utf16,
    encode,
)
from utf8_abnf.codec.utf16 import join, split

ALL = "".join(map(chr, itertools.chain(range(0xD800), range(0xE000, 0x110000))))
RA = "\U00012345=Ra"  # RFC 2781 section 5


# ---- UTF-8 ---------------------------------------------------------------------------------------------------------


def test_all_1112064_scalar_values_are_encoded_and_decoded_as_cpython_does():
    assert len(ALL) == 1_112_064
    assert encode(ALL) == encode(map(ord, ALL)) == ALL.encode()
    assert decode(ALL.encode()) == ALL
    assert code_points(ALL.encode()) == [*map(ord, ALL)]


@pytest.mark.parametrize("encoder", [encode, by_the_book.encode], ids=["bulk", "by_the_book"])
@pytest.mark.parametrize(
    ("numbers", "position"),
    [
        ([0xD800], 0),
        ([0x41, 0xDFFF, 0x41], 1),
        ([0xD84C, 0xDFB4], 0),
        ([0x10FFFF, 0x110000], 1),
        ([0, -1], 1),
        ([2**70], 0),
    ],
)
def test_what_is_no_scalar_value_is_refused_with_its_position(encoder, numbers, position):
    with pytest.raises(EncodeError) as caught:
        encoder(iter(numbers))
    error = caught.value
    assert (error.position, error.number) == (position, numbers[position])
    assert (error.start, error.end, error.encoding) == (position, position + 1, "utf-8")
    assert error.object[: error.start] == "".join(map(chr, numbers[:position]))
    assert str(error).startswith(f"position {position}: ")


def test_a_surrogate_in_a_str_is_refused_with_its_position_and_the_text():
    with pytest.raises(EncodeError) as caught:
        encode("ab\ud84c\udfb4c")
    assert (caught.value.position, caught.value.number, caught.value.object) == (2, 0xD84C, "ab\ud84c\udfb4c")


@pytest.mark.parametrize(
    "data", [b"\xe2", bytearray(b"\xe2"), memoryview(b"\xe2")], ids=lambda data: type(data).__name__
)
def test_bytes_are_encoded_already(data):
    with pytest.raises(TypeError, match="encoded already"):
        encode(data)


@pytest.mark.parametrize("wrong", [["a"], [1.0], [None], None, 7], ids=repr)
def test_what_is_neither_text_nor_numbers_is_a_type_error(wrong):
    with pytest.raises(TypeError):
        encode(wrong)


@pytest.mark.parametrize(
    "decoder", [decode, code_points, by_the_book.decode], ids=["decode", "code_points", "by_the_book"]
)
@pytest.mark.parametrize(
    ("data", "code", "start", "end"),
    [
        ("C0 80", "UTF8-OVERLONG", 0, 1),
        ("61 ED A1 8C ED BE B4", "UTF8-SURROGATE", 1, 2),
        ("61 62 F4 90 80 80", "UTF8-TOO-LARGE", 2, 3),
        ("E2 82", "UTF8-TRUNCATED", 0, 2),
        ("C3 A9 E2 82 41", "UTF8-MISSING-TAIL", 2, 4),
        ("80", "UTF8-LONE-TAIL", 0, 1),
    ],
)
def test_ill_formed_bytes_are_refused_with_an_explanation(decoder, data, code, start, end):
    with pytest.raises(InvalidUtf8) as caught:
        decoder(bytes.fromhex(data))
    assert caught.value.error.code == code
    assert (caught.value.start, caught.value.end) == (caught.value.error.start, caught.value.error.end) == (start, end)


BYTES_LIKE = [bytes, bytearray, memoryview, lambda data: array.array("B", data)]


@pytest.mark.parametrize("kind", BYTES_LIKE, ids=["bytes", "bytearray", "memoryview", "array"])
@pytest.mark.parametrize("decoder", [decode, by_the_book.decode], ids=["bulk", "by_the_book"])
def test_anything_bytes_like_is_decoded(kind, decoder):
    assert [*decoder(kind("aé€".encode()))] in (["a", "é", "€"], [0x61, 0xE9, 0x20AC])
    with pytest.raises(InvalidUtf8):
        decoder(kind(b"\xff"))


def test_a_view_with_gaps_is_a_buffer_error():
    with pytest.raises(BufferError, match="not contiguous"):
        decode(memoryview(b"abcd")[::2])


@pytest.mark.parametrize("wrong", ["text", 3, None, [1]], ids=repr)
def test_what_is_not_bytes_like_is_not_decoded(wrong):
    with pytest.raises(TypeError):
        decode(wrong)


# ---- UTF-16 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "byte_order"),
    [
        ("D8 08 DF 45 00 3D 00 52 00 61", "big"),
        ("08 D8 45 DF 3D 00 52 00 61 00", "little"),
        ("FE FF D8 08 DF 45 00 3D 00 52 00 61", None),
        ("FF FE 08 D8 45 DF 3D 00 52 00 61 00", None),
        ("D8 08 DF 45 00 3D 00 52 00 61", None),  # section 4.3: big endian where there is no mark
    ],
)
def test_the_examples_of_rfc_2781_section_5(data, byte_order):
    assert decode_utf16(bytes.fromhex(data), byte_order=byte_order) == RA


def test_with_a_stated_byte_order_the_mark_is_a_character():
    assert decode_utf16(b"\xfe\xff\0a", byte_order="big") == "\ufeffa"
    assert decode_utf16(b"\xff\xfea\0", byte_order="little") == "\ufeffa"


def plain(data, byte_order):
    """The twin to read: units, then pairs."""
    if len(data) % 2:
        raise Utf16Error("utf-16-be", data, len(data) - 1, None)
    units = (int.from_bytes(data[at : at + 2], byte_order) for at in range(0, len(data), 2))
    return "".join(map(chr, join(units)))


@pytest.mark.parametrize("byte_order", ["big", "little"])
def test_all_scalar_values_come_back_from_utf_16(byte_order):
    order = {"big": "utf-16-be", "little": "utf-16-le"}[byte_order]
    assert decode_utf16(ALL.encode(order), byte_order=byte_order) == ALL
    sample = ALL[::61]
    data = b"".join(unit.to_bytes(2, byte_order) for character in sample for unit in split(ord(character)))
    assert data == sample.encode(order)
    assert plain(data, byte_order) == sample


LONE = {
    "a high surrogate at the end": ("00 41 D8 4C", 2, 0xD84C),
    "a high surrogate before a character": ("D8 4C 00 41", 0, 0xD84C),
    "two high surrogates": ("D8 4C D8 4C DF B4", 0, 0xD84C),
    "a low surrogate": ("00 41 00 42 DF B4 00 41", 4, 0xDFB4),
    "a pair the wrong way round": ("DF B4 D8 4C", 0, 0xDFB4),
    "half a unit": ("00 41 00", 2, None),
    "half a unit after a high surrogate": ("D8 4C DF", 0, 0xD84C),
}


@pytest.mark.parametrize("name", LONE)
@pytest.mark.parametrize("mark", [b"", b"\xfe\xff"], ids=["no mark", "mark"])
def test_a_lone_surrogate_is_an_error_with_its_position(name, mark):
    spelled, offset, unit = LONE[name]
    with pytest.raises(Utf16Error) as caught:
        decode_utf16(mark + bytes.fromhex(spelled))
    assert (caught.value.offset, caught.value.unit) == (len(mark) + offset, unit)
    assert caught.value.start == caught.value.offset
    assert str(caught.value).startswith(f"offset {len(mark) + offset}: ")


UNITS = st.lists(st.sampled_from([0, 0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFEFF, 0xFFFF]), max_size=8)


def outcome(function):
    try:
        return function()
    except Utf16Error as error:
        return error.offset, error.unit


@given(UNITS, st.sampled_from(["big", "little"]))
def test_utf_16_at_full_speed_gives_what_the_plain_form_gives(sixteen, byte_order):
    data = b"".join(unit.to_bytes(2, byte_order) for unit in sixteen)
    expected = outcome(lambda: plain(data, byte_order))
    assert outcome(lambda: decode_utf16(data, byte_order=byte_order)) == expected


def test_half_a_unit_is_all_there_is_and_big_endian():
    with pytest.raises(Utf16Error) as caught:
        decode_utf16(b"a")
    assert (caught.value.encoding, caught.value.offset, caught.value.unit) == ("utf-16-be", 0, None)


def test_a_byte_order_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="byte order mark"):
        decode_utf16(b"", byte_order="middle")
