"""Mode i: the steps that an incremental decoder is asked to take for a case, and what is wrong with its answers.

A case is fed three times. First to the end, and one letter after the end, for a decoder may then refuse or begin anew.
Then a reset, and the case in one piece without an end; then another reset, and the case in its pieces to its end.

A decoder that replaces never says that the data are wrong: its text does, and its text is judged as a whole.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.answers.wrong import AFTER_END, AFTER_RESET, IN_PIECES, MORE, STREAM_OFFSET, Wrong
from utf8_abnf.conformance.harness.driving.protocol import AFTER, BOM, Step
from utf8_abnf.conformance.harness.phrases import cut_into, hexed
from utf8_abnf.conformance.harness.replacing import broken
from utf8_abnf.conformance.harness.standard import promised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from utf8_abnf.conformance.harness.replacing import Policy
    from utf8_abnf.conformance.suite import Case

LATE = (b"m", b"0")  # it asks for more before it says no: a convention, as in mode s
SAYS = {b"1": "called the text complete", b"m": "asked for more"}
IS = {b"0": "it is wrong", b"1": "no character is cut", b"m": "a character is cut"}


def _count(answer: Sequence[Step]) -> int:
    """Return the number of chunks of the case that has this *answer*."""
    return (len(answer) - 6) // 2


class _Truth(NamedTuple):
    """What is right: the state after each chunk, the text before the first error, and between what offsets that is."""

    states: tuple[bytes, ...]
    good: bytes
    start: int | None
    offending: int


def wrong_in_steps(
    case: Case,
    answer: Sequence[Step],
    policy: Policy | None = None,
    *,
    replaces: bool = False,
    strips_bom: bool | None = None,
) -> Wrong | None:
    """Return what is wrong with the *answer* to *case* in mode i, None if nothing is.

    *replaces*: the decoder never refuses; *policy* is that of its texts, None where no known one is. *strips_bom* tells
    whether it leaves out a BOM at the start, None where that is not known.
    """
    chunks = case.chunks or (len(case.data),)
    count = len(chunks)
    truth = _truth_of(case, chunks)
    first, after, reset = answer[: count + 1], answer[count + 1], answer[count + 2]
    second, again, third = answer[count + 3 : count + 4], answer[count + 4], answer[count + 5 :]
    whole = _truth_of(case, (len(case.data),))
    takes_resets = b"u" not in (reset.state, again.state)
    cut = f"{cut_into(chunks)}: "
    passes = (
        (truth, first, ""), (whole, second, "after a reset, in one piece, "), (truth, third, "after a second reset "),
    )  # fmt: skip
    for right, steps, when in passes:
        if (takes_resets or not when) and (
            found := _wrong_pass(case, right, steps, policy, replaces=replaces, strips_bom=strips_bom)
        ) is not None:
            return Wrong(AFTER_RESET if when else found.fault, f"{cut}{when}{found.why}")
        if not when and (why := _wrong_after_the_end(after)):
            return Wrong(AFTER_END, cut + why)
    return None


def told(answers: Sequence[Sequence[Step]]) -> str:
    """Return in words what a decoder tells in mode i, by its *answers*."""
    steps = [step for answer in answers for step in answer]
    facts = (
        ("whether more is needed", any(step.state == b"m" for step in steps)),
        ("its text", any(step.text for step in steps)),
        ("the offset of an error", any(step.offset is not None for step in steps)),
    )
    tells = ", ".join(name for name, is_told in facts if is_told) or "the verdict alone"
    takes_no_reset = any(answer[_count(answer) + 2].state == b"u" for answer in answers)
    return f"it tells {tells}" + ", and takes no reset" * takes_no_reset


def last_text(answer: Sequence[Step]) -> bytes:
    """Return the text that the first pass of *answer* gave out, to its end."""
    return b"".join(step.text or b"" for step in answer[: _count(answer) + 1])


def strips_a_bom(answers: Sequence[tuple[Case, Sequence[Step]]]) -> bool | None:
    """Tell whether a decoder with these *answers* leaves out a BOM at the start of what comes in one piece.

    None where it gives out no text of such a case.
    """
    of_bom = [
        (case.data, last_text(answer))
        for case, answer in answers
        if case.accept and case.data.startswith(BOM) and _count(answer) == 1
    ]
    given = [text != data for data, text in of_bom if text]
    return sum(given) * 2 > len(given) if given else None


def is_replacing(answers: Sequence[tuple[Case, Sequence[Step]]]) -> bool:
    """Tell whether a decoder with these *answers* never refuses, and gives out something else for what is ill-formed.

    A verdict at the end may say that there was something else.
    """
    wrong = [(case, answer) for case, answer in answers if not case.accept]
    refuses = any(step.state == b"0" for _, answer in wrong for step in answer[: _count(answer)])
    marks = [case for case, answer in wrong if last_text(answer) not in (b"", case.data, case.data[: _start(case)])]
    return bool(wrong) and not refuses and 2 * len(marks) > len(wrong)


def _start(case: Case) -> int:
    return case.error.start if case.error else len(case.data)


def _wrong_after_the_end(answer: Step) -> str:
    if answer.state == b"m":
        return "a letter that was fed after the end waits for more"
    if answer.state in b"1?" and answer.text not in (None, b"", AFTER):
        return f"the letter A, fed after the end, gave {hexed(answer.text or b'')}"
    return ""


def _wrong_pass(
    case: Case,
    truth: _Truth,
    answer: Sequence[Step],
    policy: Policy | None,
    *,
    replaces: bool,
    strips_bom: bool | None,
) -> Wrong | None:
    """Return what is wrong with the answers to one pass: a step for each chunk, and one for the end if it is there."""
    has_ended = len(answer) > len(truth.states)
    if replaces:
        states = _wrong_states(truth, answer if case.accept else ())
        why = _wrong_replaced(case, answer, policy, has_ended=has_ended, strips_bom=strips_bom)
        return next(states, None) or (Wrong(IN_PIECES, why) if why else None)
    states = _wrong_states(truth, answer)
    end = answer[-1].state if has_ended else b""
    if end and end != (b"1" if case.accept else b"0"):
        return next(states, Wrong(IN_PIECES, f"the end said {end.decode()}, which is wrong"))
    why = _wrong_text(case, truth, answer, has_ended=has_ended, strips_bom=strips_bom)
    return next(states, None) or next(_wrong_offsets(truth, answer), None) or (Wrong(IN_PIECES, why) if why else None)


def _wrong_states(truth: _Truth, answer: Sequence[Step]) -> Iterator[Wrong]:
    refused = 0
    for number, (step, right) in enumerate(zip(answer, truth.states, strict=False), 1):
        if refused and step.state != b"0":
            yield Wrong(IN_PIECES, f"chunk {refused} was refused, and chunk {number} was not")
        if step.state == b"0":
            refused = refused or number
            if right != b"0":
                yield Wrong(IN_PIECES, f"chunk {number} was refused too early")
        elif step.state == b"u":
            yield Wrong(IN_PIECES, f"chunk {number} was not taken")
        elif step.state not in (b"?", right) and (step.state, right) != LATE:
            yield Wrong(MORE, f"after chunk {number} it {SAYS[step.state]}, but {IS[right]}")


def _wrong_offsets(truth: _Truth, answer: Sequence[Step]) -> Iterator[Wrong]:
    for step in answer:
        if step.offset is not None and truth.start is None:
            yield Wrong(STREAM_OFFSET, f"it told an error at offset {step.offset}, but there is none")
        elif step.offset is not None and not (truth.start or 0) <= step.offset <= truth.offending:
            yield Wrong(STREAM_OFFSET, f"the error is at offset {truth.start}, but it told {step.offset}")


def _with_its_bom(text: bytes, *, strips_bom: bool | None) -> list[bytes]:
    """Return what may become of *text*: it, or what is behind its BOM, by what the decoder does in one piece."""
    return [text] * (not strips_bom) + [text.removeprefix(BOM)] * (strips_bom is not False)


def _wrong_text(case: Case, truth: _Truth, answer: Sequence[Step], *, has_ended: bool, strips_bom: bool | None) -> str:
    """Say what is wrong with the text that was given out; after an error more may come, for a decoder may replace."""
    text = b"".join(step.text or b"" for step in answer)
    if not text and all(step.text is None for step in answer[: len(truth.states)]):
        return ""  # it gives out no text, and ends with an empty one
    rights = _with_its_bom(truth.good, strips_bom=strips_bom)
    for good in rights:
        if case.accept and has_ended:
            is_right = text == good
        else:
            is_right = good.startswith(text) or (not case.accept and text.startswith(good))
        if is_right:
            return ""
    return f"expected {_shown(rights[0])}, got {_shown(text)}"


def _wrong_replaced(
    case: Case, answer: Sequence[Step], policy: Policy | None, *, has_ended: bool, strips_bom: bool | None
) -> str:
    """Say what is wrong with the text of a decoder that replaces by *policy*, or by a way that we do not know."""
    text = b"".join(step.text or b"" for step in answer)
    if policy is None:
        rules = [broken(case.data, text, strips_bom=strips) for strips in (False, True)] if has_ended else [""]
        return f"{rules[0]}: got {hexed(text)}" if all(rules) else ""
    expected = policy.text(case.data) or b""
    rights = _with_its_bom(expected, strips_bom=strips_bom)
    if any(text == right if has_ended else right.startswith(text) for right in rights):
        return ""
    return f"expected {_shown(rights[0])}, got {_shown(text)}"


def _shown(text: bytes) -> str:
    return f"the text {hexed(text)}" if text else "no text"


def _truth_of(case: Case, chunks: Sequence[int]) -> _Truth:
    error = case.error
    start = _start(case)
    certain = len(case.data) if error is None or error.truncated else error.offending
    states = []
    for end in accumulate(chunks):
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
