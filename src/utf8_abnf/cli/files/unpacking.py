"""``--unpack``: one packed input in, the inputs that are in it out."""

from __future__ import annotations

import io
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.cli.sources import STDIN, STDIN_SHOWN, Opened
from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.reading.limits import Limits, Meter, guarded
from utf8_abnf.files.reading.part import Packed
from utf8_abnf.files.reading.readers import reader_of
from utf8_abnf.files.reading.streams import HEAD, Stream
from utf8_abnf.files.reading.unpacking import unpack
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from utf8_abnf.files.profiles import Profile
    from utf8_abnf.files.reading.columns import ColumnScanner
    from utf8_abnf.files.reading.unpacking import Found


class Input(NamedTuple):
    """One input: its *path* as reports show it, what opens it, and whether the user *named* it.

    *open* is None for a pipe or a device in an archive.
    """

    path: str
    open: Callable[[], Opened] | None
    named: bool


def inputs(
    path: str,
    open_: Callable[[], Opened],
    args: argparse.Namespace,
    *,
    named: bool,
    passes: Callable[[bytes], bool],
) -> Iterator[Input]:
    """Yield the inputs in one, each of which has to be read before the next; itself where it is not packed.

    *passes* is told of small contents and says of which nothing more has to be said; they are not yielded.
    """
    try:
        source = open_()
    except OSError as error:
        yield Input(path, partial(_fail, error), named)
        return
    with source:
        raw, stream = _begun(source)
        if reader_of(stream.look()) is None:
            raw.give_back(stream.look())
            yield Input(path, lambda: source, named)
            return
        limits, columns = limits_of(args), tuple(args.column)
        for found in unpack(stream, raw.packed, limits=limits, columns=columns, passes=passes):
            name = f"{STDIN_SHOWN if path == STDIN else path}!{found.name}" if found.name else path
            open_part = None if found.content is None else partial(_opened, found, args)
            yield Input(name, open_part, named and not found.name)


def content_of(source: Opened, limits: Limits) -> tuple[Opened | None, str]:
    """Return what is in a compressed file, and the format in which to pack it again.

    *source* and "" where it is not packed; None and the format of an archive or a columnar file.
    """
    raw, stream = _begun(source)
    reader = reader_of(stream.look())
    if reader is None:
        raw.give_back(stream.look())
        return source, ""
    if reader.wraps:
        with guarded():
            part = next(reader.open(Packed(stream, Meter(limits, raw.packed))))
            content = part.open and part.open()
        assert isinstance(content, Stream)
        inner = reader_of(content.look())
        if inner is None:
            return _Content(content), reader.format
        reader = inner
    return None, reader.format


def _begun(source: Opened) -> tuple[_Raw, Stream]:
    raw = _Raw(source)
    return raw, Stream(raw, file=source.file if source.size is not None else None)


def limits_of(args: argparse.Namespace) -> Limits:
    """Return the limits that the options name."""
    return Limits(args.max_size, args.max_ratio, args.max_depth)


def _fail(error: OSError) -> Opened:
    raise error


def _opened(found: Found, args: argparse.Namespace) -> Opened:
    if found.format:
        raise UnreadableError(say(messages.TOO_DEEP, format=found.format, depth=args.max_depth + 1))
    if isinstance(found.content, Stream):
        return _Content(found.content)
    if isinstance(found.content, OSError):
        raise found.content
    assert found.content is not None
    return _Column(found.content)


class _Raw:
    """The bytes of *source* from its beginning, and how many there are; of a pipe, how many were read so far."""

    def __init__(self, source: Opened) -> None:
        self._source, self._first, self._read = source, source.first, 0

    def packed(self) -> int:
        return self._read if self._source.size is None else self._source.size

    def readinto(self, room: memoryview) -> int:
        count = min(len(room), len(self._first))
        room[:count] = self._first[:count]
        self._first = self._first[count:]
        count = count or self._source.readinto(room)
        self._read += count
        return count

    def give_back(self, head: bytes) -> None:
        """Let *source* begin with *head* again, which has been read from it."""
        if self._source.size is None:
            self._source.first = head
        else:
            self._source.file.seek(0)


class _Content(Opened):
    """A text that was packed."""

    def __init__(self, stream: Stream) -> None:
        super().__init__(stream, None, b"")
        self._stream = stream

    def is_binary(self) -> bool:
        return b"\0" in self._stream.look(HEAD)

    def readinto(self, room: memoryview) -> int:
        return self._stream.readinto(room)  # its errors say all there is to say


class _Column(Opened):
    """A column of a columnar file."""

    def __init__(self, scanner: ColumnScanner) -> None:
        super().__init__(io.RawIOBase(), None, b"")
        self._scanner = scanner

    def is_binary(self) -> bool:
        return False

    def scanner(
        self, readinto: Callable[[memoryview], int], buffer: bytearray, profile: Profile | None
    ) -> ColumnScanner:
        self._scanner.profile = profile
        return self._scanner
