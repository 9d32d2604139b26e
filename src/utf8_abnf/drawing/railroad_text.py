"""Draw railroad diagrams of a ``Grammar`` as text, in the characters of a terminal.

``[rule]`` is another rule, ``(bytes)`` are bytes; the track of each rule runs from ``├`` to ``┤``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.drawing.track import Box, Style, drawn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.grammar import Grammar

FENCES = {"rule": ("[", "]"), "bytes": ("(", ")"), "words": (" ", " ")}
WIDEST = 100  # characters of a row; a longer one continues below


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a diagram: lines of the same length; the track enters and leaves on line *main*, counted from 0."""

    lines: tuple[str, ...]
    main: int

    @property
    def width(self) -> int:
        """The number of characters in a line."""
        return len(self.lines[0])


def railroad_text(grammar: Grammar, rule: str | None = None, *, as_bytes: bool = False) -> str:
    """Return the railroad diagram of *rule*, or of every rule of *grammar*, as text. ``GrammarError`` for no such rule.

    With *as_bytes*, values are not shown as characters.

    >>> from utf8_abnf.grammar import Grammar
    >>> print(railroad_text(Grammar.load("utf8"), "UTF8-octets"))
    UTF8-octets
       ╭────────▸────────╮
    ├──┴─┬─[UTF8-char]─┬─┴──┤
         ╰──────◂──────╯
    """
    rules = [grammar[rule]] if rule else [grammar.rules[name] for name in grammar.rules]
    style = Style(_box, _row, _fork, _bypass, _loop)
    diagrams = []
    for each in rules:
        part = drawn(each.definition, style, as_bytes=as_bytes)
        lines = [f"├─{line}─┤" if number == part.main else f"  {line}" for number, line in enumerate(part.lines)]
        diagrams.append("\n".join([each.name, *(line.rstrip() for line in lines)]))
    return "\n\n".join(diagrams)


def _box(box: Box) -> TextPart:
    before, after = FENCES[box.kind]
    return TextPart((f"─{before}{box.shown}{after}─",), 0)


def _row(parts: Sequence[TextPart]) -> TextPart:
    rows: list[list[TextPart]] = [[]]
    for part in parts:
        if rows[-1] and sum(each.width for each in rows[-1]) + part.width > WIDEST:
            rows.append([])
        rows[-1].append(part)
    return _line(rows[0]) if len(rows) == 1 else _stack([_line(row) for row in rows])


def _line(parts: list[TextPart]) -> TextPart:
    if not parts:
        return TextPart(("──",), 0)
    above = max(part.main for part in parts)
    below = max(len(part.lines) - part.main for part in parts)
    lines = []
    for number in range(-above, below):
        rows = (part.main + number for part in parts)
        lines.append("".join(
            part.lines[row] if 0 <= row < len(part.lines) else " " * part.width
            for part, row in zip(parts, rows, strict=True)
        ))  # fmt: skip
    return TextPart(tuple(lines), above)


def _stack(rows: list[TextPart]) -> TextPart:
    """Return *rows* one below the other; the track enters and leaves on the line of the first row."""
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
    return TextPart(tuple(lines), rows[0].main)


def _fork(parts: Sequence[TextPart]) -> TextPart:
    width = max(part.width for part in parts)
    lines: list[str] = []
    first = parts[0].main
    mains = []
    for part in parts:
        mains.append(len(lines) + part.main)
        fills = ("─" if at == part.main else " " for at in range(len(part.lines)))
        lines += [line + fill * (width - part.width) for line, fill in zip(part.lines, fills, strict=True)]
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
    return TextPart(tuple(made), first)


def _bypass(part: TextPart) -> TextPart:
    bend = f" ╭{'▸'.center(part.width, '─')}╮ "
    sides = ["│" if at < part.main else "┴" if at == part.main else " " for at in range(len(part.lines))]
    rails = ["─" if at == part.main else " " for at in range(len(part.lines))]
    lines = [f"{r}{s}{line}{s}{r}" for r, s, line in zip(rails, sides, part.lines, strict=True)]
    return TextPart((bend, *lines), part.main + 1)


def _loop(part: TextPart, note: str) -> TextPart:
    words = f"◂ {note} " if note else "◂"
    width = max(part.width, len(words) + 2)
    lines = []
    for at, line in enumerate(part.lines):
        rail = "─" if at == part.main else " "
        side = "┬" if at == part.main else "│" if at > part.main else " "
        lines.append(f"{rail}{side}{line}{rail * (width - part.width)}{side}{rail}")
    return TextPart((*lines, f" ╰{words.center(width, '─')}╯ "), part.main)
