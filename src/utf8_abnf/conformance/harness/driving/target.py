"""A target: a decoder that can be started, and how a user can ask it by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.conformance.harness.driving.worker import Limits, Worker


@dataclass(frozen=True, slots=True)
class Target:
    """A decoder that can be started. *spec* is what the user wrote, *kind* what stands there before the colon.

    *start* returns a running worker or raises TargetError. *reproduce* returns a command that gives bytes to the
    decoder. *library* is the path and symbol of a C function that can be called in process.
    """

    spec: str
    kind: str
    start: Callable[[Limits], Worker]
    reproduce: Callable[[bytes], str]
    name: str = ""
    version: str = ""
    library: tuple[str, str] | None = None


def octal(data: bytes) -> str:
    r"""Return *data* as the argument of a POSIX ``printf``, in single quotes.

    >>> octal(b"a\xed\x00'")
    "'a\\355\\000\\047'"
    """
    plain = frozenset(range(0x20, 0x7F)) - frozenset(b"'\\%")
    return "'" + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in data) + "'"
