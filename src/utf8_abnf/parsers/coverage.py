"""Coverage: a grammar and a corpus in, the rules, alternatives and bytes that the corpus uses out.

The trees come from ``linear``. Where the start rule is ``*( X )`` and the words of X are a prefix code, as in UTF-8,
the corpus is cut into words, and each different word is parsed once: linear time, and memory for the words only.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.show import byte_ranges, show_ranges
from utf8_abnf.errors import ParseError
from utf8_abnf.grammar.analysis import repeated_prefix_code
from utf8_abnf.grammar.model import walk
from utf8_abnf.grammar.syntax import Range, Series, Text, show
from utf8_abnf.grammar.values import byte_strings, mask_of
from utf8_abnf.notation import rule_label
from utf8_abnf.parsers.linear import TreeParser

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from typing_extensions import Buffer

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule
    from utf8_abnf.parsers.tree import Tree

MAX_WORDS = 50_000  # different words that are counted before they are parsed


@dataclass(frozen=True, slots=True)
class LiteralCoverage:
    """A literal of an alternative, as it is written, with its bytes that occurred and its bytes that did not.

    A byte that two literals of one alternative allow counts for both.
    """

    text: str
    seen: bytes
    missing: bytes


@dataclass(frozen=True, slots=True)
class AlternativeCoverage:
    """An alternative of a rule. *number* is as in ``Tree``, 0 for the only one; *count* is how often it was used.

    *line* is 0 for a core rule, which the grammar's text does not define.
    """

    rule: str
    number: int
    text: str
    line: int
    count: int
    literals: tuple[LiteralCoverage, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a corpus uses of a grammar: *inputs* were read, and *refused* of them the grammar does not derive."""

    inputs: int
    refused: int
    alternatives: tuple[AlternativeCoverage, ...]

    @property
    def unused(self) -> tuple[AlternativeCoverage, ...]:
        """The alternatives that did not occur."""
        return tuple(each for each in self.alternatives if not each.count)

    def to_text(self) -> str:
        """Return a table: for each alternative its count, place and text, and below it the missing bytes by literal."""
        return "\n".join(self._lines()) + "\n"

    def to_json(self) -> dict[str, Any]:
        """Return inputs, refused, and the alternatives with their literals, as a value for ``json.dumps``."""
        return {
            "inputs": self.inputs,
            "refused": self.refused,
            "alternatives": [
                {
                    "rule": each.rule,
                    "alternative": each.number,
                    "text": each.text,
                    "line": each.line,
                    "count": each.count,
                    "literals": [
                        {"text": one.text, "seen": _ranges(one.seen), "missing": _ranges(one.missing)}
                        for one in each.literals
                    ],
                }
                for each in self.alternatives
            ],
        }

    def _lines(self) -> Iterator[str]:
        rules = {each.rule for each in self.alternatives}
        used = {each.rule for each in self.alternatives if each.count}
        literals = [one for each in self.alternatives for one in each.literals]
        seen = sum(len(one.seen) for one in literals)
        values = seen + sum(len(one.missing) for one in literals)
        yield (
            f"{len(used)} of {len(rules)} rules, {len(self.alternatives) - len(self.unused)} of "
            f"{len(self.alternatives)} alternatives, {seen} of {values} byte values; "
            f"{self.inputs} inputs, {self.refused} of them refused"
        )
        for each in self.alternatives:
            label = rule_label(each.rule, each.number)
            place = f"line {each.line}" if each.line else "core"
            yield f"{each.count:>10}  {place:<9} {label:<20} {each.text}".rstrip()
            for one in each.literals if each.count else ():
                if one.missing:
                    yield f"{'':>10}  {one.text}: missing {_ranges(one.missing)}"


def coverage(grammar: Grammar, inputs: Iterable[Buffer], start: str | None = None) -> Coverage:
    r"""Return which alternatives and bytes of the rules that *start* (default: the first rule) uses occur in *inputs*.

    Each input is bytes-like, for instance an ``mmap``. An input that *start* does not derive is refused: then nothing
    of it counts or, in a sequence of words, what comes before the first ill-formed word. Raises what
    ``compile_grammar`` raises.

    >>> from utf8_abnf.grammar import Grammar
    >>> found = coverage(Grammar.load("utf8"), [b"abc", "é".encode(), b"\xff"])
    >>> found.refused, [each.rule for each in found.unused]
    (1, ['UTF8-char', 'UTF8-char', 'UTF8-3', 'UTF8-3', 'UTF8-3', 'UTF8-3', 'UTF8-4', 'UTF8-4', 'UTF8-4'])
    """
    counter = _Counter(grammar, grammar[start or grammar.start])
    total = refused = 0
    for data in inputs:
        total += 1
        refused += not counter.add(data)
    return Coverage(total, refused, tuple(counter.alternatives()))


class _Counter:
    def __init__(self, grammar: Grammar, start: Rule) -> None:
        self.grammar = grammar
        self.start = start
        self.uses: Counter[tuple[str, int]] = Counter()
        self.bytes: dict[tuple[str, int], int] = {}  # as masks
        self.words: Counter[bytes] = Counter()
        self.parser = TreeParser(grammar, start.name)
        loop = repeated_prefix_code(grammar, start)
        endless = loop is not None and loop.low == 0 and loop.high is None
        self.automaton = compile_grammar(grammar, start.name) if endless else None

    def add(self, data: Buffer) -> bool:
        """Count an input; return whether the grammar derives it."""
        if self.automaton is None:
            try:
                whole = bytes(data)
                self._count(self.parser.parse(whole), whole, 1)
            except ParseError:
                return False
            return True
        self.uses[self.start.name, 0] += 1
        return self._cut(memoryview(data).cast("B"), self.automaton)

    def alternatives(self) -> Iterator[AlternativeCoverage]:
        self._count_words()
        reachable = {rule.name for rule in self.grammar.reachable(self.start.name)}
        for rule in (rule for rule in self.grammar.rules.values() if rule.name in reachable):
            for number, node in enumerate(rule.alternatives, start=1):
                yield self._alternative(rule, number if len(rule.alternatives) > 1 else 0, node)

    def _alternative(self, rule: Rule, number: int, node: Node) -> AlternativeCoverage:
        seen = self.bytes.get((rule.name, number), 0)
        literals = tuple(
            LiteralCoverage(show(each), _members(mask & seen), _members(mask & ~seen))
            for each in walk(node)
            if isinstance(each, Range | Series | Text)
            for mask in [
                _union(mask_of(ranges) for string in byte_strings(each, self.grammar.values) for ranges in string)
            ]
        )
        line = 0 if rule.core else self.grammar.position(node.span)[0]
        return AlternativeCoverage(rule.name, number, show(node), line, self.uses[rule.name, number], literals)

    def _cut(self, data: memoryview, automaton: Automaton) -> bool:
        """Count the words of *data*: in a prefix code, a word ends at the first accepting state."""
        rows, accepting, dead = automaton.rows, automaton.accepting, automaton.dead
        state, first = automaton.start, 0
        for end, byte in enumerate(data, start=1):
            state = rows[state][byte]
            if state in accepting:
                self.words[bytes(data[first:end])] += 1
                first = end
                if len(self.words) > MAX_WORDS:
                    self._count_words()
            elif state in dead:
                return False
        return first == len(data)

    def _count_words(self) -> None:
        for word, times in self.words.items():
            for child in self.parser.parse(word).children:
                self._count(child, word, times)
        self.words.clear()

    def _count(self, tree: Tree, data: bytes, times: int) -> None:
        for _, node in tree.walk():
            key = (node.rule, node.alternative)
            self.uses[key] += times
            at, mask = node.start, 0
            for child in node.children:
                mask |= _union(1 << byte for byte in data[at : child.start])
                at = child.end
            self.bytes[key] = self.bytes.get(key, 0) | mask | _union(1 << byte for byte in data[at : node.end])


def _union(masks: Iterable[int]) -> int:
    whole = 0
    for mask in masks:
        whole |= mask
    return whole


def _members(mask: int) -> bytes:
    return bytes(byte for byte in range(0x100) if mask >> byte & 1)


def _ranges(members: bytes) -> str:
    """Return *members* as ranges: ``80..8F, A0``."""
    return show_ranges(byte_ranges(members))
