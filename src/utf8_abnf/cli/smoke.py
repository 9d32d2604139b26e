"""``utf8-abnf smoke``: a dozen named cases, and in plain words what is wrong with an adapter."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.rows import add_rows
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``smoke``."""
    parser.description = (
        "Pose a dozen named cases, or the bytes given, to a decoder and show each answer.\n"
        "If the adapter does not follow the protocol, say in plain words what is wrong and what to do."
    )
    parser.epilog = (
        "example: utf8-abnf smoke stream:./adapter\n         utf8-abnf smoke known:perl-encode-lax 'ED A0 80'"
    )
    parser.add_argument("target", metavar="TARGET", help="as for `utf8-abnf test`")
    parser.add_argument("hex", nargs="*", metavar="HEX", help="bytes to pose instead, as hex")
    add_rows(parser)
    parser.add_argument("--timeout", type=float, default=5.0, metavar="S", help="seconds of silence that make a hang")


def run(args: argparse.Namespace) -> int:
    """Pose the cases and return 0 when all answers are right, 1 when one is wrong, 3 when the protocol is."""
    from utf8_abnf.harness.opening import open_target
    from utf8_abnf.harness.smoke import smoke
    from utf8_abnf.harness.worker import Limits

    words = [_bytes(text) for text in args.hex]
    lines, status = smoke(open_target(args.target, rows=args.rows), Limits(silence=args.timeout), words)
    sys.stdout.write("\n".join(lines) + "\n")
    return status


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise UsageError(f"{text!r} is not hex; write bytes like 'ED A0 80'") from None
