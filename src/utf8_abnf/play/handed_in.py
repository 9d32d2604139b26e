"""What a student hands in: the bytes of a file in; the text of a grammar out, or a sentence that says what it is."""

from __future__ import annotations

import re
from typing import NamedTuple

from utf8_abnf.errors import GrammarError
from utf8_abnf.explain import locating
from utf8_abnf.explain.nature import nature_of
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.model import MAX_BYTES
from utf8_abnf.grammar.values import MAX_BYTE
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say

_HEAD = 4096  # bytes in which another notation shows
_HTML = re.compile(r"\s*<(!doctype|html|head|body|div|p|span|pre)\b", re.I)
_BNF = re.compile(r"^[ \t]*<?\w[\w -]*>?[ \t]*(::=|:=|:|→|->)", re.M)
_EBNF = re.compile(r"^[ \t]*\w[\w -]*=[^;\n]{0,200}[{'|,][^;\n]{0,200};[ \t]*$", re.M)
_PROGRAM = re.compile(
    r"^(#include|#!/|[ \t]*def \w+\(|import \w|from \w+ import|class \w+[:({]|int main|package \w)", re.M
)
_REGEX = re.compile(r"\\[xu][0-9A-Fa-f{]|\(\?:|\)[*+?]|\][*+?]|\[[^\]\n]{1,99}-[^\]\n]{1,99}\]|^\^|\$$", re.M)


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
        return HandedIn(problem=say(messages.GRADE_EMPTY_FILE))
    nature = nature_of(data[: locating.HEAD])
    if nature.format:
        return HandedIn(problem=say(messages.GRADE_NOT_TEXT, format=nature.format))
    if nature.is_data or (b"\0" in data and not nature.encoding):
        return HandedIn(problem=say(messages.GRADE_NOT_TEXT, format=say(messages.GRADE_BINARY)))
    try:
        text = data.decode(nature.encoding, "strict") if nature.encoding else ""
    except UnicodeDecodeError:
        return HandedIn(problem=say(messages.GRADE_NOT_TEXT, format=nature.encoding))
    note = say(messages.GRADE_OTHER_ENCODING, encoding=nature.encoding) if nature.encoding else ""
    text = (text or data.decode("utf-8", "surrogateescape")).removeprefix("\ufeff")
    return HandedIn(re.sub(r"\r\n?", "\n", text), note)


def other_notation(text: str) -> str:
    """Return a sentence that says in which other notation *text* is, "" if none is seen; for text that is not ABNF.

    >>> other_notation("<text> ::= <char> | <char> <text>")
    'this is BNF or EBNF, not ABNF: ABNF writes rule = a / b, %x41-5A and *item (RFC 5234)'
    """
    head = text[:_HEAD]
    if _HTML.match(head):
        return say(messages.GRADE_NOT_TEXT, format="HTML")
    if _PROGRAM.search(head):
        return say(messages.GRADE_PROGRAM)
    if _BNF.search(head) or _EBNF.search(head):
        return say(messages.GRADE_BNF)
    marks = _REGEX.findall(head)
    if len(marks) > 1 or any("\\" in each for each in marks):
        return say(messages.GRADE_REGEX)
    return ""


def of_code_points(text: str, start: str | None) -> Grammar | None:
    """Return the grammar in *text* with code points for values, if it names one above FF; None if it does not.

    >>> of_code_points("text = *%x0-10FFFF", None) is None, of_code_points("text = *%x00-FF", None) is None
    (False, True)
    """
    try:
        grammar = Grammar.parse(text, values="utf-8")
        return grammar if grammar.greatest_value(start) > MAX_BYTE else None
    except GrammarError:
        return None
