"""Railroad diagrams as text: the same tracks, drawn in the characters of a terminal.

``[rule]`` is another rule, ``(bytes)`` are bytes to be read; follow the line from ``├`` to ``┤``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.drawing.track import Box, Bypass, Fork, Loop, Row, Track, tracks

if TYPE_CHECKING:
    from utf8_abnf.grammar import Grammar

FENCES = {"rule": "[]", "bytes": "()", "words": "  "}
WIDEST = 100  # characters of a row, before it goes on below


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one length; the track comes in and goes out on line *main*, counted from 0."""

    lines: tuple[str, ...]
    main: int

    @property
    def width(self) -> int:
        """Characters in a line."""
        return len(self.lines[0])


def railroad_text(grammar: Grammar, rule: str | None = None) -> str:
    """Return the railroad diagram of *rule*, or of every rule of *grammar*, as text. ``GrammarError`` for no such rule.

    >>> from utf8_abnf.grammar import Grammar
    >>> print(railroad_text(Grammar.load("utf8"), "UTF8-octets"))
    UTF8-octets
       ╭────────▸────────╮
    ├──┴─┬─[UTF8-char]─┬─┴──┤
         ╰──────◂──────╯
    """
    rules = [grammar[rule]] if rule else [grammar.rules[name] for name in grammar.rules]
    drawn = []
    for each in rules:
        several = [_block(track) for track in tracks(each)]
        block = _fork(several) if len(several) > 1 else several[0]
        lines = [f"├─{line}─┤" if number == block.main else f"  {line}" for number, line in enumerate(block.lines)]
        drawn.append("\n".join([each.name, *(line.rstrip() for line in lines)]))
    return "\n\n".join(drawn)


def _block(track: Track) -> Block:
    match track:
        case Box(kind=kind):
            return Block((f"─{FENCES[kind][0]}{track.shown}{FENCES[kind][1]}─",), 0)
        case Row(items=items):
            return _row([_block(item) for item in items])
        case Fork(items=items):
            return _fork([_block(item) for item in items])
        case Bypass(item=item):
            return _bypass(_block(item))
        case Loop(item=item, note=note):
            return _loop(_block(item), note)


def _row(blocks: list[Block]) -> Block:
    rows: list[list[Block]] = [[]]
    for block in blocks:
        if rows[-1] and sum(each.width for each in rows[-1]) + block.width > WIDEST:
            rows.append([])
        rows[-1].append(block)
    return _line(rows[0]) if len(rows) == 1 else _stack([_line(row) for row in rows])


def _line(blocks: list[Block]) -> Block:
    if not blocks:
        return Block(("──",), 0)
    above = max(block.main for block in blocks)
    below = max(len(block.lines) - block.main for block in blocks)
    lines = []
    for number in range(-above, below):
        rows = (block.main + number for block in blocks)
        lines.append("".join(
            block.lines[row] if 0 <= row < len(block.lines) else " " * block.width
            for block, row in zip(blocks, rows, strict=True)
        ))  # fmt: skip
    return Block(tuple(lines), above)


def _stack(rows: list[Block]) -> Block:
    """Return rows one below the other; the track comes out beside the first, where it went in."""
    width = max(row.width for row in rows)
    lines: list[str] = []
    for number, row in enumerate(rows):
        last = number == len(rows) - 1
        for at, line in enumerate(row.lines):
            fill = "─" if at == row.main and last else " "
            text = line + fill * (width - row.width)
            left = ("─" if not number else "╰") if at == row.main else "│" if number and at < row.main else " "
            if at == row.main and not last:
                text = f"{line}╮" + " " * (width - row.width)
            elif not last and at > row.main:
                text = f"{line}│" + " " * (width - row.width)
            else:
                text += "─" if at == row.main else " "
            right = "╯" if last and at == row.main else "╭" if not number and at == row.main else "│"
            right = " " if (not number and at < row.main) or (last and at > row.main) else right
            lines.append(f"{left}{text}{right}" + ("─" if not number and at == row.main else " "))
        if not last:
            lines.append("╭" + "◂".center(row.width, "─") + "╯" + " " * (width - row.width) + "│ ")
    return Block(tuple(lines), rows[0].main)


def _fork(blocks: list[Block]) -> Block:
    width = max(block.width for block in blocks)
    lines: list[str] = []
    first = blocks[0].main
    mains = []
    for block in blocks:
        mains.append(len(lines) + block.main)
        fills = ("─" if at == block.main else " " for at in range(len(block.lines)))
        lines += [line + fill * (width - block.width) for line, fill in zip(block.lines, fills, strict=True)]
    made = []
    for at, line in enumerate(lines):
        left, right = "│", "│"
        if at == first:
            left, right = "┬", "┬"
        elif at == mains[-1]:
            left, right = "╰", "╯"
        elif at in mains:
            left, right = "├", "┤"
        elif not first < at < mains[-1]:
            left, right = " ", " "
        rail = "─" if at == first else " "
        made.append(f"{rail}{left}{line}{right}{rail}")
    return Block(tuple(made), first)


def _bypass(block: Block) -> Block:
    bend = f" ╭{'▸'.center(block.width, '─')}╮ "
    sides = ["│" if at < block.main else "┴" if at == block.main else " " for at in range(len(block.lines))]
    rails = ["─" if at == block.main else " " for at in range(len(block.lines))]
    lines = [f"{r}{s}{line}{s}{r}" for r, s, line in zip(rails, sides, block.lines, strict=True)]
    return Block((bend, *lines), block.main + 1)


def _loop(block: Block, note: str) -> Block:
    words = f"◂ {note} " if note else "◂"
    width = max(block.width, len(words) + 2)
    lines = []
    for at, line in enumerate(block.lines):
        rail = "─" if at == block.main else " "
        side = "┬" if at == block.main else "│" if at > block.main else " "
        lines.append(f"{rail}{side}{line}{rail * (width - block.width)}{side}{rail}")
    return Block((*lines, f" ╰{words.center(width, '─')}╯ "), block.main)
