"""The steps of ``encode`` and ``decode``: traces in; text or a picture on standard output, and the exit status."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING

from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.codec.utf16 import split
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.codec.steps import Trace

MAX_SHOWN = 1 << 20  # bytes or characters that somebody may want to read


def show(traces: Iterable[Trace], size: int, *, joined: bool = False) -> int:
    """Print *traces* of an input of *size* bytes or characters; ``UsageError`` for a very long one.

    With *joined*, the characters came as UTF-16, and a line before a trace shows the pair of surrogates.
    """
    if size > MAX_SHOWN:
        raise UsageError("--steps shows up to a megabyte: cut out the part that you want to see")
    status = OK
    for number, trace in enumerate(traces):
        print(end="\n" * bool(number))
        if joined and not trace.refusal and len(units := split(trace.code_point or 0)) > 1:
            pair = " ".join(f"{unit:04X}" for unit in units)
            print(f"UTF-16 {pair}: a surrogate pair, joined first (RFC 3629 section 3, RFC 2781 section 2.2)")
        print(trace)
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
