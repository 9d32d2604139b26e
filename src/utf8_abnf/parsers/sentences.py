"""Sentences of a grammar, and wrong ones that are one edit away."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from utf8_abnf.grammar.deriving import Deriver, values_near
from utf8_abnf.grammar.values import UTF8
from utf8_abnf.parsers.linear import TreeParser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.grammar import Grammar

MAX_TRIES = 50  # edits of one sentence, and sentences in a row that are known already


def sentences(grammar: Grammar, start: str | None = None, *, count: int = 20, seed: int = 0) -> tuple[bytes, ...]:
    r"""Return *count* different words that *grammar* derives from *start* (its first rule by default), or fewer.

    The same *seed* gives the same words. Raises ``GrammarError`` for a grammar that cannot be used, ``TooLargeError``
    for words too long.

    >>> from utf8_abnf.grammar import Grammar
    >>> sorted(sentences(Grammar.parse('a = %s"x" / %x20AC'), seed=1))
    [b'x', b'\xe2\x82\xac']
    """
    deriver, chance = Deriver(grammar, start), Random(seed)  # noqa: S311  # not for secrets
    words: dict[bytes, None] = {}
    tries = 0
    while len(words) < count and tries < MAX_TRIES:
        before = len(words)
        words[deriver.derive(chance.randrange)] = None
        tries = tries + 1 if len(words) == before else 0
    return tuple(words)


def wrong_sentences(
    grammar: Grammar, words: tuple[bytes, ...], start: str | None = None, *, seed: int = 0
) -> list[bytes]:
    """Return different inputs that *grammar* does not derive, each one edit away from one of *words*, in their order.

    The edit replaces, inserts or deletes one byte or, where values are code points, one character. The parser has
    refused each of them. A word of which no edit is refused is left out.
    """
    parser, found = TreeParser(grammar, start), dict[bytes, None]()
    chance = Random(seed)  # noqa: S311  # not for secrets
    letters = letters_near(grammar, start)
    for word in words:
        for _ in range(MAX_TRIES):
            wrong = edited(grammar, word, letters, chance.randrange)
            if wrong not in found and not parser.accepts(wrong):
                found[wrong] = None
                break
    return list(found)


def letters_near(grammar: Grammar, start: str | None = None) -> list[bytes]:
    """Return bytes or characters at the ends of what the terminals allow, and their neighbours."""
    values = values_near(grammar, start) or [0]
    return [chr(value).encode() if grammar.values == UTF8 else bytes([value]) for value in values]


def edited(grammar: Grammar, word: bytes, letters: list[bytes], pick: Callable[[int], int]) -> bytes:
    """Return *word* after one edit at a place that *pick* chooses; *letters* are what may be written there."""
    units = list(_units(grammar, word))
    at = pick(len(units) + 1)
    kinds = ("insert", "replace", "delete") if at < len(units) else ("insert",)
    kind = kinds[pick(len(kinds))]
    new = [] if kind == "delete" else [letters[pick(len(letters))]]
    return b"".join([*units[:at], *new, *units[at + (kind != "insert") :]])


def _units(grammar: Grammar, word: bytes) -> Iterator[bytes]:
    if grammar.values == UTF8:
        return (char.encode() for char in word.decode())
    return (bytes([byte]) for byte in word)
