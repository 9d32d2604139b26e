"""Explain why a ``Grammar`` does not derive an input: the first wrong byte and what is allowed there."""

from __future__ import annotations

import codecs
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.automaton.earley import Recogniser, Refusal
from utf8_abnf.automaton.show import show_ranges
from utf8_abnf.grammar.values import UTF8, joined
from utf8_abnf.language import explanations as messages
from utf8_abnf.language.catalogue import Message
from utf8_abnf.language.notation import code_point, code_point_range
from utf8_abnf.language.syntax_errors import BYTE

if TYPE_CHECKING:
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.nfa import Choice
    from utf8_abnf.grammar.syntax import Span
    from utf8_abnf.grammar.values import Ranges

MAX_CHARACTER = 4  # bytes of a character


@dataclass(frozen=True, slots=True)
class Wanted:
    """An element of the grammar that is allowed: its values, the rules on the way down to it, and its place."""

    ranges: Ranges
    path: tuple[Choice, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Expectation:
    """Where an input goes wrong. *offset* is that of the first wrong byte, or the length of an incomplete input.

    *got* is that byte, or None if the input is incomplete. *wanted* are the elements that are allowed there, in the
    order of the grammar. *complete* is true if the input would be accepted if it ended at *offset*.

    *code_points*: the values of the grammar are code points, and *offset* is where a character begins: then *got* and
    *ranges* are code points. Where the input is not UTF-8, and in a character, they are bytes.
    """

    offset: int
    got: int | None
    wanted: tuple[Wanted, ...]
    complete: bool
    code_points: bool = False

    @property
    def ranges(self) -> Ranges:
        """All bytes that are allowed at *offset*."""
        return joined(pair for each in self.wanted for pair in each.ranges)

    @property
    def found(self) -> str:
        """What stands at *offset*, as text: ``byte A0``, or ``U+FFFE``; "" if the input ends there."""
        if self.got is None:
            return ""
        return code_point(self.got) if self.code_points else Message(BYTE, value=f"{self.got:02X}")

    @property
    def expected(self) -> str:
        """What is allowed, as text: ``80..9F``, with ``or the end`` where the input may also end here."""
        if not self.wanted and not self.complete:
            return Message(messages.NO_SENTENCE)
        ranges = shown_ranges(self.ranges, code_points=self.code_points)
        if not self.complete:
            return ranges
        return Message(messages.OR_THE_END, ranges=ranges) if ranges else Message(messages.THE_END)

    @property
    def within(self) -> str:
        """The rules on the way down that all of *wanted* share: ``UTF8-octets > UTF8-char``; or ""."""
        paths = [each.path for each in self.wanted]
        shared: list[str] = []
        for choices in zip(*paths, strict=False):
            if len({choice.rule for choice in choices}) > 1:
                break
            same = len(set(choices)) == 1
            shared.append(choices[0].label if same else choices[0].rule)
            if not same:
                break
        return " > ".join(shared)

    def __str__(self) -> str:
        return self.message

    @property
    def message(self) -> Message:
        """What stands where, what is allowed there, and in which rules that is."""
        facts = {"found": self.found or Message(messages.INPUT_ENDS), "expected": self.expected, "within": self.within}
        return Message(messages.FAILS_WITHIN if self.within else messages.FAILS_AT, offset=self.offset, **facts)


def shown_ranges(ranges: Ranges, *, code_points: bool) -> str:
    """Return *ranges* as text: ``80..9F``, or ``U+00A0..U+D7FF`` where they are code points."""
    return ", ".join(code_point_range(*each) for each in ranges) if code_points else show_ranges(ranges)


class Explainer:
    """Explains many inputs of one grammar; the compiled states are kept."""

    def __init__(self, grammar: Grammar, start: str | None = None) -> None:
        grammar.check(start)
        self._code_points = grammar.values == UTF8
        self._recogniser = Recogniser(grammar, start)

    def explain(self, data: bytes) -> Expectation | None:
        """Return where *data* goes wrong, or None if the grammar derives it."""
        problem = self._recogniser.read(data).refused
        if problem is None:
            return None
        offset = problem.offset
        if self._code_points and (character := _character(data, offset)):
            start, got = character
            before = self._recogniser.read(data, until=start).refused
            assert before is not None
            return self._expectation(before, got, code_points=True)
        return self._expectation(problem, data[offset] if offset < len(data) else None, code_points=False)

    def _expectation(self, problem: Refusal, got: int | None, *, code_points: bool) -> Expectation:
        subsets = self._recogniser.subsets
        members = frozenset().union(*(subsets.sets[each] for each in problem.sets))
        # States are numbered from the end of the grammar to its beginning: see ``nfa``.
        states = [subsets.nfa.states[state] for state in sorted(members, reverse=True)]
        wanted = dict.fromkeys(
            Wanted(state.value if code_points else state.ranges, state.path, state.span)
            for state in states
            if state.ranges
        )
        return Expectation(problem.offset, got, tuple(wanted), problem.complete, code_points)


def _character(data: bytes, offset: int) -> tuple[int, int | None] | None:
    """Return where the character begins that has the byte at *offset*, and its code point; None if it is not UTF-8.

    At the end of *data*, the code point is None. The grammar has accepted the bytes before *offset*.
    """
    start = codecs.utf_8_decode(data[:offset], "strict", False)[1]  # what follows may be a part of a character
    for end in range(offset + 1, min(start + MAX_CHARACTER, len(data)) + 1):
        with contextlib.suppress(UnicodeDecodeError):
            return start, ord(data[start:end].decode())
    return (start, None) if start == len(data) else None


def explain_failure(grammar: Grammar, data: bytes, start: str | None = None) -> Expectation | None:
    r"""Return where and why *grammar* does not derive *data* from *start*, or None if it does.

    *grammar* may be recursive: then the rules of each expectation begin with the innermost rule that is called.
    ``GrammarError`` if it cannot be used.

    >>> from utf8_abnf.grammar import Grammar
    >>> str(explain_failure(Grammar.load("utf8"), b"ab\xed\xa0\x80"))
    'byte A0 at offset 3; expected 80..9F [UTF8-octets > UTF8-char/3 > UTF8-3/3]'
    """
    return Explainer(grammar, start).explain(data)
