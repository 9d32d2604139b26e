"""Rows for libraries of C and C++, and direct ways that begin with a source: from Python, from C, from a file."""

from __future__ import annotations

from utf8_abnf.decoders.decoder import Decoder

COMPILE = '"$1" -O1 -w -o "$2" "$3"'


def library(
    name: str,
    about: str,
    *,
    source: str,
    argument: str,
    install: str,
    module: str = "",
    flags: str = "",
    compiler: str = "",
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
    tools = ("apt:g++" if source.endswith(".cpp") else "apt:gcc", "apt:pkg-config" if module else "")
    return Decoder(
        name,
        about,
        compiler or ("c++" if source.endswith(".cpp") else "cc"),
        ("{binary}", argument),
        source=source,
        build=("sh", "-c", f"{COMPILE} {flags}{asked}".strip(), "sh", "{program}", "{output}", "{source}"),
        install=" ".join(filter(None, (*tools, install))),
        probe=probe or (("pkg-config", "--exists", module) if module else ()),
        version=version or (("pkg-config", "--modversion", module) if module else ()),
        claim=claim,
        refuses=refuses,
        direct=direct,
    )


def header(name: str, compiler: str = "c++") -> tuple[str, ...]:
    """Return the probe for a library that is only a header: it succeeds where the compiler finds it."""
    return ("sh", "-c", f'echo "#include <{name}>" | {compiler} -x c++ -E -')


def debian_version(package: str) -> tuple[str, ...]:
    """Return the command that tells the version of a Debian package, for a library that does not tell its own."""
    return ("dpkg-query", "-W", "-f", "${Version}", package)


def from_python(call: str, shared: str) -> str:
    """Return a command that judges standard input, ``n`` bytes ``d``, by *call* to the shared library ``l``."""
    load = f"l = ctypes.CDLL({shared!r}); d = sys.stdin.buffer.read(); n = ctypes.c_size_t(len(d))"
    return f'python3 -c "import ctypes, sys; {load}; sys.exit(not {call})"'


def from_c(judge: str, *headers: str, module: str = "", flags: str = "", compiler: str = "cc") -> str:
    """Return a command that judges standard input by *judge*, C that sets ``r`` from the ``n`` bytes at ``d``."""
    asked = f" $(pkg-config --cflags --libs {module})" if module else ""
    lines = [f"#include <{name}>" for name in ("stdio.h", "string.h", *headers)]
    lines += [
        f"char d[99999]; int main(void) {{ int r = 0; size_t n = fread(d, 1, 99998, stdin); {judge} return !r; }}"
    ]
    program = "\n".join(lines)
    language = "c++" if compiler == "c++" else "c"
    build = f"""echo '{program}' | {compiler} -w -x {language} - -o "$t" {flags}{asked} || exit 2"""
    return f't=$(mktemp)\n{build}\n"$t"; s=$?; rm "$t"; exit $s'


def from_file(name: str, source: str, command: str) -> str:
    """Return a command that judges standard input by *command*, which finds *source* as the file *name* in ``$t``.

    *command* ends with 10 to accept and 11 to reject: compilers use 1 for their own errors.
    """
    return f"t=$(mktemp -d);echo '{source}'>$t/{name};{command};s=$?;rm -r $t;exit $((s-10))"
