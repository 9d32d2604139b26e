"""Size: whether a decoder rejects well-formed text only because of its size, and from which size on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.harness.causes import Cause
from utf8_abnf.harness.places import CHARACTERS, OTHERS, SIZE, Conditions, Measure, Place

if TYPE_CHECKING:
    from utf8_abnf.harness.questions import Direction

FILLERS = (b"a", OTHERS[1], OTHERS[4], OTHERS[10])  # one of each length


def size_cause(data: bytes, case: str, direction: Direction) -> Cause | None:
    """Return the cause of a decoder that rejects text of every kind as soon as it is as large as *data*, or None."""
    if direction.accepted or not direction.standard.is_utf8 or len(data) < len(FILLERS[-1]):
        return None
    if any(direction.are_wrong(list(FILLERS))):  # then it may be these characters that are rejected
        return None
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


def _count(filler: bytes, size: int, direction: Direction) -> int | None:
    """Return from how many *filler* characters on the decoder rejects text; None if it takes as many as *size* hold."""
    low, high = 1, size  # by then even a count of characters has come to its bound
    if direction.are_wrong([filler * high]) != [True]:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if all(direction.are_wrong([filler * middle])) else (middle, high)
    return high
