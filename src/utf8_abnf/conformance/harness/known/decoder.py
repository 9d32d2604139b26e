"""A known decoder, and how to start it: from a row of a rows file to a ``Target``."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.driving.process import import_path
from utf8_abnf.conformance.harness.driving.target import Target, octal
from utf8_abnf.conformance.harness.driving.worker import ExecWorker, StreamWorker
from utf8_abnf.conformance.harness.known.building import adapter_of, built
from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

VERSION_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Decoder:
    """A decoder as its row describes it; docs/reference/decoder-rows.md explains each key.

    *anywhere* is ``direct`` with the installation of what it needs before it, "" where that is nothing.
    *file* is the source of its adapter, *place* the ``FILE:LINE`` of its row, and *option* what ``utf8-abnf`` must be
    given to find the row: ``--rows FILE`` for one that does not come with an installed package.
    """

    name: str
    about: str
    program: str
    command: tuple[str, ...]
    how: str = "stream"
    claim: str = "UTF-8"
    quote: str = ""
    link: str = ""
    language: str = ""
    kind: str = ""
    newest: str = ""
    known: str = ""
    told: str = ""
    fixed: str = ""
    where: str = ""
    change: str = ""
    core: bool = False
    start: float = 0.0
    expensive: bool = False
    source: str = ""
    build: tuple[str, ...] = ()
    version: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    statuses: Mapping[int, bytes] = field(default_factory=dict)
    refuses: str = ""
    install: str = ""
    probe: tuple[str, ...] = ()
    direct: str = ""
    anywhere: str = ""
    deviations: tuple[str, ...] = field(default=(), repr=False)
    file: Path | None = field(default=None, repr=False, compare=False)
    place: str = field(default="", repr=False, compare=False)
    option: str = field(default="", repr=False, compare=False)

    def available(self) -> bool:
        """Tell whether what it needs is on this machine."""
        program = self._program()
        return program is not None and (not self.probe or _succeeds(filled(self.probe, program)))

    def _program(self) -> str | None:
        return sys.executable if self.program == "python" else shutil.which(self.program)

    def target(self) -> Target:
        """Return the target that starts it; TargetError when its program is missing or its adapter does not compile."""
        command = list(self.words())
        environment = self._environment()
        spec = f"known:{self.name}"
        if self.how == "exec":
            settings = [f"{key}={value}" for key, value in self.environment.items()]
            shown = " ".join([*settings, *map(_quoted, self.command)]).replace("{program}", self.program)
            return Target(
                spec,
                "exec",
                lambda limits: ExecWorker(command, limits, dict(self.statuses), environment),
                lambda data: f"printf {octal(data)} | {shown}; echo $?",
                self.name,
                self.told_version(),
                expensive=self.expensive,
            )
        return Target(
            spec,
            "known",
            lambda limits: StreamWorker(command, replace(limits, start=max(limits.start, self.start)), environment),
            name=self.name,
            version=self.told_version(),
            option=self.option,
            expensive=self.expensive,
        )

    def words(self) -> tuple[str, ...]:
        """Return the command that starts it, its adapter compiled if need be; TargetError when that cannot be done."""
        program = self._program()
        if program is None or not self.available():
            needed = self.install or self.program
            raise TargetError(f"{self.name} is not on this machine; it needs {needed}")
        binary = ""
        if self.build and self.file:
            # A new compiler or a new library makes a new program.
            versions = _first_line((program, "--version")) + self.told_version()
            binary = built(self.file, filled(self.build, program, str(self.file)), versions)
        return filled(self.command, program, str(self.file or ""), binary)

    def _environment(self) -> dict[str, str] | None:
        if self.program == "python":
            return import_path()
        return os.environ | dict(self.environment) if self.environment else None

    def told_version(self) -> str:
        """Return the first line that its version command prints; "" when there is none or it fails."""
        program = self._program()
        if program is None or not self.version:
            return ""
        return _first_line(filled(self.version, program))

    def adapter(self) -> bytes:
        """Return the source of its adapter and the files that it includes; b"" when it has none."""
        return adapter_of(self.file) if self.file else b""


def filled(words: tuple[str, ...], program: str, source: str = "", binary: str = "") -> tuple[str, ...]:
    """Return *words* with these in the place of their marks."""
    return tuple(
        word.replace("{program}", program).replace("{source}", source).replace("{binary}", binary) for word in words
    )


def _quoted(word: str) -> str:
    return word if word.startswith("{") and word.endswith("}") else shlex.quote(word)


@cache
def _done(command: tuple[str, ...]) -> subprocess.CompletedProcess[bytes] | None:
    """Return how *command* ended, None if it could not be started or took too long."""
    null = subprocess.DEVNULL
    try:
        return subprocess.run(command, stdin=null, capture_output=True, timeout=VERSION_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None


def _first_line(command: tuple[str, ...]) -> str:
    done = _done(command)
    lines = (done.stdout or done.stderr).decode("utf-8", "replace").strip().splitlines() if done else []
    return lines[0].strip()[:80] if lines else ""


def _succeeds(command: tuple[str, ...]) -> bool:
    done = _done(command)
    return done is not None and not done.returncode
