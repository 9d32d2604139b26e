"""How a Python decoder says yes and no: what it did with a few inputs comes in, the meaning of its results goes out."""

from __future__ import annotations

import ast
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from utf8_abnf.conformance.harness.driving.apart import CAN_COPY, told_apart
from utf8_abnf.conformance.harness.driving.results import Broken, plain, refuses, returned_by
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
MIN_SAME = 3  # ill-formed inputs with the same answer, before this answer is taken for "no"


class Seen(NamedTuple):
    """The answer to *data*, which is *good* or not: *told*, see ``plain``, if it *returned*; *shown* is its repr."""

    data: bytes
    good: bool
    returned: bool
    told: object
    shown: str


@dataclass(frozen=True, slots=True)
class Habit:
    """How results are verdicts: *rule* reads each, some compare it with *wanted*; *words* say it.

    The rules are: "true", "is" and "is not" *wanted*, "size" (it is the number of bytes), "returns" (all are fine).
    """

    words: str
    rule: str
    wanted: object = None

    def accepts(self, value: object, data: bytes) -> bool:
        """Tell whether the result *value* for *data* accepts; Broken where it cannot be read in this way."""
        if value is True and self is BY_TRUTH:
            return True  # most cases of many decoders: the other questions take half as long as a decoder
        return self.rule == "returns" or self.reads(plain(value), data)

    def reads(self, told: object, data: bytes) -> bool:
        """Tell whether the plain result *told* accepts *data*."""
        if self.rule == "true":
            if not isinstance(told, int):
                raise Broken(f"returned {_shown(told)}, where it had returned only truth values and numbers")
            return bool(told)
        if self.rule == "size":
            return told == len(data)
        is_wanted = told == self.wanted and isinstance(told, bool) is isinstance(self.wanted, bool)
        return is_wanted is (self.rule == "is")


BY_TRUTH = Habit("accepts when its result is true", "true")
BY_RETURN = Habit("accepts when it returns, refuses when it raises", "returns")
BY_ERROR = Habit("accepts when it returns, refuses when it returns an exception", "returns")
RETURNED = "returned an exception"  # what a refusal shows then
BY_SIZE = Habit("accepts when its result is the number of bytes", "size")
NEVER_REFUSES = Habit("accepts when it returns, and was not seen to refuse anything", "returns")
REPLACES = Habit(
    f"{NEVER_REFUSES.words}; it returned U+FFFD for ill-formed input: "
    "a class with `replace = staticmethod(FUNCTION)` is judged as a decoder that replaces",
    "returns",
)


def habit_of(seen: Sequence[Seen]) -> Habit | None:
    """Return the habit of a decoder that gave the answers *seen*; None if it only raised, or was not asked.

    Truth values are verdicts. For other results the habit is the one that gets the fewest of the inputs wrong, at most
    one of the well-formed and half of the ill-formed ones; where there is none, results accept if the decoder was seen
    to raise, or returned text or None alone. UsageError where that would be a guess.
    """
    returned = [each for each in seen if each.returned]
    if not returned:
        return None
    if _is_truth(seen):
        return _truth(seen)
    fits = sorted(
        ((sum(_wrong(habit, seen)), number, habit) for number, habit in enumerate(_fitting(seen))),
        key=lambda each: each[:2],
    )
    best = [habit for errors, _, habit in fits if errors == fits[0][0]]
    if best and (fits[0][0] == 0 or len({tuple(_verdicts(habit, seen)) for habit in best}) == 1):
        return best[0]
    if len(returned) < len(seen):
        return _by_return(seen)
    if any(_has_mark(each) for each in returned):
        return REPLACES
    if any((each.data, each.good) not in PROBES for each in seen):  # parsers may refuse a few words that a grammar has
        raise unclear(seen, "in a function that returns True or False, or give words that it accepts by --corpus FILE")
    kinds = {type(each.told) for each in seen}
    if kinds <= {str, bytes, type(None)} and (1, 0) not in [_wrong(habit, seen) for habit in _refusals(seen)]:
        return NEVER_REFUSES
    raise unclear(seen, "in a function that returns True or False: `def accepts(data): ...`")


def _by_return(seen: Sequence[Seen]) -> Habit:
    """Return the habit of results that accept: no other thing that was returned refuses but exceptions, if any."""
    refusals = {each.shown for each in seen if not each.returned}
    return BY_ERROR if refusals == {RETURNED} else BY_RETURN


def _truth(seen: Sequence[Seen]) -> Habit:
    """Return the habit of truth values; UsageError where False comes for all that is well-formed, and for no other."""
    false = {each.good for each in seen if each.returned and not each.told}
    good = [each for each in seen if each.good]
    if false == {True} and _wrong(BY_TRUTH, seen)[0] == len(good) < len(seen):
        raise unclear(seen, "in a function that returns the opposite, if its 0 or False means that all is well")
    return BY_TRUTH


def unclear(seen: Sequence[Seen], wrap: str) -> UsageError:
    """Return the error that says which answers could not be understood, and how to *wrap* the function."""
    asked = [each.data.hex(" ").upper() or "the empty input" for each in seen]
    some = [f"{each.shown} for {data}" for each, data in zip(seen, asked, strict=True) if each.returned]
    return UsageError(f"cannot tell yes from no: it returned {', '.join(some[:4])}. Wrap it {wrap}")


def _fitting(seen: Sequence[Seen]) -> Iterator[Habit]:
    """Yield the habits that the answers fit."""
    good, bad = sum(each.good for each in seen), sum(not each.good for each in seen)
    for habit in _candidates(seen):
        try:
            wrong_good, wrong_bad = _wrong(habit, seen)
        except Broken:
            continue
        is_sure = habit.rule != "is not" or habit.wanted is None or habit.wanted is False
        if wrong_good <= is_sure and wrong_good < good and wrong_bad * 2 <= bad * is_sure and wrong_bad < bad:
            yield habit


def _candidates(seen: Sequence[Seen]) -> Iterator[Habit]:
    yield BY_TRUTH
    if not all(each.returned for each in seen):
        yield _by_return(seen)
    yield BY_SIZE
    yield from _agreements(seen)
    yield from _refusals(seen)


def _is_truth(seen: Sequence[Seen]) -> bool:
    """Tell whether every result is a truth value: True, False, 0 or 1."""
    return {0, 1}.issuperset(each.told for each in seen if each.returned)


def _agreements(seen: Sequence[Seen]) -> Iterator[Habit]:
    """Yield the habit of giving one answer to everything that is well-formed: None, -1, "", "ok"."""
    told = [each.told for each in [each for each in seen if each.good][:2] if each.returned]
    if len(told) == 2 and told[0] == told[1]:
        yield Habit(f"accepts when it returns {_shown(told[0])}", "is", told[0])


def _refusals(seen: Sequence[Seen]) -> Iterator[Habit]:
    """Yield the habits of giving one answer to what is ill-formed: None or False to some, or another answer to all."""
    told = [each.told for each in seen if each.returned and not each.good]
    refusals: list[object] = [each for each in told if each is None or each is False]
    if not refusals and len(told) >= MIN_SAME and len(set(told)) == 1:
        refusals = told
    for each in refusals[:1]:
        yield Habit(f"refuses when it returns {_shown(each)}", "is not", each)


def _shown(told: object) -> str:
    return f"an object of class {told[0]}" if isinstance(told, tuple) else f"{told!r:.40}"


def _verdicts(habit: Habit, seen: Sequence[Seen]) -> list[bool]:
    return [each.returned and (habit.rule == "returns" or habit.reads(each.told, each.data)) for each in seen]


def _wrong(habit: Habit, seen: Sequence[Seen]) -> tuple[int, int]:
    """Return how many well-formed and how many ill-formed inputs *habit* reads wrongly."""
    wrong = [0, 0]
    for each, verdict in zip(seen, _verdicts(habit, seen), strict=True):
        good = each.good
        wrong[not good] += verdict is not good
    return wrong[0], wrong[1]


def _has_mark(each: Seen) -> bool:
    """Tell whether a result is text with U+FFFD."""
    text = each.told
    return isinstance(text, str | bytes) and ("\ufffd" if isinstance(text, str) else "\ufffd".encode()) in text  # type: ignore[operator]


def observe(
    function: Callable[[bytes], Any], seconds: float, tell: Callable[[Seen], object], probes: Probes = PROBES
) -> None:
    """Call *function* with *probes* until *seconds* have passed; call *tell* with what each shows."""
    deadline = time.monotonic() + seconds
    for data, good in probes:
        if time.monotonic() > deadline:
            return
        try:
            value = returned_by(function, data)
            if isinstance(value, Exception):
                if refuses(value):
                    tell(Seen(data, good, False, None, RETURNED))
                continue
            tell(Seen(data, good, True, plain(value), ascii(value)[:40]))
        except Exception as error:
            if refuses(error):
                tell(Seen(data, good, False, None, type(error).__name__))


def seen_here(function: Callable[[bytes], Any], seconds: float, probes: Probes = PROBES) -> list[Seen]:
    """Return what *function* does with *probes*."""
    seen: list[Seen] = []
    observe(function, seconds, seen.append, probes)
    return seen


def seen_apart(function: Callable[[bytes], Any], seconds: float, probes: Probes = PROBES) -> list[Seen]:
    """Return the same as ``seen_here``, asked in a copy of this process: it may crash, hang, or remember the calls."""
    if not CAN_COPY:
        return seen_here(function, seconds, probes)

    def work(write: Callable[[bytes], object]) -> None:
        observe(function, seconds, lambda each: write(f"{tuple(each)!a}\n".encode()), probes)

    told = told_apart(work, seconds)
    return [Seen(*ast.literal_eval(line)) for line in told.decode().splitlines() if line.endswith(")")]
