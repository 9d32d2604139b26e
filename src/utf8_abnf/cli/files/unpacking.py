"""Opens a packed input and yields the inputs in it, for ``check --unpack``."""

from __future__ import annotations

import io
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.cli.files.sources import Opened
from utf8_abnf.cli.names import STDIN, STDIN_SHOWN
from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.reading.streams import HEAD, Stream
from utf8_abnf.files.reading.unpacking import reader_of, unpack
from utf8_abnf.language.notation import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.files.reading.columns import ColumnScanner
    from utf8_abnf.files.reading.unpacking import Found

_MAX_NAMES = 500  # characters of the names of columns that are shown


class Input(NamedTuple):
    """One input: its *path* as reports show it, what opens it, and whether the user *named* it.

    *open* is None for a pipe or a device in an archive.
    """

    path: str
    open: Callable[[], Opened] | None
    named: bool


def inputs(path: str, open_: Callable[[], Opened], columns: tuple[str, ...], *, named: bool) -> Iterator[Input]:
    """Yield the inputs in a packed input, or the input itself if it is not packed; read each before the next.

    *columns*: those of columnar files that are wanted; () for all of text.
    """
    try:
        source = open_()
    except OSError as error:
        yield Input(path, partial(_fail, error), named)
        return
    with source:
        stream = Stream(source, file=source.file if source.size is not None else None)
        if reader_of(stream.look()) is None:
            yield Input(path, partial(_given_back, source, stream), named)
            return
        shown = STDIN_SHOWN if path == STDIN else path
        missing = dict.fromkeys(columns)
        names: dict[str, None] = {}  # of all columns
        for member in unpack(stream):
            column = None if isinstance(member.content, Stream | OSError | None) else member.content
            if column:
                names[column.name] = None
                missing.pop(column.name, None)
                if not (column.name in columns or (column.is_text and not columns)):
                    continue
            name = f"{shown}!{member.name}" if member.name else path
            yield Input(name, None if member.content is None else partial(_opened, member), named and not member.name)
        if names and missing:
            known = printable(", ".join(names)[:_MAX_NAMES])
            reason = f"there is no column {next(iter(missing))} of text or bytes; such columns are {known}"
            yield Input(path, partial(_fail, UnreadableError(reason)), named)


def _given_back(source: Opened, stream: Stream) -> Opened:
    """Return an input that begins again with what *stream* has looked at."""
    if source.size is None:
        return _Content(stream)
    source.file.seek(0)
    return source


def _fail(error: OSError) -> Opened:
    raise error


def _opened(found: Found) -> Opened:
    if isinstance(found.content, Stream):
        return _Content(found.content)
    if isinstance(found.content, OSError):
        raise found.content
    assert found.content is not None
    return _Column(found.content)


class _Content(Opened):
    """A text that was packed."""

    def __init__(self, stream: Stream) -> None:
        super().__init__(stream)
        self._stream = stream

    def is_binary(self) -> bool:
        return b"\0" in self._stream.look(HEAD)

    def readinto(self, room: memoryview) -> int:
        return self._stream.readinto(room)  # its errors say all there is to say


class _Column(Opened):
    """A column of a columnar file."""

    def __init__(self, scanner: ColumnScanner) -> None:
        super().__init__(io.RawIOBase())
        self.column = scanner

    def is_binary(self) -> bool:
        return False
