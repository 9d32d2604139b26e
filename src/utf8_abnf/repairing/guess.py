"""Which encoding an input is in as a whole, from its first bytes: what ``auto`` goes by."""

from __future__ import annotations

from typing import NamedTuple

from utf8_abnf.errors import Utf8AbnfError
from utf8_abnf.explain.locating import HEAD
from utf8_abnf.explain.nature import nature_of
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.repairing.wide import MARKS


class Guess(NamedTuple):
    """An *encoding* of Python, the *confidence* in it and its *source*, both in words."""

    encoding: str
    confidence: str
    source: str

    def __str__(self) -> str:
        return say(messages.GUESSED, **self._asdict())


class NoGuessError(Utf8AbnfError):
    """Nothing that was read shows one encoding for the ill-formed bytes."""

    def __init__(self) -> None:
        super().__init__(say(messages.NO_GUESS))


def guess(head: bytes) -> Guess | None:
    r"""Return the encoding of the whole input that begins with *head*, its first ``locating.HEAD`` bytes.

    None where these do not show exactly one, as for text that is UTF-8 except for some bytes.

    >>> guess("né à Nice".encode("utf-16-le")).encoding
    'utf-16-le'
    """
    encoding = nature_of(head[:HEAD]).encoding.lower()
    if not encoding:
        return None
    size = min(len(head), HEAD)
    if encoding == "utf-16":
        return Guess(MARKS[head[:2]], say(messages.CONFIDENCE_HIGH), say(messages.GUESS_MARK, size=size))
    if encoding == "utf-32":
        order = "utf-32-le" if head.startswith(b"\xff\xfe\0\0") else "utf-32-be"
        return Guess(order, say(messages.CONFIDENCE_HIGH), say(messages.GUESS_MARK, size=size))
    name = f"{encoding[:6]}-{encoding[6:]}"
    return Guess(name, say(messages.CONFIDENCE_FAIR), say(messages.GUESS_PATTERN, size=size))
