"""From a stream to the texts in it: each level is opened by the reader that its first bytes ask for."""

from __future__ import annotations

import tarfile
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import UnreadableError
from utf8_abnf.explain.locating import has_controls
from utf8_abnf.explain.nature import ARROW_STREAM, nature_of
from utf8_abnf.files.reading.streams import Meter, Stream, guarded
from utf8_abnf.validator.functions import first_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.files.reading.columns import ColumnScanner
    from utf8_abnf.files.reading.streams import Part

MAX_DEPTH = 3  # archives in archives; what is compressed and the archive in it are one level
_MAX_NAME = 1024  # characters of a member's name that are shown


class Reader(NamedTuple):
    """A *format*, by the name that ``explain.nature`` gives it, and the *function* of a module here that reads it.

    *wraps*: it holds one content, which goes by the file's own name. *extra*: the one of ours that installs *needs*.
    """

    format: str
    function: str
    wraps: bool = False
    needs: str = ""
    extra: str = ""

    def open(self, stream: Stream, meter: Meter) -> Iterator[Part]:
        """Yield the parts of *stream*, in its order; ``UnreadableError`` where a library is not installed."""
        module, _, name = self.function.partition(":")
        try:
            function: Callable[[Stream, Meter], Iterator[Part]] = getattr(
                import_module(f"{__package__}.{module}"), name
            )
            yield from function(stream, meter)
        except ModuleNotFoundError:
            how = f"python -m pip install 'utf8-abnf[{self.extra}]'"
            raise UnreadableError(f"this needs {self.needs}: {how}") from None


# fmt: off
READERS = (
    #      format     function                  one content    needs             extra
    Reader("gzip",    "compressed:gzipped",     True),
    Reader("bzip2",   "compressed:bzipped",     True),
    Reader("xz",      "compressed:xzipped",     True),
    Reader("zstd",    "compressed:zstandard",   True,          "backports.zstd", "unpack"),
    Reader("tar",     "tar_members:members"),
    Reader("zip",     "zip_members:members"),
    Reader("WARC",    "warc_records:records",   False,         "fastwarc",       "warc"),
    Reader("Parquet", "columns:parquet",        False,         "pyarrow",        "arrow"),
    Reader("Arrow",   "columns:arrow",          False,         "pyarrow",        "arrow"),
    Reader(ARROW_STREAM, "columns:stream",      False,         "pyarrow",        "arrow"),
)
# fmt: on


def reader_of(head: bytes) -> Reader | None:
    r"""Return the reader for what begins with *head*; None where there is none, because it is text, for example.

    >>> reader_of(bytes.fromhex("1F 8B 08 00")).format
    'gzip'
    >>> reader_of(b"WARC/1.1\r\n").format
    'WARC'
    """
    if head.startswith(b"WARC/"):
        known = "WARC"
    else:
        is_text = not has_controls(head) and ((error := first_error(head)) is None or error.truncated)
        known = "" if is_text else nature_of(head[: tarfile.BLOCKSIZE]).format or ("tar" if is_tar(head) else "")
    return next((each for each in READERS if each.format == known), None)


def is_tar(head: bytes) -> bool:
    """Return whether *head* begins with a header of tar, which before POSIX had a checksum and no signature."""
    try:
        tarfile.TarInfo.frombuf(head[: tarfile.BLOCKSIZE], "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return False
    return True


class Found(NamedTuple):
    """A text, or why there is none: what ``unpack`` yields.

    *name*: in its file, as ``dir/b.txt``, with ``!`` between the levels; "" for the file's own content. *content*: its
    bytes, a column, an error, or None for a member that is not a file.
    """

    name: str
    content: Stream | ColumnScanner | UnreadableError | None


def unpack(stream: Stream) -> Iterator[Found]:
    """Yield what *stream* holds; itself where there is nothing to unpack. Each content has to be read before the next.

    Nothing comes after more than ``streams.MAX_OUT`` bytes.
    """
    yield from _found("", stream, Meter(), 0, wrapped=False)


def _found(name: str, stream: Stream, meter: Meter, level: int, *, wrapped: bool) -> Iterator[Found]:
    """Yield what *stream* holds. *wrapped*: it was compressed, and an archive in it is on the same level."""
    reader = reader_of(stream.look())
    if reader is None:
        yield Found(name, stream)
        return
    level += not wrapped or reader.wraps
    if level > MAX_DEPTH:
        yield Found(name, UnreadableError(f"is a file of the format {reader.format}, in too many archives; unpack it"))
        return
    parts = reader.open(stream, meter)
    while not meter.is_exceeded:
        try:
            with guarded():
                part = next(parts, None)
        except UnreadableError as error:
            yield Found(name, error)
            return
        if part is None:
            return
        within = "!".join(filter(None, (name, part.name[:_MAX_NAME])))
        yield from _of_part(within, part, meter, level, wrapped=reader.wraps)


def _of_part(name: str, part: Part, meter: Meter, level: int, *, wrapped: bool) -> Iterator[Found]:
    content: Stream | ColumnScanner | UnreadableError | None = None
    try:
        with guarded():
            content = part.open and part.open()
    except UnreadableError as error:
        content = error
    if isinstance(content, Stream):
        yield from _found(name, content, meter, level, wrapped=wrapped)
    else:
        yield Found(name, content)
