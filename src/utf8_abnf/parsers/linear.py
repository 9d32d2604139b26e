"""The parse tree by automata: any grammar and bytes in, the tree of the reference parser out, of inputs of any size.

If the grammar has no recursion and the input one derivation, three linear passes find it
(``utf8_abnf.automaton.trace``). If it has several, ``utf8_abnf.automaton.spans`` chooses as the reference parser does;
the time is then at most quadratic.

In a recursive grammar, ``utf8_abnf.automaton.chart`` first finds which pieces the called rules derive. Then each use of
a called rule is a piece of its own, in which the bytes between the calls are followed in the same manner.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton.chart import Recogniser
from utf8_abnf.automaton.circular import Circular
from utf8_abnf.automaton.explain import Explainer
from utf8_abnf.automaton.network import called_rules
from utf8_abnf.automaton.nfa import compile_nfa
from utf8_abnf.automaton.passages import Ends
from utf8_abnf.automaton.paths import CLOSE, Ambiguous, Call, CallTrace, StateTrace
from utf8_abnf.automaton.spans import Spans
from utf8_abnf.automaton.trace import Tracer
from utf8_abnf.errors import ParseError
from utf8_abnf.parsers.growing import Chosen, Piece, is_long, of_path, whole
from utf8_abnf.parsers.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.automaton.facts import Chart
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.parsers.growing import Growing, Marks


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
        self.spans = Spans(grammar, self.calls)
        self.forks = forks
        self.fork: Fork | None = None
        self._tracers: dict[str, Tracer] = {}
        self._recogniser = Recogniser(grammar, start) if self.calls else None
        self.circular = Circular(self._recogniser, self.tracer) if self._recogniser else None
        self.tracer(self.start)

    def parse(self, data: bytes) -> Tree:
        """Return the tree of *data*; ``ParseError`` if the grammar does not derive it."""
        text = self._text(bytes(data))
        self.fork = None
        self.spans.begin()
        return text.tree(Piece(self.start, 0, len(text.data), text.ends_in(self.start.lower(), 0, len(text.data))))

    def accepts(self, data: bytes) -> bool:
        """Return whether the grammar derives *data*."""
        return self._read(bytes(data)) is not None

    def forked(self, fork: Fork) -> None:
        """Keep the shortest of the forks that are found in one input."""
        if self.fork is None or fork.end - fork.start < self.fork.end - self.fork.start:
            self.fork = fork

    def tracer(self, rule: str) -> Tracer:
        """Return the tracer of *rule*."""
        name = rule.lower()
        if name not in self._tracers:
            nfa = compile_nfa(self.grammar, name, marks=True, calls=self.calls)
            self._tracers[name] = Tracer(nfa, file=self.grammar.file)
        return self._tracers[name]

    def _text(self, data: bytes) -> Text:
        text = self._read(data)
        if text is None:
            problem = self._explainer.explain(data)
            assert problem is not None
            raise ParseError(problem.message, offset=problem.offset, expected=problem.expected)
        return text

    def _read(self, data: bytes) -> Text | None:
        """Return the input *data*, or None if the grammar does not derive it."""
        if not self._recogniser:
            return None if self.tracer(self.start).trace(data) is None else Text(self, data, None)
        chart = self._recogniser.read(data)
        return None if chart.refused else Text(self, data, chart)

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self.grammar, self.start)


class Text:
    """An input that the grammar derives, and its chart if the grammar is recursive."""

    def __init__(self, parser: TreeParser, data: bytes, chart: Chart | None) -> None:
        self.parser = parser
        self.data = data
        self.view = memoryview(data)
        self.chart = chart

    def tree(self, piece: Piece) -> Tree:
        """Return the tree of *piece*."""
        return next(self.grown(self.growing(piece)))

    def grown(self, first: Growing) -> Iterator[Tree]:
        """Yield the trees that *first* yields; make those that it asks for with a stack of our own."""
        stack, answer = [first], None
        while True:
            try:
                made = next(stack[-1]) if answer is None else stack[-1].send(answer)
            except StopIteration:
                return
            answer = None
            if isinstance(made, Piece):
                stack.append(self.growing(made))
            elif len(stack) == 1:
                yield made
            else:
                stack.pop()
                answer = made

    def ends_in(self, rule: str, start: int, end: int) -> Ends:
        """Return where the rules can end that are called in this use of *rule*."""
        if self.chart is None:
            return Ends(lambda _rule, _start: [], b"")
        assert self.parser.circular
        if rule not in self.parser.circular.rules:
            return self.chart.all_ends
        self.parser.forked(Fork(self.parser.grammar[rule].name, start, end))
        return self.parser.circular.ends_in(self.chart, self.data, rule, start, end)

    def note_forks(self, path: StateTrace | CallTrace, marks: Marks, piece: Piece, shift: int) -> None:
        """Keep the shortest use of a rule that has two trees, of those around the forks on the *path* of *piece*."""
        forks = deque(sorted(path.forks.items()))
        stack: list[tuple[int, int]] = []
        forked: set[int] = set()
        for offset, together in marks:
            while forks and forks[0][0] < offset:
                forked.add(forks.popleft()[1])
            for mark in together:
                if mark == CLOSE:
                    opened, start = stack.pop()
                    if len(stack) + 1 in forked:
                        forked.remove(len(stack) + 1)
                        rule = path.tracer.choices[opened].rule
                        self._note(piece._replace(rule=rule, start=start + shift, end=offset + shift), piece)
                elif isinstance(mark, int):
                    stack.append((mark, offset))

    def _note(self, inner: Piece, outer: Piece) -> None:
        """Keep the fork in *inner*, if it has two trees, and otherwise that in *outer*, which has."""
        best = self.parser.fork
        if best and best.end - best.start <= inner.end - inner.start:
            return
        self.parser.forked(Fork(*(inner if inner[:3] == outer[:3] or self._has_two_trees(inner) else outer)[:3]))

    def _has_two_trees(self, piece: Piece) -> bool:
        path = self.parser.tracer(piece.rule).follow(self.data, piece.start, piece.end, piece.ends)
        try:
            for _ in path.marks(None, piece.start) if path else ():
                pass
        except Ambiguous:
            return True
        return bool(path and path.forks)

    def leaf(self, call: Call) -> Tree | None:
        """Return the tree of what *call* derives in the usual case: it is short, calls nothing and has one tree."""
        assert self.parser.circular
        if is_long(call.start, call.end) or call.rule in self.parser.circular.rules:
            return None
        trace = self.parser.tracer(call.rule).trace(self.view[call.start : call.end])
        if trace is None:
            return None
        try:
            marks = list(trace.marks())
        except Ambiguous:
            return None
        return None if trace.forks and self.parser.forks else next(self.grown(whole(self, trace, marks, call.start)))

    def called(self, call: Call) -> Piece:
        """Return the piece that *call* derives."""
        name = self.parser.grammar[call.rule].name
        return Piece(name, call.start, call.end, self.ends_in(call.rule, call.start, call.end))

    def growing(self, piece: Piece) -> Growing:
        """Ask for the trees of the rules that *piece* uses, and yield its own tree."""
        rule, start, end, ends = piece
        tracer = self.parser.tracer(rule)
        try:
            if trace := tracer.trace(self.view[start:end]):
                yield from of_path(self, trace, trace.marks, piece, start)
            else:
                path = tracer.follow(self.data, start, end, ends)
                assert path is not None
                yield from of_path(self, path, lambda: path.marks(None, start), piece, 0)
        except Ambiguous:
            self.parser.forked(Fork(rule, start, end))
        else:
            return
        alternative, found = self.parser.spans.choose(rule, self.data, start, end, ends)
        pieces = [self._child(*each, ends) for each in reversed(found)]
        if is_long(start, end):
            yield Tree(rule, alternative, start, end, Chosen(self, pieces))
            return
        children = []
        for each in pieces:
            children.append((yield each()))
        yield Tree(rule, alternative, start, end, tuple(children))

    def _child(self, rule: str, start: int, end: int, ends: Ends) -> Callable[[], Piece]:
        if rule.lower() in self.parser.calls:
            return lambda: self.called(Call(rule.lower(), start, end))
        return lambda: Piece(rule, start, end, ends)
