"""UTF-16 as text: the examples of RFC 2781, and at full speed what the plain form gives, with positions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utf8_abnf.codec import Utf16Error, decode_utf16
from utf8_abnf.codec.utf16 import join, split

SAMPLE = "".join(map(chr, [*range(0, 0xD800, 61), *range(0xE000, 0x110000, 61)]))
RA = "\U00012345=Ra"  # RFC 2781 section 5


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
def test_scalar_values_come_back_from_utf_16(byte_order):
    order = {"big": "utf-16-be", "little": "utf-16-le"}[byte_order]
    data = b"".join(unit.to_bytes(2, byte_order) for character in SAMPLE for unit in split(ord(character)))
    assert data == SAMPLE.encode(order)
    assert plain(data, byte_order) == decode_utf16(data, byte_order=byte_order) == SAMPLE


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
