"""Divides a model into pieces: two automata go in, and the words between two boundaries of the model come out as boxes.

A *boundary* is a state of the model in which a character may begin. What the model accepts is a sequence of pieces from
boundary to boundary, of which the last may end in another accepting state. A piece that is a character of the standard
needs no line; the other pieces are what the model wrongly accepts.
"""

from __future__ import annotations

from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, TypeVar

from utf8_abnf.errors import TooLargeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from utf8_abnf.automaton import Automaton

T = TypeVar("T")
Box = tuple[int, ...]  # a word for each choice of one byte class in each place; the classes of a place are bits
State = tuple[int, int, int]  # of the model, of the standard, and one of the next three
FRESH, INSIDE, PASSED = range(3)  # the piece has not begun; it has; it has passed a boundary and goes on
FAILED = (-1, -1, PASSED)
MAX_STATES = 200  # of the model
MAX_BOXES = 2_000  # of words with one beginning
MAX_STEPS = 60_000  # places of boxes that are widened or joined


class Pieces:
    """A model and a standard side by side; the standard accepts sequences of characters: its start alone accepts.

    A piece begins in one of ``starts``, a state for each boundary. Sets of states, and of byte classes, are bits. If
    *at_ends*, the boundary of a cycle is a state that accepts, if it has one. If *waiting*, states that reject, and
    from which characters lead on as from a boundary, are boundaries as well. If *finite*, only states after characters
    are, and what repeats without passing one is left out.
    ``TooLargeError`` above ``MAX_STATES``, ``MAX_BOXES`` or ``MAX_STEPS``.
    """

    def __init__(
        self,
        model: Automaton,
        standard: Automaton,
        *,
        at_ends: bool = False,
        waiting: bool = False,
        finite: bool = False,
    ) -> None:
        if len(model.table) > MAX_STATES:
            raise TooLargeError(f"a model with more than {MAX_STATES} states is not named")
        self.model = model
        self.standard = standard
        columns: dict[tuple[int, int], list[int]] = {}
        for byte, column in enumerate(zip(model.classes, standard.classes, strict=True)):
            columns.setdefault(column, []).append(byte)
        self.columns = list(columns)
        self.members = [frozenset(each) for each in columns.values()]
        self.nowhere = len(standard.table)  # a state of no character, for standards that have none
        self.characters = [*standard.table, (self.nowhere,) * len(standard.table[0])]
        self.no_characters = standard.dead | {self.nowhere}
        self.at_ends = at_ends
        self.after_characters = self._after_characters()
        self.boundaries = sorted(self.after_characters) if finite else self._boundaries(waiting=waiting)
        self.left_out = _on_cycles(model, self.boundaries)
        self.starts = {each: number for number, each in enumerate(self.boundaries, 1)}
        self.states: list[State] = [FAILED, *((each, standard.start, FRESH) for each in self.boundaries)]
        self.moves: list[list[int]] = []  # for each state, the next one for each class
        self._number_states()
        self._steps: dict[tuple[int, int], int] = {}
        self._leading: dict[tuple[int, int], int] = {}
        self._before: dict[tuple[int, int], int] = {}
        self._counted = 0

    def _number_states(self) -> None:
        numbers = {state: number for number, state in enumerate(self.states)}
        for state in self.states:
            row = []
            for column in self.columns:
                after = self._after(state, column)
                if after not in numbers:
                    numbers[after] = len(self.states)
                    self.states.append(after)
                row.append(numbers[after])
            self.moves.append(row)

    def _after(self, state: State, column: tuple[int, int]) -> State:
        mine, yours, phase = state
        if state == FAILED:
            return FAILED
        if phase != FRESH:
            if yours == self.standard.start:
                yours = self.nowhere  # a word that is longer than a character is no character
            if mine in self.boundaries:
                phase = PASSED
        mine, yours = self.model.table[mine][column[0]], self.characters[yours][column[1]]
        if mine in self.left_out or (yours in self.no_characters and (phase == PASSED or mine in self.model.dead)):
            return FAILED
        return mine, yours, max(phase, INSIDE)

    def _after_characters(self) -> frozenset[int]:
        """Return the start and the states that characters lead to, if characters lead on to where the model accepts."""
        start = self.model.start, self.standard.start
        reached = (mine for mine, yours in self._pairs(start) if yours == self.standard.start)
        return frozenset({self.model.start, *(each for each in reached if self._goes_on(each))})

    def _pairs(self, start: tuple[int, int]) -> set[tuple[int, int]]:
        """Return the pairs of states that beginnings of characters lead to from *start*."""

        def ahead(pair: tuple[int, int]) -> Iterator[tuple[int, int]]:
            mine, yours = self.model.table[pair[0]], self.standard.table[pair[1]]
            for one, other in self.columns:
                if mine[one] not in self.model.dead and yours[other] not in self.standard.dead:
                    yield mine[one], yours[other]

        return _reached([start], ahead)

    def _goes_on(self, state: int) -> bool:
        pairs = self._pairs((state, self.standard.start))
        return any(yours == self.standard.start and mine in self.model.accepting for mine, yours in pairs)

    def _boundaries(self, *, waiting: bool) -> list[int]:
        """Return the states after characters, and one of each cycle that passes none of them."""
        boundaries = sorted(self.after_characters)
        if waiting:
            states = set(range(len(self.model.table))) - self.model.accepting - self.model.dead - self.after_characters
            boundaries += [
                each for each in states if any(self._is_like(each, other) for other in self.after_characters)
            ]
        while cycles := _on_cycles(self.model, boundaries):
            boundaries.append(min(cycles, key=self._rank))
        return boundaries

    def _rank(self, state: int) -> tuple[bool, bool]:
        return not self._comes_back(state), self.at_ends and state not in self.model.accepting

    def _comes_back(self, state: int) -> bool:
        """Whether characters lead from *state* to itself."""
        return any(
            (self.model.table[mine][one], self.standard.table[yours][other]) == (state, self.standard.start)
            for mine, yours in self._pairs((state, self.standard.start))
            for one, other in self.columns
        )

    def _is_like(self, state: int, boundary: int) -> bool:
        """Whether each character leads from *state* to where it leads from *boundary*."""
        todo = [(state, boundary, self.standard.start)]
        seen = set(todo)
        for one, other, yours in todo:
            for mine, column in self.columns:
                after = self.model.table[one][mine], self.model.table[other][mine], self.standard.table[yours][column]
                if after[0] == after[1] or after[2] in self.standard.dead:
                    continue
                if after[2] == self.standard.start:
                    return False
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        return True

    @cached_property
    def following(self) -> dict[int, set[int]]:
        """For each boundary those that a character leads to from it."""
        whole = self.ending(lambda mine, whole, _: whole and mine in self.boundaries)
        reached = {}
        for boundary, start in self.starts.items():
            states = _reached([start], self.moves.__getitem__)
            reached[boundary] = {self.states[each][0] for each in states if whole >> each & 1}
        return reached

    @cached_property
    def tails(self) -> int:
        """The classes of bytes that a character has after its first byte."""
        inside = [row for state, row in enumerate(self.standard.table) if state != self.standard.start]
        return sum(
            1 << number
            for number, (_, column) in enumerate(self.columns)
            if any(row[column] not in self.standard.dead for row in inside)
        )

    def starting(self, boundaries: Iterable[int]) -> int:
        """Return the states in which a piece begins at one of *boundaries*."""
        return sum(1 << self.starts[each] for each in boundaries)

    def ending(self, holds: Callable[[int, bool, int], bool]) -> int:
        """Return the states for which *holds*: the model's state, whether a character is whole, and the phase."""
        return sum(
            1 << number
            for number, (mine, yours, phase) in enumerate(self.states)
            if number and phase != FRESH and holds(mine, yours == self.standard.start, phase)
        )

    def step(self, states: int, classes: int) -> int:
        """Return the states that *classes* lead to from *states*."""
        key = states, classes
        if key not in self._steps:
            targets = {self.moves[number][column] for number in bits(states) for column in bits(classes)}
            self._steps[key] = sum(1 << target for target in targets)
        return self._steps[key]

    def reached(self, states: int, box: Box) -> int:
        """Return the states that the words of *box* lead to from *states*."""
        for classes in box:
            states = self.step(states, classes)
        return states

    def leading(self, states: int, into: int) -> int:
        """Return the classes that lead from each of *states* into *into*."""
        classes = (1 << len(self.columns)) - 1
        for number in bits(states):
            key = number, into
            if key not in self._leading:
                row = self.moves[number]
                self._leading[key] = sum(1 << column for column, target in enumerate(row) if into >> target & 1)
            classes &= self._leading[key]
        return classes

    def before(self, classes: int, into: int) -> int:
        """Return the states from which each of *classes* leads into *into*."""
        key = classes, into
        if key not in self._before:
            columns = list(bits(classes))
            self._before[key] = sum(
                1 << number for number, row in enumerate(self.moves) if all(into >> row[each] & 1 for each in columns)
            )
        return self._before[key]

    def hole(self, states: int, box: Box, allowed: int) -> Box:
        """Return a box of all words of *box* that do not lead from *states* into *allowed*, () if there are none."""
        forward = [states]
        for classes in box:
            forward.append(self.step(forward[-1], classes))
        into = forward.pop() & ~allowed
        places: list[int] = []
        for classes, before in zip(reversed(box), reversed(forward), strict=True):
            wrong = {
                number: sum(1 << each for each in bits(classes) if into >> self.moves[number][each] & 1)
                for number in bits(before)
            }
            into = sum(1 << number for number, columns in wrong.items() if columns)
            places.append(reduce(or_, wrong.values(), 0))
        return tuple(reversed(places)) if into else ()

    def count(self, steps: int) -> None:
        """Count *steps*; ``TooLargeError`` above ``MAX_STEPS``."""
        self._counted += steps
        if self._counted > MAX_STEPS:
            raise TooLargeError(f"naming takes more than {MAX_STEPS} steps")

    def boxes(self, start: int, ends: int, *, passing: bool = False) -> list[Box]:
        """Return boxes of the words from state *start* into *ends*, shortest first.

        Bytes that lead to the same suffixes are joined. The words pass no boundary, unless *passing*.
        """
        known: dict[int, dict[Box, int]] = {}

        def suffixes(state: int) -> dict[Box, int]:
            """Return each box of suffixes, with the classes before it."""
            if state not in known:
                ways: dict[Box, int] = {}
                for column, target in enumerate(self.moves[state]):
                    if not target or (not passing and self.states[target][2] == PASSED):
                        continue
                    if ends >> target & 1:
                        ways[()] = ways.get((), 0) | 1 << column
                    for box, classes in suffixes(target).items():
                        whole = (classes, *box)
                        ways[whole] = ways.get(whole, 0) | 1 << column
                if len(ways) > MAX_BOXES:
                    raise TooLargeError(f"there are more than {MAX_BOXES} boxes")
                known[state] = ways
            return known[state]

        return sorted(((classes, *box) for box, classes in suffixes(start).items()), key=lambda box: (len(box), box))

    def first_word(self, box: Box) -> bytes:
        """Return the first word of *box*."""
        return bytes(map(min, self.bytes_of(box)))

    def bytes_of(self, box: Box) -> tuple[frozenset[int], ...]:
        """Return the bytes of each place of *box*."""
        return tuple(frozenset[int]().union(*(self.members[each] for each in bits(classes))) for classes in box)


def bits(number: int) -> Iterator[int]:
    """Yield the places of the bits of *number* that are set."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def _on_cycles(model: Automaton, boundaries: Iterable[int]) -> list[int]:
    """Return the live states on a cycle that passes none of *boundaries*, in order of their shortest words."""
    live = set(range(len(model.table))) - model.dead - set(boundaries)
    ahead = {state: set(model.table[state]) & live for state in live}
    # A minimal automaton's states are in that order.
    return [state for state in sorted(live) if state in _reached(ahead[state], ahead.__getitem__)]


def _reached(first: Iterable[T], ahead: Callable[[T], Iterable[T]]) -> set[T]:
    """Return *first* and all that *ahead* leads to from there."""
    seen = set(first)
    todo = list(seen)
    for each in todo:
        fresh = set(ahead(each)) - seen
        seen |= fresh
        todo.extend(fresh)
    return seen
