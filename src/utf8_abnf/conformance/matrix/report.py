"""The text for a decoder's authors: a row in, Markdown out, with a reproduction, what is seen and what was expected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.phrases import hexed
from utf8_abnf.conformance.matrix.formats.html_details import promise
from utf8_abnf.conformance.matrix.grid import ABOVE, CHARACTERS, CUT, INPUTS, OVERLONG, SURROGATES, SWALLOWED, TAILS
from utf8_abnf.conformance.matrix.recheck import command_line
from utf8_abnf.conformance.matrix.row import CONFIRMED
from utf8_abnf.conformance.matrix.telling import is_wrong, sentences
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.matrix.row import Row

MAX_LINES = 5  # of ABNF
# What RFC 3629 says of each fact, and where.
CLAUSES = {
    CHARACTERS: "Section 4: these are characters, each of two, three or four bytes.",
    OVERLONG: "Section 3: C0 and C1 never appear, and a character has one form, the shortest. Section 10 says why.",
    SURROGATES: "Section 3: the encoding of U+D800..U+DFFF is prohibited.",
    ABOVE: "Section 3: nothing above U+10FFFF is encoded, and F5..FF never appear.",
    TAILS: "Section 4: no character begins with 80..BF.",
    SWALLOWED: "Section 4: after a first byte stand tail bytes, 80..BF; what stands there instead is not part of it.",
    CUT: "Section 4: a character that the end of the input cuts is not one.",
}
NOT_LOOKED = "Whether this was reported before was not looked up."


def report(row: Row) -> str:
    """Return the text about *row*; UsageError if it shows nothing that its authors need to know."""
    grid = row.grid
    wrong = [
        fact
        for fact in INPUTS
        if grid and any(is_wrong(fact, grid.cell(fact, stream=stream)) for stream in (False, True))
    ]
    if not (wrong or row.facts):
        raise UsageError(f"there is nothing to report about {row.name}: {row.reason or 'no deviation was found'}")
    return "\n".join(_lines(row, wrong))


def _lines(row: Row, wrong: list[str]) -> Iterator[str]:
    said = [*sentences(row.grid)] if row.grid else []
    first = said[0] if said else f"{hexed(row.facts[0].example)} is {_done(row.facts[0].kind)}."
    yield f"# {row.about.partition(',')[0]} {row.version}: {first.removesuffix('.')}\n"
    yield f"- What was called: {row.about}"
    yield f"- Version: {row.version}" + (f"; the newest that is known: {row.newest}" if row.newest else "")
    yield f"- What the documentation promises: {promise(row)}" + (f" ({row.link})" if row.link else "")
    yield "\n## Reproduction\n"
    example = next((each.example for each in row.facts if each.check == CONFIRMED), b"")
    command = row.anywhere or row.second_way
    yield "The exit status that is printed is 0 for accepted and 1 for rejected.\n\n```sh"
    yield command_line(example, command) if example and command else command or "(there is no command for it yet)"
    yield "```\n\n## Observed\n"
    yield from (f"- {each}" for each in said)
    for each in row.facts[:MAX_LINES]:
        place = f", {each.place}" if each.place else ""
        yield f"- `{hexed(each.example)}` is {_done(each.kind)}, one of `{each.line}`{place}."
    yield "\n## Expected\n"
    yield "By RFC 3629 these are not UTF-8: an error, or U+FFFD in their place.\n" if wrong != [CHARACTERS] else ""
    yield from (f"- {CLAUSES[fact]}" for fact in wrong)
    yield f"\n## Earlier reports\n\n{row.known[:1].upper() + row.known[1:] + '.' if row.known else NOT_LOOKED}\n"


def _done(kind: str) -> str:
    return {"extra": "accepted", "missing": "rejected"}.get(kind, "answered wrongly")
