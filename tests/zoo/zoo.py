"""The zoo of wrong decoders: builds zoo.c, lists its decoders, and asks which suites find them out."""

from __future__ import annotations

import ctypes
import os
import random
import shlex
import shutil
import subprocess
from array import array
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite import blocks as _blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.suite import Family

SOURCE = Path(__file__).with_name("zoo.c")
LIBRARY = "zoo.so"
RIGHT = "nothing-wrong"  # the one decoder, and one in each mode, in which there is nothing to be found
# The families in the order in which it is quickest to find a fault, for each group of decoders.
QUICK = ("named", "W/k0", "edges", "long-forms", "A2", "leads", "texts", "sessions")
QUICK_FOR = {
    "length and buffer": ("named", "long-inputs", "far-positions", "sessions", "sizes", "texts"),
    "SIMD": ("named", "edges", "W/k0", "behind", "loops", "sessions", "texts", "positions", "inner"),
    "long text": ("starts", "vast", "rests", "lanes", "borders"),
    "odd buffers": ("sizes", "borders", "rests"),
    "many errors": ("error-pairs", "error-runs"),
    "contexts": ("contexts", "within", "within-any", "openings"),
    "real texts": ("real-texts", "long-runs"),
    "behind characters": ("behind", "long-inputs"),
    "positions": ("named", "W/k0", "behind", "error-runs", "vast", "lanes", "borders"),
    "replacement": ("named", "behind", "error-runs", "sizes", "scalars", "error-pairs", "far-positions"),
    "streams": tuple(f"stream/{name}" for name in ("named", "faults", "ends", "empty", "pairs", "junctions", "long")),
}


@dataclass(frozen=True)
class Decoder:
    """A wrong decoder: row *index* of zoo_rows.h with *parameter*, or a *table* of its own."""

    name: str
    group: str
    note: str
    mode: str
    index: int
    parameter: int
    table: tuple[bytes, bytes] | None = None

    @property
    def is_right(self) -> bool:
        """Whether there is nothing to be found."""
        return self.name == RIGHT or self.name.endswith("-right")


def compiler() -> list[str] | None:
    """Return the command that compiles C here, or None."""
    wanted = shlex.split(os.environ.get("CC", "cc"))
    return wanted if wanted and shutil.which(wanted[0]) else None


def build(folder: Path) -> Path:
    """Return the zoo as a shared library in *folder*."""
    command = compiler()
    assert command is not None, "needs a C compiler"
    library = folder / LIBRARY
    subprocess.run([*command, "-std=c11", "-O2", "-shared", "-fPIC", str(SOURCE), "-o", str(library)], check=True)
    return library


class Zoo:
    """The library. It works on one decoder at a time: the one that was selected last."""

    def __init__(self, library: Path) -> None:
        self.library = lib = ctypes.CDLL(str(library))
        self.room = bytearray()  # for answers
        for name in ("zoo_name", "zoo_group", "zoo_note"):
            getattr(lib, name).restype = ctypes.c_char_p
        lib.zoo_answers.restype = ctypes.c_size_t
        lib.zoo_answers.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p]
        lib.zoo_accepts.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        lib.zoo_set_automaton.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int]
        address = ctypes.cast(lib.zoo_accepts, ctypes.c_void_p).value
        assert address
        self.address = address

    def decoders(self, *, most: int | None = None) -> Iterator[Decoder]:
        """Yield the decoders of zoo_rows.h; of each kind *most*, evenly chosen (all of them by default)."""
        for i in range(self.library.zoo_count()):
            name, group, note = (getattr(self.library, f"zoo_{each}")(i).decode() for each in ("name", "group", "note"))
            count = self.library.zoo_parameters(i)
            chosen = (
                range(count)
                if most is None or count <= most
                else sorted({k * (count - 1) // max(1, most - 1) for k in range(most)})
            )
            for k in chosen:
                parameter = self.library.zoo_parameter(i, k)
                shown = f"{name}[{parameter:X}]" if count > 1 else name
                yield Decoder(shown, group, note, chr(self.library.zoo_mode(i)), i, parameter)

    def select(self, decoder: Decoder) -> None:
        """Make *decoder* the one that is asked, with nothing in its memory."""
        if decoder.table:
            table, final = decoder.table
            self.library.zoo_set_automaton(table, final, len(final))
        self.library.zoo_select(decoder.index, decoder.parameter)

    def accepts(self, data: bytes) -> bool:
        """Return the selected decoder's verdict."""
        return bool(self.library.zoo_accepts(data, len(data)))

    def answers(self, mode: str, frames: bytes) -> bytes:
        """Return the selected decoder's answers to *frames*."""
        room = 64 + (len(frames) // 4 if mode == "v" else len(frames) * 4)  # a frame has four bytes, or more
        if room > len(self.room):
            self.room = bytearray(room)
        out = (ctypes.c_char * room).from_buffer(self.room)
        size = self.library.zoo_answers(ord(mode), frames + bytes(64), len(frames), out)
        return ctypes.string_at(out, size)

    def finds(self, family: Finder, decoder: Decoder) -> bool:
        """Tell whether *family*, posed in the decoder's mode, shows that *decoder* is wrong."""
        self.select(decoder)
        if decoder.mode not in family.modes:
            return False
        if decoder.mode == "v":
            return any(
                _blocks.judge(family.oracle, block, self.address, place=0, keep=0, stop=1).failures
                for block in family.blocks
            )
        for block in family.blocks:
            frames, _ = _blocks.frames(family.oracle, block)
            if self.answers(decoder.mode, frames) != family.oracle.answers(decoder.mode, frames):
                return True
        return False


class Finder:
    """A family whose blocks are kept, to be posed to many decoders. Frames are made again each time: they are large."""

    def __init__(self, family: Family, every: int = 1) -> None:
        self.name = family.name
        self.level = family.level
        self.modes = family.modes
        self.oracle = family.plan.oracle
        self._family, self._every = family, every

    @cached_property
    def blocks(self) -> list[_blocks.Block]:
        """The blocks of the family, or one of *every* so many of them."""
        return list(self._family.blocks())[:: self._every]


def in_order(finders: Sequence[Finder], group: str) -> list[Finder]:
    """Return *finders*, those first that are most likely to find a decoder of *group*."""
    likely = QUICK_FOR.get(group, QUICK)
    return sorted(finders, key=lambda family: likely.index(family.name) if family.name in likely else len(likely))


# ---- decoders that are an automaton: the right table with a mistake in it ----


def _packed(rows: Sequence[Sequence[int]]) -> array[int]:
    return array("H", (target for row in rows for target in row))


def wrong_moves(automaton: Automaton) -> Iterator[Decoder]:
    """Yield every automaton that has one wrong move: a state and a byte that lead to another state than they should."""
    moves = _packed(automaton.rows)
    final = bytes(state in automaton.accepting for state in range(len(automaton.rows)))
    for number, right in enumerate(moves):
        state, byte = divmod(number, 256)
        for target in range(len(automaton.rows)):
            if target != right:
                moves[number] = target
                name = f"move[{automaton.names[state]} {byte:02X} {automaton.names[target]}]"
                table = moves.tobytes(), final
                yield Decoder(name, "wrong moves", "one move leads elsewhere", "v", 0, 0, table)
        moves[number] = right


def wrong_verdicts(automaton: Automaton) -> Iterator[Decoder]:
    """Yield every automaton that has one wrong final state."""
    rows = _packed(automaton.rows).tobytes()
    final = [state in automaton.accepting for state in range(len(automaton.rows))]
    for state in range(len(final)):
        wrong = bytes(verdict != (i == state) for i, verdict in enumerate(final))
        name = f"final[{automaton.names[state]}]"
        yield Decoder(name, "wrong moves", "a state's verdict is wrong", "v", 0, 0, (rows, wrong))


def extra_states(automaton: Automaton, count: int, seed: int) -> Iterator[Decoder]:
    """Yield up to *count* automata with a copy of a state, reached by one move, in which one move is wrong."""
    chance = random.Random(seed)
    size = len(automaton.rows)
    for number in range(count):
        rows = [list(row) for row in automaton.rows]
        state, byte = chance.randrange(size), chance.randrange(256)
        twin = rows[state][byte]
        rows.append(list(rows[twin]))
        rows[state][byte] = size
        wrong = chance.randrange(256)
        rows[size][wrong] = chance.choice([target for target in range(size + 1) if target != rows[size][wrong]])
        final = bytes(each in automaton.accepting for each in [*range(size), twin])
        # A copy that leads to itself where the original led to itself is the same automaton written twice.
        if rows[size][wrong] == size and automaton.rows[twin][wrong] == twin:
            continue
        note = "a copy of a state, reached by one move, has one wrong move"
        yield Decoder(f"extra[{seed}/{number}]", "extra state", note, "v", 0, 0, (_packed(rows).tobytes(), final))
