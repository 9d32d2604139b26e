"""How many characters and lines are in well-formed bytes: bytes in, numbers out; by C, where there is a compiler.

A module of its own, because a check counts in every text and needs nothing else of ``summary``.
"""

from __future__ import annotations

from utf8_abnf.validator import kernel

TYPE_CHECKING = False  # not from typing: see __init__.py
if TYPE_CHECKING:
    from utf8_abnf.validator import _summary as loops
else:
    try:
        from utf8_abnf.validator import _summary as loops
    except ImportError:  # installed without a compiler
        loops = None

__all__ = ["AVX2", "count_well_formed", "loops", "units"]

AVX2 = "avx2" in kernel.available
_TAILS = bytes(range(0x80, 0xC0))  # UTF8-tail = %x80-BF


def count_well_formed(data: bytearray | memoryview) -> tuple[int, int, int]:
    r"""Return how many characters well-formed *data* have, how many LF, and how many characters after the last one.

    >>> count_well_formed(bytearray("a\nné".encode()))
    (4, 1, 2)
    """
    if loops is not None:
        return loops.count(AVX2, data)
    text = bytes(data)
    return units(text), text.count(b"\n"), units(text[text.rfind(b"\n") + 1 :])


def units(data: bytes) -> int:
    """Return how many characters and ill-formed sequences *data* has; lone tail bytes are not counted."""
    return len(data.translate(None, _TAILS))  # all others begin with a byte that is not a tail byte
