"""Shifted: whether the answers of a decoder belong to questions that were asked before, as all its answers then do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.harness.driving.protocol import ACCEPT, REJECT

if TYPE_CHECKING:
    from utf8_abnf.harness.driving.session import Session

MAX_SHIFT = 4  # questions
GOOD = (b"a", b"\xc3\xa9", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80")
BAD = (b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff", b"\xe2\x82")
ORDER = "1001110100010111010010110001"  # no part of it is like another one that comes a few questions later


def shift_of(session: Session) -> int:
    """Return by how many questions every answer comes too late, 0 if they do not: *session* is asked a few."""
    words = [(GOOD if each == "1" else BAD)[at % 4] for at, each in enumerate(ORDER)] + list(BAD) + list(GOOD)
    right = [ACCEPT if word in GOOD else REJECT for word in words]
    answers = session.verdicts(words)
    shifts = range(MAX_SHIFT + 1)
    return next((shift for shift in shifts if answers[shift:] == right[: len(right) - shift]), 0)


def phrase_of(shift: int) -> str:
    """Return in words that each answer comes *shift* questions too late."""
    return "each answer belongs to the question" + (f" asked {shift} before it" if shift > 1 else " before")
