"""Text and character numbers to UTF-8 and back at full speed: verdicts as by the book, with positions."""

import array
import itertools

import pytest

from utf8_abnf.codec import EncodeError, InvalidUtf8, by_the_book, decode, encode

ALL = "".join(map(chr, itertools.chain(range(0xD800), range(0xE000, 0x110000))))


def test_all_1112064_scalar_values_are_encoded_and_decoded_as_cpython_does():
    assert len(ALL) == 1_112_064
    assert encode(ALL) == encode(map(ord, ALL)) == ALL.encode()
    assert decode(ALL.encode()) == ALL


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


@pytest.mark.parametrize(("function", "wrong"), [
    *((encode, wrong) for wrong in (["a"], [1.0], [None], None, 7)),  # neither text nor numbers
    *((decode, wrong) for wrong in ("text", 3, None, [1])),  # not bytes-like
], ids=lambda each: getattr(each, "__name__", repr(each)))  # fmt: skip
def test_what_is_of_another_type_is_a_type_error(function, wrong):
    with pytest.raises(TypeError):
        function(wrong)


@pytest.mark.parametrize("decoder", [decode, by_the_book.decode], ids=["bulk", "by_the_book"])
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
