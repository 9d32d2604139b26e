"""Facts about a text of any size, as z3 formulas of an offset: ASCII, judged lanes, ends of characters.

A fact is a function of an offset that gives z3's formula "it is so there". The offset may be unknown as well, so
that one question to z3 is about all offsets.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import z3

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from intrinsics import Pointer

TEXT = "the text"  # the room of a pointer into it
SIZE, BASE = z3.Int("size"), z3.Int("base")  # of the text: how many bytes, and the address of the first


class Fact:
    """A fact; two of them are the same only if they are one object."""

    def __init__(self, holds: Callable[[Any], Any]) -> None:
        """Keep the function of an offset."""
        self.holds = holds


def between(start: Any, end: Any, guard: Any = True) -> Fact:
    """Return the fact that holds from *start* to *end*, if *guard* does."""
    return Fact(lambda at: z3.And(guard, start <= at, at < end))


def somewhere(facts: Iterable[Fact], at: Any) -> Any:
    """Return that one of the facts holds at the offset."""
    return z3.Or(*(each.holds(at) for each in facts))


@dataclass(frozen=True)
class Vector:
    """A register: the spans (start, size) of the text that were ORed into it, or the lanes whose objections were.

    *top*: no objection in it is of a lane from there on.
    """

    loaded: tuple[tuple[Any, int], ...] = ()
    lanes: tuple[Fact, ...] = ()
    top: Any = 0

    def either(self, other: Vector) -> Vector:
        """Return the OR of both."""
        loaded = list(self.loaded)
        for start, count in other.loaded:
            begun, length = loaded[-1] if loaded else (0, -1)
            if length > 0 and distance(begun, start) == length:
                loaded[-1] = (begun, length + count)
            else:
                loaded.append((start, count))
        return Vector(tuple(loaded), self.lanes + other.lanes, larger(self.top, other.top))


def larger(x: Any, y: Any) -> Any:
    """Return the larger number."""
    return max(x, y) if isinstance(x, int) and isinstance(y, int) else z3.If(x >= y, x, y)


def distance(start: Any, end: Any) -> int | None:
    """Return how many bytes lie between two offsets; None where it depends on what is not known."""
    if isinstance(start, int) and isinstance(end, int):
        return end - start
    simplified = z3.simplify(end - start)
    return simplified.as_long() if z3.is_int_value(simplified) else None


@dataclass
class Known:
    """What a path has learned about the text."""

    ascii: list[Fact] = field(default_factory=list)
    silent: list[Fact] = field(default_factory=list)  # lanes that were asked and do not object
    whole: list[tuple[Any, Any]] = field(default_factory=list)  # (guard, offset): no character goes on there
    reasons: list[Callable[[Any], Any]] = field(default_factory=list)  # for a rejection: holds for what is returned

    def is_ascii(self, at: Any) -> Any:
        """Return that the byte at an offset is ASCII; the zeros around the text are."""
        return z3.Or(at < 0, at >= SIZE, somewhere(self.ascii, at))

    def is_whole(self, at: Any) -> Any:
        """Return that no character goes on at an offset."""
        return z3.Or(*(z3.And(guard, at == place) for guard, place in self.whole))

    def accounted(self, lanes: Iterable[Fact], at: Any) -> Any:
        """Return that the lane is one of *lanes*, or sees four bytes of ASCII: then it owes silence."""
        return z3.Or(somewhere(lanes, at), z3.And(*(self.is_ascii(at - back) for back in range(4))))

    def covered(self, lanes: Iterable[Fact], at: Any) -> Any:
        """Return that the lane is accounted for, or its byte is ASCII that was passed over where that is right.

        That is: no character goes on there, or the byte before it is ASCII, to which nobody can object late.
        """
        passed_over = z3.And(self.is_ascii(at), z3.Or(self.is_whole(at), self.is_ascii(at - 1)))
        return z3.Or(self.accounted(lanes, at), passed_over)


class Blocks:
    """An array of pointers to blocks of the text, written from its first place on.

    *base*: what the entries before a place hold, however they came there. *top*: no entry's block ends beyond it.
    """

    def __init__(self, room: int, back: int, span: int) -> None:
        """*room*: the places of the array. A block has *span* bytes; to judge it reads *back* bytes before it."""
        self.room, self.back, self.span = room, back, span
        self.base: tuple[Any, Fact] = (0, Fact(lambda _: z3.BoolVal(False)))
        self.writes: list[tuple[Any, Any]] = []
        self.written: Any = 0
        self.top: Any = 0
        self.read: tuple[Any, Any] | None = None  # the last entry that was read: its place and its block
        self.noted: tuple[Any, Fact] | None = None  # the entries before this place were judged: these lanes

    def write(self, place: Any, block: Pointer) -> None:
        """Note an entry."""
        self.writes.append((place, block.at))
        self.written = larger(self.written, place + 1)
        self.top = larger(self.top, block.at + self.span)

    def listed(self, upto: Any) -> Fact:
        """Return the fact that an offset lies in the block of an entry before place *upto*."""
        count, base = self.base
        writes = list(self.writes)

        def holds(at: Any) -> Any:
            ways = [z3.And(count <= upto, base.holds(at))]
            for number, (place, block) in enumerate(writes):
                kept = [place != later for later, _ in writes[number + 1 :]]
                ways.append(z3.And(place < upto, *kept, block <= at, at < block + self.span))
            return z3.Or(*ways)

        return Fact(holds)
