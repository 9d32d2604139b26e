"""Prints an exception as one sentence on standard error and returns the exit status."""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import sys
from typing import TextIO

from utf8_abnf.cli.status import BROKEN_PIPE, INTERRUPTED, OK, TARGET, USAGE

_OF_OUTPUT = {errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EBADF}  # errors that writing has
DEBUG = "UTF8_ABNF_DEBUG"  # set it to see tracebacks
PLAIN = "utf8_abnf.plain"  # the handler of characters that an encoding cannot write

# What to print in ASCII where the terminal cannot show a character of ours.
_PLAIN = {"…": "...", "·": ".", "→": "->", "–": "-", "ε": "(empty)", "×": "x", "│": "|", "─": "-", "├": "+", "└": "+"}


def replace_closed_streams() -> None:
    """Open ``os.devnull`` in place of closed streams: an error where output is written, and silence for messages.

    The system would give their descriptors to the next files that we open.
    """
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # the lowest number that is free is this one
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _plain(error: UnicodeError) -> tuple[str, int]:
    r"""Handle what an encoding cannot write (PEP 293): ASCII that means the same, else an escape such as ``\xe9``."""
    assert isinstance(error, UnicodeEncodeError)
    character = error.object[error.start]
    if 0xDC80 <= ord(character) <= 0xDCFF:  # a byte of a file name that is not UTF-8 (PEP 383)
        return f"\\x{ord(character) - 0xDC00:02x}", error.start + 1
    return _PLAIN.get(character) or character.encode("ascii", "backslashreplace").decode(), error.start + 1


codecs.register_error(PLAIN, _plain)


def status_of(error: BaseException) -> int:
    """Print the reason of *error* and return the exit status."""
    from utf8_abnf.cli.names import reason_of
    from utf8_abnf.errors import TargetError, Utf8AbnfError
    from utf8_abnf.language.catalogue import described

    if os.environ.get(DEBUG) and not isinstance(error, SystemExit):
        import traceback

        traceback.print_exception(error)
    match error:
        case SystemExit():  # argparse has printed its message or the help
            try:
                sys.stdout.flush()
            except OSError as of_output:
                return status_of(of_output)
            return error.code if isinstance(error.code, int) else USAGE if error.code else OK
        case KeyboardInterrupt():
            return _fail("interrupted", INTERRUPTED)
        case BrokenPipeError():  # `utf8-abnf ... | head`: the reader has seen enough
            _abandon(sys.stdout)
            return BROKEN_PIPE
        case TargetError():
            return _fail(described(error), TARGET)
        case Utf8AbnfError():
            return _fail(described(error), USAGE)
        case OSError(filename=None):
            reason = reason_of(error)
            return _fail(f"{reason} while writing the output" if error.errno in _OF_OUTPUT else reason, USAGE)
        case OSError():
            return _fail(f"{os.fsdecode(error.filename)}: {reason_of(error)}", USAGE)
        case MemoryError():
            return _fail("out of memory", USAGE)
        case ModuleNotFoundError(name=str(name)) if not name.startswith("utf8_abnf"):
            can_be_installed = name.partition(".")[0] not in sys.stdlib_module_names
            how = f"which is not installed: python -m pip install {name}"
            without = "without which this Python was built"
            return _fail(f"this command needs {name}, {how if can_be_installed else without}", USAGE)
    text = f"{type(error).__name__}: {error}".replace("\n", " ")
    return _fail(f"internal error, please report it ({DEBUG}=1 shows where): {text}", USAGE)


def _fail(text: str, status: int) -> int:
    from utf8_abnf.language.notation import printable

    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()  # what was found before the failure
    with contextlib.suppress(OSError, ValueError):
        lines = map(printable, text.split("\n"))  # a terminal would obey a name in it
        print("utf8-abnf:", "\n".join(lines), file=sys.stderr)
    _abandon(sys.stdout)
    return status


def _abandon(stream: TextIO) -> None:
    """Flush *stream*; where it cannot be written, send the rest to ``os.devnull``: Python complains of it at exit."""
    try:
        stream.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
