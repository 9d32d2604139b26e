"""Every hand-written number in ``ill_formed.py`` follows from the grammar, and every position is CPython's."""

from collections import Counter
from itertools import chain, product

import pytest

from utf8_abnf import Summary, count_errors
from utf8_abnf.codec.replacement import POLICIES, replace
from utf8_abnf.files.repairing import repair
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.syntax import Alternation, Concatenation, Group, Range, Ref, Repetition
from utf8_abnf.validator import ill_formed
from utf8_abnf.validator.functions import iter_errors
from utf8_abnf.validator.ill_formed import CODES, FIRST, TAIL, describe, unfinished

GRAMMAR = Grammar.load("utf8")


def sequences(node):
    """Return the byte ranges of each alternative below *node*, position by position: a plain walk over the syntax."""
    match node:
        case Range(low=low, high=high):
            return [[(low, high)]]
        case Ref(name=name):
            return sequences(GRAMMAR[name].definition)
        case Group(item=item):
            return sequences(item)
        case Repetition(low=low, item=item):
            return [list(chain(*parts)) for parts in product(sequences(item), repeat=low)]
        case Concatenation(items=items):
            return [list(chain(*parts)) for parts in product(*map(sequences, items))]
        case Alternation(items=items):
            return [each for item in items for each in sequences(item)]
    raise AssertionError(node)


RULES = {rule: sequences(GRAMMAR[rule].definition) for rule in ("UTF8-1", "UTF8-2", "UTF8-3", "UTF8-4")}
CHARACTERS = [(rule, ranges) for rule, alternatives in RULES.items() for ranges in alternatives]
LEADS = {
    byte: (rule, ranges) for rule, ranges in CHARACTERS for byte in range(ranges[0][0], ranges[0][1] + 1) if ranges[1:]
}


def spelled(low, high):
    return f"{low:02X}..{high:02X}"


def ids(data):
    return bytes(data).hex(" ").upper()


def test_the_grammar_has_nine_alternatives_and_its_tail():
    assert len(CHARACTERS) == 9
    assert sequences(GRAMMAR["UTF8-tail"].definition) == [[TAIL]]


def test_first_is_every_byte_that_begins_a_character():
    begins = sorted(ranges[0] for _, ranges in CHARACTERS)
    merged = [list(begins[0])]
    for low, high in begins[1:]:
        if low == merged[-1][1] + 1:
            merged[-1][1] = high
        else:
            merged.append([low, high])
    assert ", ".join(spelled(*each) for each in merged) == FIRST


def test_a_lead_promises_what_its_alternative_says():
    assert {byte for byte in range(256) if ill_formed._lead(byte)} == set(LEADS)
    for byte, (rule, ranges) in LEADS.items():
        lead = ill_formed._lead(byte)
        assert (lead.rule, lead.length, lead.second) == (rule, len(ranges), ranges[1]), ids([byte])
        assert ranges[2:] == [TAIL] * (lead.length - 2)


def bits(data):
    """Return the number that the payload bits spell: RFC 3629 section 3's table without its limits."""
    ones = 8 - (data[0] ^ 0xFF).bit_length()
    number = data[0] & (0x7F >> ones)
    for byte in data[1:]:
        number = number << 6 | byte & 0x3F
    return number


SHORTEST = {2: 0x80, 3: 0x800, 4: 0x10000}  # the first number that needs so many bytes: RFC 3629 section 3's table


def test_a_tail_that_a_lead_shuts_out_has_the_code_of_the_numbers_it_would_encode():
    for lead, second in product(LEADS, range(TAIL[0], TAIL[1] + 1)):
        _, ranges = LEADS[lead]
        if ranges[1][0] <= second <= ranges[1][1]:
            assert describe(bytes([lead, second]) + b"\x80\x80") is None
            continue
        number = bits(bytes([lead, second]) + b"\x80" * (len(ranges) - 2))
        if number < SHORTEST[len(ranges)]:
            code = "UTF8-OVERLONG"
        elif 0xD800 <= number <= 0xDFFF:
            code = "UTF8-SURROGATE"
        else:
            assert number > 0x10FFFF
            code = "UTF8-TOO-LARGE"
        assert describe(bytes([lead, second, 0x80, 0x80])).code == code, ids([lead, second])


def test_a_byte_that_begins_nothing_has_the_code_of_its_kind():
    for byte in set(range(0x80, 256)) - set(LEADS):
        error = describe(bytes([byte, 0x80, 0x80, 0x80]))
        if TAIL[0] <= byte <= TAIL[1]:
            expected = "UTF8-LONE-TAIL"
        else:
            announces_two = byte < 0xE0  # 110xxxxx; the others begin numbers above U+10FFFF, or forms of RFC 2279
            expected = "UTF8-OVERLONG" if announces_two and bits(bytes([byte, 0xBF])) < 0x80 else "UTF8-TOO-LARGE"
        shown = (error.code, error.rule, error.expected, error.length)
        assert shown == (expected, "UTF8-char", FIRST, 1), ids([byte])


@pytest.mark.parametrize(("rule", "ranges"), CHARACTERS, ids=[f"{rule} {ids([r[0][0]])}" for rule, r in CHARACTERS])
def test_a_character_cut_or_interrupted_expects_the_next_range(rule, ranges):
    lowest = bytes(low for low, _ in ranges)
    for length in range(1, len(ranges)):
        cut = describe(lowest[:length], start=7)
        low, high = ranges[length]
        assert cut == (7, length, "UTF8-TRUNCATED", rule, spelled(low, high), "", True)
        broken = describe(lowest[:length] + b"A", start=7)
        assert broken == (7, length, "UTF8-MISSING-TAIL", rule, spelled(low, high), "41", False)
    assert describe(lowest) is None


def cpython_errors(data):
    """Return (start, end) of every sequence that CPython's decoder refuses."""
    found, start = [], 0
    while True:
        try:
            data[start:].decode("utf-8")
        except UnicodeDecodeError as error:
            found.append((start + error.start, start + error.end))
            start += error.end
        else:
            return found


EDGES = sorted(
    {edge for _, ranges in CHARACTERS for low, high in ranges for edge in (low - 1, low, high, high + 1)}
    & set(range(256))
    | {0x00, 0xFF}
)


@pytest.mark.parametrize("first", EDGES, ids="{:02X}".format)
def test_positions_are_cpythons_on_strings_of_up_to_three_class_edges(first):
    """Of three, every other one: all pairs come up in all places."""
    threes = ((second, third) for at, second in enumerate(EDGES) for third in EDGES[(first + at) % 2 :: 2])
    for rest in [(), *((second,) for second in EDGES), *threes]:
        data = bytes([first, *rest])
        ours = list(iter_errors(data))
        assert [(error.start, error.end) for error in ours] == cpython_errors(data), ids(data)
        counted = Counter(error.code for error in ours)
        assert count_errors(data) == {code: counted[code] for code in CODES}, ids(data)
        assert Summary.of(data).finish().codes == counted, ids(data)
        assert [error for error in ours if error.truncated] == [
            error for error in ours if error.code == "UTF8-TRUNCATED"
        ]


@pytest.mark.parametrize("policy", POLICIES)
def test_each_policy_of_repair_replaces_as_the_decoder_in_python(policy):
    """All bytes beside EDGES, and three of EDGES; ASCII between them makes each a text by itself."""
    words = chain(product(EDGES, range(256)), product(range(256), EDGES), product(EDGES, repeat=3))
    text = b"A".join(map(bytes, words))
    assert repair(text, f"fffd:{policy}").data.decode() == replace(text, policy=policy)


def test_an_ill_formed_says_in_a_sentence_what_is_wrong():
    assert (describe(b""), describe(b"\xff", 9).offending, describe(b"\xe4\xbdA", 9).offending) == (None, 9, 11)
    assert str(describe(b"\xed\xa0\x80")) == "UTF8-SURROGATE: byte A0 at offset 1; expected 80..9F (UTF8-3)"
    assert str(describe(b"\xe4\xbd")) == "UTF8-TRUNCATED: input ends at offset 2, within UTF8-3; expected 80..BF"


def test_what_the_end_leaves_open_is_a_first_byte_and_fewer_tails_than_it_announces():
    announced = {0xC0: 2, 0xC2: 2, 0xDF: 2, 0xE0: 3, 0xED: 3, 0xEF: 3, 0xF0: 4, 0xF4: 4, 0xF7: 4}
    for first in (0, 0x7F, *announced, 0xF8, 0xFF):
        for tails in range(5):
            left = 1 + tails if 1 + tails < announced.get(first, 1) else 0
            for tail in (0x80, 0xBF):
                word = bytes([first]) + bytes([tail]) * tails
                assert [unfinished(word), unfinished(b"\xe4" + word)] == [left, left], word.hex(" ")
    assert [unfinished(bytes([0x80]) * count) for count in range(5)] == [0] * 5
