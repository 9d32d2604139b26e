"""Crash sizes: what all inputs on which a decoder crashes have in common: a size, or some bytes in them."""

from __future__ import annotations

import time
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.driving.session import Session
from utf8_abnf.conformance.harness.driving.worker import CRASH, Failure
from utf8_abnf.conformance.harness.verdicts.places import Conditions, Place
from utf8_abnf.conformance.harness.verdicts.size import FILLERS_OF, Sizes
from utf8_abnf.conformance.harness.verdicts.units import LENGTH
from utf8_abnf.errors import TargetError
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from utf8_abnf.conformance.harness.answers.judging import NoAnswer
    from utf8_abnf.conformance.harness.driving.target import Target
    from utf8_abnf.conformance.harness.driving.worker import Limits

MIN_SIZE = 8  # of what is asked about: a shorter input may have crashed it for what is in it
MAX_SECONDS = 45.0  # 30 crashes have to be seen, and to start anew takes half a second or more


def is_of_a_case(no_answer: NoAnswer) -> bool:
    """Tell whether *no_answer* is a crash on a case that was sent."""
    return no_answer.failure.kind == CRASH and bool(no_answer.case) and not no_answer.memory


def note_on_crashes(no_answers: Sequence[NoAnswer], target: Target, limits: Limits, seconds: float) -> str:
    """Return a note that says what all inputs on which *target* crashes have in common; "" if that was not found.

    *no_answers* are what it did not answer. It is asked for *seconds* at most for the size of the texts, a number of
    bytes or of some characters. Of a short input that is in all the others nothing is asked.
    """
    crashed = [each.data for each in filter(is_of_a_case, no_answers)]
    shortest = min(crashed, key=len, default=b"")
    if len(shortest) < MIN_SIZE:
        if len(crashed) > 1 and shortest and all(shortest in data for data in crashed):
            return f"each of the {len(crashed)} inputs on which it crashes has {hex_bytes(shortest)} in it"
        return ""
    try:
        start = partial(Session, target.start, limits)
        crashes = Crashes(start(), start, time.monotonic() + min(MAX_SECONDS, seconds))
        try:
            return _note_on_sizes(shortest, crashed, crashes)
        finally:
            crashes.session.close()
    except TargetError:  # it cannot be started once more
        return ""


def _note_on_sizes(shortest: bytes, crashed: Sequence[bytes], crashes: Crashes) -> str:
    for unit in FILLERS_OF:
        number = LENGTH[unit](shortest)
        found = Sizes(unit, crashes).conditions(number) if number else None
        conditions = Conditions((found,) if found else ())
        if not crashes.ask.used_up and all(conditions.hold(Place(b"", b""), data) for data in crashed):
            asked = f"{len(crashes.known)} texts were asked to find this"
            return f"it crashes {conditions.phrase}, whatever the text is: {asked}"
    return ""


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
