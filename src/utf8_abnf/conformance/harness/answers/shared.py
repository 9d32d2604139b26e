"""Where the wrong answers of a class may all be: what each of their inputs has, in words, and what tells it of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.incremental import ends_within_a_character
from utf8_abnf.conformance.harness.replacing import BOM, FFFD, MIN_MERGED
from utf8_abnf.conformance.harness.verdicts.blame import is_followed, is_followed_directly, length_before
from utf8_abnf.conformance.harness.verdicts.cutting import end_of_piece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.conformance.harness.answers.judging import WrongAnswer

    Holds = Callable[[WrongAnswer], bool]

MIN_BOUND = 16  # bytes: each kind of error is asked at smaller offsets, so that a smaller bound tells nothing
MIN_ERRORS = 3
MAX_BEFORE = 5  # bytes from an error on, within which a sign is looked for
SIGNS = frozenset(range(0x80)) - frozenset(b" 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


def anywhere(_wrong: WrongAnswer) -> bool:
    """Tell that any answer is meant."""
    return True


def _borders(wrong: WrongAnswer) -> Iterator[int]:
    """Yield where the pieces of a stream end, but for the last one."""
    end = 0
    for size in (wrong.case.chunks or ())[:-1]:
        end += size
        yield end


def _before(wrong: WrongAnswer) -> bytes:
    """Return the well-formed text before what is to blame."""
    error = wrong.case.error
    return wrong.case.data[: min(wrong.blame.start, error.start) if error else wrong.blame.start]


def _end(wrong: WrongAnswer) -> int:
    """Return where what is to blame ends: for a stream's error, where all ends that it may wait for."""
    return end_of_piece(wrong.case.data, wrong.blame.start) if wrong.mode in "si" else wrong.blame.end


def _begins_with(wrong: WrongAnswer, first: int, last: int = 0xFF) -> bool:
    return any(first <= byte <= last for byte in set(_before(wrong)))


def _is_directly_behind(wrong: WrongAnswer, size: int) -> bool:
    return length_before(wrong.case.data, wrong.blame.start) == size


def _is_next_to_mark(wrong: WrongAnswer) -> bool:
    """Tell whether a U+FFFD of the input is beside the error: who merges marks takes it for one of these."""
    start, size = wrong.blame.start, len(FFFD)
    return FFFD in wrong.case.data[max(0, start - size) : wrong.blame.end + size]


def _begins_a_piece(wrong: WrongAnswer, texts: set[bytes], size: int) -> bool:
    return any(wrong.case.data[border : border + size] in texts for border in _borders(wrong))


#   what all inputs of a class have, to be read after "only": whether an input has it; what says most comes first
PLACES: dict[str, Holds] = {
    "directly behind or before U+FFFD in the text": _is_next_to_mark,
    "where a piece is empty": lambda wrong: 0 in (wrong.case.chunks or ()),
    "where a BOM begins a later piece": lambda wrong: _begins_a_piece(wrong, {BOM}, len(BOM)),
    "in input that begins with a BOM": lambda wrong: wrong.case.data.startswith(BOM),
    "directly behind a character of 4 bytes": lambda wrong: _is_directly_behind(wrong, 4),
    "directly behind a character of 3 bytes": lambda wrong: _is_directly_behind(wrong, 3),
    "directly behind a character of 2 bytes": lambda wrong: _is_directly_behind(wrong, 2),
    "where another error follows directly": lambda wrong: is_followed_directly(wrong.case.data, wrong.blame),
    "where another error follows": lambda wrong: is_followed(wrong.case.data, wrong.blame),
    "behind a character of 4 bytes": lambda wrong: _begins_with(wrong, 0xF0),
    "behind a character of 3 bytes": lambda wrong: _begins_with(wrong, 0xE0, 0xEF),
    "behind a character of 2 bytes": lambda wrong: _begins_with(wrong, 0xC2, 0xDF),
    "behind a character above %x7F": lambda wrong: not _before(wrong).isascii(),
    "where it has more than one byte": lambda wrong: wrong.blame.length(wrong.case.data) > 1,
    "at the start of the input": lambda wrong: wrong.blame.start == 0 and wrong.case.error is not None,
    "at the end of the input": lambda wrong: wrong.case.error is not None and _end(wrong) == len(wrong.case.data),
    "where a piece ends within a character": lambda wrong: any(
        ends_within_a_character(wrong.case.data[max(0, border - 4) : border]) for border in _borders(wrong)
    ),
}
NUMBERS: dict[str, tuple[int, Callable[[WrongAnswer], int]]] = {  # the least that says something, and the number
    "in a row of {:,} or more marks": (MIN_MERGED, lambda wrong: wrong.in_a_row),
    "in input with {:,} errors or more": (
        MIN_ERRORS,
        lambda wrong: (wrong.case.replacements or 0) if wrong.mode in "pr" else 0,
    ),
    "from offset {:,} on": (MIN_BOUND, lambda wrong: wrong.blame.start),
    "in input of {:,} bytes or more": (MIN_BOUND, lambda wrong: len(wrong.case.data)),
}

MODULO = "only at offset {:,} modulo {:,}"
NUMBERED = tuple(text.partition("{")[0] for text in (MODULO, *(f"only {name}" for name in NUMBERS)))


def signs_beside(data: bytes, start: int) -> frozenset[tuple[str, int]]:
    """Return the ASCII signs before *start*, and the first one behind the byte there, each with its side in words."""
    behind = {("behind", sign) for sign in SIGNS.intersection(data[:start])}
    ascii_behind = next((byte for byte in data[start + 1 : start + MAX_BEFORE] if byte < 0x80), -1)
    return frozenset(behind | {("before", sign) for sign in SIGNS.intersection([ascii_behind])})


def is_in_lane(rest: int, period: int, wrong: WrongAnswer) -> bool:
    """Tell whether the offset of *wrong* is *rest* modulo *period*."""
    return wrong.blame.start % period == rest


def is_at_least(number: Callable[[WrongAnswer], int], least: int, wrong: WrongAnswer) -> bool:
    """Tell whether *number* of *wrong* is *least* or more."""
    return number(wrong) >= least


def has_sign(sign: tuple[str, int], wrong: WrongAnswer) -> bool:
    """Tell whether *sign* stands beside what is to blame."""
    return sign in signs_beside(wrong.case.data, wrong.blame.start)


def begins_with_one_of(leads: set[int], wrong: WrongAnswer) -> bool:
    """Tell whether what is to blame begins with one of *leads*."""
    return wrong.case.data[wrong.blame.start] in leads
