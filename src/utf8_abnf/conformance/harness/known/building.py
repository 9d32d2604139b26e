"""Adapters on disk: from a source that a row names to the program that its compiler makes of it."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tempfile
from pathlib import Path

from utf8_abnf.conformance.harness.known.packages import cache_folder
from utf8_abnf.errors import TargetError

COMPILE_SECONDS = 120


def adapter_of(source: Path) -> bytes:
    """Return *source* and the files of its own folder that it includes, directly or not, one behind the other."""
    files = [source]
    for file in files:
        beside = dict.fromkeys(source.parent / name for name in included(file.read_bytes()))
        files += [each for each in beside if each not in files and each.is_file()]
    return b"".join(file.read_bytes() for file in files)


def included(text: bytes) -> list[str]:
    """Return the names of the files that *text* includes, C or C++, or JavaScript, or Python; modules may be Python's.

    >>> included(b'#include "stream.h"')
    ['stream.h']
    >>> included(b'require("./npm_codecs.js")')
    ['npm_codecs.js']
    >>> included(b"from pypi_json import JSON")
    ['pypi_json.py']
    """
    program = text.decode(errors="replace")
    modules = re.findall(r"^from (\w+) import ", program, re.MULTILINE)
    return [
        *re.findall(r'^#include "([a-z0-9_]+\.h)"$', program, re.MULTILINE),
        *re.findall(r'\brequire\("\./([a-z_]+\.c?js)"\)', program),
        *(f"{name}.py" for name in modules),
    ]


def built(path: Path, build: tuple[str, ...], versions: str) -> str:
    """Return the path of the program that the command *build* makes of *path*, built now or found in the cache.

    It is built again when the source, its headers, the command or *versions* change; TargetError with the compiler's
    message when that fails.
    """
    stamp = hashlib.sha256(adapter_of(path) + "\0".join([*build, versions]).encode())
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
        # Lines without an error come first: they say which file included which.
        reason = next((line for line in lines if "error" in line), lines[0])
        raise TargetError(f"{command[0]} cannot compile the adapter: {reason[:200]}")
