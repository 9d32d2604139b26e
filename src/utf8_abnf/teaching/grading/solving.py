"""Rules that use themselves in the middle of a grammar that is regular all the same: a grammar in, its automaton out.

``t = c / t t`` derives one or more ``c``, ``t = c / t t t`` an odd number of them, ``t = c / t x t`` a list with ``x``
between, and ``t = a t / t b / c`` any number of ``a``, a ``c`` and any number of ``b``. ``t = [ c *t ]`` derives no
more when ``t`` is within itself three times than two times, and so never more. The compiler refuses such rules, because
it looks only at where a rule uses itself. Students write them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.recursion import components
from utf8_abnf.errors import GrammarError, NotRegularError
from utf8_abnf.grammar.model import Rules, references
from utf8_abnf.grammar.syntax import Alternation, Concatenation, Group, Ref, Repetition

if TYPE_CHECKING:
    from utf8_abnf.automaton import Automaton
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule

MAX_DEPTH = 3  # to which rules that are within themselves are looked at


def compile_solved(grammar: Grammar, start: str) -> tuple[Grammar, Automaton]:
    """Return the automaton of *grammar*, and the grammar; an equal one where the compiler refuses the first.

    Raises what compiling raises: ``NotRegularError`` where no equal grammar is found.

    >>> from utf8_abnf.grammar import Grammar
    >>> compile_solved(Grammar.parse('t = *( "a" / t )'), "t")[1].accepts(b"aaaa")
    True
    """
    try:
        return grammar, compile_grammar(grammar, start)
    except NotRegularError as error:
        other = _with_depth(solved(grammar))
        if other is None:
            raise error from None
        return other, compile_grammar(other, start)


def _with_depth(grammar: Grammar) -> Grammar | None:
    """Return *grammar* with a depth at which its rules derive all that they derive at any depth, None if none is seen.

    A rule that is within itself more often than the depth derives the empty string there, or nothing. Where one level
    more makes no difference to any of the rules, no number of levels does, because each is made from the one before.
    """
    names = [name for name, kind in components(grammar).items() if not (kind.right or kind.left)]
    deeper = [replace(grammar, depth=depth) for depth in range(MAX_DEPTH + 1)] if names else []
    try:
        for less, more in pairwise(deeper):
            if all(compile_grammar(less, name).equivalent(compile_grammar(more, name)) is None for name in names):
                return less
    except GrammarError:  # too large, or a rule that nothing uses is not complete
        return None
    return None if names else grammar


def solved(grammar: Grammar) -> Grammar:
    """Return *grammar* with repetition for rules that are a run or list of themselves, or use themselves at both ends.

    The language is the same.

    >>> from utf8_abnf.grammar import Grammar
    >>> from utf8_abnf.grammar.syntax import show
    >>> show(solved(Grammar.parse('t = "a" / t t'))["t"].definition)
    '( "a" ) *( 1( "a" ) )'
    """
    return replace(grammar, rules=Rules(tuple(map(_solved, grammar.rules.values()))))


def _solved(rule: Rule) -> Rule:
    """Return *rule* as A* C B*, or as a run of these: A stands before the rule's own name, B after, C without it.

    Between those of a list, there are separators.
    """
    own = rule.name.lower()
    before, after, rest, runs, separators = [], [], [], set(), []
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
            case [True, *others, True] if not any(others):
                separators.append(items[1:-1])
            case _ if any(uses):
                return rule
            case _:
                rest.append(each)
    if not rest or not (runs or separators or (before and after)) or (separators and runs - {1}):
        return rule
    parts = [*_any_number(before), _choice(rest), *_any_number(after)]
    once = _sequence(tuple(parts))
    if not (runs or separators):
        return replace(rule, definition=once)
    group = once if isinstance(once, Group) else Group(once)
    added: list[Node] = [Repetition(each, each, group) for each in sorted(runs)]
    added += [Concatenation((*each, group)) for each in separators]
    return replace(rule, definition=Concatenation((group, *_any_number(added))))


def _sequence(items: tuple[Node, ...]) -> Node:
    return Concatenation(items) if len(items) > 1 else items[0]


def _choice(items: list[Node]) -> Node:
    return Group(Alternation(tuple(items)) if len(items) > 1 else items[0])


def _any_number(items: list[Node]) -> list[Node]:
    return [Repetition(0, None, _choice(items))] if items else []
