"""Find the grammar in a document that is being edited, and the place of each name, as a ``Source``, for editors.

A document is a grammar, or Markdown or RFC XML with blocks of ABNF, which together are one grammar. Names are found
without a parser, so that they are there while a rule is being written. Lines and columns count from 0.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar.documents import read_document
from utf8_abnf.grammar.extract import ABNF_WORD
from utf8_abnf.grammar.findings import ERROR
from utf8_abnf.grammar.formatting import WIDTH, formatted
from utf8_abnf.grammar.imports import linked
from utf8_abnf.grammar.lint import lint
from utf8_abnf.grammar.model import Grammar

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
NAMES = re.compile(
    r'(?:%[siSI])?"[^"\r\n]*"|;.*|%[^\s/()\[\]]*|<(?P<prose>[A-Za-z][A-Za-z0-9-]*)>|<[^>]*>'
    r"|(?P<name>[A-Za-z][A-Za-z0-9-]*)"
)
_WORD = re.compile(r'"[^"\r\n]*"|<[^>\r\n]*>|[^\s/()\[\];"<=]+|.')
_OF_FILES = {"no-crlf", "no-final-newline"}  # findings about line ends, which blocks have from their documents


class Name(NamedTuple):
    """A name of a rule at a place in the document; *defines*: a definition begins with it."""

    name: str
    line: int
    column: int
    defines: bool


class Remark(NamedTuple):
    """What is said about the piece from *column* to *end* of *line*; *severity* and *code* as in ``Finding``."""

    line: int
    column: int
    end: int
    severity: str
    code: str
    message: str


class Edit(NamedTuple):
    """A new *text* for the lines from *first* up to, not including, *last*."""

    first: int
    last: int
    text: str


class _Block(NamedTuple):
    """Lines of ABNF, and where they are in the document: their numbers, and the text before each, None if unknown."""

    lines: list[str]
    numbers: list[int]
    margins: list[str | None]


@dataclass(frozen=True)
class Source:
    """The ABNF of a document that is being edited; *is_whole*: the document is a grammar, and nothing else."""

    blocks: tuple[_Block, ...]
    file: str
    is_whole: bool

    @classmethod
    def of(cls, text: str, *, file: str, is_whole: bool) -> Source:
        """Return the ABNF in *text*; a document that cannot be read has none."""
        lines = text.split("\n")
        if is_whole:
            return cls((_Block(lines, list(range(len(lines))), [""] * len(lines)),), file, True)
        try:
            passages = read_document(text, file=file).passages
        except GrammarError:
            passages = []
        blocks = []
        for words, found in passages:
            if found and words and ABNF_WORD.fullmatch(words[0]):
                code = textwrap.dedent("\n".join(line.text for line in found)).split("\n")
                numbers = [line.number - 1 for line in found]
                whole = [lines[number].rstrip("\r") for number in numbers]
                pairs = zip(code, whole, strict=True)
                margins = [line[: len(line) - len(piece)] if line.endswith(piece) else None for piece, line in pairs]
                blocks.append(_Block(code, numbers, margins))
        return cls(tuple(blocks), file, False)

    @cached_property
    def text(self) -> str:
        """The grammar: the blocks with a blank line between them."""
        return "\n\n".join("\n".join(block.lines) for block in self.blocks)

    @cached_property
    def _places(self) -> list[tuple[int, int | None]]:
        """For each line of ``text`` its line in the document, and the column where it begins there, if it is known."""
        places: list[tuple[int, int | None]] = []
        for block in self.blocks:
            places += [(places[-1][0], None)] if places else []
            starts = (None if margin is None else len(margin) for margin in block.margins)
            places += zip(block.numbers, starts, strict=True)
        return places

    @cached_property
    def names(self) -> list[Name]:
        """The names of rules, in the order of the document; prose counts if a rule has its name (as in RFC 3986)."""
        places = []
        for line, (number, margin) in zip(self.text.split("\n"), self._places, strict=False):
            for each in NAMES.finditer(line):
                if margin is not None and (name := each["name"] or each["prose"]):
                    column = each.start("name" if each["name"] else "prose")
                    defines = not line[:column].strip() and line[each.end() :].lstrip()[:1] == "="
                    places.append((bool(each["prose"]), Name(name, number, margin + column, defines)))
        defined = {name.name.lower() for _, name in places if name.defines}
        return [name for is_prose, name in places if not is_prose or name.name.lower() in defined]

    def name_at(self, line: int, column: int) -> Name | None:
        """Return the name at, or right before, a place in the document."""
        on_line = (each for each in self.names if each.line == line)
        return next((each for each in on_line if each.column <= column <= each.column + len(each.name)), None)

    def places_of(self, name: str) -> list[Name]:
        """Return all places of the rule *name*."""
        return [each for each in self.names if each.name.lower() == name.lower()]

    def grammar(self) -> Grammar:
        """Return the grammar, with the rules of others that its prose names. ``GrammarError`` if it cannot be read."""
        return linked(Grammar.parse(self.text, file=self.file))

    def remarks(self) -> Iterator[Remark]:
        """Yield the error of the reader or, if there is none, the findings of the linter, in the document's places."""
        if not self.text.strip():
            return
        try:
            findings = lint(self.grammar(), fast=True)
        except GrammarError as error:
            yield self._remark(error.line - 1, error.column - 1, ERROR, "syntax", error.message)
            return
        for each in findings:  # behind the places of this document are rules of other grammars
            if each.line <= len(self._places) and (self.is_whole or each.code not in _OF_FILES):
                message = f"{each.message}\n{each.help}"
                yield self._remark(each.line - 1, each.column - 1, each.severity, each.code, message)

    def _remark(self, line: int, column: int, severity: str, code: str, message: str) -> Remark:
        number, margin = self._places[min(line, len(self._places) - 1)]
        if margin is None:
            return Remark(number, 0, 0, severity, code, message)
        lines = self.text.split("\n")
        word = _WORD.match(lines[line], column) if line < len(lines) else None
        return Remark(number, margin + column, margin + (word.end() if word else column), severity, code, message)

    def edits(self) -> Iterator[Edit]:
        """Yield what formats the document; blocks that cannot be read, or are not in it as they are, stay."""
        for lines, numbers, margins in self.blocks:
            margin = next((each for each, line in zip(margins, lines, strict=True) if line.strip()), None)
            at_margin = all(each == margin for each, line in zip(margins, lines, strict=True) if line.strip())
            if margin is None or not at_margin or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
                continue
            try:
                made = formatted("\n".join(lines), file=self.file, width=WIDTH - len(margin))
            except GrammarError:
                continue
            text = "".join(f"{margin}{line}".rstrip(" \t") + "\n" for line in made.removesuffix("\n").split("\n"))
            if text != "\n".join(f"{margin}{line}" for line in lines) + "\n" * (not self.is_whole):
                yield Edit(numbers[0], numbers[-1] + 1, text)
