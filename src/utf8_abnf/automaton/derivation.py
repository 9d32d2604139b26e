"""Return the derivation of one piece of input by a rule, as a ``Path``: where rules begin, end and are called.

It takes three passes, as in Dubé and Feeley, "Efficiently building a parse tree from a regular expression" (2000). The
first reads the piece with the subset automaton and keeps the set before each byte. The second goes back and keeps in
each set only the useful states: those from which the rest is accepted. The third follows the path that is left.
Where several are left, the piece is ambiguous, and ``automaton.ways`` decides which derivation comes first. To
compare two of them, they are followed to where they meet; what is decided at one place is kept, and so is where it met
the others, so that each part of the piece is followed once in the usual case.

Where rules are called, the path jumps over what they derive: Earley's recogniser has found where each call can end.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton.ways import EMPTY, Course, Way, Ways
from utf8_abnf.errors import UndecidedError
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from array import array
    from collections.abc import Generator, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from utf8_abnf.automaton.earley import Chart
    from utf8_abnf.grammar.nfa import Nfa
    from utf8_abnf.grammar.subsets import Subsets

    Place = tuple[int, int]  # a state, and the offset of what is read next
    Calls = dict[int, dict[str, Sequence[int]]]  # by offset, for each rule that is called there, where it can end
    Onward = tuple[tuple[str, frozenset[int]], ...]

MAX_STEPS = 20_000_000
"""Steps that are followed to decide one ambiguous piece; above that it is undecided."""

DONE = -1  # in place of a state: after the end of the piece


class Call(NamedTuple):
    """A mark: here *rule* is called and derives what lies between two offsets of the input."""

    rule: str
    start: int
    end: int


Mark = int | Call


class Step(NamedTuple):
    """The *way* that is taken from a place, and the place after it.

    *forked*: the input can be derived in another way from here. *course* has what happens until the place *met*, where
    the derivation meets one with which it was compared.
    """

    way: Way
    after: Place
    forked: bool = False
    course: Course | None = None
    met: Place = (DONE, -1)


def reach(subsets: Subsets, data: bytes, start: int, end: int, chart: Chart) -> tuple[dict[int, int], Calls]:
    """Return the set at each offset that is reached, and the calls there: for each rule, where it can end."""
    sets = {start: subsets.start}
    calls: Calls = {}
    waiting: list[int] = []
    within: dict[int, tuple[Sequence[int], Sequence[int]]] = {}  # lists of ends by their ids, whole and cut at *end*
    passed: set[tuple[int, int]] = set()  # the lists, by their ids, whose ends were reached with a set
    rows, begins = subsets._rows, chart.begins
    at = start
    while True:
        now = sets[at]
        while not waiting and at < end:  # the usual case
            if begins[at] and any(chart.ends(rule, at) for rule in subsets.gotos(now)):
                break
            now = (rows[now] or subsets.row(now))[data[at]]
            if now < 0:
                return sets, calls
            at += 1
            sets[at] = now
        steps = [(at + 1, subsets.row(now)[data[at]])] if at < end and subsets.row(now)[data[at]] >= 0 else []
        for rule, target in subsets.gotos(now).items():
            whole = chart.ends(rule, at)
            if not whole or whole[-1] <= at or whole[0] > end:
                continue
            if id(whole) not in within:
                low = bisect_right(whole, at) if whole[0] <= at else 0
                inside = whole if not low and whole[-1] <= end else whole[low : bisect_right(whole, end)]
                within[id(whole)] = whole, inside
            stops = within[id(whole)][1]
            if not stops:
                continue
            calls.setdefault(at, {})[rule] = stops
            if (id(stops), target) not in passed:
                passed.add((id(stops), target))
                steps += [(to, target) for to in stops]
        for to, number in steps:
            if to not in sets:
                heappush(waiting, to)
                sets[to] = number
            else:
                sets[to] = subsets.join(sets[to], number)
        if not waiting:
            return sets, calls
        at = heappop(waiting)


class Tracer(Ways):
    """Follows many pieces through one NFA; what it computes is kept."""

    def __init__(self, nfa: Nfa, *, file: str = "<grammar>", skipped: AbstractSet[str] = frozenset()) -> None:
        super().__init__(nfa, file=file, skipped=skipped)
        self._turn = cache(self._turned)
        self._quiet: set[int] = set()  # the sets that are known to call nothing

    def trace(self, data: bytes | memoryview, start: int = 0) -> Path | None:
        """Return the path of *data*, which begins at offset *start* of the input.

        None if it is not derived, or if a rule could be called on the way.
        """
        passed = self.subsets.read(data)
        if len(passed) <= len(data) or self.nfa.accept not in self.subsets.sets[passed[-1]]:
            return None
        if self.calls and (fresh := set(passed) - self._quiet):
            if any(map(self.subsets.gotos, fresh)):
                return None
            self._quiet |= fresh
        classes, turn = self.subsets.classes, self._turn
        useful = passed[-1] = self.accepted
        for offset in range(len(data) - 1, -1, -1):  # the array is reused: each set is replaced by its useful states
            useful = passed[offset] = turn(passed[offset], classes[data[offset]], useful)
        return Path(self, passed, start, start + len(data), {})

    def follow(self, data: bytes, start: int, end: int, chart: Chart) -> Path | None:
        """Return the path of ``data[start:end]``, where *chart* has the ends of calls; None if it is not derived."""
        sets, calls = reach(self.subsets, data, start, end, chart)
        if end not in sets or self.nfa.accept not in self.subsets.sets[sets[end]]:
            return None
        classes, nothing = self.subsets.classes, self.nothing
        useful: dict[int, int] = {}
        goals: dict[int, frozenset[int]] = {}  # the useful sets at the ends of a list, by its id
        following, after = end + 1, nothing
        for at in sorted(sets, reverse=True):
            if following != at + 1:
                after = nothing
            if at in calls or at == end:
                onward = []
                for rule, stops in calls.get(at, {}).items():
                    if id(stops) not in goals:
                        goals[id(stops)] = frozenset([useful[to - start] for to in stops if to - start in useful])
                    onward.append((rule, goals[id(stops)]))
                after = self._turn(sets[at], classes[data[at]] if at < end else -1, after, tuple(onward))
            elif after != nothing:
                after = self._turn(sets[at], classes[data[at]], after)
            following = at
            if after != nothing:
                useful[at - start] = after
        return Path(self, useful, start, end, calls)

    def _turned(self, passed: int, byte_class: int, after: int, onward: Onward = ()) -> int:
        """Return the states of a set from which the rest is accepted: by a byte, by a call, or at the end."""
        members, states = self.subsets.sets[passed], self.states
        found = {self.nfa.accept} & members if byte_class < 0 else set(self._reading(passed, byte_class, after))
        for rule, numbers in onward:
            goal = frozenset().union(*(self.useful[each] for each in numbers))
            calling = (each for each in members if states[each].call == rule)
            found.update(each for each in calling if self.subsets.closure(states[each].targets) & goal)
        return self.number(frozenset(found))

    def _reading(self, passed: int, byte_class: int, after: int) -> Iterator[int]:
        """Yield the states of set *passed* that read a byte and lead to the useful states *after*."""
        low, states = self.subsets.classes.index(byte_class), self.states
        for state in self.subsets.sets[passed] if self.useful[after] else ():
            reads = any(first <= low <= last for first, last in states[state].ranges)
            if reads and self.subsets.closure(states[state].targets) & self.useful[after]:
                yield state


class _Comparison(NamedTuple):
    """What was found out about two steps: whether the *first* one comes first, and the *course* of the one that does.

    *common*: how many states both have in common; *met*: where they meet.
    """

    first: bool
    course: Course
    common: int
    met: Place


class Path:
    """The path of a piece: for each offset between the calls, the number of its useful states.

    They are counted from *start*. *fork* is the first offset where another derivation parts from the one that was
    followed, if one does.
    """

    def __init__(self, tracer: Tracer, useful: array[int] | dict[int, int], start: int, end: int, calls: Calls) -> None:
        self.tracer = tracer
        self.fork: int | None = None
        self._useful = useful
        self._start = start
        self._end = end
        self._calls = calls
        self._steps: dict[Place, Step] = {}
        self._stops: dict[tuple[int, int], tuple[Sequence[int], int, bool]] = {}
        self._left = MAX_STEPS

    def marks(self) -> Iterator[tuple[int, tuple[Mark, ...]]]:
        """Yield (offset, marks) where rules begin and end; see ``CLOSE``.

        A mark is a ``Call`` where a rule is called. Raises ``UndecidedError`` above ``MAX_STEPS``.
        """
        useful, hop, end = self._useful, self.tracer.hop, self._end
        now, start = self.tracer.nfa.start, self._start
        at = start
        while at <= end:
            if single := hop(now, useful[at - start]):
                now, marks = single
                if marks:
                    yield at, marks
                at += 1
                continue
            step = self._step((now, at))
            if step.forked and self.fork is None:
                self.fork = at
            yield at, self._shown(step, at)
            now, at = step.after

    def _shown(self, step: Step, at: int) -> tuple[Mark, ...]:
        states = self.tracer.states
        marks: list[Mark] = [
            Call(states[EMPTY - mark].call, at, at) if mark <= EMPTY else mark for mark in step.way.marks
        ]
        if rule := states[step.way.path[-1]].call:
            marks.append(Call(rule, at, step.after[1]))
        return tuple(marks)

    def _step(self, place: Place) -> Step:
        """Return what to do at *place*; decide it, and all that this needs, with a stack of our own."""
        known = self._known(place)
        if known:
            return known
        stack = [self._decide(place)]
        while stack:
            wanted = next(stack[-1], None)
            if wanted is None:
                stack.pop()
            elif wanted not in self._steps:
                stack.append(self._decide(wanted))
        return self._steps[place]

    def _known(self, place: Place) -> Step | None:
        """Return what to do at *place* if it is decided or there is one thing to do."""
        if place in self._steps:
            return self._steps[place]
        state, at = place
        ways = self.tracer.of(state, self._useful[at - self._start])
        last = self.tracer.states[ways[0].path[-1]]
        is_single = len(ways) == 1 and not last.call
        return Step(ways[0], (last.targets[0] if last.targets else DONE, at + 1), ways[0].forked) if is_single else None

    def _decide(self, place: Place) -> Generator[Place, None, None]:
        """Find the step at *place*; yield each place that has to be decided before."""
        states, (state, at) = self.tracer.states, place
        best: Step | None = None
        for way in self.tracer.of(state, self._useful[at - self._start]):
            last = states[way.path[-1]]
            end, forked = at + 1, way.forked
            if last.call:
                end, several = yield from self._longest(way.path[-1], at)
                forked = forked or several
            step = Step(way, (last.targets[0] if last.targets else DONE, end), forked)
            if best is None:
                best = step
                continue
            comparison = yield from self._compare(best, step, at)
            won = best if comparison.first else step
            whole = Course(states[state].level)
            whole.end_all(self.tracer.ends_on(won.way.path[: comparison.common]), at)
            whole.follow(comparison.course)
            best = Step(won.way, won.after, True, whole, comparison.met)
        assert best is not None
        self._steps[place] = best

    def _longest(self, state: int, at: int) -> Generator[Place, None, tuple[int, bool]]:
        """Return the end that a call in *state* has, and whether it can have others."""
        (after,) = self.tracer.states[state].targets
        stops = self._calls[at][self.tracer.states[state].call]
        key = state, id(stops)
        if key not in self._stops:
            members, useful = self.tracer.subsets.closure([after]), self.tracer.useful
            here, start = self._useful, self._start
            good = [to for to in stops if to - start in here and members & useful[here[to - start]]]
            way = Way((state,), (), (), forked=False)
            best = Step(way, (after, good[0]))
            for to in good[1:]:
                step = Step(way, (after, to))
                comparison = yield from self._compare(best, step, at)
                best = best if comparison.first else step
            self._stops[key] = stops, best.after[1], len(good) > 1
        return self._stops[key][1:]

    def _compare(self, one: Step, other: Step, at: int) -> Generator[Place, None, _Comparison]:
        """Follow two steps from offset *at* to where they meet."""
        tracer = self.tracer
        common = tracer.part(one.way.path, other.way.path)
        parting = tracer.states[one.way.path[common - 1]]
        courses, places = [], [one.after, other.after]
        together: tuple[int, ...] = ()  # what both pass where they meet between two things that are read
        offset = at
        for step in (one, other):
            rest = step.way.path[common:]
            courses.append(Course(parting.level))
            courses[-1].end_all(tracer.ends_on(rest), at)
        while places[0] != places[1]:
            behind = (0, 1) if places[0][1] == places[1][1] else (int(places[0][1] > places[1][1]),)
            steps = []
            for each in behind:
                if not (found := self._known(places[each])):
                    yield places[each]
                    found = self._steps[places[each]]
                steps.append(found)
            paths = [step.way.path for step in steps]
            if len(steps) == 2 and steps[0].after == steps[1].after and paths[0][-1] == paths[1][-1]:
                shared = tracer.part(paths[0][::-1], paths[1][::-1])
                for each, path in zip(behind, paths, strict=True):
                    courses[each].end_all(tracer.ends_on(path[:-shared]), places[each][1])
                offset, places = places[0][1], [steps[0].after] * 2
                together = paths[0][-shared:]
                break
            for each, step in zip(behind, steps, strict=True):
                self._left -= 1
                if step.course:
                    courses[each].follow(step.course)
                    places[each] = step.met
                else:
                    courses[each].end_all(step.way.ends, places[each][1])
                    places[each] = step.after
            if self._left < 0:
                raise UndecidedError(Message(messages.AMBIGUOUS_AND_LONG))
        first = courses[0].before(courses[1], parting.level)
        if first is None:
            first = tracer.first_at(one.way.path, other.way.path)
        courses[not first].end_all(tracer.ends_on(together), offset)
        return _Comparison(first, courses[not first], common, places[0])
