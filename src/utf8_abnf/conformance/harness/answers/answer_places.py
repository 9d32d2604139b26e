"""Answer places: the decoder is asked in mode p, r, s or i until it is known where its answers of a class are wrong.

What the cases have in common, the least offset say, is only the least one that was sent. Here further inputs are asked,
as for wrong verdicts, and the true border comes out.
"""

from __future__ import annotations

import time
from functools import partial
from itertools import accumulate, combinations, cycle, takewhile
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.answers.conventions import what_is_wrong
from utf8_abnf.conformance.harness.answers.judging import right_answers
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT, UNSUPPORTED, is_unsupported
from utf8_abnf.conformance.harness.driving.worker import Failure
from utf8_abnf.conformance.harness.sending import window_of_inputs
from utf8_abnf.conformance.harness.standard import Standard, cut_utf8
from utf8_abnf.conformance.harness.verdicts.cutting import end_of_piece
from utf8_abnf.conformance.harness.verdicts.places import EVERYWHERE, UNKNOWN, Measure, Place
from utf8_abnf.conformance.harness.verdicts.probing import Probe
from utf8_abnf.conformance.harness.verdicts.questions import Direction, Questions
from utf8_abnf.conformance.harness.verdicts.shrinking import FILLERS
from utf8_abnf.conformance.harness.verdicts.size import size_cause
from utf8_abnf.conformance.suite import Case
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.validator.ill_formed import TRUNCATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from utf8_abnf.conformance.harness.answers.answer_classes import AnswerClass, Shared
    from utf8_abnf.conformance.harness.answers.conventions import Convention, Sample
    from utf8_abnf.conformance.harness.answers.judging import WrongAnswer
    from utf8_abnf.conformance.harness.clock import Clock
    from utf8_abnf.conformance.harness.driving.session import Session
    from utf8_abnf.conformance.harness.verdicts.places import Conditions

MAX_SECONDS = 10.0  # for one class
MAX_WORD = 16  # bytes that are to blame
SOMEWHERE = "seen in some contexts"
MAX_PIECE = 1 << 31  # bytes: every input that is asked is one piece
MAX_NEAR = 6  # places on either side of a border at which every word of a class is asked
CUT = (b"\xc3", b"\xe2", b"\xe2\x82", b"\xf0", b"\xf0\x9f", b"\xf0\x9f\x98")  # cut characters of each length
ANY_ANSWER = Standard(lambda _: False, cut_utf8, is_utf8=True)  # the answer about any input may be wrong


class WrongAnswersAsked:
    """Stands for a session in ``Questions``: it "accepts" an input if the decoder's answer about it is wrong.

    In the modes s and i the input comes in pieces of the sizes *chunks*, again and again.
    """

    def __init__(self, session: Session, mode: str, convention: Convention, chunks: Sequence[int] = ()) -> None:
        self._session = session
        self._mode = mode
        self._convention = convention
        self._chunks = chunks

    @property
    def stopped(self) -> str:
        """Why the decoder is not asked any more, "" while it is."""
        return self._session.stopped

    def verdicts(self, words: Sequence[bytes]) -> list[bytes | Failure]:
        """Return ``ACCEPT`` for each of *words* about which the answer is wrong, ``REJECT`` where it is right.

        ``UNSUPPORTED`` and a ``Failure`` stay what they are.
        """
        return self._told_of([self._case(word) for word in words])

    def are_wrong(self, inputs: Sequence[tuple[bytes, tuple[int, ...]]]) -> list[bool]:
        """Tell for each input, in pieces of these sizes, whether the answer is wrong."""
        found = self._told_of([self._case(data, chunks) for data, chunks in inputs])
        return [answer == ACCEPT for answer in found] + [False] * (len(inputs) - len(found))

    def _told_of(self, cases: list[Case]) -> list[bytes | Failure]:
        inputs = [(case.data, case.chunks or ()) for case in cases]
        values = self._session.send(window_of_inputs(inputs, self._mode), self._mode).values
        return [self._told(case, value) for case, value in zip(cases, values, strict=False)]

    def _told(self, case: Case, value: Any) -> bytes | Failure:
        if isinstance(value, Failure):
            return value
        if is_unsupported(value):
            return UNSUPPORTED
        return ACCEPT if what_is_wrong(self._convention, case, value) else REJECT

    def _case(self, data: bytes, chunks: tuple[int, ...] | None = None) -> Case:
        error = plan().oracle.ill_formed(data)
        if chunks is None and self._chunks:
            chunks = _cut(len(data), self._chunks)
        return Case("", data, error is None, error, chunks=chunks)


def _cut(size: int, chunks: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes *chunks*, again and again, for *size* bytes.

    >>> _cut(9, (1, 3)), _cut(2, (0,))
    ((1, 3, 1, 3, 1), (2,))
    """
    ends = list(takewhile(size.__gt__, accumulate(cycle(chunks)))) if any(chunks) else []
    return tuple(end - start for start, end in zip([0, *ends], [*ends, size], strict=True))


class AnswerPlaces:
    """Asks *session* where the answers of a class are wrong; *conventions* are the decoder's own, for each mode.

    *samples* have answers of each mode, most of them right: a class that tells of these as well says too much.
    """

    def __init__(
        self, session: Session, conventions: Mapping[str, Convention], samples: Mapping[str, Sample], clock: Clock
    ) -> None:
        self._session = session
        self._conventions = conventions
        self._samples = samples
        self._right: dict[str, list[WrongAnswer]] = {}  # for each mode, as they would be if they were wrong
        self._clock = clock

    def told(self, found: AnswerClass) -> AnswerClass:
        """Return *found* with where alone its answers are wrong, "" if everywhere.

        More is asked where its cases have a least number in common, or where it tells of answers that were right. What
        is not found out is said to be *seen*.
        """
        mode = found.shortest.mode
        if mode in "si" and not found.where:
            return self._if_not_too_wide(found, self._asked_in_one_piece(found))
        if found.is_numbered or (mode in "pr" and self._is_too_wide(found)):
            return self._if_not_too_wide(found, self._asked(found))
        return self._narrowed(found) if self._is_too_wide(found) else found

    def _if_not_too_wide(self, found: AnswerClass, conditions: Conditions) -> AnswerClass:
        """Return *found* with *conditions* as the place, if all that is known agrees with these; else what was seen."""

        def holds(answer: WrongAnswer) -> bool:
            word, place = _spot(answer)
            return conditions.hold(place, word)

        told = found._replace(where=conditions.phrase, holds=holds)
        is_known = conditions != UNKNOWN and not self._is_too_wide(told)
        return told if is_known else self._narrowed(found)

    def _narrowed(self, found: AnswerClass) -> AnswerClass:
        """Return *found* with one or two things for its place that all wrong answers share, and no right one has.

        Where these are not enough, its place is said to be what was seen.
        """
        for number in (1, 2):
            for chosen in combinations(found.shared, number):
                where = " and ".join(each.where.removeprefix("only ") for each in chosen)
                told = found._replace(where=f"seen only {where}", holds=partial(_hold, chosen))
                if not self._is_too_wide(told):
                    return told
        return found._replace(where=_seen(found.where))

    def _is_too_wide(self, found: AnswerClass) -> bool:
        """Tell whether *found* tells of something that was answered rightly."""
        mode = found.shortest.mode
        if mode not in self._right:
            self._right[mode] = right_answers(self._conventions[mode], mode, self._samples.get(mode, []))
        return any(map(found.tells_of, self._right[mode]))

    def are_wrong_in_one_piece(self, mode: str, words: Sequence[bytes]) -> list[bool]:
        """Tell for each of *words*, as a stream of one piece in *mode*, whether the answer is wrong."""
        asked = WrongAnswersAsked(self._session, mode, self._conventions[mode])
        return asked.are_wrong([(word, (len(word),)) for word in words])

    def _asked_in_one_piece(self, found: AnswerClass) -> Conditions:
        """Return the conditions that agree with all answers about streams of one piece; everywhere if pieces matter."""
        alone = self.are_wrong_in_one_piece(found.shortest.mode, [each.case.data for each in found.examples])
        return self._asked(found, (MAX_PIECE,)) if all(alone) else EVERYWHERE

    def _asked(self, found: AnswerClass, chunks: tuple[int, ...] = ()) -> Conditions:
        """Return the conditions that agree with every answer, also with those about the words of all examples.

        A stream comes in pieces of the sizes *chunks* or, by default, of those of the shortest example.
        """
        mode, data = found.shortest.mode, found.shortest.case.data
        if mode in "si":
            chunks = chunks or found.shortest.case.chunks or (len(data),)
        direction = self._direction(WrongAnswersAsked(self._session, mode, self._conventions[mode], chunks))
        cause = size_cause(data, "", direction)
        conditions = cause.conditions if cause else _probed(found, direction)
        holds = all(conditions.hold(place, word) for word, place in map(_spot, found.examples))
        return conditions if holds and not direction.ask.used_up else UNKNOWN

    def _direction(self, asked: WrongAnswersAsked) -> Direction:
        ends = time.monotonic() + MAX_SECONDS
        ask = Questions(
            asked, expensive=False, overdue=lambda: "late" * (time.monotonic() > ends) or self._clock.overdue()
        )
        return Direction(accepted=True, ask=ask, standard=ANY_ANSWER)


def _hold(shared: Iterable[Shared], answer: WrongAnswer) -> bool:
    return all(each.holds(answer) for each in shared)


def _seen(where: str) -> str:
    """Return *where*, said as what was seen only."""
    return f"seen {where}" if where else SOMEWHERE


def _spot(wrong: WrongAnswer) -> tuple[bytes, Place]:
    """Return the word that is to blame for *wrong*, and its place: of a stream's error, all that it may wait for."""
    data, (start, end, _) = wrong.case.data, wrong.blame
    if wrong.mode in "si" and wrong.case.error:
        end = end_of_piece(data, start)
    return data[start:end], Place(data[:start], data[end:])


def _probed(found: AnswerClass, direction: Direction) -> Conditions:
    """Return the conditions under which all words of *found* are answered wrongly, ``UNKNOWN`` if none are common."""
    word, place = _spot(found.shortest)
    if len(word) > MAX_WORD or plan().oracle.first_error(place.before):
        return UNKNOWN
    probe = Probe(word, FILLERS[0], direction)
    conditions = probe.ask_everything([place])
    if conditions in (EVERYWHERE, UNKNOWN):
        return conditions
    near = [each for is_wrong in (True, False) for each in _nearest(probe, conditions, is_wrong=is_wrong)]
    asked = [(other, places, direction.wrong_at(other, places)) for other, places in _alike(found, word, near)]
    for form in dict.fromkeys((conditions, conditions.by_size(len(word)))):  # of cut ends the size may be what counts
        if all(answers == [form.hold(each, other) for each in places] for other, places, answers in asked):
            return form
    return UNKNOWN


def _alike(found: AnswerClass, word: bytes, near: list[Place]) -> Iterator[tuple[bytes, list[Place]]]:
    """Yield other words than *word* of which *found* tells, each with those places of *near* where it does."""
    yield from ((other, near) for other in {_spot(example)[0] for example in found.examples} - {word})
    if TRUNCATED in found.codes:
        ends = [each for each in near if not each.after]
        yield from ((other, ends) for other in CUT if ends)


def _nearest(probe: Probe, conditions: Conditions, *, is_wrong: bool) -> list[Place]:
    """Return a few places where the word of *probe* was answered as *is_wrong* says, nearest to the bounds first."""
    bounds = [each for choice in conditions.choices for each in choice if isinstance(each, Measure)]
    places = [place for place, answer in probe.answers.items() if answer is is_wrong]
    places.sort(key=lambda place: sum(abs(each.number(place, probe.word) - each.bound) for each in bounds))
    return places[:MAX_NEAR]
