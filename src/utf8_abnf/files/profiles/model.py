"""A profile: a grammar of code points in; the characters out that it refuses, and where a text has them."""

from __future__ import annotations

import heapq
import os
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from utf8_abnf.automaton import compile_grammar, difference
from utf8_abnf.automaton.forms import characters, forms
from utf8_abnf.errors import GrammarError
from utf8_abnf.explain.located import Facts, Refused, RuleLine
from utf8_abnf.explain.steps import utf8_automaton
from utf8_abnf.files.profiles.look import look
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import shipped_grammars
from utf8_abnf.grammar.syntax import Ref, Repetition, show
from utf8_abnf.language import grammars as messages
from utf8_abnf.language import refusals
from utf8_abnf.language.catalogue import Message, say
from utf8_abnf.language.notation import code_point
from utf8_abnf.validator.functions import first_error, is_valid, iter_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer

    from utf8_abnf.automaton.forms import Form
    from utf8_abnf.grammar.syntax import Rule
    from utf8_abnf.language.refusals import Refusal
    from utf8_abnf.validator.ill_formed import IllFormed

FOLDER = "profiles/"  # of the grammars that ship
MAX_SHOWN = 80  # columns of a rule
MAX_FORMS = 20_000  # forms of refused characters; a grammar of all letters that Unicode assigns needs some thousand


class Profile:
    r"""Which characters a target takes. Make one with ``load``.

    *name* is what messages call it, *grammar* the grammar that it comes from, *refused* the forms of the characters
    that it refuses: what ``grammar/utf8.abnf`` derives and *grammar* does not.

    >>> xml = Profile.load("xml-1.0")
    >>> xml.is_valid(b"a\tb"), xml.is_valid(b"a\x0bb"), xml.is_valid(b"a\xff")
    (True, False, False)
    >>> [str(form) for form in xml.refused]
    ['%x00-08', '%x0B-0C', '%x0E-1F', '%xEF %xBF %xBE-BF']
    """

    def __init__(self, name: str, grammar: Grammar) -> None:
        self.name, self.grammar = name, grammar
        self.is_shipped = grammar.file == f"grammar/{FOLDER}{name}.abnf"
        self.refused = _refused(grammar)
        self._look = look(form.ranges for form in self.refused)
        self._reasons = refusals.REFUSALS[name if self.is_shipped else ""]

    @classmethod
    def load(cls, source: str | os.PathLike[str]) -> Profile:
        """Return the profile that ships under the name *source*, or the one whose grammar is in that file.

        Values of the grammar are code points, and its first rule derives the texts that the target takes: all sequences
        of some characters. ``GrammarError`` where it derives anything else; ``OSError`` if the file cannot be read.
        """
        name = os.fspath(source)
        is_shipped = name in profile_names()
        return cls(name, Grammar.load(FOLDER + name if is_shipped else name, values="utf-8"))

    @property
    def rule(self) -> Rule:
        """The rule that has the characters: the one that the first rule repeats, or the first rule itself."""
        first = self.grammar[self.grammar.start]
        match first.definition:
            case Repetition(item=Ref(name=name)):
                return self.grammar[name]
        return first

    def is_valid(self, data: Buffer, /) -> bool:
        """Return whether *data* is well-formed UTF-8 and has no refused character."""
        return is_valid(data) and self._look.search(data) is None

    def first_error(self, data: Buffer, /) -> IllFormed | Refused | None:
        """Return the first ill-formed sequence or refused character of *data*, or None where there is neither."""
        error = first_error(data)
        with (
            memoryview(data) as view,
            view.cast("B") as bytes_,
            bytes_[: error.start if error else None] as well_formed,
        ):
            refused = next(self._refused_in(well_formed), None)
        return refused or error

    def iter_errors(self, data: Buffer, /) -> Iterator[IllFormed | Refused]:
        r"""Return an iterator over every ill-formed sequence and every refused character of *data*, in order.

        >>> [error.code for error in Profile.load("json").iter_errors(b"\xff\x01")]
        ['UTF8-TOO-LARGE', 'PROFILE-CONTROL']
        """
        return heapq.merge(iter_errors(data), self._refused_in(data), key=attrgetter("start"))

    def count_refused(self, data: Buffer, /) -> int:
        """Return how many refused characters *data* has, which need not be well-formed."""
        return sum(1 for _ in self.places(data))

    def places(self, data: Buffer, /) -> Iterator[tuple[int, int]]:
        """Return an iterator over start and end of each refused character of *data*, which need not be well-formed."""
        at = 0
        while found := self._look.search(data, at):  # finditer would hold the buffer
            at = found.end()
            yield found.span()

    def reason(self, refused: Refused) -> Refusal:
        """Return why the profile refuses a character, and what to do."""
        return next(row for row in self._reasons if row.low <= refused.character <= row.high)

    def facts_of(self, refused: Refused) -> Facts:
        r"""Return what a diagnostic says of *refused*.

        >>> profile = Profile.load("postgresql")
        >>> facts = profile.facts_of(profile.first_error(b"a\0"))
        >>> facts.message, facts.rule.text
        ('U+0000 at offset 1 is refused by the profile postgresql', 'postgresql-character = %x01-D7FF / %xE000-10FFFF')
        """
        character = code_point(refused.character)
        reason, rule = self.reason(refused), self.rule
        line, _ = self.grammar.position(rule.span)
        return Facts(
            message=say(refusals.IS_REFUSED, character=character, offset=refused.start, profile=self.name),
            mark=say(refusals.MARKED, character=character),
            rule=RuleLine(rule.name, _cut(f"{rule.name} = {show(rule.definition)}"), 0, self.grammar.file, line),
            section=say(refusals.SOURCES[self.name]) if self.is_shipped else "",
            why=say(reason.why),
            advice=say(reason.fix),
            expected=rule.name,
            got=character,
            offending=refused.start,
            marked=refused.length,
        )

    def _refused_in(self, data: Buffer) -> Iterator[Refused]:
        for start, end in self.places(data):
            with memoryview(data) as view, view.cast("B") as bytes_:
                character = ord(bytes(bytes_[start:end]).decode())
            code = next(row.code for row in self._reasons if row.low <= character <= row.high)
            yield Refused(start, end - start, code, character, self.name)


def _cut(text: str) -> str:
    """Return *text* up to its last whole alternative that can be shown."""
    return text if len(text) <= MAX_SHOWN else text[: text.rindex(" / ", 0, MAX_SHOWN)] + " / …"


@cache
def profile_names() -> tuple[str, ...]:
    """Return the names of the profiles that ship."""
    return tuple(name.removeprefix(FOLDER) for name in shipped_grammars() if name.startswith(FOLDER))


def _refused(grammar: Grammar) -> tuple[Form, ...]:
    """Return the forms of the characters that *grammar*, a grammar of all sequences of some characters, has not."""
    mine = compile_grammar(grammar)
    all_characters = characters(utf8_automaton())
    assert all_characters is not None
    single = characters(mine)
    if single is None or single.first_not_in(all_characters) is not None:
        rule = grammar[grammar.start]
        grammar.fail(Message(messages.NO_SEQUENCES, rule=rule.name), rule.span)
    found = forms(difference(all_characters, single), MAX_FORMS)
    if found is None:
        raise GrammarError(Message(messages.MANY_REFUSED, most=f"{MAX_FORMS:,}"), file=grammar.file)
    return found
