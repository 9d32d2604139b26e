"""``utf8-abnf adapter``: print a small program through which a decoder in any language speaks the stream protocol."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.adapters import TEMPLATES, template

if TYPE_CHECKING:
    import argparse

EPILOG = """\
languages, and how to build and run the program:
{rows}

exit status:
  0  the program was printed
  2  no program exists for that language or mode

examples:
  utf8-abnf adapter c > adapter.c && cc -o adapter adapter.c && utf8-abnf smoke stream:./adapter
  utf8-abnf adapter python --modes v,p,r,s"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``adapter``."""
    parser.description = (
        "Print a program that speaks the stream protocol. It has one TODO for each mode, the place where you call your "
        "decoder. The modes are v (verdict), p (position of the first error), r (replacement) and s (stream)."
    )
    commands = {name: " && ".join(filter(None, commands)) for name, (_, *commands) in TEMPLATES.items()}
    parser.epilog = EPILOG.format(rows="\n".join(f"  {name:12}{line}" for name, line in commands.items()))
    parser.add_argument("language", metavar="LANGUAGE", help="one of those below")
    parser.add_argument("--modes", default="v", metavar="MODES", help="some of v,p,r,s (default v)")


def run(args: argparse.Namespace) -> int:
    """Print the template."""
    sys.stdout.write(template(args.language, args.modes.split(",")))
    return 0
