"""Mutation of the C: changes one constant, operator, table entry or statement at a time; a check has to fail.

``python tools/proof/mutation`` tries every mutant of what subjects.py lists, as far as its kernel runs here. It prints
the survivors, each of which has to be explained in survivors.toml, and a table by file. ``--sample N`` tries N mutants
of each file that are not explained there.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

sys.path[:0] = [str(Path(__file__).resolve().parent)]

from subjects import SUBJECTS, TABLES, Subject, copy_sources  # noqa: E402, F401

if TYPE_CHECKING:
    from mutants import Mutant

HERE = Path(__file__).resolve().parent
SURVIVORS = HERE / "survivors.toml"
BITS = re.compile(r"(.*)\[(\d+)(?:\.\.(\d+))?\] bit ([\d ]+)")  # of tables: entries from..to, and several bits


@dataclass
class Row:
    """What became of the mutants of one file of a subject. Those that the compiler refuses do not count."""

    subject: str
    file: str
    killed: int = 0
    alive: list[str] = field(default_factory=list)  # their keys

    def said(self, known: dict[str, str]) -> str:
        """Return the row of the table: killed, the same with a reason, and living."""
        same = sum(key in known for key in self.alive)
        return f"{self.subject:8} {self.file:18} {self.killed:6} {same:6} {len(self.alive) - same:6}"


HEADING = f"{'subject':8} {'file':18} {'killed':>6} {'same':>6} {'living':>6}"


def explained() -> dict[str, str]:
    """Return the survivors that are known to be the same function, each with the reason."""
    groups = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))["same"]
    return {mutant: group["why"] for group in groups for line in group["mutants"] for mutant in _each_bit(line)}


def _each_bit(line: str) -> list[str]:
    """Return the mutants that a line of survivors.toml stands for."""
    if (found := BITS.fullmatch(line)) is None:
        return [line]
    table, first, last, bits = found.groups()
    entries = range(int(first), int(last or first) + 1)
    return [f"{table}[{entry}] bit {bit}" for entry in entries for bit in bits.split()]


def survives(subject: Subject, mutant: Mutant, folder: Path, arguments: list[str]) -> bool | None:
    """Whether *mutant* shows no difference; None where it cannot be compiled."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        sources = Path(own) / "sources"
        shutil.copytree(folder / "sources", sources)
        source = (sources / mutant.file).read_text()
        (sources / mutant.file).write_text(source[: mutant.start] + mutant.new + source[mutant.end :])
        if not subject.build(folder, sources, Path(own) / "judge", mutant.file):
            return None
        return subject.judged(Path(own) / "judge", arguments) == 0


def examine(
    subject: Subject, sample: int | None, known: dict[str, str], *, tables: bool, jobs: int | None
) -> list[Row]:
    """Try *subject*'s mutants, and the bits of its tables; return what became of them, by file."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        arguments = subject.prepare(folder)
        if not subject.build(folder, folder / "sources", folder / "judge"):
            raise SystemExit(f"what judges {subject.name} does not compile")
        if subject.judged(folder / "judge", arguments):
            raise SystemExit(f"{subject.name} is wrong without any mutation: see its tests, and utf8-abnf prove")
        rows = {file: Row(subject.name, file) for file in subject.mutated}
        chosen = []
        for file in rows:
            every = [mutant for mutant in subject.mutants(folder / "sources") if mutant.file == file]
            if sample is not None:  # not of the explained: whether those live or die, nothing is wrong
                every = [mutant for mutant in every if mutant.key not in known]
                every = random.Random(file).sample(every, min(sample, len(every)))  # noqa: S311
            chosen += every
        with ThreadPoolExecutor(jobs) as pool:
            verdicts = pool.map(lambda mutant: survives(subject, mutant, folder, arguments), chosen)
            for mutant, alive in zip(chosen, verdicts, strict=True):
                rows[mutant.file].killed += alive is False
                if alive:
                    rows[mutant.file].alive.append(mutant.key)
                    print(
                        f"{'the same' if mutant.key in known else 'LIVES'}: {mutant.key}", file=sys.stderr, flush=True
                    )
        if tables and subject.name in TABLES:
            command = [folder / "judge", *arguments, "tables"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            *alive, tried = done.stdout.splitlines()
            keys = [f"{subject.name}: {line}" for line in alive]
            rows["tables"] = Row(subject.name, "bits of its tables", int(tried) - len(keys), keys)
    return list(rows.values())


def main() -> int:
    """Try the mutants and print the table; 1 when one lives without an explanation."""
    parser = argparse.ArgumentParser(prog="tools/proof/mutation", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument(
        "subjects", nargs="*", metavar="SUBJECT", choices=[*SUBJECTS, []], help=f"{', '.join(SUBJECTS)} (default: all)"
    )
    parser.add_argument("--sample", type=int, help="only so many mutants of each file, the same ones every time")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at a time (default: processors)")
    parser.add_argument("--no-tables", action="store_true", help="leave out the table entries")
    args = parser.parse_args()
    known, living = explained(), 0
    print(HEADING, flush=True)
    for name in args.subjects or [name for name, subject in SUBJECTS.items() if subject.is_here]:
        for row in examine(SUBJECTS[name], args.sample, known, tables=not args.no_tables, jobs=args.jobs):
            print(row.said(known), flush=True)
            for key in row.alive:
                if key not in known:
                    living += 1
                    print(f"    NOT EXPLAINED: {key}")
    return 1 if living else 0


if __name__ == "__main__":
    sys.exit(main())
