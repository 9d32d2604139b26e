"""Coverage: a grammar and a corpus in, the rules, alternatives and values (bytes, code points) that it uses out.

The trees come from ``linear``. Where the start rule is ``*( X )`` and the words of X are a prefix code, as in UTF-8,
the corpus is cut into words, and each different word is parsed once: linear time, and memory for the words only.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.show import show_ranges
from utf8_abnf.errors import ParseError
from utf8_abnf.grammar.analysis import repeated_prefix_code
from utf8_abnf.grammar.model import walk
from utf8_abnf.grammar.syntax import Range, Series, Text, show
from utf8_abnf.grammar.values import MAX_BYTE, MAX_CODE_POINT, SURROGATES, UTF8, joined, values_of
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import padded, say
from utf8_abnf.language.notation import code_point_range, rule_label
from utf8_abnf.parsers.linear import TreeParser

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from typing_extensions import Buffer

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule
    from utf8_abnf.grammar.values import Ranges
    from utf8_abnf.parsers.tree import Tree

MAX_WORDS = 50_000  # different words that are counted before they are parsed


@dataclass(frozen=True, slots=True)
class LiteralCoverage:
    """A literal of an alternative, as it is written, with its values that occurred and its values that did not.

    They are ranges, both ends included: of code points where the grammar's values are code points, else of bytes. A
    value that two literals of one alternative allow counts for both.
    """

    text: str
    seen: Ranges
    missing: Ranges


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
    """What a corpus uses of a grammar: *inputs* were read, and *refused* of them the grammar does not derive.

    *code_points*: values are code points, not bytes.
    """

    inputs: int
    refused: int
    alternatives: tuple[AlternativeCoverage, ...]
    code_points: bool = False

    @property
    def unused(self) -> tuple[AlternativeCoverage, ...]:
        """The alternatives that did not occur."""
        return tuple(each for each in self.alternatives if not each.count)

    def to_text(self) -> str:
        """Return a table: for each alternative its count, place and text; below it the missing values by literal.

        The words in it are in the chosen language.
        """
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
                        {"text": one.text, "seen": self._shown(one.seen), "missing": self._shown(one.missing)}
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
        seen = sum(_count(one.seen) for one in literals)
        values = seen + sum(_count(one.missing) for one in literals)
        yield say(
            messages.COVERED_CODE_POINTS if self.code_points else messages.COVERED_BYTES,
            rules=len(used),
            all_rules=len(rules),
            alternatives=len(self.alternatives) - len(self.unused),
            all_alternatives=len(self.alternatives),
            seen=seen,
            values=values,
            inputs=self.inputs,
            refused=self.refused,
        )
        for each in self.alternatives:
            label = rule_label(each.rule, each.number)
            place = say(messages.LINE, line=each.line) if each.line else say(messages.CORE)
            yield f"{each.count:>10}  {padded(place, 9)} {label:<20} {each.text}".rstrip()
            for one in each.literals if each.count else ():
                if one.missing:
                    yield f"{'':>10}  {say(messages.MISSING_VALUES, item=one.text, values=self._shown(one.missing))}"

    def _shown(self, ranges: Ranges) -> str:
        return ", ".join(code_point_range(*each) for each in ranges) if self.code_points else show_ranges(ranges)


def coverage(grammar: Grammar, inputs: Iterable[Buffer], start: str | None = None) -> Coverage:
    r"""Return which alternatives and values of the rules that *start* (default: the first rule) uses occur in *inputs*.

    Each input is bytes-like, for instance an ``mmap``. An input that *start* does not derive is refused: then nothing
    of it counts or, in a sequence of words, what comes before the first ill-formed word. ``GrammarError`` if the
    grammar cannot be used.

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
    return Coverage(total, refused, tuple(counter.alternatives()), grammar.values == UTF8)


class _Counter:
    def __init__(self, grammar: Grammar, start: Rule) -> None:
        self.grammar = grammar
        self.start = start
        self.uses: Counter[tuple[str, int]] = Counter()
        self.seen: dict[tuple[str, int], set[int]] = {}  # values
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
        seen = joined([(value, value) for value in self.seen.get((rule.name, number), ())])
        literals = tuple(
            LiteralCoverage(show(each), _common(whole, seen), _common(whole, _others(seen)))
            for each in walk(node)
            if isinstance(each, Range | Series | Text)
            for whole in [self._values(each)]
        )
        line = 0 if rule.core else self.grammar.position(node.span)[0]
        return AlternativeCoverage(rule.name, number, show(node), line, self.uses[rule.name, number], literals)

    def _values(self, node: Range | Series | Text) -> Ranges:
        """Return the values that *node* allows anywhere, those left out that no byte or no UTF-8 stands for."""
        ranges = joined([each for value in values_of(node) for each in value])
        if self.grammar.values == UTF8:
            return _common(ranges, ((0, SURROGATES.start - 1), (SURROGATES.stop, MAX_CODE_POINT)))
        return _common(ranges, ((0, MAX_BYTE),))

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
            seen = self.seen.setdefault(key, set())
            at = node.start
            for child in node.children:
                seen.update(self._read(data[at : child.start]))
                at = child.end
            seen.update(self._read(data[at : node.end]))

    def _read(self, data: bytes) -> Iterable[int]:
        return map(ord, data.decode()) if self.grammar.values == UTF8 else data


def _common(left: Ranges, right: Ranges) -> Ranges:
    """Return the values that are in both."""
    both = [(max(low, first), min(high, last)) for low, high in left for first, last in right]
    return tuple(sorted((low, high) for low, high in both if low <= high))


def _others(ranges: Ranges) -> Ranges:
    """Return the values that are not in *ranges*."""
    edges = [-1, *(edge for pair in ranges for edge in pair), MAX_CODE_POINT + 1]
    gaps = zip(edges[::2], edges[1::2], strict=True)
    return tuple((low + 1, high - 1) for low, high in gaps if low + 1 < high)


def _count(ranges: Ranges) -> int:
    return sum(high - low + 1 for low, high in ranges)
