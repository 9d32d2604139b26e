"""Grade a grammar against a reference: from 0 to 100 points, with the reason for every point lost.

The rubric, in full. A grammar that accepts exactly the reference's bytes has 100 points, however it is written. Any
other grammar is compared length by length: of the words of a length that at least one of the two accepts, the share
that both accept. The points are 100 times the mean of these shares, at most 99. Words are counted by *byte classes*:
bytes that neither grammar ever distinguishes are one letter, so the few surrogates weigh as much as other mistakes
do. Where both grammars are of the form ``*( character )``, words are single characters; a submission that describes
one character of such a reference, without the repetition, is compared in the same way and loses ten points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from utf8_abnf.automaton import compile_grammar, difference
from utf8_abnf.automaton.forms import characters, forms
from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.automaton.forms import Form

FULL = 100.0
MAX_IF_WRONG = 99.0  # for a grammar that is not equal to the reference
ONE_CHARACTER = 10.0  # points off for describing one character where a sequence of them was asked for
MAX_CHARACTER = 12  # bytes of a character that are compared
MAX_WORD = 6  # bytes of a word that are compared, where the language does not consist of characters


@dataclass(frozen=True, slots=True)
class Credit:
    """The credit for one *length*, in bytes: *either* words are accepted by at least one grammar, *both* by both.

    Words are counted by byte classes. *extra* and *missing* are the differences of this length as ABNF.
    """

    length: int
    both: int
    either: int
    extra: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of the points for this length, from 0 to 1."""
        return self.both / self.either


@dataclass(frozen=True, slots=True)
class Grade:
    """The points of the grammar *file*, from 0 to 100, and why.

    *problem* says why a grammar could not be graded (0 points). *shortest* is the shortest input on which the two
    differ, None where they are equal; *accepts_it* is whether the submission accepts it. *one_character*: the
    submission lost points because it describes one character. *credits* has an entry for each length.
    """

    file: str
    points: float
    problem: str = ""
    shortest: bytes | None = None
    accepts_it: bool = False
    one_character: bool = False
    credits: tuple[Credit, ...] = ()

    @property
    def verdict(self) -> str:
        """``equal``, ``different`` or ``unreadable``."""
        return "unreadable" if self.problem else "equal" if self.shortest is None else "different"


def grade(text: str, reference: Grammar, *, file: str = "<grammar>", start: str | None = None) -> Grade:
    """Return the grade of the grammar *text* against *reference*; a grammar with errors gets 0 points.

    The submission starts at the rule *start*; by default at the rule at which the reference starts, or at its first.

    >>> text = Grammar.load("utf8").text.replace("%xED %x80-9F", "%xED UTF8-tail")
    >>> result = grade(text, Grammar.load("utf8"))
    >>> result.points, result.shortest.hex(" "), result.credits[2].extra
    (96.4, 'ed a0 80', ('%xED %xA0-BF UTF8-tail',))
    """
    try:
        grammar = Grammar.parse(text, file=file)
        rule = start or (reference.start if reference.start in grammar.rules else grammar.start)
        mine = compile_grammar(grammar, grammar[rule].name)
    except GrammarError as error:
        return Grade(file, 0.0, problem=str(error))
    return _compared(mine, _compiled(reference), file)


@lru_cache(maxsize=4)
def _compiled(reference: Grammar) -> Automaton:
    return compile_grammar(reference)


def _compared(mine: Automaton, yours: Automaton, file: str) -> Grade:
    shortest = mine.equivalent(yours)
    if shortest is None:
        return Grade(file, FULL)
    left, right = characters(mine), characters(yours)
    one_character = right is not None and left is None and bool(forms(mine))
    if one_character:
        left = mine
    if left is None or right is None:
        rows = tuple(_rows(mine, yours, MAX_WORD))
    else:
        # A character that the other grammar accepts as several characters is not a difference of the languages.
        extra = forms(difference(left, right if one_character else yours))
        rows = tuple(_rows(left, right, MAX_CHARACTER, extra, forms(difference(right, mine))))
    share = sum(row.share for row in rows) / len(rows) if rows else 0.0
    points = min(MAX_IF_WRONG, FULL * share) - (ONE_CHARACTER if one_character else 0.0)
    return Grade(file, max(0.0, round(points, 1)), "", shortest, mine.accepts(shortest), one_character, rows)


def _rows(
    mine: Automaton,
    yours: Automaton,
    longest: int,
    extra: tuple[Form, ...] | None = (),
    missing: tuple[Form, ...] | None = (),
) -> Iterator[Credit]:
    """Yield the credit for each length, from 0, of which either accepts a word, with the forms of that length."""
    columns = sorted({(mine.classes[byte], yours.classes[byte]) for byte in range(256)})
    ways = {(mine.start, yours.start): 1}  # how many words of class letters lead to each pair of states
    for length in range(longest + 1):
        verdicts = [(a in mine.accepting, b in yours.accepting, count) for (a, b), count in ways.items()]
        either = sum(count for a, b, count in verdicts if a or b)
        if either:
            both = sum(count for a, b, count in verdicts if a and b)
            shown = [tuple(str(form) for form in each or () if len(form.ranges) == length) for each in (extra, missing)]
            yield Credit(length, both, either, *shown)
        ahead: dict[tuple[int, int], int] = {}
        for (a, b), count in ways.items():
            for left, right in columns:
                target = mine.table[a][left], yours.table[b][right]
                if not (target[0] in mine.dead and target[1] in yours.dead):
                    ahead[target] = ahead.get(target, 0) + count
        ways = ahead
