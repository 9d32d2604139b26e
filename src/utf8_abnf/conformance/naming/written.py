"""Writes an automaton as ABNF that a person can read, and that compiles to the same automaton."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.automaton.forms import TAIL, Form, characters, forms
from utf8_abnf.conformance.naming.patterns import Pattern, merge
from utf8_abnf.conformance.suite.words import ranges
from utf8_abnf.language.notation import abnf_range

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.automaton import Automaton


def abnf_of(automaton: Automaton) -> str:
    """Return a grammar that derives exactly what *automaton* accepts.

    If the language consists of characters with finitely many forms, each form is an alternative on a line of its own,
    as in the RFC. Otherwise each live state is a rule that ends with the rule of the next state (right-linear).
    """
    single = characters(automaton)
    lines = forms(single) if single else None
    return _by_characters(lines) if lines else _by_states(automaton.minimal())


def _by_characters(words: Iterable[Form]) -> str:
    patterns = merge(Pattern.of_ranges(form.ranges) for form in words)  # a few lines: what differs in one place is one
    text = ["octets = *( char )", *_alternatives("char", (pattern.line for pattern in patterns))]
    if any(TAIL in line for line in text):
        text.append(f"{TAIL} = %x80-BF")
    return "\n".join(text) + "\n"


def _alternatives(name: str, alternatives: Iterable[str]) -> list[str]:
    """Return the rule *name*, one alternative on each line, with the slashes under the equals sign."""
    first, *more = alternatives
    return [f"{name} = {first}", *(" " * (len(name) + 1) + f"/ {each}" for each in more)]


def _by_states(automaton: Automaton) -> str:
    if automaton.start in automaton.dead:
        return "start = %x01 start\n"  # the automaton accepts nothing; this rule never ends, so it derives nothing
    names = [name.replace("_", "-") for name in automaton.names]
    text = []
    for state in range(len(automaton.table)):
        if state in automaton.dead:
            continue
        moves = [f"{abnf_range(low, high)} {names[target]}" for low, high, target in ranges(automaton, state)]
        if state not in automaton.accepting:
            text += _alternatives(names[state], moves)
        elif moves:
            text += [f"{names[state]} = [ {' / '.join(moves)} ]"]
        else:
            text.append(f'{names[state]} = ""')
    return "\n".join(text) + "\n"
