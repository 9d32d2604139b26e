"""Many small files, looked at ahead in several processes: paths in, the same paths in the same order out.

The children only find out which files are certainly well-formed. All others are left to the caller, who judges and
reports them as if there were no children; so the output does not depend on how many there are. A child that dies
costs nothing but its help.
"""

from __future__ import annotations

import contextlib
import marshal
import os
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Item = tuple[str, bool | OSError]  # a path, and whether it was named, or why it cannot be read

BATCH = 64  # files: fewer are not worth a child
AVAILABLE = hasattr(os, "fork")
_LENGTH = 8  # bytes before a message


def usable_cpus() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(walk: Iterable[tuple[str, bool]], problems: list[tuple[str, OSError]]) -> Iterator[Item]:
    """Yield what *walk* finds, and the *problems* that it met, each before the file that it found next."""
    for found in walk:
        yield from problems
        problems.clear()
        yield found
    yield from problems


def looked_at(
    items: Iterable[Item], is_well_formed: Callable[[str, bool], bool], *, jobs: int
) -> Iterator[tuple[Item, bool]]:
    """Yield each of *items*, and whether a child found it well-formed by *is_well_formed*, which raises nothing."""
    rest = iter(items)
    first = list(islice(rest, BATCH))
    yield from ((item, False) for item in first)
    if jobs < 2 or not AVAILABLE or len(first) < BATCH:
        yield from ((item, False) for item in rest)
        return
    children: list[_Child] = []
    waiting: deque[tuple[_Child, list[Item]]] = deque()
    try:
        number = 0
        while batch := list(islice(rest, BATCH)):
            if len(children) < jobs:
                children.append(_Child(is_well_formed, children))
            child = children[number % jobs]
            number += 1
            child.ask(batch)
            waiting.append((child, batch))
            if len(waiting) > jobs:
                yield from _answered(*waiting.popleft())
        while waiting:
            yield from _answered(*waiting.popleft())
    finally:
        for child in children:
            child.end()


def _answered(child: _Child, batch: list[Item]) -> Iterator[tuple[Item, bool]]:
    yield from zip(batch, child.answers(len(batch)), strict=True)


class _Child:
    """A child process, which answers batches in the order in which it is asked; *others* are those before it."""

    def __init__(self, is_well_formed: Callable[[str, bool], bool], others: list[_Child]) -> None:
        reading, self._asking = os.pipe()
        self._answering, writing = os.pipe()
        self._process = os.fork()
        if not self._process:
            for end in (self._asking, self._answering, *(end for each in others for end in each.ends)):
                os.close(end)  # so that each pipe ends with the one process that writes into it
            _serve(is_well_formed, reading, writing)
        os.close(reading)
        os.close(writing)

    @property
    def ends(self) -> tuple[int, int]:
        """The parent's ends of the pipes."""
        return self._asking, self._answering

    def ask(self, batch: list[Item]) -> None:
        """Send *batch*, which is smaller than what a pipe holds or is read at once."""
        message = marshal.dumps([None if isinstance(named, OSError) else (path, named) for path, named in batch])
        data = memoryview(len(message).to_bytes(_LENGTH) + message)
        with contextlib.suppress(BrokenPipeError):  # it died
            while data:
                data = data[os.write(self._asking, data) :]

    def answers(self, number: int) -> list[bool]:
        """Return the answers for a batch of *number*; False for all where the child died."""
        found = b""
        while len(found) < number and (more := os.read(self._answering, number - len(found))):
            found += more
        return [bool(each) for each in found] if len(found) == number else [False] * number

    def end(self) -> None:
        """End the child and wait for it."""
        import signal  # 0.4 ms, which a run without children does not spend

        for end in self.ends:
            os.close(end)
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)


def _serve(is_well_formed: Callable[[str, bool], bool], reading: int, writing: int) -> NoReturn:
    """Answer until there are no more questions; end without any clean-up of the parent's."""
    import signal

    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its children
        with open(reading, "rb") as questions:
            while header := questions.read(_LENGTH):
                batch = marshal.loads(questions.read(int.from_bytes(header)))  # noqa: S302  # from our parent
                os.write(writing, bytes(item is not None and is_well_formed(*item) for item in batch))
    finally:
        os._exit(0)
