"""Read bytes with a recursive grammar (Earley); return a ``Chart`` of the pieces that its called rules derive.

This is Earley's algorithm (1970) over a ``Network``: instead of a dotted rule, an item is a set of states of the
regular parts, computed once and kept, and the offset where its rules began (its origin). It decides exactly what the
grammar derives, ambiguous or not, with any recursion; alternatives have no order. The next byte shows where a rule may
begin or end (as in SLR), so that most bytes cost one look in a table. Time is linear where a bounded number of origins
is open for the next byte, as in JSON; it is quadratic for unambiguous grammars, and cubic, at worst.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton.network import END, Network, called_rules, network

if TYPE_CHECKING:
    from utf8_abnf.grammar import Grammar

DEAD, EVENT = -1, -2  # in place of a next set: none; or rules begin or end here
ANY = (1 << END + 1) - 1


class Refusal(NamedTuple):
    """The *offset* at which the input cannot go on, and the sets of states there. *complete*: it may end there."""

    offset: int
    sets: tuple[int, ...]
    complete: bool


_NOWHERE: list[int] = []


class Chart:
    """The pieces of one input that the called rules derive. *refused* is where the input goes wrong, or None."""

    def __init__(self, number: dict[str, int], nullable: frozenset[str], size: int) -> None:
        self.refused: Refusal | None = None
        self.steps = 0  # rules that began or ended: the other bytes take one look in a table each
        self.facts: dict[int, list[int]] = {}  # ends, by start of the piece and number of the rule
        self.same: dict[int, tuple[int, int]] = {}  # offset: another one where the same rules began, and since where
        self._number = number
        self._nullable = nullable
        self._size = size
        self._ends: dict[int, list[int]] = {}
        self._after: dict[tuple[int, int], list[int]] = {}

    @cached_property
    def begins(self) -> bytes:
        """A 0 for each offset at which no rule begins, up to the end of the input, which must have been read."""
        width, begins = len(self._number), bytearray([bool(self._nullable)]) * (self._size + 1)
        for start in [*self.same, *(key // width for key in self.facts)]:
            begins[start] = 1
        return bytes(begins)

    def ends(self, rule: str, start: int) -> list[int]:
        """Return the offsets, ascending, where a piece that *rule* derives can end if it begins at *start*.

        Starts that go on alike share one list, so do not change it; the input must have been read.
        """
        number, width = self._number[rule], len(self._number)
        if start not in self.same and rule not in self._nullable:
            return self.facts.get(start * width + number, _NOWHERE)
        todo = []
        while start * width + number not in self._ends and start in self.same:
            todo.append(start)
            start = self.same[start][0]
        known = self._ends.get(start * width + number)
        if known is None:
            known = self._ends[start * width + number] = self._own(rule, start)
        for each in reversed(todo):
            at, since = self.same[each]
            later = self._from(at * width + number, known, since)
            own = self._own(rule, each)
            known = self._ends[each * width + number] = own + later if own else later
        return known

    def _own(self, rule: str, start: int) -> list[int]:
        """Return the ends that were found before *start* was the same as another offset."""
        facts = self.facts.get(start * len(self._number) + self._number[rule], [])
        return [start, *facts] if rule in self._nullable else facts

    def _from(self, key: int, ends: list[int], since: int) -> list[int]:
        """Return those of *ends*, which belong to *key*, that are not below *since*: always the same list."""
        low = bisect_left(ends, since)
        return self._after.setdefault((key, low), ends[low:]) if low else ends


class Plan(NamedTuple):
    """What happens in a set before a byte: the set *fresh* begins, or the rule *rule* ends (then *fresh* is dead).

    *onward* and *inward* are the next sets of the old one and of the fresh one. *left*: the fresh set calls rules.
    """

    fresh: int
    onward: int
    inward: int
    left: bool
    rule: int
    name: str


class Recogniser:
    """Reads many inputs with one grammar; the network and its sets of states are kept."""

    def __init__(self, grammar: Grammar, start: str | None = None) -> None:
        self.calls = called_rules(grammar, start)
        self.network: Network = network(grammar, start, self.calls)
        self.subsets = self.network.subsets
        self.nullable = frozenset(self.network.rules) & self.subsets.skipped
        self.steps: dict[int, list[int]] = {}
        self.plans: dict[int, Plan | None] = {}
        self.ends_of = cache(self._ends_of)
        self.firsts_of = cache(self._firsts_of)
        self.calls_of = cache(self._calls_of)
        self.begin = cache(self._begin)

    def read(self, data: bytes, *, until: int | None = None) -> Chart:
        """Return the chart of *data*. With *until*, stop at this offset, and say in *refused* what may come there."""
        reading = _Reading(self, data if until is None else data[:until], to_the_end=until is None)
        chart = reading.chart
        offset = reading.run()
        complete = offset in chart.ends(self.network.rules[0], 0)
        if until is not None:
            chart.refused = Refusal(offset, tuple(reading.frames.values()), complete)
        elif offset < len(data) or not complete:
            chart.refused = self.read(data, until=offset).refused
        return chart

    def plan(self, number: int, byte: int) -> Plan | None:
        """Return what to do in set *number* before *byte* where that is one thing: begin rules, or end one."""
        ended = [(rule, name) for rule, follow, name in self.ends_of(number) if follow >> byte & 1]
        begins = bool(self.firsts_of(number) >> byte & 1)
        fresh = self.begin(self.calls_of(number))[0] if begins else DEAD
        onward = DEAD if byte == END else self.subsets.row(number)[byte]
        if begins and not ended:
            return Plan(fresh, onward, self.subsets.row(fresh)[byte], self.calls_of(fresh) != 0, 0, "")
        if len(ended) == 1 and not begins and onward == DEAD:
            return Plan(DEAD, DEAD, DEAD, False, *ended[0])
        return None

    def _ends_of(self, number: int) -> list[tuple[int, int, str]]:
        """Return the rules that end in set *number*: number, the bytes before which they do, name."""
        rules = sorted(self.network.rule_of[each] for each in self.subsets.sets[number] & self.network.rule_of.keys())
        return [(rule, self.network.follows[rule], self.network.rules[rule]) for rule in rules]

    def _firsts_of(self, number: int) -> int:
        """Return the bytes before which the rules begin that set *number* calls, as a mask."""
        called = self.calls_of(number)
        return self.begin(called)[1] if called else 0

    def _calls_of(self, number: int) -> int:
        """Return the rules that set *number* calls, as a mask."""
        return sum(1 << self.network.number[name] for name in self.subsets.gotos(number))

    def _begin(self, rules: int) -> tuple[int, int]:
        """Return the set in which the mask *rules* begins, with all rules called at once, and its first bytes."""
        mask, number, inside = 0, -1, list[int]()
        while mask != rules:
            mask = rules
            inside = [rule for rule in range(rules.bit_length()) if rules >> rule & 1]
            number = self.subsets.number(self.subsets.closure([self.network.starts[rule] for rule in inside]))
            rules |= self.calls_of(number)
        firsts = 0
        for rule in inside:
            firsts |= self.network.firsts[rule]
        return number, firsts

    def step(self, number: int) -> list[int]:
        """Return the next set for each byte, ``DEAD``, or ``EVENT`` where rules begin or end before the byte."""
        wakes = self.firsts_of(number)
        for _, follow, _ in self.ends_of(number):
            wakes |= follow
        row = [*self.subsets.row(number), DEAD]
        made = [EVENT if wakes >> byte & 1 else row[byte] for byte in range(END + 1)]
        self.steps[number] = made
        return made


class _Reading:
    """One input on its way: *frames* has the open origins with their sets, *stored* for each origin what called it."""

    def __init__(self, recogniser: Recogniser, data: bytes, *, to_the_end: bool) -> None:
        self.recogniser = recogniser
        self.subsets = recogniser.subsets
        self.width = len(recogniser.network.rules)
        self.data = data
        self.last = 1 << END if to_the_end else ANY  # what may come after the last byte
        self.chart = Chart(recogniser.network.number, recogniser.nullable, len(data))
        fresh = recogniser.begin(1)[0]
        self.frames = {0: fresh}
        self.stored: dict[int, tuple[int, ...]] = {0: (0, fresh)}
        self.fresh: dict[int, int] = {0: fresh}
        self.callers: set[int] = set()  # the origins that others came back to, or will
        self.ended: list[int] = []  # the facts of one step

    def run(self) -> int:
        """Read the input; return the offset where it ends, or where nothing is possible before its next byte."""
        data, size = self.data, len(self.data)
        self.frames, at = self._scanned(data[0]) if size else self.frames, min(1, size)
        if not self.frames:
            self.frames = {0: self.fresh[0]}
            return 0
        while True:
            if len(self.frames) > 1 and at < size:
                self._prune(data[at])
            if len(self.frames) == 1:
                at = self._deterministic(at)
            if at == size:
                self._meet(at, self.last)
                return at
            before = dict(self.frames)
            self.ended.clear()
            self._meet(at, 1 << data[at])
            self.frames = self._scanned(data[at])
            if not self.frames:
                return at
            at += 1
            if len(set(self.frames.values())) < len(self.frames):
                self._merge(at)
            if self.frames == before:
                at = self._again(at)

    def _prune(self, byte: int) -> None:
        steps, step = self.recogniser.steps, self.recogniser.step
        open_frames = {
            origin: number
            for origin, number in self.frames.items()
            if (steps.get(number) or step(number))[byte] != DEAD
        }
        if open_frames:
            self.frames = open_frames

    def _deterministic(self, at: int) -> int:
        """Read on while one set is left, and rules begin and end in one way only."""
        data, size, stored, facts, width = self.data, len(self.data), self.stored, self.chart.facts, self.width
        steps, plans, gotos = self.recogniser.steps, self.recogniser.plans, self.subsets.gotos
        ((origin, now),) = self.frames.items()
        count = 0
        while at < size:
            byte = data[at]
            following = (steps.get(now) or self.recogniser.step(now))[byte]
            if following >= 0:
                now = following
                at += 1
                continue
            if following == DEAD:
                break
            key = now << 9 | byte
            plan = plans[key] if key in plans else plans.setdefault(key, self.recogniser.plan(now, byte))
            if plan is None:
                break
            if plan.fresh < 0:
                callers = stored[origin]
                target = gotos(callers[1]).get(plan.name) if len(callers) == 2 else None
                ends = facts.setdefault(origin * width + plan.rule, [])
                if target is None or at in ends[-1:]:
                    break
                ends.append(at)
                origin, now = callers[0], target
            elif plan.left:
                break
            elif plan.onward < 0 or self._is_dead(plan.onward, at + 1):
                stored[at] = (origin, now)
                self.callers.add(origin)
                self.fresh[at] = plan.fresh
                origin, now = at, plan.inward
                at += 1
            elif self._is_dead(plan.inward, at + 1):
                now = plan.onward
                at += 1
            else:
                break
            count += 1
        self.chart.steps += count
        self.frames = {origin: now}
        return at

    def _is_dead(self, number: int, at: int) -> bool:
        """Return whether nothing is possible in set *number* before the byte at offset *at*, which is not the last."""
        steps = self.recogniser.steps.get(number) or self.recogniser.step(number)
        return at < len(self.data) and steps[self.data[at]] == DEAD

    def _scanned(self, byte: int) -> dict[int, int]:
        row = self.subsets.row
        rows = ((origin, row(number)[byte]) for origin, number in self.frames.items())
        return {origin: following for origin, following in rows if following >= 0}

    def _meet(self, at: int, following: int) -> None:
        """End and begin at offset *at* the rules after or with which one of the bytes *following* can come."""
        if at == 0:
            return
        frames, gotos, recogniser = self.frames, self.subsets.gotos, self.recogniser
        todo = list(frames.items())
        while todo:
            origin, number = todo.pop()
            for rule, follow, name in recogniser.ends_of(number):
                if not follow & following or not self._is_new(origin * self.width + rule, at):
                    continue
                callers = self.stored[origin]
                for i in range(0, len(callers), 2):
                    target = gotos(callers[i + 1]).get(name)
                    if target is None:
                        continue
                    self.chart.steps += 1
                    before = frames.get(callers[i])
                    after = target if before is None else self.subsets.join(before, target)
                    if after != before:
                        frames[callers[i]] = after
                        todo.append((callers[i], target))
        called = 0
        for number in frames.values():
            if recogniser.firsts_of(number) & following:
                called |= recogniser.calls_of(number)
        fresh, firsts = recogniser.begin(called) if called else (DEAD, 0)
        if firsts & following:
            self.chart.steps += 1
            frames[at] = self.fresh[at] = fresh
            callers_ = [pair for pair in sorted(frames.items()) if recogniser.calls_of(pair[1])]
            self.callers.update(origin for origin, _ in callers_ if origin != at)
            self.stored[at] = tuple(each for pair in callers_ for each in pair)

    def _is_new(self, key: int, at: int) -> bool:
        ends = self.chart.facts.setdefault(key, [])
        if ends and ends[-1] == at:
            return False
        ends.append(at)
        self.ended.append(key)
        return True

    def _merge(self, at: int) -> None:
        """Keep one of the origins that are in the same set and that the same rules called: they go on alike."""
        kept: dict[tuple[int, ...], int] = {}
        for origin, number in sorted(self.frames.items()):
            if origin in self.callers:  # what it called may end in other sets than what the others called
                continue
            callers = self.stored[origin]
            if callers[-2] == origin:  # the fresh set itself calls rules
                callers = (*callers[:-2], -1, callers[-1])
            first = kept.setdefault((number, self.fresh[origin], *callers), origin)
            if first != origin:
                self.chart.same[origin] = (first, at)
                del self.frames[origin]

    def _again(self, at: int) -> int:
        """Repeat the last step, after which all is as before, while the byte is the same; return where it ends."""
        data, end = self.data, at
        while end < len(data) and data[end] == data[at - 1]:
            end += 1
        if (same := self.chart.same.get(at - 1)) or at - 1 not in self.stored:
            for key in self.ended:
                self.chart.facts[key].extend(range(at, end))
            if same:
                self.chart.same.update((each, (same[0], each + 1)) for each in range(at, end))
            return end
        return at
