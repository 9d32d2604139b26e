"""Wrong decoders in the shapes in which people write them: each name in WRONG is a target, and deviates."""

import codecs

from utf8_abnf import first_error, is_valid


def never_refuses(data):
    return data.decode("utf-8", "replace")


def never_looks(data):
    return None


def looks_up_what_is_not_there(data):
    data.decode()
    return {False: True}[b"\xc3" in data]


def misses_a_name(data):
    data.decode()
    return nothing  # noqa: F821


def exits(data):
    try:
        return data.decode()
    except ValueError:
        raise SystemExit(1) from None


class Lax:
    def accepts(self, data):
        data.decode("utf-8", "surrogatepass")


class SaysItIsComplete:
    pending = False

    def __init__(self):
        self.decoder = codecs.getincrementaldecoder("utf-8")()

    def feed(self, chunk):
        return self.decoder.decode(chunk)

    def finish(self):
        return self.decoder.decode(b"", True)


class TellsTheOffsetInTheChunk(SaysItIsComplete):
    pending = None
    error = None

    def feed(self, chunk):
        try:
            return super().feed(chunk)
        except UnicodeDecodeError as error:
            self.error = error.start
            raise


class BreaksInOneMode:
    """Right, but its replace() does not work at all."""

    def accepts(self, data):
        return is_valid(data)

    def replace(self, data):
        return data.missing

    def first_error(self, data):
        error = first_error(data)
        return error and (error.start, error.length)


WRONG = [
    name
    for name, value in globals().items()
    if callable(value) and getattr(value, "__module__", "") == __name__ and not name.startswith("_")
]
