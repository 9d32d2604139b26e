"""``utf8-abnf smoke``: send a dozen named cases, and say in plain words what is wrong with an adapter."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.conformance.targets import add_target, add_timeout, limits_of, target_of
from utf8_abnf.cli.grammar.inputs import bytes_of_hex
from utf8_abnf.conformance.harness.smoke import smoke

if TYPE_CHECKING:
    import argparse

DESCRIPTION = """\
Send a dozen named cases, or the given bytes, to a decoder in each of its modes, and show the answers. If the adapter
does not follow the protocol, say in plain words what is wrong and what to do."""

EPILOG = """\
exit status:
  0  all answers are right
  1  an answer is wrong, or no case could be judged
  2  usage error
  3  the decoder could not be started, or does not follow the protocol

examples:
  utf8-abnf smoke stream:./adapter
  utf8-abnf smoke known:perl-encode-lax 'ED A0 80'"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``smoke``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    add_target(parser)
    parser.add_argument("hex", nargs="*", default=[], metavar="HEX", help="bytes in hex, in place of the named cases")
    add_timeout(parser)


def run(args: argparse.Namespace) -> int:
    """Send the cases and return the exit status."""
    lines, status = smoke(target_of(args), limits_of(args), [bytes_of_hex([word]) for word in args.hex])
    sys.stdout.write("\n".join(lines) + "\n")
    return status
