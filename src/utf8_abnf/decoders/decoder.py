"""A decoder that somebody else wrote, and how to start it: a row of the registry in, a ``Target`` out."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

    from utf8_abnf.harness.target import Target

COMPILE_SECONDS = 120
VERSION_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Decoder:
    """One decoder. *program* must be on the path for it to be here; *about* says what exactly is called.

    *command* is how it is started, words in which ``{program}``, ``{source}`` and ``{binary}`` stand for the program
    found, the adapter's source in ``sources/`` and what *build* made of it. *version* is a command whose first line
    tells it, or the text after *version_of* in the hello line where it is empty. *how* is ``stream`` or ``exec``;
    *statuses* are exit statuses of an ``exec`` that mean something else than 0 accepts, 1 rejects. *claim* is what it
    promises to accept, *refuses* what its interface cannot be given though it is UTF-8: the adapter answers ``u``.

    *install* names packages, such as ``apt:libicu-dev pip:orjson==3.10.0``; *probe* is a command that ends with 0 where
    they are there. *direct* is a shell command that asks the decoder without our adapter: bytes on stdin, status 0
    accepts, 1 rejects, anything else is no answer.
    """

    name: str
    about: str
    program: str
    command: tuple[str, ...]
    how: str = "stream"
    claim: str = "UTF-8"
    source: str = ""
    build: tuple[str, ...] = ()
    version: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    statuses: Mapping[int, bytes] = field(default_factory=dict)
    refuses: str = ""
    install: str = ""
    probe: tuple[str, ...] = ()
    direct: str = ""

    def available(self) -> bool:
        """Tell whether what it needs is on this machine."""
        program = self._program()
        return program is not None and (not self.probe or _succeeds(tuple(_fill(self.probe, program, ""))))

    def _program(self) -> str | None:
        return sys.executable if self.program == "python" else shutil.which(self.program)

    def target(self) -> Target:
        """Return the target that drives it; TargetError when its program is missing or its adapter does not compile."""
        from utf8_abnf.harness.target import Target, octal
        from utf8_abnf.harness.worker import ExecWorker, StreamWorker

        command = list(self.words())
        environment = self._environment()
        spec = f"known:{self.name}"
        if self.how == "exec":
            shown = " ".join(
                [*(f"{key}={value}" for key, value in self.environment.items()), *map(_quoted, self.command)]
            )
            shown = shown.replace("{program}", self.program)
            return Target(
                spec,
                "exec",
                lambda limits: ExecWorker(command, limits, dict(self.statuses), environment),
                lambda data: f"printf {octal(data)} | {shown}; echo $?",
                self.name,
                self.told_version(),
            )
        return Target(
            spec,
            "known",
            lambda limits: StreamWorker(command, limits, environment),
            lambda data: f"utf8-abnf smoke {spec} '{data.hex(' ').upper()}'",
            self.name,
            self.told_version(),
        )

    def words(self) -> tuple[str, ...]:
        """Return the command that starts it, its adapter compiled if need be; TargetError when that cannot be done."""
        program = self._program()
        if program is None or not self.available():
            needed = self.install or self.program
            raise TargetError(f"{self.name} is not on this machine; it needs {needed}")
        source = _source(self.source) if self.source else ""
        binary = self._built(tuple(_fill(self.build, program, source)), program) if self.build else ""
        return tuple(_fill(self.command, program, source, binary))

    def _built(self, build: tuple[str, ...], program: str) -> str:
        # A new compiler or a new library makes a new program.
        return _built(self.source, build, _first_line((program, "--version")) + self.told_version())

    def _environment(self) -> dict[str, str] | None:
        if self.program == "python":
            from utf8_abnf.harness.target import import_path

            return import_path()
        return os.environ | dict(self.environment) if self.environment else None

    def told_version(self) -> str:
        """Return the first line that its version command prints; "" when there is none or it fails."""
        program = self._program()
        if program is None or not self.version:
            return ""
        return _first_line(tuple(_fill(self.version, program, "")))


def _fill(words: tuple[str, ...], program: str, source: str, binary: str = "") -> list[str]:
    known = {"{program}": program, "{source}": source, "{binary}": binary}
    filled = []
    for word in words:
        for mark, value in known.items():
            word = word.replace(mark, value)
        filled.append(word)
    return filled


def _quoted(word: str) -> str:
    return word if all(each.isalnum() or each in "-_./{}=" for each in word) else f"'{word}'"


@cache
def _first_line(command: tuple[str, ...]) -> str:
    try:
        done = subprocess.run(  # noqa: S603
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=VERSION_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    lines = (done.stdout or done.stderr).decode("utf-8", "replace").strip().splitlines()
    return lines[0].strip()[:80] if lines else ""


@cache
def _succeeds(command: tuple[str, ...]) -> bool:
    try:
        return not subprocess.run(  # noqa: S603
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=VERSION_SECONDS, check=False
        ).returncode
    except (OSError, subprocess.SubprocessError):
        return False


@cache
def _source(name: str) -> str:
    """Return the path of an adapter's source; from a zipped package it is copied to the cache first."""
    folder = files("utf8_abnf.decoders") / "sources"
    if isinstance(folder, Path):
        return str(folder / name)
    for part in (name, *_included(folder, name)):
        (cache_folder() / part).write_bytes((folder / part).read_bytes())
    return str(cache_folder() / name)


def _included(folder: Traversable, name: str) -> list[str]:
    """Return the names of our own headers that the source *name* includes."""
    text = (folder / name).read_text(encoding="utf-8")
    return re.findall(r'^#include "([a-z_]+\.h)"$', text, re.MULTILINE)


@cache
def cache_folder() -> Path:
    """Return a folder for compiled adapters that only we can write to: in the user's cache, else a temporary one."""
    folder = cache_path()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if ours_alone(folder) and os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="utf8-abnf-"))


def cache_path() -> Path:
    """Return where that folder is in the user's cache; RuntimeError for a user without a home."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "utf8-abnf"


def ours_alone(folder: Path) -> bool:
    """Tell whether only we can write to *folder*; in another could be another's program under our name."""
    facts = folder.lstat()
    ours = not hasattr(os, "getuid") or facts.st_uid == os.getuid()
    return ours and stat.S_ISDIR(facts.st_mode) and not facts.st_mode & 0o022


def _built(source: str, build: tuple[str, ...], versions: str) -> str:
    """Return the path of the program that *build* makes of *source*, made now or found in the cache."""
    path = Path(_source(source))
    parts = [(path.parent / name).read_bytes() for name in (source, *_included(path.parent, source))]
    stamp = hashlib.sha256(b"".join(parts) + "\0".join([*build, versions]).encode())
    binary = cache_folder() / f"{path.stem}-{stamp.hexdigest()[:16]}{'.exe' if os.name == 'nt' else ''}"
    if not binary.exists():
        with tempfile.TemporaryDirectory(dir=cache_folder()) as temporary:
            made = Path(temporary) / "adapter"
            _compile([word.replace("{output}", str(made)) for word in build], temporary)
            made.replace(binary)  # at once: another process never sees half a program
    return str(binary)


def _compile(command: list[str], folder: str) -> None:
    try:
        done = subprocess.run(  # noqa: S603
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=COMPILE_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise TargetError(f"{command[0]} cannot compile the adapter: {error}") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        reason = next((line for line in lines if "error" in line), lines[0])  # before it stand those that lead to it
        raise TargetError(f"{command[0]} cannot compile the adapter: {reason[:200]}")
