"""Adapters on disk: from a source that a row names to its path, and to the program that its compiler makes of it."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.known.packages import cache_folder
from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

COMPILE_SECONDS = 120


def source_path(source: Traversable) -> Path:
    """Return the path of *source*; when it is inside a zipped package, that of a copy in the cache."""
    if isinstance(source, Path):
        return source
    folder = cache_folder() / hashlib.sha256(str(source).encode()).hexdigest()[:16]
    folder.mkdir(exist_ok=True)
    for name, content in adapter_parts(source).items():
        (folder / name).write_bytes(content)
    return folder / source.name


def adapter_parts(source: Traversable) -> dict[str, bytes]:
    """Return *source* and the files of its own folder that it includes, directly or not: by name, *source* first."""
    parts = {source.name: source.read_bytes()}
    todo = [source.name]
    for part in todo:
        for name in included(parts[part]):
            if name not in parts and (file := beside(source, name)).is_file():
                parts[name] = file.read_bytes()
                todo.append(name)
    return parts


def beside(source: Traversable, name: str) -> Traversable:
    """Return the file *name*, which stands relative to *source*."""
    return source.parent.joinpath(name)  # type: ignore[attr-defined, no-any-return]  # Path and zipfile.Path have it


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
    stamp = hashlib.sha256(b"".join(adapter_parts(path).values()) + "\0".join([*build, versions]).encode())
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
