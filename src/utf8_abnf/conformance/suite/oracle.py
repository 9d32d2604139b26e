"""Computes right answers: an automaton and inputs go in, and every answer that a decoder can be asked for comes out.

Rule 1: every answer comes from the automaton. Nothing here asks a decoder, not even CPython's.
Rule 2: ``answers`` runs in C where the package was built with it; ``answers_plain`` is its twin in Python.
"""

from __future__ import annotations

from array import array
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from utf8_abnf.conformance.framing import frame, unframe, unpack_chunks
from utf8_abnf.conformance.suite.fast import fast
from utf8_abnf.validator.ill_formed import describe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.validator.ill_formed import IllFormed

MAX_PLAIN = 128  # bytes: on longer data the C half is faster for a single question
NO_STATE = 0xFFFF
ACCEPTED = b"\xff\xff\xff\xff\x00"  # mode p: no ill-formed sequence


class Oracle:
    """The right answers for the language of *automaton*: verdicts and, if its words are sequences of characters, more.

    A character ends where the automaton is back in its start state, as UTF-8's automaton is after each ``UTF8-char``.
    """

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.sink = NO_STATE if automaton.sink is None else automaton.sink

    @cached_property
    def machine(self) -> tuple[bytes, bytes, int]:
        """The automaton for the C extension: next states (u16, 256 for each state), accepting flags, start state."""
        states = range(len(self.automaton.table))
        table = array("H", (target for row in self.automaton.rows for target in row))
        return table.tobytes(), bytes(state in self.automaton.accepting for state in states), self.automaton.start

    def accepts(self, data: bytes) -> bool:
        """Tell whether *data* is in the grammar's language."""
        if fast is None or len(data) <= MAX_PLAIN or len(self.automaton.table) > NO_STATE:
            return self.automaton.accepts(data)
        verdict: bytes = fast.frames(*self.machine, ((data,),), 0)[1]
        return verdict == b"1"

    def first_error(self, data: bytes, start: int = 0) -> tuple[int, int] | None:
        """Return offset and length of the first ill-formed sequence at or after *start*: a maximal subpart.

        The maximal subpart (Unicode 3.9) is the longest prefix of a character at that place, and at least one byte.

        >>> from utf8_abnf.conformance.suite.plan import plan
        >>> plan().oracle.first_error(bytes.fromhex("61 E2 82 41"))
        (1, 2)
        """
        if fast is not None and not start and len(data) > MAX_PLAIN:
            answer = self.answers("p", frame(data))
            return None if answer == ACCEPTED else (int.from_bytes(answer[:4], "little"), answer[4])
        rows, state, begin = self.automaton.rows, self.automaton.start, start
        for offset in range(start, len(data)):
            state = rows[state][data[offset]]
            if state == self.sink:
                return begin, max(1, offset - begin)
            if state == self.automaton.start:
                begin = offset + 1
        return None if state in self.automaton.accepting else (begin, len(data) - begin)

    def errors(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield offset and length of every ill-formed sequence, in order."""
        found = self.first_error(data)
        while found is not None:
            yield found
            found = self.first_error(data, found[0] + found[1])

    def ill_formed(self, data: bytes) -> IllFormed | None:
        """Return the first ill-formed sequence with its code and rule, or None."""
        found = self.first_error(data)
        if found is None:
            return None
        error = describe(data[found[0] : found[0] + 4], found[0])
        assert error is not None
        assert (error.start, error.length) == found
        return error

    def replaced(self, data: bytes) -> bytes:
        """Return *data* with U+FFFD for each maximal subpart."""
        if fast is not None and len(data) > MAX_PLAIN:
            return self.answers("r", frame(data))[4:]
        parts, done = [], 0
        for offset, length in self.errors(data):
            parts += [data[done:offset], b"\xef\xbf\xbd"]
            done = offset + length
        return b"".join([*parts, data[done:]])

    def stream_answers(self, data: bytes, chunks: tuple[int, ...]) -> bytes:
        """Return a stream's answer after each chunk (1 could end here, ? incomplete, 0 wrong), and at the end."""
        answers, at, state = bytearray(), 0, self.automaton.start
        for size in chunks:
            state = self.automaton.run(data[at : at + size], state)
            answers += b"0" if state == self.sink else b"1" if state in self.automaton.accepting else b"?"
            at += size
        return bytes(answers) + (b"1" if state in self.automaton.accepting else b"0")

    def answers(self, mode: str, frames: bytes) -> bytes:
        """Return the expected answers to *frames* in *mode* ("p", "r" or "s"), as the protocol writes them."""
        if fast is None:
            return self.answers_plain(mode, frames)
        answers: bytes = fast.answers(*self.machine, self.sink, mode, frames)
        return answers

    def answers_plain(self, mode: str, frames: bytes) -> bytes:
        """Return the same as ``answers``, made in Python."""
        one = {"p": self._position, "r": self._replacement, "s": self._stream}[mode]
        return b"".join(one(payload) for payload in unframe(frames))

    def _position(self, data: bytes) -> bytes:
        found = self.first_error(data)
        return ACCEPTED if found is None else found[0].to_bytes(4, "little") + bytes([found[1]])

    def _replacement(self, data: bytes) -> bytes:
        return frame(self.replaced(data))

    def _stream(self, payload: bytes) -> bytes:
        chunks, data = unpack_chunks(payload)
        return self.stream_answers(data, chunks)


@lru_cache(maxsize=64)
def oracle_of(automaton: Automaton) -> Oracle:
    """Return the oracle of any *automaton*; the last ones are kept."""
    return Oracle(automaton)


def accepts(automaton: Automaton, data: bytes) -> bool:
    """Return whether *automaton* accepts *data*, in C if the data are long."""
    return automaton.accepts(data) if len(data) <= MAX_PLAIN else oracle_of(automaton).accepts(data)
