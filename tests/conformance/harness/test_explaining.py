"""Classes of deviations: wrong decoders made to order, and the ABNF lines that must come out."""

import codecs
import re
from types import SimpleNamespace

import pytest

from utf8_abnf import first_error
from utf8_abnf.conformance import run
from utf8_abnf.conformance.harness.answers.judging import NoAnswer
from utf8_abnf.conformance.harness.driving.protocol import Hello, unframe
from utf8_abnf.conformance.harness.driving.worker import Failure, Limits, Reply
from utf8_abnf.conformance.harness.standard import standard_of
from utf8_abnf.conformance.harness.verdicts.classes import classes_of
from utf8_abnf.conformance.harness.verdicts.crash_sizes import note_on_crashes
from utf8_abnf.conformance.harness.verdicts.far import far_cause
from utf8_abnf.conformance.harness.verdicts.patterns import Pattern, merge
from utf8_abnf.conformance.harness.verdicts.places import Lane, Place
from utf8_abnf.conformance.harness.verdicts.probing import Probe
from utf8_abnf.conformance.harness.verdicts.questions import Direction, Questions


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
    "overlong three": (allowing(lambda u: len(u) == 3 and u < b"\xe0\xa0"), ["extra %xE0 %x80-9F UTF8-tail"]),
    "overlong four": (allowing(lambda u: len(u) == 4 and u < b"\xf0\x90"), ["extra %xF0 %x80-8F 2( UTF8-tail )"]),
    "surrogates": (
        allowing(lambda u: b"\xed\xa0" <= u < b"\xed\xc0" and len(u) == 3),
        ["extra %xED %xA0-BF UTF8-tail"],
    ),
    "high surrogates": (
        allowing(lambda u: b"\xed\xa0" <= u < b"\xed\xb0" and len(u) == 3),
        ["extra %xED %xA0-AF UTF8-tail"],
    ),
    "above 10FFFF": (
        allowing(lambda u: len(u) == 4 and u[:1] < b"\xf8"),
        ["extra %xF0 %x80-8F 2( UTF8-tail )", "extra %xF4 %x90-BF 2( UTF8-tail )", "extra %xF5-F7 3( UTF8-tail )"],
    ),
    "lone tails": (allowing(lambda u: len(u) == 1 and 0x80 <= u[0] <= 0xBF), ["extra UTF8-tail"]),
    "Latin-1": (allowing(lambda u: len(u) == 1), ["extra %x80-FF"]),
    "no NUL": (allowing(missing=lambda u: u == b"\0"), ["missing %x00"]),
    "no controls": (allowing(missing=lambda u: u < b" "), ["missing %x00-1F"]),
    "basic plane only": (
        allowing(missing=lambda u: len(u) == 4),
        [
            "missing %xF0 %x90-BF 2( UTF8-tail )",
            "missing %xF1-F3 3( UTF8-tail )",
            "missing %xF4 %x80-8F 2( UTF8-tail )",
        ],
    ),
    "no U+FFFE and U+FFFF": (
        allowing(missing=lambda u: u in (b"\xef\xbf\xbe", b"\xef\xbf\xbf")),
        ["missing %xEF %xBF %xBE-BF"],
    ),
    "cut characters": (
        lambda data: right(data) or (data[-1:] >= b"\xc2" and data[-1] <= 0xF4 and right(data[:-1])),
        ["extra %xC2-F4"],
    ),
    "nothing": (
        lambda data: False,
        [
            'missing ""',
            "missing %x00-7F",
            "missing %xC2-DF UTF8-tail",
            "missing %xE0 %xA0-BF UTF8-tail",
            "missing %xE1-EC 2( UTF8-tail )",
            "missing %xED %x80-9F UTF8-tail",
            "missing %xEE-EF 2( UTF8-tail )",
            "missing %xF0 %x90-BF 2( UTF8-tail )",
            "missing %xF1-F3 3( UTF8-tail )",
            "missing %xF4 %x80-8F 2( UTF8-tail )",
        ],
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", DECODERS)
def test_a_deviation_is_written_as_its_abnf_line(name):
    decoder, lines = DECODERS[name]
    report = run(decoder, level="L1")
    assert sorted(each.key for each in report.deviations) == sorted(lines)
    assert sum(each.count for each in report.deviations) == report.failed
    for each in report.deviations:
        assert decoder(each.example) is (each.kind == "extra"), "the example shows the deviation"
        assert right(each.example) is (each.kind == "missing")


def test_a_class_that_holds_only_at_the_end_says_so():
    report = run(DECODERS["cut characters"][0], level="L1")
    assert [each.detail for each in report.deviations] == ["only at the end of the input"]


def test_the_empty_input_is_said_to_be_empty():
    report = run(lambda data: data != b"" and right(data), level="L1")
    (only,) = report.deviations
    assert (only.line, only.rule, only.detail) == ('""', "UTF8-octets", "")
    assert only.why == "the empty input has no character that could be wrong"


def test_a_fault_that_needs_company_names_its_company():
    report = run(
        lambda data: right(data) or (data.startswith(b"\xf0\x90\x80\x80") and len(data) > 4),
        level="L2",
        families=["A2"],
    )
    (only,) = report.deviations
    assert (only.line, only.detail) == ("%x80-FF", "only in input that begins with %xF0.90.80.80")
    assert only.example == b"\xf0\x90\x80\x80\x80"


def test_risks_of_special_weight_are_told():
    report = run(DECODERS["overlong two"][0], level="L1")
    assert "C0 AF is '/'" in report.deviations[0].security
    assert "NUL" in report.deviations[0].security


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


FOUR = b"\xf0\x9f\x98\x80"
BOTH = [b"b" * 505, b"b" * 515]


@pytest.mark.parametrize(("crashes", "inputs", "note"), [
    (lambda data: 501 <= len(data) < 520, BOTH, "it crashes only in input of 501 to 519 bytes, whatever the text is: "),
    (lambda data: len(data) >= 505, BOTH, "it crashes only in input of 505 bytes or more, whatever the text is: "),
    (lambda data: len(data) >= 505 and (len(data) < 520 or "hang"), BOTH, "it crashes only in input of 505 to 519 "),
    (lambda data: len(data) >= 505 and data[:1] == b"b", BOTH, ""),
    (lambda data: 501 <= len(data) < 510, BOTH, ""),
    (
        lambda data: data.count(b"\xf0") > 300,
        [FOUR * 400, FOUR * 500 + b"\xff"],
        "it crashes only in input of 301 characters of 4 bytes or more, whatever the text is: ",
    ),
    (
        lambda data: FOUR in data,
        [b"a" + FOUR, FOUR, FOUR * 400],
        "each of the 3 inputs on which it crashes has F0 9F 98 80 in it",
    ),
    (lambda data: b"\xf0" in data, [FOUR, b"\xf0aaaaaaa"], ""),
], ids=[
    *("a window", "from a size on", "it hangs beyond", "of one kind of text", "one of two is not", "of characters"),
    *("what is in all", "what is not in all"),
])  # fmt: skip
def test_what_all_texts_on_which_a_decoder_crashes_have_in_common_is_named(crashes, inputs, note):
    class Crashing:
        hello, exact, lasts = Hello(("v",)), True, False

        def __init__(self, limits):
            self.limits = limits

        def ask(self, window, mode, **_):
            answers = window.answers(mode)
            for data in unframe(window.frames):
                if failure := crashes(data):
                    return Reply(answers, Failure("hang" if failure == "hang" else "crash", "was killed"))
                answers.feed(b"1")
            return Reply(answers)

        def close(self):
            pass

    crashed = [NoAnswer(Failure("crash", "was killed"), "case", data) for data in inputs]
    found = note_on_crashes(crashed, SimpleNamespace(start=Crashing), Limits(), 60)
    assert found.startswith(note) if note else not found


def test_a_lane_is_found_where_the_offsets_beside_it_are_not_known():
    """Xerces-C ended the run with a ValueError: what is not known was looked for as what is not wrong."""

    class Ask:
        expensive = False

        def __call__(self, words):
            return [True for _ in words]

    def wrong_at(_word, places):
        return [True if len(each.before) % 10 == 5 else None for each in places]

    probe = Probe(b"\x80", b"a", SimpleNamespace(accepted=True, ask=Ask(), wrong_at=wrong_at))
    probe.ask([Place(b"a" * 5, b"")])
    assert probe._walk_on()
    assert Lane(10, 5, 6) in probe._suggested


def test_little_is_asked_where_a_question_is_large(monkeypatch):
    """A word that is judged wrongly behind FAR bytes only is not widened, and all questions have few bytes."""
    for module in ("explaining", "probing"):
        monkeypatch.setattr(f"utf8_abnf.conformance.harness.verdicts.{module}.FAR", 1 << 14)
    border, asked = 20_000, []

    def accepts(data):
        asked.append(len(data))
        return right(data) and "\N{EURO SIGN}".encode() not in data[border:]

    report = run(accepts, level="L2", families=["far-positions"])
    assert [(each.line, each.place) for each in report.deviations] == [("%xE2 %x82 %xAC", "only from offset 20,000 on")]
    assert report.deviations[0].count == report.failed
    assert sum(asked[report.cases :]) < 50_000_000, "bytes; 74,466,127 where the word is widened as usual"


def test_what_was_looked_for_in_vain_is_not_looked_for_again(monkeypatch):
    """nginx waits for the rest of a character, but not behind 513 bytes of ASCII: that took all the time there was."""
    asked, probed = [], []

    def accepts(data):
        asked.append(data)
        first = next((at for at, byte in enumerate(data) if byte > 0x7F), 0)
        try:
            codecs.getincrementaldecoder("utf-8")().decode(data, final=first > 512)
        except UnicodeDecodeError:
            return False
        return True

    def probe(*arguments):
        probed.append(arguments)
        return Probe(*arguments)

    monkeypatch.setattr("utf8_abnf.conformance.harness.verdicts.common.Probe", probe)
    report = run(accepts, level="L1", families=["named"])
    assert {each.line[:18] for each in report.deviations} >= {"<in some contexts>"}
    assert sum(each.count for each in report.deviations) == report.failed
    assert len(asked) < 100_000, "140,150 where each word of the class is probed"
    assert len(probed) <= 20, "50 where what was found for other bytes is looked for again"


@pytest.mark.parametrize("line", ["<any error>", "<UTF8-TRUNCATED>"])
def test_what_is_accepted_far_off_at_the_end_alone_is_one_class(line, monkeypatch):
    """An error that is right before more text was asked in the usual way: the time was over before an answer."""
    monkeypatch.setattr("utf8_abnf.conformance.harness.verdicts.far.MIN_OFFSET", 1 << 14)
    asked = []

    def accepts(data):
        asked.append(data)
        error = first_error(data)
        is_cut = error and error.start + error.length == len(data) and (error.truncated or line == "<any error>")
        return not error or (is_cut and error.start >= 20_000)

    session = SimpleNamespace(verdicts=lambda words: [b"1" if accepts(word) else b"0" for word in words], stopped="")
    direction = Direction(True, Questions(session, expensive=False), standard_of(None, None))
    cause = far_cause(b"a" * 30_000 + b"\xe2\x82", "case", direction)
    cause.cases[cause.word] += 1
    (found,) = classes_of([cause], direction)
    assert (found.line, found.where) == (line, "only from offset 20,000 on and at the end of the input")
    assert len(asked) < 100
    assert far_cause(b"a" * 19_000 + b"\xe2\x82", "case", direction) is None
