"""Answer places: the decoder is asked in mode p, r, s or i until it is known where its answers of a class are wrong.

What the cases have in common, the least offset say, is only the least one that was sent. Here further inputs are asked,
as for wrong verdicts, and the true border comes out.
"""

from __future__ import annotations

import time
from functools import partial
from itertools import accumulate, combinations, cycle, takewhile
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.answers.answer_classes import ANY_ERROR, MAX_TEXTS
from utf8_abnf.conformance.harness.answers.conventions import what_is_wrong, written
from utf8_abnf.conformance.harness.answers.judging import right_answers
from utf8_abnf.conformance.harness.answers.pieces import Pieces, ends_of_pieces, pieces_of
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT, UNSUPPORTED, is_unsupported
from utf8_abnf.conformance.harness.driving.worker import Failure
from utf8_abnf.conformance.harness.sending import window_of_inputs
from utf8_abnf.conformance.harness.standard import Standard, cut_utf8
from utf8_abnf.conformance.harness.verdicts.cutting import end_of_piece, repaired
from utf8_abnf.conformance.harness.verdicts.error_count import ErrorCount
from utf8_abnf.conformance.harness.verdicts.error_counts import ErrorCounts
from utf8_abnf.conformance.harness.verdicts.places import EVERYWHERE, UNKNOWN, Measure, Place
from utf8_abnf.conformance.harness.verdicts.probing import Probe
from utf8_abnf.conformance.harness.verdicts.questions import Direction, Questions
from utf8_abnf.conformance.harness.verdicts.shrinking import FILLERS
from utf8_abnf.conformance.harness.verdicts.size import size_cause
from utf8_abnf.conformance.suite import Case
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.validator.ill_formed import CODES, TRUNCATED

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

    In the modes s and i the input comes in pieces of the sizes *chunks*, again and again. Where there is a text
    *left_out*, only answers that lack it are wrong, and input that has it twice is not judged: it may be the other one.
    """

    def __init__(
        self, session: Session, mode: str, convention: Convention, chunks: Sequence[int] = (), left_out: bytes = b""
    ) -> None:
        self._session = session
        self._mode = mode
        self._convention = convention
        self._chunks = chunks
        self._left_out = left_out

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

    def is_gone(self, data: bytes) -> bool:
        """Tell whether the text is left out of *data* wherever it is."""
        left_out = self._convention.left_out
        values = self._session.send(window_of_inputs([(data, ())], self._mode), self._mode).values
        return left_out is not None and all(left_out.is_gone(data, written(each), self._left_out) for each in values)

    def _told_of(self, cases: list[Case]) -> list[bytes | Failure]:
        inputs = [(case.data, case.chunks or ()) for case in cases]
        values = self._session.send(window_of_inputs(inputs, self._mode), self._mode).values
        return [self._told(case, value) for case, value in zip(cases, values, strict=False)]

    def _told(self, case: Case, value: Any) -> bytes | Failure:
        if isinstance(value, Failure):
            return value
        if is_unsupported(value):
            return UNSUPPORTED
        if self._left_out and self._convention.left_out:
            if case.data.count(self._left_out) > 1:
                return UNSUPPORTED
            is_wrong = self._convention.left_out.is_gone(case.data, written(value), self._left_out)
            return ACCEPT if is_wrong and self._left_out in case.data else REJECT
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
        self._pieces: dict[tuple[str, str], Pieces | None] = {}  # of the classes that were asked about

    def told(self, found: AnswerClass) -> AnswerClass:
        """Return *found* with where alone its answers are wrong, "" if everywhere.

        More is asked where its cases have a least number in common, or where it tells of answers that were right. What
        is not found out is said to be *seen*.
        Where the number of errors or of marks is the reason, whatever the errors are, *found* is of any error.
        """
        mode = found.shortest.mode
        if found.left_out and (phrase := self._stripped(found)):
            return found._replace(where=phrase)
        if mode in "si" and not found.left_out and (pieces := self.pieces(found)):
            return found._replace(where=f"only {pieces.phrase}")
        if found.left_out:
            several = set(map(self._asked_of_text, found.examples[:MAX_TEXTS]))
            conditions = several.pop() if len(found.left_out) <= MAX_TEXTS and len(several) == 1 else UNKNOWN
            return found._replace(where=SOMEWHERE if conditions == UNKNOWN else conditions.phrase)
        if mode in "si" and not found.where:
            return self._if_not_too_wide(found, self._asked_in_one_piece(found))
        if found.is_numbered or (mode in "pr" and self._is_too_wide(found)):
            return self._if_not_too_wide(found, self._asked(found))
        return self._narrowed(found) if self._is_too_wide(found) else found

    def _if_not_too_wide(self, found: AnswerClass, conditions: Conditions) -> AnswerClass:
        """Return *found* with *conditions* as the place, if all that is known agrees with these; else what was seen."""
        atoms = [each for choice in conditions.choices for each in choice]

        def holds(answer: WrongAnswer) -> bool:
            word, place = _spot(answer)
            return conditions.hold(place, word)

        told = found._replace(where=conditions.phrase, holds=holds)
        if any(isinstance(each, ErrorCount) and not each.code for each in atoms):
            told = told._replace(line=ANY_ERROR, codes=tuple(CODES))
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

    def pieces(self, found: AnswerClass) -> Pieces | None:
        """Return which pieces of streams are answered wrongly, None if that is not the reason."""
        key, mode = (found.line, found.where), found.shortest.mode
        if key not in self._pieces and not (self._session.stopped or self._clock.overdue()):
            asked = WrongAnswersAsked(self._session, mode, self._conventions[mode])
            examples = [each.case.chunks for each in found.examples if each.case.chunks]
            shortest = found.shortest.case
            self._pieces[key] = pieces_of(examples, found.sizes, asked.are_wrong) or ends_of_pieces(
                shortest.data, shortest.chunks or (), asked.are_wrong
            )
        return self._pieces.get(key)

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
        with_error = next((each.case.data for each in found.examples if each.case.error), data)
        counts = ErrorCounts(direction, self._conventions[mode].policy)
        cause = size_cause(data, "", direction) or counts.cause(with_error, "")
        conditions = cause.conditions if cause else _probed(found, direction)
        holds = all(conditions.hold(place, word) for word, place in map(_spot, found.examples))
        return conditions if holds and not direction.ask.used_up else UNKNOWN

    def _stripped(self, found: AnswerClass) -> str:
        """Return in words from which end of the texts those of *found* are taken off, "" if it is not so."""
        left_out = self._conventions[found.shortest.mode].left_out
        if left_out is None or not all(text in left_out.stripped for text in found.left_out):
            return ""
        asked = [
            form.replace(b"_", each) for each in found.left_out for form in (b"_", b"_b", b"b_", b"b_b", b"__b_b__")
        ]
        values = self._session.send(window_of_inputs([(data, ()) for data in asked], "r"), "r").values
        is_right = list(map(written, values)) == list(map(left_out.stripped.expected, asked))
        return left_out.stripped.phrase(found.left_out) if is_right else ""

    def _asked_of_text(self, example: WrongAnswer) -> Conditions:
        """Return where the text that *example* lacks is left out, ``UNKNOWN`` if that is not found out."""
        text, place = _spot(example)
        asked = WrongAnswersAsked(self._session, example.mode, self._conventions[example.mode], left_out=text)
        direction = self._direction(asked)
        filler = next(each for each in FILLERS if each not in text)
        around = Place(*(repaired(each, filler) for each in place))
        conditions = Probe(text, filler, direction).ask_everything([around])
        holds = conditions.hold(around, text) and not direction.ask.used_up
        if conditions == EVERYWHERE:
            holds &= all(map(asked.is_gone, (2 * text, text + filler + text, 3 * (filler + text) + filler)))
        return conditions if holds else UNKNOWN

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
