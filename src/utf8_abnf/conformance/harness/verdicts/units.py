"""Units: what a condition counts: bytes, characters, or code units of UTF-16."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.standard import promised
from utf8_abnf.conformance.harness.verdicts.patterns import TAIL

if TYPE_CHECKING:
    from collections.abc import Callable

BYTES, CHARACTERS, UTF16 = "bytes", "characters", "code units of UTF-16"
TAILS = bytes(sorted(TAIL))
SHORT = bytes(byte for byte in range(0x100) if promised(byte) < 4)  # of a character with one code unit, or tail bytes

LENGTH: dict[str, Callable[[bytes], int]] = {  # the simple first; a character is counted by its first byte
    BYTES: len,
    CHARACTERS: lambda text: len(text.translate(None, TAILS)),
    UTF16: lambda text: len(text.translate(None, TAILS)) + len(text.translate(None, SHORT)),
}
