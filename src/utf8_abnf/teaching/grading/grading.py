"""Grade a grammar against a reference: points, with the reason for every point lost.

A grammar that accepts exactly the reference's bytes has all the points, however it is written. From any other, each
mistake (``mistakes`` says what one mistake is) takes what the rubric says. Without a rubric that is
100 / N points, where N is the number of mistakes of the starter that the students were given: who hands in the starter
has 0 points. The starter of lesson 3 has six. Some mistakes are of the whole grammar: to describe one character of a
reference that is a sequence of characters, or some sequences only; to begin with another rule than the one with the
fewest mistakes; slips of syntax; and what else the task asks for. A grammar that accepts none of the reference's
inputs, the empty one aside, has 0 points, and so has one that cannot be read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.forms import characters, difference_forms, forms
from utf8_abnf.errors import GrammarError, NotRegularError, TooLargeError, UsageError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.analysis import components, endless_rules
from utf8_abnf.grammar.model import references, walk
from utf8_abnf.grammar.syntax import Alternation, Group, Ref, Repetition, Rule, show
from utf8_abnf.language import feedback as messages
from utf8_abnf.language.catalogue import count, described, say
from utf8_abnf.teaching.grading.mistakes import NOTHING, Mistake, mistakes
from utf8_abnf.teaching.grading.requirements import Requirements, unmet
from utf8_abnf.teaching.grading.rubric import (
    FULL,
    ONE_CHARACTER,
    OTHER_START,
    REQUIREMENT,
    STARTER_MISTAKES,
    SYNTAX,
    Rubric,
)
from utf8_abnf.teaching.grading.slips import mended
from utf8_abnf.validator.functions import first_error

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from utf8_abnf.automaton import Automaton

NOT_ASCII = "é".encode()
MAX_MISTAKES = 50  # of a starter
MAX_RULES = 20  # that are tried as the start of a wrong grammar
MAX_SLIPS = 5  # that are told
MAX_SHOWN = 400  # characters of an error, which may quote a name of any length
BY_MISTAKES = Rubric(FULL, FULL / STARTER_MISTAKES)
NOTHING_ELSE = Requirements()


@dataclass(frozen=True, slots=True)
class Grade:
    """The points of the grammar *file*, and why.

    *problem* says why a grammar could not be graded (0 points), and *person* is whether a person has to look at it.
    *shortest* is the shortest input on which the two differ, None where they are equal; *accepts_it* is whether the
    submission accepts it. *mistakes* ends where there are no points left to lose. *some_right*: the grammar accepts
    some input of the reference. *extra* and *missing* are the differences as ABNF. *notes* say how the file was read.
    """

    file: str
    points: float
    problem: str = ""
    person: bool = False
    shortest: bytes | None = None
    accepts_it: bool = False
    mistakes: tuple[Mistake, ...] = ()
    some_right: bool = True
    extra: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """``equal``, ``different``, ``unreadable``, or ``undecided`` where a person has to look."""
        if self.person:
            return "undecided"
        if self.problem:
            return "unreadable"
        return "different" if self.shortest is not None or self.mistakes else "equal"


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
        grammar = Grammar.parse(text, file=file, values="bytes" if reference.values == "bytes" else "auto")
        rule = grammar[reference.start if reference.start.lower() in grammar.rules else grammar.start].name
        mine = compile_grammar(grammar, rule)
    except GrammarError as error:
        why = described(error)
        if len(why) > MAX_SHOWN:
            why = f"{why[: MAX_SHOWN // 2]} … {why[-MAX_SHOWN // 4 :]}"
        person = isinstance(error, NotRegularError | TooLargeError)
        return Grade(file, 0.0, problem=f"{why}; {say(messages.PERSON)}" if person else why, person=person)
    found = Grade(file, rubric.full) if mine.equivalent(yours) is None else _wrong(grammar, rule, mine, yours, rubric)
    missed = tuple(unmet(grammar, rule, wanted))
    forms = [_of_form(SYNTAX, (count(messages.SLIPS, len(slips)), *slips[:MAX_SLIPS]))] if slips else []
    every = (*forms, *(_of_form(REQUIREMENT, (each,)) for each in missed), *found.mistakes)
    points = rubric.points(every) if found.some_right else 0.0
    return replace(found, file=file, points=points, mistakes=every, person=say(messages.NOT_DECIDED) in missed)


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


def _of_form(kind: str, said: tuple[str, ...], first: Mistake | None = None) -> Mistake:
    return Mistake(b"", extra=False, offset=0, name=kind, said=said, first=first)


class _Judged(NamedTuple):
    """A grammar that begins at *start*, "" for where it does begin: its *automaton*, its mistakes, and its points."""

    start: str
    automaton: Automaton
    mistakes: tuple[Mistake, ...]
    some_right: bool
    points: float


def _wrong(grammar: Grammar, rule: str, mine: Automaton, yours: Automaton, rubric: Rubric) -> Grade:
    """Return the grade of a grammar that is not equal to the reference: from the rule at which it has most points.

    To begin at another rule is one mistake. A rule that the first one uses is tried where the first one makes some
    texts of its characters and not others, which is one mistake as well.
    """
    ends = mine.first_not_in(NOTHING) is not None
    endless = "" if ends else next((n for n in endless_rules(grammar) if n.lower() in components(grammar)), "")
    groups = _groups(grammar, rule) if characters(yours) else {}
    grammar = replace(grammar, rules={**grammar.rules, **{name.lower(): group for name, group in groups.items()}})
    used = {*(each.name for each in grammar.reachable(rule)), *groups}
    first = mistakes(mine, yours, 1).found[0]
    best = _judged("", mine, yours, rubric, [])
    for name, other in _other_starts(grammar, rule, groups):
        if other.equivalent(yours) is None:
            right = _of_form(OTHER_START, (say(messages.RIGHT_RULE, rule=name),))
            best = _Judged(name, mine, (right,), some_right=True, points=rubric.points([right]))
            break
        is_part = name in used
        if (len(best.mistakes) < 2 and best.points) or (is_part and not _some_sequences(mine, grammar, name)):
            continue
        one = _is_one_character(other, yours)
        message, kind = (messages.SEQUENCE, ONE_CHARACTER) if is_part and one else (messages.BETTER_START, OTHER_START)
        whole = [_of_form(kind, (say(message, rule=name),), first)]
        best = max(best, _judged(name, other, yours, rubric, whole), key=lambda each: each.points)
    shortest = best.automaton.equivalent(yours)
    assert shortest is not None
    extra, missing = difference_forms(best.automaton, yours) or ((), ())
    told = best.automaton is not mine or best.start == ""  # nothing is wrong with a rule that is right
    return Grade(
        "",
        best.points,
        shortest=shortest,
        accepts_it=best.automaton.accepts(shortest),
        mistakes=best.mistakes,
        some_right=best.some_right or rubric.points(best.mistakes) == 0,
        extra=tuple(map(str, extra)) if told else (),
        missing=tuple(map(str, missing)) if told else (),
        notes=(say(messages.ENDLESS, rule=endless),) if endless else (),
    )


def _judged(start: str, mine: Automaton, yours: Automaton, rubric: Rubric, whole: list[Mistake]) -> _Judged:
    """Return the mistakes of *mine* after those of the *whole* grammar, in which it is the automaton of *start*."""
    one = _is_one_character(mine, yours)
    if one and not (whole and whole[0].name == ONE_CHARACTER):
        whole = [*whole, _of_form(ONE_CHARACTER, (say(messages.ONE_CHARACTER),))]
    found = mistakes(mine, (characters(yours) or yours) if one else yours, rubric.most - len(whole))
    every = found.found
    if yours.accepts(NOT_ASCII) and yours.first_not_in(_utf8()) is None:  # UTF-8, or a part of it
        every = tuple(map(_named, every))
    every = (*whole, *every)
    return _Judged(start, mine, every, found.some_right, rubric.points(every) if found.some_right else 0.0)


def _is_one_character(mine: Automaton, yours: Automaton) -> bool:
    return characters(yours) is not None and characters(mine) is None and bool(forms(mine))


def _named(mistake: Mistake) -> Mistake:
    error = first_error(mistake.word) if mistake.extra else None
    return replace(mistake, name=error.code) if error else mistake


def _other_starts(grammar: Grammar, start: str, groups: Collection[str]) -> Iterator[tuple[str, Automaton]]:
    """Yield the rules at which *grammar* might begin, those that no rule uses first; ``MAX_RULES`` of them at most.

    Among them are those of *groups* that may describe a character: a group of which texts are made is no start.
    """
    used = {name.lower() for rule in grammar.rules.values() for name in references(rule.definition)}
    others = (rule.name for name, rule in grammar.rules.items() if name != start.lower())
    for name in sorted(others, key=lambda each: each.lower() in used)[:MAX_RULES]:
        try:
            automaton = compile_grammar(grammar, name)
        except GrammarError:
            continue
        if name not in groups or not characters(automaton):
            yield name, automaton


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
    longer = replace(grammar, rules={**grammar.rules, many.name: many})
    try:
        all_sequences = compile_grammar(longer, many.name)
    except TooLargeError:
        return False
    return mine.first_not_in(all_sequences) is None and all_sequences.first_not_in(mine) is not None
