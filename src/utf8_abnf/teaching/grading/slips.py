"""Slips of syntax: a text that is not ABNF in; out, the text with other notations' signs put right, and what was said.

The reader stops at the first place that RFC 5234 does not allow. Where the sign there has one meaning only, ABNF's sign
takes its place, and the text is read again. What blanks and quotation marks a web page put in is put right as well.
"""

from __future__ import annotations

import re

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar.reader import read
from utf8_abnf.grammar.remedies import full_width
from utf8_abnf.language import feedback as messages
from utf8_abnf.language import syntax_errors
from utf8_abnf.language.catalogue import say, told

MAX_SLIPS = 300
# What stands at the place of the error, and what ABNF writes for it.
_SIGNS = (
    (r"::?=|:(?=[ \t])|[-=]?>|[←→⟶⇒≔]", "="),
    (r"\|\|?|//", "/"),
    (r"\.\.\.?(%[xX])?|…|‥|-%[xXdDbB]", "-"),
    (r"[‐‑‒–—−]", "-"),
    (r"_", "-"),
    (r"[“”„‟«»″]", '"'),
    (r"""['‘’‚‛´‹›′]([^'"‘’‛´›′\n]*)['‘’‛´›′]""", r'"\1"'),
    (r",(?=\s)", " "),
    (r"<([A-Za-z][\w-]*)>(?=[ \t]*:*=)", r"\1"),
)
_BARE_VALUE = re.compile(r"0([xX][0-9A-Fa-f]+)(?:(-)(?:0?[xX])?([0-9A-Fa-f]+))?(?![\w-])")
_OUTSIDE = re.compile(r'"[^"\n]*"|<[^>\n]*>|;[^\n]*|' + _BARE_VALUE.pattern)


def mended(text: str) -> tuple[str, tuple[str, ...]]:
    """Return *text* with its slips put right, and what is said of each; unchanged if it is not ABNF even so.

    >>> mended("text ::= a | b_c")[0]
    'text = a / b-c'
    >>> mended("a = 0x41-0x5A")[1]
    ('line 1, column 5: write %x41-5A for a value',)
    """
    slips: list[str] = []
    now = _with_values(text, slips)
    for _ in range(MAX_SLIPS):
        try:
            read(now)
        except GrammarError as error:
            at = sum(len(line) + 1 for line in now.split("\n")[: error.line - 1]) + error.column - 1
            other = _put_right(now, at)
            if other is None:
                break
            slips.append(_told(error.line, error.column, told(error.args[0])))
            now = other
        else:
            return now, tuple(slips)
    return text, ()


def _put_right(text: str, at: int) -> str | None:
    if (plain := full_width(text[at : at + 1])) is not None:
        return text[:at] + plain + text[at + 1 :]
    for pattern, instead in _SIGNS:
        if found := re.compile(pattern).match(text, at):
            return text[:at] + found.expand(instead) + text[found.end() :]
    return None


def _with_values(text: str, slips: list[str]) -> str:
    """Return *text* with ``%x41`` for ``0x41``, which ABNF would read as a rule ``x41`` that is repeated no times."""

    def value(found: re.Match[str]) -> str:
        if not found[1]:
            return found[0]
        new = "%" + "".join(part for part in found.groups() if part)
        line, column = text.count("\n", 0, found.start()) + 1, found.start() - text.rfind("\n", 0, found.start())
        slips.append(_told(line, column, say(syntax_errors.WRITE_VALUE, name=new[1:])))
        return new

    return _OUTSIDE.sub(value, text)


def _told(line: int, column: int, what: str) -> str:
    return say(messages.SLIP, line=line, column=column, what=what)
