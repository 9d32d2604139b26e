"""The text for a decoder's authors: a row in, Markdown out, with a reproduction, what is seen and what was expected."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.phrases import hexed
from utf8_abnf.conformance.harness.report import EXTRA, MISSING
from utf8_abnf.conformance.matrix.formats.html_details import promise
from utf8_abnf.conformance.matrix.formats.text import short
from utf8_abnf.conformance.matrix.grid import ABOVE, CHARACTERS, CUT, INPUTS, OVERLONG, SURROGATES, SWALLOWED, TAILS
from utf8_abnf.conformance.matrix.recheck import command_line
from utf8_abnf.conformance.matrix.row import CONFIRMED
from utf8_abnf.conformance.matrix.telling import sentences
from utf8_abnf.errors import UsageError
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.matrix.row import Row

MAX_LINES = 5  # of ABNF
# What RFC 3629 says of each fact, and where.
CLAUSES = {
    CHARACTERS: "Section 4: its grammar derives what is rejected above.",
    OVERLONG: "Section 3: C0 and C1 never appear, and a character has one form, the shortest. Section 10 says why.",
    SURROGATES: "Section 3: the encoding of U+D800..U+DFFF is prohibited.",
    ABOVE: "Section 3: nothing above U+10FFFF is encoded, and F5..FF never appear.",
    TAILS: "Section 4: no character begins with 80..BF.",
    SWALLOWED: "Section 4: after a first byte stand tail bytes, 80..BF; what stands there instead is not part of it.",
    CUT: "Section 4: a character that the end of the input cuts is not one.",
}
DONE = {EXTRA: "accepted", MISSING: "rejected"}
CALLED = re.compile(r"(?:\((?:[^()]|\([^()]*\))*\)|,(?! )|[^,;(])+")  # up to a comma or semicolon outside brackets
NOT_LOOKED = "Whether this was reported before was not looked up."


def report(row: Row) -> str:
    """Return the text about *row*; UsageError if it shows nothing that its authors need to know."""
    wrong = [fact for fact in INPUTS if row.grid and row.grid.fault(fact)]
    if not (wrong or row.facts):
        raise UsageError(f"there is nothing to report about {row.name}: {row.reason or 'no deviation was found'}")
    return "\n".join(_lines(row, wrong))


def _lines(row: Row, wrong: list[str]) -> Iterator[str]:
    said = [*sentences(row.grid)] if row.grid else []
    shown = next((each for each in row.facts if each.check == CONFIRMED), None)
    # The title says what the command below shows, and no more.
    first = said[0] if said else row.facts[0].why
    if shown:
        first = f"{hexed(shown.example)}, which is {'not ' * (shown.kind == EXTRA)}UTF-8, is {DONE[shown.kind]}"
    called = CALLED.match(row.about) or [row.name]
    yield f"# {called[0]} {short(row.version)}: {first.removesuffix('.')}\n"
    yield f"- What was called: {row.about}"
    yield f"- Version: {row.version}" + (f"; the newest that is known: {row.newest}" if row.newest else "")
    yield f"- What the documentation promises: {promise(row)}" + (f" ({row.link})" if row.link else "")
    yield "\n## Reproduction\n"
    if shown:
        yield "The exit status that is printed is 0 for accepted and 1 for rejected.\n\n```sh"
        yield command_line(shown.example, row.anywhere or row.second_way)
    else:
        fault = row.grid.fault(wrong[0]) if row.grid and wrong else None
        word = fault.word if fault else row.facts[0].example
        yield f"```sh\nutf8-abnf smoke known:{row.name} '{hex_bytes(word)}'"
    yield "```\n\n## Observed\n"
    yield from (f"- {each}" for each in said)
    for each in row.facts[:MAX_LINES]:
        place = f", {each.place}" if each.place else ""
        done = (
            f"{DONE[each.kind]}, one of `{each.line}`{place}" if each.in_verdicts else f"answered wrongly: {each.why}"
        )
        yield f"- `{hexed(each.example)}` is {done}."
    yield "\n## Expected\n"
    if set(wrong) - {CHARACTERS} or any(each.kind == EXTRA for each in row.facts):
        yield "What is accepted above is not UTF-8. An error is expected, or U+FFFD in its place. RFC 3629 says:\n"
        yield '- Section 3: "Implementations of the decoding algorithm above MUST protect against decoding invalid'
        yield '  sequences."'
    if CHARACTERS not in wrong and any(each.kind == MISSING for each in row.facts):
        yield f"- {CLAUSES[CHARACTERS]}"
    yield from (f"- {CLAUSES[fact]}" for fact in wrong)
    if row.change:
        yield f"\n## Place\n\n{row.where}.\n\n## Suggested change\n\n```diff\n{row.change.rstrip()}\n```\n"
        yield "It is made for the version above. All inputs of this report then get the expected answer, and so does"
        yield "well-formed text."
    yield f"\n## Earlier reports\n\n{f'Looked up: {row.known}.' if row.known else NOT_LOOKED}\n"
