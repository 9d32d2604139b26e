"""The readable twin of every validator: the case-by-case procedure of the grammar, one branch for each alternative.

It also says how many bytes an ill-formed sequence takes (Unicode 3.9, "maximal subpart"). Rule 1: it shares no code
with anything that it checks, and is written to be read, not to be fast.
"""


def is_valid(data: bytes, /) -> bool:
    r"""Return whether *data* matches ``UTF8-octets`` (RFC 3629 section 4).

    >>> is_valid("日本語".encode()), is_valid(b"\xc0\x80")
    (True, False)
    """
    return first_error(data) is None


def first_error(data: bytes, /) -> tuple[int, int] | None:
    r"""Return (start, length) in bytes of the first maximal ill-formed subpart of *data*, or None.

    >>> first_error(b"ab\xed\xa0\x80")
    (2, 1)
    """
    i = 0
    while i < len(data):
        promised, matched = _character(data, i)
        if matched < promised:
            return i, max(matched, 1)
        i += promised
    return None


def _character(data: bytes, i: int) -> tuple[int, int]:
    """Return how many bytes the character at *i* promises, and how many of them match."""
    lead = data[i]
    if lead <= 0x7F:  #                UTF8-1 = %x00-7F
        return 1, 1
    if 0xC2 <= lead <= 0xDF:  #        UTF8-2 = %xC2-DF UTF8-tail
        return 2, 1 + _tails(data, i + 1, 1)
    if lead == 0xE0:  #                UTF8-3 = %xE0 %xA0-BF UTF8-tail
        return 3, _second(data, i, 0xA0, 0xBF, tails=1)
    if 0xE1 <= lead <= 0xEC:  #               / %xE1-EC 2( UTF8-tail )
        return 3, 1 + _tails(data, i + 1, 2)
    if lead == 0xED:  #                       / %xED %x80-9F UTF8-tail
        return 3, _second(data, i, 0x80, 0x9F, tails=1)
    if 0xEE <= lead <= 0xEF:  #               / %xEE-EF 2( UTF8-tail )
        return 3, 1 + _tails(data, i + 1, 2)
    if lead == 0xF0:  #                UTF8-4 = %xF0 %x90-BF 2( UTF8-tail )
        return 4, _second(data, i, 0x90, 0xBF, tails=2)
    if 0xF1 <= lead <= 0xF3:  #               / %xF1-F3 3( UTF8-tail )
        return 4, 1 + _tails(data, i + 1, 3)
    if lead == 0xF4:  #                       / %xF4 %x80-8F 2( UTF8-tail )
        return 4, _second(data, i, 0x80, 0x8F, tails=2)
    return 1, 0  # 80..C1 and F5..FF begin no alternative


def _second(data: bytes, i: int, low: int, high: int, *, tails: int) -> int:
    """How many bytes match from *i* on: a lead, a second byte in *low*..*high*, and *tails* UTF8-tail."""
    if i + 1 < len(data) and low <= data[i + 1] <= high:
        return 2 + _tails(data, i + 2, tails)
    return 1


def _tails(data: bytes, i: int, wanted: int) -> int:
    """How many of the *wanted* bytes from *i* on are UTF8-tail = %x80-BF, up to the first that is not."""
    found = 0
    while found < wanted and i + found < len(data) and 0x80 <= data[i + found] <= 0xBF:
        found += 1
    return found
