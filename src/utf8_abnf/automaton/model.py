"""Hold a deterministic automaton over bytes as a value, ``Automaton``: states, byte classes and a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from utf8_abnf.automaton import show
from utf8_abnf.automaton.minimise import minimal
from utf8_abnf.automaton.names import state_names
from utf8_abnf.automaton.product import first_word
from utf8_abnf.grammar.values import ranges_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from utf8_abnf.grammar.values import Ranges


@dataclass(frozen=True)
class Automaton:
    """A complete deterministic automaton over bytes: every state has a move for every byte.

    *table* has a row for each state and a column for each byte class; *classes* gives the class of each byte.
    Two automata are ``==`` if their tables are the same; ``equivalent`` tells whether they accept the same bytes.
    """

    start: int
    table: tuple[tuple[int, ...], ...]
    classes: bytes
    accepting: frozenset[int]

    def __post_init__(self) -> None:
        width = max(self.classes) + 1
        assert len(self.classes) == 256
        assert all(len(row) == width for row in self.table)

    @classmethod
    def from_rows(cls, start: int, rows: Sequence[Sequence[int]], accepting: Iterable[int]) -> Automaton:
        """Return the automaton whose state *s* goes to ``rows[s][byte]``; classes are numbered by their lowest byte."""
        columns: dict[tuple[int, ...], int] = {}
        classes = bytes(columns.setdefault(column, len(columns)) for column in zip(*rows, strict=True))
        return cls(start, tuple(zip(*columns, strict=True)), classes, frozenset(accepting))

    @cached_property
    def rows(self) -> tuple[bytes, ...] | tuple[tuple[int, ...], ...]:
        """The table over bytes: for each state the next state for each of the 256 bytes."""
        full = [tuple(row[number] for number in self.classes) for row in self.table]
        return tuple(bytes(row) for row in full) if len(full) <= 256 else tuple(full)

    @cached_property
    def dead(self) -> frozenset[int]:
        """The states from which nothing is accepted; the minimal automaton has at most one."""
        before: dict[int, set[int]] = {state: set() for state in range(len(self.table))}
        for state, row in enumerate(self.table):
            for target in set(row):
                before[target].add(state)
        live = set(self.accepting)
        todo = list(live)
        while todo:
            fresh = before[todo.pop()] - live
            live |= fresh
            todo.extend(fresh)
        return frozenset(range(len(self.table))) - live

    @cached_property
    def sink(self) -> int | None:
        """A state from which nothing is accepted, or None if every input can be completed to an accepted one."""
        return min(self.dead, default=None)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A name for each state, which says what it waits for: see ``utf8_abnf.automaton.names``."""
        return state_names(self)

    @cached_property
    def members(self) -> list[list[int]]:
        """The bytes of each class."""
        return [[byte for byte in range(256) if self.classes[byte] == number] for number in range(len(self.table[0]))]

    def moves(self, state: int) -> dict[int, Ranges]:
        """Return the live states to which *state* leads, each with the bytes that lead there."""
        reached: dict[int, list[int]] = {}
        for target, members in zip(self.table[state], self.members, strict=True):
            if target not in self.dead:
                reached.setdefault(target, []).extend(members)
        return {target: ranges_of(members) for target, members in reached.items()}

    def step(self, state: int, byte: int) -> int:
        """Return the state after reading *byte* in *state*."""
        return self.table[state][self.classes[byte]]

    def run(self, data: bytes, state: int | None = None) -> int:
        """Return the state after reading *data*, from *state* (the start by default)."""
        rows = self.rows
        now = self.start if state is None else state
        for byte in data:
            now = rows[now][byte]
        return now

    def accepts(self, data: bytes) -> bool:
        """Return whether *data* as a whole is accepted."""
        return self.run(data) in self.accepting

    def minimal(self) -> Automaton:
        """Return the smallest automaton that accepts the same bytes: states in order of their shortest words."""
        return minimal(self)

    def equivalent(self, other: Automaton) -> bytes | None:
        """Return the shortest input on which the two differ (of several, the one that sorts first), or None."""
        return first_word(self, other, lambda mine, yours: mine != yours)

    def first_not_in(self, other: Automaton) -> bytes | None:
        """Return the shortest input that this automaton accepts and *other* rejects, or None."""
        return first_word(self, other, lambda mine, yours: mine and not yours)

    def to_table(self, *, as_bytes: bool = False) -> str:
        """Return the transition table as text: a row for each state, a column for each byte class."""
        return show.to_table(self, as_bytes=as_bytes)

    def to_mermaid(self, *, as_bytes: bool = False) -> str:
        """Return the live states as a Mermaid state diagram."""
        return show.to_mermaid(self, as_bytes=as_bytes)

    def to_dot(self, *, as_bytes: bool = False) -> str:
        """Return the live states as a Graphviz digraph."""
        return show.to_dot(self, as_bytes=as_bytes)

    def to_json(self) -> dict[str, Any]:
        """Return the table for other programs, for ``json.dumps``; ``annotate.annotated`` adds the grammar's places."""
        return show.to_json(self)
