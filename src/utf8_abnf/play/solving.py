"""Rules that use themselves in the middle of a grammar that is regular all the same: a grammar in, an equal one out.

``t = c / t t`` derives one or more ``c``, ``t = c / t t t`` an odd number of them, and ``t = a t / t b / c`` any number
of ``a``, a ``c`` and any number of ``b``. The compiler refuses such rules, because it looks only at where a rule uses
itself. Students write them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.grammar.model import Rules, references
from utf8_abnf.grammar.syntax import Alternation, Concatenation, Group, Ref, Repetition

if TYPE_CHECKING:
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule


def solved(grammar: Grammar) -> Grammar:
    """Return *grammar* with repetition for rules that are a run of themselves, or use themselves at both ends.

    The language is the same.

    >>> from utf8_abnf.grammar import Grammar
    >>> from utf8_abnf.grammar.syntax import show
    >>> show(solved(Grammar.parse('t = "a" / t t'))["t"].definition)
    '( "a" ) *( 1( "a" ) )'
    """
    return replace(grammar, rules=Rules(tuple(map(_solved, grammar.rules.values()))))


def _solved(rule: Rule) -> Rule:
    """Return *rule* as A* C B*, or as a run of these: A stands before the rule's own name, B after, C without it."""
    own = rule.name.lower()
    before, after, rest, runs = [], [], [], set()
    for each in rule.alternatives:
        items = each.items if isinstance(each, Concatenation) else (each,)
        uses = [isinstance(item, Ref) and item.name.lower() == own for item in items]
        if sum(uses) != sum(name.lower() == own for name in references(each)):
            return rule  # it is used within a group or an option
        match uses:
            case [True]:
                continue  # a rule that is itself adds nothing
            case _ if all(uses):
                runs.add(len(uses) - 1)  # of t t t, two are added to the one that there was
            case [*others, True] if not any(others):
                before.append(_sequence(items[:-1]))
            case [True, *others] if not any(others):
                after.append(_sequence(items[1:]))
            case _ if any(uses):
                return rule
            case _:
                rest.append(each)
    if not rest or not (runs or (before and after)):
        return rule
    parts = [*_any_number(before), _choice(rest), *_any_number(after)]
    once = _sequence(tuple(parts))
    if not runs:
        return replace(rule, definition=once)
    group = once if isinstance(once, Group) else Group(once)
    more = _any_number([Repetition(each, each, group) for each in sorted(runs)])
    return replace(rule, definition=Concatenation((group, *more)))


def _sequence(items: tuple[Node, ...]) -> Node:
    return Concatenation(items) if len(items) > 1 else items[0]


def _choice(items: list[Node]) -> Node:
    return Group(Alternation(tuple(items)) if len(items) > 1 else items[0])


def _any_number(items: list[Node]) -> list[Node]:
    return [Repetition(0, None, _choice(items))] if items else []
