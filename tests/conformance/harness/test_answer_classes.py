"""One kind of error, one class: wrong offsets, texts and streams, each class with its shortest example."""

import codecs
import re
from functools import partial

import pytest

from utf8_abnf import first_error
from utf8_abnf.conformance import run

MARK = "\ufffd"


class Positions:
    """Offsets and lengths that *wrong* makes of the data and the right ones."""

    def __init__(self, wrong):
        self._wrong = wrong

    def first_error(self, data):
        error = first_error(data)
        return error and self._wrong(data, error.start, error.end - error.start)


class Replaces:
    """Text that *wrong* makes of the data and the right text."""

    def __init__(self, wrong):
        self._wrong = wrong

    def replace(self, data):
        return self._wrong(data, data.decode("utf-8", "replace"))


@pytest.mark.parametrize(("wrong", "line"), [
    (lambda data, start, length: (start & 0x3F, length), "offset"),
    (lambda data, start, length: (start + 1, length), "offset"),
    (lambda data, start, length: (start, length + (data[start] == 0xE1)), "length"),
    (lambda data, start, length: (start, 200), "length"),
    (lambda data, start, length: (start, length + 1 + len(data) % 2), "length"),
], ids=["modulo 64", "from 1", "one byte more for E1", "200", "over a letter"])  # fmt: skip
def test_offsets_that_are_wrong_are_one_class(wrong, line):
    report = run(Positions(wrong), level="L1", families=["named", "behind"])
    assert [(each.kind, each.line) for each in report.deviations] == [("position", line)]


def test_a_length_without_a_rule_ends_before_the_next_character():
    """Lengths of whole runs, and others that stay within the fault, pass; one that reaches over a letter does not."""
    run_of_bytes = re.compile(rb"[\x80-\xff]+")

    def length(data, start, right):
        return start, len(run_of_bytes.match(data, start)[0]) if len(data) % 2 else 0

    assert run(Positions(length), level="L0", ids=["named/lone/*"]).conforms
    report = run(Positions(lambda data, start, _: (start, 1 + 2 * (len(data) % 3))), level="L0")
    assert [each.line for each in report.deviations] == ["length"]
    assert "the error must lie within the fault" in report.deviations[0].why


@pytest.mark.parametrize(("wrong", "lines"), [
    (lambda data, text: text.replace("A", "B"), {"text lost"}),
    (lambda data, text: text.partition("\0")[0], {"text lost", "swallowed byte"}),
    (lambda data, text: re.sub(f"{MARK}<", MARK, text), {"swallowed byte", "text lost"}),
    (lambda data, text: data.decode("utf-8", "ignore"), {"mark missing"}),
    (lambda data, text: text.replace(MARK, "?") if data[:1] == b"\x80" else text, {"other mark", "text lost"}),
    (lambda data, text: text if data[:1] != b"\x80" else data + b"\xff", {"ill-formed text"}),
    (lambda data, text: text if data[:1] != b"\x80" else None, {"refused"}),
    (lambda data, text: re.sub(f"{MARK}{{3,}}", MARK, text) if MARK.encode() not in data else text,
     {"number of marks", "other mark"}),
])  # fmt: skip
def test_texts_that_are_wrong_are_one_class_for_each_kind_of_error(wrong, lines):
    report = run(Replaces(wrong), level="L1", families=["named", "W/k0"])
    assert {each.kind for each in report.deviations} == {"replacement"}
    assert {each.line for each in report.deviations} <= lines
    assert len(report.deviations) == len({each.line for each in report.deviations})


def test_a_wrong_text_is_no_verdict():
    """It was said to be rejected, and then once more to be a wrong text; U+FFFD for a character does refuse it."""
    report = run(Replaces(lambda data, text: text.upper()), level="L0")
    assert [(each.kind, each.line) for each in report.deviations] == [("replacement", "text lost")]
    marks = run(Replaces(lambda data, text: text.replace("\ufffe", MARK)), level="L0")
    assert {each.kind for each in marks.deviations} == {"missing"}


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


class Stream:
    """Right: Python's own incremental decoder, with feed and finish."""

    errors = "strict"

    def __init__(self):
        self.reset()

    def reset(self):
        self._decoder = codecs.getincrementaldecoder("utf-8")(self.errors)

    def feed(self, chunk):
        return self._decoder.decode(chunk)

    def finish(self):
        return self._decoder.decode(b"", True)


class Incremental(Stream):
    """It tells what it waits for, too; it is changed below in one thing each."""

    @property
    def pending(self):
        return self._decoder.getstate()[0] != b""


class KeepsItsError(Stream):
    """A reset frees it from what it holds, and not from its error."""

    is_wrong = False

    def feed(self, chunk):
        try:
            return not self.is_wrong and super().feed(chunk)
        except ValueError:
            self.is_wrong = True
            raise


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


class StripsEveryMark(Incremental):
    def feed(self, chunk):
        return super().feed(chunk.removeprefix(codecs.BOM_UTF8))


class StripsAWholeMark:
    """Leaves out a BOM that comes in one piece, and keeps one that is cut; it has no reset."""

    def __init__(self):
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._begun = False

    def feed(self, chunk):
        text = self._decoder.decode(chunk)
        is_whole, self._begun = not self._begun and chunk.startswith(codecs.BOM_UTF8), self._begun or chunk != b""
        return text[1:] if is_whole else text

    def finish(self):
        return self._decoder.decode(b"", True)


def test_a_bom_that_is_left_out_when_whole_and_kept_when_cut_is_found_at_l0():
    (found,) = run(StripsAWholeMark, level="L0").deviations
    assert (found.kind, found.line) == ("streaming", "in pieces")
    assert found.why.endswith("expected no text, got the text EF BB BF")


@pytest.mark.parametrize(("decoder", "lines"), [
    (KeepsItsError, {"after a reset"}),
    (ReadsOnAfterItsEnd, {"after the end", "in pieces"}),
    (AcceptsACutEnd, {"in pieces"}),
    (NeverSaysMore, {"whether more is needed"}),
    (ForgetsASecondCut, {"in pieces", "whether more is needed"}),
    (KeepsItsState, {"after a reset"}),
    (UpperCaseAfterTwoResets, {"after a reset"}),
    (StripsEveryMark, {"in pieces"}),
])  # fmt: skip
def test_a_fault_of_an_incremental_decoder_is_one_class(decoder, lines):
    report = run(decoder, level="L1", ids=["stream/named/1*"])
    assert {each.kind for each in report.deviations} == {"streaming"}
    assert {each.line for each in report.deviations} <= lines
    borders = {each.detail for each in report.deviations if each.line == "in pieces"}
    assert (decoder is ForgetsASecondCut) is (borders == {"only where a piece ends within a character"})


@pytest.mark.parametrize("decoder", [
    partial(ForgetsAfter, lambda size: size == 4), partial(KeepsItsStateAfter, lambda size: size >= 16),
    LosesACarriageReturn, RefusesTenPieces,
], ids=["a piece of 4 bytes", "a piece of 16 bytes", "a carriage return", "ten pieces"])  # fmt: skip
def test_a_stream_that_goes_wrong_at_some_pieces_is_found(decoder):
    assert "streaming" in {each.kind for each in run(decoder, level="L1", families=["stream/*"]).deviations}


# ---- streams that replace, and streams that say False ----------------------------------------------------------------


class Replacing(Stream):
    """Right, as a TextDecoder that is not fatal."""

    errors = "replace"


class AsACodec:
    def __init__(self):
        self.reset()

    def reset(self):
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def decode(self, chunk, final=False):
        return self.decoder.decode(chunk, final)


class Both:
    def replace(self, data):
        return data.decode("utf-8", "replace")

    def stream(self):
        return Replacing()


class OfBytes(Replacing):
    """Right: one '?' for each byte, and bytes for text."""

    def feed(self, chunk):
        return super().feed(chunk).encode()

    def finish(self):
        return super().finish().encode()


class SaysFalseOnce:
    """Right: feed() says False at the first wrong byte, finish() whether a character is left open."""

    def __init__(self):
        self.decoder = codecs.getincrementaldecoder("utf-8")()

    def feed(self, chunk):
        try:
            self.decoder.decode(chunk)
        except ValueError:
            self.decoder.reset()
            return False
        return True

    def finish(self):
        return not self.decoder.getstate()[0]


FEW = ["named/*", "stream/named/1*"]


@pytest.mark.parametrize("decoder", [Replacing, AsACodec, Both, OfBytes, SaysFalseOnce])
def test_a_right_stream_that_replaces_or_says_false_passes(decoder):
    report = run(decoder, level="L1", ids=FEW)
    assert [(each.key, each.why) for each in report.deviations] == []
    assert report.conforms


class PerChunk(Replacing):
    def feed(self, chunk):
        return chunk.decode("utf-8", "replace")


class DropsErrors(Stream):
    errors = "ignore"


class SwallowsInPieces(Replacing):
    """Loses the letter behind an error where it begins a piece."""

    def feed(self, chunk):
        text = super().feed(chunk)
        return MARK + text[2:] if text[:1] == MARK and len(chunk) == 1 else text


@pytest.mark.parametrize(("decoder", "lines", "detail"), [
    (PerChunk, ["in pieces"], "only where a piece ends within a character"),
    (SwallowsInPieces, ["in pieces"], "only where a piece ends within a character"),
    (DropsErrors, ["mark missing"], ""),
])  # fmt: skip
def test_a_stream_that_replaces_wrongly_has_its_fault_on_top(decoder, lines, detail):
    report = run(decoder, level="L1", ids=FEW)
    assert [each.line for each in report.deviations][: len(lines)] == lines
    assert report.deviations[0].detail == detail
    assert not {each.kind for each in report.deviations} & {"extra", "missing"}


# ---- what follows from wrong verdicts --------------------------------------------------------------------------------


class TakesNoBom:
    """Tells an error of right text that begins with a BOM."""

    def first_error(self, data):
        return first_error(data) or ((0, 3) if data.startswith(codecs.BOM_UTF8) else None)


class AcceptsRightly(TakesNoBom):
    def accepts(self, data):
        return first_error(data) is None


@pytest.mark.parametrize(("decoder", "found"), [
    (TakesNoBom, [("missing", "%xEF %xBB %xBF")]),
    (AcceptsRightly, [("position", "verdict")]),
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
