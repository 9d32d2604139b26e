"""Repair by lines: a line that is not UTF-8 is decoded from another encoding as a whole; every other line is kept.

A line ends at LF (0A), which is part of no character of several bytes in any common encoding but UTF-16 and UTF-32,
which ``wide`` reads. A line longer than ``MAX_LINE`` is taken in pieces of that length, each as a line of its own.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from utf8_abnf.files.repairing.plain import Work
from utf8_abnf.files.repairing.stretches import next_stretch
from utf8_abnf.files.repairing.treatments import LOOKAHEAD
from utf8_abnf.validator.functions import is_valid
from utf8_abnf.validator.ill_formed import unfinished

if TYPE_CHECKING:
    from utf8_abnf.files.repairing.model import Repaired
    from utf8_abnf.files.repairing.treatments import Chain

MAX_LINE = 1 << 16  # bytes
_NOT_ASCII = re.compile(rb"[\x80-\xff]+")


class Lines:
    """Repairs by *chain*, whose encoding decodes lines; ``run`` is that of ``Plain``.

    What stands before the encoding in the policy treats a line alone where it knows all ill-formed bytes of it; what
    stands after it treats each byte that the encoding does not have.
    """

    def __init__(self, chain: Chain) -> None:
        number = next(number for number, each in enumerate(chain.first) if each.codec)
        self._name, codec = chain.first[number].name, chain.first[number].codec
        assert codec is not None
        self._codec = codec
        self._before = replace(chain, first=chain.first[:number])
        self._after = replace(chain, first=chain.first[number + 1 :])
        self._errors = f"utf8-abnf line {chain.policy}"
        codecs.register_error(self._errors, partial(_treated, self._after))

    def run(self, data: bytes, offset: int, *, final: bool) -> tuple[Repaired, int]:
        """Return what is repaired and how many bytes of *data* that was, as ``Plain.run``."""
        work, wrong = Work(data, offset), -1
        while work.at < len(data):
            if wrong < work.at:
                wrong, _ = next_stretch(data, work.at, len(data), 1)
            work.keep(max(work.at, data.rfind(b"\n", work.at, wrong) + 1))
            end = line_end(data, work.at, b"\n", final=final)
            if not end:
                break
            if end - work.at == MAX_LINE:
                end -= self._cut(data[work.at : end])
            if wrong >= end:
                work.keep(end)
            else:
                self._line(work, end - data.endswith(b"\n", work.at, end))
        return work.done()

    def _cut(self, piece: bytes) -> int:
        """Return how many bytes at the end of a piece of a line belong to a character that is cut there."""
        length = unfinished(piece)
        if is_valid(piece[: len(piece) - length]):
            return length
        with suppress(UnicodeError):  # some decode no pieces
            decoder = codecs.getincrementaldecoder(self._name)("replace")
            decoder.decode(piece)
            return len(decoder.getstate()[0])
        return 0

    def _line(self, work: Work, end: int) -> None:
        """Decode the line that ends at *end*."""
        line = work.data[work.at : end]
        if self._before.first and self._is_known(line):
            work.treat_all(end, self._before)
            return
        new = self._decoded(line)
        if new is None:
            work.treat_all(end, self._after)
            return
        start = work.at
        runs = [(found.span(), self._decoded(found.group())) for found in _NOT_ASCII.finditer(line)]
        if _NOT_ASCII.sub(lambda found: self._decoded(found.group()) or b"", line) != new:  # ASCII is in characters
            runs = [((0, len(line)), new)]
        for (first, last), text in runs:
            work.keep(start + first)
            work.change(start + last, text or b"", self._name)
        work.keep(end)

    def _is_known(self, line: bytes) -> bool:
        """Return whether what comes before the encoding knows all ill-formed bytes of *line*."""
        at = 0
        while at < len(line):
            at, end = next_stretch(line, at, len(line), len(line))
            while at < end:
                taken = self._before.known(line[at : min(at + LOOKAHEAD, end)])
                if not taken:
                    return False
                at += taken[0]
        return True

    def _decoded(self, text: bytes) -> bytes | None:
        """Return *text*, which is in the encoding, in UTF-8; None where Python's codec cannot, as that of IDNA."""
        with suppress(UnicodeError):
            return self._codec.decode(text, self._errors)[0].encode()
        return None


def line_end(data: bytes, at: int, newline: bytes, *, final: bool) -> int:
    r"""Return where the line at *at* ends that *newline* ends, or a piece of it; 0 where more has to be seen.

    >>> line_end("né\n".encode("utf-16-le") + b"abc\n", 0, b"\n\0", final=False)
    6
    """
    found = data.find(newline, at, at + MAX_LINE)
    while found >= 0 and (found - at) % len(newline):
        found = data.find(newline, found + 1, at + MAX_LINE)
    if found >= 0:
        return found + len(newline)
    if len(data) - at > MAX_LINE:
        return at + MAX_LINE
    return len(data) if final else 0


def _treated(chain: Chain, error: UnicodeError) -> tuple[str, int]:
    """Treat one byte that the encoding does not have: a handler of errors for ``codecs``."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    _, new, _ = chain.take(error.object[error.start : error.start + 1])
    return new.decode(), error.start + 1
