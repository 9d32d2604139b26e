"""What a grid shows, in words: by one table from its cells to sentences, and to the few words of a badge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.phrases import hexed
from utf8_abnf.conformance.matrix.grid import CHARACTERS, DROPS, FACTS, INPUTS, PASSES, SILENT, SWALLOWS, Cell, Grid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.matrix.row import Row

# What a cell says of a character, and of an ill-formed input.
NOT_ACCEPTED = "{input}, a character, is not accepted{where}."
SENTENCES = {
    PASSES: "{input} is accepted{out}{where}.",
    DROPS: "{input} vanishes and leaves no mark{out}{where}.",
    SWALLOWS: "{input}: what stands behind the cut character is lost with it{out}{where}.",
    SILENT: "{input} gets no answer{where}.",
}
# The word of a badge or of a cell of the page.
BADGE = {PASSES: "accepts", DROPS: "drops", SWALLOWS: "loses", SILENT: "fails"}
SHORT = {fact: fact.removesuffix(" forms") for fact in FACTS}


def sentences(grid: Grid) -> Iterator[str]:
    """Yield a sentence for each fact about which *grid* shows something wrong, in one piece or only byte by byte."""
    for fact in INPUTS:
        if cell := grid.fault(fact):
            sentence = NOT_ACCEPTED if fact == CHARACTERS else SENTENCES[cell.answer]
            yield sentence.format(input=hexed(cell.word), out=_out(cell), where=_where(cell))


def _where(cell: Cell) -> str:
    where = "" if cell.context in {"", "alone"} else f", {cell.context}"
    return where + ", where it arrives byte by byte" * cell.streamed


def _out(cell: Cell) -> str:
    if cell.out is None or cell.answer == SILENT:
        return ""
    shown = hexed(cell.out) if cell.out else "nothing"
    text = f" ('{cell.out.decode()}')" if cell.out.isascii() and cell.out.decode().isprintable() and cell.out else ""
    return f" and comes out as {shown}{text}" if cell.answer == PASSES else f" ({shown} comes out)" if cell.out else ""


def in_short(row: Row) -> str:
    """Return the few words of a badge: ``accepts: overlong, surrogates``, or the verdict."""
    if row.grid is None or not row.grid.wrong:
        return row.verdict if row.tested else "not tested"
    said: dict[str, list[str]] = {}
    for fact in FACTS:
        if cell := row.grid.fault(fact):
            said.setdefault(BADGE[cell.answer], []).append(SHORT[fact])
    return "; ".join(f"{word}: {', '.join(facts)}" for word, facts in said.items())
