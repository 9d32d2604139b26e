"""Judging: from a decoder's answers to what is not right about them, one value for each such case."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.driving.protocol import (
    ACCEPT,
    UNSUPPORTED,
    Answers,
    is_unsupported,
    verdict_of,
)
from utf8_abnf.conformance.harness.driving.worker import Failure
from utf8_abnf.conformance.suite.framing import unframe
from utf8_abnf.conformance.suite.plan import plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from utf8_abnf.conformance.harness.answers.conventions import Convention
    from utf8_abnf.conformance.harness.answers.wrong import Wrong
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


class Unsupported(NamedTuple):
    """The decoder says that it cannot judge *data*."""

    data: bytes


Judgement = WrongVerdict | WrongAnswer | NoAnswer | Unsupported


PORTION = 1_024  # answers that are judged between two looks at the clock
Portion = tuple[int, list[Judgement]]  # how many answers were judged, and what is not right about them


def judge_verdicts(answered: Answered) -> Iterator[Portion]:
    """Yield what is not right about the verdicts in *answered*; in other modes than v they follow from the answers."""
    return _in_portions(answered, partial(_wrong_verdicts, answered))


def judge_answers(answered: Answered, convention: Convention) -> Iterator[Portion]:
    """Yield what is not right about the answers in *answered*, by the decoder's own *convention*."""
    inputs, right = _inputs(answered), _right_values(answered, convention)
    whole = len(answered.values) == len(answered.batch)
    if whole and convention.are_right(inputs, right, answered.values):
        return iter([(len(answered.values), [])])
    return _in_portions(answered, partial(_wrong_answers, answered, convention, inputs, right))


def _in_portions(
    answered: Answered, judge: Callable[[Iterable[tuple[int, object]]], Iterator[Judgement]]
) -> Iterator[Portion]:
    """Yield what *judge* finds, portion by portion: it is given the indices of some cases, and the answers to them."""
    pairs = zip(answered.indices, answered.values, strict=False)
    while portion := list(islice(pairs, PORTION)):
        yield len(portion), list(judge(portion))


def _wrong_verdicts(answered: Answered, pairs: Iterable[tuple[int, object]]) -> Iterator[Judgement]:
    batch, mode = answered.batch, answered.mode
    right = batch.verdicts
    for index, value in pairs:
        if isinstance(value, Failure):
            yield NoAnswer(value, batch.id(index), batch.data(index))
            continue
        verdict = value if mode == "v" else verdict_of(mode, value, batch.data(index))
        if verdict == right[index : index + 1]:
            continue
        if verdict == UNSUPPORTED:
            yield Unsupported(batch.data(index))
        else:
            yield WrongVerdict(batch.data(index), verdict == ACCEPT, partial(batch.id, index))


def _wrong_answers(
    answered: Answered,
    convention: Convention,
    inputs: Sequence[bytes],
    right: Sequence[object],
    pairs: Iterable[tuple[int, object]],
) -> Iterator[Judgement]:
    batch = answered.batch
    for index, value in pairs:
        if isinstance(value, Failure):
            yield NoAnswer(value, batch.id(index), batch.data(index))
        elif is_unsupported(value):
            yield Unsupported(batch.data(index))
        elif convention.wrong is None:
            case = batch.case(index)
            if found := convention.wrong_stream(case, value):
                error = case.error and case.error.start
                yield _wrong_answer(answered, index, convention, found, value, case.chunks or (len(case.data),), error)
        elif convention.is_of_suite and right[index] == value:
            continue
        elif found := convention.wrong(inputs[index], right[index], value):
            first = plan().oracle.first_error(inputs[index])
            yield _wrong_answer(answered, index, convention, found, value, (), first and first[0])


def _wrong_answer(
    answered: Answered,
    index: int,
    convention: Convention,
    found: Wrong,
    value: object,
    chunks: tuple[int, ...],
    error: int | None,
) -> WrongAnswer:
    batch = answered.batch
    case = partial(batch.case, index)
    return WrongAnswer(convention.kind, *found, answered.mode, value, batch.data(index), chunks, error, case)


def _inputs(answered: Answered) -> Sequence[bytes]:
    return [] if answered.mode in "si" else list(unframe(answered.batch.frames))


def _right_values(answered: Answered, convention: Convention) -> Sequence[object]:
    """Return the suite's own answers; Nones in mode r where the decoder's convention is another one."""
    if answered.mode in "si" or (answered.mode == "r" and not convention.is_of_suite):
        return [None] * len(answered.batch)
    answers = Answers(answered.mode, len(answered.batch), asked=len(answered.batch.frames))
    answers.feed(answered.batch.answers(answered.mode))
    return answers.values
