"""``utf8-abnf check``: files, folders and standard input in, a diagnostic for each error out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli import sources
from utf8_abnf.cli.files import recorded, reports, unpack_options
from utf8_abnf.cli.files.checking import Check
from utf8_abnf.cli.sources import STDIN, opened
from utf8_abnf.errors import UsageError
from utf8_abnf.language.catalogue import say

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.files.profiles import Profile

FORMATS = {
    "text": reports.TextReporter,
    "json": reports.JsonReporter,
    "jsonl": reports.JsonLinesReporter,
    "github": reports.GitHubReporter,
    "sarif": reports.SarifReporter,
    "junit": reports.JUnitReporter,
}
BOM = ("require", "forbid")

DESCRIPTION = """\
Check that files, folders (with all files in them) or standard input are well-formed UTF-8 as RFC 3629 section 4
defines it. Well-formed input prints nothing,
unless it was probably encoded twice. For an error the report shows the bytes, the bytes that were expected, the
rule, and the reason."""

EPILOG = """\
Lines end at LF; lines and columns count from 1, offsets from 0. A column is a character, or an ill-formed sequence
(Unicode's maximal subpart). Hidden files are checked; the folders .git, .hg, .svn and .bzr are left out. Symbolic links
in a folder are followed only with --follow. Files in folders that are binary, as git tells it, are left out and
counted; a file that the command line names is always judged. Named pipes, sockets and devices in a folder are left
out; a pipe that the command line names is read; a device that it names is refused, since it may never end.

With --profile, well-formed characters that a target refuses are errors as well. The profiles:
  postgresql           no NUL, which text and varchar of PostgreSQL cannot store
  redshift             no noncharacters, which COPY of Amazon Redshift reports or replaces
  mysql-utf8mb3        no characters of four bytes, such as emoji: utf8mb3 (once utf8) of MySQL and MariaDB
  xml-1.0, xml-1.1     what can stand in an XML document as it is
  json                 what can stand in a JSON text as it is (a TAB or line end within a string is not found)
  i-json               the same without noncharacters (RFC 7493)
  unicode-assignables  no legacy controls and no noncharacters (RFC 9839)
  noncharacters        no noncharacters
  replacement          no U+FFFD: text in which nothing was lost before
A grammar of your own derives all sequences of the characters that are allowed, which are code points, as in text =
*( %x0A / %x20-7E / %xA0-D7FF ). Where NUL is refused, files in folders are judged even if they are binary.

A project sets defaults of --baseline, --bom, --exclude, --follow, --format, --max-errors, --profile, --text
and --vcs in utf8-abnf.toml, or in the table [tool.utf8-abnf] of pyproject.toml: exclude = ["*.png"], bom = "forbid".

The options -q, -l and -i work as in isutf8, with two differences: where isutf8 cannot read a file, its status is 1, and
its -i leaves out empty files.

exit status:
  0  all inputs are well-formed, or all their errors are known by --baseline
  1  an input is ill-formed, has a character that --profile or --grammar refuses, or does not follow --bom
  2  an input could not be read (even if another one is ill-formed), or the command line is wrong

examples:
  utf8-abnf check src README.md
  printf 'ab\\355\\240\\200c' | utf8-abnf check
  find . -name '*.csv' -print0 | xargs -0 utf8-abnf check -0 | xargs -0 -r file
  utf8-abnf check --format github --vcs .
  utf8-abnf check --staged
  utf8-abnf check --profile postgresql src
  utf8-abnf check --baseline old.json --update-baseline src"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``check``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    add = parser.add_argument
    add(
        "paths",
        metavar="PATH",
        nargs="*",
        help="files, folders and URLs (s3://…, https://…, with *); - is standard input, the default",
    )
    output = parser.add_argument_group("what is printed")
    add = output.add_argument
    add("-q", "--quiet", action="store_true", help="print no report and no progress, only set the exit status")
    add("-l", "--list", action="store_true", help="print only the names of the ill-formed inputs")
    add("-i", "--invert", action="store_true", help="print only the names of the well-formed inputs")
    add("-0", "--null", action="store_true", help="as -l or -i, with NUL instead of a newline after each name")
    add("--format", choices=FORMATS, default="text", help="the format of the report (default: text)")
    add("--first", action="store_true", help="stop at the first error in each input")
    add("--max-errors", type=unpack_options.number_from(0), default=10, metavar="N",
        help="show the first N errors of each input and count the others (default: 10; 0 shows all)")  # fmt: skip
    selection = parser.add_argument_group("what is checked")
    add = selection.add_argument
    add("-R", "--follow", action="store_true", help="follow symbolic links in folders")
    add("--exclude", action="append", default=[], metavar="GLOB",
        help="leave out files and folders with such a name, as in '*.png'; may be repeated")  # fmt: skip
    add("--vcs", action="store_true", help="in folders, leave out what git ignores")
    add("--staged", action="store_true", help="check what the next commit would change, as git holds it (in PATHs)")
    add("--files-from", metavar="FILE", help="check also the files named in FILE (-: standard input), one on each line")
    binary = selection.add_mutually_exclusive_group()
    head = f"a NUL in their first {sources.BINARY_HEAD:,} bytes"
    binary.add_argument("-I", "--skip-binary", action="store_false", dest="text", default=None,
        help=f"leave out files in folders with {head}, as git does: the default")  # fmt: skip
    binary.add_argument("-a", "--text", action="store_true", help="check these files as well")
    add("--bom", choices=BOM, metavar="RULE",
        help="require: each input begins with the byte order mark EF BB BF; forbid: no input does")  # fmt: skip
    targets = selection.add_mutually_exclusive_group()
    text = unpack_options.not_empty
    targets.add_argument("--profile", type=text, metavar="NAME",
        help="report also the characters that a target refuses, as in postgresql: see below")  # fmt: skip
    targets.add_argument("--grammar", type=text, metavar="FILE",
        help="report also the characters that this ABNF grammar refuses")  # fmt: skip
    add("--baseline", type=text, metavar="FILE", help="report only errors that are not in FILE, the known ones")
    add("--update-baseline", action="store_true",
        help="write all errors to FILE if it does not exist; otherwise take out those that are gone")  # fmt: skip
    add("-j", "--jobs", type=unpack_options.number_from(1), default=None, metavar="N",
        help="check a large file, or many files, in N processes (default: one for each CPU, 8 at most)")  # fmt: skip
    unpack_options.add(parser)
    recorded.add(parser)


def run(args: argparse.Namespace) -> int:
    """Check what *args* name and return the exit status."""
    if args.update_baseline and not args.baseline:
        from utf8_abnf.language import messages

        raise UsageError(say(messages.BASELINE_WANTED))
    paths = args.paths
    if args.files_from is not None:
        paths = [*paths, *_named_in(args.files_from)]
    elif not paths and not args.staged:
        if sys.stdin is not None and sys.stdin.isatty():
            from utf8_abnf.language import messages

            raise UsageError(say(messages.NOTHING_TO_CHECK))
        paths = [STDIN]
    if recorded.wanted(args):
        return recorded.run(args, paths, _reporter(args))
    return Check(args, _reporter(args), _profile(args)).all(paths)


def _profile(args: argparse.Namespace) -> Profile | None:
    if not (args.profile or args.grammar):
        return None
    from utf8_abnf.files.profiles import Profile, profile_names
    from utf8_abnf.language import messages

    if args.grammar:  # --profile may come from the settings
        return Profile.load(args.grammar)
    if args.profile not in profile_names():
        raise UsageError(say(messages.NO_PROFILE, name=args.profile, names=", ".join(profile_names())))
    return Profile.load(args.profile)


def _named_in(path: str) -> list[str]:
    try:
        with opened(path, notice=lambda text: print(f"utf8-abnf: {text}", file=sys.stderr)) as source:
            return sources.names_in(source.first + source.file.readall())
    except OSError as error:
        raise UsageError(f"{sources.shown(path)}: {sources.reason_of(error)}") from None


def _reporter(args: argparse.Namespace) -> reports.Reporter:
    if args.quiet:
        return reports.Reporter()
    if args.list or args.invert or args.null:
        verdict = reports.WELL_FORMED if args.invert else reports.ILL_FORMED
        return reports.NameReporter(verdict, b"\0" if args.null else b"\n")
    reporter: reports.Reporter = FORMATS[args.format]()
    return reporter
