"""Finds places: boundaries of a model go in, and a phrase with the input before and after them as ABNF comes out.

A predicate is tried with the characters X that lead from where it does not hold to where it does, and with Y, which
lead back. It is the place of some boundaries of a model if it holds after just that input which leads to one of them.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.automaton import complement, union
from utf8_abnf.conformance.naming.patterns import Pattern, merge
from utf8_abnf.conformance.naming.pieces import INSIDE
from utf8_abnf.conformance.naming.words import context, rule_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.naming.pieces import Pieces

MAX_CHARACTERS = 3  # alternatives of X or Y in a phrase: more do not help a reader


class Context(NamedTuple):
    """The input *before* a word and *after* it, as ABNF; "" is anything. *inverted*: *before* is what is not there."""

    before: str = ""
    after: str = ""
    inverted: bool = False

    @property
    def automata(self) -> tuple[Automaton | None, Automaton | None]:
        """The automata of both sides, None for anything."""
        before = context(self.before) if self.before else None
        return complement(before) if before and self.inverted else before, context(self.after) if self.after else None


class Place(NamedTuple):
    """A place: any of its *contexts*, and a *phrase* that says them."""

    phrase: str = ""
    contexts: tuple[Context, ...] = (Context(),)

    @property
    def at_the_end(self) -> Place:
        """The same place, where nothing follows."""
        contexts = tuple(each._replace(after='""') for each in self.contexts)
        phrase = AS_A_WHOLE if self == AT_THE_START else ", ".join(filter(None, (AT_THE_END, self.phrase)))
        return Place(phrase, contexts)


AT_THE_END = "only at the end of the input"
AS_A_WHOLE = "only as the whole input"
ANYWHERE = Place()
AT_THE_START = Place("only at the start of the input", (Context('""'),))

PREDICATES = (
    AT_THE_START,
    Place("only where input comes before", (Context("1*octet"),)),
    Place("only after {x}", (Context("*octet ( {x} ) *octet"),)),
    Place("not after {y}", (Context("*octet ( {y} ) *octet", inverted=True),)),
    Place("only directly after {x}", (Context("*octet ( {x} )"),)),
    Place("not directly after {y}", (Context("*octet ( {y} )", inverted=True),)),
    Place("only after {k} or more {x}", (Context("*octet {k}( ( {x} ) *octet )"),)),
    Place("not after {n} or more {y}", (Context("*octet {n}( ( {y} ) *octet )", inverted=True),)),
    Place("only in input that begins with {x}", (Context("( {x} ) *octet"),)),
    Place("not in input that begins with {y}", (Context("( {y} ) *octet", inverted=True),)),
    Place("only between {x} and {y}", (Context("*octet ( {x} ) *( {no_y} )"),)),
    Place("not between {y} and {x}", (Context("*octet ( {y} ) *( {no_x} )", inverted=True),)),
)
WAITING = (
    Place("only where input follows", (Context(after="1*octet"),)),
    Place("only before {x}", (Context(after="*octet ( {x} ) *octet"),)),
    Place("only in input with {x}", (Context("*octet ( {x} ) *octet"), Context(after="*octet ( {x} ) *octet"))),
    Place("only in input that ends with {x}", (Context(after="*octet ( {x} )"),)),
)


def filled(place: Place, values: dict[str, str]) -> Place | None:
    """Return *place* with *values*, or None if one is missing."""
    wanted = place.phrase + "".join(each.before + each.after for each in place.contexts)
    if not all(value for name, value in values.items() if f"{{{name}}}" in wanted):
        return None
    contexts = (
        each._replace(before=each.before.format(**values), after=each.after.format(**values)) for each in place.contexts
    )
    return Place(place.phrase.format(**values), tuple(contexts))


def place_of(pieces: Pieces, where: Iterable[int]) -> Place | None:
    """Return the place of the boundaries *where*; None if no predicate says it."""
    inside, all_of_them = set(where), set(pieces.boundaries)
    if inside == all_of_them:
        return ANYWHERE
    outside = all_of_them - inside
    values = {
        "x": characters(pieces, outside, inside, MAX_CHARACTERS),
        "y": characters(pieces, inside, outside, MAX_CHARACTERS),
        "no_x": _others(pieces, outside, inside),
        "no_y": _others(pieces, inside, outside),
        "k": _distance(pieces, inside),
        "n": _distance(pieces, outside),
    }
    places = (filled(each, values) for each in PREDICATES)
    return next((each for each in places if each and _holds(pieces, each.contexts[0], inside)), None)


def characters(pieces: Pieces, sources: AbstractSet[int], targets: AbstractSet[int], most: int = 99) -> str:
    """Return the characters that lead from one of *sources* to one of *targets*, as ABNF; "" if none, or too long.

    Where boundaries are ends of the input, other words that lead there count as characters.
    """
    wide = pieces.at_ends
    ends = pieces.ending(lambda mine, whole, phase: mine in targets and (whole or (wide and phase == INSIDE)))
    boxes = dict.fromkeys(box for each in sources for box in pieces.boxes(pieces.starts[each], ends, passing=True))
    if not boxes:
        return ""
    rule = rule_of(reduce(union, (words_of(pieces.bytes_of(box)) for box in boxes)))
    lines = [rule] if rule else [pattern.line for pattern in merge(Pattern(pieces.bytes_of(box)) for box in boxes)]
    return " / ".join(lines) if len(lines) <= most else ""


def _others(pieces: Pieces, sources: AbstractSet[int], targets: AbstractSet[int]) -> str:
    """Return what leads from none of *sources* to *targets*, as ABNF: bytes if single bytes do it, else characters."""
    ends = pieces.ending(lambda mine, whole, _: whole and mine in targets)
    boxes = [box for each in sources for box in pieces.boxes(pieces.starts[each], ends, passing=True)]
    if any(len(box) > 1 for box in boxes):
        return characters(pieces, sources, sources)
    rest = frozenset(range(256)).difference(*(pieces.bytes_of(box)[0] for box in boxes))
    return Pattern((rest,)).line if rest else ""


def _distance(pieces: Pieces, targets: set[int]) -> str:
    """Return the smallest number of characters that lead from the start to one of *targets*, "" if it is below 2."""
    reached = [{pieces.model.start}]
    while not reached[-1] & targets and len(reached) <= len(pieces.boundaries):
        reached.append({each for one in reached[-1] for each in pieces.following[one]})
    return str(len(reached) - 1) if len(reached) > 2 else ""


def _holds(pieces: Pieces, where: Context, inside: set[int]) -> bool:
    """Whether *where* holds after just those characters that lead to a boundary *inside*; or words that begin there."""
    before, _ = where.automata
    assert before is not None
    standard, model = pieces.standard, pieces.model
    todo = [(model.start, standard.start, before.start)]
    seen = set(todo)
    classes = zip(model.classes, standard.classes, before.classes, strict=True)
    one_of_each = {column: byte for byte, column in enumerate(classes)}.values()
    left_out = frozenset[int]() if pieces.at_ends else standard.dead
    for mine, yours, state in todo:
        is_boundary = mine in pieces.starts if pieces.at_ends else yours == standard.start
        if is_boundary and (mine in inside) is not (state in before.accepting):
            return False
        for byte in one_of_each:
            after = model.step(mine, byte), standard.step(yours, byte), before.step(state, byte)
            if after not in seen and after[0] not in model.dead and after[1] not in left_out:
                seen.add(after)
                todo.append(after)
    return True
