"""The errors of the pipeline. Each carries facts; its message is one sentence that says where, what and what to do."""

from __future__ import annotations


class Utf8AbnfError(Exception):
    """The base of this package's own errors: a command-line user sees the message, never a traceback."""


class GrammarError(Utf8AbnfError):
    """An ABNF grammar that cannot be used. *line* and *column* count from 1, columns in characters."""

    def __init__(self, message: str, *, file: str = "<grammar>", line: int = 1, column: int = 1) -> None:
        super().__init__(f"{file}:{line}:{column}: {message}")
        self.message = message
        self.file = file
        self.line = line
        self.column = column


class NotRegularError(GrammarError):
    """A grammar that has no finite automaton that we can show: *cycle* names the rules that call each other."""

    def __init__(self, message: str, cycle: tuple[str, ...], *, file: str, line: int, column: int) -> None:
        super().__init__(message, file=file, line=line, column=column)
        self.cycle = cycle


class TooLargeError(GrammarError):
    """A grammar whose automaton passes the stated limit of states."""


class ParseError(Utf8AbnfError):
    """Underivable data: *offset* is the byte that cannot be right, *expected* what could stand there."""

    def __init__(self, message: str, *, offset: int, expected: str = "") -> None:
        super().__init__(message)
        self.offset = offset
        self.expected = expected


class UndecidedError(Utf8AbnfError):
    """A parser gave up (recursion limit, prose in the grammar, size limit): neither "yes" nor "no"."""


class UsageError(Utf8AbnfError):
    """A command line that cannot be carried out: exit status 2."""


class TargetError(Utf8AbnfError):
    """A decoder under test that could not be started or does not speak the protocol: exit status 3."""
