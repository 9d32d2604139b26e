"""The languages of the messages: which there are, which one is chosen, and a message in it.

Rule 1: messages are in English until a command chooses another language; a message that has no translation stays
English. Rule 2: a catalogue is opened when the first message is shown in its language.
Rule 3: ``LANGUAGES`` is the only list of languages. The commands, the play page, the site, the tools and the tests read
it. The plural forms of each language come from Babel (Unicode CLDR) when ``tools/`` writes its catalogue.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from gettext import NullTranslations

    from utf8_abnf.errors import Utf8AbnfError


class Language(NamedTuple):
    """A language: its *name* in itself, and a *letter* of it that many encodings do not have ("" if all have all)."""

    name: str
    letter: str


# By its code, ISO 639-1. A new language is a row here, and catalogues that tools/ writes, to be translated.
LANGUAGES = {
    "en": Language("English", ""),
    "ja": Language("日本語", "日"),
    "de": Language("Deutsch", "ü"),
}
SOURCE = "en"  # the language that the messages are written in
TRANSLATED = tuple(code for code in LANGUAGES if code != SOURCE)
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # the order in which gettext reads them

_chosen = SOURCE


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Print the messages in *language* within a ``with`` block."""
    global _chosen
    before, _chosen = _chosen, language
    try:
        yield
    finally:
        _chosen = before


def wanted() -> str:
    """Return the code of the language that LANGUAGE, LC_ALL, LC_MESSAGES or LANG ask for.

    English where the messages have no translation into it, or where the encoding of standard output lacks its letters.
    """
    value = next((value for name in _VARIABLES if (value := os.environ.get(name))), "")
    for locale in value.split(":"):
        language = locale.partition("_")[0].partition(".")[0].lower()
        if language in LANGUAGES:
            return language if _can_show(LANGUAGES[language].letter) else SOURCE
    return SOURCE


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
    text = message if _chosen == SOURCE else catalogue(_chosen).gettext(message)
    return text.format(**facts) if facts else text


class Counted(NamedTuple):
    """A message with a number: *one* for 1, *many* for all others; a catalogue may have other forms."""

    one: str
    many: str


class Message(str):
    """A message in English that ``told`` gives in the chosen language: *template* with *facts* in its places.

    Errors and findings have such messages, because programs read them in English and people in their own language.

    >>> Message("{rule} is unused: {why}", rule="a", why=Message("no other rule uses it"))
    'a is unused: no other rule uses it'
    """

    template: str
    facts: dict[str, object]

    def __new__(cls, template: str, **facts: object) -> Message:
        made = super().__new__(cls, template.format(**facts) if facts else template)
        made.template, made.facts = template, facts
        return made


def told(text: str) -> str:
    """Return *text* in the chosen language if it is a ``Message``, with the messages among its facts; else as it is."""
    if not isinstance(text, Message):
        return text
    facts = {name: told(fact) if isinstance(fact, str) else fact for name, fact in text.facts.items()}
    return say(text.template, **facts)


def described(error: Utf8AbnfError) -> str:
    """Return the place and the message of *error*, the message in the chosen language where it is a ``Message``."""
    return error.place + told(error.args[0])


def count(message: Counted, number: int) -> str:
    """Return *message* for *number* of things, in the chosen language.

    >>> count(Counted("{number} file", "{number} files"), 1200)
    '1,200 files'
    """
    if _chosen == SOURCE:
        text = message.one if number == 1 else message.many
    else:
        text = catalogue(_chosen).ngettext(message.one, message.many, number)
    return text.format(number=f"{number:,}")


@cache
def catalogue(language: str) -> NullTranslations:
    """Return the translations from English to *language*, which need not be the chosen one."""
    import gettext

    if language == SOURCE:
        return gettext.NullTranslations()
    from importlib.resources import files

    path = files(__package__) / "locale" / language / "LC_MESSAGES" / "messages.mo"
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


def padded(text: str, width: int) -> str:
    """Return *text* with spaces after it, up to *width* columns of a terminal; a Japanese letter takes two columns.

    >>> padded("規則", 6) + "|", padded("rule", 6) + "|"
    ('規則  |', 'rule  |')
    """
    return text + " " * (width - columns(text))


def columns(text: str) -> int:
    """Return how many columns of a terminal *text* takes. Messages have no combining or zero-width characters."""
    if text.isascii():
        return len(text)
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def wrapped(text: str, width: int) -> list[str]:
    """Return *text* in lines of at most *width* columns, broken between words and between Japanese letters."""
    import re

    # A piece is a word or one Japanese letter, with the space after it and the punctuation that must not begin a line.
    pieces = re.findall(
        r"(?:[^\s\u3000-\u9fff\uff00-\uffef]+|[\u3000-\u9fff\uff00-\uffef])[、。，）」：；・ー]*\s*", text
    )
    lines = [""]
    for piece in pieces:
        if lines[-1] and columns(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]
