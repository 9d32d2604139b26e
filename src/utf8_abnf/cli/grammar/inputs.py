"""Returns the bytes that an argument spells in hex, or those of a file."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.names import STDIN, shown
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_BYTES = 256 << 20  # of one input
# People paste E2 82 AC, E282AC, \xE2\x82\xAC, 0xE2,0x82,0xAC, %E2%82%AC.
_BETWEEN = re.compile(r"\\x|0x|%|[\s,;:]+", re.IGNORECASE)


def bytes_of_hex(items: Iterable[str]) -> bytes:
    """Return the bytes that *items* spell in hex, in any of the common ways."""
    spelled = " ".join(items)
    try:
        return bytes.fromhex(_BETWEEN.sub(" ", spelled))
    except ValueError:
        message = f"{spelled!r} is not hex: write two hexadecimal digits for each byte, as in E2 82 AC"
        raise UsageError(message) from None


def content(path: str) -> bytes:
    """Return the bytes of the file *path*, or of standard input for ``-``; ``UsageError`` if there are too many."""
    if path == STDIN:
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    else:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise UsageError(f"{shown(path)} has more than {MAX_BYTES:,} bytes; split it")
    return data
