"""What ``check`` remarks on well-formed UTF-8 that is probably not what was meant; it changes no verdict.

``checking`` imports this for text with NUL or with bytes above 7F; most texts of source code have neither.
"""

from __future__ import annotations

from codecs import BOM_UTF8

from utf8_abnf.explain.located import Advice
from utf8_abnf.explain.twice import encoded_twice
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import printable

_MAX_SHOWN = 12  # characters of text that was encoded twice


def doubt_of(beginning: bytes) -> Advice | None:
    """Return what to remark on well-formed text that begins with *beginning*; None for nothing."""
    if 0 in beginning and (remark := _wide(beginning)):
        return remark
    if beginning.isascii():
        return None
    if 0xEF in beginning and (at := beginning.find(BOM_UTF8, 1)) > 0:
        return Advice(say(messages.MARK_WITHIN, line=f"{beginning.count(10, 0, at) + 1:,}", offset=f"{at:,}"))
    return _twice(beginning)


def _wide(beginning: bytes) -> Advice | None:
    """Return where text in UTF-16 or UTF-32 begins, whose NULs UTF-8 allows; None for none."""
    from utf8_abnf.explain.diagnostic import in_other_encoding  # here, as few texts have NUL
    from utf8_abnf.explain.nature import nature_of, wide_part

    if encoding := nature_of(beginning[:512]).encoding:
        return in_other_encoding(encoding)
    at, encoding = wide_part(beginning)
    if not encoding:
        return None
    line, command = f"{beginning.count(10, 0, at) + 1:,}", say(messages.CONVERT, name=encoding.lower())
    return Advice(say(messages.LINES_ARE_WIDE, line=line, encoding=encoding, command=command), encoding, command)


def _twice(beginning: bytes) -> Advice | None:
    """Return what shows that text was encoded twice; None where little does."""
    found = encoded_twice(beginning)
    if found is None:
        return None
    old, new = printable(found.old[:_MAX_SHOWN]), printable(found.new[:_MAX_SHOWN])
    return Advice(say(messages.WAS_TWICE, number=f"{found.number:,}", runs=f"{found.runs:,}", old=old, new=new))
