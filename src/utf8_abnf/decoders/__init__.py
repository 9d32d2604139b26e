"""Decoders that this package knows how to drive: one small module for each family, one row for each decoder.

To add one, write its adapter (a program in its own language that speaks the stream protocol, in ``sources/``), a module
with a tuple ``DECODERS``, and put the module's name into ``FAMILIES``. Say in ``about`` what exactly is called, and in
``claim`` what its documentation promises, if that is not UTF-8; ``install`` and ``probe`` say how to get it and whether
it is there, ``refuses`` what its interface cannot be given, ``direct`` how to ask it without our adapter.

An adapter also answers to the name ``control``: it then calls no decoder, and accepts data whose bytes sum up to less
than 128, modulo 256. A test asks that of each adapter, to see that it carries every byte and every answer.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from utf8_abnf.decoders.decoder import Decoder
from utf8_abnf.errors import UsageError

__all__ = ["FAMILIES", "Decoder", "decoders", "find"]

FAMILIES = (
    "own",
    "python",
    "javascript",
    "perl",
    "java",
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
    "go",
    "php",
    "ruby",
    "lua",
    "tcl",
    "csharp",
    "erlang",
    "lisp",
    "scheme",
    "d",
    "ada",
    "nim",
    "pascal",
    "pike",
    "raku",
    "r",
    "prolog",
    "crystal",
    "tools",
    "xml_tools",
    "compilers",
    "databases",
    "editors",
    "formats",
    "pypi",
    "npm",
)


@cache
def decoders() -> tuple[Decoder, ...]:
    """Return every decoder that this package knows, in the order of the table; most need not be on this machine."""
    return tuple(each for family in FAMILIES for each in import_module(f"{__name__}.{family}").DECODERS)


def find(name: str) -> Decoder:
    """Return the decoder called *name*; UsageError names what is near when there is none.

    >>> find("python").claim
    'UTF-8'
    """
    for each in decoders():
        if each.name == name:
            return each
    from difflib import get_close_matches

    near = get_close_matches(name, [each.name for each in decoders()], 3, 0.4)
    hint = f"did you mean {', '.join(near)}?" if near else "`utf8-abnf test --list` names them"
    raise UsageError(f"there is no known decoder {name!r}; {hint}")
