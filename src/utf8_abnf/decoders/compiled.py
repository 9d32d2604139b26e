"""Rows for libraries of C and C++: how an adapter is compiled and linked, and how a library is asked without it."""

from __future__ import annotations

from utf8_abnf.decoders.decoder import Decoder

COMPILE = '"$1" -O2 -w -o "$2" "$3"'


def library(
    name: str,
    about: str,
    *,
    source: str,
    argument: str,
    install: str,
    module: str = "",
    flags: str = "",
    probe: tuple[str, ...] = (),
    version: tuple[str, ...] = (),
    claim: str = "UTF-8",
    refuses: str = "",
    direct: str = "",
) -> Decoder:
    """Return the row of a decoder that *argument* names to the adapter *source*.

    *module* is what pkg-config calls the library; where it does not know it, *flags* say how to link it, and *probe*
    tells whether it is there.
    """
    asked = f" $(pkg-config --cflags --libs {module})" if module else ""
    return Decoder(
        name,
        about,
        "c++" if source.endswith(".cpp") else "cc",
        ("{binary}", argument),
        source=source,
        build=("sh", "-c", f"{COMPILE} {flags}{asked}".strip(), "sh", "{program}", "{output}", "{source}"),
        install=f"apt:{'g++' if source.endswith('.cpp') else 'gcc'} {'apt:pkg-config ' if module else ''}{install}",
        probe=probe or (("pkg-config", "--exists", module) if module else ()),
        version=version or (("pkg-config", "--modversion", module) if module else ()),
        claim=claim,
        refuses=refuses,
        direct=direct,
    )


def header(name: str, compiler: str = "c++") -> tuple[str, ...]:
    """Return the probe for a library that is only a header: it succeeds where the compiler finds it."""
    return ("sh", "-c", f'echo "#include <{name}>" | {compiler} -x c++ -fsyntax-only -')


def from_python(call: str, shared: str = "") -> str:
    """Return a command that judges standard input ``d`` by *call*, an expression on the shared library ``l``."""
    load = f"l = ctypes.CDLL({shared!r}); " if shared else "l = ctypes.CDLL(None); "
    program = f"import ctypes, sys; d = sys.stdin.buffer.read(); {load}sys.exit(0 if {call} else 1)"
    return f'python3 -c "{program}"'
