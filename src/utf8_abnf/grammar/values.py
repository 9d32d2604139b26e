"""Return the byte ranges of a terminal node. A value of a grammar is a byte, or a code point in UTF-8.

A code point stands for the bytes that ``grammar/utf8.abnf`` gives it: in the order of bytes, the words of UTF8-char
are the scalar values in their order. So nothing here knows how UTF-8 is encoded.
"""

from __future__ import annotations

import string
from functools import cache, lru_cache
from itertools import chain, product
from math import prod
from typing import TYPE_CHECKING, Literal, TypeAlias

from utf8_abnf.grammar.files import grammar_folder
from utf8_abnf.grammar.reader import read
from utf8_abnf.grammar.syntax import Prose, Range, Ref, Series, Text, fold
from utf8_abnf.language.notation import is_visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.grammar.syntax import Node

Values: TypeAlias = Literal["bytes", "utf-8"]
BYTES: Values = "bytes"
UTF8: Values = "utf-8"
LAST_ASCII = 0x7F  # up to here a byte and a code point are the same
MAX_BYTE = 0xFF
MAX_CODE_POINT = 0x10FFFF
SURROGATES = range(0xD800, 0xE000)  # no scalar values: UTF-8 has no bytes for them (RFC 3629 section 3)

_LETTERS = string.ascii_lowercase + string.digits + string.ascii_uppercase
READABLE = sorted(range(256), key=lambda byte: (_LETTERS.find(chr(byte)) % 256, not is_visible(byte), byte))
"""All bytes; those that are read best come first: letters and digits, then other visible characters."""

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Byte ranges, both ends included, in ascending order and with gaps between them."""


def byte_strings(node: Node, values: Values = BYTES) -> list[list[Ranges]]:
    """Return the alternatives that the terminal *node* stands for: each the byte ranges of one byte after another.

    Values that are none are left out: what exceeds a byte or, with ``utf-8``, surrogates and what exceeds 10FFFF.
    """
    return [list(chain(*each)) for each in product(*(spelled(value, values) for value in values_of(node)))]


def values_of(node: Node) -> list[Ranges]:
    """Return the values that the terminal *node* allows: as ranges, one value after another. Prose allows none."""
    match node:
        case Range(low=low, high=high):
            return [((low, high),)]
        case Series(values=values):
            return [((value, value),) for value in values]
        case Text(text=text, case_sensitive=case_sensitive):
            both = [{char} if case_sensitive else {char.lower(), char.upper()} for char in text]
            return [tuple((ord(char), ord(char)) for char in sorted(each)) for each in both]
        case Prose():
            return [()]
    raise TypeError(node)


def spelled(value: Ranges, values: Values) -> list[list[Ranges]]:
    """Return the byte strings for one of the values *value*, as ``byte_strings`` does for a terminal."""
    if values == UTF8:
        return [[(each,) for each in box] for low, high in value for box in _split(low, high)]
    some = tuple((low, min(high, MAX_BYTE)) for low, high in value if low <= MAX_BYTE)
    return [[some]] if some else []


def joined(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return *ranges* in ascending order, with those in one that touch."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def ranges_of(members: Iterable[int]) -> Ranges:
    """Return the bytes *members* as ranges."""
    return joined((byte, byte) for byte in members)


def members(ranges: Ranges) -> list[int]:
    """Return the bytes of *ranges*."""
    return [byte for low, high in ranges for byte in range(low, high + 1)]


def mask_of(ranges: Ranges) -> int:
    """Return the bytes of *ranges* as a mask of 256 bits."""
    return sum((1 << high + 1) - (1 << low) for low, high in ranges)


def byte_classes(range_lists: Iterable[Ranges]) -> bytes:
    """Return the class of each byte: two bytes share a class if no range in *range_lists* distinguishes them."""
    seen: dict[int, list[int]] = {byte: [] for byte in range(256)}
    for number, ranges in enumerate(set(range_lists)):
        for low, high in ranges:
            for byte in range(low, high + 1):
                seen[byte].append(number)
    numbers: dict[tuple[int, ...], int] = {}
    return bytes(numbers.setdefault(tuple(members), len(numbers)) for members in seen.values())


def greatest_value(node: Node) -> int:
    """Return the greatest value that *node* itself names, -1 if it names none."""
    match node:
        case Range(high=high):
            return high
        case Series(values=values):
            return max(values)
    return -1


Box: TypeAlias = tuple[tuple[int, int], ...]  # words of one length: a range of bytes for each place


@lru_cache(maxsize=4096)
def _split(low: int, high: int) -> tuple[Box, ...]:
    """Return the words of UTF8-char for the scalar values from *low* to *high*, as boxes in ascending order."""
    found: list[Box] = []
    for first, box in character_boxes():
        begin, end = max(low, first), min(high, first + _size(box) - 1)
        if begin <= end:
            found += _between(box, begin - first, end - first)
    return tuple(found)


def _between(box: Box, begin: int, end: int) -> Iterator[Box]:
    """Yield boxes with the words of *box* from number *begin* to number *end*, which are counted from 0 in order."""
    if not box or (begin == 0 and end == _size(box) - 1):
        yield box
        return
    (low, _), *after = box
    rest = tuple(after)
    size = _size(rest)
    (first, from_), (last, to) = divmod(begin, size), divmod(end, size)
    if first == last:
        yield from (((low + first,) * 2, *each) for each in _between(rest, from_, to))
        return
    if from_:
        yield from (((low + first,) * 2, *each) for each in _between(rest, from_, size - 1))
    whole = (first + (from_ > 0), last - (to < size - 1))
    if whole[0] <= whole[1]:
        yield ((low + whole[0], low + whole[1]), *rest)
    if to < size - 1:
        yield from (((low + last,) * 2, *each) for each in _between(rest, 0, to))


def _size(box: Box) -> int:
    return prod(high - low + 1 for low, high in box)


@cache
def character_boxes() -> list[tuple[int, Box]]:
    """Return the alternatives of UTF8-char in ascending order, each with its first scalar value."""
    text = (grammar_folder() / "utf8.abnf").read_text("ascii")
    rules = {rule.name: rule.definition for rule in read(text, "grammar/utf8.abnf")}
    found, number = [], 0
    for box in sorted(_boxes(rules["UTF8-char"], rules)):
        found.append((number if number < SURROGATES.start else number + len(SURROGATES), box))
        number += _size(box)
    return found


def _boxes(node: Node, rules: dict[str, Node]) -> list[Box]:
    def leaf(node: Node) -> list[Box]:
        return _boxes(rules[node.name], rules) if isinstance(node, Ref) else [values_of(node)[0]]

    def sequence(parts: list[list[Box]]) -> list[Box]:
        return [tuple(chain(*each)) for each in product(*parts)]

    return fold(
        node,
        leaf,
        sequence=sequence,
        choice=lambda parts: list(chain(*parts)),
        repeated=lambda low, high, boxes: sequence([boxes] * low),
    )
