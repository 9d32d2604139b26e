"""Which encoding an input is in, as a whole or where it is ill-formed: what ``auto`` goes by."""

from __future__ import annotations

from typing import NamedTuple

from utf8_abnf.errors import Utf8AbnfError
from utf8_abnf.explain import encodings
from utf8_abnf.explain.diagnosis import BY_CHANCE, CESU8, diagnose
from utf8_abnf.explain.locating import HEAD, SAMPLE, has_controls
from utf8_abnf.explain.nature import EBCDIC, nature_of
from utf8_abnf.files.repairing import treatments
from utf8_abnf.files.repairing.wide import MARKS
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say

_LOW, _FAIR, _HIGH = messages.CONFIDENCE


class Guess(NamedTuple):
    """An *encoding* of Python, or a policy, the *confidence* in it and its *source*, both in words.

    *words*: ASCII bytes can belong to its characters. *by_chance*: nothing is in UTF-8.
    """

    encoding: str
    confidence: str
    source: str
    words: bool = False
    by_chance: bool = False

    def __str__(self) -> str:
        facts = {"encoding": self.encoding, "confidence": self.confidence, "source": self.source}
        return say(messages.GUESSED, **facts)


class NoGuessError(Utf8AbnfError):
    """Nothing that was read shows with high confidence one encoding for the ill-formed bytes; *found*: what may be.

    Or it does, and these bytes belong to characters together with bytes that are UTF-8, by chance or not.
    """

    def __init__(self, found: encodings.Guess | None = None) -> None:
        if found is None or found.confidence < encodings.FAIR:
            super().__init__(say(messages.NO_GUESS))
            return
        facts = {"confidence": say(messages.CONFIDENCE[found.confidence]), "codec": found.names[0].lower()}
        text = messages.NO_GUESS_BESIDE if found.confidence == encodings.HIGH else messages.NO_GUESS_NEAR
        super().__init__(say(text, encodings=str(found), **facts))


def guess(head: bytes) -> Guess | None:
    r"""Return the encoding of the whole input that begins with *head*, its first ``locating.HEAD`` bytes.

    None where these do not show that it is UTF-16 or UTF-32. ``NoGuessError`` for EBCDIC, whose code page is not known.

    >>> guess("né à Nice".encode("utf-16-le")).encoding
    'utf-16-le'
    """
    found = nature_of(head[:HEAD]).encoding
    if found == EBCDIC:
        raise NoGuessError
    encoding = found.lower()
    if not encoding:
        return None
    size = min(len(head), HEAD)
    if encoding == "utf-16":
        return Guess(MARKS[head[:2]], say(_HIGH), say(messages.GUESS_MARK, size=size))
    if encoding == "utf-32":
        order = "utf-32-le" if head.startswith(b"\xff\xfe\0\0") else "utf-32-be"
        return Guess(order, say(_HIGH), say(messages.GUESS_MARK, size=size))
    name = f"{encoding[:6]}-{encoding[6:]}"
    return Guess(name, say(_FAIR), say(messages.GUESS_PATTERN, size=size))


def guess_stretches(sample: bytes, start: int, *, word: bytes = b"", is_ascii_before: bool = True) -> Guess:
    """Return the encoding of the ill-formed bytes, of which *sample* begins with the first, at offset *start*.

    *word*: the beginning of its first word. *is_ascii_before*: whether what is before that word is ASCII.
    ``NoGuessError`` where the confidence is not high, and where *sample* is not text.
    """
    found = diagnose(sample, start, word=word, is_ascii_before=is_ascii_before)
    size = f"{len(sample):,}"
    if found.cause == CESU8:
        return Guess(treatments.CESU8, say(_HIGH), say(messages.GUESS_PAIRS, size=size))
    if has_controls(sample):
        raise NoGuessError
    if found.guess is None or found.guess.confidence < encodings.HIGH:
        raise NoGuessError(found.guess)
    codec = found.guess.codecs[0]
    if found.cause == BY_CHANCE:
        return Guess(codec, say(_HIGH), say(messages.GUESS_WORDS, size=size), words=True, by_chance=True)
    words = encodings.ENCODINGS[codec][1] > 1
    found_words = encodings.whole_words(word + sample, is_cut=len(sample) == SAMPLE) if words else []
    if not all(encodings.beside_utf8(each, codec)[1] for each in found_words):
        raise NoGuessError(found.guess)
    return Guess(codec, say(_HIGH), say(messages.GUESS_BYTES, size=size), words)
