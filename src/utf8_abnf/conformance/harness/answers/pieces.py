"""Pieces: at which sizes, numbers or ends of its pieces the answers about a stream are wrong.

The cases only show some of them. Here others are asked, with text that shows a byte that is lost and a state that is
forgotten: characters of three bytes in each of three places, and an error at the end.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.replacing import is_well_formed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Sizes = tuple[int, ...]
EURO = "€".encode()
SMALL: tuple[Sizes, ...] = ((1,), (6,), (1, 1, 1), (2, 3), (4, 1, 4), (3, 3, 3))
MAX_OTHER = 20  # bytes of a piece of another size: all up to that are asked, and some beside the size and beyond
MAX_PIECES, MAX_BYTES, PAGE = 5_000, 1 << 21, 4096
LENGTHS = range(1, 5)  # of a character, in bytes
MAX_BORDERS = 20  # between pieces that are looked at
MAX_PERIOD = 130  # of a number of pieces or of bytes
OTHERS = tuple(map(str.encode, "a \t\n\r\0é€😀"))  # characters at the border of two pieces
BEFORE, BEHIND = (b"xy", b"x", b"Z"), (b"yx", b"x", b"Z")  # what stands before and behind these


def _in_pages(size: int) -> Sizes:
    return (*(PAGE,) * (size // PAGE), *([size % PAGE] * (size % PAGE > 0)))


class Pieces(NamedTuple):
    """Which pieces have to be there for a wrong answer: *phrase* is read after "only", *hold* tells it of sizes.

    It tells nothing where the sizes are not the reason.
    """

    phrase: str
    hold: Callable[[Sizes], bool]


class _Reason(NamedTuple):
    """What may be the reason: the *number_of* it in a case. Each of *ways* makes pieces with such a number.

    The border has to be the same in each way; at most *most* is asked. Answers about the pieces *right* are right.
    """

    phrase: str
    number_of: Callable[[Sizes], int]
    ways: tuple[Callable[[int], Sizes], ...]
    most: int
    right: Callable[[int], Sizes] = lambda _: SMALL[0]  # which was asked before


# A piece of a size n among those of other sizes.
AMONG_OTHERS: tuple[Callable[[int, int, int], Sizes], ...] = (
    lambda n, one, _: (one, n, one),
    lambda n, _, two: (two, n, two),
    lambda n, one, two: (one, two, n, two),
)
AT_THE_END: tuple[Callable[[int, int, int], Sizes], ...] = (
    lambda n, one, _: (one, n),
    lambda n, _, two: (two, n),
    lambda n, one, _: (n, one, n),
)
MULTIPLES: tuple[tuple[str, Callable[[Sizes], int], tuple[Callable[[int], Sizes], ...]], ...] = (
    (
        "where the number of pieces is {} or a multiple of it",
        len,
        (lambda n: (2,) + (1,) * (n - 1), lambda n: (5,) * n, lambda n: (3,) * (n - 1) + (1,)),
    ),
    ("in input of {} bytes or a multiple of it", sum, (lambda n: (n,), lambda n: (1, n - 1), lambda n: (n - 1, 0, 1))),
)
REASONS = (
    _Reason(
        "where the last piece has {:,} bytes or more",
        lambda sizes: sizes[-1],
        (lambda n: (1, n), lambda n: (n,)),
        MAX_BYTES,
        lambda n: (n, 1),
    ),
    _Reason("where a piece has {:,} bytes or more", max, (lambda n: (1, n, 1), lambda n: (n,)), MAX_BYTES),
    _Reason("where there are {:,} pieces or more", len, (lambda n: (1,) * n, lambda n: (2,) * n), MAX_PIECES),
    _Reason("in input of {:,} bytes or more", sum, (_in_pages, lambda n: (n,), lambda n: (1, n - 1)), MAX_BYTES),
    _Reason(
        "where a piece begins at offset {:,} or later",
        lambda sizes: sum(sizes[:-1]),
        (lambda n: (*_in_pages(n), 1), lambda n: (n, 3), lambda n: (1, n - 1, 2)),
        MAX_BYTES,
    ),
)


def pieces_of(
    examples: Sequence[Sizes], shared: Iterable[int], are_wrong: Callable[[Sequence[tuple[bytes, Sizes]]], list[bool]]
) -> Pieces | None:
    """Return which pieces have to be there for a wrong answer, None if that is open.

    *examples* are the sizes of the pieces of some cases, and a piece of each size in *shared* is in every case.
    *are_wrong* tells of inputs in pieces if the answers are.
    """

    def is_wrong(sizes: Sizes) -> bool:
        return any(are_wrong([(text, sizes) for text in _texts(sum(sizes))]))

    for size in sorted(shared, reverse=True):
        number = f"{size:,} byte{'s' * (size != 1)}"
        if _is_size(size, is_wrong, AMONG_OTHERS):
            phrase = f"where a piece has {number}" if size else "where a piece is empty"
            return Pieces(phrase, lambda sizes, size=size: size in sizes)  # type: ignore[misc]
        if _is_size(size, is_wrong, AT_THE_END) and not any(
            is_wrong(way(size, *_beside(size))) for way in AMONG_OTHERS
        ):
            phrase = f"where the last piece {f'has {number}' if size else 'is empty'}"
            return Pieces(phrase, lambda sizes, size=size: sizes[-1] == size)  # type: ignore[misc]
    if not examples:
        return None
    for phrase, number_of, ways in MULTIPLES:
        if period := _period(min(map(number_of, examples)), ways, is_wrong):
            return Pieces(
                phrase.format(period),
                lambda sizes, number_of=number_of, period=period: number_of(sizes) % period == 0,  # type: ignore[misc]
            )
    if any(map(is_wrong, SMALL)):
        return None
    for reason in REASONS:
        least = min(map(reason.number_of, examples))
        first, *others = reason.ways
        bound = _bound(lambda number, way=first: is_wrong(way(number)), least) if least <= reason.most else 0  # type: ignore[misc]
        is_in_others = bound and all(is_wrong(way(bound)) and not is_wrong(way(bound - 1)) for way in others)
        if is_in_others and not is_wrong(reason.right(bound)):
            return Pieces(
                reason.phrase.format(bound),
                lambda sizes, reason=reason, bound=bound: reason.number_of(sizes) >= bound,  # type: ignore[misc]
            )
    return None


def ends_of_pieces(
    data: bytes, sizes: Sizes, are_wrong: Callable[[Sequence[tuple[bytes, Sizes]]], list[bool]]
) -> Pieces | None:
    """Return with what character a piece has to end, or the next one to begin, for a wrong answer; None if with any.

    The answer about *data*, in pieces of *sizes*, is wrong. *are_wrong* is as above.
    """
    for border in list(dict.fromkeys(accumulate(sizes)))[:MAX_BORDERS]:
        end = _character(data[:border][-size:] for size in LENGTHS)
        start = _character(data[border:][:size] for size in LENGTHS)
        for ends, begins in ((end, b""), (b"", start), (end, start)):
            if (ends or begins) and _is_border(ends, begins, are_wrong):
                pairs = (("where a piece ends with", ends), ("where a later piece begins with", begins))
                told = [f"{words} %x{each.hex('.').upper()}" for words, each in pairs if each]
                phrase = " and ".join(told).replace("and where a later piece", "and the next one")
                return Pieces(phrase, lambda _: False)
    return None


def _is_border(ends: bytes, begins: bytes, are_wrong: Callable[[Sequence[tuple[bytes, Sizes]]], list[bool]]) -> bool:
    """Tell whether answers are wrong only where a piece ends with *ends* and the next begins with *begins*."""
    wrong = [(before + ends, begins + behind) for before in BEFORE for behind in BEHIND]
    others = [(ends and other, begins) for other in OTHERS] + [(ends, begins and other) for other in OTHERS]
    right = [
        (before + one, two + behind)
        for before, behind in zip(BEFORE, BEHIND, strict=True)
        for one, two in others
        if not (one.endswith(ends) and two.startswith(begins))
    ]
    if not all(are_wrong(_cut(wrong))):
        return False
    return not any(are_wrong(_cut([*right, *((one + two, b"") for one, two in wrong)])))


def _cut(pairs: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, Sizes]]:
    """Return each of *pairs* as one input in two pieces, or in one where the second is empty."""
    return [(one + two, (len(one), len(two)) if two else (len(one),)) for one, two in pairs]


def _character(texts: Iterable[bytes]) -> bytes:
    """Return the first of *texts* that is well-formed, b"" if none is."""
    return next(filter(is_well_formed, texts), b"")


def _period(number: int, ways: Sequence[Callable[[int], Sizes]], is_wrong: Callable[[Sizes], bool]) -> int:
    """Return of what period the answers are wrong, as they are at *number*, whatever the way; 0 if of none."""
    for period in (each for each in range(2, min(number, MAX_PERIOD) + 1) if number % each == 0):
        multiples = [factor * period for factor in (1, 2, 3, 5)]
        others = [each for each in range(2, 3 * period + 2) if each % period]
        if all(is_wrong(way(each)) for way in ways for each in multiples) and not any(
            is_wrong(way(each)) for way in ways for each in others
        ):
            return period
    return 0


def _is_size(size: int, is_wrong: Callable[[Sizes], bool], ways: Sequence[Callable[[int, int, int], Sizes]]) -> bool:
    """Tell whether the answers are wrong where a piece has this *size* in one of *ways*, and right at other sizes."""
    one, two = _beside(size)
    if not all(is_wrong(way(size, one, two)) for way in ways):
        return False
    others = {*range(MAX_OTHER + 1), size // 2, size - 1, size + 1, size + 2, 2 * size} - {-1, size}
    return not any(is_wrong(way(other, one, two)) for other in sorted(others) for way in ways[:2])


def _beside(size: int) -> tuple[int, int]:
    """Return two other sizes, which have a whole character and a part of one."""
    one, two, *_ = (other for other in (4, 5, 6) if other != size)
    return one, two


def _texts(size: int) -> list[bytes]:
    """Return texts of *size* bytes."""
    several = [b"a" * shift + EURO * ((size - shift) // len(EURO)) for shift in range(min(len(EURO), size + 1))]
    padded = [text + b"a" * (size - len(text)) for text in several]
    return [
        *padded,
        *(text[:-1] + b"\xff" for text in padded if text),
        *(text[:-1] + b"\xe2" for text in padded if text),
    ]


def _bound(is_wrong: Callable[[int], bool], wrong: int) -> int:
    """Return the number from which on the answers are wrong, as they are at *wrong*; 0 if there is none."""
    if not is_wrong(wrong):
        return 0
    right = 1
    while wrong - right > 1:
        middle = (wrong + right) // 2
        right, wrong = (right, middle) if is_wrong(middle) else (middle, wrong)
    others = [is_wrong(number) for number in (wrong // 2, wrong + 1, wrong + 2, 2 * wrong) if number > 1]
    return wrong if others[-3:] == [True] * 3 and not any(others[:-3]) else 0
