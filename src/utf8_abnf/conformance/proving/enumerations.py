"""Runs enumerations: each compares the kernels with the automaton on one set of windows or texts."""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial, reduce
from itertools import islice
from operator import xor
from typing import TYPE_CHECKING

from utf8_abnf.conformance.proving.entry_points import Kernel, certificate, kernels, scalar_functions
from utf8_abnf.conformance.proving.packed import PackedAutomaton, edge_text, packed_automaton
from utf8_abnf.conformance.suite.fast import fast
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import ModuleType

    Places = tuple[tuple[int, int, int, int], ...]
    Found = tuple[int, int, int] | None  # window, size, at: see prove_fault in prove.h
    Task = Callable[[], Found]

WINDOWS = 1 << 32
SLICE = 1 << 24  # windows between two reports of progress
# Where faults are put: how far after a multiple of 64 the text begins, its smallest and largest size, and how many
# offsets are tried before the last possible one. Every word stands at every offset of short texts, and at the end of
# texts that leave each possible rest after each kernel's blocks and after its stretches without a look for ASCII.
EVERY_WORD: Places = ((0, 1, 200, 200), (37, 1, 200, 200))
EVERY_WORD_AT_THE_END: Places = ((0, 201, 2400, 4),)
# Some words stand at every offset of texts of a few blocks, and of one text of more than two stretches. They also stand
# near the end of texts whose size is close to a stretch, or to the size from which a kernel aligns its loads.
SOME_WORDS: Places = ((0, 1, 600, 600),)
SOME_WORDS_FAR: Places = (
    (0, 20000, 20000, 20000),
    *((skew, size - 1, size + 1, 200) for size in (1024, 2048, 4096, 8192, 9216, 16384) for skew in (0, 1, 31, 32, 63)),
)
QUICK_PLACES: Places = ((0, 1, 140, 140), (5, 16384, 16385, 70))
# Runs of ASCII: how far after a multiple of 64 the text begins; the first and last offset of the run and the step; its
# length; how many bytes follow it; the distance between the places of a word elsewhere. A run of 9000 bytes that begins
# before the second stretch makes all of that ASCII, so that the kernel passes over what is left of the run.
RUNS = tuple(
    (skew, 0, 2100, 1, length, behind, 61)
    for skew, behind in ((0, 5), (0, 300), (13, 2100))
    for length in (60, 129, 257, 385, 513, 1100, 2400)
) + tuple((skew, 8100, 8300, 1, 9000, behind, 997) for skew, behind in ((0, 300), (13, 5)))
QUICK_RUNS = tuple((0, 0, 2100, 37, length, 300, 61) for length in (129, 257, 513))
RUN_WORDS = tuple(map(bytes.fromhex, ("FF", "80", "C3", "E8 AA", "F0 9F 98")))
FILLERS = {"ASCII": b"a", "UTF8-2": "é".encode(), "UTF8-3": "語".encode(), "UTF8-4": "😀".encode()}


@dataclass(frozen=True)
class Enumeration:
    """One enumeration of the proof: each of its *tasks* returns None, or where the kernel and the automaton differ."""

    kernel: str
    name: str
    tasks: tuple[Task, ...]

    @property
    def label(self) -> str:
        """The kernel and the name: ``kernel avx2, is_valid on every text of 4 bytes``."""
        return f"kernel {self.kernel}, {self.name}"


def enumerations(*, quick: bool = False) -> list[Enumeration]:
    """Return what the whole proof enumerates; with *quick* a sample of it that takes seconds.

    Raises ``NotProvedError`` where no kernel is installed or a kernel lets a byte pass that no text contains.
    """
    automaton = packed_automaton()
    installed, scalar = kernels(), scalar_functions()
    firsts = automaton.edges[::6] if quick else range(256)
    packed = automaton.with_certificate()
    sequence = _each(_prove().sequence, firsts, scalar.sequence, packed)
    unfinished = _each(_prove().unfinished, firsts, scalar.unfinished, packed)
    out = [
        Enumeration("all", "utf8_sequence on every text of 1 to 4 bytes", sequence),
        Enumeration("all", "utf8_unfinished on every text of 1 to 4 bytes", unfinished),
    ]
    for kernel in installed:
        if kernel.width:
            lanes = _lanes(kernel, automaton, quick=quick)
            out.append(Enumeration(kernel.name, f"{kernel.width} lanes under every window", lanes))
        four = _each(_prove().four, firsts, kernel.is_valid, packed)
        out.append(Enumeration(kernel.name, "is_valid on every text of 4 bytes", four))
        out.append(Enumeration(kernel.name, "every fault at every offset", _positions(kernel, automaton, quick=quick)))
        if kernel.width:
            runs = _runs(kernel, automaton, quick=quick)
            out.append(Enumeration(kernel.name, "faults around every run of ASCII", runs))
    return out


def _each(check: Callable[..., Found], firsts: Iterable[int], address: int, packed: bytes) -> tuple[Task, ...]:
    return tuple(partial(check, address, packed, first) for first in firsts)


def _lanes(kernel: Kernel, automaton: PackedAutomaton, *, quick: bool) -> tuple[Task, ...]:
    packed = automaton.with_certificate(certificate(kernel, automaton.never))
    check = _prove()
    edges = partial(check.text, kernel.lanes, kernel.width, packed, edge_text(automaton.edges))
    if quick:
        return (edges,)
    zeros = partial(check.text, kernel.lanes, kernel.width, packed, bytes(4 * kernel.width))  # the window 00 00 00 00
    starts = [1]
    while len(starts) < WINDOWS // SLICE:
        starts.append(sequence_of_windows(starts[-1], SLICE))
    # A slice more than there are windows, less than a block, so that the last lane has seen them all as well.
    last = partial(check.lanes, kernel.lanes, kernel.width, packed, 1, kernel.width)
    slices = [partial(check.lanes, kernel.lanes, kernel.width, packed, start, SLICE) for start in starts]
    return (edges, zeros, *slices, last)


def _positions(kernel: Kernel, automaton: PackedAutomaton, *, quick: bool) -> tuple[Task, ...]:
    """Return the tasks that try every single fault at every offset of the sizes above, in four kinds of text."""
    packed = automaton.with_certificate()
    check = partial(_prove().positions, kernel.is_valid, kernel.first_error, packed)
    some = tuple(word for at, word in enumerate(automaton.words) if len(word) == 1 or at % 16 == 0)
    if quick:
        plan = [(automaton.words[::37], QUICK_PLACES)]
    elif kernel.width:
        plan = [(automaton.words, EVERY_WORD + EVERY_WORD_AT_THE_END), (some, SOME_WORDS + SOME_WORDS_FAR)]
    else:
        plan = [(automaton.words, EVERY_WORD), (some, SOME_WORDS)]
    return tuple(
        partial(check, filler, word, *place)
        for words, places in plan
        for filler in FILLERS.values()
        for place in places
        for word in words
    )


def _runs(kernel: Kernel, automaton: PackedAutomaton, *, quick: bool) -> tuple[Task, ...]:
    """Return the tasks that try single faults around a run of ASCII, wherever it begins, in three kinds of text."""
    check = partial(_prove().runs, kernel.is_valid, kernel.first_error, automaton.with_certificate())
    return tuple(
        partial(check, filler, word, *run)
        for name, filler in FILLERS.items()
        if name != "ASCII"
        for run in (QUICK_RUNS if quick else RUNS)
        for word in (RUN_WORDS[::2] if quick else RUN_WORDS)
    )


def _prove() -> ModuleType:
    assert fast is not None  # ``kernels`` has looked
    return fast


def run(enumeration: Enumeration) -> Iterator[tuple[int, str]]:
    """Do the tasks of *enumeration* on every processor; yield the number of each that is done.

    With it comes where the kernel and the automaton differ, in words, or "" if the task showed no difference.
    """
    processors = os.cpu_count() or 1
    with ThreadPoolExecutor(processors) as pool:  # the checks let go of the GIL
        tasks = enumerate(enumeration.tasks)
        running = {pool.submit(task): number for number, task in islice(tasks, 2 * processors)}
        while running:
            for each in wait(running, return_when=FIRST_COMPLETED).done:
                number = running.pop(each)
                running |= {pool.submit(task): at for at, task in islice(tasks, 1)}
                yield number, _difference(enumeration, each.result())


def _difference(enumeration: Enumeration, found: Found) -> str:
    if found is None:
        return ""
    window, size, at = found
    shown = hex_bytes(window.to_bytes(4))
    return f"{enumeration.label}: not as the automaton on {shown} (size {size}, at {at})"


def sequence_of_windows(start: int, steps: int) -> int:
    """Return the window *steps* after *start* in the sequence of prove.c.

    The sequence is linear, so that this takes 32 squarings at most and not *steps* steps.
    """
    moves = [_prove().next_window(1 << bit) for bit in range(32)]
    while steps:
        if steps & 1:
            start = _linear(moves, start)
        moves = [_linear(moves, image) for image in moves]
        steps >>= 1
    return start


def _linear(images: list[int], window: int) -> int:
    return reduce(xor, (image for bit, image in enumerate(images) if window >> bit & 1), 0)
