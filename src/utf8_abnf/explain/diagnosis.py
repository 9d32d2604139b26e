"""What broke a text, from the bytes after its first error: the cause, and what it says about the right treatment.

Rule 1: a conversion of a whole file is named only where all of it was seen, and ASCII is all that is well-formed in it.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from math import gcd
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.explain import encodings
from utf8_abnf.explain.locating import HEAD, SAMPLE, count_multibyte
from utf8_abnf.explain.nature import is_text
from utf8_abnf.validator.functions import first_error, is_valid, iter_errors

if TYPE_CHECKING:
    from utf8_abnf.explain.encodings import Guess

CESU8, JAVA, SURROGATES, LONGER, LARGER = "CESU8", "JAVA", "SURROGATES", "LONGER", "LARGER"
CUT, SPLIT, SHORT, UTF16, END = "CUT", "SPLIT", "SHORT", "UTF16", "END"
WHOLE, BY_CHANCE, MIXED = "WHOLE", "BY_CHANCE", "MIXED"

BUFFER = 4096  # bytes: the buffers that programs use have this size or a multiple of it
_NEAR = 2  # bytes beside a multiple of it in which a cut is looked for: something short may have been inserted there
_UTF16 = {BOM_UTF16_LE: "utf-16-le", BOM_UTF16_BE: "utf-16-be"}
_MAX_STRETCHES = 4096  # that are looked at
_PAIR = rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]"  # a high surrogate and a low one, as UTF8-3 would be
_PAIRS = re.compile(rb"(?:" + _PAIR + rb")+")
_PAIRS_AND_NUL = re.compile(rb"(?:\xc0\x80|" + _PAIR + rb")+")
# The beginning of a character and then the end of a word; what looks like a whole character, as the sample has most.
_BEGINNING = re.compile(rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})(?![a-zA-Z0-9\x80-\xff])")
# A character with a line end in it, after which mail has a space.
_SPLIT = re.compile(rb"([\xc2-\xf4][\x80-\xbf]{0,2})(\r?\n[ \t]?)([\x80-\xbf]{1,3})")
_CHARACTER = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_SURROGATES = re.compile(rb"(?:\xed[\xa0-\xbf][\x80-\xbf])+")
# RFC 2279 section 2, less RFC 3629: characters in more bytes than they need, and code points above U+10FFFF
_LONGER = re.compile(rb"(?:[\xc0\xc1][\x80-\xbf]|\xe0[\x80-\x9f][\x80-\xbf]|\xf0[\x80-\x8f][\x80-\xbf]{2})+")
_LARGER = re.compile(
    rb"(?:(?:\xf4[\x90-\xbf]|[\xf5-\xf7][\x80-\xbf]|\xf8[\x88-\xbf][\x80-\xbf]|[\xf9-\xfb][\x80-\xbf]{2}|"
    rb"\xfc[\x84-\xbf][\x80-\xbf]{2}|\xfd[\x80-\xbf]{3})[\x80-\xbf]{2})+"
)
_TWICE = re.compile(rb"\xc3[\x82\x83](?:\xc2[\x80-\xbf]|[\xc5-\xcb][\x80-\xbf]|\xe2[\x80-\x84][\x80-\xbf])")


class Diagnosis(NamedTuple):
    """The *cause* of the errors; *buffer* is the size at whose multiples text was cut, *guess* the encoding.

    *twice*: how many characters of several bytes look as if they were encoded twice.
    """

    cause: str
    guess: Guess | None = None
    buffer: int = 0
    twice: int = 0


def diagnose(
    sample: bytes, start: int = 0, *, multibyte: int = 0, word: bytes = b"", is_ascii_before: bool = True
) -> Diagnosis:
    r"""Return what broke the text of which *sample* begins at the first error, whose offset is *start*.

    *multibyte*: how many well-formed characters of several bytes the whole text has, if that is known. *word*: the
    beginning of the first word, directly before *sample*; *is_ascii_before*: whether what is before that word is ASCII.

    >>> diagnose(b"\xed\xa0\xbd\xed\xb8\x80 and more").cause
    'CESU8'
    >>> diagnose("Привет, мир! Сегодня хорошая погода.".encode("koi8-r")).guess.names
    ('KOI8-R',)
    """
    stretches = _stretches(sample)
    is_cut = len(sample) == SAMPLE or len(stretches) == _MAX_STRETCHES
    if len(stretches) == _MAX_STRETCHES:
        sample = sample[: stretches[-1][1]]
    texts = [sample[first:end] for first, end in stretches]
    if texts and all(map(_PAIRS_AND_NUL.fullmatch, texts)):
        return Diagnosis(CESU8 if all(map(_PAIRS.fullmatch, texts)) else JAVA)
    if texts and all(map(_SURROGATES.fullmatch, texts)):
        return Diagnosis(SURROGATES)
    if texts and all(map(_LONGER.fullmatch, texts)):
        return Diagnosis(LONGER)
    if texts and all(map(_LARGER.fullmatch, texts)):
        return Diagnosis(LARGER)
    if texts and start and _is_utf16(sample):
        return Diagnosis(UTF16)
    if size := _buffer_size(sample, stretches, start):
        return Diagnosis(CUT, buffer=size)
    if len(texts) == 1 and next(iter_errors(sample)).truncated:
        return Diagnosis(END)
    if _are_split(sample):
        return Diagnosis(SPLIT)
    if _are_cut_short(sample, stretches):
        return Diagnosis(SHORT)
    guess = encodings.guess(word + sample)
    if not multibyte and is_ascii_before and not count_multibyte(word + sample):
        return Diagnosis(WHOLE, guess)
    if guess and is_ascii_before and _is_by_chance(encodings.whole_words(word + sample, is_cut=is_cut), guess):
        return Diagnosis(BY_CHANCE, guess)
    return Diagnosis(MIXED, guess, twice=len(_TWICE.findall(sample)))


def _stretches(sample: bytes) -> list[tuple[int, int]]:
    """Return where the ill-formed stretches begin and end, the first ones; without one that *sample* may have cut."""
    found: list[tuple[int, int]] = []
    for error in iter_errors(sample):
        if error.truncated and len(sample) == SAMPLE:
            break
        if found and found[-1][1] == error.start:
            found[-1] = (found[-1][0], error.end)
        elif len(found) == _MAX_STRETCHES:
            break
        else:
            found.append((error.start, error.end))
    return found


def _is_utf16(sample: bytes) -> bool:
    """Return whether *sample* begins with a byte order mark of UTF-16 and a line of text in it."""
    encoding = _UTF16.get(sample[:2])
    if encoding is None or b"\0" not in sample:
        return False
    line = sample[2:HEAD].decode(encoding, "replace").partition("\n")[0]
    return is_text(line.rstrip("\ufffd"))  # the last character may be cut


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


def _are_cut_short(sample: bytes, stretches: list[tuple[int, int]]) -> bool:
    """Return whether each stretch is the beginning of a character, at the end of a word or field.

    They may as well be letters of another encoding. So the text has to have such characters: with the same first byte,
    or of more than two bytes; and half of the stretches are more than one of the many letters E0..F4.
    """
    if not all(map(_BEGINNING.match, (sample[first : end + 1] for first, end in stretches))):
        return False
    cut = {min(sample[first], 0xE0) for first, _ in stretches}
    telling = sum(sample[first] < 0xE0 or end - first > 1 for first, end in stretches)
    return telling * 2 >= len(stretches) > 0 and cut <= {min(whole[0], 0xE0) for whole in _CHARACTER.findall(sample)}


def _is_by_chance(words: list[bytes], guess: Guess) -> bool:
    """Return whether all *words* are in one encoding, in which well-formed characters came about by chance.

    No characters may be meant as UTF-8, and few may be likelier so; and in East Asia, where a letter of UTF-8 that
    touches others can be read as a character, all together have to be much likelier in the encoding.
    """
    codec = guess.codecs[0]
    if guess.confidence != encodings.HIGH or codec not in encodings.WELL_FORMED_BY_CHANCE:
        return False
    telling = {word for word in words if count_multibyte(word)}
    favours = [favour for word in telling for favour in encodings.favours_of_utf8(word, codec)]
    doubtful = sum(favour > 0 for favour in favours)
    if max(favours, default=0.0) > encodings.CERTAIN or doubtful * 8 > len(favours):
        return False
    return encodings.ENCODINGS[codec][1] == 1 or sum(favours) <= -encodings.SURE
