"""The named cases, level L0: a row each, with a story and where it comes from, to be read by people.

The verdict stands in the row's table (``named_well_formed`` or ``named_ill_formed``); a test holds it
against the automaton.
"""

from __future__ import annotations

from typing import NamedTuple

from utf8_abnf.suite import named_ill_formed, named_well_formed


class Row(NamedTuple):
    """A named case: what the author says of it. *source* is a section of a document or a published mistake."""

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


def rows(table: str, *, accept: bool) -> tuple[Row, ...]:
    """Return the rows of *table*: a line each, ``id | bytes | story | source``; lines with # are headings."""
    found = []
    for line in table.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            name, data, story, source = (field.strip() for field in line.split("|"))
            found.append(Row(name, parse(data), accept, story, source))
    return tuple(found)


NAMED = (*rows(named_well_formed.TABLE, accept=True), *rows(named_ill_formed.TABLE, accept=False))
BY_NAME = {row.id: row for row in NAMED}
