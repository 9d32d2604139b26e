"""Proves lemma 2 of docs/kernel-proof.md by z3, for all values of a lane's byte and the three bytes before it.

The lane's formula comes from the kernel's own ``judge``, run by interpreter.py on unknown bytes. That
all lanes have this one formula, each with its own four bytes, is seen by running ``lanes`` on a whole block, and for
the functions that the loops call by ``leaves``.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import nodes
import z3
from intrinsics import Pointer
from walk import WIDTHS, Walk

if TYPE_CHECKING:
    from interpreter import Interpreter

    from utf8_abnf.automaton import Automaton

BEFORE = 64  # bytes before them that may be loaded


def judged(kernel: str, interpreter: Interpreter) -> nodes.Byte:
    """Return a lane's formula: what ``judge`` makes of the byte at 0 and the three before it."""
    vectors = [(nodes.text(at),) * WIDTHS[kernel] for at in (0, -1, -2, -3)]
    return interpreter.call("judge", *vectors)[0]


def lanes_are_alike(kernel: str, interpreter: Interpreter) -> bool:
    """Whether every lane of the inner loop's block is that formula, with its own four bytes in it."""
    width, lane = WIDTHS[kernel], judged(kernel, interpreter)
    room, flags = tuple(map(nodes.text, range(BEFORE + width))), Pointer([0] * width, 0)
    interpreter.call(f"lanes_{kernel}", Pointer(room, BEFORE), flags)
    return bool(flags.room == [rename(lane, BEFORE + at) for at in range(width)])


def first_lane(kernel: str, interpreter: Interpreter) -> str:
    """Return "proved" if first_lane says of 1 to WIDTH bytes which lane from `from` on objects first, or what is wrong.

    Zeros stand around the bytes. ``not_zero``, which makes a mask of objections, is not looked into: compiled, it is
    compared with the scalar kernel by tests/validator/differential.c. Any mask stands in for what it makes.
    """
    walk, width = Walk(kernel, interpreter), WIDTHS[kernel]
    seen: list[Any] = []
    others = interpreter.stand_ins
    masks = [0, *(1 << at for at in range(width)), (1 << width) - 1, 5 << width - 3]
    try:
        for count in range(1, width + 1):
            room = tuple(map(nodes.text, range(count)))
            for mask, start in product(masks if count in (1, width) else [1 << count - 1], (0, 3)):
                interpreter.stand_ins = others | {
                    "not_zero": lambda flags, mask=mask: seen.append(flags) or mask,
                    "utf8_lowest": lambda bits: (bits & -bits).bit_length() - 1,
                }
                answer = interpreter.call("first_lane", Pointer(room, 0), count, start)
                left = mask >> start << start
                if answer != ((left & -left).bit_length() - 1 if left else width):
                    return f"{count} bytes from {start} on: lane {answer} is named where the mask is {mask:X}"
            lanes = [walk.lane(at, count) for at in range(width)]
            if [nodes.members(flag) for flag in seen[-1]] != lanes:
                return f"{count} bytes: a lane is asked about other bytes than its own"
    finally:
        interpreter.stand_ins = others
    return "proved"


def rename(byte: Any, by: int) -> Any:
    """Return the same formula over the text's bytes *by* offsets further."""
    if isinstance(byte, frozenset):
        return frozenset(rename(each, by) for each in byte)
    if not isinstance(byte, nodes.Node):
        return byte
    if byte.op == "text":
        return nodes.text(byte.args[0] + by)
    arguments = [rename(each, by) for each in byte.args]
    if byte.op in ("and", "xor", "average"):
        arguments = list(nodes.in_order(*arguments))
    return nodes.make(byte.op, *arguments)


def formula(byte: Any, window: dict[int, Any], made: dict[Any, Any]) -> Any:
    """Return z3's expression for a byte; *window* has its variables by offset."""
    if isinstance(byte, int):
        return z3.BitVecVal(byte, 8)
    if byte not in made:
        made[byte] = _formula(byte, window, made)
    return made[byte]


def _formula(byte: nodes.Node, window: dict[int, Any], made: dict[Any, Any]) -> Any:
    def operand(n: int) -> Any:
        return formula(byte.args[n], window, made)

    match byte.op:
        case "text":
            return window[byte.args[0]]
        case "and":
            return operand(0) & operand(1)
        case "xor":
            return operand(0) ^ operand(1)
        case "or":
            total = z3.BitVecVal(0, 8)
            for each in byte.args[0]:
                total |= formula(each, window, made)
            return total
        case "average":
            wide = z3.ZeroExt(1, operand(0)) + z3.ZeroExt(1, operand(1)) + 1
            return z3.Extract(8, 1, wide)
        case "shift":
            return z3.LShR(operand(0), byte.args[1])
        case "look_up":
            table, index = byte.args[0], operand(1)
            return _by_bits([z3.BitVecVal(each, 8) for each in table], index)
    raise ValueError(byte.op)


def _by_bits(entries: list[Any], index: Any) -> Any:
    """Return entries[index], choosing by one bit of the index after the other, the highest first."""
    if all(each.eq(entries[0]) for each in entries):
        return entries[0]
    half = len(entries) // 2
    bit = half.bit_length() - 1
    return z3.If(z3.Extract(bit, bit, index) == 1, _by_bits(entries[half:], index), _by_bits(entries[:half], index))


def counterexamples(kernel: str, interpreter: Interpreter, automaton: Automaton) -> list[str]:
    """Return what lanes owe and do not pay, with a window for each; an empty list proves that they pay all.

    A byte that no text contains has to be objected to by its own lane where a character is unfinished: there the scalar
    kernel has to begin before that byte. Elsewhere by its own or the next.
    """
    return _unpaid(judged(kernel, interpreter), automaton)


@cache
def _unpaid(found: nodes.Byte, automaton: Automaton) -> list[str]:
    """Return the same of the formula *found*: kernels whose lanes have the same formula are one question to z3."""
    window = {at: z3.BitVec(f"b{at}", 8) for at in range(-3, 2)}
    made: dict[Any, Any] = {}
    lane, following = (formula(rename(found, by), window, made) for by in (0, 1))

    def after(state: Any, byte: Any) -> Any:
        classed = _by_bits([z3.BitVecVal(each, 8) for each in automaton.classes], byte)
        out = z3.BitVecVal(automaton.sink, 8)
        for number, row in enumerate(automaton.table):
            here = z3.BitVecVal(automaton.sink, 8)
            for each, target in enumerate(row):
                here = z3.If(classed == each, z3.BitVecVal(target, 8), here)
            out = z3.If(state == number, here, out)
        return out

    b0, sink = window[0], automaton.sink
    never = z3.Or(b0 == 0xC0, b0 == 0xC1, z3.UGE(b0, 0xF5))
    out = []
    for state in range(len(automaton.table)):
        if state == sink:
            continue
        before = z3.BitVecVal(state, 8)
        for at in (-3, -2, -1):
            before = after(before, window[at])
        right, wrong_now, unfinished = before != sink, after(before, b0) == sink, before != automaton.start
        for name, claim in (
            ("silence", z3.Implies(z3.And(right, z3.Not(wrong_now)), lane == 0)),
            ("objection", z3.Implies(z3.And(right, wrong_now, z3.Or(z3.Not(never), unfinished)), lane != 0)),
            ("late objection", z3.Implies(z3.And(right, never), z3.Or(lane != 0, following != 0))),
        ):
            solver = z3.Solver()
            solver.add(z3.Not(claim))
            answer = solver.check()
            if answer != z3.unsat:
                shown = solver.model() if answer == z3.sat else answer
                out.append(f"{name}: {shown}")
    return out
