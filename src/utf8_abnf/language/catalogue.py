"""The language in which people are spoken to: a message in English in, the same in their language out.

Rule 1: programs read English, unless the user names a language. Rule 2: a catalogue is opened when the first message
is shown, not before: whoever checks well-formed input pays nothing. The messages themselves are in ``messages.py``.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import NullTranslations

    from utf8_abnf.language.messages import Counted

LANGUAGES = ("en", "ja", "de")
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # the order in which gettext asks them
_PROBES = {"ja": "日", "de": "ü"}  # what a terminal has to be able to show

_chosen: str | None = None


def choose(language: str | None, *, for_programs: bool = False) -> None:
    """Speak *language* from here on; with None the one that the environment asks for, English *for_programs*."""
    global _chosen
    _chosen = language or ("en" if for_programs else wanted())


def wanted() -> str:
    """Return the language that LANGUAGE, LC_ALL, LC_MESSAGES or LANG ask for; English if we do not have it.

    English, too, where standard output has an encoding that could not show the language.
    """
    value = next((value for name in _VARIABLES if (value := os.environ.get(name))), "")
    for locale in value.split(":"):
        language = locale.partition("_")[0].partition(".")[0].lower()
        if language in LANGUAGES:
            return language if _can_show(_PROBES.get(language, "")) else "en"
    return "en"


def _can_show(text: str) -> bool:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def say(message: str, **facts: object) -> str:
    """Return *message* in the chosen language, with *facts* in the places that it names.

    >>> say("byte {got} at offset {offset} cannot start a character", got="FF", offset=7)
    'byte FF at offset 7 cannot start a character'
    """
    text = catalogue(_current()).gettext(message)
    return text.format(**facts) if facts else text


def count(message: Counted, number: int) -> str:
    """Return *message* for *number* of things, in the chosen language.

    >>> from utf8_abnf.language.messages import Counted
    >>> count(Counted("{number} file", "{number} files"), 1200)
    '1,200 files'
    """
    text = catalogue(_current()).ngettext(message.one, message.many, number)
    return text.format(number=f"{number:,}")


def _current() -> str:
    global _chosen
    if _chosen is None:
        _chosen = wanted()
    return _chosen


@cache
def catalogue(language: str) -> NullTranslations:
    """Return the translations from English to *language*, whatever language is chosen."""
    import gettext

    if language == "en":
        return gettext.NullTranslations()
    from importlib.resources import files

    path = files(__package__) / "locale" / language / "LC_MESSAGES" / "messages.mo"
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


def padded(text: str, width: int) -> str:
    """Return *text* with spaces up to *width* columns of a terminal, where a Japanese letter takes two.

    >>> padded("規則", 6) + "|", padded("rule", 6) + "|"
    ('規則  |', 'rule  |')
    """
    return text + " " * (width - columns(text))


def columns(text: str) -> int:
    """Return how many columns of a terminal *text* takes."""
    if text.isascii():
        return len(text)
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def wrapped(text: str, width: int) -> list[str]:
    """Return *text* in lines of at most *width* columns: between words, in Japanese also between letters."""
    import re

    # A piece: a word with the space after it, or one wide letter; each with the punctuation that may not begin a line.
    pieces = re.findall(
        r"(?:[^\s\u3000-\u9fff\uff00-\uffef]+|[\u3000-\u9fff\uff00-\uffef])[、。，）」：；・ー]*\s*", text
    )
    lines = [""]
    for piece in pieces:
        if lines[-1] and columns(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]
