"""Parse bytes of any size by automata; return the ``Tree`` of the reference parser.

If the grammar has no recursion, three linear passes find the derivation (``utf8_abnf.automaton.derivation``). In a
recursive grammar, ``utf8_abnf.automaton.earley`` first finds which pieces the called rules derive. Then each use of a
called rule is a piece of its own, in which the bytes between the calls are followed in the same manner.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from utf8_abnf.automaton.derivation import Call, Mark, Tracer
from utf8_abnf.automaton.earley import Recogniser
from utf8_abnf.automaton.explain import Explainer
from utf8_abnf.automaton.network import called_rules
from utf8_abnf.automaton.ways import CLOSE
from utf8_abnf.errors import ParseError, UndecidedError
from utf8_abnf.grammar.nfa import compile_nfa
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import Message
from utf8_abnf.parsers.tree import Nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.automaton.derivation import Path
    from utf8_abnf.automaton.earley import Chart
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.parsers.tree import Tree


def parse_tree(grammar: Grammar, data: bytes, start: str | None = None) -> Tree:
    r"""Return the tree by which *grammar* derives *data* from rule *start* (its first by default).

    Time is linear in *data* if it has one derivation, as it always has in UTF-8, and in JSON. The tree takes 28 bytes
    for each node; ``children`` is a sequence that makes the nodes again each time, and compares equal to a tuple.

    Raises ``ParseError`` with the offset of the first byte that is not allowed; ``GrammarError`` for a grammar that
    cannot be used; ``UndecidedError`` for an ambiguous input that is too long to choose a derivation, and for a rule
    that derives itself alone, as ``a = a / "x"`` does: it has endlessly many trees.

    >>> from utf8_abnf.grammar import Grammar
    >>> print(parse_tree(Grammar.load("utf8"), "é".encode()).to_text("é".encode()))
    UTF8-octets              0..2  C3 A9
      UTF8-char/2            0..2  C3 A9  U+00E9
        UTF8-2               0..2  C3 A9  U+00E9
          UTF8-tail          1..2  A9
    """
    return TreeParser(grammar, start).parse(data)


class TreeParser:
    """Parses many inputs with one grammar; the compiled grammar is kept.

    *fork* is the offset at which another derivation of the last input parts from the one in its tree; None if there is
    no other one.
    """

    def __init__(self, grammar: Grammar, start: str | None = None) -> None:
        grammar.check(start)
        self.grammar = grammar
        self.start = grammar[start or grammar.start].name.lower()
        self.calls = called_rules(grammar, start)
        self.fork: int | None = None
        self._tracers: dict[str, Tracer] = {}
        self._recogniser = Recogniser(grammar, start) if self.calls else None
        self._tracer(self.start)

    def parse(self, data: bytes) -> Tree:
        """Return the tree of *data*; ``ParseError`` if the grammar does not derive it."""
        data, self.fork = bytes(data), None
        chart = self._recogniser.read(data) if self._recogniser else None
        whole = Call(self.start, 0, len(data))
        path = None if chart and chart.refused else self._path(chart, data, whole)
        if path is None:
            problem = self._explainer.explain(data)
            assert problem is not None
            raise ParseError(problem.message, offset=problem.offset, expected=problem.expected)
        return self._grown(chart, data, path)

    def accepts(self, data: bytes) -> bool:
        """Return whether the grammar derives *data*."""
        if self._recogniser:
            return self._recogniser.read(bytes(data)).refused is None
        return self._tracer(self.start).trace(bytes(data)) is not None

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self.grammar, self.start)

    def _tracer(self, rule: str) -> Tracer:
        if rule not in self._tracers:
            nfa = compile_nfa(self.grammar, rule, marks=True, calls=self.calls)
            skipped = self._recogniser.nullable if self._recogniser else frozenset[str]()
            self._tracers[rule] = Tracer(nfa, file=self.grammar.file, skipped=skipped)
        return self._tracers[rule]

    def _path(self, chart: Chart | None, data: bytes, piece: Call) -> Path | None:
        """Return the derivation of *piece*, or None if the grammar does not derive it."""
        tracer = self._tracer(piece.rule)
        if chart is None or self._recogniser is None:
            return tracer.trace(data)
        if piece.rule in self._recogniser.network.circular:
            raise UndecidedError(Message(messages.CIRCULAR, rule=self.grammar[piece.rule].name))
        inside = memoryview(data)[piece.start : piece.end]
        return tracer.trace(inside, piece.start) or tracer.follow(data, piece.start, piece.end, chart)

    def _grown(self, chart: Chart | None, data: bytes, path: Path) -> Tree:
        """Return the tree whose derivation is *path*. Where a rule is called, the path of that piece is followed."""
        nodes, opened = Nodes(), list[int]()
        marks, together, at = path.marks(), iter(tuple[Mark, ...]()), 0
        waiting: list[tuple[Path, Iterator[tuple[int, tuple[Mark, ...]]], Iterator[Mark], int]] = []
        while True:
            for mark in together:
                if mark == CLOSE:
                    nodes.close(opened.pop(), at)
                elif isinstance(mark, int):
                    opened.append(nodes.open(path.tracer.choices[mark], at))
                else:
                    waiting.append((path, marks, together, at))
                    following = self._path(chart, data, mark)
                    assert following is not None
                    path = following
                    marks, together, at = path.marks(), iter(tuple[Mark, ...]()), mark.start
                    break
            else:
                if (step := next(marks, None)) is not None:
                    at, together = step[0], iter(step[1])
                    continue
                if path.fork is not None:
                    self.fork = path.fork if self.fork is None else min(self.fork, path.fork)
                if not waiting:
                    return nodes.tree(0)
                path, marks, together, at = waiting.pop()
