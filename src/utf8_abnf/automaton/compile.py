"""Compile a rule of a ``Grammar`` to its smallest ``Automaton``: NFA, subset construction, minimisation.

A rule that is used often has the same words each time (at one depth). So its automaton is made once, a *fragment*: its
states are built, determinised and minimised, and each use gets a copy of the result. This keeps large grammars within
the limits. Only the words of such an NFA are those of the grammar: its states do not belong to rules.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from utf8_abnf.automaton.model import Automaton
from utf8_abnf.errors import TooLargeError
from utf8_abnf.grammar.analysis import components
from utf8_abnf.grammar.nfa import Builder, Choice, Nfa, State
from utf8_abnf.grammar.subsets import Subsets, too_large
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.analysis import Component
    from utf8_abnf.grammar.nfa import Building, Use
    from utf8_abnf.grammar.syntax import Rule
    from utf8_abnf.grammar.values import Ranges

ANY: Ranges = ((0, 0xFF),)
MIN_SIZE = 4  # states: a smaller rule is built as it is written
_compiled: WeakKeyDictionary[Grammar, dict[str, Automaton]] = WeakKeyDictionary()  # for as long as the grammar lives


class Fragment(NamedTuple):
    """The smallest automaton of a rule, and its moves between live states: for each target the bytes that lead there.

    With *cut*, its words can begin as one that is too deep.
    """

    automaton: Automaton
    moves: dict[int, dict[int, Ranges]]
    cut: bool


def compile_grammar(grammar: Grammar, start: str | None = None) -> Automaton:
    r"""Return the smallest automaton that accepts what rule *start* of *grammar* (its first by default) derives.

    Raises ``NotRegularError``, with the cycle of rules, where the grammar is not shown to be regular; ``TooLargeError``
    above the limits in ``nfa`` and ``subsets``; ``GrammarError`` where a rule is missing or written as prose.

    >>> from utf8_abnf.grammar import Grammar
    >>> utf8 = compile_grammar(Grammar.load("utf8"))
    >>> utf8.accepts("€".encode()), utf8.accepts(b"\xed\\xa0\\x80")
    (True, False)
    >>> utf8.names
    ('start', 'tail1', 'after_E0', 'tail2', 'after_ED', 'after_F0', 'tail3', 'after_F4', 'reject')
    """
    known = _compiled.setdefault(grammar, {})
    name = (start or grammar.start).lower()
    if name not in known:
        grammar.check(start)
        builder = _Sharing(grammar)
        known[name] = builder.determinised(builder.build_whole(start))
    return known[name]


def determinise(nfa: Nfa, *, file: str = "<grammar>", limit: int | None = None, loop: int = -1) -> Automaton:
    """Return a deterministic automaton, in general not the smallest, that accepts what *nfa* accepts.

    *loop* is a state after which *nfa* accepts everything, if it has one. Raises ``TooLargeError`` above *limit*
    states, by default ``subsets.MAX_STATES``.
    """
    subsets = Subsets(nfa, file=file, limit=limit, loop=loop)
    table: list[list[int]] = []
    while len(table) < len(subsets.sets):
        moves = subsets.moves(len(table))
        table.append([moves.get(number, -1) for number in range(subsets.width)])
    sink = len(table)
    table.append([sink] * subsets.width)
    rows = tuple(tuple(sink if target < 0 else target for target in row) for row in table)
    accepting = frozenset(number for number, members in enumerate(subsets.sets) if nfa.accept in members)
    return Automaton(subsets.start, rows, subsets.classes, accepting)


def smallest_deeper(grammar: Grammar, start: str | None, firsts: Callable[[str], Ranges]) -> Automaton:
    """Return the smallest automaton of all words that may be too deep for *grammar*: that begin as one that is.

    *firsts* returns the first bytes of a rule that is used too deep; whatever follows such a byte is accepted.
    Words of a recursive rule that goes on with any bytes, as ``*OCTET`` does, are also among them: its fragment does
    not distinguish such an end from one that is too deep.
    """
    builder = _Sharing(grammar, firsts)
    built = builder.build_whole(start)
    accept = len(builder.states)
    builder.states[builder.deeper] = State((), (accept, accept + 1))
    states = (*builder.states, State((), ()), State(ANY, (builder.deeper,)))
    return builder.determinised(Nfa(states, built.start, accept), loop=accept + 1)


class _Sharing(Builder):
    def __init__(self, grammar: Grammar, firsts: Callable[[str], Ranges] | None = None) -> None:
        super().__init__(grammar)
        self.made: dict[tuple[str, frozenset[tuple[str, int]]], Fragment | None] = {}
        self.firsts = firsts
        self.deeper = self._add(State((), ()))  # the state after the first byte of a rule that is used too deep

    def determinised(self, nfa: Nfa, loop: int = -1) -> Automaton:
        """Return the smallest automaton of the words of *nfa*."""
        try:
            return determinise(nfa, file=self.grammar.file, loop=loop).minimal()
        except TooLargeError:
            raise too_large(self.grammar.file, self._smaller()) from None

    def _smaller(self) -> Message:
        """Name a smaller depth, or else the largest rule that has an automaton by itself."""
        sizes = {name: len(made.automaton.table) for (name, around), made in self.made.items() if made and not around}
        largest = max(sizes, key=sizes.__getitem__, default="")
        if self.grammar.depth or not largest:
            return super()._smaller()
        return Message(messages.SMALLER_RULE_AS, rule=largest)

    def _use(
        self, rule: Rule, after: int, path: tuple[Choice, ...], use: Use | None, linear: Component | None
    ) -> Building:
        key = rule.name, self._around(rule, use)
        if use and key not in self.made:
            begin = self._add(State((), ()))
            entry = yield from super()._use(rule, begin, path, use, linear)
            self.made[key] = self._fragment(begin, entry)
            if not self.made[key]:
                self.states[begin] = State((), (after,), path)
                return entry
            self.removed += len(self.states) - begin
            del self.states[begin:]
        if use and (fragment := self.made[key]):
            return self._copy(fragment, after, (*path, Choice(rule.name, 0)))
        return (yield from super()._use(rule, after, path, use, linear))

    def _around(self, rule: Rule, use: Use | None) -> frozenset[tuple[str, int]]:
        """Return how often the rules that *rule* is recursive with are around it; its words depend on nothing else."""
        found: Counter[str] = Counter()
        component = components(self.grammar).get(rule.name.lower())
        while component and use:
            found.update(component.rules & {use.rule.name.lower()})
            use = use.outer
        return frozenset(found.items())

    def _cut(self, rule: Rule, after: int, path: tuple[Choice, ...]) -> int:
        state = super()._cut(rule, after, path)
        if self.firsts and (ranges := self.firsts(rule.name)):
            return self._add(State((), (self._add(State(ranges, (self.deeper,), path)), state), path))
        return state

    def _fragment(self, begin: int, entry: int) -> Fragment | None:
        """Return the fragment of the states from *begin* to the last, or None if it would not be smaller."""
        states = self.states[begin:]
        size = len(states)
        if size < MIN_SIZE:
            return None
        numbers = {self.deeper: size} | {begin + number: number for number in range(size)}
        moved = [state._replace(targets=tuple(map(numbers.__getitem__, state.targets))) for state in states]
        moved += [State((), (0, size + 1)), State(ANY, (size,))]  # after what is too deep, all is accepted
        try:
            made = determinise(Nfa(tuple(moved), entry - begin, 0), limit=size, loop=size + 1).minimal()
        except TooLargeError:
            return None
        if sum(len(set(row)) for row in made.table) >= size:
            return None
        moves = {state: made.moves(state) for state in range(len(made.table)) if state not in made.dead}
        return Fragment(made, moves, cut=any(self.deeper in state.targets for state in states))

    def _copy(self, fragment: Fragment, after: int, path: tuple[Choice, ...]) -> int:
        """Add a copy of *fragment*, which leads to *after*; return the state where it starts."""
        made, copies = fragment.automaton, {}
        for state, moves in fragment.moves.items():
            deep = fragment.cut and state in made.accepting and moves == {state: ANY}
            copies[state] = self.deeper if deep else self._add(State((), ()))
        for state, moves in fragment.moves.items():
            if copies[state] != self.deeper:
                ways = [self._add(State(ranges, (copies[target],), path)) for target, ranges in moves.items()]
                ways += [after] * (state in made.accepting)
                self.states[copies[state]] = State((), tuple(ways), path)
        return copies[made.start] if copies else self._add(State((), (), path))
