"""Beyond the verdict: where the error is, what text comes out, how a stream is judged; each only where declared.

Conventions and policies are found out first, on the first cases, and then held to. A choice is reported, never failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.harness import report as model
from utf8_abnf.harness.meaning import cut_utf8
from utf8_abnf.harness.protocol import UNSUPPORTED, Answers
from utf8_abnf.harness.run import make_window, selected
from utf8_abnf.harness.worker import Failure

if TYPE_CHECKING:
    from utf8_abnf.harness.run import Run
    from utf8_abnf.suite import Batch, Case, Family

SAMPLE = 2_000  # cases from which a convention is found out
MOST_SLOW = 200_000  # cases of a family that are judged one by one, when a convention is not the suite's own

Answer = object
Judge = Callable[["Case", Answer], str]  # what is wrong with an answer, "" if nothing is


def pose_other_modes(run: Run, families: list[Family]) -> None:
    """Pose to *run*'s decoder what it declares beside the verdict."""
    for mode, find in (("p", _positions), ("r", _replacement), ("s", _streaming)):
        fit = [family for family in families if mode in family.modes]
        if mode in run.session.hello.modes and fit:
            judge, kind = find(run, fit)
            for family in fit:
                _pose(run, family, mode, judge, kind)


def _pose(run: Run, family: Family, mode: str, judge: Judge | None, kind: str) -> None:
    """Pose *family*; *judge* is None where the suite's own answers are the convention, and are compared as bytes."""
    if judge is not None and mode != "s" and family.count > MOST_SLOW:
        run.notes.append(
            f"{family.name}: not posed in mode {mode}, its {family.count:,} answers follow another convention"
        )
        return
    run.begin(family)
    for batch in family.batches():
        indices = selected(batch, run.options, family.ordered)
        window = make_window(batch, mode, indices, batch.answers(mode) if indices is None and judge is None else b"")
        posed = run.session.pose(window, mode)
        if posed.right:
            run.count(family, mode, passed=window.count)
        else:
            hoped = _values(mode, batch) if judge is None else []
            _tally(run, family, batch, indices, posed.values, mode, judge or DEFAULT[mode], kind, hoped)
        run.checkpoint(window.count)


def _tally(
    run: Run,
    family: Family,
    batch: Batch,
    indices: list[int] | None,
    values: list[object],
    mode: str,
    judge: Judge,
    kind: str,
    hoped: list[object],
) -> None:
    passed = failed = troubled = unsupported = 0
    for index, value in zip(indices if indices is not None else range(len(batch)), values, strict=False):
        if isinstance(value, Failure):
            troubled += 1
            run.trouble(value, batch.id(index), batch.data(index))
            continue
        if _unjudged(value):
            unsupported += 1
            continue
        if hoped and hoped[index] == value:  # a case with all that is known of it is made for the others alone
            passed += 1
            continue
        case = batch.case(index)
        wrong = judge(case, value)
        if not wrong:
            passed += 1
            continue
        failed += 1
        _note(run, kind, case, wrong)
    run.count(family, mode, passed=passed, failed=failed, troubled=troubled, unsupported=unsupported)


def _unjudged(value: object) -> bool:
    return isinstance(value, bytes) and value[-1:] == UNSUPPORTED


def _values(mode: str, batch: Batch) -> list[object]:
    """Return the right answers to *batch* in *mode*, as values."""
    answers = Answers(mode, len(batch))
    answers.feed(batch.answers(mode))
    return answers.values


def _note(run: Run, kind: str, case: Case, wrong: str) -> None:
    code = case.error.code if case.error else "well-formed"
    key = f"{kind} {code}"
    old = run.others.get(key)
    if old and len(old.example) <= len(case.data):
        run.others[key] = replace(old, count=old.count + 1)
        return
    section = "RFC 3629 section 4" if case.accept else "Unicode 3.9, maximal subpart"
    count = old.count + 1 if old else 1
    run.others[key] = model.Deviation(
        kind, code, case.data, count, case.rule, section, case.id, run.target.reproduce(case.data), wrong
    )


# -- positions --------------------------------------------------------------------------------------------------------


def _wrong_position(case: Case, answer: Answer, *, offending: bool = False, length: str = "subpart") -> str:
    error = case.error
    if error is None or answer is None:
        return "" if (error is None) is (answer is None) else "the verdict itself is wrong"
    assert isinstance(answer, tuple)
    offset = error.offending if offending else error.start
    size = error.length if length == "subpart" else 1 if length == "one byte" else int(answer[1])
    if answer == (offset, min(size, 255)):
        return ""
    return f"expected offset {offset} and length {size}, got offset {answer[0]} and length {answer[1]}"


def _positions(run: Run, families: list[Family]) -> tuple[Judge | None, str]:
    answers = _sample(run, families, "p")
    answers = [(case, answer) for case, answer in answers if case.error is not None and isinstance(answer, tuple)]
    fits: Counter[tuple[bool, str]] = Counter()
    choices = [(offending, length) for length in ("subpart", "one byte", "any") for offending in (False, True)]
    for choice in choices:
        offending, length = choice
        fits[choice] = sum(
            not _wrong_position(case, answer, offending=offending, length=length) for case, answer in answers
        )
    best = max(choices, key=lambda choice: fits[choice])
    offending, length = best
    if not answers or best == choices[0]:
        run.notes.append("offsets: the start of the ill-formed sequence, and the length of its maximal subpart")
        return None, model.POSITION
    where = "the byte that cannot be right" if offending else "the start of the ill-formed sequence"
    told = any(answer[1] for _, answer in answers if isinstance(answer, tuple))
    size = {
        "subpart": "the maximal subpart's",
        "one byte": "always one byte",
        "any": "not judged: it follows no known rule" if told else "not told",
    }[length]
    run.notes.append(f"offsets: {where}; length: {size}")
    return (lambda case, answer: _wrong_position(case, answer, offending=offending, length=length)), model.POSITION


# -- replacement ------------------------------------------------------------------------------------------------------

POLICIES: dict[str, Callable[[bytes], str]] = {
    "one U+FFFD for each byte": lambda piece: "\ufffd" * len(piece),
    "one U+FFFD for each sequence that its first byte promises": lambda piece: "\ufffd",
    "ill-formed bytes left out": lambda piece: "",
    "one '?' for each byte": lambda piece: "?" * len(piece),
    "each byte as Latin-1": lambda piece: piece.decode("latin-1"),
    "U+FFFD for each maximal subpart, but one for a whole surrogate": lambda piece: (
        "\ufffd" if piece[0] == 0xED and piece[1:2] >= b"\xa0" else piece.decode("utf-8", "replace")
    ),
}
CLEAR = 0.9  # of the sample follow Unicode's practice: then the rest are faults, not a policy of its own


def _by_policy(data: bytes, policy: Callable[[bytes], str]) -> str:
    return "".join(piece.decode() if good else policy(piece) for piece, good in cut_utf8(data))


def _one_for_a_run(data: bytes) -> str:
    """Return *data* with one U+FFFD for each run of ill-formed bytes, however long."""
    text = ""
    before = True
    for piece, good in cut_utf8(data):
        text += piece.decode() if good else "\ufffd" if before else ""
        before = good
    return text


def _wrong_text(case: Case, answer: Answer, expected: str | None) -> str:
    return "" if answer == expected else f"expected {expected!a}, got {answer!a}"


def _replacement(run: Run, families: list[Family]) -> tuple[Judge | None, str]:
    answers = [(case, answer) for case, answer in _sample(run, families, "r") if not case.accept]
    policies: dict[str, Callable[[Case], str | None]] = {
        "U+FFFD for each maximal subpart (Unicode 3.9, WHATWG)": lambda case: case.replacement,
        "rejects, does not replace": lambda case: case.replacement if case.accept else None,
        "one U+FFFD for a whole run of ill-formed bytes": lambda case: _one_for_a_run(case.data),
    }
    for name, by_piece in POLICIES.items():
        policies[name] = lambda case, by_piece=by_piece: _by_policy(case.data, by_piece)  # type: ignore[misc]
    fits = {name: sum(policy(case) == answer for case, answer in answers) for name, policy in policies.items()}
    best = max(fits, key=lambda name: fits[name])
    first = next(iter(policies))
    if best == first and fits[best] >= CLEAR * len(answers):
        run.notes.append(f"replacement: {best}")
        return None, model.REPLACEMENT
    if fits[best] == len(answers):
        run.notes.append(f"replacement: {best}")
        policy = policies[best]
        return (lambda case, answer: _wrong_text(case, answer, policy(case))), model.REPLACEMENT
    share = f"nearest is {best!r}, {fits[best]:,} of {len(answers):,} samples" if fits[best] else "nothing fits"
    run.notes.append(f"replacement: no policy that we know ({share}); only well-formed text is judged")
    return (lambda case, answer: _wrong_text(case, answer, case.replacement) if case.accept else ""), model.REPLACEMENT


# -- streaming --------------------------------------------------------------------------------------------------------


def _wrong_stream(case: Case, answer: Answer) -> str:
    assert isinstance(answer, bytes)
    if answer[-1:] != (b"1" if case.accept else b"0"):
        return f"cut into {case.chunks}: the end said {answer[-1:].decode()}, which is wrong"
    at = 0
    for index, size in enumerate(case.chunks or (len(case.data),)):
        at += size
        certain = case.error is not None and not case.error.truncated and case.error.offending < at
        if answer[index : index + 1] == b"0" and not certain:
            return f"cut into {case.chunks}: chunk {index + 1} was refused too early"
    return ""


def _streaming(run: Run, families: list[Family]) -> tuple[Judge | None, str]:
    late = [
        case.id
        for case, answer in _sample(run, families, "s")
        if isinstance(answer, bytes) and not _wrong_stream(case, answer) and _is_late(case, answer)
    ]
    when = (
        f"later than possible ({late[0]}, for one)" if late else "in the chunk that holds the byte that cannot be right"
    )
    run.notes.append(f"streaming: errors are told {when}")
    return _wrong_stream, model.STREAMING


def _is_late(case: Case, answer: bytes) -> bool:
    if case.error is None or case.error.truncated:
        return False
    at = 0
    for index, size in enumerate(case.chunks or (len(case.data),)):
        at += size
        if case.error.offending < at:
            return answer[index : index + 1] != b"0"
    return False


def _sample(run: Run, families: list[Family], mode: str) -> list[tuple[Case, Answer]]:
    found: list[tuple[Case, Answer]] = []
    for family in families[:2]:
        for batch in family.batches():
            room = min(len(batch), SAMPLE - len(found))
            if room <= 0 or run.session.stopped:
                return found
            indices = list(range(room))
            values = run.session.pose(make_window(batch, mode, indices, b""), mode).values
            pairs = zip(indices, values, strict=False)
            found += [
                (batch.case(index), value)
                for index, value in pairs
                if not isinstance(value, Failure) and not _unjudged(value)
            ]
    return found


DEFAULT: dict[str, Judge] = {
    "p": _wrong_position,
    "r": lambda case, answer: _wrong_text(case, answer, case.replacement),
    "s": _wrong_stream,
}
