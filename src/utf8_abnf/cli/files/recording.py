"""``check --ledger`` and ``check --scheduler``: paths in, a record of each out, made here or by Dask.

Each file is summed up in pieces, so of its errors only the first is shown, and the others are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.cli.files.reports import Reporter, reporter_of
from utf8_abnf.cli.files.sources import Walk
from utf8_abnf.cli.files.verdicts import Totals
from utf8_abnf.cli.names import STDIN, reason_of
from utf8_abnf.cli.status import ILL_FORMED, OK, USAGE
from utf8_abnf.errors import UnreadableError, UsageError
from utf8_abnf.explain.located import Located
from utf8_abnf.explain.locating import BEFORE, FROM, Rest
from utf8_abnf.files.dask import check
from utf8_abnf.files.remote.ledger import Ledger
from utf8_abnf.files.remote.records import records
from utf8_abnf.validator.ill_formed import describe

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from utf8_abnf.files.remote.records import Record

_OTHERS = ("unpack", "column", "bom", "profile")  # options that need what a record does not have
_THREADS = "threads"  # in place of the URL of a scheduler


def run(args: argparse.Namespace, paths: list[str]) -> int:
    """Check *paths*, report the records and return the exit status."""
    for name in [f"--{name}" for name in _OTHERS if getattr(args, name)] + [STDIN] * (STDIN in paths):
        raise UsageError(f"{name} cannot be used with --ledger or --scheduler, which record whole files")
    totals, reporter = Totals(), reporter_of(args)
    reporter.all_shown_by = "--max-errors 0, without --ledger and --scheduler, shows all"

    def problem(path: str, error: OSError) -> None:
        totals.unreadable += 1
        reporter.problem(path, reason_of(error))

    exclusions = {"exclude": args.exclude, "force_exclude": args.force_exclude}
    walk = Walk(paths, follow=args.follow, **exclusions, problem=problem)
    files = (path for path, _ in walk)
    try:
        if args.scheduler:
            found: Iterable[Record] = _by_dask(args, list(files))
        else:
            ledger = Ledger(args.ledger)
            found = ledger.keep(records(files, ledger.known()))
        for record in found:
            _report(record, reporter, totals)
    except UnreadableError as error:  # an extra is not installed, or the ledger cannot be written
        raise UsageError(reason_of(error)) from None
    totals.passed_over += walk.passed_over
    reporter.finish(totals)
    if totals.unreadable:
        return USAGE
    return ILL_FORMED if totals.ill_formed else OK


def _by_dask(args: argparse.Namespace, files: list[str]) -> list[Record]:
    bag = check(files, ledger=args.ledger)
    if args.scheduler == _THREADS:
        records: list[Record] = bag.compute(scheduler=_THREADS)
    else:
        from distributed import Client  # an optional library

        try:
            with Client(args.scheduler) as client:
                records = client.compute(bag, sync=True)
        except Exception as error:  # Dask's own, or whatever its workers, on machines of their own, raise
            reason = f"{type(error).__name__}: {error}"
            raise UsageError(f"--scheduler {args.scheduler} failed: {reason}") from error
    places = {path: place for place, path in enumerate(files)}
    return sorted(records, key=lambda record: places[record.path])


def _report(record: Record, reporter: Reporter, totals: Totals) -> None:
    if record.verdict == "unreadable":
        totals.unreadable += 1
        reporter.problem(record.path, record.reason)
        return
    totals.checked += 1
    totals.errors += record.errors
    if record.errors:
        totals.ill_formed += 1
        _report_first(record, reporter)
    reporter.outcome(record.path, record.verdict, record.errors, Rest(max(0, record.errors - 1)))


def _report_first(record: Record, reporter: Reporter) -> None:
    start = max(0, record.offset - BEFORE)
    window = record.window[start - record.window_start : record.offset + FROM - record.window_start]
    error = describe(window[record.offset - start :], record.offset)
    assert error is not None
    reporter.error(record.path, Located(error, record.line, record.column, window, start, follows=False), record.head)
