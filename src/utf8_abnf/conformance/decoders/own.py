"""Our own validator: the kernel in use, and the one in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import utf8_abnf

if TYPE_CHECKING:
    from utf8_abnf import IllFormed, IncrementalValidator


class PublicFunctions:
    """``is_valid``, ``first_error`` and ``IncrementalValidator`` as a decoder with modes v, p and s."""

    version = f"{utf8_abnf.__version__}+{utf8_abnf.kernel.name}"

    def accepts(self, data: bytes) -> bool:
        """Tell what ``is_valid`` tells."""
        return utf8_abnf.is_valid(data)

    def first_error(self, data: bytes) -> IllFormed | None:
        """Return what ``first_error`` returns."""
        return utf8_abnf.first_error(data)

    def stream(self) -> OwnStream:
        """Return a stream that an ``IncrementalValidator`` judges."""
        return OwnStream(utf8_abnf.IncrementalValidator())


class OwnStream:
    """An ``IncrementalValidator`` with the methods that the harness calls."""

    def __init__(self, validator: IncrementalValidator) -> None:
        self._validator = validator

    def feed(self, chunk: bytes) -> bool:
        """Return False from the first error on."""
        return self._validator.feed(chunk) is None

    def finish(self) -> bool:
        """Tell whether everything fed was well-formed."""
        return self._validator.finish() is None
