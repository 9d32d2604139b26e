"""Build the ``Nfa`` over bytes of a rule of a ``Grammar`` (Thompson's construction).

The construction runs backwards: ``_build(node, after)`` returns the state from which reading *node* leads to *after*.
So the states that read a byte are numbered from the end of the grammar to its beginning. Every use of a rule gets its
own states, so a state has one place in the grammar (``State.path``). The construction keeps its own stack, because a
grammar with ten thousand nested rules must not end in a ``RecursionError``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import NotRegularError, TooLargeError
from utf8_abnf.grammar.analysis import Component, components, largest_regular, nesting, nullable_rules
from utf8_abnf.grammar.model import walk
from utf8_abnf.grammar.syntax import (
    Alternation,
    Concatenation,
    Group,
    Option,
    Prose,
    Range,
    Ref,
    Repetition,
    Rule,
    Series,
    Span,
    Text,
)
from utf8_abnf.grammar.values import spelled, values_of
from utf8_abnf.language import syntax_errors as messages
from utf8_abnf.language.catalogue import Message
from utf8_abnf.language.notation import rule_label

if TYPE_CHECKING:
    from collections.abc import Generator
    from collections.abc import Set as AbstractSet

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.grammar.syntax import Node
    from utf8_abnf.grammar.values import Ranges

MAX_NFA_STATES = 100_000
"""A grammar that needs more states is too large to compile (``TooLargeError``). RFC 3986's URI needs 8,000."""

SAMPLED = 37  # one state of so many is looked at to find the rule that is too large
MAX_SHOWN = 12  # rules of a cycle, in a message


class Choice(NamedTuple):
    """A rule in use, and which of its alternatives is read: its number from 1, or 0 where the rule has only one."""

    rule: str
    alternative: int

    @property
    def label(self) -> str:
        """``UTF8-3/2``, or only the name where the rule has one alternative."""
        return rule_label(self.rule, self.alternative)


class State(NamedTuple):
    """A state. With *ranges*, it reads a byte of them and goes to its one target; without, it reads nothing.

    Targets are in the order of the grammar. *path* has the rules on the way down to the place of the state. With
    *opens*, the last rule of *path* begins here; with *closes*, it ends here. *value* has the values of the grammar of
    which the byte is the first one. A state with *call* goes to its target by reading what that rule derives. With
    *ends*, an item of a concatenation, an option or a round of a repetition ends here; *level* is the number of
    those around the state. With *optional*, the first target begins an option or another round of a repetition, and the
    second one goes past it. Only an NFA with marks has these three.
    """

    ranges: Ranges
    targets: tuple[int, ...]
    path: tuple[Choice, ...] = ()
    opens: bool = False
    closes: bool = False
    span: Span = Span(0, 0)
    value: Ranges = ()
    call: str = ""
    ends: bool = False
    level: int = 0
    optional: bool = False


class Nfa(NamedTuple):
    """All states, the number of the start state, and that of the one accepting state."""

    states: tuple[State, ...]
    start: int
    accept: int


class Use(NamedTuple):
    """A use of a rule that is being built, the use around it, and the component that both belong to."""

    rule: Rule
    outer: Use | None
    component: _Component | None


@dataclass(slots=True)
class _Component:
    """Rules that use each other only at their right end, or only at their left end, and are built together.

    At the right end, a further use of a rule is a jump to the state where the rule starts (*starts*). At the left end,
    it is a jump from the state where the rule ends (*ends*) to what follows the use; what comes before is then
    *nothing*, a state without moves, because the input begins with one of *firsts*, whatever the rule.
    """

    rules: frozenset[str]
    right: bool
    starts: dict[str, int] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    firsts: list[int] = field(default_factory=list)
    nothing: int = -1


def compile_nfa(
    grammar: Grammar, start: str | None = None, *, marks: bool = False, calls: AbstractSet[str] = frozenset()
) -> Nfa:
    """Return the NFA of rule *start* (the first rule by default).

    With *marks*, states that read nothing mark where each rule begins and ends, and where items end, as parse trees
    need it; then no rule may use itself. Without *marks*, a rule may use itself at its end or at its beginning, and so
    may rules that use each other, all of them at the same side: such rules are still regular. A use of one of the rules
    *calls*, by their names in lower case, becomes one state with ``call``; the rule *start* is built in any case.

    With a *depth*, a grammar that is not regular has an NFA of what stays within it. Otherwise this function
    raises ``NotRegularError`` with the cycle of rules, ``TooLargeError`` above ``MAX_NFA_STATES``, and ``GrammarError``
    for prose, a missing rule or a value above FF, each with file, line and column.
    """
    grammar.check(start)
    return Builder(grammar, marks=marks, calls=calls).build_whole(start)


class Builder:
    """Builds the states of an NFA. ``automaton.compile`` has one that builds rules from their smallest automata.

    With *choices*, each choice of the grammar is a choice of states, also where it reads nothing, so that paths and
    derivations correspond one to one. Derivations in which a rule is within itself too often are left out then.
    """

    def __init__(
        self,
        grammar: Grammar,
        *,
        marks: bool = False,
        choices: bool = False,
        calls: AbstractSet[str] = frozenset(),
    ) -> None:
        self.grammar = grammar
        self.marks = marks
        self.choices = choices
        self.calls = calls
        self.states: list[State] = []
        self.removed = 0  # states that were built and taken away again
        self.level = 0
        self.span = Span(0, 0)

    def build_whole(self, start: str | None) -> Nfa:
        """Return the NFA of rule *start*."""
        accept = self._add(State((), ()))
        entry = self._run(Ref(start or self.grammar.start), accept)
        return Nfa(tuple(self.states), entry, accept)

    def _add(self, state: State) -> int:
        if len(self.states) + self.removed >= MAX_NFA_STATES:
            raise self._too_large()
        self.states.append(state._replace(level=self.level) if self.level else state)
        return len(self.states) - 1

    def _fill(self, number: int, state: State) -> None:
        """Put *state* in the place of a state that was added before its targets were known."""
        self.states[number] = state._replace(level=self.states[number].level)

    def _too_large(self) -> TooLargeError:
        """Return the error that names the smallest rule in whose uses more than half of the states are, by a sample."""
        sample = self.states[::SAMPLED]
        depths = {choice.rule: depth for state in sample for depth, choice in enumerate(state.path)}
        sizes = Counter(name for state in sample for name in {choice.rule for choice in state.path})
        large = [name for name in sizes if sizes[name] > len(sample) // 2]
        rule = min(large, key=lambda name: (sizes[name], -depths[name]), default="")
        nodes = list(walk(self.grammar[rule].definition)) if rule else []
        repeated = any(isinstance(node, Repetition) and max(node.low, node.high or 0) > 1 for node in nodes)
        remedy = Message(messages.LOWER_REPEATS) if repeated else self._smaller()
        text = messages.LARGE_NFA_IN_RULE if rule else messages.LARGE_NFA
        message = Message(text, most=f"{MAX_NFA_STATES:,}", rule=rule, remedy=remedy)
        file, line, column = self.grammar.where(self.span)
        return TooLargeError(message, file=file, line=line, column=column)

    def _smaller(self) -> Message:
        """Return what to do about an automaton that is too large."""
        return Message(messages.SMALLER_DEPTH if self.grammar.depth else messages.SMALLER_RULE)

    def _run(self, node: Node, after: int) -> int:
        """Run ``_build`` as if it called itself, with a stack of our own."""
        stack = [self._build(node, after, (), None)]
        answer: int | None = None
        while stack:
            try:
                wanted = next(stack[-1]) if answer is None else stack[-1].send(answer)
            except StopIteration as stop:
                stack.pop()
                answer = stop.value
            else:
                stack.append(self._build(*wanted))
                answer = None
        assert answer is not None
        return answer

    def _build(self, node: Node, after: int, path: tuple[Choice, ...], use: Use | None) -> Building:
        if node.span != Span(0, 0) and not (use and use.rule.core):  # whose spans are places in RFC 5234
            self.span = node.span
        match node:
            case Range() | Series() | Text() | Prose():
                return self._bytes(node, after, path)
            case Ref():
                return (yield from self._reference(node, after, path, use))
            case Group(item=item):
                return (yield item, after, path, use)
            case Option(item=item):
                inner = yield from self._item(item, after, path, use)
                return self._add(State((), (inner, after), path, span=node.span, optional=True))
            case Concatenation(items=items):
                for item in reversed(items):
                    after = yield from self._item(item, after, path, use)
                return after
            case Alternation(items=items):
                targets = []
                for item in reversed(items):
                    targets.append((yield item, after, path, use))
                return self._add(State((), tuple(reversed(targets)), path, span=node.span))
            case Repetition():
                return (yield from self._repetition(node, after, path, use))

    def _item(self, node: Node, after: int, path: tuple[Choice, ...], use: Use | None) -> Building:
        """Build *node*, with a mark where it ends if it can end at several offsets."""
        if not self.marks or isinstance(node, Range | Series | Text):
            return (yield node, after, path, use)
        self.level += 1
        end = self._add(State((), (after,), path, ends=True))
        entry = yield node, end, path, use
        self.level -= 1
        if entry == end:  # it reads nothing
            self.states.pop()
            return after
        return entry

    def _bytes(self, node: Range | Series | Text | Prose, after: int, path: tuple[Choice, ...]) -> int:
        for value in reversed(values_of(node)):
            starts = []
            for first, *rest in spelled(value, self.grammar.values):
                start = after
                for ranges in reversed(rest):
                    start = self._add(State(ranges, (start,), path, span=node.span))
                starts.append(self._add(State(first, (start,), path, span=node.span, value=value)))
            after = starts[0] if len(starts) == 1 else self._add(State((), tuple(starts), path))
        return after

    def _reference(self, node: Ref, after: int, path: tuple[Choice, ...], use: Use | None) -> Building:
        rule = self.grammar[node.name]
        name = rule.name.lower()
        if use and name in self.calls:
            return self._add(State((), (after,), path, span=node.span, call=name))
        if use and use.component and name in use.component.rules:
            return (yield from self._inner_use(rule, after, path, use, use.component))
        kind = components(self.grammar).get(name)
        linear = kind and not (self.marks or self.choices or self.calls) and (kind.right or kind.left)
        if kind and not linear and self._is_too_deep(rule, use):
            return self._cut(rule, after, path)
        return (yield from self._use(rule, after, path, use, kind if linear else None))

    def _use(
        self, rule: Rule, after: int, path: tuple[Choice, ...], use: Use | None, linear: Component | None
    ) -> Building:
        """Build a use of *rule*; *linear* is its component, if that is recursive and regular all the same."""
        if not linear:
            return (yield from self._rule(rule, self._add(State((), ())), after, path, Use(rule, use, None)))
        component = _Component(linear.rules, linear.right)
        if linear.right:
            return (yield from self._inner_use(rule, after, path, use, component))
        entry = self._add(State((), ()))  # filled in below: where any rule of the component may start
        component.nothing = self._add(State((), ()))
        yield from self._inner_use(rule, after, path, use, component)
        self._fill(entry, State((), tuple(component.firsts), path))
        return entry

    def _inner_use(
        self, rule: Rule, after: int, path: tuple[Choice, ...], use: Use | None, component: _Component
    ) -> Building:
        """Build a use of *rule*, which belongs to *component*; the rule itself is built where it is used first."""
        name, inner = rule.name.lower(), Use(rule, use, component)
        if component.right:
            if name not in component.starts:
                component.starts[name] = self._add(State((), ()))
                yield from self._rule(rule, component.starts[name], after, path, inner)
            return component.starts[name]
        if name not in component.ends:
            component.ends[name] = self._add(State((), ()))
            entry = self._add(State((), ()))
            component.firsts.append(entry)
            yield from self._rule(rule, entry, component.ends[name], path, inner)
        end = component.ends[name]
        self.states[end] = State((), (*self.states[end].targets, after), path)
        return component.nothing

    def _rule(self, rule: Rule, entry: int, after: int, path: tuple[Choice, ...], use: Use) -> Building:
        """Build *rule* before *after*, and fill in the state *entry*, where it starts."""
        targets = []
        alternatives = rule.alternatives
        around = () if self.choices else path  # for ambiguity, the innermost rule is enough
        for number, alternative in reversed(list(enumerate(alternatives, 1))):
            below = (*around, Choice(rule.name, number if len(alternatives) > 1 else 0))
            end = self._add(State((), (after,), below, closes=True)) if self.marks else after
            target = yield alternative, end, below, use
            targets.append(self._add(State((), (target,), below, opens=True)) if self.marks else target)
        whole = (*around, Choice(rule.name, 0))
        self._fill(entry, State((), tuple(reversed(targets)), whole, span=rule.definition.span))
        return entry

    def _cut(self, rule: Rule, after: int, path: tuple[Choice, ...]) -> int:
        """Return the state in place of a use that is too deep: it reads nothing, if *rule* may be empty."""
        is_empty = not self.choices and rule.name.lower() in nullable_rules(self.grammar)
        return self._add(State((), (after,) if is_empty else (), path))

    def _is_too_deep(self, rule: Rule, use: Use | None) -> bool:
        """Return whether *rule* is within itself too often; ``NotRegularError`` if the grammar has no depth."""
        count, earlier = 0, use
        while earlier:
            count += earlier.rule is rule
            earlier = earlier.outer
        if count and self.grammar.depth is None:
            raise self._not_regular(rule)
        return count > (self.grammar.depth or 0)

    def _not_regular(self, rule: Rule) -> NotRegularError:
        cycle, span = nesting(self.grammar, rule.name)
        names = (*cycle, cycle[0])
        file, line, column = self.grammar.where(span)
        shown = " -> ".join(names if len(names) <= MAX_SHOWN else (*names[: MAX_SHOWN - 2], "…", names[-1]))
        part = largest_regular(self.grammar, rule.name)
        template = messages.NOT_REGULAR_WHOLE if part else messages.NOT_REGULAR
        return NotRegularError(Message(template, circle=shown, part=part), cycle, file=file, line=line, column=column)

    def _repetition(self, node: Repetition, after: int, path: tuple[Choice, ...], use: Use | None) -> Building:
        if node.high is None:
            loop = self._add(State((), ()))  # filled in below: the body leads back to it
            body = yield from self._item(node.item, loop, path, use)
            if body == loop and not self.choices:  # the item reads nothing
                self.states.pop()
            else:
                self._fill(loop, State((), (body, after), path, span=node.span, optional=True))
                after = loop
        else:
            inner = after
            for _ in range(node.high - node.low):
                body = yield from self._item(node.item, inner, path, use)
                if body == inner and not self.choices:  # the item reads nothing
                    break
                inner = self._add(State((), (body, after), path, span=node.span, optional=True))
            after = inner
        together = self.marks and node.low > 1  # the rounds that must be are one item
        if together:
            self.level += 1
            after = self._add(State((), (after,), path, ends=True))
        for _ in range(node.low):
            body = yield from self._item(node.item, after, path, use)
            if body == after:
                break
            after = body
        self.level -= together
        return after


if TYPE_CHECKING:
    Building = Generator[tuple[Node, int, tuple[Choice, ...], Use | None], int, int]
