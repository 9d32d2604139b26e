"""Rows: whether a decoder refuses text for so many of one character in a row, and with which characters it does."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.verdicts.causes import Cause
from utf8_abnf.conformance.harness.verdicts.cutting import characters
from utf8_abnf.conformance.harness.verdicts.places import ASCII, OTHERS, Conditions, Place
from utf8_abnf.conformance.harness.verdicts.row import Row
from utf8_abnf.conformance.suite.real_texts import texts

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.verdicts.questions import Direction

MIN_ROW = 8  # characters: of fewer the word says more
MAX_ROW = 1 << 14  # characters
MAX_SHOWN = 4  # characters
LETTER, ACCENTED = b"a", "é".encode()
REPEATED = re.compile(rb"(?s)([\x00-\x7f]|[\x80-\xff][\x80-\xbf]+)\1{%d,}" % (MIN_ROW - 1))


def row_cause(data: bytes, case: str, direction: Direction) -> Cause | None:
    """Return the cause of a decoder that refuses any text with so many of a character of *data* in a row, or None.

    The other characters for which that is so are asked as well, and whether they count together. Nothing is asked
    where each question needs a process.
    """
    if direction.accepted or not direction.standard.is_utf8 or direction.ask.expensive:
        return None
    rows = ((len(row[0]) // len(row[1]), row[1]) for row in REPEATED.finditer(data))
    most, character = max(rows, default=(0, b""))
    if not 0 < most <= MAX_ROW or not direction.are_wrong([character * most])[0]:
        return None
    times = bisect_left(range(most), True, key=lambda count: direction.are_wrong([character * count])[0])
    if times < MIN_ROW:
        return None
    row, shorter = character * times, character * (times - 1)
    longer = [row + LETTER, LETTER + row, LETTER + row + LETTER, character * (times + 1), character * (2 * times)]
    other = LETTER + ACCENTED if character != ACCENTED else ACCENTED + LETTER
    if direction.are_wrong([other * len(row) + shorter])[0] or not all(direction.are_wrong(longer)):
        return None  # where it ends is the reason, and not the row
    known = dict.fromkeys((*ASCII, *OTHERS, *characters("".join(texts().values()).encode()), character))
    enough = direction.are_wrong([each * times for each in known])
    fewer = direction.are_wrong([each * (times - 1) for each in known])
    beside = direction.are_wrong([shorter + each for each in known])
    alike = {each for each, one, two in zip(known, enough, fewer, strict=True) if (one, two) == (True, False)}
    mixed = {each for each, is_wrong in zip(known, beside, strict=True) if is_wrong}
    chosen = mixed if len(mixed) > 1 else alike
    others = [each for each in known if each not in mixed]
    if character not in mixed or not mixed <= alike:
        return None
    if any(direction.are_wrong([(character + each) * times for each in others])) or direction.ask.used_up:
        return None
    shown = _shown(character, chosen, known, mixed=len(mixed) > 1)
    found = Row(frozenset(chosen), times, len(mixed) > 1, shown)
    return Cause([], Conditions(((found,),)), Place(b"", b""), row, case, any_word=True)


def _shown(character: bytes, chosen: set[bytes], known: dict[bytes, None], *, mixed: bool) -> str:
    """Return in words which characters are *chosen* of those *known*."""
    ascii_ = {each for each in known if each in ASCII}
    whole = {"one character": set(known), "one ASCII character": ascii_, "one non-ASCII character": set(known) - ascii_}
    if not mixed and (name := next((name for name, each in whole.items() if chosen == each), "")):
        return name
    told = ["%x" + each.hex(".").upper() for each in sorted(chosen, key=lambda each: (each != character, each))]
    if len(told) > MAX_SHOWN:
        told = [f"{told[0]} and {len(told) - 1} others of the {len(known)} characters asked"]
    return f"{'one of ' * (not mixed and len(chosen) > 1)}{' / '.join(told)}"
