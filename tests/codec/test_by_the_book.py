"""RFC 3629 section 3, sentence by sentence: the algorithms to read, against the RFC's text, the grammar and CPython."""

import itertools
import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utf8_abnf import first_error
from utf8_abnf.automaton import compile_grammar
from utf8_abnf.codec import by_the_book, decode_each, decode_steps, encode_steps
from utf8_abnf.codec import replacement as replacing
from utf8_abnf.codec.errors import is_scalar_value
from utf8_abnf.grammar import Grammar

CHARACTER = compile_grammar(Grammar.load("utf8"), "UTF8-char")
# The bytes on both sides of every border that the grammar draws.
EDGES = sorted(
    {byte for byte in range(256) for next_ in (byte - 1, byte + 1)
     if not 0 <= next_ <= 255 or CHARACTER.classes[byte] != CHARACTER.classes[next_]}
)  # fmt: skip
SCALAR_VALUES = [*range(0xD800), *range(0xE000, 0x110000)]
# Of those that take more than two bytes, one in a prime number: every byte of every place comes up. Before a release
# UTF8_ABNF_EXHAUSTIVE takes all.
ASKED = (
    SCALAR_VALUES if os.environ.get("UTF8_ABNF_EXHAUSTIVE") else [*range(0x800), *SCALAR_VALUES[0x800::61], 0x10FFFF]
)
NUMBERS = st.one_of(
    st.sampled_from([0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF]), st.sampled_from(SCALAR_VALUES)
)


def words(*lengths):
    return (bytes(word) for length in lengths for word in itertools.product(EDGES, repeat=length))


def test_the_edges_are_those_of_twelve_classes():
    assert len({CHARACTER.classes[byte] for byte in EDGES}) == 12
    assert len(EDGES) == 24


# ---- The table -----------------------------------------------------------------------------------------------------


def test_the_table_is_the_one_that_the_rfc_prints(root):
    text = (root / "tests/references/rfc3629.txt").read_text()
    lines = re.findall(r"^ +([0-9A-F]{4} [0-9A-F]{4})-([0-9A-F]{4} [0-9A-F]{4}) \| ([01x ]+)$", text, re.MULTILINE)
    printed = [(int(a.replace(" ", ""), 16), int(b.replace(" ", ""), 16), tuple(bits.split())) for a, b, bits in lines]
    assert printed == [(row.first, row.last, row.pictures) for row in by_the_book.TABLE]


def test_the_numbers_below_ffff_that_the_grammar_does_not_generate_are_the_surrogates():
    row = by_the_book.TABLE[2]
    patterned = (
        bytes(each | bits for each, bits in zip(row.high_bits, (n >> 12, n >> 6 & 0x3F, n & 0x3F), strict=True))
        for n in range(row.first, row.last + 1)
    )
    missing = [by_the_book.distribute(word) for word in patterned if not CHARACTER.accepts(word)]
    assert missing == list(by_the_book.SURROGATES)
    assert [n for n in range(row.last + 1) if not is_scalar_value(n)] == missing


@pytest.mark.thorough
def test_the_last_number_is_that_of_the_last_word_of_the_grammar():
    last = max(word for word in words(4) if CHARACTER.accepts(word))
    assert by_the_book.decode_character(last) == by_the_book.TABLE[-1].last == 0x10FFFF
    assert is_scalar_value(0x10FFFF)
    assert not is_scalar_value(0x110000)
    assert not is_scalar_value(-1)


def test_the_tail_picture_draws_the_bytes_of_utf8_tail():
    tail = compile_grammar(Grammar.load("utf8"), "UTF8-tail")
    assert {byte for byte in range(256) if tail.accepts(bytes([byte]))} == replacing.TAILS


def test_what_a_byte_announces_is_the_length_of_the_rule_that_it_begins():
    for byte in range(256):
        lengths = {len(word) for word in FIRST_WORDS.get(byte, ())}
        if lengths:
            assert {replacing.ANNOUNCED[byte]} == lengths, f"{byte:02X}"


FIRST_WORDS: dict[int, list[bytes]] = {}
for _number in (*range(0x800), *range(0x800, 0x110000, 0x40)):
    if is_scalar_value(_number):
        FIRST_WORDS.setdefault(chr(_number).encode()[0], []).append(chr(_number).encode())


# ---- Encoding and decoding -----------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_encoding_by_the_book_equals_cpython_on_scalar_values():
    assert len(SCALAR_VALUES) == 1_112_064
    assert by_the_book.encode(ASKED) == "".join(map(chr, ASKED)).encode()


@pytest.mark.thorough
def test_decoding_by_the_book_is_the_way_back_for_scalar_values():
    wrong = [n for n in ASKED if by_the_book.distribute(chr(n).encode()) != n]
    assert wrong == []
    sample = ASKED[::7]  # ... and with the protection, which takes longer
    assert by_the_book.decode("".join(map(chr, sample)).encode()) == sample


@pytest.mark.thorough
def test_section_3_accepts_what_section_4_generates():
    """Section 3 with its two prohibitions against the grammar: every word of up to four edge bytes."""
    wrong = [word.hex(" ") for word in words(0, 1, 2, 3) if by_the_book.is_character(word) != CHARACTER.accepts(word)]
    assert wrong == []
    leads = [bytes([lead]) for lead in EDGES if lead not in replacing.TAILS]
    fours = [lead + word for lead in leads for word in itertools.islice(words(3), 0, None, 5)]  # a prime to 24
    assert [word.hex(" ") for word in fours if by_the_book.is_character(word) != CHARACTER.accepts(word)] == []


@pytest.mark.parametrize("data", [b"", b"ab", "é€".encode()[:4], b"\xc3\xa9\xc3\xa9"], ids=lambda data: data.hex(" "))
def test_a_character_is_one_whole_sequence(data):
    with pytest.raises(ValueError, match=r"one character|UTF8"):
        by_the_book.decode_character(data)


def outcome(decode):
    """Return what *decode* gives, or start and end of the error."""
    try:
        return decode()
    except UnicodeDecodeError as error:
        return error.start, error.end


@given(st.one_of(st.binary(max_size=12), st.lists(st.sampled_from(EDGES), max_size=12).map(bytes)))
def test_an_error_by_the_book_stands_where_cpython_finds_it(data):
    assert outcome(lambda: by_the_book.decode(data)) == outcome(lambda: [*map(ord, data.decode())])


# ---- The traced form -----------------------------------------------------------------------------------------------


def bits_carried_to(trace):
    sequence = bytearray(len(trace.data))
    for move in trace.moves:
        sequence[move.byte] |= move.value << move.byte_bit
    return bytes(sequence)


@given(NUMBERS)
def test_a_trace_ends_at_what_the_algorithm_gives(number):
    encoded, data = encode_steps(number), chr(number).encode()
    assert (encoded.data, encoded.code_point, encoded.refusal) == (data, number, "")
    assert encoded.lines[-1].startswith("   " + " ".join(f"{byte:08b}" for byte in data))
    decoded = decode_steps(data)
    assert (decoded.data, decoded.code_point, decoded.refusal) == (data, number, "")
    assert decoded.lines[-3].split()[0].lstrip("x") == f"{number:0{len(decoded.moves)}b}"


@given(NUMBERS)
def test_the_moves_of_a_trace_carry_every_bit_of_the_number_once(number):
    row = by_the_book.row_for(number)
    for trace in (encode_steps(number), decode_steps(chr(number).encode())):
        assert [move.number_bit for move in trace.moves] == list(range(len(row.places)))
        assert sum(move.value << move.number_bit for move in trace.moves) == number
        carried = bits_carried_to(trace)
        assert bytes(a | b for a, b in zip(carried, row.high_bits, strict=True)) == trace.data


@pytest.mark.parametrize(
    ("data", "finding"),
    [
        ("80", "80 is 10000000: no row of the table begins like this"),
        ("FF", "FF is 11111111: no row of the table begins like this"),
        ("E2 41", "41 is 01000001: it does not fit 10xxxxxx"),
        ("E2 82", "E2 is 11100010 and announces 3 bytes, but there are 2"),
        ("C0 80", "U+0000 lies in 00..7F, the row of 1 byte: 2 bytes are overlong"),
        ("ED A1 8C", "U+D84C is a surrogate, which UTF-8 does not encode"),
        ("F4 90 80 80", "110000 is in no row of the table, which ends at U+10FFFF"),
    ],
)
def test_a_trace_of_ill_formed_bytes_stops_at_the_step_that_refuses(data, finding):
    trace = decode_steps(bytes.fromhex(data))
    assert trace.lines[-1] == f"   {finding}"
    assert trace.code_point is None
    assert trace.refusal == str(first_error(bytes.fromhex(data)))


def test_a_trace_prints_its_steps_with_the_bits():
    assert str(encode_steps(0xE9)).splitlines()[1:] == [
        "1. Determine the number of bytes",
        "   U+00E9 lies in 0080..07FF, the second row of the table: 2 bytes (UTF8-2)",
        "2. Prepare the high bits",
        "   110xxxxx 10xxxxxx",
        "3. Fill in the bits marked x, lowest first: 00011101001",
        "   110xxxxx 10101001   byte 2 takes 101001",
        "   11000011 10101001   byte 1 takes 00011",
        "= C3 A9",
    ]
    assert str(decode_steps(b"\xc3\xa9")).splitlines()[3:7] == [
        "2. Determine the bits that encode the number",
        "   110xxxxx 10xxxxxx   2 bytes, in which 11 bits are marked x",
        "3. Distribute the bits, lowest first: 11000011 10101001",
        "   xxxxxxxxxxxxxxx101001   byte 2 gives 101001",
    ]
    assert str(decode_steps(b"\xff")).splitlines()[3:5] == [
        "2. Determine the bits that encode the number",
        "   FF is 11111111: no row of the table begins like this",
    ]


@given(st.binary(max_size=10))
def test_the_traces_of_any_bytes_spell_the_well_formed_ones(data):
    traces = list(decode_each(data))
    numbers = [trace.code_point for trace in traces if trace.code_point is not None]
    assert numbers == [ord(character) for character in data.decode(errors="ignore")]
    assert all(str(trace) for trace in traces)


@pytest.mark.parametrize("data", [b"", b"ab", b"\xc3\xa9a", b"\x80\x80"], ids=lambda data: data.hex(" "))
def test_a_trace_shows_one_sequence_at_a_time(data):
    with pytest.raises(ValueError, match="one sequence"):
        decode_steps(data)
