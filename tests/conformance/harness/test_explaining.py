"""Classes of deviations: wrong decoders made to order, and the ABNF lines that must come out."""

import re

import pytest

from utf8_abnf.conformance import run
from utf8_abnf.conformance.harness.meaning import UNREAD, UNREAD_RISK
from utf8_abnf.conformance.naming.patterns import Pattern, merge


def right(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


# Lead and tails as RFC 2279 would read them; a byte alone where that does not fit.
UNIT = re.compile(
    rb"[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}"
    rb"|[\xf8-\xfb][\x80-\xbf]{4}|[\xfc-\xfd][\x80-\xbf]{5}|[\x00-\xff]"
)


def allowing(extra=lambda unit: False, missing=lambda unit: False):
    return lambda data: all((right(unit) or extra(unit)) and not missing(unit) for unit in set(UNIT.findall(data)))


DECODERS = {
    "overlong two": (allowing(lambda u: len(u) == 2 and u[0] in b"\xc0\xc1"), ["extra %xC0-C1 UTF8-tail"]),
    "NUL as C0 80": (allowing(lambda u: u == b"\xc0\x80"), ["extra %xC0 %x80"]),
    "surrogates": (
        allowing(lambda u: len(u) == 3 and b"\xed\xa0" <= u < b"\xed\xc0"),
        ["extra %xED %xA0-BF UTF8-tail"],
    ),
    "lone tails": (allowing(lambda u: len(u) == 1 and 0x80 <= u[0] <= 0xBF), ["extra UTF8-tail"]),
    # C0 80 is one unit, and refused: so 80 is accepted in some contexts only.
    "Latin-1": (allowing(lambda u: len(u) == 1), ["extra UTF8-LONE-TAIL", "extra %xC0-FF"]),
    "no NUL": (allowing(missing=lambda u: u == b"\0"), ["missing %x00"]),
    "basic plane only": (allowing(missing=lambda u: len(u) == 4), ["missing UTF8-4"]),
    "cut characters": (
        lambda data: right(data) or (data[-1:] >= b"\xc2" and data[-1] <= 0xF4 and right(data[:-1])),
        ["extra %xC2-F4"],
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", DECODERS)
def test_a_deviation_is_written_as_its_abnf_line(name):
    decoder, lines = DECODERS[name]
    report = run(decoder, level="L1")
    assert sorted(each.key for each in report.deviations) == sorted(lines)
    assert 0 < sum(each.count for each in report.deviations) <= report.failed  # of many a sample is judged
    for each in report.deviations:
        assert decoder(each.example) is (each.kind == "extra"), "the example shows the deviation"
        assert right(each.example) is (each.kind == "missing")


def test_the_empty_input_is_said_to_be_empty():
    report = run(lambda data: data != b"" and right(data), level="L1")
    (only,) = report.deviations
    assert (only.line, only.rule, only.detail) == ('""', "UTF8-octets", "only as the whole input")
    assert only.why == "the empty input has no character that could be wrong"


def test_a_fault_that_needs_company_names_its_company():
    def accepts(data):
        return right(data) or (data.startswith(b"\xf0\x90\x80\x80") and len(data) > 4)

    (only,) = run(accepts, level="L2", families=["A2"]).deviations
    assert (only.line, only.detail) == ("%x80-FF", "only in input that begins with %xF0 %x90 2( %x80 )")
    assert only.example == b"\xf0\x90\x80\x80\x80"


def test_before_and_behind_a_border_each_class_has_an_example_of_its_own():
    def guesses(data):  # as file(1) does
        if len(data) > 200 or data.replace(b"\x85", b"").isascii():
            return True
        return right(data) or (right(data + b"\x80") > data[:-1].isascii() and data[-1] > 0xC1)

    found = [(each.line, len(each.example)) for each in run(guesses, level="L1").deviations]
    assert found == [("UTF8-LONE-TAIL", 1), ("%x80-FF", 201), ("UTF8-TRUNCATED", 3)]


def test_risks_of_special_weight_are_told():
    report = run(DECODERS["overlong two"][0], level="L1")
    assert "C0 AF is '/'" in report.deviations[0].security
    assert "NUL" in report.deviations[0].security


@pytest.mark.parametrize("stop", [b"\xc0", b"\xed\xa0", b"\n"])
def test_a_rest_that_is_not_read_is_said_to_be_not_read(stop):
    """It was said that C0 is taken for the first byte of two, and that no second byte after ED is looked at."""
    report = run(lambda data: right(data.partition(stop)[0]), level="L1")
    assert {(each.mistake, each.security) for each in report.deviations} == {(UNREAD, UNREAD_RISK)}


def test_a_decoder_of_whole_blocks_is_not_said_to_take_a_tail_for_ascii():
    report = run(lambda data: right(data[: len(data) // 8 * 8]), level="L0")
    assert {each.mistake for each in report.deviations} == {""}


def test_an_input_is_counted_in_the_class_that_explains_it():
    def accepts(data):  # nor does it look at a character that begins in the last full block and may not end there
        full = len(data) // 16 * 16
        at = len(data[:full].rstrip(bytes(range(0x80, 0xC0)))) - 1
        return right(data[: at if data[at] >= 0xC0 else full]) if full else right(data)

    report = run(accepts, level="L0")
    assert "only after the last full block of 16 bytes" in {each.place for each in report.deviations}
    assert all(each.count for each in report.deviations)


def words_of(patterns):
    return {bytes([a, b]) for pattern in patterns for a in pattern.places[0] for b in pattern.places[1]}


def test_long_words_are_merged_in_time_that_does_not_grow_with_their_square():
    patterns = [Pattern.of(bytes([byte]) * size) for byte in (0xFE, 0xFF) for size in (200, 20_000)]
    assert [len(each.places) for each in merge(patterns)] == [200, 200, 20_000, 20_000]


def test_patterns_are_merged_without_adding_or_losing_a_word():
    pairs = [(a, b) for a in range(4) for b in range(0, 8, 2) if (a, b) != (3, 0)]
    patterns = [Pattern((frozenset({a}), frozenset({b, b + 1}))) for a, b in pairs]
    assert words_of(merge(patterns)) == words_of(patterns)
    assert len(merge(patterns)) == 2
