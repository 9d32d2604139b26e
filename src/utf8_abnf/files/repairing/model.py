"""What a repair gives back: the bytes, and a log of changes from which the input can be made again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.codec.errors import contiguous
from utf8_abnf.errors import Utf8AbnfError
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from typing_extensions import Buffer


class Change(NamedTuple):
    """At *offset* of the input, counted in bytes from its start, *new* stands in place of *old*; *why* is for people.

    *why* names the error and the policy, as in "UTF8-LONE-TAIL, windows-1252".
    """

    offset: int
    old: bytes
    new: bytes
    why: str


class UndoError(Utf8AbnfError):
    """The log does not belong to the data: what it says was written at *offset* of the repaired data is not there."""

    def __init__(self, offset: int, new: bytes) -> None:
        super().__init__(say(messages.WRONG_LOG, new=hex_bytes(new), offset=offset))
        self.offset = offset


class Repaired(NamedTuple):
    """Repaired bytes and the log of what was changed, in the order of the input; no two changes overlap.

    *log* is a sequence of ``Change``. It is empty exactly if nothing was changed.
    """

    data: bytes
    log: Sequence[Change]

    def undo(self, data: Buffer | None = None) -> bytes:
        r"""Return the input that *data* (by default: the own) was made from; ``UndoError`` where the log is another's.

        >>> Repaired(b"caf\xc3\xa9", [Change(3, b"\xe9", b"\xc3\xa9", "")]).undo()
        b'caf\xe9'
        """
        return undo(self.data if data is None else data, self.log)


def undo(data: Buffer, log: Iterable[Change]) -> bytes:
    r"""Return the bytes that were repaired to *data* with the changes of *log*, which begins at offset 0.

    ``UndoError`` where *data* does not have what *log* says was written.

    >>> undo(b"caf\xc3\xa9!", [Change(3, b"\xe9", b"\xc3\xa9", "")])
    b'caf\xe9!'
    """
    reader = Undoer(log)
    return reader.feed(contiguous(data)) + reader.finish()


class Undoer:
    """Undo a repair in a stream: *log* is read once, and no more than one change of it is held.

    ``feed(chunk)`` returns bytes of the input, ``finish()`` the last of them; both raise ``UndoError``.
    """

    def __init__(self, log: Iterable[Change]) -> None:
        self._log = iter(log)
        self._next = next(self._log, None)
        self._pending = b""
        self.undone = 0  # changes
        self._at = 0  # offset in the repaired data of the first pending byte
        self._restored = 0  # bytes of the input given back

    def feed(self, chunk: Buffer) -> bytes:
        """Return the bytes of the input that are known after *chunk* of the repaired data."""
        return self._undo(self._pending + contiguous(chunk), final=False)

    def finish(self) -> bytes:
        """Return the last bytes of the input."""
        return self._undo(self._pending, final=True)

    def _undo(self, data: bytes, *, final: bool) -> bytes:
        parts, at = [], 0
        while self._next is not None:
            old, new = self._next.old, self._next.new
            place = at + self._next.offset - self._restored  # where *new* stands in data
            if place + len(new) > len(data) or (place == len(data) and not final):
                break
            if place < at or data[place : place + len(new)] != new:
                raise UndoError(self._at + place, new)
            parts += [data[at:place], old]
            self.undone += 1
            self._restored += place - at + len(old)
            at = place + len(new)
            self._next = next(self._log, None)
        if final and self._next is not None:
            raise UndoError(self._at + at + self._next.offset - self._restored, self._next.new)
        # Bytes before the next change are the input's own; only those of the change itself have to wait.
        ready = len(data) if self._next is None else min(len(data), at + self._next.offset - self._restored)
        parts.append(data[at:ready])
        self._restored += ready - at
        self._at += ready
        self._pending = data[ready:]
        return b"".join(parts)
