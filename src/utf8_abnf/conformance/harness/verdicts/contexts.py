"""Contexts: a word is asked beside other characters, and out come the conditions on these that its answers suggest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.verdicts.cutting import characters
from utf8_abnf.conformance.harness.verdicts.places import (
    AFTER,
    ANYWHERE,
    BEFORE,
    DIRECTLY,
    MAX_CHARACTER,
    OUTERMOST,
    Neighbour,
    Place,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Ask = Callable[[Iterable[Place]], list[bool | None]]

MAX_CONTEXT = 16  # bytes of several characters that are looked at as one,
MAX_REPEATED = 80  # or characters, if all are the same
MAX_CONTEXTS = 2  # of those on each side
MAX_RUN = 1 << 16  # characters


def neighbours(ask: Ask, place: Place, known: Sequence[bytes], filler: bytes) -> Iterator[Neighbour]:
    """Ask with each of the characters *known* before and after the word at *place*, directly and at a distance.

    Yield the conditions that these answers suggest.
    """
    (before, after), space = place, 3 * filler
    forms: tuple[tuple[str, Callable[[bytes], Place]], ...] = (
        (AFTER, lambda each: Place(before + each, after)),
        (AFTER, lambda each: Place(each + space + before, after)),
        (BEFORE, lambda each: Place(before, each + after)),
        (BEFORE, lambda each: Place(before, after + space + each)),
    )
    answers = iter(ask(form(each) for _, form in forms for each in known))
    for side, _ in forms:
        verdicts = {each: next(answers) for each in known}
        chosen = frozenset(each for each, is_wrong in verdicts.items() if is_wrong)
        others = frozenset(each for each, is_wrong in verdicts.items() if is_wrong is False)
        if chosen and others:
            for how in (DIRECTLY, ANYWHERE, OUTERMOST):
                yield Neighbour.of(side, chosen, known, how)
                yield Neighbour.of(side, others, known, how, negated=True)


def contexts(ask: Ask, side: str, texts: Iterable[bytes], known: Sequence[bytes], filler: bytes) -> Iterator[Neighbour]:
    """Ask with the shortest of *texts*, several characters on one *side*, whole and cut, directly and apart.

    Yield the conditions that these answers suggest, also those on how often one of the characters *known* stands there.
    """
    plain = set(filler)
    short = (text for text in texts if len(text) <= MAX_REPEATED * MAX_CHARACTER and not plain.issuperset(text))
    several = {text: characters(text) for text in short}
    long = [text for text, parts in several.items() if len(parts) > 1 and _is_looked_at(text, parts)]
    space = 3 * filler
    for text in sorted(long, key=lambda text: (len(text), text))[:MAX_CONTEXTS]:
        parts = several[text]
        forms = [text, text + space, space + text, space + text + space, b"".join(parts[1:]), b"".join(parts[:-1])]
        pairs = [(form, other) for form in forms for other in (b"", filler)]
        ask(Place(*pair) if side == AFTER else Place(*pair[::-1]) for pair in pairs)
        for how in (DIRECTLY, ANYWHERE, OUTERMOST) if len(text) <= MAX_CONTEXT else ():
            yield Neighbour(side, frozenset([text]), how)
        for each in dict.fromkeys(parts):
            yield from _numbers(ask, side, each, known, len(parts))


def _is_looked_at(text: bytes, parts: Sequence[bytes]) -> bool:
    return len(text) <= MAX_CONTEXT or (len(parts) <= MAX_REPEATED and len(set(parts)) == 1)


def _numbers(ask: Ask, side: str, chosen: bytes, known: Sequence[bytes], most: int) -> Iterator[Neighbour]:
    """Ask how often *chosen*, or another of the characters *known*, has to stand on one *side*, up to *most* times.

    It is also asked whether it may stand there more often.
    """
    answers = ask(_repeated(side, chosen, count) for count in range(most + 2))
    known = list(dict.fromkeys((*known, chosen)))
    for is_wrong in (True, False):
        pairs = ((answers[count], answers[count - 1]) for count in range(2, most + 2))
        if times := next((count for count, pair in enumerate(pairs, 2) if pair == (is_wrong, not is_wrong)), 0):
            yield from _alike(ask, side, times, known, is_wrong=is_wrong)


def runs(ask: Ask, place: Place, known: Sequence[bytes]) -> Iterator[Neighbour]:
    """Ask which of the characters *known* may stand in place of those at *place*, the shortest where a word is wrong.

    Yield the conditions that these answers suggest: so many of them have to stand there.
    """
    for side, text, other in ((AFTER, place.before, place.after), (BEFORE, place.after, place.before)):
        times = len(characters(text))
        if 1 < times <= MAX_RUN:
            yield from _alike(ask, side, times, known, other)
            yield from _alike(ask, side, times + 1, known, other, is_wrong=False)


def _alike(
    ask: Ask, side: str, times: int, known: Sequence[bytes], other: bytes = b"", *, is_wrong: bool = True
) -> Iterator[Neighbour]:
    """Yield the conditions that one of some characters stands on one *side* so many *times*.

    With these *is_wrong* says how the word is judged, and with one less it is judged in the other way.
    """
    enough, fewer = (ask(_repeated(side, each, count, other) for each in known) for count in (times, times - 1))
    pairs = zip(known, enough, fewer, strict=True)
    alike = frozenset(each for each, one, two in pairs if (one, two) == (is_wrong, not is_wrong))
    for how in (ANYWHERE, DIRECTLY, OUTERMOST) if alike else ():
        for negated in (False, True):
            yield Neighbour.of(side, alike, known, how, negated=negated, times=times)


def _repeated(side: str, text: bytes, count: int, other: bytes = b"") -> Place:
    return Place(text * count, other) if side == AFTER else Place(other, text * count)
