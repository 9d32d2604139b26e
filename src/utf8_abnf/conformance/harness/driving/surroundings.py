"""Surroundings: where in memory a C function judges an input wrongly, at which addresses and between which bytes.

An input in; out comes the answer at all 64 addresses modulo 64, and between bytes of several kinds, in words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.driving.trying import MAX_EXPRESSION, expression, python_command, quoted
from utf8_abnf.conformance.suite import blocks
from utf8_abnf.conformance.suite.fast import fast

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from utf8_abnf.conformance.suite.judging import Spot

ADDRESSES = 64  # what memory, caches and vectors are aligned to
BEHIND = tuple(dict.fromkeys(blocks.HOSTILE.behind))
BEFORE = tuple(
    blocks.HOSTILE.before[at : at + blocks.AROUND] for at in range(0, len(blocks.HOSTILE.before), blocks.AROUND)
)
SPOTS = ADDRESSES + len(BEFORE) + len(BEHIND)
MAX_BYTES = 1 << 16  # of an input that is asked about
PAGE = 4096


def spots(spot: Spot) -> Iterator[Spot]:
    """Yield the places at which an input is asked: all addresses, then other bytes before, then other bytes behind."""
    yield from (spot._replace(place=place) for place in range(ADDRESSES))
    yield from (spot._replace(before=before) for before in BEFORE)
    yield from (spot._replace(behind=behind) for behind in BEHIND)


class Seen(NamedTuple):
    """Where an input was judged wrongly, in words, "" if everywhere; *spot* is one such place, None without any."""

    words: str
    spot: Spot | None


def seen_at(wrong_at: Callable[[bytes, Spot], Iterator[bool]], data: bytes, spot: Spot) -> Seen | None:
    """Return where a function judges *data* wrongly, around *spot*; None if that cannot be asked.

    *wrong_at* is that of ``InProcess``.
    """
    if fast is None or len(data) > MAX_BYTES or spot.place < 0:
        return None
    wrong = list(wrong_at(data, spot))
    if len(wrong) < SPOTS:
        return None
    addresses = [number for number, each in enumerate(wrong[:ADDRESSES]) if each]
    before = wrong[ADDRESSES : ADDRESSES + len(BEFORE)]
    behind = wrong[ADDRESSES + len(BEFORE) :]
    shown = (
        _addresses(addresses),
        _neighbours("before", map(_short, BEFORE), before),
        _neighbours("behind", (f"{each:02X}" for each in BEHIND), behind),
    )
    tried = list(spots(spot))
    found = (each for each, is_wrong in zip(tried, wrong, strict=True) if is_wrong)
    return Seen(", ".join(filter(None, shown)), spot if wrong[tried.index(spot)] else next(found, None))


def _addresses(found: Sequence[int]) -> str:
    """Return *found*, some of the addresses modulo 64, as multiples of the smallest power of two that describes them.

    >>> _addresses([8, 24, 40, 56]), _addresses([60, 61, 62, 63])
    ('at the addresses 8 modulo 16', 'at the addresses 60..63 modulo 64')
    """
    if not found or len(found) == ADDRESSES:
        return ""
    modulo = next(modulo for modulo in (2, 4, 8, 16, 32, 64) if _is_periodic(set(found), modulo))
    return f"at the addresses {_ranges(sorted({each % modulo for each in found}))} modulo {modulo}"


def _is_periodic(found: Collection[int], modulo: int) -> bool:
    rests = {each % modulo for each in found}
    return all((each in found) is (each % modulo in rests) for each in range(ADDRESSES))


def _ranges(numbers: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}..{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _neighbours(side: str, names: Iterable[str], wrong: Sequence[bool]) -> str:
    if all(wrong) or not any(wrong):
        return ""
    yes: list[str] = []
    no: list[str] = []
    for name, is_wrong in zip(names, wrong, strict=True):
        (yes if is_wrong else no).append(name)
    return f"with {_or(yes)} {side} it, not with {_or(no)}"


def _short(before: bytes) -> str:
    """Return the end of *before* that matters: ``80`` for eight of them, ``E1 80`` where letters come before it."""
    shown = before[:1] if len(set(before)) == 1 else before.lstrip(b"a")
    return shown.hex(" ").upper()


def _or(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def command_at(path: str, symbol: str, data: bytes, spot: Spot) -> str:
    """Return a command that calls the function with *data* at *spot*; "" if it would be too long to be read."""
    text = expression(data)
    if len(text) > MAX_EXPRESSION:
        return ""
    around = f"{expression(spot.before)} + d + {expression(bytes([spot.behind]) * blocks.AROUND)}"
    program = (
        f"import ctypes; d = {text}; m = ctypes.create_string_buffer(len(d) + {3 * PAGE}); "
        f"a = (ctypes.addressof(m) // {PAGE} + 2) * {PAGE} + {spot.place}; "
        f"ctypes.memmove(a - {blocks.AROUND}, {around}, len(d) + {2 * blocks.AROUND}); "
        f"print(ctypes.CDLL({quoted(path)}).{symbol}(ctypes.c_void_p(a), ctypes.c_size_t(len(d))))"
    )
    return python_command(program)
