r"""The look for refused characters: their forms in, one regular expression of bytes out.

A form has a range of bytes for each byte of a character. In any text, ill-formed text included, bytes that follow a
form are a whole character: a first byte is never the continuation of another character. So the expression is exact.

It begins with the set of all first bytes, because ``re`` passes over other bytes 50 times as fast as it tries
alternatives: what follows looks back at the first byte, and then asks for the others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Range: TypeAlias = tuple[int, int]  # of bytes, both ends included
Form: TypeAlias = tuple[Range, ...]  # a range for each byte of a character


def look(forms: Iterable[Form]) -> re.Pattern[bytes]:
    r"""Return the expression that finds the characters of *forms*.

    >>> look([((0xEF, 0xEF), (0xBF, 0xBF), (0xBD, 0xBD))]).search("a\ufffdb".encode()).span()
    (1, 4)
    """
    forms = sorted(forms)
    begun = _begun(forms)
    if not begun:
        return re.compile(b"(?!)")
    if len(begun) == 1:
        return re.compile(_rest(tuple(forms)))
    alternatives = [b"(?<=%b)%b" % (_set(firsts), _rest(rests)) for rests, firsts in begun.items()]
    return re.compile(_set([first for firsts in begun.values() for first in firsts]) + _one_of(alternatives))


def _begun(forms: Sequence[Form]) -> dict[tuple[Form, ...], list[Range]]:
    """Return the ranges of first bytes for each set of what may follow them."""
    rests: dict[Range, list[Form]] = {}
    for first, *rest in forms:
        rests.setdefault(first, []).append(tuple(rest))
    begun: dict[tuple[Form, ...], list[Range]] = {}
    for first, found in rests.items():
        begun.setdefault(tuple(found), []).append(first)
    return begun


def _rest(forms: tuple[Form, ...]) -> bytes:
    """Return what matches the rest of a character, which has one of *forms*: nothing where there is none."""
    if forms == ((),):
        return b""
    return _one_of([_set(firsts) + _rest(rests) for rests, firsts in _begun(forms).items()])


def _one_of(alternatives: list[bytes]) -> bytes:
    return alternatives[0] if len(alternatives) == 1 else b"(?:%b)" % b"|".join(alternatives)


def _set(ranges: list[Range]) -> bytes:
    return b"[%b]" % b"".join(rb"\x%02x" % low + (rb"-\x%02x" % high if high > low else b"") for low, high in ranges)
