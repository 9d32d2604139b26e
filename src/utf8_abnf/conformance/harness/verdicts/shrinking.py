"""Shrinking: from an input that a decoder judges wrongly to the word in it that is to blame, and its place.

Only whole characters and whole ill-formed sequences are left out, and what is left is not explained by the causes that
are known: so one kind of fault never turns into another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.verdicts.cutting import (
    characters,
    end_of_piece,
    first_ill_formed,
    ill_formed_pieces,
    repaired,
)
from utf8_abnf.conformance.harness.verdicts.lines import simple_places
from utf8_abnf.conformance.harness.verdicts.places import OTHERS, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.harness.verdicts.causes import Causes
    from utf8_abnf.conformance.harness.verdicts.questions import Direction

MAX_WORDS = 24  # different pieces of one input that are looked at
MAX_PARTS = 32  # that one round leaves out, one after the other
MAX_ROUNDS = 100
MAX_CHARACTERS = 4  # that may be to blame together
MAX_BYTES = 1 << 24  # of the questions for one input
FILLERS = (b"a", b" ", b"0", b"~", *OTHERS[1:5:3], OTHERS[10])


class Blamed(NamedTuple):
    """A word that may be to blame, and the places where it was judged wrongly."""

    word: bytes
    places: tuple[Place, ...]


def filler_for(direction: Direction) -> bytes:
    """Return a character that the decoder takes, alone and often: contexts are made from it."""
    words = [filler * count for filler in FILLERS for count in (1, 2, 70)]
    taken = direction.ask(words)
    good = (filler for number, filler in enumerate(FILLERS) if False not in taken[3 * number : 3 * number + 3])
    return next(good, FILLERS[0])


def blamed(data: bytes, causes: Causes, filler: bytes, direction: Direction) -> Iterator[Blamed]:
    """Yield words that may be to blame for the wrong verdict on *data*, the likeliest first; the last one always is."""
    if not data or not direction.standard.is_utf8:
        yield Blamed(data, (Place(b"", b""),))
        return
    yield from _alone(data, causes, filler, direction)
    shorter = _shrunk(data, causes, direction)
    if shorter != data:
        yield from _alone(shorter, causes, filler, direction)
    yield _last(shorter, accepted=direction.accepted)


def _alone(data: bytes, causes: Causes, filler: bytes, direction: Direction) -> Iterator[Blamed]:
    """Yield the pieces of *data* that are judged wrongly even if there is nothing wrong around them."""
    found = _ill_formed(data, causes, filler) if direction.accepted else _characters(data, filler, direction)
    for word, seen in found:
        places = list(dict.fromkeys([*simple_places(filler), *seen]))
        wrong = [place for place, is_wrong in zip(places, direction.wrong_at(word, places), strict=True) if is_wrong]
        if wrong:
            yield Blamed(word, tuple(wrong))


def _ill_formed(data: bytes, causes: Causes, filler: bytes) -> Iterator[tuple[bytes, list[Place]]]:
    """Yield the ill-formed pieces that no cause explains, each with its place among well-formed text."""
    stuck = causes.read(data)[1][:MAX_WORDS]
    whole = [(start, end) for start, end in ill_formed_pieces(data) if any(start <= at < end for at in stuck)]
    done = set()
    for start, end in dict.fromkeys([*whole[:MAX_WORDS], *((at, end_of_piece(data, at)) for at in stuck)]):
        if data[start:end] not in done:
            done.add(data[start:end])
            yield data[start:end], [Place(repaired(data[:start], filler), repaired(data[end:], filler))]


def _characters(data: bytes, filler: bytes, direction: Direction) -> Iterator[tuple[bytes, list[Place]]]:
    """Yield the characters of *data* without which it is accepted, each with the places where it is to blame."""
    for each in sorted(set(characters(data)), key=lambda each: (-len(each), each))[:MAX_WORDS]:
        plain = filler * max(1, len(each) // len(filler))
        parts = data.split(each)
        cuts = sorted({*range(1, len(parts))[:2], *range(1, len(parts))[-2:]})
        places = [Place(plain.join(parts[:cut]), plain.join(parts[cut:])) for cut in cuts]  # the only one of its kind
        as_it_is = [Place(each.join(parts[:cut]), each.join(parts[cut:])) for cut in cuts]
        without = direction.are_wrong([data.replace(each, plain), *(place.around(plain) for place in as_it_is)])
        if not without[0] and len(parts) - 1 > len(cuts):
            places = [*_only_place(each, plain, parts, direction), *places]
        places = [] if without[0] else places
        places += [place for place, is_wrong in zip(as_it_is, without[1:], strict=True) if not is_wrong]
        if places:
            yield each, places


def _only_place(each: bytes, plain: bytes, parts: list[bytes], direction: Direction) -> Iterator[Place]:
    """Yield the place of one *each* that alone is to blame, if one is; those between *parts* are the others.

    What stands before it keeps its length, so that a border which a character must not cross stays where it is.
    """
    low, high = 1, len(parts)
    while high - low > 1:
        middle = (low + high) // 2
        halves = ((low, middle), (middle, high))
        wrong = direction.are_wrong(
            [
                each.join([plain.join(parts[:first]), *parts[first : end - 1], plain.join(parts[end - 1 :])])
                for first, end in halves
            ]
        )
        if not any(wrong):
            return
        low, high = halves[wrong.index(True)]
    yield Place(plain.join(parts[:low]), plain.join(parts[low:]))


def _shrunk(data: bytes, causes: Causes, direction: Direction) -> bytes:
    """Return *data* without the characters and ill-formed pieces that the wrong verdict does not need."""
    pieces = _pieces(data)
    parts, left = 2, MAX_BYTES
    for _ in range(MAX_ROUNDS):
        size = -(-len(pieces) // parts)
        shorter = [pieces[:at] + pieces[at + size :] for at in range(0, len(pieces), size)]
        inputs = [joined for each in shorter if (joined := b"".join(each)) and joined != data]
        left -= sum(map(len, inputs))
        if left < 0:
            break
        wrong = [
            each
            for each, is_wrong in zip(inputs, direction.are_wrong(inputs), strict=True)
            if is_wrong and causes.explaining(each) is None
        ]
        if wrong:
            data = min(wrong, key=len)
            pieces, parts = _pieces(data), max(2, min(parts, len(data)))
        elif size == 1 or parts >= MAX_PARTS < len(pieces):
            break
        else:
            parts = min(2 * parts, len(pieces))
        if len(pieces) < 2:
            break
    return data


def _pieces(data: bytes) -> list[bytes]:
    found, at = [], 0
    for start, end in ill_formed_pieces(data):
        found += [*characters(data[at:start]), data[start:end]]
        at = end
    return [*found, *characters(data[at:])]


def _last(data: bytes, *, accepted: bool) -> Blamed:
    """Return what may be to blame in *data*: from its first to its last ill-formed piece, or some characters."""
    if accepted:
        start = first_ill_formed(data)
        end = max(end for _, end in ill_formed_pieces(data))
    else:
        pieces = characters(data)
        longest = max(pieces, key=len) if len(pieces) > MAX_CHARACTERS else data
        start = data.index(longest)
        end = start + len(longest)
    return Blamed(data[start:end], (Place(data[:start], data[end:]),))
