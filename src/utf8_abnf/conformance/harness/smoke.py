"""A smoke test of an adapter: a dozen named cases in each of its modes, the answers, and advice what to change."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.answers.conventions import convention_of
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, UNDERSTOOD, is_unsupported, verdict_of
from utf8_abnf.conformance.harness.driving.session import Session
from utf8_abnf.conformance.harness.driving.worker import CRASH, EXCESS_OUTPUT, GARBAGE, HANG, MISSING, Failure
from utf8_abnf.conformance.harness.opening import open_target
from utf8_abnf.conformance.harness.phrases import hexed
from utf8_abnf.conformance.harness.report import EXIT_CONFORMS, EXIT_DEVIATES, EXIT_STOPPED
from utf8_abnf.conformance.harness.sending import chunks_of, window_of_inputs
from utf8_abnf.conformance.harness.steadiness import phrase_of, shift_of
from utf8_abnf.conformance.suite import Case
from utf8_abnf.errors import TargetError
from utf8_abnf.validator.functions import first_error

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from utf8_abnf.conformance.harness.answers.conventions import Convention
    from utf8_abnf.conformance.harness.driving.target import Target
    from utf8_abnf.conformance.harness.driving.worker import Limits


CASES = (
    ("the empty input", b""),
    ("a letter", b"A"),
    ("NUL", b"\x00"),
    ("a line end, CR LF", b"\r\n"),
    ("two bytes, U+00E9", b"\xc3\xa9"),
    ("three bytes, U+20AC", b"\xe2\x82\xac"),
    ("four bytes, U+1F600", b"\xf0\x9f\x98\x80"),
    ("10,000 letters", b"a" * 10_000),
    ("a lone tail byte", b"\x80"),
    ("an overlong '/'", b"\xc0\xaf"),
    ("a surrogate, U+D800", b"\xed\xa0\x80"),
    ("above U+10FFFF", b"\xf4\x90\x80\x80"),
    ("FF, never a byte of UTF-8", b"\xff"),
    ("a cut character", b"\xe2\x82"),
)

ALONE = (b"\x80", b"\xfe", b"\xff")  # what a decoder writes for most of them in mode r is its usual mark

OF_AN_ADAPTER = {
    HANG: "It does not answer. Flush the output before you wait for more input, and answer every frame, also one of "
    "length 0.",
    MISSING: "It leaves an answer out, or gives it one question late: it should answer every frame, also one of length "
    "0, before it waits for the next.",
    CRASH: "It ends before it has answered. It should answer until its input ends. Read what it writes to stderr.",
    EXCESS_OUTPUT: "It writes more than the answer to each frame: no line end and no message may stand between them. "
    "Print what you want to see on stderr, and open standard input and output in binary mode.",
}
CRASHES = (
    "It crashed on these inputs, seen again when each was asked alone, and answered others: utf8-abnf test counts that "
    "as a deviation."
)
OF_A_FUNCTION = {
    HANG: "It does not return.",
    CRASH: "It ends the process in which it is called, by a signal or by an exception that does not refuse. Read what "
    "it writes to stderr.",
}
STATUSES = "--accept and --reject say which exit statuses are verdicts."
ADVICE = {
    "exec": {
        HANG: "It does not end. It should read standard input to its end, and then exit with its verdict.",
        CRASH: f"It ends without a verdict. {STATUSES}",
    },
    **dict.fromkeys(("py", "lib", "object"), OF_A_FUNCTION),
}
ANSWERS = {
    "v": "An answer in mode v is one byte, '1' or '0' (31 or 30), or 'u' for a case it cannot judge. The bytes 01 and "
    "00 are not answers, and a line end after an answer is wrong.",
    "p": "An answer in mode p is the offset, four bytes, little-endian, FFFFFFFF if there is no error; then one byte, "
    "the length.",
    "r": "An answer in mode r is the length of the text, four bytes, little-endian, and the text as UTF-8; the length "
    "FFFFFFFF alone means: rejected.",
    "s": "An answer in mode s is one byte for each chunk, '0', '1' or '?', and one for the end, '1' or '0'.",
    "i": "An answer in mode i is for each step one byte, '0', '1', 'm', '?' or 'u', an offset or FFFFFFFF, the length "
    "of the text or FFFFFFFF, and the text.",
}


def smoke(target: str | Target, limits: Limits, words: list[bytes]) -> tuple[list[str], int]:
    """Return the lines to show, and the exit status: 0 all is right, 1 it is not, 3 the protocol is broken."""
    opened = open_target(target)
    cases = [_case(name, data) for name, data in [("", word) for word in words] or CASES]
    has_own_adapter = opened.kind not in ADVICE  # else this package asks the decoder itself
    try:
        session = Session(opened.start, limits)
    except TargetError as error:
        advice = "Start the program by hand: its first line must be the hello line." if opened.kind == "stream" else ""
        return [f"cannot start: {error}", *([advice] if advice else [])], EXIT_STOPPED
    with closing(session):
        hello = session.hello
        lines = [
            f"hello: modes {','.join(hello.modes)}, name {hello.name or '(none)'}, version {hello.version or '(none)'}"
        ]
        if UNDERSTOOD in hello.more:
            lines.append(f"understood: {hello.more[UNDERSTOOD]}")
        to_do = OF_AN_ADAPTER | ADVICE.get(opened.kind, {})
        modes = [_ask(session, mode, cases, to_do) for mode in hello.modes]
        session.finish()
    for mode in modes:
        lines += mode.lines
    lines += [f"  !!  {failure.kind}: it {failure.detail}" for failure in session.unattributed]
    wrong, verdicts, unjudged, crashes = map(sum, zip(*(mode.numbers for mode in modes), strict=True))
    if session.unattributed or any(mode.broken for mode in modes):
        does_not = (
            "adapter does not follow the protocol yet" if has_own_adapter else "decoder does not answer every case"
        )
        return [*lines, f"The {does_not}."], EXIT_STOPPED
    does = "The adapter follows the protocol" if has_own_adapter else "The decoder answers every case"
    asked = len(cases) * len(modes)
    faults = [f"{verdicts} of {asked} answers are not RFC 3629's"] * bool(verdicts)
    if crashes:
        does = f"The decoder crashes on {crashes} of {asked} questions"
    if wrong > verdicts:  # the RFC has no clause for these
        own = [name for name, mode in zip(hello.modes, modes, strict=True) if mode.numbers[0] > mode.numbers[1]]
        faults.append(f"{wrong - verdicts} of {asked} have the right verdict and break a rule of mode {', '.join(own)}")
    if faults or crashes:
        end = f"{'; '.join([does, *faults])}."
    elif unjudged:
        end = f"{does}; {unjudged} of {asked} answers say that it cannot judge the case."
    else:
        end = f"{does}, and every answer is right. Next: utf8-abnf test"
    return [*lines, end], EXIT_DEVIATES if faults or crashes or unjudged == asked else EXIT_CONFORMS


class _Mode(NamedTuple):
    """What was seen in one mode.

    *numbers* counts wrong answers, wrong verdicts among them, cases that it cannot judge, and crashes about some of the
    cases; a decoder that answers none of them is *broken*.
    """

    lines: list[str]
    numbers: tuple[int, int, int, int]
    broken: bool


def _case(name: str, data: bytes) -> Case:
    error = first_error(data)
    return Case(name, data, error is None, error=error, chunks=chunks_of(data))


def _ask(session: Session, mode: str, cases: Sequence[Case], advice: Mapping[str, str]) -> _Mode:
    """Ask *cases* in *mode*; show each of them in the first mode, and in the others those that are not right.

    *advice* says what to do about each kind of failure.
    """
    is_first = mode == session.hello.modes[0]
    asked = [*cases, *([_case("asked for its usual mark", byte) for byte in ALONE] if mode == "r" else [])]
    answers = session.send(window_of_inputs([(case.data, case.chunks or ()) for case in asked], mode), mode).values
    pairs = list(zip(asked, answers, strict=False))
    judged = [pair for pair in pairs if not isinstance(pair[1], Failure) and not is_unsupported(pair[1])]
    convention = None if mode == "v" else convention_of(mode, judged)
    lines = []
    wrong = wrong_verdicts = 0
    for number, (case, answer) in enumerate(pairs):
        if isinstance(answer, Failure):
            mark, said = "!!", f"{answer.kind}: it {answer.detail}"
        elif number >= len(cases):
            continue
        else:
            verdict = verdict_of(mode, answer, case.data)
            said = {b"1": "accepts", b"0": "rejects", b"u": "cannot judge"}[verdict]
            why = _objection(mode, case, answer, convention)
            wrong += bool(why)
            wrong_verdicts += bool(why) and (verdict == ACCEPT) is not case.accept
            mark = "XX" if why else "--" if is_unsupported(answer) else "ok"
            said = f"{said}   ({why})" if why else said
        if is_first or mark != "ok":
            lines.append(f"  {mark}  {case.id:26} {hexed(case.data, 8):26} {said}")
    failures = [answer.kind for answer in answers if isinstance(answer, Failure)]
    answers_some = len(failures) < len(answers) or _answers(session)
    crashes = failures.count(CRASH) if answers_some else 0
    for kind in sorted(set(failures)):
        is_crash_of_some = crashes and kind == CRASH
        lines.append(f"{kind}: {CRASHES if is_crash_of_some else (ANSWERS[mode] if kind == GARBAGE else advice[kind])}")
        if is_crash_of_some and advice[kind] == ADVICE["exec"][CRASH]:
            lines.append(STATUSES)
    stopped = session.leave_mode() or session.stopped
    if stopped:
        lines.append(f"stopped: {stopped}")
    good = [answer for answer in answers[: len(cases)] if not isinstance(answer, Failure)]
    if wrong and mode == "v" and len(set(good)) == 1 and len(cases) > 1:
        lines.append("It gives the same answer to everything: is the decoder really called, with these bytes?")
    if wrong == len(cases) > 1:
        lines.append("Every answer is the opposite of the right one: does its 0 mean that all is well?")
    shift = shift_of(session) if wrong_verdicts and not failures else 0
    if shift:
        lines.append(
            f"Asked again in another order, {phrase_of(shift)}: it should answer each before it reads the next."
        )
    unjudged = sum(map(is_unsupported, good))
    silent = len(cases) - len(good)
    none = f", and {silent} of {len(cases)} cases ha{'ve' if silent > 1 else 's'} none" if silent else ""
    lines.insert(0, f"mode {mode}: {len(good) - wrong - unjudged} of {len(good)} answers are right{none}")
    is_broken = len(failures) > crashes or bool(stopped or shift)
    return _Mode(lines, (wrong, wrong_verdicts, unjudged, crashes), is_broken)


def _answers(session: Session) -> bool:
    """Tell whether a letter is answered: then it is not the adapter that ends."""
    return any(not isinstance(answer, Failure) for answer in session.verdicts([b"a"]))


def _objection(mode: str, case: Case, answer: object, convention: Convention | None) -> str:
    """Return what is wrong with *answer*, "" if nothing is, by the *convention* that these answers follow."""
    if is_unsupported(answer):
        return ""
    if (verdict_of(mode, answer, case.data) == ACCEPT) is not case.accept:
        return f"UTF-8 {'accepts' if case.accept else 'rejects'} it"
    place = case.error and (case.error.start, case.error.length)
    fault = convention.wrong(case.data, place, answer, lambda: case) if convention else None
    return fault.why if fault else ""
