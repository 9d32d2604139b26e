"""A target: a decoder that can be started, and the commands, short enough for a screen, that ask it by hand."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from sys import executable
from typing import TYPE_CHECKING

from utf8_abnf.language.notation import runs_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.conformance.harness.driving.worker import Limits, Worker

MAX_BYTES = 48  # of an input that is written byte by byte
MAX_EXPRESSION = 240  # characters of a Python expression for the input
MAX_ARGUMENT = 60_000  # bytes of an input that goes through the command line: Linux takes 128 KiB, in hex that is half


@dataclass(frozen=True, slots=True)
class Target:
    """A decoder that can be started. *spec* is what the user wrote, *kind* what stands there before the colon.

    *start* returns a running worker or raises TargetError. *by_hand* returns a command that gives bytes to the decoder,
    where that is not the command ``smoke``, which finds it with *option*. *library* is the path and symbol of a C
    function that can be called in process. It is *expensive* if an answer takes as long as a process.
    """

    spec: str
    kind: str
    start: Callable[[Limits], Worker]
    by_hand: Callable[[bytes], str] | None = None
    name: str = ""
    version: str = ""
    library: tuple[str, str] | None = None
    option: str = ""
    expensive: bool = False

    @property
    def smoke(self) -> str:
        """The command that asks it about bytes in hex, which come next."""
        return " ".join(filter(None, ("utf8-abnf smoke", self.option, shlex.quote(self.spec))))

    def reproduce(self, data: bytes) -> str:
        """Return a command that gives *data* to the decoder."""
        return self.by_hand(data) if self.by_hand else f"{self.smoke} {_argument(data)}"


def octal(data: bytes) -> str:
    r"""Return *data* as the argument of a POSIX ``printf``, in single quotes.

    >>> octal(b"a\xed\x00'")
    "'a\\355\\000\\047'"
    """
    plain = frozenset(range(0x20, 0x7F)) - frozenset(b"'\\%")
    return "'" + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in data) + "'"


def command_for(target: Target, data: bytes, case: str, level: str, *, by_name: bool = False) -> str:
    """Return a command, or for a Python object an expression, that gives *data* to the decoder.

    Short data are written out, regular data as a Python expression. Other data are named by *case*, the id of a case of
    *level* that showed the same, and so are all *by_name*.
    """
    if len(data) <= MAX_BYTES and not by_name:
        return target.reproduce(data)
    is_object = target.kind == "object"
    if not by_name and len(expression(data)) <= MAX_EXPRESSION and (is_object or len(data) <= MAX_ARGUMENT):
        if is_object:
            return target.reproduce(_Written(data))
        return f"{target.smoke} {_argument(data)}"
    name = shlex.quote(case.partition("@")[0])
    if is_object or not case:
        return f"utf8-abnf suite show --level {level} {name}"
    parts = case.split("/")
    family = "/".join(parts[:2]) if parts[0] in {"W", "stream"} else parts[0]  # some names have a slash in them
    words = ["utf8-abnf", "test", target.spec, "--level", level, "--family", family, "--case"]
    return f"{shlex.join(words)} {name}"


def command_in_turn(target: Target, before: bytes, data: bytes) -> str:
    """Return a command, or for a Python object an expression, that gives *before* and then *data* to one decoder.

    "" if it would be too long to be read.
    """
    if max(len(expression(each)) for each in (before, data)) > MAX_EXPRESSION:
        return ""
    if target.kind == "object":
        return "; ".join(target.reproduce(_Written(each)) for each in (before, data))
    return f"{target.smoke} {_argument(before)} {_argument(data)}"


def _argument(data: bytes) -> str:
    """Return *data* in hex for a command line, quoted: of long data what prints it."""
    if len(data) <= MAX_BYTES:
        return f"'{data.hex(' ').upper()}'"
    return f"""\"$({Path(executable).name} -c 'print(({expression(data)}).hex())')\""""


class _Written(bytes):
    """Bytes that a target writes into its command as an ``expression``."""

    def __repr__(self) -> str:
        return expression(self)


def expression(data: bytes) -> str:
    r"""Return a Python expression for *data* without single quotes: what is repeated is written once.

    >>> print(expression(b"\xc0'" + bytes(4096)))
    b"\xc0\x27"+b"\x00"*4096
    """
    parts = (_literal(piece) if times == 1 else f"{_literal(piece)}*{times}" for piece, times in runs_of(data))
    return "+".join(parts) or _literal(b"")


def _literal(data: bytes) -> str:
    plain = frozenset(range(0x20, 0x7F)) - frozenset(b"'\"\\")
    return 'b"' + "".join(chr(byte) if byte in plain else f"\\x{byte:02x}" for byte in data) + '"'
