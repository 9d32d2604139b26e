"""Lists the families of each level, and yields their cases: one by one, or in batches to be sent."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite import blocks as _blocks
from utf8_abnf.conformance.suite import contexts, long_text, many_errors, real_texts, uneven, within
from utf8_abnf.conformance.suite import families as f
from utf8_abnf.conformance.suite import streams as s
from utf8_abnf.conformance.suite.case import Case
from utf8_abnf.conformance.suite.huge import HUGE_CASES
from utf8_abnf.conformance.suite.named import BY_NAME
from utf8_abnf.conformance.suite.plan import Plan, plan
from utf8_abnf.errors import UsageError
from utf8_abnf.language import suites as messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.conformance.suite.blocks import Block
    from utf8_abnf.grammar import Grammar

LEVELS = ("L0", "L1", "L2", "L3")
ANY_PLACE = (0,)
# Cases of another grammar's family that a level has at most: few enough to read, for one process each, for a pipe.
BUDGETS = {"L0": 1_000, "L1": 50_000, "L2": 20_000_000}
MAX_SENT = BUDGETS["L2"]  # a larger family is only judged in process
MAX_JUDGED = 10_000_000_000  # a larger family is not offered: it would take hours


@dataclass(frozen=True)
class Family:
    """Cases of one kind. *level* is the lowest level that has them, *modes* the modes in which they may be sent.

    The modes are v (verdict), p (position of the first error), r (text with U+FFFD) and s (stream). The cases
    of an *ordered* family go to one process, in order. A family that is *in_process* has too many cases to send: only
    ``judge`` goes through them. *places* are the places in memory at which ``judge`` puts each case (see
    ``blocks.judge``), *huge* is the number of cases that are too long for blocks. *longest* is the size of the longest
    case in bytes, for families with cases of more than a mebibyte: with these a slow decoder would seem to hang.
    """

    name: str
    level: str
    about: str
    modes: str
    plan: Plan = field(repr=False)
    make: Callable[[Plan], Iterator[Block]] = field(repr=False)
    ordered: bool = False
    in_process: bool = False
    places: tuple[int, ...] = ANY_PLACE
    huge: int = 0
    longest: int = 0

    @cached_property
    def count(self) -> int:
        """The number of cases; it is computed without making them."""
        return sum(map(len, self.make(self.plan))) * len(self.places) + self.huge

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks that the cases are made of."""
        return self.make(self.plan)

    def batches(self) -> Iterator[Batch]:
        """Yield the cases in batches, ready to be sent. ``UsageError`` for a family that is only judged in process."""
        if self.in_process:
            raise UsageError(Message(messages.ONLY_IN_PROCESS, name=self.name, count=f"{self.count:,}"))
        first, last = 0, b""
        for block in self.blocks():
            batch = Batch(self, first, block, (last,) if self.ordered and first else ())
            yield batch
            first += len(block)
            last = batch.data(len(block) - 1) if self.ordered else b""

    def cases(self) -> Iterator[Case]:
        """Yield the cases one by one, with all their answers."""
        for batch in self.batches():
            yield from map(batch.case, range(len(batch)))


@dataclass(frozen=True)
class Batch:
    """Some cases of *family*, from its case *first* on, as they are sent to a decoder.

    *before* has the inputs that an ordered family sends just before, *suffix* is what the cases' ids end with.
    """

    family: Family
    first: int
    block: Block
    before: tuple[bytes, ...] = ()
    suffix: str = ""

    def __len__(self) -> int:
        return len(self.block)

    @cached_property
    def _made(self) -> tuple[bytes, bytes]:
        return self.family.plan.frames(self.block)

    @property
    def frames(self) -> bytes:
        """A frame for each case: u32 little-endian length, then so many bytes (in mode s the chunk sizes first)."""
        return self._made[0]

    @property
    def verdicts(self) -> bytes:
        """For each case ``1`` (accept) or ``0`` (reject)."""
        return self._made[1]

    def answers(self, mode: str) -> bytes:
        """Return the right answers in *mode*, in the form that the protocol gives them."""
        return self.verdicts if mode == "v" else self.family.plan.oracle.answers(mode, self.frames)

    def data(self, number: int) -> bytes:
        """Return the bytes that case *number* of this batch (from 0) is about."""
        return self.block.data(number)

    def chunks(self, number: int) -> tuple[int, ...] | None:
        """Return the chunk sizes of case *number*, or None where it is sent whole."""
        return self.block.chunks(number)

    @property
    def prefix(self) -> str:
        """What the ids of all cases of this batch begin with."""
        return f"{self.family.name}/{self.block.label}{'/' * bool(self.block.label)}"

    def id(self, number: int) -> str:
        """Return the id of case *number*."""
        return f"{self.family.name}/{self.block.name(number)}{self.suffix}"

    def case(self, number: int) -> Case:
        """Return case *number* with all its answers."""
        family, data, id_ = self.family, self.data(number), self.id(number)
        before = (self.data(number - 1),) if family.ordered and number else self.before
        plan_ = family.plan
        error = plan_.oracle.ill_formed(data) if plan_.is_utf8 else None
        replacement = plan_.oracle.replaced(data).decode("utf-8") if plan_.is_utf8 else None
        row = BY_NAME.get(id_.removeprefix("named/")) if family.name == "named" else None
        story = f"{row.story} ({row.source})" if row else f"{family.about}{'' if error is None else f'; {error}'}"
        accept = error is None if plan_.is_utf8 else plan_.accepts(data)
        rule = plan_.rule(data, error)
        return Case(id_, data, accept, error, replacement, self.chunks(number), rule, story, before)


#   name             level  modes  cases
_UTF8 = (
    ("named", "L0", "vpr", f.named),
    ("stream/first", "L0", "s", s.stream_first),
    ("W/k0", "L1", "vpr", f.w_method(0)),
    ("edges", "L1", "vpr", long_text.edges),
    ("behind", "L1", "vpr", long_text.behind),
    ("long-inputs", "L1", "vpr", long_text.long_inputs),
    ("within", "L1", "vpr", within.within),
    ("stream/named", "L1", "s", s.stream_named),
    ("W/k1", "L2", "vpr", f.w_method(1)),
    ("A2", "L2", "vpr", f.second),
    ("leads", "L2", "vpr", f.leads),
    ("scalars", "L2", "vpr", f.scalars),
    ("texts", "L2", "vpr", f.texts),
    ("ill-formed", "L2", "vpr", f.coded),
    ("surrogate-pairs", "L2", "vpr", f.pairs),
    ("long-forms", "L2", "vpr", f.long_forms),
    ("inner", "L2", "vpr", long_text.inner),
    ("sizes", "L2", "vpr", long_text.sizes),
    ("positions", "L2", "vpr", f.positions),
    ("loops", "L2", "vpr", f.loops),
    ("mixed", "L2", "vpr", f.mixed),
    ("far-positions", "L2", "vpr", f.far_positions),
    ("lanes", "L2", "vpr", long_text.lanes),
    ("starts", "L2", "vpr", long_text.starts),
    ("borders", "L2", "vpr", long_text.borders),
    ("rests", "L2", "vpr", long_text.rests),
    ("openings", "L2", "vpr", long_text.openings),
    ("error-runs", "L2", "vpr", many_errors.error_runs),
    ("error-pairs", "L2", "vpr", many_errors.error_pairs),
    ("contexts", "L2", "vpr", contexts.contexts),
    ("within-any", "L2", "vpr", within.within_any),
    ("real-texts", "L2", "vpr", real_texts.real_texts),
    ("long-runs", "L2", "vpr", real_texts.long_runs),
    ("vast", "L2", "vpr", long_text.vast),
    ("sessions", "L2", "vpr", f.sessions),
    ("stream/faults", "L2", "s", s.stream_faults),
    ("stream/ends", "L2", "s", s.stream_ends),
    ("stream/sessions", "L2", "s", s.stream_sessions),
    ("stream/texts", "L2", "s", s.stream_texts),
    ("stream/buffers", "L2", "s", s.stream_buffers),
    ("stream/pairs", "L2", "s", uneven.stream_pairs),
    ("stream/junctions", "L2", "s", uneven.stream_junctions),
    ("stream/empty", "L2", "s", uneven.stream_empty),
    ("stream/long", "L2", "s", uneven.stream_long),
)
_IN_PROCESS = (
    ("W/k2", f.w_method(2), ANY_PLACE),
    ("four-bytes", f.four_bytes, ANY_PLACE),
    ("aligned", f.aligned, tuple(range(64))),
    ("offsets", long_text.offsets, ANY_PLACE),
    ("guarded", f.guarded, (_blocks.AT_GUARD,)),
)


def families(level: str = "L2", *, grammar: Grammar | None = None, start: str | None = None) -> tuple[Family, ...]:
    """Return the families of *level*, those of the lower levels first.

    For a grammar other than UTF-8's they are those of the W method. ``UsageError`` for a level that is not there.

    >>> [(family.name, family.count) for family in families("L1")][:3]
    [('named', 500), ('stream/first', 300), ('W/k0', 13785)]
    """
    if level not in LEVELS:
        raise UsageError(Message(messages.NO_LEVEL, level=repr(level), levels=", ".join(LEVELS)))
    return tuple(family for family in _all_families(plan(grammar, start)) if family.level <= level)


@lru_cache(maxsize=8)
def _all_families(chosen: Plan) -> tuple[Family, ...]:
    """Return the families of all levels; the same ones each time, because to count their cases takes half a second."""
    if chosen.is_utf8:
        return tuple(_utf8_families(chosen))
    return tuple(sorted(_other_families(chosen), key=lambda family: family.level))


def _utf8_families(chosen: Plan) -> Iterator[Family]:
    for name, level, modes, make in _UTF8:
        about, longest = Message(messages.ABOUT[name]), long_text.MAX_SENT if name == "vast" else 0
        yield Family(name, level, about, modes, chosen, make, ordered=name.endswith("sessions"), longest=longest)
    for name, make, places in _IN_PROCESS:
        about = Message(messages.ABOUT.get(name, "V·Σ^≤3·W"))
        yield Family(name, "L3", about, "v", chosen, make, in_process=True, places=places)
    about = Message(messages.ABOUT["huge"])
    yield Family("huge", "L3", about, "v", chosen, lambda _: iter(()), in_process=True, huge=len(HUGE_CASES))


def _other_families(chosen: Plan) -> Iterator[Family]:
    """Yield the families of another grammar, each at the first level whose budget has room for it."""
    name, w = chosen.start, "H" if chosen.identifiers else "W"
    if chosen.corpus:
        yield Family("corpus", "L0", Message(messages.SAMPLES, start=name), "v", chosen, f.samples)
    first = _w_count(chosen, 0)
    for short, about, lowest, make in (
        ("V", messages.STATES, "L0", f.readable),
        ("classes", messages.MOVES, "L1", f.classes),
    ):
        family = Family(short, lowest, Message(about, start=name, w=w), "v", chosen, make)
        if family.count <= MAX_SENT and (lowest == "L0" or first > BUDGETS["L1"]):  # else W/k0 has all of them
            yield replace(family, level=_level(family.count, lowest))
    for k, lowest in enumerate(LEVELS[1:2] if chosen.identifiers else LEVELS[1:]):
        count = _w_count(chosen, k)
        if count > MAX_JUDGED:
            return
        about = Message(messages.W_METHOD, cases=f"V·Σ^≤{k + 1}·{w}", start=name)
        level = _level(count, lowest)
        yield Family(f"W/k{k}", level, about, "v", chosen, f.w_method(k), in_process=count > MAX_SENT)


def _w_count(chosen: Plan, k: int) -> int:
    """Return how many cases ``W/k`` has; it is computed without making them."""
    return sum(map(len, f.w_method(k)(chosen)))


def _level(count: int, lowest: str) -> str:
    """Return the first level, *lowest* or above, whose budget has room for *count* cases."""
    return next((level for level, most in BUDGETS.items() if level >= lowest and count <= most), "L3")


def why_empty(level: str, *, grammar: Grammar | None = None, start: str | None = None) -> str:
    """Return in words why *level* has no case for the grammar, and which level has; "" where it has some."""
    if families(level, grammar=grammar, start=start):
        return ""
    chosen = plan(grammar, start)
    others = families("L3", grammar=grammar, start=start)
    if not others:
        cases = f"V·Σ^≤1·{'H' if chosen.identifiers else 'W'}"
        count = f"{_w_count(chosen, 0):,}"
        return Message(messages.NO_CASES, start=chosen.start, cases=cases, count=count, most=f"{MAX_JUDGED:,}")
    lowest = min(others, key=lambda family: family.level)
    text = messages.NO_CASE_AT_IN_PROCESS if lowest.in_process else messages.NO_CASE_AT
    return Message(text, level=level, start=chosen.start, first=lowest.level, count=f"{lowest.count:,}")


def family_of(name: str, level: str, *, grammar: Grammar | None = None, start: str | None = None) -> Family:
    """Return the family *name* of *level*; ``UsageError`` names those that there are."""
    found = families(level, grammar=grammar, start=start)
    for family in found:
        if family.name == name:
            return family
    has = Message(messages.IT_HAS, names=", ".join(family.name for family in found))
    there = has if found else why_empty(level, grammar=grammar, start=start)
    raise UsageError(Message(messages.NO_FAMILY, level=level, name=repr(name), there=there))


def case_of(id_: str, level: str = "L2", *, grammar: Grammar | None = None, start: str | None = None) -> Case:
    r"""Return the case with this id; ``UsageError`` where *level* has none.

    >>> case_of("named/overlong/slash-2").data
    b'\xc0\xaf'
    """
    for family in _chosen(level, None, grammar, start):
        if id_.startswith(f"{family.name}/"):
            for batch in family.batches():
                number = batch.block.find(id_[len(family.name) + 1 :])
                if number is not None:
                    return batch.case(number)
    raise UsageError(Message(messages.NO_CASE, level=level, id=repr(id_)))


def _chosen(level: str, family: str | None, grammar: Grammar | None, start: str | None) -> tuple[Family, ...]:
    if family is not None:
        return (family_of(family, level, grammar=grammar, start=start),)
    if why := why_empty(level, grammar=grammar, start=start):
        raise UsageError(why)
    found = families(level, grammar=grammar, start=start)
    return tuple(each for each in found if not each.in_process)


def batches(
    level: str, family: str | None = None, *, grammar: Grammar | None = None, start: str | None = None
) -> Iterator[Batch]:
    """Yield the cases of *level* (or of one *family*) in batches; families judged in process only are left out."""
    for each in _chosen(level, family, grammar, start):
        yield from each.batches()


def cases(
    level: str, family: str | None = None, *, grammar: Grammar | None = None, start: str | None = None
) -> Iterator[Case]:
    """Yield the cases of *level* (or of one *family*), made one by one as they are asked for, in a fixed order.

    Levels contain the lower ones. Families that are only judged in process are left out. ``UsageError`` for a level or
    family that is not there, and for a level that has no case.

    >>> first = next(cases("L1", "W/k0"))
    >>> first.id, first.data, first.accept
    ('W/k0/empty', b'', True)
    """
    for each in _chosen(level, family, grammar, start):
        yield from each.cases()
