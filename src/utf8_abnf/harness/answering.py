"""A Python decoder's answers: a function, class or object in, the bytes that the stream protocol asks for out."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from utf8_abnf.errors import TargetError
from utf8_abnf.harness.protocol import ACCEPT, ACCEPTED, REJECT

if TYPE_CHECKING:
    from collections.abc import Callable

METHODS = ("accepts", "first_error", "decode", "replace", "stream")


class Answering:
    """A Python decoder: a function of bytes, or a class or object with some of ``METHODS``.

    Each method adds a mode: ``first_error`` p, ``replace`` or ``decode`` r, ``stream`` s. The verdict comes from the
    first of ``METHODS`` that the decoder has. TargetError when it has none of them and cannot be called.
    """

    def __init__(self, decoder: Any) -> None:
        if isinstance(decoder, type) and any(hasattr(decoder, name) for name in METHODS):
            decoder = decoder()
        has = {name for name in METHODS if callable(getattr(decoder, name, None))}
        is_text = isinstance(decoder, str | bytes)  # which has a method named replace
        if is_text or (not has and not callable(decoder)):
            raise TargetError(f"{decoder!r} is not a decoder: it cannot be called and has none of {', '.join(METHODS)}")
        self._decoder = decoder
        self._verdict = next((getattr(self, f"_by_{name}") for name in METHODS if name in has), self._by_call)
        positions = ("p",) if "first_error" in has else ()
        replacing = ("r",) if "replace" in has or "decode" in has else ()
        streaming = ("s",) if "stream" in has else ()
        self.modes = ("v", *positions, *replacing, *streaming)
        self._answers: dict[str, Callable[[bytes], bytes]] = {
            "v": self._v,
            "p": self._p,
            "r": self._r if "replace" in has else self._r_by_decode,
            "s": self._s,
        }

    def answer(self, mode: str, data: bytes) -> bytes:
        """Return the answer to the frame *data* in *mode*; every exception except ValueError goes to the caller."""
        return self._answers[mode](data)

    def _v(self, data: bytes) -> bytes:
        try:
            return ACCEPT if self._verdict(data) else REJECT
        except ValueError:  # UnicodeDecodeError is one
            return REJECT

    def _by_call(self, data: bytes) -> bool:
        return bool(self._decoder(data))

    def _by_accepts(self, data: bytes) -> bool:
        return bool(self._decoder.accepts(data))

    def _by_first_error(self, data: bytes) -> bool:
        return self._decoder.first_error(data) is None

    def _by_decode(self, data: bytes) -> bool:
        self._decoder.decode(data)
        return True

    def _by_replace(self, data: bytes) -> bool:
        return bool(_encode(self._decoder.replace(data)) == data)

    def _by_stream(self, data: bytes) -> bool:
        stream = self._decoder.stream()
        return stream.feed(data) is not False and bool(stream.finish())

    def _p(self, data: bytes) -> bytes:
        error = self._decoder.first_error(data)
        if error is None:
            return struct.pack("<IB", ACCEPTED, 0)
        start, length = (error.start, error.length) if hasattr(error, "start") else error
        return struct.pack("<IB", start, min(length, 255))

    def _r(self, data: bytes) -> bytes:
        text = _encode(self._decoder.replace(data))
        return len(text).to_bytes(4, "little") + text

    def _r_by_decode(self, data: bytes) -> bytes:
        try:
            text = _encode(self._decoder.decode(data))
        except ValueError:
            return ACCEPTED.to_bytes(4, "little")
        return len(text).to_bytes(4, "little") + text

    def _s(self, data: bytes) -> bytes:
        count = int.from_bytes(data[:4], "little")
        sizes = struct.unpack_from(f"<{count}I", data, 4)
        at = 4 + 4 * count
        stream = self._decoder.stream()
        verdicts = bytearray()
        failed = False
        for size in sizes:
            failed = failed or self._feed(stream, data[at : at + size])
            verdicts += REJECT if failed else b"?"
            at += size
        return bytes(verdicts) + (REJECT if failed or not self._finish(stream) else ACCEPT)

    @staticmethod
    def _feed(stream: Any, chunk: bytes) -> bool:
        try:
            return stream.feed(chunk) is False
        except ValueError:
            return True

    @staticmethod
    def _finish(stream: Any) -> bool:
        try:
            return bool(stream.finish())
        except ValueError:
            return False


def _encode(text: str) -> bytes:
    # A decoder may return surrogates: written as three bytes each they are a wrong answer, not a crash.
    return text.encode("utf-8", "surrogatepass")
