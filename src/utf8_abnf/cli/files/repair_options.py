"""The options of ``repair``, and the policy that they spell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.cli.arguments import not_empty
from utf8_abnf.codec import POLICIES
from utf8_abnf.errors import UsageError
from utf8_abnf.files.repairing.stream import BYTES, LINE, UNITS
from utf8_abnf.files.repairing.treatments import ANGLE, CESU8, DROP, ESCAPE, FFFD, OVERLONG, chain_of
from utf8_abnf.language.catalogue import told

if TYPE_CHECKING:
    import argparse

LAST = (FFFD, *(f"{FFFD}:{name}" for name in POLICIES), DROP, ESCAPE, ANGLE)

DESCRIPTION = """\
Make well-formed UTF-8 of bytes that are not. The result goes to standard output, or elsewhere with -o or --in-place."""

EPILOG = """\
--cesu8 and --overlong take the bytes that they know, --from takes the others, and --to what nothing else takes.
`--from NAME` decodes each line that is not UTF-8 as a whole and keeps every other line. With `--unit bytes` it decodes
the ill-formed bytes only and keeps every well-formed character, also one that came about by chance.

what --to writes:
  fffd           U+FFFD for each maximal subpart, as Unicode recommends; fffd:per-byte for each byte
  drop           nothing. This can join what a filter kept apart: for text that nobody filters
  escape         \\xE9 for the byte E9; escape:angle writes <E9>

--in-place writes a new file, renames it, and keeps the old one as FILE.orig unless there is a --log. A file that is not
text is left alone; so is one that begins in UTF-16 or UTF-32, unless --from names that.

exit status:
  0  the output is well-formed; with --dry-run: nothing would be changed
  1  with --dry-run: something would be changed
  2  an input could not be read or written, or was named and left alone, or the command line is wrong

examples:
  printf 'caf\\351\\nna\\303\\257ve\\n' | utf8-abnf repair --from windows-1252
  utf8-abnf repair --from koi8-r --dry-run texts
  utf8-abnf repair --from windows-1252 --in-place --log changes.jsonl notes.txt
  utf8-abnf repair --undo earlier.jsonl --in-place   # takes it back"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``repair``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    add = parser.add_argument
    add("paths", metavar="PATH", nargs="*", help="files and folders; - is standard input, the default")
    add = parser.add_argument_group("what is done with ill-formed bytes").add_argument
    add("--from", dest="codec", metavar="NAME", help="decode them from encoding NAME, any codec of Python")
    add("--unit", choices=UNITS, help="what --from decodes as a whole (default: line)")
    add("--to", choices=LAST, default=FFFD, metavar="POLICY", help="replace what nothing else takes (default: fffd)")
    add("--cesu8", action="store_true", help="join pairs of surrogates to one character")
    add("--overlong", choices=["shortest"], metavar="shortest", help="shorten overlong sequences; DANGEROUS")
    group = parser.add_argument_group("where the result goes")
    add = group.add_mutually_exclusive_group().add_argument
    add("-o", "--output", type=not_empty, metavar="PATH", help="write into this file")
    add("--in-place", action="store_true", help="replace the files")
    add("--dry-run", action="store_true", help="write nothing, show each changed line")
    add = group.add_argument
    add("--log", type=not_empty, metavar="LOG", help="write each change into a new file LOG (JSON Lines)")
    add("--undo", type=not_empty, metavar="LOG", help="undo the changes of LOG: PATH is what was repaired")
    add("-q", "--quiet", action="store_true", help="print no summary and no progress")
    add("--exclude", action="append", default=[], metavar="GLOB", help="leave out such files in folders; repeatable")


def check(args: argparse.Namespace) -> None:
    """Raise ``UsageError`` for options that contradict each other."""
    if args.dry_run and args.log:
        raise UsageError("--dry-run changes nothing that a --log could undo")
    if args.undo and (
        args.to != FFFD or any((args.codec, args.unit, args.cesu8, args.overlong, args.dry_run, args.log))
    ):
        raise UsageError("--undo LOG takes no option that says how to repair, no --dry-run and no --log")
    if args.unit and args.codec is None:
        raise UsageError("--unit says what --from decodes: give --from as well")


def policy_of(args: argparse.Namespace) -> tuple[str, str]:
    """Return policy and unit that the options spell; ``UsageError`` where ``repair`` does not know them."""
    chosen = ((CESU8, args.cesu8), (OVERLONG, args.overlong), (args.codec, args.codec is not None), (args.to, True))
    policy = "+".join(name for name, wanted in chosen if wanted)
    try:
        chain_of(policy)
    except LookupError as error:
        raise UsageError(told(error.args[0])) from None
    return policy, args.unit or (BYTES if args.codec is None else LINE)
