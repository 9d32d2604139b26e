"""A C function is called in process, at the speed of C, in a child of ours: if it crashes, only the child is lost.

The child, ``python -m`` and this module, then ``PATH SYMBOL LEVEL``, reads names of families and writes a line of JSON
for each block that it has judged. Wrong verdicts are asked again as a stream, in a process in which the inputs lie
elsewhere in memory: what is not seen again there was seen nevertheless.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import struct
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from utf8_abnf.conformance.harness.driving.child import load_function
from utf8_abnf.conformance.harness.driving.process import Child, import_path
from utf8_abnf.conformance.harness.driving.worker import CRASH, HANG, Failure
from utf8_abnf.conformance.suite import family_of, judge
from utf8_abnf.conformance.suite.case import Case
from utf8_abnf.conformance.suite.huge import GIB4, SOME
from utf8_abnf.conformance.suite.judging import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.conformance.harness.driving.worker import Limits
    from utf8_abnf.conformance.suite import Family

PROGRESS = struct.Struct("=QQ")  # as suite.judging.Progress: the first case of the block, and the number in that
MAX_HANGS = 4  # families in which it may hang: each takes as long as an answer may take
SLOWER = 4 * (GIB4 // SOME)  # times as long as for some of the text a function may take for all 4 GiB: four times


@dataclass(slots=True)
class SeenInProcess:
    """What calls with the cases of *family* showed: *count* were judged, *failures* of them wrongly.

    *numbers* are the cases that were judged wrongly, by their places in the family, from 0. *huge* has the cases that
    are too long to be sent. *failure* says how the calls ended early, *number* during which case; *stopped* says why we
    ended them.
    """

    family: Family
    count: int = 0
    failures: int = 0
    numbers: list[int] = field(default_factory=list)
    huge: list[Case] = field(default_factory=list)
    failure: Failure | None = None
    number: int = 0
    stopped: str = ""

    def add(self, block: dict[str, Any]) -> None:
        """Add what one more *block* of the family showed: its wrong verdicts, or how the calls ended during it."""
        if "failure" in block:
            self.failure, self.number = Failure(*block["failure"]), block["number"]
            return
        self.count += block["count"]
        self.failures += block["failures"]
        self.numbers += block["numbers"]
        for id_, data, accept, story in block["huge"]:
            self.huge.append(Case(id_, bytes.fromhex(data), accept, story=story))


class InProcess:
    """The parent's side, which starts the child when it is needed: ``judge`` a family, as often as you like."""

    def __init__(self, library: tuple[str, str], level: str, limits: Limits) -> None:
        handle, name = tempfile.mkstemp(prefix="utf8-abnf-")
        os.close(handle)
        self._shared = Path(name)  # the child's Progress, which outlives it
        self._limits = limits
        self._hangs = 0
        self._command = [sys.executable, "-m", "utf8_abnf.conformance.harness.driving.inprocess", *library, level, name]
        self._child: Child | None = None
        self._pending = b""

    def judge(self, family: Family, overdue: Callable[[int], str]) -> SeenInProcess:
        """Return what calls with all cases of *family* showed.

        *overdue* is told the count so far and returns why to stop, "" to go on: also within a block that takes long.
        """
        seen = SeenInProcess(family)
        if self._hangs == MAX_HANGS:
            seen.stopped = f"it did not return {MAX_HANGS} times"
            return seen

        def is_overdue() -> bool:
            seen.stopped = seen.stopped or overdue(seen.count)
            return bool(seen.stopped)

        for block in self._blocks(family.name, SLOWER if family.huge else 0, is_overdue):
            seen.add(block)
            if "failure" not in block and is_overdue():
                break
        if seen.stopped:
            self._end()
        return seen

    def _blocks(
        self, request: str, slower: int = 0, is_overdue: Callable[[], bool] = lambda: False
    ) -> Iterator[dict[str, Any]]:
        """Yield what the child answers to *request*. Blocks may take *slower* times as long as the first one did."""
        patience = self._limits.silence
        ready = self._child is not None
        if self._child is None:
            self._shared.write_bytes(bytes(PROGRESS.size))
            self._child, self._pending = Child(self._command, env=import_path(), memory=self._limits.memory), b""
        self._child.send(f"{request}\n".encode())
        began = time.monotonic()
        while True:
            silence = patience if ready else self._limits.start
            line = self._line(silence, is_overdue)
            if line is None and is_overdue():
                return
            if not line:
                failure = self._failure(silence if line is None else 0.0)
                yield {"failure": [failure.kind, failure.detail], "number": self._asked()}
                return
            if not ready:
                ready, began = True, time.monotonic()
                continue
            block = json.loads(line)
            if block is None:
                return
            patience, slower = max(patience, slower * (time.monotonic() - began)), 0
            yield block

    def _failure(self, silence: float) -> Failure:
        """End the child and return how it failed: by *silence* of so many seconds, or by its own end."""
        assert self._child is not None
        reason = self._child.exit_reason()
        self._end()
        if not silence:
            return Failure(CRASH, reason)
        self._hangs += 1
        return Failure(HANG, f"gave no answer for {silence:g} s")

    def _line(self, silence: float, is_overdue: Callable[[], bool]) -> bytes | None:
        """Return the child's next line; b"" when it has ended, None when it works on one case for *silence* seconds.

        None also once *is_overdue*. When it goes on to another case, the seconds are counted anew.
        """
        assert self._child is not None
        while b"\n" not in self._pending:
            asked = self._asked()
            data = self._child.receive(silence, is_overdue)
            if data == b"" or (data is None and (is_overdue() or asked == self._asked())):
                return data
            self._pending += data or b""
        line, _, self._pending = self._pending.partition(b"\n")
        return line

    def _asked(self) -> int:
        """Return the place in its family of the case that the child asks for, or asked for last."""
        return sum(PROGRESS.unpack(self._shared.read_bytes()))

    def _end(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None

    def close(self) -> None:
        """End the child and remove what it shared with us."""
        self._end()
        self._shared.unlink(missing_ok=True)


def main() -> int:
    """Judge the families named on standard input."""
    path, symbol, level, *shared = sys.argv[1:]
    address = ctypes.cast(load_function(path, symbol), ctypes.c_void_p).value
    assert address is not None
    progress = None
    if shared:
        with Path(shared[0]).open("r+b") as file:
            progress = Progress.from_buffer(mmap.mmap(file.fileno(), PROGRESS.size))
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # what the decoder prints must not come between our lines
    _say(out, None)
    for line in sys.stdin:
        name = line.strip()
        family = family_of(name, level)
        for judged in judge(address, level, family=name, keep=family.huge, progress=progress):
            huge = [(case.id, case.data.hex(), case.accept, case.story) for case in judged.cases]
            _say(out, {"count": judged.count, "failures": judged.failures, "numbers": judged.numbers, "huge": huge})
        _say(out, None)
    return 0


def _say(out: TextIO, found: object) -> None:
    out.write(json.dumps(found) + "\n")
    out.flush()


if __name__ == "__main__":
    sys.exit(main())
