"""What can be done with ill-formed bytes: a window of them in; how many are replaced, and by what, out.

Rule 1: a treatment sees only bytes outside of well-formed characters, so it cannot change a well-formed one.
A policy is a chain of treatments: each of the first ones takes the bytes that it knows, the last one takes all others.
"""

from __future__ import annotations

import codecs
import re
import sys
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from utf8_abnf.codec.by_the_book import distribute
from utf8_abnf.codec.errors import is_scalar_value
from utf8_abnf.codec.replacement import (
    ANNOUNCED,
    MAXIMAL_SUBPART,
    POLICIES,
    REPLACEMENT,
    WINDOW,
    announced_sequence,
)
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from collections.abc import Callable

LOOKAHEAD = 8  # bytes that a treatment sees: a pair of CESU-8 has six; no codec of Python needs more for a character
CESU8, OVERLONG = "cesu8", "overlong-shortest"
FFFD, DROP, ESCAPE, ANGLE = "fffd", "drop", "escape", "escape:angle"


@dataclass(frozen=True, slots=True)
class Treatment:
    """One thing to do with ill-formed bytes: *take* returns how many it replaces and by what, None for none of them."""

    name: str
    take: Callable[[bytes], tuple[int, bytes] | None]
    per_byte: bool = False  # whether every byte is treated by itself, whatever stands beside it
    codec: codecs.CodecInfo | None = None  # of the encoding, where it is one


@dataclass(frozen=True, slots=True)
class Chain:
    """A policy: the treatments that take what they know, and the *last* one that takes the rest."""

    policy: str
    first: tuple[Treatment, ...]
    last: Treatment

    def take(self, window: bytes) -> tuple[int, bytes, str]:
        """Return how many of the ill-formed bytes that begin *window* are replaced, by what, and by which treatment."""
        taken = self.known(window)
        if taken:
            return taken
        known = next((k for k in range(1, min(WINDOW, len(window))) if self.known(window[k:])), WINDOW)
        length, new = self.last.take(window[:known]) or (1, b"")
        return length, new, self.last.name

    def known(self, window: bytes) -> tuple[int, bytes, str] | None:
        """Return the same where one of the first treatments knows these bytes, else None."""
        for treatment in self.first:
            if taken := treatment.take(window):
                return *taken, treatment.name
        return None


@cache
def chain_of(policy: str) -> Chain:
    r"""Return the chain that *policy* names: its parts, joined by "+", in the order in which they are tried.

    A part is "fffd", "fffd:per-byte" or another one of ``codec.POLICIES``, "drop", "escape", "escape:angle", "cesu8",
    "overlong-shortest", or a codec of Python. The last part is one that takes every byte; where *policy* names none,
    it is "fffd". ``LookupError`` for an unknown part.

    >>> chain = chain_of("windows-1252+escape")
    >>> chain.take(bytes.fromhex("E9"))[1].decode(), chain.take(bytes.fromhex("81"))[1]
    ('é', b'\\x81')
    """
    *names, end = policy.split("+")
    last = _last(end)
    if last is None:
        names, last = [*names, end], _fffd(FFFD)
    return Chain(policy, tuple(map(_named, names)), last)


def _last(name: str) -> Treatment | None:
    if name in (DROP, ESCAPE, ANGLE):
        return Treatment(name, {DROP: _drop, ESCAPE: _escape, ANGLE: _angle}[name], per_byte=True)
    start, colon, policy = name.partition(":")
    return _fffd(name) if start == FFFD and (policy in POLICIES or not colon) else None


def _fffd(name: str) -> Treatment:
    policy = POLICIES[name.partition(":")[2] or MAXIMAL_SUBPART]
    return Treatment(name, lambda window: (policy.take(window), REPLACEMENT.encode()))


def _drop(window: bytes) -> tuple[int, bytes]:
    return 1, b""


def _escape(window: bytes) -> tuple[int, bytes]:
    return 1, b"\\x%02X" % window[0]


def _angle(window: bytes) -> tuple[int, bytes]:
    return 1, b"<%02X>" % window[0]


def _named(name: str) -> Treatment:
    if name in (CESU8, OVERLONG):
        return Treatment(name, _joined_pair if name == CESU8 else _shortest)
    if _last(name):
        raise LookupError(Message(messages.POLICY_NOT_LAST, name=repr(name)))
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):  # ValueError for a NUL, or for what is not text
        raise LookupError(Message(messages.NO_POLICY, name=repr(name), policies=_listed())) from None
    if not codec._is_text_encoding:
        raise LookupError(Message(messages.NO_TEXT_CODEC, name=repr(name)))
    return Treatment(name, lru_cache(maxsize=4096)(partial(_converted, codec)), _has_table(codec), codec)


def _listed() -> str:
    fffd = (f"{FFFD}:{each}" for each in POLICIES)
    return ", ".join((FFFD, *fffd, DROP, ESCAPE, ANGLE, CESU8, OVERLONG))


def _joined_pair(window: bytes) -> tuple[int, bytes] | None:
    """Take a pair of surrogates, three bytes each (Unicode Technical Report 26): the character is written instead."""
    try:
        units = window[:6].decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass")
        return 6, units.decode("utf-16").encode()
    except UnicodeDecodeError:
        return None


def _shortest(window: bytes) -> tuple[int, bytes] | None:
    """Take an overlong sequence: the character is written as RFC 3629 section 3 demands."""
    length = announced_sequence(window)
    if length < 2 or length < ANNOUNCED[window[0]]:
        return None
    number = distribute(window[:length])
    return (length, chr(number).encode()) if is_scalar_value(number) else None


def _converted(codec: codecs.CodecInfo, window: bytes) -> tuple[int, bytes] | None:
    """Take the shortest run of bytes that is text in *codec*."""
    for length in range(1, len(window) + 1):
        try:
            new = codec.decode(window[:length])[0].encode()
        except UnicodeError:
            continue
        if new:
            return length, new
    return None


def _has_table(codec: codecs.CodecInfo) -> bool:
    """Return whether *codec* reads each byte by itself: Python's codecs of that kind are tables."""
    if codec.name in ("iso8859-1", "ascii"):
        return True
    module = sys.modules.get(f"encodings.{re.sub('[^a-z0-9]', '_', codec.name.lower())}")
    return hasattr(module, "decoding_table") or hasattr(module, "decoding_map")
