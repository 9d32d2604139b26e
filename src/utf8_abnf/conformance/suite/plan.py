"""Plans the suites of a grammar: its automaton, V, W, the oracle, and the rule that a case exercises."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from utf8_abnf.automaton import compile_grammar, separating_words
from utf8_abnf.automaton.depth import beyond
from utf8_abnf.automaton.earley import Recogniser
from utf8_abnf.conformance.suite.blocks import frames
from utf8_abnf.conformance.suite.oracle import Oracle
from utf8_abnf.conformance.suite.samples import access, refused, separating
from utf8_abnf.conformance.suite.words import Track, identifying, prefix_closed, suffix_closed, tracks
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.syntax import Concatenation, Range
from utf8_abnf.language.notation import rule_label

if TYPE_CHECKING:
    from utf8_abnf.conformance.suite.blocks import Block
    from utf8_abnf.validator.ill_formed import IllFormed

MAX_SMALL = 50_000  # words of V·W: above, a state is not asked for all of W
CHARACTER_RULES = ("UTF8-1", "UTF8-2", "UTF8-3", "UTF8-4")


class Plan:
    """What the suites for rule *start* of *grammar* share. Call ``plan``: it makes each plan once and keeps it.

    *cover* and *separating* are words of the rule, from *corpus* where it has some.
    """

    def __init__(self, grammar: Grammar, start: str | None, corpus: tuple[bytes, ...] = ()) -> None:
        self.grammar = grammar
        self.start = start or grammar.start
        self.corpus = corpus
        self.automaton = compile_grammar(grammar, start)
        self.too_deep = beyond(grammar, self.start)
        self.refused = refused(corpus, self.automaton, grammar, self.start)
        words = [word for word in corpus if self.automaton.accepts(word)]  # others are wrong, or too deep
        self.cover = prefix_closed(access(self.automaton, words))
        self.separating = suffix_closed(
            separating(self.automaton, words) if words else separating_words(self.automaton)
        )

    @cached_property
    def identifiers(self) -> tuple[tuple[bytes, ...], ...] | None:
        """H: for each state the words that identify it, in place of W where V·W is large; else None."""
        is_large = len(self.cover) * len(self.separating) > MAX_SMALL
        return identifying(self.automaton, self.separating) if is_large else None

    @cached_property
    def is_utf8(self) -> bool:
        """Whether the language is UTF-8's: then every family applies, otherwise only the families of the W method."""
        return self is plan() or (self.automaton == plan().automaton and not self.corpus)

    @cached_property
    def oracle(self) -> Oracle:
        """The right answers."""
        return Oracle(self.automaton)

    @cached_property
    def _deep_oracle(self) -> Oracle | None:
        return Oracle(self.too_deep) if self.too_deep else None

    @cached_property
    def _recogniser(self) -> Recogniser:
        return Recogniser(self.grammar, self.start)

    def accepts(self, data: bytes) -> bool:
        """Tell whether the grammar derives *data*, at any depth."""
        if self.oracle.accepts(data):
            return True
        return bool(self.too_deep and self.too_deep.accepts(data)) and self._recogniser.read(data).refused is None

    def frames(self, block: Block) -> tuple[bytes, bytes]:
        """Return the words of *block* as frames, and ``1`` or ``0`` for each."""
        made, verdicts = frames(self.oracle, block)
        if self._deep_oracle is None:
            return made, verdicts
        right = bytearray(verdicts)
        for number, is_deep in enumerate(frames(self._deep_oracle, block)[1]):
            if is_deep == ord("1"):
                right[number] = ord("1") if self.accepts(block.data(number)) else ord("0")
        return made, bytes(right)

    @cached_property
    def tracks(self) -> tuple[Track, ...]:
        """The byte ranges of each of the nine alternatives. Only for UTF-8."""
        return tracks(self.automaton)

    @cached_property
    def _rule_of_lead(self) -> dict[int, str]:
        """The rule and alternative of each first byte of a character, as ``UTF8-3/3``."""
        labels = {}
        for name in CHARACTER_RULES:
            alternatives = plan().grammar[name].alternatives
            for number, alternative in enumerate(alternatives, 1):
                first = alternative.items[0] if isinstance(alternative, Concatenation) else alternative
                assert isinstance(first, Range)
                shown = rule_label(name, number if len(alternatives) > 1 else 0)
                labels.update(dict.fromkeys(range(first.low, first.high + 1), shown))
        return labels

    def rule(self, data: bytes, error: IllFormed | None) -> str:
        """Return the rule and alternative that *data* exercises: where it goes wrong, else its last character's."""
        if not self.is_utf8:
            return self.start
        if not data:
            return "UTF8-octets"
        if error is not None:
            return self._rule_of_lead.get(data[error.start], "UTF8-char")
        lead = next(byte for byte in reversed(data) if byte in self._rule_of_lead)
        return self._rule_of_lead[lead]


@lru_cache(maxsize=8)
def _plan(grammar: Grammar | None, start: str | None) -> Plan:
    return Plan(grammar or Grammar.load("utf8"), start)


_sampled: WeakKeyDictionary[Grammar, dict[str | None, Plan]] = WeakKeyDictionary()


def sample(grammar: Grammar, start: str | None, corpus: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Let the suites for rule *start* of *grammar* be made with the words of *corpus* from here on, or with none.

    Return the words of the corpus that *grammar* does not derive; ``UsageError`` if words are too many or too long.
    """
    if not corpus:
        _sampled.get(grammar, {}).pop(start, None)
        return ()
    made = _sampled.setdefault(grammar, {})[start] = Plan(grammar, start, corpus)
    return made.refused


def plan(grammar: Grammar | None = None, start: str | None = None) -> Plan:
    """Return the plan for rule *start* of *grammar*: UTF-8's by default.

    >>> [word.hex(" ") for word in plan().separating]
    ['', '80', '80 80', 'a0 80', '80 80 80', '90 80 80']
    """
    if grammar is not None and start in _sampled.get(grammar, {}):
        return _sampled[grammar][start]
    return _plan(grammar, start)
