"""``utf8-abnf play``: write the play page, one HTML file that works from any disk, and open it."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.cli.names import shown
from utf8_abnf.cli.status import OK
from utf8_abnf.language.catalogue import LANGUAGES, wanted
from utf8_abnf.teaching.play import page

if TYPE_CHECKING:
    import argparse

DESCRIPTION = """\
Write the play page, and open it. It steps through bytes and shows, side by side, the bits, the grammar, its railroad
diagram, the automaton and the parse tree; and it has exercises. It is one HTML file that needs no network, no server
and no installation: copy it to a USB stick, or give it to a class. Its languages are English, Japanese and German.
"""

EPILOG = """\
exit status:
  0  the page was written
  2  usage or I/O error

examples:
  utf8-abnf play
  utf8-abnf play --language de -o play.html"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``play``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.add_argument("--language", choices=LANGUAGES, help="the language at the start (default: what LANG says)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the page to FILE and open nothing; - prints it")


def run(args: argparse.Namespace) -> int:
    """Write the page, open it if it has no name of the user's, and return the exit status."""
    text = page(args.language or wanted())
    if args.output == "-":
        sys.stdout.write(text)
        return OK
    # In a new folder, because a fixed name in a shared one may be another user's link.
    path = Path(args.output or Path(tempfile.mkdtemp(prefix="utf8-abnf-")) / "play.html")
    path.write_text(text, "utf-8")
    print(shown(str(path)))
    if not args.output:
        _open(path)
    return OK


def _open(path: Path) -> None:
    import webbrowser

    if not webbrowser.open(path.resolve().as_uri()):
        print("no browser could be started; open the file in one yourself", file=sys.stderr)
