"""Measure the learner on the wrong decoders in tests/zoo: how many it learns, refuses, or learns wrongly.

``.venv/bin/python tools/measure/learning.py`` learns a sample, some decoders of each kind, in minutes.
``--per-kind N`` makes the sample larger; ``--all`` takes every decoder, in hours. Each processor learns one decoder at
a time; ``--jobs`` changes that. Ctrl-C ends the run and prints the table so far.

If the zoo made a decoder from a table, the model is compared with that table. Otherwise the decoder is asked all inputs
of level L2 and C·Σ^≤2·W, and its answers are compared with the model's. The table is Markdown; docs/learning.md has a
copy, with its date.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from array import array
from collections import Counter
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "zoo")]

import zoo as z  # noqa: E402
from utf8_abnf.automaton import Automaton, separating_words, state_cover  # noqa: E402
from utf8_abnf.conformance.learning import NotLearnableError, UnsteadyError, learn  # noqa: E402
from utf8_abnf.conformance.learning.refuting import Comparison  # noqa: E402
from utf8_abnf.conformance.learning.teacher import Teacher  # noqa: E402
from utf8_abnf.conformance.suite import families  # noqa: E402
from utf8_abnf.conformance.suite.plan import plan  # noqa: E402
from utf8_abnf.conformance.suite.words import prefix_closed, suffix_closed, w_blocks  # noqa: E402
from utf8_abnf.language.notation import hex_bytes  # noqa: E402

SEED = 3629
RIGHT, BORDER, UNSTEADY, REFUSED, SILENT = "learned", "border", "unsteady", "refused", "wrong"
OUTCOMES = (RIGHT, BORDER, UNSTEADY, REFUSED, SILENT)
# The families that find most faults in the shortest time come first.
QUICK = ("named", "W/k0", "long-forms", "A2", "leads", "texts", "sessions", "far-positions", "loops", "mixed")


class BlackBox:
    """A decoder of the zoo as a black box."""

    def __init__(self, zoo: z.Zoo, decoder: z.Decoder) -> None:
        self._zoo = zoo
        zoo.select(decoder)

    def __call__(self, words: list[bytes]) -> list[bool]:
        """Return the verdicts."""
        return [self._zoo.accepts(word) for word in words]

    def send(self, frames: bytes, _expected: bytes) -> bytes:
        """Return the verdicts, 1 or 0 each, found by C code."""
        return self._zoo.answers("v", frames)


def truth(decoder: z.Decoder) -> Automaton | None:
    """Return the decoder's own automaton if the zoo made the decoder from a table, else None."""
    if decoder.table is None:
        return None
    table, final = decoder.table
    moves = array("H", table)
    rows = tuple(tuple(moves[at : at + 256]) for at in range(0, len(moves), 256))
    return Automaton(0, rows, bytes(range(256)), frozenset(i for i, verdict in enumerate(final) if verdict)).minimal()


def outcome(zoo: z.Zoo, decoder: z.Decoder, asked: tuple[str, ...] = ()) -> tuple[str, str]:
    """Return learned, refused or wrong, and the number of states, the reason, or the input that shows the error.

    *asked* are the families that check the model, all of L2 by default.
    """
    box = BlackBox(zoo, decoder)
    try:
        learned = learn(box, plan().automaton)
    except UnsteadyError as error:
        return UNSTEADY, str(error)
    except NotLearnableError as error:
        return REFUSED, str(error)
    model, right = learned.automaton, truth(decoder)
    wrong = model.equivalent(right) if right else disproof(box, model, asked, learned.limit)
    if wrong is not None:
        return SILENT, hex_bytes(wrong[:40])
    return (BORDER, learned.borders[0].phrase) if learned.borders else (RIGHT, f"{len(model.table)} states")


def disproof(box: BlackBox, model: Automaton, asked: tuple[str, ...] = (), limit: int | None = None) -> bytes | None:
    """Return an input of fewer than *limit* bytes on which *model* is wrong about the decoder, or None.

    It is looked for in the families *asked* or, if there are none, in all of L2 and C·Σ^≤2·W of the model.
    """
    teacher = Teacher(box, plan().automaton)
    teacher.limit = limit
    found = [family for family in families("L2") if "v" in family.modes and family.name != "W/k1"]
    found = [family for family in found if not asked or family.name in asked]
    found.sort(key=lambda family: QUICK.index(family.name) if family.name in QUICK else len(QUICK))
    blocks = (block for family in found for block in family.blocks())
    grammar = plan().automaton
    cover = prefix_closed([*state_cover(model), *state_cover(grammar)])
    separating = suffix_closed([*separating_words(model), *separating_words(grammar)])
    return Comparison(teacher, blocks, lambda _: () if asked else w_blocks(cover, separating, 1))(model)


def chosen(zoo: z.Zoo, per_kind: int | None, *, moves: int, extra: int) -> list[z.Decoder]:
    """Return the decoders to learn: *per_kind* of each kind, every *moves*-th wrong move, *extra* extra states."""
    automaton = plan().automaton
    listed = [each for each in zoo.decoders(most=per_kind) if each.mode == "v" and each.name != "automaton"]
    return [
        *listed,
        *list(z.wrong_moves(automaton))[::moves],
        *z.wrong_verdicts(automaton),
        *z.extra_states(automaton, extra, SEED),
    ]


_here: list[z.Zoo] = []  # the zoo of this process, which works on one decoder at a time


def _open(library: Path) -> None:
    _here.append(z.Zoo(library))


def _learned(decoder: z.Decoder) -> tuple[str, str]:
    return outcome(_here[0], decoder)


def _table(counts: Counter[tuple[str, str]], groups: list[str]) -> None:
    print(f"| decoders | {' | '.join(OUTCOMES)} |\n|---|{'--:|' * len(OUTCOMES)}")
    for group in groups:
        print(f"| {group} | " + " | ".join(f"{counts[group, each]:,}" for each in OUTCOMES) + " |")
    print("| all | " + " | ".join(f"{sum(counts[group, each] for group in groups):,}" for each in OUTCOMES) + " |")


def main() -> int:
    """Run the tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every decoder, of every kind and parameter")
    parser.add_argument("--per-kind", type=int, default=1, metavar="N", help="decoders of each kind (default: 1)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only decoders whose group or name contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="decoders at once")
    args = parser.parse_args()
    if z.compiler() is None:
        parser.error("needs a C compiler: install one, or name it in CC")
    began = time.monotonic()
    _run(args)
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return 0


def _run(args: argparse.Namespace) -> None:
    """Learn the decoders that *args* choose; print those that were learned wrongly, and the table."""
    with tempfile.TemporaryDirectory() as folder:
        library = z.build(Path(folder))
        if args.all:
            decoders = chosen(z.Zoo(library), None, moves=1, extra=2_000)
        else:
            decoders = chosen(z.Zoo(library), args.per_kind, moves=183, extra=100)
        decoders = [each for each in decoders if args.only in f"{each.group}: {each.name}"]
        counts = Counter[tuple[str, str]]()
        with multiprocessing.Pool(args.jobs, _open, [library]) as pool, suppress(KeyboardInterrupt):
            learned = pool.imap(_learned, decoders)
            for done, (decoder, (became, why)) in enumerate(zip(decoders, learned, strict=True), 1):
                counts[decoder.group, became] += 1
                if became == SILENT:
                    print(f"wrong: {decoder.group}: {decoder.name}: {decoder.note}: {why}")
                if sys.stderr.isatty() or done % 1_000 == 0:
                    print(f"\r{done:,} of {len(decoders):,}", end="", file=sys.stderr, flush=True)
    _table(counts, list(dict.fromkeys(decoder.group for decoder in decoders)))


if __name__ == "__main__":
    sys.exit(main())
