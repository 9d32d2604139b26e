"""Mode i: the steps that an incremental decoder is asked to take for a case, and what is wrong with its answers.

A case is fed three times. First to the end, and one letter after the end, for a decoder may then refuse or begin anew.
Then a reset, and the case in one piece without an end; then another reset, and the case in its pieces to its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.driving.protocol import FINISH, RESET, Step
from utf8_abnf.conformance.harness.formats.phrases import cut_into, hexed
from utf8_abnf.conformance.harness.standard import promised
from utf8_abnf.conformance.suite.framing import frame

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from utf8_abnf.conformance.suite import Case

AFTER = b"A"  # what is fed after the end
BOM = b"\xef\xbb\xbf"
LATE = (b"m", b"0")  # it asks for more before it says no: a convention, as in mode s
SAYS = {b"1": "called the text complete", b"m": "asked for more"}
KEPT = {True: "kept", False: "removed"}
IS = {b"0": "it is wrong", b"1": "no character is cut", b"m": "a character is cut"}


def steps_of(chunks: Sequence[int]) -> tuple[int, ...]:
    """Return the steps that a case in these *chunks* takes: two for each chunk, and six."""
    return (*chunks, FINISH, len(AFTER), RESET, sum(chunks), RESET, *chunks, FINISH)


def frame_of(data: bytes, chunks: Sequence[int]) -> bytes:
    """Return the frame of mode i for *data* in *chunks*."""
    return frame(data + AFTER + data + data, steps_of(chunks))


class _Truth(NamedTuple):
    """What is right: the state after each chunk, the text before the first error, and between what offsets that is."""

    states: tuple[bytes, ...]
    good: bytes
    start: int | None
    offending: int


def wrong_in_steps(case: Case, answer: Sequence[Step]) -> str:
    """Return what is wrong with the *answer* to *case* in mode i, "" if nothing is."""
    chunks = case.chunks or (len(case.data),)
    count = len(chunks)
    truth = _truth_of(case, chunks)
    first, after, reset = answer[: count + 1], answer[count + 1], answer[count + 2]
    second, again, third = answer[count + 3 : count + 4], answer[count + 4], answer[count + 5 :]
    cut = f"{cut_into(chunks)}: "
    if why := _wrong_pass(case, truth, first) or _wrong_after_the_end(after):
        return cut + why
    if b"u" in (reset.state, again.state):
        return ""
    if why := _wrong_pass(case, _truth_of(case, (len(case.data),)), second):
        return f"after a reset, in one piece, {why}"
    if why := _wrong_pass(case, truth, third):
        return f"{cut}after a second reset {why}"
    texts = [b"".join(step.text or b"" for step in each) for each in (first, second)]
    keeps = [text.startswith(BOM) for text in texts]
    is_treated_alike = keeps[0] is keeps[1] or not all(texts)
    return "" if is_treated_alike else f"{cut}the BOM is {KEPT[keeps[0]]}; in one piece it is {KEPT[keeps[1]]}"


def told(answers: Iterable[object]) -> str:
    """Return in words what a decoder tells in mode i, by its *answers*."""
    given = [answer for answer in answers if isinstance(answer, tuple)]
    steps = [step for answer in given for step in answer]
    facts = (
        ("whether more is needed", any(step.state == b"m" for step in steps)),
        ("its text", any(step.text for step in steps)),
        ("the offset of an error", any(step.offset is not None for step in steps)),
    )
    tells = ", ".join(name for name, is_told in facts if is_told) or "the verdict alone"
    takes_no_reset = any(answer[(len(answer) - 6) // 2 + 2].state == b"u" for answer in given)
    return f"it tells {tells}" + ", and takes no reset" * takes_no_reset


def _wrong_after_the_end(answer: Step) -> str:
    if answer.state == b"m":
        return "a letter that was fed after the end waits for more"
    if answer.state in b"1?" and answer.text not in (None, b"", AFTER):
        return f"the letter A, fed after the end, gave {hexed(answer.text or b'')}"
    return ""


def _wrong_pass(case: Case, truth: _Truth, answer: Sequence[Step]) -> str:
    """Return what is wrong with the answers to one pass: a step for each chunk, and one for the end if it is there."""
    return next(filter(None, (*_wrong_states(case, truth, answer), *_wrong_offsets(truth, answer))), "") or _wrong_text(
        case, truth, answer, has_ended=len(answer) > len(truth.states)
    )


def _wrong_states(case: Case, truth: _Truth, answer: Sequence[Step]) -> Iterator[str]:
    refused = 0
    for number, (step, right) in enumerate(zip(answer, truth.states, strict=False), 1):
        if refused and step.state != b"0":
            yield f"chunk {refused} was refused, and chunk {number} was not"
        if step.state == b"0":
            refused = refused or number
            if right != b"0":
                yield f"chunk {number} was refused too early"
        elif step.state == b"u":
            yield f"chunk {number} was not taken"
        elif step.state not in (b"?", right) and (step.state, right) != LATE:
            yield f"after chunk {number} it {SAYS[step.state]}, but {IS[right]}"
    for end in answer[len(truth.states) :]:
        if end.state != (b"1" if case.accept else b"0"):
            yield f"the end said {end.state.decode()}, which is wrong"


def _wrong_offsets(truth: _Truth, answer: Sequence[Step]) -> Iterator[str]:
    for step in answer:
        if step.offset is not None and truth.start is None:
            yield f"it told an error at offset {step.offset}, but there is none"
        elif step.offset is not None and not (truth.start or 0) <= step.offset <= truth.offending:
            yield f"the error is at offset {truth.start}, but it told {step.offset}"


def _wrong_text(case: Case, truth: _Truth, answer: Sequence[Step], *, has_ended: bool) -> str:
    """Say what is wrong with the text that was given out; after an error more may come, for a decoder may replace."""
    told = [step.text for step in answer if step.text is not None]
    text = b"".join(told)
    if not text and all(step.text is None for step in answer[: len(truth.states)]):
        return ""  # it gives out no text, and ends with an empty one
    for good in {truth.good, truth.good.removeprefix(BOM)}:
        if case.accept and has_ended:
            is_right = text == good
        else:
            is_right = good.startswith(text) or (not case.accept and text.startswith(good))
        if is_right:
            return ""
    return f"expected the text {hexed(truth.good)}, got {hexed(text)}" if told else ""


def _truth_of(case: Case, chunks: Sequence[int]) -> _Truth:
    error = case.error
    start = len(case.data) if error is None else error.start
    certain = len(case.data) if error is None or error.truncated else error.offending
    states = []
    end = 0
    for size in chunks:
        end += size
        is_cut = end > start or ends_within_a_character(case.data[max(0, end - 4) : end])
        states.append(b"0" if end > certain else b"m" if is_cut else b"1")
    where = (None, 0) if error is None else (start, error.offending)
    return _Truth(tuple(states), case.data[:start], *where)


def ends_within_a_character(tail: bytes) -> bool:
    """Tell whether *tail*, the end of well-formed text, ends before its last character does."""
    for back, byte in enumerate(reversed(tail), 1):
        if not 0x80 <= byte <= 0xBF:  # RFC 3629 section 4: UTF8-tail = %x80-BF
            return promised(byte) > back
    return False
