"""Rules that derive no sentence, because each way through them uses them again: a grammar in, their names out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.grammar.model import settled
from utf8_abnf.grammar.syntax import Alternation, Concatenation, Group, Ref, Repetition

if TYPE_CHECKING:
    from collections.abc import Mapping

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Node


def endless_rules(grammar: Grammar) -> list[str]:
    r"""Return the rules that derive nothing, in the order of the text. Undefined rules and prose count as something.

    >>> from utf8_abnf.grammar import Grammar
    >>> endless_rules(Grammar.parse('a = "x" a\nb = [ a ] "y"'))
    ['a']
    """
    ends = settled(grammar.rules.values(), _ends, first=False)
    return [rule.name for rule in grammar.rules.values() if not ends[rule.name.lower()]]


def _ends(node: Node, rules: Mapping[str, bool]) -> bool:
    match node:
        case Ref(name=name):
            return rules.get(name.lower(), True)
        case Group(item=item):
            return _ends(item, rules)
        case Repetition(low=low, item=item):
            return low == 0 or _ends(item, rules)
        case Concatenation(items=items):
            return all(_ends(item, rules) for item in items)
        case Alternation(items=items):
            return any(_ends(item, rules) for item in items)
    return True
