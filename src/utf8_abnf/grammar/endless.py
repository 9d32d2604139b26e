"""Rules that derive no sentence, because each way through them uses them again: a grammar in, their names out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.grammar.model import references
from utf8_abnf.grammar.syntax import Alternation, Concatenation, Group, Ref, Repetition

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Node


def endless_rules(grammar: Grammar) -> list[str]:
    r"""Return the rules that derive nothing, in the order of the text. Undefined rules and prose count as something.

    >>> from utf8_abnf.grammar import Grammar
    >>> endless_rules(Grammar.parse('a = "x" a\nb = [ a ] "y"'))
    ['a']
    """
    users: dict[str, list[str]] = {}
    for name, rule in grammar.rules.items():
        for used in references(rule.definition):
            users.setdefault(used.lower(), []).append(name)
    left, todo = {rule.name.lower() for rule in grammar.rules.values()}, list(grammar.rules)
    while todo:
        rule = grammar[todo.pop()]
        if rule.name.lower() in left and _ends(rule.definition, left):
            left.remove(rule.name.lower())
            todo += users.get(rule.name.lower(), [])
    return [rule.name for rule in grammar.rules.values() if rule.name.lower() in left]


def _ends(node: Node, left: AbstractSet[str]) -> bool:
    match node:
        case Ref(name=name):
            return name.lower() not in left
        case Group(item=item):
            return _ends(item, left)
        case Repetition(low=low, item=item):
            return low == 0 or _ends(item, left)
        case Concatenation(items=items):
            return all(_ends(item, left) for item in items)
        case Alternation(items=items):
            return any(_ends(item, left) for item in items)
    return True
