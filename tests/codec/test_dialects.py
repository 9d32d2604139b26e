"""CESU-8 and modified UTF-8, which are not UTF-8: both ways, and their borders."""

import itertools
import os
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utf8_abnf.codec import EncodeError, by_the_book, cesu8, mutf8

ALL = "".join(map(chr, itertools.chain(range(0xD800), range(0xE000, 0x110000))))
# All of plane 0, and of the others, which are pairs of surrogates, one in a prime number: before a release all.
SCALARS = ALL if os.environ.get("UTF8_ABNF_EXHAUSTIVE") else ALL[:0xF800] + ALL[0xF800::13]
BOTH = pytest.mark.parametrize("dialect", [cesu8, mutf8], ids=lambda dialect: dialect.NAME)
TEXTS = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("\0\x7f\x80\uffff\U00010000\U0010ffff"))
)
# Pieces that are right, wrong, or right only side by side.
PIECES = [
    "00", "41", "C0 80", "C3 A9", "E2 82 AC", "ED A1 8C", "ED BE B4", "ED", "ED A1", "C0", "C1 80", "80", "F0 90 80 80",
    "FF",
]  # fmt: skip


def plain(text, nul):
    """The twin to read: section 3's table applied to each 16-bit unit of UTF-16, as CESU-8 is defined."""
    done = b""
    units = text.encode("utf-16-be")
    for unit in (units[at] << 8 | units[at + 1] for at in range(0, len(units), 2)):
        row = by_the_book.row_for(unit)
        if unit == 0:
            done += nul
            continue
        sequence = bytearray(row.high_bits)
        for position, place in enumerate(row.places):
            sequence[place.byte] |= (unit >> position & 1) << place.bit
        done += sequence
    return done


@pytest.mark.thorough
@BOTH
def test_scalar_values_come_back(dialect):
    assert dialect.decode(dialect.encode(SCALARS)) == SCALARS


@given(TEXTS)
def test_the_dialects_are_what_their_definition_says(text):
    assert cesu8.encode(text) == plain(text, b"\0")
    assert mutf8.encode(text) == plain(text, b"\xc0\x80")


@BOTH
@given(st.lists(st.sampled_from(PIECES)))
def test_what_a_dialect_decodes_it_encodes_to_the_same_bytes(dialect, pieces):
    """So nothing has two spellings, and no four-byte sequence, lone surrogate or zero byte slips in."""
    data = bytes.fromhex(" ".join(pieces))
    end = first_fault(dialect, data)
    if end == len(data):
        assert dialect.encode(dialect.decode(data)) == data
        return
    with pytest.raises(UnicodeDecodeError) as caught:
        dialect.decode(data)
    assert (caught.value.object, caught.value.start) == (data, end)
    assert data[caught.value.start : caught.value.end]


def first_fault(dialect, data):
    """Return where the longest prefix of *data* ends that is some text in *dialect*."""
    return max(end for end in range(len(data) + 1) if is_text(dialect, data[:end]))


def is_text(dialect, data):
    """Return whether *data* is in the dialect, by splitting it in all ways into characters that ``encode`` gives."""
    if not data:
        return True
    return any(
        data[:length] in known(dialect) and is_text(dialect, data[length:])
        for length in (1, 2, 3, 6)
        if length <= len(data)
    )


def known(dialect):
    """Return the encodings of all characters that PIECES can spell: ED 80 80 and ED A1 80 ED BE B4 take several."""
    return {dialect.encode(character) for character in "\0Aé€\ud000\U000203b4\U000233b4"}


@BOTH
@pytest.mark.parametrize("text", ["\ud800", "a\udfff", "\ud84c\udfb4"], ids=ascii)
def test_a_lone_surrogate_is_no_text_in_a_dialect(dialect, text):
    with pytest.raises(EncodeError):
        dialect.encode(text)


@pytest.mark.parametrize(
    ("dialect", "spelled", "start", "reason"),
    [
        (cesu8, "61 F0 A3 8E B4", 1, "CESU-8 encodes this character as a surrogate pair"),
        (cesu8, "61 ED A1 8C", 1, "surrogate without a partner"),
        (cesu8, "C3 A9 ED BE B4 61", 2, "surrogate without a partner"),
        (cesu8, "C0 80", 0, "not a sequence of CESU-8"),
        (mutf8, "C0 80 C0 80 00", 4, "modified UTF-8 writes U+0000 as C0 80"),
        (mutf8, "C0 80 F0 A3 8E B4", 2, "modified UTF-8 encodes this character as a surrogate pair"),
        (mutf8, "C0 80 61 C1 80", 3, "not a sequence of modified UTF-8"),
    ],
)
def test_an_error_in_a_dialect_says_where_and_why(dialect, spelled, start, reason):
    with pytest.raises(UnicodeDecodeError) as caught:
        dialect.decode(bytes.fromhex(spelled))
    assert (caught.value.encoding, caught.value.start, caught.value.reason) == (dialect.NAME, start, reason)


JAVA = """
import java.io.*;
public class Mutf8 {
    public static void main(String[] args) throws IOException {
        byte[] utf16 = System.in.readAllBytes();
        new DataOutputStream(System.out).writeUTF(new String(utf16, "UTF-16BE"));
    }
}
"""


@pytest.mark.thorough
def test_java_writes_the_same_modified_utf_8(tmp_path):
    if not shutil.which("java"):
        pytest.skip("needs java: apt-get install default-jdk-headless")
    source = tmp_path / "Mutf8.java"
    source.write_text(JAVA)
    text = "a\0é€\U000233b4\uffff" + ALL[::397]  # writeUTF takes no more than 65,535 bytes
    done = subprocess.run(["java", str(source)], input=text.encode("utf-16-be"), capture_output=True, check=True)
    assert done.stdout[2:] == mutf8.encode(text)  # two bytes of length come first
