"""Packages of PyPI that read text alone: their decoders by name, each with its distribution and how to make it."""

from __future__ import annotations

import os
import re
from importlib import import_module

from pypi_ways import Decoder, unless


class Validator:
    """A validator with autobahn's interface: ``validate(chunk)`` gives (valid, ends on a character, index, index)."""

    def __init__(self, make):
        self.make = make

    def accepts(self, data):
        """Tell whether it is valid and ends on a character."""
        return all(self.make().validate(data)[:2])

    def first_error(self, data):
        """Return the index at which it gave up; it tells no length."""
        valid, whole, _, index = self.make().validate(data)
        return None if valid and whole else (index, 1)

    def stream(self):
        """Return a stream."""
        return ValidatorStream(self.make())


class ValidatorStream:
    """One stream."""

    def __init__(self, validator):
        self.validator, self.whole = validator, True

    def feed(self, chunk):
        """Tell whether all is valid so far."""
        valid, self.whole, *_ = self.validator.validate(chunk)
        return valid

    def finish(self):
        """Tell whether the end is that of a character."""
        return self.whole


def autobahn(native):
    """Return a maker of the validator in C (NVX), or of the one in Python."""

    def make():
        os.environ["AUTOBAHN_USE_NVX"] = str(native)
        validator = import_module("autobahn.websocket.utf8validator").Utf8Validator
        assert ("nvx" in validator.__module__) is bool(native), validator.__module__
        return Validator(validator)

    return make


class Codec:
    """A codec of Python's registry."""

    def __init__(self, name):
        self.info = import_module("codecs").lookup(name)

    def accepts(self, data):
        """Tell whether it decodes *data*."""
        return self.first_error(data) is None

    def first_error(self, data):
        """Return where its UnicodeDecodeError lies."""
        try:
            self.info.decode(data)
        except UnicodeDecodeError as error:
            return error.start, error.end - error.start
        return None

    def replace(self, data):
        """Return what it makes of *data* with the handler replace."""
        return self.info.decode(data, "replace")[0]

    def stream(self):
        """Return a stream."""
        return CodecStream(self.info.incrementaldecoder())


class CodecStream:
    """One stream."""

    def __init__(self, decoder):
        self.decoder = decoder

    def feed(self, chunk, final=False):
        """Tell whether *chunk* decodes."""
        try:
            self.decoder.decode(chunk, final)
        except UnicodeDecodeError:
            return False
        return True

    def finish(self):
        """Tell whether the end decodes."""
        return self.feed(b"", final=True)


def ftfy():
    """Return the codec that importing ftfy.bad_codecs adds."""
    import_module("ftfy.bad_codecs")
    return Codec("utf-8-variants")


class HarfBuzz:
    """A buffer's characters; it replaces. The byte after data is 80."""

    def __init__(self):
        self.make = import_module("uharfbuzz").Buffer

    def replace(self, data):
        """Return the characters."""
        if not data:
            return ""
        buffer = self.make()
        buffer.add_utf8(data + b"\x80", 0, len(data))
        return "".join(chr(info.codepoint) for info in buffer.glyph_infos)

    def accepts(self, data):
        """Tell whether it replaces nothing: those that are in *data* are characters."""
        return self.replace(data).count("\ufffd") <= data.count("\ufffd".encode())


def re2():
    """Whether any number of characters, line ends included, is all of data."""
    pattern = import_module("re2").compile(rb"(?s).*")
    return Decoder(lambda data: pattern.fullmatch(data))


def hyperscan():
    """Return a compiler of patterns with the flag UTF8; ASCII but for digits and letters is written in hex."""
    module = import_module("hyperscan")

    def call(data):
        pattern = re.sub(rb"[^0-9A-Za-z\x80-\xff]", lambda found: b"\\x%02x" % found[0][0], b"a" + data)
        module.Database().compile(expressions=[pattern], flags=module.HS_FLAG_UTF8)
        return True

    return unless(re.compile(rb"(?s).{4000}"), Decoder(call, module.error))  # a pattern has a limit of its own


TEXT = {
    "autobahn": ("autobahn", autobahn(0)),
    "autobahn-nvx": ("autobahn", autobahn(1)),
    "wsaccel": ("wsaccel", lambda: Validator(import_module("wsaccel.utf8validator").Utf8Validator)),
    "ftfy": ("ftfy", ftfy),
    "uharfbuzz": ("uharfbuzz", HarfBuzz),
    "google-re2": ("google-re2", re2),
    "hyperscan": ("hyperscan", hyperscan),
}
