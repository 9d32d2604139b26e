"""Shrinking: from data that a decoder judges wrongly to the shortest word in it that it still judges wrongly."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.harness.questions import Direction

MAX_ROUNDS = 60
MAX_PLACES = 64  # at which one round leaves a piece, or a byte, out


def shrink(data: bytes, direction: Direction) -> bytes:
    """Return the shortest word found within *data* that the decoder gets wrong in the same *direction*."""
    # A piece alone is nearly always enough, and of an ill-formed piece perhaps its beginning.
    alone = [
        piece[:end]
        for piece in dict.fromkeys(direction.pieces_to_blame(data))
        for end in (range(1, len(piece) + 1) if direction.accepted else [len(piece)])
    ]
    wrong = [word for word, is_wrong in zip(alone, direction.are_wrong(alone), strict=True) if is_wrong]
    if wrong:
        return min(wrong, key=lambda word: (len(word), word))
    for _ in range(MAX_ROUNDS):
        shorter = list(dict.fromkeys(_shorter(data, direction)))
        are_wrong = direction.are_wrong(shorter)
        if not any(are_wrong):
            break
        data = shorter[are_wrong.index(True)]
    return data


def _shorter(data: bytes, direction: Direction) -> Iterator[bytes]:
    """Yield *data* without some of it: large parts first, then single pieces, then single bytes."""
    pieces = [piece for piece, _ in direction.standard.pieces(data)]
    for size in (len(pieces) // 2, len(pieces) // 4, len(pieces) // 8):
        if size > 1:
            for start in range(0, len(pieces), size):
                yield b"".join(pieces[:start] + pieces[start + size :])
    starts = range(0, len(pieces), max(1, len(pieces) // MAX_PLACES))
    yield from (b"".join(pieces[:start] + pieces[start + 1 :]) for start in starts if len(pieces) > 1)
    if len(data) <= MAX_PLACES:
        yield from (data[:at] + data[at + 1 :] for at in range(len(data)) if len(data) > 1)
