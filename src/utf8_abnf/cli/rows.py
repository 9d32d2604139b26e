"""The option ``--rows``, which several commands have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_rows(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add ``--rows FILE`` to *parser*; it may be repeated, and ``args.rows`` is the list of files."""
    parser.add_argument(
        "--rows",
        action="append",
        default=[],
        metavar="FILE",
        help="a TOML file that describes more decoders (docs/reference/decoder-rows.md); may be repeated",
    )
