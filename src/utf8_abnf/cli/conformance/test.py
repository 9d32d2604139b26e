"""``utf8-abnf test``: run the suites against a decoder and report where it deviates from the grammar."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.cli.files.rows import add_target, add_timeout, target_of, timeouts
from utf8_abnf.cli.grammar.grammars import add_depth, add_samples, load_unrolled, sample
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.status import INTERRUPTED, OK
from utf8_abnf.conformance.harness.driving.session import INTERRUPTED as STOPPED_BY_USER
from utf8_abnf.conformance.harness.driving.worker import Limits
from utf8_abnf.conformance.harness.expected import read, write
from utf8_abnf.conformance.harness.formats import FORMATS, render
from utf8_abnf.conformance.harness.known import chosen
from utf8_abnf.conformance.harness.options import RunOptions
from utf8_abnf.conformance.harness.run import execute
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.conformance.harness.report import Report

EPILOG = """\
targets (docs/how-to/test-a-decoder.md has more):
  py:MODULE:NAME    a Python function of bytes that raises, or returns a truth value or an error;
                    or a class with accepts, first_error, replace, decode or stream
  lib:PATH:SYMBOL   int SYMBOL(const uint8_t *data, size_t size) in a shared library
  stream:COMMAND    a program that speaks the stream protocol: `utf8-abnf adapter c` writes one
  exec:COMMAND      a program started for each case: bytes on stdin; status 0 accepts, 1 rejects
  known:NAME        a decoder that --list names, or that a file of --rows describes

exit status:
  0  the decoder conforms
  1  it does not, or with --strict not everything could be judged
  2  usage or I/O error
  3  it could not be started, kept crashing or was too slow; 130 if interrupted

examples:
  utf8-abnf test --level L1 exec:'iconv -f UTF-8 -t UTF-8'
  utf8-abnf test --level L0 --accept 1 --reject 0 exec:'env LC_ALL=C.UTF-8 grep -qaxv .*'
  utf8-abnf test --level L3 lib:./decoder.so:accepts"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``test``."""
    parser.description = "Run the conformance suites against a decoder and report what it wrongly accepts or rejects."
    parser.epilog = EPILOG
    add = parser.add_argument
    add_target(parser, nargs="?")
    add("--list", action="store_true", help="list known decoders, all or those matching TARGET")
    add(
        "--level",
        metavar="LEVEL",
        choices=("L0", "L1", "L2", "L3"),
        help="L0, L1 (for exec:), L2 (default) or L3",
    )
    add("--family", action="append", default=[], metavar="GLOB", help="only families whose name matches")
    add("--case", action="append", default=[], metavar="GLOB", help="only cases whose id matches, like 'W/k0/*'")
    add("--grammar", metavar="FILE", help="an ABNF grammar to test against (default RFC 3629's)")
    add("--start", metavar="RULE", help="the rule that inputs must match (default the first)")
    add_depth(parser)
    add_samples(parser)
    add("--fail-fast", action="store_true", help="stop at the first failure")
    add_timeout(parser)
    add("--max-time", type=float, default=600.0, metavar="S", help="stop after S seconds (default 600; 0: never)")
    add("--jobs", type=int, default=0, metavar="N", help="processes at once for exec: (default: all cores)")
    add("--format", metavar="FORMAT", choices=FORMATS, default="text", help=f"{', '.join(FORMATS)}")
    add("-o", "--output", metavar="FILE", help="write the report to FILE, a text to standard output")
    add("-q", "--quiet", action="store_true", help="show no progress, and no report if it conforms")
    add("--strict", action="store_true", help="fail if anything could not be judged")
    add("--expected", metavar="FILE", help="a TOML file of expected deviations, with reasons")
    add("--write-expected", metavar="FILE", help="write the deviations found as such a file")


def run(args: argparse.Namespace) -> int:
    """Test one decoder and return the exit status."""
    if args.list:
        return _list([args.target] if args.target else [], args.rows)
    if args.target is None:
        raise UsageError("name the decoder to test, like exec:'iconv -f UTF-8 -t UTF-8'; --help shows how")
    progress = Progress("cases", quiet=args.quiet)
    options = _options(args, progress)
    try:
        report = execute(target_of(args, options.grammar), options)
    finally:
        progress.clear()
    if args.write_expected:
        Path(args.write_expected).write_text(write(report), encoding="utf-8")
    _print(report, args)
    return INTERRUPTED if report.stopped.startswith(STOPPED_BY_USER) else report.exit_status


def _options(args: argparse.Namespace, progress: Progress) -> RunOptions:
    grammar = None
    if args.grammar:
        grammar = load_unrolled(args.grammar, args.start, args.depth)
    if args.start and grammar is None:
        raise UsageError("--start needs --grammar FILE")
    sample(args, grammar)
    return RunOptions(
        level=args.level or ("L1" if target_of(args).kind == "exec" else "L2"),
        families=tuple(args.family),
        ids=tuple(args.case),
        grammar=grammar,
        start=args.start,
        limits=Limits(*timeouts(args), jobs=args.jobs),
        fail_fast=args.fail_fast,
        max_seconds=args.max_time,
        expected=read(Path(args.expected)) if args.expected else {},
        strict=args.strict,
        progress=lambda family, done, total: progress.at(done, total, family),
        say=progress.say,
    )


def _print(report: Report, args: argparse.Namespace) -> None:
    text = render(report, args.format)
    if args.output:
        Path(args.output).write_text(text, encoding="utf-8")
        text = render(report, "text")
    if not (args.quiet and report.conforms):
        sys.stdout.write(text)


def _list(names: list[str], rows: list[str]) -> int:
    for decoder in chosen(names, rows):
        print(f"{decoder.name:26} {'here' if decoder.available() else '-':5} {decoder.about}")
    return OK
