"""Check many objects on Dask: URLs in, a bag of records out. ``pip install 'utf8-abnf[dask]'``.

A task is a piece of a large object, or a batch of small ones of about the same size together, so that what a task costs
is small beside the reading. The pieces' summaries are added up, in order: see ``utf8_abnf.Summary``. A worker that dies
costs the tasks that it had; Dask gives them to another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.remote import is_url
from utf8_abnf.files.remote import records as recording
from utf8_abnf.files.remote.ledger import Ledger
from utf8_abnf.files.remote.objects import found
from utf8_abnf.files.remote.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dask import bag

    from utf8_abnf.files.remote.objects import Object
    from utf8_abnf.files.remote.records import Known


def check(urls: str | Iterable[str], blocksize: str | int = "64 MiB", ledger: str | None = None) -> bag.Bag:
    """Return a bag of a ``Record`` for each of *urls*, paths or URLs with ``*``; ``compute`` checks them.

    *blocksize* are the bytes of a task. *ledger* is a folder that all workers reach: what it knows is not read again,
    and each task adds what it found. ``OSError`` where a URL with ``*`` matches nothing.
    """
    try:
        from dask import bag, delayed
        from dask.utils import parse_bytes
    except ImportError:
        raise UnreadableError("this needs dask: python -m pip install 'utf8-abnf[dask]'") from None
    paths = [urls] if isinstance(urls, str) else list(urls)
    everything = [each for path in paths for each in (found(path) if is_url(path) else [path])]
    size = parse_bytes(blocksize)
    if size < 1:
        raise ValueError(f"{blocksize!r} is not a size: write a number of bytes, or 64 MiB")
    known = Ledger(ledger).known() if ledger else {}
    done: list[Record] = []
    tasks = []
    for batch in _batches(everything, size, known, done):
        if len(batch) == 1 and batch[0].size > size:
            summaries = [delayed(recording.summarised)(piece) for piece in recording.pieces(batch[0], size)]
            tasks.append(delayed(_kept)([delayed(recording.record)(batch[0], summaries)], ledger))
        else:
            tasks.append(delayed(_several)(batch, ledger))
    if done:
        tasks.append(delayed(done))
    return bag.from_delayed(tasks) if tasks else bag.from_sequence([], npartitions=1)


def _batches(paths: list[str], size: int, known: Known, done: list[Record]) -> Iterator[list[Object]]:
    """Yield objects that make up a task each; records that need no reading go to *done*."""
    batch: list[Object] = []
    for path in paths:
        source = recording.found_at(path)
        if isinstance(source, Record):
            done.append(source)
        elif old := recording.in_ledger(source, known):
            done.append(old)
        elif source.size > size:
            yield [source]
        else:
            if batch and sum(each.size for each in batch) + source.size > size:
                yield batch
                batch = []
            batch.append(source)
    if batch:
        yield batch


def _several(batch: list[Object], ledger: str | None) -> list[Record]:
    whole = [recording.Piece(each, 0, each.size) for each in batch]
    return _kept([recording.record(piece.of, [recording.summarised(piece)]) for piece in whole], ledger)


def _kept(records: list[Record], ledger: str | None) -> list[Record]:
    if ledger:
        Ledger(ledger).add(records)
    return records
