"""Check the examples in a ``Document`` against its ``Grammar``; yield each with what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton.explain import Explainer
from utf8_abnf.errors import GrammarError
from utf8_abnf.language import grammars as messages
from utf8_abnf.language.catalogue import Message
from utf8_abnf.language.notation import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.documents import Document

# What a block is: whether the grammar derives its examples, and whether each line is one.
KINDS = {
    "abnf-example": (True, False),
    "abnf-examples": (True, True),
    "abnf-counterexample": (False, False),
    "abnf-counterexamples": (False, True),
}


MAX_SHOWN = 60  # characters of an example in a message


class Example(NamedTuple):
    """An input that the rule *start* (None: the grammar's start rule) derives, or does not; *line* is where it begins.

    *problem* says why it fails, if only because its text cannot be read; it is "" otherwise.
    """

    line: int
    good: bool
    start: str | None
    data: bytes
    problem: str = ""


def examples_in(document: Document) -> list[Example]:
    r"""Return the examples of *document* in its order: blocks whose first word is a key of ``KINDS``.

    Of the words that follow, ``hex`` means that the text is bytes in hex, ``crlf`` that lines end in CRLF, and another
    one is the rule to start from.

    >>> from utf8_abnf.grammar.documents import read_document
    >>> examples_in(read_document("~~~ abnf-examples digit\n7\n8\n~~~\n"))[1]
    Example(line=3, good=True, start='digit', data=b'8', problem='')
    """
    examples: list[Example] = []
    for words, lines in document.passages:
        if not words or words[0].lower() not in KINDS:
            continue
        good, each_line = KINDS[words[0].lower()]
        rules = [word for word in words[1:] if word not in {"hex", "crlf"}]
        end = "\r\n" if "crlf" in words else "\n"
        if each_line:
            texts = [(line.number, line.text) for line in lines if line.text.strip()]
        else:
            texts = [(lines[0].number if lines else 0, end.join(line.text for line in lines))]
        for number, text in texts:
            data, problem = text.encode("utf-8", "surrogateescape"), ""
            if "hex" in words:
                try:
                    data = bytes.fromhex(text)
                except ValueError:
                    problem = Message(messages.NOT_HEX)
            examples.append(Example(number, good, rules[0] if rules else None, data, problem))
    return examples


def checked(grammar: Grammar, examples: Iterable[Example], start: str | None = None) -> Iterator[Example]:
    """Yield each of *examples* with its *problem*; *start* is the rule of those that name none.

    >>> from utf8_abnf.grammar import Grammar
    >>> grammar = Grammar.parse('digit = %x30-39')
    >>> [each.problem for each in checked(grammar, [Example(1, True, None, b"a"), Example(2, False, None, b"a")])]
    ["digit does not derive 'a': byte 61 at offset 0; expected 30..39 [digit]", '']
    """
    explainers: dict[str, Explainer] = {}
    for example in examples:
        name = example.start or start or grammar.start
        failure = example.problem
        try:
            if name not in explainers:
                explainers[name] = Explainer(grammar, name)
        except GrammarError as error:
            failure = error.message
        if not failure:
            wrong = explainers[name].explain(example.data)
            if example.good and wrong:
                facts = {"rule": name, "example": _shown(example.data), "problem": wrong.message}
                failure = Message(messages.EXAMPLE_FAILS, **facts)
            elif not example.good and not wrong:
                failure = Message(messages.COUNTEREXAMPLE_FAILS, rule=name, example=_shown(example.data))
        yield example._replace(problem=failure)


def _shown(data: bytes) -> str:
    text = printable(data.decode("utf-8", "surrogateescape"))
    return f"'{text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 2] + ' …'}'"
