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

FIRST = ("own", "python", "javascript", "browsers", "java", "c", "rust", "go")  # what most readers know; then by name


def _order(name: str) -> tuple[int, str]:
    family = name.removesuffix(".toml")
    return FIRST.index(family) if family in FIRST else len(FIRST), name


ROWS = (each for each in files(__name__).iterdir() if each.name.endswith(".toml"))
FILES = tuple(sorted(ROWS, key=lambda each: _order(each.name)))
