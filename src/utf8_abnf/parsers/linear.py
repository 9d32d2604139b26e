"""The parse tree by automata: any grammar and bytes in, the tree of the reference parser out, of inputs of any size.

If the grammar has no recursion, three linear passes find the derivation (``utf8_abnf.automaton.derivation``). In a
recursive grammar, ``utf8_abnf.automaton.earley`` first finds which pieces the called rules derive. Then each use of a
called rule is a piece of its own, in which the bytes between the calls are followed in the same manner.
"""

from __future__ import annotations

from collections import deque
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton.circular import Circular
from utf8_abnf.automaton.derivation import Call, Mark, Tracer
from utf8_abnf.automaton.earley import Recogniser
from utf8_abnf.automaton.explain import Explainer
from utf8_abnf.automaton.network import called_rules
from utf8_abnf.automaton.nfa import compile_nfa
from utf8_abnf.automaton.ways import CLOSE
from utf8_abnf.errors import ParseError
from utf8_abnf.parsers.tree import Nodes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from utf8_abnf.automaton.derivation import Path
    from utf8_abnf.automaton.earley import Chart
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.parsers.tree import Tree

    Marks = tuple[int, tuple[Mark, ...]]

EAGER = 1 << 14
"""In a piece of more bytes, the uses of called rules are followed when they are asked for."""


def parse_tree(grammar: Grammar, data: bytes, start: str | None = None) -> Tree:
    r"""Return the tree by which *grammar* derives *data* from rule *start* (its first by default).

    Time is linear in *data* if it has one derivation, as it always has in UTF-8, and in JSON. The tree takes 24 bytes
    for each node; ``children`` is a sequence that makes the nodes again each time, and compares equal to a tuple.

    Raises ``ParseError`` with the offset of the first byte that is not allowed; ``GrammarError`` for a grammar that
    cannot be used; ``UndecidedError`` for an ambiguous input that is too long to choose a derivation.

    >>> from utf8_abnf.grammar import Grammar
    >>> print(parse_tree(Grammar.load("utf8"), "é".encode()).to_text("é".encode()))
    UTF8-octets              0..2  C3 A9
      UTF8-char/2            0..2  C3 A9  U+00E9
        UTF8-2               0..2  C3 A9  U+00E9
          UTF8-tail          1..2  A9
    """
    tree = TreeParser(grammar, start).parse(data)
    tree.data = bytes(data)
    return tree


class Piece(NamedTuple):
    """A use of a rule in the input, which has a path of its own. The rules *around* it derive the same bytes."""

    rule: str
    start: int
    end: int
    around: frozenset[str] = frozenset()

    def call(self, call: Call) -> Piece:
        """Return the piece of a call in this one."""
        same = (call.start, call.end) == (self.start, self.end)
        return Piece(call.rule, call.start, call.end, self.around | {self.rule} if same else frozenset())


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
        self.start = grammar[start or grammar.start].name.lower()
        self.calls = called_rules(grammar, start)
        self.fork: Fork | None = None
        self._forks = forks
        self._tracers: dict[tuple[str, AbstractSet[str]], Tracer] = {}
        self._recogniser = Recogniser(grammar, start) if self.calls else None
        self._circular = Circular(self._recogniser, self._tracer) if self._recogniser else None
        self._tracer(self.start, self._recogniser.nullable if self._recogniser else frozenset())

    def parse(self, data: bytes) -> Tree:
        """Return the tree of *data*; ``ParseError`` if the grammar does not derive it."""
        data, self.fork = bytes(data), None
        chart = self._recogniser.read(data) if self._recogniser else None
        whole = Piece(self.start, 0, len(data))
        path = None if chart and chart.refused else self._path(chart, data, whole)
        if path is None:
            problem = self._explainer.explain(data)
            assert problem is not None
            raise ParseError(problem.message, offset=problem.offset, expected=problem.expected)
        return self._grown(chart, data, whole, path)

    def accepts(self, data: bytes) -> bool:
        """Return whether the grammar derives *data*."""
        if self._recogniser:
            return self._recogniser.read(bytes(data)).refused is None
        return self._tracer(self.start, frozenset()).trace(bytes(data)) is not None

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self.grammar, self.start)

    def _tracer(self, rule: str, skipped: AbstractSet[str]) -> Tracer:
        """Return the tracer of *rule*; calls of the rules *skipped* may read nothing in it."""
        key = rule, skipped
        if key not in self._tracers:
            nfa = compile_nfa(self.grammar, rule, marks=True, calls=self.calls)
            self._tracers[key] = Tracer(nfa, file=self.grammar.file, skipped=skipped)
        return self._tracers[key]

    def _path(self, chart: Chart | None, data: bytes, piece: Piece) -> Path | None:
        """Return the derivation of *piece*, or None if the grammar does not derive it."""
        rule, start, end, around = piece
        if chart is None or self._circular is None:
            return self._tracer(rule, frozenset()).trace(data)
        if rule in self._circular.rules:
            self._forked(rule, start, end)
        tracer, ends = self._circular.within(chart, data, rule, start, end, around)
        return tracer.trace(memoryview(data)[start:end], start) or tracer.follow(data, start, end, ends)

    def _grown(self, chart: Chart | None, data: bytes, piece: Piece, path: Path | None = None) -> Tree:
        """Return the tree of *piece*; *path* is its derivation, if it is known.

        Where a rule is called, the path of that piece is followed before this one goes on, or later in a long piece.
        """
        nodes, opened = Nodes(lambda later: self._grown(chart, data, later)), list[int]()
        late = piece.end - piece.start > EAGER
        path = path or self._path(chart, data, piece)
        assert path is not None
        marks, together, at = path.marks(), iter(tuple[Mark, ...]()), 0
        waiting: list[tuple[Piece, Path, Iterator[Marks], Iterator[Mark], int]] = []
        while True:
            for mark in together:
                if mark == CLOSE:
                    nodes.close(opened.pop(), at)
                elif isinstance(mark, int):
                    opened.append(nodes.open(path.tracer.choices[mark], at))
                elif late:
                    nodes.later(piece.call(mark))
                else:
                    waiting.append((piece, path, marks, together, at))
                    piece = piece.call(mark)
                    path = self._path(chart, data, piece)
                    assert path is not None
                    marks, together, at = path.marks(), iter(tuple[Mark, ...]()), mark.start
                    break
            else:
                if (following := next(marks, None)) is not None:
                    at, together = following[0], iter(following[1])
                    continue
                if path.forks and self._forks:
                    self._note_forks(path)
                if not waiting:
                    return nodes.tree(0)
                piece, path, marks, together, at = waiting.pop()

    def _note_forks(self, path: Path) -> None:
        """Note each innermost use of a rule around a fork on *path*, which has two trees."""
        forks = deque(sorted(path.forks.items()))
        stack: list[tuple[int, int]] = []
        forked: set[int] = set()  # depths
        for offset, together in path.marks():
            while forks and forks[0][0] < offset:
                forked.add(forks.popleft()[1])
            for mark in together:
                if forks and forks[0][0] == offset and len(stack) >= forks[0][1]:
                    forked.add(forks.popleft()[1])
                if isinstance(mark, Call):
                    continue
                if mark != CLOSE:
                    stack.append((mark, offset))
                    continue
                opened, start = stack.pop()
                if len(stack) + 1 in forked:
                    forked.remove(len(stack) + 1)
                    self._forked(path.tracer.choices[opened].rule, start, offset)

    def _forked(self, rule: str, start: int, end: int) -> None:
        """Keep the shortest of the pieces with several derivations that are found in one input."""
        if self.fork is None or end - start < self.fork.end - self.fork.start:
            self.fork = Fork(self.grammar[rule].name, start, end)
