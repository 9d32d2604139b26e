"""The proof by enumeration: the grammar's automaton and the installed kernels in, a statement about every input out.

Rule 1: the oracle is the minimal automaton compiled from ``grammar/utf8.abnf``; no kernel is judged by another.
Rule 2: what is judged is the code that is installed: the kernels' own functions, by address.
Rule 3: an enumeration shows what it enumerates. The step from there to inputs of any length is an argument; it stands
in docs/kernel-proof.md, and every assumption it makes about a kernel is printed with the statement.
"""

from __future__ import annotations

import ctypes
import os
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from itertools import islice, product
from typing import TYPE_CHECKING

from utf8_abnf.automaton import Automaton, compile_grammar
from utf8_abnf.errors import Utf8AbnfError
from utf8_abnf.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import ModuleType

    Places = tuple[tuple[int, int, int, int], ...]
    Found = tuple[int, int, int] | None  # window, size, at: see prove_fault in prove.h
    Task = Callable[[], Found]

STATES = 16  # PROVE_STATES in prove.h
NOWHERE = 255
WINDOWS = 1 << 32
SLICE = 1 << 24  # windows between two reports of progress
# Where faults are put: how far from a multiple of 64 the text begins, sizes from, to, how many offsets before the last
# possible one. Every word stands everywhere in short texts, and at the end of texts that leave each length after each
# kernel's blocks and its stretches without a look for ASCII.
EVERY_WORD: Places = ((0, 1, 200, 200), (37, 1, 200, 200))
EVERY_WORD_AT_THE_END: Places = ((0, 201, 2400, 4),)
# Some words stand at every offset of texts of a few blocks, and of one with two strides of early exit; and near the end
# of texts around that stride and the size from which on a kernel aligns its loads.
SOME_WORDS: Places = ((0, 1, 600, 600),)
SOME_WORDS_FAR: Places = (
    (0, 20000, 20000, 20000),
    *((skew, size - 1, size + 1, 200) for size in (1024, 2048, 4096, 8192, 9216, 16384) for skew in (0, 1, 31, 32, 63)),
)
QUICK_PLACES: Places = ((0, 1, 140, 140), (5, 16384, 16385, 70))
# Runs of ASCII: how far from a multiple of 64 the text begins; where the run begins, from, to, step; its length, what
# is behind it, how often a word stands away from it. 2100 bytes hold a first and a second stretch; a run of 2400 is
# seen again by the look after the stretch that begins in it.
RUNS = tuple(
    (skew, 0, 2100, 1, length, behind, 61)
    for skew, behind in ((0, 5), (0, 300), (13, 2100))
    for length in (60, 129, 257, 385, 513, 1100, 2400)
)
QUICK_RUNS = tuple((0, 0, 2100, 37, length, 300, 61) for length in (129, 257, 513))
RUN_WORDS = tuple(map(bytes.fromhex, ("FF", "80", "C3", "E8 AA", "F0 9F 98")))
PROBES = b"a\x80\xa0\xc2\xe0\xf0\xff"  # third bytes to ask a kernel about
FILLERS = {"ASCII": b"a", "UTF8-2": "é".encode(), "UTF8-3": "語".encode(), "UTF8-4": "😀".encode()}


class NotProvedError(Utf8AbnfError):
    """The proof cannot be carried out here: no kernel, or an automaton without the properties that the proof needs."""


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


@dataclass(frozen=True)
class Oracle:
    """The automaton as prove.c reads it, and what the enumerations draw from it.

    *never*: the bytes that no text contains; *edges*: each byte class's lowest and highest byte; *words*: what is put
    at every offset.
    """

    packed: bytes
    never: bytes
    edges: bytes
    words: tuple[bytes, ...]

    def with_certificate(self, late: bytes = bytes(1 << 16)) -> bytes:
        """Return what prove.c reads: the automaton, and when a kernel objects to each of the bytes in *never*."""
        return self.packed + late


def oracle() -> Oracle:
    """Return the oracle of RFC 3629's grammar.

    Raises ``NotProvedError`` when the automaton lacks a property that the argument needs, lemma 1 in
    docs/kernel-proof.md: the state of a text that is right so far is settled by its last three bytes.
    """
    automaton = compile_grammar(Grammar.load("utf8")).minimal()
    width = max(automaton.classes) + 1
    if automaton.sink is None or max(width, len(automaton.table)) > STATES:
        raise NotProvedError("the automaton has no sink, or more states or classes than prove.c has room for")
    table = bytearray(STATES * STATES)
    for state, row in enumerate(automaton.table):
        table[state * STATES : state * STATES + width] = bytes(row)
    accepting = bytes(state in automaton.accepting for state in range(STATES))
    parts = (automaton.classes, table, contexts(automaton), accepting, bytes([automaton.start, automaton.sink]))
    never = bytes(
        byte for byte in range(256) if {row[automaton.classes[byte]] for row in automaton.table} == {automaton.sink}
    )
    return Oracle(
        b"".join(parts), never, edges_of(automaton), (*single_faults(automaton), *highest_characters(automaton))
    )


def contexts(automaton: Automaton) -> bytes:
    """Return, for any three byte classes, the state after them in a text that is right so far, or ``NOWHERE``."""
    live = [state for state in range(len(automaton.table)) if state != automaton.sink]
    out = bytearray([NOWHERE]) * STATES**3
    for classes in product(range(max(automaton.classes) + 1), repeat=3):
        reached = {_after(automaton, state, classes) for state in live} - {automaton.sink}
        if len(reached) > 1:
            raise NotProvedError(f"three bytes of classes {classes} leave the automaton in one of the states {reached}")
        if reached:
            first, second, third = classes
            out[(first * STATES + second) * STATES + third] = reached.pop()
    return bytes(out)


def _after(automaton: Automaton, state: int, classes: tuple[int, ...]) -> int:
    for each in classes:
        state = automaton.table[state][each]
    return state


def single_faults(automaton: Automaton) -> Iterator[bytes]:
    """Yield the beginnings of characters, one for each path of byte classes, each alone and followed by one more byte.

    Put after whole characters, they lead the automaton along each of its paths within a character, then into each of
    its moves, which is tried with the lowest and the highest byte of every class.
    """
    lowest = [automaton.classes.index(each) for each in sorted(set(automaton.classes))]
    edges = edges_of(automaton)
    beginnings = [b""]
    for beginning in beginnings:  # grows on the way
        if beginning:
            yield beginning
        yield from (beginning + bytes([edge]) for edge in edges)
        for byte in lowest:
            state = automaton.run(beginning + bytes([byte]))
            if state not in automaton.accepting and state != automaton.sink:
                beginnings.append(beginning + bytes([byte]))


def highest_characters(automaton: Automaton) -> Iterator[bytes]:
    """Yield one character for each path of byte classes, made of the highest byte of each: all of them are right."""
    highest = [automaton.classes.rindex(each) for each in sorted(set(automaton.classes))]
    beginnings = [b""]
    for beginning in beginnings:  # grows on the way
        for byte in highest:
            state = automaton.run(character := beginning + bytes([byte]))
            if state in automaton.accepting:
                yield character
            elif state != automaton.sink:
                beginnings.append(character)


def edges_of(automaton: Automaton) -> bytes:
    """Return the lowest and the highest byte of every byte class, in order."""
    ends = (end(each) for each in set(automaton.classes) for end in (automaton.classes.index, automaton.classes.rindex))
    return bytes(sorted(set(ends)))


def kernels() -> tuple[tuple[Kernel, ...], int]:
    """Return the kernels that run here and the address of ``utf8_sequence``; ``NotProvedError`` without C kernels."""
    try:
        from utf8_abnf.proving import _prove  # noqa: F401 - asked only whether it is there
        from utf8_abnf.validator import _kernel
    except ImportError as error:
        raise NotProvedError("no C kernel is installed: with a C compiler at hand, install utf8-abnf again") from error
    entry = _kernel.entry_points()
    names = [name for name in _kernel.available() if name in entry]
    return tuple(Kernel(name, *entry[name]) for name in names), entry["sequence"][0]


def certificate(kernel: Kernel, never: bytes) -> bytes:
    """Return for any two bytes how many lanes after the first *kernel* seems to object to it, if it is in *never*.

    Found by asking the kernel about a few texts. Nothing rests on how it was found: the enumeration verifies it.
    Raises ``NotProvedError`` where the kernel lets such a byte pass.
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
                raise DifferenceError(f"kernel {kernel.name} does not object to {byte:02X} {follower:02X} {third:02X}")
            latest = max(latest, found)
        late[byte * 256 + follower] = latest
    if any(0 in (row := late[byte * 256 : byte * 256 + 256]) and any(row) for byte in never):
        raise DifferenceError(
            f"kernel {kernel.name} objects to a byte in its own lane or later, as the next byte has it"
        )
    return bytes(late)


def sequence_of_windows(start: int, steps: int) -> int:
    """Return the window *steps* after *start* in the sequence of prove.c, without walking there: it is linear."""
    moves = [_prove().next_window(1 << bit) for bit in range(32)]
    while steps:
        if steps & 1:
            start = _linear(moves, start)
        moves = [_linear(moves, image) for image in moves]
        steps >>= 1
    return start


def _linear(images: list[int], window: int) -> int:
    out = 0
    for bit, image in enumerate(images):
        if window >> bit & 1:
            out ^= image
    return out


def edge_text(edges: bytes) -> bytes:
    """Return a text in which every window of four bytes out of *edges* occurs once (a de Bruijn sequence)."""
    size = len(edges)
    word = [0] * 5
    out = bytearray()

    def extend(length: int, period: int) -> None:  # Fredricksen, Kessler and Maiorana: Lyndon words in order
        if length > 4:
            if 4 % period == 0:
                out.extend(edges[each] for each in word[1 : period + 1])
            return
        word[length] = word[length - period]
        extend(length + 1, period)
        for each in range(word[length - period] + 1, size):
            word[length] = each
            extend(length + 1, length)

    extend(1, 1)
    return bytes(out + out[:3])


@dataclass(frozen=True)
class Step:
    """A part of the proof: *tasks* that each return None or where kernel and automaton differ."""

    kernel: str
    name: str
    tasks: tuple[Task, ...]


def steps(*, quick: bool = False) -> list[Step]:
    """Return the steps of the whole proof; with *quick* those of a check that takes seconds and samples each step.

    Raises ``NotProvedError`` where no kernel is installed or a kernel lets a byte pass that no text contains.
    """
    judge, (found, sequence) = oracle(), kernels()
    firsts = judge.edges[::6] if quick else range(256)
    packed = judge.with_certificate()
    out = [
        Step("all", "utf8_sequence on every text of 1 to 4 bytes", _each(_prove().sequence, firsts, sequence, packed))
    ]
    for kernel in found:
        if kernel.width:
            out.append(
                Step(kernel.name, f"{kernel.width} lanes under every window", _lanes(kernel, judge, quick=quick))
            )
        out.append(
            Step(
                kernel.name, "is_valid on every text of 4 bytes", _each(_prove().four, firsts, kernel.is_valid, packed)
            )
        )
        out.append(Step(kernel.name, "every fault at every offset", _positions(kernel, judge, quick=quick)))
        if kernel.width:
            out.append(Step(kernel.name, "faults around every run of ASCII", _runs(kernel, judge, quick=quick)))
    return out


def _each(check: Callable[..., Found], firsts: Iterable[int], address: int, packed: bytes) -> tuple[Task, ...]:
    return tuple(partial(check, address, packed, first) for first in firsts)


def _lanes(kernel: Kernel, judge: Oracle, *, quick: bool) -> tuple[Task, ...]:
    packed = judge.with_certificate(certificate(kernel, judge.never))
    check = _prove()
    edges = partial(check.text, kernel.lanes, kernel.width, packed, edge_text(judge.edges))
    if quick:
        return (edges,)
    zeros = partial(check.text, kernel.lanes, kernel.width, packed, bytes(4 * kernel.width))  # the window 00 00 00 00
    starts = [1]
    while len(starts) < WINDOWS // SLICE:
        starts.append(sequence_of_windows(starts[-1], SLICE))
    # A slice more than there are windows, less than a block, so that the last lane too has seen them all.
    last = partial(check.lanes, kernel.lanes, kernel.width, packed, 1, kernel.width)
    slices = [partial(check.lanes, kernel.lanes, kernel.width, packed, start, SLICE) for start in starts]
    return (edges, zeros, *slices, last)


def _positions(kernel: Kernel, judge: Oracle, *, quick: bool) -> tuple[Task, ...]:
    """Return the tasks that try every single fault at every offset of the sizes above, in four kinds of text."""
    packed = judge.with_certificate()
    check = partial(_prove().positions, kernel.is_valid, kernel.first_error, packed)
    some = tuple(word for at, word in enumerate(judge.words) if len(word) == 1 or at % 16 == 0)
    if quick:
        plan = [(judge.words[::37], QUICK_PLACES)]
    elif kernel.width:
        plan = [(judge.words, EVERY_WORD + EVERY_WORD_AT_THE_END), (some, SOME_WORDS + SOME_WORDS_FAR)]
    else:
        plan = [(judge.words, EVERY_WORD), (some, SOME_WORDS)]
    return tuple(
        partial(check, filler, word, *place)
        for words, places in plan
        for filler in FILLERS.values()
        for place in places
        for word in words
    )


def _runs(kernel: Kernel, judge: Oracle, *, quick: bool) -> tuple[Task, ...]:
    """Return the tasks that try single faults around a run of ASCII, wherever it begins, in three kinds of text."""
    check = partial(_prove().runs, kernel.is_valid, kernel.first_error, judge.with_certificate())
    return tuple(
        partial(check, filler, word, *run)
        for name, filler in FILLERS.items()
        if name != "ASCII"
        for run in (QUICK_RUNS if quick else RUNS)
        for word in (RUN_WORDS[::2] if quick else RUN_WORDS)
    )


def _prove() -> ModuleType:
    from utf8_abnf.proving import _prove

    return _prove


def run(step: Step) -> Iterator[int]:
    """Do *step* on every processor; yield how many tasks are done. ``DifferenceError`` at the first difference."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # the checks let go of the GIL
        tasks = iter(step.tasks)
        running = {pool.submit(task) for task in islice(tasks, 2 * (os.cpu_count() or 1))}
        done = 0
        while running:
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for each in finished:
                if (found := each.result()) is not None:
                    window, size, at = found
                    shown = window.to_bytes(4).hex(" ").upper()
                    where = f"(size {size}, at {at})"
                    raise DifferenceError(f"kernel {step.kernel}, {step.name}: not as the automaton on {shown} {where}")
                done += 1
                running |= {pool.submit(task) for task in islice(tasks, 1)}
            yield done
