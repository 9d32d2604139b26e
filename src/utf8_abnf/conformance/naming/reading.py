"""Reads lines: facts and a standard go in, and the automaton of a decoder that behaves like that comes out.

The decoder divides its input into pieces. A piece is a character of the standard, or a word of a line ``extra`` at a
place of that line; it is not a word of a line ``missing`` at a place of that line. It accepts what it can divide so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton import Automaton
from utf8_abnf.automaton.product import complement
from utf8_abnf.errors import TooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_STEPS = 100_000  # moves of threads


class Fact(NamedTuple):
    """Words that are wrongly accepted, or rejected, where *before* accepts the input before, and *after* that after."""

    accepted: bool
    words: Automaton
    before: Automaton | None
    after: Automaton | None


class _Thread(NamedTuple):
    """One way to divide the input so far: the piece that has begun, its state, and what the rest has to be."""

    piece: int  # a fact's number, or CHARACTER
    states: tuple[int, ...]  # of the fact's words; of a character, and of the words that it must not be; FREE: between
    duties: frozenset[tuple[int, int]]


CHARACTER = -1
FREE: tuple[int, ...] = ()
NONE = -1  # the state of words that do not count here


def reading(standard: Automaton, facts: Sequence[Fact]) -> Automaton:
    """Return the smallest automaton that accepts what a decoder accepts of which *facts* says all.

    *standard* accepts sequences of characters: its start alone accepts. ``TooLargeError`` above ``MAX_STEPS``.
    """
    return _Reader(standard, facts).automaton()


class _Reader:
    def __init__(self, standard: Automaton, facts: Sequence[Fact]) -> None:
        self.standard = standard
        self.facts = facts
        self.extra = [number for number, fact in enumerate(facts) if fact.accepted]
        self.missing = [number for number, fact in enumerate(facts) if not fact.accepted]
        duties = {
            number: fact.after if fact.accepted else complement(fact.after)
            for number, fact in enumerate(facts)
            if fact.after is not None
        }
        contexts = [each for fact in facts for each in (fact.before, fact.after) if each is not None]
        self.starts_before = list(dict.fromkeys(fact.before for fact in facts if fact.before is not None))
        self.afters = list(dict.fromkeys(duties.values()))
        self.after_of = {number: self.afters.index(each) for number, each in duties.items()}
        self.before_of = {
            number: self.starts_before.index(fact.before)
            for number, fact in enumerate(facts)
            if fact.before is not None
        }
        columns: dict[tuple[int, ...], int] = {}
        parts = [standard, *(fact.words for fact in facts), *contexts]
        of_bytes = zip(*(part.classes for part in parts), strict=True)
        self.classes = bytes(columns.setdefault(each, len(columns)) for each in of_bytes)
        self.bytes = [self.classes.index(number) for number in range(len(columns))]

    def automaton(self) -> Automaton:
        """Return the automaton. A state of it has the states of all inputs before, and the threads."""
        start = tuple(each.start for each in self.starts_before), frozenset({_Thread(CHARACTER, FREE, frozenset())})
        numbers = {start: 0}
        todo = [start]
        table: list[tuple[int, ...]] = []
        accepting = set()
        steps = 0
        for starts_before, threads in todo:
            if self._accepts(starts_before, threads):
                accepting.add(len(table))
            begun = {begin for thread in threads for begin in self._begun(thread, starts_before)}
            steps += len(begun) * len(self.bytes)
            if steps > MAX_STEPS:
                raise TooLargeError(f"reading the lines takes more than {MAX_STEPS} steps")
            row = []
            for byte in self.bytes:
                pairs = zip(self.starts_before, starts_before, strict=True)
                moved = frozenset(each for thread in begun for each in self._moved(thread, byte))
                after = tuple(each.step(state, byte) for each, state in pairs), moved
                if after not in numbers:
                    numbers[after] = len(todo)
                    todo.append(after)
                row.append(numbers[after])
            table.append(tuple(row))
        return Automaton(0, tuple(table), self.classes, frozenset(accepting)).minimal()

    def _holds(self, number: int, starts_before: tuple[int, ...]) -> bool:
        place = self.before_of.get(number)
        return place is None or starts_before[place] in self.starts_before[place].accepting

    def _accepts(self, starts_before: tuple[int, ...], threads: Iterable[_Thread]) -> bool:
        if not any(
            thread.states == FREE and all(state in self.afters[each].accepting for each, state in thread.duties)
            for thread in threads
        ):
            return False
        ends = (each for each in self.missing if self.facts[each].words.accepts(b""))
        return not any(self._holds(each, starts_before) for each in ends)

    def _begun(self, thread: _Thread, starts_before: tuple[int, ...]) -> Iterator[_Thread]:
        if thread.states != FREE:
            yield thread
            return
        refused = (self.facts[each].words.start if self._holds(each, starts_before) else NONE for each in self.missing)
        yield _Thread(CHARACTER, (self.standard.start, *refused), thread.duties)
        for number in self.extra:
            if self._holds(number, starts_before):
                yield _Thread(number, (self.facts[number].words.start,), thread.duties)

    def _moved(self, thread: _Thread, byte: int) -> Iterator[_Thread]:
        """Yield what *thread* becomes after *byte*: nothing if it fails; two if a word ends that may go on as well."""
        duties = set()
        for each, state in thread.duties:
            after = self.afters[each].step(state, byte)
            if after in self.afters[each].dead:
                return
            duties.add((each, after))
        if thread.piece == CHARACTER:
            yield from self._character(thread.states, byte, duties)
            return
        words = self.facts[thread.piece].words
        state = words.step(thread.states[0], byte)
        if state not in words.dead:
            yield _Thread(thread.piece, (state,), frozenset(duties))
        if state in words.accepting:
            if (place := self.after_of.get(thread.piece)) is not None:
                duties.add((place, self.afters[place].start))
            yield _Thread(CHARACTER, FREE, frozenset(duties))

    def _character(self, states: tuple[int, ...], byte: int, duties: set[tuple[int, int]]) -> Iterator[_Thread]:
        now = self.standard.step(states[0], byte)
        if now in self.standard.dead:
            return
        refused = [
            NONE if state == NONE else self.facts[number].words.step(state, byte)
            for number, state in zip(self.missing, states[1:], strict=True)
        ]
        if now != self.standard.start:
            yield _Thread(CHARACTER, (now, *refused), frozenset(duties))
            return
        for number, state in zip(self.missing, refused, strict=True):
            if state != NONE and state in self.facts[number].words.accepting:
                if (place := self.after_of.get(number)) is None:
                    return
                duties.add((place, self.afters[place].start))
        yield _Thread(CHARACTER, FREE, frozenset(duties))
