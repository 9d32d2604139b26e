"""Time our parser beside apg-js on RFC 8259's grammar: ``python tools/bench/json_parsers.py FOLDER [FILE...]``.

FOLDER is where ``npm install apg-js`` was run. Without files, it makes three of about a megabyte: without white space,
with the spaces that ``json.dumps`` writes, and indented. Prints CPU seconds: for the verdict of each, and for a tree
with a node for each use of a rule, made and walked through.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src"))

from utf8_abnf.grammar import Grammar  # noqa: E402
from utf8_abnf.parsers.linear import TreeParser  # noqa: E402

SIZE = 1 << 20
CORE = 'DIGIT = %x30-39\nHEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"\n'  # apg-js has no core rules


def value(chance: random.Random, depth: int = 0) -> object:
    """Return a random value."""
    kind = chance.randrange(6 if depth < 5 else 4)
    if kind == 4:
        return [value(chance, depth + 1) for _ in range(chance.randrange(6))]
    if kind == 5:
        return {f"k{number}": value(chance, depth + 1) for number in range(chance.randrange(6))}
    text = "".join(chance.choices("abcdefgh é€ xyz", k=chance.randrange(20)))
    return [chance.randrange(100_000), chance.random(), text, chance.choice([True, False, None])][kind]


def made(folder: Path) -> list[Path]:
    """Write the three files."""
    chance, values = random.Random(1), []  # noqa: S311
    paths = []
    for name, options in (("compact", {"separators": (",", ":")}), ("spaced", {}), ("indented", {"indent": 2})):
        values = [] if not paths else values
        while len(text := json.dumps(values, ensure_ascii=False, **options)) < SIZE and not paths:  # type: ignore[arg-type]
            values += [value(chance) for _ in range(500)]
        paths.append(folder / f"{name}.json")
        paths[-1].write_text(text, "utf-8")
    return paths


def main(where: str, *files: str) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(each) for each in files] or made(Path(folder))
        grammar = Path(folder, "json.abnf")
        grammar.write_text((ROOT / "grammar" / "json.abnf").read_text("ascii") + CORE, "ascii")
        script = Path(__file__).with_suffix(".mjs")
        names = f"{'apg-js':>8}  {'ours':>8}  {'its tree':>9}  {'our tree':>9}"
        print(f"{'file':<16}{'bytes':>10}  {names}  {'its nodes':>10}  {'our nodes':>10}   (CPU seconds)")
        for path in paths:
            command = ["node", str(script), str(Path(where).resolve()), str(grammar), str(path)]
            theirs = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            data, parser = path.read_bytes(), TreeParser(Grammar.load("json"))
            begin = time.process_time()
            accepted = parser.accepts(data)
            middle = time.process_time()
            nodes = sum(1 for _ in parser.parse(data).walk())
            end = time.process_time()
            assert accepted == theirs["accepted"]
            shown = f"{theirs['verdict']:>8.2f}  {middle - begin:>8.2f}  {theirs['tree']:>9.2f}  {end - middle:>9.2f}"
            print(f"{path.name:<16}{len(data):>10,}  {shown}  {theirs['nodes']:>10,}  {nodes:>10,}")


if __name__ == "__main__":
    main(*sys.argv[1:])
