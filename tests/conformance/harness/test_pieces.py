"""From which piece of a stream on the answers are wrong: said with the true border, or not at all."""

import codecs
from typing import NamedTuple

import pytest

from utf8_abnf.conformance.harness.answers.pieces import pieces_of


def judged(data, sizes, spoil):
    """Tell whether a decoder goes wrong to which *spoil* does something before each piece."""
    if isinstance(spoil, SpoiltEnd):
        return bool(sizes) and spoil.when(spoil.number(sizes))
    decoder, at, right = codecs.getincrementaldecoder("utf-8")(), 0, True
    try:
        for number, size in enumerate(sizes):
            decoder.decode(spoil(decoder, number, at, data[at : at + size]))
            at += size
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        right = False
    try:
        data.decode()
    except UnicodeDecodeError:
        return right
    return not right


def forgetting(when):
    """Return what makes a decoder forget the beginning of a character where *when* says so."""

    def spoil(decoder, number, at, piece):
        if when(number, at, piece):
            decoder.reset()
        return piece

    return spoil


class SpoiltEnd(NamedTuple):
    """What makes a decoder go wrong at the end, after a last piece of some sizes, or another *number*."""

    when: object
    number: object = lambda sizes: sizes[-1]


SPOILT = {
    "where a piece has 1,461 bytes or more": (lambda decoder, number, at, piece: piece[:1460], (700, 1509)),
    "where there are 17 pieces or more": (forgetting(lambda number, at, piece: number == 16), (1,) * 30),
    "where a piece is empty": (forgetting(lambda number, at, piece: not piece), (0, 1, 1)),
    "where a piece has 1 byte": (forgetting(lambda number, at, piece: len(piece) == 1), (2, 1, 4)),
    "where a piece has 7 bytes": (forgetting(lambda number, at, piece: len(piece) == 7), (1, 7, 7, 7, 2)),
    "where a piece has 1,460 bytes": (forgetting(lambda number, at, piece: len(piece) == 1460), (5, 1460, 3)),
    "where the last piece has 7 bytes": (SpoiltEnd(lambda size: size == 7), (1, 7, 7)),
    "where the last piece is empty": (SpoiltEnd(lambda size: size == 0), (1, 7, 0)),
    "where the last piece has 16 bytes or more": (SpoiltEnd(lambda size: size >= 16), (3, 40)),
    "in input of 10 bytes or a multiple of it": (SpoiltEnd(lambda size: size % 10 == 0, sum), (7, 3)),
    "where the number of pieces is 3 or a multiple of it": (SpoiltEnd(lambda count: count % 3 == 0, len), (7, 3, 1)),
    "in input of 10,001 bytes or more": (lambda d, n, at, piece: piece[: max(0, 10_000 - at)], (4000, 9000)),
    "where a piece begins at offset 7,000 or later": (
        forgetting(lambda number, at, piece: at >= 7000),
        (4096, 4096, 9),
    ),
    "": (forgetting(lambda number, at, piece: True), (2, 3)),
}
NOT_THE_SIZE = [  # a size that all cases had, but others are answered wrongly as well, or this one is not always
    (forgetting(lambda number, at, piece: len(piece) % 7 == 0), (1, 7, 7, 7, 2)),
    (forgetting(lambda number, at, piece: number == 1), (1, 7, 3)),
    (forgetting(lambda number, at, piece: at == 1 and len(piece) == 7), (1, 7, 3)),
]


def phrase_of(spoil, seen):
    found = pieces_of([seen], set(seen), lambda inputs: [judged(*each, spoil) for each in inputs])
    assert found is None or found.hold(seen)
    return found.phrase if found else ""


@pytest.mark.parametrize("phrase", SPOILT)
def test_a_border_of_pieces_is_the_true_one(phrase):
    assert phrase_of(*SPOILT[phrase]) == phrase


@pytest.mark.parametrize(("spoil", "seen"), NOT_THE_SIZE)
def test_a_size_that_all_cases_had_by_chance_is_not_told(spoil, seen):
    assert phrase_of(spoil, seen) == ""
