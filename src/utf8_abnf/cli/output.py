"""Where a command writes to: standard output, or the file that ``-o`` names."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import argparse
    from contextlib import AbstractContextManager


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add ``-o FILE`` to *parser*."""
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE instead of standard output")


def opened(path: str | None) -> AbstractContextManager[TextIO]:
    """Return the file *path*, open for writing, or standard output; in a file lines end with LF on every system."""
    return open(path, "w", encoding="utf-8", newline="") if path else nullcontext(sys.stdout)
