"""``utf8-abnf test``: run the suites against a decoder and report where it deviates from the grammar."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.cli.files.rows import add_target, add_timeout, target_of, timeouts
from utf8_abnf.cli.grammar.grammars import add_depth, add_samples, add_values, load_unrolled, sample
from utf8_abnf.cli.output import opened
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.status import ILL_FORMED, INTERRUPTED, OK
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.conformance.harness.options import RunOptions
    from utf8_abnf.conformance.harness.report import Report
    from utf8_abnf.conformance.suite.parts import Part

EPILOG = """\
targets:
  py:MODULE:NAME    a Python function of bytes: it accepts when it returns and refuses when it raises, or returns truth
                    values, an error or None, (ok, message), (text, error), a dict: the report says what was understood,
                    and what cannot be is not judged. Or a class or object: see below
  lib:PATH:SYMBOL   int SYMBOL(const uint8_t *data, size_t size) in a shared library
  stream:COMMAND    a program that speaks the stream protocol: `utf8-abnf adapter c` writes one
  exec:COMMAND      a program started once for each case: bytes on standard input, exit status 0 accepts, 1 rejects;
                    65 or 2 rejects if it is seen to; --accept and --reject say it otherwise
  known:NAME        a decoder that is known already: `utf8-abnf test --list` names them; --rows adds others

methods of a Python class or object, each with the mode that it adds:
  accepts(data) -> bool                        v  like a function
  first_error(data) -> None | (offset, length) p  or an offset, or an object with start and end
  replace(data) -> str                         r  or decode(data) -> str, which raises to refuse
  stream() -> stream                           s  feed(chunk) -> None | False | str, finish() -> bool | None | str
  feed(chunk), finish() or close()             s  a class of streams, without stream()
  decode(chunk, final) -> str, reset()         s  an incremental decoder as in `codecs`
  reset(), pending, error                      i  of a stream, if it has them: whether it waits for more of a
                                                  character, and the offset of its first error

levels:
  L0  some hundred cases, few enough to read
  L1  some ten thousand cases, small enough to start one process per case: the default for exec:
  L2  millions of cases, small enough for a pipe: the default for all others
  L3  billions of cases, for decoders in the same process
With --grammar they are budgets: a family of cases belongs to the first level that has room for it, for 1,000 cases
(L0), 50,000 (L1) or 20 million (L2).

parts:
  `utf8-abnf test TARGET --level L3 --part I/N -o FILE` judges a part of the cases in process, and writes what it found.
  `utf8-abnf test merge FILE ...` takes the files of all parts, asks the decoder for the rest, and reports on the whole.

exit status:
  0  the decoder conforms
  1  it does not, or with --strict not everything could be judged
  2  usage or I/O error
  3  the decoder could not be started; or the test was stopped because it kept crashing or was too slow, and it was not
     seen to deviate; 130 if the test was interrupted

examples:
  utf8-abnf test --level L1 exec:'iconv -f UTF-8 -t UTF-8'
  utf8-abnf test --level L0 --accept 1 --reject 0 exec:'env LC_ALL=C.UTF-8 grep -qaxv .*'
  utf8-abnf test --level L3 --part 2/8 -o part2.json lib:./decoder.so:accepts
  utf8-abnf test merge part*.json --format markdown"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``test``."""
    from utf8_abnf.conformance.harness.formats import FORMATS

    parser.description = "Run the conformance suites against a decoder and report what it wrongly accepts or rejects."
    parser.epilog = EPILOG
    add = parser.add_argument
    add_target(parser, nargs="?")
    add("files", nargs="*", metavar="FILE", help="after `merge` in the place of TARGET: the parts of a run")
    add(
        "--list",
        action="store_true",
        help="list the known decoders, or those that are named ('python*'), and whether they are installed",
    )
    what = parser.add_argument_group("which cases")
    add = what.add_argument
    add("--level", choices=["L0", "L1", "L2", "L3"], help="the size of the suite: see below")
    add(
        "--family",
        action="append",
        default=[],
        metavar="GLOB",
        help="only families whose name matches; may be repeated",
    )
    add("--case", action="append", default=[], metavar="GLOB", help="only cases whose id matches, like 'W/k0/*'")
    add(
        "--rule",
        action="append",
        default=[],
        metavar="GLOB",
        help="only cases that use a rule that matches, like 'UTF8-3*'",
    )
    add("--grammar", metavar="FILE", help="an ABNF grammar to test against (default RFC 3629's)")
    add("--start", metavar="RULE", help="the rule that inputs must match (default the first)")
    add_values(what)
    add_depth(what)
    add_samples(what)
    add("--seed", type=int, metavar="N", help="shuffle the cases; N is the seed")
    add("--part", metavar="I/N", help="every Nth block of the cases judged in process, beginning with the Ith")
    add("--dry-run", action="store_true", help="only list the families and count their cases")
    ending = parser.add_argument_group("when to stop")
    add = ending.add_argument
    add("--fail-fast", action="store_true", help="stop at the first failure")
    add("--max-failures", type=int, default=0, metavar="N", help="stop after N failures")
    add_timeout(ending)
    add("--max-time", type=float, default=600.0, metavar="S", help="stop after S seconds (default 600; 0: never)")
    add("--memory", type=int, default=2048, metavar="MIB", help="kill a decoder that holds more (default 2048)")
    add("--jobs", type=int, default=0, metavar="N", help="processes at once for exec: (default: one for each core)")
    output = parser.add_argument_group("output")
    add = output.add_argument
    add("--format", choices=list(FORMATS), default="text", help="the format of the report (default: text)")
    add("-o", "--output", metavar="FILE", help="write the report to FILE, and a text to standard output; or the part")
    add("-q", "--quiet", action="store_true", help="show no progress, and no report if the decoder conforms")
    add("--strict", action="store_true", help="fail if anything could not be judged, the replacement text, say")
    add("--expected", metavar="FILE", help="a TOML file of deviations that are expected, with reasons")
    add("--write-expected", metavar="FILE", help="write the deviations found as such a file")


def run(args: argparse.Namespace) -> int:
    """Test one decoder and return the exit status."""
    from utf8_abnf.conformance.harness.driving.session import INTERRUPTED as stopped_by_user  # noqa: N811
    from utf8_abnf.conformance.harness.run import execute

    if args.list:
        return _list([name for name in (args.target, *args.files) if name], args.rows)
    if args.target is None:
        raise UsageError("name the decoder to test, like exec:'iconv -f UTF-8 -t UTF-8'; --help shows how")
    parts = _merged(args)
    progress = Progress("cases", quiet=args.quiet)
    options = _options(args, progress)
    if args.dry_run:
        return _dry_run(options)
    if args.part:
        return _part(args, options, progress)
    options = replace(options, parts=parts)
    try:
        report = execute(target_of(args, options.grammar), options)
    finally:
        progress.clear()
    if args.write_expected:
        from utf8_abnf.conformance.harness.expected import write

        Path(args.write_expected).write_text(write(report), encoding="utf-8")
    _print(report, args)
    return INTERRUPTED if report.stopped.startswith(stopped_by_user) else report.exit_status


def _merged(args: argparse.Namespace) -> Part | None:
    """Return the whole whose parts are the files, None if none are given; *args* then get what the parts tested."""
    from utf8_abnf import __version__
    from utf8_abnf.conformance.suite.parts import merged, read

    if (args.target == "merge") is not bool(args.files):
        raise UsageError("`utf8-abnf test merge FILE ...` needs the parts of a run, and no other target takes files")
    if not args.files:
        return None
    whole = merged([read(Path(name)) for name in args.files])
    if whole.run.get("command") != "test" or whole.run.get("made_by") != f"utf8-abnf {__version__}":
        raise UsageError(f"these are not parts of `utf8-abnf test` {__version__}")
    args.target, args.level, args.family = whole.run["target"], whole.run["level"], whole.run["families"]
    return whole


def _part(args: argparse.Namespace, options: RunOptions, progress: Progress) -> int:
    """Judge a part of the cases in process, write it, and return 1 if a verdict was wrong or the decoder ended."""
    from utf8_abnf.conformance.harness.parts import judge_part

    try:
        part = judge_part(target_of(args), options, args.part)
    finally:
        progress.clear()
    with opened(args.output) as stream:
        stream.write(part.to_json())
    if not args.quiet:
        cases, wrong = sum(group.done for group in part.groups), any(group.found for group in part.groups)
        progress.say(f"part {part.name}: {cases:,} cases judged in process; {'not all' if wrong else 'all'} are right")
    return ILL_FORMED if any(group.found for group in part.groups) else OK


def _options(args: argparse.Namespace, progress: Progress) -> RunOptions:
    from utf8_abnf.conformance.harness.driving.worker import Limits
    from utf8_abnf.conformance.harness.expected import read
    from utf8_abnf.conformance.harness.options import RunOptions

    grammar = None
    if args.grammar:
        grammar = load_unrolled(args.grammar, args)
    if args.start and grammar is None:
        raise UsageError("--start needs --grammar FILE")
    sample(args, grammar)
    return RunOptions(
        level=args.level or ("L1" if target_of(args).kind == "exec" else "L2"),
        families=tuple(args.family),
        ids=tuple(args.case),
        rules=tuple(args.rule),
        grammar=grammar,
        start=args.start,
        limits=Limits(*timeouts(args), memory=args.memory << 20, jobs=args.jobs),
        max_failures=1 if args.fail_fast else args.max_failures,
        max_seconds=args.max_time,
        seed=args.seed,
        expected=read(Path(args.expected)) if args.expected else {},
        strict=args.strict,
        progress=lambda family, done, total: progress.at(done, total, family),
        say=progress.say,
    )


def _dry_run(options: RunOptions) -> int:
    from utf8_abnf.conformance.harness.options import chosen_families
    from utf8_abnf.language.catalogue import told

    families = chosen_families(options)
    for family in families:
        print(f"{family.name:16} {family.level}  {family.count:>13,}  {told(family.about)}")
    print(f"{'':19} {sum(family.count for family in families):>13,}  cases")
    return OK


def _print(report: Report, args: argparse.Namespace) -> None:
    from utf8_abnf.conformance.harness.formats import render

    text = render(report, args.format)
    if args.output:
        Path(args.output).write_text(text, encoding="utf-8")
        text = render(report, "text")
    if not (args.quiet and report.conforms):
        sys.stdout.write(text)


def _list(names: list[str], rows: list[str]) -> int:
    from utf8_abnf.conformance.harness.known import chosen

    for decoder in chosen(names, rows):
        print(f"{decoder.name:26} {'here' if decoder.available() else '-':5} {decoder.about}")
    return OK
