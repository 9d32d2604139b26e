"""Lines: the places at which a word is asked, which vary in one thing at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.verdicts.places import OFFSET, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BATCH = 16 << 20  # bytes of the places that are asked at a time


class Line(NamedTuple):
    """Places that grow by a number of *filler* characters before the word or, if *of* is REST, after it.

    *near*, *other* and *far* do not change: what stands between the filler and the word, what stands on the other side,
    and what stands beyond the filler.
    """

    of: str
    filler: bytes
    near: bytes
    other: bytes
    far: bytes = b""

    def place(self, count: int) -> Place:
        text = self.filler * count
        if self.of == OFFSET:
            return Place(self.far + text + self.near, self.other)
        return Place(self.other, self.near + text + self.far)


def batches(places: Iterable[Place]) -> Iterator[list[Place]]:
    """Yield *places* in lists of BATCH bytes, or of one place that is larger: they are made when they are asked."""
    batch: list[Place] = []
    size = 0
    for place in places:
        if batch and size + place.size > BATCH:
            yield batch
            batch, size = [], 0
        batch.append(place)
        size += place.size
    yield batch


def simple_places(filler: bytes) -> list[Place]:
    """Return the four places that tell whether a word stands at the beginning, at the end, at both, or at neither."""
    return [Place(b"", b""), Place(filler, b""), Place(b"", filler), Place(filler, filler)]


def simpler_places(place: Place, filler: bytes) -> Iterator[Place]:
    """Yield places like *place* with something left out, or with plain text of the same length."""
    plain = plain_place(place, filler)
    starts = dict.fromkeys((b"", filler, plain.before, place.before))
    yield from (Place(before, after) for before in starts for after in (b"", filler, plain.after, place.after))


def plain_place(place: Place, filler: bytes) -> Place:
    """Return *place* with plain text of the same length."""
    return Place(*(filler * (len(text) // len(filler)) for text in place))


def around(size: int) -> tuple[int, ...]:
    return (size - 1, size, size + 1) if size > 1 else ()
