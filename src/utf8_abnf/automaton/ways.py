"""Find the ways through an ``Nfa`` from one byte or call to the next, and which of two derivations comes first.

The ``abnf`` package tries the longest match first at every step. For a piece of input with fixed ends this means:

1. Alternatives: the first one that derives the piece.
2. A concatenation: each item in turn takes as many bytes as it can, such that the items after it can derive the rest.
3. A repetition: as few rounds as cover the piece, and each round in turn takes as many bytes as it can. The rounds
   that the lower bound requires come first; they are treated as one concatenation, the longest that is possible.
4. An option: no round where the piece is empty.

So two derivations that part at one state are compared from the outside to the inside. Of the items and rounds around
the state, the outermost decides of which the two have different numbers of rounds, or a different end. If there is
none, the state itself decides: the first alternative, or no round.
"""

from __future__ import annotations

from collections import deque
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.grammar.subsets import Subsets, too_large

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from utf8_abnf.grammar.nfa import Choice, Nfa

CLOSE = -1
"""The mark for the end of a rule. The mark for its beginning is the number of the state that opens it."""

EMPTY = -2
"""The mark for a call that reads nothing is this number minus that of the state that calls."""

MAX_USEFUL = 1 << 16
ENDLESS = 1 << 62  # the end of what goes on where two derivations meet again


class Way(NamedTuple):
    """States one after another that read nothing, but for the last: it reads a byte, calls a rule, or accepts.

    *marks* has the rules that begin and end on it, and *ends* has the levels of the items that end. *forked*: there are
    other ways to the last state.
    """

    path: tuple[int, ...]
    marks: tuple[int, ...]
    ends: tuple[int, ...]
    forked: bool


class Course:
    """What happens to the items around a place on one derivation after it.

    For each level, *counts* is the number of items or rounds that end while the item around them is open, and *ends* is
    where the item ends that is around the place. *low* is the level of the innermost of these that is still open.
    """

    __slots__ = ("counts", "ends", "low")

    def __init__(self, level: int) -> None:
        self.low = level
        self.ends: dict[int, int] = {}
        self.counts: dict[int, int] = {}

    def end(self, level: int, offset: int, count: int = 1) -> None:
        """Take note that items of *level* end, the first of them at *offset*."""
        if level <= self.low + 1:
            self.counts[level] = self.counts.get(level, 0) + count
            if level == self.low:
                self.ends[level] = offset
                self.low -= 1

    def end_all(self, levels: Iterable[int], offset: int) -> None:
        """Take note that items of these *levels* end at *offset*, one after another."""
        for level in levels:
            self.end(level, offset)

    def follow(self, other: Course) -> None:
        """Go on with what happens on *other*."""
        for level in sorted(other.counts, reverse=True):
            self.end(level, other.ends.get(level, ENDLESS), other.counts[level])

    def before(self, other: Course, level: int) -> bool | None:
        """Return whether this derivation comes before *other*; None if the items up to *level* do not decide it."""
        for number in range(1, level + 1):
            mine, yours = self.counts.get(number, 0), other.counts.get(number, 0)
            if mine != yours:
                return mine < yours
            end, other_end = self.ends.get(number, ENDLESS), other.ends.get(number, ENDLESS)
            if end != other_end:
                return end > other_end
        return None


class Ways:
    """The ways of one NFA with marks, and the sets of states for reading forwards and backwards; all are kept.

    *skipped* are the rules whose calls may read nothing.
    """

    def __init__(self, nfa: Nfa, *, file: str = "<grammar>", skipped: AbstractSet[str] = frozenset()) -> None:
        self.nfa = nfa
        self.states = nfa.states
        self.calls = any(state.call for state in nfa.states)
        self.choices: dict[int, Choice] = {
            number: state.path[-1] for number, state in enumerate(nfa.states) if state.opens
        }
        """What each mark opens."""
        self.subsets = Subsets(nfa, file=file, skipped=skipped)
        self.hop = cache(self._hop)
        self.useful: list[frozenset[int]] = []
        self._useful_numbers: dict[frozenset[int], int] = {}
        self.of = cache(self._of)
        self.nothing = self.number(frozenset())
        self.accepted = self.number(frozenset({nfa.accept}))

    def number(self, members: frozenset[int]) -> int:
        """Return the number of a set of useful states."""
        number = self._useful_numbers.get(members)
        if number is None:
            if len(self.useful) >= MAX_USEFUL:
                raise too_large(self.subsets.file)
            number = self._useful_numbers[members] = len(self.useful)
            self.useful.append(members)
        return number

    def _hop(self, state: int, useful: int) -> tuple[int, tuple[int, ...]] | None:
        """Return the state after the next byte, or the last one, and the marks before it.

        None if there are several ways, or if one calls a rule: then more has to be known.
        """
        ways = self.of(state, useful)
        last = self.states[ways[0].path[-1]]
        simple = len(ways) == 1 and not ways[0].forked and not last.call and min(ways[0].marks, default=0) > EMPTY
        return (last.targets[0] if last.targets else self.nfa.accept, ways[0].marks) if simple else None

    def _of(self, state: int, useful: int) -> tuple[Way, ...]:
        """Return the way from *state* to each state of the set *useful* that can be reached, the first of several."""
        return tuple(self._find(state, self.useful[useful]))

    def part(self, one: tuple[int, ...], other: tuple[int, ...]) -> int:
        """Return how many states *one* and *other*, which begin at the same state, have in common at the beginning."""
        partings = (at for at, (mine, yours) in enumerate(zip(one, other, strict=False)) if mine != yours)
        return next(partings, min(len(one), len(other)))

    def ends_on(self, path: Iterable[int]) -> tuple[int, ...]:
        """Return the levels of the items that end on *path*."""
        return tuple(self.states[state].level for state in path if self.states[state].ends)

    def first_at(self, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        """Return whether the state where *one* and *other* part decides for *one*."""
        common = self.part(one, other)
        parting = self.states[one[common - 1]]
        if common in {len(one), len(other)}:
            return common == len(one)
        ways = [target for target in parting.targets if target in {one[common], other[common]}]
        return (ways[0] == one[common]) is not parting.optional

    def _find(self, state: int, useful: frozenset[int]) -> Iterable[Way]:
        leading = self._leading_to(state, useful)
        paths: dict[int, tuple[int, ...]] = {state: (state,)}
        todo = deque([state])
        while todo:  # where a better path is found, what was found behind it is looked at again
            here = todo.popleft()
            for target in self._onward(here):
                if target not in leading or target in paths[here]:
                    continue
                path: tuple[int, ...] = (*paths[here], target)
                known = paths.get(target)
                if known is None or (path != known and (known[-2] == here or self._before(path, known))):
                    paths[target] = path
                    if target not in todo:
                        todo.append(target)
        forked: set[int] = set()
        for here, path in paths.items():
            targets = [target for target in self._onward(here) if target in leading]
            for number, target in enumerate(targets):
                if paths[target] != (*path, target) or target in targets[:number]:
                    forked.add(target)
        for target in sorted(useful & paths.keys()):
            path = paths[target]
            marks = tuple(mark for each in path[:-1] if (mark := self._mark(each)) is not None)
            yield Way(path, marks, self.ends_on(path), forked=not forked.isdisjoint(path))

    def _before(self, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        """Return whether of two paths to one state, at one offset, *one* comes before *other*."""
        common = self.part(one, other)
        level = self.states[one[common - 1]].level
        courses = Course(level), Course(level)
        for course, path in zip(courses, (one, other), strict=True):
            course.end_all(self.ends_on(path[common:]), 0)
        found = courses[0].before(courses[1], level)
        return self.first_at(one, other) if found is None else found

    def _mark(self, number: int) -> int | None:
        state = self.states[number]
        if state.opens:
            return number
        if state.call:
            return EMPTY - number
        return CLOSE if state.closes else None

    def _onward(self, number: int) -> tuple[int, ...]:
        """Return the targets that state *number* leads to without reading."""
        state = self.states[number]
        return () if state.ranges or (state.call and state.call not in self.subsets.skipped) else state.targets

    def _leading_to(self, start: int, useful: frozenset[int]) -> set[int]:
        """Return the states on the ways from *start* to *useful* that read nothing, both ends included."""
        before: dict[int, list[int]] = {}
        seen, todo = {start}, [start]
        while todo:
            state = todo.pop()
            for target in self._onward(state):
                before.setdefault(target, []).append(state)
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        leading = set(useful & seen)
        todo = list(leading)
        while todo:
            fresh = [state for state in before.get(todo.pop(), ()) if state not in leading]
            leading.update(fresh)
            todo.extend(fresh)
        return leading
