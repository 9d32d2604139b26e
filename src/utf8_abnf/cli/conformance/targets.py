"""The options about targets that several commands have."""

from __future__ import annotations

import signal
import sys
import threading
from typing import TYPE_CHECKING

from utf8_abnf.cli.arguments import seconds
from utf8_abnf.conformance.harness.driving.worker import Limits
from utf8_abnf.conformance.harness.opening import open_target
from utf8_abnf.conformance.harness.standard import probes_of

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.conformance.harness.driving.target import Target
    from utf8_abnf.grammar import Grammar


def add_rows(parser: argparse.ArgumentParser) -> None:
    """Add ``--rows FILE``; it may be repeated, and ``args.rows`` is the list of files."""
    about = "a TOML file that describes more decoders"
    parser.add_argument("--rows", action="append", default=[], metavar="FILE", help=about)


def add_target(parser: argparse.ArgumentParser, *, nargs: str | None = None) -> None:
    """Add TARGET with ``--rows``, ``--accept`` and ``--reject``, for ``target_of``."""
    about = "py:MODULE:NAME, lib:PATH:SYMBOL, stream:COMMAND, exec:COMMAND or known:NAME"
    parser.add_argument("target", nargs=nargs, metavar="TARGET", help=about)
    add_rows(parser)
    for verb, usual in (("accept", 0), ("reject", 1)):
        about = f"exec: programs {verb} with this status (default {usual})"
        parser.add_argument(f"--{verb}", action="append", type=int, default=[], metavar="STATUS", help=about)


def target_of(args: argparse.Namespace, grammar: Grammar | None = None) -> Target:
    """Return the target that the arguments of ``add_target`` name; UsageError if they name none.

    *grammar*: whose words a function is asked first, to find out how it says yes and no; None is RFC 3629's.
    """
    _exit_when_terminated()
    probes = probes_of(grammar, args.start if grammar else None)
    return open_target(args.target, rows=args.rows, accept=args.accept, reject=args.reject, probes=probes)


def _exit_when_terminated() -> None:
    """Let SIGTERM end this process as an exit does, so that the decoder's processes are ended with it."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # as a shell reports it


def add_timeout(parser: argparse.ArgumentParser) -> None:
    """Add ``--timeout S``."""
    parser.add_argument("--timeout", type=seconds, metavar="S", help="a decoder silent for S seconds hangs (default 5)")


def add_max_time(parser: argparse.ArgumentParser) -> None:
    """Add ``--max-time S``."""
    about = "stop after S seconds (default 600; 0: never)"
    parser.add_argument("--max-time", type=float, default=600.0, metavar="S", help=about)


def limits_of(args: argparse.Namespace) -> Limits:
    """Return the limits of time that ``--timeout`` sets a decoder for an answer, and for its hello."""
    return Limits(args.timeout, args.timeout) if args.timeout else Limits()
