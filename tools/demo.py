"""Test the real decoders of this machine against RFC 3629: ``python3 tools/demo.py``.

Installs nothing: the package runs from ``src/``. Runs level L1 of the suites against a decoder or two of each language
that is on this machine (at least this Python's own), and prints each row as soon as it is done: decoder, version,
tests, verdict, what goes wrong in words, and for each deviation an ABNF line with its shortest example. A decoder that
is absent or broken has a row that says so. It takes a minute; ``'*'`` tests every decoder that the package knows, as
``utf8-abnf matrix`` does, and takes an hour. Needs Python 3.11 and nothing else.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from environments import ROOT, need, say

# What most machines have some of, and what is quickly done.
NAMES = (
    *("python", "python-surrogatepass", "perl-utf8-decode", "node-textdecoder", "libc-mbrtowc"),
    *("ruby-valid-encoding", "lua-utf8-len-lax", "go-utf8-valid", "java-readutf", "utf8-abnf"),
)


def main() -> int:
    """Return 0 when at least one decoder was tested."""
    need()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="GLOB", help="these decoders, like 'perl*', or '*'")
    args = parser.parse_args()
    say("testing the decoders of this machine at level L1")
    command = [sys.executable, "-m", "utf8_abnf", "matrix", "--level", "L1", "--no-learn", "--max-time", "40"]
    path = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
    return subprocess.run([*command, *args.names], cwd=ROOT, env=os.environ | {"PYTHONPATH": path}).returncode


if __name__ == "__main__":
    raise SystemExit(main())
