"""Stripped: the characters that a decoder takes off both ends of its texts, or one, as white space is.

In the middle they stay. So they are not text that is left out as a rule, and yet have one cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.replacing import is_well_formed
from utf8_abnf.conformance.harness.verdicts.cutting import characters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.conformance.harness.replacing import Policy

PHRASES = {
    (True, True): "only at the start or the end of the text",
    (True, False): "only at the start of the text",
    (False, True): "only at the end of the text",
}


class Stripped:
    """What a decoder with this *policy* takes off its texts; nothing, where these do not agree."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._taken: tuple[set[bytes], set[bytes]] = (set(), set())  # from the start, from the end
        self._kept = ({policy.mark}, {policy.mark})

    def learn(self, texts: Iterable[tuple[bytes, bytes | None]]) -> None:
        """Look at *texts*, data and what became of it, for characters with which no text begins or ends."""
        pairs = [
            (right, text)
            for data, text in texts
            if text is not None and (right := self._policy.text(data)) is not None and is_well_formed(text)
        ]
        for side, at in enumerate((slice(0, 1), slice(-1, None))):
            self._kept[side].update(each for _, text in pairs for each in characters(text)[at])
        shorter = [(right, text) for right, text in pairs if text in right and text != right]
        for right, text in sorted(shorter, key=lambda pair: not pair[1]):  # those without text last
            self._take(right, text)
        every = self._taken[0] | self._taken[1]
        if any(self._strip(right) != text for right, text in pairs if any(each in right for each in every)):
            self._taken = (set(), set())

    def of(self, data: bytes, text: bytes | None) -> bytes:
        """Return the first character that was taken off the text of *data*, b"" if not only that is wrong with it."""
        right = self._policy.text(data)
        if right is None or text is None or text == right or text not in right or not any(self._taken):
            return b""
        self._take(right, text)
        if self._strip(right) != text:
            return b""
        before, _, after = right.partition(text) if text else (right, b"", b"")
        return characters(before or after)[0]

    def __contains__(self, text: bytes) -> bool:
        """Tell whether *text* is a character that is taken off."""
        return any(text in taken for taken in self._taken)

    def phrase(self, chosen: Iterable[bytes]) -> str:
        """Return in words from where the characters *chosen* are taken off, "" if that is not the same for all."""
        start, end = self._taken
        sides = {(each in start, each in end) for each in chosen}
        return PHRASES.get(sides.pop(), "") if len(sides) == 1 else ""

    def expected(self, data: bytes) -> bytes | None:
        """Return what the decoder makes of *data*, as far as is known."""
        right = self._policy.text(data)
        return right if right is None else self._strip(right)

    def _take(self, right: bytes, text: bytes) -> None:
        """Note what was taken off *right*: of one without anything left, whatever may be taken off at either end."""
        before, _, after = right.partition(text) if text else (right, b"", right)
        for taken, kept, lost in zip(self._taken, self._kept, (before, after), strict=True):
            if text or taken:
                taken.update(set(characters(lost)) - kept)

    def _strip(self, text: bytes) -> bytes:
        parts = characters(text)
        start, end = 0, len(parts)
        while start < end and parts[start] in self._taken[0]:
            start += 1
        while start < end and parts[end - 1] in self._taken[1]:
            end -= 1
        return b"".join(parts[start:end])
