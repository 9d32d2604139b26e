"""``utf8-abnf test``: run the suites against a decoder and report where it deviates from the grammar."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.cli.conformance.targets import add_max_time, add_target, add_timeout, limits_of, target_of
from utf8_abnf.cli.grammar.grammars import add_suite_grammar, suite_grammar
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.status import INTERRUPTED, OK
from utf8_abnf.conformance.harness.driving.session import INTERRUPTED as STOPPED_BY_USER
from utf8_abnf.conformance.harness.expected import Expected, read, write
from utf8_abnf.conformance.harness.findings import LevelEnd
from utf8_abnf.conformance.harness.formats import FORMATS, render
from utf8_abnf.conformance.harness.formats.json import JSONL, json_line
from utf8_abnf.conformance.harness.formats.sarif import source_of
from utf8_abnf.conformance.harness.known import chosen
from utf8_abnf.conformance.harness.options import RunOptions
from utf8_abnf.conformance.harness.run import execute
from utf8_abnf.conformance.suite import LEVELS
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.conformance.harness.findings import Finding

DESCRIPTION = """\
Run the conformance suites against a decoder and report what it wrongly accepts or rejects. `utf8-abnf smoke TARGET`
comes first: it shows in a second whether the decoder is called as it should be."""

EPILOG = """\
targets (docs/how-to/test-a-decoder.md has more):
  py:MODULE:NAME    a Python function of bytes that raises, or returns a truth value or an error;
                    or a class with accepts, first_error, replace, decode or stream
  lib:PATH:SYMBOL   int SYMBOL(const uint8_t *data, size_t size) in a shared library
  stream:COMMAND    a program that speaks the stream protocol: `utf8-abnf adapter c` writes one
  exec:COMMAND      a program started for each case: bytes on stdin; status 0 accepts, 1 rejects
  known:NAME        a decoder that --list or a file of --rows names

exit status:
  0  the decoder conforms
  1  it does not, or with --strict not everything could be judged
  2  usage or I/O error
  3  it could not be started, kept crashing or was too slow; 130 if interrupted

examples:
  utf8-abnf test --level L1 exec:'iconv -f UTF-8 -t UTF-8'
  utf8-abnf test --level L0 --accept 1 --reject 0 exec:'env LC_ALL=C.UTF-8 grep -qaxv .*'
  utf8-abnf test --level L3 lib:./decoder.so:accepts"""

ENDINGS = {".txt": "text", ".json": "json", ".xml": "junit", ".md": "markdown", ".sarif": "sarif"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``test``."""
    parser.description = DESCRIPTION
    parser.epilog = EPILOG
    add = parser.add_argument
    add_target(parser, nargs="?")
    add("--list", action="store_true", help="list known decoders, all or those matching TARGET")
    add("--level", metavar="LEVEL", choices=LEVELS, help="L0, L1 (for exec:), L2 (default) or L3")
    add("--family", action="append", default=[], metavar="GLOB", help="only families whose name matches")
    add("--case", action="append", default=[], metavar="GLOB", help="only cases whose id matches, like 'W/k0/*'")
    add_suite_grammar(parser)
    add("--keep-going", action="store_true", help="ask the next level after one that failed")
    add_timeout(parser)
    add_max_time(parser)
    formats = f"text, {JSONL}, or one that -o writes"
    add("--format", metavar="FORMAT", choices=(*FORMATS, JSONL), default="text", help=formats)
    add("-o", "--output", action="append", default=[], metavar="FILE", help=f"also write FILE: {' '.join(ENDINGS)}")
    add("--source", metavar="FILE", help="the source file that SARIF names")
    add("-v", "--verbose", action="store_true", help="show all families of cases")
    add("-q", "--quiet", action="store_true", help="show no progress, and no report if it conforms")
    add("--strict", action="store_true", help="fail if anything could not be judged")
    add("--expected", metavar="FILE", help="a TOML file of expected deviations, with reasons")
    add("--write-expected", metavar="FILE", help="write the deviations found as such a file")


def run(args: argparse.Namespace) -> int:
    """Test one decoder and return the exit status."""
    if args.list:
        for decoder in chosen([args.target] if args.target else [], args.rows):
            print(f"{decoder.name:26} {'here' if decoder.available() else '-':5} {decoder.about}")
        return OK
    if args.target is None:
        raise UsageError("name the decoder to test, like exec:'iconv -f UTF-8 -t UTF-8'; --help shows how")
    outputs = {name: _format_of(name) for name in args.output}
    grammar = suite_grammar(args)
    target = target_of(args, grammar)
    expected = read(Path(args.expected)) if args.expected else Expected({}, "")
    progress = Progress("cases", quiet=args.quiet)
    told: list[str] = []
    is_told = args.format == JSONL or (args.format == "text" and not args.quiet)
    options = RunOptions(
        level=args.level or ("L1" if target.expensive else "L2"),
        families=tuple(args.family),
        ids=tuple(args.case),
        grammar=grammar,
        start=args.start,
        limits=limits_of(args),
        max_seconds=args.max_time,
        keep_going=args.keep_going,
        expected=expected.reasons,
        expected_level=expected.level,
        strict=args.strict,
        progress=lambda family, done, total: progress.at(done, total, family),
        tell=partial(_tell, args, progress, told) if is_told else None,
    )
    try:
        report = execute(target, options)
    finally:
        progress.clear()
    report = replace(report, source=source_of(args.source) if args.source else "")
    if args.write_expected:
        Path(args.write_expected).write_text(write(report), encoding="utf-8")
    for name, form in outputs.items():
        Path(name).write_text(render(report, form), encoding="utf-8")
    if args.format == JSONL:
        print(json_line(report))
    elif not (args.quiet and report.conforms):
        sys.stdout.write("\n" * bool(told) + render(report, args.format, verbose=args.verbose))
    return INTERRUPTED if report.stopped.startswith(STOPPED_BY_USER) else report.exit_status


def _format_of(name: str) -> str:
    ending = Path(name).suffix
    if ending not in ENDINGS:
        raise UsageError(f"{name}: a report's name ends with one of {', '.join(ENDINGS)}, which says its format")
    return ENDINGS[ending]


def _tell(args: argparse.Namespace, progress: Progress, told: list[str], found: Finding | LevelEnd) -> None:
    """Print what was *found*, as text or as a line of JSON; a level's end as text only if another level follows.

    *told* gets the line.
    """
    if args.format == JSONL:
        line = json_line(found)
    elif isinstance(found, LevelEnd) and not found.following:
        return
    else:
        line = str(found)
    progress.clear()
    told.append(line)
    print(line, flush=True)
