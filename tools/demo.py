"""Test the real decoders of this machine against RFC 3629: ``python3 tools/demo.py``.

Makes ``.venv``, installs this checkout, finds the decoders of languages and of the C library (at least this Python's
own), runs level L1 of the suites against each, and prints a table: decoder, version, tests, verdict, and for each
deviation an ABNF line with its shortest example. A decoder that is absent or broken has a row that says so. ``'*'``
tests every decoder that the package knows, as ``utf8-abnf matrix`` does. Needs Python 3.11, pip and nothing else.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

from environments import ROOT, environment, need, pip, say

# What most machines have some of; all that the package knows would take ten times as long.
LANGUAGES = ("utf8-abnf", "python*", "node-*", "perl-*", "java-*", "libc-*", "rust-*", "go-*", "php-*", "ruby-*")
OTHERS = ("lua-*", "tcl-*", "mono-*", "iconv-*", "isutf8", "grep")


def main() -> int:
    """Return 0 when at least one decoder was tested."""
    need()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv", help="the virtual environment (default .venv)")
    parser.add_argument("--no-install", action="store_true", help="use what is installed there")
    parser.add_argument(
        "names", nargs="*", default=[*LANGUAGES, *OTHERS], metavar="GLOB", help="these decoders, like 'perl*', or '*'"
    )
    args = parser.parse_args()
    python = environment(args.venv.resolve())
    if not args.no_install:
        say("installing this checkout")
        pip(python, ROOT)
    say("testing the decoders of this machine at level L1: a minute or two")
    command = [python, "-m", "utf8_abnf", "matrix", "--level", "L1", "--no-learn", "--max-time", "40", *args.names]
    return subprocess.run(command, cwd=ROOT).returncode


if __name__ == "__main__":
    raise SystemExit(main())
