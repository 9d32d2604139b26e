"""An error and its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from utf8_abnf.files.profiles import Profile, Refused
    from utf8_abnf.validator.ill_formed import IllFormed


class Cell(NamedTuple):
    """A place in a columnar file; rows count from 0."""

    column: str
    row: int


class Located(NamedTuple):
    """An ill-formed sequence, or a character that a profile refuses, and its place.

    *window* are the bytes around it, from offset *window_start*. *follows*: the bytes directly before it are also
    ill-formed, so it may be the rest of the same mistake. *cell*: the value in a columnar file in which offset, line
    and column count. *profile*: the one that refuses the character.
    """

    error: IllFormed | Refused
    line: int
    column: int
    window: bytes
    window_start: int
    follows: bool
    cell: Cell | None = None
    profile: Profile | None = None
