"""Measure what the suites find: print how many of the wrong decoders in tests/zoo each family and level finds.

``.venv/bin/python tools/measure/power.py`` prints a table of the families, for one decoder of each kind, in minutes.
``--all`` prints a table of the levels, for all decoders with all parameters, in minutes.
``--test`` prints for each group of decoders how many `utf8-abnf test` finds at L0, L1 and L2; seconds for each decoder.
``--families`` prints for each family its cases, what it costs, and which decoders no other family finds; minutes.
``--sample N`` takes N kinds of each group, evenly chosen, where all would take too long.
``--also kuhn=FILE`` adds a row for other test data: FILE has a byte sequence in hex on each line.
The tables are Markdown; docs/measured.md has a copy.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "zoo")]

import zoo as z  # noqa: E402
from utf8_abnf.conformance import run  # noqa: E402
from utf8_abnf.conformance.suite import LEVELS, families, judge  # noqa: E402
from utf8_abnf.conformance.suite.blocks import Block  # noqa: E402
from utf8_abnf.conformance.suite.plan import plan  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.conformance.suite import Family
    from utf8_abnf.conformance.suite.oracle import Oracle

SEED = 3629
CUT_SHORT = "cut short"
MAX_NAMED = 4  # decoders in a table


class Collection(z.Finder):
    """Sequences of bytes from elsewhere, posed as a family is."""

    def __init__(self, name: str, oracle: Oracle, data: Iterable[bytes]) -> None:
        self.name, self.level, self.modes, self.oracle = name, "", "vpr", oracle
        self._data = tuple(data)

    @cached_property
    def blocks(self) -> list[Block]:
        """One block."""
        return [Block((self._data,))]


def build_program(folder: Path) -> Path:
    """Return the zoo as a program in *folder* that speaks the stream protocol: ``zoo ROW PARAMETER``."""
    command = z.compiler()
    assert command is not None, "needs a C compiler"
    program = folder / "zoo"
    flags = ["-std=gnu11", "-O2", "-DZOO_PROGRAM"]
    subprocess.run([*command, *flags, str(z.SOURCE), "-o", str(program)], check=True)
    return program


def found_by_test(decoder: z.Decoder, library: Path, program: Path) -> str:
    """Return the lowest level at which ``utf8-abnf test`` finds that *decoder* is wrong, "" if L2 does not.

    ``CUT_SHORT`` if it finds nothing, and a run ended early.
    It is tested as ``stream:`` by the families that find such decoders soonest, since a program in C starts at once.
    What they do not find is tested by all families of L2: a function as ``lib:``, which is quicker by then.
    """
    levels = {family.name: family.level for family in families("L2")}
    low = tuple(name for name, level in levels.items() if level < "L2")
    program_as_target = f"stream:{program} {decoder.index} {decoder.parameter}"
    os.environ["ZOO_DECODER"] = f"{decoder.index} {decoder.parameter}"
    last = f"lib:{library}:zoo_by_name" if decoder.mode == "v" else program_as_target
    soonest = (*low, *z.QUICK_FOR.get(decoder.group, z.QUICK))
    is_whole = True
    for target, chosen in ((program_as_target, soonest), (last, ())):
        report = run(target, level="L2", fail_fast=True, families=chosen)
        if found := [levels[row.name] for row in report.families if row.failed or row.troubled]:
            return min(found)
        is_whole = is_whole and report.conforms
    return "" if is_whole else CUT_SHORT


def wrong_decoders(zoo: z.Zoo, per_kind: int | None, *, moves: int, extra: int) -> list[z.Decoder]:
    """Return the decoders to measure with: *per_kind* of each kind, every *moves*-th wrong move, *extra* larger."""
    automaton = plan().automaton
    listed = [each for each in zoo.decoders(most=per_kind) if not each.is_right and each.name != "automaton"]
    return [
        *listed,
        *list(z.wrong_moves(automaton))[::moves],
        *z.wrong_verdicts(automaton),
        *z.extra_states(automaton, extra, SEED),
    ]


def finders() -> list[z.Finder]:
    """Return the families of L2."""
    return [z.Finder(family) for family in families("L2")]


def finds(zoo: z.Zoo, decoder: z.Decoder, asked: list[z.Finder]) -> bool:
    """Return whether one of *asked* has a case that *decoder* gets wrong."""
    return any(zoo.finds(family, decoder) for family in z.in_order(asked, decoder.group))


def everything(zoo: z.Zoo, also: list[Collection]) -> int:
    """Print how many of all wrong decoders each of *also* and each level finds; name those that L2 does not find.

    Return 1 if there are such, or if L2 finds a fault in a right decoder.
    """
    of_l2 = finders()
    decoders = wrong_decoders(zoo, None, moves=1, extra=2_000)
    sizes = Counter(decoder.group for decoder in decoders)
    heading(sizes)
    rows: dict[str, list[z.Finder]] = {each.name: [each] for each in also}
    rows |= {f"**{level}**": [each for each in of_l2 if each.level <= level] for level in ("L0", "L1", "L2")}
    missed: list[z.Decoder] = []
    for name, asked in rows.items():
        missed = [decoder for decoder in decoders if not finds(zoo, decoder, asked)]
        found = sizes - Counter(decoder.group for decoder in missed)
        print_row(name, [found[group] for group in sizes])
    for decoder in missed:
        print(f"not found: {decoder.group}: {decoder.name}: {decoder.note}")
    accused = [each.name for each in zoo.decoders() if each.is_right and finds(zoo, each, rows["**L2**"])]
    print(f"\nRight decoders in which a fault was found: {', '.join(accused) or 'none'}.")
    return int(bool(missed or accused))


def heading(sizes: Counter[str]) -> None:
    """Print the head of a table with a column for each group."""
    print("| found by | " + " | ".join(sizes) + " | all |")
    print("|---|" + "--:|" * (len(sizes) + 1))
    print_row("(wrong decoders)", list(sizes.values()))


def print_row(name: str, counts: list[int]) -> None:
    """Print a row of a table with its sum."""
    print(
        f"| {name} | " + " | ".join(f"{count:,}" if count else "" for count in counts) + f" | {sum(counts):,} |",
        flush=True,
    )


def table(zoo: z.Zoo, per_kind: int, also: list[Collection]) -> None:
    """Print for each group of decoders how many of a sample each of *also* and each family finds alone."""
    asked = [*also, *finders()]
    decoders = wrong_decoders(zoo, per_kind, moves=183, extra=100)
    sizes = Counter(decoder.group for decoder in decoders)
    heading(sizes)
    for family in asked:
        found = Counter(decoder.group for decoder in decoders if zoo.finds(family, decoder))
        print_row(family.name, [found[group] for group in sizes])


def sampled(zoo: z.Zoo, per_kind: int, groups: list[str], sample: int) -> dict[str, list[z.Decoder]]:
    """Return for each of *groups* (all by default) its wrong decoders, *sample* of them evenly chosen (0: all)."""
    chosen = [each for each in zoo.decoders(most=per_kind) if not each.is_right and each.name != "automaton"]
    found = {}
    for group in groups or dict.fromkeys(each.group for each in chosen):
        asked = [each for each in chosen if each.group == group]
        count = min(sample or len(asked), len(asked))
        found[group] = [asked[number * len(asked) // count] for number in range(count)]
    return found


def with_what() -> str:
    """Return in a line what was measured with, and when."""
    version = f"CPython {platform.python_version()}, {platform.machine()}"
    return f"{time.strftime('%Y-%m-%d', time.gmtime())}, {version}, {' '.join(z.compiler() or [])}"


def cpu_seconds() -> float:
    """Return the CPU time of this process and of its children so far."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def cost(zoo: z.Zoo, program: Path, family: Family) -> tuple[str, str]:
    """Return the CPU seconds that *family* costs with a right C function in process, and with a right *program* in C.

    The program is asked in mode v or s, and its time has ours in it.
    """
    mode = family.modes[0]
    right = next(each for each in zoo.decoders() if each.is_right and each.mode == mode)
    zoo.select(right)
    began = cpu_seconds()
    found = list(judge(zoo.address, "L2", family=family.name))
    in_process = cpu_seconds() - began
    began = cpu_seconds()
    run(f"stream:{program} {right.index} {right.parameter}", level="L2", families=[family.name])
    return f"{in_process:.2f}" if found else "", f"{cpu_seconds() - began:.2f}"


def found_alone(zoo: z.Zoo, decoders: list[z.Decoder]) -> dict[str, list[str]]:
    """Return for each family the names of *decoders* that it finds and no other family of L2 does."""
    asked = finders()
    alone: dict[str, list[str]] = {}
    for decoder in decoders:
        names = (each.name for each in z.in_order(asked, decoder.group) if zoo.finds(each, decoder))
        first, second = next(names, ""), next(names, "")
        if first and not second:
            alone.setdefault(first, []).append(decoder.name)
    return alone


def of_families(zoo: z.Zoo, folder: Path, chosen: dict[str, list[z.Decoder]]) -> None:
    """Print for each family of L2 its cases, its cost, and what it alone finds of the *chosen* decoders."""
    decoders = [each for several in chosen.values() for each in several]
    program, alone = build_program(folder), found_alone(zoo, decoders)
    print(f"Measured on {with_what()}, with {len(decoders)} wrong decoders.\n")
    print("| family | cases | in process | child | it alone finds |\n|---|--:|--:|--:|---|")
    for family in families("L2"):
        names = alone.get(family.name, [])
        more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
        listed = f"{len(names)}: {', '.join(f'`{name}`' for name in names[:MAX_NAMED])}{more}" if names else ""
        print(
            f"| `{family.name}` | {family.count:,} | {' | '.join(cost(zoo, program, family))} | {listed} |", flush=True
        )


def through_test(zoo: z.Zoo, folder: Path, chosen: dict[str, list[z.Decoder]]) -> int:
    """Print for each group how many decoders `utf8-abnf test` finds at each level; name those that it does not find."""
    program = build_program(folder)
    print(f"Measured on {with_what()}.\n")
    print("| group | wrong decoders | L0 | L1 | L2 |\n|---|--:|--:|--:|--:|")
    missed: list[tuple[z.Decoder, str]] = []
    for group, asked in chosen.items():
        found = {each.name: found_by_test(each, folder / "zoo.so", program) for each in asked}
        levels = [sum(level in LEVELS[: number + 1] for level in found.values()) for number in range(3)]
        print(f"| {group} | {len(asked)} | {' | '.join(map(str, levels))} |", flush=True)
        missed += [(each, found[each.name]) for each in asked if found[each.name] not in LEVELS]
    for decoder, why in missed:
        print(f"{why or 'not found'}: {decoder.group}: {decoder.name}: {decoder.note}")
    return int(bool(missed))


def main() -> int:
    """Run the tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="does L2 find every decoder, of every kind and parameter?")
    parser.add_argument("--per-kind", type=int, default=1, metavar="N", help="decoders of each kind (default: 1)")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=FILE", help="other test data, hex lines")
    parser.add_argument("--test", action="store_true", help="measure through `utf8-abnf test`")
    parser.add_argument("--families", action="store_true", help="what each family costs, and what it alone finds")
    some = parser.add_argument_group("with --test or --families").add_argument
    some("--group", action="append", default=[], metavar="NAME", help="just this group")
    some("--sample", type=int, default=0, metavar="N", help="so many kinds of each group, evenly chosen")
    args = parser.parse_args()
    if z.compiler() is None:
        parser.error("needs a C compiler: install one, or name it in CC")
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        zoo = z.Zoo(z.build(Path(folder)))
        also = []
        for each in args.also:
            name, _, file = each.partition("=")
            data = [bytes.fromhex(line) for line in Path(file).read_text().split()]
            also.append(Collection(f"{name} ({len(data):,})", plan().oracle, data))
        if args.test:
            return through_test(zoo, Path(folder), sampled(zoo, args.per_kind, args.group, args.sample))
        if args.families:
            of_families(zoo, Path(folder), sampled(zoo, args.per_kind, args.group, args.sample))
            return 0
        if args.all:
            return everything(zoo, also)
        table(zoo, args.per_kind, also)
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
