"""Find the cause of a text's errors from the bytes after the first one, if these prove it: a ``Diagnosis``."""

from __future__ import annotations

import re
from math import gcd
from typing import NamedTuple

from utf8_abnf.explain.locating import SAMPLE
from utf8_abnf.explain.nature import wide_part
from utf8_abnf.validator.functions import first_error, is_valid, iter_errors

CESU8, JAVA, SURROGATES, LONGER, LARGER = "CESU8", "JAVA", "SURROGATES", "LONGER", "LARGER"
CUT, SPLIT, WIDE, END, UNKNOWN = "CUT", "SPLIT", "WIDE", "END", "UNKNOWN"

BUFFER = 4096  # bytes: the buffers that programs use have this size or a multiple of it
_NEAR = 2  # bytes beside a multiple of it in which a cut is looked for: something short may have been inserted there
_MAX_STRETCHES = 4096  # that are looked at
_PAIR = rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]"  # a high surrogate and a low one, as UTF8-3 would be
_PAIRS = re.compile(rb"(?:" + _PAIR + rb")+")
_PAIRS_AND_NUL = re.compile(rb"(?:\xc0\x80|" + _PAIR + rb")+")
# A character with a line end in it, after which mail has a space.
_SPLIT = re.compile(rb"([\xc2-\xf4][\x80-\xbf]{0,2})(\r?\n[ \t]?)([\x80-\xbf]{1,3})")
_SURROGATES = re.compile(rb"(?:\xed[\xa0-\xbf][\x80-\xbf])+")
# RFC 2279 section 2, less RFC 3629: characters in more bytes than they need, and code points above U+10FFFF
_LONGER = re.compile(rb"(?:[\xc0\xc1][\x80-\xbf]|\xe0[\x80-\x9f][\x80-\xbf]|\xf0[\x80-\x8f][\x80-\xbf]{2})+")
_LARGER = re.compile(
    rb"(?:(?:\xf4[\x90-\xbf]|[\xf5-\xf7][\x80-\xbf]|\xf8[\x88-\xbf][\x80-\xbf]|[\xf9-\xfb][\x80-\xbf]{2}|"
    rb"\xfc[\x84-\xbf][\x80-\xbf]{2}|\xfd[\x80-\xbf]{3})[\x80-\xbf]{2})+"
)
_PATTERNS = {CESU8: _PAIRS, JAVA: _PAIRS_AND_NUL, SURROGATES: _SURROGATES, LONGER: _LONGER, LARGER: _LARGER}


class Diagnosis(NamedTuple):
    """The *cause* of the errors; *buffer* is the size at whose multiples text was cut, *encoding* is of ``WIDE``."""

    cause: str
    buffer: int = 0
    encoding: str = ""


def diagnose(sample: bytes, start: int = 0, before: bytes = b"") -> Diagnosis:
    r"""Return what broke the text of which *sample* begins at the first error, whose offset is *start*.

    *before*: the beginning of its line, directly before *sample*.

    >>> diagnose(b"\xed\xa0\xbd\xed\xb8\x80 and more").cause
    'CESU8'
    >>> diagnose("Привет, мир!".encode("koi8-r")).cause
    'UNKNOWN'
    """
    stretches = _stretches(sample)
    if len(stretches) == _MAX_STRETCHES:
        sample = sample[: stretches[-1][1]]
    texts = [sample[first:end] for first, end in stretches]
    for cause, pattern in _PATTERNS.items():
        if texts and all(map(pattern.fullmatch, texts)):
            return Diagnosis(cause)
    if encoding := wide_part(before + sample)[1]:
        return Diagnosis(WIDE, encoding=encoding)
    if size := _buffer_size(sample, stretches, start):
        return Diagnosis(CUT, size)
    if len(texts) == 1 and next(iter_errors(sample)).truncated:
        return Diagnosis(END)
    return Diagnosis(SPLIT if _are_split(sample) else UNKNOWN)


def _stretches(sample: bytes) -> list[tuple[int, int]]:
    """Return where the ill-formed stretches begin and end, the first ones; without one that *sample* may have cut."""
    stretches: list[tuple[int, int]] = []
    for error in iter_errors(sample):
        if error.truncated and len(sample) == SAMPLE:
            break
        if stretches and stretches[-1][1] == error.start:
            stretches[-1] = (stretches[-1][0], error.end)
        elif len(stretches) == _MAX_STRETCHES:
            break
        else:
            stretches.append((error.start, error.end))
    return stretches


def _buffer_size(sample: bytes, stretches: list[tuple[int, int]], start: int) -> int:
    """Return the size at whose multiples all errors stand, 0 for none.

    One multiple is enough only where the text ends there, or where the stretches are the two parts of characters.
    """
    edges = set()
    for first, end in stretches:
        edge = (start + end + _NEAR) // BUFFER * BUFFER
        if edge < max(1, start + first - _NEAR):
            return 0
        edges.add(edge)
    ends_there = start + len(sample) in edges and stretches[-1][1] == len(sample) < SAMPLE
    is_whole = is_valid(b"".join(sample[first:end] for first, end in stretches))
    return gcd(*edges) if len(edges) > 1 or ends_there or is_whole else 0


def _are_split(sample: bytes) -> bool:
    """Return whether *sample* is well-formed as soon as no line end stands inside of a character."""
    joined, number = _SPLIT.subn(rb"\1\3\2", sample)
    error = first_error(joined) if number else None
    return number > 0 and (error is None or error.truncated)
