"""The named cases of level L0: each has a name, a story and a source, for people to read.

``named_well_formed.txt`` and ``named_ill_formed.txt`` have them. A test compares the verdicts with the automaton.
"""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple


class NamedCase(NamedTuple):
    """A case as its author wrote it. *source* is a section of a document or a published mistake."""

    id: str
    data: bytes
    accept: bool
    story: str
    source: str


def parse(text: str) -> bytes:
    r"""Return the bytes of a row: hex, and ``61*63`` for 63 bytes 61.

    >>> parse("61*3 E2 82 AC")
    b'aaa\xe2\x82\xac'
    """
    data = b""
    for word in text.split():
        byte, _, count = word.partition("*")
        data += bytes.fromhex(byte) * int(count or 1)
    return data


def rows(file: str, *, accept: bool) -> tuple[NamedCase, ...]:
    """Return the rows of *file*: a line each, ``id | bytes | story | source``; lines with # are headings."""
    found = []
    for line in (files(__package__) / file).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            name, data, story, source = (field.strip() for field in line.split("|"))
            found.append(NamedCase(name, parse(data), accept, story, source))
    return tuple(found)


NAMED = (*rows("named_well_formed.txt", accept=True), *rows("named_ill_formed.txt", accept=False))
BY_NAME = {row.id: row for row in NAMED}
