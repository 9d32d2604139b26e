"""``utf8-abnf prove``: compare the installed kernels with the automaton, and print what that proves."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.conformance import proving

if TYPE_CHECKING:
    import argparse

MAX_SHOWN = 10  # differences
STATEMENT = """\
Proved for {kernels}, as installed here and on this processor:

  On every text of any size, is_valid and first_error answer as the minimal automaton of grammar/utf8.abnf does,

given the enumeration above and these assumptions, which docs/kernel-proof.md derives from the source:
  locality   whether a lane objects depends only on its own byte and the three before it{wide}
  coverage   every offset lies in a judged block, or in an all-ASCII one, or is read by utf8_sequence; the bytes before
             a block are the text's own, or ASCII before its start
  end        the check of the last three bytes does not depend on their address or on the text's size
  gathering  objections are ORed, and none is withdrawn"""

SAMPLED = """\
This was a quick check: in every lane, all windows of the lowest and highest byte of each byte class, and a sample of
the other windows. No difference was found. It does not prove anything about all inputs: leave out --quick for that."""

DESCRIPTION = """\
Compare every kernel that runs here with the automaton of RFC 3629's grammar: all 2^32 windows of four bytes in every
lane, and every error at every offset. It takes minutes on all processors, and prints what it proves."""

EPILOG = """\
exit status:
  0  proved; with --quick: no difference was found
  1  a difference was found
  2  usage error, or no kernel is installed

example:
  utf8-abnf prove --quick"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.add_argument("--quick", action="store_true", help="check a sample only; takes seconds")


def run(args: argparse.Namespace) -> int:
    """Carry out the proof and return the exit status."""
    begun = time.perf_counter()
    kernels = proving.kernels()  # NotProvedError where none is installed
    try:
        enumerations = proving.enumerations(quick=args.quick)
    except proving.DifferenceError as error:
        print(f"utf8-abnf prove: {error}", file=sys.stderr)
        return ILL_FORMED
    differences = [each for enumeration in enumerations for each in _differences(enumeration)]
    for difference in differences[:MAX_SHOWN]:
        print(f"utf8-abnf prove: {difference}", file=sys.stderr)
    if len(differences) > MAX_SHOWN:
        print(f"utf8-abnf prove: and {len(differences) - MAX_SHOWN:,} other tasks found one", file=sys.stderr)
    if differences:
        return ILL_FORMED
    print(f"\n{SAMPLED if args.quick else _proved(kernels)}\n\n{time.perf_counter() - begun:.0f} s")
    return OK


def _differences(enumeration: proving.Enumeration) -> list[str]:
    """Do *enumeration*, show the progress, and return what differs, in the order of the tasks."""
    label = f"{enumeration.kernel:8} {enumeration.name}"
    progress = Progress("tasks")
    begun = time.perf_counter()
    differences = {}
    for done, (number, difference) in enumerate(proving.run(enumeration), 1):
        if difference:
            differences[number] = difference
        progress.at(done, len(enumeration.tasks), label)
    progress.clear()
    print(f"{label:52} {'NOT EQUAL' if differences else 'equal'}  {time.perf_counter() - begun:6.1f} s", flush=True)
    return [difference for _, difference in sorted(differences.items())]


def _proved(kernels: tuple[proving.Kernel, ...]) -> str:
    wide = ", ".join(f"{kernel.width} in {kernel.name}" for kernel in kernels if kernel.width)
    names = ", ".join(kernel.name for kernel in kernels)
    return STATEMENT.format(kernels=names, wide=f" ({wide})" if wide else "")
