"""One cause, one class: wrong offsets, texts and streams whose wrong answers share what could be their cause."""

import codecs

import pytest

from utf8_abnf.conformance import run


class LosesItsState:
    """A stream that forgets the beginning of a character when an empty piece comes."""

    def __init__(self):
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def feed(self, chunk):
        if not chunk:
            self._decoder.reset()
        self._decoder.decode(chunk)

    def finish(self):
        self._decoder.decode(b"", True)


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
    assert (kind, where) == ("streaming", "only where a piece is empty")
    assert line in ("any input", "any error", "several kinds of input", "several kinds of errors")


@pytest.mark.parametrize(("wrong", "where"), [
    (lambda data, start: start & 0x3F, "only from offset 64 on"),
    (lambda data, start: len(data[:start].decode()), "only behind a character above %x7F"),
    (lambda data, start: start - 3 * data.startswith(codecs.BOM_UTF8), "only in input that begins with a BOM"),
])  # fmt: skip
def test_offsets_that_are_wrong_for_one_reason_have_one_class(wrong, where):
    found = classes(Positions(wrong), "named", "behind")
    assert [(kind, said) for kind, _, said in found] == [("position", where)]


def test_a_decoder_that_drops_every_error_has_one_class():
    assert classes(Drops, "named") == [("replacement", "any error", "")]


def test_two_causes_stay_two_classes():
    def wrong(data, start):
        is_surrogate = data[start] == 0xED and b"\xa0" <= data[start + 1 : start + 2] <= b"\xbf"
        return start + 1 if data[start] == 0xC0 or is_surrogate else start

    assert {line for _, line, _ in classes(Positions(wrong), "named")} == {"UTF8-OVERLONG", "UTF8-SURROGATE"}
