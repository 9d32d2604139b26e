"""How bytes, byte ranges, rules and code points are written, in messages, tables and grammars alike.

The validator has forms of its own on purpose: it imports nothing of the pipeline.
"""

import re

RUN = re.compile(rb"(.{1,64}?)\1{7,}", re.DOTALL)


def hex_bytes(data: bytes) -> str:
    r"""Return *data* as two hexadecimal digits for each byte, with a space between bytes; "" for no bytes.

    >>> hex_bytes(b"\xed\xa0\x80")
    'ED A0 80'
    """
    return data.hex(" ").upper()


def runs_of(data: bytes) -> list[tuple[bytes, int]]:
    r"""Return pieces of *data* and how many times each stands there, in order: 1, or 8 times and more.

    >>> runs_of(b"ab" * 1000 + b"\xff")
    [(b'ab', 1000), (b'\xff', 1)]
    """
    found: list[tuple[bytes, int]] = []
    end = 0
    for run in RUN.finditer(data):
        found += [(data[end : run.start()], 1), (run[1], len(run[0]) // len(run[1]))]
        end = run.end()
    return [(piece, times) for piece, times in [*found, (data[end:], 1)] if piece]


def byte_range(low: int, high: int) -> str:
    """Return the bytes from *low* to *high* as messages show them; one byte where they are equal.

    >>> byte_range(0x80, 0xBF), byte_range(0xED, 0xED)
    ('80..BF', 'ED')
    """
    return f"{low:02X}" if low == high else f"{low:02X}..{high:02X}"


def is_visible(byte: int) -> bool:
    """Return whether *byte* is a visible character of ASCII, which a text can show as it is."""
    return 0x20 < byte < 0x7F


def letters(low: int, high: int) -> str:
    """Return the characters from *low* to *high* as text; bytes where one of these is not visible ASCII.

    >>> letters(0x30, 0x39), letters(0x2D, 0x2D), letters(0x09, 0x7E)
    ("'0'..'9'", "'-'", '09..7E')
    """
    if not (is_visible(low) and is_visible(high)):
        return byte_range(low, high)
    return f"'{chr(low)}'" if low == high else f"'{chr(low)}'..'{chr(high)}'"


def abnf_range(low: int, high: int) -> str:
    """Return the bytes from *low* to *high* as ABNF (RFC 5234 section 3.4); one value where they are equal.

    >>> abnf_range(0x80, 0xBF), abnf_range(0xED, 0xED)
    ('%x80-BF', '%xED')
    """
    return f"%x{low:02X}" if low == high else f"%x{low:02X}-{high:02X}"


def code_point(number: int) -> str:
    """Return *number* as Unicode writes code points: at least four hexadecimal digits.

    >>> code_point(0x20AC), code_point(0x1F600)
    ('U+20AC', 'U+1F600')
    """
    return f"U+{number:04X}"


def code_point_range(low: int, high: int) -> str:
    """Return the code points from *low* to *high* as messages show them; one where they are equal.

    >>> code_point_range(0xA0, 0xD7FF), code_point_range(0xE9, 0xE9)
    ('U+00A0..U+D7FF', 'U+00E9')
    """
    return code_point(low) if low == high else f"{code_point(low)}..{code_point(high)}"


def rule_label(rule: str, alternative: int) -> str:
    """Return the name of *rule*, with ``/`` and the number of its *alternative*, from 1; 0 where there is only one.

    >>> rule_label("UTF8-3", 2), rule_label("UTF8-tail", 0)
    ('UTF8-3/2', 'UTF8-tail')
    """
    return f"{rule}/{alternative}" if alternative else rule


def counted(number: int, one: str, many: str = "") -> str:
    """Return *number* of things: *one* for 1, else *many*, which is *one* with an s where it is not given.

    >>> counted(1, "file"), counted(1200, "file")
    ('1 file', '1,200 files')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def printable(text: str) -> str:
    r"""Return *text* on one line, without what a terminal would obey: unprintable characters as Python escapes.

    >>> printable("a\nb\x1b[2J"), printable("caf\udce9")
    ('a\\nb\\x1b[2J', 'caf\\xe9')
    """
    return text if text.isprintable() else "".join(each if each.isprintable() else _escaped(each) for each in text)


def _escaped(character: str) -> str:
    if 0xDC80 <= ord(character) <= 0xDCFF:  # a byte of a file name that is not UTF-8 (PEP 383)
        return f"\\x{ord(character) - 0xDC00:02x}"
    return repr(character)[1:-1]
