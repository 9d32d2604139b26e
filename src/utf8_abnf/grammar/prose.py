"""Replace prose in a ``Grammar`` that names a class of characters by ABNF; on request, drop other prose.

``<any CHAR except X and Y>``, as many RFCs write it, has one meaning: the values of ``CHAR`` without those of ``X`` and
``Y``. Where all of them are single values, the difference is one as well.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.grammar.analysis import productive_rules
from utf8_abnf.grammar.model import Grammar, walk
from utf8_abnf.grammar.reader import read
from utf8_abnf.grammar.syntax import (
    Alternation,
    Concatenation,
    Group,
    Option,
    Prose,
    Range,
    Ref,
    Repetition,
    Series,
    Text,
    show,
)
from utf8_abnf.grammar.values import joined, values_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from utf8_abnf.grammar.syntax import Node
    from utf8_abnf.grammar.values import Ranges

EMPTY = Text("")
_ITEM = r'(?:[A-Za-z][A-Za-z0-9-]*|"[^"]*"|%[xdb][0-9A-F]+(?:-[0-9A-F]+)?)'
_BETWEEN = r"(?:\s*,?\s+(?:and|or)\s+|\s*,\s*)"
_EXCEPT = re.compile(
    rf"\s*any\s+({_ITEM}),?\s+(?:except(?:ing)?(?:\s+for)?|excluding|other\s+than)\s+({_ITEM}(?:{_BETWEEN}{_ITEM})*)\s*",
    re.IGNORECASE,
)


def with_classes(grammar: Grammar, start: str | None = None, values: str = "auto") -> Grammar:
    r"""Return *grammar* with ABNF in place of the prose that names a class of values; the same object if none does.

    ``notes`` has a line for each. *start* and *values*: see ``Grammar.parse``.

    >>> made = with_classes(Grammar.parse('a = <any CHAR except CTL, "x" and DIGIT>\n'))
    >>> made.notes
    ('<grammar>:1:5: <any CHAR except CTL, "x" and DIGIT> is read as %x20-2F / %x3A-57 / %x59-77 / %x79-7E',)
    """
    pieces, notes, at = "", list(grammar.notes), 0
    for node, meant in sorted(_classes(grammar), key=lambda found: found[0].span):
        pieces += grammar.text[at : node.span.start] + show(Group(meant)).ljust(node.span.end - node.span.start)
        at = node.span.end
        notes.append(f"{_place(grammar, node)}: {show(node)} is read as {show(meant)}")
    if not at:
        return grammar
    text = pieces + grammar.text[at:]
    made = Grammar.parse(text, file=grammar.file, values=values, start=start)  # type: ignore[arg-type]
    return replace(made, origins=grammar.origins, notes=tuple(notes))


def _classes(grammar: Grammar) -> Iterator[tuple[Prose, Node]]:
    for rule in grammar.rules.values():
        for node in walk(rule.definition):
            if isinstance(node, Prose) and (ranges := _difference(grammar, node, frozenset())):
                found = tuple(Range(low, high) for low, high in ranges)
                yield node, Alternation(found) if len(found) > 1 else found[0]


def _difference(grammar: Grammar, prose: Prose, within: frozenset[str]) -> Ranges | None:
    """Return the values that *prose* names; None if it has another form, or names more than single values."""
    found = _EXCEPT.fullmatch(prose.text)
    if not found:
        return None
    base = _values(grammar, _item(grammar, found[1]), within)
    excluded = [_values(grammar, _item(grammar, each), within) for each in re.findall(_ITEM, found[2], re.IGNORECASE)
                if each.lower() not in {"and", "or"}]  # fmt: skip
    if base is None or None in excluded:
        return None
    left = list(base)
    for low, high in (value for ranges in excluded if ranges for value in ranges):
        parts = [part for first, last in left for part in ((first, min(last, low - 1)), (max(first, high + 1), last))]
        left = [(first, last) for first, last in parts if first <= last]
    return joined(left) or None


def _item(grammar: Grammar, text: str) -> Node:
    """Return the name, string or value *text*; the name may be in the plural, as in CTLs."""
    node = read(f"a = {text}")[0].definition
    if isinstance(node, Ref) and node.name not in grammar and node.name.endswith("s"):
        return Ref(node.name[:-1])
    return node


def _values(grammar: Grammar, node: Node, within: frozenset[str]) -> Ranges | None:
    """Return the values of which *node* derives one; None if it derives anything else. *within* are rules around it."""
    match node:
        case Ref(name=name) if name in grammar and name.lower() not in within:
            return _values(grammar, grammar[name].definition, within | {name.lower()})
        case Group(item=item):
            return _values(grammar, item, within)
        case Alternation(items=items):
            several = [_values(grammar, item, within) for item in items]
            return None if None in several else joined(value for ranges in several if ranges for value in ranges)
        case Prose():
            return _difference(grammar, node, within)
        case Range() | Series() | Text() if len(found := values_of(node)) == 1:
            return found[0]
    return None


def without_prose(grammar: Grammar, start: str | None = None) -> Grammar:
    r"""Return *grammar* as it is if prose, and rules that are not defined, derive nothing.

    Alternatives and options that need them are left out. ``notes`` has a line for each that *start* (default: the first
    rule) reaches. ``GrammarError`` if *start* derives nothing then.

    >>> made = without_prose(Grammar.parse("a = DIGIT / <a word> / b [ missing ]\nb = *a DIGIT\n"))
    >>> print(made.text, *made.notes, sep="\n")
    a = DIGIT / b
    b = *a DIGIT
    <BLANKLINE>
    <grammar>:1:13: <a word> derives nothing
    <grammar>:1:28: missing derives nothing
    """
    notes = list(dict.fromkeys(_underived(grammar, start)))
    if not notes:
        return grammar
    productive = productive_rules(grammar)
    first = grammar[start or grammar.start]
    if first.name.lower() not in productive:
        grammar.fail(f"rule {first.name} derives nothing without prose and rules that are not defined", first.span)
    kept = {rule.name: _pruned(rule.definition, productive) for rule in grammar.rules.values() if not rule.core}
    return replace(_rewritten(grammar, kept), notes=(*grammar.notes, *notes))


def with_lists_written_out(grammar: Grammar) -> Grammar:
    r"""Return *grammar*, which was read with its lists, as a text in which they are ABNF.

    >>> print(with_lists_written_out(Grammar.parse("a = 1#DIGIT\n", lists=True)).text, end="")
    a = ( DIGIT *( *( SP / HTAB ) "," *( SP / HTAB ) DIGIT ) )
    """
    return _rewritten(grammar, {rule.name: rule.definition for rule in grammar.rules.values() if not rule.core})


def _rewritten(grammar: Grammar, definitions: Mapping[str, Node | None]) -> Grammar:
    """Return the grammar of these *definitions* of the rules of *grammar*; messages show the places in *grammar*."""
    kept = {name: show(node) for name, node in definitions.items() if node}
    text = "".join(f"{name} = {elements}\n" for name, elements in kept.items())
    origins = {name.lower(): grammar.where(grammar[name].span) for name in kept}
    return replace(Grammar.parse(text, file=grammar.file, values=grammar.values), origins=origins)


def _underived(grammar: Grammar, start: str | None) -> Iterator[str]:
    seen: set[str] = set()
    for rule in grammar.reachable(start):
        for node in walk(rule.definition):
            if isinstance(node, Prose) or (isinstance(node, Ref) and node.name not in grammar):
                if show(node).lower() not in seen:
                    yield f"{_place(grammar, node)}: {show(node)} derives nothing"
                seen.add(show(node).lower())


def _pruned(node: Node, productive: frozenset[str]) -> Node | None:
    """Return *node* without what derives nothing; None if nothing is left."""
    match node:
        case Prose():
            return None
        case Ref(name=name):
            return node if name.lower() in productive else None
        case Group(item=item):
            inner = _pruned(item, productive)
            return replace(node, item=inner) if inner else None
        case Option(item=item) | Repetition(low=0, item=item):
            inner = _pruned(item, productive)
            return replace(node, item=inner) if inner else EMPTY
        case Repetition(item=item):
            inner = _pruned(item, productive)
            return replace(node, item=inner) if inner else None
        case Concatenation(items=items):
            parts = [_pruned(item, productive) for item in items]
            if None in parts:
                return None
            left = tuple(part for part in parts if part and part != EMPTY)
            return Concatenation(left) if len(left) > 1 else left[0] if left else EMPTY
        case Alternation(items=items):
            left = tuple(part for item in items if (part := _pruned(item, productive)))
            return Alternation(left) if len(left) > 1 else left[0] if left else None
    return node


def _place(grammar: Grammar, node: Prose | Ref) -> str:
    return ":".join(map(str, grammar.where(node.span)))
