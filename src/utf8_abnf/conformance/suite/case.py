"""Defines ``Case``: the bytes, the right verdict, and all other right answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from utf8_abnf.validator.ill_formed import IllFormed


@dataclass(frozen=True, slots=True)
class Case:
    """One case. *id* is stable and hierarchical (``named/surrogate/first``); it begins with the family's name.

    *accept* is the grammar's verdict, *error* the first ill-formed sequence or None, *replacement* the text with U+FFFD
    for each maximal subpart (None where it is not asked), *chunks* the sizes of a stream's pieces or None, *rule* the
    rule and alternative that the case exercises (``UTF8-3/3``, alternatives from 1; without a number where there is
    only one), *story* the reason for the case. *before* has the inputs that the same process must get just before: such
    a case tests what they leave behind.
    """

    id: str
    data: bytes
    accept: bool
    error: IllFormed | None = None
    replacement: str | None = None
    chunks: tuple[int, ...] | None = None
    rule: str = ""
    story: str = ""
    before: tuple[bytes, ...] = ()

    @property
    def replacements(self) -> int | None:
        """How many U+FFFD stand for errors (and not for themselves) in *replacement*; None where that is not asked."""
        if self.replacement is None:
            return None
        return self.replacement.count("\ufffd") - self.data.count("\ufffd".encode())

    @property
    def code_points(self) -> tuple[int, ...] | None:
        """The scalar values of *replacement*; None where that is not asked."""
        return None if self.replacement is None else tuple(map(ord, self.replacement))
