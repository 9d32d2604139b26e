"""The second way: a shell command calls the decoder without our adapter or our package, and confirms a deviation.

Rule 1: the answer of a command counts only if the same command also agrees with the adapter on the control inputs. A
command that always accepts confirms nothing.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.conformance.framing import frame
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT
from utf8_abnf.conformance.harness.driving.worker import ExecWorker, Limits, Window
from utf8_abnf.conformance.harness.known.decoder import filled
from utf8_abnf.conformance.harness.phrases import hexed
from utf8_abnf.conformance.matrix.long_inputs import writes
from utf8_abnf.conformance.matrix.row import CONFIRMED, CONTRADICTED, NO_WAY, SILENT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from utf8_abnf.conformance.harness.known import Decoder

MAX_SECONDS = 60.0  # for one answer: many commands compile a program first
MAX_SECONDS_OF_ALL = 300.0  # for all answers of one decoder

# The control inputs, which every decoder is asked in both ways: characters of each length, text that is longer than a
# length of one byte can tell, and each kind of error.
CONTROLS = (
    b"a\xc3\xa9\xe2\x82\xac",
    b"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
    b"a\xc3\xa9" * 100,
    b"\xff",
    b"a\x80",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
)
VERBS = {ACCEPT: "accepts", REJECT: "rejects"}


class SecondWay:
    """The direct command of *decoder*, "" if it has none; *known* are its adapter's verdicts on the control inputs.

    *cancelled* is called often while a command runs, which may take a minute; what it raises ends the command.

    *controls* are sentences about control inputs on which the command
    does not agree with the adapter, and *disagrees* tells that it gave another verdict on one.
    """

    def __init__(
        self, decoder: Decoder, known: Mapping[bytes, bytes], cancelled: Callable[[], None] = lambda: None
    ) -> None:
        self._cancelled = cancelled
        self._statuses: Mapping[int, bytes] = {0: ACCEPT, 1: REJECT}
        self.command = decoder.direct
        if not self.command and decoder.how == "exec":  # the target has no adapter: run its command by a shell
            self.command = _in_shell(decoder, decoder.words())
            self._statuses = decoder.statuses or self._statuses
        self.controls: tuple[str, ...] = ()
        self.disagrees = False
        self._both = False
        self._left = MAX_SECONDS_OF_ALL
        if self.command:
            self._ask_controls(known)

    def _ask_controls(self, known: Mapping[bytes, bytes]) -> None:
        lines, agreed = [], set()
        for word, verdict in known.items():
            said, detail = self.ask(word)
            if said == verdict:
                agreed.add(verdict)
            elif said:
                self.disagrees = True
                lines.append(f"{hexed(word)}: the adapter {VERBS[verdict]} it, the direct way {VERBS[said]} it")
            else:
                lines.append(f"{hexed(word)}: the direct way {detail}")
        self._both = agreed == set(known.values())
        self.controls = tuple(lines)

    def ask(self, word: bytes) -> tuple[bytes, str]:
        """Return the verdict on *word*, ``ACCEPT`` or ``REJECT``; or b"", and the reason why there is none."""
        if self._left <= 0:
            return b"", f"was not asked: the inputs before it took more than {MAX_SECONDS_OF_ALL:.0f} s"
        began = time.monotonic()
        # The programs of a virtual environment are found first, even if it is not activated.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
        limits = Limits(silence=MAX_SECONDS, jobs=1)
        env = os.environ | {"PATH": path}
        worker = ExecWorker(["sh", "-c", self.command], limits, self._statuses, env, self._cancelled)
        try:
            reply = worker.ask(Window(frame(word), 1), "v")
        finally:
            worker.close()
            self._left -= time.monotonic() - began
        if reply.failure is not None:
            return b"", reply.failure.detail
        verdict = reply.answers.values[0]
        return (verdict, "") if isinstance(verdict, bytes) and verdict in VERBS else (b"", "cannot judge it")

    def check(self, word: bytes, *, accepted: bool) -> tuple[str, str]:
        """Return one of ``CHECKS`` for the claim that the decoder *accepted*, or rejected, *word*, and the reason."""
        if not self.command:
            return NO_WAY, ""
        said, detail = self.ask(word)
        if not said:
            return SILENT, f"it {detail}"
        if (said == ACCEPT) is not accepted:
            adapter = VERBS[ACCEPT if accepted else REJECT]
            return CONTRADICTED, f"the adapter {adapter}, the direct way {VERBS[said]}"
        if self.disagrees or not self._both:
            return SILENT, "it does not agree with the adapter on the control inputs"
        return CONFIRMED, ""


def command_line(word: bytes, command: str) -> str:
    r"""Return a shell line that sends *word* to *command* and prints the exit status, "" if *word* is too long for one.

    >>> print(command_line(b"\xed\xa0\x80", "isutf8 -q"))
    printf '\355\240\200' | isutf8 -q; echo $?
    >>> print(command_line(b"a", "! preconv | grep -q uFFFD"))
    printf 'a' | (! preconv | grep -q uFFFD); echo $?
    """
    if re.search(r"[;&|!\n]", command):  # a pipe alone would feed a part of it
        command = f"(\n{command}\n)" if "\n" in command else f"({command})"
    sent = writes(word)
    return sent and f"{sent} | {command}; echo $?"


def shown_command(decoder: Decoder) -> str:
    """Return the direct command of *decoder* as a reader can run it, "" if there is none."""
    if decoder.direct or decoder.how != "exec":
        return decoder.direct
    # With names instead of this machine's paths.
    return _in_shell(decoder, filled(decoder.command, decoder.program, decoder.source, "adapter"))


def _in_shell(decoder: Decoder, command: Sequence[str]) -> str:
    return " ".join(
        [*(f"{name}={shlex.quote(value)}" for name, value in decoder.environment.items()), shlex.join(command)]
    )
