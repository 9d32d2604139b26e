"""Sending: cases of a family go to a decoder in its session, and come back together with the decoder's answers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.framing import frame
from utf8_abnf.conformance.harness.driving.protocol import frame_of, is_unsupported, steps_of
from utf8_abnf.conformance.harness.driving.worker import Failure, Window

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from utf8_abnf.conformance.harness.driving.session import Session
    from utf8_abnf.conformance.suite import Batch, Case, Family

GROUP = 1 << 20  # bytes
MAX_CUT = 16  # bytes each of which is a piece of its own
MAX_SAMPLED = 1 << 10  # bytes of a case from which a convention is found out


class Answered(NamedTuple):
    """Cases of *batch* that were sent in *mode*, and the decoder's answers to them.

    *indices* are the cases' places in the batch, in the order in which they were sent. *values* has an answer, or a
    Failure, for each of them; it is shorter where the session stopped.
    """

    batch: Batch
    mode: str
    indices: Sequence[int]
    values: Sequence[object]


def send(
    session: Session, family: Family, mode: str, *, compare: bool, first: int = 0
) -> Iterator[tuple[int, list[Answered]]]:
    """Send the cases of *family* from number *first* on, with which a batch begins; yield the answers to each group.

    Where every answer of a group is the right one, yield the number of cases and no answers; else 0 and the answers.
    *compare*: compare the decoder's bytes with the suite's right answers, which costs less than to parse them.
    """
    batches = (batch for batch in family.batches() if batch.first >= first)
    for group in _prefetched(_grouped(batches)):
        windows = [window_of(batch, mode, None, batch.answers(mode) if compare else b"") for batch in group]
        joined = _joined(windows)
        received = session.send(joined, mode)
        if received.as_expected:
            yield joined.count, []
            continue
        values = iter(received.values)
        yield 0, [Answered(batch, mode, range(len(batch)), list(islice(values, len(batch)))) for batch in group]


def send_sample(session: Session, families: Sequence[Family], mode: str, size: int) -> list[tuple[Case, object]]:
    """Send about *size* short cases of *families*, whatever the options choose; return them with their answers.

    All cases of a small family are sent, of the others one in so many. A case that got no answer, or that the decoder
    cannot judge, is left out.
    """
    sample: list[tuple[Case, object]] = []
    one_in = sum(family.count for family in families) // size | 1
    for family in families:
        step = one_in if family.count > size // 4 else 1
        for batch in family.batches():
            indices = [index for index in range(0, len(batch), step) if len(batch.data(index)) <= MAX_SAMPLED]
            if session.stopped:
                return sample
            values = session.send(window_of(batch, mode, indices), mode).values
            sample += [
                (batch.case(index), value)
                for index, value in zip(indices, values, strict=False)
                if not isinstance(value, Failure) and not is_unsupported(value)
            ]
    return sample


def window_of(batch: Batch, mode: str, indices: Sequence[int] | None, expected: bytes = b"") -> Window:
    """Return the cases of *batch* at *indices* (None: all) as one window; in mode s each in the chunks it asks for."""
    if indices is None and mode not in "si":  # answers to streams are never compared with what is expected
        return Window(batch.frames, len(batch), (), expected)
    every = range(len(batch)) if indices is None else indices
    inputs = [(batch.data(index), batch.chunks(index) or (len(batch.data(index)),)) for index in every]
    return window_of_inputs(inputs, mode)


def window_of_inputs(inputs: Sequence[tuple[bytes, Sequence[int]]], mode: str) -> Window:
    """Return *inputs* as one window, in the modes s and i each in pieces of the sizes that stand beside it."""
    if mode not in "si":
        return Window(b"".join(frame(data) for data, _ in inputs), len(inputs))
    make, steps = (frame_of, steps_of) if mode == "i" else (frame, tuple)
    frames = b"".join(make(data, chunks) for data, chunks in inputs)
    return Window(frames, len(inputs), tuple(len(steps(chunks)) for _, chunks in inputs))


def chunks_of(data: bytes) -> tuple[int, ...]:
    """Return how *data* alone are cut for a stream: every byte alone, or long data in two pieces."""
    return (1,) * len(data) or (0,) if len(data) <= MAX_CUT else (len(data) // 2, len(data) - len(data) // 2)


def _prefetched(groups: Iterator[list[Batch]]) -> Iterator[list[Batch]]:
    """Yield *groups*, each made while the decoder works on the one before."""
    with ThreadPoolExecutor(1) as maker:
        following = maker.submit(next, groups, None)
        while (group := following.result()) is not None:
            following = maker.submit(next, groups, None)
            yield group


def _grouped(batches: Iterable[Batch]) -> Iterator[list[Batch]]:
    """Yield *batches* in groups of about a mebibyte: a round trip costs as much as thousands of short cases."""
    group: list[Batch] = []
    size = 0
    for batch in batches:
        if group and size + len(batch.frames) > GROUP:
            yield group
            group, size = [], 0
        group.append(batch)
        size += len(batch.frames)
    if group:
        yield group


def _joined(windows: list[Window]) -> Window:
    return Window(
        b"".join(window.frames for window in windows),
        sum(window.count for window in windows),
        tuple(size for window in windows for size in window.chunks),
        b"".join(window.expected for window in windows) if all(window.expected for window in windows) else b"",
    )
