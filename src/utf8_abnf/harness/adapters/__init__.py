"""Adapter templates: for each language a program that speaks the stream protocol, with one place to fill in."""

from __future__ import annotations

from importlib.resources import files

from utf8_abnf.errors import UsageError

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
}
OTHER_NAMES = {
    "cpp": "c++",
    "js": "javascript",
    "node": "javascript",
    "csharp": "c#",
    "py": "python",
    "rs": "rust",
    "pl": "perl",
}


def template(language: str) -> str:
    """Return the adapter for *language*; UsageError names the languages when there is none.

    >>> template("python").count("TODO")
    1
    """
    return (files("utf8_abnf.harness.adapters") / TEMPLATES[canonical(language)][0]).read_text(encoding="utf-8")


def canonical(language: str) -> str:
    """Return the name under which *language* stands in ``TEMPLATES``.

    >>> canonical("CPP")
    'c++'
    """
    name = OTHER_NAMES.get(language.lower(), language.lower())
    if name not in TEMPLATES:
        raise UsageError(f"there is no adapter for {language!r}; there is one for {', '.join(TEMPLATES)}")
    return name
