"""The changes of ``repair --dry-run`` as a person reads them: each line before and after, and its bytes."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from utf8_abnf.files.repairing.fast import Packed
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import columns, padded, say
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from utf8_abnf.files.repairing import Change, Repaired

CONTEXT = 40  # characters shown on each side of a change
MAX_SHOWN = 8  # changes shown of a line
_MAX_KEPT = 8 * CONTEXT  # bytes held of the text between two changes
_LONGEST = 24  # bytes shown of a change
_TAILS = bytes(range(0x80, 0xC0))


class Diff:
    """Collects what a repair gives, chunk by chunk: ``add`` and ``end`` yield the lines to print, for *name*."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._line, self._column = 1, 1
        self._at = 0  # offset in the input
        self._start_line()

    def _start_line(self) -> None:
        self._parts: list[tuple[bytes, Change | None]] = []  # text, or a change
        self._more = 0
        self._place = (0, 0)

    def add(self, repaired: Repaired) -> Iterator[str]:
        """Yield the lines that *repaired*, the next part of the stream, completes."""
        data, log = repaired
        places = _places(repaired, self._at)
        number = place = 0
        while number < len(log):
            if self._more:
                last = max(number, _last_before_newline(data, place, places))
                self._more += last - number
                number = last
            change = log[number]
            yield from self._text(data[place : places[number]])
            yield from self._change(change)
            place = places[number] + len(change.new)
            self._at = change.offset + len(change.old)
            number += 1
        rest = data[place:]
        self._at += len(rest)
        yield from self._text(rest)

    def end(self) -> Iterator[str]:
        """Yield the last line, if it was changed."""
        if self._place[0]:
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
        if self._more:
            return
        self._column += len(text.translate(None, _TAILS))
        if self._parts and self._parts[-1][1] is None:
            text = self._parts.pop()[0] + text
        if len(text) > 2 * _MAX_KEPT:
            text = text[:_MAX_KEPT] + text[-_MAX_KEPT:]
        self._parts.append((text, None))

    def _change(self, change: Change) -> Iterator[str]:
        self._place = self._place if self._place[0] else (self._line, self._column)
        if sum(each is not None for _, each in self._parts) < MAX_SHOWN:
            self._parts.append((b"", change))
        else:
            self._more += 1
        self._column += 1
        if b"\n" in change.old:  # only lines in UTF-16 and the like have one
            yield from self.end()
            self._line += change.old.count(b"\n")
            self._column = 1

    def _shown(self) -> Iterator[str]:
        labels = [say(label) for label in (messages.BEFORE, messages.AFTER, messages.BYTES)]
        width = max(map(columns, labels)) + 2
        before, after, bytes_of = (f"  {padded(label, width)}" for label in labels)
        yield f"{self._name}:{self._place[0]}:{self._place[1]}"
        yield before + self._side(lambda change: _marked(change.old))
        yield after + self._side(lambda change: _plain(change.new))
        label = bytes_of
        for _, change in self._parts:
            if change is not None:
                yield f"{label}{_hex(change.old)} -> {_hex(change.new) or '-'}  ({change.offset}: {change.why})"
                label = " " * (width + 2)
        if self._more:
            yield f"{label}… +{self._more}"

    def _side(self, spelled) -> str:  # type: ignore[no-untyped-def]
        last = len(self._parts) - 1
        shown_text = "".join(
            _shortened(text.decode(errors="ignore"), first=place == 0, last=place == last)
            if change is None
            else spelled(change)
            for place, (text, change) in enumerate(self._parts)
        )
        return shown_text.removesuffix("…") + "…" if self._more else shown_text


def _places(repaired: Repaired, start: int) -> Sequence[int]:
    """Return where in the repaired bytes each change begins; *start*: the offset in the input where they begin."""
    if isinstance(repaired.log, Packed):
        return repaired.log.places()
    grown = accumulate((len(each.new) - len(each.old) for each in repaired.log), initial=-start)
    return [each.offset + more for each, more in zip(repaired.log, grown, strict=False)]


def _last_before_newline(data: bytes, start: int, places: Sequence[int]) -> int:
    """Return the last of the changes at *places* that begins before the line at *start* ends, or -1."""
    newline = data.find(b"\n", start)
    return bisect_right(places, newline if newline >= 0 else len(data)) - 1


def _shortened(text: str, *, first: bool, last: bool) -> str:
    """Return *text* without what is far from any change: before the *first* one, after the *last*, or between two."""
    room = CONTEXT if first or last else 2 * CONTEXT
    if len(text) > room:
        head = "" if first else text[:CONTEXT]
        text = f"{head}…{'' if last else text[-CONTEXT:]}"
    return _printable(text)


def _printable(text: str) -> str:
    if text.isprintable():  # most is, and the loop takes ten times as long
        return text
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def _plain(new: bytes) -> str:
    text = _printable(new.decode(errors="replace"))
    return text if len(text) <= 2 * CONTEXT else f"{text[: 2 * CONTEXT]}…"


def _marked(old: bytes) -> str:
    """Return *old* with each byte that is not printable ASCII as two digits between angle brackets."""
    shown = "".join(chr(byte) if 0x20 <= byte < 0x7F else f"<{byte:02X}>" for byte in old[:_LONGEST])
    return shown + ("…" if len(old) > _LONGEST else "")


def _hex(data: bytes) -> str:
    return hex_bytes(data[:_LONGEST]) + (" …" if len(data) > _LONGEST else "")
