"""The encoding of words that are not UTF-8, by how likely they are in each encoding, and how sure that is.

Why not by ``charset-normalizer``: of what it claimed for words among UTF-8 with fair or high confidence four in ten
were wrong, since it judges whole texts (``tools/measure/guesses.py``).
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from functools import cache, lru_cache
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.explain import letters
from utf8_abnf.language.notation import printable
from utf8_abnf.validator.functions import is_valid

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TEXT = 1 << 14  # bytes in which words are looked for
_MAX_WORDS = 60  # different ones that are looked at: a few milliseconds
_ENOUGH = 200  # bytes of words without characters that seem to be meant
LOW, FAIR, HIGH = range(3)  # confidence

# fmt: off
# By codec of Python, the most common first: the name for iconv, bytes of a character.
ENCODINGS = {
    "cp1252":    ("WINDOWS-1252", 1),  # all that Latin-1 has, with quotation marks where Latin-1 has controls
    "iso8859_15": ("ISO-8859-15", 1),  # Latin-1 with € and seven letters in place of ¤ and other signs
    "cp932":     ("CP932",        2),  # Shift_JIS as Windows writes it
    "gb18030":   ("GB18030",      2),  # all that GBK and GB 2312 have
    "cp1251":    ("WINDOWS-1251", 1),
    "euc_jp":    ("EUC-JP",       2),
    "big5":      ("BIG5",         2),
    "cp949":     ("CP949",        2),  # all that EUC-KR has
    "koi8_r":    ("KOI8-R",       1),
    "cp1250":    ("WINDOWS-1250", 1),
    "iso8859_2": ("ISO-8859-2",   1),
    "iso8859_3": ("ISO-8859-3",   1),
    "iso8859_4": ("ISO-8859-4",   1),
    "cp1253":    ("WINDOWS-1253", 1),
    "cp1254":    ("WINDOWS-1254", 1),
    "cp1255":    ("WINDOWS-1255", 1),
    "cp1256":    ("WINDOWS-1256", 1),
    "cp874":     ("CP874",        1),
    "cp1257":    ("WINDOWS-1257", 1),
    "cp866":     ("CP866",        1),
    "koi8_u":    ("KOI8-U",       1),
    "iso8859_5": ("ISO-8859-5",   1),
    "iso8859_6": ("ISO-8859-6",   1),
    "iso8859_7": ("ISO-8859-7",   1),
    "cp850":     ("CP850",        1),
    "cp437":     ("CP437",        1),
    "cp852":     ("CP852",        1),
    "cp855":     ("CP855",        1),
    "cp1125":    ("CP1125",       1),
    "cp737":     ("CP737",        1),
    "cp869":     ("CP869",        1),
    "cp857":     ("CP857",        1),
    "cp862":     ("CP862",        1),
    "cp775":     ("CP775",        1),
    "cp860":     ("CP860",        1),
    "cp861":     ("CP861",        1),
    "cp863":     ("CP863",        1),
    "cp865":     ("CP865",        1),
    "iso8859_10": ("ISO-8859-10", 1),
    "iso8859_16": ("ISO-8859-16", 1),
    "mac_roman": ("MACINTOSH",    1),
    "mac_cyrillic": ("MAC-CYRILLIC", 1),
    "mac_latin2": ("MAC-LATIN2",  1),
    "mac_croatian": ("MAC-CROATIAN", 1),
    "mac_romanian": ("MAC-ROMANIAN", 1),
    "mac_greek": ("MAC-GREEK",    1),
    "mac_turkish": ("MAC-TURKISH", 1),
    "mac_iceland": ("MAC-ICELAND", 1),
}
_RANKS = {codec: rank for rank, codec in enumerate(ENCODINGS)}
# The standard of each in East Asia, the first bytes of its characters of level 1, and the most common characters.
_LEVEL_1 = {
    "cp932":   ("euc_jp", 0xB0, 0xCF, letters.KANJI),  # JIS X 0208, rows 16 to 47
    "euc_jp":  ("euc_jp", 0xB0, 0xCF, letters.KANJI),
    "gb18030": ("gb2312", 0xB0, 0xD7, letters.SIMPLIFIED),  # GB 2312, rows 16 to 55
    "big5":    ("big5",   0xA4, 0xC6, letters.SIMPLIFIED + letters.TRADITIONAL),
    "cp949":   ("euc_kr", 0xB0, 0xC8, letters.SYLLABLES),  # KS X 1001, rows 16 to 40
}
# Text in these has well-formed characters of UTF-8 by chance: their letters lie in 80..BF as well, and none is Latin.
WELL_FORMED_BY_CHANCE = frozenset({
    "cp932", "gb18030", "euc_jp", "big5", "cp949", "cp1251", "koi8_r", "koi8_u", "cp874", "cp866", "iso8859_5",
    "cp855", "cp1125", "cp737", "cp869", "mac_greek",
})
# fmt: on
_MANY, _SOME = 8, 4  # bytes above 7F for high and for fair confidence
SURE, LIKELY = 10.0, 5.0  # logarithms: how much likelier than any other reading, for high and for fair confidence
_LEAST = -4.2  # mean of the logarithm of the likelihood of a byte in words that are read rightly: -2.5 to -4.0
_LEAST_OF_WORD = -7.0  # the same of a single word, which may be rare
CERTAIN = 12.0  # the same of characters that are meant as UTF-8, beyond what 谢谢 in GBK has, which would be "лл"
_CUT = -20.0  # the logarithm of how likely half a character of an encoding is
_MAX_MEAN = 32  # bytes of the words of a language on average; data are longer without a space
_RARER = 0.1  # what each encoding has to be likelier by than the one before it
_MAX_CANDIDATES = 4
_MAX_SHOWN = 12  # characters of a word that is read differently
# A word: letters, and 40..7E, which are second bytes in East Asia.
WORD = re.compile(rb"[\x40-\xff]+")
_FILL = re.compile(rb"([\x80-\xff])\1{7}")  # no word of a language, but FF in the image of a memory, for example
# Characters of several bytes, where ill-formed bytes are surrogates.
_OF_UTF8 = re.compile(r"([^\x00-\x7f\udc80-\udcff]+)")
# More than six bytes of well-formed characters in a row are meant; fewer come about by chance.
MEANT = re.compile(rb"(?:[\xc2-\xdf][\x80-\xbf]){4,}|(?:[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){3,}")


class Guess(NamedTuple):
    """Encodings of Python that the bytes may be in, the likeliest first, and the *confidence*.

    *word*: the shortest one that they read differently, where there are several.
    """

    codecs: tuple[str, ...]
    confidence: int
    word: bytes = b""

    @property
    def names(self) -> tuple[str, ...]:
        """Their names for iconv."""
        return tuple(ENCODINGS[codec][0] for codec in self.codecs)

    def __str__(self) -> str:
        """Return the encodings as people write them, each with what it makes of the word."""
        words = (printable(self.word.decode(codec)) for codec in self.codecs)
        made = (f" ({word[:_MAX_SHOWN]}{'…' * (len(word) > _MAX_SHOWN)})" if word else "" for word in words)
        return ", ".join(shown(name) + word for name, word in zip(self.names, made, strict=True))


def shown(name: str) -> str:
    """Return *name*, which is iconv's, as people write it.

    >>> shown("WINDOWS-1252"), shown("EUC-JP"), shown("MAC-GREEK")
    ('Windows-1252', 'EUC-JP', 'Mac-Greek')
    """
    return name.title() if name.startswith("MAC") else name.replace("WINDOWS", "Windows")


@lru_cache(maxsize=1)  # repair and check ask for a sample once, or for the same one again
def guess(text: bytes) -> Guess | None:
    """Return which encoding the ill-formed words of *text* may be in; None where no encoding reads all of them.

    >>> guess("Привет, мир! Сегодня хорошая погода.".encode("koi8-r")).names
    ('KOI8-R',)
    """
    likely = _guess(_words(text[:MAX_TEXT]))
    if likely is None or likely.confidence == LOW:
        whole = _guess(_words(text[:MAX_TEXT], whole=True))
        if whole and whole.confidence == HIGH and whole.codecs[0] in WELL_FORMED_BY_CHANCE:
            return whole
    return likely


def _guess(words: list[bytes]) -> Guess | None:
    found: dict[tuple[str, ...], list[str]] = {}
    for codec in ENCODINGS:
        try:
            found.setdefault(tuple(word.decode(codec) for word in words), []).append(codec)
        except UnicodeDecodeError:
            continue
    readings = {codecs[0]: reading for reading, codecs in found.items()}
    weights = {codec: weight(reading, codec) for codec, reading in readings.items()}
    ranked = sorted(weights, key=weights.__getitem__, reverse=True)
    if not words or not ranked:
        return None
    best = ranked[0]
    near = tuple(codec for codec in ranked if weights[codec] > weights[best] - LIKELY)[:_MAX_CANDIDATES]
    word = min((word for word in words if len({word.decode(codec) for codec in near}) > 1), key=len, default=b"")
    others = [codec for codec in ranked if codec not in near or not _differ_in_signs(readings[codec], readings[best])]
    size = sum(map(len, words))
    is_long = ENCODINGS[best][1] == 1 and best != "cp874" and size > _MAX_MEAN * len(words)  # Thai has no spaces
    if not set(others).isdisjoint(near) or weights[best] < _LEAST * size or is_long:
        return Guess(near, LOW, word)
    margin = weights[best] - weights[others[0]] if others else SURE
    number = sum(byte > 0x7F for word in words for byte in word)
    sure = HIGH if number >= _MANY and margin >= SURE and len(near) == 1 else FAIR if number >= _SOME else LOW
    return Guess(near, sure, word)


def _differ_in_signs(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Return whether both have the same letters at the same places, as two encodings of one language may read them."""
    pairs = zip("\n".join(words), "\n".join(others), strict=False)
    return len(words) == len(others) and all(a == b or not (a.isalpha() or b.isalpha()) for a, b in pairs)


def weight(words: tuple[str, ...], codec: str) -> float:
    """Return the logarithm of how likely *words* are, which were read by *codec*."""
    return letters.likelihood(words, _characters(codec)) - _RARER * _RANKS[codec]


def whole_words(text: bytes, *, is_cut: bool) -> list[bytes]:
    """Return the words of *text* that are not ASCII, without one at the end of a text that *is_cut*."""
    found = [word for word in WORD.findall(text) if not word.isascii()]
    return found[:-1] if is_cut and text[-1:] >= b"\x40" else found


def beside_utf8(word: bytes, codec: str) -> tuple[list[tuple[int, int]], bool]:
    """Return where bytes of *word* that are not ASCII stand beside its characters of UTF-8, as far as they are text.

    The second value: whether all of them are text in *codec*.
    """
    parts, at = [], 0
    for number, part in enumerate(_parts(word)):
        if number % 2 == 0 and not part.isascii():
            parts.append((at, at + len(part), _is_read(part, codec)))
        at += len(part)
    return [(start, end) for start, end, is_read in parts if is_read], all(is_read for *_, is_read in parts)


@lru_cache(maxsize=4096)
def favours_of_utf8(word: bytes, codec: str) -> tuple[float, ...]:
    """Return for each run of well-formed characters in *word* how much likelier it is that they are meant as UTF-8.

    This is a logarithm. The other possibility is that they came about by chance, and *word* as a whole is in *codec*;
    characters beside ASCII, or alone, are meant rather.
    """
    try:
        word.decode(codec)
    except UnicodeDecodeError:
        return (inf,)
    parts = _parts(word)
    if len(parts) == 1:
        return ()
    whole = {0: ""} | dict(_characters_from(word, 0, codec))
    ends, favours, at = list(whole), [], 0
    for number, part in enumerate(parts):
        start, at = at, at + len(part)
        if number % 2 == 0:
            continue
        # Both readings differ from a character of the one to where the other goes on as this one does.
        last, after = at, ""
        for last, character in _characters_from(word, at, codec) if at not in whole else ():
            after += character
            if last in whole:
                break
        first = bisect_right(ends, start) - 1
        read = "".join(whole[end] for end in ends[first + 1 : bisect_right(ends, last)])
        cut = (ends[first] < start) + after.count("\ufffd") + (last not in whole)
        as_utf8 = _as_utf8(part.decode()) + weight((after.replace("\ufffd", ""),), codec) + cut * _CUT
        prior = -LIKELY if ENCODINGS[codec][1] == 1 else 0  # few write a letter of another alphabet into a word
        beside = whole.get(start, "\ufffd"), word[at : at + 1].decode("latin-1") if at in whole else "\ufffd"
        if any(near.isascii() for near in beside if near) or not (any(beside) or prior):
            prior = CERTAIN
        favours.append(as_utf8 - weight((read,), codec) + prior)
    return tuple(favours)


def _characters_from(word: bytes, at: int, codec: str) -> Iterator[tuple[int, str]]:
    """Yield where each character of *codec* ends in *word*, from *at* on, and the character."""
    decoder = codecs.getincrementaldecoder(codec)(errors="replace")
    for end in range(at + 1, len(word) + 1):
        if text := decoder.decode(word[end - 1 : end]):
            yield end, text


def _parts(word: bytes) -> list[bytes]:
    """Return *word* in parts: the first, the third and so on are beside well-formed characters of several bytes."""
    parts = _OF_UTF8.split(word.decode(errors="surrogateescape"))
    return [part.encode(errors="surrogateescape") for part in parts]


def _is_read(part: bytes, codec: str) -> bool:
    try:
        return weight((part.decode(codec),), codec) >= _LEAST_OF_WORD * len(part)
    except UnicodeDecodeError:
        return False


@lru_cache(maxsize=4096)
def _as_utf8(word: str) -> float:
    """Return the logarithm of how likely *word* is that was read as UTF-8, which has the letters of all."""
    return max(weight((word,), each) for each in ("cp1252", *_LEVEL_1))


def _words(text: bytes, *, whole: bool = False) -> list[bytes]:
    """Return the different words of *text* that are not well-formed, the first ones.

    Words with characters that seem to be meant are left out if there are others: in East Asia such characters come
    about by chance. Otherwise what stands beside these characters is taken, or, if *whole*, such words as they are.
    """
    if text[-1:] > b"\x7f":  # a character may be cut
        text = text.rstrip(bytes(range(0x80, 0x100))) or text
    found = [word for word in WORD.findall(text) if not (is_valid(word) or _FILL.search(word))]
    words = [word for word in found if not MEANT.search(word)]
    if sum(map(len, words)) < _ENOUGH:
        parts = found if whole else (part for word in found for part in MEANT.split(word))
        words = [part for part in parts if not is_valid(part)]
    return list(dict.fromkeys(words))[:_MAX_WORDS]


@cache
def _characters(codec: str) -> letters.Characters | None:
    if codec not in _LEVEL_1:
        return None
    standard, first, last, common = _LEVEL_1[codec]
    pairs = (bytes([lead, trail]) for lead in range(first, last + 1) for trail in range(0x40, 0xFF))
    known = frozenset(pair.decode(standard, "ignore") for pair in pairs)
    return letters.Characters(known.intersection(common), known, codec in ("cp932", "euc_jp"))
