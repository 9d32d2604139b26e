"""Masks: the bits of a number say where a condition holds, as ``holds`` says it for one place after the other."""

import random

import pytest

from utf8_abnf.conformance.harness.verdicts.masks import Masks, conditions_of
from utf8_abnf.conformance.harness.verdicts.patterns import TAIL, Pattern
from utf8_abnf.conformance.harness.verdicts.places import (
    AFTER,
    ANYWHERE,
    ASCII,
    BEFORE,
    DIRECTLY,
    OFFSET,
    OTHERS,
    OUTERMOST,
    REST,
    SIZE,
    UNKNOWN,
    Lane,
    Measure,
    Neighbour,
    Place,
)
from utf8_abnf.conformance.harness.verdicts.units import BYTES, CHARACTERS

MEASURES = [
    Measure(of, at_least, bound, unit)
    for of in (OFFSET, REST, SIZE)
    for at_least in (True, False)
    for bound in (0, 1, 2, 3, 4, 7, 8, 40, 4000)
    for unit in (BYTES, CHARACTERS)
]


def test_a_mask_says_of_each_place_what_the_condition_says():
    chance = random.Random(3629)
    pieces = [b"", b"a", b"\0", b"/", b"aaa", 40 * b"a", b"\x80", b"\xe2\x82", *OTHERS]
    texts = [b"".join(chance.choices(pieces, k=3)) for _ in range(60)]
    places = [Place(chance.choice(texts), chance.choice(texts)) for _ in range(300)]
    neighbours = [
        Neighbour.of(
            side,
            frozenset(chance.sample([*ASCII, *OTHERS], chance.choice((1, 3, 100)))),
            (*ASCII, *OTHERS),
            how,
            negated=negated,
        )
        for side in (AFTER, BEFORE)
        for how in (DIRECTLY, ANYWHERE, OUTERMOST)
        for negated in (True, False)
        for _ in range(4)
    ]
    neighbours += [
        Neighbour.of(side, frozenset(each for each in OTHERS if len(each) >= shortest), OTHERS, how)
        for side in (AFTER, BEFORE)
        for how in (DIRECTLY, ANYWHERE, OUTERMOST)
        for shortest in (2, 4)
    ]
    neighbours += [
        Neighbour(side, frozenset(), how, patterns=(Pattern((frozenset({0xE2}), TAIL, TAIL)), Pattern.of(b"/")))
        for side in (AFTER, BEFORE)
        for how in (DIRECTLY, ANYWHERE, OUTERMOST)
    ]
    for word in (b"", b"\xff", b"\xe2\x82\xac"):
        masks = Masks(places, word)
        for condition in [*MEASURES, *neighbours, Lane(16, 3, 4), Lane(48, 40, 51)]:
            expected = [condition.holds(place, word) for place in places]
            assert [bool(masks.of(condition) >> number & 1) for number in range(len(places))] == expected, condition


def test_no_conditions_are_looked_for_when_the_time_is_over():
    """To look through thousands of places took seconds, in which nothing was asked and the clock was not looked at."""
    looked = []

    def is_over():
        looked.append(len(looked))
        return len(looked) > 3

    answers = {Place(b"a" * size, b""): size >= 30 for size in range(60)}
    assert conditions_of(answers, b"\xff", MEASURES, is_over) == (UNKNOWN, [])
    assert len(looked) == 4
    assert conditions_of(answers, b"\xff", [*MEASURES, Measure(OFFSET, at_least=True, bound=30)])[0] != UNKNOWN


@pytest.mark.parametrize("of", [OFFSET, REST, SIZE])
def test_each_border_of_a_number_has_words_of_its_own(of):
    measures = [Measure(of, at_least, bound) for at_least in (True, False) for bound in (1, 2, 9)]
    assert len({measure.phrase for measure in measures}) == len(measures)
