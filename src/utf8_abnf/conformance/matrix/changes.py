"""What changed between two runs of the matrix: two matrices in, lines of text out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.phrases import hexed
from utf8_abnf.conformance.matrix.grid import INPUTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.matrix.grid import Grid
    from utf8_abnf.conformance.matrix.row import Matrix, Row

COMPARED = ("verdict", "version", "claim", "level", "offsets", "replacement", "streaming")


def changes(old: Matrix, new: Matrix, *, whole: bool = True) -> Iterator[str]:
    """Yield a line for each thing that is not in *new* as it was in *old*; nothing if all is the same.

    Without *whole*, *new* has some of the decoders alone, and rows that it does not have are not mentioned.
    """
    before = {row.name: row for row in old.rows}
    after = {row.name: row for row in new.rows}
    for name, row in after.items():
        if name not in before:
            yield f"{name}: new, {row.verdict}"
        else:
            yield from (f"{name}: {line}" for line in _of_row(before[name], row))
    if whole:
        yield from (f"{name}: no longer there" for name in before if name not in after)


def _of_row(old: Row, new: Row) -> Iterator[str]:
    for name in COMPARED:
        one, two = getattr(old, name), getattr(new, name)
        if one != two:
            yield f"{name}: {one or 'none'} -> {two or 'none'}"
    grammars = [row.learned.dialect or "a grammar of its own" if row.learned else "none" for row in (old, new)]
    if grammars[0] != grammars[1]:
        yield f"grammar: {grammars[0]} -> {grammars[1]}"
    if not new.tested:
        return  # it says nothing of deviations
    yield from _of_grids(old.grid, new.grid)
    before = {each.key: each for each in old.facts}
    after = {each.key: each for each in new.facts}
    yield from (f"+ {key}; {hexed(after[key].example)}" for key in after if key not in before)
    yield from (f"- {key}; {hexed(before[key].example)}" for key in before if key not in after)


def _of_grids(old: Grid | None, new: Grid | None) -> Iterator[str]:
    if old is None or new is None:
        return
    for fact in INPUTS:
        for stream in (False, True):
            one, two = (grid.cell(fact, stream=stream).answer for grid in (old, new))
            if one != two:
                yield f"{fact}{' byte by byte' * stream}: {one} -> {two}"
