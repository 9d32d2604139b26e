"""The validator without C: bytes in, verdict out, decided by CPython's own decoder.

The same names as the C module ``_kernel``, for installs without a compiler. The C module asks ``error_start`` here
when the kernel called "python" is in use.
"""

from __future__ import annotations

import sys
from codecs import utf_8_decode
from collections import Counter
from typing import TYPE_CHECKING

from utf8_abnf.validator.ill_formed import CODES, LONE_TAIL, MISSING_TAIL, IllFormed, describe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Buffer

WINDOW = 65536  # bytes decoded at a time: decoding makes a str, and memory must stay bounded
_TAILS = bytes(range(0x80, 0xC0))  # UTF8-tail = %x80-BF


def _bytes_of(data: Buffer) -> memoryview:
    view = memoryview(data)
    if not view.c_contiguous:
        raise BufferError("the buffer is not contiguous: pass a contiguous copy of it")
    return view.cast("B") if view.nbytes else memoryview(b"")


def error_start(view: memoryview) -> int:
    """Return the offset of the first ill-formed sequence in *view*, contiguous bytes; its length if there is none."""
    start = 0
    while True:
        end = min(start + WINDOW, len(view))
        try:
            _, used = utf_8_decode(view[start:end], "strict", end == len(view))
        except UnicodeDecodeError as error:
            return start + error.start
        if end == len(view):
            return end
        start += used


def errors_from(data: Buffer, start: int, most: int, /) -> list[IllFormed]:
    """Return the first *most* ill-formed sequences of *data* from the offset *start* on, where a sequence begins."""
    view = _bytes_of(data)
    if start < 0 or most < 0:
        raise ValueError("start and most must not be negative")
    errors: list[IllFormed] = []
    while len(errors) < most:
        start += error_start(view[start:])
        error = describe(bytes(view[start : start + 4]), start)
        if error is None:
            break
        errors.append(error)
        start = error.end
    return errors


def count_by_code(data: Buffer, /) -> tuple[int, ...]:
    """Return how many ill-formed sequences *data* has of each code, in the order of ``ill_formed.CODES``."""
    codes = Counter(error.code for error in errors_from(data, 0, sys.maxsize))
    return tuple(codes[code] for code in CODES)


def count_well_formed(data: Buffer, /) -> tuple[int, int, int]:
    """Return how many characters well-formed *data* have, how many LF, and how many characters after the last one."""
    text = bytes(_bytes_of(data))
    return _units(text), text.count(b"\n"), _units(text[text.rfind(b"\n") + 1 :])


def summarize(
    data: Buffer, /, at_the_end: str = MISSING_TAIL
) -> tuple[int, int, int, tuple[int, ...], tuple[int, int, int, int] | None]:
    """Return units, newlines, column, codes and first of *data*, as ``summary._Judged`` has them.

    A character begins at the start of *data*; *at_the_end* is the code of a sequence that is cut at the end.
    """
    text = bytes(_bytes_of(data))
    errors = [
        error._replace(code=at_the_end) if error.truncated else error for error in errors_from(text, 0, sys.maxsize)
    ]
    line = text.rfind(b"\n") + 1
    codes = Counter(error.code for error in errors)
    first = None
    if errors:
        before = text[: errors[0].start]
        column = _units(before[before.rfind(b"\n") + 1 :])
        first = (len(before), before.count(b"\n"), column, CODES.index(errors[0].code))
    return (
        _units(text) + codes[LONE_TAIL],
        text.count(b"\n"),
        _units(text[line:]) + sum(error.code == LONE_TAIL for error in errors if error.start >= line),
        tuple(codes[code] for code in CODES),
        first,
    )


def _units(data: bytes) -> int:
    """Return how many characters and ill-formed sequences *data* has; lone tail bytes are not counted."""
    return len(data.translate(None, _TAILS))  # all others begin with a byte that is not a tail byte


def is_valid(data: Buffer, /) -> bool:
    """Return True when *data* is well-formed UTF-8, else False."""
    view = _bytes_of(data)
    return error_start(view) == len(view)


def first_error(data: Buffer, /) -> IllFormed | None:
    """Return the first ill-formed sequence in *data*, or None when *data* is well-formed."""
    return next(iter(errors_from(data, 0, 1)), None)


def are_valid(strings: Iterable[Buffer], /) -> list[bool]:
    """Return a list that says of each of *strings* whether it is well-formed UTF-8."""
    return [is_valid(string) for string in tuple(strings)]  # judging may run code that changes a list


class IncrementalValidator:
    """Validate a stream chunk by chunk, wherever it is cut; offsets count from the start of the stream."""

    __slots__ = ("_error", "_finished", "_offset", "_pending", "_window")

    def __init__(self) -> None:
        self.reset()

    @property
    def offset(self) -> int:
        """How many bytes have been read; after an error, the offset of the first byte that cannot be right."""
        return self._offset

    @property
    def pending(self) -> bytes:
        """The bytes (0 to 3) of a character that the next chunk may complete."""
        return self._pending

    def feed(self, chunk: Buffer, /) -> IllFormed | None:
        """Read *chunk* and return the stream's first IllFormed, or None while all may still be right."""
        if self._finished:
            raise ValueError("finish() has ended this stream: reset() begins another")
        if self._error is None:
            self._read(_bytes_of(chunk))
        return self._error

    def finish(self) -> IllFormed | None:
        """End the stream and return its first IllFormed, or None when all of it was well-formed."""
        if self._pending:
            self._fail(describe(self._pending, self._offset - len(self._pending)), self._pending)
        self._finished = True
        return self._error

    def reset(self) -> None:
        """Forget everything: the next chunk begins a stream at offset 0."""
        self._offset = 0
        self._pending = b""
        self._error: IllFormed | None = None
        self._finished = False

    def getstate(self) -> tuple[bytes, int]:
        """Return the state as a pair of bytes and an int, from which ``setstate`` goes on: see the C class."""
        if self._error is not None:
            return self._window, self._error.start * 4 + 2 + self._finished
        return self._pending, (self._offset - len(self._pending)) * 4 + self._finished

    def setstate(self, state: tuple[bytes, int], /) -> None:
        """Go on from *state*, which ``getstate`` has returned; ValueError for a state that no stream can be in."""
        if not isinstance(state, tuple):
            raise TypeError("a state is a tuple of bytes and an int")
        window, number = state
        start, failed, finished = number >> 2, bool(number & 2), bool(number & 1)
        error = describe(window, start)
        possible = start >= 0 and len(window) <= (4 if failed else 3)
        if failed:
            possible &= error is not None and (finished or not error.truncated)
        elif window:
            possible &= error is not None and error.truncated and not finished
        if not possible:
            raise ValueError("no stream can be in this state")
        self.reset()
        if failed:
            self._fail(error, window)
        else:
            self._pending, self._offset = window, start + len(window)
        self._finished = finished

    __setstate__ = setstate

    def __reduce__(self) -> tuple[type[IncrementalValidator], tuple[()], tuple[bytes, int]]:
        """Tell pickle and copy how to take a validator apart."""
        return IncrementalValidator, (), self.getstate()

    def _read(self, chunk: memoryview) -> None:
        start = self._offset - len(self._pending)
        view = memoryview(self._pending + chunk) if self._pending else chunk
        at, used = 0, -1
        while used:
            try:
                # Not final: the decoder leaves a character that the end of the view cuts, unless it is already wrong.
                _, used = utf_8_decode(view[at : at + WINDOW], "strict", False)
            except UnicodeDecodeError as refusal:
                at += refusal.start
                window = bytes(view[at : at + 4])
                self._fail(describe(window, start + at), window)
                return
            at += used
        rest = bytes(view[at:])
        error = describe(rest, start + at)
        if error is not None and not error.truncated:  # ED A0: CPython still waits for a third byte
            self._fail(error, rest)
            return
        self._offset = start + len(view)
        self._pending = rest

    def _fail(self, error: IllFormed | None, window: bytes) -> None:
        assert error is not None
        self._window = window
        self._error = error
        self._offset = error.offending
        self._pending = b""


def available() -> tuple[str, ...]:
    """Return the names of the kernels that run here, best first."""
    return ("python",)


def active() -> str:
    """Return the name of the kernel that decides."""
    return "python"


def use(name: str, /) -> bool:
    """Let the kernel called *name* decide from now on; False when none of that name runs here."""
    return name == "python"
