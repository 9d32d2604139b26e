"""Finds the installed kernels: their addresses, and the lane in which each objects to a byte that no text contains."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.proving.packed import NotProvedError
from utf8_abnf.conformance.suite.fast import fast
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from types import ModuleType

machine: ModuleType | None
try:
    from utf8_abnf.validator import _kernel as machine
except ImportError:  # installed without a compiler
    machine = None

PROBES = b"a\x80\xa0\xc2\xe0\xf0\xff"  # third bytes to ask a kernel about


class DifferenceError(NotProvedError):
    """A kernel and the automaton differ."""


@dataclass(frozen=True)
class Kernel:
    """A kernel's functions as addresses in this process; *lanes* and *width* are 0 for a kernel without blocks."""

    name: str
    is_valid: int
    first_error: int
    lanes: int
    width: int


class ScalarFunctions(NamedTuple):
    """What all kernels share, as addresses in this process: ``utf8_sequence`` and ``utf8_unfinished``."""

    sequence: int
    unfinished: int


def kernels() -> tuple[Kernel, ...]:
    """Return the kernels that run here. Raises ``NotProvedError`` where no C kernel is installed."""
    entry = _machine().entry_points()
    return tuple(Kernel(name, *entry[name][:4]) for name in _machine().available() if name in entry)


def scalar_functions() -> ScalarFunctions:
    """Return the scalar functions. Raises ``NotProvedError`` where no C kernel is installed."""
    entry = _machine().entry_points()
    return ScalarFunctions(entry["sequence"][0], entry["unfinished"][0])


def _machine() -> ModuleType:
    if machine is None or fast is None:
        raise NotProvedError("no C kernel is installed: with a C compiler at hand, install utf8-abnf again")
    return machine


def certificate(kernel: Kernel, never: bytes) -> bytes:
    """Return how many lanes after each byte in *never* the *kernel* objects to it, by the byte that follows.

    Entry ``byte * 256 + follower`` is 0, 1 or 2. The kernel is asked about a few texts only; the enumeration verifies
    the whole certificate. Raises ``DifferenceError`` where the kernel accepts such a byte.
    """
    judge = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)(kernel.lanes)
    flags = ctypes.create_string_buffer(kernel.width)
    late = bytearray(1 << 16)
    for byte, follower in product(never, range(256)):
        latest = 0
        for third in PROBES:
            text = ctypes.create_string_buffer(b"a" * 64 + bytes([byte, follower, third]) + b"a" * kernel.width)
            judge(ctypes.addressof(text) + 64, flags)
            found = next((lane for lane in range(3) if flags.raw[lane] != 0), None)
            if found is None:
                raise DifferenceError(f"kernel {kernel.name} does not object to {hex_bytes(text.raw[64:67])}")
            latest = max(latest, found)
        late[byte * 256 + follower] = latest
    if any(0 in (row := late[byte * 256 : byte * 256 + 256]) and any(row) for byte in never):
        raise DifferenceError(
            f"kernel {kernel.name} objects to a byte in its own lane or in a later one, depending on the next byte"
        )
    return bytes(late)
