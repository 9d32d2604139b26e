"""Compares a learned automaton with a grammar: ``Model`` has the difference, the dialect, and what was checked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from textwrap import fill
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.learning.refuting import dialects
from utf8_abnf.conformance.naming.naming import shown
from utf8_abnf.conformance.naming.whole import lines_of_model
from utf8_abnf.conformance.naming.written import abnf_of
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.learning.learner import Learned
    from utf8_abnf.conformance.naming import Line

WIDTH = 100  # columns of the account
WORDS = 34  # columns of the words of a line, at least


@dataclass(frozen=True)
class Model:
    """What was learned of the decoder *name*, and *expected*, the automaton of the grammar named *grammar*.

    The decoder could not judge *refused* of the inputs, of which *unjudged* is one: they got the model's own verdict.
    """

    name: str
    grammar: str
    expected: Automaton
    learned: Learned
    refused: int = 0
    unjudged: bytes | None = None

    @property
    def automaton(self) -> Automaton:
        """The decoder's own automaton, minimal."""
        return self.learned.automaton

    @cached_property
    def counterexample(self) -> bytes | None:
        """The shortest input on which the automaton deviates from the grammar, or None."""
        return self.automaton.equivalent(self.expected)

    @property
    def conforms(self) -> bool:
        """Whether inputs were judged, and no deviation from the grammar was seen, at any length."""
        return self.counterexample is None and not self.learned.borders and self.refused < self.learned.questions

    @cached_property
    def lines(self) -> list[Line]:
        """What the decoder wrongly accepts and rejects."""
        return lines_of_model(self.automaton, self.expected)

    @cached_property
    def dialect(self) -> str | None:
        """The name of the shipped grammar that describes the decoder exactly, or None."""
        if self.counterexample is None:
            return self.grammar
        return next((name for name, each in dialects().items() if self.automaton.equivalent(each) is None), None)

    @cached_property
    def abnf(self) -> str:
        """The decoder's own grammar; it compiles to ``automaton``."""
        return abnf_of(self.automaton)

    @property
    def verdict(self) -> str:
        """What was found, in one sentence that says how much was asked."""
        judged = self.learned.questions - self.refused
        known = f"as far as {judged:,} questions of at most {self.learned.longest:,} bytes can tell"
        if self.refused == self.learned.questions:
            return f"{self.name} judged none of {self.refused:,} inputs."
        if self.learned.borders:
            return f"{self.name} looks at lengths, {known}: it answers otherwise {self.learned.borders[0].phrase}."
        if self.counterexample is None:
            return f"{self.name} accepts exactly what {self.grammar} derives, {known}."
        extra = self.automaton.first_not_in(self.expected) is not None
        missing = self.expected.first_not_in(self.automaton) is not None
        faults = [f"accepts words that {self.grammar} does not derive"] * extra
        faults += [f"rejects words that {'it' if extra else self.grammar} derives"] * missing
        return f"{self.name} {' and '.join(faults)}, {known}."

    @property
    def not_judged(self) -> str:
        """How much the decoder could not judge, in a sentence; "" if that is nothing."""
        if self.unjudged is None:
            return ""
        return (
            f"The decoder could not judge {self.refused:,} inputs, such as {shown(self.unjudged)}: "
            "for these the model's verdict was taken."
        )

    @property
    def checked(self) -> str:
        """On which inputs the model was checked, and under which condition it is right."""
        learned = self.learned
        live = len(self.automaton.table) - len(self.automaton.dead)
        short = f" of fewer than {learned.limit:,} bytes" if learned.limit else ""
        answers = f"The answers to the words{short} of" if short else "The answers to"
        states = f"{live} live state{'s' * (live != 1)}"
        probed = f"{answers} these families of the suites agree with it: {', '.join(learned.families)}."
        paragraphs = (
            f"How the model was checked: it has {states}. It agrees with the decoder on all words{short} of A·Σ^≤1·W: "
            f"{learned.prefixes} words in A, all 256 bytes in Σ, {learned.suffixes} words in W. If the decoder is an "
            "automaton, and every state of it is reached by a word of A, then the model is right.",
            *([probed] if learned.families else []),
            "Run `utf8-abnf test` as well: it asks inputs that are not among these.",
        )
        return "\n".join(fill(paragraph, WIDTH) for paragraph in paragraphs)

    def __str__(self) -> str:
        """Return the report: verdict, difference, dialect, the decoder's ABNF, and what was checked."""
        if self.refused == self.learned.questions:
            return self.verdict
        others = (f"It answers otherwise {each.phrase}." for each in self.learned.borders[1:])
        lines = [self.verdict, *filter(None, [self.not_judged]), *others]
        if self.learned.limit:
            lines.append(f"The following is about inputs of fewer than {self.learned.limit:,} bytes.")
            if self.counterexample is None:
                lines.append(f"It accepts exactly what {self.grammar} derives.")
        if self.counterexample is not None:
            width = max([WORDS, *(len(each.words) for each in self.lines)])
            lines += [each.in_columns(width) for each in self.lines]
            lines += [f"= {self.dialect}" if self.dialect else "not a known dialect", "", *self.abnf.splitlines()]
        return "\n".join([*lines, "", self.checked])

    def to_json(self) -> dict[str, Any]:
        """Return the model as plain values for ``json.dumps``; bytes are hex."""
        return {
            "decoder": self.name,
            "grammar": self.grammar,
            "verdict": self.verdict,
            "conforms": self.conforms,
            "refused": self.refused,
            "borders": [border.phrase for border in self.learned.borders],
            "limit": self.learned.limit,
            "counterexample": None if self.counterexample is None else hex_bytes(self.counterexample),
            "lines": [
                {"kind": each.kind, "line": each.words, "place": each.place.phrase, "example": hex_bytes(each.example)}
                for each in self.lines
            ],
            "dialect": self.dialect,
            "abnf": self.abnf,
            "states": len(self.automaton.table),
            "questions": self.learned.questions,
            "prefixes": self.learned.prefixes,
            "suffixes": self.learned.suffixes,
            "families": list(self.learned.families),
        }
