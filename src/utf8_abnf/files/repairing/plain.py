"""Repair in Python: a buffer in; repaired bytes and the changes out. It knows every policy; ``fast`` is its quick twin.

Rule 1: the cuts of a stream change nothing: a stretch waits until its end is seen. Rule 2: well-formed bytes are
copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.files.repairing.model import Change, Repaired
from utf8_abnf.files.repairing.stretches import next_stretch
from utf8_abnf.files.repairing.treatments import LOOKAHEAD
from utf8_abnf.validator.ill_formed import describe, unfinished

if TYPE_CHECKING:
    from utf8_abnf.files.repairing.treatments import Chain

MAX_STRETCH = 1024  # bytes from which on a change ends; the rest of the stretch begins the next one
_ENOUGH = MAX_STRETCH + LOOKAHEAD


class Work:
    """What was made of the first *at* bytes of *data*, which begins at *offset* of the stream."""

    def __init__(self, data: bytes, offset: int) -> None:
        self.data, self.at = data, 0
        self._offset = offset
        self._out: list[bytes] = []
        self._log: list[Change] = []

    @property
    def is_begin(self) -> bool:
        """Whether the stream begins at *at*."""
        return self._offset + self.at == 0

    def done(self) -> tuple[Repaired, int]:
        """Return what is repaired, and how many bytes that was."""
        return Repaired(b"".join(self._out), self._log), self.at

    def keep(self, end: int) -> None:
        """Copy the bytes up to *end*."""
        self._out.append(self.data[self.at : end])
        self.at = end

    def change(self, end: int, new: bytes, treatment: str) -> None:
        """Write *new* in place of the bytes up to *end*, of which the first may begin an ill-formed sequence."""
        reason = why(self.data[self.at : self.at + 4], treatment)
        self._log.append(Change(self._offset + self.at, self.data[self.at : end], new, reason))
        self._out.append(new)
        self.at = end

    def treat(self, end: int, chain: Chain) -> None:
        """Treat a stretch by *chain*, up to ``MAX_STRETCH`` bytes of it."""
        start = at = self.at
        parts: list[bytes] = []
        name = ""
        while at < end and at - start < MAX_STRETCH:
            length, new, treatment = chain.take(self.data[at : min(at + LOOKAHEAD, end)])
            if name not in ("", treatment):
                self.change(at, b"".join(parts), name)
                parts = []
            name = treatment
            parts.append(new)
            at += length
        self.change(at, b"".join(parts), name)

    def treat_all(self, end: int, chain: Chain) -> None:
        """Treat every stretch up to *end*, where no character is cut."""
        while self.at < end:
            start, stop = next_stretch(self.data, self.at, end, _ENOUGH)
            self.keep(start)
            if start < end:
                self.treat(stop, chain)


class Plain:
    """Repairs by *chain*: ``run`` is called with what it left of the last buffer, and what comes after that."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain

    def run(self, data: bytes, offset: int, *, final: bool) -> tuple[Repaired, int]:
        """Return what is repaired and how many bytes of *data* that was; all of them if *final*: nothing follows.

        *offset* is where *data* begins in the stream.
        """
        work = Work(data, offset)
        limit = len(data) - (0 if final else unfinished(data))
        while work.at < limit:
            start, end = next_stretch(data, work.at, limit, _ENOUGH)
            work.keep(start)
            if start == limit or (end == limit and not final and end - start < _ENOUGH):
                break  # the next bytes may belong to this stretch
            work.treat(end, self._chain)
        return work.done()


def why(window: bytes, treatment: str) -> str:
    r"""Return the reason of a change: the code of the error that begins *window*, and what was done.

    >>> why(b"\xe9 ", "windows-1252")
    'UTF8-MISSING-TAIL, windows-1252'
    """
    error = describe(window)
    return f"{error.code}, {treatment}" if error else treatment
