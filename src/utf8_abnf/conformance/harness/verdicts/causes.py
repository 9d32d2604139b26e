"""Causes: what a decoder judges wrongly and where, and whether the causes that are known explain a wrong verdict.

The causes are a model of the decoder. It accepts an input wrongly if the input can be cut into characters and words of
causes, each at a place where its conditions hold. It rejects an input wrongly if one such word is in it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.verdicts.cutting import first_ill_formed
from utf8_abnf.conformance.harness.verdicts.places import EVERYWHERE, UNKNOWN, Conditions, Place

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.verdicts.patterns import Pattern

MAX_CHOICES = 2  # of conditions that were found one after the other
MAX_SPOTS = 200  # ill-formed sequences of one input, or places of one word in it, that are looked at
MAX_NUMBERED_SPOTS = 20_000  # the same for places whose conditions are about numbers of bytes only: that costs less


@dataclass(slots=True)
class Cause:
    """The words of *patterns* are judged wrongly where *conditions* hold; *place* is the shortest place where one was.

    *word* was to blame in the case *case*. *asked* is the share of its words that were asked. *any_word*: the words do
    not matter, only the size of the input. *cases* counts the cases that it explains, for each of its words. *firsts*:
    its words begin with one of these bytes, and the decoder swallows the others; the well-formed ones among them are
    not meant.
    """

    patterns: list[Pattern]
    conditions: Conditions
    place: Place
    word: bytes
    case: str
    asked: float = 1.0
    any_word: bool = False
    firsts: frozenset[int] = frozenset()
    cases: Counter[bytes] = field(default_factory=Counter)
    _expression: re.Pattern[bytes] | None = None

    def __contains__(self, word: bytes) -> bool:
        return any(word in pattern for pattern in self.patterns)

    def ends(self, data: bytes, start: int) -> set[int]:
        """Return where the words of this cause end that begin at *start* in *data* and are judged wrongly there."""
        ends = {start + len(pattern.places) for pattern in self.patterns if pattern.begins(data[start : start + 64])}
        if self.conditions == EVERYWHERE:
            return ends
        text: Any = memoryview(data) if self.conditions.count_bytes_only else data  # a view need not be copied
        places = {end: Place(text[:start], text[end:]) for end in ends}
        return {end for end, place in places.items() if self.conditions.hold(place, data[start:end])}

    def find_in(self, data: bytes) -> bytes | None:
        """Return a word of this cause that is judged wrongly at its place in *data*, which is well-formed, or None."""
        if self.any_word:
            return b"" if self.conditions.hold(Place(b"", b""), data) else None
        if not self.word:
            return None if data else b""
        if self._expression is None:
            self._expression = re.compile(b"|".join(each.expression for each in self.patterns))
        most = MAX_NUMBERED_SPOTS if self.conditions.count_bytes_only else MAX_SPOTS
        for found in islice(self._expression.finditer(data), most):
            for end in self.ends(data, found.start()):
                return data[found.start() : end]
        return None

    def leave(self, pattern: Pattern) -> Counter[bytes]:
        """Take the words of *pattern* out of this cause, and return how many cases they explained."""
        self.patterns = [part for each in self.patterns for part in each.without(pattern)]
        self._expression = None
        return Counter({word: self.cases.pop(word) for word in list(self.cases) if word in pattern})


Explained = tuple[Cause, bytes]  # a cause, and the word of it that is to blame


class Causes:
    """The causes found so far, of what is wrongly accepted or, if not *accepted*, wrongly rejected.

    *whole*: an input is one word, as for grammars other than UTF-8.
    """

    def __init__(self, *, accepted: bool, whole: bool) -> None:
        self.accepted = accepted
        self.whole = whole
        self.found: list[Cause] = []

    def add(self, cause: Cause) -> None:
        """Add *cause*; its words leave the earlier causes, whose conditions were not all of theirs.

        Where an earlier cause showed such a word at a place that does not fulfil the conditions of *cause* either, the
        words are judged wrongly under both; with more than ``MAX_CHOICES`` of them the conditions are unknown.
        """
        if cause.conditions != UNKNOWN and not cause.any_word:
            left = cause.conditions.choices
            for other in self.found:
                if other.conditions not in (cause.conditions, UNKNOWN) and not other.any_word:
                    moved = sum((other.leave(pattern) for pattern in cause.patterns), Counter())
                    cause.cases += moved
                    if moved and not cause.conditions.hold(other.place, other.word):
                        left += tuple(each for each in other.conditions.choices if each not in left)
            cause.conditions = Conditions(left) if len(left) <= MAX_CHOICES else UNKNOWN
            self.found = [each for each in self.found if each.patterns or each.any_word]
        self.found.append(cause)

    def explaining(self, data: bytes) -> Explained | None:
        """Return one of the causes that explain why *data* is judged wrongly, and its word in *data*, or None."""
        if self.accepted and not self.whole:
            counted = (each for each in self.found if each.any_word and each.find_in(data) is not None)
            return next(((cause, b"") for cause in counted), None) or self.read(data)[0]
        for cause in self.found:
            if self.whole:
                word = data if data in cause else None
            else:
                word = cause.find_in(data) if cause.conditions != UNKNOWN else None
            if word is not None:
                return cause, word
        return None

    def swallow(self, data: bytes) -> bool:
        """Tell whether *data* is accepted because the decoder swallows bytes."""
        return not self._read(data, [cause for cause in self.found if cause.firsts])[1]

    def read(self, data: bytes) -> tuple[Explained | None, list[int]]:
        """Read *data*, which is ill-formed: return the first cause if causes explain it all.

        Otherwise return None, and the offsets of ill-formed sequences that can be reached and that no cause explains.
        """
        return self._read(data, [cause for cause in self.found if cause.conditions != UNKNOWN])

    def _read(self, data: bytes, known: list[Cause]) -> tuple[Explained | None, list[int]]:
        todo: list[tuple[int, Explained | None]] = [(0, None)]
        seen = {0}
        stuck: list[int] = []
        while todo:
            at, first = todo.pop()
            at = first_ill_formed(data, at)
            if at >= len(data) or len(seen) > MAX_SPOTS:
                return first, []
            ends = [(end, cause) for cause in known for end in cause.ends(data, at)]
            if not ends:
                stuck.append(at)
            for end, cause in ends:
                if end not in seen:
                    seen.add(end)
                    todo.append((end, first or (cause, data[at:end])))
        return None, sorted(set(stuck), reverse=True)

    def unknown_with(self, word: bytes) -> Explained | None:
        """Return a cause with unknown conditions whose words, and characters, *word* consists of, and the first word.

        None if there is none.
        """
        unknown = [cause for cause in self.found if cause.conditions == UNKNOWN]
        if not self.accepted or self.whole or any(word in cause for cause in unknown):
            return next(((cause, word) for cause in unknown if word in cause), None)
        found, _ = self._read(word, [replace(cause, conditions=EVERYWHERE) for cause in unknown])
        return next(((cause, found[1]) for cause in unknown if found and found[1] in cause), None)
