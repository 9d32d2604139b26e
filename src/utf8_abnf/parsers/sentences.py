"""Sentences of a grammar that together use all of it, and wrong ones that are one edit away."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from utf8_abnf.grammar.deriving import Deriver, values_near
from utf8_abnf.grammar.values import UTF8
from utf8_abnf.parsers.linear import TreeParser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.deriving import Cover, Goal

MAX_TRIES = 50  # edits of one sentence, and sentences in a row that are known already


@dataclass(frozen=True, slots=True)
class Sentences:
    """Some sentences of a grammar; of the *goals*, the things that were to be used, these many are *met*."""

    words: tuple[bytes, ...]
    goals: int = 0
    met: int = 0


def sentences(
    grammar: Grammar, start: str | None = None, *, count: int | None = None, cover: Cover | None = None, seed: int = 0
) -> Sentences:
    r"""Return different words that *grammar* derives from *start* (its first rule by default).

    With *cover*, they use all rules, alternatives or edges (``Deriver.goals``), or as many as *count* words can; then
    random words follow, up to *count*. Without *count* they are as many as *cover* needs, or 20. The same *seed* gives
    the same words. Raises ``GrammarError`` for a grammar that cannot be used, ``TooLargeError`` for words too long.

    >>> from utf8_abnf.grammar import Grammar
    >>> sentences(Grammar.parse('a = "x" / %x20AC / "(" a ")"'), cover="alternatives", seed=1)
    Sentences(words=(b'(X)', b'\xe2\x82\xac'), goals=4, met=4)
    """
    deriver, chance = Deriver(grammar, start), Random(seed)  # noqa: S311  # not for secrets
    goals = deriver.goals(cover) if cover else []
    wanted = 20 if count is None and not cover else count
    words: dict[bytes, None] = {}
    met: set[Goal] = set()
    for goal in reversed(goals):  # on the way to what is deep, much else is used
        if wanted is not None and len(words) >= wanted:
            break
        if goal not in met:
            made = deriver.derive(chance.randrange, goal)
            met |= made.met
            words[bytes(made.data)] = None
    tries = 0
    while wanted is not None and len(words) < wanted and tries < MAX_TRIES:
        before = len(words)
        words[bytes(deriver.derive(chance.randrange).data)] = None
        tries = tries + 1 if len(words) == before else 0
    return Sentences(tuple(words), len(goals), len(met & set(goals)))


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
