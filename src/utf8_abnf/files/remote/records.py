"""Records: an object in, what is in it as one row out, by the summaries of its pieces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf import __version__
from utf8_abnf.files.remote.objects import CHANGED, Object
from utf8_abnf.validator.ill_formed import CODES
from utf8_abnf.validator.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.validator.summary import Whole

BLOCK_SIZE = 64 << 20  # bytes of a piece: what a task costs in Dask, 2.6 ms, is a tenth of reading them
CHECKER = f"utf8-abnf {__version__}"  # what makes a record
WELL_FORMED, ILL_FORMED, UNREADABLE = "well-formed", "ill-formed", "unreadable"
_AROUND = 16  # bytes kept on both sides of the first error
_HEAD = 512


@dataclass(frozen=True)
class Record:
    """What was found in one object, as a row of the ledger: plain values only.

    *verdict* is "well-formed", "ill-formed" or "unreadable"; of the last, *reason* says why and all counts are 0.
    *offset*, *line*, *column* and *code* are those of the first error, -1, 0, 0 and "" where there is none; *window*
    are the bytes around it, from *window_start* on, and *head* the first bytes of an object that is not well-formed.
    *codes* counts the errors by code, in the order of ``CODES``.
    """

    path: str
    size: int
    stamp: str
    checker: str
    verdict: str
    reason: str = ""
    characters: int = 0
    lines: int = 0
    errors: int = 0
    codes: tuple[int, ...] = (0,) * len(CODES)
    offset: int = -1
    line: int = 0
    column: int = 0
    code: str = ""
    window: bytes = b""
    window_start: int = 0
    head: bytes = b""

    @property
    def key(self) -> Key:
        """What decides whether an object has to be read again."""
        return self.path, self.size, self.stamp, self.checker


Key = tuple[str, int, str, str]  # path, size, stamp, checker
Known = dict[Key, Record]


class Piece(NamedTuple):
    """The bytes from *start* to *end* of an object."""

    of: Object
    start: int
    end: int


def pieces(source: Object, size: int) -> list[Piece]:
    """Return the pieces of *source*, of *size* bytes each; one where it is empty."""
    starts = range(0, max(source.size, 1), size)
    return [Piece(source, start, min(start + size, source.size)) for start in starts]


def summarised(piece: Piece) -> Summary | str:
    """Return the summary of *piece*, or why it cannot be read."""
    total = Summary()
    try:
        for part in piece.of.parts(piece.start, piece.end):  # so memory does not grow with the piece
            total += Summary.of(part)
    except OSError as error:
        return _why(error)
    return total


def record(source: Object, summaries: Iterable[Summary | str]) -> Record:
    """Return the record of *source*, whose pieces have these *summaries*, in order."""
    total = Summary()
    for each in summaries:
        if isinstance(each, str):
            return unreadable(source, each)
        total += each
    whole = total.finish()
    try:
        if whole.size != source.size or not source.is_unchanged():
            return unreadable(source, CHANGED)
        return _judged(source, whole)
    except OSError as error:
        return unreadable(source, _why(error))


def unreadable(source: Object, reason: str) -> Record:
    """Return the record of an object that cannot be read."""
    return Record(source.path, source.size, source.stamp, CHECKER, UNREADABLE, reason)


def found_at(path: str) -> Object | Record:
    """Return the object at *path*, or the record that says why there is none."""
    try:
        return Object.at(path)
    except OSError as error:
        return unreadable(Object(path, 0, ""), _why(error))


def records(paths: Iterable[str], known: Known | None = None) -> Iterator[Record]:
    """Yield a record of each of *paths*, in order; those in *known* are not read again."""
    for path in paths:
        source = found_at(path)
        if isinstance(source, Record):
            yield source
        else:
            yield in_ledger(source, known or {}) or record(source, map(summarised, pieces(source, BLOCK_SIZE)))


def in_ledger(source: Object, known: Known) -> Record | None:
    """Return the record of *source* in *known*; None where it has no stamp, for its content may be another one."""
    return known.get((*source, CHECKER)) if source.stamp else None


def _judged(source: Object, whole: Whole) -> Record:
    record = Record(*source, CHECKER, WELL_FORMED, "", whole.characters, whole.lines, sum(whole.counts), whole.counts)
    first = whole.first_error
    if first is None:
        return record
    start = max(0, first.offset - _AROUND)
    window = source.read(start, first.offset + _AROUND)
    head = source.read(0, _HEAD)
    return replace(record, verdict=ILL_FORMED, **first._asdict(), window=window, window_start=start, head=head)


def _why(error: OSError) -> str:
    return error.strerror or str(error)
