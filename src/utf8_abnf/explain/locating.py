r"""Find the errors of a stream of bytes with line, column and nearby bytes, in bounded memory (``Scanner``).

A line ends at LF (0A). Lines and columns count from 1; a column is a character, and an ill-formed sequence (Unicode's
maximal subpart) counts as one. Rule 1: this module opens no file and prints nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.explain.located import Located
from utf8_abnf.validator.functions import count_well_formed, first_error, iter_errors
from utf8_abnf.validator.ill_formed import IllFormed, unfinished

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from utf8_abnf.explain.located import Judge, Refused

BEFORE = 5  # bytes shown before an ill-formed sequence
FROM = 4  # bytes shown from its start on, as many as the longest character has
BLOCK = 1 << 20  # 1 MiB: 13.0 GB/s, where 64 KiB gave 9.0 and 256 KiB 10.3 (readinto and check, Zen 4)

HEAD = 512  # bytes of the head: tar has its signature at 257
BEGINNING = 1 << 16  # bytes of the beginning
MAX_BEFORE = 1 << 12  # bytes before the sample that belong to its first line
SAMPLE = 1 << 18  # bytes of the sample: four buffers of 64 KiB

_TAILS = bytes(range(0x80, 0xC0))  # UTF8-tail = %x80-BF
_NOT_ASCII = bytes(range(0x80, 0x100))
_CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\f\r"))  # C0 controls that plain text does not have


class Rest(NamedTuple):
    """How many errors follow those that were shown: ill-formed sequences, and characters that a profile refuses."""

    ill_formed: int = 0
    refused: int = 0


NOTHING = Rest()


@dataclass(slots=True)
class Content:
    """What a stream has beside its ill-formed sequences.

    *multibyte*: the number of well-formed characters of several bytes, or a smaller one that is not 0. *controls*:
    whether there are C0 controls other than TAB, LF, CR and FF; not looked for where *multibyte* is not 0.
    *sample*: the bytes from the first ill-formed sequence on, ``SAMPLE`` at most; *start* is its offset, *line* the
    number of its line, and *before* what this line has before it, ``MAX_BEFORE`` bytes at most.
    """

    multibyte: int = 0
    controls: bool = False
    sample: bytes = b""
    start: int = 0
    line: int = 0
    before: bytes = b""


class Scanner:
    r"""The errors of a stream of bytes, which is read once, into one buffer.

    *readinto* is called with a writable view and returns how many bytes it wrote there, 0 at the end of the stream; an
    ``OSError`` that it raises is raised here after the errors before it were found. *buffer* can be used again for the
    next stream. With a *profile*, the characters that it refuses are errors as well.

    >>> import io
    >>> found = list(Scanner(io.BytesIO(b"a\nb\xedc").readinto).errors())
    >>> [(each.error.code, each.line, each.column, each.window) for each in found]
    [('UTF8-MISSING-TAIL', 2, 2, b'a\nb\xedc')]
    """

    def __init__(
        self,
        readinto: Callable[[memoryview], int],
        *,
        buffer: bytearray | None = None,
        profile: Judge | None = None,
    ) -> None:
        self._readinto = readinto
        self._profile = profile
        self._first_error = profile.first_error if profile else first_error
        self._iter_errors = profile.iter_errors if profile else iter_errors
        self._buffer = bytearray(BLOCK) if buffer is None else buffer
        self._filled = 0  # bytes in the buffer
        self._base = 0  # offset of the buffer's first byte in the stream
        self._before = b""  # the last bytes before the buffer
        self._line, self._column, self._counted = 1, 1, 0  # position of the byte at index _counted
        self._wrong_until = 0  # where the last error ended, in the stream
        self.ended = False
        self._failure: OSError | None = None  # with which reading ended
        self.beginning = b""  # the first bytes of the stream, BEGINNING at most
        self.content = Content()  # of the bytes before the last error, or of all where errors() or count_rest() ended
        self._ill_formed = False  # whether there was an error: until then, content is only looked for as far as is fast

    @property
    def size(self) -> int:
        """The number of bytes read so far."""
        return self._base + self._filled

    @property
    def head(self) -> bytes:
        """The first bytes of the stream, ``HEAD`` at most."""
        return self.beginning[:HEAD]

    def first_offset(self) -> int | None:
        """Return the offset of the first error, or None; lines and columns are not counted."""
        while self._fill():
            with memoryview(self._buffer)[: self._filled] as data:
                error = self._first_error(data)
            if error is not None and self._is_certain(error):
                return self._base + error.start
            self._keep_from(self._filled if error is None else error.start)
        return None

    def errors(self) -> Iterator[Located]:
        """Yield every error, in order, with line and column."""
        while self._fill():
            done = self._filled
            with memoryview(self._buffer)[: self._filled] as data:
                for error in self._iter_errors(data):
                    if not self.ended and error.start + FROM > self._filled:
                        done = error.start  # the next bytes are part of its window, and may complete it
                        break
                    if not self._is_certain(error):
                        break
                    is_ill_formed = isinstance(error, IllFormed)
                    if is_ill_formed and not self._ill_formed:
                        self._begin_sample(error.start)
                    self._count_to(error.start)
                    located = self._located(error)
                    if is_ill_formed:
                        self._column += 1
                        self._counted = error.end  # before the yield, because the caller may stop here
                    else:
                        self._count_to(error.end)
                    yield located
            self._count_to(done)
            self._keep_from(done)

    def count_rest(self) -> Rest:
        """Return how many errors follow those that ``errors`` has yielded."""
        total, refused, start = 0, 0, self._counted
        while True:
            text = bytes(memoryview(self._buffer)[start : self._filled])
            keep = 0 if self.ended else unfinished(text)
            text = text[: len(text) - keep]
            ill_formed, multibyte = _counts(text)
            total += ill_formed
            refused += self._profile.count_refused(text) if self._profile else 0
            self._add(multibyte, text)
            self._keep_from(self._filled - keep)
            start = 0
            if not self._fill():
                return Rest(total, refused)

    def _is_certain(self, error: IllFormed | Refused) -> bool:
        """Return whether *error* is one whatever follows the bytes that were read."""
        return not error.truncated or (self.ended and self._failure is None)

    def _fill(self) -> bool:
        """Read once more; return whether there are bytes to check."""
        if self._failure:
            raise self._failure
        if self.ended:
            return False
        with memoryview(self._buffer)[self._filled :] as room:
            try:
                count = self._readinto(room)
            except OSError as error:
                if not self._filled:
                    raise
                count, self._failure = 0, error
        self._filled += count
        self.ended = not count
        if len(self.beginning) < BEGINNING:
            start = self._filled - count
            self.beginning += self._buffer[start : min(self._filled, start + BEGINNING - len(self.beginning))]
        if self._ill_formed and len(self.content.sample) < SAMPLE:
            new = self._buffer[self._filled - count : self._filled]
            self.content.sample += new[: SAMPLE - len(self.content.sample)]
        return self._filled > 0

    def _begin_sample(self, start: int) -> None:
        self._ill_formed = True
        self.content.start = self._base + start
        self.content.sample = bytes(self._buffer[start : min(start + SAMPLE, self._filled)])
        begin = max(0, start - MAX_BEFORE, self._buffer.rfind(b"\n", 0, start) + 1)
        self.content.before = (b"" if begin else self._before.rpartition(b"\n")[2]) + self._buffer[begin:start]
        self.content.line = self._line + self._buffer.count(b"\n", self._counted, start)

    def _keep_from(self, start: int) -> None:
        """Move the bytes from *start* on, which have to be checked again, to the front of the buffer."""
        self._before = (self._before + self._buffer[max(0, start - BEFORE) : start])[-BEFORE:]
        rest = self._filled - start
        if rest:
            self._buffer[:rest] = self._buffer[start : self._filled]
        self._base += start
        self._filled = rest
        self._counted = max(0, self._counted - start)

    def _count_to(self, end: int) -> None:
        """Advance line and column over well-formed bytes, up to *end*."""
        start = self._counted
        with memoryview(self._buffer)[start:end] as text:
            characters, newlines, column = count_well_formed(text)
        self._look_at(start, end, characters)
        self._line += newlines
        self._column = column + (1 if newlines else self._column)
        self._counted = end

    def _look_at(self, start: int, end: int, characters: int) -> None:
        """Add well-formed bytes to the content; before the first error, no more than can be seen at full speed."""
        if self._ill_formed:
            text = self._buffer[start:end]
            self._add(count_multibyte(text), text)
        elif not self.content.multibyte and characters < end - start:
            self.content.multibyte = 1
        elif not self.content.multibyte and not self.content.controls:
            self.content.controls = self._buffer.find(0, start, end) >= 0

    def _add(self, multibyte: int, text: bytes | bytearray) -> None:
        self.content.multibyte += multibyte
        if not self.content.multibyte and not self.content.controls:
            self.content.controls = has_controls(text)

    def _located(self, error: IllFormed | Refused) -> Located:
        start = max(0, error.start - BEFORE)
        missing = BEFORE - (error.start - start)
        before = self._before[-missing:] if missing else b""
        window = before + bytes(self._buffer[start : min(error.start + FROM, self._filled)])
        moved = error._replace(start=self._base + error.start)
        follows = moved.start == self._wrong_until > 0
        window_start = self._base + start - len(before)
        if not isinstance(error, IllFormed):
            return Located(moved, self._line, self._column, window, window_start, follows=False, profile=self._profile)
        self._wrong_until = moved.end
        return Located(moved, self._line, self._column, window, window_start, follows)


def rest_of(errors: Iterable[Located]) -> Rest:
    """Return how many *errors* there are of each kind."""
    kinds = [isinstance(located.error, IllFormed) for located in errors]
    return Rest(sum(kinds), len(kinds) - sum(kinds))


def count_multibyte(text: bytes | bytearray) -> int:
    """Return how many well-formed characters of several bytes *text* has."""
    return 0 if text.isascii() else _counts(text)[1]


def has_controls(text: bytes | bytearray) -> bool:
    """Return whether *text* has C0 controls other than TAB, LF, CR and FF."""
    return count_controls(text) > 0


def count_controls(text: bytes | bytearray) -> int:
    """Return how many C0 controls other than TAB, LF, CR and FF *text* has."""
    return len(text) - len(text.translate(None, _CONTROLS))


def count_ill_formed(text: bytes | bytearray) -> int:
    """Return how many ill-formed sequences *text* has."""
    return _counts(text)[0]


def _counts(text: bytes | bytearray) -> tuple[int, int]:
    """Return how many ill-formed sequences *text* has, and how many well-formed characters of several bytes."""
    # CPython writes one U+FFFD for each maximal subpart: counting them is some 100 times faster than errors()
    decoded = text.decode("utf-8", "replace")
    ill_formed = decoded.count("\ufffd") - text.count("\ufffd".encode())
    return ill_formed, len(decoded) - ill_formed - len(text.translate(None, _NOT_ASCII))
