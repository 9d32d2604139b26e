"""``utf8-abnf play``: write the play page, one HTML file that works from any disk, and open it."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.cli.sources import shown
from utf8_abnf.cli.status import OK
from utf8_abnf.language.catalogue import LANGUAGES, wanted
from utf8_abnf.play import page
from utf8_abnf.play.with_python import WithPython

if TYPE_CHECKING:
    import argparse

DESCRIPTION = """\
Write and open the play page: step through bytes and watch the bits, the grammar, its railroad track, the automaton and
the parse tree move together; then do the exercises. It is one HTML file that needs no network, no server and no
install: copy it to a USB stick, or give it to a class. It speaks English, Japanese and German.

With --with-python DIR the page, then of some 9 MB, also carries Python itself with the reference parser, Lark and this
package, asks them about every answer that it gives, and says at its foot whether they agree. DIR is the folder that
unpacking the npm package pyodide makes; the page, once written, needs neither it nor npm."""

EPILOG = """\
examples:
  utf8-abnf play
  utf8-abnf play --language de -o play.html --no-open
  npm pack pyodide@314 && tar xzf pyodide-314.*.tgz      # makes the folder package
  utf8-abnf play --with-python package -o play.html"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``play``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.add_argument("--language", choices=LANGUAGES, help="the language it opens in (default: what LANG says)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write it here (default: a temporary file); - prints it")
    parser.add_argument(
        "--with-python",
        metavar="DIR",
        type=Path,
        help="carry Python: DIR is the npm package pyodide, unpacked (with pyodide.mjs in it)",
    )
    parser.add_argument("--no-open", action="store_true", help="only write the page; do not open a browser")


def run(args: argparse.Namespace) -> int:
    """Write the page, open it, and return the exit status."""
    python = WithPython(args.with_python) if args.with_python else None
    text = page(args.language or wanted(), python=python)
    if args.output == "-":
        sys.stdout.write(text)
        return OK
    # A temporary file gets a folder of its own: a fixed name in a shared folder may be another user's link.
    path = Path(args.output or Path(tempfile.mkdtemp(prefix="utf8-abnf-")) / "play.html")
    path.write_text(text, "utf-8")
    print(shown(str(path)))
    if not args.no_open:
        _open(path)
    return OK


def _open(path: Path) -> None:
    import webbrowser

    if not webbrowser.open(path.resolve().as_uri()):
        print("no browser could be started: open this file in one", file=sys.stderr)
