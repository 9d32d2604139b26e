"""What ``encode`` and ``decode`` share: their options, and traces in; text or a picture on standard output out."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING

from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from utf8_abnf.codec.steps import Trace

PICTURE = "svg"


def add_coding(parser: argparse.ArgumentParser, outputs: tuple[str, ...]) -> None:
    """Add ``--to`` and ``--steps``."""
    parser.add_argument("--to", choices=outputs, default=outputs[0],
        help=f"default: {outputs[0]}; svg draws one character")  # fmt: skip
    parser.add_argument("--steps", action="store_true", help="show each step of RFC 3629 section 3")


def show(traces: Iterable[Trace]) -> int:
    """Print *traces* and return the exit status."""
    status = OK
    for number, trace in enumerate(traces):
        print("\n" * bool(number) + str(trace))
        status = ILL_FORMED if trace.refusal else status
    return status


def draw(traces: Iterable[Trace]) -> int:
    """Print the flow of the bits of one character as SVG; ``UsageError`` for several."""
    from utf8_abnf.drawing.bits_svg import bits_svg

    first = list(islice(traces, 2))
    if len(first) != 1:
        raise UsageError("--to svg draws one character: give one character, or use --steps for several")
    sys.stdout.write(bits_svg(first[0]))
    return ILL_FORMED if first[0].refusal else OK
