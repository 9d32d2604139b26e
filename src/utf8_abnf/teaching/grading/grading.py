"""Grade a grammar against a reference: points, with the reason for every point lost.

A grammar that accepts exactly the reference's bytes has all the points, however it is written. From any other, each
mistake (``mistakes`` says what one mistake is) takes what the rubric says. Without a rubric that is
100 / N points, where N is the number of mistakes of the starter that the students were given: who hands in the starter
has 0 points. The starter of lesson 3 has six. Two mistakes have names of their own: to describe one character of a
reference that is a sequence of characters, or some sequences only, and to begin with another rule than the one with the
fewest mistakes. A grammar that accepts none of the reference's inputs, the empty one aside, has 0 points, and so has
one that cannot be read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.forms import characters, difference_forms, forms
from utf8_abnf.automaton.recursion import components
from utf8_abnf.errors import GrammarError, TooLargeError, UsageError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.analysis import endless_rules
from utf8_abnf.grammar.model import Rules, references, walk
from utf8_abnf.grammar.syntax import Alternation, Group, Ref, Repetition, Rule, show
from utf8_abnf.language import feedback as messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.teaching.grading.mistakes import NOTHING, Mistake, Mistakes, mistakes
from utf8_abnf.teaching.grading.problems import problem_of, start_rule
from utf8_abnf.teaching.grading.requirements import Requirements, unmet
from utf8_abnf.teaching.grading.rubric import (
    FULL,
    ONE_CHARACTER,
    OTHER_START,
    REQUIREMENT,
    STARTER_MISTAKES,
    SYNTAX,
    Charge,
    Rubric,
)
from utf8_abnf.teaching.grading.slips import mended
from utf8_abnf.teaching.grading.solving import compile_solved
from utf8_abnf.validator.functions import first_error

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from utf8_abnf.automaton import Automaton

NOT_ASCII = "é".encode()
MAX_MISTAKES = 50  # of a starter
MAX_RULES = 20  # that are tried as the start of a wrong grammar
BY_MISTAKES = Rubric(FULL, FULL / STARTER_MISTAKES)
NOTHING_ELSE = Requirements()


@dataclass(frozen=True, slots=True)
class Grade:
    """The points of the grammar *file*, and why.

    *problem* says why a grammar could not be graded (0 points). *shortest* is the shortest input on which the two
    differ, None where they are equal; *accepts_it* is whether the submission accepts it. *mistakes* ends where there
    are no points left to lose. *one_character*: the submission describes one character, which is one mistake more.
    *right_rule*: this rule would be right, but the grammar begins at another; this is then its only mistake.
    *better_start*: all is said of this rule, which has fewer mistakes than the one at which the grammar begins; what is
    wrong with that one is *first_rule*. *sequence*: that one uses this rule or group, and makes of its characters some
    texts and not others; this is one mistake. *endless*: the grammar derives nothing, because this rule never ends.
    *some_right*: it accepts some input of the reference. *charges* are what the mistakes cost. *extra* and *missing*
    are the differences as ABNF. *note* says how the file was read, if not as ASCII or UTF-8. *slips* of syntax were put
    right, and *unmet* is what else the task asks for. *person*: no points, because a person has to look at this.
    """

    file: str
    points: float
    problem: str = ""
    shortest: bytes | None = None
    accepts_it: bool = False
    one_character: bool = False
    right_rule: str = ""
    better_start: str = ""
    first_rule: Mistake | None = None
    sequence: bool = False
    endless: str = ""
    some_right: bool = True
    mistakes: tuple[Mistake, ...] = ()
    charges: tuple[Charge, ...] = ()
    extra: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    note: str = ""
    slips: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    person: bool = False

    @property
    def verdict(self) -> str:
        """``equal``, ``different``, ``unreadable``, or ``undecided`` where a person has to look."""
        if self.person:
            return "undecided"
        if self.problem:
            return "unreadable"
        return "different" if self.shortest is not None or self.slips or self.unmet else "equal"


def grade(
    text: str,
    reference: Grammar,
    *,
    file: str = "<grammar>",
    rubric: Rubric = BY_MISTAKES,
    wanted: Requirements = NOTHING_ELSE,
) -> Grade:
    """Return the grade of the grammar *text* against *reference*; a grammar with errors gets 0 points.

    The submission starts at the rule at which the reference starts, or at its first. *rubric* says what a mistake
    costs, and *wanted* what else is asked for.

    >>> text = Grammar.load("utf8").text.replace("%xED %x80-9F", "%xED UTF8-tail")
    >>> result = grade(text, Grammar.load("utf8"))
    >>> result.points, result.mistakes[0].word.hex(" "), result.extra
    (83.3, 'ed a0 80', ('%xED %xA0-BF UTF8-tail',))
    """
    yours = compiled(reference)
    text, slips = mended(text)
    try:
        written = Grammar.parse(text, file=file, values="bytes" if reference.values == "bytes" else "auto")
        rule = start_rule(written, reference)
        grammar, mine = compile_solved(written, rule)
    except GrammarError as error:
        why, person = problem_of(text, reference, yours, error)
        return Grade(file, 0.0, problem=why, person=person, slips=slips)
    found = _compared(grammar, rule, mine, reference, rubric, file)
    missed = tuple(unmet(written, rule, wanted))
    more = rubric.charges([], [SYNTAX] * bool(slips) + [REQUIREMENT] * len(missed))
    points = rubric.points((*found.charges, *more)) if found.points else 0.0
    person = say(messages.NOT_DECIDED) in missed
    return replace(found, points=points, charges=(*found.charges, *more), slips=slips, unmet=missed, person=person)


def _compared(grammar: Grammar, rule: str, mine: Automaton, reference: Grammar, rubric: Rubric, file: str) -> Grade:
    yours = compiled(reference)
    shortest = mine.equivalent(yours)
    if shortest is None:
        return Grade(file, rubric.full)
    endless = _endless(grammar) if mine.first_not_in(NOTHING) is None else ""
    groups = _groups(grammar, rule) if characters(yours) else {}
    grammar = replace(grammar, rules=Rules((*grammar.rules.values(), *groups.values())))
    others = dict(_other_starts(grammar, rule, groups))
    right = next((name for name, other in others.items() if other.equivalent(yours) is None), "")
    if right:
        charges = rubric.charges([], [OTHER_START])
        told = Grade(file, rubric.points(charges), shortest=shortest, accepts_it=mine.accepts(shortest))
        return replace(told, right_rule=right, charges=charges)
    used = {*(each.name for each in grammar.reachable(rule)), *groups}
    parts = {name for name in others if name in used and _some_sequences(mine, grammar, name)}
    others = {name: other for name, other in others.items() if name in parts or name not in used}
    return replace(_wrong(mine, others, parts, yours, rubric, file), endless=endless)


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


def _named(mistake: Mistake) -> Mistake:
    error = first_error(mistake.word) if mistake.extra else None
    return replace(mistake, name=error.code) if error else mistake


def _other_starts(grammar: Grammar, start: str, groups: Collection[str]) -> Iterator[tuple[str, Automaton]]:
    """Yield the rules at which *grammar* might begin, those that no rule uses first; ``MAX_RULES`` of them at most.

    Among them are those of *groups* that may describe a character: a group of which texts are made is no start.
    """
    used = {name.lower() for rule in grammar.rules.values() for name in references(rule.definition)}
    names = sorted(
        (name for name in grammar.rules if name.lower() != start.lower()), key=lambda each: each.lower() in used
    )
    for name in names[:MAX_RULES]:
        try:
            automaton = compile_grammar(grammar, name)
        except GrammarError:
            continue
        if name not in groups or not characters(automaton):
            yield name, automaton


def _endless(grammar: Grammar) -> str:
    """Return the first rule of *grammar* that never ends because it uses itself, "" if there is none."""
    return next((name for name in endless_rules(grammar) if name.lower() in components(grammar)), "")


def _groups(grammar: Grammar, start: str) -> dict[str, Rule]:
    """Return a rule for each group in the rule *start*, and for the choice of all rules that it uses.

    The name is the text of the group. ``text = *a / *b`` has no group, and ``( a / b )`` describes its characters.
    """
    definition = grammar[start].definition
    found = [node for node in walk(definition) if isinstance(node, Group)]
    used = dict.fromkeys(node for node in walk(definition) if isinstance(node, Ref))
    if len(used) > 1:
        found.append(Group(Alternation(tuple(used))))
    return {show(node): Rule(show(node), node) for node in found[:MAX_RULES]}


def _some_sequences(mine: Automaton, grammar: Grammar, name: str) -> bool:
    """Return whether *mine* accepts some sequences of what the rule *name* of *grammar* describes, and nothing else."""
    many = Rule("*", Repetition(0, None, Ref(name)))  # a name that no grammar has
    longer = replace(grammar, rules=Rules((*grammar.rules.values(), many)))
    try:
        all_sequences = compile_grammar(longer, many.name)
    except TooLargeError:
        return False
    return mine.first_not_in(all_sequences) is None and all_sequences.first_not_in(mine) is not None


class _Judged(NamedTuple):
    """What is wrong when a grammar begins at *start*, "" for where it does begin, and what remains of the points."""

    start: str
    sequence: bool
    one_character: bool
    found: Mistakes
    charges: tuple[Charge, ...]
    points: float


def _judged(start: str, mine: Automaton, yours: Automaton, rubric: Rubric, *, part: bool = False) -> _Judged:
    characters_of_yours = characters(yours)
    one_character = characters_of_yours is not None and characters(mine) is None and bool(forms(mine))
    against = characters_of_yours if one_character and characters_of_yours else yours
    sequence = part and one_character
    kinds = [OTHER_START] * (bool(start) and not sequence) + [ONE_CHARACTER] * one_character
    found = mistakes(mine, against, rubric.most - len(kinds))
    if yours.accepts(NOT_ASCII) and yours.first_not_in(_utf8()) is None:  # UTF-8, or a part of it
        found = found._replace(found=tuple(map(_named, found.found)))
    charges = rubric.charges(found.found, kinds)
    return _Judged(start, sequence, one_character, found, charges, rubric.points(charges) if found.some_right else 0.0)


def _wrong(
    mine: Automaton, others: dict[str, Automaton], parts: set[str], yours: Automaton, rubric: Rubric, file: str
) -> Grade:
    """Return the grade of a grammar in which no rule is right: from the rule at which it has the most points.

    The first rule makes its texts of *parts*, each for itself.
    """
    judged = _judged("", mine, yours, rubric)
    for name, other in others.items():
        if len(judged.charges) > 1 or not judged.points:  # another start is a mistake itself, or the wrong sequence is
            judged = max(judged, _judged(name, other, yours, rubric, part=name in parts), key=lambda each: each.points)
    first_rule = mistakes(mine, yours, 1).found[0] if judged.start else None
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
        first_rule=first_rule,
        sequence=judged.sequence,
        some_right=judged.found.some_right or rubric.points(judged.charges) == 0,
        mistakes=judged.found.found,
        charges=judged.charges,
        extra=tuple(map(str, extra)),
        missing=tuple(map(str, missing)),
    )
