"""Pieces: from which size of a piece of a stream on, or from how many pieces on, its answers are wrong.

The cases only show some sizes. Here other sizes are asked, with text that shows a byte that is lost and a state that is
forgotten: characters of three bytes in each of three places, and an error at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Sizes = tuple[int, ...]
EURO = "€".encode()
SMALL: tuple[Sizes, ...] = ((1,), (6,), (1, 1, 1), (2, 3), (4, 1, 4), (3, 3, 3))
MAX_OTHER = 20  # bytes of a piece of another size: all up to that are asked, and some beside the size and beyond
MAX_PIECES, MAX_BYTES, PAGE = 5_000, 1 << 21, 4096


def _in_pages(size: int) -> Sizes:
    return (*(PAGE,) * (size // PAGE), *([size % PAGE] * (size % PAGE > 0)))


class Pieces(NamedTuple):
    """Which pieces have to be there for a wrong answer: *phrase* is read after "only", *hold* tells it of sizes."""

    phrase: str
    hold: Callable[[Sizes], bool]


class _Reason(NamedTuple):
    """What may be the reason: the *number_of* it in a case, pieces of *sizes* with just this number, *most* asked.

    Pieces of the sizes *other* are answered wrongly if not this is the reason, but the size of the whole input.
    """

    phrase: str
    number_of: Callable[[Sizes], int]
    sizes: Callable[[int], Sizes]
    other: Callable[[int], Sizes]
    most: int


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
REASONS = (
    _Reason(
        "where the last piece has {:,} bytes or more",
        lambda sizes: sizes[-1],
        lambda n: (1, n),
        lambda n: (n, 1),
        MAX_BYTES,
    ),
    _Reason("where a piece has {:,} bytes or more", max, lambda n: (1, n, 1), lambda n: (n // 2,) * 4, MAX_BYTES),
    _Reason("where there are {:,} pieces or more", len, lambda n: (1,) * n, lambda n: (n, n), MAX_PIECES),
    _Reason("in input of {:,} bytes or more", sum, _in_pages, lambda _: (), MAX_BYTES),
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
    if not examples or any(map(is_wrong, SMALL)):
        return None
    for reason in REASONS:
        least = min(map(reason.number_of, examples))
        if least > reason.most:
            continue
        bound = _bound(lambda number, reason=reason: is_wrong(reason.sizes(number)), least)  # type: ignore[misc]
        if bound and not (reason.other(bound) and is_wrong(reason.other(bound))):
            return Pieces(
                reason.phrase.format(bound),
                lambda sizes, reason=reason, bound=bound: reason.number_of(sizes) >= bound,  # type: ignore[misc]
            )
    return None


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
