"""Write random sentences of a ``Grammar``, and inputs that it does not derive, one edit away from a sentence."""

from __future__ import annotations

from math import inf
from random import Random
from typing import TYPE_CHECKING

from utf8_abnf.errors import TooLargeError
from utf8_abnf.grammar.model import settled, walk
from utf8_abnf.grammar.syntax import (
    Alternation,
    Concatenation,
    Group,
    Option,
    Range,
    Ref,
    Repetition,
    Series,
    Text,
    fold,
)
from utf8_abnf.grammar.values import MAX_BYTE, MAX_CODE_POINT, SURROGATES, UTF8, values_of
from utf8_abnf.parsers.linear import TreeParser

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Node

    _Step = tuple[Node, int]  # a node that has still to be written; how many uses of rules may be within each other

MAX_BYTES = 1 << 15  # of a sentence
SOFT_BYTES = 200  # behind them, a sentence takes the shortest way to its end
DEPTH = 8  # uses of rules within each other, before it does so
MAX_TRIES = 50  # edits of one sentence, and sentences in a row that are known already


class Deriver:
    """Writes sentences of *grammar* from the rule *start*. ``GrammarError`` if the grammar cannot be used.

    >>> from utf8_abnf.grammar import Grammar
    >>> Deriver(Grammar.parse('a = "(" [ a ] ")"')).derive(lambda count: 0)
    b'()'
    """

    def __init__(self, grammar: Grammar, start: str | None = None) -> None:
        grammar.check(start)
        self.grammar = grammar
        self.start = grammar[start or grammar.start]
        self._heights = settled(grammar.reachable(start), lambda node, rules: 1 + _height(node, rules), inf)
        if self._heights[self.start.name.lower()] == inf:
            grammar.fail(f"rule {self.start.name} derives no sentence: it never ends", self.start.span)

    def derive(self, pick: Callable[[int], int]) -> bytes:
        """Return a sentence; *pick* chooses a number below its argument.

        ``TooLargeError`` if the sentence would have more than ``MAX_BYTES`` bytes.
        """
        made = bytearray()
        stack = [(self.start.definition, DEPTH)]
        while stack:
            node, left = stack.pop()
            self._expand(node, 0 if len(made) > SOFT_BYTES else left, pick, made, stack)
            if len(made) + len(stack) > MAX_BYTES:
                raise TooLargeError(f"a sentence has more than {MAX_BYTES:,} bytes", file=self.grammar.file)
        return bytes(made)

    def _expand(self, node: Node, left: int, pick: Callable[[int], int], made: bytearray, stack: list[_Step]) -> None:
        match node:
            case Ref(name=name):
                stack.append((self.grammar[name].definition, left - 1))
            case Group(item=item):
                stack.append((item, left))
            case Concatenation(items=items):
                stack.extend((item, left) for item in reversed(items))
            case Alternation(items=items):
                heights = [_height(item, self._heights) for item in items]
                if left <= 0:
                    stack.append((items[heights.index(min(heights))], left))
                else:
                    possible = [item for item, height in zip(items, heights, strict=True) if height < inf]
                    stack.append((possible[pick(len(possible))], left))
            case Option(item=item):
                if left > 0 and _height(item, self._heights) < inf and pick(2):
                    stack.append((item, left))
            case Repetition():
                stack.extend([(node.item, left)] * self._count(node, left, pick))
            case _:
                self._write(node, pick, made)

    def _count(self, node: Repetition, left: int, pick: Callable[[int], int]) -> int:
        count = node.low
        if left > 0 and _height(node.item, self._heights) < inf and node.low < MAX_BYTES:
            count += pick(3)
        count = count if node.high is None else min(count, node.high)
        if count > MAX_BYTES:
            self.grammar.fail(f"a sentence needs {count} items here, more than {MAX_BYTES:,}", node.span)
        return count

    def _write(self, node: Node, pick: Callable[[int], int], made: bytearray) -> None:
        for value in values_of(node):
            ranges = [part for low, high in value for part in self._without_surrogates(low, high)]
            low, high = ranges[pick(len(ranges)) if len(ranges) > 1 else 0]
            kind = pick(4) if low < high else 0  # ends of ranges are where mistakes are
            chosen = (low, high)[kind] if kind < 2 else low + pick(high - low + 1)
            made += chr(chosen).encode() if self.grammar.values == UTF8 else bytes([chosen])

    def _without_surrogates(self, low: int, high: int) -> list[tuple[int, int]]:
        if self.grammar.values != UTF8:
            return [(low, high)]
        around = [(low, min(high, SURROGATES.start - 1)), (max(low, SURROGATES.stop), high)]
        return [(first, last) for first, last in around if first <= last]


def _height(node: Node, rules: Mapping[str, float]) -> float:
    """Return how deep the flattest derivation of *node* is, given that of each rule in *rules*."""

    def leaf(node: Node) -> float:
        return rules[node.name.lower()] if isinstance(node, Ref) else 0

    def repeated(low: int, high: int | None, height: float) -> float:
        return height if low else 0

    found: float = fold(node, leaf, sequence=max, choice=min, repeated=repeated)
    return found


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
    parser, inputs = TreeParser(grammar, start), dict[bytes, None]()
    chance = Random(seed)  # noqa: S311  # not for secrets
    letters = letters_near(grammar, start)
    for word in words:
        for _ in range(MAX_TRIES):
            wrong = edited(grammar, word, letters, chance.randrange)
            if wrong not in inputs and not parser.accepts(wrong):
                inputs[wrong] = None
                break
    return list(inputs)


def letters_near(grammar: Grammar, start: str | None = None) -> list[bytes]:
    """Return bytes or characters at the ends of what the terminals allow, and their neighbours, in ascending order."""
    ends = {
        end
        for rule in grammar.reachable(start)
        for node in walk(rule.definition)
        if isinstance(node, Range | Series | Text)
        for value in values_of(node)
        for pair in value
        for end in pair
    }
    near = sorted({max(end + by, 0) for end in ends or {0} for by in (-1, 0, 1)})
    if grammar.values == UTF8:
        return [chr(each).encode() for each in near if each <= MAX_CODE_POINT and each not in SURROGATES]
    return [bytes([each]) for each in near if each <= MAX_BYTE]


def edited(grammar: Grammar, word: bytes, letters: list[bytes], pick: Callable[[int], int]) -> bytes:
    """Return *word* after one edit at a place that *pick* chooses; *letters* are what may be written there."""
    is_wide = grammar.values == UTF8
    units = [char.encode() for char in word.decode()] if is_wide else [bytes([byte]) for byte in word]
    at = pick(len(units) + 1)
    kinds = ("insert", "replace", "delete") if at < len(units) else ("insert",)
    kind = kinds[pick(len(kinds))]
    new = [] if kind == "delete" else [letters[pick(len(letters))]]
    return b"".join([*units[:at], *new, *units[at + (kind != "insert") :]])
