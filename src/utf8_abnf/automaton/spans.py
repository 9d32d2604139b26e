"""The choice between several derivations: a rule and its bytes in, its children out, as the reference parser has them.

The ``abnf`` package tries the longest match first at every step. For a piece of input with fixed ends this means:

1. Alternatives: the first one that derives the piece.
2. A concatenation: each item in turn takes as many bytes as it can, such that the items after it can derive the rest.
3. A repetition: as few rounds as cover the piece, and each round in turn takes as many bytes as it can. The rounds
   that the lower bound requires come first; they are treated as one concatenation, the longest that is possible.
4. An option, or a repetition without a lower bound: no round where the piece is empty.

This is slow, and used for ambiguous input only: each level of the grammar reads the piece again. Of a called rule, only
the offsets are read where it can end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton.determinise import Subsets
from utf8_abnf.automaton.nfa import compile_items
from utf8_abnf.automaton.passages import passages
from utf8_abnf.automaton.trace import Tracer
from utf8_abnf.errors import UndecidedError
from utf8_abnf.grammar.syntax import Alternation, Concatenation, Group, Option, Ref, Repetition
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from utf8_abnf.automaton.passages import Ends
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Node

    Piece = tuple[Node, int, int]

MAX_READ = 50_000_000
"""Bytes that are read, repeated readings included, to decide one ambiguous input; above that it is undecided."""


class Spans:
    """Chooses derivations for many inputs of one grammar; the compiled parts are kept."""

    def __init__(self, grammar: Grammar, calls: AbstractSet[str] = frozenset()) -> None:
        self.grammar = grammar
        self.calls = calls
        self.left = 0
        self._goes: Ends
        self._subsets: dict[Node, Subsets] = {}
        self._tracers: dict[tuple[Node, ...], tuple[Tracer, tuple[int, ...]]] = {}

    def begin(self) -> None:
        """Begin a new input, with the whole limit."""
        self.left = MAX_READ

    def choose(
        self, rule: str, data: bytes, start: int, end: int, ends: Ends
    ) -> tuple[int, list[tuple[str, int, int]]]:
        """Return the alternative of *rule* that derives ``data[start:end]``, and its children, the last one first.

        *ends* says where the called rules can end.
        """
        self._goes = ends
        alternatives = self.grammar[rule].alternatives
        number = next(number for number, each in enumerate(alternatives) if self._derives(each, data, start, end))
        found: list[tuple[str, int, int]] = []
        todo: list[Piece] = [(alternatives[number], start, end)]
        while todo:  # from the last to the first
            node, low, high = todo.pop()
            if isinstance(node, Ref):
                found.append((self.grammar[node.name].name, low, high))
            else:
                todo.extend(self._pieces(node, data, low, high))
        return (number + 1 if len(alternatives) > 1 else 0), found

    def _pieces(self, node: Node, data: bytes, start: int, end: int) -> list[Piece]:
        match node:
            case Group(item=item):
                return [(item, start, end)]
            case Option(item=item):
                return [(item, start, end)] if start < end else []
            case Alternation(items=items):
                return [next((each, start, end) for each in items if self._derives(each, data, start, end))]
            case Concatenation(items=items):
                return self._one_after_another(items, data, start, end)
            case Repetition():
                return self._rounds(node, data, start, end)
            case _:
                return []

    def _read(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise UndecidedError(Message(messages.AMBIGUOUS_AND_LONG))

    def _ends(self, node: Node, data: bytes, start: int, end: int) -> list[int]:
        """Return the offsets where *node* can end if it starts at *start*, the largest first."""
        if node not in self._subsets:
            nfa = compile_items(self.grammar, [node], self.calls)[0]
            self._subsets[node] = Subsets(nfa, file=self.grammar.file)
        subsets = self._subsets[node]
        if self.calls:
            found = passages(subsets, data, start, end, self._goes).sets
            self._read(len(found))
            return sorted(
                (at for at, number in found.items() if subsets.nfa.accept in subsets.sets[number]), reverse=True
            )
        passed = subsets.read(data[start:end])
        self._read(len(passed))
        accept = subsets.nfa.accept
        ends = [start + length for length, number in enumerate(passed) if accept in subsets.sets[number]]
        return ends[::-1]

    def _derives(self, node: Node, data: bytes, start: int, end: int) -> bool:
        return self._ends(node, data, start, end)[:1] == [end]

    def _passes(self, items: tuple[Node, ...], data: bytes, start: int, end: int) -> list[set[int]]:
        """Return for each of *items* the offsets from which it and those after it derive the rest."""
        if items not in self._tracers:
            nfa, entries = compile_items(self.grammar, items, self.calls)
            self._tracers[items] = Tracer(nfa, file=self.grammar.file), entries
        tracer, entries = self._tracers[items]
        if self.calls:
            path = tracer.follow(data, start, end, self._goes)
            assert path is not None
            passes = [path.passes(entry) for entry in entries]
            self._read(sum(map(len, passes)))
            return [set(each) for each in passes]
        trace = tracer.trace(data[start:end])
        self._read(end - start)
        assert trace is not None
        return [{start + offset for offset in trace.passes(entry)} for entry in entries]

    def _one_after_another(self, items: tuple[Node, ...], data: bytes, start: int, end: int) -> list[Piece]:
        passes = [*self._passes(items, data, start, end), {end}]
        pieces: list[Piece] = []
        for item, following in zip(items, passes[1:], strict=True):
            stop = next(each for each in self._ends(item, data, start, end) if each in following)
            pieces.append((item, start, stop))
            start = stop
        return pieces

    def _rounds(self, node: Repetition, data: bytes, start: int, end: int) -> list[Piece]:
        forced = (node.item,) * node.low
        (good,) = self._passes((Repetition(0, None, node.item),), data, start, end)
        layer = [start]
        if node.low:
            together: Node = Concatenation(forced) if node.low > 1 else node.item
            layer = [each for each in self._ends(together, data, start, end) if each in good]
        came_from: dict[int, int | None] = dict.fromkeys(layer)
        while end not in came_from:
            fresh: dict[int, int | None] = {}
            for here in layer:
                for stop in self._ends(node.item, data, here, end):
                    if stop in good and stop not in came_from and stop not in fresh:
                        fresh[stop] = here
            came_from.update(fresh)
            layer = list(fresh)
        pieces: list[Piece] = []
        stop, before = end, came_from[end]
        while before is not None:
            pieces.append((node.item, before, stop))
            stop, before = before, came_from[before]
        first = self._one_after_another(forced, data, start, stop) if forced else []
        return [*first, *reversed(pieces)]
