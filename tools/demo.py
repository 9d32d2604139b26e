"""Test the real decoders of this machine against RFC 3629: ``python3 tools/demo.py``.

Installs nothing: the package runs from ``src/``. Finds the decoders of languages and of the C library (at least this
Python's own), runs level L1 of the suites against each, and prints each row as soon as it is done: decoder, version,
tests, verdict, what goes wrong in words, and for each deviation an ABNF line with its shortest example. A decoder that
is absent or broken has a row that says so. ``'*'`` tests every decoder that the package knows, as ``utf8-abnf matrix``
does. Needs Python 3.11 and nothing else.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from environments import ROOT, need, say

# What most machines have some of; all that the package knows would take ten times as long.
LANGUAGES = ("utf8-abnf", "python*", "node-*", "perl-*", "java-*", "libc-*", "rust-*", "go-*", "php-*", "ruby-*")
OTHERS = ("lua-*", "tcl-*", "mono-*", "iconv-*", "isutf8", "grep")


def main() -> int:
    """Return 0 when at least one decoder was tested."""
    need()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", default=[*LANGUAGES, *OTHERS], metavar="GLOB", help="these decoders, like 'perl*', or '*'"
    )
    args = parser.parse_args()
    say("testing the decoders of this machine at level L1")
    command = [sys.executable, "-m", "utf8_abnf", "matrix", "--level", "L1", "--no-learn", "--max-time", "40"]
    path = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
    return subprocess.run([*command, *args.names], cwd=ROOT, env=os.environ | {"PYTHONPATH": path}).returncode


if __name__ == "__main__":
    raise SystemExit(main())
