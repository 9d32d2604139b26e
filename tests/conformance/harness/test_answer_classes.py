"""One cause, one class: wrong offsets, texts and streams whose wrong answers share what could be their cause."""

import codecs
import re
import shlex
import sys
from functools import cache, partial
from itertools import chain, islice

import pytest

from utf8_abnf import first_error, iter_errors
from utf8_abnf.cli import main
from utf8_abnf.conformance import run
from utf8_abnf.conformance.harness.answers.answer_classes import WrongAnswers, answer_classes
from utf8_abnf.conformance.harness.answers.conventions import convention_of
from utf8_abnf.conformance.harness.answers.judging import wrong_answer
from utf8_abnf.conformance.harness.driving.protocol import UNJUDGED
from utf8_abnf.conformance.harness.replacing import CHANGED, NO_MARK, policies
from utf8_abnf.conformance.suite import cases


class LosesItsState:
    """A stream that forgets the beginning of a character when an empty piece comes."""

    def __init__(self):
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def feed(self, chunk):
        if self.forgets(chunk):
            self._decoder.reset()
        self._decoder.decode(chunk)

    def finish(self):
        self._decoder.decode(b"", True)

    @staticmethod
    def forgets(chunk):
        return not chunk


class LosesItsStateAtABom(LosesItsState):
    """The same when a piece begins with a BOM."""

    @staticmethod
    def forgets(chunk):
        return chunk.startswith(codecs.BOM_UTF8)


class Positions:
    """Offsets that *wrong* makes of the data and the right ones."""

    def __init__(self, wrong):
        self._wrong = wrong

    def first_error(self, data):
        try:
            data.decode()
        except UnicodeDecodeError as error:
            return self._wrong(data, error.start), error.end - error.start
        return None


class Drops:
    def replace(self, data):
        return data.decode("utf-8", "ignore")


def classes(decoder, *families):
    report = run(decoder, level="L2", families=families)
    return [(each.kind, each.line, each.detail) for each in report.deviations if each.kind not in ("extra", "missing")]


@pytest.mark.thorough
def test_a_stream_that_loses_its_state_on_an_empty_piece_has_one_class():
    ((kind, line, where),) = classes(LosesItsState, "stream/named", "stream/empty")
    assert (kind, where) == ("streaming", "seen only where a piece is empty")
    assert line in ("any input", "any error", "several kinds of input", "several kinds of errors")


def test_a_stream_that_loses_its_state_at_a_bom_is_found():
    assert run(LosesItsStateAtABom, level="L2", families=("stream/empty",)).failed


@pytest.mark.parametrize(("wrong", "where"), [
    (lambda data, start: start & 0x3F, "only from offset 64 on"),
    (lambda data, start: len(data[:start].decode()), "only behind a character above %x7F"),
    (lambda data, start: start - 3 * data.startswith(codecs.BOM_UTF8), "only in input that begins with a BOM"),
])  # fmt: skip
def test_offsets_that_are_wrong_for_one_reason_have_one_class(wrong, where):
    found = classes(Positions(wrong), "named", "behind")
    assert [(kind, said) for kind, _, said in found] == [("position", where)]


class Replaces:
    """Text that *wrong* makes of the data and the right text."""

    def __init__(self, wrong):
        self._wrong = wrong

    def replace(self, data):
        return self._wrong(data, data.decode("utf-8", "replace"))


@pytest.mark.parametrize(("decoder", "ids", "where"), [
    (Positions(lambda _, start: start + (start >= 777)), "long-inputs/*", "only from offset 777 on"),
    (Replaces(lambda data, text: text.replace(MARK, "") if len(data) >= 777 else text), "long-inputs/*",
     "only in input of 777 bytes or more"),
])  # fmt: skip
def test_a_border_is_not_the_least_number_that_was_sent_but_asked_for(decoder, ids, where):
    report = run(decoder, level="L2", ids=["named/*", ids])
    assert {each.place for each in report.deviations if each.kind in ("position", "replacement")} == {where}


@pytest.mark.parametrize(("is_wrong", "where"), [
    (lambda data, error: len(data) >= 64, "only at the end of the input and in input of 64 bytes or more"),
    (lambda data, error: error.start >= 64, "only at the end of the input and from offset 64 on"),
    (lambda data, error: len(data) + error.start % 2 >= 64, "seen only from offset "),
])  # fmt: skip
def test_cut_ends_of_all_lengths_are_asked_before_their_place_is_told(is_wrong, where):
    """It said "from offset 61 on" where only F0 9F 98 had been asked."""

    def changed(data, text):
        error = first_error(data)
        return text if not (error and error.truncated and is_wrong(data, error)) else text + "?"

    report = run(Replaces(changed), level="L1", ids=["named/*", "behind/*", "long-inputs/*"])
    (found,) = report.deviations
    assert found.line == "UTF8-TRUNCATED"
    assert found.place.startswith(where)


TAKES_NO_NUL = """
def first_error(data):
    if b"\\0" in data:
        return UNJUDGED, 0
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start + (error.start >= 777), 1
"""


def test_a_border_is_asked_of_a_decoder_that_cannot_judge_everything(tmp_path, capsys):
    """As a C function that takes a string up to its NUL: the questions have NULs too."""
    main(["adapter", "python", "--modes", "p"])
    adapter = tmp_path / "adapter.py"
    program = TAKES_NO_NUL.replace("UNJUDGED", str(UNJUDGED - (1 << 32)))
    adapter.write_text(capsys.readouterr().out.replace("def number(", program + "\n\ndef number("))
    report = run(
        f"stream:{shlex.quote(sys.executable)} {shlex.quote(str(adapter))}",
        level="L2",
        ids=["named/*", "long-inputs/*"],
    )
    assert [each.place for each in report.deviations if each.kind == "position"] == ["only from offset 777 on"]


def test_marks_that_are_merged_with_one_of_the_text_are_told_by_it():
    """These errors may all begin with the same byte by chance: the decoder does not look at it."""
    report = run(
        Replaces(lambda _, text: re.sub(MARK + "+", MARK, text)), level="L1", ids=["named/*", "within/alone/*"]
    )
    assert {each.detail for each in report.deviations} == {"only directly behind or before U+FFFD in the text"}


def test_a_decoder_that_drops_every_error_has_one_class():
    assert classes(Drops, "named") == [("replacement", "any error", "")]


def test_two_causes_stay_two_classes():
    def wrong(data, start):
        is_surrogate = data[start] == 0xED and b"\xa0" <= data[start + 1 : start + 2] <= b"\xbf"
        return start + 1 if data[start] == 0xC0 or is_surrogate else start

    assert {line for _, line, _ in classes(Positions(wrong), "named")} == {"UTF8-OVERLONG", "UTF8-SURROGATE"}


@cache
def asked():
    rest = (islice(cases("L1", family), 0, None, 13) for family in ("W/k0", "edges", "behind"))
    return [*cases("L0", "named"), *chain.from_iterable(rest)]


def judged(mode, answer):
    """Return the classes, line and place, of what is wrong with *answer*, a function of a case."""
    answers = [(case, answer(case)) for case in asked()]
    convention = convention_of(mode, answers)
    wrong = {}
    for case, told in answers:
        right = case.replacement if mode == "r" else case.error and (case.error.start, case.error.length)
        if why := convention.wrong(case.data, right, told):
            found = wrong_answer(case, convention, why, mode, told)
            wrong.setdefault((convention.kind, found.blame.codes), WrongAnswers(found)).add(found)
    return [(found.line, found.where) for found in answer_classes(wrong)]


def replaced(mark):
    """Return a function that replaces each maximal subpart; *mark* returns what stands for error *number*, from 1."""

    def answer(case):
        text, at = "", 0
        for number, error in enumerate(iter_errors(case.data), 1):
            text += case.data[at : error.start].decode() + mark(number, error, case.data)
            at = error.end
        return text + case.data[at:].decode()

    return answer


SEVERAL = "several kinds of errors"
MARK = "\ufffd"
ONE_CAUSE = {  # what stands for an error, and the line and the place of its class
    "cut end dropped": (lambda _, error, __: MARK * (not error.truncated), "UTF8-TRUNCATED", ""),
    "cut end by bytes": (lambda _, error, __: MARK * (error.length if error.truncated else 1), "UTF8-TRUNCATED", ""),
    "end dropped": (lambda _, error, data: MARK * (error.end < len(data)), SEVERAL, "only at the end of the input"),
    "start dropped": (lambda _, error, __: MARK * (error.start > 0), SEVERAL, "only at the start of the input"),
    "FF dropped": (
        lambda _, error, data: MARK * (data[error.start] != 0xFF),
        "UTF8-TOO-LARGE",
        "only where it begins with %xFF",
    ),
    "NUL": (lambda _, error, data: MARK * (0 not in data[: error.start]), SEVERAL, "only behind %x00"),
    "E0 twice": (
        lambda _, error, data: MARK * (1 + (data[error.start] == 0xE0)),
        SEVERAL,
        "only where it begins with %xE0",
    ),
    "other mark": (lambda number, *_: f"{MARK}?"[number > 2], SEVERAL, "only in input with 3 errors or more"),
    "slash": (
        lambda _, error, data: "/" if data[error.start :][:2] == b"\xc0\xaf" else MARK,
        "UTF8-OVERLONG",
        "",
    ),
}


@pytest.mark.parametrize("name", ONE_CAUSE)
def test_a_fault_of_texts_is_one_class_for_the_errors_that_are_to_blame(name):
    mark, *found = ONE_CAUSE[name]
    assert judged("r", replaced(mark)) == [tuple(found)]


def test_what_swallows_the_next_character_is_one_class_that_names_it():
    found = judged("r", lambda case: re.sub(f"{MARK}\n", MARK, case.replacement))
    assert [where for _, where in found] == ["only before %x0A"]


def test_lost_text_is_a_class_of_its_own():
    assert [line for line, _ in judged("r", lambda case: case.replacement.partition("\0")[0])] == ["well-formed text"]


ONE_CAUSE_OF_OFFSETS = {  # where its class is, and the wrong offset and length
    "only where another error follows": lambda data, error: list(iter_errors(data))[-1],
    "only where another error follows directly": lambda data, error: next(
        (two for two in iter_errors(data) if two.start == error.end), error
    ),
    "only behind %x00": lambda data, error: error._replace(start=data[: error.start].find(b"\0") % (error.start + 1)),
    "only where it has more than one byte": lambda _, error: error._replace(
        start=error.start + error.length * (error.length > 1)
    ),
    "only at offset 31 modulo 32": lambda data, error: error._replace(start=error.start - (error.start % 32 == 31)),
    "": lambda data, error: error._replace(start=error.start & ~15),
    "only directly behind a character of 4 bytes": lambda data, error: error._replace(
        start=error.start - 2 * (data[: error.start][-4:-3] >= b"\xf0")
    ),
    "only where it begins with %xE1": lambda data, error: error._replace(
        length=error.length + (data[error.start] == 0xE1)
    ),
}


@pytest.mark.parametrize("where", ONE_CAUSE_OF_OFFSETS)
def test_a_fault_of_offsets_is_one_class_that_names_its_cause(where):
    wrong = ONE_CAUSE_OF_OFFSETS[where]
    found = judged("p", lambda case: case.error and wrong(case.data, case.error)[:2])
    assert [said for _, said in found] == [where]


def test_offsets_that_are_counted_from_1_are_one_class_of_any_error():
    found = judged("p", lambda case: case.error and (case.error.start + 1, case.error.length))
    assert found == [("any error", "")]


class KeepsItsError:
    """A stream that a reset does not free from its error, and that tells offsets from the start of the piece."""

    error = None

    def __init__(self):
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def feed(self, chunk):
        if self.error is not None:
            return False
        try:
            self._decoder.decode(chunk)
        except UnicodeDecodeError:
            self.error = ""
            return False

    def finish(self):
        return self.error is None and self._decoder.decode(b"", True)

    def reset(self):
        self._decoder.reset()


class ReadsOnAfterItsEnd:
    def __init__(self):
        self.reset()

    def reset(self):
        self._text = ""
        self._data = b""

    def feed(self, chunk):
        self._data += chunk
        return self._text

    def finish(self):
        self._text = "again"
        return self._data.decode()


class Incremental:
    """An incremental decoder: the right one is changed below in one thing each."""

    def __init__(self):
        self.reset()

    def reset(self):
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def feed(self, chunk):
        return self._decoder.decode(chunk)

    def finish(self):
        return self._decoder.decode(b"", True)

    @property
    def pending(self):
        return self._decoder.getstate()[0] != b""


class AcceptsACutEnd(Incremental):
    def finish(self):
        return True


class NeverSaysMore(Incremental):
    pending = False


class ForgetsASecondCut(Incremental):
    def feed(self, chunk):
        self._waited = self._waited + 1 if self.pending else 0
        if self._waited > 1:
            self.reset()
        return self._decoder.decode(chunk)

    def reset(self):
        super().reset()
        self._waited = 0


class KeepsItsState(Incremental):
    def reset(self):
        if not hasattr(self, "_decoder"):
            super().reset()


class UpperCaseAfterTwoResets(Incremental):
    def __init__(self):
        self._resets = -1
        super().__init__()

    def reset(self):
        super().reset()
        self._resets += 1

    def feed(self, chunk):
        text = super().feed(chunk)
        return text.upper() if self._resets == 2 else text


class LosesACarriageReturn(Incremental):
    def feed(self, chunk):
        return super().feed(chunk).removesuffix("\r")


class RefusesNothing(Incremental):
    """It refuses the empty input, however that is cut."""

    def reset(self):
        super().reset()
        self._is_empty = True

    def feed(self, chunk):
        self._is_empty = self._is_empty and not chunk
        return super().feed(chunk)

    def finish(self):
        return super().finish() if not self._is_empty else False


class RefusesTenPieces(Incremental):
    def reset(self):
        super().reset()
        self._pieces = 0

    def feed(self, chunk):
        self._pieces += 1
        return super().feed(chunk)

    def finish(self):
        return super().finish() if self._pieces % 10 else False


class ForgetsAfter(Incremental):
    """It forgets what is pending after a piece of some sizes; so its verdicts are wrong as well."""

    def __init__(self, is_forgotten):
        super().__init__()
        self._is_forgotten = is_forgotten

    def feed(self, chunk):
        text = super().feed(chunk)
        if self._is_forgotten(len(chunk)):
            self.reset()
        return text


class KeepsItsStateAfter(ForgetsAfter):
    """A reset does nothing after a piece of some sizes."""

    size = -1

    def feed(self, chunk):
        self.size = len(chunk)
        return self._decoder.decode(chunk)

    def reset(self):
        if self.size == -1 or not self._is_forgotten(self.size):
            super().reset()


@pytest.mark.parametrize("decoder", [
    partial(ForgetsAfter, lambda size: size == 4), partial(KeepsItsStateAfter, lambda size: size >= 16),
    LosesACarriageReturn, RefusesTenPieces,
], ids=["a piece of 4 bytes", "a piece of 16 bytes", "a carriage return", "ten pieces"])  # fmt: skip
def test_a_stream_that_goes_wrong_at_some_pieces_is_found(decoder):
    report = run(decoder, level="L1", families=["stream/*"])
    assert "streaming" in {each.kind for each in report.deviations}
    assert not report.conforms


@pytest.mark.parametrize(("decoder", "line", "place"), [
    (KeepsItsError, "several kinds of errors", "seen only after a reset"),
    (ReadsOnAfterItsEnd, "well-formed text", ""),
    (AcceptsACutEnd, "UTF8-TRUNCATED / UTF8-SURROGATE", "seen only at the end of the input"),
    (NeverSaysMore, "any input", "seen in some contexts"),
    (ForgetsASecondCut, "several kinds of input", "seen only where a piece ends within a character"),
    (KeepsItsState, "any error", "seen only after a reset"),
    (UpperCaseAfterTwoResets, "any input", "seen only after a second reset"),
])  # fmt: skip
def test_a_fault_of_an_incremental_decoder_is_one_class(decoder, line, place):
    report = run(decoder, level="L1", ids=["stream/named/1*"])
    assert [(each.kind, each.line, each.place) for each in report.deviations] == [("streaming", line, place)]


def test_a_stream_that_refuses_the_empty_input_has_one_class():
    report = run(RefusesNothing, level="L1", ids=["stream/named/0/*", "stream/named/1/ascii/*"])
    assert [(each.kind, each.line, each.example) for each in report.deviations] == [
        ("streaming", "well-formed text", b"")
    ]


class ForgetsWhatIsPending:
    """It forgets the beginning of a character at the end; it takes no reset, so what follows its end is wrong."""

    def __init__(self):
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def feed(self, chunk):
        self._decoder.decode(chunk)

    def finish(self):
        self._decoder.reset()


class ForgetsAndAccepts(ForgetsWhatIsPending):
    """The same, but what comes at once is judged rightly."""

    def accepts(self, data):
        return first_error(data) is None


@pytest.mark.parametrize(("decoder", "kind", "place"), [
    (ForgetsWhatIsPending, "extra", "only at the end of the input"),
    (ForgetsAndAccepts, "streaming", "seen only at the end of the input"),  # a whole surrogate there is refused
])  # fmt: skip
def test_a_stream_that_accepts_a_cut_end_has_one_class(decoder, kind, place):
    report = run(decoder, level="L1", families=["named", "stream/named"])
    assert [(each.kind, each.place) for each in report.deviations] == [(kind, place)]


class TakesNoBom:
    """Tells an error of right text that begins with a BOM."""

    def first_error(self, data):
        return first_error(data) or ((0, 3) if data.startswith(codecs.BOM_UTF8) else None)


class AcceptsRightly(TakesNoBom):
    def accepts(self, data):
        return first_error(data) is None


@pytest.mark.parametrize(("decoder", "found"), [
    (TakesNoBom, [("missing", "%xEF %xBB %xBF")]),
    (AcceptsRightly, [("position", "well-formed text")]),
])  # fmt: skip
def test_a_wrong_verdict_is_told_once(decoder, found):
    report = run(decoder, level="L0", ids=["named/*bom*"])
    assert [(each.kind, each.line) for each in report.deviations] == found


class TakesSurrogates:
    """A decoder that takes surrogates for characters, in every mode."""

    offset, around = 0, ""

    def accepts(self, data):
        return first_error(self._without(data)) is None

    def first_error(self, data):
        error = first_error(self._without(data))
        return error and (error.start + self.offset, error.length)

    def replace(self, data):
        return "?".join(each.decode("utf-8", "replace") for each in self._split(data)) + self.around

    def stream(self):
        return KeepsAll(self)

    @staticmethod
    def _split(data):
        return re.split(rb"\xed[\xa0-\xbf][\x80-\xbf]", data)

    def _without(self, data):
        return b"\xef\xbf\xbf".join(self._split(data))


class KeepsAll:
    def __init__(self, decoder):
        self._decoder, self._data = decoder, b""

    def feed(self, chunk):
        self._data += chunk

    def finish(self):
        return self._decoder.accepts(self._data)


class AndCountsFromOne(TakesSurrogates):
    offset = 1


class AndAddsText(TakesSurrogates):
    def replace(self, data):
        return super().replace(data) + "!" * data.count(b"\xed\xa0\x80")


@pytest.mark.parametrize(("decoder", "others"), [
    (TakesSurrogates, set()),
    (AndCountsFromOne, {"position"}),
    (AndAddsText, {"replacement"}),
])  # fmt: skip
def test_what_follows_from_a_wrong_verdict_has_no_class_of_its_own(decoder, others):
    report = run(decoder, level="L0", families=["named"])
    verdicts, *more = report.deviations
    assert (verdicts.kind, verdicts.line) == ("extra", "%xED %xA0-BF UTF8-tail")
    assert {each.kind for each in more} == others
    assert any(note.endswith("follow from the wrong verdicts") for note in report.notes)


@pytest.mark.parametrize(("decoder", "line", "place"), [
    (Replaces(lambda data, text: text if MARK.encode() in data else re.sub(f"{MARK}({MARK}+)", r"\1", text)),
     "several kinds of errors", "seen only in input with 3 errors or more"),
    (Replaces(lambda data, text: text.replace(MARK, "?") if data[:1] == b"\xbf" else text), "UTF8-LONE-TAIL",
     "seen only where it begins with %xBF and at the start of the input"),
    (Positions(lambda data, start: start + (data[start] in b"\x85\x91\xa0\xa7\xb3\xbb")), "UTF8-LONE-TAIL",
     "seen in some contexts"),
    (Positions(lambda data, start: start + (data[start:start + 2] == b"\x80\x80")), "UTF8-LONE-TAIL",
     "seen only where it begins with %x80"),
])  # fmt: skip
def test_a_class_that_tells_of_right_answers_as_well_says_only_what_was_seen(decoder, line, place):
    """It said "UTF8-LONE-TAIL" alone where only some lone tails were answered wrongly."""
    report = run(decoder, level="L1", families=["named", "W/k0", "within"])
    assert [(each.line, each.place) for each in report.deviations] == [(line, place)]


class Merges:
    """Replaces each error, and then makes *few* marks of *many* or more in a row."""

    def __init__(self, many, few, unit):
        self._runs, self._few = re.compile(f"{MARK}{{{many},}}"), MARK * few
        self._policy = next(policy for policy in policies() if policy.unit == unit and policy.mark)

    def replace(self, data):
        return self._runs.sub(self._few, self._policy.text(data).decode())


UNICODE = "maximal subpart (Unicode 3.9, WHATWG)"


@pytest.mark.parametrize(("many", "few", "unit"), [
    (3, 1, UNICODE), (4, 2, "byte"),
])  # fmt: skip
def test_marks_that_are_merged_are_one_class_with_their_number(many, few, unit):
    report = run(Merges(many, few, unit), level="L1", families=["named", "W/k0", "within"])
    (found,) = report.deviations
    assert (found.kind, found.place) == ("replacement", f"seen only in a row of {many} or more marks")
    note = next(note for note in report.notes if note.startswith("replacement: "))
    assert re.search(f"U\\+FFFD for each {re.escape(unit)}, in [0-9,]+ of [0-9,]+ samples$", note)


class LosesALetter:
    """One mark for a cut character and the letter behind it, and one for any stretch of errors."""

    def replace(self, data):
        return re.sub("\ufffd+.?", "\ufffd", data.decode("utf-8", "replace"), flags=re.DOTALL)


def test_a_class_shows_lost_text_before_another_number_of_marks():
    """A matrix row takes the number of marks for a way of the decoder: the example decides what a class is."""
    report = run(LosesALetter, level="L0", families=["named"])
    assert [each for each in report.deviations if each.why.startswith("the well-formed text around")]


class Skips:
    """No mark for an error; the letter behind a cut character is lost with it, as by utf_to_utf of Boost.Locale."""

    def replace(self, data):
        return re.sub(b"[\xc2-\xf4][A-Za-z]", b"", data).decode("utf-8", "ignore")


def test_a_class_names_each_rule_that_its_answers_break_lost_text_first():
    (found,) = run(Skips, level="L0", families=["named"]).deviations
    assert found.line == "any error"
    assert re.search(f"^{CHANGED}; [0-9A-F ]+: {NO_MARK}$", found.why)
