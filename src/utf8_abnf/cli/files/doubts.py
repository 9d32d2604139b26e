"""What ``check`` says of well-formed UTF-8 that is probably not what was meant; it changes no verdict.

What is asked for is imported here, because most texts have neither NUL nor U+FEFF, and were encoded once.
"""

from __future__ import annotations

from utf8_abnf.language.catalogue import say

_MARK = "\ufeff".encode()
_MAX_SHOWN = 12  # characters of text that was encoded twice


def doubt_of(beginning: bytes) -> str:
    """Return what to say of well-formed text that begins with *beginning*; "" where nothing speaks against it."""
    if 0 in beginning and (said := _wide(beginning)):
        return said
    if beginning.isascii():
        return ""
    if (at := beginning.find(_MARK, 1)) > 0:
        from utf8_abnf.language import messages

        return say(messages.MARK_WITHIN, line=f"{beginning.count(10, 0, at) + 1:,}", offset=f"{at:,}")
    return _twice(beginning)


def _wide(beginning: bytes) -> str:
    """Return where text in UTF-16 or UTF-32 begins, whose NULs UTF-8 allows; "" for none."""
    from utf8_abnf.explain.nature import nature_of, wide_part
    from utf8_abnf.language import messages

    if encoding := nature_of(beginning[:512]).encoding:
        return say(messages.OTHER_ENCODING, encoding=encoding, name=encoding.lower())
    at, encoding = wide_part(beginning)
    line = f"{beginning.count(10, 0, at) + 1:,}"
    return say(messages.LINES_ARE_WIDE, line=line, encoding=encoding, name=encoding.lower()) if encoding else ""


def _twice(beginning: bytes) -> str:
    """Return what shows that text was encoded twice; "" where little does."""
    from utf8_abnf.explain.twice import encoded_twice

    found = encoded_twice(beginning)
    if found is None:
        return ""
    from utf8_abnf.language import messages
    from utf8_abnf.language.notation import printable

    old, new = printable(found.old[:_MAX_SHOWN]), printable(found.new[:_MAX_SHOWN])
    return say(messages.WAS_TWICE, number=f"{found.number:,}", runs=f"{found.runs:,}", old=old, new=new)
