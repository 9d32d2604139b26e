"""Define an error with its place (``Located``), what is said of it (``Facts``), and of a file (``Advice``).

An error is an ill-formed sequence, or a character that a profile refuses (``Refused``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer

    from utf8_abnf.validator.ill_formed import IllFormed


class Refused(NamedTuple):
    """A character, well-formed, that a profile refuses.

    *start* and *length* count bytes, *start* from the beginning of the input. *code* is a key of
    ``language.refusals.TITLES``; *character* is the scalar value.
    """

    start: int
    length: int
    code: str
    character: int
    profile: str

    @property
    def end(self) -> int:
        """The first offset after the character."""
        return self.start + self.length

    @property
    def truncated(self) -> bool:
        """False: it is a whole character."""
        return False


class Judge(Protocol):
    """A profile, from ``files.profiles``: it finds refused characters, with reasons, and ill-formed sequences."""

    name: str

    def first_error(self, data: Buffer, /) -> IllFormed | Refused | None: ...
    def iter_errors(self, data: Buffer, /) -> Iterator[IllFormed | Refused]: ...
    def count_refused(self, data: Buffer, /) -> int: ...
    def facts_of(self, refused: Refused) -> Facts: ...


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
    profile: Judge | None = None


class RuleLine(NamedTuple):
    """A rule of a grammar, the alternative of it that a sequence had to follow, and its place in the file."""

    name: str
    text: str  # "UTF8-3 = … / %xED %x80-9F UTF8-tail / …"
    alternative: int  # from 1; 0 where the rule as a whole is meant
    file: str
    line: int


class Facts(NamedTuple):
    """The parts of a diagnostic: the *rule* that was broken, and what is said of it; *section* may be empty.

    *offending* is the offset of the first wrong byte, *marked* the number of wrong bytes, *mark* what is said of them.
    """

    message: str
    mark: str
    rule: RuleLine
    section: str
    why: str
    advice: str
    expected: str
    got: str
    offending: int
    marked: int


class Advice(NamedTuple):
    """What is said of an input as a whole: the *text* for people, and what programs take from it.

    *encoding*: what the bytes prove the input, or a part of it, to be in; *command*: what repairs it; else "".
    """

    text: str = ""
    encoding: str = ""
    command: str = ""


NO_ADVICE = Advice()
