"""What is wrong with an answer in the modes p, r, s and i: the kinds of errors, each of which is one class."""

from __future__ import annotations

from typing import NamedTuple

# of offsets, what says most first
OFFSET, LENGTH, NO_PLACE, VERDICT = "offset", "length", "not an offset", "verdict"
# of texts
TEXT_LOST, SWALLOWED, MARK_MISSING, ILL_FORMED_TEXT = "text lost", "swallowed byte", "mark missing", "ill-formed text"
OTHER_MARK, MARKS, REFUSED, NOT_TEXT = "other mark", "number of marks", "refused", "not text"
# of streams
IN_PIECES, MORE, STREAM_OFFSET, AFTER_END, AFTER_RESET = (
    "in pieces",
    "whether more is needed",
    "offset in a stream",
    "after the end",
    "after a reset",
)
ORDER = (
    *(OFFSET, LENGTH, NO_PLACE, VERDICT, TEXT_LOST, SWALLOWED, MARK_MISSING, ILL_FORMED_TEXT, OTHER_MARK, MARKS),
    *(REFUSED, NOT_TEXT, IN_PIECES, MORE, STREAM_OFFSET, AFTER_END, AFTER_RESET),
)


class Wrong(NamedTuple):
    """What is wrong with one answer: *fault* is the kind of error, one of ``ORDER``, and *why* says it in words."""

    fault: str
    why: str
