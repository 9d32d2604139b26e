"""Judging: from a decoder's answers to what is not right about them, one value for each such case."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.harness.conventions import wrong_stream
from utf8_abnf.harness.protocol import ACCEPT, UNSUPPORTED, Answers, is_unsupported, unframe, verdict_of
from utf8_abnf.harness.worker import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from utf8_abnf.harness.conventions import Convention
    from utf8_abnf.harness.sending import Answered
    from utf8_abnf.suite import Case
    from utf8_abnf.suite.judging import Memory


class WrongVerdict(NamedTuple):
    """The decoder accepted *data* wrongly or, if not *accepted*, rejected it wrongly; *case* returns the case's id.

    *number* is the case's place in its family, from 0.
    """

    data: bytes
    accepted: bool
    case: Callable[[], str]
    number: int = 0


class WrongAnswer(NamedTuple):
    """An offset, a text or a stream's answer that is wrong; *kind* is one of ``report.KINDS``, *why* what is wrong.

    *mode* is the one in which the decoder was asked, *answer* what it said.
    """

    case: Case
    kind: str
    why: str
    mode: str
    answer: object


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


class Unsupported(NamedTuple):
    """The decoder says that it cannot judge *data*."""

    data: bytes


Judgement = WrongVerdict | WrongAnswer | NoAnswer | Unsupported


def judge_verdicts(answered: Answered) -> Iterator[Judgement]:
    """Yield what is not right about the verdicts in *answered*; in other modes than v they follow from the answers."""
    batch, mode = answered.batch, answered.mode
    right = batch.verdicts
    for index, value in zip(answered.indices, answered.values or (), strict=False):
        if isinstance(value, Failure):
            yield NoAnswer(value, batch.id(index), batch.data(index))
            continue
        verdict = value if mode == "v" else verdict_of(mode, value, batch.data(index))
        if verdict == right[index : index + 1]:
            continue
        if verdict == UNSUPPORTED:
            yield Unsupported(batch.data(index))
        else:
            yield WrongVerdict(batch.data(index), verdict == ACCEPT, partial(batch.id, index), batch.first + index)


def judge_answers(answered: Answered, convention: Convention) -> Iterator[Judgement]:
    """Yield what is not right about the answers in *answered*, by the decoder's own *convention*."""
    if answered.values is None:
        return
    batch, mode = answered.batch, answered.mode
    inputs, right = _inputs(answered), _right_values(answered, convention)
    if len(answered.values) == len(batch) and convention.are_right(inputs, right, answered.values):
        return
    for index, value in zip(answered.indices, answered.values, strict=False):
        if isinstance(value, Failure):
            yield NoAnswer(value, batch.id(index), batch.data(index))
        elif is_unsupported(value):
            yield Unsupported(batch.data(index))
        elif convention.wrong is None:
            case = batch.case(index)
            if why := wrong_stream(case, value):
                yield WrongAnswer(case, convention.kind, why, mode, value)
        elif convention.is_of_suite and right[index] == value:
            continue
        elif why := convention.wrong(inputs[index], right[index], value):
            yield WrongAnswer(batch.case(index), convention.kind, why, mode, value)


def _inputs(answered: Answered) -> Sequence[bytes]:
    return [] if answered.mode in "si" else list(unframe(answered.batch.frames))


def _right_values(answered: Answered, convention: Convention) -> Sequence[object]:
    """Return the suite's own answers; Nones in mode r where the decoder's convention is another one."""
    if answered.mode in "si" or (answered.mode == "r" and not convention.is_of_suite):
        return [None] * len(answered.batch)
    answers = Answers(answered.mode, len(answered.batch))
    answers.feed(answered.batch.answers(answered.mode))
    return answers.values
