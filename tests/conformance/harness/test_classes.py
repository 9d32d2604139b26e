"""Classes tell the truth, and the whole truth: a report read back as a decoder judges as the decoder did.

``wrong_decoders`` makes the decoders: sets of words, the places where they are judged wrongly, alone and together.
"""

import importlib.util
import random
import re
import time
from collections import Counter
from itertools import product
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
from utf8_abnf.conformance.harness.verdicts.cutting import first_ill_formed, ill_formed_pieces
from utf8_abnf.conformance.harness.verdicts.explaining import explain
from utf8_abnf.conformance.harness.verdicts.patterns import Pattern
from utf8_abnf.conformance.harness.verdicts.places import EVERYWHERE, OFFSET, UNKNOWN, Conditions, Measure, Place
from utf8_abnf.conformance.harness.verdicts.questions import Questions
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
@pytest.mark.sampled(6)
@pytest.mark.parametrize(("number", "name", "decoder"), [(i, *pair) for i, pair in enumerate(MADE)])
def test_a_report_says_how_the_decoder_judges(number, name, decoder):
    check(name, decoder, 6 + number)


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


RUNS = {  # what stands directly before C1 BF: a text, how often at least and, if not 0, at most
    "only directly after %x0A.0A.0A": ("\n", 3, 0),
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


@pytest.mark.parametrize("sizes", [(4500, 10_000)])
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
    "refuses long text that ends no line": lambda data: well_formed(data) and (len(data) <= 80 or data.endswith(b"\n")),
}


@pytest.mark.parametrize("name", NOT_BY_SIZE)
def test_a_size_is_not_told_where_it_matters_what_stands_in_the_text(name):
    data = [filler.encode() * count for filler in "aé€😀" for count in (50, 81, 500)]
    data += [each + b"\xff" for each in data] + [b"a" * 30 + b"\n" + b"a" * 80, b"\n" * 90 + b"\xff"]
    classes, _ = explained(NOT_BY_SIZE[name], data)
    assert classes
    assert not [where for _, where in lines(classes) if "in input of" in where]


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


@pytest.mark.parametrize(("unit", "period", "numbers"), [
    ("characters", 10, range(1)), ("code units of UTF-16", 7, range(3, 5)),
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
    (lambda size, offset: size >= 100, "in input of 100 bytes or more"),
    (lambda size, offset: size == 100, "in input of 100 bytes"),
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


def passing_over(where):
    """Return a decoder that passes over an error where *where* holds of its start, its end and the size."""

    def accepts(data):
        return all(where(start, end, len(data)) for start, end in ill_formed_pieces(data))

    return accepts


NO_NAME = {  # decoders that are wrong under a condition for which a report has no words
    "long lines": lambda data: well_formed(data) and max(map(len, data.split(b"\n"))) <= 80,
    "many characters of two bytes": lambda data: well_formed(data) and sum(0xC2 <= each <= 0xDF for each in data) <= 40,
    "a row of one character": lambda data: well_formed(data) and not re.search(rb"(?s)(.)\1{60}", data),
    "between two characters": lambda data: well_formed(re.sub(rb"<[^>]*>", b"", data)),
    "a number of errors": lambda data: len([*ill_formed_pieces(data)]) % 3 == 0,
    "blocks that are skipped": lambda data: all(
        well_formed(block) or block[:4].isascii() for block in (data[at : at + 8] for at in range(0, len(data), 8))
    ),
    "where a block ends": passing_over(lambda start, end, _: start // 48 != end // 48),
    "behind the last whole block": passing_over(lambda start, _, size: start >= size - size % 60),
    "nothing behind it": lambda data: well_formed(data) or data[first_ill_formed(data)] == 0xFF,
    "near the start": passing_over(lambda start, end, _: end < 40 and start % 2),
}


@pytest.mark.parametrize("name", NO_NAME)
def test_a_condition_without_a_name_is_no_reason_for_a_false_sentence(name):
    """The decoder is found wrong, each example is one."""
    texts = (b"", b"a", b"<b>", b"a" * 50 + b"\n", b"ab" * 35, b"\n" * 70, "é".encode() * 50, b"<" + b"x" * 46)
    faults = (b"", b"\xff", b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xff\xffa\xff")
    decoder = NO_NAME[name]
    classes, _ = explained(decoder, [b + fault + a for b, fault, a in product(texts, faults, texts)])
    assert classes
    for each in classes:
        assert decoder(each.example) is each.accepted is not well_formed(each.example)


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


@pytest.mark.parametrize("size", [100])
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


@pytest.mark.parametrize(("unit", "size", "line", "where"), [
    (len, 8192, "<8192 bytes or more> UTF8-octets", "only in input of 8,192 bytes or more"),
    (made.characters, 5000, "5000*UTF8-char", "only in input of 5,000 characters or more"),
])  # fmt: skip
def test_a_decoder_that_refuses_long_text_has_one_class_with_the_true_bound(unit, size, line, where):
    data = [filler.encode() * count for filler in "aé€😀" for count in (8190, 8193, 16384, 40_000)]
    classes, _ = explained(lambda data: well_formed(data) and unit(data) < size, data)
    assert lines(classes) == [(line, where)]
    assert len(classes[0].example) == size


def test_a_class_without_a_case_is_told_with_one_that_has_some():
    classes, _ = explained(lambda data: well_formed(re.sub(rb"[\xe1-\xec\xf1-\xf3]A", b"", data)), [b"\xe1A"])
    assert [(each.line, each.cases) for each in classes] == [("( %xE1-EC / %xF1-F3 ) %x41", 1)]


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
    r"[\u4e00-\u9fff]\Z": "directly after %xE4 %xB8-BF UTF8-tail / %xE5-E9 2( UTF8-tail )",
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

    words = (b"\x80", b"\xed\xa0\x80", b"\xff")
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


def test_single_bytes_are_one_class():
    """There was a class for each of 32 tail bytes."""
    classes, _ = explained(lambda data: well_formed(bytes(x for x in data if not 0x80 < x < 0xC0 or x % 2 == 0)),
                           [bytes([byte]) for byte in range(0x80, 0xC0)])  # fmt: skip
    assert len(classes) == 1, lines(classes)


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
    "what is above 7F, past the end": lambda d: swallows(d, BY_PROMISE, taken=range(0x80, 0x100), past_the_end=True),
    "five and six bytes": lambda data: swallows(data, (*BY_PROMISE, (0xFB, 5), (0xFF, 6))),
}


@pytest.mark.parametrize(("is_so", "where"), [
    (lambda data: len(data) < 513, "only in input of fewer than 513 bytes"),
])  # fmt: skip
def test_where_bytes_are_swallowed_is_told(is_so, where):
    """ion-js 5.2.1 swallows in text of up to 512 bytes: its class had no bound."""

    def decoder(data):
        return SWALLOWING["up to the end"](data) if is_so(data) else well_formed(data)

    chance = random.Random(where)
    pieces = [*map(str.encode, "aaa<é€😀"), *(bytes([each]) for each in b"\x80\xbf\xc0\xc3\xe0\xe2\xed\xf0\xf4")]
    data = [b"".join(chance.choices(pieces, k=chance.randrange(1, 7))) for _ in range(120)]
    data += [each + b"a" * 700 for each in data] + [b"\xef\xbb\xbf" + each for each in data]
    classes, ask = explained(decoder, data)
    assert not ask.used_up
    assert {each.where.partition("; ")[0] for each in classes} == {where}, lines(classes)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", SWALLOWING)
def test_a_report_says_what_is_swallowed_and_what_is_cut_off_in_few_classes(name):
    """It had up to 60 classes, and the rest was not explained, as of notepack.io and @colyseus/schema."""
    chance = random.Random(name)
    pieces = [*map(str.encode, "aaa<é€😀"), *(bytes([each]) for each in b"\x80\xbf\xc0\xc3\xe0\xe2\xed\xf0\xf4")]
    pieces += [b"\xf9", b"\xfd"] * ("six" in name)
    data = [b"".join(chance.choices(pieces, k=chance.randrange(1, 7))) for _ in range(900)]
    classes, ask = explained(SWALLOWING[name], data[:450])
    assert not ask.used_up
    assert len(classes) <= 12, lines(classes)
    model = made.reading([(each.accepted, each.line, each.where) for each in classes])
    assert model, lines(classes)
    wrong = [each for each in data if model(each) is not SWALLOWING[name](each)]
    assert not wrong, (wrong[0], lines(classes))


@pytest.mark.sampled(5)
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
    words = [bytes(chance.choice(chance.choice((one, two or one))) for one, two in each) for each in sets * 80]
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
        time.sleep(0.0002)
        return decoder(data)

    shown = []
    decoder = Decoder([cause(name, "at the end") for name in EXTRA])
    data = list(inputs(random.Random(1), 200, list(EXTRA)))
    wrong = [word for word in data if decoder(word) is not well_formed(word)]
    classes, ask = explained(slow, wrong[:100], seconds=0.3, progress=lambda *facts: shown.append(facts))
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
