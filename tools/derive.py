"""Make ``src/utf8_abnf/derived/`` from ``grammar/utf8.abnf``: ``python3 tools/derive.py [--check]``.

With ``--check`` nothing is written: each file that is missing, stale or not ours is named, and the status is 1.
The files are the same to the byte on every machine and every Python.
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

from utf8_abnf.automaton import Automaton, compile_grammar, separating_words, state_cover  # noqa: E402
from utf8_abnf.automaton.annotate import annotated  # noqa: E402
from utf8_abnf.automaton.regex import FLAVOURS, to_regex  # noqa: E402
from utf8_abnf.automaton.show import class_names  # noqa: E402
from utf8_abnf.errors import GrammarError  # noqa: E402
from utf8_abnf.grammar import Grammar  # noqa: E402
from utf8_abnf.parsers import to_lark  # noqa: E402

SOURCE = "grammar/utf8.abnf"
DERIVED = "src/utf8_abnf/derived"


def main() -> int:
    """Write the derived files, or check them; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; name what is stale")
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
    problems |= {name: "is not made by this tool" for name in there if name not in files}
    problems |= {
        name: f"is not what {SOURCE} gives"
        for name, text in files.items()
        if name in there and there[name].read_bytes() != text.encode("ascii")
    }
    return dict(sorted(problems.items()))


def derived_files(source: bytes) -> dict[str, str]:
    """Return the text of every derived file, by name, for the grammar *source*."""
    grammar = Grammar.parse(source.decode("ascii"), file=SOURCE)
    automaton = compile_grammar(grammar)
    made = f"made from {SOURCE} (sha256 {hashlib.sha256(source).hexdigest()}) by tools/derive.py; do not edit"
    words = {
        "made": made,
        "state_cover": [word.hex(" ").upper() for word in state_cover(automaton)],
        "separating_words": [word.hex(" ").upper() for word in separating_words(automaton)],
    }
    return {
        "utf8.lark": f"// {made}\n{to_lark(grammar)}",
        "utf8-automaton.json": _json({"made": made} | annotated(grammar)),
        "utf8-automaton.txt": f"# {made}\n{automaton.to_table()}",
        "utf8-automaton.mmd": f"%% {made}\n{automaton.to_mermaid()}",
        "utf8-automaton.dot": f"// {made}\n{automaton.to_dot()}",
        "utf8_automaton.h": f"/* {made} */\n{_header(automaton)}",
        "utf8-regex.json": _json({"made": made} | {each: to_regex(grammar, flavour=each) for each in FLAVOURS}),
        "utf8-words.json": _json(words),
    }


def _json(value: dict[str, Any]) -> str:
    """Return *value* with one line for each key: short, and a change shows in a diff."""
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(each)}" for key, each in value.items()) + "\n}\n"


def _header(automaton: Automaton) -> str:
    """Return the automaton as C: for oracles in tests, written for reading, not for speed."""
    width = len(automaton.table[0])
    lines = [
        "/* state = utf8_next[state][utf8_class[byte]]; start in UTF8_START; well-formed if it ends there. */",
        f"enum {{ UTF8_STATES = {len(automaton.table)}, UTF8_CLASSES = {width}, "
        f"UTF8_START = {automaton.start}, UTF8_REJECT = {automaton.sink} }};",
        "",
        "static const unsigned char utf8_class[256] = {",
    ]
    for first in range(0, 256, 16):
        row = ", ".join(f"{each:2}" for each in automaton.classes[first : first + 16])
        lines.append(f"    {row}, /* {first:02X} */")
    lines += ["};", ""]
    lines += [f"/* {number:2}: {name} */" for number, name in enumerate(class_names(automaton))]
    lines.append("static const unsigned char utf8_next[UTF8_STATES][UTF8_CLASSES] = {")
    for name, targets in zip(automaton.names, automaton.table, strict=True):
        lines.append(f"    {{{', '.join(map(str, targets))}}}, /* {name} */")
    return "\n".join([*lines, "};"]) + "\n"


if __name__ == "__main__":
    sys.exit(main())
