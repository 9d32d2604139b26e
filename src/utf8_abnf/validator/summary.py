r"""Summarizes a piece of a text: bytes in, a ``Summary`` out; the sum of two summaries is that of both pieces.

A text may be cut anywhere, within a character also, and its pieces may be read in any order, by any number of
processes: the sum of their summaries is the summary of the text. docs/summary.md proves it.

Rule 1: as in all of this room, nothing here imports the grammar pipeline; ``ill_formed.describe`` names the errors.
Rule 2: ``_python.summarize`` is the twin of the C loops; the tests compare them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.validator import _python
from utf8_abnf.validator.ill_formed import CODES, TAIL, TRUNCATED, unfinished

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from utf8_abnf.validator._kernel import summarize
else:
    try:
        from utf8_abnf.validator._kernel import summarize
    except ImportError:  # installed without a compiler
        from utf8_abnf.validator._python import summarize

MAX_TAILS = 3  # in a character: what comes after more tails than these does not depend on what came before


class FirstError(NamedTuple):
    """The first ill-formed sequence of a text: *offset* counts bytes from 0, *line* and *column* count from 1.

    A line ends at LF; a column is a character or an ill-formed sequence. *code* is one of ``IllFormed.code``.
    """

    offset: int
    line: int
    column: int
    code: str


@dataclass(frozen=True, slots=True)
class Whole:
    """What is in a whole text: what ``Summary.finish`` returns.

    *size* counts bytes, *characters* the well-formed ones, *lines* the bytes LF (as ``wc -l``). *counts* has the number
    of ill-formed sequences by code, in the order of the codes; ``codes`` has them by name.
    """

    size: int
    characters: int
    lines: int
    counts: tuple[int, ...]
    first_error: FirstError | None

    @property
    def codes(self) -> Counter[str]:
        """How many ill-formed sequences there are of each code; a code that is not there counts 0."""
        return Counter({code: count for code, count in zip(CODES, self.counts, strict=True) if count})


class _First(NamedTuple):
    offset: int
    newlines: int  # before it
    column: int  # characters and ill-formed sequences between the last LF, or the start, and it
    code: int  # its place in CODES


@dataclass(frozen=True, slots=True)
class _Judged:
    """Bytes that begin and end between two characters, or ill-formed sequences; addition puts them in a row."""

    size: int = 0
    units: int = 0  # characters and ill-formed sequences
    newlines: int = 0
    column: int = 0  # units after the last LF
    counts: tuple[int, ...] = (0,) * len(CODES)
    first: _First | None = None

    def __add__(self, other: _Judged) -> _Judged:
        if not self.size or not other.size:
            return self if self.size else other
        first = self.first
        if first is None and other.first is not None:
            at, newlines, column, code = other.first
            column += 0 if newlines else self.column
            first = _First(self.size + at, self.newlines + newlines, column, code)
        return _Judged(
            self.size + other.size,
            self.units + other.units,
            self.newlines + other.newlines,
            other.column + (0 if other.newlines else self.column),
            tuple(map(sum, zip(self.counts, other.counts, strict=True))),
            first,
        )


@dataclass(frozen=True, slots=True)
class Summary:
    r"""What is in a piece of a text, wherever the piece was cut out. Summaries add up, and can be pickled.

    ``Summary.of`` makes one, ``+`` that of two pieces in a row, and ``finish`` says what is in the text when all its
    pieces are there. ``Summary()`` is that of no bytes: ``sum(summaries, Summary())`` adds any number of them. The sum
    does not depend on where the text was cut nor on which neighbours are added first.

    *head* are the tail bytes (80..BF) at the start, 3 at most: the piece before says whether they are wrong. *tail* are
    the last bytes if they begin a sequence that the next piece may go on with. *judged* is what can be said of the
    bytes between; None where all bytes are tail bytes and fewer than 3.

    >>> text = "naïve\ncafé".encode() + b"\xff"
    >>> pieces = [text[at : at + 3] for at in range(0, len(text), 3)]
    >>> whole = sum(map(Summary.of, pieces), Summary()).finish()
    >>> whole.characters, whole.lines, whole.first_error
    (10, 1, FirstError(offset=12, line=2, column=5, code='UTF8-TOO-LARGE'))
    """

    head: bytes = b""
    judged: _Judged | None = None
    tail: bytes = b""

    @classmethod
    def of(cls, data: Buffer, /) -> Summary:
        r"""Return the summary of *data*, a piece of a text, which is read but not kept.

        Well-formed bytes are read at the kernel's speed. ``TypeError`` for a str and other things that are not
        bytes-like, ``BufferError`` for a view that is not contiguous.

        >>> Summary.of(b"\x80\x80"), Summary.of(b"\xe2\x82").tail
        (Summary(head=b'\x80\x80', judged=None, tail=b''), b'\xe2\x82')
        """
        with memoryview(data) as view:
            if not view.c_contiguous:
                raise BufferError("the buffer is not contiguous: pass a contiguous copy of it")
            if not view.nbytes:
                return cls()
            with view.cast("B") as piece:
                head = next((at for at in range(min(MAX_TAILS, len(piece))) if not _is_tail(piece[at])), MAX_TAILS)
                if head >= len(piece) and len(piece) < MAX_TAILS:
                    return cls(bytes(piece))
                end = len(piece) - unfinished(piece)
                with piece[head:end] as rest:
                    return cls(bytes(piece[:head]), _judge(rest), bytes(piece[end:]))

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self.head) + (self.judged.size if self.judged else 0) + len(self.tail)

    def __add__(self, other: Summary) -> Summary:
        """Return the summary of this piece and *other*, the piece after it."""
        if not isinstance(other, Summary):
            return NotImplemented
        if self.judged is None:
            tails = self.head + other.head
            if other.judged is None:
                return Summary.of(tails)
            return Summary(tails[:MAX_TAILS], _judge(tails[MAX_TAILS:]) + other.judged, other.tail)
        between = self.tail + other.head
        if other.judged is not None:
            return Summary(self.head, self.judged + _judge(between) + other.judged, other.tail)
        end = len(between) - unfinished(between)
        return Summary(self.head, self.judged + _judge(between[:end]), between[end:])

    def finish(self) -> Whole:
        r"""Return what is in the text when this is all of it: nothing comes before it, and nothing after it.

        >>> Summary.of(b"a\xe2\x82").finish().codes, (Summary.of(b"a\xe2\x82") + Summary.of(b"b")).finish().codes
        (Counter({'UTF8-TRUNCATED': 1}), Counter({'UTF8-MISSING-TAIL': 1}))
        """
        whole = _judge(self.head) + (self.judged or _Judged()) + _judge_end(self.tail)
        first = whole.first and FirstError(
            whole.first.offset, whole.first.newlines + 1, whole.first.column + 1, CODES[whole.first.code]
        )
        return Whole(whole.size, whole.units - sum(whole.counts), whole.newlines, whole.counts, first)


def _is_tail(byte: int) -> bool:
    return TAIL[0] <= byte <= TAIL[1]


def _judge(data: memoryview | bytes) -> _Judged:
    """Return what is in *data*, at whose start a character begins."""
    units, newlines, column, counts, first = summarize(data)
    return _Judged(len(data), units, newlines, column, counts, first and _First(*first))


def _judge_end(data: bytes) -> _Judged:
    """Return the same of the last bytes of a text, which may begin a character."""
    if not data:
        return _Judged()
    units, newlines, column, counts, first = _python.summarize(data, TRUNCATED)
    return _Judged(len(data), units, newlines, column, counts, first and _First(*first))
