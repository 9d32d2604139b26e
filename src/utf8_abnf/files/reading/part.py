"""What a reader gets and what it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import UnreadableError
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.files.reading.columns import ColumnScanner
    from utf8_abnf.files.reading.limits import Meter
    from utf8_abnf.files.reading.streams import Stream


class Packed(NamedTuple):
    """A stream that a reader reads; *columns*: those that the user named in columnar files, none for all of text.

    *passes* is asked about a whole content where there are many: True where no part is needed, since all is said of it.
    """

    stream: Stream
    meter: Meter
    columns: tuple[str, ...] = ()
    passes: Callable[[bytes], bool] = lambda _: False


class Part(NamedTuple):
    """One content in a packed file: *open* it before the next one is asked for; None for a pipe or a device."""

    name: str
    open: Callable[[], Stream | ColumnScanner] | None


def broken(name: str, error: Exception) -> Part:
    """Return a part that cannot be opened, for *error*."""

    def fail() -> Stream:
        raise error

    return Part(name, fail)


def refuse(name: str) -> None:
    """Raise ``UnreadableError`` for the *name* of a member that an unpacking program would write elsewhere."""
    if leads_out(name):
        raise UnreadableError(say(messages.LEADS_OUT))


def leads_out(name: str) -> bool:
    r"""Return whether a member of this name would be written outside the folder into which its archive is unpacked.

    >>> leads_out("a/b.txt"), leads_out("../a"), leads_out("/etc/passwd"), leads_out("C:\\a"), leads_out("a/..b")
    (False, True, True, True, False)
    """
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or not parts[0] or (len(parts[0]) == 2 and parts[0][1] == ":")
