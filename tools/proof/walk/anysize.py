"""Proves ``checked`` for texts of any size: its loops keep their invariants, and the premises follow from these.

The loops are run as they stand in the source (symbolic.py); what they call to judge a block is taken for what
``leaves`` shows it to be, on unknown bytes: which lanes it judges, and which bytes it tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import invariants
import nodes
import z3
from facts import SIZE, Fact, Vector, between, somewhere
from intrinsics import Pointer
from symbolic import Symbolic
from walk import BLOCKS, LOOPS, WIDTHS, GapError, Walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter import Interpreter
    from pycparser import c_ast

AT = invariants.AT
LEAST = 129  # walk.py takes all shorter texts
BACK = {kernel: 16 if kernel == "avx512" else 3 for kernel in WIDTHS}  # bytes before its block that judge_at reads


class AnySize:
    """One kernel's functions on a text of any size from LEAST on."""

    def __init__(self, kernel: str, tree: c_ast.FileAST) -> None:
        self.kernel, self.width = kernel, WIDTHS[kernel]
        self.run = Symbolic(tree, LEAST, 32 if kernel == "wasm" else 64)
        self.run.invariants = invariants.stretches(self.width, BLOCKS[kernel])
        self.outcomes: set[bool] = set()
        self.run.mains = {(name, 0) for name in LOOPS}
        self.run.blocks = (BACK[kernel], BLOCKS[kernel])
        self.run.stand_ins = self.leaves()

    # ---- what stands in for the leaves -----------------------------------------------------------------------------

    def leaves(self) -> dict[str, Callable[..., Any]]:
        """Return the operations that stretches.h asks for, and what it judges blocks with."""
        own = {"before_block": self.before_block} if self.kernel == "avx512" else {}
        return own | {
            "load": self.load,
            "all_lanes": lambda _: Vector(),
            "either": Vector.either,
            "is_ascii": self.is_ascii,
            "judge_first": self.judge_first,
            "judge_at": self.judge_at,
            "is_zero": self.is_silent,
            "utf8_cut_off": self.cut_off,
        }

    def load(self, at: Pointer) -> Vector:
        """Load bytes of the text."""
        self.run.reads(at.at, self.width)
        return Vector(loaded=((at.at, self.width),))

    def before_block(self, at: Pointer) -> Vector:
        """Load the four bytes before an offset."""
        self.run.reads(at.at - 4, 4)
        return Vector(loaded=((at.at - 4, 4),))

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

    def judge_at(self, at: Pointer) -> Vector:
        """Judge a whole vector."""
        back = BACK[self.kernel]
        self.run.reads(at.at - back, back + self.width)
        return self.judged(at.at)

    def judge_first(self, x: Vector) -> Vector:
        """Judge the text's first block."""
        self.is_loaded(x, 0)
        return self.judged(0)

    def judged(self, start: Any) -> Vector:
        """Return the objections of the lanes of one vector."""
        end = start + self.width
        return Vector(lanes=(between(start, end),), top=end)

    def is_silent(self, found: Vector) -> Any:
        """Ask whether no lane objects."""
        answer, known = self.run.fresh(boolean=True), self.run.known
        known.silent += [
            Fact(lambda at, each=each: z3.And(answer, each.holds(at)))  # type: ignore[misc]
            for each in found.lanes
        ]
        known.reasons.append(lambda upto: z3.And(z3.Not(answer), z3.Or(found.top - 1 <= upto, upto >= SIZE)))
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
        self.silent_before(invariants.larger(upto, self.run.looked_from(upto, SIZE)))
        reach = self.run.globals["STRETCH"] + 4 * BLOCKS[self.kernel]
        reasons = [each(upto + reach) for each in self.run.known.reasons]
        self.run.require(z3.Or(*reasons), "rejected without a reason, or the reason lies far behind what is returned")

    def verdict(self, accepted: Any) -> None:
        """Raise GapError where what ``is_valid`` returns does not follow."""
        answer = self.run.branch(accepted)
        self.outcomes.add(answer)
        if answer:
            self.silent_before(SIZE + 1)
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
            count += self.run.walk("is_valid", self.verdict)
        except GapError as error:
            return str(error)
        if self.outcomes != {True, False}:
            return "no path accepts, or none rejects"
        if unused := self.run.invariants.keys() - self.run.used:
            return f"no path comes to the loops {unused}"
        return f"proved ({count} paths, {len(self.run.used)} loops)"


def leaves(kernel: str, interpreter: Interpreter) -> str:
    """Return "proved" if what AnySize takes the leaves for is what they do, run on unknown bytes; or what is not.

    That is: which lanes are judged from where, what `is_zero` asks, and what `is_ascii` asks.
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

    calls: list[tuple[int, int, Any]] = [
        (0, width, ("judge_first", load(0))),
        (width, 2 * width, ("judge_at", at(width))),
    ]
    for start, end, call in calls:
        found = interpreter.call(*call)
        asked.clear()
        interpreter._truth(interpreter.call("is_zero", found))
        lanes = frozenset().union(*(walk.lane(each, size) for each in range(start, end)))
        if [(each.kind, each.bytes) for each in asked] != [("zero", lanes)]:
            return f"{call[0]} does not judge the lanes from {start} on"
    tests = [(interpreter.call("either", load(0), load(width)), (0, 2 * width))]
    if kernel == "avx512":
        tests.append((interpreter.call("before_block", at(width)), (width - 4, width)))
    for vector, (start, end) in tests:
        asked.clear()
        interpreter._truth(interpreter.call("is_ascii", vector))
        if [(each.kind, each.bytes) for each in asked] != [("ascii", frozenset(room[start:end]))]:
            return "the test for ASCII does not ask for every byte"
    return "proved"
