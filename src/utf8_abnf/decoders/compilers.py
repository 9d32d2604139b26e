"""Compilers that read UTF-8: what gcc, clang, tcc and gofmt say of string literals, one for each input, in one file.

ASCII controls, quotes and backslashes are written as octal escapes.
"""

from __future__ import annotations

from utf8_abnf.decoders.batch import Tool, row


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
    return literal(data, b'struct { int a[sizeof L"', b'"]; };')


def go_line(data: bytes) -> bytes:
    """Return a line of Go."""
    return literal(data, b'var _ = "', b'"')


class Gcc(Tool):
    """cpplib's conversion to the execution character set."""

    def __init__(self) -> None:
        super().__init__(
            ("gcc", "-fsyntax-only", "-w", "-fmax-errors=0", "-fno-diagnostics-show-caret"),
            rb"^u\.c:(\d+):\d+: error",
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
    """Tiny C, which warns and takes the byte for a character. It unlinks what it writes to: never give it /dev/null."""

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


DECODERS = (
    row(
        "gcc",
        'gcc: a string literal of UTF-32 (U"…")',
        "compilers:Gcc",
        "gcc --version",
        "apt:gcc",
        """{ printf 'int a[sizeof U"'; cat; printf '"];'; } | gcc -fsyntax-only -xc -""",
        version=("gcc", "--version"),
    ),
    row(
        "clang",
        'clang: a string literal of UTF-32 (U"…")',
        "compilers:Clang",
        "clang --version",
        "apt:clang",
        """{ printf 'int a[sizeof U"'; cat; printf '"];'; } | clang -fsyntax-only -xc -""",
        version=("clang", "--version"),
    ),
    row(
        "tcc",
        'tcc: a string literal of wchar_t (L"…"): is it warned of?',
        "compilers:Tcc",
        "tcc -v",
        "apt:tcc",
        """! { printf 'int main(){return!L"'; cat; printf '";}'; } | tcc -run - 2>&1 | grep -q ill-formed""",
        version=("tcc", "-v"),
    ),
    row(
        "gofmt",
        "gofmt -e: a string literal",
        "compilers:Gofmt",
        "command -v gofmt",
        "apt:golang-go",
        """! { printf 'package p; var _ = "'; cat; printf '"'; } | gofmt -e 2>&1 | grep -q 'illegal UTF-8'""",
        version=("go", "version"),
    ),
)
