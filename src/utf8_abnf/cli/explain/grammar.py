"""``explain --grammar``: where a grammar stops deriving the input, in which rules, and which bytes it expects there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton.explain import explain_failure
from utf8_abnf.cli.grammar.parse import in_letters, refusal
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.language import explanations
from utf8_abnf.language.catalogue import say, told
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from utf8_abnf.automaton.explain import Expectation, Wanted
    from utf8_abnf.grammar import Grammar

BEFORE = 16  # bytes shown on each side of the error
SHOWN_WANTED = 12  # expectations


def explain_with(grammar: Grammar, start: str, data: bytes) -> int:
    """Print whether *start* of *grammar* derives *data*, or why it does not, and return the exit status."""
    found = explain_failure(grammar, data, start)
    start = grammar[start].name
    if found is None:
        print(say(explanations.DERIVES, rule=start, count=len(data), file=grammar.file))
    else:
        _print_failure(found, data, start, grammar)
    return OK if found is None else ILL_FORMED


def _print_failure(found: Expectation, data: bytes, start: str, grammar: Grammar) -> None:
    first = max(0, found.offset - BEFORE)
    window = data[first : found.offset + BEFORE]
    text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in window)
    print(told(refusal(found, start, in_letters(told(found.expected)))))
    print(f"  {first:08X}  {hex_bytes(window)}   {text}")
    print(f"            {'   ' * (found.offset - first)}^^")
    for wanted in found.wanted[:SHOWN_WANTED]:
        path = " > ".join(step.label for step in wanted.path)
        print(f"  {in_letters(wanted.shown):<18} {path}   {_place(wanted, grammar)}")
    if len(found.wanted) > SHOWN_WANTED:
        print("  " + say(explanations.MORE_WANTED, count=len(found.wanted) - SHOWN_WANTED))


def _place(wanted: Wanted, grammar: Grammar) -> str:
    """Return the place in the grammar; for a core rule, which is not in the user's file, the RFC's."""
    if wanted.path and grammar[wanted.path[-1].rule].core:
        return "RFC 5234 appendix B.1"
    line, column = grammar.position(wanted.span)
    return f"{grammar.file}:{line}:{column}"
