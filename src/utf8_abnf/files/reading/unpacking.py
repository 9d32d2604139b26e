"""From a stream to the texts in it: each level is opened by the reader that its first bytes ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.reading.limits import Limits, Meter, guarded
from utf8_abnf.files.reading.part import Packed
from utf8_abnf.files.reading.readers import reader_of
from utf8_abnf.files.reading.streams import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.files.reading.columns import ColumnScanner
    from utf8_abnf.files.reading.part import Part
    from utf8_abnf.files.reading.readers import Reader

_MAX_NAME = 1024  # characters of a member's name that are shown


class Found(NamedTuple):
    """A text, or why there is none: what ``unpack`` yields.

    *name*: in its file, as ``dir/b.txt``, with ``!`` between the levels; "" for the file's own content. *content*: its
    bytes, a column, an error, or None for a member that is not a file. *format*: of an archive that was not opened
    because it lies too deep; else "".
    """

    name: str
    content: Stream | ColumnScanner | UnreadableError | None
    format: str = ""


def unpack(
    stream: Stream,
    size: Callable[[], int],
    *,
    limits: Limits,
    columns: tuple[str, ...] = (),
    passes: Callable[[bytes], bool] = lambda _: False,
) -> Iterator[Found]:
    """Yield what *stream* holds; itself where there is nothing to unpack. Each content has to be read before the next.

    *size*: the bytes of the file, or of a pipe those read so far. *columns*: of columnar files; () for all of text.
    *passes* may be asked about a whole content, which is left out where it returns True: a record of a web archive.
    Nothing comes after a limit of the whole was exceeded.
    """
    meter = Meter(limits, size)
    yield from _Unpacking(meter, limits.depth, columns, passes).found("", stream, meter, 0, wrapped=False)


class _Unpacking:
    def __init__(self, whole: Meter, depth: int, columns: tuple[str, ...], passes: Callable[[bytes], bool]) -> None:
        self._whole, self._depth, self._columns, self._passes = whole, depth, columns, passes

    def found(self, name: str, stream: Stream, meter: Meter, level: int, *, wrapped: bool) -> Iterator[Found]:
        """Yield what *stream* holds. *wrapped*: it was compressed, and an archive in it is on the same level."""
        reader = reader_of(stream.look())
        if reader is None:
            yield Found(name, stream)
        elif level + 1 > self._depth and not (wrapped and not reader.wraps):
            yield Found(name, stream, reader.format)
        else:
            yield from self._opened(name, stream, meter, reader, level if wrapped and not reader.wraps else level + 1)

    def _opened(self, name: str, stream: Stream, meter: Meter, reader: Reader, level: int) -> Iterator[Found]:
        try:
            with guarded():
                parts = reader.open(Packed(stream, meter, self._columns, self._passes))
        except UnreadableError as error:
            yield Found(name, error)
            return
        while not self._whole.exceeded:
            try:
                with guarded():
                    part = next(parts, None)
            except UnreadableError as error:
                yield Found(name, error)
                return
            if part is None:
                return
            within = "!".join(filter(None, (name, part.name[:_MAX_NAME])))
            if part.open is None:
                yield Found(within, None)
                continue
            yield from self._part(within, part, meter, level, wrapped=reader.wraps)

    def _part(self, name: str, part: Part, meter: Meter, level: int, *, wrapped: bool) -> Iterator[Found]:
        assert part.open is not None
        try:
            with guarded():
                content = part.open()
        except UnreadableError as error:
            yield Found(name, error)
            return
        if isinstance(content, Stream):
            yield from self.found(name, content, meter, level, wrapped=wrapped)
        else:
            yield Found(name, content)
