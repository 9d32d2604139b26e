"""Why a grammar has no points: its text and the error that ended its grading in, a sentence for the student out."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.earley import Recogniser
from utf8_abnf.automaton.words import separating_words, state_cover
from utf8_abnf.errors import GrammarError, NotRegularError, TooLargeError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.model import walk
from utf8_abnf.grammar.syntax import Range
from utf8_abnf.grammar.values import MAX_BYTE, SURROGATES
from utf8_abnf.language import feedback as messages
from utf8_abnf.language.catalogue import described, say
from utf8_abnf.teaching.grading.reasons import shown_word

if TYPE_CHECKING:
    from utf8_abnf.automaton import Automaton

MAX_SHOWN = 400  # characters of an error, which may quote a name of any length
MAX_WORDS = 2000  # that a grammar is tried on


def problem_of(text: str, reference: Grammar, yours: Automaton, error: GrammarError) -> tuple[str, bool]:
    """Return why the grammar *text*, in which *error* was found, has no points, and whether a person has to look at it.

    *yours* is the reference's automaton.

    >>> utf8 = Grammar.load("utf8")
    >>> told = problem_of("a = %x0-10FFFF", utf8, compile_grammar(utf8), GrammarError("too large"))
    >>> told[0].partition(";")[0]
    'this grammar describes code points (it names %x10FFFF), and the reference describes bytes, 00 to FF'
    """
    told = described(error)
    if len(told) > MAX_SHOWN:
        told = f"{told[: MAX_SHOWN // 2]} … {told[-MAX_SHOWN // 4 :]}"
    if isinstance(error, NotRegularError | TooLargeError):
        grammar = Grammar.parse(text, values=reference.values)
        why, person = _tried(grammar, start_rule(grammar, reference), yours)
        return f"{told}; {why}", person
    points = of_code_points(text) if reference.values == "bytes" else None
    return _wrong_kind(points, yours) if points else told, False


def start_rule(grammar: Grammar, reference: Grammar) -> str:
    """Return the rule at which *grammar* starts: the one at which the reference does, or its first."""
    return grammar[reference.start if reference.start in grammar.rules else grammar.start].name


def of_code_points(text: str) -> Grammar | None:
    """Return the grammar in *text* with code points for values, if it names one above FF; None if it does not.

    >>> of_code_points("text = *%x0-10FFFF") is None, of_code_points("text = *%x00-FF") is None
    (False, True)
    """
    try:
        grammar = Grammar.parse(text, values="utf-8")
        return grammar if grammar.greatest_value() > MAX_BYTE else None
    except GrammarError:
        return None


def _wrong_kind(grammar: Grammar, yours: Automaton) -> str:
    value = f"{grammar.greatest_value():X}"
    if re.fullmatch("[C-F][0-9A-F]([89AB][0-9A-F])+", value):
        return say(messages.GLUED, value=value)
    told = say(messages.CODE_POINTS, value=value)
    try:
        right = compile_grammar(grammar).equivalent(yours) is None
    except GrammarError:
        right = False
    if not right:
        return told
    nodes = (node for rule in grammar.reachable() for node in walk(rule.definition))
    surrogates = any(isinstance(node, Range) and node.low < SURROGATES.stop and node.high >= SURROGATES.start
                     for node in nodes)  # fmt: skip
    return f"{told}; {say(messages.BUT_SURROGATES if surrogates else messages.CODE_POINTS_RIGHT)}"


def _tried(grammar: Grammar, start: str, yours: Automaton) -> tuple[str, bool]:
    """Return how a grammar that has no automaton does on the words that tell the reference's states apart.

    Where it does well, a person has to look at it.
    """
    try:
        recogniser = Recogniser(grammar, start)
    except TooLargeError:
        return say(messages.PERSON), True
    lowest = [bytes([yours.classes.index(number)]) for number in set(yours.classes)]
    parts = product(state_cover(yours), [b"", *lowest], separating_words(yours))
    words = sorted({b"".join(each) for each in parts}, key=lambda word: (len(word), word))[:MAX_WORDS]
    for word in words:
        accepted = not recogniser.read(word).refused
        if accepted != yours.accepts(word):
            return say(messages.EXTRA if accepted else messages.MISSING, word=shown_word(word)), False
    return say(messages.UNDECIDED, count=f"{len(words):,}"), True
