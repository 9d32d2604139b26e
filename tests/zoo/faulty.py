"""Wrong decoders with one fault each, some hundred: what is wrong with which bytes, and in which places."""

from __future__ import annotations

import ctypes
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite.plan import plan

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(__file__).with_name("faulty.c")
ACCEPTS, REJECTS, STOPS, FLIPS = range(4)  # what the decoder does; STOPS: it accepts the rest without reading it
PLACES = (
    *("anywhere", "from-offset", "at-offset", "lane", "from-length", "at-length", "length-lane", "from-character"),
    *("at-character", "at-start", "at-end", "whole", "after-byte", "after-word"),
    *("every", "after-rejected", "after-long", "by-chance", "from-question"),
)
UNSTEADY = PLACES[PLACES.index("every") :]
SEED = 3629


class _Fault(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int32) for name in ("effect", "where")),
        *((name, ctypes.c_int64) for name in ("a", "b", "c")),
        ("places", ctypes.c_int32),
        *((name, ctypes.c_uint8 * 8) for name in ("low", "high", "word")),
        ("word_size", ctypes.c_int32),
    )


@dataclass(frozen=True)
class Fault:
    """*pattern* has a range for each byte, and is () if the bytes do not matter. *numbers* belong to *where*."""

    group: str
    effect: int
    pattern: tuple[tuple[int, int], ...] = ()
    where: str = "anywhere"
    numbers: tuple[int, ...] = ()
    word: bytes = b""

    @property
    def name(self) -> str:
        """What is wrong, in a few words."""
        shown = " ".join(f"{low:02X}" if low == high else f"{low:02X}-{high:02X}" for low, high in self.pattern)
        what = ("accepts", "rejects", "stops", "flips")[self.effect]
        numbers = [*self.numbers, *([self.word.hex(" ").upper()] if self.word else [])]
        place = "" if self.where == "anywhere" else self.where
        return " ".join([each for each in (what, shown, place, *map(str, numbers)) if each])


class Decoders:
    """The library: one decoder at a time, the one that was chosen last."""

    def __init__(self, folder: Path, compiler: list[str]) -> None:
        path = folder / "faulty.so"
        subprocess.run([*compiler, "-std=c11", "-O2", "-shared", "-fPIC", str(SOURCE), "-o", str(path)], check=True)
        self._library = ctypes.CDLL(str(path))
        rows, final, start = plan().oracle.machine
        self._library.faulty_automaton(rows, final, len(final), start, plan().oracle.sink)
        self._library.faulty_accepts.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        self._library.faulty_answers.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p]
        self.count = 0

    def choose(self, fault: Fault) -> Decoders:
        """Return this black box, with *fault*."""
        a, b, c = (*fault.numbers, 0, 0, 0)[:3]
        lows, highs = (bytes(each[end] for each in fault.pattern).ljust(8, b"\0") for end in (0, 1))
        arrays = (ctypes.c_uint8 * 8)(*lows), (ctypes.c_uint8 * 8)(*highs), (ctypes.c_uint8 * 8)(*fault.word)
        where = PLACES.index(fault.where)
        chosen = _Fault(fault.effect, where, a, b, c, len(fault.pattern), *arrays, len(fault.word))
        self._library.faulty_select(ctypes.byref(chosen))
        self.count = 0
        return self

    def __call__(self, words: list[bytes]) -> list[bool]:
        """Return the verdicts."""
        self.count += len(words)
        return [bool(self._library.faulty_accepts(word, len(word))) for word in words]

    def send(self, frames: bytes, expected: bytes) -> bytes:
        """Return the verdicts, 1 or 0 each."""
        out = ctypes.create_string_buffer(len(expected))
        self._library.faulty_answers(frames, len(frames), out)
        self.count += len(expected)
        return out.raw[: len(expected)]


def near(fault: Fault, *, below: int) -> list[bytes]:
    """Return words shorter than *below* in which the fault shows, and others like them."""
    chance = random.Random(SEED)
    shown = [bytes(chance.randint(low, high) for low, high in fault.pattern) for _ in range(8)]
    shown += [bytes(low for low, _ in fault.pattern), bytes(high for _, high in fault.pattern)]
    shown += [b"", b"\xff", "é€😀".encode(), b"\xe2\x82"]
    sizes = {0, 1, 2, 3, 5, 8, 31, 32, 63, 64, 65}
    sizes |= {max(0, number + step) for number in fault.numbers for step in range(-6, 7)}
    sizes |= {sum(fault.numbers[:2]) + step for step in (-1, 0, 1)} if fault.where == "lane" else set()
    heads = [fault.word, bytes([0]), "é".encode(), *(unit * size for size in sizes for unit in (b"a", "€".encode()))]
    ends = (b"", b"a", b"\0", b"\xc3\xa9", b"a" * 70)
    return [word for head in heads for each in shown for end in ends if len(word := head + each + end) < below]


def _exact(word: str) -> tuple[tuple[int, int], ...]:
    return tuple((byte, byte) for byte in bytes.fromhex(word))


def faults() -> Iterator[Fault]:
    """Yield the wrong decoders, the same ones each time."""
    yield from _words()
    yield from _ranges()
    for group, effect, where, numbers in _lengths():
        yield Fault(group, effect, (), where, numbers)
    yield from _positions()
    yield from _contexts()
    yield from _unsteady()


def _words() -> Iterator[Fault]:
    """Yield decoders that accept, or reject, one word anywhere."""
    chance = random.Random(SEED)
    accepted = ["C7 41", "DF 00", "C2 C0", "41 80", "FE FF", "F5 80", "C0 AF", "80 80", "E4 41", "F1 7F", "C3 FF"]
    accepted += ["E4 80 41", "E7 95 C0", "ED BF 80", "E0 80 AF", "EE 41 80", "E1 C0 80", "E9 B3 7F", "F3 90 C2"]
    accepted += [
        "F1 95 A3 41",
        "F0 9F 98 C0",
        "F4 90 80 80",
        "F2 80 41 80",
        "F3 41 80 80",
        "F0 80 80 AF",
        "F5 80 80 80",
    ]
    for _ in range(12):
        accepted.append(bytes([chance.randrange(0xC2, 0xE0), chance.randrange(0x80)]).hex(" "))
        accepted.append(
            bytes([chance.randrange(0xE1, 0xED), chance.randrange(0x80, 0xC0), chance.randrange(0xC0, 256)]).hex(" ")
        )
    for word in accepted:
        yield Fault("accepts a word", ACCEPTS, _exact(word))
    for word in (
        "7F",
        "00",
        "C3 A9",
        "DF BF",
        "C7 81",
        "E4 B8 AD",
        "EF BF BE",
        "E2 80 A8",
        "F0 9F 98 80",
        "F3 95 A7 93",
    ):
        yield Fault("rejects a word", REJECTS, _exact(word))
        yield Fault("rejects a word", REJECTS, _exact(word), "whole")
    for left, right in (
        ("C3 A9", "E2 82 AC"),
        ("0D", "0A"),
        ("E0 A4 95", "CC 81"),
        ("C2 80", "C2 80"),
        ("41", "CC 88"),
        ("E2 82 AC", "E0 B8 B3"),
    ):
        yield Fault("rejects a pair", REJECTS, _exact(f"{left} {right}"))


def _ranges() -> Iterator[Fault]:
    """Yield decoders with a range that is one too wide, or has a hole."""
    tail = (0x80, 0xBF)
    forms = ([(0xC2, 0xDF), tail], [(0xE1, 0xEC), tail, tail], [(0xF1, 0xF3), tail, tail, tail])
    for form in forms:
        for place in range(len(form)):
            for byte in (0x7F, 0xC0) if place else (form[0][0] - 1, form[0][1] + 1):
                wide = (*form[:place], (byte, byte), *form[place + 1 :])
                yield Fault("one-off range", ACCEPTS, wide)
                yield Fault("one-off range", ACCEPTS, (_first(form), *wide[1:]) if place else wide)
            for byte in (form[place][0], form[place][1], 0x9B if place else form[0][0] + 1):
                yield Fault("hole", REJECTS, (*form[:place], (byte, byte), *form[place + 1 :]))
                yield Fault(
                    "hole",
                    REJECTS,
                    (_first(form), *form[1:place], (byte, byte), *form[place + 1 :])
                    if place
                    else (_first(form), *form[1:]),
                )
    for wide in ("E0 9F 80", "ED A0 80", "F0 8F 80 80", "F4 90 80 80", "C1 BF", "F5 80 80 80", "FF", "80", "BF"):
        yield Fault("one-off range", ACCEPTS, _exact(wide))


def _first(form: list[tuple[int, int]]) -> tuple[int, int]:
    return (form[0][0] + 1,) * 2


def _lengths() -> Iterator[tuple[str, int, str, tuple[int, ...]]]:
    for size in (1, 17, 64, 255, 256, 777, 1000, 1461, 4096, 8191, 8192, 10007, 65535, 65536, 99991, 1 << 20):
        yield "length", REJECTS, "from-length", (size,)
    for size in (8, 100, 513, 8192, 12345, 65536):
        yield "length", STOPS, "from-offset", (size,)
    for size in (16, 255, 1023, 1461, 3001, 4096, 65536):
        yield "length", REJECTS, "at-length", (size,)
    for lane, block, least in ((1, 2, 0), (0, 3, 3), (7, 64, 0), (63, 64, 512), (5, 97, 0), (0, 1460, 1460)):
        yield "length", REJECTS, "length-lane", (lane, block, least)
    for count in (3, 40, 100, 255, 4096, 8192, 30001):
        yield "characters", REJECTS, "from-character", (count,)
        yield "characters", STOPS, "from-character", (count,)
    yield "characters", REJECTS, "at-character", (50,)


def _positions() -> Iterator[Fault]:
    """Yield decoders that are wrong about a pattern in some places only."""
    patterns = ("FF", "C0 AF", "ED A0 80", "80", "F4 90 80 80", "C3 3C")
    places: list[tuple[str, tuple[int, ...]]] = [("at-start", ()), ("at-end", ()), ("whole", ())]
    places += [("at-offset", (n,)) for n in (1, 15, 63, 64, 200, 1459, 4096)]
    places += [("from-offset", (n,)) for n in (1, 32, 130, 1000, 8192, 65536)]
    places += [
        ("lane", each) for each in ((37, 64, 0), (37, 64, 512), (0, 16, 0), (31, 32, 96), (5, 96, 0), (90, 160, 0))
    ]
    places += [("lane", each) for each in ((61, 64, 8192), (3, 7, 100))]
    for number, (where, numbers) in enumerate(places):
        for step in (0, 2):
            yield Fault("position", ACCEPTS, _exact(patterns[(number + step) % len(patterns)]), where, numbers)
    for where, numbers in (
        ("at-start", ()),
        ("at-end", ()),
        ("lane", (13, 16, 64)),
        ("from-offset", (300,)),
        ("at-offset", (62,)),
    ):
        for word in ("C3 A9", "E2 82 AC"):
            yield Fault("position", REJECTS, _exact(word), where, numbers)


def _contexts() -> Iterator[Fault]:
    """Yield decoders in which something that came before in the same input changes what follows."""
    for byte in (0x00, 0x0A, 0x1B, 0x7F, 0x41, 0x80):
        yield Fault("context", STOPS, (), "after-byte", (byte,))
        yield Fault("context", ACCEPTS, _exact("C0 80"), "after-byte", (byte,))
    for word in ("EF BB BF", "0D 0A", "E2 80 8D", "F0 9F 98 80", "C3 A9", "2E 2E 2F", "E3 81 82", "F3 BF BF BF"):
        yield Fault("context", ACCEPTS, _exact("ED A0 80"), "after-word", (), bytes.fromhex(word))
        yield Fault("context", REJECTS, _exact("C3 A9"), "after-word", (), bytes.fromhex(word))
        yield Fault("context", STOPS, (), "after-word", (), bytes.fromhex(word))


def _unsteady() -> Iterator[Fault]:
    for number in (2, 7, 997, 10_007, 99_991):
        yield Fault("unsteady", FLIPS, (), "every", (number,))
        yield Fault("unsteady", FLIPS, (), "by-chance", (number,))
    yield Fault("unsteady", ACCEPTS, _exact("C0 80"), "every", (2,))
    yield Fault("unsteady", ACCEPTS, _exact("ED A0 80"), "by-chance", (3,))
    yield Fault("unsteady", ACCEPTS, _exact("FF"), "after-rejected")
    yield Fault("unsteady", STOPS, (), "after-long", (4096,))
    yield Fault("unsteady", REJECTS, (), "after-long", (100,))
    yield Fault("unsteady", FLIPS, (), "from-question", (50_000,))
    yield Fault("unsteady", STOPS, (), "from-question", (400_000,))
