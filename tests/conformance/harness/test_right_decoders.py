"""Right decoders that are not like most: noisy, buffering, or stripping a BOM. All pass."""

import sys

import pytest

from utf8_abnf.conformance import render, run


class Noisy:
    def accepts(self, data):
        print("reading", data)
        sys.stderr.write("still reading\n")
        data.decode()


class Buffering:
    """Holds all bytes until the end; its text comes late, and so do its errors."""

    def __init__(self):
        self.data = b""

    def reset(self):
        self.data = b""

    def feed(self, chunk):
        self.data += chunk
        return ""

    def finish(self):
        data, self.data = self.data, b""
        return data.decode()


class StripsABom:
    """Leaves out a BOM at the start of a stream, as most readers of files do."""

    def __init__(self):
        import codecs

        self.decoder = codecs.getincrementaldecoder("utf-8")()  # CPython's utf-8-sig takes a stream of EF alone
        self.is_first = True

    def reset(self):
        self.__init__()

    def feed(self, chunk):
        return self._without_bom(self.decoder.decode(chunk))

    def finish(self):
        text = self._without_bom(self.decoder.decode(b"", True))
        self.reset()
        return text

    def _without_bom(self, text):
        if self.is_first and text:
            self.is_first = False
            return text.removeprefix("\ufeff")
        return text


class Flagged(Buffering):
    """Has a flag named error, and feed() says nothing."""

    error = False

    def feed(self, chunk):
        self.data += chunk

    def finish(self):
        try:
            super().finish()
        except ValueError:
            self.error = True
            return False
        return ""


class WithNumber(Buffering):
    """Has a number named error, which is -1 as long as there is none."""

    error = -1


class StripsABomAndReplaces:
    def replace(self, data):
        return data.decode("utf-8-sig", "replace")


@pytest.mark.parametrize("decoder", [Noisy, Buffering, Flagged, WithNumber, StripsABom, StripsABomAndReplaces])
def test_a_right_object_passes(decoder):
    report = run(decoder, level="L1", ids=("named/*", "stream/named/1+*", "stream/named/1x1/*"))
    assert report.conforms, render(report, "text")
