"""Blame: which bytes of an input a wrong answer is about, and what stands around them.

In the modes p, s and i that is the first error. In mode r it is where the text first differs from what the decoder's
own policy makes of the input: a stretch of ill-formed bytes, or well-formed text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.standard import promised
from utf8_abnf.conformance.harness.verdicts.cutting import first_ill_formed
from utf8_abnf.validator.ill_formed import describe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.suite import Case
    from utf8_abnf.validator.ill_formed import IllFormed

WELL_FORMED = "well-formed text"
MAX_LOOKED_AT = 32  # bytes of a stretch whose errors are named


class Blame(NamedTuple):
    """The bytes from *start* to *end*. *codes* are those of the errors in them, ``WELL_FORMED`` if it may be text."""

    start: int
    end: int
    codes: tuple[str, ...]

    def length(self, data: bytes) -> int:
        """Return the length of the error with which the bytes begin; 0 where a character does."""
        error = describe(data[self.start : self.start + 4], self.start)
        return error.length if error else 0

    def leads(self, data: bytes) -> frozenset[int]:
        """Return the first byte of each error that may be to blame."""
        return frozenset(data[error.start] for error in _errors(data, self.start, self.end))


def blame_of(case: Case, span: tuple[int, int] | None) -> Blame:
    """Return what is to blame in *case*: *span*, or the first error where that is not known."""
    if case.error is None:
        return Blame(*(span or (0, len(case.data))), (WELL_FORMED,))
    if span is None:
        return Blame(case.error.start, case.error.end, (case.error.code,))
    return Blame(*span, tuple(dict.fromkeys(_codes(case.data, *span))))


def _errors(data: bytes, start: int, end: int) -> Iterator[IllFormed]:
    """Yield the errors from *start* to *end*, up to the first character."""
    last = min(end, start + MAX_LOOKED_AT)
    while start < last and (error := describe(data[start : start + 4], start)):
        yield error
        start = error.end


def _codes(data: bytes, start: int, end: int) -> Iterator[str]:
    errors = list(_errors(data, start, end))
    yield from (error.code for error in errors)
    if not errors or errors[-1].end < min(end, start + MAX_LOOKED_AT):
        yield WELL_FORMED


def is_followed_directly(data: bytes, blame: Blame) -> bool:
    """Tell whether another error comes directly behind the one with which *blame* begins."""
    at = blame.start + blame.length(data)
    return blame.start < at < len(data) and describe(data[at : at + 4], at) is not None


def is_followed(data: bytes, blame: Blame) -> bool:
    """Tell whether another error comes somewhere behind the one with which *blame* begins."""
    at = blame.start + blame.length(data)
    return blame.start < at and first_ill_formed(data, at) < len(data)


def length_before(data: bytes, start: int) -> int:
    r"""Return the length of the character that ends at *start*, 0 where none does.

    >>> length_before("aé".encode(), 3), length_before(b"\xff", 1)
    (2, 0)
    """
    for size in range(1, min(4, start) + 1):
        if promised(data[start - size]) == size and describe(data[start - size : start]) is None:
            return size
    return 0
