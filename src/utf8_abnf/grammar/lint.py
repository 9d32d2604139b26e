"""The linter: a grammar in, what will surprise its users out, each finding with its place and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from utf8_abnf.errors import TooLargeError
from utf8_abnf.grammar.ambiguity import ambiguity, choices
from utf8_abnf.grammar.analysis import Budget, cycle, left_recursion, place
from utf8_abnf.grammar.core import core_rules
from utf8_abnf.grammar.model import references, walk
from utf8_abnf.grammar.syntax import NOWHERE, Alternation, Prose, Range, Ref, Series, Span, Text, show

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.grammar.model import Grammar
    from utf8_abnf.grammar.syntax import Node, Rule

ERROR = "error"  # the grammar cannot be used, or not as it stands
WARNING = "warning"  # it can, and does not do what one might think
INFO = "info"  # worth knowing

MAX_WORK = 700_000  # states and steps, for alternatives and for ambiguity each; the URI grammar takes half of it

CODES = {
    "undefined-rule": ERROR,
    "prose": ERROR,
    "beyond-byte": ERROR,
    "left-recursion": WARNING,
    "recursion": INFO,
    "ambiguity": WARNING,
    "ambiguity-undecided": INFO,
    "unreachable-alternative": WARNING,
    "shadowed-alternative": WARNING,
    "alternatives-undecided": INFO,
    "core-rule-redefined": WARNING,
    "core-rule-repeated": INFO,
    "unused-rule": INFO,
    "any-case": INFO,
    "no-final-newline": WARNING,
    "no-crlf": INFO,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the linter found. *line* and *column* count from 1, columns in characters.

    *code* is a key of ``CODES``, which gives *severity*: ``error``, ``warning`` or ``info``. *help* says what to do.
    """

    code: str
    severity: str
    message: str
    line: int
    column: int
    help: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.severity}: {self.message} [{self.code}]"


def lint(grammar: Grammar, start: str | None = None) -> list[Finding]:
    r"""Return the findings about *grammar* in the order of its text; the core rules that it uses are not examined.

    With *start*, rules that it does not reach are unused; without, those are that no rule uses, the first one apart.

    >>> from utf8_abnf.grammar import Grammar
    >>> for finding in lint(Grammar.parse('number = ten / 2ten\nten = %x30-39')):
    ...     print(finding)
    1:1: info: lines end in LF, and RFC 5234 asks for CRLF [no-crlf]
    1:16: warning: a first-match parser stops short: alternative 1, ten, takes "0" of "00" [shadowed-alternative]
    2:14: warning: the last line has no end [no-final-newline]
    """
    own = [rule for rule in grammar.rules.values() if not rule.core]
    found = [
        *_text(grammar),
        *_uses(grammar, own, start),
        *_literals(grammar, own),
        *_core(grammar, own),
        *_recursion(grammar, own, start),
        *_alternatives(grammar, own),
        *_ambiguities(grammar, own, start),
    ]
    return sorted(set(found), key=lambda each: (each.line, each.column, each.code))


def _finding(grammar: Grammar, code: str, span: Span, message: str, help_: str) -> Finding:
    line, column = grammar.position(span)
    return Finding(code, CODES[code], message, line, column, help_)


def _text(grammar: Grammar) -> Iterator[Finding]:
    text = grammar.text
    if "\r\n" not in text and "\n" in text:
        help_ = "write CRLF where others are to read the file strictly; this package and most tools read LF"
        yield _finding(grammar, "no-crlf", NOWHERE, "lines end in LF, and RFC 5234 asks for CRLF", help_)
    if not text.endswith("\n"):
        where = Span(len(text), len(text))
        yield _finding(
            grammar, "no-final-newline", where, "the last line has no end", "add a line end: RFC 5234 asks for it"
        )


def roots(grammar: Grammar, own: Iterable[Rule], start: str | None = None) -> list[Rule]:
    """Return the rules that a grammar can be meant to start from: *start*, or the first and all that no rule uses."""
    if start:
        return [grammar[start]]
    rules = grammar.rules.values()  # core rules too: HEXDIG uses DIGIT
    used = {name.lower() for rule in rules for name in references(rule.definition) if name.lower() != rule.name.lower()}
    return [rule for rule in own if rule.name == grammar.start or rule.name.lower() not in used]


def _uses(grammar: Grammar, own: list[Rule], start: str | None) -> Iterator[Finding]:
    for rule in own:
        for node in walk(rule.definition):
            if isinstance(node, Ref) and node.name not in grammar:
                help_ = f"define {node.name}, or correct the name"
                yield _finding(grammar, "undefined-rule", node.span, f"no rule is called {node.name}", help_)
    if start:
        reached = {rule.name for rule in grammar.reachable(start)}
        unused = [rule for rule in own if rule.name not in reached]
        why = f"{grammar[start].name} does not use it"
    else:
        unused = roots(grammar, own)[1:]
        why = "no other rule uses it"
    for rule in unused:
        help_ = "remove it, or name it as a start rule of its own"
        yield _finding(grammar, "unused-rule", rule.span, f"rule {rule.name} is unused: {why}", help_)


def _literals(grammar: Grammar, own: list[Rule]) -> Iterator[Finding]:
    for rule in own:
        for node in walk(rule.definition):
            match node:
                case Prose(text=text):
                    message = f"<{text}> is prose, which no program can follow"
                    help_ = "write it as ABNF, or take the rule from its document"
                    yield _finding(grammar, "prose", node.span, message, help_)
                case Range() | Series() if _greatest(node) > 0xFF:
                    message = f"value {_greatest(node):X} does not fit in a byte"
                    help_ = "spell it as bytes: code points above 7F are several bytes of UTF-8"
                    yield _finding(grammar, "beyond-byte", node.span, message, help_)
        if not _is_core(rule):
            yield from _any_case(grammar, rule)


def _any_case(grammar: Grammar, rule: Rule) -> Iterator[Finding]:
    texts = [node for node in walk(rule.definition) if isinstance(node, Text) and not node.case_sensitive]
    lettered = [node for node in texts if node.text.lower() != node.text.upper()]
    if lettered:
        text = lettered[0].text
        others = f" (and {len(lettered) - 1} more strings in {rule.name})" if len(lettered) > 1 else ""
        message = f'"{text}" matches "{text.upper()}" and "{text.lower()}" too{others}'
        help_ = f'write %s"{text}" (RFC 7405) if only this case is meant'
        yield _finding(grammar, "any-case", lettered[0].span, message, help_)


def _greatest(node: Range | Series) -> int:
    return max(node.values) if isinstance(node, Series) else node.high


def _is_core(rule: Rule) -> bool:
    core = core_rules().get(rule.name.lower())
    return core is not None and core.definition == rule.definition


def _core(grammar: Grammar, own: list[Rule]) -> Iterator[Finding]:
    for rule in own:
        core = core_rules().get(rule.name.lower())
        if core and core.definition == rule.definition:
            message = f"{rule.name} is a core rule and defined here as RFC 5234 does"
            yield _finding(
                grammar, "core-rule-repeated", rule.span, message, "leave it out: core rules need no definition"
            )
        elif core:
            message = f"{rule.name} is a core rule, {show(core.definition)}, and defined here in another way"
            yield _finding(grammar, "core-rule-redefined", rule.span, message, "give the rule a name of its own")


def _recursion(grammar: Grammar, own: list[Rule], start: str | None) -> Iterator[Finding]:
    for root in roots(grammar, own, start):
        first = left_recursion(grammar, root.name)
        if first:
            message = f"left recursion: {_circle(first)}"
            help_ = "write it as a repetition, *( … ): parsers from the left never end here"
            yield _finding(grammar, "left-recursion", place(grammar, first), message, help_)
        names = cycle(grammar, root.name)
        if names and set(names) != set(first):
            message = f"recursion: {_circle(names)}; so no automaton, and ambiguity is not examined"
            yield _finding(grammar, "recursion", place(grammar, names), message, "nothing, if nesting is meant")


def _circle(names: tuple[str, ...]) -> str:
    """Return the cycle from its least name on: it reads the same from wherever it was found."""
    least = names.index(min(names))
    turned = (*names[least:], *names[:least])
    return " → ".join((*turned, turned[0]))


def _complete(grammar: Grammar) -> set[str]:
    """Return the rules that have a finite automaton: no recursion, nothing undefined, no prose, below them either."""
    users: dict[str, list[str]] = {}
    missing: dict[str, int] = {}
    for name, rule in grammar.rules.items():
        used = {each.lower() for each in references(rule.definition)}
        prose = any(isinstance(node, Prose) for node in walk(rule.definition))
        missing[name] = len(used) + prose
        for each in used:
            users.setdefault(each, []).append(name)
    todo = [name for name, count in missing.items() if not count]
    found: set[str] = set()
    while todo:
        name = todo.pop()
        found.add(name)
        for user in users.get(name.lower(), []):
            missing[user] -= 1
            if not missing[user]:
                todo.append(user)
    return found


def _alternatives(grammar: Grammar, own: list[Rule]) -> Iterator[Finding]:
    complete = _complete(grammar)
    budget = Budget(grammar, MAX_WORK)
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
        message = f"alternatives from here on are not compared: {error.message}"
        yield _finding(grammar, "alternatives-undecided", node.span, message, "lint a part of the grammar")
        return
    for later in unreachable:
        message = f"unreachable: all that {_short(node.items[later])} matches, the alternatives before it match too"
        help_ = "remove it, or put it before them"
        yield _finding(grammar, "unreachable-alternative", node.items[later].span, message, help_)
    for later, (earlier, part, whole) in shadows.items():
        if later in unreachable:
            continue
        taken = f"alternative {earlier + 1}, {_short(node.items[earlier])}, takes {_word(part)} of {_word(whole)}"
        help_ = "put the longer alternative first for parsers that take the first match (PEG); others are not affected"
        message = f"a first-match parser stops short: {taken}"
        yield _finding(grammar, "shadowed-alternative", node.items[later].span, message, help_)


def _short(node: Node) -> str:
    text = show(node)
    return text if len(text) <= 40 else text[:38] + " …"


def _word(word: bytes) -> str:
    if all(0x20 <= byte < 0x7F for byte in word):
        return f'"{word.decode()}"' if word else "nothing"
    return word.hex(" ").upper()


def _ambiguities(grammar: Grammar, own: list[Rule], start: str | None) -> Iterator[Finding]:
    told: set[tuple[str, Span]] = set()
    complete = _complete(grammar)
    budget = Budget(grammar, MAX_WORK)
    for root in roots(grammar, own, start):
        if root.name not in complete:
            continue
        try:
            found = ambiguity(grammar, root.name, budget)
        except TooLargeError as error:
            message = f"ambiguity is not examined from here on: {error.message}"
            yield _finding(grammar, "ambiguity-undecided", root.span, message, "lint its parts, with them as start")
            return
        if found and (found.rule.name, found.node.span) not in told:
            told.add((found.rule.name, found.node.span))
            message = f"{root.name} derives {_word(found.word)} in two ways, which part here, in {found.rule.name}"
            span = root.span if found.rule.core else found.node.span
            help_ = "parsers may give different trees; make the ways exclude each other"
            yield _finding(grammar, "ambiguity", span, message, help_)
