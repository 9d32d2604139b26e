"""Return for each rule of a ``Grammar`` what it uses, its users and a shortest sentence, as an ``Overview``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.grammar.analysis import components, nullable_rules
from utf8_abnf.grammar.model import settled, uses
from utf8_abnf.grammar.syntax import Ref, fold
from utf8_abnf.grammar.values import READABLE, byte_strings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule
    from utf8_abnf.grammar.values import Ranges, Values

MAX_SENTENCE = 1000  # bytes
_RANKS = bytes(map(READABLE.index, range(256)))


class Overview(NamedTuple):
    """What is known about *rule*. *uses* and *users* are names; *sentence* is a shortest one, None for none."""

    rule: Rule
    uses: tuple[str, ...]
    users: tuple[str, ...]
    is_nullable: bool
    is_recursive: bool
    sentence: bytes | None


def overview(grammar: Grammar) -> dict[str, Overview]:
    r"""Return what is known about each rule of *grammar* and the core rules that it uses, by its name in lower case.

    Prose and undefined rules derive nothing here.

    >>> from utf8_abnf.grammar import Grammar
    >>> found = overview(Grammar.parse('list = "(" [ list ] ")" / word\nword = 2ALPHA\n'))
    >>> found["list"][1:], found["word"].sentence
    ((('list', 'word'), ('list',), False, True, b'aa'), b'aa')
    """
    used = {
        rule.name: tuple(dict.fromkeys(grammar[name].name for name in uses(rule.definition) if name in grammar))
        for rule in grammar.rules.values()
    }
    empty, recursive = nullable_rules(grammar), components(grammar)
    words = settled(grammar.rules.values(), lambda node, found: _shortest(node, found, grammar.values), first=None)
    return {
        name.lower(): Overview(
            grammar[name],
            used[name],
            tuple(user for user in used if name in used[user]),
            name.lower() in empty,
            name.lower() in recursive,
            words[name.lower()],
        )
        for name in used
    }


def _shortest(node: Node, found: Mapping[str, bytes | None], values: Values) -> bytes | None:
    """Return a shortest word that *node* derives with the words of rules in *found*; None if there is none."""

    def joined(words: list[bytes | None]) -> bytes | None:
        whole = None if None in words else b"".join(word for word in words if word)
        return whole if whole is not None and len(whole) <= MAX_SENTENCE else None

    def shorter(words: Iterable[bytes | None]) -> bytes | None:
        known = (word for word in words if word is not None)
        # this order fits concatenation, so words only change for better ones
        return min(known, key=lambda word: (len(word), word.translate(_RANKS)), default=None)

    def leaf(node: Node) -> bytes | None:
        if isinstance(node, Ref):
            return found.get(node.name.lower())
        return shorter(bytes(map(_byte, each)) for each in byte_strings(node, values))

    def repeated(low: int, high: int | None, word: bytes | None) -> bytes | None:
        return joined([word] * min(low, MAX_SENTENCE + 1)) if word else word if low else b""

    return fold(node, leaf, sequence=joined, choice=shorter, repeated=repeated)


def _byte(ranges: Ranges) -> int:
    """Return one of the bytes of *ranges*: a letter or digit, if there is one."""
    return next(byte for byte in READABLE for low, high in ranges if low <= byte <= high)
