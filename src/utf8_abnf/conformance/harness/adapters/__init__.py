"""Adapter templates: for each language a program that speaks the stream protocol, with one place to fill in per mode.

A line like ``// [p]`` begins the part of a template that is for mode p, ``// [pr]`` for p and r, ``// [end]`` for all.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING

from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

PART = re.compile(r"\s*(?://|#|/\*) \[(end|[vprs]+)\](?: \*/)?\n")

# language: (file, command that builds it, command that runs it)
TEMPLATES = {
    "c": ("adapter.c", "cc -O2 -o adapter adapter.c", "./adapter"),
    "c++": ("adapter.cpp", "c++ -O2 -o adapter adapter.cpp", "./adapter"),
    "rust": ("adapter.rs", "rustc --edition 2021 -O -o adapter adapter.rs", "./adapter"),
    "go": ("adapter.go", "go build -o adapter adapter.go", "./adapter"),
    "java": ("Adapter.java", "javac Adapter.java", "java Adapter"),
    "javascript": ("adapter.js", "", "node adapter.js"),
    "python": ("adapter.py", "", "python3 adapter.py"),
    "perl": ("adapter.pl", "", "perl adapter.pl"),
    "ruby": ("adapter.rb", "", "ruby adapter.rb"),
    "php": ("adapter.php", "", "php adapter.php"),
    "c#": ("Adapter.cs", "mcs -out:Adapter.exe Adapter.cs", "mono Adapter.exe"),
    "dotnet": ("Adapter.cs", "dotnet build Adapter.cs", "dotnet run --no-build Adapter.cs"),  # from .NET 10 on
}
OTHER_NAMES = {
    "cpp": "c++",
    "js": "javascript",
    "node": "javascript",
    "csharp": "c#",
    "py": "python",
    "rs": "rust",
    "pl": "perl",
    ".net": "dotnet",
}
ALL_MODES = ("v", "p", "r", "s")


def template(language: str, modes: Sequence[str] = ("v",)) -> str:
    """Return the adapter for *language* that answers in *modes*, some of ``ALL_MODES``.

    For an unknown language or mode, UsageError lists those that exist.

    >>> template("python").count("TODO"), template("python", ["v", "p"]).count("TODO")
    (1, 2)
    """
    if not modes or not set(modes) <= set(ALL_MODES):
        raise UsageError(f"{','.join(modes)!r} are not modes of an adapter; write some of {','.join(ALL_MODES)}")
    text = (files(__name__) / TEMPLATES[canonical(language)][0]).read_text(encoding="utf-8")
    kept = []
    is_kept = True
    for line in text.splitlines(keepends=True):
        if part := PART.fullmatch(line):
            is_kept = part[1] == "end" or not set(part[1]).isdisjoint(modes)
        elif is_kept:
            kept.append(line)
    chosen = ",".join(mode for mode in ALL_MODES if mode in modes)
    return "".join(kept).replace(f"modes={','.join(ALL_MODES)} ", f"modes={chosen} ")


def canonical(language: str) -> str:
    """Return the name under which *language* stands in ``TEMPLATES``.

    >>> canonical("CPP")
    'c++'
    """
    name = OTHER_NAMES.get(language.lower(), language.lower())
    if name not in TEMPLATES:
        raise UsageError(f"there is no adapter for {language!r}; there is one for {', '.join(TEMPLATES)}")
    return name
