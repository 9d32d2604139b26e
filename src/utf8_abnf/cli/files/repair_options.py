"""The options of ``repair``, and the policy that they spell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.cli.files import unpack_options
from utf8_abnf.codec import POLICIES
from utf8_abnf.errors import UsageError
from utf8_abnf.files.repairing.treatments import ANGLE, CESU8, DROP, ESCAPE, FFFD, MOJIBAKE, OVERLONG, UTF16, chain_of
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say, told

if TYPE_CHECKING:
    import argparse

LAST = (FFFD, *(f"{FFFD}:{name}" for name in POLICIES), DROP, ESCAPE, ANGLE)

DESCRIPTION = """\
Make well-formed UTF-8 of bytes that are not. Every well-formed character stays as it is; each ill-formed stretch is
treated as the options say. The result goes to standard output, or elsewhere with -o or --in-place."""

EPILOG = """\
The stretches are given to --cesu8, --overlong and --from, in this order; --to replaces what none of them knows.
Bytes of another encoding that are well-formed UTF-8 by chance stay as they are. An encoding with ASCII letters as
second bytes, such as Shift_JIS, can therefore be converted in part only. --utf16-in-place and --mojibake also change
well-formed bytes, and --from auto where all of an input is in one other encoding, or a letter of ASCII is the second
byte of a character. --from auto says what it takes and why, and refuses where the confidence is not high, or where
nothing shows which characters are meant as UTF-8.

what --to writes:
  fffd                     U+FFFD for each maximal subpart, as Unicode recommends
  fffd:per-byte            U+FFFD for each byte; the other policies are those of `utf8-abnf decode --replace`
  drop                     nothing. This can join what a filter kept apart: use it for text that nobody filters
  escape                   \\xE9 for the byte E9
  escape:angle             <E9>

Nothing is lost: --in-place writes a new file beside the old one and renames it, and keeps the old one as FILE.orig
unless there is a --log. A file that is not text, or begins as text in EBCDIC, is left alone; so is one that begins as
text in UTF-16 or UTF-32, except with --from auto, which converts it.

exit status:
  0  the output is well-formed; with --dry-run: nothing would be changed
  1  with --dry-run: something would be changed
  2  an input could not be read or written, or was left alone although it was named, or the command line is wrong

examples:
  printf 'caf\\303\\251, th\\351' | utf8-abnf repair --from windows-1252
  printf 'caf\\303\\251, th\\351' | utf8-abnf repair --from windows-1252 --dry-run
  utf8-abnf check -l texts                       # a folder of old files: which are not UTF-8?
  utf8-abnf repair --from auto --dry-run texts   # what would become of them?
  utf8-abnf repair --from auto --in-place --log changes.jsonl texts
  utf8-abnf repair --undo earlier.jsonl --in-place   # takes it back
  utf8-abnf repair --from windows-1252 --in-place --log changes.jsonl notes.txt
  utf8-abnf repair --to fffd:per-byte -o repaired src"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``repair``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.add_argument("paths", metavar="PATH", nargs="*", help="files and folders; - is standard input, the default")
    treatment = parser.add_argument_group("what is done with ill-formed bytes")
    add = treatment.add_argument
    add("--from", dest="codec", metavar="ENCODING",
        help="convert them from ENCODING, any codec of Python; auto: find out which")  # fmt: skip
    add("--to", choices=LAST, default=FFFD, metavar="POLICY", help="replace the others as POLICY says (default: fffd)")
    add("--cesu8", action="store_true", help="join pairs of surrogates, three bytes each, to one character")
    add(
        "--overlong",
        choices=["shortest"],
        help="write overlong sequences in the shortest form; DANGEROUS unless you know the program that wrote them",
    )
    add("--utf16-in-place", action="store_true", help="convert lines in UTF-16 that follow a byte order mark")
    add("--mojibake", action="store_true", help="decode text once that was encoded twice (needs ftfy)")
    output = parser.add_argument_group("where the result goes")
    add = output.add_argument
    text = unpack_options.not_empty
    add("-o", "--output", type=text, metavar="PATH", help="write into this file; for several inputs, into this folder")
    add("--in-place", action="store_true", help="replace the files; see below")
    add("--dry-run", action="store_true", help="write nothing, show each changed line before and after")
    add("--log", type=text, metavar="LOG", help="write each change into LOG, a new file, as JSON Lines")
    add("--undo", type=text, metavar="LOG", help="undo the changes of LOG: PATH is what was repaired")
    add("-q", "--quiet", action="store_true", help="print no summary and no progress")
    selection = parser.add_argument_group("what is repaired")
    add = selection.add_argument
    add("-R", "--follow", action="store_true", help="follow symbolic links in folders")
    add("--exclude", action="append", default=[], metavar="GLOB",
        help="leave out files and folders with such a name, as in '*.png'; may be repeated")  # fmt: skip
    unpack_options.add_repaired(parser)


def check(args: argparse.Namespace) -> None:
    """Raise ``UsageError`` for options that contradict each other."""
    places = [
        name
        for name, given in (("-o", args.output), ("--in-place", args.in_place), ("--dry-run", args.dry_run))
        if given
    ]
    if len(places) > 1:
        raise UsageError(say(messages.NOT_TOGETHER, options=", ".join(places)))
    if args.undo:
        others = ("codec", "cesu8", "overlong", "utf16_in_place", "mojibake", "dry_run", "log")
        if args.to != FFFD or any(getattr(args, name) for name in others):
            raise UsageError(say(messages.UNDO_ALONE))
    if args.dry_run and args.log:
        raise UsageError(say(messages.NOT_TOGETHER, options="--dry-run, --log"))


def policy_of(args: argparse.Namespace) -> str:
    """Return the policy that the options spell; ``UsageError`` where ``repair`` does not know it."""
    chosen = (
        (MOJIBAKE, args.mojibake),
        (UTF16, args.utf16_in_place),
        (CESU8, args.cesu8),
        (OVERLONG, args.overlong),
        (args.codec, args.codec is not None),
        (args.to, True),
    )
    policy = "+".join(name for name, wanted in chosen if wanted)
    try:
        chain_of(policy)
    except LookupError as error:
        raise UsageError(told(error.args[0])) from None
    return policy
