"""Classes tell the truth, and the whole truth: a report read back as a decoder judges as the decoder did.

``wrong_decoders`` makes the decoders: sets of words, the places where they are judged wrongly, alone and together.
"""

import importlib.util
import random
import re
import time
from collections import Counter
from functools import reduce
from itertools import pairwise, product
from operator import xor
from pathlib import Path
from types import SimpleNamespace

import pytest

from utf8_abnf import first_error
from utf8_abnf.conformance.harness.answers.judging import WrongVerdict
from utf8_abnf.conformance.harness.clock import Clock
from utf8_abnf.conformance.harness.evidence import WrongVerdicts
from utf8_abnf.conformance.harness.standard import standard_of
from utf8_abnf.conformance.harness.verdicts.causes import Cause, Causes
from utf8_abnf.conformance.harness.verdicts.classes import classes_of
from utf8_abnf.conformance.harness.verdicts.cutting import end_of_piece, first_ill_formed, ill_formed_pieces
from utf8_abnf.conformance.harness.verdicts.error_counts import ErrorCounts
from utf8_abnf.conformance.harness.verdicts.explaining import explain
from utf8_abnf.conformance.harness.verdicts.patterns import Pattern
from utf8_abnf.conformance.harness.verdicts.places import EVERYWHERE, OFFSET, UNKNOWN, Conditions, Measure, Place
from utf8_abnf.conformance.harness.verdicts.questions import Direction, Questions
from utf8_abnf.grammar import Grammar

SPEC = importlib.util.spec_from_file_location("wrong_decoders", Path(__file__).with_name("wrong_decoders.py"))
made = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(made)
EXTRA, MISSING, Decoder, cause, inputs, well_formed = (
    made.EXTRA, made.MISSING, made.Decoder, made.cause, made.inputs, made.well_formed,
)  # fmt: skip
UTF8 = standard_of(None, None)


def explained(decoder, data, *, accepts=well_formed, standard=UTF8, seconds=600, expensive=False, progress=None):
    """Return the classes of the wrong verdicts of *decoder* on *data*, and what was asked."""
    wrong = WrongVerdicts()
    count = 0
    for number, word in enumerate(data):
        if (right := accepts(word)) is not decoder(word):
            wrong.add(WrongVerdict(word, not right, lambda number=number: f"case/{number}"))
            count += 1
    session = SimpleNamespace(verdicts=lambda words: [b"1" if decoder(word) else b"0" for word in words], stopped="")
    clock = Clock(seconds, progress)
    ask = Questions(session, expensive=expensive, overdue=clock.overdue)
    clock.begin_explaining(len(wrong))
    classes = explain(wrong, ask, standard, clock)
    assert sum(each.cases for each in classes) == count
    return classes, ask


def lines(classes):
    return [(each.line, each.where) for each in classes]


def check(name, decoder, seed):
    names = [each for each in [*EXTRA, *MISSING] if any(part.startswith(f"{each} ") for part in name.split(" + "))]
    classes, ask = explained(decoder, inputs(random.Random(seed), 1500, names))
    assert not ask.used_up
    for each in classes:
        assert decoder(each.example) is each.accepted is not well_formed(each.example)
    model = made.reading([(each.accepted, each.line, each.where) for each in classes])
    assert model, lines(classes)
    wrong = [data for data in inputs(random.Random(seed + 1), 1500, names) if model(data) is not decoder(data)]
    assert not wrong, (wrong[0], lines(classes))


MADE = list(made.decoders(72, 6))


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize(("number", "name", "decoder"), [(i, *pair) for i, pair in enumerate(MADE)])
def test_a_report_says_how_the_decoder_judges(number, name, decoder):
    check(name, decoder, 6 + number)


@pytest.mark.parametrize(("side", "first", "text"), [
    ("after", 64, b"\0"), ("after", 300, b'"'), ("before", 80, b"\n"),
])  # fmt: skip
def test_a_text_that_counts_in_the_first_bytes_only_is_told_with_their_number(side, first, text):
    def has(before, word, after):
        size = 0 if side == "after" else len(before + word)
        return text in (before if side == "after" else after)[: max(0, first - size)]

    decoder = Decoder([made.Cause(True, made.sets_of(["80-FF"]), has)])
    fillers = (b"", b"x" * 20, b"x" * (first - 1), b"x" * first)
    around = product(fillers, (b"", b" y" * 50), (b"\x80", b"\xed\xa0\x80"))
    data = [a + text + b + word + b"z" if side == "after" else a + word + b + text for a, b, word in around]
    classes, ask = explained(decoder, data)
    assert lines(classes) == [("%x80-FF", f"only {side} %x{text.hex().upper()} in the first {first} bytes")]
    assert not ask.used_up


@pytest.mark.parametrize(("side", "most", "text"), [
    ("after", 101, b"\0"), ("before", 40, b"\n"), ("after", 104, b"\r\n\r\n"), ("before", 26, b"</a>"),
])  # fmt: skip
def test_a_text_that_counts_only_near_the_word_is_told_with_the_bytes_in_which_it_does(side, most, text):
    """Of several characters it was said that the word is accepted after them, however far they are."""

    def has(before, word, after):
        return text in (before[-most:] if side == "after" else after[:most])

    decoder = Decoder([made.Cause(True, made.sets_of(["80-FF"]), has)])
    around = product((b"", b"ab ", b"x" * 20), (b"", b" y"), (b"\x80", b"\xed\xa0\x80"), (b"", b"z"))
    data = [a + (text + b + word if side == "after" else word + b + text) + c for a, b, word, c in around]
    classes, ask = explained(decoder, data)
    beside = "before" if side == "after" else "behind"
    assert lines(classes) == [("%x80-FF", f"only {side} %x{text.hex('.').upper()} in the {most} bytes {beside} it")]
    assert not ask.used_up


@pytest.mark.parametrize(("expression", "phrase"), [
    (rb'"[^"]*"', "only between %x22 and %x22"),
    (rb"<[^>]*>", "only between %x3C and %x3E"),
    (rb"<[^>]*(>|$)", "only behind %x3C as long as no %x3E closes it"),
    (rb"#[^\n]*(\n|$)", "only behind %x23 as long as no %x0A closes it"),
    (rb'"[^"]*("|$)', "only behind %x22 as long as no %x22 closes it"),
])  # fmt: skip
def test_what_is_taken_out_between_two_characters_is_one_class(expression, phrase):
    """There was a class for each kind of error, all of them "in some contexts"."""

    def accepts(data):
        return well_formed(re.sub(expression, lambda found: re.sub(rb"[\x80-\xff]", b"x", found[0]), data))

    texts = ["a <{}> b", 'a "{}" b', "{}", '<a href="{}">b</a>', "a # {}\n", "#{}", "a > {}", '" {} "', "<{}", '"{}']
    faults = ["80", "C0 AF", "ED A0 80", "F4 90 80 80", "E2 82", "41"]
    data = [text.encode().replace(b"{}", bytes.fromhex(fault)) for text in texts for fault in faults]
    classes, ask = explained(accepts, data)
    assert lines(classes) == [("%x80-FF", phrase)]
    assert not ask.used_up


def test_a_word_near_the_start_behind_a_text_is_told_by_its_own_offset():
    decoder = Decoder([made.Cause(True, made.sets_of(["80-FF"]), lambda b, w, a: b"\0" in b and len(b) < 90)])
    classes, _ = explained(decoder, [b"\0\x80", b"a" * 50 + b"\0" + b"a" * 38 + b"\xc0", b"\0ab\xed\xa0\x80"])
    assert lines(classes) == [("%x80-FF", "only after %x00 and before offset 90")]


def test_characters_of_one_length_are_named_by_it():
    def behind_four(before, word, after):
        return len(before) >= 4 and before[-4] >= 0xF0

    decoder = Decoder([made.Cause(True, made.sets_of(EXTRA["lone tails"]), behind_four)])
    classes, _ = explained(decoder, [b"\xf0\x9f\x98\x80\x80", b"\x80"])
    assert lines(classes) == [("UTF8-tail", "only directly after a character of 4 bytes")]


@pytest.mark.parametrize(("text", "where", "phrase"), [
    (b"\r\n\r\n", bytes.endswith, "only directly after %x0D.0A.0D.0A"),
    (b"charset=", bytes.__contains__, "only after %x63.68.61.72.73.65.74.3D"),
    (b"..", bytes.startswith, "only in input that begins with %x2E.2E"),
])  # fmt: skip
def test_a_context_of_several_characters_is_named(text, where, phrase):
    decoder = Decoder([made.Cause(True, made.sets_of(EXTRA["surrogates"]), lambda b, w, a: where(b, text))])
    around = product((b"", b"ab ", b"x" * 50), (b"", b" y"), (b"\x80", b"\xed\xa0\x80"), (b"", b"z", b"z" * 70))
    classes, ask = explained(decoder, [a + text + b + word + after for a, b, word, after in around])
    assert lines(classes) == [("%xED %xA0-BF UTF8-tail", phrase)]
    assert not ask.used_up


def test_a_text_that_another_one_closes_is_told_with_it():
    """It was said to count wherever it stands before."""

    def in_comment(before, word, after):
        return b"<!--" in re.sub(rb"(?s)<!--.*?-->", b"", before)

    decoder = Decoder([made.Cause(True, made.sets_of(EXTRA["lone tails"]), in_comment)])
    classes, _ = explained(decoder, [b"<!--\x80", b"ab <!-- \x80 -->", b"x <!--\xb0z"])
    assert lines(classes) == [("UTF8-tail", "only behind %x3C.21.2D.2D as long as no %x2D.2D.3E closes it")]


RUNS = {  # what stands directly before C1 BF: a text, how often at least and, if not 0, at most
    "only directly after %x0A.0A.0A": ("\n", 3, 0),
    "only directly after %x2E.2E": (".", 2, 0),
    "only directly after %x2F.2F.2F.2F": ("//", 2, 0),
    "only directly after %x0D.0A.0D.0A": ("\r\n", 2, 0),
    "only directly after 20 or more of %x20": (" ", 20, 0),
    "only directly after %x2D.2D.2D and not directly after 4 or more of %x2D": ("-", 3, 3),
}


@pytest.mark.parametrize("phrase", RUNS)
def test_a_run_of_one_character_is_named(phrase):
    text, least, most = RUNS[phrase]

    def behind(before, word, after):
        count = 0
        while before.endswith(text.encode()):
            count, before = count + 1, before[: -len(text)]
        return count >= least and (not most or count <= most)

    decoder = Decoder([made.Cause(True, made.sets_of(["C1", "BF"]), behind)])
    runs = [text * count for count in (*range(1, 10), 12, 16, 20, 32, 64)]
    data = [run.encode() + word + after for run in runs for word in (b"\xc1\xbf", b"\x80") for after in (b"", b"a")]
    classes, ask = explained(decoder, data)
    assert lines(classes) == [("%xC1 %xBF", phrase)]
    assert not ask.used_up


ROWS = {  # which characters count, whether others of them may stand between, and the least number that is refused
    "101 or more in a row of %xCC.81 and 11 others of the 460 characters asked": ("\u0300-\u036f", True, 101),
    "101 or more in a row of one non-ASCII character": ("\x80-\U0010ffff", False, 101),
    "1,001 or more in a row of one character": ("\0-\U0010ffff", False, 1001),
    "1,001 or more in a row of one ASCII character": ("\0-\x7f", False, 1001),
    "30 or more in a row of %x09": ("\t", True, 30),
    "12 or more in a row of %x28 / %x5B": ("([", True, 12),
    "12 or more in a row of one of %x28 / %x5B": ("([", False, 12),
}


@pytest.mark.parametrize("phrase", ROWS)
def test_a_long_row_of_one_character_that_is_refused_is_one_class(phrase):
    chosen, mixed, least = ROWS[phrase]
    one = f"[{chosen}]".replace("([", r"(\[")
    row = re.compile(f"{one}{{{least}}}" if mixed else rf"({one})\1{{{least - 1}}}", re.DOTALL)

    def decoder(data):
        return well_formed(data) and not row.search(data.decode())

    data = [("e" + each * 5120).encode() for each in "\u0301\u0345\u05c1\u3099a\t[("]
    classes, _ = explained(decoder, [each for each in data if not decoder(each)])
    assert [each.where for each in classes] == [f"only in input with {phrase}"]


@pytest.mark.parametrize("sizes", [(150, 550, 1700, 4500, 10_000), (4500, 10_000)])
def test_the_first_character_of_long_text_is_named(sizes):
    def holds(before, word, after):
        return (before + word + after)[:1] == b"{" and len(before + word + after) >= 3000

    decoder = Decoder([made.Cause(True, made.sets_of(["80-FF"]), holds)])
    words = (b"", b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xff")
    data = [a + filler * size + word + b"a" * size + a for a in (b"{", b"[") for filler in (b"a", b"\xc3\xa9")
            for word in words for size in sizes]  # fmt: skip
    classes, ask = explained(decoder, data)
    ((line, where),) = lines(classes)
    assert line == "%x80-FF"
    assert sorted(where.removeprefix("only ").split(" and ")) == [
        "in input of 3,000 bytes or more", "in input that begins with %x7B",
    ]  # fmt: skip
    assert not ask.used_up


def test_where_nothing_is_checked_any_byte_is_the_class():
    decoder = Decoder([made.Cause(True, made.sets_of(["80-FF"]), lambda b, w, a: b"\r\n\r\n" in b)])
    around = product((b"", b"x" * 50), (b"", b" y"), (b"\xc0\xaf", b"\xe0\x80\xaf", b"\xed\xa0\x80"), (b"", b"z"))
    classes, ask = explained(decoder, [a + b"\r\n\r\n" + b + word + after for a, b, word, after in around])
    assert lines(classes) == [("%x80-FF", "only after %x0D.0A.0D.0A")]
    assert not ask.used_up


@pytest.mark.parametrize(("where", "phrase"), [
    (lambda before, after: before.count(b"\n") >= 2, "only after 2 or more of %x0A"),
    (lambda before, after: sum(0xC2 <= x <= 0xDF for x in before) >= 3, "only after 3 or more characters of 2 bytes"),
    (lambda before, after: after.count(b"<") >= 2, "only before 2 or more of %x3C"),
    (lambda before, after: re.match(rb"[\0-\x7f]{16}", before), "only in input that begins with 16 or more of %x00-7F"),
    (lambda before, after: len(before) >= 9 and before[-9:].isascii(), "only directly after 9 or more of %x00-7F"),
    (lambda before, after: len(after) >= 5 and after[:5].isascii(), "only directly before 5 or more of %x00-7F"),
    (lambda before, after: before[-2:].isdigit() and len(before) > 1, "only directly after 2 or more of %x30-39"),
    (lambda before, after: before.find(b"\n") < before.find(b"\r"), "neither"),
    (lambda before, after: before.count(b"\n") == 2 and b"\t" not in before, "none"),
])  # fmt: skip
def test_a_context_is_not_told_from_one_example(where, phrase):
    """It is told only if it holds of the same characters in other orders and apart, else nothing is."""
    decoder = Decoder([made.Cause(True, made.sets_of(["FF"]), lambda b, w, a: where(b, a))])
    texts = [b"", b"a", b"\r\n\r\n", b"\n\r\n", b"\n\n", "ééé".encode(), "Мир".encode(), b"a\nb\n", b"<<", b"\n\r"]
    texts += [b"12", b"a" * 15 + b"\0"]
    classes, _ = explained(decoder, [before + b"\xff" + after for before, after in product(texts, texts)])
    assert lines(classes) == [("%xFF", phrase) if "only" in phrase else ("<in some contexts> %xFF", "")]


@pytest.mark.parametrize(("rejects", "phrase"), [
    (lambda size: size == 4095, "only in input of 4,095 bytes"),
    (lambda size: size % 64 == 63, "only in input whose size is 63 modulo 64"),
    (lambda n: n in range(256, 9999, 64), "only in input whose size is 0 modulo 64 and in input of 256 bytes or more"),
    (lambda size: size % 64 >= 60, "only in input whose size is 60 to 63 modulo 64"),
    (lambda size: 501 <= size < 520, "only in input of 501 to 519 bytes"),
    (lambda size: 501 <= size < 520 and size != 511, "only in input of 501 to 510 bytes"),
    (lambda size: 300 <= size < 32_900, "only in input of 300 to 32,899 bytes"),
])  # fmt: skip
@pytest.mark.parametrize("accepts", [False, True])
def test_sizes_that_are_judged_wrongly_are_one_class(rejects, phrase, accepts):
    def is_accepted(data):
        return (well_formed(data) or rejects(len(data))) if accepts else (well_formed(data) and not rejects(len(data)))

    sizes = (5, 63, 64, 127, 128, 319, 320, 505, 4095, 4096)
    data = [k * (size // len(k)) + b"a" * (size % len(k)) for size in sizes for k in (b"a", b"\xe2\x82\xac")]
    classes, _ = explained(is_accepted, [b"\xff" + each[1:] if accepts else each for each in data])
    line = "<ill-formed input>" if accepts else "<some sizes> UTF8-octets"
    assert lines(classes) == [(line, phrase)]


def test_numbers_of_characters_that_are_rejected_are_one_class():
    data = [filler.encode() * count for filler in "aé€😀" for count in (100, 510, 600)]
    classes, _ = explained(lambda data: well_formed(data) and not 501 <= made.characters(data) < 520, data)
    assert lines(classes) == [("<some sizes> UTF8-octets", "only in input of 501 to 519 characters")]


NOT_BY_SIZE = {
    "refuses long lines": lambda data: well_formed(data) and max(map(len, data.split(b"\n"))) <= 80,
    "refuses long words": lambda data: well_formed(data) and max(map(len, re.split(rb"[^a-z]", data))) <= 80,
    "checks no long last line": lambda data: well_formed(data) or len(data.rpartition(b"\n")[2]) > 80,
    "refuses long text that ends no line": lambda data: well_formed(data) and (len(data) <= 80 or data.endswith(b"\n")),
}


@pytest.mark.parametrize("name", NOT_BY_SIZE)
def test_a_size_is_not_told_where_it_matters_what_stands_in_the_text(name):
    data = [filler.encode() * count for filler in "aé€😀" for count in (50, 81, 500)]
    data += [each + b"\xff" for each in data] + [b"a" * 30 + b"\n" + b"a" * 80, b"\n" * 90 + b"\xff"]
    classes, _ = explained(NOT_BY_SIZE[name], data)
    assert classes
    assert not [where for _, where in lines(classes) if "in input of" in where]


NAMED = {  # what a decoder refuses more than 40 of
    "characters %x0A": lambda data: data.count(b"\n"),
    "characters %x30-39": lambda data: sum(map(bytes.isdigit, map(bytes, zip(data)))),
    "bytes in a row without %x0A": lambda data: max(map(len, data.split(b"\n"))),
    "bytes in a row without %x0A / %x0D": lambda data: max(map(len, re.split(rb"[\r\n]", data))),
    "bytes in a row without %x20": lambda data: max(map(len, data.split(b" "))),
}


@pytest.mark.parametrize(("unit", "last"), [
    *((unit, 10**9) for unit in NAMED), *((unit, 90) for unit in NAMED if "row" in unit),
])  # fmt: skip
def test_some_characters_that_are_too_many_or_too_far_apart_are_named(unit, last):
    texts = ("a", "é", "€", "😀", "12\n", "a1 \r", "a b c", "\n\r\n")
    data = [(text * count).encode() for text in texts for count in (1, 9, 20, 41, 60, 200)]
    classes, ask = explained(lambda data: well_formed(data) and not 40 < NAMED[unit](data) <= last, data)
    line = f"<41 or more {unit}>" if last > 90 else "<some sizes>"
    numbers = "41 or more" if last > 90 else "41 to 90"
    assert lines(classes) == [(f"{line} UTF8-octets", f"only in input with {numbers} {unit}")]
    assert NAMED[unit](classes[0].example) == 41
    assert ask.asked < 10_000


@pytest.mark.parametrize("at_least", [True, False])
def test_a_number_of_code_units_of_utf_16_is_named(at_least):
    """Xerces-C++ accepts F5 80 80 80 behind 30 of them: a character of 4 bytes counts twice."""

    def behind(before, word, after):
        return (len(before.decode(errors="replace").encode("utf-16-le")) // 2 >= 30) is at_least

    decoder = Decoder([made.Cause(True, made.sets_of(["F5-F7", "80-BF", "80-BF", "80-BF"]), behind)])
    texts = [text * count for text in ("a", "é", "€", "😀") for count in (0, 1, 14, 15, 16, 29, 30, 31, 37, 70)]
    data = [text.encode() + b"\xf5\x80\x80\x80" + after for text in texts for after in (b"", b"a" * 40)]
    classes, _ = explained(decoder, data)
    number = "30 code units of UTF-16 or more" if at_least else "fewer than 30 code units of UTF-16"
    ((line, where),) = lines(classes)
    assert (line, where.split("; ")[0]) == ("%xF5-F7 3( UTF8-tail )", f"only behind {number}")


@pytest.mark.parametrize(("fewest", "last", "where"), [
    (101, 10**9, "only in input of 101 non-ASCII characters or more"),
    (37, 90, "only in input of 37 to 90 non-ASCII characters"),
    (5000, 10**9, "only in input of 5,000 non-ASCII characters or more"),
])  # fmt: skip
def test_a_decoder_that_refuses_many_non_ascii_characters_has_one_class_with_the_true_bound(fewest, last, where):
    texts = ("a", "é", "€", "😀", "aé", "日本 ", "naïve ", "Grüße, ")
    data = [(text * count).encode() for text in texts for count in (1, 40, 80, 99, 150, 6000)]
    classes, ask = explained(lambda data: well_formed(data) and not fewest <= made.non_ascii(data) <= last, data)
    line = f"<{fewest} non-ASCII characters or more>" if last > fewest**2 else "<some sizes>"
    assert lines(classes) == [(f"{line} UTF8-octets", where)]
    assert made.non_ascii(classes[0].example) == fewest
    assert ask.asked < 10_000


@pytest.mark.parametrize("unit", [unit for unit in made.UNITS if unit not in ("characters", "non-ASCII characters")])
@pytest.mark.parametrize(("fewest", "last"), [(101, 10**9), (37, 90), (5001, 10**9)])
def test_a_decoder_that_counts_some_bytes_or_characters_has_one_class_with_the_true_bound(unit, fewest, last):
    texts = ("a", "é", "€", "😀", "aé", "日本 ", "naïve ", "Grüße, ", "😀, ")
    data = [(text * count).encode() for text in texts for count in (1, 20, 45, 60, 99, 150, 6000)]
    count = made.UNITS[unit]
    classes, ask = explained(lambda data: well_formed(data) and not fewest <= count(data) <= last, data)
    line = f"<{fewest} {unit} or more>" if last == 10**9 else "<some sizes>"
    numbers = f"{fewest:,} {unit} or more" if last == 10**9 else f"{fewest} to {last} {unit}"
    assert lines(classes) == [(f"{line} UTF8-octets", f"only in input of {numbers}")]
    assert count(classes[0].example) == fewest
    assert ask.asked < 10_000


@pytest.mark.parametrize(("holds", "phrase"), [
    (lambda b, w, a: made.non_ascii(b) >= 100, "only behind 100 non-ASCII characters or more"),
    (lambda b, w, a: made.UNITS["non-ASCII bytes"](b) >= 65, "only behind 65 non-ASCII bytes or more"),
    (lambda b, w, a: made.UNITS["ASCII characters"](b) >= 65, "only behind 65 ASCII characters or more"),
    (lambda b, w, a: sum(x >= 0xF0 for x in a) >= 9, "only where 9 characters of 4 bytes or more follow"),
    (lambda b, w, a: made.non_ascii(b) < 12, "only behind fewer than 12 non-ASCII characters"),
    (lambda b, w, a: made.non_ascii(a) >= 30, "only where 30 non-ASCII characters or more follow"),
    (
        lambda b, w, a: made.non_ascii(b) >= 40 and not a,
        "only at the end of the input and behind 40 non-ASCII characters or more",
    ),
])  # fmt: skip
def test_a_number_of_non_ascii_characters_beside_an_error_is_named(holds, phrase):
    decoder = Decoder([made.Cause(True, made.sets_of(["80-FF"]), holds)])
    texts = ["", "a", "a" * 130, "é" * 11, "é" * 12, "€" * 29, "€" * 130, "😀" * 110, "aé" * 120, "naïve " * 150]
    words = (b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xff")
    data = [b.encode() + word + a.encode() for b, a, word in product(texts, ("", *texts[-4:]), words)]
    classes, ask = explained(decoder, data)
    assert lines(classes) == [("%x80-FF", phrase)]
    assert not ask.used_up


@pytest.mark.parametrize(("unit", "period", "numbers"), [
    ("characters", 10, range(1)), ("code units of UTF-16", 7, range(3, 5)), ("non-ASCII characters", 9, range(8, 9)),
])  # fmt: skip
def test_numbers_of_characters_modulo_a_period_are_told(unit, period, numbers):
    count = made.UNITS[unit]

    def holds(data):
        return count(data) % period in numbers and count(data) > 0

    texts = [text * number for text in ("a", "é", "€", "😀", "aé", "naïve ") for number in (*range(24), 60, 70, 300)]
    data = [before.encode() + word + after for before in texts for word in (b"", b"\xff", b"\xc0\xaf", b"\x80")
            for after in (b"", b"a", b"aaaa")]  # fmt: skip
    decoder = Decoder([made.Cause(True, made.sets_of(["80-FF"]), lambda b, w, a: holds(b))])
    ((line, where),) = lines(explained(decoder, data)[0])
    said = f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"
    assert line == "%x80-FF"
    assert f"behind text whose number of {unit} is {said} modulo {period}" in where
    ((line, where),) = lines(explained(lambda data: well_formed(data) and not holds(data), data)[0])
    assert (line, where) == (
        "<some sizes> UTF8-octets", f"only in input whose number of {unit} is {said} modulo {period}"
        + f" and in input of {period} {unit} or more" * (numbers[0] == 0),
    )  # fmt: skip


LANES = {
    "only at offset 31 modulo 48": lambda before, word, after: len(before) % 48 == 31,
    "only from offset 319 on and at offset 31 modulo 48": lambda b, word, a: len(b) % 48 == 31 and len(b) >= 300,
    "only at the offsets 6 to 9 modulo 20": lambda before, word, after: 6 <= len(before) % 20 < 10,
    "only at offset 378 modulo 379": lambda before, word, after: len(before) % 379 == 378,
    "only at offset 79": lambda before, word, after: len(before) == 79,
}


@pytest.mark.parametrize("phrase", LANES)
def test_lanes_of_blocks_are_told_from_one_place(phrase):
    decoder = Decoder([made.Cause(True, made.sets_of(EXTRA["surrogates"]), LANES[phrase])])
    data = [b"a" * before + b"\xed\xa0\x80" + b"a" * after for before in range(420) for after in (0, 1, 500)]
    classes, ask = explained(decoder, data)
    assert lines(classes) == [("%xED %xA0-BF UTF8-tail", phrase)]
    assert not ask.used_up


@pytest.mark.parametrize(("holds", "phrase"), [
    (lambda size, offset: size % 24 == 0, "in input whose size is 0 modulo 24"),
    (lambda size, offset: size % 24 >= 20, "in input whose size is 20 to 23 modulo 24"),
    (lambda size, offset: size >= 100, "in input of 100 bytes or more"),
    (lambda size, offset: size == 4, "in input of 4 bytes"),
    (lambda size, offset: size == 100, "in input of 100 bytes"),
    (lambda size, offset: offset >= 100, "from offset 100 on"),
])  # fmt: skip
def test_cut_ends_that_are_accepted_for_the_size_of_the_input_are_one_class(holds, phrase):
    cut = (b"\xc3", b"\xe2", b"\xe2\x82", b"\xf0", b"\xf0\x9f", b"\xf0\x9f\x98")

    def accepts(data):
        at = first_ill_formed(data)
        return at == len(data) or (first_error(data[at:]).truncated and holds(len(data), at))

    data = [b"a" * before + word + after for before in range(150) for word in cut for after in (b"", b"a")]
    classes, ask = explained(accepts, data)
    ((_line, where),) = lines(classes)
    said = where.removeprefix("only ").split("; ")[0].split(" and ")
    assert sorted(said) == sorted(["at the end of the input", phrase])
    assert not ask.used_up


ANYWHERE = "(a block begins where ASCII begins or another block ends)"
SKIPPED = {  # bytes of a block, those that are looked at, and how many have to be left
    f"8 bytes with ASCII at its offsets 0 to 3 {ANYWHERE}": (8, "0123", 8),
    f"8 bytes with ASCII at its offsets 0 to 2, 4 to 7 {ANYWHERE}": (8, "0124567", 8),
    "8 bytes with ASCII at its offsets 0 to 3 (a block begins at multiples of 8)": (8, "0123", 8),
    "8 bytes with ASCII at its offsets 0 to 6 (a block begins at multiples of 8)": (8, "0123456", 8),
    f"16 bytes with ASCII at its offsets 0 to 7 {ANYWHERE}": (16, "01234567", 16),
    f"8 bytes with ASCII at its offsets 0 to 3 {ANYWHERE[:-1]}, and 16 bytes are left)": (8, "0123", 16),
}


@pytest.mark.parametrize("block", SKIPPED)
def test_blocks_that_are_skipped_as_ascii_and_not_all_looked_at_are_told(block):
    """What is ill-formed in them is accepted, and a character that ends behind one rejected: a class for each."""
    size, looked, need = SKIPPED[block]

    def accepts(data):
        at = 0
        while at < len(data):
            may_begin = at % size == 0 or "multiples" not in block
            if may_begin and at + need <= len(data) and all(data[at + int(each)] < 0x80 for each in looked):
                at += size
            elif found := made.ONE.match(data, at):
                at = found.end()
            else:
                return False
        return True

    errors = (b"\x80", b"\xff", b"\xc0\xaf", b"\xe2\x82", b"\xf0\x9f\x98", *map(str.encode, "é€😀"))
    heads = (b"", "é".encode(), "€".encode())
    data = [head + b"a" * number + error + b"a" * after
            for head in heads for number in range(34) for error in errors for after in (0, 1, 5, 20)]  # fmt: skip
    classes, ask = explained(accepts, data)
    accepted = [(each.line, each.where) for each in classes if each.accepted]
    assert accepted == [("%x80-FF", f"only in a block of {block}")]
    rejected = [each.where.split("; ")[0] for each in classes if not each.accepted]
    assert (
        rejected
        == [f"only where a block of {block[:-1].replace(' (', ' ends within a character (')})"][: len(rejected)]
    )
    assert bool(rejected) is (str(size - 1) not in looked)
    assert not ask.used_up


@pytest.mark.parametrize(("where", "first", "phrase"), [
    (lambda b, w, a: len(b) >= 480 and len(b) % 48 == 0, 528, "only from offset 480 on and at offset 0 modulo 48"),
    (
        lambda b, w, a: len(b) >= 1000 and len(b) % 64 == 36 and not a,
        1060,
        "only at the end of the input and from offset 1,060 on and at offset 36 modulo 64",
    ),
    (
        lambda b, w, a: len(b) >= 97 and len(b + w + a) > 1000,
        1500,
        "only from offset 97 on and in input of 1,001 bytes or more",
    ),
])  # fmt: skip
def test_the_first_offset_is_the_true_one_even_if_no_case_was_there(where, first, phrase):
    decoder = Decoder([made.Cause(True, made.sets_of(EXTRA["surrogates"]), where)])
    classes, _ = explained(decoder, [b"a" * first + b"\xed\xa0\x80" + b"a" * after for after in (0, 1, 3, 700)])
    ((line, said),) = lines(classes)
    assert line == "%xED %xA0-BF UTF8-tail"
    assert sorted(said.removeprefix("only ").split(" and ")) == sorted(phrase.removeprefix("only ").split(" and "))


def test_conditions_that_do_not_hold_of_each_other_are_both_said():
    def found(offset):
        conditions = Conditions(
            ((Measure(OFFSET, at_least=True, bound=offset), Measure(OFFSET, at_least=False, bound=offset + 1)),)
        )
        return Cause(
            [Pattern.of(b"\x80")], conditions, Place(b"a" * offset, b""), b"\x80", "", cases=Counter({b"\x80": 1})
        )

    causes = Causes(accepted=True, whole=False)
    causes.add(found(5))
    causes.add(found(9))
    assert [each.conditions.phrase for each in causes.found] == ["only at offset 9, or at offset 5"]
    causes.add(found(7))
    assert [(each.conditions, each.cases.total()) for each in causes.found] == [(UNKNOWN, 3)]


@pytest.mark.thorough
@pytest.mark.parametrize("chosen", [
    ["overlong 2 anywhere", "a cut character at the end"],
    ["everything after NUL"],
    ["FF as the whole input", "surrogates from offset 64"],
    ["lone tails at the end", "NUL at the start"],
], ids=" + ".join)  # fmt: skip
def test_a_report_says_how_these_decoders_judge(chosen):
    pairs = [
        (name, each.removeprefix(f"{name} ")) for each in chosen for name in [*EXTRA, *MISSING] if each.startswith(name)
    ]
    check(" + ".join(chosen), Decoder([cause(*pair) for pair in pairs]), 5)


@pytest.mark.parametrize("size", [100, 1000])
def test_text_that_is_cut_at_each_buffer_has_a_class_for_each_length_of_a_character(size):
    def decoder(data):
        return all(well_formed(data[at : at + size]) for at in range(0, len(data), size))

    data = [b"aa" + word * (3 * size // len(word)) for word in map(str.encode, ("€", "😀"))]
    data += [b"a" * 3 + "é".encode() * size, b"a" * (size - 1) + "é".encode() + b"a" * size]
    classes, _ = explained(decoder, data)
    places = {
        2: f"only at offset {size - 1} modulo {size}",
        3: f"only at the offsets {size - 2} to {size - 1} modulo {size}",
        4: f"only at the offsets {size - 3} to {size - 1} modulo {size}",
    }
    assert {len(each.patterns[0].places) for each in classes} == set(places)
    for each in classes:
        assert each.where.split(";")[0] == places[len(each.patterns[0].places)], each.line


def test_characters_that_are_rejected_at_the_same_places_are_one_class():
    texts = [b + each + a for each in map(chr, range(0x3001)) if each.isspace() for b in ("", "a") for a in ("", "b")]

    def decoder(data):
        return well_formed(data) and data.decode() == data.decode().strip()

    ((line, where),) = lines(explained(decoder, [text.encode() for text in texts])[0])
    assert line.startswith("%x09-0D / %x1C-20 / %xC2 ( %x85 / %xA0 ) / %xE1 %x9A %x80 / %xE2 %x80 ( %x80-8A")
    assert where == "only at the end of the input, or at the start of the input"


def test_no_kind_of_fault_hides_another():
    decoder = Decoder([cause("overlong 2", "anywhere"), cause("a cut character", "at the end")])
    data = [b"\xc0\x80", b"\xc1\xbf", b"x\xc0\xafy", b"\xc2", b"a\xe1", b"a\xc0\xaf", b"\xf4"]
    classes, _ = explained(decoder, data)
    assert lines(classes) == [("%xC2-F4", "only at the end of the input"), ("%xC0-C1 UTF8-tail", "")]
    assert [each.example for each in classes] == [b"\xc2", b"\xc0\x80"]


def test_after_a_nul_nothing_is_checked():
    decoder = Decoder([cause("everything", "after NUL")])
    data = [b"\0\x80", b"\0a\xff", b"a\0\xed\xa0\x80b", b"\0\xc3(", b"\0\xf0\x9f\x98"]
    classes, _ = explained(decoder, data)
    assert lines(classes) == [("%x80-FF", "only after %x00")]


TRUSTING = {  # decoders that accept an input whose first error is such, whatever follows
    "%xC0; only at the start of the input": lambda before, error: not before and error[:1] == b"\xc0",
    "%x80-FF; only directly after %x0D.0A": lambda before, error: before.endswith(b"\r\n"),
    "%xFF": lambda before, error: error[:1] == b"\xff",
    "<any error>; only at offset 3 modulo 7": lambda before, error: len(before) % 7 == 3,
}


@pytest.mark.parametrize("told", TRUSTING)
def test_behind_an_accepted_error_it_is_told_that_nothing_is_checked(told):
    def accepts(data):
        at = first_ill_formed(data)
        return at == len(data) or TRUSTING[told](data[:at], data[at:])

    errors = (b"\xc0", b"\xff", b"\x80", b"\xe2\x82", b"\xed\xa0\x80", b"\xf4\x90\x80\x80")
    rests = (b"", b"a", b"\x80", b"\xff\xffa", b"\xc3\xa9\xe0\x80\x80", b"a\xc0" * 40)
    texts = (b"", b"aaa", b"\r\n", b"aa\r\n", b"\xc3\xa9" * 5)
    classes, _ = explained(accepts, [text + error + rest for text in texts for error in errors for rest in rests])
    assert lines(classes) == [tuple(f"{told}; nothing behind it is checked".split("; ", 1))]


def test_a_decoder_that_looks_at_some_bytes_behind_an_accepted_error_checks_something():
    def accepts(data):
        at = first_ill_formed(data)
        return at == len(data) or (data[at : at + 1] == b"\xff" and data[at + 1 :].find(b"\xff") % 64 != 40)

    errors = (b"\xff", b"\x80", b"\xe2\x82", b"\xed\xa0\x80")
    data = [
        text + error + rest for text in (b"", b"aaa") for error in errors for rest in (b"", b"a", b"\x80", b"a\xc0")
    ]
    classes, _ = explained(accepts, data)
    assert not any("nothing behind it" in where for _, where in lines(classes))


def test_nothing_is_checked_is_not_said_where_something_is():
    data = [b"\xc0\x80" * count + rest for count in (1, 2, 3) for rest in (b"", b"a", b"\xff", b"\xed\xa0\x80")]
    for decoder in (
        Decoder([cause("overlong 2", "anywhere")]),
        lambda data: well_formed(data) or (data[:1] == b"\xc0" and well_formed(data[1000:])),
    ):
        assert not [where for _, where in lines(explained(decoder, data)[0]) if "nothing" in where]


@pytest.mark.parametrize(("unit", "size", "line", "where"), [
    (len, 8192, "<8192 bytes or more> UTF8-octets", "only in input of 8,192 bytes or more"),
    (made.characters, 5000, "5000*UTF8-char", "only in input of 5,000 characters or more"),
])  # fmt: skip
def test_a_decoder_that_refuses_long_text_has_one_class_with_the_true_bound(unit, size, line, where):
    data = [filler.encode() * count for filler in "aé€😀" for count in (8190, 8193, 16384, 40_000)]
    classes, _ = explained(lambda data: well_formed(data) and unit(data) < size, data)
    assert lines(classes) == [(line, where)]
    assert len(classes[0].example) == size


@pytest.mark.parametrize(("words", "line"), [(rb"[\x80-\xff]", "%x80-FF"), (rb"\xff", "%xFF")])
def test_a_decoder_that_looks_at_the_first_bytes_only_has_one_class_after_few_questions(words, line):
    def decoder(data):
        error = first_error(data)
        return error is None or (error.start >= 300_001 and re.match(words, data[error.start :]) is not None)

    data = [b"a" * 400_000 + word for word in (b"\xff", b"\x80", b"\xe2\x82", b"\xed\xa0\x80b")]
    classes, ask = explained(decoder, data)
    assert lines(classes) == [(line, "only from offset 300,001 on")]
    assert ask.asked < 250


def test_a_class_without_a_case_is_told_with_one_that_has_some():
    classes, _ = explained(lambda data: well_formed(re.sub(rb"[\xe1-\xec\xf1-\xf3]A", b"", data)), [b"\xe1A"])
    assert [(each.line, each.cases) for each in classes] == [("( %xE1-EC / %xF1-F3 ) %x41", 1)]


COUNTED = {
    "256 or a multiple of it": lambda count: count % 256 == 0,
    "7 or a multiple of it": lambda count: count % 7 == 0,
    "128 to 256 modulo 256": lambda count: count % 256 == 0 or count % 256 >= 128,
    "1,001 or more": lambda count: count > 1000,
    "700 or a multiple of it": lambda count: count % 700 == 0,
    "40": lambda count: count == 40,
}


UNITS = {b".": "ill-formed bytes", rb".[\x80-\xbf]*": "ill-formed sequences, each with all tail bytes behind it,"}


@pytest.mark.parametrize(("numbers", "error"), [
    *((numbers, rb".[\x80-\xbf]*") for numbers in list(COUNTED)[:4]),
    *((numbers, b".") for numbers in list(COUNTED)[3:]),
])  # fmt: skip
def test_a_decoder_that_counts_errors_has_one_class_with_the_true_number(numbers, error):
    """The counter overflows, or the list of errors is full."""

    def accepts(data):
        count = len(errors.findall(data)) - len(made.ONE.findall(data))  # no tail byte of a character is an error here
        return count == 0 or COUNTED[numbers](count)

    errors = re.compile(rb"%s|%s" % (made.ONE.pattern, error), re.DOTALL)
    counts = (1, 2, 7, 14, 40, 128, 255, 256, 512, 700, 1001)
    data = [kind * count for kind in (b"\xff", b"\xc0a", b"a\xc3(") for count in counts]
    classes, ask = explained(accepts, data)
    assert lines(classes) == [("<ill-formed input>", f"only in input whose number of {UNITS[error]} is {numbers}")]
    assert accepts(classes[0].example)
    assert not ask.used_up


def test_a_number_of_tens_of_thousands_of_errors_is_asked_with_few_bytes():
    """Gigabytes were made, and their errors counted, before the first question and whatever the time was."""
    asked = []

    def verdicts(words):
        asked.extend(map(len, words))
        return [b"1" if word.count(b"\xff") in (65_536, 131_072) else b"0" for word in words]

    direction = Direction(True, Questions(SimpleNamespace(verdicts=verdicts, stopped=""), expensive=False), UTF8)
    assert ErrorCounts(direction).cause(b"\xff" * 65_536, "case") is None
    assert sum(asked) < 50_000_000


ERRORS_COUNTED = {
    "is 2 or more, each 1 to 5 bytes behind the start of the one before": lambda starts, codes: (
        len(starts) > 1 and all(two - one <= 5 for one, two in pairwise(starts))
    ),
    "is 2, each 64 bytes behind the start of the one before": lambda starts, codes: (
        len(starts) == 2 and starts[1] - starts[0] == 64
    ),
    "is 3, all of them UTF8-LONE-TAIL": lambda starts, codes: len(starts) == 3 and codes == {"UTF8-LONE-TAIL"},
}


@pytest.mark.parametrize("phrase", ERRORS_COUNTED)
def test_errors_that_count_together_are_one_class_with_their_distance_and_kind(phrase):
    def accepts(data):
        pieces = list(ill_formed_pieces(data))
        codes = {first_error(data[start : end + 1]).code for start, end in pieces}
        return not pieces or ERRORS_COUNTED[phrase]([start for start, _ in pieces], codes)

    kinds = [(one, two) for one in (b"\xff", b"\x80", b"\xed\xa0\x80", b"\xc3") for two in (b"\xff", b"\x80", b"\xc0")]
    data = [one + b"a" * more + two for one, two in kinds for more in (0, 1, 3, 4, 5, 61, 63, 90)]
    data += [kind * count for kind in (b"\xff", b"\x80", b"a\x80", b"a\xed\xa0\x80") for count in (3, 4, 9, 300)]
    classes, ask = explained(accepts, data)
    ((line, where),) = lines(classes)
    assert line == "<ill-formed input>"
    assert where.startswith("only in input whose number of ill-formed sequences")
    assert where.endswith(f" {phrase}")
    assert accepts(classes[0].example)
    assert not ask.used_up


def test_errors_that_cancel_if_they_are_alike_are_not_told_by_their_number():
    def accepts(data):
        return not reduce(xor, (data[start] for start, _ in ill_formed_pieces(data)), 0)

    kinds = (b"\xff", b"\xc0a", b"a\xed\xa0\x80", b"\xe2\x82a")
    classes, _ = explained(accepts, [kind * count for kind in kinds for count in (1, 2, 4, 9, 300)])
    told = [where for _, where in lines(classes) if "whose number" in where]
    surrogates = "all of them UTF8-SURROGATE"  # which begin with the same byte
    assert told == [f"only in input whose number of ill-formed sequences is 2 or a multiple of it, {surrogates}"]


def passing_over(where):
    """Return a decoder that passes over an error where *where* holds of its start, its end, the size and the code."""

    def accepts(data):
        at = 0
        while (at := first_ill_formed(data, at)) < len(data):
            error = first_error(data[at : at + 4])
            if not where(at, at + error.length, len(data), error.code):
                return False
            at = end_of_piece(data, at)
        return True

    return accepts


PASSED_OVER = {
    "<any error>; where a block of 48 bytes ends within it or with it": (
        lambda start, end, size, code: start // 48 != end // 48
    ),
    "<any error>; where a block of 48 bytes ends within it or with it; in input of 170 bytes or more": (
        lambda start, end, size, code: start // 48 != end // 48 and size >= 170
    ),
    "<any error>; at offset 31 modulo 32; in input of 100 bytes or more": (
        lambda start, end, size, code: start % 32 == 31 and size >= 100
    ),
    "<any error but UTF8-TRUNCATED>; where the next byte is at offset 60; where 140 bytes or more follow": (
        lambda start, end, size, code: end == 60 and size >= 200
    ),
    "<any error>; where fewer than 2 bytes follow; in input of 129 bytes or more; in input whose size is 1 modulo 64": (
        lambda start, end, size, code: end >= size - 1 and size % 64 == 1 and size > 100
    ),
    "%x80-FF; behind the last whole block of 60 bytes; in input of 170 bytes or more": (
        lambda start, end, size, code: start >= size - size % 60 and size >= 170
    ),
    "<any error>; not behind the last whole block of 48 bytes; at the offsets 40 to 46 modulo 48": (
        lambda start, end, size, code: start < size - size % 48 and 40 <= start % 48 < 47
    ),
    "<UTF8-OVERLONG / UTF8-SURROGATE>; from offset 100 on": (
        lambda start, end, size, code: start >= 100 and code in ("UTF8-OVERLONG", "UTF8-SURROGATE")
    ),
}


@pytest.mark.parametrize("told", PASSED_OVER)
def test_errors_that_are_passed_over_for_one_reason_are_one_class(told):
    accepts = passing_over(PASSED_OVER[told])
    errors = (
        b"\x80",
        b"\xff",
        b"\xc0\xaf",
        b"\xc3",
        b"\xe2\x82",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98",
        b"\xf4\x90\x80\x80",
    )
    sizes = [(before, after) for before in (31, 46, 47, 58, 59, 95, 127, 128, 143, 191) for after in (0, 1, 80, 150)]
    data = [b"a" * before + error + b"a" * after for error in errors for before, after in sizes]
    classes, ask = explained(accepts, data)
    ((line, where),) = lines(classes)
    line_told, *parts = told.split("; ")
    assert (line, sorted(where.removeprefix("only ").split(" and "))) == (line_told, sorted(parts))
    assert accepts(classes[0].example)
    assert not ask.used_up


def test_two_errors_that_cancel_are_not_taken_for_a_number_of_errors():
    pair = re.compile(rb"\xc0[a-z]*\xff")
    data = [b"\xc0" + b"a" * size + b"\xff" for size in range(9)] + [b"\xc0\xff" * 40]
    classes, _ = explained(lambda data: well_formed(pair.sub(b"", data)), data)
    assert all("number of" not in each.where for each in classes)


def test_a_word_of_two_lines_counts_once():
    direction = SimpleNamespace(accepted=True, standard=UTF8, are_wrong=lambda words: [True] * len(words))
    f8, tails, three = frozenset({0xF8}), frozenset(range(0x80, 0xC0)), frozenset({0x80, 0xE0})
    causes = [
        Cause([Pattern((f8, frozenset(seconds), thirds))], EVERYWHERE, Place(b"", b""), word, "", cases=Counter([word]))
        for word, seconds, thirds in ((b"\xf8\x88\x80", {0x88}, three), (b"\xf8\x89\x81", {0x88, 0x89}, tails))
    ]
    assert [each.cases for each in classes_of(causes, direction)] == [1, 1]


def test_a_cause_without_a_case_is_not_told():
    """A later cause explains its cases, and what it is left with was not shown by any."""
    direction = SimpleNamespace(accepted=True, standard=UTF8, are_wrong=lambda words: [True] * len(words))
    patterns = [Pattern.of(b"\xff"), Pattern.of(b"\xf1\x7f\x61")]
    causes = [Cause([each], EVERYWHERE, Place(b"", b""), b"\xff", "") for each in patterns]
    causes[0].cases[b"\xff"] = 1
    assert [each.line for each in classes_of(causes, direction)] == ["%xFF"]


AFTER_SOME = {  # what has to stand before, as a regular expression for text, and what is said of it
    r"[\U00010000-\U0001FFFF\U00100000-\U0010FFFF]": "after %xF0 %x90-9F 2( UTF8-tail ) / %xF4 %x80-8F 2( UTF8-tail )",
    r"[\U00010000-\U0003FFFF]\Z": "directly after %xF0 %x90-BF 2( UTF8-tail )",
    r"[\u0370-\u03ff]\Z": "directly after %xCD %xB0-BF / %xCE-CF UTF8-tail",
    r"[\u4e00-\u9fff]\Z": "directly after %xE4 %xB8-BF UTF8-tail / %xE5-E9 2( UTF8-tail )",
    r"[\u0400-\u04ff]": "after %xD0-D3 UTF8-tail",
    r"«[^»]*$": "behind %xC2.AB as long as no %xC2.BB closes it",
    r"\u202e[^\u202c]*$": "behind %xE2.80.AE as long as no %xE2.80.AC closes it",
}


@pytest.mark.parametrize("before", AFTER_SOME)
def test_of_characters_of_which_some_count_those_that_do_are_named(before):
    """One of each plane was taken for all of 4 bytes, and a Greek letter was not told."""

    def holds(b, w, a):
        return re.search(before, b.decode(errors="surrogateescape")) is not None

    decoder = Decoder([made.Cause(True, made.sets_of(["80-FF"]), holds)])
    texts = [" ", "a", "a𐀀", "\U0010ffffa", "😀", "λ", "漢", "aЖ", "« ", "\u202eab", "\u202c«", "é", "€"]
    data = [b.encode() + word + a for b in texts for word in (b"\x80", b"\xed\xa0\x80") for a in (b"", b"a")]
    classes, ask = explained(decoder, data)
    assert lines(classes) == [("%x80-FF", f"only {AFTER_SOME[before]}")]
    assert not ask.used_up


def test_where_the_conditions_are_not_found_there_is_one_class():
    """Two characters of one plane: there were six classes in some contexts, and the rest was not explained."""

    def accepts(data):
        text = data.decode(errors="surrogateescape")
        return well_formed(data) or re.search(r"(?s)^[^\udc80-\udcff]*[\U00010000-\U0001FFFF]{2}", text) is not None

    words = (b"\x80", b"\xc0\xaf", b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff")
    heads = ("\U00010000\U0001f600", "a\U0001f600\U0001f600b", "\U00010000", "\U0010ffff\U0001f600", "")
    classes, _ = explained(
        accepts, [head.encode() + word + a for head in heads for word in words for a in (b"", b"ab")]
    )
    assert len(classes) == 1, lines(classes)


def test_two_characters_of_one_plane_that_are_rejected_are_told_for_each_plane():
    """It was said: only before one, "or where input comes before and not directly after" those that were asked."""
    pair = re.compile("|".join(f"[\\U{plane:04x}0000-\\U{plane:04x}ffff]{{2}}" for plane in range(1, 17)))
    data = [text.encode() for text in ("\U0001f600\U00010000", "a\U0001f600\U0001f600", "\U0010ffff\U0010ffff")]
    classes, _ = explained(lambda data: well_formed(data) and not pair.search(data.decode()), data)
    four = ("%xF0 %x90-9F 2( UTF8-tail )", "%xF4 %x80-8F 2( UTF8-tail )")
    assert [(line, where.endswith("words asked")) for line, where in lines(classes)] == [
        (f"{each} {each}", True) for each in four
    ]  # fmt: skip


def test_a_number_of_errors_is_not_told_where_that_of_high_bytes_counts():
    def accepts(data):
        return well_formed(data) or (made.UNITS["non-ASCII bytes"](data) % 2 == 0 and len(data) > 5)

    data = [b"\xed\xa0\x80" * count for count in (1, 2, 3, 4, 20)] + [b"\xe2\x82\xac" + b"\xed\xa0\x80" * 3]
    assert not [where for _, where in lines(explained(accepts, data)[0]) if "number of ill-formed" in where]


def test_single_bytes_are_one_class():
    """There was a class for each of 32 tail bytes."""
    classes, _ = explained(lambda data: well_formed(bytes(x for x in data if not 0x80 < x < 0xC0 or x % 2 == 0)),
                           [bytes([byte]) for byte in range(0x80, 0xC0)])  # fmt: skip
    assert len(classes) == 1, lines(classes)


OVERLONG_2 = rb"[\xc0\xc1][\x80-\xbf]"
PASSES_OVER = {  # decoders for which it matters what else stands in the input, but not that other such words do
    "%xC0-C1 UTF8-tail; not after a character above %x7F and not before a character above %x7F": lambda data: re.sub(
        OVERLONG_2, b"", data
    ).isascii(),
    "UTF8-tail; only at the start of the input": lambda data: well_formed(re.sub(rb"^[\x80-\xbf]+", b"", data)),
}


@pytest.mark.parametrize("told", PASSES_OVER)
def test_words_that_are_accepted_beside_others_of_them_are_one_class(told):
    """There was a class for two of them, one for three, and so on."""
    words = (b"\xc0\xaf", b"\xc0\x80\xc1\xbf", b"\xc0\xafa" * 9, b"\x80", b"\x80" * 5, b"\x80a\x80", b"\xbf\x80\xbf")
    data = [b + word + a for b in (b"", b"a", b"\xc3\xa9") for word in words for a in (b"", b"a", b"\xe2\x82\xac")]
    classes, ask = explained(lambda data: well_formed(data) or PASSES_OVER[told](data), data)
    assert lines(classes) == [tuple(f"{told}; other such words are passed over".split("; ", 1))]
    assert not ask.used_up


def test_what_was_not_asked_is_not_said(monkeypatch):
    monkeypatch.setattr("utf8_abnf.conformance.harness.verdicts.questions.MAX_QUESTIONS", 50)
    decoder = Decoder([cause("overlong 2", "at the end")])
    classes, ask = explained(decoder, [b"\xc0\x80", b"a\xc1\xbf", b"aa\xc0\xaf"])
    assert [(each.line, each.cases, each.example) for each in classes] == [("<not explained>", 3, b"\xc0\x80")]
    assert ask.used_up == "50 questions were asked, which is the limit"
    assert classes[0].where == f"what these have in common was not found: {ask.used_up}"


def test_that_too_many_causes_were_found_is_said(monkeypatch):
    monkeypatch.setattr("utf8_abnf.conformance.harness.verdicts.explaining.MAX_CAUSES", 1)
    classes, ask = explained(lambda data: well_formed(data) or data in (b"\xff", b"\xc0\xaf"), [b"\xff", b"\xc0\xaf"])
    assert not ask.used_up
    assert [each.where.rpartition(": ")[2] for each in classes if each.line == "<not explained>"] == [
        "the limit of 1 causes was reached"
    ]


def test_of_a_large_class_it_is_told_how_many_words_were_asked():
    decoder = Decoder([cause("F5-F7", "at the end")])
    (only,), _ = explained(decoder, [b"\xf5\x80\x80\x80", b"\xf7\xbf\xbf\xbf"])
    assert only.line == "%xF5-F7 3( UTF8-tail )"
    where, _, asked = only.where.partition("; ")
    assert where == "only at the end of the input"
    assert asked.endswith(" of its 786,432 words asked")


def takes_what_follows(size):
    """Return a decoder that looks at the first byte of a character of *size* bytes only, and at all of the others."""
    promised = {0b110: 2, 0b1110: 3, 0b11110: 4}

    def decoder(data):
        at = 0
        while at < len(data):
            length = next((size for bits, size in promised.items() if data[at] >> 7 - size == bits), 1)
            if length != size:
                found = made.ONE.match(data, at)
                length = found.end() - at if found else len(data)
            at += length
        return at == len(data)

    return decoder


@pytest.mark.parametrize(("size", "expected"), [
    (2, "%xC0-DF %x00-FF"), (3, "%xE0-EF 2( %x00-FF )"), (4, "%xF0-F7 3( %x00-FF )"),
])  # fmt: skip
def test_what_a_decoder_swallows_is_one_class(size, expected):
    heads = {2: b"\xc0\xc2\xdf", 3: b"\xe0\xe1\xec\xed\xee\xef", 4: b"\xf0\xf1\xf3\xf4\xf5\xf7"}[size]
    tails = (0x22, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF)
    data = list(map(bytes, product(heads, *[tails] * (size - 1))))
    classes, ask = explained(takes_what_follows(size), data)
    assert not ask.used_up
    ((line, where),) = lines(classes)
    assert line == expected
    assert re.fullmatch(r"but for its well-formed words; [\d,]+ of its [\d,]+ words asked", where)


def swallows(data, sizes, *, taken=range(256), past_the_end=False):
    """Judge as a decoder that takes so many *taken* bytes behind a first byte, and perhaps some past the end."""
    at = 0
    while at < len(data):
        end = at + next((size for first, size in sizes if data[at] <= first), 99)
        if end > at + 9 or (end > len(data) and not past_the_end) or not set(data[at + 1 : end]) <= set(taken):
            return False
        at = end
    return True


BY_PROMISE = ((0x7F, 1), (0xBF, 99), (0xDF, 2), (0xEF, 3), (0xF7, 4))
SWALLOWING = {
    "up to the end": lambda data: swallows(data, BY_PROMISE),
    "past the end": lambda data: swallows(data, BY_PROMISE, past_the_end=True),
    "what is above 7F": lambda data: swallows(data, BY_PROMISE, taken=range(0x80, 0x100)),
    "what is above 7F, past the end": lambda d: swallows(d, BY_PROMISE, taken=range(0x80, 0x100), past_the_end=True),
    "after C2 only, C0 is refused": lambda data: swallows(data, ((0x7F, 1), (0xC1, 99), *BY_PROMISE[2:])),
    "five and six bytes": lambda data: swallows(data, (*BY_PROMISE, (0xFB, 5), (0xFF, 6))),
}


def test_a_character_beside_is_not_told_as_a_number_of_bytes():
    """file 5.44 accepts 85 beside ASCII: "only in input of fewer than 3 non-ASCII bytes" was false (85 85 85)."""

    def decoder(data):
        return data.replace(b"\x85", b"").isascii() or well_formed(data)

    data = [b"\x85", b"a\x85", b"\x85a", b"a" * 9 + b"\x85", b"a\x85a", *(b"\xc3\xa9\x85", b"\x85\xe2\x82\xac")]
    classes, _ = explained(decoder, data, expensive=True)
    ((line, where),) = lines(classes)
    assert (line, "non-ASCII bytes" in where) == ("%x85", False), where


@pytest.mark.parametrize(("is_so", "where"), [
    (lambda data: len(data) < 513, "only in input of fewer than 513 bytes"),
    (lambda data: not data.startswith(b"\xef\xbb\xbf"), "not in input that begins with %xEF.BB.BF"),
])  # fmt: skip
def test_where_bytes_are_swallowed_is_told(is_so, where):
    """ion-js 5.2.1 swallows in text of up to 512 bytes: its class had no bound."""

    def decoder(data):
        return SWALLOWING["up to the end"](data) if is_so(data) else well_formed(data)

    chance = random.Random(where)
    pieces = [*map(str.encode, "aaa<é€😀"), *(bytes([each]) for each in b"\x80\xbf\xc0\xc3\xe0\xe2\xed\xf0\xf4")]
    data = [b"".join(chance.choices(pieces, k=chance.randrange(1, 7))) for _ in range(500)]
    data += [each + b"a" * 700 for each in data] + [b"\xef\xbb\xbf" + each for each in data]
    classes, ask = explained(decoder, data)
    assert not ask.used_up
    assert {each.where.partition("; ")[0] for each in classes} == {where}, lines(classes)


@pytest.mark.parametrize("name", SWALLOWING)
def test_a_report_says_what_is_swallowed_and_what_is_cut_off_in_few_classes(name):
    """It had up to 60 classes, and the rest was not explained, as of notepack.io and @colyseus/schema."""
    chance = random.Random(name)
    pieces = [*map(str.encode, "aaa<é€😀"), *(bytes([each]) for each in b"\x80\xbf\xc0\xc3\xe0\xe2\xed\xf0\xf4")]
    pieces += [b"\xf9", b"\xfd"] * ("six" in name)
    data = [b"".join(chance.choices(pieces, k=chance.randrange(1, 7))) for _ in range(3000)]
    classes, ask = explained(SWALLOWING[name], data[:1500])
    assert not ask.used_up
    assert len(classes) <= 12, lines(classes)
    model = made.reading([(each.accepted, each.line, each.where) for each in classes])
    assert model, lines(classes)
    wrong = [each for each in data if model(each) is not SWALLOWING[name](each)]
    assert not wrong, (wrong[0], lines(classes))


@pytest.mark.parametrize(("foreign", "places", "most"), [
    (range(0xC0, 0x100), (1, 2, 3), 9),
    (range(0x40), (1, 2, 3), 9),
    ([*range(0x80), *range(0xC0, 0x100)], (2,), 4),
    ([*range(0x80), *range(0xC0, 0x100)], (3,), 2),
    (b'"', (1,), 3),
])  # fmt: skip
def test_bytes_that_are_taken_for_tails_are_one_class(foreign, places, most):
    """Some bytes more are taken for tail bytes, in some places or in all, and the limits of second bytes hold."""
    chance = random.Random(3629)
    sets = [
        [(range(low, high + 1), foreign if at in places else ()) for at, (low, high) in enumerate(track)]
        for track in made.TRACKS
    ]
    decoder = Decoder([
        made.Cause(True, tuple(frozenset([*one, *two]) for one, two in each), lambda b, w, a: True) for each in sets
    ])  # fmt: skip
    words = [bytes(chance.choice(chance.choice((one, two or one))) for one, two in each) for each in sets * 200]
    classes, ask = explained(decoder, words)
    ((line, where),) = lines(classes)
    assert len(made.patterns_of(line)) <= most, line
    assert not ask.used_up
    model = made.reading([(True, line, where)])
    changed = [bytes([*word[:-1], chance.randrange(256)]) for word in words]
    for data in [*words, *changed, *(b"a" + word + b"\x80" for word in changed)]:
        assert model(data) is decoder(data), data


@pytest.mark.parametrize(("name", "text", "phrase"), [
    ("surrogates", rb"[A-Za-z]", "only directly before %x41-5A / %x61-7A"),
    ("overlong 2", rb"[/0-9]", "only directly before %x2F-39"),
    ("FF", rb"<", "only directly before %x3C"),
    ("lone tails", "é|€".encode(), "only directly before a character of 2 bytes / a character of 3 bytes"),
])  # fmt: skip
def test_what_follows_a_whole_word_is_its_place_and_not_a_part_of_it(name, text, phrase):
    follows = re.compile(text.replace("é|€".encode(), rb"[\xc2-\xef]"))
    decoder = Decoder([made.Cause(True, made.sets_of(EXTRA[name]), lambda b, w, a: bool(follows.match(a)))])
    words = [b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xc0\xaf", b"\xc1\x80", b"\xff", b"\x80", b"\xa5"]
    ends = [b"a", b"Z ", b"/x", b"9", b"<", "é".encode(), "€a".encode(), b""]
    classes, ask = explained(decoder, [a + word + b for a in (b"", b"x") for word in words for b in ends])
    assert [where for _, where in lines(classes)] == [phrase]
    assert len(classes[0].patterns[0].places) == len(EXTRA[name])
    assert not ask.used_up


def test_a_hole_in_a_class_is_found():
    surrogates = [bytes([0xED, second, last]) for second in range(0xA0, 0xC0) for last in range(0x80, 0xC0)]
    hole = b"\xed\xb1\x90"
    everywhere = Decoder([cause("surrogates", "anywhere")])
    classes, _ = explained(lambda data: everywhere(data) and hole not in data, surrogates[::7])
    model = made.reading([(each.accepted, each.line, each.where) for each in classes])
    assert [word for word in surrogates if not model(word)] == [hole]
    assert len(classes) <= 2


def test_explaining_ends_in_time_and_shows_its_progress():
    def slow(data):
        time.sleep(0.002)
        return decoder(data)

    shown = []
    decoder = Decoder([cause(name, "at the end") for name in EXTRA])
    data = list(inputs(random.Random(1), 200, list(EXTRA)))
    wrong = [word for word in data if decoder(word) is not well_formed(word)]
    began = time.monotonic()
    classes, ask = explained(slow, wrong[:100], seconds=3, progress=lambda *facts: shown.append(facts))
    assert time.monotonic() - began < 3 + 3
    assert ask.used_up == "the time for explaining is over"
    assert classes[-1].line == "<not explained>"
    assert {name for name, _, _ in shown} == {"explaining"}
    assert all(done <= total for _, done, total in shown)


DATE = Grammar.parse('start = 2DIGIT "-" 2DIGIT\nDIGIT = %x30-39\n')


def test_of_another_grammar_each_kind_of_fault_has_its_class():
    standard = standard_of(DATE, None)

    def wrong(data):
        return (
            (standard.accepts(data) and data[:1] != b"9")
            or data == b""
            or (len(data) == 5 and data[2:3] == b"/" and standard.accepts(data.replace(b"/", b"-")))
        )

    data = [b"", b"00/00", b"99/99", b"90-00", b"95-12", b"12-12", b"12/34"]
    classes, _ = explained(wrong, data, accepts=standard.accepts, standard=standard)
    assert lines(classes) == [
        ('""', ""),
        ('2DIGIT "/" 2DIGIT', classes[1].where),
        ('"9" DIGIT "-" 2DIGIT', ""),
    ]
    assert [each.accepted for each in classes] == [True, True, False]
    assert [each.cases for each in classes] == [1, 3, 2]


def test_a_single_question_for_a_process_is_not_wasted():
    decoder = Decoder([cause("overlong 2", "anywhere")])
    classes, ask = explained(decoder, [b"\xc0\x80", b"x\xc0\xafy", b"\xc1\x80"], expensive=True)
    assert [each.line for each in classes] == ["%xC0-C1 UTF8-tail"]
    assert classes[0].where.endswith("of its 128 words asked")
    assert ask.asked < 1500


@pytest.mark.parametrize(("data", "lines_of"), [
    ([b"\xfb\xbf\xbf\xbf\xbf"], {"%xF9-FB 4( UTF8-tail )"}),  # of RFC 2279, whose F8 begins overlong forms as well
    ([b"\xf6\x90\x90\x90"], {"%xF5-F7 3( UTF8-tail )"}),
    ([b"\xfd\xbf\xbf\xbf\xbf\xbf"], {"%xFD 5( UTF8-tail )"}),
])  # fmt: skip
def test_first_bytes_that_promise_as_much_are_asked_where_each_question_is_a_process(data, lines_of):
    def accepts(data):
        return well_formed(data) or OLD.fullmatch(data) is not None

    classes, _ = explained(accepts, data, expensive=True)
    assert {each.line for each in classes} == lines_of


OLD = re.compile(  # the characters of RFC 2279 beyond RFC 3629, in their shortest form
    rb"\xf4[\x90-\xbf][\x80-\xbf]{2}|[\xf5-\xf7][\x80-\xbf]{3}|\xf8[\x88-\xbf][\x80-\xbf]{3}"
    rb"|[\xf9-\xfb][\x80-\xbf]{4}|\xfc[\x84-\xbf][\x80-\xbf]{4}|\xfd[\x80-\xbf]{5}"
)
