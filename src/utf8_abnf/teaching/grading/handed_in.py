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

_DOCUMENTS = {  # what is in the bytes of a zip file that a word processor wrote
    b"word/document.xml": "docx",
    b"application/vnd.oasis.opendocument.text": "odt",
    b"Index/Document.iwa": "Pages",
}
_WORD_PROCESSOR = {*_DOCUMENTS.values(), "OLE (old Office)", "RTF"}
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
    """The *text* of a grammar; a *note* for the student about how it was read; or the *problem* that there is none."""

    text: str = ""
    note: str = ""
    problem: str = ""


def read_bytes(data: bytes) -> HandedIn:
    r"""Return the text in *data*, whatever its line ends are. UTF-16 is read, and the note says so.

    >>> read_bytes("a = %x41\r\n".encode("utf-16")).text
    'a = %x41\n'
    >>> read_bytes(b"%PDF-1.7").problem
    'this file is PDF, not the text of a grammar'
    """
    if len(data) > MAX_BYTES:
        return HandedIn(problem=say(messages.LONG_FILE, most=f"{MAX_BYTES:,}"))
    if not data.strip():
        return HandedIn(problem=say(messages.EMPTY_FILE))
    nature = nature_of(data[: locating.HEAD])
    if nature.format:
        document = next((name for mark, name in _DOCUMENTS.items() if mark in data), "")
        return HandedIn(problem=_not_text(document if nature.format == "zip" and document else nature.format))
    if nature.is_data or (b"\0" in data and not nature.encoding):
        return HandedIn(problem=say(messages.NOT_TEXT, format=say(messages.BINARY)))
    try:
        text = data.decode(nature.encoding, "strict") if nature.encoding else ""
    except UnicodeDecodeError:
        return HandedIn(problem=say(messages.NOT_TEXT, format=nature.encoding))
    notes = [say(messages.OTHER_ENCODING, encoding=nature.encoding)] if nature.encoding else []
    text = (text or data.decode("utf-8", "surrogateescape")).removeprefix("\ufeff")
    text = re.sub(r"\r\n?", "\n", text)
    if _HTML.match(text):
        text = _of_html(text)
        notes.append(say(messages.OF_HTML))
    if _AROUND.search(text):
        text = _taken_out(text, notes)
    return HandedIn(text.translate(_BLANKS), "; ".join(notes))


def _of_html(text: str) -> str:
    """Return the text of a page of HTML, as Moodle keeps what was typed into its editor."""
    plain = re.sub(r"(?is)<(style|script|head)\b.*?</\1>", "", text)
    lines = _TAG.sub(lambda tag: "\n" if tag[2].lower() in _LINES and (tag[1] or tag[2].lower() == "br") else "", plain)
    return html.unescape(lines)


def _not_text(name: str) -> str:
    return say(messages.WORD_PROCESSOR if name in _WORD_PROCESSOR else messages.NOT_TEXT, format=name)


def _taken_out(text: str, notes: list[str]) -> str:
    """Return the grammar in a document of Markdown or an RFC, with a note; *text* as it is where there is none."""
    try:
        found = extract(text)
    except GrammarError:
        return text
    if not found.text or found.problems:
        return text
    notes.append(say(messages.DOCUMENT))
    return found.text
