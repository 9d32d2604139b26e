"""Why a grammar does not derive an input: the first wrong byte, what is allowed there, and by which rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.automaton.determinise import Subsets
from utf8_abnf.automaton.nfa import compile_nfa
from utf8_abnf.automaton.show import byte_ranges, show_ranges

if TYPE_CHECKING:
    from utf8_abnf.automaton.nfa import Choice, Nfa, Ranges
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Span


@dataclass(frozen=True, slots=True)
class Wanted:
    """An element of the grammar that is allowed: its bytes, the rules on the way down to it, and its place."""

    ranges: Ranges
    path: tuple[Choice, ...]
    span: Span

    def __str__(self) -> str:
        return f"{show_ranges(self.ranges)} ({' > '.join(choice.label for choice in self.path)})"


@dataclass(frozen=True, slots=True)
class Expectation:
    """Where an input goes wrong. *offset* is that of the first wrong byte, or the length of an incomplete input.

    *got* is that byte, or None if the input is incomplete. *wanted* are the elements that are allowed there, in the
    order of the grammar. *complete* is true if the input would be accepted if it ended at *offset*.
    """

    offset: int
    got: int | None
    wanted: tuple[Wanted, ...]
    complete: bool

    @property
    def ranges(self) -> Ranges:
        """All bytes that are allowed at *offset*."""
        members = (byte for each in self.wanted for low, high in each.ranges for byte in range(low, high + 1))
        return tuple(byte_ranges(set(members)))

    @property
    def expected(self) -> str:
        """The same as text: ``80..9F``, with ``or the end`` where the input may also end here."""
        ranges = show_ranges(self.ranges)
        return (f"{ranges} or the end" if ranges else "the end") if self.complete else ranges

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
        found = "the input ends" if self.got is None else f"byte {self.got:02X}"
        within = f" [{self.within}]" if self.within else ""
        return f"{found} at offset {self.offset}; expected {self.expected}{within}"


class Explainer:
    """Explains many inputs of one grammar; the compiled states are kept."""

    def __init__(self, grammar: Grammar, start: str | None = None, *, nfa: Nfa | None = None) -> None:
        self._nfa = nfa or compile_nfa(grammar, start)
        self._subsets = Subsets(self._nfa, file=grammar.file)

    def explain(self, data: bytes) -> Expectation | None:
        """Return where *data* goes wrong, or None if the grammar derives it."""
        passed = self._subsets.read(data)
        members = self._subsets.sets[passed[-1]]
        offset = len(passed) - 1
        complete = self._nfa.accept in members
        if offset == len(data) and complete:
            return None
        # States are numbered from the end of the grammar to its beginning: see ``nfa``.
        states = [self._nfa.states[state] for state in sorted(members, reverse=True) if state != self._nfa.accept]
        wanted = dict.fromkeys(Wanted(state.ranges, state.path, state.span) for state in states)
        return Expectation(offset, data[offset] if offset < len(data) else None, tuple(wanted), complete)


def explain_failure(grammar: Grammar, data: bytes, start: str | None = None) -> Expectation | None:
    r"""Return where and why *grammar* does not derive *data* from *start*, or None if it does.

    Raises what ``compile_grammar`` raises: ``NotRegularError``, ``TooLargeError``, ``GrammarError``.

    >>> from utf8_abnf.grammar import Grammar
    >>> str(explain_failure(Grammar.load("utf8"), b"ab\xed\xa0\x80"))
    'byte A0 at offset 3; expected 80..9F [UTF8-octets > UTF8-char/3 > UTF8-3/3]'
    """
    return Explainer(grammar, start).explain(data)
