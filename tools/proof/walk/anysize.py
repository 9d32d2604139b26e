"""Proves ``checked`` for texts of any size: the invariants of its loops hold, and what they leave is what is needed.

The loops are run as they stand in the source (symbolic.py); what they call to judge a block is taken for what
``leaves`` shows it to be, on unknown bytes: which lanes it judges, and which bytes it tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import invariants
import nodes
import z3
from facts import SIZE, Fact, Vector, between, somewhere
from interpreter import Interpreter, Struct
from intrinsics import Pointer, ZeroWhen
from symbolic import Symbolic
from walk import LATEST, LOOPS, REACH, TAIL, WIDTHS, GapError, Walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from pycparser import c_ast

AT = invariants.AT
# Shorter texts have no loop of unknown length: walk.py takes them all.
LEAST = {kernel: 65 if kernel == "avx512" else 8 * width + 1 for kernel, width in WIDTHS.items()}


class AnySize:
    """One kernel's functions on a text of any size from LEAST on."""

    def __init__(self, kernel: str, tree: c_ast.FileAST) -> None:
        self.kernel, self.width = kernel, WIDTHS[kernel]
        self.run = Symbolic(tree, LATEST[kernel], LEAST[kernel], 32 if kernel == "wasm" else 64)
        self.run.invariants = dict(invariants.AVX512 if kernel == "avx512" else invariants.STRETCHES)
        self.outcomes: set[bool] = set()
        self.run.mains = {(name, 0) for name in LOOPS}
        self.run.blocks = (16, 128) if kernel == "avx512" else (3, 64)
        self.run.stand_ins = self.common() | (self.avx512() if kernel == "avx512" else self.stretches())

    # ---- what stands in for the leaves -----------------------------------------------------------------------------

    def common(self) -> dict[str, Callable[..., Any]]:
        """Return what all kernels call."""
        return {"objects": self.objects, "utf8_cut_off": self.cut_off, "judge_first": self.judge_first}

    def stretches(self) -> dict[str, Callable[..., Any]]:
        """Return the operations that stretches.h asks for, and what it judges blocks with."""
        return {
            "load": lambda at: self.load(at, self.width),
            "all_lanes": lambda _: Vector(),
            "either": Vector.either,
            "is_ascii": self.is_ascii,
            "judge_at": lambda at: self.judge(at, 3, self.width),
        }

    def avx512(self) -> dict[str, Callable[..., Any]]:
        """Return the intrinsics of AVX-512's loops, and what they judge blocks with."""

        def judge_at(at: Pointer, block: Vector) -> Struct:
            self.is_loaded(block, at.at)
            return self.judge(at, 16, 64)

        def judge_after(before: Vector, at: Pointer, block: Vector) -> Struct:
            self.is_loaded(before, at.at - 64)
            self.is_loaded(block, at.at)
            return self.judge(at, 1, 64)

        return {
            "_mm512_loadu_si512": lambda at: self.load(at, 64),
            "_mm512_maskz_loadu_epi8": self.load_masked,
            "_mm512_setzero_si512": Vector,
            "_mm512_or_si512": Vector.either,
            "_mm512_ternarylogic_epi64": lambda x, y, z, table: self.ternary(x, y, z, table),
            "_mm512_movepi8_mask": lambda x: ZeroWhen(self.is_ascii(x)),
            "judge_at": judge_at,
            "judge_after": judge_after,
            "judge_last": self.judge_last,
        }

    @staticmethod
    def ternary(x: Vector, y: Vector, z: Vector, table: int) -> Vector:
        """Return the OR of three."""
        if table != 0xFE:
            raise GapError(f"ternary logic {table:#x}")
        return x.either(y).either(z)

    def load(self, at: Pointer, count: int) -> Vector:
        """Load bytes of the text."""
        self.run.reads(at.at, count)
        return Vector(loaded=((at.at, count),))

    def load_masked(self, mask: int, at: Pointer) -> Vector:
        """Load the last bytes of a block, and none before them."""
        first = (mask & -mask).bit_length() - 1
        if mask != (1 << 64) - (1 << first):
            raise GapError(f"a load with the mask {mask:#x}")
        return self.load(Pointer(at.room, at.at + first), 64 - first)

    def is_ascii(self, x: Vector) -> Any:
        """Ask whether all that was loaded is ASCII. If not, one of its bytes is not among those known for ASCII."""
        answer, other, known = self.run.fresh(boolean=True), self.run.fresh(), self.run.known
        inside = z3.Or(*(z3.And(start <= other, other < start + count) for start, count in x.loaded))
        self.run.assume(z3.Or(answer, z3.And(inside, z3.Not(somewhere(known.ascii, other)))))
        known.ascii += [between(start, start + count, answer) for start, count in x.loaded]
        return answer

    def is_loaded(self, x: Vector, at: Any) -> None:
        """Raise GapError unless x is the vector at an offset."""
        same = len(x.loaded) == 1 and x.loaded[0][1] == self.width and x.loaded[0][0] == at
        self.run.require(same, "another block is judged than was loaded")

    def judge(self, at: Pointer, back: int, forth: int) -> Struct:
        """Judge a whole block; reads *back* bytes before it."""
        self.run.reads(at.at - back, back + forth)
        return self.judged(at.at)

    def judge_first(self, x: Vector) -> Struct:
        """Judge the text's first block."""
        self.is_loaded(x, 0)
        return self.judged(0)

    def judge_last(self, at: Pointer, count: Any) -> Struct:
        """Judge what is left of the text, which is less than a block."""
        self.run.reads(at.at - 3, count + 3)
        inside = z3.And(count >= 1, count < self.width, at.at + count == SIZE)
        self.run.require(inside, "a text's last bytes are judged elsewhere")
        return self.judged(at.at, SIZE)

    def judged(self, start: Any, end: Any = None) -> Struct:
        """Return the objections of the lanes of one block."""
        end = start + self.width if end is None else end
        lanes = Vector(lanes=(between(start, end),), top=end)
        return Struct(pairs=lanes, lengths=lanes)

    def objects(self, found: Any) -> Any:
        """Ask whether a lane objects."""
        answer, known, top = self.run.fresh(boolean=True), self.run.known, invariants.top(found)
        lanes = invariants.noted(found)
        known.silent += [
            Fact(lambda at, each=each: z3.And(z3.Not(answer), each.holds(at)))  # type: ignore[misc]
            for each in lanes
        ]
        known.reasons.append(lambda upto: z3.And(answer, z3.Or(top - 1 <= upto, upto >= SIZE)))
        return answer

    def cut_off(self, end: Pointer) -> Any:
        """Ask whether a character goes on at an offset."""
        self.run.reads(end.at - 3, 3)
        answer, known = self.run.fresh(boolean=True), self.run.known
        known.whole.append((z3.Not(answer), end.at))
        cut = z3.And(answer, z3.Or(end.at == SIZE, known.is_ascii(end.at)))
        known.reasons.append(lambda upto: z3.And(cut, end.at <= upto))
        return answer

    # ---- what has to come out --------------------------------------------------------------------------------------

    def answered(self, upto: Any) -> None:
        """Raise GapError where what ``checked`` returns does not follow."""
        if self.run.branch(upto == SIZE):
            self.verdict(True)
            return
        self.outcomes.add(False)
        self.run.require(z3.And(upto >= 0, upto < SIZE), "what is returned is no offset of the text")
        again = self.run.looked_from(self.kernel, upto, SIZE)
        self.silent_before(z3.If(again < 2, upto, invariants.larger(upto, again - 1 + self.run.latest)))
        reach = sum({"TAIL": TAIL, **self.run.globals}[each] for each in REACH[self.kernel])
        reasons = [each(upto + reach) for each in self.run.known.reasons]
        self.run.require(z3.Or(*reasons), "rejected without a reason, or the reason lies far behind what is returned")

    def verdict(self, accepted: Any) -> None:
        """Raise GapError where what ``is_valid`` returns does not follow."""
        answer = self.run.branch(accepted)
        self.outcomes.add(answer)
        if answer:
            self.silent_before(SIZE + self.run.latest)
        else:
            self.run.require(z3.Or(*(each(SIZE) for each in self.run.known.reasons)), "rejected without a reason")

    def silent_before(self, end: Any) -> None:
        """Raise GapError unless all before *end* is covered by lanes that do not object."""
        known = self.run.known
        inside = z3.And(AT >= 0, end > AT)
        self.run.require(z3.Implies(inside, known.covered(known.silent, AT)), "nobody judges an offset")

    def prove(self) -> str:
        """Return "proved" and how many paths there are, or what went wrong."""
        try:
            count = self.run.walk("checked", self.answered)
            if self.kernel == "avx512":  # the others' is_valid is `checked(data, size) == size`
                count += self.run.walk("is_valid_avx512", self.verdict)
        except GapError as error:
            return str(error)
        if self.outcomes != {True, False}:
            return "no path accepts, or none rejects"
        if unused := self.run.invariants.keys() - self.run.used:
            return f"no path comes to the loops {unused}"
        return f"proved ({count} paths, {len(self.run.used)} loops)"


def leaves(kernel: str, interpreter: Interpreter) -> str:
    """Return "proved" if what AnySize takes the leaves for is what they do, run on unknown bytes; or what is not.

    That is: which lanes are judged from where, what `objects` asks, and what `is_ascii` asks.
    """
    walk, width = Walk(kernel, interpreter), WIDTHS[kernel]
    size = 2 * width + 5
    room = tuple(map(nodes.text, range(size)))
    asked: list[Any] = []
    interpreter.decide = lambda condition: asked.append(condition) or False  # type: ignore[func-returns-value]

    def at(offset: int) -> Pointer:
        return Pointer(room, offset)

    def load(offset: int) -> Any:
        return room[offset : offset + width]

    calls: list[tuple[int, int, Any]] = [(0, width, ("judge_first", load(0)))]
    if kernel == "avx512":
        calls.append((width, 2 * width, ("judge_at", at(width), load(width))))
        calls.append((width, 2 * width, ("judge_after", load(0), at(width), load(width))))
        calls.append((2 * width, size, ("judge_last", at(2 * width), size - 2 * width)))
    else:
        calls.append((width, 2 * width, ("judge_at", at(width))))
    for start, end, call in calls:
        found = interpreter.call(*call)
        asked.clear()
        interpreter._truth(interpreter.call("objects", found))
        lanes = frozenset().union(*(walk.lane(each, size) for each in range(start, end)))
        if [(each.kind, each.bytes) for each in asked] != [("zero", lanes)]:
            return f"{call[0]} does not judge the lanes from {start} on"
    asked.clear()
    test = "_mm512_movepi8_mask" if kernel == "avx512" else "is_ascii"
    both = "_mm512_or_si512" if kernel == "avx512" else "either"
    ored = interpreter.run(both, load(0), load(width))
    interpreter._truth(interpreter.run(test, ored))
    if [(each.kind, each.bytes) for each in asked] != [("ascii", frozenset(room[: 2 * width]))]:
        return "the test for ASCII does not ask for every byte"
    return "proved"
