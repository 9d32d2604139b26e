"""The invariants of the kernels' loops: they hold before each turn, for a text of any size.

Each is a function of the variables' values and of those before the loop. docs/kernel-proof.md says the same in words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import z3
from facts import SIZE, Blocks, Fact, Vector, between, larger, somewhere

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symbolic import Symbolic

AT = z3.Int("at")  # any offset
Variables = dict[str, Any]
Invariant = Callable[[Variables, Variables], "list[Claim]"]


class Claim(Protocol):
    """Part of an invariant."""

    def check(self, run: Symbolic, when: str) -> None:
        """Raise GapError unless it holds."""

    def assume(self, run: Symbolic) -> None:
        """Let it hold."""


@dataclass
class Holds:
    """A formula over the variables."""

    formula: Any
    what: str

    def check(self, run: Symbolic, when: str) -> None:
        """See Claim."""
        run.require(self.formula, f"{when}: {self.what}")

    def assume(self, run: Symbolic) -> None:
        """See Claim."""
        run.assume(self.formula)


@dataclass
class Ascii:
    """If *guard*, the bytes from *start* to *end* are ASCII."""

    start: Any
    end: Any
    guard: Any = True

    def check(self, run: Symbolic, when: str) -> None:
        """See Claim."""
        here = z3.And(self.guard, self.start <= AT, self.end > AT)
        run.require(z3.Implies(here, run.known.is_ascii(AT)), f"{when}: bytes are taken for ASCII")

    def assume(self, run: Symbolic) -> None:
        """See Claim."""
        run.known.ascii.append(between(self.start, self.end, self.guard))


@dataclass
class Covered:
    """All before *end* is covered by what `found` has noted; nothing in it is of a lane from *top* on."""

    now: Variables
    end: Any
    top: Any

    def check(self, run: Symbolic, when: str) -> None:
        """See Claim."""
        inside = z3.And(AT >= 0, self.end > AT)
        lanes = [*noted(self.now), *run.known.silent]
        run.require(z3.Implies(inside, run.known.covered(lanes, AT)), f"{when}: nobody judges an offset")
        run.require(top(self.now) <= self.top, f"{when}: what is judged later is noted already")

    def assume(self, run: Symbolic) -> None:
        """See Claim."""
        note(self.now, [between(0, self.end)], self.top)


@dataclass
class Silent:
    """All before *end* is covered, and no lane there objects."""

    end: Any

    def check(self, run: Symbolic, when: str) -> None:
        """See Claim."""
        inside = z3.And(AT >= 0, self.end > AT)
        run.require(z3.Implies(inside, run.known.covered(run.known.silent, AT)), f"{when}: an objection is passed over")

    def assume(self, run: Symbolic) -> None:
        """See Claim."""
        run.known.silent.append(between(0, self.end))


@dataclass
class Noted:
    """`found` has what it had *before*, and accounts for every lane from *start* to *end*."""

    now: Variables
    before: Variables
    start: Any
    end: Any

    def check(self, run: Symbolic, when: str) -> None:
        """See Claim."""
        kept_by(run, self.now, self.before, when)
        inside = z3.And(self.start <= AT, self.end > AT)
        run.require(z3.Implies(inside, run.known.accounted(noted(self.now), AT)), f"{when}: nobody judges an offset")
        run.require(top(self.now) <= larger(top(self.before), self.end), f"{when}: other lanes are noted")

    def assume(self, run: Symbolic) -> None:
        """See Claim."""
        lanes = [*noted(self.before), between(self.start, self.end)]
        note(self.now, lanes, larger(top(self.before), self.end))


@dataclass
class Listed:
    """Each lane from *start* to *end* lies in a block before place *length* of the list, or sees ASCII alone."""

    blocks: Blocks
    length: Any
    start: Any
    end: Any

    def check(self, run: Symbolic, when: str) -> None:
        """See Claim."""
        inside, listed = z3.And(self.start <= AT, self.end > AT), self.blocks.listed(self.length)
        run.require(z3.Implies(inside, run.known.accounted([listed], AT)), f"{when}: a block is left out")
        run.require(self.length <= self.blocks.written, f"{when}: the list is longer than what was written")
        run.require(self.blocks.top <= larger(self.start, self.end), f"{when}: a block further on is listed")

    def assume(self, run: Symbolic) -> None:
        """See Claim."""
        self.blocks.base = (self.length, between(self.start, self.end))
        run.assume(z3.And(self.length <= self.blocks.written, self.blocks.top <= larger(self.start, self.end)))


@dataclass
class EntriesNoted:
    """`found` has what it had *before*, and the lanes of each block before place *upto* of the list."""

    now: Variables
    before: Variables
    blocks: Blocks
    upto: Any

    def check(self, run: Symbolic, when: str) -> None:
        """See Claim."""
        kept_by(run, self.now, self.before, when)
        run.require(top(self.now) <= larger(top(self.before), self.blocks.top), f"{when}: other lanes are noted")
        if self.blocks.noted is None:
            run.require(self.upto <= 0, f"{when}: no block was judged yet")
            return
        (start, head), (place, block) = self.blocks.noted, self.blocks.read or (-1, 0)
        run.require(z3.And(start == place, self.upto <= place + 1), f"{when}: a block of the list is passed over")
        inside = z3.And(block <= AT, block + self.blocks.span > AT)
        run.require(z3.Implies(inside, somewhere(noted(self.now), AT)), f"{when}: a listed block is not judged")
        run.require(z3.BoolVal(head in noted(self.now)), f"{when}: an objection is forgotten")

    def assume(self, run: Symbolic) -> None:
        """See Claim."""
        head = self.blocks.listed(self.upto)
        self.blocks.noted, self.blocks.read = (self.upto, head), None
        note(self.now, [*noted(self.before), head], larger(top(self.before), self.blocks.top))


def noted(variables: Variables) -> tuple[Fact, ...]:
    """Return the lanes whose objections are in `found`."""
    lanes: tuple[Fact, ...] = variables["found"].lanes
    return lanes


def top(variables: Variables) -> Any:
    """Return an offset from which on no lane's objection is in `found`."""
    return variables["found"].top


def note(variables: Variables, lanes: Sequence[Fact], end: Any) -> None:
    """Let `found` have these lanes alone, all before *end*."""
    variables["found"] = Vector(lanes=tuple(lanes), top=end)


def kept_by(run: Symbolic, now: Variables, before: Variables, when: str) -> None:
    """Raise GapError where an objection that was noted *before* is in `found` no more."""
    kept = set(noted(before)) <= set(noted(now))
    run.require(z3.BoolVal(kept), f"{when}: an objection is forgotten")


def at(variables: Variables, name: str) -> Any:
    """Return the offset of a pointer."""
    return variables[name].at


def goes_by(step: int, start: Any, now: Variables) -> Holds:
    """`block` goes on from *start* by *step*, and not beyond `stop`."""
    block, stop = at(now, "block"), at(now, "stop")
    on = z3.And(start <= block, (block - start) % step == 0, z3.Or(block == start, block <= stop))
    return Holds(on, "`block` goes beyond `stop`")


def long_text(width: int, block_size: int) -> Invariant:
    """Claim that the text is covered up to `block`, and that no lane before `good` objects."""
    head = width + block_size  # at most so many bytes are judged before the loop

    def claims(now: Variables, _: Variables) -> list[Claim]:
        block, good = at(now, "block"), at(now, "good")
        ascii = now["ascii"] if isinstance(now["ascii"], z3.BoolRef) else z3.BoolVal(bool(now["ascii"]))
        return [
            Holds(block_size < SIZE, "the text is short"),
            Holds(z3.Or(ascii, block < SIZE - block_size), "nothing but the last block is left"),
            Holds(
                z3.And(block >= 16, z3.Implies(ascii, z3.And(block >= 80, SIZE >= 512))),
                "a load may begin before the text",
            ),
            Holds(z3.And(good >= 0, good <= block, z3.Or(ascii, block - good <= head)), "`good` is too far behind"),
            Ascii(block - 67, block, ascii),
            Covered(now, block, z3.If(good == 0, larger(block, head), block)),
            Silent(z3.If(ascii, block, good)),
        ]

    return claims


def passed_over(now: Variables, before: Variables) -> list[Claim]:
    """Claim that what was passed over is ASCII."""
    block, start = at(now, "block"), at(before, "block")
    return [Holds(start <= block, "`block` goes back"), Ascii(start, block)]


def samples(now: Variables, _: Variables) -> list[Claim]:
    """Claim that sample number n lies at offset 960 n, and that no more samples differ than there are."""
    i, count, others = now["i"], now["samples"], now["others"]
    return [
        Holds(z3.And(i >= 0, i == 960 * count), "the samples lie elsewhere"),
        Holds(z3.And(others >= 0, others <= count), "more samples differ than there are"),
    ]


def listing(step: int) -> Invariant:
    """Claim that all up to `block` is listed, or its lanes see ASCII alone; where nothing is listed all is ASCII."""

    def claims(now: Variables, before: Variables) -> list[Claim]:
        block, start, length = at(now, "block"), at(before["arguments"], "block"), now["length"]
        return [
            goes_by(step, start, now),
            Holds(z3.And(length >= 0, step * length <= block - start), "more blocks are listed than there are"),
            Listed(now["list"], length, start, block),
            Ascii(start - 3, block, z3.And(length == 0, start < block)),
        ]

    return claims


def judging_list(now: Variables, before: Variables) -> list[Claim]:
    """Claim that the first `i` blocks of the list are judged."""
    i = now["i"]
    return [
        Holds(z3.And(i >= 0, i <= now["length"]), "the list has no such block"),
        EntriesNoted(now, before, now["list"], i),
    ]


def judging(step: int) -> Invariant:
    """Claim that all up to `block` is judged, *step* bytes in a turn."""

    def claims(now: Variables, before: Variables) -> list[Claim]:
        block, start = at(now, "block"), at(before, "block")
        return [goes_by(step, start, now), Noted(now, before, start, block)]

    return claims


def judging_last(now: Variables, before: Variables) -> list[Claim]:
    """Claim that all up to `block` is judged, up to the text's end."""
    block, start = at(now, "block"), at(before, "block")
    return [Holds(start <= block, "`block` goes back"), Noted(now, before, start, block)]


def judging_whole(now: Variables, before: Variables) -> list[Claim]:
    """Claim that all up to `block`, which lies within the text, is judged."""
    return [Holds(at(now, "block") < SIZE, "`block` comes to the end"), *judging_last(now, before)]


def stretches(width: int, block_size: int) -> dict[tuple[str, int], Invariant]:
    """Return the invariants of the loops of stretches.h, by function and by number in it."""
    by_blocks = {} if width == 32 else {("is_valid_whole", 0): judging_whole}
    return by_blocks | {
        ("is_valid_whole", 1): judging_whole,
        ("checked_long", 0): long_text(width, block_size),
        ("skip_ascii", 0): passed_over,
        ("is_mostly_ascii", 0): samples,
        ("list_others", 0): listing(block_size),
        ("list_others", 3): listing(block_size),
        ("judge_listed", 0): judging_list,
        ("judge_all", 0): judging(block_size),
        ("judge_all", 2): judging_last,
    }
