"""The errors of the package. Facts are attributes; the message is one sentence: where, what, and what to do."""

from __future__ import annotations

import copyreg
import errno
from typing import Any


class Utf8AbnfError(Exception):
    """The base class of these errors. A user of the command line sees the message, not a traceback."""

    place = ""  # what stands before the message

    def __reduce__(self) -> tuple[Any, ...]:
        """Tell pickle and copy to restore the attributes; the arguments of an error are not the same in all classes."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class GrammarError(Utf8AbnfError):
    """The ABNF grammar cannot be used. *line* and *column* count from 1, columns in characters."""

    def __init__(self, message: str, *, file: str = "<grammar>", line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.place = f"{file}:{line}:{column}: "
        self.message = message
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"{self.place}{self.message}"


class NotRegularError(GrammarError):
    """The grammar is not shown to be regular, so it has no automaton: the rules in *cycle* use each other."""

    def __init__(self, message: str, cycle: tuple[str, ...], *, file: str, line: int, column: int) -> None:
        super().__init__(message, file=file, line=line, column=column)
        self.cycle = cycle


class TooLargeError(GrammarError):
    """The grammar is too large: its automaton, or the analysis of it, would exceed a stated limit."""


class ParseError(Utf8AbnfError):
    """The grammar does not derive the data. The byte at *offset* is not allowed there; *expected* says what is.

    *offset* is None for a parser of another library: ``utf8_abnf.automaton.explain`` says where the input goes wrong.
    """

    def __init__(self, message: str, *, offset: int | None = None, expected: str = "") -> None:
        super().__init__(message)
        self.offset = offset
        self.expected = expected


class UndecidedError(Utf8AbnfError):
    """The parser cannot decide: a limit of recursion, size or steps was reached. The data may be right or wrong."""


class UsageError(Utf8AbnfError):
    """The command line cannot be carried out: exit status 2."""


class TargetError(Utf8AbnfError):
    """The decoder under test could not be started, or does not follow the protocol: exit status 3."""


class UnreadableError(OSError):
    """An input, or a part of one, that cannot be read: why, and what to do instead."""

    def __init__(self, reason: str) -> None:
        super().__init__(errno.EINVAL, reason)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.strerror,), self.__dict__
