"""``utf8-abnf check``: files, folders and standard input in, a diagnostic for each error out."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli import arguments
from utf8_abnf.cli.files.checking import Check
from utf8_abnf.cli.files.sources import opened
from utf8_abnf.cli.names import STDIN, reason_of, shown
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.files.profiles import Profile

DESCRIPTION = """\
Check that files, folders (with all files in them) or standard input are well-formed UTF-8 (RFC 3629 section 4). For an
error the report shows the bytes, the bytes that were expected, the rule, and the reason."""

EPILOG = """\
What each option means, the profiles and the settings of a project: docs/reference/options.md

exit status:
  0  all inputs are well-formed
  1  an input is ill-formed, has a character that --profile refuses, or does not follow --bom
  2  an input could not be read (even if another one is ill-formed), or the command line is wrong

examples:
  utf8-abnf check src README.md
  printf 'ab\\355\\240\\200c' | utf8-abnf check
  git ls-files -z | utf8-abnf check --format github --files-from -
  utf8-abnf check --profile postgresql src"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``check``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    text = arguments.not_empty
    paths = "files, folders and URLs (s3://…, https://…, with *); - is standard input, the default"
    parser.add_argument("paths", metavar="PATH", nargs="*", help=paths)

    add = parser.add_argument_group("what is printed").add_argument
    add("-q", "--quiet", action="store_true", help="print nothing, only set the exit status")
    add("-l", "--list", action="store_true", help="print only the names of the ill-formed inputs")
    add("-0", "--null", action="store_true", help="the same, with NUL after each name")
    formats = ("text", "json", "jsonl", "github", "sarif")
    add("--format", choices=formats, default="text", help="the format of the report (default: text)")
    add("--first", action="store_true", help="stop at the first error in each input")
    add("--max-errors", type=arguments.number, default=10, metavar="N",
        help="show N errors of each input (default 10; 0: all)")  # fmt: skip

    add = parser.add_argument_group("what is checked").add_argument
    add("-R", "--follow", action="store_true", help="follow symbolic links in folders")
    add("--exclude", action="append", default=[], metavar="GLOB", help="leave out what GLOB, as in .gitignore, matches")
    add("--force-exclude", action="store_true", help="leave it out also where the command line names it")
    add("--files-from", metavar="FILE", help="check also the files named in FILE, on lines or ended by NUL")
    add("-a", "--text", action="store_true", default=None, help="in folders, check binary files (with NUL) as well")
    add("--bom", choices=("require", "forbid"), metavar="RULE", help="require or forbid the byte order mark EF BB BF")
    add("--profile", type=text, metavar="NAME", help="refuse characters as postgresql, json … or FILE does")

    add = parser.add_argument_group("packed files, and many").add_argument
    add("-z", "--unpack", action="store_true", help="check the content of gzip, zip, tar, Parquet … files")
    add("--column", action="append", default=[], metavar="NAME", help="check only this column; may be repeated")
    add("--ledger", type=text, metavar="FOLDER", help="keep verdicts in FOLDER; read only what has changed")
    add("--scheduler", type=text, metavar="URL", help='check on a cluster of Dask, or on its "threads"')


def run(args: argparse.Namespace) -> int:
    """Check what *args* name and return the exit status."""
    paths = args.paths
    if args.files_from is not None:
        paths = [*paths, *_named_in(args.files_from)]
    elif not paths:
        if sys.stdin is not None and sys.stdin.isatty():
            raise UsageError("nothing to check: give files or folders, or - to type the input here")
        paths = [STDIN]
    if args.ledger or args.scheduler:
        from utf8_abnf.cli.files import recording  # here, since it needs libraries of others

        return recording.run(args, paths)
    return Check(args, _profile(args.profile) if args.profile else None).all(paths)


def _profile(name: str) -> Profile:
    from utf8_abnf.files.profiles import Profile, profile_names  # here, since it needs the whole pipeline

    if name not in profile_names() and not os.path.exists(name):
        raise UsageError(f"there is no profile {name}, nor such a file; the profiles are {', '.join(profile_names())}")
    return Profile.load(name)


def _named_in(path: str) -> list[str]:
    """Return the names in a list of files: each ends with NUL where the list has one, else with a line end."""
    try:
        with opened(path) as source:
            data = source.file.readall()
    except OSError as error:
        raise UsageError(f"{shown(path)}: {reason_of(error)}") from None
    return [os.fsdecode(name) for name in data.split(b"\0" if b"\0" in data else b"\n") if name]
