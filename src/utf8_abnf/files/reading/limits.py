"""How much may come out of a packed file, and how the errors of libraries become ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import UnreadableError
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import printable

if TYPE_CHECKING:
    from collections.abc import Callable

FREE = 64 << 20  # bytes that may come out whatever the ratio: they take less than a second


class Limits(NamedTuple):
    """*size*: bytes that may come out of one file; *ratio*: bytes out for each byte in; *depth*: levels to open."""

    size: int
    ratio: int
    depth: int


class Meter:
    """Counts the bytes that come out of *packed* bytes, and of the file *above* in which they are."""

    def __init__(self, limits: Limits, packed: Callable[[], int], above: Meter | None = None) -> None:
        self._limits, self._packed, self._above = limits, packed, above
        self._out = self._refused = 0
        self.exceeded = False

    def part(self, packed: int) -> Meter:
        """Return the meter of a part that takes *packed* bytes of this file."""
        return Meter(self._limits, lambda: packed, self)

    def add(self, count: int) -> None:
        """Count *count* more bytes; raise ``UnreadableError`` where they are too many.

        A part that is refused for its ratio does not count in that of the file, whose other parts may be honest.
        """
        self._out += count
        counted = self._out - self._refused
        if counted > FREE and counted > self._limits.ratio * self._packed():
            if self._above:
                self._above._refused += self._out - count
            self.exceeded = True
            raise UnreadableError(say(messages.TOO_DENSE, ratio=f"{self._limits.ratio:,}"))
        if self._above:
            self._above.add(count)
        elif self._out > self._limits.size:
            self.exceeded = True
            raise UnreadableError(say(messages.TOO_LARGE_UNPACKED, most=f"{self._limits.size:,}"))


class _Guard:
    """A context, as ``contextlib`` would make it of a function in five times the time: each chunk needs two."""

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is None or isinstance(error, (UnreadableError, KeyboardInterrupt, SystemExit, GeneratorExit)):
            return
        if isinstance(error, EOFError):
            raise UnreadableError(say(messages.UNPACKED_TRUNCATED)) from None
        if isinstance(error, OSError) and error.strerror:  # gzip and bzip2 use the type for what is damaged, too
            raise UnreadableError(error.strerror) from error
        reason = " ".join(str(error).split()) or type(error).__name__  # a panic of Rust is not an Exception
        raise UnreadableError(say(messages.CANNOT_UNPACK, reason=printable(reason[:200]))) from error


_GUARD = _Guard()


def guarded() -> _Guard:
    """Turn whatever a library raises for bytes that it cannot read into ``UnreadableError``.

    Why any exception: on broken input these libraries raise KeyError, ValueError, NotImplementedError and others,
    which they do not document.
    """
    return _GUARD
