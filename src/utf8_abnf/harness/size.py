"""Size: whether a decoder rejects well-formed text only because of its size: from which on, or which one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.harness.causes import Cause
from utf8_abnf.harness.places import CHARACTERS, OTHERS, SIZE, Conditions, Lane, Measure, Place

if TYPE_CHECKING:
    from utf8_abnf.harness.places import Conjunction
    from utf8_abnf.harness.questions import Direction

MAX_PERIOD = 300  # sizes after a wrong one, among which the next one is looked for
FILLERS = (b"a", OTHERS[1], OTHERS[4], OTHERS[10])  # one of each length


def size_cause(data: bytes, case: str, direction: Direction) -> Cause | None:
    """Return the cause of a decoder that rejects text of every kind if it is as large as *data*, or larger, or None."""
    if direction.accepted or not direction.standard.is_utf8 or len(data) < len(FILLERS[-1]):
        return None
    if any(direction.are_wrong(list(FILLERS))):  # then it may be these characters that are rejected
        return None
    if found := _single_size(len(data), direction):
        return Cause([], Conditions((found,)), Place(b"", b""), b"a" * len(data), case, any_word=True)
    counts = [_count(filler, len(data), direction) for filler in FILLERS]
    if None in counts:
        return None
    bytes_of_all = [count * len(filler) for count, filler in zip(counts, FILLERS, strict=True) if count]
    bound = min(bytes_of_all)
    if all(size - bound < len(filler) for size, filler in zip(bytes_of_all, FILLERS, strict=True)):
        measure = Measure(SIZE, at_least=True, bound=bound)
    elif len(set(counts)) == 1:
        measure = Measure(SIZE, at_least=True, bound=bound, unit=CHARACTERS)
    else:
        return None
    conditions = Conditions(((measure,),))
    if not conditions.hold(Place(b"", b""), data):
        return None
    count = -(-bound // len(FILLERS[0]))
    return Cause([], conditions, Place(b"", b""), FILLERS[0] * count, case, any_word=True)


def _single_size(size: int, direction: Direction) -> Conjunction | None:
    """Return the conditions of a decoder that rejects text of *size* bytes, and none that is a byte shorter or longer.

    Other sizes that it rejects are looked for among the next ``MAX_PERIOD``: they may be the same modulo a number.
    """
    if not all(_wrong_sizes([size], direction, FILLERS)) or any(_wrong_sizes([size - 1, size + 1], direction, FILLERS)):
        return None
    if not direction.ask.expensive:
        following = range(size + 2, size + MAX_PERIOD)
        period = next((each - size for each in following if _wrong_sizes([each], direction)[0]), 0)
        multiples = [size + factor * period for factor in (2, 3)]
        if (
            period
            and all(_wrong_sizes(multiples, direction))
            and not any(_wrong_sizes([each + more for each in multiples for more in (-1, 1)], direction))
        ):
            low = size % period
            while size > period and _wrong_sizes([size - period], direction)[0]:
                size -= period
            first = (Measure(SIZE, at_least=True, bound=size),) * (size > max(low, 1))
            return (Lane(period, low, low + 1, SIZE), *first)
    return Measure(SIZE, at_least=True, bound=size), Measure(SIZE, at_least=False, bound=size + 1)


def _wrong_sizes(sizes: list[int], direction: Direction, fillers: tuple[bytes, ...] = FILLERS[:1]) -> list[bool]:
    """Return for each of *sizes* and *fillers* whether text of so many bytes is rejected."""
    texts = [b"a" * (size % len(each)) + each * (size // len(each)) for size in sizes for each in fillers]
    return [is_wrong is True for is_wrong in direction.are_wrong(texts)]


def _count(filler: bytes, size: int, direction: Direction) -> int | None:
    """Return from how many *filler* characters on the decoder rejects text; None if it takes as many as *size* hold."""
    low, high = 1, size  # by then even a count of characters has come to its bound
    if direction.are_wrong([filler * high]) != [True]:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if all(direction.are_wrong([filler * middle])) else (middle, high)
    return high
