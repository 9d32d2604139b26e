"""The families of text within a character: for decoders that leave some text out before they decode.

A decoder that removes every BOM, NUL or comment first joins the bytes on both sides of it: ``E2 EF BB BF 82 AC``
becomes ``E2 82 AC``. The same hole let ``<scr<!-- -->ipt`` through filters (CWE-182).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite.blocks import Block
from utf8_abnf.conformance.suite.words import SIGMA, lowest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.suite.plan import Plan

# What is left out by some: controls, marks that nobody sees, noncharacters, what filters and parsers remove.
DROPPED = (
    *("\0", "\0\0", "\t", "\n", "\r", "\r\n", "\b", "\x0e", "\x0f", "\x1a", "\x1b", "\x7f", " ", "\x85", "\xa0"),
    *("\ufeff", "\ufeff\ufeff", "\xad", "\u034f", "\u061c", "\u180e", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f"),
    *("\u2028", "\u2029", "\u202a", "\u202e", "\u2060", "\u2061", "\u2066", "\u2069", "\u206f", "\u3164", "\ufe0e"),
    *("\ufe0f", "\ufff9", "\ufffb", "\ufffc", "\ufffd", "\ufffe", "\uffff", "\ufdd0", "\ufdef", "\ue000", "\uf8ff"),
    *("\U0001fffe", "\U0001ffff", "\U0010fffe", "\U0010ffff", "\U000e0001", "\U000e0020", "\U000e007f", "\U000e0100"),
    *("\U000e01ef", "\U000f0000", "\U0001bca0", "\U0001d173", "\u0301", "\u20e3", "\U0001f3fd"),
    *("/**/", "/* */", "/* a */", "<!---->", "<!-- -->", "<!-- a -->", "<b>", "</b>", "<script>", "<?php ?>", "(*a*)"),
    *("\\\n", "\\\r\n", "=\n", "=\r\n", "\r\n ", "\n ", "\x1b[0m", "\x1b[31m", "\x1b%G", "\x1b(B", "%00"),
    *("\\0", "\\u0000", "<?>", "<!>", "''", '""'),
    *("&zwj;", "&shy;", "&#0;", "&#8203;", "&#xFEFF;", "//a\n", "--a\n", "#a\n", "../", "./", "--", "${}", "{{}}"),
)
AROUND = ((b"", b""), (b"a", b"a"), (b"a" * 70, b"\xe2\x82\xac" * 30))  # the last for the paths for long text


def within(plan: Plan) -> Iterator[Block]:
    """Yield ``DROPPED`` within a character of each alternative, at each place, alone and within text."""
    dropped = tuple(dict.fromkeys(text.encode() for text in DROPPED))
    for head, cut in cut_characters(plan):
        for number, (before, after) in enumerate(AROUND):
            names = ((("alone", "text", "long")[number],), None, None, ("",))
            yield Block(((before,), (head,), dropped, (cut + after,)), names=names)


def within_any(plan: Plan) -> Iterator[Block]:
    """Yield each character of two and three bytes within one, and those of four whose first three bytes differ."""
    for track in plan.tracks:
        character = tuple(SIGMA[low : high + 1] for low, high in track)
        if len(track) in (2, 3):
            yield Block(((b"\xe2",), *character, (b"\x82\xac",)), names=(("",), *[None] * len(track), ("",)))
        if len(track) > 3:
            last = (SIGMA[0x80], SIGMA[0xBF])
            yield Block(((b"\xe2",), *character[:3], last, (b"\x82\xac",)), names=(("",), *[None] * 4, ("",)))


def cut_characters(plan: Plan) -> Iterator[tuple[bytes, bytes]]:
    """Yield the lowest character of each alternative cut in two, at each place."""
    for word in map(lowest, plan.tracks):
        yield from ((word[:place], word[place:]) for place in range(1, len(word)))
