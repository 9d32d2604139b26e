"""What passing a level proves, in words. Every report that passes ends with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.suite.fast import fast
from utf8_abnf.suite.levels import families
from utf8_abnf.suite.plan import plan

if TYPE_CHECKING:
    from collections.abc import Collection

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.suite.plan import Plan

#   the families that must have been judged, and what their cases show
EXTRA = {
    (
        "W/k2",
        "four-bytes",
        "positions",
        "aligned",
        "guarded",
    ): " Whatever its states, it is right on all strings of up to"
    " four bytes, and on single faults at the offsets 0..130; at the offsets 0..66 at every alignment and at the end of"
    " memory as well.",
    (
        "scalars",
        "ill-formed",
        "positions",
    ): " Whatever its states, it is right on each of the 1,112,064 characters alone, on each of the 1,052,800 coded"
    " ill-formed sequences, and on single faults at the offsets 0..130.",
}
NOT_ASKED = {
    "L1": " Not asked at L1: most characters, faults at other offsets than behind 1..130 characters, long text and its"
    " blocks and buffers, many errors in one input, streams in uneven pieces, and what one input leaves for the next."
    " L2 asks for these.",
}
NOTHING = "Passing {level} proves nothing beyond its cases.{more}"


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
        return NOTHING.format(level=level, more=f" {first} is the first level that proves more." if first else "")
    names = [name for name in names if judged is None or name in judged]
    if "W/k0" not in names:
        return "Passing proves nothing beyond the cases that were judged: V·Σ^≤1·W was not judged in full."
    k = next(k for k in range(len(names) + 1) if f"W/k{k + 1}" not in names)
    before, asked = f"V·Σ^≤{k}" if k else "V", f"V·Σ^≤{k + 1}·W"
    if {"A2", "leads"} <= set(names):
        before, asked = f"{before}, A₂ or A₃", f"{asked}, A₂·Σ^≤1·W and A₃·Σ^≤1·W"
    if chosen.grammar.depth is not None:
        return (
            f"If every state that the decoder's own automaton reaches on inputs of depth {chosen.grammar.depth} is"
            f" reached by a word of {before}, then it accepts of these inputs exactly those of"
            f" {chosen.start}{_context(chosen)}. Depth: how often a rule is used within itself. It gave the right"
            f" verdict on all of {asked}; of these, deeper inputs are judged by the whole grammar. Assumed, not tested:"
            " that the states are so reached, and that it answers the same input the same way."
        )
    most = len(chosen.automaton.table) + k
    lines = (
        f"If every state of the decoder's own automaton is reached by a word of {before}, then it accepts exactly"
        f" {chosen.start}{_context(chosen)}. It gave the right verdict on all of {asked}. Assumed, not tested: that its"
        f" states are so reached (it has no more than {most} states, say), and that it answers"
        " the same input the same way."
    )
    if fast is None:  # then nobody chooses where in memory a case lies
        names = [name for name in names if name not in {"aligned", "guarded"}]
    shown = (words for needed, words in EXTRA.items() if set(needed) <= set(names))
    return lines + (next(shown, NOT_ASKED.get(level, "")) if chosen.is_utf8 else "")


def _context(chosen: Plan) -> str:
    before, behind = chosen.samples.context
    return f" between {before!r} and {behind!r}" if before or behind else ""
