"""What a task asks of a grammar beside its language: a grammar in, a sentence for each requirement not met out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import GrammarError, UsageError
from utf8_abnf.grammar.ambiguity import ambiguity
from utf8_abnf.grammar.model import walk
from utf8_abnf.grammar.syntax import Concatenation, Range, Ref, Series, Text
from utf8_abnf.language import feedback as messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.teaching.grading.mistakes import shown_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.grammar import Grammar

UNAMBIGUOUS, RIGHT_LINEAR, MAX_RULES = "unambiguous", "right-linear", "max-rules="


class Requirements(NamedTuple):
    """A grammar has to have the *forms* named, at most *max_rules* rules, and none of the core rules *forbidden*."""

    forms: frozenset[str] = frozenset()
    max_rules: int | None = None
    forbidden: tuple[str, ...] = ()


def requirements(wanted: Iterable[str], forbidden: Iterable[str]) -> Requirements:
    """Return what ``--require`` and ``--forbid`` say; ``UsageError`` for what is not known.

    >>> requirements(["max-rules=8"], ["DIGIT"])
    Requirements(forms=frozenset(), max_rules=8, forbidden=('DIGIT',))
    """
    forms = {each for each in wanted if not each.startswith(MAX_RULES)}
    most = [each.removeprefix(MAX_RULES) for each in wanted if each.startswith(MAX_RULES)]
    if forms - {UNAMBIGUOUS, RIGHT_LINEAR} or not all(re.fullmatch("[0-9]{1,9}", each) for each in most):
        known = f"{UNAMBIGUOUS}, {RIGHT_LINEAR} or {MAX_RULES}N"
        raise UsageError(f"--require takes {known}, not {', '.join(sorted(wanted))}")
    return Requirements(frozenset(forms), min(map(int, most), default=None), tuple(forbidden))


def unmet(grammar: Grammar, start: str, wanted: Requirements) -> Iterator[str]:
    """Yield a sentence for each of *wanted* that *grammar* does not meet, from its rule *start* on."""
    own = [rule for rule in grammar.reachable(start) if not rule.core]
    used = {name.name.lower() for rule in own for name in walk(rule.definition) if isinstance(name, Ref)}
    for name in wanted.forbidden:
        if name.lower() in used and grammar[name].core:  # a student's own rule may have the name
            yield say(messages.FORBIDDEN, rule=name)
    if wanted.max_rules is not None and len(own) > wanted.max_rules:
        yield say(messages.MANY_RULES, number=len(own), most=wanted.max_rules)
    if RIGHT_LINEAR in wanted.forms:
        for rule in own:
            if not all(_right_linear(each) for each in rule.alternatives):
                yield say(messages.NOT_RIGHT_LINEAR, rule=rule.name)
                break
    if UNAMBIGUOUS in wanted.forms:
        try:
            found = ambiguity(grammar, start)
        except GrammarError:
            yield say(messages.NOT_DECIDED)
        else:
            if found:
                yield say(messages.AMBIGUOUS, word=shown_word(found.word))


def _right_linear(alternative: object) -> bool:
    items = alternative.items if isinstance(alternative, Concatenation) else (alternative,)
    values = items[:-1] if isinstance(items[-1], Ref) else items
    return all(isinstance(each, Range | Series | Text) for each in values)
