"""Right decoders that are not like most: slow, noisy, buffering, stripping a BOM, or rejecting with 65. All pass."""

import shlex
import sys
from pathlib import Path

import pytest

from utf8_abnf.conformance import render, run

HOSTILE = Path(__file__).resolve().parent / "hostile" / "decoder.py"


def stream(behaviour):
    return f"stream:{shlex.quote(sys.executable)} -I {shlex.quote(str(HOSTILE))} {behaviour}"


@pytest.mark.thorough
@pytest.mark.parametrize("behaviour", ["needs-2-milliseconds", "chatters-on-stderr", "answers-in-large-pieces"])
def test_a_right_decoder_that_is_slow_noisy_or_buffering_passes(behaviour):
    report = run(stream(behaviour), level="L0")
    assert report.conforms, render(report, "text")


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


@pytest.mark.thorough
def test_a_program_that_rejects_with_65_passes(tmp_path):
    path = tmp_path / "judge.py"
    path.write_text("import sys\ntry: sys.stdin.buffer.read().decode()\nexcept ValueError: sys.exit(65)\n")
    report = run(f"exec:{shlex.quote(sys.executable)} -I -S {shlex.quote(str(path))}", level="L0", ids=["named/t*"])
    assert report.conforms, render(report, "text")
