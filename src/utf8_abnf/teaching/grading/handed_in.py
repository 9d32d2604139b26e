"""What a student hands in: the bytes of a file in; the text of a grammar out, or a sentence that says what it is."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

from utf8_abnf.errors import GrammarError
from utf8_abnf.explain import locating
from utf8_abnf.explain.nature import nature_of
from utf8_abnf.grammar.extract import extract
from utf8_abnf.grammar.model import MAX_BYTES
from utf8_abnf.language import feedback as messages
from utf8_abnf.language.catalogue import say

# Blanks and line ends that word processors and web pages put in; other characters of theirs are slips.
_BLANKS = str.maketrans(
    dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " ")
    | dict.fromkeys("\u200b\u200c\u200d\u2060\u00ad\ufeff", "")
    | dict.fromkeys("\u2028\u2029\u0085", "\n")
)
_HTML = re.compile(r"\s*<(!doctype|html|head|body|div|p|span|pre)\b", re.I)
_TAG = re.compile(r"<(/?)(\w+)[^>]*>")
_LINES = {"p", "div", "br", "li", "pre", "tr", "h1", "h2", "h3", "h4"}
_AROUND = re.compile(r"^(\s*```|\s*~~~|\f)", re.M)  # Markdown, or a page of an RFC


class HandedIn(NamedTuple):
    """The *text* of a grammar; *notes* for the student on how it was read; or the *problem* that there is none."""

    text: str = ""
    notes: tuple[str, ...] = ()
    problem: str = ""


def read_bytes(data: bytes) -> HandedIn:
    r"""Return the text in *data*, whatever its line ends are. UTF-16 is read, and the note says so.

    >>> read_bytes("a = %x41\r\n".encode("utf-16")).text
    'a = %x41\n'
    >>> read_bytes(b"%PDF-1.7").problem
    'this file is PDF, not the text of a grammar; save the grammar as plain text'
    """
    if len(data) > MAX_BYTES:
        return HandedIn(problem=say(messages.LONG_FILE, most=f"{MAX_BYTES:,}"))
    if not data.strip():
        return HandedIn(problem=say(messages.EMPTY_FILE))
    nature = nature_of(data[: locating.HEAD])
    format_ = nature.format
    if not format_ and (nature.is_data or (b"\0" in data and not nature.encoding)):
        format_ = say(messages.BINARY)
    text = ""
    if nature.encoding and not format_:
        try:
            text = data.decode(nature.encoding, "strict")
        except UnicodeDecodeError:
            format_ = nature.encoding
    if format_:
        return HandedIn(problem=say(messages.NOT_TEXT, format=format_))
    notes = [say(messages.OTHER_ENCODING, encoding=nature.encoding)] if nature.encoding else []
    text = (text or data.decode("utf-8", "surrogateescape")).removeprefix("\ufeff")
    text = re.sub(r"\r\n?", "\n", text)
    if _HTML.match(text):
        text = _of_html(text)
        notes.append(say(messages.OF_HTML))
    if _AROUND.search(text):
        text = _taken_out(text, notes)
    return HandedIn(text.translate(_BLANKS), tuple(notes))


def _of_html(text: str) -> str:
    """Return the text of a page of HTML, as Moodle keeps what was typed into its editor."""
    plain = re.sub(r"(?is)<(style|script|head)\b.*?</\1>", "", text)
    lines = _TAG.sub(lambda tag: "\n" if tag[2].lower() in _LINES and (tag[1] or tag[2].lower() == "br") else "", plain)
    return html.unescape(lines)


def _taken_out(text: str, notes: list[str]) -> str:
    """Return the grammar in a document of Markdown or an RFC, with a note; *text* as it is where there is none."""
    try:
        extracted = extract(text)
    except GrammarError:
        return text
    if not extracted.text or extracted.problems:
        return text
    notes.append(say(messages.DOCUMENT))
    return extracted.text
