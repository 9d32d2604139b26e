"""The parse tree from the automaton: a grammar and bytes in, the tree of the reference parser out, in linear time.

If the input has one derivation, three linear passes find it (``utf8_abnf.automaton.trace``). If it has several,
``utf8_abnf.automaton.spans`` chooses as the reference parser does; the time is then at most quadratic.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, overload

from utf8_abnf.automaton.explain import Explainer
from utf8_abnf.automaton.nfa import compile_nfa
from utf8_abnf.automaton.spans import Spans
from utf8_abnf.automaton.trace import CLOSE, Ambiguous, Tracer
from utf8_abnf.errors import ParseError
from utf8_abnf.parsers.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.automaton.trace import StateTrace
    from utf8_abnf.grammar import Grammar

EAGER = 1 << 14
"""A node over more bytes makes its children when they are asked for, and does not keep them."""


def parse_tree(grammar: Grammar, data: bytes, start: str | None = None) -> Tree:
    r"""Return the tree by which *grammar* derives *data* from rule *start* (its first by default).

    Time is linear in *data* if it has one derivation, as it always has in UTF-8. Memory: two bytes for each byte of
    *data*, and the nodes that the caller keeps. In a node over more than ``EAGER`` bytes, ``children`` is a sequence
    that makes the nodes again each time; it compares equal to a tuple of them.

    Raises ``ParseError`` with the offset of the first byte that is not allowed, and what ``compile_grammar`` raises;
    also ``NotRegularError`` for any rule that uses itself: use the reference parser for those.

    >>> from utf8_abnf.grammar import Grammar
    >>> print(parse_tree(Grammar.load("utf8"), "é".encode()).to_text("é".encode()))
    UTF8-octets              0..2  C3 A9
      UTF8-char/2            0..2  C3 A9  U+00E9
        UTF8-2               0..2  C3 A9  U+00E9
          UTF8-tail          1..2  A9
    """
    return replace(TreeParser(grammar, start).parse(data), data=bytes(data))


class TreeParser:
    """Parses many inputs with one grammar; the compiled grammar is kept."""

    def __init__(self, grammar: Grammar, start: str | None = None) -> None:
        self.grammar = grammar
        self.start = start or grammar.start
        self._tracers: dict[str, Tracer] = {}
        self._spans: Spans | None = None
        self._tracer(self.start)

    def parse(self, data: bytes) -> Tree:
        """Return the tree of *data*; ``ParseError`` if the grammar does not derive it."""
        trace = self._tracer(self.start).trace(data)
        if trace is None:
            problem = Explainer(self.grammar, self.start).explain(data)
            assert problem is not None
            raise ParseError(str(problem), offset=problem.offset, expected=problem.expected)
        try:
            return _tree(trace, len(data))
        except Ambiguous:
            return self._chosen(data)

    def _tracer(self, rule: str) -> Tracer:
        if rule not in self._tracers:
            self._tracers[rule] = Tracer(compile_nfa(self.grammar, rule, marks=True), file=self.grammar.file)
        return self._tracers[rule]

    def _chosen(self, data: bytes) -> Tree:
        """Return the tree of an ambiguous input that the reference parser chooses, rule by rule from the top."""
        spans = self._spans = self._spans or Spans(self.grammar)
        spans.begin()
        top = _Open(self.grammar[self.start].name, 0, 0, len(data))
        stack = [top]
        while True:
            now = stack[-1]
            if now.todo is None:
                now.alternative, now.todo = spans.choose(now.rule, data, now.start, now.end)
            if now.todo:
                rule, start, end = now.todo.pop()
                whole = self._unambiguous(rule, data, start, end)
                if whole is None:
                    stack.append(_Open(rule, 0, start, end))
                else:
                    now.children.append(whole)
                continue
            stack.pop()
            tree = Tree(now.rule, now.alternative, now.start, now.end, tuple(now.children))
            if not stack:
                return tree
            stack[-1].children.append(tree)

    def _unambiguous(self, rule: str, data: bytes, start: int, end: int) -> Tree | None:
        trace = self._tracer(rule).trace(data[start:end])
        assert trace is not None
        try:
            return _tree(trace, end - start, start)
        except Ambiguous:
            return None


class _Open:
    """A rule whose children are being found; *todo* has those that are left, the last one first."""

    def __init__(self, rule: str, alternative: int, start: int, end: int = 0) -> None:
        self.rule = rule
        self.alternative = alternative
        self.start = start
        self.end = end
        self.todo: list[tuple[str, int, int]] | None = None
        self.children: list[Tree] = []


def _tree(trace: StateTrace, length: int, shift: int = 0) -> Tree:
    """Return the tree of a whole trace. *shift* is added to every offset."""
    if length <= EAGER:
        (tree,) = _forest(trace, trace.marks(), shift)
        return tree
    first = None
    for _, marks in trace.marks():  # find a fork now, not when the caller asks for the children
        first = marks[0] if first is None else first
    assert first is not None
    choice = trace.choice(first)
    below = Children(trace, trace.after(first), 0, shift)
    return Tree(choice.rule, choice.alternative, shift, length + shift, below)


def _forest(trace: StateTrace, marks: Iterable[tuple[int, tuple[int, ...]]], shift: int) -> Iterator[Tree]:
    """Yield the trees that *marks* open and close; stop where a rule closes that was open before."""
    stack: list[tuple[int, int, list[Tree]]] = []
    skipped = -1  # open rules below the bottom one, once that is longer than EAGER; -1 before
    for offset, together in marks:
        if skipped < 0 and stack and offset - stack[0][1] > EAGER:
            skipped = len(stack) - 1
            del stack[1:]
        for mark in together:
            if skipped > 0 or (skipped == 0 and mark != CLOSE):
                skipped += 1 if mark != CLOSE else -1
            elif mark != CLOSE:
                stack.append((mark, offset, []))
            elif not stack:
                return
            else:
                opened, start, kept = stack.pop()
                choice = trace.choice(opened)
                below = tuple(kept) if skipped < 0 else Children(trace, trace.after(opened), start, shift)
                tree = Tree(choice.rule, choice.alternative, start + shift, offset + shift, below)
                skipped = -1
                if stack:
                    stack[-1][2].append(tree)
                else:
                    yield tree


class Children(Sequence[Tree]):
    """The children of a long node, made when they are asked for; equal to a tuple of the same trees."""

    def __init__(self, trace: StateTrace, state: int, offset: int, shift: int) -> None:
        self._trace = trace
        self._state = state
        self._offset = offset
        self._shift = shift
        self._starts: tuple[array[int], array[int]] | None = None

    def __iter__(self) -> Iterator[Tree]:
        return _forest(self._trace, self._trace.marks(self._state, self._offset), self._shift)

    def _index(self) -> tuple[array[int], array[int]]:
        """Return the opening mark and the offset of each child: twelve bytes for each, computed once."""
        if self._starts is None:
            marks, offsets, depth = array("I"), array("Q"), 0
            for offset, together in self._trace.marks(self._state, self._offset):
                for mark in together:
                    if mark == CLOSE:
                        depth -= 1
                    elif depth == 0:
                        marks.append(mark)
                        offsets.append(offset)
                    depth += mark != CLOSE
                    if depth < 0:
                        break
                if depth < 0:
                    break
            self._starts = marks, offsets
        return self._starts

    def __len__(self) -> int:
        return len(self._index()[0])

    @overload
    def __getitem__(self, index: int) -> Tree: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Tree, ...]: ...

    def __getitem__(self, index: int | slice) -> Tree | tuple[Tree, ...]:
        marks, offsets = self._index()
        if isinstance(index, slice):
            return tuple(self[each] for each in range(*index.indices(len(marks))))
        # Start at the opening mark of the child, not at the state after it: the mark has to be met again.
        return next(_forest(self._trace, self._trace.marks(marks[index], offsets[index]), self._shift))

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Children | tuple):
            return NotImplemented
        end = object()
        return all(mine == yours for mine, yours in zip_longest(self, other, fillvalue=end))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} children>"
