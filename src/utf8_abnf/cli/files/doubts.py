"""What ``check`` says of well-formed UTF-8 that is probably not what was meant; it changes no verdict.

What is asked for is imported here, because most texts have neither NUL nor U+FEFF, and were encoded once.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING

from utf8_abnf.language.catalogue import say

if TYPE_CHECKING:
    from utf8_abnf.explain.facts import Advice

_MAX_SHOWN = 12  # characters of text that was encoded twice


def doubt_of(beginning: bytes) -> Advice | None:
    """Return what to say of well-formed text that begins with *beginning*; None where nothing speaks against it."""
    if 0 in beginning and (said := _wide(beginning)):
        return said
    if beginning.isascii():
        return None
    if (at := beginning.find(BOM_UTF8, 1)) > 0:
        from utf8_abnf.explain.facts import Advice
        from utf8_abnf.language import messages

        return Advice(say(messages.MARK_WITHIN, line=f"{beginning.count(10, 0, at) + 1:,}", offset=f"{at:,}"))
    return _twice(beginning)


def _wide(beginning: bytes) -> Advice | None:
    """Return where text in UTF-16 or UTF-32 begins, whose NULs UTF-8 allows; None for none."""
    from utf8_abnf.explain.diagnostic import in_other_encoding
    from utf8_abnf.explain.facts import Advice
    from utf8_abnf.explain.nature import nature_of, wide_part
    from utf8_abnf.language import messages

    if encoding := nature_of(beginning[:512]).encoding:
        return in_other_encoding(encoding)
    at, encoding = wide_part(beginning)
    if not encoding:
        return None
    line, command = f"{beginning.count(10, 0, at) + 1:,}", say(messages.CONVERT, name=encoding.lower())
    return Advice(say(messages.LINES_ARE_WIDE, line=line, encoding=encoding, command=command), encoding, command)


def _twice(beginning: bytes) -> Advice | None:
    """Return what shows that text was encoded twice; None where little does."""
    from utf8_abnf.explain.twice import encoded_twice

    found = encoded_twice(beginning)
    if found is None:
        return None
    from utf8_abnf.explain.facts import Advice
    from utf8_abnf.language import messages
    from utf8_abnf.language.notation import printable

    old, new = printable(found.old[:_MAX_SHOWN]), printable(found.new[:_MAX_SHOWN])
    return Advice(say(messages.WAS_TWICE, number=f"{found.number:,}", runs=f"{found.runs:,}", old=old, new=new))
