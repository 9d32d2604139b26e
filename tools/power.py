"""Measure what the suites find: print which level and family finds which of the wrong decoders in tests/zoo.

    .venv/bin/python tools/power.py                     # a table by group, one decoder of each kind: minutes
    .venv/bin/python tools/power.py --all               # does L2 find all of them, every parameter: minutes
    .venv/bin/python tools/power.py --also kuhn=FILE    # the same table with a list of bytes from elsewhere

FILE has one sequence of bytes in hex on each line. The table is Markdown; docs/suites.md has a copy, with its date.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / "zoo")]

import zoo as z  # noqa: E402
from utf8_abnf.suite import families  # noqa: E402
from utf8_abnf.suite.plan import plan  # noqa: E402

SEED = 3629
# The families in the order in which it is quickest to find a fault.
QUICK = ("named", "W/k0", "stream/named", "long-forms", "A2", "leads", "texts", "sessions")


def wrong_decoders(zoo: z.Zoo, most: int | None, *, moves: int, extra: int) -> list[z.Decoder]:
    """Return the decoders to measure with: of each kind *most*, every *moves*-th wrong move, *extra* extra states."""
    automaton = plan().automaton
    listed = [each for each in zoo.decoders(most=most) if not each.is_right and each.name != "automaton"]
    return [
        *listed,
        *list(z.wrong_moves(automaton))[::moves],
        *z.wrong_verdicts(automaton),
        *z.extra_states(automaton, extra, SEED),
    ]


def finders() -> list[z.Finder]:
    """Return the families of L2."""
    return [z.Finder(family) for family in families("L2")]


def first_found(zoo: z.Zoo, decoder: z.Decoder, asked: list[z.Finder]) -> str | None:
    """Return the first of the families *asked* that shows *decoder* to be wrong, or None."""
    return next((family.name for family in asked if zoo.finds(family, decoder)), None)


def everything(zoo: z.Zoo) -> int:
    """Pose L2 to every decoder of the zoo; print what finds them first, and name what survives."""
    asked = finders()
    asked.sort(key=lambda family: QUICK.index(family.name) if family.name in QUICK else len(QUICK))
    decoders = wrong_decoders(zoo, None, moves=1, extra=20_000)
    first: Counter[str] = Counter()
    for decoder in decoders:
        found = first_found(zoo, decoder, asked)
        if found is None:
            print(f"not found: {decoder.group}: {decoder.name}: {decoder.note}")
        first[found or "nothing"] += 1
    right = [each for each in zoo.decoders() if each.is_right]
    wronged = [each.name for each in right if first_found(zoo, each, asked)]
    print(f"{len(decoders):,} wrong decoders, {len(decoders) - first['nothing']:,} found by L2.")
    print(f"{len(right)} right decoders, {len(wronged)} found fault with.")
    print("First found by: " + ", ".join(f"{name} {count:,}" for name, count in first.most_common()) + ".")
    return int(bool(first["nothing"] or wronged))


def table(zoo: z.Zoo, most: int, also: list[z.Collection]) -> None:
    """Print for each group of decoders how many of them each family finds alone."""
    asked = [*also, *finders()]
    decoders = wrong_decoders(zoo, most, moves=183, extra=100)
    found: dict[tuple[str, str], int] = defaultdict(int)
    by_level: dict[tuple[str, str], int] = defaultdict(int)
    for decoder in decoders:
        hits = [family for family in asked if zoo.finds(family, decoder)]
        for family in hits:
            found[family.name, decoder.group] += 1
        for level in ("L0", "L1", "L2"):
            by_level[level, decoder.group] += any("L" < family.level <= level for family in hits)
    sizes = Counter(decoder.group for decoder in decoders)
    print("| | " + " | ".join(f"{group}" for group in sizes) + " | all |")
    print("|---|" + "--:|" * (len(sizes) + 1))
    print("| wrong decoders | " + " | ".join(f"{count:,}" for count in sizes.values()) + f" | {len(decoders):,} |")
    for name in [*(each.name for each in also), *(f"**{level}**" for level in ("L0", "L1", "L2"))]:
        row = [by_level[name.strip("*"), group] or found[name, group] for group in sizes]
        print(f"| {name} | " + " | ".join(f"{count:,}" for count in row) + f" | {sum(row):,} |")
    for family in asked[len(also) :]:
        row = [found[family.name, group] for group in sizes]
        print(f"| {family.name} | " + " | ".join(f"{count:,}" if count else "" for count in row) + f" | {sum(row):,} |")


def main() -> int:
    """Run the tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="does L2 find every decoder, of every kind and parameter?")
    parser.add_argument("--per-kind", type=int, default=1, metavar="N", help="decoders of each kind (default: 1)")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=FILE", help="hex lines from elsewhere")
    args = parser.parse_args()
    if z.compiler() is None:
        parser.error("needs a C compiler: install one, or name it in CC")
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        zoo = z.Zoo(z.build(Path(folder)))
        if args.all:
            return everything(zoo)
        also = []
        for each in args.also:
            name, _, file = each.partition("=")
            data = [bytes.fromhex(line) for line in Path(file).read_text().split()]
            also.append(z.Collection(f"{name} ({len(data):,})", plan().oracle, data))
        table(zoo, args.per_kind, also)
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
