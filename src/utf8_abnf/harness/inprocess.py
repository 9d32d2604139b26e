"""A C function is called in process, at the speed of C, in a child of ours: if it crashes, only the child is lost.

The child, ``python -m utf8_abnf.harness.inprocess PATH SYMBOL LEVEL``, reads names of families and writes a line of
JSON for each block that it has judged. A family with a wrong verdict is afterwards sent as a stream, which names each
case.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from utf8_abnf.errors import TargetError
from utf8_abnf.harness.judging import NoAnswer, WrongVerdict
from utf8_abnf.harness.process import Child, import_path
from utf8_abnf.harness.worker import CRASH, Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.harness.judging import Judgement
    from utf8_abnf.harness.worker import Limits

BLOCK_SECONDS = 60.0  # a block of the largest family takes about a second: a longer silence is a hang


@dataclass(frozen=True, slots=True)
class SeenInProcess:
    """What the calls showed: *count* cases were judged, *failures* of them wrongly; *ended* says why not all were.

    *cases* are the first of those that were judged wrongly, each as id, data and right verdict.
    """

    count: int
    failures: int
    cases: list[tuple[str, bytes, bool]]
    ended: str = ""

    def judgements(self, family: str) -> Iterator[Judgement]:
        """Yield the wrong verdicts that are known, and a case without an answer where the calls ended early."""
        for case, data, accept in self.cases:
            yield WrongVerdict(data, not accept, case.__str__)
        if self.ended:
            detail = f"{self.ended}, in family {family} after {self.count:,} cases"
            yield NoAnswer(Failure(CRASH, detail), "", b"")


class InProcess:
    """The parent's side, which starts the child when it is needed: ``judge`` a family, as often as you like."""

    def __init__(self, library: tuple[str, str], level: str, limits: Limits) -> None:
        command = [sys.executable, "-m", "utf8_abnf.harness.inprocess", *library, level]
        self._start: Callable[[], Child] = lambda: Child(command, env=import_path(), memory=limits.memory)
        self._child: Child | None = None
        self._pending = b""

    def judge(self, family: str, overdue: Callable[[int], str]) -> SeenInProcess:
        """Return what calls with all cases of *family* showed.

        *overdue* is told the count so far and returns why to stop, "" to go on.
        """
        if self._child is None:
            self._child, self._pending = self._start(), b""
        self._child.send(family.encode() + b"\n")
        count = failures = 0
        cases: list[tuple[str, bytes, bool]] = []
        while True:
            line = self._line()
            if not line:
                reason = self._child.exit_reason() if line == b"" else f"gave no answer for {BLOCK_SECONDS:g} s"
                self.close()
                return SeenInProcess(count, failures, cases, reason)
            block = json.loads(line)
            if block is None:
                return SeenInProcess(count, failures, cases)
            count += block["count"]
            failures += block["failures"]
            cases += [(name, bytes.fromhex(data), accept) for name, data, accept in block["cases"]]
            if reason := overdue(count):
                self.close()
                return SeenInProcess(count, failures, cases, reason)

    def _line(self) -> bytes | None:
        assert self._child is not None
        while b"\n" not in self._pending:
            data = self._child.receive(BLOCK_SECONDS)
            if not data:
                return data
            self._pending += data
        line, _, self._pending = self._pending.partition(b"\n")
        return line

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.close()
            self._child = None


def load_function(path: str, symbol: str) -> Any:
    """Return the C function *symbol* of the library *path*; TargetError when it cannot be loaded."""
    import ctypes

    try:
        function = getattr(ctypes.CDLL(path), symbol)
    except OSError as error:
        raise TargetError(f"cannot load {path}: {error}") from None
    except AttributeError:
        raise TargetError(f"{path} has no symbol {symbol}") from None
    function.restype = ctypes.c_int
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return function


def main() -> int:
    """Judge the families named on standard input."""
    import ctypes

    from utf8_abnf.suite import judge

    path, symbol, level = sys.argv[1:4]
    function = load_function(path, symbol)
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # what the decoder prints must not come between our lines
    for line in sys.stdin:
        for block in judge(address, level, family=line.strip()):
            cases = [(case.id, case.data.hex(), case.accept) for case in block.cases if len(case.data) <= 1 << 16]
            out.write(json.dumps({"count": block.count, "failures": block.failures, "cases": cases}) + "\n")
            out.flush()
        out.write("null\n")
        out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
