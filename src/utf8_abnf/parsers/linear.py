"""The parse tree by automata: any grammar and bytes in, the tree of the reference parser out, of inputs of any size.

If the grammar has no recursion, three linear passes find the derivation (``utf8_abnf.automaton.derivation``). In a
recursive grammar, ``utf8_abnf.automaton.earley`` first finds which pieces the called rules derive. Then each use of a
called rule is a piece of its own, in which the bytes between the calls are followed in the same manner.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton.circular import Circular
from utf8_abnf.automaton.derivation import Tracer
from utf8_abnf.automaton.earley import Chart, Ends, Recogniser
from utf8_abnf.automaton.explain import Explainer
from utf8_abnf.automaton.network import called_rules
from utf8_abnf.automaton.nfa import compile_nfa
from utf8_abnf.errors import ParseError
from utf8_abnf.parsers.growing import Piece, grown

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from utf8_abnf.automaton.derivation import Path
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.parsers.tree import Tree

NOWHERE = Ends(lambda _rule, _start: [], b"")


def parse_tree(grammar: Grammar, data: bytes, start: str | None = None) -> Tree:
    r"""Return the tree by which *grammar* derives *data* from rule *start* (its first by default).

    Time is linear in *data* if it has one derivation, as it always has in UTF-8, and in JSON. Memory: two bytes for
    each byte of *data*, where the grammar is recursive some hundred for each use of a recursive rule, and the nodes
    that the caller keeps. In a node over more than 16 KiB, ``children`` is a sequence that makes the nodes
    again each time; it compares equal to a tuple of them.

    Raises ``ParseError`` with the offset of the first byte that is not allowed; ``GrammarError`` for a grammar that
    cannot be used; ``UndecidedError`` for an ambiguous input that is too long to choose a derivation.

    >>> from utf8_abnf.grammar import Grammar
    >>> print(parse_tree(Grammar.load("utf8"), "é".encode()).to_text("é".encode()))
    UTF8-octets              0..2  C3 A9
      UTF8-char/2            0..2  C3 A9  U+00E9
        UTF8-2               0..2  C3 A9  U+00E9
          UTF8-tail          1..2  A9
    """
    return replace(TreeParser(grammar, start).parse(data), data=bytes(data))


class Fork(NamedTuple):
    """A use of a rule, and its bytes, that the grammar derives in several ways."""

    rule: str
    start: int
    end: int


class TreeParser:
    """Parses many inputs with one grammar; the compiled grammar is kept.

    With *forks*, ``fork`` is the shortest piece of the input with several derivations that was found, if it has any.
    """

    def __init__(self, grammar: Grammar, start: str | None = None, *, forks: bool = False) -> None:
        grammar.check(start)
        self.grammar = grammar
        self.start = grammar[start or grammar.start].name
        self.calls = called_rules(grammar, start)
        self.forks = forks
        self.fork: Fork | None = None
        self._tracers: dict[tuple[str, AbstractSet[str]], Tracer] = {}
        self._recogniser = Recogniser(grammar, start) if self.calls else None
        self._circular = Circular(self._recogniser, self.tracer) if self._recogniser else None
        self.tracer(self.start, self._recogniser.nullable if self._recogniser else frozenset())

    def parse(self, data: bytes) -> Tree:
        """Return the tree of *data*; ``ParseError`` if the grammar does not derive it."""
        data = bytes(data)
        text = self._read(data)
        if text is None:
            problem = self._explainer.explain(data)
            assert problem is not None
            raise ParseError(problem.message, offset=problem.offset, expected=problem.expected)
        self.fork = None
        return grown(text, Piece(self.start, 0, len(data)))

    def accepts(self, data: bytes) -> bool:
        """Return whether the grammar derives *data*."""
        return self._read(bytes(data)) is not None

    def forked(self, rule: str, start: int, end: int) -> None:
        """Keep the shortest of the pieces with several derivations that are found in one input."""
        if self.fork is None or end - start < self.fork.end - self.fork.start:
            self.fork = Fork(rule, start, end)

    def tracer(self, rule: str, skipped: AbstractSet[str]) -> Tracer:
        """Return the tracer of *rule*; calls of the rules *skipped* may read nothing in it."""
        key = rule.lower(), skipped
        if key not in self._tracers:
            nfa = compile_nfa(self.grammar, rule, marks=True, calls=self.calls)
            self._tracers[key] = Tracer(nfa, file=self.grammar.file, skipped=skipped)
        return self._tracers[key]

    def within(self, chart: Chart | None, data: bytes, piece: Piece) -> tuple[Tracer, Ends]:
        """Return the tracer of *piece*, and where rules that it calls can end."""
        rule, start, end, around = piece
        if chart is None or self._circular is None:
            return self.tracer(rule, frozenset()), NOWHERE
        if rule.lower() in self._circular.rules:
            self.forked(rule, start, end)
        return self._circular.within(chart, data, rule.lower(), start, end, around)

    def _read(self, data: bytes) -> Text | None:
        """Return the input *data*, or None if the grammar does not derive it."""
        if not self._recogniser:
            path = self.tracer(self.start, frozenset()).trace(data)
            return None if path is None else Text(self, data, None)
        chart = self._recogniser.read(data)
        return None if chart.refused else Text(self, data, chart)

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self.grammar, self.start)


class Text:
    """An input that the grammar derives, and its chart if the grammar is recursive."""

    def __init__(self, parser: TreeParser, data: bytes, chart: Chart | None) -> None:
        self.forks = parser.forks
        self.forked = parser.forked
        self._parser = parser
        self._data = data
        self._view = memoryview(data)
        self._chart = chart

    def name(self, rule: str) -> str:
        """Return the name of *rule* as the grammar first writes it."""
        return self._parser.grammar[rule].name

    def path(self, piece: Piece) -> Path:
        """Return the derivation of *piece*."""
        _, start, end, _ = piece
        tracer, ends = self._parser.within(self._chart, self._data, piece)
        path = tracer.trace(self._view[start:end], start) or tracer.follow(self._data, start, end, ends)
        assert path is not None
        return path
