"""The family of contexts: ill-formed text where attackers put it, after and before what filters and parsers look for.

A filter looks for ``../`` or ``<script`` before the text is decoded; what the decoder makes of ``C0 AF`` behind ``..``
comes too late for it (CVE-2000-0884). Some decoders are strict but for such a place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite.blocks import Block, show
from utf8_abnf.conformance.suite.families import few_faults
from utf8_abnf.conformance.suite.long_text import CUT, FAULTS
from utf8_abnf.conformance.suite.within import cut_characters
from utf8_abnf.conformance.suite.words import SIGMA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.suite.plan import Plan

ASCII = SIGMA[:0x80]
# What an overlong form hides: the characters that paths, HTML, SQL, shells and protocols give a meaning.
HIDDEN = "\0\t\n\r \"#$%&'()*+,-./:;<=>?@A[\\]`a{|}~\x7f"

# What comes before and after a fault; a dot is between two of it.
BEFORE = (
    "·..·../·../..·./·//·\\·\\..·~/·C:·file:·http://·https://example.org·@·<·</·<!--·<script·<a href=·&·&#·"
    '<?xml·<?xml version="1.0" encoding="UTF-8"?>·<?php·]]>·"·\'·="·=\'·`·\' OR \'·;·--·/*·*/·{·{"·[·(·$·${·%·'
    "%u·%c0·|·#·?·!·\n·\r·\r\n·\n\n·\r\n\r\n·HTTP/1.1 200 OK\r\n·"
    "Content-Type: text/html; charset=utf-8\r\n\r\n·Cookie: a=·charset=·charset=utf-8·encoding=·q=·a=·:·=·"
    "=?UTF-8?Q?·+·,·.· ·\t·a·1·\x00·a\x00·\x1b·\x1b[·\x1b%G·\ufeff·\ufeffa·\ufffd·é·€·😀·\u202e·\u200d·e\u0301"
)
# What begins or ends something in other formats, asked with few faults.
MORE_BEFORE = (
    "<![CDATA[·<style>·<title>·<svg/onload=·<iframe src=·<meta charset=·<!DOCTYPE html>·-->·<%·&lt;·&quot;·&amp;·"
    "&#x·&#0;·javascript:·data:text/html,·base64,·onerror=·{{·}}·{%·\r\n.\r\n·\r\n--·=?utf-8?b?·=?iso-8859-1?q?·"
    "filename*=UTF-8''·filename=\"·Subject: ·From: <·GET /·Host: ·Location: ·Set-Cookie: a=·Basic ·"
    "chunked\r\n\r\n0\r\n\r\n·MAIL FROM:<·\r\n\t·charset=iso-8859-1·charset=windows-1252·charset=us-ascii·"
    'charset=utf-16·charset=utf-7·+ADw-·<?xml version="1.0" encoding="ISO-8859-1"?>·'
    "# -*- coding: latin-1 -*-\n·@charset \"utf-8\";·coding: utf-8·SELECT '·UNION SELECT ·LIKE '%·0x·N'·E'·\\'·"
    '\'\'·#!/bin/sh\n·$(·&&·||·<<EOF\n·\\u·\\x·\\n·\\0·":"·": "·["·---\n·%YAML 1.2\n·!!str ·//·///·/* */·(*·'
    "(?·/etc/·\\\\?\\·%2e%2e/·%00·%0a·%c0%af·%u002f·/../·file:///·mailto:·cn=·xn--·.php·PK\x03\x04·%PDF-·GIF89a·"
    "\x7fELF·MZ·ID3·RIFF·BM·SQLite format 3\x00·{\\rtf1·\x00\x00\x00·\x1b]0;·\x1b[31m·\x1b$B·\x1b(J·\x0e\x0f·"
    "\u2028·\x85·\u200b·\u200f·\ufffe·\U000e0001"
)
# What formats are made of: any three of them may be a context, and a run of any of them.
MARKS = "\0\t\n\r\x1a\x1b !\"#$%&'()*+,-./0:;<=>?@A[\\]^_`a{|}~"
REPEATED = (*MARKS, "\r\n", "\n\r", "../", "%20", "\ufeff", "é", "€", "😀")
TIMES = (*range(2, 10), 12, 16, 20, 32, 64)  # a decoder that counts so many of them or more is caught by the last
BETWEEN = ("", "a", "name=value", "x" * 40, "€" * 50)  # from what a filter looks for to the fault
AFTER = "·a·/·../·\r\n·<·.·>·\"·'·\n·\r\n\r\n·\x00·=·&·;·:·\\· ·%·é·script>·" + " " * 40


def overlong(character: str, size: int) -> bytes:
    """Return *character* in *size* bytes, 2 to 6: the table of RFC 2279 section 2 without its ranges.

    >>> overlong("/", 2).hex(" "), overlong("/", 3).hex(" ")
    ('c0 af', 'e0 80 af')
    """
    value = ord(character)
    tails = [0x80 | value >> shift & 0x3F for shift in range(6 * (size - 2), -1, -6)]
    return bytes([0xFF << 8 - size & 0xFF | value >> 6 * (size - 1), *tails])


HALVES = tuple(map(bytes.fromhex, ("ED A0 80", "ED AF BF", "ED B0 80", "ED BF BF")))
PAIRS = tuple(map(bytes.fromhex, ("ED A0 80 ED B0 80", "ED A0 BD ED B8 80", "ED AF BF ED BF BF", "ED B0 80 ED A0 80")))


def contexts(plan: Plan) -> Iterator[Block]:
    """Yield overlong forms, surrogates and other faults after and before what filters, parsers and protocols look for.

    Then the same after every two bytes of ASCII, before and between every two, and after every three of ``MARKS``,
    and each alternative cut at each place before every two:
    contexts that are in no list. Then few faults after more that is looked for, and after all of it in the other case.
    At last, faults directly after and before a run of one character, of each of ``REPEATED``.
    """
    before, between, after = (
        tuple(text.encode() for text in texts) for texts in (BEFORE.split("·"), BETWEEN, AFTER.split("·"))
    )
    hidden = tuple(overlong(character, size) for character in HIDDEN for size in (2, 3, 4))
    some = tuple(dict.fromkeys((*hidden[16::9], *HALVES, *PAIRS, *FAULTS, *CUT, *_first_bytes(plan))))
    yield Block((before, hidden, after[:7:2]), names=(None, None, None))
    gaps = tuple(f"gap-{len(gap)}" for gap in between)
    for text in before:
        yield Block(((text,), between, some, after), label="any", names=(None, gaps, None, None))
    few = (b"\x80", overlong("/", 2), overlong(".", 3), HALVES[0], HALVES[2], b"\xe2\x82")
    for side, parts in (
        ("after-two", (ASCII, ASCII, few)),
        ("before-two", (few, ASCII, ASCII)),
        ("cut-before-two", (tuple(head for head, _ in cut_characters(plan)), ASCII, ASCII)),
        ("between-two", (ASCII, few, ASCII)),
        ("after-three", (*(tuple(bytes([ord(mark)]) for mark in MARKS),) * 3, few[:2])),
    ):
        yield Block(parts, label=side)
    texts = (*MORE_BEFORE.split("·"), *BEFORE.split("·"))
    cased = dict.fromkeys(each.encode() for text in texts for each in (text, text.lower(), text.upper()))
    more = tuple(text for text in cased if text not in before)
    yield Block((more, between, few), label="more", names=(None, gaps, None))
    yield from _runs(plan, few)


def _runs(plan: Plan, few: tuple[bytes, ...]) -> Iterator[Block]:
    """Yield faults directly after runs of one character, *few* of them also within text and before such runs."""
    few = tuple(dict.fromkeys((*few, *FAULTS)))
    words = (*few, *HALVES, overlong(".", 2), overlong("<", 2), *few_faults(plan)[1:])
    for each in map(str.encode, REPEATED):
        runs = tuple(each * times for times in TIMES)
        names = tuple(f"{show(each)}-{times}" for times in TIMES)
        yield Block((runs, tuple(dict.fromkeys(words))), label="after-run", names=(names, None))
        yield Block((runs, few, (b"a",)), label="after-run", names=(names, None, None))
        yield Block(((b"a",), few, runs), label="before-run", names=(None, None, names))


def _first_bytes(plan: Plan) -> Iterator[bytes]:
    """Yield the first bytes above 7F that have an alternative for themselves, and what is beside all of them."""
    ranges = [track[0] for track in plan.tracks if track[0][0] >= 0x80]
    alone = {low for low, high in ranges if low == high}
    low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
    yield from (bytes([byte]) for byte in sorted({*alone, low - 2, low - 1, high + 1}))
