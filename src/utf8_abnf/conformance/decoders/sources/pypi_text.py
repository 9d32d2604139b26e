"""Packages of PyPI that read text alone: their decoders by name, each with its distribution and how to make it."""

from __future__ import annotations

import os
from importlib import import_module

from pypi_ways import Decoder


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


def autobahn():
    """Return the validator in Python, not the one in C (NVX)."""
    os.environ["AUTOBAHN_USE_NVX"] = "0"
    return Validator(import_module("autobahn.websocket.utf8validator").Utf8Validator)


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


def re2():
    """Whether any number of characters, line ends included, is all of data."""
    pattern = import_module("re2").compile(rb"(?s).*")
    return Decoder(lambda data: pattern.fullmatch(data))


TEXT = {
    "autobahn": ("autobahn", autobahn),
    "ftfy": ("ftfy", ftfy),
    "google-re2": ("google-re2", re2),
}
