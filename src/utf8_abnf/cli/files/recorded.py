"""``check --ledger`` and ``check --engine``: paths in, a record of each out, kept in a ledger, made here or by Dask.

Each file is summed up in pieces, so of its errors only the first is shown, and the others are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.cli.files import reports, unpack_options
from utf8_abnf.cli.sources import STDIN, Walk
from utf8_abnf.cli.status import ILL_FORMED, OK, USAGE
from utf8_abnf.errors import UnreadableError, UsageError
from utf8_abnf.explain.locating import Rest
from utf8_abnf.language.catalogue import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from utf8_abnf.files.reading.remote.records import Record

# Options that need what a record does not have.
_OTHERS = ("staged", "unpack", "column", "baseline", "bom", "profile", "grammar")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of records."""
    group = parser.add_argument_group("many files (extras remote, dask, arrow)")
    add_ = group.add_argument
    add_(
        "--ledger",
        type=unpack_options.not_empty,
        metavar="FOLDER",
        help="keep each verdict in FOLDER, as Parquet; what it knows and what has not changed is not read again",
    )
    add_("--engine", choices=["dask"], help="check by Dask, in pieces of 64 MiB: on threads, or where --scheduler says")
    add_("--scheduler", metavar="URL", help="the scheduler of a Dask cluster, as in tcp://host:8786")


def wanted(args: argparse.Namespace) -> bool:
    """Return whether *args* ask for records; ``UsageError`` where another option cannot be combined with them."""
    if not (args.ledger or args.engine or args.scheduler):
        return False
    from utf8_abnf.language import messages

    if args.scheduler and not args.engine:
        raise UsageError(say(messages.SCHEDULER_ALONE))
    for name in _OTHERS:
        if getattr(args, name):
            raise UsageError(say(messages.NOT_WITH_LEDGER, option=f"--{name}"))
    return True


def run(args: argparse.Namespace, paths: list[str], reporter: reports.Reporter) -> int:
    """Check *paths*, report the records and return the exit status."""
    from utf8_abnf.language import messages

    if STDIN in paths:
        raise UsageError(say(messages.NOT_WITH_LEDGER, option=STDIN))
    totals = reports.Totals()
    reporter.all_shown_by = "SHOW_ALL_ALONE"

    def problem(path: str, error: OSError) -> None:
        from utf8_abnf.cli.sources import reason_of

        totals.unreadable += 1
        reporter.problem(path, reason_of(error))

    walk = Walk(paths, follow=args.follow, vcs=args.vcs, exclude=tuple(args.exclude), problem=problem)
    files = (path for path, _ in walk)
    try:
        for record in _by_dask(args, list(files)) if args.engine else _here(args, files):
            _report(record, reporter, totals)
    except UnreadableError as error:  # an extra is not installed, or the ledger cannot be written
        raise UsageError(error.strerror) from None
    totals.passed_over += walk.passed_over
    reporter.finish(totals)
    if totals.unreadable:
        return USAGE
    return ILL_FORMED if totals.ill_formed else OK


def _here(args: argparse.Namespace, files: Iterable[str]) -> Iterable[Record]:
    from utf8_abnf.files.reading.remote.ledger import Ledger
    from utf8_abnf.files.reading.remote.records import records

    ledger = Ledger(args.ledger)
    return ledger.keep(records(files, ledger.known()))


def _by_dask(args: argparse.Namespace, files: list[str]) -> list[Record]:
    from utf8_abnf.files.dask import check

    bag = check(files, ledger=args.ledger)
    if not args.scheduler:
        found: list[Record] = bag.compute(scheduler="threads", num_workers=args.jobs)
    else:
        from distributed import Client

        from utf8_abnf.language import messages

        try:
            with Client(args.scheduler) as client:
                found = client.compute(bag, sync=True)
        except Exception as error:  # Dask's own, or whatever its workers, on machines of their own, raise
            reason = f"{type(error).__name__}: {error}"
            raise UsageError(say(messages.SCHEDULER_FAILED, url=args.scheduler, reason=reason)) from error
    places = {path: place for place, path in enumerate(files)}
    return sorted(found, key=lambda record: places[record.path])


def _report(record: Record, reporter: reports.Reporter, totals: reports.Totals) -> None:
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


def _report_first(record: Record, reporter: reports.Reporter) -> None:
    from utf8_abnf.explain.located import Located
    from utf8_abnf.explain.locating import BEFORE, FROM
    from utf8_abnf.validator.ill_formed import describe

    start = max(0, record.offset - BEFORE)
    window = record.window[start - record.window_start : record.offset + FROM - record.window_start]
    error = describe(window[record.offset - start :], record.offset)
    assert error is not None
    reporter.error(record.path, Located(error, record.line, record.column, window, start, follows=False), record.head)
