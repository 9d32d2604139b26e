r"""Detect UTF-8 that was read as Windows-1252 or Latin-1 and encoded in UTF-8 again (``Twice``).

It is well-formed, but each character has become several Latin letters or signs. The evidence: these, put back into one
byte each, are UTF-8; those of a text that is meant hardly ever are.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

# U+00C2..U+00F4 before the first byte of a character that Windows-1252 or Latin-1 may have: C2..F4, with which a
# character of several bytes begins, encoded once more.
THIRD = b"\xc2\xc5\xc6\xcb\xe2"
SUSPECT = re.compile(rb"\xc3[\x82-\xb4][%b]" % THIRD)


class Twice(NamedTuple):
    """How many runs of characters above U+007F were encoded twice, how many there are, and the first: *old*, *new*."""

    number: int
    runs: int
    old: str
    new: str


def encoded_twice(beginning: bytes) -> Twice | None:
    r"""Return what shows that well-formed text which begins with *beginning* was encoded twice; None where little does.

    At least half of the runs of characters above U+007F have to show it: a text about such errors has others.

    >>> ascii(encoded_twice("caf\u00c3\u00a9, th\u00c3\u00a9".encode()))
    "Twice(number=2, runs=2, old='\\xc3\\xa9', new='\\xe9')"
    >>> encoded_twice("café, São".encode())
    """
    # Most texts lack the first byte or each third one, and finding one byte is much faster than the pattern.
    if 0xC3 not in beginning or not any(byte in beginning for byte in THIRD) or not SUSPECT.search(beginning):
        return None
    runs = re.findall(r"[^\0-\x7f]+", beginning.decode(errors="ignore"))
    undone = [(run, new) for run in runs if (new := _once(run))]
    return Twice(len(undone), len(runs), *undone[0]) if undone and len(undone) * 2 >= len(runs) else None


def _once(run: str) -> str:
    """Return the characters of which *run* is the second encoding; "" where it is none."""
    try:
        return bytes(map(_byte_of().__getitem__, run)).decode()
    except (KeyError, UnicodeDecodeError):
        return ""


@cache
def _byte_of() -> dict[str, int]:
    """Return for each character the byte that is read as it: as Windows-1252, where this has one, or as Latin-1."""
    latin = {chr(byte): byte for byte in range(0x80, 0x100)}
    return latin | {bytes([byte]).decode("cp1252", "ignore"): byte for byte in range(0x80, 0x100)}
