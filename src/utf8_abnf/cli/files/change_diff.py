"""The changes of ``repair --dry-run`` as a person reads them: each line before and after, and its bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.language.notation import hex_bytes, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.files.repairing import Change, Repaired

CONTEXT = 40  # characters shown on each side of a change
MAX_SHOWN = 8  # changes shown together
_MAX_KEPT = 8 * CONTEXT  # bytes held of the text between two changes
_LONGEST = 24  # bytes shown of a change
_TAILS = bytes(range(0x80, 0xC0))


class Diff:
    """Collects what a repair gives, chunk by chunk: ``add`` and ``end`` yield the lines to print, for *name*."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._line, self._column = 1, 1
        self._grown = 0  # bytes by which the repaired data are longer so far
        self._at = 0  # bytes of them so far
        self._start_line()

    def _start_line(self) -> None:
        self._texts = [b""]  # before the first change, between two, after the last one
        self._changes: list[Change] = []
        self._place = (0, 0)

    def add(self, repaired: Repaired) -> Iterator[str]:
        """Yield the lines that *repaired*, the next part of the stream, completes."""
        data, at = repaired.data, 0
        for change in repaired.log:
            start = change.offset + self._grown - self._at
            yield from self._text(data[at:start])
            yield from self._change(change)
            at = start + len(change.new)
            self._grown += len(change.new) - len(change.old)
        yield from self._text(data[at:])
        self._at += len(data)

    def end(self) -> Iterator[str]:
        """Yield the last line, if it was changed."""
        if self._changes:
            yield from self._shown()
        self._start_line()

    def _text(self, text: bytes) -> Iterator[str]:
        line, newline, rest = text.partition(b"\n")
        self._keep(line)
        if newline:
            yield from self.end()
            self._line += 1 + rest.count(b"\n")
            self._column = 1
            self._keep(rest[rest.rfind(b"\n") + 1 :])

    def _keep(self, text: bytes) -> None:
        self._column += len(text.translate(None, _TAILS))
        text = self._texts[-1] + text
        self._texts[-1] = text if len(text) <= 2 * _MAX_KEPT else text[:_MAX_KEPT] + text[-_MAX_KEPT:]

    def _change(self, change: Change) -> Iterator[str]:
        if len(self._changes) == MAX_SHOWN:
            yield from self.end()
        self._place = self._place if self._changes else (self._line, self._column)
        self._changes.append(change)
        self._texts.append(b"")
        self._column += 1
        if b"\n" in change.old:  # only lines in UTF-16 and the like have one
            yield from self.end()
            self._line += change.old.count(b"\n")
            self._column = 1

    def _shown(self) -> Iterator[str]:
        yield f"{self._name}:{self._place[0]}:{self._place[1]}"
        yield "  before  " + self._side([_marked(change.old) for change in self._changes])
        yield "  after   " + self._side(
            [_start_of(change.new.decode(errors="replace"), 2 * CONTEXT) for change in self._changes]
        )
        label = "  bytes   "
        for change in self._changes:
            yield f"{label}{_hex(change.old)} -> {_hex(change.new) or '-'}  ({change.offset}: {change.why})"
            label = " " * len(label)

    def _side(self, spelled: list[str]) -> str:
        before, *texts = (text.decode(errors="ignore") for text in self._texts)
        after = texts.pop()
        parts = [printable(before if len(before) <= CONTEXT else f"…{before[-CONTEXT:]}")]
        for change, text in zip(spelled, [*texts, ""], strict=False):
            is_long = len(text) > 2 * CONTEXT
            parts += [change, printable(f"{text[:CONTEXT]}…{text[-CONTEXT:]}" if is_long else text)]
        return "".join(parts) + _start_of(after, CONTEXT)


def _start_of(text: str, size: int) -> str:
    return printable(text if len(text) <= size else f"{text[:size]}…")


def _marked(old: bytes) -> str:
    """Return *old* with each byte that is not printable ASCII as two digits between angle brackets."""
    shown = "".join(chr(byte) if 0x20 <= byte < 0x7F else f"<{byte:02X}>" for byte in old[:_LONGEST])
    return shown + ("…" if len(old) > _LONGEST else "")


def _hex(data: bytes) -> str:
    return hex_bytes(data[:_LONGEST]) + (" …" if len(data) > _LONGEST else "")
