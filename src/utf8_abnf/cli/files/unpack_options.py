"""The options of ``--unpack``, which several commands have; the readers are imported only where it is given."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 1
MAX_RATIO = 200  # deflate reaches 1,032 on zeros; logs and tables stay below 100
MAX_SIZE = 64 << 30  # bytes
_UNITS = {"K": 10, "M": 20, "G": 30, "T": 40}


def add(parser: argparse.ArgumentParser) -> None:
    """Add ``--unpack`` and its limits for what reads archives and columns also."""
    formats = "gzip, zstd, bzip2, xz, tar, zip, WARC, Parquet, Arrow and Feather"
    add_to = _group(parser, f"check what is in {formats} files").add_argument
    add_to("--column", action="append", default=[], metavar="NAME",
        help="check only this column of Parquet and Arrow files, even if it is binary; may be repeated")  # fmt: skip
    add_to("--max-depth", type=number_from(1), default=MAX_DEPTH, metavar="N",
        help="open archives in archives, down to level N (default: %(default)s)")  # fmt: skip


def add_repaired(parser: argparse.ArgumentParser) -> None:
    """Add ``--unpack`` and its limits for what reads a compressed file and writes it."""
    _group(parser, "repair what is in gzip, zstd, bzip2 and xz files, and compress the result in the same format")
    parser.set_defaults(max_depth=MAX_DEPTH)


def _group(parser: argparse.ArgumentParser, unpack: str) -> argparse._ArgumentGroup:
    group = parser.add_argument_group("what is in packed files")
    group.add_argument("-z", "--unpack", action="store_true", help=unpack)
    group.add_argument("--max-ratio", type=number_from(1), default=MAX_RATIO, metavar="N",
        help="unpack at most N bytes for each byte (default: %(default)s)")  # fmt: skip
    group.add_argument("--max-size", type=_size, default=MAX_SIZE, metavar="SIZE",
        help="unpack at most SIZE bytes from each file, as in 500M (default: 64G)")  # fmt: skip
    return group


def not_empty(text: str) -> str:
    """Return an argument that is not empty: an empty one, of a variable that is not set, would be as no option."""
    if text:
        return text
    from utf8_abnf.language import messages
    from utf8_abnf.language.catalogue import say

    raise argparse.ArgumentTypeError(say(messages.EMPTY_VALUE))


def number_from(least: int) -> Callable[[str], int]:
    """Return what reads an argument that is a whole number, *least* or greater."""

    def number(text: str) -> int:
        if text.isascii() and text.isdigit() and int(text) >= least:
            return int(text)
        from utf8_abnf.language import messages
        from utf8_abnf.language.catalogue import say

        raise argparse.ArgumentTypeError(say(messages.NOT_A_NUMBER, least=least, value=repr(text)))

    return number


def _size(text: str) -> int:
    unit = text[-1:].upper()
    return number_from(1)(text[:-1]) << _UNITS[unit] if unit in _UNITS else number_from(1)(text)
