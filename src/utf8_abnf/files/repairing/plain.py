"""Repair in Python: a buffer in; repaired bytes and the changes out. It knows every policy; ``fast`` is its quick twin.

Rule 1: the cuts of a stream change nothing. What the next bytes may change waits for them: a stretch until its end is
seen, a line for the policies that read lines. Rule 2: well-formed bytes are copied; only ``mojibake`` and ``wide``
read them.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import replace

from utf8_abnf.explain import encodings
from utf8_abnf.explain.locating import HEAD, SAMPLE, last_word
from utf8_abnf.files.repairing.guess import guess, guess_stretches
from utf8_abnf.files.repairing.model import Change, Repaired
from utf8_abnf.files.repairing.mojibake import undone
from utf8_abnf.files.repairing.stretches import next_stretch
from utf8_abnf.files.repairing.treatments import AUTO, LOOKAHEAD, UTF16, Chain, chain_of
from utf8_abnf.files.repairing.wide import MARKS, MAX_LINE, MORE, line_length, part_length, until_utf8
from utf8_abnf.validator.ill_formed import describe, unfinished

_NOT_ASCII = re.compile(rb"[\x80-\xff]")
MAX_STRETCH = 1024  # bytes from which on a change ends; the rest of the stretch begins the next one


class Plain:
    """Repairs by *chain*: ``run`` is called with what it left of the last buffer, and what comes after that."""

    def __init__(self, chain: Chain) -> None:
        self.guess = ""  # what "auto" went by
        self._chain = chain
        self._wide = ""  # the encoding of the next lines, while these are in UTF-16 or UTF-32
        self._whole = False  # whether the input as a whole is
        self._is_ascii = True  # whether all is that was read before "auto" has found anything
        self._legacy: Chain | None = None  # for an encoding whose characters can have bytes of ASCII or of UTF-8
        self._by_chance = False  # whether they can have bytes of UTF-8
        self._refused = -1  # the offset of a byte order mark that no UTF-16 follows

    def run(self, data: bytes, offset: int, *, final: bool) -> tuple[Repaired, int]:
        """Return what is repaired and how many bytes of *data* that was; all of them if *final*: nothing follows.

        *offset* is where *data* begins in the stream.
        """
        self._data, self._offset, self._final = data, offset, final
        self._out: list[bytes] = []
        self._changes: list[Change] = []
        used = self._all() if self._is_ready() else 0
        return Repaired(b"".join(self._out), self._changes), used

    def _is_ready(self) -> bool:
        """Return whether there is enough to begin with; find out what "auto" is, once."""
        if not self._chain.auto or self._offset or self.guess:
            return True
        if len(self._data) < HEAD and not self._final:
            return False
        if found := guess(self._data):
            self.guess, self._wide, self._whole = str(found), found.encoding, True
        return True

    def _all(self) -> int:
        data, at = self._data, 0
        limit = len(data) - (0 if self._final else unfinished(data))
        while at < limit:
            if self._wide:
                length = self._line(at)
                if length == MORE:
                    break
                if length:
                    at = self._convert(at, at, length)
                    continue
                self._wide = ""
            if self._legacy:
                length = self._legacy_length(self._legacy.policy, at)
                if length == MORE:
                    break
                at = self._legacy_line(self._legacy, at, at + length)
                continue
            start, end = next_stretch(data, at, limit, MAX_STRETCH + LOOKAHEAD)
            is_unknown = self._chain.auto and not self.guess
            begin = start
            if is_unknown and not (start == limit and self._final):
                begin -= len(last_word(data[at:start]))  # a word in which an error may follow waits for it
            if is_unknown:
                self._is_ascii = self._is_ascii and data[at:begin].isascii()
            at = self._keep(at, begin, wait=start == limit and not self._final)
            if at < begin or start == limit:
                break
            if is_unknown:
                if len(data) - start < SAMPLE and not self._final:
                    break
                self._find_out(begin, start)
                continue
            if end == limit and not self._final and end - start < MAX_STRETCH + LOOKAHEAD:
                break  # the next bytes may belong to this stretch
            if self._chain.wide:
                mark = self._mark(start, end)
                if mark == start:
                    self._wide = MARKS[data[mark : mark + 2]]
                    length = self._line(mark + 2)
                    if length == MORE:
                        self._wide = ""
                        break
                    if length:
                        at = self._convert(mark, mark + 2, length)
                        continue
                    self._wide = ""
                    self._refused = self._offset + mark
                    mark = self._mark(start, end)
                end = mark
            at = self._treat(start, end)
        return at

    def _find_out(self, begin: int, start: int) -> None:
        """Find out what the ill-formed bytes are, the first of which is at *start* in a word from *begin* on."""
        word, sample = self._data[begin:start], self._data[start : start + SAMPLE]
        found = guess_stretches(sample, self._offset + start, word=word, is_ascii_before=self._is_ascii)
        self.guess, self._by_chance = str(found), found.by_chance
        if found.words:
            self._legacy = chain_of(found.encoding)
        else:
            self._chain = replace(self._chain, first=(*self._chain.first, *chain_of(found.encoding).first))

    def _legacy_length(self, codec: str, at: int) -> int:
        """Return the length of the line at *at* with its end, or of ``MAX_LINE`` bytes of it; ``MORE`` as above."""
        found = self._data.find(b"\n", at, at + MAX_LINE)
        if found >= 0:
            return found + 1 - at
        left = len(self._data) - at
        if left < MAX_LINE and not self._final:
            return MORE
        decoder = codecs.getincrementaldecoder(codec)(errors="replace")
        line = self._data[at : at + MAX_LINE]
        decoder.decode(line)
        return len(line) - (len(decoder.getstate()[0]) if left > MAX_LINE else 0)

    def _legacy_line(self, legacy: Chain, start: int, end: int) -> int:
        """Convert what is text in the encoding in a line: words as a whole, or what stands beside their UTF-8."""
        at = start
        for word in encodings.WORD.finditer(self._data, start, end):
            old = word.group()
            if old.isascii():
                continue
            if self._by_chance and max(encodings.favours_of_utf8(old, legacy.policy), default=0) <= encodings.CERTAIN:
                parts = [(0, len(old))]
            else:
                parts, _ = encodings.beside_utf8(old, legacy.policy)
            for first, last in parts:
                self._stretches(at, word.start() + first)
                at = self._characters(legacy, word.start() + first, word.start() + last)
        self._stretches(at, end)
        return end

    def _characters(self, legacy: Chain, at: int, end: int) -> int:
        """Convert the characters from *at* to *end*, which is text in *legacy*; ASCII beside them stays."""
        while found := _NOT_ASCII.search(self._data, at, end):
            first = found.start()
            self._out.append(self._data[at:first])
            at, parts = first, []
            while at < end and self._data[at] > 0x7F:
                length, new, _ = legacy.take(self._data[at : min(at + LOOKAHEAD, end)])
                parts.append(new)
                at += length
            self._treated(first, at, parts, legacy.policy)
        self._out.append(self._data[at:end])
        return end

    def _stretches(self, at: int, end: int) -> None:
        while at < end:
            start, stop = next_stretch(self._data, at, end, MAX_STRETCH + LOOKAHEAD)
            self._out.append(self._data[at:start])
            at = self._treat(start, stop) if start < end else end

    def _line(self, at: int) -> int:
        if self._whole:
            length = part_length(self._data, at, self._wide, final=self._final)
            return until_utf8(self._data[at : at + length], self._wide) if length > 0 else length
        return line_length(self._data, at, self._wide, final=self._final)

    def _mark(self, start: int, end: int) -> int:
        """Return where the first byte order mark of UTF-16 in a stretch is that was not refused; *end* if none is."""
        for at in range(start, end - 1):
            if self._data[at : at + 2] in MARKS and self._offset + at > self._refused:
                return at
        return end

    def _convert(self, start: int, at: int, length: int) -> int:
        """Convert *length* bytes from *at* on, which are UTF-16 or UTF-32; *start* is where their mark is, if any."""
        end = at + length
        text = self._data[at:end].decode(self._wide, "replace")
        if self._offset + at == 0:
            text = text.removeprefix("\ufeff")
        self._change(start, end, text.encode(), f"{AUTO if self._whole else UTF16}: {self._wide}")
        return end

    def _keep(self, at: int, end: int, *, wait: bool) -> int:
        """Copy well-formed bytes, or mend what is encoded twice, and return up to where; *wait*: a line may go on."""
        if not self._chain.mojibake:
            self._out.append(self._data[at:end])
            return end
        while at < end:
            line_end = self._data.find(b"\n", at, end) + 1
            if not line_end and wait and end - at < MAX_LINE:
                break
            line_end = min(line_end or end, at + MAX_LINE)
            line_end -= unfinished(self._data[line_end - 4 : line_end]) if line_end < end else 0
            self._mend(at, line_end)
            at = line_end
        return at

    def _mend(self, start: int, end: int) -> None:
        line = self._data[start:end]
        found = undone(line)
        if found is None:
            self._out.append(line)
            return
        first, last, new, evidence = found
        self._out.append(line[:first])
        self._change(start + first, start + last, new, evidence)
        self._out.append(line[last:])

    def _treat(self, start: int, end: int) -> int:
        """Treat a stretch, up to ``MAX_STRETCH`` bytes of it, and return where that ends."""
        at = first = start
        parts: list[bytes] = []
        name = ""
        while at < end and at - start < MAX_STRETCH:
            length, new, treatment = self._chain.take(self._data[at : min(at + LOOKAHEAD, end)])
            if name not in ("", treatment):
                self._treated(first, at, parts, name)
                first, parts = at, []
            name = treatment
            parts.append(new)
            at += length
        self._treated(first, at, parts, name)
        return at

    def _treated(self, start: int, end: int, parts: list[bytes], name: str) -> None:
        self._change(start, end, b"".join(parts), why(self._data[start : start + 4], name))

    def _change(self, start: int, end: int, new: bytes, reason: str) -> None:
        self._out.append(new)
        self._changes.append(Change(self._offset + start, self._data[start:end], new, reason))


def why(window: bytes, treatment: str) -> str:
    r"""Return the reason of a change: the code of the error that begins *window*, and what was done.

    >>> why(b"\xe9 ", "windows-1252")
    'UTF8-MISSING-TAIL, windows-1252'
    """
    error = describe(window)
    return f"{error.code}, {treatment}" if error else treatment
