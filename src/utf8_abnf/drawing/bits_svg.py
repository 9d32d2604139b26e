"""Draw RFC 3629 section 3 as SVG: the bits of bytes become the bits of a character number, or back (``Trace``).

The bytes are above, with their marker bits grey. The number is below, in groups of four bits with their hex digits. A
line joins each bit of a byte to its bit of the number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.drawing.svg import MARGIN, SMALL, Pen, text_width

if TYPE_CHECKING:
    from utf8_abnf.codec.steps import Trace

CELL = 20  # px of a bit
BETWEEN = 24  # px between bytes
NIBBLE = 10  # px between groups of four bits
FLOW = 90  # px from the bytes to the number


def bits_svg(trace: Trace) -> str:
    """Return the moves of bits in *trace* (of ``encode_steps`` or ``decode_steps``) as SVG.

    The picture of a rejected sequence shows the bits that were moved before the rejection, and the reason.
    """
    moves = {move.number_bit: move for move in trace.moves}
    payload = {(move.byte, move.byte_bit) for move in moves.values()}
    digits = -(-len(moves) // 4) * 4
    upper = max(len(trace.data) * (8 * CELL + BETWEEN) - BETWEEN, 0)
    lower = digits * CELL + max(digits // 4 - 1, 0) * NIBBLE
    told = f"refused: {trace.refusal}" if trace.refusal else f"{trace.source} = {trace.result}"
    width = max(upper, lower, text_width(told, SMALL)) + 2 * MARGIN
    pen = Pen()
    top = MARGIN + 22  # of the cells of the bytes
    under = top + CELL + FLOW  # of those of the number
    x_of: dict[tuple[int, int], float] = {}
    for byte, value in enumerate(trace.data):
        left = (width - upper) / 2 + byte * (8 * CELL + BETWEEN)
        pen.text(left + 4 * CELL, MARGIN + 12, f"{value:02X}", "strong")
        for bit in range(8):
            x_of[byte, bit] = left + (7 - bit) * CELL
            kind = "cell" if (byte, bit) in payload else "fixed"
            _cell(pen, x_of[byte, bit], top, value >> bit & 1, kind)
    for bit in range(digits):
        x = (width + lower) / 2 - (bit + 1) * CELL - bit // 4 * NIBBLE
        value = moves[bit].value if bit in moves else 0
        _cell(pen, x, under, value, "cell" if bit in moves else "fixed")
        if bit in moves:
            _flow(pen, x_of[moves[bit].byte, moves[bit].byte_bit], x, top + CELL, under, decoding=trace.decodes)
        if bit % 4 == 3:
            digit = sum(moves[each].value << each % 4 for each in range(bit - 3, bit + 1) if each in moves)
            pen.text(x + 2 * CELL, under + CELL + 18, f"{digit:X}", "strong")
    bottom = under + CELL + 44 if digits else top + CELL + 26
    pen.text(width / 2, bottom, told, "small")
    title = f"How {trace.source} is {'decoded' if trace.decodes else 'encoded'}, bit by bit"
    return pen.document(width, bottom + MARGIN, title=title, description=str(trace))


def _cell(pen: Pen, x: float, y: float, value: int, kind: str) -> None:
    pen.rect(x, y, CELL, CELL, f"box {kind}")
    pen.text(x + CELL / 2, y + 15, str(value))


def _flow(pen: Pen, above: float, below: float, y: float, under: float, *, decoding: bool) -> None:
    """Draw the line of one bit, with an arrow head at its end."""
    above, below = above + CELL / 2, below + CELL / 2
    y, under = (y + 1, under - 6) if decoding else (y + 6, under - 1)
    half = (y + under) / 2
    pen.path("line", "M", above, y, "C", above, half, below, half, below, under)
    if decoding:
        pen.head(below, under + 5, "down", size=6)
    else:
        pen.head(above, y - 5, "up", size=6)
