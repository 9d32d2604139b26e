"""An overview of a grammar, for pages and editors: for each rule what it uses, what uses it, and what it derives."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.grammar.analysis import nullable_rules
from utf8_abnf.grammar.model import settled, uses
from utf8_abnf.grammar.syntax import Alternation, Concatenation, Group, Option, Ref, Repetition
from utf8_abnf.grammar.values import byte_strings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule
    from utf8_abnf.grammar.values import Ranges, Values

MAX_SENTENCE = 1000  # bytes
_LETTERS = string.ascii_lowercase + string.digits + string.ascii_uppercase
_ORDER = sorted(range(256), key=lambda byte: (_LETTERS.find(chr(byte)) % 256, byte))  # what is read best comes first
_RANKS = bytes(map(_ORDER.index, range(256)))


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
    used = {rule.name: tuple(dict.fromkeys(_named(grammar, uses(rule.definition)))) for rule in grammar.rules.values()}
    empty = nullable_rules(grammar)

    def sentence(node: Node, found: Mapping[str, bytes | None]) -> bytes | None:
        return _shortest(node, found, grammar.values)

    words = settled(grammar.rules.values(), sentence, first=None)
    return {
        name.lower(): Overview(
            grammar[name],
            used[name],
            tuple(user for user in used if name in used[user]),
            name.lower() in empty,
            name in _reached(used, name),
            words[name.lower()],
        )
        for name in used
    }


def _named(grammar: Grammar, names: list[str]) -> list[str]:
    return [grammar[name].name for name in names if name in grammar]


def _reached(used: Mapping[str, tuple[str, ...]], name: str) -> set[str]:
    """Return the rules that *name* uses, and that these use."""
    found, todo = set[str](), [name]
    while todo:
        fresh = set(used.get(todo.pop(), ())) - found
        found |= fresh
        todo += fresh
    return found


def _shortest(node: Node, found: Mapping[str, bytes | None], values: Values) -> bytes | None:
    """Return a shortest word that *node* derives with the words of rules in *found*; None if there is none."""
    match node:
        case Ref(name=name):
            return found.get(name.lower())
        case Group(item=item):
            return _shortest(item, found, values)
        case Option() | Repetition(low=0):
            return b""
        case Repetition(low=low, item=item):
            word = _shortest(item, found, values)
            return word * low if word is not None and len(word) * low <= MAX_SENTENCE else None
        case Concatenation(items=items):
            words = [_shortest(item, found, values) for item in items]
            whole = None if None in words else b"".join(word for word in words if word)
            return whole if whole is not None and len(whole) <= MAX_SENTENCE else None
        case Alternation(items=items):
            some = [word for item in items if (word := _shortest(item, found, values)) is not None]
            return min(some, key=_rank, default=None)
    return min((bytes(map(_byte, each)) for each in byte_strings(node, values)), key=_rank, default=None)


def _rank(word: bytes) -> tuple[int, bytes]:
    """Return the rank of *word* among others; it fits concatenation, so that words only change for better ones."""
    return len(word), word.translate(_RANKS)


def _byte(ranges: Ranges) -> int:
    """Return one of the bytes of *ranges*: a letter or digit, if there is one."""
    return next(byte for byte in _ORDER for low, high in ranges if low <= byte <= high)
