"""The encoding of text that is not UTF-8, by its bytes above 7F: the candidates, and how sure the guess is.

The guess is made by ``charset-normalizer`` (MIT; a wheel of 0.2 MB, 1 MB installed, nothing that it needs), an extra:
its models of languages are kept by others. It is imported when the first guess is made. What is ours is the list of
encodings that are asked for, and the confidence.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

EXTRA = "detect"  # of the package, which installs the detector
MAX_TEXT = 1 << 14  # bytes that are looked at: 5 ms
LOW, FAIR, HIGH = range(3)  # confidence

# fmt: off
# By codec of Python, the most common first (which decides between equals): the name for iconv, bytes of a character.
ENCODINGS = {
    "cp1252":    ("WINDOWS-1252", 1),  # all that Latin-1 has, with quotation marks where Latin-1 has controls
    "cp932":     ("CP932",        2),  # Shift_JIS as Windows writes it
    "gb18030":   ("GB18030",      2),  # all that GBK and GB 2312 have
    "cp1251":    ("WINDOWS-1251", 1),
    "euc_jp":    ("EUC-JP",       2),
    "big5":      ("BIG5",         2),
    "cp949":     ("CP949",        2),  # all that EUC-KR has
    "koi8_r":    ("KOI8-R",       1),
    "cp1250":    ("WINDOWS-1250", 1),
    "iso8859_2": ("ISO-8859-2",   1),
    "cp1253":    ("WINDOWS-1253", 1),
    "cp1254":    ("WINDOWS-1254", 1),
    "cp1255":    ("WINDOWS-1255", 1),
    "cp1256":    ("WINDOWS-1256", 1),
    "cp874":     ("CP874",        1),
    "cp1257":    ("WINDOWS-1257", 1),
    "cp866":     ("CP866",        1),
    "iso8859_5": ("ISO-8859-5",   1),
    "cp850":     ("CP850",        1),
    "cp437":     ("CP437",        1),
    "mac_roman": ("MACINTOSH",    1),
}
# fmt: on
# Text in these has well-formed characters of UTF-8 by chance: their letters lie in 80..BF as well, and none is Latin.
WELL_FORMED_BY_CHANCE = frozenset(
    {"cp932", "gb18030", "euc_jp", "big5", "cp949", "cp1251", "koi8_r", "cp874", "cp866", "iso8859_5"}
)
_MAX_CHAOS = 0.1  # of charset-normalizer's measure: the share of what text in this encoding would not have
_NEAR_CHAOS, _NEAR_COHERENCE = 0.03, 0.1  # guesses that differ by less are equal
# In these the same bytes are Latin letters, other ones in each, and chaos alone does not tell them apart: right text
# has up to 0.13. By that, French in Windows-1252 would be Windows-1257, and Finnish Macintosh, with high confidence.
_LATIN = frozenset({"cp1252", "cp1250", "iso8859_2", "cp1254", "cp1257", "cp850", "cp437", "mac_roman"})
_COHERENCE = 0.2  # from which share of a language's usual letters on its name counts as evidence
_MANY, _SOME = 8, 4  # bytes above 7F for high and for fair confidence
_MAX_CANDIDATES = 3  # for more than low confidence
_HIGH_BYTES = re.compile(rb"[\x80-\xff]+")


class Guess(NamedTuple):
    """Encodings of Python that the bytes may be in, the likeliest first, and the *confidence*."""

    codecs: tuple[str, ...]
    confidence: int

    @property
    def names(self) -> tuple[str, ...]:
        """Their names for iconv."""
        return tuple(ENCODINGS[codec][0] for codec in self.codecs)


def is_installed() -> bool:
    """Return whether there is a detector."""
    return _detector() is not None


def shown(name: str) -> str:
    """Return *name*, which is iconv's, as people write it.

    >>> shown("WINDOWS-1252"), shown("EUC-JP")
    ('Windows-1252', 'EUC-JP')
    """
    return name.replace("WINDOWS", "Windows").replace("MACINTOSH", "Macintosh")


@lru_cache(maxsize=1)  # repair and check ask for a sample once, or for the same one again
def guess(text: bytes) -> Guess | None:
    """Return which encoding *text* may be in; None where this cannot be told, or where there is no detector.

    >>> guess("Привет, мир! Сегодня хорошая погода.".encode("koi8-r")).names
    ('KOI8-R',)
    """
    text = text[:MAX_TEXT]
    if text[-1:] > b"\x7f":  # a character may be cut
        text = text.rstrip(bytes(range(0x80, 0x100))) or text
    runs = _HIGH_BYTES.findall(text)
    number = sum(map(len, runs))
    detect = _detector()
    if not number or detect is None:
        return None
    in_runs = sum(len(run) for run in runs if len(run) > 1)
    possible = [codec for codec, (_, size) in ENCODINGS.items() if size == 1 or in_runs * 2 >= number]
    found = detect(text, cp_isolation=possible, enable_fallback=False, preemptive_behaviour=False)
    return _weighed(list(found), number)


def _weighed(found: list[Any], number: int) -> Guess | None:
    """Return the best of what the detector *found* for *number* bytes above 7F, with what is as good."""
    if not found or found[0].chaos > _MAX_CHAOS:
        return None
    best = min(found, key=lambda match: (match.chaos, -match.coherence))
    as_usual = [match for match in found if match.coherence > best.coherence - _NEAR_COHERENCE]
    near = {_first(match.could_be_from_charset) for match in as_usual if match.chaos <= best.chaos + _NEAR_CHAOS}
    if len(near) == 1 and near <= _LATIN:
        near |= _LATIN.intersection(_first(match.could_be_from_charset) for match in as_usual)
    codecs = tuple(sorted(near, key=[*ENCODINGS].index))
    is_language = best.coherence >= _COHERENCE or any(ENCODINGS[codec][1] > 1 for codec in codecs)
    if number < _SOME or not is_language or len(codecs) > _MAX_CANDIDATES:
        return Guess(codecs[: _MAX_CANDIDATES + 1], LOW)
    return Guess(codecs, HIGH if len(codecs) == 1 and number >= _MANY else FAIR)


def _first(codecs: Iterable[str]) -> str:
    """Return the most common of *codecs*, which read the same text."""
    return min(codecs, key=[*ENCODINGS].index)


@lru_cache(maxsize=1)
def _detector() -> Callable[..., Iterable[Any]] | None:
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return None
    return from_bytes


def looks_western(text: bytes) -> bool:
    r"""Return whether the bytes above 7F are letters or signs of Windows-1252 as Western text has them: few together.

    >>> looks_western(b"na\xefve caf\xe9"), looks_western("Привет".encode("koi8-r"))
    (True, False)
    """
    runs = _HIGH_BYTES.findall(text[:MAX_TEXT])
    try:
        b"".join(runs).decode("cp1252")
    except UnicodeDecodeError:
        return False
    return sum(len(run) <= 2 for run in runs) * 2 >= len(runs)
