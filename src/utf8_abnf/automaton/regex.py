"""Write a ``Grammar`` as one regular expression over bytes, for Python's ``re``.

The expression is built rule by rule from the syntax tree, so it looks like its source. This engine backtracks: if the
grammar is ambiguous, some inputs are slow there, but the answer is right. The automaton has no slow inputs.
"""

from __future__ import annotations

from graphlib import TopologicalSorter
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import TooLargeError
from utf8_abnf.grammar.analysis import components
from utf8_abnf.grammar.model import uses
from utf8_abnf.grammar.nfa import compile_nfa
from utf8_abnf.grammar.syntax import Ref, fold
from utf8_abnf.grammar.values import byte_strings, members, ranges_of
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Node

MAX_LENGTH = 1_000_000
"""A grammar whose expression has more characters is too large (``TooLargeError``)."""


def to_regex(grammar: Grammar, start: str | None = None) -> str:
    r"""Return a regular expression that matches exactly what rule *start* (the grammar's first by default) derives.

    It is for ``re.compile(pattern.encode())`` on bytes; the whole input must match, also with a function that searches.

    Raises ``NotRegularError`` as ``compile_grammar`` does, ``TooLargeError`` above ``MAX_LENGTH``, ``GrammarError``
    where a rule uses itself or the grammar is undefined.

    >>> from utf8_abnf.grammar import Grammar
    >>> to_regex(Grammar.load("utf8"), "UTF8-3")
    '\\A(?:\\xE0[\\xA0-\\xBF][\\x80-\\xBF]|[\\xE1-\\xEC][\\x80-\\xBF]{2}|\\xED[\\x80-\\x9F][\\x80-\\xBF]|[\\xEE\\xEF][\\x80-\\xBF]{2})\\Z'
    """
    compile_nfa(grammar, start)  # raises where there is no regular expression ...
    for rule in grammar.reachable(start):
        if rule.name.lower() in components(grammar):  # ... or no simple one
            grammar.fail(Message(messages.RECURSIVE_REGEX, rule=rule.name), rule.definition.span)
    return rf"\A(?:{_RegexWriter(grammar).rule(start or grammar.start)})\Z"


class _Expression(NamedTuple):
    """A part of an expression, how strongly it binds, and the bytes it matches if it always matches one byte."""

    text: str
    strength: int
    single: frozenset[int] = frozenset()


_CHOICE, _SEQUENCE, _ATOM = range(3)
_EMPTY = _Expression("(?:)", _ATOM)


class _RegexWriter:
    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.rules: dict[str, _Expression] = {}

    def rule(self, start: str) -> str:
        # A rule is written after all rules that it uses, so that rules need no recursion.
        used = {rule.name.lower(): uses(rule.definition) for rule in self.grammar.reachable(start)}
        order = TopologicalSorter({name: [each.lower() for each in names] for name, names in used.items()})
        for name in order.static_order():
            self.rules[name] = self.piece(self.grammar[name].definition)
        return self.rules[start.lower()].text

    def piece(self, node: Node) -> _Expression:
        return fold(node, self.leaf, sequence=self.sequence, choice=self.choice, repeated=self.repeated)

    def leaf(self, node: Node) -> _Expression:
        if isinstance(node, Ref):
            return self.rules.get(node.name.lower(), _EMPTY)  # one that is repeated no times is not written
        strings = byte_strings(node, self.grammar.values)
        pieces = [self.sequence(map(_one_of, map(members, string))) for string in strings]
        return pieces[0] if len(pieces) == 1 else self.choice(pieces)

    def sequence(self, pieces: Iterable[_Expression]) -> _Expression:
        some = list(pieces)
        if len(some) == 1:
            return some[0]
        return self.checked("".join(_bound(piece, _SEQUENCE) for piece in some) or "(?:)", _SEQUENCE if some else _ATOM)

    def choice(self, pieces: list[_Expression]) -> _Expression:
        if all(piece.single for piece in pieces):
            return _one_of(frozenset().union(*(piece.single for piece in pieces)))
        return self.checked("|".join(piece.text for piece in pieces), _CHOICE)

    def repeated(self, low: int, high: int | None, piece: _Expression) -> _Expression:
        if high == 0:
            return _EMPTY
        if (low, high) == (1, 1):
            return piece
        sign = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((low, high))
        if sign is None:
            sign = f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"
        return self.checked(_bound(piece, _ATOM) + sign, _SEQUENCE)

    def checked(self, text: str, strength: int) -> _Expression:
        if len(text) > MAX_LENGTH:
            message = Message(messages.LARGE_REGEX, most=f"{MAX_LENGTH:,}")
            raise TooLargeError(message, file=self.grammar.file)
        return _Expression(text, strength)


def _bound(piece: _Expression, strength: int) -> str:
    return piece.text if piece.strength >= strength else f"(?:{piece.text})"


def _one_of(members: Iterable[int]) -> _Expression:
    wanted = frozenset(members)
    ranges = ranges_of(wanted)
    if len(wanted) == 1:
        return _Expression(_shown(ranges[0][0]), _ATOM, wanted)
    spelt = (
        _shown(low) + ("-" if high > low + 1 else "") + (_shown(high) if high > low else "") for low, high in ranges
    )
    return _Expression(f"[{''.join(spelt)}]", _ATOM, wanted)


def _shown(byte: int) -> str:
    return chr(byte) if chr(byte).isascii() and chr(byte).isalnum() else f"\\x{byte:02X}"
