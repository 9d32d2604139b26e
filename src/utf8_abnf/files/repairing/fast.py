"""Repair by the loops of ``repair.c``: all policies but codecs of several bytes.

Rule 1: data and log are those of ``plain``, its twin; the tests compare them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, overload

from utf8_abnf.codec import POLICIES
from utf8_abnf.codec.replacement import MAXIMAL_SUBPART
from utf8_abnf.files.repairing.model import Change, Repaired
from utf8_abnf.files.repairing.plain import why
from utf8_abnf.files.repairing.stretches import repaired_by_table
from utf8_abnf.files.repairing.treatments import CESU8, OVERLONG

if TYPE_CHECKING:
    from utf8_abnf.files.repairing.treatments import Chain

_CHANGE = Struct("=QQHHI")  # utf8_change in repair.h: offset, place, old_size, new_size, known; three words
_MAX_NEW = 4


class Fast:
    """Repairs by *table*, a policy as ``module_repair.c`` reads it; *names* are the treatments, by their numbers."""

    def __init__(self, table: bytes, names: tuple[str, ...]) -> None:
        self._table, self._names = table, names

    def run(self, data: bytes, offset: int, *, final: bool) -> tuple[Repaired, int]:
        """Return what is repaired and how many bytes of *data* that was, as ``Plain.run``."""
        out, used, packed = repaired_by_table(data, self._table, final=final)
        log: Sequence[Change] = Packed(packed, data, out, offset, self._names) if packed else []
        return Repaired(out, log), used


@cache
def fast(chain: Chain) -> Fast | None:
    """Return what repairs by *chain* quickly; None where only ``Plain`` can."""
    coded = [treatment for treatment in chain.first if treatment.name in (CESU8, OVERLONG)]
    single = [*chain.first[len(coded) :], *([chain.last] if chain.last.per_byte else [])]
    names = (chain.last.name, *(each.name for each in coded), *(each.name for each in single))
    if len(set(names[1:])) < len(names) - 1 or not all(each.per_byte for each in single):
        return None
    known, sizes, spelled = bytearray(256), bytearray(256), bytearray(256 * _MAX_NEW)
    for byte in range(0x80, 0x100):
        for number, treatment in enumerate(single, 1 + len(coded)):
            if taken := treatment.take(bytes([byte])):
                new = taken[1]
                if len(new) > _MAX_NEW:
                    return None
                known[byte], sizes[byte] = number, len(new)
                spelled[byte * _MAX_NEW : byte * _MAX_NEW + len(new)] = new
                break
    policy = chain.last.name.partition(":")[2] or MAXIMAL_SUBPART
    take = 0 if chain.last.per_byte else [*POLICIES].index(policy)  # utf8_take has their order
    numbers = (names.index(name, 1) if name in names[1:] else 0 for name in (CESU8, OVERLONG))
    return Fast(bytes(known + sizes + spelled) + bytes([take, *numbers]), names)


class Packed(Sequence[Change]):
    """The changes as C wrote them, 24 bytes each; a ``Change`` is made when it is asked for."""

    def __init__(self, packed: bytearray, data: bytes, out: bytes, start: int, names: tuple[str, ...]) -> None:
        self._packed, self._data, self._out = packed, data, out
        self._start, self._names = start, names

    def __len__(self) -> int:
        return len(self._packed) // _CHANGE.size

    def places(self) -> Sequence[int]:
        """Return where in the repaired bytes each change begins."""
        return memoryview(self._packed).cast("Q")[1 :: _CHANGE.size // 8]

    @overload
    def __getitem__(self, index: int) -> Change: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Change]: ...
    def __getitem__(self, index: int | slice) -> Change | Sequence[Change]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        at = range(len(self))[index] * _CHANGE.size
        offset, place, old_size, new_size, known = _CHANGE.unpack_from(self._packed, at)
        return Change(
            self._start + offset,
            self._data[offset : offset + old_size],
            self._out[place : place + new_size],
            why(self._data[offset : offset + 4], self._names[known]),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))
