"""W3C's EBNF: a grammar in, the same rules in the notation of XML 1.0 section 6 out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.grammar.model import walk
from utf8_abnf.grammar.syntax import (
    Alternation,
    Concatenation,
    Group,
    Option,
    Prose,
    Range,
    Ref,
    Repetition,
    Series,
    Text,
    show,
)
from utf8_abnf.grammar.values import BYTES, LAST_ASCII, SURROGATES, greatest_value, values_of
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule
    from utf8_abnf.grammar.values import Ranges

MAX_COPIES = 1000  # the notation has no repeat counts: 3*5x becomes x x x (x (x)?)?


def to_ebnf(grammar: Grammar, start: str | None = None) -> str:
    """Return the rules that *start* (default: the first rule) uses in W3C's EBNF, core rules included.

    A value is a character there: ``#x20AC``. Of a grammar of bytes, a comment says that the values are bytes.
    ``GrammarError`` for prose, a missing rule, or a repeat count above ``MAX_COPIES``.

    >>> from utf8_abnf.grammar import Grammar
    >>> print(to_ebnf(Grammar.parse('a = "x" 1*2DIGIT / %x20AC-2FFF')), end="")
    a ::= [Xx] DIGIT DIGIT?
        | [#x20AC-#x2FFF]
    DIGIT ::= [0-9]
    """
    grammar.check(start)
    rules = sorted(grammar.reachable(start), key=lambda each: each.core)
    values = max((greatest_value(node) for rule in rules for node in walk(rule.definition)), default=0)
    heading = "/* Values are bytes, not characters. */\n" if grammar.values == BYTES and values > LAST_ASCII else ""
    return heading + "".join(_Writer(grammar, rule).text() for rule in rules)


class _Writer:
    """Writes one rule."""

    def __init__(self, grammar: Grammar, rule: Rule) -> None:
        self.grammar = grammar
        self.rule = rule

    def text(self) -> str:
        name = self.rule.name
        return f"{name} ::= " + f"\n{' ' * len(name)}   | ".join(map(self._sequence, self.rule.alternatives)) + "\n"

    def _sequence(self, node: Node) -> str:
        """Return *node* as a sequence of items."""
        match node:
            case Concatenation(items=items):
                return " ".join(self._sequence(item) if _is_sequence(item) else self._item(item) for item in items)
            case Repetition():
                return " ".join(self._copies(node))
            case Series() | Text():
                return " ".join(_characters(value) for value in _joined(node)) or '""'
        return self._item(node)

    def _item(self, node: Node) -> str:
        """Return *node* as one item, which an operator may follow."""
        match node:
            case Ref(name=name):
                return self.grammar[name].name
            case Range():
                return _characters(values_of(node)[0])
            case Option(item=item):
                return f"{self._item(item)}?"
            case Group(item=item):
                return self._item(item)
            case Alternation(items=items):
                return f"({' | '.join(map(self._sequence, items))})"
            case Prose():
                raise AssertionError("Grammar.check has refused prose")
        text = self._sequence(node)
        return text if isinstance(node, Text | Series) and " " not in text.replace('" "', "") else f"({text})"

    def _copies(self, node: Repetition) -> Iterator[str]:
        item = self._operand(node.item)
        if (node.high or node.low) > MAX_COPIES:
            self.grammar.fail(Message(messages.EBNF_REPEAT, item=show(node), most=MAX_COPIES), node.span)
        if node.high is None:
            yield from [item] * max(0, node.low - 1)
            yield f"{item}{'+' if node.low else '*'}"
            return
        yield from [item] * node.low
        optional = ""
        for _ in range(node.high - node.low):
            optional = f"({item} {optional})?" if optional else f"{item}?"
        if optional or not node.high:
            yield optional or '""'

    def _operand(self, node: Node) -> str:
        """Return *node* as an item that has no operator yet."""
        text = self._item(node)
        return f"({text})" if text[-1] in "?*+" else text


def _is_sequence(node: Node) -> bool:
    return isinstance(node, Repetition | Series | Text)


def _joined(node: Node) -> list[Ranges | str]:
    """Return the values of *node* one after another; characters of which only one is allowed, as strings."""
    found: list[Ranges | str] = []
    for value in values_of(node):
        ((low, high), *more) = value
        single = not more and low == high and 0x20 <= low <= 0x7E and low != 0x22
        if not single:
            found.append(value)
        elif found and isinstance(found[-1], str):
            found[-1] += chr(low)
        else:
            found.append(chr(low))
    return found


def _characters(value: Ranges | str) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    parts = [part for low, high in value for part in _without_surrogates(low, high)]
    if len(parts) == 1 and parts[0][0] == parts[0][1]:
        return f"#x{parts[0][0]:X}"
    return f"[{''.join(_part(*part) for part in parts)}]"


def _without_surrogates(low: int, high: int) -> list[tuple[int, int]]:
    around = [(low, min(high, SURROGATES.start - 1)), (max(low, SURROGATES.stop), high)]
    return [(first, last) for first, last in around if first <= last]


def _part(low: int, high: int) -> str:
    plain = all(chr(each).isascii() and chr(each).isalnum() for each in (low, high))
    first, last = (chr(low), chr(high)) if plain else (f"#x{low:X}", f"#x{high:X}")
    return first if low == high else f"{first}-{last}"
