"""Adapters of compilers that read UTF-8: gcc, clang, tcc and gofmt read one file with a string literal for each input.

These rows need code because an error message names a line, which stands for an input. ASCII controls, quotes and
backslashes are written as octal escapes.
"""

from __future__ import annotations

from utf8_abnf.conformance.decoders.batch import Tool
from utf8_abnf.conformance.harness.replacing import BOM


def literal(data: bytes, before: bytes, after: bytes) -> bytes:
    r"""Return *data* as a string literal of C or Go, between *before* and *after*.

    >>> literal(b'a"\0', b'U"', b'";')
    b'U"a\\042\\000";'
    """
    escaped = b"".join(b"\\%03o" % byte if byte < 32 or byte in b'"\\?' else bytes([byte]) for byte in data)
    return before + escaped + after


def c_line(data: bytes) -> bytes:
    """Return a line of C with *data* in a literal of UTF-32."""
    return literal(data, b'_Static_assert(sizeof U"', b'", "");')


def wide_line(data: bytes) -> bytes:
    """Return a line of C with *data* in a literal of wchar_t."""
    return literal(data, b'int f(int a[sizeof L"', b'"]);')


def go_line(data: bytes) -> bytes | None:
    """Return a line of Go; None for a byte order mark, which Go allows as the first character of a file alone."""
    return None if BOM in data else literal(data, b'var _ = "', b'"')


class Gcc(Tool):
    """cpplib's conversion to the execution character set."""

    def __init__(self) -> None:
        super().__init__(
            ("gcc", "-fsyntax-only", "-w", "-fmax-errors=0", "-fno-diagnostics-show-caret"),
            rb"^u\.c:(\d+):(?:\d+:)? error",  # gcc tells no column beyond 4,096
            wrap=c_line,
            in_lines="u.c",
        )


class Clang(Tool):
    """LLVM's ConvertUTF8toUTF32."""

    def __init__(self) -> None:
        super().__init__(
            ("clang", "-fsyntax-only", "-w", "-ferror-limit=0"), rb"^u\.c:(\d+):\d+: error", wrap=c_line, in_lines="u.c"
        )


class Tcc(Tool):
    """Tiny C, which warns, and takes the byte as a character. It unlinks its output file: never give it /dev/null."""

    def __init__(self) -> None:
        super().__init__(
            ("tcc", "-c", "-o", "u.o"), rb"^u\.c:(\d+): warning: ill-formed UTF-8", wrap=wide_line, in_lines="u.c"
        )


class Gofmt(Tool):
    """Go's scanner."""

    def __init__(self) -> None:
        super().__init__(
            ("gofmt", "-e", "-l"),
            rb"^u\.go:(\d+):\d+: illegal UTF-8",
            wrap=go_line,
            in_lines="u.go",
            first=b"package p",
        )
