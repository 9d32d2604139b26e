"""A smoke test of an adapter: a dozen named cases, the answers to them, and advice what to change."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import TargetError
from utf8_abnf.harness.formats.phrases import hexed
from utf8_abnf.harness.opening import open_target
from utf8_abnf.harness.report import EXIT_CONFORMS, EXIT_DEVIATES, EXIT_STOPPED
from utf8_abnf.harness.session import Session
from utf8_abnf.harness.standard import well_formed
from utf8_abnf.harness.worker import CRASH, EXCESS_OUTPUT, GARBAGE, HANG, Failure

if TYPE_CHECKING:
    from utf8_abnf.harness.target import Target
    from utf8_abnf.harness.worker import Limits


class Smoke(NamedTuple):
    """A case of the smoke test; *accept* is the right verdict."""

    name: str
    data: bytes
    accept: bool


CASES = (
    Smoke("the empty input", b"", True),
    Smoke("a letter", b"A", True),
    Smoke("NUL", b"\x00", True),
    Smoke("a line end, CR LF", b"\r\n", True),
    Smoke("two bytes, U+00E9", b"\xc3\xa9", True),
    Smoke("three bytes, U+20AC", b"\xe2\x82\xac", True),
    Smoke("four bytes, U+1F600", b"\xf0\x9f\x98\x80", True),
    Smoke("10,000 letters", b"a" * 10_000, True),
    Smoke("a lone tail byte", b"\x80", False),
    Smoke("an overlong '/'", b"\xc0\xaf", False),
    Smoke("a surrogate, U+D800", b"\xed\xa0\x80", False),
    Smoke("above U+10FFFF", b"\xf4\x90\x80\x80", False),
    Smoke("FF, never a byte of UTF-8", b"\xff", False),
    Smoke("a cut character", b"\xe2\x82", False),
)

ADVICE = {
    HANG: "It has read the case and does not answer. Flush the output before you wait for more input, and answer "
    "every frame, also one of length 0.",
    CRASH: "It ends before it has answered. It should answer until its input ends. Read what it writes to stderr.",
    GARBAGE: "An answer in mode v is one byte, '1' or '0' (31 or 30), or 'u' for a case it cannot judge. "
    "The bytes 01 and 00 are not answers, and a line end after an answer is wrong.",
    EXCESS_OUTPUT: "One byte for each frame and nothing else: no line end, no message. Print what you want to see "
    "on stderr, and open standard input and output in binary mode.",
}


def smoke(target: str | Target, limits: Limits, words: list[bytes]) -> tuple[list[str], int]:
    """Return the lines to show, and the exit status: 0 all is right, 1 a verdict is wrong, 3 the protocol is broken."""
    opened = open_target(target)
    cases = [Smoke("", word, well_formed(word)) for word in words] or list(CASES)
    try:
        session = Session(opened.start, limits)
    except TargetError as error:
        advice = "Start the program by hand: its first line must be the hello line." if opened.kind == "stream" else ""
        return [f"cannot start: {error}", *([advice] if advice else [])], EXIT_STOPPED
    try:
        hello = session.hello
        lines = [
            f"hello: modes {','.join(hello.modes)}, name {hello.name or '(none)'}, version {hello.version or '(none)'}"
        ]
        answers = session.verdicts([case.data for case in cases])
        session.finish()
    finally:
        session.close()
    return _judge(lines, cases, [*answers], session)


def _judge(
    lines: list[str], cases: list[Smoke], answers: list[bytes | Failure], session: Session
) -> tuple[list[str], int]:
    wrong = 0
    failures = [*(answer for answer in answers if isinstance(answer, Failure)), *session.unattributed]
    for case, answer in zip(cases, answers, strict=False):
        if isinstance(answer, Failure):
            said, mark = f"{answer.kind}: it {answer.detail}", "!!"
        else:
            said = {b"1": "accepts", b"0": "rejects", b"u": "cannot judge"}[answer]
            right = answer == b"u" or (answer == b"1") is case.accept
            wrong += not right
            mark = "ok" if right else "XX"
        expected = "" if mark == "ok" else f"   (UTF-8 {'accepts' if case.accept else 'rejects'} it)"
        lines.append(f"  {mark}  {case.name:26} {hexed(case.data, 8):26} {said}{expected}")
    lines += [f"  !!  {failure.kind}: it {failure.detail}" for failure in session.unattributed]
    for kind in dict.fromkeys(failure.kind for failure in failures):
        lines.append(f"{kind}: {ADVICE[kind]}")
    if session.stopped:
        lines.append(f"stopped: {session.stopped}")
    if failures or session.stopped:
        return [*lines, "The adapter does not follow the protocol yet."], EXIT_STOPPED
    if wrong:
        verdicts = {answer for answer in answers if isinstance(answer, bytes)}
        if len(verdicts) == 1:
            lines.append("It gives the same answer to everything: is the decoder really called, with these bytes?")
        return [
            *lines,
            f"The adapter follows the protocol; {wrong} of {len(cases)} verdicts are not RFC 3629's.",
        ], EXIT_DEVIATES
    return [*lines, "The adapter follows the protocol, and every verdict is right. Next: utf8-abnf test"], EXIT_CONFORMS
