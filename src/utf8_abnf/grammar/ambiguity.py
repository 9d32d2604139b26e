"""Ambiguity: the shortest string with two derivations, and alternatives that are never needed or are shadowed.

The answers are exact for rules without recursion; with it, a rule is looked at to some depth within itself. They come
from the NFA of ``analysis``: two runs of one NFA side by side, or one run of several.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from utf8_abnf.grammar.analysis import Budget, DerivationNfa, derivation_nfa

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Alternation, Node, Rule

MAX_WORK = 300_000  # states, and steps over them: one or two seconds


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
    budget = budget or Budget(grammar, MAX_WORK)
    made = derivation_nfa(grammar, rule, budget=budget, depth=depth)
    some_bytes = made.representatives()
    before: dict[_Pair, tuple[_Pair | None, int | None]] = {}

    @cache
    def common(mask: int) -> int | None:
        return next((each for each in some_bytes if mask >> each & 1), None)

    todo: deque[tuple[_Pair, _Pair | None, int | None]] = deque([((0, 0, False), None, None)])
    while todo:
        pair, earlier, last = todo.popleft()
        if pair in before:
            continue
        before[pair] = (earlier, last)
        if pair == (1, 1, True):
            return _traced(made, before, pair)
        budget.spend(1, rule)
        for after, byte in _together(made, pair, common):
            left, right, parted = after
            if left > right:  # which run is the first one does not matter
                after = (right, left, parted)  # the same pair
            if after in before:
                continue
            if byte is None:
                todo.appendleft((after, pair, byte))  # reads no byte: so the shortest string is found first
            else:
                todo.append((after, pair, byte))
    return None


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A string with two derivations, and the rule and node where they part."""

    word: bytes
    rule: Rule
    node: Node


_Pair = tuple[int, int, bool]  # two runs over one string, and whether they have parted


def _together(made: DerivationNfa, pair: _Pair, common: Callable[[int], int | None]) -> list[tuple[_Pair, int | None]]:
    """Return the next pairs of runs, each with the byte of *common* that both read; None where they read nothing."""
    left, right, parted = pair
    if not parted and made.empties[left]:
        ways = made.empties[left]
        parting = [((a, b, True), None) for i, a in enumerate(ways) for b in ways[i + 1 :]]
        return [*parting, *(((a, a, False), None) for a in ways)]
    if made.empties[left]:
        return [((each, right, parted), None) for each in made.empties[left]]
    if made.empties[right]:
        return [((left, each, parted), None) for each in made.empties[right]]
    one, other = made.moves[left], made.moves[right]
    if one is None or other is None:
        return []
    byte = common(one[0] & other[0])
    return [] if byte is None else [((one[1], other[1], parted), byte)]


def _traced(made: DerivationNfa, before: dict[_Pair, tuple[_Pair | None, int | None]], pair: _Pair) -> Ambiguity:
    word = bytearray()
    place = made.places[pair[0]]
    earlier, byte = before[pair]
    while earlier:
        if byte is not None:
            word.append(byte)
        if pair[2] and not earlier[2]:
            place = made.places[earlier[0]]
        pair = earlier
        earlier, byte = before[pair]
    return Ambiguity(bytes(reversed(word)), *place)


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
    budget = budget or Budget(grammar, MAX_WORK)
    machines = [derivation_nfa(grammar, rule, item, budget) for item in node.items]
    some_bytes = _common(machines)
    begin = tuple(machine.closure([0]) for machine in machines)
    words = {begin: b""}
    needed: set[int] = set()
    shadows: Shadows = {}
    todo = deque([begin])
    while todo:
        sets = todo.popleft()
        word = words[sets]
        ends = [i for i, states in enumerate(sets) if 1 in states]
        needed.update(ends[:1])
        for later in range(ends[0] + 1, len(sets)) if ends else ():
            if later not in shadows and any(machines[later].moves[state] for state in sets[later]):
                shadows[later] = (ends[0], word, word + _rest(machines[later], sets[later]))
        steps = [machine.steps(states, some_bytes) for machine, states in zip(machines, sets, strict=True)]
        readable = set().union(*steps)
        for byte in some_bytes:
            if byte not in readable:
                continue
            after = tuple(step.get(byte, frozenset()) for step in steps)
            if after not in words:
                budget.spend(sum(map(len, after)), rule)
                words[after] = word + bytes([byte])
                todo.append(after)
    return [i for i in range(len(machines)) if i not in needed], shadows


def _common(machines: list[DerivationNfa]) -> tuple[int, ...]:
    return DerivationNfa(moves=[move for machine in machines for move in machine.moves]).representatives()


def _rest(machine: DerivationNfa, states: frozenset[int]) -> bytes:
    """Return a shortest word, not empty, that leads from *states* to the end."""
    some_bytes = machine.representatives()
    todo = deque([(states, b"")])
    seen = {states}
    while todo:
        current, word = todo.popleft()
        for byte in some_bytes:
            after = machine.step(current, byte)
            if 1 in after:
                return word + bytes([byte])
            if after and after not in seen:
                seen.add(after)
                todo.append((after, word + bytes([byte])))
    return b""
