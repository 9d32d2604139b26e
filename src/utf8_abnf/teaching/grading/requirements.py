"""What a task asks of a grammar beside its language: a grammar in, a sentence for each requirement not met out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.errors import GrammarError, UsageError
from utf8_abnf.grammar.ambiguity import ambiguity
from utf8_abnf.grammar.model import walk
from utf8_abnf.grammar.syntax import Concatenation, Range, Ref, Series, Text
from utf8_abnf.language import feedback as messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.teaching.grading.reasons import shown_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.grammar import Grammar

UNAMBIGUOUS, RIGHT_LINEAR, MAX_RULES = "unambiguous", "right-linear", "max-rules="


@dataclass(frozen=True, slots=True)
class Requirements:
    """A grammar has to be *unambiguous*, *right_linear*, of at most *max_rules*, and without rules of *forbidden*."""

    unambiguous: bool = False
    right_linear: bool = False
    max_rules: int | None = None
    forbidden: tuple[str, ...] = ()


def requirements(wanted: Iterable[str], forbidden: Iterable[str]) -> Requirements:
    """Return what ``--require`` and ``--forbid`` say; ``UsageError`` for what is not known.

    >>> requirements(["max-rules=8"], ["DIGIT"])
    Requirements(unambiguous=False, right_linear=False, max_rules=8, forbidden=('DIGIT',))
    """
    wanted = set(wanted)
    numbers = [each.removeprefix(MAX_RULES) for each in wanted if each.startswith(MAX_RULES)]
    unknown = {each for each in wanted if not each.startswith(MAX_RULES)} - {UNAMBIGUOUS, RIGHT_LINEAR}
    if unknown or len(numbers) > 1 or not all(each.isdecimal() and each.isascii() for each in numbers):
        raise UsageError(
            f"--require takes {UNAMBIGUOUS}, {RIGHT_LINEAR} or {MAX_RULES}N, not {', '.join(sorted(wanted))}"
        )
    most = int(numbers[0]) if numbers else None
    return Requirements(UNAMBIGUOUS in wanted, RIGHT_LINEAR in wanted, most, tuple(forbidden))


def unmet(grammar: Grammar, start: str, wanted: Requirements) -> Iterator[str]:
    """Yield a sentence for each of *wanted* that *grammar* does not meet, from its rule *start* on."""
    rules = grammar.reachable(start)
    own = [rule for rule in rules if not rule.core]
    used = {name.name.lower() for rule in own for name in walk(rule.definition) if isinstance(name, Ref)}
    for name in wanted.forbidden:
        if name.lower() in used and grammar[name].core:  # a student's own rule may have the name
            yield say(messages.FORBIDDEN, rule=name)
    if wanted.max_rules is not None and len(own) > wanted.max_rules:
        yield say(messages.MANY_RULES, number=len(own), most=wanted.max_rules)
    if wanted.right_linear:
        for rule in own:
            if not all(_right_linear(each) for each in rule.alternatives):
                yield say(messages.NOT_RIGHT_LINEAR, rule=rule.name)
                break
    if wanted.unambiguous:
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
