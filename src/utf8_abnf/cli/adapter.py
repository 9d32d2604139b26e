"""``utf8-abnf adapter``: write a small program that puts a decoder in any language to the stream protocol."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``adapter``."""
    from utf8_abnf.harness.adapters import TEMPLATES

    width = max(map(len, TEMPLATES))
    rows = (
        f"  {name:{width}}  {' && '.join(part for part in (build, run) if part)}"
        for name, (_, build, run) in TEMPLATES.items()
    )
    parser.description = (
        "Print a program that speaks the stream protocol. It has one TODO: there you call your decoder."
    )
    parser.epilog = (
        "languages, and how to build and run what is printed:\n"
        + "\n".join(rows)
        + "\n\nexample: utf8-abnf adapter c > adapter.c && cc -o adapter adapter.c && utf8-abnf smoke stream:./adapter"
    )
    parser.add_argument("language", metavar="LANGUAGE", help="one of the languages below")


def run(args: argparse.Namespace) -> int:
    """Print the template."""
    from utf8_abnf.harness.adapters import template

    sys.stdout.write(template(args.language))
    return 0
