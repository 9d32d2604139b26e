"""Crash sizes: whether a decoder crashes on all texts of some sizes, whatever is in them, and which sizes these are."""

from __future__ import annotations

import time
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING

from utf8_abnf.errors import TargetError
from utf8_abnf.harness.driving.session import Session
from utf8_abnf.harness.driving.worker import CRASH, Failure
from utf8_abnf.harness.verdicts.places import BYTES, Conditions, Place
from utf8_abnf.harness.verdicts.size import Sizes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from utf8_abnf.harness.answers.judging import NoAnswer
    from utf8_abnf.harness.driving.target import Target
    from utf8_abnf.harness.driving.worker import Limits

MIN_SIZE = 8  # of what is asked about: a shorter input may have crashed it for what is in it
MAX_SECONDS = 15.0


def note_on_crashes(no_answers: Sequence[NoAnswer], target: Target, limits: Limits, seconds: float) -> str:
    """Return a note that names the sizes of all texts on which *target* crashes; "" if there are none that explain all.

    *no_answers* are what it did not answer. It is asked for *seconds* at most.
    """
    crashed = [each.data for each in no_answers if each.failure.kind == CRASH and each.case and not each.memory]
    shortest = min(crashed, key=len, default=b"")
    if len(shortest) < MIN_SIZE:
        return ""
    try:
        start = partial(Session, target.start, limits)
        crashes = Crashes(start(), start, time.monotonic() + min(MAX_SECONDS, seconds))
        try:
            found = Sizes(BYTES, crashes).conditions(len(shortest))
        finally:
            crashes.session.close()
    except TargetError:  # it cannot be started once more
        return ""
    if not found or crashes.ask.used_up:
        return ""
    conditions = Conditions((found,))
    if not all(conditions.hold(Place(b"", b""), data) for data in crashed):
        return ""
    return f"it crashes {conditions.phrase}, whatever the text is: {len(crashes.known)} texts were asked to find this"


class Crashes:
    """Tells as a ``Direction`` does whether the decoder is wrong about words: whether it crashes on them."""

    accepted = False

    def __init__(self, session: Session, start: Callable[[], Session], ends: float) -> None:
        self.session = session
        self._start = start
        self._ends = ends
        self.ask = SimpleNamespace(expensive=True, used_up="")
        self.known: dict[bytes, bool] = {}

    def are_wrong(self, words: Sequence[bytes]) -> list[bool]:
        """Tell for each of *words* whether the decoder crashes on it; False when the time is over."""
        for word in words:
            if word not in self.known and not self.ask.used_up:
                self.known[word] = self._is_wrong(word)
        return [self.known.get(word, False) for word in words]

    def _is_wrong(self, word: bytes) -> bool:
        answers = self.session.verdicts([word])
        if self.session.stopped:  # it has failed often enough for one session
            self.session.close()
            self.session = self._start()
        if time.monotonic() >= self._ends or not answers:
            self.ask.used_up = "the time is over"
        return any(isinstance(answer, Failure) and answer.kind == CRASH for answer in answers)
