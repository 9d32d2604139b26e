"""Repair of lines in UTF-16 or UTF-32 among lines of UTF-8, or of a whole input that is in one of the two.

Rule 1: text in UTF-8 has no NUL, FE or FF. So what is in UTF-16 begins where a byte order mark or the first NUL
says so. Rule 2: what shows neither stays in the encoding of the line before it: text of East Asia in UTF-16 has no
NUL, and may be ASCII as bytes. Sixteen bytes of ASCII or UTF-8 with LF behind them are taken for a line of UTF-8 again.
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from utf8_abnf.explain.locating import HEAD, count_multibyte
from utf8_abnf.explain.nature import wide_encoding
from utf8_abnf.files.repairing.lines import line_end
from utf8_abnf.files.repairing.plain import Work
from utf8_abnf.files.repairing.stretches import next_stretch
from utf8_abnf.validator.functions import is_valid

if TYPE_CHECKING:
    from utf8_abnf.files.repairing.model import Repaired
    from utf8_abnf.files.repairing.treatments import Chain

_TELLING = 16  # bytes of UTF-8 that are hardly text in UTF-16
_DECODERS = {
    "utf-16-le": codecs.utf_16_le_decode, "utf-16-be": codecs.utf_16_be_decode,
    "utf-32-le": codecs.utf_32_le_decode, "utf-32-be": codecs.utf_32_be_decode,
}  # fmt: skip
NAMES = frozenset((*_DECODERS, "utf-16", "utf-32"))


class Wide:
    """Repairs lines in the encoding *name*, one of ``NAMES``; *chain* treats what is ill-formed elsewhere."""

    def __init__(self, name: str, chain: Chain) -> None:
        self._chain = chain
        self._has_order = name in _DECODERS
        self._use(name if self._has_order else f"{name}-le")
        self._inside = False  # whether the line before was in this encoding

    def _use(self, name: str) -> None:
        self._name, self._decode = name, _DECODERS[name]
        self._newline, self._mark = "\n".encode(name), "\ufeff".encode(name)

    def run(self, data: bytes, offset: int, *, final: bool) -> tuple[Repaired, int]:
        """Return what is repaired and how many bytes of *data* that was, as ``Plain.run``."""
        work = Work(data, offset)
        if not self._has_order and not offset:  # the first bytes tell, of which there are four
            if len(data) < len(self._mark) and not final:
                return work.done()
            other = self._name.replace("le", "be")
            self._use(other if data.startswith("\ufeff".encode(other)) else self._name)
        while work.at < len(data) and (end := self._line(work, final=final)):
            work.keep(end)
        return work.done()

    def _line(self, work: Work, *, final: bool) -> int:
        """Convert a line, or return where text in UTF-8 ends that is kept; 0 where more has to be seen."""
        data = work.data
        if not self._inside:
            wrong, _ = next_stretch(data, work.at, len(data), 1)
            nul = data.find(0, work.at, wrong)
            wrong = nul if nul >= 0 else wrong
            work.keep(max(work.at, data.rfind(b"\n", work.at, wrong) + 1))
        end = line_end(data, work.at, b"\n", final=final)
        if not end:
            return 0
        line = data[work.at : end]
        self._inside = self._inside and not self._is_utf8(line)
        # That an input begins in the encoding is believed where it does not begin in UTF-8.
        is_believed = work.is_begin and not is_valid(line) and not count_multibyte(line)
        begin = work.at + (0 if self._inside else self._begin(line, len(line) * (not is_believed)))
        is_believed = is_believed and begin == work.at
        if begin == end:
            work.treat_all(end, self._chain)
            return end
        wide_end = line_end(data, begin, self._newline, final=final)
        if not wide_end:
            return 0
        wide = data[begin:wide_end]
        try:
            text, length = self._decode(wide, "strict", False)  # a piece may end in a character
        except UnicodeDecodeError:
            text, length = "", 0
        is_proven = self._inside or is_believed or wide_encoding(wide[:HEAD]) == self._known(wide)
        after_mark = data[begin + len(self._mark) : end] if wide.startswith(self._mark) else b""
        is_utf8 = 0 not in after_mark and is_valid(after_mark) and not after_mark.isascii()
        self._inside = length > 0 and is_proven and not (is_utf8 or _is_dense(wide))
        if not self._inside:
            work.treat_all(end, self._chain)
            return end
        work.keep(begin)
        work.change(begin + length, text.removeprefix("\ufeff").encode(), self._name)
        return work.at

    def _begin(self, line: bytes, nowhere: int) -> int:
        """Return where in *line*, which may begin in UTF-8, text in the encoding begins; *nowhere* if nothing tells."""
        begin = line.find(self._mark)
        if begin < 0 or not is_valid(line[:begin]):
            begin = line.find(0)
            if begin < 0:
                return nowhere
            begin = max(0, begin - 1) if self._name.endswith("le") else begin
            is_aligned = not begin % len(self._newline) or wide_encoding(line[begin:][:HEAD])
            begin = begin if is_aligned else 0
        return begin if is_valid(line[:begin]) else 0

    def _known(self, wide: bytes) -> str:
        """Return what ``nature`` calls this encoding where *wide* is in it."""
        name = self._name.upper()
        return name[:6] if wide.startswith(self._mark) else name[:6] + name[7:]

    def _is_utf8(self, line: bytes) -> bool:
        """Return whether *line* is UTF-8 and long enough to be meant so; half of the bytes of kana are 30."""
        high = line[1::2] if self._name.endswith("le") else line[::2]
        is_long = (len(line) >= _TELLING or count_multibyte(line) > 1) and high.count(0x30) * 4 < len(high)
        return 0 not in line and ((is_long and is_valid(line)) or _is_dense(line))


def _is_dense(line: bytes) -> bool:
    """Return whether *line* has more characters of UTF-8 than come about by chance: in Korean one in 12 bytes."""
    return (count_multibyte(line) - 1) * 12 > len(line)
