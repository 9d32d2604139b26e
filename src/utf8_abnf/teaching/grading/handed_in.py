"""What a student hands in: the bytes of a file in; the text of a grammar out, or a sentence that says what it is."""

from __future__ import annotations

import re
from typing import NamedTuple

from utf8_abnf.errors import GrammarError
from utf8_abnf.explain import locating
from utf8_abnf.explain.nature import nature_of
from utf8_abnf.grammar.extract import extract
from utf8_abnf.grammar.model import MAX_BYTES
from utf8_abnf.language import feedback as messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import code_point

_HEAD = 4096  # bytes in which another notation shows
_DOCUMENTS = {  # what is in the bytes of a zip file that a word processor wrote
    b"word/document.xml": "docx",
    b"application/vnd.oasis.opendocument.text": "odt",
    b"Index/Document.iwa": "Pages",
}
_WORD_PROCESSOR = {*_DOCUMENTS.values(), "OLE (old Office)", "RTF"}
_MARKED = {
    "HTML": re.compile(r"\s*<(!doctype|html|head|body|div|p|span|pre)\b", re.I),
    "XML": re.compile(r"\s*<\?xml"),
    "RTF": re.compile(r"\s*\{\\rtf"),
    "TeX": re.compile(r"\s*\\(document|begin|use)"),
    "JSON": re.compile(r'\s*[{[]\s*["{[]'),
}
_BNF = re.compile(
    r"^[ \t]*<?[^\W\d][\w -]*>?[ \t]*(::=|:=|→|(?<!-)->|<-(?!-)|←)"
    r"|^[ \t]*[^\W\d][\w-]*[ \t]*:[ \t\n]+\S(?=[\s\S]*(?:\||[^)}];[ \t]*$))",
    re.M,
)
_ABNF = re.compile(r"^[ \t]*[A-Za-z][\w-]*[ \t]*=", re.M)
_EBNF = re.compile(r"^[ \t]*\w[\w -]*=[^;\n]{0,200}[{'|,][^;\n]{0,200};[ \t]*$", re.M)
_PROGRAM = re.compile(
    r"^(#include|#!/|[ \t]*def \w+\(|import \w|from \w+ import|class \w+[:({]|package \w|#\[|(pub )?fn \w+[(<]"
    r"|function \w+\(|(public|private|static|int|void|bool|const|let|var) [\w ]+[({;=])",
    re.M,
)
_REGEX = re.compile(
    r"\\[xu][0-9A-Fa-f{]|\(\?:|\)[*+?]|\[\^?[^\]\n]{1,99}\][*+?{]|\[[^\]\n]{1,99}-[^\]\n]{1,99}\]|^\^|\$$", re.M
)
# What word processors and web pages put in place of the characters of ABNF.
_PASTED = str.maketrans(
    dict.fromkeys("“”„‟«»″＂", '"')
    | dict.fromkeys("‐‑‒–—−", "-")
    | dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " ")
    | dict.fromkeys("\u200b\u200c\u200d\u2060\u00ad\ufeff", "")
    | dict.fromkeys("\u2028\u2029\u0085", "\n")
)
_COMMENT = re.compile(r";[^\n]*")
_STRING_OR_COMMENT = re.compile(r'"[^"\n]*"|;[^\n]*')
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
    if _AROUND.search(text):
        text = _taken_out(text, notes)
    pasted = sorted({char for char in _COMMENT.sub("", text) if ord(char) in _PASTED})
    if pasted:
        notes.append(say(messages.PASTED, points=", ".join(code_point(ord(char)) for char in pasted)))
        text = text.translate(_PASTED)
    return HandedIn(text, "; ".join(notes))


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


def other_notation(text: str) -> str:
    """Return a sentence that says in which other notation *text* is, "" if none is seen; for text that is not ABNF.

    >>> other_notation("<text> ::= <char> | <char> <text>")
    'this looks like BNF or EBNF, not ABNF: ABNF writes rule = a / b, %x41-5A and *item (RFC 5234)'
    >>> other_notation("text: char text | ;")[:19], other_notation("Name: Ana")
    ('this looks like BNF', '')
    """
    head = text[:_HEAD]
    for name, mark in _MARKED.items():
        if mark.match(head):
            return _not_text(name)
    if _PROGRAM.search(head):
        return say(messages.PROGRAM)
    rules = len(_ABNF.findall(head))
    if len(_BNF.findall(head)) > rules or _EBNF.search(head):
        return say(messages.BNF)
    marks = _REGEX.findall(_STRING_OR_COMMENT.sub("", head))
    if any("\\" in each for each in marks) or len(marks) > rules:  # an option [ UTF8-tail ] is no class of characters
        return say(messages.REGEX)
    return ""
