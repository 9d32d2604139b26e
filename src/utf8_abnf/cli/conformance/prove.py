"""``utf8-abnf prove``: compare the installed kernels with the automaton, and print what that proves."""

from __future__ import annotations

import hashlib
import platform
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.conformance import proving
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.conformance.suite.parts import Group, Part

MAX_SHOWN = 10  # differences
HERE, THERE = "here and on this processor", "where the parts were run, and on the processors there"
STATEMENT = """\
Proved for {kernels}, as installed {where}:

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
`utf8-abnf prove merge FILE ...` enumerates nothing: it puts the JSON of all parts of a proof together.

exit status:
  0  proved; with --quick or --part: no difference was found
  1  a difference was found
  2  usage error, or no kernel is installed

examples:
  utf8-abnf prove --quick
  utf8-abnf prove --part 2/8 --json part2.json
  utf8-abnf prove merge part*.json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    add = parser.add_argument
    add("merge", nargs="*", metavar="merge FILE", help="the parts of a proof, to be put together")
    add("--quick", action="store_true", help="check a sample only; takes seconds")
    add("--part", metavar="I/N", help="every Nth task, beginning with the Ith: a part of a proof on several machines")
    add("--json", metavar="FILE", help="write what was enumerated, and each difference, to FILE as JSON")
    add("-q", "--quiet", action="store_true", help="print only differences, and show no progress")


def run(args: argparse.Namespace) -> int:
    """Carry out the proof, or put its parts together, and return the exit status."""
    from utf8_abnf.conformance.suite.parts import merged, read

    begun = time.perf_counter()
    if args.merge and (args.merge[0] != "merge" or args.part or args.quick):
        raise UsageError("`utf8-abnf prove merge FILE ...` takes files and no other option than --json and --quiet")
    try:
        found = merged([read(Path(name)) for name in args.merge[1:]]) if args.merge else _enumerated(args)
    except proving.DifferenceError as error:
        print(f"utf8-abnf prove: {error}", file=sys.stderr)
        return ILL_FORMED
    if found.run.get("command") != "prove":
        raise UsageError("these are not parts of `utf8-abnf prove`")
    if args.json:
        Path(args.json).write_text(found.to_json(), encoding="utf-8", newline="\n")
    differences = [each for group in found.groups for _, each in sorted(group.found.items())]
    for difference in differences[:MAX_SHOWN]:
        print(f"utf8-abnf prove: {difference}", file=sys.stderr)
    if len(differences) > MAX_SHOWN:
        print(f"utf8-abnf prove: and {len(differences) - MAX_SHOWN:,} other tasks found one", file=sys.stderr)
    if differences:
        return ILL_FORMED
    if not args.quiet:
        print(f"\n{_ending(found, HERE if not args.merge else THERE)}\n\n{time.perf_counter() - begun:.0f} s")
    return OK


def _enumerated(args: argparse.Namespace) -> Part:
    """Run the enumerations, or the part of them that *args* want, and return what they found."""
    from utf8_abnf import __version__
    from utf8_abnf.conformance.suite.parts import Group, Part, numbers

    name = args.part or "1/1"
    numbers(name)
    kernels = [[kernel.name, kernel.width] for kernel in proving.kernels()]  # NotProvedError where none is installed
    from utf8_abnf.validator import _kernel

    about = {
        "command": "prove",
        "made_by": f"utf8-abnf {__version__}",
        "quick": args.quick,
        "machine": platform.machine(),
        "installed": hashlib.sha256(Path(_kernel.__file__).read_bytes()).hexdigest(),
        "kernels": kernels,
    }
    groups = []
    for enumeration in proving.enumerations(quick=args.quick):
        groups.append(group := Group(enumeration.label))
        _run(enumeration, name, group, quiet=args.quiet)
    return Part(about, name, tuple(groups))


def _run(enumeration: proving.Enumeration, part: str, group: Group, *, quiet: bool) -> None:
    """Do *part* of *enumeration*, put what it shows into *group*, and show the progress."""
    from utf8_abnf.conformance.suite.parts import part_of

    label = f"{enumeration.kernel:8} {enumeration.name}"
    progress = Progress("tasks", quiet=quiet)
    begun = time.perf_counter()
    total = len([*part_of(enumeration.tasks, part)])
    for number, difference in proving.run(enumeration, part):
        group.done += 1
        if difference:
            group.found[number] = difference
        progress.at(group.done, total, label)
    progress.clear()
    if not quiet:
        verdict = "equal" if not group.found else "NOT EQUAL"
        print(f"{label:52} {verdict}  {time.perf_counter() - begun:6.1f} s", flush=True)


def _ending(found: Part, where: str) -> str:
    """Return what it means that *found* has no difference; *where* it was enumerated."""
    if found.name != "1/1":
        return f"Part {found.name} found no difference: `utf8-abnf prove merge FILE ...` needs all parts."
    if found.run["quick"]:
        return SAMPLED
    kernels = found.run["kernels"]
    wide = ", ".join(f"{width} in {name}" for name, width in kernels if width)
    names = ", ".join(name for name, _ in kernels)
    return STATEMENT.format(kernels=names, where=where, wide=f" ({wide})" if wide else "")
