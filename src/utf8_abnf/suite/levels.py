"""The levels and their families, and their cases: one by one, or in batches to be sent."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from utf8_abnf.errors import UsageError
from utf8_abnf.suite import blocks as _blocks
from utf8_abnf.suite import contexts, long_text, many_errors, real_texts, uneven, words
from utf8_abnf.suite import families as f
from utf8_abnf.suite import streams as s
from utf8_abnf.suite.case import Case
from utf8_abnf.suite.huge import HUGE_CASES
from utf8_abnf.suite.named import BY_NAME
from utf8_abnf.suite.plan import Plan, plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.suite.blocks import Block

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
            raise UsageError(f"the family {self.name} has {self.count:,} cases and is only judged in process")
        first, last = 0, b""
        for block in self.blocks():
            batch = Batch(self, first, block, (last,) if self.ordered and first else ())
            yield batch
            first += len(block)
            last = batch.data(len(block) - 1)

    def cases(self) -> Iterator[Case]:
        """Yield the cases one by one, with all their answers."""
        for batch in self.batches():
            yield from map(batch.case, range(len(batch)))


@dataclass(frozen=True)
class Batch:
    """Some cases of *family*, from its case *first* on, as they are sent to a decoder.

    *before* has the inputs that an ordered family sends just before.
    """

    family: Family
    first: int
    block: Block
    before: tuple[bytes, ...] = ()

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
        return f"{self.family.name}/{self.block.name(number)}"

    def case(self, number: int) -> Case:
        """Return case *number* with all its answers."""
        before = (self.data(number - 1),) if self.family.ordered and number else self.before
        return make_case(self.family, self.id(number), self.data(number), self.chunks(number), before)


def make_case(family: Family, id_: str, data: bytes, chunks: tuple[int, ...] | None, before: tuple[bytes, ...]) -> Case:
    """Return the case with all the answers that the oracle gives."""
    plan_ = family.plan
    error = plan_.oracle.ill_formed(data) if plan_.is_utf8 else None
    replacement = plan_.oracle.replaced(data).decode("utf-8") if plan_.is_utf8 else None
    row = BY_NAME.get(id_.removeprefix("named/")) if family.name == "named" else None
    story = f"{row.story} ({row.source})" if row else f"{family.about}{'' if error is None else f'; {error}'}"
    accept = error is None if plan_.is_utf8 else plan_.accepts(data)
    return Case(id_, data, accept, error, replacement, chunks, plan_.rule(data, error), story, before)


#   name             level  modes  about
_UTF8 = (
    ("named", "L0", "vpr", "named cases, one fault each, each with its story", f.named),
    ("W/k0", "L1", "vpr", "V·Σ^≤1·W: every move of the automaton, for all 256 bytes", f.w_method(0)),
    ("edges", "L1", "vpr", "the outer edges of every alternative, alone and within text", long_text.edges),
    ("behind", "L1", "vpr", "each short fault behind 1..130 characters", long_text.behind),
    ("long-inputs", "L1", "vpr", "one long input of each kind, and faults behind it", long_text.long_inputs),
    ("stream/named", "L1", "s", "named cases cut in two everywhere, and byte by byte", s.stream_named),
    ("W/k1", "L2", "vpr", "V·Σ^≤2·W: the same for decoders with states of their own", f.w_method(1)),
    ("A2", "L2", "vpr", "A₂·Σ^≤1·W: every prefix of an alternative, alone and after each alternative", f.second),
    ("leads", "L2", "vpr", "A₃·Σ^≤1·W: every first byte, with the edges of what follows it", f.leads),
    ("scalars", "L2", "vpr", "every scalar value alone", f.scalars),
    ("texts", "L2", "vpr", "every scalar value again, in texts of up to 128 characters", f.texts),
    ("ill-formed", "L2", "vpr", "every overlong form, surrogate and value above U+10FFFF in 2 to 4 bytes", f.coded),
    ("surrogate-pairs", "L2", "vpr", "surrogates in pairs, as CESU-8 writes them", f.pairs),
    ("long-forms", "L2", "vpr", "forms of up to 13 bytes that F5..FF once began", f.long_forms),
    ("inner", "L2", "vpr", "every pair of bytes, and every first byte's tails, within long text", f.inner),
    ("sizes", "L2", "vpr", "well-formed text of every size up to 300 and around powers of two", f.sizes),
    ("positions", "L2", "vpr", "every single fault at every offset 0..130 of text of each kind", f.positions),
    ("loops", "L2", "vpr", "faults before a run of NUL, and at every eighth offset of a long text", f.loops),
    ("mixed", "L2", "vpr", "every single fault in seeded random text", f.mixed),
    ("far-positions", "L2", "vpr", "faults around powers of two up to 2^20, and some between", f.far_positions),
    ("lanes", "L2", "vpr", "every kind of fault in every lane, in text of 1 and 8 KiB and a bit", long_text.lanes),
    ("starts", "L2", "vpr", "every kind of fault at the offsets 0..260 before a kilobyte", long_text.starts),
    ("borders", "L2", "vpr", "faults at every offset up to 4224, and a sample up to 65,536", long_text.borders),
    ("rests", "L2", "vpr", "faults in rests of every length behind the last block of long text", long_text.rests),
    ("error-runs", "L2", "vpr", "1 to 520 errors of each kind, and tens of thousands", many_errors.error_runs),
    (
        "error-pairs",
        "L2",
        "vpr",
        "two and three errors at all distances to 130, and some to 5000",
        many_errors.error_pairs,
    ),
    ("contexts", "L2", "vpr", "ill-formed text where attackers put it", contexts.contexts),
    (
        "real-texts",
        "L2",
        "vpr",
        "a hundred short texts of many scripts, whole and with one fault",
        real_texts.real_texts,
    ),
    ("vast", "L2", "vpr", "text and faults beyond 2^20, 2^21 and 2^24 bytes", long_text.vast),
    ("sessions", "L2", "vpr", "every ordered pair of inputs that could leave something behind", f.sessions),
    ("stream/faults", "L2", "s", "every single fault, cut in three everywhere", s.stream_faults),
    ("stream/ends", "L2", "s", "each alternative's first and last character, cut in three everywhere", s.stream_ends),
    (
        "stream/sessions",
        "L2",
        "s",
        "every ordered pair of streams that could leave something behind",
        s.stream_sessions,
    ),
    ("stream/texts", "L2", "s", "text with one fault, in pieces of 17 sizes", s.stream_texts),
    ("stream/buffers", "L2", "s", "text around the sizes of buffers, in pieces of such sizes", s.stream_buffers),
    ("stream/pairs", "L2", "s", "every pair of sizes of pieces, in well-formed text", uneven.stream_pairs),
    ("stream/junctions", "L2", "s", "a fault across the border of every pair of sizes", uneven.stream_junctions),
    ("stream/empty", "L2", "s", "runs of empty pieces, and a BOM where a piece begins", uneven.stream_empty),
    ("stream/long", "L2", "s", "thousands of pieces, and streams of more than 128 KiB", uneven.stream_long),
)
_IN_PROCESS = (
    ("W/k2", "V·Σ^≤3·W", f.w_method(2), ANY_PLACE),
    ("four-bytes", "all strings of four bytes", f.four_bytes, ANY_PLACE),
    ("aligned", "faults at the offsets 0..66, at all 64 alignments", f.aligned, tuple(range(64))),
    ("offsets", "faults at every offset up to 65,536", long_text.offsets, ANY_PLACE),
    ("guarded", "W/k0 and faults at the offsets 0..66, where memory ends", f.guarded, (_blocks.AT_GUARD,)),
)


HUGE = "2 and 4 GiB of text that is not all ASCII: where lengths and offsets of 32 bits end"


def families(level: str = "L2", *, grammar: Grammar | None = None, start: str | None = None) -> tuple[Family, ...]:
    """Return the families of *level*, those of the lower levels first.

    For a grammar other than UTF-8's they are those of the W method. ``UsageError`` for a level that is not there.

    >>> [(family.name, family.count) for family in families("L1")][:3]
    [('named', 498), ('W/k0', 13785), ('edges', 6148)]
    """
    if level not in LEVELS:
        raise UsageError(f"there is no level {level!r}; the levels are {', '.join(LEVELS)}")
    chosen = plan(grammar, start)
    found = _utf8_families(chosen) if chosen.is_utf8 else _other_families(chosen)
    return tuple(family for family in found if family.level <= level)


def _utf8_families(chosen: Plan) -> Iterator[Family]:
    for name, level, modes, about, make in _UTF8:
        longest = long_text.MAX_SENT if name == "vast" else 0
        yield Family(name, level, about, modes, chosen, make, ordered=name.endswith("sessions"), longest=longest)
    for name, about, make, places in _IN_PROCESS:
        yield Family(name, "L3", about, "v", chosen, make, in_process=True, places=places)
    yield Family("huge", "L3", HUGE, "v", chosen, lambda _: iter(()), in_process=True, huge=len(HUGE_CASES))


def _other_families(chosen: Plan) -> Iterator[Family]:
    found = list(_unsorted(chosen))
    yield from sorted(found, key=lambda family: (family.level, found.index(family)))


def _unsorted(chosen: Plan) -> Iterator[Family]:
    """Yield the families of another grammar, each at the first level whose budget has room for it."""
    name = chosen.start
    if chosen.samples.corpus:
        yield Family("corpus", "L0", f"the sample words of {name}", "v", chosen, f.samples)
    first = words.w_count(len(chosen.cover), chosen.separating, 0)
    for short, about, lowest, make in (
        ("V", f"V·W of {name}: every state, by a word that leads to it", "L0", f.readable),
        ("classes", f"V·C·W of {name}: every move of the automaton, for one byte of each class", "L1", f.classes),
    ):
        family = Family(short, lowest, about, "v", chosen, make)
        if family.count <= min(MAX_SENT, MAX_JUDGED) and (
            lowest == "L0" or first > BUDGETS["L1"]
        ):  # else W/k0 has all of them
            yield replace(family, level=_level(family.count, lowest))
    for k, lowest in enumerate(LEVELS[1:]):
        count = words.w_count(len(chosen.cover), chosen.separating, k)
        if count > MAX_JUDGED:
            return
        about = f"V·Σ^≤{k + 1}·W of {name}"
        level = _level(count, lowest)
        yield Family(f"W/k{k}", level, about, "v", chosen, f.w_method(k), in_process=count > MAX_SENT)


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
        count = words.w_count(len(chosen.cover), chosen.separating, 0)
        return f"no level has cases for {chosen.start}: V·Σ^≤1·W has {count:,}, and at most {MAX_JUDGED:,} are offered"
    lowest = min(others, key=lambda family: family.level)
    alone = ", for a function in process" if lowest.in_process else ""
    return (
        f"{level} has no case for {chosen.start}; {lowest.level} is the first level that has ({lowest.count:,}{alone})"
    )


def family_of(name: str, level: str, *, grammar: Grammar | None = None, start: str | None = None) -> Family:
    """Return the family *name* of *level*; ``UsageError`` names those that there are."""
    found = families(level, grammar=grammar, start=start)
    for family in found:
        if family.name == name:
            return family
    there = (
        f"it has {', '.join(family.name for family in found)}"
        if found
        else why_empty(level, grammar=grammar, start=start)
    )
    raise UsageError(f"{level} has no family {name!r}; {there}")


def case_of(id_: str, level: str = "L2", *, grammar: Grammar | None = None, start: str | None = None) -> Case:
    r"""Return the case with this id; ``UsageError`` where *level* has none.

    >>> case_of("named/overlong/slash-2").data
    b'\xc0\xaf'
    """
    for family in families(level, grammar=grammar, start=start):
        if id_.startswith(f"{family.name}/") and not family.in_process:
            for batch in family.batches():
                number = batch.block.find(id_[len(family.name) + 1 :])
                if number is not None:
                    return batch.case(number)
    if why := why_empty(level, grammar=grammar, start=start):
        raise UsageError(why)
    raise UsageError(f"{level} has no case {id_!r}: ids are listed by `utf8-abnf suite export --family NAME`")


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
