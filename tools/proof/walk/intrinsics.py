"""The intrinsics of the kernels, on tuples of bytes, first byte first; see nodes.py.

Each does what Intel's and Arm's intrinsics guides and WebAssembly's specification say. Tests compare each with the
processor's instruction (NEON's under QEMU, WebAssembly's in node), those of single bytes on all bytes; another runs the
kernels' whole source on known texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from nodes import Byte

Vector = tuple["Byte", ...]


class NotModelledError(Exception):
    """The source does what this model has no words for."""


@dataclass(frozen=True)
class Pointer:
    """An address: *room* holds bytes from offset 0 on, at a multiple of 4096 plus *skew* in memory."""

    room: Any  # bytes that are known (a table), or nodes (the text): anything with len() and []
    at: int
    skew: int = 0

    def load(self, count: int) -> Vector:
        """Return *count* bytes. IndexError where one is outside."""
        if self.at < 0 or self.at + count > len(self.room):
            raise IndexError(f"{count} bytes at {self.at} of {len(self.room)} are read")
        return tuple(self.room[self.at : self.at + count])


@dataclass(frozen=True)
class Condition:
    """What nobody knows yet.

    "ascii": bit 7 is clear in all of *bytes*. "zero": they are all 0. "from": for one of the pairs (byte, least) in
    *bytes* the byte is that large. "either": nobody needs to know; both are walked.
    """

    kind: str
    bytes: frozenset[Any]


@dataclass(frozen=True)
class ZeroWhen:
    """A number of which only this is known: it is zero exactly when the condition holds."""

    condition: Condition


@dataclass(frozen=True)
class Largest:
    """The largest of several bytes."""

    bytes: frozenset[Any]

    def compared(self, op: str, other: Any) -> Condition:
        """Return what a comparison asks: whether all are ASCII, or all are 0."""
        kind = {("<", 0x80): "ascii", ("==", 0): "zero"}.get((op, other))
        if kind is None:
            raise NotModelledError(f"the largest byte {op} {other}")
        return Condition(kind, self.bytes)


def _all_members(x: Vector) -> frozenset[Any]:
    return frozenset().union(*map(nodes.members, x))


def _ascii(x: Vector) -> ZeroWhen:
    return ZeroWhen(Condition("ascii", _all_members(x)))


def _zero(x: Vector, y: Vector) -> Condition:
    return Condition("zero", _all_members(_each(nodes.and_)(x, y)))


def _known(x: Byte) -> int:
    if not isinstance(x, int):
        raise NotModelledError(f"{x} has to be known")
    return x


def _each(operation: Callable[..., Byte]) -> Callable[..., Vector]:
    return lambda *vectors: tuple(operation(*lanes) for lanes in zip(*vectors, strict=True))


def _shuffle(x: Vector, index: Vector) -> Vector:
    """Look up within each 16 bytes; bit 7 of the index gives 0."""
    rows = [bytes(map(_known, x[row : row + 16])) for row in range(0, len(x), 16)]
    tables = [bytes(0 if at & 0x80 else row[at & 15] for at in range(256)) for row in rows]
    return tuple(nodes.look_up(tables[lane // 16], each) for lane, each in enumerate(index))


def _look_up(table: Vector, index: Vector) -> Vector:
    """Look up in 16 bytes; an index of 16 or more gives 0."""
    whole = bytes(map(_known, table)).ljust(256, b"\0")
    return tuple(nodes.look_up(whole, each) for each in index)


def _permute(index: Vector, table: Vector) -> Vector:
    """Look up in 64 bytes by the low six bits of each index, or by those of them on which the table depends."""
    entries = bytes(map(_known, table))
    used = sum(bit for bit in (1, 2, 4, 8, 16, 32) if any(entries[at] != entries[at ^ bit] for at in range(64)))
    return tuple(nodes.look_up(entries * 4, nodes.and_(used, each)) for each in index)


def _at_least(x: Vector, y: Vector) -> Vector:
    """Return a mask, as a vector of 00 and FF: where x is at least y."""
    least = [bytes(0xFF * (each >= _known(limit)) for each in range(256)) for limit in y]
    return tuple(nodes.look_up(table, each) for table, each in zip(least, x, strict=True))


def _choose(mask: Byte, x: Byte, y: Byte) -> Byte:
    """Return x where the mask is FF, y where it is 00."""
    return nodes.or_(nodes.and_(mask, x), nodes.and_(nodes.xor(0xFF, mask), y))


def _shift_words(x: Vector, n: int) -> Vector:
    pairs = zip(x[::2], x[1::2], strict=True)
    return tuple(byte for low, high in pairs for byte in nodes.shift16(low, high, n))


def _align(x: Vector, y: Vector, n: int) -> Vector:
    """Put y below x, within each 16 bytes, and move both down by n."""
    rows = range(0, len(x), 16)
    return tuple(byte for row in rows for byte in (y[row : row + 16] + x[row : row + 16])[n : n + 16])


def _as_long(x: Any) -> Vector:
    return tuple(x.to_bytes(8, "little")) if isinstance(x, int) else (*x, *(0,) * 8)[:8]


def _load_bytes(mask: int, at: Pointer) -> Vector:
    """Load bytes, but none that is masked out."""
    return tuple(Pointer(at.room, at.at + i).load(1)[0] if mask >> i & 1 else 0 for i in range(64))


def _store(at: Any, x: Vector) -> None:
    at.room[at.at : at.at + len(x)] = x


INTRINSICS: dict[str, Callable[..., Any]] = {
    "_bzhi_u64": lambda x, n: x & 0xFFFFFFFFFFFFFFFF & ((1 << n) - 1 if n < 64 else -1),
    "__builtin_prefetch": lambda at: None,
    "_mm_loadu_si128": lambda at: at.load(16),
    "_mm_storeu_si128": _store,
    "_mm_cvtsi32_si128": lambda x: _as_long(x) + (0,) * 8,
    "_mm_set_epi64x": lambda high, low: _as_long(low) + _as_long(high),
    "_mm_movemask_epi8": _ascii,
    "_mm_testz_si128": _zero,
    "_mm256_loadu_si256": lambda at: at.load(32),
    "_mm512_loadu_si512": lambda at: at.load(64),
    "_mm256_storeu_si256": _store,
    "_mm512_storeu_si512": _store,
    "_mm512_maskz_loadu_epi8": _load_bytes,
    "_mm256_castsi256_si128": lambda x: x[:16],
    "_mm256_castsi128_si256": lambda x: x + (0,) * 16,
    "_mm256_inserti128_si256": lambda x, y, n: (y + x[16:], x[:16] + y)[n],
    "_mm256_andnot_si256": _each(lambda x, y: nodes.and_(0xFF ^ _known(x), y)),
    "_mm256_testz_si256": _zero,
    "_mm256_movemask_epi8": _ascii,
    "_mm512_movepi8_mask": _ascii,
    "_mm512_test_epi8_mask": lambda x, y: ZeroWhen(_zero(x, y)),
    "_mm512_cmpge_epu8_mask": _at_least,
    "_mm512_permutexvar_epi8": _permute,
    "_mm512_mask_permutexvar_epi8": lambda x, mask, index, table: _each(_choose)(mask, _permute(index, table), x),
    "_mm512_zextsi128_si512": lambda x: x + (0,) * 48,
    "_mm512_alignr_epi32": lambda x, y, n: (y + x)[4 * n : 4 * n + 64],
}
OF_SIXTEEN: dict[str, Callable[..., Any]] = {
    "vld1q_u8 wasm_v128_load": lambda at: at.load(16),
    "vst1q_u8 wasm_v128_store": _store,
    "vdupq_n_u8 wasm_u8x16_splat": lambda x: (x,) * 16,
    "vandq_u8 wasm_v128_and": _each(nodes.and_),
    "vorrq_u8 wasm_v128_or": _each(nodes.or_),
    "veorq_u8 wasm_v128_xor": _each(nodes.xor),
    "vrhaddq_u8 wasm_u8x16_avgr": _each(nodes.average),
    "vshrq_n_u8 wasm_u8x16_shr": lambda x, n: tuple(nodes.shift(each, n) for each in x),
    "vqtbl1q_u8 wasm_i8x16_swizzle": _look_up,
}
INTRINSICS |= {name: model for names, model in OF_SIXTEEN.items() for name in names.split()}
INTRINSICS |= {
    "vmaxvq_u8": lambda x: Largest(_all_members(x)),
    "vextq_u8": lambda x, y, n: (x + y)[n : n + 16],
    "vcreate_u8": lambda x: _as_long(x),
    "vcombine_u8": lambda low, high: low + high,
    "wasm_i8x16_bitmask": _ascii,
    "wasm_v128_any_true": lambda x: ZeroWhen(Condition("zero", _all_members(x))),
    "wasm_i8x16_shuffle": lambda x, y, *places: tuple((x + y)[each] for each in places),
    "wasm_u64x2_make": lambda low, high: _as_long(low) + _as_long(high),
}
for width, suffix in ((128, "si128"), (256, "si256"), (512, "si512")):
    lanes, width = width // 8, "" if width == 128 else width
    INTRINSICS |= {
        f"_mm{width}_set1_epi8": lambda x, lanes=lanes: (x & 0xFF,) * lanes,
        f"_mm{width}_setzero_{suffix}": lambda lanes=lanes: (0,) * lanes,
        f"_mm{width}_and_{suffix}": _each(nodes.and_),
        f"_mm{width}_or_{suffix}": _each(nodes.or_),
        f"_mm{width}_xor_{suffix}": _each(nodes.xor),
        f"_mm{width}_avg_epu8": _each(nodes.average),
        f"_mm{width}_shuffle_epi8": _shuffle,
        f"_mm{width}_srli_epi16": _shift_words,
        f"_mm{width}_alignr_epi8": _align,
    }
