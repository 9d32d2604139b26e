"""Writes the theorem of a level: what is proved of a decoder that passes it. Every report that passes ends with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite.fast import fast
from utf8_abnf.conformance.suite.levels import families
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.language import suites as messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from collections.abc import Collection

    from utf8_abnf.grammar import Grammar

#   the families that must have been judged, and what their cases show
EXTRA = {
    ("W/k2", "four-bytes", "positions", "aligned", "guarded"): messages.RIGHT_ON_FOUR_BYTES,
    ("scalars", "ill-formed", "positions"): messages.RIGHT_ON_CHARACTERS,
}
NOT_ASKED = {"L1": messages.NOT_ASKED}


def theorem(
    level: str, *, grammar: Grammar | None = None, start: str | None = None, judged: Collection[str] | None = None
) -> str:
    """Return what passing *level* proves, and on what assumption; docs/suites.md has the proof.

    *judged* are the families of which every case was judged; None stands for all. ``UsageError`` for a level that is
    not there.

    >>> theorem("L1").partition(".")[0]
    "If every state of the decoder's own automaton is reached by a word of V, then it accepts exactly UTF8-octets"
    """
    chosen = plan(grammar, start)
    names = [family.name for family in families(level, grammar=grammar, start=start)]
    if "W/k0" not in names:
        everything = families("L3", grammar=grammar, start=start)
        first = next((each.level for each in everything if each.name == "W/k0" and not each.in_process), "")
        more = Message(messages.FIRST_THAT_PROVES, level=first) if first else ""
        return Message(messages.PROVES_NOTHING, level=level, more=more)
    names = [name for name in names if judged is None or name in judged]
    if "W/k0" not in names:
        return Message(messages.NOT_IN_FULL)
    k = next(k for k in range(len(names) + 1) if f"W/k{k + 1}" not in names)
    w = "H" if chosen.identifiers else "W"
    before, asked = f"V·Σ^≤{k}" if k else "V", f"V·Σ^≤{k + 1}·{w}"
    if {"A2", "leads"} <= set(names):
        before, asked = Message(messages.OR_SECOND, before=before), Message(messages.AND_SECOND, asked=asked)
    facts = {"before": before, "start": chosen.start, "asked": asked}
    if chosen.grammar.depth is not None:
        return Message(messages.PROVES_TO_DEPTH, depth=chosen.grammar.depth, **facts)
    if fast is None:  # then nobody chooses where in memory a case lies
        names = [name for name in names if name not in {"aligned", "guarded"}]
    shown = (words for needed, words in EXTRA.items() if set(needed) <= set(names))
    text = next(shown, NOT_ASKED.get(level, "")) if chosen.is_utf8 else ""
    more = Message(text) if text else ""
    return Message(messages.PROVES, most=len(chosen.automaton.table) + k, more=more, **facts)
