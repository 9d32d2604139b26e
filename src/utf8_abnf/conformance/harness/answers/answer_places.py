"""Answer places: the decoder is asked in mode p, r, s or i until it is known where its answers of a class are wrong.

What the cases have in common, the least offset say, is only the least one that was sent. Here further inputs are asked,
as for wrong verdicts, and the true border comes out.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate, combinations, cycle, takewhile
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.answers.conventions import what_is_wrong
from utf8_abnf.conformance.harness.answers.judging import right_answers
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT, UNSUPPORTED, is_unsupported
from utf8_abnf.conformance.harness.driving.worker import Failure
from utf8_abnf.conformance.harness.sending import window_of_inputs
from utf8_abnf.conformance.learning.border import border_of
from utf8_abnf.conformance.learning.shrink import shrunk
from utf8_abnf.conformance.suite import Case
from utf8_abnf.conformance.suite.plan import plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from utf8_abnf.conformance.harness.answers.answer_classes import AnswerClass, Shared
    from utf8_abnf.conformance.harness.answers.conventions import Convention, Sample
    from utf8_abnf.conformance.harness.answers.judging import WrongAnswer
    from utf8_abnf.conformance.harness.clock import Clock
    from utf8_abnf.conformance.harness.driving.session import Session

SOMEWHERE = "seen in some contexts"


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

        A border is asked for where its cases have a least number in common. What is not found out is said to be *seen*.
        """
        mode = found.shortest.mode
        if mode in "si" and not found.where:
            return found
        if found.is_numbered and (phrase := self._border(found)):
            return found._replace(where=phrase)
        return self._narrowed(found) if found.is_numbered or self._is_too_wide(found) else found

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

    def _border(self, found: AnswerClass) -> str:
        """Return the place of the border that the shortest example shows, "" if it shows none."""
        shortest = found.shortest
        chunks = (shortest.case.chunks or (len(shortest.case.data),)) if shortest.mode in "si" else ()
        asked = WrongAnswersAsked(self._session, shortest.mode, self._conventions[shortest.mode], chunks)

        def shows(words: Sequence[bytes]) -> list[bool]:
            if self._clock.overdue():
                return [False] * len(words)
            answers = list(asked.verdicts(words))
            return [answer == ACCEPT for answer in answers] + [False] * (len(words) - len(answers))

        border = border_of(shrunk(shortest.case.data, shows), shows)
        return border.phrase if border else ""


def _hold(shared: Iterable[Shared], answer: WrongAnswer) -> bool:
    return all(each.holds(answer) for each in shared)


def _seen(where: str) -> str:
    """Return *where*, said as what was seen only."""
    return f"seen {where}" if where else SOMEWHERE
