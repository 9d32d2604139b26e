"""How a Python decoder says yes and no: what it did with a few inputs comes in, the meaning of its results goes out.

There are four habits: a truth value; a result or an exception; None or False for what is refused; and text for
everything. Where none of them fits, the decoder is not judged, and its author is told to wrap it in a function.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from utf8_abnf.conformance.harness.driving.apart import CAN_COPY, told_apart
from utf8_abnf.conformance.harness.driving.results import plain, refuses, returned_by
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# Inputs, and whether they are right. They take turns: where a decoder is slow, the first ones are all that it is asked.
Probes = tuple[tuple[bytes, bool], ...]
PROBES: Probes = tuple(
    (bytes.fromhex(data), number % 2 == 0)
    for number, data in enumerate(
        ("41", "FF", "6162", "61FF", "C3A9", "C3", "E282AC", "E28261", "", "C0AF", "F09F9880", "EDA080")
    )
)


class Seen(NamedTuple):
    """The answer to *data*, which is *good* or not: *told*, see ``plain``, if it *returned*; *shown* is its repr."""

    data: bytes
    good: bool
    returned: bool
    told: object
    shown: str


@dataclass(frozen=True, slots=True)
class Habit:
    """How results are verdicts: each is a truth value, or what is in *refusals* refuses; *words* say it."""

    words: str
    refusals: tuple[object, ...] = ()
    is_truth: bool = False

    def accepts(self, value: object) -> bool:
        """Tell whether the result *value* accepts."""
        return bool(value) if self.is_truth else not any(value is each for each in self.refusals)


BY_TRUTH = Habit("accepts when its result is true", is_truth=True)
BY_RETURN = Habit("accepts when it returns, refuses when it raises")
NEVER_REFUSES = Habit("accepts when it returns, and was not seen to refuse anything")
REPLACES = Habit(
    f"{NEVER_REFUSES.words}; it returned U+FFFD for ill-formed input: "
    "a class with `replace = staticmethod(FUNCTION)` is judged as a decoder that replaces",
)


def habit_of(seen: Sequence[Seen]) -> Habit | None:
    """Return the habit of a decoder that gave the answers *seen*; None if it only raised, or was not asked.

    UsageError where that would be a guess.
    """
    returned = [each for each in seen if each.returned]
    good, bad = ([each.told for each in returned if each.good is side] for side in (True, False))
    if not returned:
        return None
    if all(isinstance(told, bool) or told in (0, 1) for told in (*good, *bad)):
        is_opposite = good and not any(good) and all(bad) and all(each.returned for each in seen if each.good)
        if not is_opposite:
            return BY_TRUTH
        raise unclear(seen, "in a function that returns the opposite, if its 0 or False means that all is well")
    refusals = tuple(each for each in (None, False) if _has(bad, each) and not _has(good, each))
    if refusals:
        return Habit(f"refuses when it returns {' or '.join(map(repr, refusals))}", refusals)
    if len(returned) < len(seen):
        return BY_RETURN
    if any(_has_mark(told) for told in (*good, *bad)):
        return REPLACES
    if any((each.data, each.good) not in PROBES for each in seen):  # parsers may refuse a few words that a grammar has
        raise unclear(seen, "in a function that returns True or False, or give words that it accepts by --corpus FILE")
    kinds = {type(told) for told in good}
    is_one = len(set(bad)) == 1 and None not in bad
    if {type(told) for told in bad} in (kinds, set()) and kinds <= {str, bytes, type(None)} and not is_one:
        return NEVER_REFUSES
    raise unclear(seen, "in a function that returns True or False: `def accepts(data): ...`")


def _has(told: Sequence[object], value: object) -> bool:
    return any(each is value for each in told)


def _has_mark(text: object) -> bool:
    return ("\ufffd" in text) if isinstance(text, str) else isinstance(text, bytes) and "\ufffd".encode() in text


def unclear(seen: Sequence[Seen], wrap: str) -> UsageError:
    """Return the error that says which answers could not be understood, and how to *wrap* the function."""
    asked = [each.data.hex(" ").upper() or "the empty input" for each in seen]
    some = [f"{each.shown} for {data}" for each, data in zip(seen, asked, strict=True) if each.returned]
    return UsageError(f"cannot tell yes from no: it returned {', '.join(some[:4])}. Wrap it {wrap}")


def observe(function: Callable[[bytes], Any], seconds: float, probes: Probes = PROBES) -> Iterator[Seen]:
    """Call *function* with *probes* until *seconds* have passed; yield what each shows."""
    deadline = time.monotonic() + seconds
    for data, good in probes:
        if time.monotonic() > deadline:
            return
        try:
            value = returned_by(function, data)
            yield Seen(data, good, True, plain(value), ascii(value)[:40])
        except Exception as error:
            if refuses(error):
                yield Seen(data, good, False, None, type(error).__name__)


def seen_apart(function: Callable[[bytes], Any], seconds: float, probes: Probes = PROBES) -> list[Seen]:
    """Return what ``observe`` yields in a copy of this process: *function* may crash, hang, or remember the calls."""
    if not CAN_COPY:
        return list(observe(function, seconds, probes))
    return told_apart(lambda: observe(function, seconds, probes), seconds)
