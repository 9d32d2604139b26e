"""The decoders that come with this package: rows files, the sources of their adapters, and adapters in Python.

A row is data: docs/reference/decoder-rows.md describes it. ``FILES`` are found through the entry point that
pyproject.toml declares, as those of other packages are. Sources are in ``sources/``, those of direct commands in
``sources/direct/``. Python modules are for what data cannot say: ``batch`` runs command-line tools on many inputs at
once, and ``tools``, ``xml_tools``, ``compilers``, ``formats``, ``databases``, ``browsers`` and ``editors`` say how
each tool is given inputs and what its output means; ``own`` and ``python`` are run in process.

An adapter also answers to the name ``control``: it then calls no decoder, and accepts data whose bytes sum up to less
than 128, modulo 256. A test asks that of each adapter, to see that it carries every byte and every answer.
"""

from __future__ import annotations

from importlib.resources import files

FAMILIES = (
    "own",
    "python",
    "javascript",
    "browsers",
    "perl",
    "java",
    "jvm",
    "c",
    "icu",
    "glib",
    "unistring",
    "pcre",
    "xml",
    "c_text",
    "c_messages",
    "json_libraries",
    "boost",
    "cplusplus",
    "rust",
    "crates",
    "go",
    "php",
    "ruby",
    "lua",
    "tcl",
    "csharp",
    "dotnet",
    "erlang",
    "elixir",
    "lisp",
    "scheme",
    "guile",
    "chez",
    "racket",
    "haskell",
    "ocaml",
    "d",
    "ada",
    "nim",
    "pascal",
    "pike",
    "raku",
    "r",
    "prolog",
    "octave",
    "crystal",
    "tools",
    "xml_tools",
    "compilers",
    "databases",
    "editors",
    "formats",
    "pypi",
    "npm",
    "npm_formats",
)
FILES = tuple(files(__name__) / f"{family}.toml" for family in FAMILIES)
