"""Conventions: how a decoder tells offsets, replaces and streams, found out from its first answers.

Standards leave these free, so any convention passes, and the report names it. What follows no convention, or not always
the same one, is a deviation. Answers in, one ``Convention`` for each mode out; nothing here asks a decoder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.harness.incremental import told, wrong_in_steps
from utf8_abnf.harness.report import POSITION, REPLACEMENT, STREAMING
from utf8_abnf.harness.standard import cut_utf8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.suite import Case

Answer = object
Judge = Callable[["Case", Answer], str]
Sample = list[tuple["Case", Answer]]


@dataclass(frozen=True, slots=True)
class Convention:
    """How a decoder answers in one mode. *kind* is that of a deviation from it, *note* says it in words.

    *wrong* returns what is wrong with an answer to a case, "" if it is right. *is_of_suite*: it is the suite's own, so
    that whole answers can be compared with the suite's.
    """

    kind: str
    note: str
    wrong: Judge
    is_of_suite: bool = False


def convention_of(mode: str, sample: Sample) -> Convention:
    """Return the convention that the answers of *sample*, given in *mode* p, r, s or i, follow best."""
    return {"p": _positions, "r": _replacement, "s": _streaming, "i": _incremental}[mode](sample)


# -- positions --------------------------------------------------------------------------------------------------------


def _wrong_position(case: Case, answer: Answer, *, offending: bool, length: str) -> str:
    error = case.error
    if error is None or answer is None:
        return "" if (error is None) is (answer is None) else "the verdict itself is wrong"
    assert isinstance(answer, tuple)
    offset = error.offending if offending else error.start
    size = error.length if length == "subpart" else 1 if length == "one byte" else int(answer[1])
    if answer == (offset, min(size, 255)):
        return ""
    return f"expected offset {offset} and length {size}, got offset {answer[0]} and length {answer[1]}"


def _position_judge(*, offending: bool, length: str) -> Judge:
    return lambda case, answer: _wrong_position(case, answer, offending=offending, length=length)


def _positions(sample: Sample) -> Convention:
    errors = [(case, answer) for case, answer in sample if case.error is not None and isinstance(answer, tuple)]
    choices = [(offending, length) for length in ("subpart", "one byte", "any") for offending in (False, True)]
    judges = {(offending, length): _position_judge(offending=offending, length=length) for offending, length in choices}
    offending, length = max(choices, key=lambda choice: _count_right(errors, judges[choice])) if errors else choices[0]
    judge = judges[offending, length]
    if (offending, length) == choices[0]:
        note = "offsets: the start of the ill-formed sequence, and the length of its maximal subpart"
        return Convention(POSITION, note, judge, is_of_suite=True)
    where = "the byte that cannot be right" if offending else "the start of the ill-formed sequence"
    lengths_told = any(answer[1] for _, answer in errors)
    size = {
        "subpart": "the maximal subpart's",
        "one byte": "always one byte",
        "any": "not judged: it follows no known rule" if lengths_told else "not told",
    }[length]
    return Convention(POSITION, f"offsets: {where}; length: {size}", judge)


def _count_right(sample: Sequence[tuple[Case, Answer]], judge: Judge) -> int:
    return sum(not judge(case, answer) for case, answer in sample)


# -- replacement ------------------------------------------------------------------------------------------------------

SHARE_OF_UNICODE = 0.9  # of a sample that follow Unicode's practice: then the rest are faults, not another policy


def _by_piece(replace: Callable[[bytes], str]) -> Callable[[Case], str]:
    return lambda case: "".join(piece.decode() if good else replace(piece) for piece, good in cut_utf8(case.data))


def _one_for_a_run(case: Case) -> str:
    """Return the data with one U+FFFD for each run of ill-formed bytes, however long."""
    text = ""
    before = True
    for piece, good in cut_utf8(case.data):
        text += piece.decode() if good else "\ufffd" if before else ""
        before = good
    return text


UNICODE_PRACTICE = "U+FFFD for each maximal subpart (Unicode 3.9, WHATWG)"
POLICIES: dict[str, Callable[[Case], str | None]] = {
    UNICODE_PRACTICE: lambda case: case.replacement,
    "rejects, does not replace": lambda case: case.replacement if case.accept else None,
    "one U+FFFD for a whole run of ill-formed bytes": _one_for_a_run,
    "one U+FFFD for each byte": _by_piece(lambda piece: "\ufffd" * len(piece)),
    "one U+FFFD for each sequence that its first byte promises": _by_piece(lambda piece: "\ufffd"),
    "ill-formed bytes left out": _by_piece(lambda piece: ""),
    "one '?' for each byte": _by_piece(lambda piece: "?" * len(piece)),
    "each byte as Latin-1": _by_piece(lambda piece: piece.decode("latin-1")),
    "U+FFFD for each maximal subpart, but one for a whole surrogate": _by_piece(
        lambda piece: "\ufffd" if piece[0] == 0xED and piece[1:2] >= b"\xa0" else piece.decode("utf-8", "replace")
    ),
}


def _text_judge(policy: Callable[[Case], str | None]) -> Judge:
    def wrong(case: Case, answer: Answer) -> str:
        expected = policy(case)
        if answer == expected or _lacks_mark(answer, expected):
            return ""
        return f"expected {expected!a}, got {answer!a}"

    return wrong


def _lacks_mark(answer: Answer, expected: str | None) -> bool:
    """Whether *answer* is *expected* without the byte order mark: RFC 3629 section 6 leaves that to the protocol."""
    return isinstance(answer, str) and f"\ufeff{answer}" == expected


def _replacement(sample: Sample) -> Convention:
    errors = [(case, answer) for case, answer in sample if not case.accept]
    fits = {name: _count_right(errors, _text_judge(policy)) for name, policy in POLICIES.items()}
    best = max(fits, key=lambda name: fits[name])
    judge = _text_judge(POLICIES[best])
    lacking = any(_lacks_mark(answer, POLICIES[best](case)) for case, answer in sample)
    mark = "; a byte order mark is left out" if lacking else ""
    if best == UNICODE_PRACTICE and fits[best] >= SHARE_OF_UNICODE * len(errors):
        return Convention(REPLACEMENT, f"replacement: {best}{mark}", judge, is_of_suite=True)
    if fits[best] == len(errors):
        return Convention(REPLACEMENT, f"replacement: {best}{mark}", judge)
    share = f"nearest is {best!r}, {fits[best]:,} of {len(errors):,} samples" if fits[best] else "nothing fits"
    note = f"replacement: no policy that we know ({share}){mark}; only well-formed text is judged"
    of_text = _text_judge(POLICIES[UNICODE_PRACTICE])
    return Convention(REPLACEMENT, note, lambda case, answer: of_text(case, answer) if case.accept else "")


# -- streaming --------------------------------------------------------------------------------------------------------


def _streaming(sample: Sample) -> Convention:
    late = [case.id for case, answer in sample if not _wrong_stream(case, answer) and _is_late(case, answer)]
    when = (
        f"later than possible ({late[0]}, for one)" if late else "in the chunk that holds the byte that cannot be right"
    )
    return Convention(STREAMING, f"streaming: errors are told {when}", _wrong_stream)


def _incremental(sample: Sample) -> Convention:
    return Convention(STREAMING, f"incremental: {told(answer for _, answer in sample)}", _wrong_incremental)


def _wrong_incremental(case: Case, answer: Answer) -> str:
    assert isinstance(answer, tuple)
    return wrong_in_steps(case, answer)


def _wrong_stream(case: Case, answer: Answer) -> str:
    assert isinstance(answer, bytes)
    if answer[-1:] != (b"1" if case.accept else b"0"):
        return f"cut into {case.chunks}: the end said {answer[-1:].decode()}, which is wrong"
    certain = _chunk_of_error(case)
    for index in range(len(_chunks(case))):
        if answer[index : index + 1] == b"0" and (certain is None or index < certain):
            return f"cut into {case.chunks}: chunk {index + 1} was refused too early"
    if b"0" in answer and answer[answer.index(b"0") :].strip(b"0"):
        return f"cut into {case.chunks}: chunk {answer.index(b'0') + 1} was refused, and what came later was not"
    return ""


def _is_late(case: Case, answer: Answer) -> bool:
    assert isinstance(answer, bytes)
    certain = _chunk_of_error(case)
    return certain is not None and answer[certain : certain + 1] != b"0"


def _chunk_of_error(case: Case) -> int | None:
    """Return the index of the chunk that shows that the data are ill-formed; None where only the end can show it."""
    if case.error is None or case.error.truncated:
        return None
    end = 0
    for index, size in enumerate(_chunks(case)):
        end += size
        if case.error.offending < end:
            return index
    return None


def _chunks(case: Case) -> Sequence[int]:
    return case.chunks or (len(case.data),)
