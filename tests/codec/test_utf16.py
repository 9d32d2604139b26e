"""UTF-16 as text: the examples of RFC 2781, and errors with their positions."""

import pytest

from utf8_abnf.codec import Utf16Error, decode_utf16

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
