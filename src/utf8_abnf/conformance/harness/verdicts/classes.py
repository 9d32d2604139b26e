"""Classes of wrong verdicts: from the causes that were found to the lines of a report."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.standard import promised
from utf8_abnf.conformance.harness.verdicts.boxes import boxes, taken_for_tails
from utf8_abnf.conformance.harness.verdicts.patterns import TAIL, Pattern, merge
from utf8_abnf.conformance.harness.verdicts.places import (
    EVERYWHERE,
    UNKNOWN,
    Conditions,
    Measure,
)
from utf8_abnf.conformance.harness.verdicts.units import CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from utf8_abnf.conformance.harness.verdicts.causes import Cause
    from utf8_abnf.conformance.harness.verdicts.questions import Direction

NOT_EXPLAINED = "<not explained>"
MAX_JOINED = 12  # patterns of a line that are not alike
UNSTEADY = "the example got two answers"
WELL_FORMED_APART = "but for its well-formed words"


class VerdictClass(NamedTuple):
    """A class of wrong verdicts: what *line* describes is accepted wrongly or, if not *accepted*, rejected wrongly.

    *patterns* are its words. *cases* counts the cases that fell into it, *example* is its shortest input, *case* the id
    of a case that showed it. *where* says at which places alone it was seen, "" where it is everywhere, and how many of
    its words were asked if not all were.
    """

    accepted: bool
    line: str
    patterns: tuple[Pattern, ...]
    cases: int
    example: bytes
    case: str
    where: str


def classes_of(causes: Sequence[Cause], direction: Direction) -> list[VerdictClass]:
    """Return *causes* as classes, those with the same conditions joined where their patterns differ in one place only.

    Characters that are cut off are one class, however many bytes of them are left, and so are errors of some kinds, and
    characters that are rejected at the same places.
    A cause that no case needs any more, for a later one explains all of its cases, is not told.
    """
    groups: dict[object, list[Cause]] = {}
    for cause in _said_alike([each for each in causes if each.cases.total()]):
        where = _in_any_order(cause.conditions)
        groups.setdefault((where, cause.any_word, bool(cause.firsts)), []).append(cause)
    found: list[VerdictClass] = []
    for group in groups.values():
        found += _of_any_words(group, direction) if group[0].any_word else _of_words(group, direction)
    return sorted(found, key=lambda each: (len(each.patterns[0].places), each.line, each.where))


def _said_alike(causes: list[Cause]) -> list[Cause]:
    """Return *causes*, the conditions of some characters that are cut off said of the size of the input.

    Those are meant whose offsets differ only because more or fewer bytes of a character are left.
    """
    by_size = [_of_cut_by_size(each) for each in causes]
    alike: dict[object, set[object]] = {}
    for cause, form in zip(causes, by_size, strict=True):
        alike.setdefault(_in_any_order(form), set()).add(_in_any_order(cause.conditions))
    return [
        replace(cause, conditions=form) if len(alike[_in_any_order(form)]) > 1 else cause
        for cause, form in zip(causes, by_size, strict=True)
    ]


def _in_any_order(conditions: Conditions) -> object:
    return frozenset(map(frozenset, conditions.choices))


def _of_cut_by_size(cause: Cause) -> Conditions:
    lengths = {len(pattern.places) for pattern in cause.patterns}
    if len(lengths) != 1 or not all(map(_is_cut, cause.patterns)):
        return cause.conditions
    return cause.conditions.by_size(*lengths)


def _of_words(group: list[Cause], direction: Direction) -> Iterator[VerdictClass]:
    context = group[0].conditions == UNKNOWN
    merged = merge(pattern for cause in group for pattern in cause.patterns)
    if not direction.standard.is_utf8:  # its lines need not begin with one range, as those of UTF-8 do
        merged = _joined(merged)
    cases = sum((cause.cases for cause in group), Counter())
    joins = direction.standard.is_utf8 and not context
    is_one = joins and not direction.accepted and group[0].conditions != EVERYWHERE and len(merged) <= MAX_JOINED
    for patterns in [merged] if is_one else _lines(merged, cases, joins=joins):
        parts = [
            (common, cause)
            for cause in group
            for part in cause.patterns
            for pattern in patterns
            if (common := part.common(pattern)) is not None
        ]
        example, case = _example(parts, direction)
        total = sum(pattern.size for pattern in patterns)
        asked = min(total, int(sum(common.size * cause.asked for common, cause in parts)))
        where = group[0].conditions.phrase if total > 1 or patterns[0].places else ""  # the empty input is always whole
        shown = [replace(pattern, context=context) for pattern in patterns]
        if joins and len(patterns) > 1 and taken_for_tails(patterns[0]) and not group[0].firsts:
            shown = boxes(patterns)
        notes = [
            where,
            WELL_FORMED_APART * bool(group[0].firsts),
            f"{asked:,} of its {total:,} words asked" * (asked < total),
        ]
        line = " / ".join(each.line if direction.standard.is_utf8 else each.text for each in shown)
        yield VerdictClass(
            direction.accepted,
            line,
            tuple(patterns),
            sum(cases.pop(word) for word in _words_in(patterns, cases)),  # a word of two lines counts once
            example,
            case,
            "; ".join(filter(None, notes)),
        )


def _lines(patterns: list[Pattern], cases: Counter[bytes], *, joins: bool) -> list[list[Pattern]]:
    """Return which of *patterns* are one class.

    If it *joins* them, those cut off are, those with the same bytes in the place of tail bytes, and single bytes if
    there are many. One without a case is told with one that has some.
    """
    are_many = sum(len(pattern.places) == 1 for pattern in patterns) > MAX_JOINED
    kinds: dict[object, list[Pattern]] = {}
    for pattern in patterns:
        kind = "alone" if are_many and len(pattern.places) == 1 else _kind(pattern)
        kinds.setdefault(kind if joins else pattern, []).append(pattern)
    lines = list(kinds.values())
    told = [line for line in lines if any(cases[word] for word in _words_in(line, cases))]
    for line in [each for each in lines if each not in told]:
        alike = next((each for each in told if each[0].places[1:] == line[0].places[1:]), None)
        if alike is None:
            told.append(line)
        else:
            alike += line
    return [sorted(line, key=patterns.index) for line in told]


def _words_in(patterns: list[Pattern], words: Iterable[bytes]) -> list[bytes]:
    return [word for word in words if any(word in pattern for pattern in patterns)]


def _joined(patterns: list[Pattern]) -> list[Pattern]:
    """Return *patterns*, those joined that differ in their first bytes only."""
    firsts: dict[tuple[frozenset[int], ...], frozenset[int]] = {}
    for pattern in patterns:
        rest = pattern.places[1:]
        firsts[rest] = firsts.get(rest, frozenset()) | frozenset().union(*pattern.places[:1])
    return [Pattern((first, *rest) if first else rest) for rest, first in firsts.items()]


def _example(parts: list[tuple[Pattern, Cause]], direction: Direction) -> tuple[bytes, str]:
    """Return the shortest input that showed one of *parts*, and the id of a case."""
    inputs = [(cause.place.around(bytes(map(min, part.places))), cause.case) for part, cause in parts]
    inputs += [(cause.place.around(cause.word), cause.case) for part, cause in parts if cause.word in part]
    known = direction.are_wrong([data for data, _ in inputs])  # all but a few were asked before
    wrong = [pair for pair, is_wrong in zip(inputs, known, strict=True) if is_wrong]
    return min(wrong or inputs, key=lambda pair: (len(pair[0]), pair[0]))


def _kind(pattern: Pattern) -> object:
    """Return what is the same for patterns that one cause may have: *pattern* itself where there are no others."""
    return "cut" if _is_cut(pattern) else taken_for_tails(pattern) or pattern


def _is_cut(pattern: Pattern) -> bool:
    """Tell whether each word of *pattern* is the beginning of what its first byte promises."""
    first, *rest = pattern.places or [TAIL]
    return min(map(promised, first)) > len(pattern.places) and all(place <= TAIL for place in rest)


def _of_any_words(group: list[Cause], direction: Direction) -> Iterator[VerdictClass]:
    """Yield the classes of a decoder that looks at the size of the input."""
    for cause in group:
        ((condition, *more), *_) = cause.conditions.choices
        if direction.accepted:
            line = "<ill-formed input>"
        elif more or not isinstance(condition, Measure):
            line = "<some sizes> UTF8-octets"
        else:
            is_count = condition.unit == CHARACTERS
            some = f"<{condition.bound} {condition.unit} or more> UTF8-octets"
            line = f"{condition.bound}*UTF8-char" if is_count else some
        where = cause.conditions.phrase
        example, cases = cause.place.around(cause.word), cause.cases.total()
        yield VerdictClass(direction.accepted, line, (Pattern(()),), cases, example, cause.case, where)


def unexplained_class(direction: Direction, example: bytes, case: str, cases: int, why: str) -> VerdictClass:
    """Return the class of the verdicts for which no cause was found: their number and the shortest input are known.

    *why* says why the search ended, "" if it did not end early.
    """
    return _unexplained(direction.accepted, example, case, cases, why)


def _unexplained(accepted: bool, example: bytes, case: str, cases: int, why: str) -> VerdictClass:
    where = "what these have in common was not found" + f": {why}" * bool(why)
    return VerdictClass(accepted, NOT_EXPLAINED, (Pattern(()),), cases, example, case, where)


def without_unsteady(classes: Iterable[VerdictClass], unsteady: Collection[bytes]) -> list[VerdictClass]:
    """Return *classes* without those whose example is one of *unsteady*, the inputs that got two answers.

    What such a class says of its words was seen once, and need not be so again. Its cases are counted as not explained.
    """
    kept: list[VerdictClass] = []
    doubtful: list[VerdictClass] = []
    for each in classes:
        (doubtful if each.example in unsteady else kept).append(each)
    for accepted in (True, False):
        group = [each for each in (*doubtful, *kept) if each.accepted is accepted and each.cases]
        group = [each for each in group if each in doubtful or each.line == NOT_EXPLAINED]
        if any(each in doubtful for each in group):
            first = min(group, key=lambda each: (len(each.example), each.example))
            kept = [each for each in kept if each not in group]
            kept.append(_unexplained(accepted, first.example, first.case, sum(each.cases for each in group), UNSTEADY))
    return sorted(kept, key=lambda each: (not each.accepted, each.line == NOT_EXPLAINED))
