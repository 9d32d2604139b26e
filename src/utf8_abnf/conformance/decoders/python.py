"""The Python that runs this: bytes.decode, the incremental decoder, and the laxer error handler ``surrogatepass``."""

from __future__ import annotations

import codecs


class Strict:
    """``bytes.decode`` with the handlers strict and replace."""

    def decode(self, data: bytes) -> str:
        """Return the text; UnicodeDecodeError for ill-formed data."""
        return data.decode("utf-8")

    def replace(self, data: bytes) -> str:
        """Return the text with U+FFFD."""
        return data.decode("utf-8", "replace")

    def first_error(self, data: bytes) -> tuple[int, int] | None:
        """Return where ``UnicodeDecodeError`` begins and how long it is."""
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            return error.start, error.end - error.start
        return None


Incremental = codecs.getincrementaldecoder("utf-8")


def surrogatepass(data: bytes) -> bool:
    """Tell whether ``bytes.decode`` takes *data* with the error handler surrogatepass."""
    data.decode("utf-8", "surrogatepass")
    return True


def control(data: bytes) -> bool:
    """Tell whether the sum of the bytes, modulo 256, is below 128: no decoder, a test of what carries *data* here."""
    return sum(data) % 256 < 128
