"""Examine many decoders at a time: yield each row when it is done, and leave no process running at the end."""

from __future__ import annotations

import os
import platform
import threading
from collections import deque
from contextlib import suppress
from datetime import date
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

import utf8_abnf
from utf8_abnf.conformance.matrix.examining import described, examine
from utf8_abnf.conformance.matrix.results import Results
from utf8_abnf.conformance.matrix.row import BROKEN, Matrix, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from utf8_abnf.conformance.harness.known import Decoder
    from utf8_abnf.conformance.matrix.options import ExaminationOptions


class _Cancelled(Exception):  # noqa: N818
    """The run is over: stop the work on this decoder."""


def rows(
    chosen: Iterable[Decoder],
    options: ExaminationOptions,
    *,
    results: Results | None = None,
    jobs: int = 0,
    begun: Callable[[str], None] = lambda name: None,
) -> Iterator[Row]:
    """Yield the row of each of *chosen* when it is done; *jobs* decoders are examined at a time (0: one for each core).

    *begun* is called with the name of a decoder when its examination begins. Closing the iterator ends those that run.
    """
    stop = threading.Event()
    kept = results or Results()

    def cancelled() -> None:
        if stop.is_set():
            raise _Cancelled

    def row(decoder: Decoder) -> Row:
        cancelled()
        begun(decoder.name)
        try:
            return examine(decoder, options, kept, cancelled)
        except _Cancelled:
            raise
        except Exception as error:  # an error of ours with one decoder does not end the run
            reason = f"the test itself failed: {type(error).__name__}: {error}"[:300]
            return described(Row(decoder.name, verdict=BROKEN, reason=reason), decoder)

    # The first is quick as a rule, so that a reader sees a row soon. The expensive take longest, so they begin next.
    whole = [*chosen]
    todo = deque([*whole[:1], *sorted(whole[1:], key=lambda decoder: not decoder.expensive)])
    made: SimpleQueue[Row] = SimpleQueue()

    def work() -> None:
        with suppress(_Cancelled, IndexError):  # all decoders are done
            while True:
                made.put(row(todo.popleft()))

    # Not a ThreadPoolExecutor: a Ctrl-C in the midst of its Python code leaves one of its locks held, and then none of
    # its threads ends. Here the main thread waits in C.
    threads = [threading.Thread(target=work, daemon=True) for _ in range(jobs or os.cpu_count() or 1)]
    try:
        for thread in threads:
            thread.start()
        for _ in whole:
            yield _taken(made)
    finally:
        stop.set()
        for thread in filter(threading.Thread.is_alive, threads):
            thread.join()


def _taken(made: SimpleQueue[Row]) -> Row:
    """Wait for a row and return it."""
    while True:
        with suppress(Empty):
            return made.get(timeout=1)  # a Ctrl-C that comes just before a wait begins is seen only when the wait ends


def matrix_of(found: Iterable[Row], chosen: Sequence[Decoder], options: ExaminationOptions) -> Matrix:
    """Return *found* in the order of *chosen*, with the date and the machine."""
    order = {decoder.name: number for number, decoder in enumerate(chosen)}
    return Matrix(
        tuple(sorted(found, key=lambda row: order[row.name])),
        date=date.today().isoformat(),
        system=_system(),
        machine=platform.machine(),
        cores=os.cpu_count() or 1,
        made_by=f"utf8-abnf {utf8_abnf.__version__}",
        python=platform.python_version(),
        level=options.level,
    )


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.platform(terse=True)
