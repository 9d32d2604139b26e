"""Grade a grammar against a reference: from 0 to 100 points, with the reason for every point lost.

The rubric, in full. A grammar that accepts exactly the reference's bytes has 100 points, however it is written. From
any other, each mistake (``utf8_abnf.play.mistakes`` says what one mistake is) takes 100 / N points, where N is the
number of mistakes of the starter that the students were given: who hands in the starter has 0 points. The starter of
lesson 3 has six. Two mistakes have names of their own: to describe one character of a reference that is a sequence
of characters, and to have the right rule but begin with another. A grammar that accepts none of the reference's
inputs, the empty one aside, has 0 points, and so has one that cannot be read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.forms import characters, difference_forms, forms
from utf8_abnf.errors import GrammarError, UsageError
from utf8_abnf.grammar import Grammar
from utf8_abnf.play.mistakes import Mistake, mistakes
from utf8_abnf.validator.functions import first_error

if TYPE_CHECKING:
    from utf8_abnf.automaton import Automaton

FULL = 100.0
STARTER_MISTAKES = 6  # of the grammar that lesson 3 begins with, against UTF-8
MAX_MISTAKES = 50  # of a starter
MAX_RULES = 20  # that are tried as the start of a wrong grammar


@dataclass(frozen=True, slots=True)
class Grade:
    """The points of the grammar *file*, from 0 to 100, and why.

    *problem* says why a grammar could not be graded (0 points). *shortest* is the shortest input on which the two
    differ, None where they are equal; *accepts_it* is whether the submission accepts it. *mistakes* ends where there
    are no points left to lose. *one_character*: the submission describes one character, which is one mistake more.
    *right_rule*: this rule would be right, but the grammar begins at another; this is then its only mistake.
    *some_right*: it accepts some input of the reference. *extra* and *missing* are the differences as ABNF.
    """

    file: str
    points: float
    problem: str = ""
    shortest: bytes | None = None
    accepts_it: bool = False
    one_character: bool = False
    right_rule: str = ""
    some_right: bool = True
    mistakes: tuple[Mistake, ...] = ()
    extra: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

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
    starter_mistakes: int = STARTER_MISTAKES,
) -> Grade:
    """Return the grade of the grammar *text* against *reference*; a grammar with errors gets 0 points.

    The submission starts at the rule *start*; by default at the rule at which the reference starts, or at its first.
    Each mistake takes 100 / *starter_mistakes* points; ``count_mistakes`` counts those of another starter.

    >>> text = Grammar.load("utf8").text.replace("%xED %x80-9F", "%xED UTF8-tail")
    >>> result = grade(text, Grammar.load("utf8"))
    >>> result.points, result.mistakes[0].word.hex(" "), result.extra
    (83.3, 'ed a0 80', ('%xED %xA0-BF UTF8-tail',))
    """
    try:
        grammar = Grammar.parse(text, file=file, values="bytes")
        rule = start or (reference.start if reference.start in grammar.rules else grammar.start)
        mine = compile_grammar(grammar, grammar[rule].name)
    except GrammarError as error:
        return Grade(file, 0.0, problem=str(error))
    yours = _compiled(reference)
    shortest = mine.equivalent(yours)
    if shortest is None:
        return Grade(file, FULL)
    right_rule = "" if start else _right_rule(grammar, rule, yours)
    if right_rule:
        points = _points(1, starter_mistakes)
        return Grade(file, points, shortest=shortest, accepts_it=mine.accepts(shortest), right_rule=right_rule)
    return _compared(mine, yours, file, shortest, starter_mistakes)


def count_mistakes(starter: Grammar, reference: Grammar) -> int:
    """Return the number of mistakes of *starter*; ``UsageError`` where it has none, ``GrammarError`` as compiling has.

    >>> count_mistakes(Grammar.parse("x = *( UTF8-char )" + Grammar.load("utf8").text.partition(")")[2].replace(
    ...     "%xC2", "%xC0")), Grammar.load("utf8"))
    1
    """
    found = mistakes(compile_grammar(starter), _compiled(reference), MAX_MISTAKES).found
    if not found:
        raise UsageError(f"{starter.file} is equal to the reference: a starter has to have mistakes")
    return len(found)


@lru_cache(maxsize=4)
def _compiled(reference: Grammar) -> Automaton:
    return compile_grammar(reference)


@lru_cache(maxsize=1)
def _utf8() -> Automaton:
    return compile_grammar(Grammar.load("utf8"))


def _named(mistake: Mistake) -> Mistake:
    error = first_error(mistake.word) if mistake.extra else None
    return replace(mistake, name=error.code) if error else mistake


def _points(number: int, starter_mistakes: int) -> float:
    return max(0.0, round(FULL * (1 - number / starter_mistakes), 1))


def _right_rule(grammar: Grammar, start: str, yours: Automaton) -> str:
    """Return a rule of the first ``MAX_RULES`` that accepts exactly what the reference does; "" if there is none."""
    for name in list(grammar.rules)[:MAX_RULES]:
        try:
            if name.lower() != start.lower() and compile_grammar(grammar, name).equivalent(yours) is None:
                return name
        except GrammarError:
            continue
    return ""


def _compared(mine: Automaton, yours: Automaton, file: str, shortest: bytes, starter_mistakes: int) -> Grade:
    characters_of_yours = characters(yours)
    one_character = characters_of_yours is not None and characters(mine) is None and bool(forms(mine))
    against = characters_of_yours if one_character and characters_of_yours else yours
    found, some_right = mistakes(mine, against, starter_mistakes - one_character)
    points = _points(len(found) + one_character, starter_mistakes) if some_right else 0.0
    extra, missing = difference_forms(mine, yours) or ((), ())
    return Grade(
        file,
        points,
        shortest=shortest,
        accepts_it=mine.accepts(shortest),
        one_character=one_character,
        some_right=some_right or len(found) + one_character >= starter_mistakes,
        mistakes=tuple(map(_named, found)) if yours.equivalent(_utf8()) is None else found,
        extra=tuple(map(str, extra)),
        missing=tuple(map(str, missing)),
    )
