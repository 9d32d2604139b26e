"""The table of readers, and which of them reads a file that begins with given bytes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import UnreadableError
from utf8_abnf.explain.locating import HEAD, has_controls
from utf8_abnf.explain.nature import ARROW_STREAM, SIGNATURES, nature_of
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.validator.functions import first_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.files.reading.part import Packed, Part


class Reader(NamedTuple):
    """A *format*, by the name that ``explain.nature`` gives it, and the *function* of a module here that reads it.

    *wraps*: it holds one content, which goes by the file's own name. *extra*: the one of ours that installs *needs*.
    """

    format: str
    function: str
    wraps: bool = False
    needs: str = ""
    extra: str = ""

    def open(self, packed: Packed) -> Iterator[Part]:
        """Yield the parts of *packed*, in its order; ``UnreadableError`` where a library is not installed."""
        module, _, name = self.function.partition(":")
        try:
            function: Callable[[Packed], Iterator[Part]] = getattr(import_module(f"{__package__}.{module}"), name)
            yield from function(packed)
        except ModuleNotFoundError:
            raise UnreadableError(say(messages.NEEDS_EXTRA, name=self.needs, extra=self.extra)) from None


# fmt: off
READERS = (
    #      format     function                  one content    needs            extra
    Reader("gzip",    "compressed:gzip",        True),
    Reader("bzip2",   "compressed:bzip2",       True),
    Reader("xz",      "compressed:xz",          True),
    Reader("zstd",    "compressed:zstd",        True,          "backports.zstd", "unpack"),
    Reader("tar",     "tar_members:members"),
    Reader("zip",     "zip_members:members"),
    Reader("WARC",    "warc_records:records",   False,         "fastwarc",      "warc"),
    Reader("Parquet", "columns:parquet",        False,         "pyarrow",       "arrow"),
    Reader("Arrow",   "columns:arrow",          False,         "pyarrow",       "arrow"),
    Reader(ARROW_STREAM, "columns:stream",      False,         "pyarrow",       "arrow"),
    Reader("Feather", "columns:feather",        False,         "pyarrow",       "arrow"),
)
# fmt: on

_FORMATS = {row.format for row in READERS}
# The first bytes of all but tar, and of WARC and streams of Arrow, which have no row there.
BEGINS = b"W\xff" + bytes({row.magic[0] for row in SIGNATURES if row.format in _FORMATS and row.offset == 0})


def reader_of(head: bytes) -> Reader | None:
    r"""Return the reader for what begins with *head*; None where there is none, because it is text, for example.

    >>> reader_of(bytes.fromhex("1F 8B 08 00")).format
    'gzip'
    >>> reader_of(b"WARC/1.1\r\n").format
    'WARC'
    """
    known = "WARC" if head.startswith(b"WARC/") else "" if _is_text(head[:HEAD]) else nature_of(head[:HEAD]).format
    known = known or ("tar" if is_tar(head) else "")
    return next((each for each in READERS if each.format == known), None)


def _is_text(head: bytes) -> bool:
    """Return whether *head* is well-formed and without controls, as nothing is that can be unpacked: a quick answer."""
    if has_controls(head):
        return False
    error = first_error(head)
    return error is None or error.truncated


_BLOCK = 512  # bytes of a header of tar


def is_tar(head: bytes) -> bool:
    """Return whether *head* begins with a header of tar, which before POSIX had a checksum and no signature."""
    block = head[:_BLOCK]
    if len(block) < _BLOCK or b"\0" not in block:
        return False
    import tarfile

    try:
        tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return False
    return True
