"""Check a ``Grammar`` for mistakes and traps; return a list of ``Finding``."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from utf8_abnf.errors import TooLargeError
from utf8_abnf.grammar.ambiguity import Budget, ambiguity, choices
from utf8_abnf.grammar.analysis import cycle, endless_rules, left_recursion, nullable, place
from utf8_abnf.grammar.findings import KINDS
from utf8_abnf.grammar.model import core_rules, is_in_another_case, references, settled, uses, walk
from utf8_abnf.grammar.reader import not_ascii
from utf8_abnf.grammar.syntax import NOWHERE, Alternation, Concatenation, Prose, Range, Ref, Series, Span, Text, show
from utf8_abnf.grammar.values import BYTES, MAX_BYTE, MAX_CODE_POINT, SURROGATES, UTF8, greatest_value, values_of
from utf8_abnf.language.notation import code_point, hex_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule

NEAR = 2  # from one range to the next, in values: EC to EE
CONTROLS = (31, 127)  # %d0-31 and %d0-127 are the controls, and ASCII
DEPTH = 2  # uses of a rule within itself, up to which ambiguity is looked for
EITHER = (0x80, 0xA0)  # a range from here to FF may be meant as bytes or as code points
MAX_WORK = 700_000  # states and steps, once for alternatives and once for ambiguity; the URI grammar takes half
MAX_FAST = 40_000  # the same for the fast form, for hooks and editors: some tenths of a second


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of the linter. *line* and *column* count from 1, columns in characters.

    *code* is a key of ``KINDS``, which gives *severity*: ``error``, ``warning`` or ``info``. *help* says what to do.
    """

    code: str
    severity: str
    message: str
    line: int
    column: int
    help: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.severity}: {self.message} [{self.code}]"


def lint(grammar: Grammar, start: str | None = None, *, fast: bool = False) -> list[Finding]:
    r"""Return the findings about *grammar* in the order of its text. Core rules of RFC 5234 are not examined.

    A rule is unused if *start* does not reach it. Without *start*, a rule is unused if no other rule uses it and it is
    not the first one. With *fast*, alternatives and ambiguity are examined with less effort; where that does not
    suffice, a finding reports it.

    >>> from utf8_abnf.grammar import Grammar
    >>> for finding in lint(Grammar.parse('number = ten / 2ten\nten = %x30-39')):
    ...     print(finding)
    1:1: info: lines end in LF; RFC 5234 requires CRLF [no-crlf]
    1:16: warning: a first-match parser stops short: alternative 1, ten, takes "0" of "00" [shadowed-alternative]
    2:14: warning: the last line has no line end [no-final-newline]
    """
    own = [rule for rule in grammar.rules.values() if not rule.core]
    findings = [
        *_text(grammar),
        *_uses(grammar, own, start),
        *_literals(grammar, own),
        *_core(grammar, own),
        *_recursion(grammar, own, start),
        *_alternatives(grammar, own, Budget(grammar, MAX_FAST if fast else MAX_WORK)),
        *_ambiguities(grammar, own, start, Budget(grammar, MAX_FAST if fast else MAX_WORK)),
    ]
    return sorted(set(findings), key=lambda each: (each.line, each.column, each.code))


def _finding(grammar: Grammar, code: str, span: Span, **facts: object) -> Finding:
    line, column = grammar.position(span)
    kind = KINDS[code]
    return Finding(code, kind.severity, kind.message.format(**facts), line, column, kind.help.format(**facts))


def _text(grammar: Grammar) -> Iterator[Finding]:
    text = grammar.text
    if "\r\n" not in text and "\n" in text:
        yield _finding(grammar, "no-crlf", NOWHERE)
    if foreign := not_ascii(text):
        at, char = foreign
        yield _finding(grammar, "non-ascii-comment", Span(at, at + 1), character=char)
    if not text.endswith("\n"):
        yield _finding(grammar, "no-final-newline", Span(len(text), len(text)))


def roots(grammar: Grammar, own: Iterable[Rule], start: str | None = None) -> list[Rule]:
    """Return the rules that may be start rules: *start*, or the first rule and every rule that no other rule uses."""
    if start:
        return [grammar[start]]
    rules = grammar.rules.values()  # with the core rules: HEXDIG uses DIGIT
    used = {name.lower() for rule in rules for name in references(rule.definition) if name.lower() != rule.name.lower()}
    return [rule for rule in own if rule.name == grammar.start or rule.name.lower() not in used]


def _uses(grammar: Grammar, own: list[Rule], start: str | None) -> Iterator[Finding]:
    for rule in own:
        for node in walk(rule.definition):
            if isinstance(node, Ref) and node.name not in grammar:
                yield _finding(grammar, "undefined-rule", node.span, name=node.name)
            elif isinstance(node, Ref) and is_in_another_case(node.name, rule.name):
                yield _finding(grammar, "own-name", node.span, name=rule.name, other=node.name)
    if start:
        reached = {rule.name for rule in grammar.reachable(start)}
        unused = [rule for rule in own if rule.name not in reached]
        why = f"{grammar[start].name} does not use it"
    else:
        unused = roots(grammar, own)[1:]
        why = "no other rule uses it"
    for rule in unused:
        yield _finding(grammar, "unused-rule", rule.span, name=rule.name, why=why)


def _literals(grammar: Grammar, own: list[Rule]) -> Iterator[Finding]:
    empty = settled(grammar.rules.values(), nullable, first=False)
    for rule in own:
        for node in walk(rule.definition):
            match node:
                case Prose(text=text):
                    yield _finding(grammar, "prose", node.span, text=text)
                case Range() | Series():
                    yield from _values(grammar, node)
                case Alternation():
                    yield from _precedence(grammar, rule, node, empty)
    yield from _any_case(grammar, [rule for rule in own if not _is_core(rule)])


def _values(grammar: Grammar, node: Range | Series) -> Iterator[Finding]:
    greatest = greatest_value(node)
    if grammar.values == BYTES and greatest > MAX_BYTE:
        yield _finding(grammar, "beyond-byte", node.span, value=f"{greatest:X}")
    elif greatest > MAX_CODE_POINT:
        yield _finding(grammar, "beyond-unicode", node.span, value=f"{greatest:X}")
    elif grammar.values == UTF8 and _has_surrogates(node):
        yield _finding(grammar, "surrogates", node.span, values=show(node))
    elif isinstance(node, Range) and node.base == "d" and node.low < 10 <= node.high and node.high not in CONTROLS:
        facts = {"low": node.low, "high": node.high, "digits": len(str(node.high))}
        yield _finding(grammar, "decimal-range", node.span, values=show(node), **facts)
    elif grammar.values == BYTES and isinstance(node, Range) and node.low in EITHER and node.high == MAX_BYTE:
        yield _finding(grammar, "bytes-or-code-points", node.span, values=show(node), first=code_point(node.low))


def _has_surrogates(node: Range | Series) -> bool:
    pairs = (pair for value in values_of(node) for pair in value)
    return any(low < SURROGATES.stop and high >= SURROGATES.start for low, high in pairs)


def _any_case(grammar: Grammar, rules: list[Rule]) -> Iterator[Finding]:
    texts = [node for rule in rules for node in walk(rule.definition) if isinstance(node, Text)]
    lettered = [node for node in texts if not node.case_sensitive and node.text.lower() != node.text.upper()]
    if lettered:
        text = lettered[0].text
        other = text.upper() if text != text.upper() else text.lower()
        more = f" (and {len(lettered) - 1} more strings)" if len(lettered) > 1 else ""
        yield _finding(grammar, "any-case", lettered[0].span, text=text, other=other, more=more)


def _precedence(grammar: Grammar, rule: Rule, node: Alternation, empty: Mapping[str, bool]) -> Iterator[Finding]:
    """Find values beside a sequence that begins or ends with such a value: ``%xE1-EC / %xEE-EF 2( UTF8-tail )``."""
    for at, sequence in enumerate(node.items):
        if not isinstance(sequence, Concatenation) or rule.name.lower() in map(str.lower, references(sequence)):
            continue
        before = list(takewhile(_is_beside(grammar, sequence.items[0]), pairwise(node.items[at::-1])))
        after = list(takewhile(_is_beside(grammar, sequence.items[-1]), pairwise(node.items[at:])))
        for run, rest in ((before, sequence.items[1:]), (after, sequence.items[:-1])):
            if run and not all(nullable(each, empty) for each in rest):
                singles = [item for _, item in run][:: -1 if run is before else 1]
                others = " ".join(map(show, rest))
                values = [*singles, sequence.items[0]] if run is before else [sequence.items[-1], *singles]
                choice = f"( {' / '.join(map(show, values))} )"
                grouped = f"{choice} {others}" if run is before else f"{others} {choice}"
                facts = {"single": " or ".join(map(show, singles)), "sequence": show(sequence), "grouped": grouped}
                yield _finding(grammar, "precedence", singles[0].span if run is before else sequence.span, **facts)
                return


def _is_beside(grammar: Grammar, value: Node) -> Callable[[tuple[Node, Node]], bool]:
    """Return whether of two alternatives the second is alone of the kind of *value*, and in the line of the first.

    Ranges must also be near each other: ``%x00-7F / %xC2-DF UTF8-tail`` is meant as it is written.
    """

    def is_beside(pair: tuple[Node, Node]) -> bool:
        one, other = sorted(each.span.start for each in pair)
        match value if isinstance(pair[0], Concatenation) else pair[0], pair[1]:
            case Range(low=low, high=high), Range(low=first, high=last):
                alike = max(low, first) - min(high, last) <= NEAR
            case (Text(), Text()) | (Series(), Series()):
                alike = True
            case _:
                alike = False
        return alike and "\n" not in grammar.text[one:other]

    return is_beside


def _is_core(rule: Rule) -> bool:
    core = core_rules().get(rule.name.lower())
    return core is not None and core.definition == rule.definition


def _core(grammar: Grammar, own: list[Rule]) -> Iterator[Finding]:
    for rule in own:
        core = core_rules().get(rule.name.lower())
        if core and core.definition == rule.definition:
            yield _finding(grammar, "core-rule-repeated", rule.span, name=rule.name)
        elif core:
            yield _finding(grammar, "core-rule-redefined", rule.span, name=rule.name, core=show(core.definition))


def _recursion(grammar: Grammar, own: list[Rule], start: str | None) -> Iterator[Finding]:
    for name in endless_rules(grammar):
        yield _finding(grammar, "endless-rule", grammar[name].span, name=name)
    for root in roots(grammar, own, start):
        first = left_recursion(grammar, root.name)
        if first:
            yield _finding(grammar, "left-recursion", place(grammar, first), circle=_circle(first), depth=DEPTH)
        names = cycle(grammar, root.name)
        if names and set(names) != set(first):
            yield _finding(grammar, "recursion", place(grammar, names), circle=_circle(names), depth=DEPTH)


def _circle(names: tuple[str, ...]) -> str:
    """Return the cycle as text, from its first name in the alphabet, so that one cycle has one text."""
    least = names.index(min(names))
    turned = (*names[least:], *names[:least])
    return " → ".join((*turned, turned[0]))


def _complete(grammar: Grammar) -> set[str]:
    """Return the rules without recursion, undefined rules or prose, in themselves and in all rules that they use."""

    def is_complete(node: Node, rules: Mapping[str, bool]) -> bool:
        if any(isinstance(each, Prose) for each in walk(node)):
            return False
        return all(rules.get(name.lower(), False) for name in uses(node))

    found = settled(grammar.rules.values(), is_complete, first=False)
    return {rule.name for name, rule in grammar.rules.items() if found[name]}


def _alternatives(grammar: Grammar, own: list[Rule], budget: Budget) -> Iterator[Finding]:
    complete = _complete(grammar)
    for rule in own:
        for node in walk(rule.definition) if rule.name in complete else ():
            if isinstance(node, Alternation):
                yield from _alternation(grammar, rule, node, budget)
                if budget.left < 0:
                    return


def _alternation(grammar: Grammar, rule: Rule, node: Alternation, budget: Budget) -> Iterator[Finding]:
    try:
        unreachable, shadows = choices(grammar, rule, node, budget)
    except TooLargeError as error:
        yield _finding(grammar, "alternatives-undecided", node.span, reason=error.message)
        return
    for later in unreachable:
        item = node.items[later]
        yield _finding(grammar, "unreachable-alternative", item.span, alternative=_short(item))
    for later, (earlier, part, whole) in shadows.items():
        if later in unreachable:
            continue
        facts = {"alternative": _short(node.items[earlier]), "part": _word(part), "whole": _word(whole)}
        yield _finding(grammar, "shadowed-alternative", node.items[later].span, number=earlier + 1, **facts)


def _short(node: Node) -> str:
    text = show(node)
    return text if len(text) <= 40 else text[:38] + " …"


def _word(word: bytes) -> str:
    if all(0x20 <= byte < 0x7F for byte in word):
        return f'"{word.decode()}"' if word else "the empty string"
    return hex_bytes(word)


def _parts(grammar: Grammar, own: list[Rule], start: str | None) -> list[Rule]:
    """Return the rules whose ambiguity is examined: the start rules or, of those with recursion, the regular parts.

    A regular part is a rule without recursion, undefined rules or prose that a rule with these uses.
    """
    complete = _complete(grammar)
    parts: dict[str, Rule] = {}
    for root in roots(grammar, own, start):
        if root.name in complete:
            parts[root.name] = root
            continue
        others = [rule for rule in grammar.reachable(root.name) if rule.name not in complete]
        names = (name for rule in others for name in references(rule.definition) if name in grammar)
        parts.update({grammar[name].name: grammar[name] for name in names if grammar[name].name in complete})
    return [rule for rule in parts.values() if not rule.core]


def _ambiguities(grammar: Grammar, own: list[Rule], start: str | None, budget: Budget) -> Iterator[Finding]:
    reported: set[tuple[str, Span]] = set()

    def examined(root: Rule, budget: Budget, depth: int) -> Iterator[Finding]:
        found = ambiguity(grammar, root.name, budget, depth)
        if found and (found.rule.name, found.span) not in reported:
            reported.add((found.rule.name, found.span))
            span = root.span if found.rule.core else found.span
            facts = {"rule": root.name, "word": _word(found.word), "place": found.rule.name}
            yield _finding(grammar, "ambiguity", span, **facts)

    recursive = (root for root in roots(grammar, own, start) if cycle(grammar, root.name))
    whole = [(root, depth) for root in recursive if not _is_incomplete(grammar, root) for depth in range(1, DEPTH + 1)]
    for root, depth in [*((part, 0) for part in _parts(grammar, own, start)), *whole]:
        try:
            yield from examined(root, budget, depth)
        except TooLargeError as error:
            yield _finding(grammar, "ambiguity-undecided", root.span, reason=error.message)
            return


def _is_incomplete(grammar: Grammar, root: Rule) -> bool:
    """Return whether *root* reaches prose or a rule that is not defined."""
    nodes = (node for rule in grammar.reachable(root.name) for node in walk(rule.definition))
    return any(isinstance(node, Prose) or (isinstance(node, Ref) and node.name not in grammar) for node in nodes)
