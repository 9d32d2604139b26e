"""Prints why a grammar does not derive an input: the offset, the bytes there, and the rules that expect others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from utf8_abnf.automaton.explain import shown_ranges
from utf8_abnf.language import explanations
from utf8_abnf.language.catalogue import say, told
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from utf8_abnf.automaton.explain import Expectation, Wanted
    from utf8_abnf.grammar import Grammar

BEFORE = 16  # bytes shown on each side of the error
MAX_WANTED = 12  # expectations shown


def print_refusal(refusal: Expectation, data: bytes, start: str, grammar: Grammar) -> None:
    """Print where the rule *start* of *grammar* stops deriving *data*, and what it expects there by which rules."""
    first = max(0, refusal.offset - BEFORE)
    window = data[first : refusal.offset + BEFORE]
    text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in window)
    print(_headline(refusal, grammar[start].name))
    print(f"  {first:08X}  {hex_bytes(window)}   {text}")
    print(f"            {'   ' * (refusal.offset - first)}^^")
    for wanted in refusal.wanted[:MAX_WANTED]:
        path = " > ".join(step.label for step in wanted.path)
        ranges = _in_letters(shown_ranges(wanted.ranges, code_points=refusal.code_points))
        print(f"  {ranges:<18} {path}   {_place(wanted, grammar)}")
    if len(refusal.wanted) > MAX_WANTED:
        print("  " + say(explanations.MORE_WANTED, count=len(refusal.wanted) - MAX_WANTED))


def _headline(found: Expectation, start: str) -> str:
    byte = explanations.DOES_NOT_DERIVE_VALUE if found.code_points else explanations.DOES_NOT_DERIVE_BYTE
    template = explanations.DOES_NOT_DERIVE_END if found.got is None else byte
    facts = {"got": found.found.removeprefix("byte "), "offset": found.offset}
    return say(template, rule=start, expected=_in_letters(told(found.expected)), **facts)


def _in_letters(ranges: str) -> str:
    """Return *ranges* and, where the bytes are visible ASCII, their characters."""

    def lettered(match: re.Match[str]) -> str:
        codes = [int(number.removeprefix("U+"), 16) for number in match[0].split("..")]
        visible = all(0x20 < code < 0x7F for code in codes)
        return f"{match[0]} {'..'.join(repr(chr(code)) for code in codes)}" if visible else match[0]

    return re.sub(r"\b(U\+)?[0-9A-F]{2,6}(\.\.(U\+)?[0-9A-F]{2,6})?\b", lettered, ranges)


def _place(wanted: Wanted, grammar: Grammar) -> str:
    """Return the place in the grammar; for a core rule, which is not in the user's file, the RFC's."""
    if wanted.path and grammar[wanted.path[-1].rule].core:
        return "RFC 5234 appendix B.1"
    line, column = grammar.position(wanted.span)
    return f"{grammar.file}:{line}:{column}"
