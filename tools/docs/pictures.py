"""Make the pictures in ``docs/pictures/`` from the grammar: ``python3 tools/docs/pictures.py [--check]``.

With ``--check`` nothing is written: each picture that is missing or stale is named, and the status is 1.
The files are the same to the byte on every machine and every Python.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if (ROOT / "src" / "utf8_abnf").is_dir():
    sys.path.insert(0, str(ROOT / "src"))  # the sources beside this tool, whatever is installed

from utf8_abnf.automaton import compile_grammar  # noqa: E402
from utf8_abnf.codec.steps import decode_steps  # noqa: E402
from utf8_abnf.drawing.automaton_svg import automaton_svg  # noqa: E402
from utf8_abnf.drawing.bits_svg import bits_svg  # noqa: E402
from utf8_abnf.drawing.railroad import railroad_svg  # noqa: E402
from utf8_abnf.drawing.tree_svg import tree_svg  # noqa: E402
from utf8_abnf.grammar import Grammar  # noqa: E402
from utf8_abnf.parsers import parse_tree  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
EURO = "é€".encode()


def main() -> int:
    """Write the pictures, or check them; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; name what is stale")
    args = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    stale = 0
    for name, text in pictures().items():
        path = FOLDER / name
        if not args.check:
            path.write_bytes(text.encode("ascii"))
        elif not path.is_file() or path.read_bytes() != text.encode("ascii"):
            print(f"docs/pictures/{name} is stale; run: python3 tools/docs/pictures.py", file=sys.stderr)
            stale = 1
    return stale


def pictures() -> dict[str, str]:
    """Return the pictures by file name."""
    grammar = Grammar.load("utf8")
    automaton = compile_grammar(grammar)
    return {
        "railroad-utf8.svg": railroad_svg(grammar),
        "railroad-utf8-3.svg": railroad_svg(grammar, "UTF8-3"),
        "automaton.svg": automaton_svg(automaton, title="The automaton of UTF8-octets"),
        "tree.svg": tree_svg(parse_tree(grammar, EURO), EURO),
        "bits.svg": bits_svg(decode_steps("€".encode())),
    }


if __name__ == "__main__":
    sys.exit(main())
