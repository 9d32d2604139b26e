"""Explaining: from wrong verdicts to the few ABNF lines of what a decoder wrongly accepts or wrongly rejects.

During the run only a count and a few inputs are kept of each kind of wrong verdict. Afterwards the decoder is asked
again. An input that the causes found so far do not explain gives a new cause: ``shrinking`` finds the word that is to
blame, ``probing`` finds the places at which it is judged wrongly, ``widening`` finds the other words like it. So no
cause hides another, and what a class says was asked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.standard import cut_utf8
from utf8_abnf.conformance.harness.verdicts.causes import Cause, Causes
from utf8_abnf.conformance.harness.verdicts.classes import VerdictClass, classes_of, unexplained_class
from utf8_abnf.conformance.harness.verdicts.cutting import characters, ill_formed_pieces
from utf8_abnf.conformance.harness.verdicts.lines import simple_places
from utf8_abnf.conformance.harness.verdicts.patterns import Pattern
from utf8_abnf.conformance.harness.verdicts.places import (
    BEFORE,
    DIRECTLY,
    EVERYWHERE,
    UNKNOWN,
    Conditions,
    Measure,
    Neighbour,
    Place,
)
from utf8_abnf.conformance.harness.verdicts.probing import FAR, Probe
from utf8_abnf.conformance.harness.verdicts.questions import Direction
from utf8_abnf.conformance.harness.verdicts.shrinking import FILLERS, MAX_WORDS, Blamed, blamed, filler_for
from utf8_abnf.conformance.harness.verdicts.size import size_cause
from utf8_abnf.conformance.harness.verdicts.swallowing import Swallowing
from utf8_abnf.conformance.harness.verdicts.widening import MAX_LENGTH, Widening
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.validator.ill_formed import TRUNCATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.conformance.harness.clock import Clock
    from utf8_abnf.conformance.harness.evidence import Bucket, WrongVerdicts
    from utf8_abnf.conformance.harness.standard import Standard
    from utf8_abnf.conformance.harness.verdicts.causes import Explained
    from utf8_abnf.conformance.harness.verdicts.places import Condition
    from utf8_abnf.conformance.harness.verdicts.questions import Questions

MAX_CAUSES = 60
MAX_PROBED = 3  # words of a class whose conditions are unknown: for the others none are looked for
MAX_PLACES = 10  # at which each word of a class is asked
MAX_EXPENSIVE_PLACES = 4  # where each question needs a process
HIGH = range(0x80, 0x100)
EDGES = (HIGH[0], *(high for (_, high), *_ in plan().tracks if high in HIGH), HIGH[-1])
MAX_SWALLOWED = 3  # bytes behind an ill-formed piece that a decoder may take for a part of it


def explain(wrong: WrongVerdicts, ask: Questions, standard: Standard, clock: Clock) -> list[VerdictClass]:
    """Return the classes of *wrong*, what is wrongly accepted first, short words before long ones.

    Explaining ends when *ask* has no more questions; the last class of a direction then counts what is not explained.
    *clock* counts the inputs that are done.
    """
    both = [wrong.buckets(accepted=accepted) for accepted in (True, False)]
    found: dict[bool, list[VerdictClass]] = {}
    for accepted in sorted((True, False), key=lambda accepted: len(both[not accepted])):  # the smaller task first
        found[accepted] = _Explaining(Direction(accepted, ask, standard), clock).classes(both[not accepted])
    return found[True] + found[False]


class _Seen(NamedTuple):
    """An input that was judged wrongly, the id of its case, and the number of cases for which it stands."""

    data: bytes
    case: str
    cases: int


def _seen(buckets: Iterable[Bucket]) -> list[_Seen]:
    """Return the inputs of *buckets*, the shortest first; they share their bucket's count."""
    found = []
    for bucket in buckets:
        share, rest = divmod(bucket.count, len(bucket.words))
        found += [_Seen(data, case, share + (number < rest)) for number, (data, case) in enumerate(bucket.words)]
    return sorted(found, key=lambda each: (len(each.data), each.data))


class _Explaining:
    """Explains what is wrong in one *direction*."""

    def __init__(self, direction: Direction, clock: Clock) -> None:
        self._direction = direction
        self._ask = direction.ask
        self._clock = clock
        self._causes = Causes(accepted=direction.accepted, whole=not direction.standard.is_utf8)
        self._filler = FILLERS[0]
        self._swallowing = Swallowing(direction, self._filler)
        self._everything: list[_Seen] = []  # until it was looked at for what is swallowed
        self._begins_anew = False

    def classes(self, buckets: list[Bucket]) -> list[VerdictClass]:
        """Return the classes of the wrong verdicts in *buckets*."""
        if buckets:
            self._filler = filler_for(self._direction)
            self._swallowing = Swallowing(self._direction, self._filler)
        self._everything = everything = _seen(buckets)
        left = self._not_explained(everything)
        while self._begins_anew:
            left = self._not_explained(everything)
        found = classes_of(self._causes.found, self._direction)
        if left:
            is_full = len(self._causes.found) >= MAX_CAUSES
            why = f"the limit of {MAX_CAUSES} causes was reached" if is_full else self._ask.used_up
            cases = sum(each.cases for each in left)
            found.append(unexplained_class(self._direction, left[0].data, left[0].case, cases, why))
        return found

    def _not_explained(self, everything: list[_Seen]) -> list[_Seen]:
        """Look for the causes of *everything*, and return what was not explained; stop where it has to begin anew."""
        self._begins_anew = False
        done = self._clock.done
        left = []
        doubtful: list[tuple[_Seen, Cause, bytes]] = []  # what has a cause whose conditions are not known
        for seen in everything:
            self._clock.done += 1
            if overdue := self._clock.overdue():
                self._ask.used_up = self._ask.used_up or overdue
            explained = None if overdue else self._causes.explaining(seen.data) or self._new_cause(seen)
            if self._begins_anew:
                self._clock.done = done
                break
            if explained:
                cause, word = explained
                cause.cases[word] += seen.cases
                if cause.conditions == UNKNOWN:
                    doubtful.append((seen, cause, word))
            else:
                left.append(seen)
        for seen, doubted, word in doubtful:
            if (explained := self._causes.explaining(seen.data)) is not None and doubted.cases[word]:
                doubted.cases[word] -= seen.cases
                explained[0].cases[explained[1]] += seen.cases
        return left

    def _swallowed(self, seen: _Seen) -> Explained | None:
        """Return what is swallowed in *seen*; begin anew if causes were found that may have said the same.

        The first time the other short inputs are looked at as well: what is swallowed in them explains a part of many.
        """
        found = self._causes.found
        number = len(found)
        for each in (seen, *(other for other in self._everything if len(other.data) <= MAX_LENGTH)):
            while (cause := self._swallowing.cause(each.data, each.case, self._causes)) is not None:
                if (placed := self._placed(cause)) is None:
                    break
                found.append(placed)
        self._everything = []
        if len(found) == number:
            return None
        kept = [each for each in found if each.firsts]
        self._begins_anew = len(kept) < len(found)
        if self._begins_anew:
            self._causes.found = [replace(each, cases=Counter()) for each in kept]
            return None
        return self._causes.explaining(seen.data)

    def _placed(self, cause: Cause) -> Cause | None:
        """Return *cause*, of what is swallowed, with its conditions; None if these are not those of all its words."""
        probe, conditions = self._probed(cause.word, [cause.place])
        telling = self._telling(probe, conditions) if conditions != UNKNOWN else {}
        words = [bytes([first]) + cause.word[1:] for first in sorted(cause.firsts)]
        words = [word for word in words if self._direction.can_be_wrong(word)]
        for place, is_wrong in telling.items():
            if set(self._direction.are_wrong([place.around(word) for word in words])) != {is_wrong}:
                return None
        return replace(cause, conditions=conditions) if telling and not self._ask.used_up else None

    def _new_cause(self, seen: _Seen) -> Explained | None:
        """Return a new cause that explains *seen*, or one with unknown conditions that may; None if none is known."""
        if len(self._causes.found) >= MAX_CAUSES or self._ask.used_up:
            return None
        if cause := size_cause(seen.data, seen.case, self._direction):
            self._causes.add(cause)
            return cause, b""
        if doubted := self._in_doubt(seen.data):
            return doubted
        if (explained := self._swallowed(seen)) or self._begins_anew:
            return explained
        blame = None
        for blame in blamed(seen.data, self._causes, self._filler, self._direction):
            known = self._causes.unknown_with(blame.word)
            if known and (blame.word in known[0].cases or len(known[0].cases) >= MAX_PROBED):
                return known
            if explained := self._anything(blame, seen):
                return explained
            for cause in self._candidates(blame, seen):
                if self._ask.used_up:
                    return None
                self._causes.add(cause)
                if (explained := self._causes.explaining(seen.data)) is not None:
                    return explained
        return self._with_unknown_conditions(blame, seen) if blame and not self._ask.used_up else None

    def _in_doubt(self, data: bytes) -> Explained | None:
        """Return a cause with unknown conditions if such causes may explain *data*, and its errors are right alone."""
        known = self._causes.unknown_with(data)
        if known is None or len(known[0].cases) < MAX_PROBED:
            return None
        words = {data[start:end] for start, end in islice(ill_formed_pieces(data), MAX_WORDS)}
        places = simple_places(self._filler)
        return None if any(any(self._direction.wrong_at(word, places)) for word in words) else known

    def _candidates(self, blame: Blamed, seen: _Seen) -> Iterator[Cause]:
        """Yield the cause for the word that is to blame; none if no conditions agree with all the answers."""
        if not self._direction.standard.is_utf8:
            places = dict.fromkeys(blame.places, True)
            yield self._cause(blame.word, EVERYWHERE, places, seen)
            return
        probe, conditions = self._probed(blame.word, blame.places)
        if self._direction.accepted and _may_swallow(conditions) and self._may_be_longer(blame):
            for word in _longer(blame):
                if any(self._direction.wrong_at(word, blame_places(blame, word, self._filler))):
                    longer, other = self._probed(word, blame_places(blame, word, self._filler))
                    if other != UNKNOWN and not _may_swallow(other):
                        probe, conditions = longer, other
                        break
        if len(characters(probe.word)) > 1 and conditions != EVERYWHERE and not self._direction.accepted:
            return  # it is not known which of these characters is to blame
        telling = self._telling(probe, conditions) if conditions != UNKNOWN else {}
        if any(telling.values()):  # none is, where the time for questions was over before one was asked
            yield self._cause(probe.word, conditions, telling, seen, self._scouts(probe))

    def _anything(self, blame: Blamed, seen: _Seen) -> Explained | None:
        """Return a cause that has any byte of 80..FF, if each of them is wrongly accepted in place of the word."""
        direction, place = self._direction, blame.places[0]
        if not direction.accepted or len(blame.word) == 1 or not direction.standard.is_utf8 or self._ask.expensive:
            return None
        for some in (EDGES, HIGH):  # few questions suffice for most words
            if not all(direction.are_wrong([place.around(bytes([byte])) for byte in some])):
                return None
        for cause in self._candidates(Blamed(bytes([HIGH[-1]]), (place,)), seen):
            self._causes.add(cause)
            if (explained := self._causes.explaining(seen.data)) is not None:
                return explained
            self._causes.found.remove(cause)
        return None

    def _may_be_longer(self, blame: Blamed) -> bool:
        """Tell whether the word may be the beginning of a longer one: of a cut character, or before any byte of 80..FF.

        Else what follows it is a character, and not a part of the word.
        """
        error = plan().oracle.ill_formed(blame.word)
        if error and error.code == TRUNCATED:
            return True
        before = blame.places[0].before + blame.word
        return any(self._direction.are_wrong([before + bytes([byte]) + self._filler for byte in HIGH]))

    def _probed(self, word: bytes, places: Iterable[Place]) -> tuple[Probe, Conditions]:
        is_known = self._causes.swallow if any(cause.firsts for cause in self._causes.found) else None
        probe = Probe(word, self._filler, self._direction, is_known)
        return probe, probe.ask_everything(places)

    def _cause(
        self,
        word: bytes,
        conditions: Conditions,
        places: dict[Place, bool],
        seen: _Seen,
        scouts: dict[Place, bool] | None = None,
    ) -> Cause:
        """Return the cause that has all words that are judged as *word* is at *places*."""
        wrong = sorted((place for place in places if places[place]), key=lambda place: place.size)
        first = wrong[0]
        telling = next((place for place in wrong if not self._causes.explaining(place.around(word))), first)
        shape = _shape(word)

        def may_belong(other: bytes) -> bool:
            if not self._direction.standard.is_utf8:
                return True
            if other[1:] == word[1:] and _shape(other) != shape:
                return False
            return other == word or self._causes.explaining(telling.around(other)) is None

        ordered = {telling: True} | places
        explained = [each for cause in self._causes.found if cause.conditions == EVERYWHERE for each in cause.patterns]
        patterns, asked = [Pattern.of(word)], 1.0
        if telling.size <= FAR:
            patterns, asked = Widening(ordered, scouts or {}, self._direction, may_belong, explained).widen(word)
        return Cause(patterns, conditions, first, word, seen.case, asked)

    def _telling(self, probe: Probe, conditions: Conditions) -> dict[Place, bool]:
        """Return the few places that tell these *conditions* from others, with the answers there."""
        size = MAX_EXPENSIVE_PLACES if self._ask.expensive else MAX_PLACES
        answers, filler = probe.answers, self._filler
        atoms = [each for choice in conditions.choices for each in choice]
        by_kind: dict[tuple[bool, ...], list[Place]] = {}
        for place in sorted(answers, key=lambda each: (each.size, each)):
            by_kind.setdefault(tuple(each.holds(place, probe.word) for each in atoms), []).append(place)
        chosen = [places[0] for places in by_kind.values()]
        chosen.sort(key=lambda place: not answers[place])
        wrong = (place for places in by_kind.values() for place in places if answers[place])
        new = (place for place in wrong if not self._causes.explaining(place.around(probe.word)))
        chosen = [*chosen[:1], *islice(new, 1), *chosen[1:]]
        chosen += [_nearest(places, atoms, probe.word) for places in by_kind.values()]
        chosen += [place for place in simple_places(filler) if place in answers]
        return {place: answers[place] for place in list(dict.fromkeys(chosen))[:size]}

    def _scouts(self, probe: Probe) -> dict[Place, bool]:
        """Return places of other kinds, with the answers there: a sample of the words is asked at them."""
        nul, filler = b"\0", self._filler
        places = (Place(nul, filler), Place(filler, nul), Place(64 * filler, filler), Place(filler, 64 * filler))
        return {place: probe.answers[place] for place in places if place in probe.answers and not self._ask.expensive}

    def _with_unknown_conditions(self, blame: Blamed, seen: _Seen) -> Explained:
        """Return a cause that only says that its words are judged wrongly at some places."""
        (place,), word = blame.places[:1], blame.word
        if len(word) > MAX_LENGTH or not self._direction.accepted:
            # What is to blame in it is not known: its first piece stands for it. Only the empty input has none.
            pieces = (piece for piece, good in cut_utf8(word) if good is not self._direction.accepted)
            if first := next(pieces, b""):
                before, _, after = word.partition(first)
                place, word = Place(place.before + before, after + place.after), first
        if (known := self._causes.unknown_with(word)) is not None:
            return known
        cause = self._cause(word, UNKNOWN, {place: True}, seen)
        self._causes.add(cause)
        return cause, word


def _shape(word: bytes) -> list[tuple[int, bool]]:
    return [(len(piece), good) for piece, good in cut_utf8(word)]


def _may_swallow(conditions: Conditions) -> bool:
    """Tell whether *conditions* are such that the bytes behind the word may be a part of it."""
    return all(
        any(isinstance(each, Neighbour) and each.side == BEFORE and each.how == DIRECTLY for each in choice)
        for choice in conditions.choices
    )


def blame_places(blame: Blamed, word: bytes, filler: bytes) -> list[Place]:
    """Return the places where the longer *word* stands if the shorter one is at the places of *blame*."""
    behind = word[len(blame.word) :]
    places = [
        Place(place.before, place.after[len(behind) :]) for place in blame.places if place.after.startswith(behind)
    ]
    return [*places, *simple_places(filler)]


def _longer(blame: Blamed) -> Iterator[bytes]:
    """Yield the word with the bytes behind it, as far as they do not begin a character that they do not end."""
    after = min((place.after for place in blame.places if place.after), key=len, default=b"")
    for size in range(1, min(MAX_SWALLOWED, len(after)) + 1):
        yield blame.word + after[:size]


def _nearest(places: list[Place], atoms: list[Condition], word: bytes) -> Place:
    """Return the one of *places* that is nearest to the bounds of *atoms*."""
    bounds = [each for each in atoms if isinstance(each, Measure)]
    return min(places, key=lambda place: sum(abs(each.number(place, word) - each.bound) for each in bounds))
