"""Add to a ``Grammar`` the rules of others that it uses, so that it stands alone."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar.files import shipped_grammars
from utf8_abnf.grammar.model import Grammar, core_rules, greatest, references, walk
from utf8_abnf.grammar.prose import with_classes
from utf8_abnf.grammar.syntax import (
    Alternation,
    Concatenation,
    Group,
    Prose,
    Range,
    Ref,
    Rule,
    Series,
    rebuilt,
    show,
)
from utf8_abnf.grammar.values import BYTES, LAST_ASCII, MAX_BYTE, UTF8, byte_strings, greatest_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from utf8_abnf.grammar.syntax import Node

# The names by which documents refer to the sources of the grammars that ship: grammar/SOURCES.md.
DOCUMENTS = {
    "rfc2234": "core", "rfc3339": "date-time", "rfc3629": "utf8", "rfc3986": "uri", "uri": "uri", "rfc3987": "iri",
    "iri": "iri", "rfc4234": "core", "rfc5234": "abnf", "abnf": "abnf", "rfc8141": "urn", "urn": "urn",
    "rfc8259": "json", "json": "json", "rfc8610": "cddl", "cddl": "cddl", "rfc9110": "http", "http": "http",
    "utf-8": "utf8",
}  # fmt: skip
_NAME = re.compile(r"\s*\"?([A-Za-z][A-Za-z0-9-]*)\"?(?:\s*,|\s+(?:as|defined|from|in|is|per|rule|see)\b)")
_DOCUMENT = re.compile(r"\[([A-Za-z0-9.-]+)\]|\b(RFC[ -]?[0-9]+)\b", re.IGNORECASE)


def says(prose: str) -> tuple[str, str] | None:
    """Return the document and the rule that *prose* names, or None.

    >>> says("token, see [RFC9110], Section 5.6.2")
    ('rfc9110', 'token')
    """
    name, document = _NAME.match(prose), _DOCUMENT.search(prose)
    if not (name and document):
        return None
    return re.sub(r"^rfc[ -]?0*", "rfc", (document[1] or document[2]).lower()), name[1]


def linked(
    grammar: Grammar,
    imports: Iterable[str] = (),
    defines: Mapping[str, str] | None = None,
    *,
    start: str | None = None,
    values: str = "auto",
) -> Grammar:
    r"""Return *grammar* with the rules of others that it uses, behind its own text; the same object if there are none.

    A rule that is missing is looked for in *imports*: names of grammars that ship with this package, or files.
    *defines* says for the name of a rule, missing or written as prose, which rule it is: ``{"token": "http:token"}``.
    Other prose is bound if it names a rule and a document, as in ``<host, see [RFC3986]>``, whose grammar ships with
    this package or is one of *imports* (``rfc7230.abnf``); prose that names a class of values is replaced by it. A rule
    whose name is taken gets that of its grammar in front (``http-token``). ``GrammarError`` for a definition that
    cannot be: the rule has one, or is not there, or *grammar* does not use the name.

    >>> mine = Grammar.parse("link = <host, see [RFC3986], Section 3.2.2> end\n")
    >>> linked(mine, defines={"end": "core:CRLF"}).text.splitlines()[:2]
    ['link = host                                 end', 'end = CRLF']
    """
    return with_classes(_Linker(grammar, list(imports), dict(defines or {})).linked(start, values), start, values)


class _Linker:
    def __init__(self, grammar: Grammar, imports: list[str], defines: dict[str, str]) -> None:
        self.grammar = grammar
        self.sources: dict[str, Grammar] = {}
        self.imported = [self._source(name) for name in imports]
        self.defines = {name.lower(): self._named(name, rule) for name, rule in defines.items()}
        self.unused = set(self.defines)
        self.taken = set(grammar.rules)
        self.placed: dict[tuple[str, str], str] = {}
        self.added: dict[str, str] = {}  # the name of a rule that was added, and its elements
        self.aliases: dict[str, str] = {}
        self.todo: list[tuple[str, str, str]] = []
        for name in self.defines:
            rule = grammar.rules.get(name)
            if rule and not any(isinstance(node, Prose) for node in walk(rule.definition)):
                grammar.fail(f"rule {rule.name} has a definition; --define is for rules without one", rule.span)

    def linked(self, start: str | None, values: str) -> Grammar:
        grammar, pieces, at = self.grammar, [], 0
        for rule in grammar.rules.values():
            for node in walk(rule.definition):
                if rule.core:
                    continue
                if isinstance(node, Ref) and node.name not in grammar:
                    self._missing(node.name)
                elif isinstance(node, Prose) and (bound := self._bound(rule, node, grammar)):
                    pieces.append((node.span, bound))
        if self.unused:
            unused = f"the grammar has no use of a rule {min(self.unused)} without a definition, and no such prose"
            raise GrammarError(f"--define {min(self.unused)}: {unused}", file=grammar.file)
        while self.todo:
            source, name, here = self.todo.pop()
            other = self.sources[source][name]
            self.added[here] = show(self._renamed(other, source))
        text = ""
        for span, bound in sorted(pieces):
            text += grammar.text[at : span.start] + bound.ljust(span.end - span.start)  # columns stay where they are
            at = span.end
        added = [*self.aliases.items(), *self.added.items()]
        if not added and not pieces:
            return grammar
        text += grammar.text[at:].rstrip() + "\n"
        margin = re.match(r"(?:[ \t]*(?:;[^\n]*)?\r?\n)*([ \t]*)", text)
        margin_text = margin[1] if margin else ""
        text += "".join(f"{margin_text}{name} = {elements}\n" for name, elements in added)
        made = Grammar.parse(text, file=grammar.file, values=values, start=start)  # type: ignore[arg-type]
        self._refuse_mixed(made)
        origins = {}
        for (source, name), here in self.placed.items():
            if here in self.added:
                origins[here.lower()] = self.sources[source].where(self.sources[source][name].span)
        return replace(made, origins=origins)

    def _source(self, name: str) -> str:
        """Load the grammar *name* and return the name by which it is known here."""
        key = name if name in shipped_grammars() else PurePath(name).stem
        if key not in self.sources:
            self.sources[key] = Grammar.load(name)
        return key

    def _named(self, name: str, rule: str) -> tuple[str, str]:
        source, _, wanted = rule.rpartition(":")
        if not (source and wanted):
            message = f"{name}={rule} does not name a grammar and a rule; write it as in token=http:token"
            raise GrammarError(message, file="--define")
        key = source if source in self.sources else self._source(source)
        self.sources[key][wanted]  # raises for a rule that is missing
        return key, wanted

    def _bound(self, rule: Rule, node: Prose, grammar: Grammar) -> str | None:
        """Return the name of the rule that stands for the prose *node* in *rule*, or None."""
        said = says(node.text)
        names = {said[1].lower()} if said else {node.text.strip().lower()}
        names |= {rule.name.lower()} if rule.definition == node else set()
        named = names & self.defines.keys() if grammar is self.grammar else set()
        self.unused -= named
        chosen = next((self.defines[name] for name in named), None)
        if chosen is None and said:
            known = {key.lower(): key for key in self.imported}
            shipped = DOCUMENTS.get(said[0], "")
            source = known.get(said[0]) or (shipped if shipped in shipped_grammars() else None)
            if source and said[1] in self.sources[self._source(source)]:
                chosen = source, said[1]
        return self._place(*chosen) if chosen else None

    def _missing(self, name: str) -> None:
        """Add a definition of rule *name*, which the grammar uses and does not have, if there is one."""
        chosen = self.defines.get(name.lower())
        self.unused.discard(name.lower())
        chosen = chosen or next(((key, name) for key in self.imported if name in self.sources[key]), None)
        if chosen and name.lower() not in self.taken:
            self.taken.add(name.lower())
            if chosen[1].lower() == name.lower():
                self._write(chosen[0], chosen[1], name)
            else:
                self.aliases[name] = self._place(*chosen)

    def _place(self, source: str, name: str) -> str:
        """Return the name that rule *name* of *source* has here; add it and what it uses."""
        rule = self.sources[source][name]
        key = source, rule.name.lower()
        if key in self.placed:
            return self.placed[key]
        core = core_rules().get(rule.name.lower())
        own = self.grammar.rules.get(rule.name.lower())
        if core and rule.definition == core.definition and (own is None or own.definition == core.definition):
            self.placed[key] = core.name
            return core.name
        here = rule.name
        while here.lower() in self.taken or here.lower() in core_rules():
            here = f"{PurePath(source).name}-{here}"
        self.taken.add(here.lower())
        self._write(source, rule.name, here)
        return here

    def _write(self, source: str, name: str, here: str) -> None:
        rule = self.sources[source][name]
        self.placed[source, rule.name.lower()] = here
        self.added[here] = ""  # keeps its place before what it uses
        self.todo.append((source, rule.name, here))

    def _renamed(self, rule: Rule, source: str) -> Node:
        """Return the definition of *rule* with the names that its rules have here."""
        grammar = self.sources[source]

        def renamed(node: Node) -> Node:
            if isinstance(node, Ref) and node.name in grammar:
                return Ref(self._place(source, node.name))
            bound = self._bound(rule, node, grammar) if isinstance(node, Prose) else None
            return Ref(bound) if bound else node

        return rebuilt(rule.definition, renamed)

    def _refuse_mixed(self, made: Grammar) -> None:
        """Fail if values beyond ASCII are bytes in one grammar and code points in another."""
        for source, name in self.placed:
            other = self.sources[source]
            if other.values != made.values and greatest([other[name]]) > LAST_ASCII:
                theirs, ours = ("bytes" if each.values == BYTES else "code points" for each in (other, made))
                raise GrammarError(f"the values of {other.file} are {theirs}, here they are {ours}", file=made.file)


def standalone(grammar: Grammar, start: str | None = None) -> Iterator[str]:
    r"""Yield the rules that *start* (default: the first rule) uses, one on a line, the start first.

    The core rules of RFC 5234 are left out: every reader of ABNF has them, and some accept no second definition. Where
    values are code points of which none exceeds FF, they are written as bytes, so that no reader takes them for bytes.

    >>> list(standalone(Grammar.parse("a = DIGIT b\nb = %x41\nc = a\n")))
    ['a = DIGIT b', 'b = %x41']
    >>> list(standalone(Grammar.parse("a = %xE0-FF", values="utf-8")))
    ['a = ( %xC3 %xA0-BF )']
    """
    rules = grammar.reachable(start)
    for rule in rules:
        missing = any(name not in grammar for name in references(rule.definition))
        if missing or any(isinstance(node, Prose) for node in walk(rule.definition)):
            grammar.check(start)  # raises, with the place
    as_bytes = grammar.values == UTF8 and grammar.greatest_value(start) <= MAX_BYTE
    for rule in rules:
        if not rule.core or len(rules) == 1:
            yield f"{rule.name} = {show(rebuilt(rule.definition, _in_bytes) if as_bytes else rule.definition)}"


def _in_bytes(node: Node) -> Node:
    """Return the bytes of a terminal *node* whose values are code points."""
    if not isinstance(node, Range | Series) or greatest_value(node) <= LAST_ASCII:
        return node
    words: list[Node] = []
    for string in byte_strings(node, UTF8):
        items = tuple(Range(low, high) for ((low, high),) in string)
        words.append(Concatenation(items) if len(items) > 1 else items[0])
    return Group(Alternation(tuple(words)) if len(words) > 1 else words[0])
