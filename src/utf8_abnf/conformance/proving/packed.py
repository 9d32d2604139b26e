"""Packs the grammar's automaton for prove.c, and makes words and texts from it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from utf8_abnf.automaton import Automaton, compile_grammar
from utf8_abnf.errors import Utf8AbnfError
from utf8_abnf.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Iterator

STATES = 16  # PROVE_STATES in prove.h
NOWHERE = 255  # PROVE_NOWHERE


class NotProvedError(Utf8AbnfError):
    """The proof cannot be carried out here: no kernel, or an automaton without the properties that the proof needs."""


@dataclass(frozen=True)
class PackedAutomaton:
    """The automaton as prove.c reads it, and the bytes and words that the enumerations use.

    *never* are the bytes that no text contains, *edges* the lowest and the highest byte of each byte class, *words*
    what is put at every offset.
    """

    packed: bytes
    never: bytes
    edges: bytes
    words: tuple[bytes, ...]

    def with_certificate(self, late: bytes = bytes(1 << 16)) -> bytes:
        """Return the bytes that prove.c reads: the automaton, and when a kernel objects to each byte in *never*."""
        return self.packed + late


def packed_automaton() -> PackedAutomaton:
    """Return the minimal automaton of RFC 3629's grammar, packed.

    Raises ``NotProvedError`` when the last three bytes of a text that is right so far do not determine its state:
    lemma 1 in docs/kernel-proof.md needs that.
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
    never = bytes(byte for byte in range(256) if {row[byte] for row in automaton.rows} == {automaton.sink})
    words = (*single_faults(automaton), *highest_characters(automaton))
    return PackedAutomaton(b"".join(parts), never, edges_of(automaton), words)


def contexts(automaton: Automaton) -> bytes:
    """Return, for any three byte classes, the state after them in a text that is right so far, or ``NOWHERE``.

    The entry for three classes is at ``(first * STATES + second) * STATES + third``.
    """
    live = [state for state in range(len(automaton.table)) if state != automaton.sink]
    out = bytearray([NOWHERE]) * STATES**3
    for classes in product(range(max(automaton.classes) + 1), repeat=3):
        word = bytes(map(automaton.classes.index, classes))
        reached = {automaton.run(word, state) for state in live} - {automaton.sink}
        if len(reached) > 1:
            raise NotProvedError(f"three bytes of classes {classes} leave the automaton in one of the states {reached}")
        if reached:
            first, second, third = classes
            out[(first * STATES + second) * STATES + third] = reached.pop()
    return bytes(out)


def single_faults(automaton: Automaton) -> Iterator[bytes]:
    """Yield the beginnings of characters, one for each path of byte classes, each alone and followed by one more byte.

    After whole characters they lead the automaton along each path within a character, and from each state on it along
    every move, with the lowest and the highest byte of the move's class.
    """
    lowest = [automaton.classes.index(each) for each in sorted(set(automaton.classes))]
    edges = edges_of(automaton)
    beginnings = [b""]
    for beginning in beginnings:  # the loop appends to it
        if beginning:
            yield beginning
        yield from (beginning + bytes([edge]) for edge in edges)
        for byte in lowest:
            state = automaton.run(beginning + bytes([byte]))
            if state not in automaton.accepting and state != automaton.sink:
                beginnings.append(beginning + bytes([byte]))


def highest_characters(automaton: Automaton) -> Iterator[bytes]:
    """Yield one character for each path of byte classes, made of the highest byte of each class."""
    highest = [automaton.classes.rindex(each) for each in sorted(set(automaton.classes))]
    beginnings = [b""]
    for beginning in beginnings:  # the loop appends to it
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
