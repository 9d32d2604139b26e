"""Unknown bytes: expressions over the text's bytes, of which equal ones are the same object.

A byte is an ``int`` where it is known, else a ``Node``. What the makers below rewrite is true of all bytes:
AND with a constant passes into an OR, ORs are sets, known operands are computed.
"""

from __future__ import annotations

from functools import cache
from typing import Any


class Node:
    """``op`` applied to ``args``: bytes, or what else the operation needs. Compared by identity."""

    __slots__ = ("args", "number", "op")
    made: dict[tuple[Any, ...], Node] = {}  # noqa: RUF012 - of the class, and meant so

    def __init__(self, op: str, args: tuple[Any, ...]) -> None:
        """Use ``make``."""
        self.op, self.args, self.number = op, args, len(Node.made)

    def __repr__(self) -> str:
        return f"{self.op}{self.args}"


Byte = int | Node


def make(op: str, *args: Any) -> Node:
    """Return the one node with these contents."""
    key = (op, *args)
    if key not in Node.made:
        Node.made[key] = Node(op, args)
    return Node.made[key]


def in_order(x: Byte, y: Byte) -> tuple[Byte, Byte]:
    """Return the operands of a commutative operation in the one order: a known byte first."""
    rank = [(0, each) if isinstance(each, int) else (1, each.number) for each in (x, y)]
    return (x, y) if rank[0] <= rank[1] else (y, x)


def text(at: int) -> Node:
    """Return the text's byte at an offset."""
    return make("text", at)


@cache
def and_(x: Byte, y: Byte) -> Byte:
    """Return x & y."""
    x, y = in_order(x, y)
    if not isinstance(x, int):
        return x if x is y else make("and", x, y)
    if isinstance(y, int) or x == 0:
        return x & y if isinstance(y, int) else 0
    if x == 0xFF:
        return y
    if y.op == "or":
        return or_(*(and_(x, each) for each in y.args[0]))
    if y.op == "and" and isinstance(y.args[0], int):
        return and_(x & y.args[0], y.args[1])
    if y.op == "shift16" and x <= 0xFF >> y.args[2]:  # what came from the byte above is masked out
        return and_(x, shift(y.args[0], y.args[2]))
    return make("and", x, y)


@cache
def or_(*operands: Byte) -> Byte:
    """Return the OR of all."""
    known, rest = 0, set()
    for each in operands:
        for one in each.args[0] if isinstance(each, Node) and each.op == "or" else (each,):
            if isinstance(one, int):
                known |= one
            else:
                rest.add(one)
    if known or not rest:
        return known if not rest else make("or", frozenset({known, *rest}))
    return rest.pop() if len(rest) == 1 else make("or", frozenset(rest))


def members(x: Byte) -> frozenset[Byte]:
    """Return what is ORed together in x: it is zero exactly when they all are."""
    if isinstance(x, Node):
        return x.args[0] if x.op == "or" else frozenset({x})
    return frozenset({x} if x else ())


def xor(x: Byte, y: Byte) -> Byte:
    """Return x ^ y."""
    x, y = in_order(x, y)
    if isinstance(x, int) and isinstance(y, int):
        return x ^ y
    return y if x == 0 else make("xor", x, y)


def shift(x: Byte, n: int) -> Byte:
    """Return x >> n."""
    return x >> n if isinstance(x, int) else make("shift", x, n)


def shift16(low: Byte, high: Byte, n: int) -> tuple[Byte, Byte]:
    """Return both bytes of a 16-bit number, shifted down by n (below 8)."""
    if isinstance(low, int) and isinstance(high, int):
        word = (low | high << 8) >> n
        return word & 0xFF, word >> 8
    return make("shift16", low, high, n), shift(high, n)


def average(x: Byte, y: Byte) -> Byte:
    """Return the mean of both, rounded up."""
    x, y = in_order(x, y)
    return (x + y + 1) >> 1 if isinstance(x, int) and isinstance(y, int) else make("average", x, y)


def look_up(table: bytes, x: Byte) -> Byte:
    """Return the entry for x in a table of 256."""
    return table[x] if isinstance(x, int) else make("look_up", table, x)
