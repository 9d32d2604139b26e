"""Shifted: whether the answers of a decoder belong to questions that were asked before, as all its answers then do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.driving.session import Session

MAX_SHIFT = 4  # questions
GOOD, BAD = b"a", b"\xff"  # most decoders that are wrong are right about these
ORDER = "1001110100010111010010110001"  # no part of it is like another one that comes a few questions later


def shift_of(session: Session) -> int:
    """Return by how many questions every answer comes too late, 0 if they do not: *session* is asked a few."""
    words = [GOOD if each == "1" else BAD for each in ORDER]
    right = [ACCEPT if each == "1" else REJECT for each in ORDER]
    answers = session.verdicts(words)
    shifts = range(MAX_SHIFT + 1)
    return next((shift for shift in shifts if answers[shift:] == right[: len(right) - shift]), 0)


def phrase_of(shift: int) -> str:
    """Return in words that each answer comes *shift* questions too late."""
    return "each answer belongs to the question" + (f" asked {shift} before it" if shift > 1 else " before")
