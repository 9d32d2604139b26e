"""Conventions: how a decoder tells offsets, replaces and streams, found out from its first answers.

Standards leave these free, so any convention passes, and the report names it. A decoder that follows a convention in
most of its answers is held to it in all of them. Where it follows none, what holds under every convention is judged,
and the report says what was not. Answers in, one ``Convention`` for each mode out; nothing here asks a decoder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.answers.incremental import (
    is_replacing,
    last_text,
    strips_a_bom,
    told,
    wrong_in_steps,
)
from utf8_abnf.conformance.harness.answers.wrong import (
    ILL_FORMED_TEXT,
    IN_PIECES,
    LENGTH,
    MARK_MISSING,
    MARKS,
    NO_PLACE,
    NOT_TEXT,
    OFFSET,
    OTHER_MARK,
    REFUSED,
    SWALLOWED,
    TEXT_LOST,
    VERDICT,
    Wrong,
)
from utf8_abnf.conformance.harness.driving.protocol import UNREADABLE
from utf8_abnf.conformance.harness.phrases import cut_into
from utf8_abnf.conformance.harness.replacing import (
    RULES,
    broken,
    common_size,
    end_of_run,
    is_marked,
    mark_of,
    policy_of,
)
from utf8_abnf.conformance.harness.report import POSITION, REPLACEMENT, STREAMING
from utf8_abnf.conformance.harness.standard import first_piece
from utf8_abnf.conformance.suite.plan import plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.conformance.harness.replacing import Policy
    from utf8_abnf.conformance.suite import Case
    from utf8_abnf.validator.ill_formed import IllFormed

Answer = Any
# The data, the suite's own answer, the decoder's answer; and what returns the case, which takes long.
Judge = Callable[[bytes, Answer, Answer, Callable[[], "Case"]], Wrong | None]
AreRight = Callable[["Sequence[bytes]", "Sequence[Answer]", "Sequence[Answer]"], bool]  # the first three, for many
Sample = list[tuple["Case", Answer]]

MAX_SHOWN = 40  # bytes of a text in a message
WRONG_VERDICT = "the verdict itself is wrong"
NO_OFFSET = "what it told cannot be an offset and a length"
NO_TEXT = "what it gave is not text"
FAULTS = dict(zip(RULES, (TEXT_LOST, TEXT_LOST, MARK_MISSING, ILL_FORMED_TEXT, OTHER_MARK), strict=True))


@dataclass(frozen=True, slots=True)
class Convention:
    """How a decoder answers in one mode. *kind* is that of a deviation from it, *note* says it in words.

    *wrong* returns what is wrong with an answer, None if it is right.
    *is_of_suite*: it is the suite's own, so that whole answers can be compared with the suite's. *not_judged*
    says what cannot be judged, "" where everything is. *are_right* tells in one go, and sooner, that nothing is wrong
    with many answers; where it is False they have to be looked at one by one. *policy* is that of the texts, None where
    none is known.
    """

    kind: str
    note: str
    wrong: Judge
    is_of_suite: bool = False
    not_judged: str = ""
    are_right: AreRight = lambda *_: False
    policy: Policy | None = None


def convention_of(mode: str, sample: Sample, texts: Convention | None = None) -> Convention:
    """Return the convention that the answers of *sample*, given in *mode*, follow best.

    *texts* is the convention of mode r, if that is known: in mode i a decoder that replaces is held to it as well.
    """
    if mode == "i":
        return _incremental(sample, texts)
    return {"p": _positions, "r": _replacement, "s": _streaming}[mode](sample)


# -- positions --------------------------------------------------------------------------------------------------------

Rule = Callable[[bytes, tuple[int, int]], int]  # from data, and the right offset and length, to a decoder's number
SHIFTS = (0, 1)  # offsets that are counted from 1 are held to the rule as well, so that all of them are wrong
MAX_LENGTH = 255  # that an answer in mode p can tell
OFFSETS: dict[str, Rule] = {
    "the start of the ill-formed sequence": lambda _, right: right[0],
    "the byte that cannot be right": lambda data, right: _offending(data, right),
}
LENGTHS: dict[str, Rule] = {
    "the maximal subpart's": lambda _, right: right[1],
    "always one byte": lambda *_: 1,
    "not told": lambda *_: 0,
    "that of the sequence that the first byte promises": lambda data, right: len(first_piece(data, right[0])),
    "that of all ill-formed bytes up to the next character": lambda data, right: end_of_run(data, right[0]) - right[0],
}
NO_RULE = "not judged: it follows no known rule"


def _offending(data: bytes, right: tuple[int, int]) -> int:
    """Return the offset of the first byte that cannot be right; the end of *data* where that cuts the sequence."""
    return right[0] if data[right[0]] in _begin_nothing() else right[0] + right[1]


@cache
def _begin_nothing() -> frozenset[int]:
    """Return the bytes with which no character begins."""
    automaton = plan().automaton
    return frozenset(byte for byte in range(256) if automaton.step(automaton.start, byte) in automaton.dead)


def _wrong_place(data: bytes, right: Answer, answer: Answer, *, offset: str, length: str) -> Wrong | None:
    """Return what is wrong with *answer*; "" for *offset* or *length* stands for no rule.

    Under every rule an error lies within its fault, which reaches to the next well-formed character.
    """
    if right is None or answer is None:
        return None if right == answer else Wrong(VERDICT, WRONG_VERDICT)
    if answer == UNREADABLE:
        return Wrong(NO_PLACE, NO_OFFSET)
    start, size = answer
    if offset:
        expected = OFFSETS[offset](data, right)
        if start != expected:
            return Wrong(OFFSET, f"expected offset {expected}, got {start}")
    else:
        last = max(_offending(data, right), right[0] + len(first_piece(data, right[0])) - 1)
        if not right[0] <= start <= last:
            return Wrong(OFFSET, f"the offset must lie within the fault, {right[0]} to {last}, got {start}")
    if length:
        expected = min(LENGTHS[length](data, right), MAX_LENGTH)
        return None if size == expected else Wrong(LENGTH, f"expected length {expected}, got {size}")
    most = min(max(1, end_of_run(data, right[0]) - start), MAX_LENGTH)
    return None if size <= most else Wrong(LENGTH, f"the error must lie within the fault, {most} at most, got {size}")


def _are_places(
    inputs: Sequence[bytes], right: Sequence[Answer], answers: Sequence[Answer], offset: Rule, length: Rule
) -> bool:
    pairs = zip(inputs, right, strict=False)
    return answers == [place and (offset(data, place), min(length(data, place), MAX_LENGTH)) for data, place in pairs]


def _positions(sample: Sample) -> Convention:
    told = [(case.data, case.error, answer) for case, answer in sample if case.error and isinstance(answer, tuple)]
    by_shift = [[(data, error, answer[0] - shift) for data, error, answer in told] for shift in SHIFTS]
    offset = _rule(OFFSETS, max(by_shift, key=lambda some: max(_count_fits(rule, some) for rule in OFFSETS.values())))
    length = _rule(LENGTHS, [(data, error, answer[1]) for data, error, answer in told])
    not_judged = [name for name, rule in (("offsets", offset), ("lengths of errors", length)) if not rule]
    note = f"offsets: {offset or NO_RULE + ', but lies within the fault'}; length: {length or NO_RULE}"
    return Convention(
        POSITION,
        note,
        lambda data, right, answer, _: _wrong_place(data, right, answer, offset=offset, length=length),
        is_of_suite=offset == next(iter(OFFSETS)) and length == next(iter(LENGTHS)),
        not_judged=f"{' and '.join(not_judged)} not judged: no one rule fits" if not_judged else "",
        are_right=lambda inputs, right, answers: (
            bool(offset and length) and _are_places(inputs, right, answers, OFFSETS[offset], LENGTHS[length])
        ),
    )


def _rule(rules: dict[str, Rule], answers: Sequence[tuple[bytes, IllFormed, int]]) -> str:
    """Return the first of *rules* that most *answers* follow, "" where most follow none; without answers the first.

    Those about cut ends count last: some decoders treat the end of the input in a way of its own.
    """
    inside = [answer for answer in answers if not answer[1].truncated] or answers
    fits = {name: (_count_fits(rule, inside), _count_fits(rule, answers)) for name, rule in rules.items()}
    best = max(fits, key=lambda name: fits[name])
    is_usual = any(count * 2 > len(some) for count, some in zip(fits[best], (inside, answers), strict=True))
    return best if is_usual or not answers else ""


def _count_fits(rule: Rule, answers: Sequence[tuple[bytes, IllFormed, int]]) -> int:
    return sum(rule(data, (error.start, error.length)) == told for data, error, told in answers)


# -- replacement ------------------------------------------------------------------------------------------------------


def _replacement(sample: Sample) -> Convention:
    texts = [(case.data, written(answer)) for case, answer in sample]
    policy, fits, errors = policy_of(texts)
    if fits * 2 > errors or not errors:
        count = sum(policy.text(data) == text for data, text in texts)
        return Convention(
            REPLACEMENT,
            f"replacement: {policy.note}" + f", in {count:,} of {len(texts):,} samples" * (count < len(texts)),
            policy=policy,
            wrong=lambda data, _, answer, __: _wrong_text(data, policy, answer),
            is_of_suite=policy.is_of_suite,
            are_right=lambda inputs, right, answers: (
                right == answers if policy.is_of_suite else _are_texts(policy, inputs, answers)
            ),
        )
    mark = mark_of(texts)
    mark = mark if sum(is_marked(data, text, mark) for data, text in texts) * 2 > len(texts) else b""
    share = f"nearest is {policy.note!r}, {fits:,} of {errors:,} samples" if fits else "nothing fits"
    return Convention(
        REPLACEMENT,
        f"replacement: no policy that we know ({share}); judged is what holds under every policy",
        lambda data, _, answer, __: _breaks_a_rule(data, answer, mark, strips_bom=policy.strips_bom),
        not_judged="replacement not judged: no one policy fits",
    )


def _breaks_a_rule(data: bytes, answer: Answer, mark: bytes, *, strips_bom: bool) -> Wrong | None:
    if answer == UNREADABLE:
        return Wrong(NOT_TEXT, NO_TEXT)
    rule = broken(data, written(answer), mark=mark, strips_bom=strips_bom)
    return Wrong(FAULTS[rule], rule) if rule else None


def _are_texts(policy: Policy, inputs: Sequence[bytes], answers: Sequence[Answer]) -> bool:
    if not all(isinstance(answer, str) for answer in answers):
        return False
    return policy.are_texts((written(answer) or b"" for answer in answers), inputs)


def written(answer: Answer) -> bytes | None:
    """Return the bytes that a decoder wrote, well-formed or not; None where it refused."""
    return answer.encode("utf-8", "surrogateescape") if isinstance(answer, str) else None


def _wrong_text(data: bytes, policy: Policy, answer: Answer) -> Wrong | None:
    if answer == UNREADABLE:
        return Wrong(NOT_TEXT, NO_TEXT)
    expected, text = policy.text(data), written(answer)
    if text == expected:
        return None
    rule = broken(data, text, mark=policy.mark, strips_bom=policy.strips_bom)
    fault = FAULTS[rule] if rule else MARKS if text is not None and expected is not None else REFUSED
    if fault == TEXT_LOST and text is not None and policy.swallows(data, text):
        fault = SWALLOWED
    start = common_size(expected or b"", text or b"")
    return Wrong(fault, f"{rule + ': ' if rule else ''}expected {_shown(expected, start)}, got {_shown(text, start)}")


def _shown(text: bytes | None, differs: int) -> str:
    """Return *text* for a message: of a long one what lies around the byte *differs*, and where that is."""
    if text is None:
        return "a refusal"
    if len(text) <= MAX_SHOWN:
        return ascii(_as_text(text))
    start, end = _whole(text, max(0, differs - MAX_SHOWN // 4)), _whole(text, differs + MAX_SHOWN)
    return f"{_as_text(text[start:end])!a} from byte {start:,} of {len(text):,} on"


def _as_text(text: bytes) -> str:
    """Return *text* as a str: a surrogate in it as that, and any other ill-formed byte as a surrogate."""
    try:
        return text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return text.decode("utf-8", "surrogateescape")


def _whole(text: bytes, at: int) -> int:
    """Return the last offset up to *at* where no character of *text* is cut."""
    backwards = range(at, max(0, at - 4), -1)
    return next((place for place in backwards if not b"\x80" <= text[place : place + 1] <= b"\xbf"), at)


# -- streaming --------------------------------------------------------------------------------------------------------


def _streaming(sample: Sample) -> Convention:
    late = [case.id for case, answer in sample if not wrong_stream(case, answer) and _is_late(case, answer)]
    when = (
        f"later than possible ({late[0]}, for one)" if late else "in the chunk that holds the byte that cannot be right"
    )
    return Convention(
        STREAMING, f"streaming: errors are told {when}", lambda _, __, answer, case: wrong_stream(case(), answer)
    )


def _incremental(sample: Sample, texts: Convention | None) -> Convention:
    """Return the convention of mode i; one that is seen to replace is judged by its text, as in mode r."""
    answers = [(case, answer) for case, answer in sample if isinstance(answer, tuple)]
    note = f"incremental: {told([answer for _, answer in answers])}"
    strips = strips_a_bom(answers)
    policy = None
    if replaces := is_replacing(answers):
        policy = texts.policy if texts else None
        if policy is None:
            nearest, fits, errors = policy_of([(case.data, last_text(answer)) for case, answer in answers])
            policy = nearest if fits * 2 > errors else None
        note += f", and replaces: {policy.note if policy else 'no policy that we know'}"

    def wrong(_data: bytes, _right: Answer, answer: Answer, case: Callable[[], Case]) -> Wrong | None:
        return wrong_in_steps(case(), answer, policy, replaces=replaces, strips_bom=strips)

    return Convention(STREAMING, note, wrong)


def wrong_stream(case: Case, answer: Answer) -> Wrong | None:
    """Return what is wrong with a stream's *answer* to *case*, in mode s, None if it is right."""
    chunks = case.chunks or (len(case.data),)
    said = ""
    certain, refused = _chunk_of_error(case), answer.find(b"0", 0, len(chunks))
    if answer[-1:] != (b"1" if case.accept else b"0"):
        said = f"the end said {answer[-1:].decode()}, which is wrong"
    elif refused >= 0 and (certain is None or refused < certain):
        said = f"chunk {refused + 1} was refused too early"
    elif refused >= 0 and answer[refused:].strip(b"0"):
        said = f"chunk {refused + 1} was refused, and what came later was not"
    return Wrong(IN_PIECES, f"{cut_into(chunks)}: {said}") if said else None


def _is_late(case: Case, answer: Answer) -> bool:
    certain = _chunk_of_error(case)
    return certain is not None and answer[certain : certain + 1] != b"0"


def _chunk_of_error(case: Case) -> int | None:
    """Return the index of the chunk that shows that the data are ill-formed; None where only the end can show it."""
    if case.error is None or case.error.truncated:
        return None
    ends = accumulate(case.chunks or (len(case.data),))
    return next((index for index, end in enumerate(ends) if case.error.offending < end), None)
