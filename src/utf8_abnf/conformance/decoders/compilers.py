"""Adapters of compilers that read UTF-8: gcc and clang read one file with a string literal for each input.

These rows need code because an error message names a line, which stands for an input. ASCII controls, quotes and
backslashes are written as octal escapes.
"""

from __future__ import annotations

from functools import partial

from utf8_abnf.conformance.decoders.batch import Tool


def c_line(data: bytes) -> bytes:
    r"""Return a line of C with *data* in a literal of UTF-32.

    >>> c_line(b'a"\0')
    b'_Static_assert(sizeof U"a\\042\\000", "");'
    """
    escaped = b"".join(b"\\%03o" % byte if byte < 32 or byte in b'"\\?' else bytes([byte]) for byte in data)
    return b'_Static_assert(sizeof U"%b", "");' % escaped


# cpplib's conversion to the execution character set, and LLVM's ConvertUTF8toUTF32. gcc tells no column beyond 4,096.
GCC = ("gcc", "-fsyntax-only", "-w", "-fmax-errors=0", "-fno-diagnostics-show-caret")
CLANG = ("clang", "-fsyntax-only", "-w", "-ferror-limit=0")
Gcc = partial(Tool, GCC, rb"^u\.c:(\d+):(?:\d+:)? error", wrap=c_line, in_lines="u.c")
Clang = partial(Tool, CLANG, rb"^u\.c:(\d+):\d+: error", wrap=c_line, in_lines="u.c")
