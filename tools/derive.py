"""Make ``src/utf8_abnf/teaching/play/derived/`` from ``grammar/utf8.abnf``: ``python3 tools/derive.py [--check]``.

There is one file, ``utf8-automaton.json``: the play page carries it. What a command prints (``grammar automaton``,
``grammar convert``) is not kept here a second time.

With ``--check`` the tool writes nothing: it names each file that is missing, stale or unknown, and exits with 1.
The file is the same to the byte on every machine and every Python.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if (ROOT / "src" / "utf8_abnf").is_dir():
    sys.path.insert(0, str(ROOT / "src"))  # the sources beside this tool, whatever is installed

from utf8_abnf.automaton.annotate import annotated  # noqa: E402
from utf8_abnf.errors import GrammarError  # noqa: E402
from utf8_abnf.grammar import Grammar  # noqa: E402

SOURCE = "grammar/utf8.abnf"
DERIVED = "src/utf8_abnf/teaching/play/derived"


def main() -> int:
    """Write the derived files, or check them; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; name the files that are stale")
    parser.add_argument("--grammar", type=Path, default=ROOT / SOURCE, help=f"default: {SOURCE}")
    parser.add_argument("--folder", type=Path, default=ROOT / DERIVED, help=f"default: {DERIVED}")
    args = parser.parse_args()
    try:
        files = derived_files(args.grammar.read_bytes())
    except (GrammarError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    if args.check:
        problems = stale(files, args.folder)
        for name, problem in problems.items():
            print(f"{DERIVED}/{name}: {problem}; run: python3 tools/derive.py", file=sys.stderr)
        return 1 if problems else 0
    args.folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (args.folder / name).write_bytes(text.encode("ascii"))
    return 0


def stale(files: dict[str, str], folder: Path) -> dict[str, str]:
    """Return what is wrong with the files in *folder*, by name; *files* are what they should be."""
    there = {path.name: path for path in folder.iterdir()}
    problems = {name: "is missing" for name in files if name not in there}
    problems |= {name: "is not made by tools/derive.py" for name in there if name not in files}
    problems |= {
        name: f"differs from what {SOURCE} gives"
        for name, text in files.items()
        if name in there and there[name].read_bytes() != text.encode("ascii")
    }
    return dict(sorted(problems.items()))


def derived_files(source: bytes) -> dict[str, str]:
    """Return the text of every derived file, by name, for the grammar *source*."""
    grammar = Grammar.parse(source.decode("ascii"), file=SOURCE)
    made = f"made from {SOURCE} (sha256 {hashlib.sha256(source).hexdigest()}) by tools/derive.py; do not edit"
    return {"utf8-automaton.json": _json({"made": made} | annotated(grammar))}


def _json(value: dict[str, Any]) -> str:
    """Return *value* with one line for each key: short, and a change shows in a diff."""
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(each)}" for key, each in value.items()) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main())
