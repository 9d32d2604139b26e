"""Classes of wrong answers in the modes p, r, s and i: for each kind of error, or one where all have a cause in common.

Wrong offsets, texts and streams are counted for each kind of error that may be to blame. Where the wrong answers about
several kinds share something that could be their cause, an empty piece say, or an offset that is one too large, they
are one class.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from math import gcd
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.answers.following import NOTHING, Question, question
from utf8_abnf.conformance.harness.answers.shared import (
    MIN_BOUND,
    MODULO,
    NUMBERED,
    NUMBERS,
    PLACES,
    SIGNS,
    anywhere,
    begins_with_one_of,
    has_sign,
    is_at_least,
    is_in_lane,
    signs_beside,
)
from utf8_abnf.conformance.harness.driving.protocol import UNREADABLE
from utf8_abnf.conformance.harness.formats.phrases import hexed
from utf8_abnf.conformance.harness.replacing import RULES
from utf8_abnf.conformance.harness.verdicts.blame import (
    WELL_FORMED,
)
from utf8_abnf.conformance.naming.patterns import ranges_of
from utf8_abnf.language.notation import abnf_range
from utf8_abnf.validator.ill_formed import CODES, OVERLONG, SURROGATE, TRUNCATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.conformance.harness.answers.judging import WrongAnswer
    from utf8_abnf.conformance.harness.answers.shared import Holds

EVERY_CODE = frozenset(CODES)
ANY_ERROR, ANY_INPUT = "any error", "any input"
MAX_LISTED = 2  # kinds of errors that a class is named for, so that its line fits on a screen
MIN_ALIKE = 4  # wrong answers about one kind of error that have the same sign or first byte, before that is told
MIN_PERIOD, MIN_OFFSETS = 8, 4  # bytes between equal offsets in blocks, and how many such offsets are seen at least
LEADS = {OVERLONG: 4, SURROGATE: 1, WELL_FORMED: 0}  # first bytes that there are, where they are few or none is one
MAX_LEADS = 4  # first bytes of errors that a class is named for
MAX_QUESTIONS = 20  # of a kind that are asked, and some more, to see whether the class tells of nothing else


AFTER_RESETS = ("after a second reset", "after a reset")  # what stands in the words for a wrong answer, most first


def _faults(wrong: WrongAnswer) -> frozenset[str]:
    """Return what is wrong with an answer, exactly and roughly; each of these is the same for equal faults."""
    error = wrong.case.error
    if wrong.mode in "si":
        exact = re.sub(r"\d+", "", wrong.why.partition(": ")[2])
        resets = AFTER_RESETS[next((at for at, each in enumerate(AFTER_RESETS) if exact.startswith(each)), 2) :]
        return frozenset([exact, *(resets or [exact.partition(", but")[0]])])
    if wrong.answer == UNREADABLE or not error:
        return frozenset([wrong.why.partition(": ")[0]])
    if wrong.mode == "p" and isinstance(wrong.answer, tuple):
        by, more = wrong.answer[0] - error.start, wrong.answer[1] - error.length
        rough = "the length" if by == 0 else "too far" if by > 0 else "too near"
        return frozenset([f"{by} {more}", rough])
    rough = "refused" if not isinstance(wrong.answer, str) else "replaced"
    return frozenset([*filter(None, [_rule(wrong)]), rough])


def _rule(wrong: WrongAnswer) -> str:
    """Return the rule of every policy that a text breaks, "" if it breaks none."""
    return next(filter(wrong.why.startswith, RULES), "")


def _rank(wrong: WrongAnswer) -> tuple[int, int]:
    """Return a key that is least for the best example: lost text, other broken rules, none; then the shortest."""
    return [*RULES, ""].index(_rule(wrong)), len(wrong.case.data)


@dataclass(slots=True)
class WrongAnswers:
    """Wrong answers of one kind about some kinds of errors: how many, the best example, and what all share.

    *signs* are the ASCII signs that stand before what is to blame in all of them, or next behind its first byte, and
    *leads* the first bytes of that; where it may be one of several errors, *one_of* has their first bytes. Of its
    offsets *first* has some, and *period* is the greatest common divisor of the distances between them. *questions*
    tell whether the first answers, and some later ones, follow from verdicts.
    """

    shortest: WrongAnswer
    count: int = 0
    places: list[str] = field(default_factory=lambda: list(PLACES))
    least: dict[str, int] = field(default_factory=dict)
    faults: frozenset[str] = frozenset()
    signs: frozenset[tuple[str, int]] = frozenset()
    leads: set[int] = field(default_factory=set)
    one_of: set[frozenset[int]] = field(default_factory=set)
    first: set[int] = field(default_factory=set)
    period: int = 0
    questions: set[Question] = field(default_factory=set)

    def add(self, answer: WrongAnswer) -> None:
        """Count *answer*; keep it if it is a better example than those before it."""
        data, blame = answer.case.data, answer.blame
        self.places = [name for name in self.places if PLACES[name](answer)]
        for name, (bound, number) in NUMBERS.items():
            if self.least.get(name, bound) >= bound:
                self.least[name] = min(number(answer), self.least.get(name, len(data)))
        faults = _faults(answer)
        self.faults = self.faults & faults if self.count else faults
        if self.signs or not self.count:
            signs = signs_beside(data, blame.start)
            self.signs = self.signs & signs if self.count else signs
        if answer.mode in "pr" and (leads := blame.leads(data)):
            is_clear = blame.length(data) == blame.end - blame.start
            (self.leads.update if is_clear else self.one_of.add)(leads)
        if len(self.first) < MIN_OFFSETS:
            self.first.add(blame.start)
        self.period = gcd(self.period, blame.start - min(self.first))
        self.count += 1
        is_sample = self.count <= MAX_QUESTIONS or self.count.bit_count() == 1
        if is_sample and NOTHING not in self.questions:
            self.questions.add(question(answer))
        self.shortest = min(self.shortest, answer, key=_rank)

    def all_begin_with(self, leads: set[int]) -> bool:
        """Tell whether what is to blame begins with one of *leads* in all of them."""
        return self.leads <= leads and not any(leads.isdisjoint(each) for each in self.one_of)

    def take(self, other: WrongAnswers) -> None:
        """Count the wrong answers of *other* as well, for which the same kind of error may be to blame."""
        self.places = [name for name in self.places if name in other.places]
        self.least = {name: min(self.least[name], other.least[name]) for name in self.least}
        self.faults &= other.faults
        self.signs &= other.signs
        self.leads |= other.leads
        self.one_of |= other.one_of
        self.first, self.period = _joined_offsets([self, other])
        self.count += other.count
        self.questions |= other.questions
        self.shortest = min(self.shortest, other.shortest, key=_rank)


def _joined_offsets(several: list[WrongAnswers]) -> tuple[set[int], int]:
    """Return some of the offsets of *several*, and the greatest common divisor of all distances between them."""
    first = set[int]().union(*(each.first for each in several))
    distances = [*(each.period for each in several), *(offset - min(first) for offset in first)]
    return first, gcd(*distances)


class Shared(NamedTuple):
    """What wrong answers share, in words, the kinds of errors for which that is so, and what tells it of an answer."""

    where: str
    codes: list[str]
    holds: Holds = anywhere


class AnswerClass(NamedTuple):
    """A class of wrong answers: *line* names the kinds of errors, *where* says where alone they are, "" if anywhere.

    *examples* has the shortest wrong answer about each of these kinds. *questions* tell whether they follow from
    wrong verdicts. *codes* are the kinds of errors. *holds* tells
    of an answer whether it is about a place of *where*; *shared* has all that the wrong answers have in common.
    """

    kind: str
    line: str
    where: str
    examples: tuple[WrongAnswer, ...]
    cases: int
    questions: frozenset[Question] = frozenset()
    codes: tuple[str, ...] = ()
    holds: Holds = anywhere
    shared: tuple[Shared, ...] = ()

    @property
    def shortest(self) -> WrongAnswer:
        """The first of the shortest examples that break the worst rule."""
        return min(self.examples, key=_rank)

    @property
    def why(self) -> str:
        """What is wrong with the shortest answer, and which other rules examples break, the shortest of each named."""
        others = {_rule(each): each for each in sorted(self.examples, key=_rank, reverse=True)}
        told = [f"{hexed(each.case.data)}: {rule}" for rule, each in others.items() if rule not in self.shortest.why]
        return "; ".join([self.shortest.why, *reversed(told)])

    @property
    def is_numbered(self) -> bool:
        """Whether *where* has the least number that was seen, or a period: neither need be that of the decoder."""
        return self.where.startswith(NUMBERED)

    def tells_of(self, answer: WrongAnswer) -> bool:
        """Whether an answer about the same bytes would be wrong, if all that the class tells of are."""
        return set(answer.blame.codes) <= set(self.codes) and self.holds(answer)


def answer_classes(wrong: dict[tuple[str, tuple[str, ...]], WrongAnswers]) -> Iterator[AnswerClass]:
    """Yield the classes of *wrong*, whose keys are a kind of deviation and the kinds of errors that may be to blame."""
    for kind in dict.fromkeys(kind for kind, _ in wrong):
        left = _by_code({codes: answers for (each, codes), answers in wrong.items() if each == kind})
        while left:
            where, joined, holds = _common(left)
            shared = _shared_by_all({code: left[code] for code in joined})
            several = [left.pop(code) for code in joined]
            examples = tuple(each.shortest for each in several)
            questions = frozenset[Question]().union(*(each.questions for each in several))
            count = sum(each.count for each in several)
            codes = tuple(joined)
            yield AnswerClass(kind, line_of(joined), where, examples, count, questions, codes, holds, shared)


def joined_by_place(classes: Iterable[AnswerClass]) -> list[AnswerClass]:
    """Return *classes*, those of one kind as one class if it is known that they are wrong at the same places."""
    found: dict[object, AnswerClass] = {}
    for number, each in enumerate(classes):
        is_known = each.codes and each.where.startswith("only ")
        key = (each.kind, each.where) if is_known else number
        if other := found.get(key):
            codes = tuple(dict.fromkeys((*other.codes, *each.codes)))
            examples, cases = (*other.examples, *each.examples), other.cases + each.cases
            found[key] = other._replace(line=line_of(list(codes)), codes=codes, examples=examples, cases=cases)
        else:
            found[key] = each
    return list(found.values())


def _by_code(left: dict[tuple[str, ...], WrongAnswers]) -> dict[str, WrongAnswers]:
    """Return the wrong answers for each kind of error: where several may be to blame, the one that mostly is."""
    found = {codes[0]: answers for codes, answers in left.items() if len(codes) == 1}
    for codes, answers in sorted(left.items(), key=lambda pair: len(pair[0])):
        if len(codes) > 1:
            known = [code for code in codes if code in found]
            if known:
                found[max(known, key=lambda code: found[code].count)].take(answers)
            else:
                found[codes[-1] if codes[0] == WELL_FORMED else codes[0]] = answers
    return found


def _common(left: dict[str, WrongAnswers]) -> Shared:
    """Return what the wrong answers about most kinds of errors share: those of one kind, at least.

    A fault that is the same wherever it is needs no place, but then every kind of error has to have it. Cut ends may be
    right.
    """
    choices = [*_by_number(left), *_by_text(left)]
    errors = [code for code in CODES if code in left]
    if all(answers.shortest.mode in "si" for answers in left.values()):  # where a cut is to blame, and no kind of error
        faults = frozenset[str]().union(*(answers.faults for answers in left.values()))
        choices += _by_reset(left)
        for fault in sorted(faults.difference(AFTER_RESETS)):
            choices.append(Shared("", [code for code in left if fault in left[code].faults]))
    if {*errors, TRUNCATED} >= EVERY_CODE and frozenset.intersection(*(left[code].faults for code in errors)):
        choices.append(Shared("", errors))
    found = max(choices, key=lambda choice: len(choice.codes), default=Shared("", []))
    if len(found.codes) > 1:
        return found
    (code, answers), *_ = left.items()
    alone = {code: answers}
    has_leads = 0 < len(answers.leads) <= min(MAX_LEADS, LEADS.get(code, len(SIGNS)) - 1)
    told = [*_by_reset(alone), *_by_number(alone)]
    if answers.count >= MIN_ALIKE:
        told += [*_by_sign(alone), *(_by_lead(alone) if has_leads else ()), *_by_number(alone, small=True)]
    return next((each for each in told if each.codes), Shared("", [code]))


def _shared_by_all(alike: dict[str, WrongAnswers]) -> tuple[Shared, ...]:
    """Return all that the wrong answers of *alike* share, if they are not so few that it may be by chance."""
    if sum(answers.count for answers in alike.values()) < MIN_ALIKE:
        return ()
    found = (*_by_reset(alike), *_by_number(alike), *_by_text(alike))
    return tuple({each.where: each for each in found if len(each.codes) == len(alike)}.values())


def _by_reset(left: dict[str, WrongAnswers]) -> Iterator[Shared]:
    """Yield after which resets of a stream all answers are wrong."""
    for words in AFTER_RESETS:
        yield Shared(f"only {words}", [code for code in left if words in left[code].faults])


def _by_number(left: dict[str, WrongAnswers], *, small: bool = False) -> Iterator[Shared]:
    """Yield what numbers have in common, large or *small* ones."""
    first, period = _joined_offsets(list(left.values()))
    if period >= MIN_PERIOD and len(first) >= MIN_OFFSETS and not small:
        rest = min(first) % period
        yield Shared(MODULO.format(rest, period), list(left), partial(is_in_lane, rest, period))
    for name, (bound, number) in NUMBERS.items():
        bounds = {code: answers.least[name] for code, answers in left.items() if answers.least[name] >= bound}
        if bounds and ((least := min(bounds.values())) < MIN_BOUND) is small:
            yield Shared(
                f"only {name.format(least)}",
                list(bounds),
                partial(is_at_least, number, least),
            )


def _by_text(left: dict[str, WrongAnswers]) -> Iterator[Shared]:
    """Yield what stands around the errors or begins them."""
    first, *others = PLACES
    yield from _by_places(left, [first])  # beside U+FFFD all errors may begin alike, by chance
    yield from _by_sign(left)
    yield from _by_number(left, small=True)
    yield from _by_lead(left)
    yield from _by_places(left, others)


def _by_places(left: dict[str, WrongAnswers], names: list[str]) -> Iterator[Shared]:
    for name in names:
        yield Shared(f"only {name}", [code for code in left if name in left[code].places], PLACES[name])


def _by_sign(left: dict[str, WrongAnswers]) -> Iterator[Shared]:
    for sign in sorted(frozenset[tuple[str, int]]().union(*(answers.signs for answers in left.values()))):
        side, byte = sign
        yield Shared(
            f"only {side} {abnf_range(byte, byte)}",
            [code for code, answers in left.items() if sign in answers.signs],
            partial(has_sign, sign),
        )


def _by_lead(left: dict[str, WrongAnswers]) -> Iterator[Shared]:
    for answers in left.values():
        if 0 < len(answers.leads) <= MAX_LEADS and answers.all_begin_with(answers.leads):
            shown = " / ".join(abnf_range(*pair) for pair in ranges_of(answers.leads))
            yield Shared(
                f"only where it begins with {shown}",
                [code for code in left if left[code].all_begin_with(answers.leads) and code != WELL_FORMED],
                partial(begins_with_one_of, answers.leads),
            )


def line_of(codes: list[str]) -> str:
    """Return in words which kinds of errors *codes* are, or of input where well-formed text is among them."""
    well_formed = WELL_FORMED in codes
    if set(codes) >= EVERY_CODE:
        return ANY_INPUT if well_formed else ANY_ERROR
    return " / ".join(codes) if len(codes) <= MAX_LISTED else f"several kinds of {'input' if well_formed else 'errors'}"
