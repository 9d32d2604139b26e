"""Find the shortest ``bytes`` that a ``Rule`` derives in two ways, and its unneeded or shadowed alternatives.

The answers are exact for rules without recursion; with it, a rule is looked at to some depth within itself. They come
from an NFA in which paths and derivations correspond: two runs of it side by side, or the sets of its states.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from utf8_abnf.errors import TooLargeError
from utf8_abnf.grammar.nfa import Builder, Nfa, State
from utf8_abnf.grammar.subsets import Subsets, shortest_words
from utf8_abnf.grammar.syntax import NOWHERE
from utf8_abnf.grammar.values import READABLE, byte_classes, mask_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Alternation, Rule, Span

MAX_WORK = 300_000  # states, and steps over them: one or two seconds


class Budget:
    """A limit on work, counted in states and in steps over states. ``TooLargeError`` when nothing is left."""

    def __init__(self, grammar: Grammar, left: int = MAX_WORK) -> None:
        self.grammar = grammar
        self.left = left

    def spend(self, work: int, rule: Rule) -> None:
        """Subtract *work* from what is left; an error names *rule*."""
        self.left -= work
        if self.left < 0:
            file, line, column = self.grammar.where(NOWHERE if rule.core else rule.span)
            message = f"{rule.name} is too large to be analysed within the limit"
            raise TooLargeError(message, file=file, line=line, column=column)


class _Builder(Builder):
    """Builds an NFA with all choices of the grammar, within a budget."""

    def __init__(self, grammar: Grammar, rule: Rule, budget: Budget) -> None:
        super().__init__(grammar, choices=True)
        self.rule = rule
        self.budget = budget

    def _add(self, state: State) -> int:
        self.budget.spend(1, self.rule)
        self.states.append(state)
        return len(self.states) - 1


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A string with two derivations, and the place where they part: a rule, and the span in its text."""

    word: bytes
    rule: Rule
    span: Span


_Pair = tuple[int, int, bool]  # two runs over one string, and whether they have parted


def ambiguity(
    grammar: Grammar, start: str | None = None, budget: Budget | None = None, depth: int = 0
) -> Ambiguity | None:
    """Return a shortest string that *start* derives in two ways, or None if no string has two derivations.

    Derivations in which a rule is more than *depth* times within itself do not count. ``TooLargeError`` when *budget*
    (by default ``MAX_WORK`` states and pairs of states) is used up before the answer is known.

    >>> from utf8_abnf.grammar import Grammar
    >>> ambiguity(Grammar.parse('a = *"x" *"y" / "xy"')).word
    b'xy'
    """
    rule = grammar[start or grammar.start]
    budget = budget or Budget(grammar)
    nfa = _Builder(replace(grammar, depth=depth), rule, budget).build_whole(rule.name)
    moves = [(mask_of(state.ranges), state.targets[0]) if state.ranges else None for state in nfa.states]
    letters = _letters(nfa.states)
    end = (nfa.accept, nfa.accept, True)
    before: dict[_Pair, tuple[_Pair | None, int | None]] = {}
    todo: deque[tuple[_Pair, _Pair | None, int | None]] = deque([((nfa.start, nfa.start, False), None, None)])
    while todo:
        pair, earlier, last = todo.popleft()
        if pair in before:
            continue
        before[pair] = (earlier, last)
        if pair == end:
            word, parting = _traced(before, pair)
            path, span = nfa.states[parting].path, nfa.states[parting].span
            return Ambiguity(word, grammar[path[-1].rule], span)
        budget.spend(1, rule)
        one, other = moves[pair[0]], moves[pair[1]]
        if one and other:
            byte = next((each for each in letters if (one[0] & other[0]) >> each & 1), None)
            following = [] if byte is None else [(one[1], other[1], pair[2])]
        else:
            byte, following = None, list(_onward(nfa.states, pair))
        for left, right, parted in following:
            after = (left, right, parted) if left <= right else (right, left, parted)  # the same pair
            if after in before:
                continue
            if byte is None:
                todo.appendleft((after, pair, byte))  # reads no byte: so the shortest string is found first
            else:
                todo.append((after, pair, byte))
    return None


def _onward(states: Sequence[State], pair: _Pair) -> Iterator[_Pair]:
    """Yield the next pairs of runs of which one can go on without reading."""
    left, right, parted = pair
    ways = () if states[left].ranges else states[left].targets
    if not parted:
        yield from ((one, other, True) for at, one in enumerate(ways) for other in ways[at + 1 :])
        yield from ((each, each, False) for each in ways)
    elif ways:
        yield from ((each, right, True) for each in ways)
    elif not states[right].ranges:
        yield from ((left, each, True) for each in states[right].targets)


def _traced(before: dict[_Pair, tuple[_Pair | None, int | None]], pair: _Pair) -> tuple[bytes, int]:
    """Return the word that leads to *pair*, and the state where the two runs part."""
    word, parting = bytearray(), -1
    earlier, byte = before[pair]
    while earlier:
        if byte is not None:
            word.append(byte)
        if pair[2] and not earlier[2]:
            parting = earlier[0]
        pair = earlier
        earlier, byte = before[pair]
    return bytes(reversed(word)), parting


def _letters(states: Sequence[State]) -> list[int]:
    """Return one byte for each class of bytes that no state distinguishes; the most readable bytes come first."""
    classes, seen = byte_classes([state.ranges for state in states if state.ranges]), dict[int, int]()
    for byte in READABLE:
        seen.setdefault(classes[byte], byte)
    return list(seen.values())


Shadows = dict[int, tuple[int, bytes, bytes]]


def choices(grammar: Grammar, rule: Rule, node: Alternation, budget: Budget | None = None) -> tuple[list[int], Shadows]:
    """Return which alternatives of *node* (numbered from 0) are never needed, and which are shadowed.

    An alternative is never needed if the earlier ones together match every word that it matches. It is shadowed if an
    earlier one matches the beginning of one of its words: a parser that takes the first match stops there. For each
    shadowed alternative the answer has the earlier one, a shortest such beginning, and the whole word.
    ``TooLargeError`` when *budget* (by default ``MAX_WORK``) is used up before the answer is known.

    >>> from utf8_abnf.grammar import Grammar
    >>> grammar = Grammar.parse('a = "x" / "xy" / %x78')
    >>> choices(grammar, grammar["a"], grammar["a"].definition)
    ([2], {1: (0, b'x', b'xy')})
    """
    budget = budget or Budget(grammar)
    builder = _Builder(grammar, rule, budget)
    starts, owner = [], list[int]()  # of each alternative; the alternative of each state
    accepting: dict[int, int] = {}
    for number, item in enumerate(node.items):
        end = builder._add(State((), ()))
        accepting[end] = number
        starts.append(builder._run(item, end))
        owner += [number] * (len(builder.states) - len(owner))
    states, start = builder.states, builder._add(State((), tuple(starts)))
    subsets = Subsets(Nfa(tuple(states), start, start), file=grammar.file, accepting=accepting.keys())
    letters = _letters(states)
    needed: set[int] = set()
    shadows: Shadows = {}
    for here, word in shortest_words(subsets.start, lambda here: _moves(subsets, here, letters)):
        members = subsets.sets[here]
        budget.spend(len(members), rule)
        ended = sorted(accepting[state] for state in members & accepting.keys())
        needed.update(ended[:1])
        for later in sorted({owner[state] for state in members if states[state].ranges}) if ended else ():
            if later > ended[0] and later not in shadows:
                rest = _rest(subsets, letters, frozenset(state for state in members if owner[state] == later))
                shadows[later] = (ended[0], word, word + rest)
    return [number for number in range(len(node.items)) if number not in needed], shadows


def _rest(subsets: Subsets, letters: list[int], members: frozenset[int]) -> bytes:
    """Return a shortest word, not empty, that leads from *members* to an end."""
    start = subsets.number(members)
    # Reading may lead back to the start, which stands for -1 before.
    reached = shortest_words(-1, lambda here: _moves(subsets, start if here < 0 else here, letters))
    return next((word for here, word in reached if here >= 0 and subsets.sets[here] & subsets.accepting), b"")


def _moves(subsets: Subsets, number: int, letters: list[int]) -> Iterator[tuple[int, int]]:
    row = subsets.row(number)
    return ((byte, row[byte]) for byte in letters if row[byte] >= 0)
