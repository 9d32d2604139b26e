"""Grade a grammar against a reference: points, with the reason for every point lost.

A grammar that accepts exactly the reference's bytes has all the points, however it is written. From any other, each
mistake (``utf8_abnf.play.mistakes`` says what one mistake is) takes what the rubric says. Without a rubric that is
100 / N points, where N is the number of mistakes of the starter that the students were given: who hands in the starter
has 0 points. The starter of lesson 3 has six. Two mistakes have names of their own: to describe one character of a
reference that is a sequence of characters, and to begin with another rule than the one with the fewest mistakes. A
grammar that accepts none of the reference's inputs, the empty one aside, has 0 points, and so has one that cannot be
read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.forms import characters, difference_forms, forms
from utf8_abnf.errors import GrammarError, NotRegularError, UsageError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.model import references
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.play.handed_in import of_code_points, other_notation
from utf8_abnf.play.mistakes import Mistake, Mistakes, mistakes
from utf8_abnf.play.rubric import FULL, ONE_CHARACTER, OTHER_START, STARTER_MISTAKES, Charge, Rubric
from utf8_abnf.play.solving import solved
from utf8_abnf.validator.functions import first_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.automaton import Automaton

MAX_MISTAKES = 50  # of a starter
MAX_RULES = 20  # that are tried as the start of a wrong grammar
BY_MISTAKES = Rubric(FULL, FULL / STARTER_MISTAKES)


@dataclass(frozen=True, slots=True)
class Grade:
    """The points of the grammar *file*, and why.

    *problem* says why a grammar could not be graded (0 points). *shortest* is the shortest input on which the two
    differ, None where they are equal; *accepts_it* is whether the submission accepts it. *mistakes* ends where there
    are no points left to lose. *one_character*: the submission describes one character, which is one mistake more.
    *right_rule*: this rule would be right, but the grammar begins at another; this is then its only mistake.
    *better_start*: all is said of this rule, which has fewer mistakes than the one at which the grammar begins.
    *some_right*: it accepts some input of the reference. *charges* are what the mistakes cost. *extra* and *missing*
    are the differences as ABNF. *note* says how the file was read, if not as ASCII or UTF-8.
    """

    file: str
    points: float
    problem: str = ""
    shortest: bytes | None = None
    accepts_it: bool = False
    one_character: bool = False
    right_rule: str = ""
    better_start: str = ""
    some_right: bool = True
    mistakes: tuple[Mistake, ...] = ()
    charges: tuple[Charge, ...] = ()
    extra: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    note: str = ""

    @property
    def verdict(self) -> str:
        """``equal``, ``different`` or ``unreadable``."""
        return "unreadable" if self.problem else "equal" if self.shortest is None else "different"


def grade(
    text: str,
    reference: Grammar,
    *,
    file: str = "<grammar>",
    start: str | None = None,
    rubric: Rubric = BY_MISTAKES,
) -> Grade:
    """Return the grade of the grammar *text* against *reference*; a grammar with errors gets 0 points.

    The submission starts at the rule *start*; by default at the rule at which the reference starts, or at its first.
    *rubric* says what a mistake costs.

    >>> text = Grammar.load("utf8").text.replace("%xED %x80-9F", "%xED UTF8-tail")
    >>> result = grade(text, Grammar.load("utf8"))
    >>> result.points, result.mistakes[0].word.hex(" "), result.extra
    (83.3, 'ed a0 80', ('%xED %xA0-BF UTF8-tail',))
    """
    yours = compiled(reference)
    try:
        grammar = Grammar.parse(text, file=file, values="bytes" if reference.values == "bytes" else "auto")
        rule = start or (reference.start if reference.start in grammar.rules else grammar.start)
        grammar, mine = _solved(grammar, grammar[rule].name)
    except GrammarError as error:
        return Grade(file, 0.0, problem=_problem(text, start, reference, error))
    shortest = mine.equivalent(yours)
    if shortest is None:
        return Grade(file, rubric.full)
    others = {} if start else dict(_other_starts(grammar, rule))
    right = next((name for name, other in others.items() if other.equivalent(yours) is None), "")
    if right:
        charges = rubric.charges([], [OTHER_START])
        told = Grade(file, rubric.points(charges), shortest=shortest, accepts_it=mine.accepts(shortest))
        return replace(told, right_rule=right, charges=charges)
    return _wrong(mine, others, yours, rubric, file)


def count_mistakes(starter: Grammar, reference: Grammar) -> int:
    """Return the number of mistakes of *starter*; ``UsageError`` where it has none, ``GrammarError`` as compiling has.

    >>> count_mistakes(Grammar.parse("x = *( UTF8-char )" + Grammar.load("utf8").text.partition(")")[2].replace(
    ...     "%xC2", "%xC0")), Grammar.load("utf8"))
    1
    """
    found = mistakes(compile_grammar(starter), compiled(reference), MAX_MISTAKES).found
    if not found:
        raise UsageError(f"{starter.file} is equal to the reference: a starter has to have mistakes")
    return len(found)


@lru_cache(maxsize=4)
def compiled(reference: Grammar) -> Automaton:
    """Return the automaton of *reference*; the same one for the same grammar."""
    return compile_grammar(reference)


@lru_cache(maxsize=1)
def _utf8() -> Automaton:
    return compile_grammar(Grammar.load("utf8"))


def _problem(text: str, start: str | None, reference: Grammar, error: GrammarError) -> str:
    """Return why the grammar *text*, in which *error* was found, has no points."""
    notation = other_notation(text)
    if notation:
        return f"{notation}; {error}"
    grammar = of_code_points(text, start) if reference.values == "bytes" else None
    if grammar is None:
        return str(error)
    told = say(messages.GRADE_CODE_POINTS, value=f"{grammar.greatest_value(start):X}")
    try:
        right = compile_grammar(grammar, start).equivalent(compiled(reference)) is None
    except GrammarError:
        right = False
    return f"{told}; {say(messages.GRADE_CODE_POINTS_RIGHT)}" if right else told


def _solved(grammar: Grammar, start: str) -> tuple[Grammar, Automaton]:
    """Return the automaton of *grammar*, and the grammar; an equal one where the compiler refuses the first."""
    try:
        return grammar, compile_grammar(grammar, start)
    except NotRegularError as error:
        other = solved(grammar)
        try:
            return other, compile_grammar(other, start)
        except NotRegularError:
            raise error from None


def _named(mistake: Mistake) -> Mistake:
    error = first_error(mistake.word) if mistake.extra else None
    return replace(mistake, name=error.code) if error else mistake


def _other_starts(grammar: Grammar, start: str) -> Iterator[tuple[str, Automaton]]:
    """Yield the rules at which *grammar* might begin, those that no rule uses first; ``MAX_RULES`` of them at most."""
    used = {name.lower() for rule in grammar.rules.values() for name in references(rule.definition)}
    names = sorted(
        (name for name in grammar.rules if name.lower() != start.lower()), key=lambda each: each.lower() in used
    )
    for name in names[:MAX_RULES]:
        try:
            yield name, compile_grammar(grammar, name)
        except GrammarError:
            continue


class _Judged(NamedTuple):
    """What is wrong when a grammar begins at *start*, "" for where it does begin, and what remains of the points."""

    start: str
    one_character: bool
    found: Mistakes
    charges: tuple[Charge, ...]
    points: float


def _judged(start: str, mine: Automaton, yours: Automaton, rubric: Rubric) -> _Judged:
    characters_of_yours = characters(yours)
    one_character = characters_of_yours is not None and characters(mine) is None and bool(forms(mine))
    against = characters_of_yours if one_character and characters_of_yours else yours
    kinds = [OTHER_START] * bool(start) + [ONE_CHARACTER] * one_character
    found = mistakes(mine, against, rubric.most - len(kinds))
    if yours.equivalent(_utf8()) is None:
        found = found._replace(found=tuple(map(_named, found.found)))
    charges = rubric.charges(found.found, kinds)
    return _Judged(start, one_character, found, charges, rubric.points(charges) if found.some_right else 0.0)


def _wrong(mine: Automaton, others: dict[str, Automaton], yours: Automaton, rubric: Rubric, file: str) -> Grade:
    """Return the grade of a grammar in which no rule is right: from the rule at which it has the most points."""
    judged = _judged("", mine, yours, rubric)
    for name, other in others.items():
        if judged.points < rubric.points(rubric.charges([], [OTHER_START])):
            judged = max(judged, _judged(name, other, yours, rubric), key=lambda each: each.points)
    mine = others.get(judged.start, mine)
    shortest = mine.equivalent(yours)
    assert shortest is not None
    extra, missing = difference_forms(mine, yours) or ((), ())
    return Grade(
        file,
        judged.points,
        shortest=shortest,
        accepts_it=mine.accepts(shortest),
        one_character=judged.one_character,
        better_start=judged.start,
        some_right=judged.found.some_right or rubric.points(judged.charges) == 0,
        mistakes=judged.found.found,
        charges=judged.charges,
        extra=tuple(map(str, extra)),
        missing=tuple(map(str, missing)),
    )
