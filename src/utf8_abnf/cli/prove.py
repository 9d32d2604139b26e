"""``utf8-abnf prove``: enumerate all that the installed kernels can see, and print what that establishes."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.proving import enumeration as proving

if TYPE_CHECKING:
    import argparse

STATEMENT = """\
Established for {kernels}, as installed here and on this processor:

  On every text of any size, is_valid and first_error answer as the minimal automaton of grammar/utf8.abnf does,

given what was enumerated above and these assumptions, argued from the source in docs/kernel-proof.md:
  locality   a lane objects or not by its own byte and the three before it alone{wide}
  coverage   every offset lies in a judged block, or in an all-ASCII one, or is read by utf8_sequence; the bytes before
             a block are the text's own, or ASCII before its start
  end        the check of the last three bytes does not depend on where in memory or in how long a text they stand
  gathering  objections are ORed, and nothing is taken back"""

SAMPLED = """\
A quick check: every window over the lowest and highest bytes of each byte class under every lane, and a sample of the
rest. No difference was found. It proves nothing about all inputs: for that leave out --quick."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.description = (
        "Compare every kernel that runs here with the automaton of RFC 3629's grammar: all 2^32 windows of four bytes\n"
        "under every lane, every fault at every offset. Takes minutes on all processors; prints what it establishes."
    )
    parser.epilog = (
        "example: utf8-abnf prove --quick\n\nExit status: 0 proved, 2 a difference was found or no kernel is installed."
    )
    parser.add_argument("--quick", action="store_true", help="sample every step; seconds, for a test run")
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but a difference")


def run(args: argparse.Namespace) -> int:
    """Carry out the proof and return the exit status."""
    begun = time.perf_counter()
    kernels, _ = proving.kernels()
    try:
        for step in proving.steps(quick=args.quick):
            _show(step, quiet=args.quiet)
    except proving.DifferenceError as difference:
        print(f"utf8-abnf prove: {difference}", file=sys.stderr)
        return ILL_FORMED
    if not args.quiet:
        names = ", ".join(kernel.name for kernel in kernels)
        wide = ", ".join(f"{kernel.width} in {kernel.name}" for kernel in kernels if kernel.width)
        statement = STATEMENT.format(kernels=names, wide=f" ({wide})" if wide else "")
        print(f"\n{SAMPLED if args.quick else statement}\n\n{time.perf_counter() - begun:.0f} s")
    return OK


def _show(step: proving.Step, *, quiet: bool) -> None:
    """Run *step* and show its progress."""
    label = f"{step.kernel:8} {step.name}"
    progress = Progress("tasks", quiet=quiet)
    begun = time.perf_counter()
    for done in proving.run(step):
        progress.at(done, len(step.tasks), label)
    progress.clear()
    if not quiet:
        print(f"{label:52} equal  {time.perf_counter() - begun:6.1f} s", flush=True)
