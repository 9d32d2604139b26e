"""Proves the scalar kernel for texts of any size: its functions return what the automaton does on the text.

The text's bytes are a function of the offset, and so is the automaton's state before each: ``state(0)`` is START, and
whenever a byte is read, ``state`` of the next offset is what the kernel's own table gives. The loops are run as they
stand in the source (symbolic.py), with the invariants below. That the table is the automaton's, that ASCII leads from
START to START and that no character has more than four bytes, is computed from the table before.
"""

from __future__ import annotations

from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

import nodes
import z3
from facts import SIZE, TEXT
from interpreter import Array, Interpreter
from intrinsics import NotModelledError, Pointer
from invariants import Holds
from pycparser import c_ast
from symbolic import Symbolic
from walk import GapError

if TYPE_CHECKING:
    from collections.abc import Callable

    from invariants import Claim, Variables

    from utf8_abnf.automaton import Automaton

BYTE = z3.Function("byte", z3.IntSort(), z3.IntSort())  # the text's byte at an offset
STATE = z3.Function("state", z3.IntSort(), z3.IntSort())  # the automaton's state before it, as the kernel numbers them
BEGIN = z3.Int("begin")  # where a search begins: the automaton is in START
CHECKED = z3.Int("checked")  # what utf8_first_error_from is given
LONGEST = 4  # bytes of a character
NEVER = (0xC0, 0xC1, *range(0xF5, 0x100))  # bytes that no text contains


class Row:
    """The row of a byte that is not known."""

    def __init__(self, byte: Any) -> None:
        """*byte*: a number of z3's."""
        self.byte = byte


class Scalar(Symbolic):
    """The scalar kernel's functions, on a text of any size."""

    def __init__(self, tree: c_ast.FileAST, word: int = 64) -> None:
        """*word*: the bits of an address."""
        super().__init__(tree, least=0, word=word)
        searches = ("first_error_plain", "first_error_scalar")  # each is walked, and is what it promises to the others
        self.stand_ins = {"is_ascii_eights": self.is_ascii} | dict.fromkeys(searches, self.found)
        self.invariants = {("run", 0): self.stepping, ("first_error_plain", 0): self.at_start}
        self.invariants |= {("first_error_scalar", 0): self.alive, ("first_error_scalar", 1): self.at_start}

    # ---- the automaton ---------------------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> list[dict[int, int]]:
        """The state that follows each state, for each byte."""
        names = ("NONE", "START", "TAIL1", "TAIL2", "TAIL3", "AFTER_E0", "AFTER_ED", "AFTER_F0", "AFTER_F4")
        states = [self.globals[each] for each in names]
        return [{state: row >> state & 63 for state in states} for row in self.globals["rows"]]

    def step(self, byte: Any, state: Any) -> Any:
        """Return the state after *byte* as z3's expression."""
        none = z3.IntVal(self.globals["NONE"])

        def moves(step: dict[int, int]) -> Any:
            chosen = none
            for start, target in step.items():
                chosen = z3.If(state == start, target, chosen) if target else chosen
            return chosen

        return by_byte(byte, self.steps, moves)

    def table(self, automaton: Automaton) -> str:
        """Return "proved" where the table is the automaton's, and what is computed from it holds."""
        none, start = self.globals["NONE"], self.globals["START"]
        pairs, pending = {start: automaton.start}, [start]
        while pending:
            state = pending.pop()
            for byte, after in enumerate(step[state] for step in self.steps):
                expected = automaton.table[pairs[state]][automaton.classes[byte]]
                if after not in pairs:
                    pairs[after] = expected
                    pending.append(after)
                if pairs[after] != expected or after not in self.steps[byte]:  # a number that is no state
                    return f"byte {byte:02X} leads from {state} to {after}"
        if len(set(pairs.values())) != len(pairs) or pairs.keys() != self.steps[0].keys():
            return "two states are one, or no text leads to a state"
        if pairs[none] != automaton.sink or {pairs[start]} != set(automaton.accepting):
            return "the table accepts something else"
        if any(self.steps[byte][start] != start for byte in range(0x80)):
            return "ASCII does not lead from START to START"
        states = {start}
        for _ in range(LONGEST):
            states = {step[each] for step in self.steps for each in states} - {start, none}
        return "a character has more than four bytes" if states else "proved"

    # ---- the functions ---------------------------------------------------------------------------------------------

    def forget(self) -> None:
        """Know nothing but that the automaton begins with START."""
        super().forget()
        self.known_bytes: set[Any] = set()
        self.assume(STATE(0) == self.globals["START"])

    def is_state(self, value: Any) -> Any:
        """Return that a number is one of the automaton's states."""
        return z3.Or(*(value == each for each in self.steps[0]))

    def byte(self, at: Any) -> Any:
        """Return the text's byte at an offset, and know which state follows it."""
        byte, before = BYTE(at), STATE(at)
        if (place := z3.simplify(z3.IntVal(0) + at)) in self.known_bytes:
            return byte
        self.known_bytes.add(place)
        self.assume(z3.And(byte >= 0, byte < 256, self.is_state(before)))
        self.assume(STATE(at + 1) == self.step(byte, before))
        return byte

    def is_ascii(self, at: Pointer, count: int) -> Any:
        """Stand in for is_ascii_eights: ``leaves`` shows that it asks of every byte."""
        self.reads(at.at, 8 * count)
        answer, start = self.fresh(boolean=True), self.globals["START"]
        inside = z3.And(answer, STATE(at.at) == start)
        self.assume(z3.Implies(inside, STATE(at.at + 8 * count) == start))
        return answer

    def alive(self, now: Variables, _: Variables) -> list[Claim]:
        """Claim that the text can go on, and that `state` is the automaton's."""
        at, state = now["at"], now["state"]
        return [
            Holds(z3.And(at >= 0, at <= now["size"]), "`at` leaves the text"),
            Holds(state == STATE(now["data"].at + at), "`state` is not the automaton's"),
            Holds(z3.And(self.is_state(state), state != self.globals["NONE"]), "no state follows"),
        ]

    def stepping(self, now: Variables, _: Variables) -> list[Claim]:
        """Claim that `state` is the automaton's after `i` bytes."""
        i, state = now["i"], STATE(now["data"].at + now["i"])
        return [
            Holds(z3.And(i >= 0, i <= now["count"]), "`i` goes beyond `count`"),
            Holds(z3.And(self.is_state(state), now["state"] % 64 == state), "`state` is not the automaton's"),
        ]

    def at_start(self, now: Variables, before: Variables) -> list[Claim]:
        """Claim that all up to `at` is whole characters."""
        at = now["at"]
        return [
            Holds(z3.And(at >= before["at"], at <= now["size"]), "`at` leaves the text, or goes back"),
            Holds(STATE(now["data"].at + at) == self.globals["START"], "no character ends at `at`"),
        ]

    def _value(self, node: Any, scope: dict[str, Any]) -> Any:
        if isinstance(node, c_ast.ArrayRef):
            array, place = self._value(node.name, scope), self._value(node.subscript, scope)
            if isinstance(array, Array):
                return Row(place)
            self.reads(array.at + place, 1)
            return self.byte(array.at + place)
        return super()._value(node, scope)

    def _binary(self, op: str, x: Any, y: Any) -> Any:
        if op == "&" and isinstance(x, z3.ExprRef) and x.decl() == BYTE:
            return by_byte(x, [each & y for each in range(256)])
        if not isinstance(x, Row):
            return super()._binary(op, x, y)
        if op != ">>":
            raise NotModelledError(f"{op} of a row")
        self.require(self.is_state(y), "a row is shifted by a number that is not a state")
        shifted = self.fresh()
        self.assume(z3.And(shifted >= 0, shifted < 1 << 64, shifted % 64 == self.step(x.byte, y)))
        return shifted

    # ---- what has to come out --------------------------------------------------------------------------------------

    def ends_a_character(self, start: Any, count: Any) -> Any:
        """Return that the first character from *start* on has *count* bytes; they lie in the text."""
        for back in range(LONGEST):
            self.byte(start + back)
        begins = self.globals["START"]
        before = [z3.Implies(each < count, STATE(start + each) != begins) for each in range(1, LONGEST)]
        return z3.And(count >= 1, count <= LONGEST, start + count <= SIZE, STATE(start + count) == begins, *before)

    def is_first_error(self, at: Any) -> list[Any]:
        """Return that the text is right up to *at*, where it ends or no character begins."""
        begins = [self.ends_a_character(at, count) for count in range(1, LONGEST + 1)]
        right = z3.And(at >= 0, at <= SIZE, STATE(at) == self.globals["START"])
        return [right, *(z3.Implies(at < SIZE, z3.Not(each)) for each in begins)]

    def first_error(self, at: Any, start: Any = BEGIN) -> None:
        """Raise GapError unless the first error is found, *at* bytes behind the *start* of the search."""
        for claim in self.is_first_error(start + at):
            self.require(claim, "the first error is elsewhere")

    def found(self, data: Pointer, size: Any) -> Any:
        """Stand in for a search: it has to begin where a character does, and goes to the text's end."""
        right = z3.And(STATE(data.at) == self.globals["START"], data.at + size == SIZE)
        self.require(right, "the search begins within a character, or ends before the text does")
        at = self.fresh()
        self.assume(z3.And(at >= 0, at <= size, *self.is_first_error(data.at + at)))
        return at

    def sequence(self, length: Any) -> None:
        """Raise GapError unless *length* tells of the character at the text's start."""
        if (found := self.branch(length > 0)) or self.branch(length == self.globals["UTF8_UNFINISHED"]):
            count = length if found else SIZE + 1
            if found:
                self.require(self.ends_a_character(0, count), "no character has this length")
            else:
                self.require(z3.And(self.whole_beginning(SIZE), SIZE < LONGEST), "more bytes complete no character")
        else:
            self.require(length == self.globals["UTF8_ILL_FORMED"], "neither a length nor UTF8_ILL_FORMED")
            none = [z3.And(each <= SIZE, self.whole_beginning(each - 1), self.dead(each)) for each in range(1, 5)]
            self.require(z3.Or(*none), "a character may begin there")

    def subpart(self, length: Any) -> None:
        """Raise GapError unless *length* is that of the maximal subpart, or 0 where a character begins."""
        if self.branch(length == 0):
            found = [self.ends_a_character(0, each) for each in range(1, LONGEST + 1)]
            self.require(z3.Or(SIZE == 0, *found), "no character begins there")
            return
        self.require(z3.And(length >= 1, length <= SIZE), "the subpart leaves the text")
        self.require(z3.Or(length == 1, self.whole_beginning(length)), "the subpart begins no character")
        self.require(z3.Or(length == SIZE, self.dead(length + 1)), "a longer subpart begins a character")

    def unfinished(self, back: Any) -> None:
        """Raise GapError unless a text that can go on ends *back* bytes after its last character did."""
        start, right = self.globals["START"], STATE(SIZE) != self.globals["NONE"]
        self.require(z3.And(back >= 0, back < LONGEST, back <= SIZE), "it would begin before the text")
        self.require(z3.Implies(right, STATE(SIZE - back) == start), "no character ends there")
        for each in range(1, LONGEST):
            still = z3.Implies(each < back, STATE(SIZE - back + each) != start)
            self.require(z3.Implies(z3.And(right, back > 0), still), "a character ends behind it")
        self.require(z3.Implies(z3.And(right, back > 0), STATE(SIZE) != start), "a whole character is unfinished")

    def whole_beginning(self, count: Any) -> Any:
        """Return that the text's first *count* bytes begin a character that goes on behind them."""
        for at in range(LONGEST):
            self.byte(z3.IntVal(at))
        start, none = self.globals["START"], self.globals["NONE"]
        on = [z3.Implies(each <= count, z3.And(STATE(each) != start, STATE(each) != none)) for each in range(1, 5)]
        return z3.And(*on)

    def dead(self, count: Any) -> Any:
        """Return that no state follows the text's first *count* bytes."""
        return STATE(count) == self.globals["NONE"]

    def prove(self) -> str:
        """Return "proved" and how many paths there are, or what went wrong."""
        try:
            count = sum(self.walk(name, self.first_error) for name in ("first_error_plain", "first_error_scalar"))
            count += self.walk("utf8_first_error_from", lambda at: self.first_error(at, 0), CHECKED)
            count += self.walk("utf8_sequence", self.sequence)
            count += self.walk("utf8_subpart", self.subpart)
            count += self.walk("utf8_unfinished", self.unfinished)
        except GapError as error:
            return str(error)
        return f"proved ({count} paths, {len(self.used)} loops)"

    def call(self, name: str, *arguments: Any) -> Any:
        """Return what the function returns. What it may rely on is known when it is walked."""
        if not self.running and name in self.stand_ins:
            self.assume(z3.And(BEGIN >= 0, BEGIN <= SIZE, STATE(BEGIN) == self.globals["START"]))
            arguments = (Pointer(TEXT, BEGIN), SIZE - BEGIN)
        if name == "utf8_first_error_from":  # what a wide kernel promises
            last, start = BYTE(CHECKED - 1), self.globals["START"]
            never = z3.And(CHECKED > 0, STATE(CHECKED - 1) == start, z3.Or(*(last == each for each in NEVER)))
            right = STATE(CHECKED) != self.globals["NONE"]
            self.assume(z3.And(CHECKED >= 0, CHECKED <= SIZE, z3.Or(right, never)))
        return super().call(name, *arguments)


def by_byte(byte: Any, values: list[Any], expression: Callable[[Any], Any] = z3.IntVal) -> Any:
    """Return the *expression* of the byte's value; *values* has one for each of the 256."""
    chosen = None
    for value, group in groupby(range(256), key=lambda each: values[each]):
        first, here = next(group), expression(value)
        chosen = here if chosen is None else z3.If(byte >= first, here, chosen)
    return chosen


def leaves(tree: c_ast.FileAST) -> str:
    """Return "proved" where is_ascii_eights asks whether every byte is ASCII, and nothing else."""
    interpreter = Interpreter(tree)
    asked: list[Any] = []
    interpreter.decide = lambda condition: asked.append(condition) or False  # type: ignore[func-returns-value]
    for count in (1, 2, 4):
        room = tuple(map(nodes.text, range(8 * count)))
        asked.clear()
        interpreter.call("is_ascii_eights", Pointer(room, 0), count)
        if [(each.kind, each.bytes) for each in asked] != [("zero", {nodes.and_(0x80, byte) for byte in room})]:
            return f"is_ascii_eights does not ask for {8 * count} bytes"
    return "proved"
