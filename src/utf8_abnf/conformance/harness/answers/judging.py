"""Judging: from a decoder's answers to what is not right about them, one value for each such case."""

from __future__ import annotations

from functools import partial
from itertools import islice, starmap
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.framing import unframe
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, Answers, is_unsupported, verdict_of
from utf8_abnf.conformance.harness.driving.worker import Failure
from utf8_abnf.conformance.suite.plan import plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from utf8_abnf.conformance.harness.answers.conventions import Convention
    from utf8_abnf.conformance.harness.sending import Answered
    from utf8_abnf.conformance.suite import Case
    from utf8_abnf.conformance.suite.judging import Memory, Spot


class WrongVerdict(NamedTuple):
    """The decoder accepted *data* wrongly or, if not *accepted*, rejected it wrongly; *case* returns the case's id."""

    data: bytes
    accepted: bool
    case: Callable[[], str]


class WrongAnswer(NamedTuple):
    """An offset, a text or a stream's answer that is wrong; *kind* is one of ``report.KINDS``.

    *fault* is the kind of error, one of ``wrong.ORDER``, and *why* says what is wrong. *mode* is the one in which the
    decoder was asked, *answer* what it said. *error* is the offset of the first error in *data*, None where there is
    none. *case* returns the whole case, which takes long.
    """

    kind: str
    fault: str
    why: str
    mode: str
    answer: object
    data: bytes
    chunks: tuple[int, ...]
    error: int | None
    case: Callable[[], Case]


class NoAnswer(NamedTuple):
    """The decoder gave no answer about *data*. *case* is the case's id, "" where no single case is known.

    *memory* says where the data lay if the decoder was called in process and gave an answer when it was asked again;
    *reproduce* is then the command that calls it so.
    """

    failure: Failure
    case: str
    data: bytes
    memory: Memory | None = None
    reproduce: str = ""


class Witness(NamedTuple):
    """A *case* of *family* with a wrong verdict in process, and with another one when it was sent.

    *spot* is where it lay in process, and *before* the input that was asked there before it.
    """

    family: str
    case: Case
    spot: Spot
    before: bytes


class Unsupported:
    """The decoder says that it cannot judge a case."""


Judgement = WrongVerdict | WrongAnswer | NoAnswer | Unsupported


PORTION = 1_024  # answers that are judged between two looks at the clock
Portion = tuple[int, list[Judgement]]  # how many answers were judged, and what is not right about them


def judge_verdicts(answered: Answered) -> Iterator[Portion]:
    """Yield what is not right about the verdicts in *answered*; in other modes than v they follow from the answers."""
    batch, right = answered.batch, answered.batch.verdicts

    def wrong(index: int, value: object) -> WrongVerdict | None:
        data = batch.data(index)
        verdict = verdict_of(answered.mode, value, data)
        is_right = verdict == right[index : index + 1]
        return None if is_right else WrongVerdict(data, verdict == ACCEPT, partial(batch.id, index))

    return _in_portions(answered, wrong)


def judge_answers(answered: Answered, convention: Convention) -> Iterator[Portion]:
    """Yield what is not right about the answers in *answered*, by the decoder's own *convention*."""
    batch, mode = answered.batch, answered.mode
    inputs = list(map(batch.data, range(len(batch))) if mode in "si" else unframe(batch.frames))
    right = _right_values(answered, convention)
    whole = len(answered.values) == len(batch)
    if whole and convention.are_right(inputs, right, answered.values):
        return iter([(len(batch), [])])

    def wrong(index: int, value: object) -> WrongAnswer | None:
        data, case = inputs[index], partial(batch.case, index)
        if convention.is_of_suite and right[index] == value:
            return None
        if (fault := convention.wrong(data, right[index], value, case)) is None:
            return None
        chunks = (batch.chunks(index) or (len(data),)) if mode in "si" else ()
        error = plan().oracle.first_error(data)
        return WrongAnswer(convention.kind, *fault, mode, value, data, chunks, error and error[0], case)

    return _in_portions(answered, wrong)


def _in_portions(answered: Answered, wrong: Callable[[int, object], Judgement | None]) -> Iterator[Portion]:
    """Yield what *wrong* says about each answer that is one: it is given the index of a case, and the answer to it."""

    def judged(index: int, value: object) -> Judgement | None:
        if isinstance(value, Failure):
            return NoAnswer(value, answered.batch.id(index), answered.batch.data(index))
        return Unsupported() if is_unsupported(value) else wrong(index, value)

    pairs = zip(answered.indices, answered.values, strict=False)
    while portion := list(islice(pairs, PORTION)):
        yield len(portion), list(filter(None, starmap(judged, portion)))


def _right_values(answered: Answered, convention: Convention) -> Sequence[object]:
    """Return the suite's own answers; Nones in mode r where the decoder's convention is another one."""
    if answered.mode in "si" or (answered.mode == "r" and not convention.is_of_suite):
        return [None] * len(answered.batch)
    answers = Answers(answered.mode, len(answered.batch), asked=len(answered.batch.frames))
    answers.feed(answered.batch.answers(answered.mode))
    return answers.values
